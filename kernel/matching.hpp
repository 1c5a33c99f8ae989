// Two annotators whose units overlap too deeply for the frontier program: the same optimum as a
// sparse assignment problem, by shortest augmenting paths.
#pragma once

#include <cstdint>

#include "frontier.hpp"

namespace unisono {

// Solves a chain of two annotators to optimality and adds the same canonical optimum as the
// frontier program to the chosen groups. False, and nothing added, if more than `steps` edges would
// have to be looked at.
bool match_chain(const Chain& chain, std::span<const std::int32_t> place, const Groups& groups,
                 std::int64_t steps, const StopFlag& stop, Chosen& chosen);

}  // namespace unisono
