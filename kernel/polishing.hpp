// A partition that was not proven, made better: stretches of it are solved again by themselves.
#pragma once

#include "pricing.hpp"

namespace unisono {

// Replaces groups and chosen of the solution where a stretch has a cheaper partition.
void polish(const LoneChain& lone, const DeepeningLimits& limits, FrontierProgram& frontier,
            const StopFlag& stop, PricedSolution& solution);

}  // namespace unisono
