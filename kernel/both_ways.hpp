// A pass of the frontier program for which ends of the chain are solved first, from whichever side
// there is less to do.
//
// Where most of what a partition costs beyond the shares lies near the beginning, ends know little
// of it, and a pass looks at all that could be spent there. From the other side the same stretch is
// an end. So both are tried, and the pass is made from the side whose ends know more. Its value is
// the optimum. From the far side it also tells the groups of all optima, among which a second pass,
// which has next to nothing to do, makes the canonical choice.
#pragma once

#include <cstdint>
#include <vector>

#include "frontier.hpp"

namespace unisono {

struct EndLimits {
    std::int64_t states_per_unit;  // of each end
    // The other side is tried where ends know less than this part of the slack; above 1 it is
    // always taken.
    double turning;
};

struct Pass {
    Outcome outcome;
    Cost at_least;        // that every partition costs beyond the shares, if not more than the gap
    std::int64_t states;  // of the last pass that was made
    std::int64_t states_of_ends;
};

// `groups` are all whose reduced cost is within limits.gap; they become fewer if some are known not
// to be needed. Of a chain by itself, not a soft one.
Pass solve_both_ways(const Chain& chain, Groups& groups, const std::vector<Cost>& shares,
                     const FrontierLimits& limits, const EndLimits& end_limits,
                     FrontierProgram& frontier, const StopFlag& stop, Chosen& chosen);

}  // namespace unisono
