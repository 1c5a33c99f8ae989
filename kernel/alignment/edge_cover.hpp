// Two annotators whose units may be in more than one group: the cheapest cover of all units by
// pairs and units alone, as a minimum-cost edge cover.
#pragma once

#include <cstdint>
#include <span>

#include "alignment/frontier.hpp"

namespace unisono {

// Solves a soft chain of two annotators to optimality and adds the same canonical optimum as the
// frontier program to the chosen groups. False, and nothing added, if more than `steps` edges would
// have to be looked at.
bool cover_chain(const Chain& chain, std::span<const std::int32_t> place, const Groups& groups,
                 std::int64_t steps, const StopFlag& stop, Chosen& chosen);

}  // namespace unisono
