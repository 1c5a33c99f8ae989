// Which sets of units can be a group of an optimal alignment.
//
// In units of the empty cost, a group costs (C - Σ savings of its pairs) / C, with C = n(n-1)/2 and
// saving(u, v) = 1 - d(u, v). Everything here is multiplied by C, so that it stays whole.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neighbours.hpp"

namespace unisono {

struct Groups {
    // Groups of two and more units, ordered by anchor (the first member in sweep order), then
    // larger first, then by their members: the fixed order that makes the optimum canonical.
    std::vector<std::int64_t> of_anchor;       // size N + 1: the groups anchored at a unit
    std::vector<std::int64_t> member_offsets;  // size G + 1
    std::vector<std::int32_t> members;         // ascending within a group
    std::vector<Cost> cost;                    // times C
    // The most that one unit can save in any group (times C), however it is aligned.
    std::vector<Cost> most_saved;
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
};

struct GroupLimits {
    std::int64_t groups;            // of all anchors together
    std::int64_t steps_per_anchor;  // of the depth-first search
    std::int64_t steps;             // of all anchors together
};

// Asks only for groups that cost little more than the shares of their members (see shares.hpp).
struct GroupWish {
    const std::vector<Cost>* shares = nullptr;  // by unit; none: every group is wished for
    Cost most_reduced = 0;                      // the largest reduced cost wished for
    std::size_t per_anchor = 0;                 // only so many, the cheapest; 0: all
};

// All groups that satisfy the strict split rule: every way to cut the group in two loses something.
// A group that could be cut at no loss is left out: the optimum has the same cost and is the
// finest.
void find_groups(const Pairs& pairs, std::span<const std::int32_t> place, int places,
                 const GroupWish& wish, const GroupLimits& limits, const StopFlag& stop,
                 Groups& groups);

}  // namespace unisono
