#include "pricing/window_bounds.hpp"

#include <algorithm>

#include "alignment/reach.hpp"

namespace unisono {

namespace {

// Inherited: twice or half of each changes times by less than 15 %.
constexpr std::size_t kSpansOfAWindow = 3;
constexpr std::size_t kShortestWindow = 60;
constexpr std::size_t kWishedWindows = 8;
constexpr std::size_t kFewestWindows = 4;
constexpr std::int64_t kStatesPerUnit = 1000;
constexpr Cost kCapGrowth = 3;

using Begins = std::vector<std::size_t>;

template <class Value>
void fill(std::vector<Value>& values, std::size_t from, std::size_t to, Value value) {
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(from),
              values.begin() + static_cast<std::ptrdiff_t>(to), value);
}

// By unit: the potentials of the windows that begin after it.
std::vector<Cost> sums_from_behind(const Begins& begin, const std::vector<Cost>& potential) {
    std::vector<Cost> later(begin.back());
    Cost behind = 0;
    for (std::size_t w = potential.size(); w-- > 0;) {
        fill(later, begin[w], begin[w + 1], behind);
        behind += potential[w];
    }
    return later;
}

}  // namespace

Windows::Windows(const Chain& chain, const Pairs& pairs, Cost cap)
    : units_(static_cast<std::size_t>(pairs.units())), least_cap_(cap) {
    for (std::size_t i = 0; i < units_; ++i) {
        if (pairs.offsets[i] == pairs.offsets[i + 1]) continue;
        const auto last = static_cast<std::size_t>(
            pairs.other[static_cast<std::size_t>(pairs.offsets[i + 1]) - 1]);
        widest_ = std::max(widest_, last - i);
    }
    const std::size_t length =
        std::max(kShortestWindow, std::min(kSpansOfAWindow * widest_, units_ / kWishedWindows));
    const std::size_t wished = units_ / length;
    // Where windows are hardly longer than groups, almost all potential is lost at the borders.
    if (chain.soft || wished < kFewestWindows || 2 * length < 3 * widest_) {
        begin_.assign(1, 0);
        return;
    }
    for (std::size_t w = 0; w <= wished; ++w) begin_.push_back(units_ * w / wished);
    levels_.push_back(begin_);
    cap_.assign(count(), cap);
    base_.assign(count(), 0);
    potential_.assign(count(), 0);
}

std::vector<Cost> Windows::most_reduced(Cost slack) const {
    std::vector<Cost> most(units_, slack);
    for (std::size_t w = 0; w < count(); ++w) {
        Cost here = slack;
        for (std::size_t v = w; v < count() && begin_[v] < begin_[w + 1] + widest_; ++v) {
            here += cap_[v];
        }
        fill(most, begin_[w], begin_[w + 1], here);
    }
    return most;
}

void Windows::find_potentials(const Chain& chain, const Groups& groups,
                              const std::vector<Cost>& shares, const FrontierLimits& within,
                              FrontierProgram& frontier, const StopFlag& stop) {
    std::vector<Cost> cap_of(units_);
    for (std::size_t w = 0; w < count(); ++w) fill(cap_of, begin_[w], begin_[w + 1], cap_[w]);
    later_.assign(units_, 0);
    for (const Begins& begin : levels_) {
        const std::vector<char> free = covered_from_before(groups, begin);
        potential_.assign(begin.size() - 1, 0);
        for (std::size_t w = 0; w < potential_.size(); ++w) {
            // What comes after the window is no concern of its own.
            const Cost behind = later_[begin[w + 1] - 1];
            for (std::size_t i = begin[w]; i < begin[w + 1]; ++i) later_[i] -= behind;
            FrontierLimits limits;
            limits.gap = cap_of[begin[w]];
            limits.later = &later_;
            limits.cuts = within.cuts;
            limits.reduced = within.reduced;
            limits.states = kStatesPerUnit * static_cast<std::int64_t>(begin[w + 1] - begin[w]);
            const Cost least = frontier.least_reduced(
                chain, groups, shares, {begin[w], begin[w + 1], &free}, limits, stop);
            potential_[w] = std::min(least, cap_of[begin[w]]);
        }
        later_ = sums_from_behind(begin, potential_);
    }
    sum_ = 0;
    for (const Cost potential : potential_) sum_ += potential;
}

bool Windows::loosen() {
    std::size_t cut_off = 0;
    for (std::size_t w = 0; w < count(); ++w) {
        if (potential_[w] < cap_[w]) continue;
        cap_[w] = base_[w] + kCapGrowth * (cap_[w] - base_[w]);
        ++cut_off;
    }
    if (cut_off > count() / 10) return false;
    if (count() / 2 >= kFewestWindows) join_two_by_two();
    return true;
}

void Windows::join_two_by_two() {
    std::size_t kept = 0;
    for (std::size_t w = 0; w < count(); w += 2, ++kept) {
        const Cost both = potential_[w] + (w + 1 < count() ? potential_[w + 1] : 0);
        base_[kept] = both;
        cap_[kept] = both + least_cap_;
        begin_[kept] = begin_[w];
    }
    begin_[kept] = units_;
    begin_.resize(kept + 1);
    cap_.resize(kept);
    base_.resize(kept);
    potential_.resize(kept);
    levels_.push_back(begin_);
}

}  // namespace unisono
