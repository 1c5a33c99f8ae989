#include "alignment/savings.hpp"

#include <algorithm>

namespace unisono {

void find_savings(const Pairs& pairs, std::span<const std::int32_t> place, int places,
                  Savings& savings) {
    const auto count = static_cast<std::size_t>(pairs.units());
    savings.places = static_cast<std::size_t>(places);
    savings.best.assign(count * savings.places, 0);
    const auto raise = [&](std::size_t unit, std::size_t partner, Cost saving) {
        Cost& best = savings.best[unit * savings.places + static_cast<std::size_t>(place[partner])];
        best = std::max(best, saving);
    };
    for (std::size_t i = 0; i < count; ++i) {
        for (auto at = pairs.offsets[i]; at < pairs.offsets[i + 1]; ++at) {
            const auto j = static_cast<std::size_t>(pairs.other[static_cast<std::size_t>(at)]);
            const Cost saving = kOne - pairs.cost[static_cast<std::size_t>(at)];
            raise(i, j, saving);
            raise(j, i, saving);
        }
    }
    savings.most_saved.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t b = 0; b < savings.places; ++b) {
            savings.most_saved[i] += savings.best[i * savings.places + b];
        }
    }
}

}  // namespace unisono
