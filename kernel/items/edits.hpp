// How far two texts are apart: insertions, deletions and substitutions of characters, divided by
// the length of the longer text.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/stop.hpp"

namespace unisono {

// Texts one after the other: text t is characters[offsets[t]] to characters[offsets[t + 1] - 1],
// each a number from 0 to alphabet - 1.
struct Texts {
    std::span<const std::int32_t> characters;
    std::span<const std::int64_t> offsets;
    std::int32_t alphabet = 0;

    [[nodiscard]] std::int64_t count() const {
        return static_cast<std::int64_t>(offsets.size()) - 1;
    }
    [[nodiscard]] std::span<const std::int32_t> text(std::int64_t number) const {
        const auto at = static_cast<std::size_t>(offsets[static_cast<std::size_t>(number)]);
        const auto end = static_cast<std::size_t>(offsets[static_cast<std::size_t>(number) + 1]);
        return characters.subspan(at, end - at);
    }
};

// The distances of texts left[i] and right[i], for each i.
std::vector<double> edit_distances(const Texts& texts, std::span<const std::int64_t> left,
                                   std::span<const std::int64_t> right, const StopFlag& stop);

// The distances of texts first to last - 1 to all texts from `first` on, row after row.
std::vector<double> edit_rows(const Texts& texts, std::int64_t first, std::int64_t last,
                              const StopFlag& stop);

}  // namespace unisono
