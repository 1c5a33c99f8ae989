// The possible partners of an anchor, and what they save with each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "alignment/savings.hpp"

namespace unisono {

inline constexpr Cost kFarApart = -(Cost{1} << 60);  // cannot be aligned

// Costs in fewer bits, whole numbers of 2^-20, for bounds: four of them fit where two costs do, and
// rounding to the safe side costs a bound nothing to speak of.
using Coarse = std::int32_t;

inline constexpr int kBitsBelowCoarse = 20;
inline constexpr Coarse kCoarseOne = Coarse{1} << 20;
static_assert(Cost{kCoarseOne} << kBitsBelowCoarse == kOne);
inline constexpr Coarse kFarApartCoarse = -(Coarse{1} << 30);
inline constexpr Coarse kLeastCoarseSaving = -(Coarse{1} << 27);  // of two that can be aligned

inline Cost fine(Coarse cost) {
    return Cost{cost} << kBitsBelowCoarse;
}

// Rounded up: no bound may leave out what is saved.
inline Coarse coarse_saving(Cost saving) {
    const Cost rounded = -((-saving) >> kBitsBelowCoarse);
    return static_cast<Coarse>(std::max<Cost>(rounded, kLeastCoarseSaving));
}

struct Candidate {
    std::int32_t unit;
    Cost saving;     // with the anchor
    Cost least = 0;  // that a reduced cost changes by if it joins, whoever else does
};

// Whether two units can share a group at all: the split rule for {u} and for {v}, each with the
// best that every other annotator could offer.
inline bool can_share(const Savings& savings, std::span<const std::int32_t> place, std::int32_t u,
                      std::int32_t v, Cost saving, Cost floor) {
    const auto most_beside = [&](std::int32_t unit, std::int32_t partner) {
        return saving + savings.most_saved[static_cast<std::size_t>(unit)] -
               savings.with(unit, place[static_cast<std::size_t>(partner)]);
    };
    return most_beside(u, v) > floor && most_beside(v, u) > floor;
}

// Savings between candidates, by their positions in a list; kFarApart where there are none.
template <class Saving>
class SavingsBetween {
 public:
    // Beyond the end of a row so many can be read, whatever they are.
    static constexpr std::size_t kBeyond = 8;

    // Returns how many numbers it looked at.
    std::int64_t prepare(const Pairs& pairs, std::span<const Candidate> candidates);
    [[nodiscard]] Saving at(std::size_t a, std::size_t b) const { return values_[a * count_ + b]; }
    [[nodiscard]] const Saving* row(std::size_t a) const { return values_.data() + a * count_; }
    // Keeps these positions, which ascend, and numbers them anew.
    void keep(std::span<const std::size_t> positions);

 private:
    std::size_t count_ = 0;
    std::vector<Saving> values_;
    std::vector<std::int32_t> position_of_;  // of a unit among the candidates, or -1
};

using Between = SavingsBetween<Cost>;
using CoarseBetween = SavingsBetween<Coarse>;

}  // namespace unisono
