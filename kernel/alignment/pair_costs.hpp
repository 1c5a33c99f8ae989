// What pairs of units cost, one by one: for work that needs no list of all pairs.
#pragma once

#include <algorithm>
#include <cstdint>

#include "alignment/pairs.hpp"

namespace unisono {

class PairCosts {
 public:
    // Computed from the columns of the units.
    PairCosts(const Units& units, const Weights& weights, const LabelDistances& distances);
    // Looked up among pairs that the caller gave.
    PairCosts(const Units& units, const Pairs& given);

    [[nodiscard]] const Units& units() const { return units_; }

    // Not alignable where no pair was given.
    [[nodiscard]] Cost between(std::int32_t u, std::int32_t v) const {
        if (given_ != nullptr) return given(u, v);
        return cost_between(units_, weights_, distances_, static_cast<std::size_t>(u),
                            static_cast<std::size_t>(v));
    }

    // Twice the centre of a unit, and its length.
    [[nodiscard]] double centre(std::int32_t unit) const {
        const auto at = static_cast<std::size_t>(unit);
        return units_.start[at] + units_.end[at];
    }
    [[nodiscard]] double length(std::int32_t unit) const {
        const auto at = static_cast<std::size_t>(unit);
        return units_.end[at] - units_.start[at];
    }

    // A pair whose centres lie so far apart, twice, costs at least this many empties, if the two
    // lengths together are no more than `lengths`. A little less, so that rounding is no risk.
    [[nodiscard]] double least(double apart, double lengths) const;
    // How far apart, twice, the centres of a pair can lie that costs no more than so many empties.
    [[nodiscard]] double reach(double cost, double lengths) const;

 private:
    [[nodiscard]] Cost given(std::int32_t u, std::int32_t v) const;

    const Units& units_;
    Weights weights_;
    LabelDistances distances_;
    const Pairs* given_ = nullptr;
};

}  // namespace unisono
