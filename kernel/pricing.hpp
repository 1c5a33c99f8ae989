// Chains with more groups than can be listed: many annotators, deep overlap. Shares are found by
// asking, round by round, for groups that are paid too much (column generation), and the frontier
// program then needs only the few groups whose reduced cost is within the gap.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "frontier.hpp"
#include "groups.hpp"

namespace unisono {

struct PricingLimits {
    std::int64_t steps_per_anchor;  // of the search for groups
    std::int64_t steps;             // of one search over all anchors
    std::int64_t groups;
    std::int64_t states;
    std::int64_t states_at_once;
    FrontierLimits without_proof;  // once a limit was reached
};

// A chain by itself: its units are 0, 1, … in sweep order.
struct LoneChain {
    Pairs pairs;
    std::vector<std::int32_t> place, twin, identity;
    int places = 0;
};

LoneChain take_chain(const Chain& chain, const Pairs& pairs, std::span<const std::int32_t> place);

struct PricedSolution {
    Groups groups;             // those that were needed
    Chosen chosen;             // anchors and groups of the lone chain
    double lower_bound = 0.0;  // times C, in units of the empty cost
    bool solved = false;
};

PricedSolution solve_by_pricing(const LoneChain& chain, const PricingLimits& limits,
                                FrontierProgram& frontier, const StopFlag& stop);

}  // namespace unisono
