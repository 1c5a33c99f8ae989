// The dice of draws by circular shifts, Mathet, Widlöcher & Métivier (2015), §5.2.1: which voice is
// picked at each place, and by how much it is moved.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sampling/random.hpp"

namespace unisono {

// Who may be picked, and how shifts may lie.
struct ShiftRules {
    std::span<const std::int64_t> counts;  // how many units each voice has; one has some
    int places = 0;
    double extent = 0.0;
    double spacing = 0.0;  // the least distance of two shifts around the circle; n of them fit
    bool whole = false;    // whether shifts are whole numbers
};

class ShiftRoller {
 public:
    // Fills in a pick and a shift for each place. A draw without any unit is rolled again: says how
    // often it was.
    std::int64_t roll(const ShiftRules& rules, Dice dice, std::span<std::int32_t> picks,
                      std::span<double> shifts);

 private:
    std::vector<double> uniforms_, turned_;
    std::vector<std::size_t> order_;
};

}  // namespace unisono
