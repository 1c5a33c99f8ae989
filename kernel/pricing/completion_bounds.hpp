// What the end of a chain costs at least beyond the shares, from several places on.
//
// A partition that costs no more than the shares and a slack has only groups whose reduced cost is
// within the slack. Take those of them that are anchored from some place on: they cover all units
// from there, but for those that a group anchored before may cover. So they cost at least what the
// frontier program finds for this end of the chain, from nothing covered, if such units need no
// group. Whoever comes to this place has so much less to spend. Ends are solved from behind: the
// shorter ones help to solve the longer ones.
#pragma once

#include <cstdint>
#include <vector>

#include "alignment/frontier.hpp"

namespace unisono {

struct Endings {
    std::vector<Cost> later;  // by unit: what groups anchored after it cost at least
    std::int64_t states = 0;  // that it took

    // Of the longest end, and so of every partition.
    [[nodiscard]] Cost known() const { return later.front(); }
};

// `groups` are all whose reduced cost is within the slack, which is the gap of what they are solved
// within. An end may take so many states for each of its units; what is known then is less, and
// still true.
Endings find_endings(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
                     const FrontierLimits& within, std::int64_t states_per_unit,
                     FrontierProgram& frontier, const StopFlag& stop);

}  // namespace unisono
