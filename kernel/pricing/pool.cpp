#include "pricing/pool.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace unisono {

namespace {

std::uint64_t key_of(std::span<const std::int32_t> members) {
    std::uint64_t mixed = 0;
    for (const std::int32_t member : members) {
        mixed = (mixed ^ static_cast<std::uint64_t>(member)) * 0x9e3779b97f4a7c15ULL;
        mixed ^= mixed >> 29U;
    }
    return mixed;
}

}  // namespace

bool Pool::holds(std::uint64_t key, std::span<const std::int32_t> members) const {
    const auto [from, to] = known_.equal_range(key);
    return std::any_of(from, to, [&](const auto& entry) {
        const auto known = members_of(entry.second);
        return std::equal(known.begin(), known.end(), members.begin(), members.end());
    });
}

void Pool::add(const Groups& groups) {
    for (std::int64_t g = 0; g < groups.size(); ++g) {
        add(groups.members_of(g), groups.cost[static_cast<std::size_t>(g)]);
    }
}

void Pool::add(std::span<const std::int32_t> members, Cost cost) {
    const std::uint64_t key = key_of(members);
    if (holds(key, members)) return;
    known_.emplace(key, size());
    members_.insert(members_.end(), members.begin(), members.end());
    begin_.push_back(members_.size());
    cost_.push_back(cost);
}

Groups Pool::ordered(std::size_t units) const {
    std::vector<std::size_t> all(size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return ordered(units, std::move(all));
}

Groups Pool::ordered(std::size_t units, std::vector<std::size_t> order) const {
    return in_order(
        units, std::move(order), [&](std::size_t g) { return members_of(g); },
        [&](std::size_t g) { return cost_[g]; });
}

}  // namespace unisono
