// Chains with more groups than can be listed: many annotators, deep overlap. Shares are found by
// asking, round by round, for groups that are paid too much (column generation), and the frontier
// program then needs only the few groups whose reduced cost is within the gap.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "deepening.hpp"
#include "frontier.hpp"
#include "groups.hpp"
#include "savings.hpp"

namespace unisono {

// A chain by itself: its units are 0, 1, … in sweep order.
struct LoneChain {
    Pairs pairs;
    std::vector<std::int32_t> place, twin, identity;
    Savings savings;
    int places = 0;
    bool soft = false;
};

LoneChain take_chain(const Chain& chain, const Pairs& pairs, std::span<const std::int32_t> place);

// What is done where optimality was not proven.
enum class Afterwards { kNothing, kImprove };

PricedSolution solve_by_pricing(const LoneChain& chain, const DeepeningLimits& limits,
                                FrontierProgram& frontier, const StopFlag& stop,
                                Afterwards afterwards = Afterwards::kImprove);

}  // namespace unisono
