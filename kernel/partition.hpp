// The best alignment of all units of a continuum: pairs, groups, chains, the exact programs, and
// a certificate when a limit was reached.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "frontier.hpp"
#include "groups.hpp"
#include "neighbours.hpp"
#include "savings.hpp"

namespace unisono {

// What is looked for, and how much work it may take. Work, not time: the same limits give the same
// result on any machine, unless seconds are given.
struct Limits {
    std::int64_t pairs = 50'000'000;
    std::int64_t groups = 3'000'000;   // or 64 a unit, if that is more
    int listed_places = 4;             // annotators: with more, groups are asked for, not listed
    std::int64_t listing_steps = 500;  // an anchor: beyond, too
    int ordered_places = 16;           // annotators: with so many, see AnchorOrder
    std::int64_t steps_per_anchor = 3'000'000;
    double effort = 1.0;                   // what these limits are times the usual ones
    std::int64_t steps = 40'000'000;       // of all searches for groups of a chain, or some a unit
    std::int64_t easy_states = 400;        // a unit: a chain that needs more is solved with pricing
    std::int64_t uncut_states = 1500;      // a unit: a chain that needs more gets cuts
    std::int64_t undivided_states = 3000;  // a unit: with cuts; one that needs more gets cases
    std::int64_t endless_states = 20;  // a unit: a pass that needs more has ends solved before it
    std::int64_t states = 10'000'000;  // of the frontier program; or 1000 a unit
    std::int64_t states_at_once = 10'000'000;
    std::int64_t work = 150'000'000'000;  // of one chain with pricing: see StopFlag::Work
    std::int64_t matching_steps = 2'000'000'000;
    std::int64_t insertion_steps = 500'000'000;  // pairs, for a partition without proof
    std::int64_t beam = 5'000;   // states a layer at most, once optimality is given up
    std::int64_t stretch = 400;  // units that are solved again by themselves; 0: never
    double tolerance = 0.0;      // a gap that is good enough, relative to the value
    double seconds = std::numeric_limits<double>::infinity();  // the one limit of time, if any
    bool soft = false;  // a unit may be in more than one group
};

struct Partition {
    // Groups in sweep order of their anchors; members are sweep indices, ascending.
    std::vector<std::int64_t> offsets;
    std::vector<std::int32_t> members;
    double lower_bound = 0.0;  // of the sum of group disorders; only meaningful when not proven
    bool proven = true;

    [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
    [[nodiscard]] std::span<const std::int32_t> group(std::size_t index) const {
        const auto from = static_cast<std::size_t>(offsets[index]);
        const auto to = static_cast<std::size_t>(offsets[index + 1]);
        return {members.data() + from, to - from};
    }
};

// Scratch memory that a thread keeps from one continuum to the next.
struct Workspace {
    Units units;
    Pairs pairs;
    Savings savings;
    Groups groups;
    std::vector<std::int32_t> parent, chain_number, local_index, ordered;
    std::vector<std::int64_t> chain_begin;
    FrontierProgram frontier;
    std::vector<Cost> shares;  // of the chain at hand
    Chosen chosen;
    std::vector<std::int32_t> priced;        // members of groups that pricing found
    std::vector<std::int64_t> priced_begin;  // and where each begins
    Partition partition;
};

// Finds the pairs of workspace.units, and from these workspace.partition.
void best_partition(const Weights& weights, const LabelDistances& distances, const Limits& limits,
                    const StopFlag& stop, Workspace& workspace);
// The same with workspace.pairs, which the caller gave.
void best_partition_of_pairs(const Limits& limits, const StopFlag& stop, Workspace& workspace);

}  // namespace unisono
