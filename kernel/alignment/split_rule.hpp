// When a group is worth keeping together.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "alignment/dissimilarity.hpp"

namespace unisono {

inline constexpr std::size_t kLargestFullyCutTested = 12;  // 2^11 ways to cut; beyond, single units

// The strict split rule for cuts into two parts of two and more members: the savings across every
// cut exceed the floor -C. Cutting off one member must have been tested; for up to three members
// there is no other cut. `savings[m * stride + k]`, m < k, is between members m and k, `saved(m)`
// the sum of m with all others.
template <class Saved>
bool survives_every_cut(const std::vector<Cost>& savings, std::size_t stride, std::size_t size,
                        Cost floor, Saved saved) {
    if (size < 4 || size > kLargestFullyCutTested) return true;
    // No cut loses more than all pairs that save nothing.
    Cost lost = 0;
    for (std::size_t m = 0; m + 1 < size; ++m) {
        for (std::size_t k = m + 1; k < size; ++k) {
            lost += std::min<Cost>(0, savings[m * stride + k]);
        }
    }
    if (lost > floor) return true;
    // Subsets without the last member stand for their complements.
    std::array<Cost, std::size_t{1} << (kLargestFullyCutTested - 1)> across;
    across[0] = 0;
    for (std::uint32_t subset = 1; subset < (1U << (size - 1)); ++subset) {
        // Moving m across the cut: its savings with the rest now cross, with the others no more.
        const auto m = static_cast<std::size_t>(std::countr_zero(subset));
        const std::uint32_t others = subset & (subset - 1);
        Cost inside = 0;
        for (std::uint32_t left = others; left != 0; left &= left - 1) {
            inside += savings[m * stride + static_cast<std::size_t>(std::countr_zero(left))];
        }
        across[subset] = across[others] + saved(m) - 2 * inside;
        if (across[subset] <= floor) return false;
    }
    return true;
}

}  // namespace unisono
