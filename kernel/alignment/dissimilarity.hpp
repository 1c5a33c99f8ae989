// The cost of setting two units side by side, from plain numbers.
//
// Costs inside the kernel are in units of the empty cost (so an empty unit always costs 1) and are
// quantised once to whole numbers of 2^-40: sums are then exact, ties are real ties, and two
// platforms that agree on a float64 up to its last bits agree on the alignment.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace unisono {

using Cost = std::int64_t;

inline constexpr Cost kOne = Cost{1} << 40;
// "Not alignable": never added up, only compared. Far above any pair that a group may hold.
inline constexpr Cost kNotAlignable = std::numeric_limits<Cost>::max();
inline constexpr double kLargestFiniteCost = 1048576.0;  // 2^20 empty costs

inline Cost quantise(double cost) {
    // Written so that NaN, too, ends up as "not alignable".
    if (!(cost < kLargestFiniteCost)) return kNotAlignable;
    return static_cast<Cost>(std::llrint(cost * static_cast<double>(kOne)));
}

// Distances between labels, by their codes: a K×K table, or nominal when there is none, so that an
// open set of labels needs no table. They may be infinite (the paper's steep function).
struct LabelDistances {
    std::span<const double> table;
    std::int64_t count = 0;

    [[nodiscard]] double between(std::int32_t a, std::int32_t b) const {
        if (table.empty()) return a == b ? 0.0 : 1.0;
        return table[static_cast<std::size_t>(static_cast<std::int64_t>(a) * count + b)];
    }
};

// How a Combined dissimilarity weighs its parts.
struct Weights {
    double position = 1.0;
    double label = 1.0;
    double power = 2.0;  // kIntersection for 1 − intersection/union
};

constexpr double kIntersection = 0.0;

// The positional part for a ratio r = (|Δstart| + |Δend|) / (sum of lengths): r^power, or
// 1 − intersection/union, which is 2r/(1 + r) for units that intersect (r < 1) and 1 for others.
inline double part_of_ratio(double ratio, double power) {
    if (power == 2.0) return ratio * ratio;
    if (power == kIntersection) return ratio < 1.0 ? 2.0 * ratio / (1.0 + ratio) : 1.0;
    return std::pow(ratio, power);
}

// The largest ratio whose positional part is not above `part`.
inline double ratio_of_part(double part, double power) {
    if (power != kIntersection) return std::pow(part, 1.0 / power);
    return part < 1.0 ? part / (2.0 - part) : std::numeric_limits<double>::infinity();
}

// Mathet, Widlöcher & Métivier (2015), eq. 3, without the factor of the empty cost.
// Two zero-length units: 0 at the same point, otherwise not alignable.
inline double positional(double start_u, double end_u, double start_v, double end_v, double power) {
    const double apart = std::fabs(start_u - start_v) + std::fabs(end_u - end_v);
    const double lengths = (end_u - start_u) + (end_v - start_v);
    if (apart == 0.0) return 0.0;
    if (lengths == 0.0) return std::numeric_limits<double>::infinity();
    return part_of_ratio(apart / lengths, power);
}

// A weight of 0 switches its part off, even where that part is infinite.
inline double weighted(double weight, double part) {
    return weight == 0.0 ? 0.0 : weight * part;
}

}  // namespace unisono
