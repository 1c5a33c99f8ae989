#include "alignment/groups.hpp"

#include <algorithm>

namespace unisono {

bool stands_before(std::span<const std::int32_t> group, std::span<const std::int32_t> other) {
    if (group.size() != other.size()) return group.size() > other.size();
    return std::lexicographical_compare(group.begin(), group.end(), other.begin(), other.end());
}

Groups with_units(const Groups& groups, const std::vector<std::int32_t>& number_of) {
    std::vector<std::int32_t> members = groups.members;
    for (std::int32_t& member : members) member = number_of[static_cast<std::size_t>(member)];
    const auto members_of = [&](std::size_t g) {
        const auto from = static_cast<std::size_t>(groups.member_offsets[g]);
        return std::span(members).subspan(
            from, static_cast<std::size_t>(groups.member_offsets[g + 1]) - from);
    };
    std::vector<std::size_t> numbers(groups.cost.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    for (const std::size_t g : numbers) {
        const auto sorted = members_of(g);
        std::sort(sorted.begin(), sorted.end());
    }
    return in_order(number_of.size(), std::move(numbers), members_of,
                    [&](std::size_t g) { return groups.cost[g]; });
}

void FoundGroups::add_last(std::size_t from, Cost cost, Cost value) {
    std::sort(members_.begin() + static_cast<std::ptrdiff_t>(from), members_.end());
    found_.push_back({from, members_.size() - from, cost, value});
}

Cost FoundGroups::forget_the_dearest() {
    const auto by_value = [](const Found& a, const Found& b) { return a.value < b.value; };
    found_.erase(std::max_element(found_.begin(), found_.end(), by_value));
    return std::max_element(found_.begin(), found_.end(), by_value)->value;
}

void FoundGroups::store(Groups& groups) {
    std::sort(found_.begin(), found_.end(), [&](const Found& a, const Found& b) {
        return stands_before(members_of(a), members_of(b));
    });
    for (const Found& found : found_) groups.add(members_of(found), found.cost);
}

}  // namespace unisono
