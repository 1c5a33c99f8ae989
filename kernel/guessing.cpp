// The quick way of GroupAsker: from the anchor alone, and from groups that are good already, the
// best unit of each annotator in turn, until nothing improves.
#include <algorithm>

#include "asking.hpp"

namespace unisono {

namespace {

constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
constexpr int kMostRounds = 4;
constexpr std::int64_t kPartnersWorthOneStep = 400;  // looked at in the time of a step

}  // namespace

void GroupAsker::guess(std::int32_t anchor) {
    if (partners_.offsets.empty()) {
        partners_ = on_both_sides(pairs_);
        candidate_of_.assign(static_cast<std::size_t>(pairs_.units()), -1);
    }
    make_levels();
    for (std::size_t v = 0; v < candidates_.size(); ++v) {
        candidate_of_[static_cast<std::size_t>(candidates_[v].unit)] = static_cast<std::int32_t>(v);
    }
    guess_from(anchor, {});
    if (wish_.first_guesses != nullptr) {
        const Groups& groups = *wish_.first_guesses;
        const auto i = static_cast<std::size_t>(anchor);
        for (std::int64_t g = groups.of_anchor[i]; g < groups.of_anchor[i + 1]; ++g) {
            guess_from(anchor, groups.members_of(g));
        }
    }
    for (const Candidate& candidate : candidates_) {
        candidate_of_[static_cast<std::size_t>(candidate.unit)] = -1;
    }
}

// Adds a candidate to the guess, or with sign -1 takes it out.
void GroupAsker::take(std::int32_t anchor, std::size_t candidate, int sign) {
    const auto unit = static_cast<std::size_t>(candidates_[candidate].unit);
    const auto from = partners_.other.begin() + partners_.offsets[unit];
    const auto to = partners_.other.begin() + partners_.offsets[unit + 1];
    auto at =
        static_cast<std::size_t>(std::upper_bound(from, to, anchor) - partners_.other.begin());
    const auto end = static_cast<std::size_t>(partners_.offsets[unit + 1]);
    steps_of_guesses_ += static_cast<std::int64_t>(end - at);
    for (; at < end; ++at) {
        const std::int32_t other = candidate_of_[static_cast<std::size_t>(partners_.other[at])];
        if (other < 0) continue;
        added_[static_cast<std::size_t>(other)] -= sign * partners_.saving[at];
        meets_[static_cast<std::size_t>(other)] += sign;
    }
    taken_ += sign;
}

// Who of a level changes the guess for the better, and most of all; `before` is who is there.
std::size_t GroupAsker::best_of(const Level& level, std::size_t before) const {
    // Whoever is there is no partner of others of its annotator: it need not be met.
    const int others = taken_ - (before == kNobody ? 0 : 1);
    std::size_t best = kNobody;
    Cost least = 0;
    for (std::size_t v = level.from; v < level.to; ++v) {
        if (added_[v] < least && meets_[v] == others) {
            least = added_[v];
            best = v;
        }
    }
    return best;
}

void GroupAsker::begin_guess() {
    added_.resize(candidates_.size());
    for (std::size_t v = 0; v < candidates_.size(); ++v) {
        added_[v] = -share_of(candidates_[v].unit) - candidates_[v].saving;
    }
    meets_.assign(candidates_.size(), 0);
    taken_ = 0;
    guessed_.assign(levels_.size(), kNobody);
}

std::size_t GroupAsker::level_of(std::size_t candidate) const {
    const auto level = std::partition_point(levels_.begin(), levels_.end(),
                                            [&](const Level& one) { return one.to <= candidate; });
    return static_cast<std::size_t>(level - levels_.begin());
}

// Members that are no candidates any more are left out.
void GroupAsker::guess_from(std::int32_t anchor, std::span<const std::int32_t> group) {
    begin_guess();
    for (const std::int32_t member : group) {
        if (candidate_of_[static_cast<std::size_t>(member)] < 0) continue;
        const auto v = static_cast<std::size_t>(candidate_of_[static_cast<std::size_t>(member)]);
        guessed_[level_of(v)] = v;
        take(anchor, v, 1);
    }
    improve_guess(anchor);
}

void GroupAsker::improve_guess(std::int32_t anchor) {
    bool changed = true;
    for (int round = 0; changed && round < kMostRounds; ++round) {
        changed = false;
        for (std::size_t level = 0; level < levels_.size(); ++level) {
            const std::size_t before = guessed_[level];
            const std::size_t best = best_of(levels_[level], before);
            if (best == before) continue;
            if (before != kNobody) take(anchor, before, -1);
            if (best != kNobody) take(anchor, best, 1);
            guessed_[level] = best;
            changed = true;
        }
    }
    keep_guess(anchor);
}

void GroupAsker::keep_guess(std::int32_t anchor) {
    members_.assign(1, {anchor, 0});
    Cost shares = share_of(anchor);
    Cost prices = 0;
    Cost saved_with_anchor = 0;
    Cost saved_twice = 0;
    for (const std::size_t candidate : guessed_) {
        if (candidate == kNobody) continue;
        const std::int32_t unit = candidates_[candidate].unit;
        prices += price_of_joining(unit);
        shares += share_of(unit);
        saved_with_anchor += candidates_[candidate].saving;
        saved_twice -= added_[candidate] + share_of(unit) + candidates_[candidate].saving;
        members_.push_back({unit, candidate});
    }
    const Cost cost = -floor_ - saved_with_anchor - saved_twice / 2;
    const Cost value = cost - shares + prices;
    if (members_.size() >= 2 && value <= most_reduced_) keep(cost, value);
    stop_.spend(steps_of_guesses_ - steps_of_guesses_ % kPartnersWorthOneStep);
    steps_made_ += steps_of_guesses_ / kPartnersWorthOneStep;
    steps_of_guesses_ %= kPartnersWorthOneStep;
}

}  // namespace unisono
