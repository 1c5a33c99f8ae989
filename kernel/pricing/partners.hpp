// The partners of every unit, those that come before it and those that come after it.
#pragma once

#include <cstdint>
#include <vector>

#include "alignment/pairs.hpp"

namespace unisono {

struct Partners {
    std::vector<std::int64_t> offsets;  // size N + 1
    std::vector<std::int32_t> other;    // ascending
    std::vector<Cost> saving;
};

// `pairs` has each of them once, at the earlier unit.
Partners on_both_sides(const Pairs& pairs);

}  // namespace unisono
