// A good partition where none could be proven: what the master takes almost whole is fixed, and the
// master is asked again about the rest, until nothing is left.
#pragma once

#include "asking.hpp"
#include "frontier.hpp"
#include "pool.hpp"

namespace unisono {

// Adds the partition's groups, numbered within groups, to chosen. Both are replaced. New groups on
// the way are asked for as long as steps are left.
void dive(const Chain& chain, const Pool& pool, std::vector<Cost> shares, const GroupLimits& limits,
          GroupAsker& asker, const StopFlag& stop, Groups& groups, Chosen& chosen);

}  // namespace unisono
