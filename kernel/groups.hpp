// Groups of units: how they are kept, and in which order they stand.
//
// In units of the empty cost, a group costs (C - Σ savings of its pairs) / C, with C = n(n-1)/2 and
// saving(u, v) = 1 - d(u, v). Everything here is multiplied by C, so that it stays whole.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dissimilarity.hpp"

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
