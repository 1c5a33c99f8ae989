// From units to a scored alignment, in memory that is kept from one to the next.
#pragma once

#include <cstdint>
#include <vector>

#include "alignment/partition.hpp"
#include "alignment/scoring.hpp"

namespace unisono {

class Aligner {
 public:
    // Takes units; those that nobody can tell apart are marked as twins.
    void take(UnitsBuilder& builder, const Scoring& scoring);
    // Takes units whose pairs the caller puts in: costs that are given may tell twins apart.
    void take_without_twins(UnitsBuilder& builder);
    [[nodiscard]] Pairs& pairs() { return space_.pairs; }

    // Finds the pairs that may be aligned, the best partition, and what it comes to.
    void align(const Scoring& scoring, const Limits& limits, const StopFlag& stop);
    // The same with the pairs that are there.
    void align_pairs(const Scoring& scoring, const Limits& limits, const StopFlag& stop);

    [[nodiscard]] const Units& units() const { return space_.units; }
    [[nodiscard]] const Partition& partition() const { return space_.partition; }
    [[nodiscard]] const std::vector<double>& disorders() const { return disorders_; }
    [[nodiscard]] const LabelSums& sums() const { return sums_; }
    // The work of the last alignment: see StopFlag::Work. It does not depend on the machine.
    [[nodiscard]] std::int64_t work() const { return work_; }

 private:
    void score(const Scoring& scoring);

    Workspace space_;
    std::vector<double> disorders_;
    LabelSums sums_;
    std::int64_t work_ = 0;
};

}  // namespace unisono
