// Groups of units: how they are kept, and in which order they stand.
//
// In units of the empty cost, a group costs (C - Σ savings of its pairs) / C, with C = n(n-1)/2 and
// saving(u, v) = 1 - d(u, v). Everything here is multiplied by C, so that it stays whole.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "alignment/dissimilarity.hpp"

namespace unisono {

struct Groups {
    // Groups of two and more units, ordered by anchor (the first member in sweep order), then
    // larger first, then by their members: the fixed order that makes the optimum canonical.
    std::vector<std::int64_t> of_anchor;       // size N + 1: the groups anchored at a unit
    std::vector<std::int64_t> member_offsets;  // size G + 1
    std::vector<std::int32_t> members;         // ascending within a group
    std::vector<Cost> cost;                    // times C
    // Anchors whose groups were not all found because a limit was reached.
    std::vector<std::int32_t> unfinished;
    std::int64_t steps = 0;  // how much work the search was

    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(cost.size()); }
    [[nodiscard]] std::span<const std::int32_t> members_of(std::int64_t group) const {
        const auto from = static_cast<std::size_t>(member_offsets[static_cast<std::size_t>(group)]);
        const auto to =
            static_cast<std::size_t>(member_offsets[static_cast<std::size_t>(group) + 1]);
        return {members.data() + from, to - from};
    }
    void clear(std::size_t units) {
        of_anchor.assign(units + 1, 0);
        member_offsets.assign(1, 0);
        members.clear();
        cost.clear();
        unfinished.clear();
        steps = 0;
    }
    void add(std::span<const std::int32_t> ascending, Cost group_cost) {
        members.insert(members.end(), ascending.begin(), ascending.end());
        member_offsets.push_back(static_cast<std::int64_t>(members.size()));
        cost.push_back(group_cost);
    }
};

// The order of groups that have the same anchor.
bool stands_before(std::span<const std::int32_t> group, std::span<const std::int32_t> other);

// Groups whose members ascend, in the order of Groups: `members_of(k)` and `cost_of(k)` give the
// group of a number.
template <class MembersOf, class CostOf>
Groups in_order(std::size_t units, std::vector<std::size_t> numbers, MembersOf members_of,
                CostOf cost_of) {
    std::sort(numbers.begin(), numbers.end(), [&](std::size_t a, std::size_t b) {
        const std::span<const std::int32_t> left = members_of(a);
        const std::span<const std::int32_t> right = members_of(b);
        return left[0] != right[0] ? left[0] < right[0] : stands_before(left, right);
    });
    Groups groups;
    groups.clear(units);
    for (const std::size_t number : numbers) {
        groups.add(members_of(number), cost_of(number));
        ++groups.of_anchor[static_cast<std::size_t>(members_of(number)[0]) + 1];
    }
    std::partial_sum(groups.of_anchor.begin(), groups.of_anchor.end(), groups.of_anchor.begin());
    return groups;
}

// The same groups with units of other numbers, in order.
Groups with_units(const Groups& groups, const std::vector<std::int32_t>& number_of);

struct GroupLimits {
    std::int64_t groups;            // of all anchors together
    std::int64_t steps_per_anchor;  // of the depth-first search
    std::int64_t steps;             // of all anchors together
};

// The groups found for one anchor, before they are put in order.
class FoundGroups {
 public:
    void clear() {
        members_.clear();
        found_.clear();
    }
    [[nodiscard]] std::size_t size() const { return found_.size(); }
    // Members in any order; `value` is what forget_the_dearest compares.
    template <class Members>
    void add(const Members& members, Cost cost, Cost value = 0);
    [[nodiscard]] Cost least_value() const {
        Cost least = 0;
        for (const Found& found : found_) least = std::min(least, found.value);
        return least;
    }
    // Keeps all but the group of the largest value, and gives the largest that is left.
    Cost forget_the_dearest();
    void store(Groups& groups);

 private:
    struct Found {
        std::size_t from, size;
        Cost cost, value;
    };
    [[nodiscard]] std::span<const std::int32_t> members_of(const Found& found) const {
        return {members_.data() + found.from, found.size};
    }
    void add_last(std::size_t from, Cost cost, Cost value);

    std::vector<std::int32_t> members_;
    std::vector<Found> found_;
};

template <class Members>
void FoundGroups::add(const Members& members, Cost cost, Cost value) {
    const std::size_t from = members_.size();
    for (const auto& member : members) members_.push_back(member.unit);
    add_last(from, cost, value);
}

}  // namespace unisono
