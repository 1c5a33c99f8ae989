#include "pricing/message_passing.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace unisono {

namespace {

// What one level gives another at once. Savings are never more than one, so that more of it would
// hardly be answered.
constexpr Coarse kMostHandedOn = 4 * kCoarseOne;
constexpr std::size_t kAtOnce = CoarseBetween::kBeyond;

// Rounded up, for negative values too.
Coarse half_up(Coarse value) {
    return (value >> 1) + (value & 1);
}

Coarse given_of(Cost above_least, Cost divisor) {
    return static_cast<Coarse>(
        std::min<Cost>(kMostHandedOn, (above_least / divisor) >> kBitsBelowCoarse));
}

}  // namespace

void Parts::begin(const CoarseBetween& between, std::span<const Level> levels,
                  std::vector<Cost> added) {
    levels_ = levels.size();
    stride_ = levels_ + 1;
    value_ = std::move(added);
    parts_.assign(value_.size() * stride_, 0);
    for (std::size_t v = 0; v < value_.size(); ++v) {
        const Coarse* row = between.row(v);
        for (std::size_t b = 0; b < levels_; ++b) {
            Coarse best = 0;
            for (std::size_t w = levels[b].from; w < levels[b].to; ++w) {
                best = std::max(best, row[w]);
            }
            const Coarse part = half_up(best);
            parts_[v * stride_ + b] = part;
            value_[v] -= fine(part);
        }
    }
    of_nobody_.resize(levels_);
    for (Nobody& nobody : of_nobody_) {
        nobody.value = 0;
        nobody.parts.assign(stride_, 0);
    }
}

void Parts::improve(const CoarseBetween& between, std::span<const Level> levels) {
    for (std::size_t a = 0; a + 1 < levels_; ++a) {
        hand_on(between, levels, a, a + 1, levels_, std::max(a, levels_ - 1 - a));
    }
    for (std::size_t a = levels_; a-- > 1;) {
        hand_on(between, levels, a, 0, a, std::max(a, levels_ - 1 - a));
    }
}

// A level's candidates that cost more than its least say so to other levels: what is above the
// least goes, in equal shares, into their parts, and the others' parts shrink by what that allows.
void Parts::hand_on(const CoarseBetween& between, std::span<const Level> levels, std::size_t a,
                    std::size_t from, std::size_t to, std::size_t shares) {
    const Level& at_a = levels[a];
    Nobody& nobody_a = of_nobody_[a];
    Cost least = nobody_a.value;
    for (std::size_t v = at_a.from; v < at_a.to; ++v) least = std::min(least, value_[v]);
    const auto divisor = static_cast<Cost>(shares);
    const auto receivers = static_cast<Cost>(to - from);
    const Coarse of_nobody = given_of(nobody_a.value - least, divisor);
    nobody_a.value -= fine(of_nobody) * receivers;
    for (std::size_t b = from; b < to; ++b) nobody_a.parts[b] += of_nobody;
    for (std::size_t v = at_a.from; v < at_a.to; ++v) {
        const Coarse given = given_of(value_[v] - least, divisor);
        value_[v] -= fine(given) * receivers;
        for (std::size_t b = from; b < to; ++b) parts_[v * stride_ + b] += given;
    }
    for (std::size_t b = from; b < to; ++b) answer(between, at_a, levels[b], a, b);
}

// The least parts of level b for a that are valid.
void Parts::answer(const CoarseBetween& between, const Level& at_a, const Level& at_b,
                   std::size_t a, std::size_t b) {
    const Coarse of_nobody = of_nobody_[a].parts[b];
    // So many at once in registers; those beyond the level are not looked at.
    for (std::size_t first = at_b.from; first < at_b.to; first += kAtOnce) {
        std::array<Coarse, kAtOnce> least_with_a;
        least_with_a.fill(of_nobody);
        for (std::size_t v = at_a.from; v < at_a.to; ++v) {
            const Coarse part = parts_[v * stride_ + b];
            const Coarse* row = between.row(v) + first;
            for (std::size_t k = 0; k < kAtOnce; ++k) {
                least_with_a[k] = std::min(least_with_a[k], part - row[k]);
            }
        }
        const std::size_t end = std::min(at_b.to, first + kAtOnce);
        for (std::size_t w = first; w < end; ++w) {
            Coarse& part = parts_[w * stride_ + a];
            value_[w] += fine(part) + fine(least_with_a[w - first]);
            part = -least_with_a[w - first];
        }
    }
    Coarse least_for_nobody = of_nobody;
    for (std::size_t v = at_a.from; v < at_a.to; ++v) {
        least_for_nobody = std::min(least_for_nobody, parts_[v * stride_ + b]);
    }
    Nobody& nobody_b = of_nobody_[b];
    nobody_b.value += fine(nobody_b.parts[a]) + fine(least_for_nobody);
    nobody_b.parts[a] = -least_for_nobody;
}

void Parts::keep(std::span<const std::size_t> positions) {
    for (std::size_t at = 0; at < positions.size(); ++at) {
        const std::size_t from = positions[at];
        value_[at] = value_[from];
        std::copy_n(parts_.begin() + static_cast<std::ptrdiff_t>(from * stride_), stride_,
                    parts_.begin() + static_cast<std::ptrdiff_t>(at * stride_));
    }
    value_.resize(positions.size());
    parts_.resize(positions.size() * stride_);
}

// Any valid parts stay valid for fewer levels.
void Parts::forget_empty(std::vector<Level>& levels) {
    std::vector<std::size_t> kept;
    for (std::size_t level = 0; level < levels_; ++level) {
        if (levels[level].size() > 0) kept.push_back(level);
    }
    if (kept.size() == levels_) return;
    const std::size_t stride = kept.size() + 1;
    // Levels ascend, so nothing is overwritten before it was read.
    const auto shortened = [&](const Coarse* from, Coarse* to) {
        Cost forgotten = 0;
        for (std::size_t level = 0; level < levels_; ++level) forgotten += fine(from[level]);
        for (std::size_t at = 0; at < kept.size(); ++at) {
            to[at] = from[kept[at]];
            forgotten -= fine(to[at]);
        }
        to[kept.size()] = 0;
        return forgotten;
    };
    for (std::size_t v = 0; v < value_.size(); ++v) {
        value_[v] += shortened(parts_.data() + v * stride_, parts_.data() + v * stride);
    }
    for (std::size_t at = 0; at < kept.size(); ++at) {
        if (kept[at] != at) std::swap(of_nobody_[at], of_nobody_[kept[at]]);
        of_nobody_[at].value += shortened(of_nobody_[at].parts.data(), of_nobody_[at].parts.data());
        levels[at] = levels[kept[at]];
    }
    levels.resize(kept.size());
    levels_ = kept.size();
    stride_ = stride;
}

void Parts::finish() {
    const auto add_up = [&](const Coarse* parts, Cost* from) {
        from[levels_] = 0;
        for (std::size_t level = levels_; level-- > 0;) {
            from[level] = from[level + 1] + fine(parts[level]);
        }
    };
    from_.resize(value_.size() * stride_);
    for (std::size_t v = 0; v < value_.size(); ++v) {
        add_up(parts_.data() + v * stride_, from_.data() + v * stride_);
    }
    for (Nobody& nobody : of_nobody_) {
        nobody.from.resize(stride_);
        add_up(nobody.parts.data(), nobody.from.data());
    }
}

}  // namespace unisono
