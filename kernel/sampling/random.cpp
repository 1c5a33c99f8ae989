#include "sampling/random.hpp"

#include <bit>

namespace unisono {

namespace {

constexpr std::uint32_t kFirstOfPool = 0x43b0d7e5U;
constexpr std::uint32_t kFactorOfPool = 0x931e8875U;
constexpr std::uint32_t kFirstOfState = 0x8b51f9ddU;
constexpr std::uint32_t kFactorOfState = 0x58f38dedU;
constexpr Dice::Wide kMultiplier{2549297995355413924ULL, 4865540595714422341ULL};

std::uint32_t folded(std::uint32_t value) {
    return value ^ (value >> 16U);
}

std::uint32_t mixed(std::uint32_t x, std::uint32_t y) {
    return folded(x * 0xca01f9ddU - y * 0x4973f715U);
}

// Hashes with a constant, which changes every time.
std::uint32_t hashed_with(std::uint32_t& constant, std::uint32_t factor, std::uint32_t value) {
    value ^= constant;
    constant *= factor;
    return folded(value * constant);
}

Dice::Wide sum(Dice::Wide a, Dice::Wide b) {
    const std::uint64_t low = a.low + b.low;
    return {a.high + b.high + (low < b.low ? 1U : 0U), low};
}

// Modulo 2^128.
Dice::Wide product(Dice::Wide a, Dice::Wide b) {
    constexpr std::uint64_t kHalf = 0xffffffffULL;
    const std::uint64_t a0 = a.low & kHalf;
    const std::uint64_t a1 = a.low >> 32U;
    const std::uint64_t b0 = b.low & kHalf;
    const std::uint64_t b1 = b.low >> 32U;
    const std::uint64_t middle = a1 * b0 + ((a0 * b0) >> 32U);
    const std::uint64_t other = a0 * b1 + (middle & kHalf);
    const std::uint64_t carried = a1 * b1 + (middle >> 32U) + (other >> 32U);
    return {carried + a.high * b.low + a.low * b.high, a.low * b.low};
}

}  // namespace

Dice::Dice(Wide start, Wide sequence)
    : state_(), increment_{sequence.high << 1U | sequence.low >> 63U, sequence.low << 1U | 1U} {
    state_ = sum(increment_, start);
    step();
}

void Dice::step() {
    state_ = sum(product(state_, kMultiplier), increment_);
}

std::uint64_t Dice::bits() {
    step();
    return std::rotr(state_.high ^ state_.low, static_cast<int>(state_.high >> 58U));
}

Seeding::Seeding(std::span<const std::uint32_t> seed) : constant_(kFirstOfPool) {
    for (std::size_t at = 0; at < kWords; ++at) {
        pool_[at] = hashed(at < seed.size() ? seed[at] : 0U);
    }
    for (std::size_t source = 0; source < kWords; ++source) {
        for (std::size_t target = 0; target < kWords; ++target) {
            if (source != target) pool_[target] = mixed(pool_[target], hashed(pool_[source]));
        }
    }
    for (std::size_t at = kWords; at < seed.size(); ++at) mix(seed[at]);
}

Seeding Seeding::inside(std::uint32_t word) const {
    Seeding inner = *this;
    inner.mix(word);
    return inner;
}

Dice Seeding::dice() const {
    std::array<std::uint64_t, kWords> state{};
    std::uint32_t constant = kFirstOfState;
    for (std::size_t at = 0; at < 2 * kWords; ++at) {
        const std::uint64_t word = hashed_with(constant, kFactorOfState, pool_[at % kWords]);
        state[at / 2] |= at % 2 == 0 ? word : word << 32U;
    }
    return {{state[0], state[1]}, {state[2], state[3]}};
}

std::uint32_t Seeding::hashed(std::uint32_t value) {
    return hashed_with(constant_, kFactorOfPool, value);
}

void Seeding::mix(std::uint32_t word) {
    for (std::uint32_t& target : pool_) target = mixed(target, hashed(word));
}

}  // namespace unisono
