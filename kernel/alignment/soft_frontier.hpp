// The frontier program where a unit may be in more than one group.
//
// A layer has more than one step here: at unit i, whether it is covered or not, any number of
// groups anchored at it may be taken, each of which must cover something new; then, once i is
// covered, step on. A unit that is covered once more pays its share again: with shares >= 0 nothing
// is ever won by that, and all steps cost at least 0.
#pragma once

#include "alignment/frontier.hpp"

namespace unisono {

// As FrontierProgram::solve. `width`: how many places after its anchor the widest group reaches.
Outcome solve_softly(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
                     const FrontierLimits& limits, std::size_t width, const StopFlag& stop,
                     Chosen& chosen);

}  // namespace unisono
