// The nearest unit of each annotator to each unit, by a scan to both sides; what that proves
// without a list of all pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "alignment/pair_costs.hpp"
#include "alignment/partition.hpp"
#include "alignment/stop.hpp"

namespace unisono {

// What no partition, or cover, costs less than, times C, in units of the empty cost: the sum of
// the first shares (see dual_values.hpp) of all units. 0 if more than `steps` pairs would have to
// be looked at, or time is over.
double bound_from_nearest(const PairCosts& costs, std::int64_t steps, const StopFlag& stop);

// Finds the optimum of units on whose groups all annotators agree: every group has a unit of each,
// and each of its members is nearer to the others than any other unit of theirs. Then the first
// shares pay for exactly these groups and for no others, so that it is the only optimum. False
// where that is not so; then it has mostly looked at a few units only.
bool find_unanimous(const PairCosts& costs, std::int64_t steps, const StopFlag& stop,
                    Partition& partition);

}  // namespace unisono
