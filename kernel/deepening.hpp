// From good shares to a proven optimum.
//
// All reduced costs are >= 0 now, so a partition that costs at most the shares and a slack has only
// groups whose reduced cost is within the slack: ask for all of these, solve with them. If no
// partition is found, every one costs more than that, which is a better bound; then with a larger
// slack.
#pragma once

#include <limits>
#include <vector>

#include "asking.hpp"
#include "frontier.hpp"

namespace unisono {

struct DeepeningLimits {
    GroupLimits groups;
    std::int64_t states;
    std::int64_t states_at_once;
    FrontierLimits without_proof;   // once a limit was reached
    double tolerance;               // a gap that is good enough, relative to the value
    std::size_t stretch;            // units that are solved again by themselves; 0: never
    std::int64_t uncut_states;      // a unit, before there are cuts
    std::int64_t undivided_states;  // a unit, before there are cases; < 0: at once
    std::int64_t endless_states;    // a unit, before ends are solved; < 0: at once
    int ordered_places;             // annotators: with so many, anchors are not in sweep order
    bool ends_at_a_limit = false;   // then with a bound and no partition
    // So does a bound above this: nobody looks for partitions that cost more.
    double enough = std::numeric_limits<double>::infinity();
};

struct PricedSolution {
    Groups groups;             // those that were needed
    Chosen chosen;             // anchors and groups of the lone chain
    double lower_bound = 0.0;  // times C, in units of the empty cost
    bool solved = false;
    std::int64_t steps = 0;  // of all searches for groups
};

// Fills the solution: groups, chosen, and a lower bound that is at least the one given. The shares
// must be valid for all groups of the chain, with what these pay for the cuts.
void deepen(const Chain& chain, const Pairs& pairs, const std::vector<Cost>& shares,
            const Cuts& cuts, const DeepeningLimits& limits, GroupAsker& asker,
            FrontierProgram& frontier, const StopFlag& stop, PricedSolution& solution);

}  // namespace unisono
