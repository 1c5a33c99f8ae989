// The random numbers of draws: those of numpy's SeedSequence and of PCG64 (O'Neill 2014), which
// numpy promises never to change. Every draw has a stream of its own, named by a few words after
// the seed; starting a stream in Python takes longer than aligning a short document.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace unisono {

// One stream: 128 bits of state and of increment, each in two words, so that any compiler will do.
class Dice {
 public:
    struct Wide {
        std::uint64_t high, low;
    };
    Dice(Wide start, Wide sequence);

    [[nodiscard]] std::uint64_t bits();
    // From 0 up to but not 1.
    [[nodiscard]] double roll() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }

 private:
    void step();

    Wide state_, increment_;
};

// A seed and the words that name a stream, mixed as SeedSequence mixes them.
class Seeding {
 public:
    // The words of the seed, lowest first.
    explicit Seeding(std::span<const std::uint32_t> seed);
    // The stream within this one that a word names.
    [[nodiscard]] Seeding inside(std::uint32_t word) const;
    [[nodiscard]] Dice dice() const;

 private:
    static constexpr std::size_t kWords = 4;
    std::uint32_t hashed(std::uint32_t value);
    void mix(std::uint32_t word);

    std::array<std::uint32_t, kWords> pool_{};
    std::uint32_t constant_;
};

}  // namespace unisono
