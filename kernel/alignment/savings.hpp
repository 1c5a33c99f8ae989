// What each unit can save at most by being aligned: with each annotator, and in all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/pairs.hpp"

namespace unisono {

struct Savings {
    std::size_t places = 0;
    std::vector<Cost> best;        // best[u·n + b]: with a unit of annotator b; never negative
    std::vector<Cost> most_saved;  // by unit: in any group, however it is aligned

    [[nodiscard]] Cost with(std::int32_t unit, std::int32_t place) const {
        return best[static_cast<std::size_t>(unit) * places + static_cast<std::size_t>(place)];
    }
};

void find_savings(const Pairs& pairs, std::span<const std::int32_t> place, int places,
                  Savings& savings);

}  // namespace unisono
