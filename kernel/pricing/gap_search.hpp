// From good shares to a proven optimum.
//
// All reduced costs are >= 0 now, so a partition that costs at most the shares and a slack has only
// groups whose reduced cost is within the slack: ask for all of these, solve with them. If no
// partition is found, every one costs more than that, which is a better bound; then with a larger
// slack.
#pragma once

#include <vector>

#include "alignment/frontier.hpp"
#include "alignment/limits.hpp"
#include "pricing/pricing_search.hpp"

namespace unisono {

struct PricedSolution {
    Groups groups;  // those that were needed
    Chosen chosen;  // anchors and groups of the lone chain; empty if no optimum was found
    std::vector<std::vector<std::int32_t>> start;  // disjoint groups to begin another search with
    double lower_bound = 0.0;                      // times C, in units of the empty cost
    bool solved = false;
    std::int64_t steps = 0;  // of all searches for groups
};

// Fills the solution: groups, chosen, and a lower bound that is at least the one given. The shares
// must be valid for all groups of the chain, with what these pay for the cuts.
void deepen(const Chain& chain, const Pairs& pairs, const std::vector<Cost>& shares,
            const Cuts& cuts, const Limits& limits, GroupAsker& asker, FrontierProgram& frontier,
            const StopFlag& stop, PricedSolution& solution);

}  // namespace unisono
