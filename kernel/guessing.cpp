// The quick way of GroupAsker: from several beginnings, the best unit of each annotator in turn,
// until nothing improves.
#include <algorithm>

#include "asking.hpp"

namespace unisono {

namespace {

constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
constexpr std::size_t kMostStarts = 5;
constexpr int kMostRounds = 4;
// More than any reduced cost, and small enough to be added up for all annotators.
constexpr Cost kBlocked = Cost{1} << 54;

}  // namespace

void GroupAsker::guess(std::int32_t anchor) {
    improve(anchor, kNobody);
    starts_.resize(candidates_.size());
    for (std::size_t v = 0; v < starts_.size(); ++v) starts_[v] = v;
    const std::size_t count = std::min(kMostStarts, starts_.size());
    std::partial_sort(starts_.begin(), starts_.begin() + static_cast<std::ptrdiff_t>(count),
                      starts_.end(), [&](std::size_t a, std::size_t b) {
                          const Cost least_a = parts_.least(a);
                          const Cost least_b = parts_.least(b);
                          return least_a != least_b ? least_a < least_b : a < b;
                      });
    for (std::size_t at = 0; at < count; ++at) improve(anchor, starts_[at]);
}

// Adds a candidate to the guess, or with sign -1 takes it out.
void GroupAsker::take(std::size_t candidate, Cost sign) {
    const Cost* row = between_.row(candidate);
    for (std::size_t v = 0; v < candidates_.size(); ++v) {
        added_[v] += sign * (row[v] == kFarApart ? kBlocked : -row[v]);
    }
}

void GroupAsker::improve(std::int32_t anchor, std::size_t first) {
    added_.resize(candidates_.size());
    for (std::size_t v = 0; v < candidates_.size(); ++v) {
        added_[v] = -share_of(candidates_[v].unit) - candidates_[v].saving;
    }
    guessed_.assign(levels_.size(), kNobody);
    std::size_t from_level = 0;
    if (first != kNobody) {
        while (levels_[from_level].to <= first) ++from_level;
        guessed_[from_level++] = first;
        take(first, 1);
    }
    bool changed = true;
    for (int round = 0; changed && round < kMostRounds; ++round) {
        changed = false;
        for (std::size_t step = 0; step < levels_.size(); ++step) {
            const std::size_t level = (from_level + step) % levels_.size();
            const std::size_t before = guessed_[level];
            std::size_t best = kNobody;
            Cost least = 0;
            // Units of one annotator are far apart from each other: whoever is there is not
            // counted, and its own place is judged as if it were free.
            const Cost own = before == kNobody ? 0 : kBlocked;
            for (std::size_t v = levels_[level].from; v < levels_[level].to; ++v) {
                const Cost added = added_[v] - own;
                if (added < least) {
                    least = added;
                    best = v;
                }
            }
            if (best == before) continue;
            if (before != kNobody) take(before, -1);
            if (best != kNobody) take(best, 1);
            guessed_[level] = best;
            changed = true;
        }
    }
    Cost value = anchor_value_;
    members_.assign(1, {anchor, 0});
    for (const std::size_t candidate : guessed_) {
        if (candidate == kNobody) continue;
        value -= share_of(candidates_[candidate].unit) + candidates_[candidate].saving;
        value += price_of_joining(candidates_[candidate].unit);
        for (std::size_t m = 1; m < members_.size(); ++m) {
            value -= between_.at(members_[m].candidate, candidate);
        }
        members_.push_back({candidates_[candidate].unit, candidate});
    }
    if (members_.size() >= 2 && value <= most_reduced_) keep(value);
}

}  // namespace unisono
