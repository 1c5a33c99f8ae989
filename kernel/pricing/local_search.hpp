// A good partition without proof, for chains whose limits were reached.
//
// Annotators are inserted one after the other by an assignment problem. Then, until nothing
// improves, each annotator in turn is taken out and assigned anew, two groups are divided anew by
// exchanges of Kernighan and Lin, and single groups are split in the same way. The best partition
// is then disturbed and improved again. Everything is counted and nothing is timed, so that the
// result is the same on any machine.
#pragma once

#include <cstdint>
#include <vector>

#include "alignment/stop.hpp"
#include "pricing/column_generation.hpp"

namespace unisono {

using Members = std::vector<std::int32_t>;

// A solution without proof or bound, of a chain that is not soft. `starts`: sets of disjoint groups
// to begin with, besides an empty one. Ends after looking at about so many partners.
PricedSolution search_locally(const LoneChain& chain,
                              const std::vector<std::vector<Members>>& starts, std::int64_t steps,
                              const StopFlag& stop);

}  // namespace unisono
