#include "alignment/aligner.hpp"

namespace unisono {

void Aligner::take(UnitsBuilder& builder, const Scoring& scoring) {
    builder.build(space_.units);
    mark_twins(scoring.weights.position > 0.0, space_.units);
}

void Aligner::take_without_twins(UnitsBuilder& builder) {
    builder.build(space_.units);
    space_.units.twin.assign(space_.units.row.size(), -1);
}

void Aligner::align(const Scoring& scoring, const Limits& limits, const StopFlag& stop) {
    const StopFlag counting(stop, StopFlag::Work{kNoLimit});
    best_partition(scoring.weights, scoring.distances, limits, counting, space_);
    work_ = counting.spent();
    score(scoring);
}

void Aligner::align_pairs(const Scoring& scoring, const Limits& limits, const StopFlag& stop) {
    const StopFlag counting(stop, StopFlag::Work{kNoLimit});
    best_partition_of_pairs(limits, counting, space_);
    work_ = counting.spent();
    score(scoring);
}

void Aligner::score(const Scoring& scoring) {
    group_disorders(space_.units, space_.partition, scoring, disorders_);
    label_sums(space_.units, space_.partition, scoring, sums_);
}

}  // namespace unisono
