// Where shares, cuts and the frontier program leave a gap: cases (branch and price).
//
// Of two units, either one group holds both, or none does (Ryan & Foster 1981). In the first case
// neither is with another unit of the other's annotator, in the second they are not with each
// other: both times there are fewer pairs, so that the shares can be larger. A case whose bound
// exceeds what the best partition known costs is closed; another is solved by the frontier program,
// or divided again. Together the cases hold every partition, which is all that a proof needs: it
// does not matter that they overlap.
#pragma once

#include "pricing/column_generation.hpp"

namespace unisono {

constexpr std::size_t kMostUnitsToDivide = 2'000;  // longer chains have too many gaps

// The solution has a partition, and a bound from before. Both become better, or are proven: then
// the partition is the first in canonical order among the optimal ones, as in all other programs.
void branch(const LoneChain& chain, const Limits& limits, Relaxation root,
            FrontierProgram& frontier, const StopFlag& stop, PricedSolution& solution);

}  // namespace unisono
