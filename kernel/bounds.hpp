// A certified lower bound for a chain that was not solved to optimality.
#pragma once

#include "frontier.hpp"

namespace unisono {

// No partition of the chain costs less than this (times C, in units of the empty cost). `all_groups`
// says whether every possible group of these units is known; otherwise the bound rests on pairs.
double lower_bound(const Chain& chain, const Groups& groups, bool all_groups, const StopFlag& stop);

}  // namespace unisono
