#include "parting.hpp"

#include <algorithm>
#include <utility>

namespace unisono {

namespace {

// Rounded up, for negative values too.
Cost half_up(Cost value) {
    return (value >> 1) + (value & 1);
}

}  // namespace

void Parts::begin(const Between& between, std::span<const Level> levels, std::vector<Cost> added) {
    levels_ = levels.size();
    stride_ = levels_ + 1;
    value_ = std::move(added);
    parts_.assign(value_.size() * stride_, 0);
    for (std::size_t v = 0; v < value_.size(); ++v) {
        const Cost* row = between.row(v);
        for (std::size_t b = 0; b < levels_; ++b) {
            Cost best = 0;
            for (std::size_t w = levels[b].from; w < levels[b].to; ++w) {
                best = std::max(best, row[w]);
            }
            const Cost part = half_up(best);
            parts_[v * stride_ + b] = part;
            value_[v] -= part;
        }
    }
    of_nobody_.resize(levels_);
    for (Nobody& nobody : of_nobody_) {
        nobody.value = 0;
        nobody.parts.assign(stride_, 0);
    }
}

void Parts::improve(const Between& between, std::span<const Level> levels) {
    for (std::size_t a = 0; a + 1 < levels_; ++a) {
        hand_on(between, levels, a, a + 1, levels_, std::max(a, levels_ - 1 - a));
    }
    for (std::size_t a = levels_; a-- > 1;) {
        hand_on(between, levels, a, 0, a, std::max(a, levels_ - 1 - a));
    }
}

// A level's candidates that cost more than its least say so to other levels: what is above the
// least goes, in equal shares, into their parts, and the others' parts shrink by what that allows.
void Parts::hand_on(const Between& between, std::span<const Level> levels, std::size_t a,
                    std::size_t from, std::size_t to, std::size_t shares) {
    const Level& at_a = levels[a];
    Nobody& nobody_a = of_nobody_[a];
    Cost least = nobody_a.value;
    for (std::size_t v = at_a.from; v < at_a.to; ++v) least = std::min(least, value_[v]);
    const auto divisor = static_cast<Cost>(shares);
    const Cost of_nobody = (nobody_a.value - least) / divisor;
    nobody_a.value -= of_nobody * static_cast<Cost>(to - from);
    given_.clear();
    for (std::size_t v = at_a.from; v < at_a.to; ++v) {
        const Cost given = (value_[v] - least) / divisor;
        value_[v] -= given * static_cast<Cost>(to - from);
        given_.push_back(given);
    }
    for (std::size_t b = from; b < to; ++b) {
        const Level& at_b = levels[b];
        nobody_a.parts[b] += of_nobody;
        Cost least_for_nobody = nobody_a.parts[b];
        least_with_a_.assign(at_b.size(), nobody_a.parts[b]);
        for (std::size_t v = at_a.from; v < at_a.to; ++v) {
            const Cost part = parts_[v * stride_ + b] += given_[v - at_a.from];
            const Cost* row = between.row(v) + at_b.from;
            for (std::size_t w = 0; w < at_b.size(); ++w) {
                least_with_a_[w] = std::min(least_with_a_[w], part - row[w]);
            }
            least_for_nobody = std::min(least_for_nobody, part);
        }
        for (std::size_t w = 0; w < at_b.size(); ++w) {
            const std::size_t at = at_b.from + w;
            Cost& part = parts_[at * stride_ + a];
            value_[at] += part + least_with_a_[w];
            part = -least_with_a_[w];
        }
        Nobody& nobody_b = of_nobody_[b];
        nobody_b.value += nobody_b.parts[a] + least_for_nobody;
        nobody_b.parts[a] = -least_for_nobody;
    }
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
    const auto shortened = [&](const Cost* from, Cost* to) {
        Cost forgotten = 0;
        for (std::size_t level = 0; level < levels_; ++level) forgotten += from[level];
        for (std::size_t at = 0; at < kept.size(); ++at) {
            to[at] = from[kept[at]];
            forgotten -= to[at];
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
    const auto add_up = [&](Cost* parts) {
        parts[levels_] = 0;
        for (std::size_t level = levels_; level-- > 0;) parts[level] += parts[level + 1];
    };
    for (std::size_t v = 0; v < value_.size(); ++v) add_up(parts_.data() + v * stride_);
    for (Nobody& nobody : of_nobody_) add_up(nobody.parts.data());
}

}  // namespace unisono
