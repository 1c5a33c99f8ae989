// Which pairs of units can be aligned at all, and at what cost.
#pragma once

#include <cstdint>
#include <vector>

#include "alignment/dissimilarity.hpp"
#include "alignment/stop.hpp"
#include "alignment/units.hpp"

namespace unisono {

// For each unit, its possible partners that come later in sweep order, ascending.
struct Pairs {
    std::vector<std::int64_t> offsets;  // size N + 1
    std::vector<std::int32_t> other;
    std::vector<Cost> cost;
    bool complete = true;  // false: the limit was reached and partners are missing

    [[nodiscard]] std::int32_t units() const {
        return static_cast<std::int32_t>(offsets.size()) - 1;
    }
};

// Number of unordered pairs of n annotators.
inline std::int64_t pair_count(int places) {
    return static_cast<std::int64_t>(places) * (places - 1) / 2;
}

// Two units of one group of an optimal alignment cost less than this. Taking a unit u out of its
// group must not pay (split rule): the savings of u sum to more than -C, and the other n - 2
// members save at most 1 each, so d(u, v) < 1 + C + (n - 2).
inline Cost pair_bound(int places) {
    return (places - 1 + pair_count(places)) * kOne;
}

// What two units cost side by side, from their columns.
inline Cost cost_between(const Units& units, const Weights& weights,
                         const LabelDistances& distances, std::size_t u, std::size_t v) {
    return quantise(
        weighted(weights.position, positional(units.start[u], units.end[u], units.start[v],
                                              units.end[v], weights.power)) +
        weighted(weights.label, distances.between(units.label[u], units.label[v])));
}

// All pairs of different annotators below the pair bound, by a sweep over the centres.
void find_pairs(const Units& units, const Weights& weights, const LabelDistances& distances,
                std::int64_t limit, const StopFlag& stop, Pairs& pairs);

}  // namespace unisono
