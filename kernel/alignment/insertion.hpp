// A good partition without proof, in little memory: where limits of the exact programs are reached.
//
// Annotators are inserted one after the other, those with the most units first. Each time its units
// are assigned to the groups so far, or stay alone, at the least cost in all: an assignment
// problem. Then sweeps: each annotator in turn is taken out and inserted again, until nothing
// improves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/pair_costs.hpp"
#include "alignment/stop.hpp"

namespace unisono {

// Groups one after the other; members are sweep indices, ascending. Each unit is in one group.
struct InsertedGroups {
    std::vector<std::size_t> begin{0};
    std::vector<std::int32_t> members;
    double cost = 0.0;  // times C, in units of the empty cost

    [[nodiscard]] std::size_t size() const { return begin.size() - 1; }
    [[nodiscard]] std::span<const std::int32_t> group(std::size_t index) const {
        return {members.data() + begin[index], begin[index + 1] - begin[index]};
    }
};

// Of these units, which ascend. `soft`: a unit may be in more than one group where that costs less.
// Once `steps` pairs were looked at, or time is over, units not inserted yet stay alone.
InsertedGroups insert_annotators(const PairCosts& costs, std::span<const std::int32_t> units,
                                 bool soft, std::int64_t steps, const StopFlag& stop);

}  // namespace unisono
