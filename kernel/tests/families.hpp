// Random continua of the kinds that break alignment programs, made from a seed.
#pragma once

#include <array>
#include <cstdint>
#include <random>

#include "alignment/units.hpp"

namespace unisono::testing {

inline constexpr std::array kFamilies = {"scattered", "contiguous", "nested",     "overlapping",
                                         "ties",      "duplicates", "zero-length"};

// Up to `most` units for each annotator.
inline Units family(std::size_t kind, int places, int most, std::mt19937_64& random) {
    const auto below = [&](int limit) {
        return static_cast<int>(random() % static_cast<std::uint64_t>(limit));
    };
    const auto real = [&](double limit) {
        return limit * static_cast<double>(random() >> 11U) * 0x1p-53;
    };
    UnitsBuilder builder(places);
    std::int32_t row = 0;
    for (int place = 0; place < places; ++place) {
        double at = real(3.0);
        for (int count = below(most + 1); count > 0; --count) {
            double start = at;
            double end = at + 1.0 + real(9.0);
            switch (kind) {
                case 0:  // scattered
                    at = end + real(10.0);
                    break;
                case 1:  // contiguous
                    at = end;
                    break;
                case 2:  // nested
                    if (below(2) == 0) {
                        at = end;
                    } else {
                        end = start + 30.0;
                        at += 1.0;
                    }
                    break;
                case 3:  // overlapping
                    start = real(12.0);
                    end = start + real(10.0);
                    break;
                case 4:  // ties: whole numbers on a small grid
                    start = below(8);
                    end = start + 1 + below(4);
                    break;
                case 5:  // duplicates
                    start = 4.0 * below(3);
                    end = start + 4.0;
                    break;
                default:  // zero-length among others
                    start = below(6);
                    end = below(2) == 0 ? start : start + below(3);
            }
            builder.add(start, end, below(3), place, row++);
        }
    }
    Units units;
    builder.build(units);
    return units;
}

// One long chain: phenomena that overlap, marked by every annotator with some noise; every unit so
// many times over, sometimes.
inline Units dense_chain(int places, int units_each, double spacing, std::mt19937_64& random,
                         int copies = 1) {
    const auto real = [&](double limit) {
        return limit * static_cast<double>(random() >> 11U) * 0x1p-53;
    };
    UnitsBuilder builder(places);
    std::int32_t row = 0;
    double at = 0.0;
    for (int phenomenon = 0; phenomenon < units_each; ++phenomenon) {
        at += real(spacing);
        const double length = 4.0 + real(14.0);
        const auto label = static_cast<std::int32_t>(random() % 3);
        for (int place = 0; place < places; ++place) {
            if (random() % 16 == 0) continue;
            const double start = at + real(6.0) - 3.0;
            const double end = start + length * (0.7 + real(0.6));
            const std::int32_t own = random() % 8 == 0 ? (label + 1) % 3 : label;
            const int times = copies > 1 && random() % 3 == 0 ? copies : 1;
            for (int copy = 0; copy < times; ++copy) builder.add(start, end, own, place, row++);
        }
    }
    Units units;
    builder.build(units);
    return units;
}

}  // namespace unisono::testing
