// The best alignment of all units of a continuum: pairs, groups, chains, the exact programs, and
// a certificate when a limit was reached.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/frontier.hpp"
#include "alignment/groups.hpp"
#include "alignment/limits.hpp"
#include "alignment/pairs.hpp"
#include "alignment/savings.hpp"

namespace unisono {

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
