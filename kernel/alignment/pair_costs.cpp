#include "alignment/pair_costs.hpp"

#include <cmath>
#include <limits>

namespace unisono {

namespace {

constexpr double kRounding = 1e-9;

}  // namespace

PairCosts::PairCosts(const Units& units, const Weights& weights, const LabelDistances& distances)
    : units_(units), weights_(weights), distances_(distances) {}

PairCosts::PairCosts(const Units& units, const Pairs& given) : units_(units), given_(&given) {
    weights_.position = 0.0;  // costs that are given need not depend on where units lie
}

Cost PairCosts::given(std::int32_t u, std::int32_t v) const {
    const auto [first, second] = std::minmax(u, v);
    const auto row = static_cast<std::size_t>(first);
    const auto from = given_->other.begin() + given_->offsets[row];
    const auto to = given_->other.begin() + given_->offsets[row + 1];
    const auto found = std::lower_bound(from, to, second);
    if (found == to || *found != second) return kNotAlignable;
    return given_->cost[static_cast<std::size_t>(found - given_->other.begin())];
}

double PairCosts::least(double apart, double lengths) const {
    if (weights_.position <= 0.0 || apart <= 0.0) return 0.0;
    const double ratio = apart / lengths;  // infinite for two points
    return (1.0 - kRounding) * weights_.position * part_of_ratio(ratio, weights_.power);
}

double PairCosts::reach(double cost, double lengths) const {
    if (weights_.position <= 0.0) return std::numeric_limits<double>::infinity();
    // Two points meet only at the same place, and 0 · ∞ would be no number.
    if (lengths <= 0.0) return 0.0;
    return ratio_of_part(cost / weights_.position, weights_.power) * (1.0 + kRounding) * lengths;
}

}  // namespace unisono
