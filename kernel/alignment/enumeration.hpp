// All groups that an optimal alignment can have, one after the other.
#pragma once

#include "alignment/groups.hpp"
#include "alignment/savings.hpp"
#include "alignment/stop.hpp"

namespace unisono {

// All groups that satisfy the strict split rule: every way to cut the group in two loses something.
// A group that could be cut at no loss is left out: the optimum has the same cost and is the
// finest.
void list_groups(const Pairs& pairs, std::span<const std::int32_t> place, const Savings& savings,
                 const GroupLimits& limits, const StopFlag& stop, Groups& groups);

}  // namespace unisono
