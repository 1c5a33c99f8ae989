// A set of the next units, as bits: bit 0 is the unit at hand.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace unisono {

template <int Words>
struct Mask {
    std::array<std::uint64_t, Words> word{};

    bool operator==(const Mask&) const = default;
    [[nodiscard]] bool first() const { return (word[0] & 1U) != 0; }
    void set(std::size_t bit) { word[bit / 64] |= std::uint64_t{1} << (bit % 64); }
    [[nodiscard]] bool has(std::size_t bit) const {
        return ((word[bit / 64] >> (bit % 64)) & 1U) != 0;
    }
    [[nodiscard]] bool meets(const Mask& mask) const {
        for (std::size_t w = 0; w < Words; ++w) {
            if ((word[w] & mask.word[w]) != 0) return true;
        }
        return false;
    }
    [[nodiscard]] bool holds(const Mask& mask) const {
        for (std::size_t w = 0; w < Words; ++w) {
            if ((mask.word[w] & ~word[w]) != 0) return false;
        }
        return true;
    }
    [[nodiscard]] Mask joined(const Mask& mask) const {
        Mask result;
        for (std::size_t w = 0; w < Words; ++w) result.word[w] = word[w] | mask.word[w];
        return result;
    }
    [[nodiscard]] Mask without(const Mask& mask) const {
        Mask result;
        for (std::size_t w = 0; w < Words; ++w) result.word[w] = word[w] & ~mask.word[w];
        return result;
    }
    [[nodiscard]] Mask stepped() const {
        Mask result;
        for (std::size_t w = 0; w + 1 < Words; ++w) {
            result.word[w] = (word[w] >> 1U) | (word[w + 1] << 63U);
        }
        result.word[Words - 1] = word[Words - 1] >> 1U;
        return result;
    }
    [[nodiscard]] std::size_t hash() const {
        std::uint64_t mixed = 0;
        for (const std::uint64_t w : word) {
            mixed = (mixed ^ w) * 0x9e3779b97f4a7c15ULL;
            mixed ^= mixed >> 29U;
        }
        return static_cast<std::size_t>(mixed);
    }
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::size_t w = 0; w < Words; ++w) {
            for (std::uint64_t left = word[w]; left != 0; left &= left - 1) {
                visit(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
            }
        }
    }
    // As long as the visitor says true.
    template <class Visit>
    void for_each_while(Visit visit) const {
        for (std::size_t w = 0; w < Words; ++w) {
            for (std::uint64_t left = word[w]; left != 0; left &= left - 1) {
                if (!visit(w * 64 + static_cast<std::size_t>(std::countr_zero(left)))) return;
            }
        }
    }
};

// Calls with the number of words that so many bits need, as a constant; `too_wide` beyond all.
template <class Result, class Call>
Result with_mask_of(std::size_t bits, Result too_wide, Call call) {
    if (bits <= 64) return call(std::integral_constant<int, 1>());
    if (bits <= 128) return call(std::integral_constant<int, 2>());
    if (bits <= 256) return call(std::integral_constant<int, 4>());
    if (bits <= 512) return call(std::integral_constant<int, 8>());
    if (bits <= 2048) return call(std::integral_constant<int, 32>());
    return too_wide;
}

}  // namespace unisono
