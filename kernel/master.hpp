// The best shares for a set of groups: a linear program, solved by an interior point.
//
// max Σ share_u  subject to  Σ shares of a group <= its cost, share_u <= the cost of a unit alone,
// and share_u >= -(the most that u can save), which no best shares need to go below; where units
// may be in more than one group, share_u >= 0. In sweep order the normal equations are banded, so
// that the work grows with the length of the chain only.
#pragma once

#include <vector>

#include "frontier.hpp"
#include "pool.hpp"

namespace unisono {

// Moves the shares, which may be any numbers to begin with, to nearly best ones, up to `accuracy`
// relative to the objective. They may overpay a group a little. Units and members are numbered
// within the chain.
void best_shares(const Chain& chain, const Pool& pool, double accuracy, const StopFlag& stop,
                 std::vector<Cost>& shares);

}  // namespace unisono
