// What each unit must pay at least: a certified lower bound, and a compass for the exact programs.
//
// Every unit pays a share, and no group is paid more than it costs. Then the shares sum to a lower
// bound of any partition (weak duality of the set partitioning program), and what a group costs
// beyond the shares of its members, its reduced cost, is never negative.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/frontier.hpp"

namespace unisono {

// Valid for any group of these units, known or not, because they rest on pairs alone: an equal part
// of the cost of a group without any saving, less half of the most that the unit can save.
inline Cost first_share(int places, Cost most_saved) {
    return pair_count(places) * kOne / places - (most_saved + 1) / 2;
}
void first_shares(const Chain& chain, std::vector<Cost>& shares);

// Takes back, group by group, what these groups are overpaid.
void repair_shares(const Chain& chain, const Groups& groups, std::vector<Cost>& shares);

// What a group costs beyond the shares of its members, with what it pays for cuts, if there are
// any.
inline Cost reduced_cost(std::span<const std::int32_t> members, Cost cost,
                         const std::vector<Cost>& shares, const Cuts* cuts = nullptr) {
    for (const std::int32_t member : members) cost -= shares[static_cast<std::size_t>(member)];
    return cuts == nullptr ? cost : cost + cuts->paid_by(members);
}

// The bound: times C, in units of the empty cost, never above the true sum; it may be negative.
double sum_of_shares(const std::vector<Cost>& shares);

}  // namespace unisono
