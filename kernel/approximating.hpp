// A good partition without proof, for chains whose limits were reached.
#pragma once

#include "frontier.hpp"

namespace unisono {

// Adds groups for the whole chain to the chosen ones: by the frontier program with a beam, or,
// where the chain is too wide for it, at each anchor the free group that saves most.
void approximate(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
                 const FrontierLimits& limits, FrontierProgram& frontier, const StopFlag& stop,
                 Chosen& chosen);

}  // namespace unisono
