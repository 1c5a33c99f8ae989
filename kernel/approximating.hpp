// A good partition without proof, for chains whose limits were reached.
#pragma once

#include "frontier.hpp"

namespace unisono {

// What the chosen groups cost, times C, in quantised units; for comparing.
double cost_of(const Chain& chain, const Groups& groups, const Chosen& chosen);

// Adds groups for the whole chain to the chosen ones: by the frontier program with a beam as wide
// as is affordable and there is time for, or at each anchor the free group that saves most,
// whichever is better.
void approximate(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
                 const FrontierLimits& limits, FrontierProgram& frontier, const StopFlag& stop,
                 Chosen& chosen);

}  // namespace unisono
