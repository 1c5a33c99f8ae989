#include "groups.hpp"

#include <algorithm>

namespace unisono {

bool stands_before(std::span<const std::int32_t> group, std::span<const std::int32_t> other) {
    if (group.size() != other.size()) return group.size() > other.size();
    return std::lexicographical_compare(group.begin(), group.end(), other.begin(), other.end());
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
