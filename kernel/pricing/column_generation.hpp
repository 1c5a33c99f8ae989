// Chains with more groups than can be listed: many annotators, deep overlap. Shares are found by
// asking, round by round, for groups that are paid too much (column generation), and the frontier
// program then needs only the few groups whose reduced cost is within the gap.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "alignment/frontier.hpp"
#include "alignment/groups.hpp"
#include "alignment/savings.hpp"
#include "pricing/gap_search.hpp"
#include "pricing/pool.hpp"
#include "pricing/subset_row_cuts.hpp"

namespace unisono {

// A chain by itself: its units are 0, 1, … in sweep order.
struct LoneChain {
    Pairs pairs;
    std::vector<std::int32_t> place, twin, identity;
    Savings savings;
    int places = 0;
    bool soft = false;

    [[nodiscard]] Chain chain() const {
        return {identity, identity, twin, savings.most_saved, places, soft};
    }
};

LoneChain take_chain(const Chain& chain, const Pairs& pairs, std::span<const std::int32_t> place,
                     const StopFlag& stop);

// What the master knows of a chain: groups, shares, cuts, and how much it takes of each group.
struct Relaxation {
    Pool pool;
    std::vector<Cost> shares;
    Cuts cuts;
    std::vector<double> taken;
};

PricedSolution solve_by_pricing(const LoneChain& chain, const Limits& limits,
                                FrontierProgram& frontier, const StopFlag& stop);

// The same for a chain with fewer pairs than the one that the relaxation is of, which becomes that
// of this chain. No longer than until the bound is above limits.known, or a pass is dear: then
// there is a bound, and no partition.
PricedSolution solve_with_fewer_pairs(const LoneChain& chain, const Limits& limits,
                                      FrontierProgram& frontier, const StopFlag& stop,
                                      Relaxation& relaxation);

}  // namespace unisono
