// How much work a search may take.
#pragma once

#include <cstdint>
#include <limits>

#include "alignment/groups.hpp"

namespace unisono {

inline constexpr std::int64_t kMostWork = 200'000'000'000;

// What is looked for, and how much work it may take. Work, not time: the same limits give the same
// result on any machine, unless seconds are given. Twice or half of a limit on the states of a unit
// or on the steps of the listing changes times by less than 15 %.
struct Limits {
    std::int64_t pairs = 50'000'000;
    std::int64_t groups = 3'000'000;   // or 64 a unit, if that is more
    int listed_places = 4;             // annotators: with more, groups are asked for, not listed
    std::int64_t listing_steps = 500;  // an anchor: beyond, too
    // Annotators: with so many, both orders of anchors are tried. Measured by `make bench-crowds`:
    // up to 12 the second order is not faster.
    int ordered_places = 12;
    std::int64_t steps_per_anchor = 3'000'000;
    double effort = 1.0;                   // what these limits are times the usual ones
    std::int64_t steps = 40'000'000;       // of all searches for groups of a chain, or some a unit
    std::int64_t easy_states = 400;        // a unit: a chain that needs more is solved with pricing
    std::int64_t uncut_states = 1500;      // a unit: a chain that needs more gets cuts
    std::int64_t undivided_states = 3000;  // a unit: with cuts; one that needs more gets cases
    std::int64_t endless_states = 20;  // a unit: a pass that needs more has ends solved before it
    std::int64_t states = 10'000'000;  // of the frontier program; or 1000 a unit
    std::int64_t states_at_once = 10'000'000;
    // Of one chain with pricing, some 50 s: see StopFlag::Work. `make bench-alignment` needs 40 for
    // a draw of 12 × 50. However much effort, no more than kMostWork.
    std::int64_t work = 50'000'000'000;
    std::int64_t matching_steps = 2'000'000'000;
    std::int64_t insertion_steps = 500'000'000;  // pairs, for a partition without proof
    std::int64_t local_steps = 20'000'000;  // partners, for a partition without proof of a chain
    double tolerance = 0.0;                 // a gap that is good enough, relative to the value
    double seconds = std::numeric_limits<double>::infinity();  // the one limit of time, if any
    bool soft = false;  // a unit may be in more than one group

    // Of one chain.
    // What a partition costs that is known. Nobody looks for others that cost more.
    double known = std::numeric_limits<double>::infinity();
    bool is_case = false;          // see branch_and_price.hpp
    bool ends_at_a_limit = false;  // a search for the optimum, with a bound and no partition

    [[nodiscard]] GroupLimits of_groups() const { return {groups, steps_per_anchor, steps}; }
};

}  // namespace unisono
