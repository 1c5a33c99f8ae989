#include "asking.hpp"

#include <algorithm>

namespace unisono {

namespace {

constexpr int kMostImprovements = 6;
constexpr Cost kWorthwhile = kOne / 1000;
constexpr double kWorthThinning = 0.8;          // a table without the others is smaller by a third
constexpr std::size_t kMostCandidates = 2'000;  // of one anchor: their savings are a square
constexpr std::size_t kFewCandidates = 300;     // so few that all squares are looked at
constexpr std::size_t kSavingsWorthOneStep = 1200;  // looked at in the time of a step

Cost half_up(Cost saving) {
    return (saving + 1) / 2;
}

}  // namespace

GroupAsker::GroupAsker(const Pairs& pairs, std::span<const std::int32_t> place,
                       const Savings& savings, const StopFlag& stop)
    : pairs_(pairs),
      place_(place),
      savings_(savings),
      stop_(stop),
      floor_(-pair_count(static_cast<int>(savings.places)) * kOne) {
    prepare_pairs();
}

void GroupAsker::prepare_pairs() {
    half_of_pair_.assign(pairs_.other.size(), kFarApart);
    std::vector<std::size_t> kept_pairs;
    for (std::int32_t anchor = 0; anchor < pairs_.units(); ++anchor) {
        stop_.check();
        const auto i = static_cast<std::size_t>(anchor);
        candidates_.clear();
        kept_pairs.clear();
        for (auto at = pairs_.offsets[i]; at < pairs_.offsets[i + 1]; ++at) {
            const auto pair = static_cast<std::size_t>(at);
            const Cost saving = kOne - pairs_.cost[pair];
            if (!can_share(savings_, place_, anchor, pairs_.other[pair], saving, floor_)) continue;
            candidates_.push_back({pairs_.other[pair], saving});
            kept_pairs.push_back(pair);
        }
        if (candidates_.size() > kFewCandidates || stop_.late()) {
            for (std::size_t v = 0; v < candidates_.size(); ++v) {
                const auto unit = static_cast<std::size_t>(candidates_[v].unit);
                half_of_pair_[kept_pairs[v]] = half_up(
                    savings_.most_saved[unit] - savings_.with(candidates_[v].unit, place_[i]));
            }
            continue;
        }
        stop_.spend(between_.prepare(pairs_, candidates_));
        for (std::size_t v = 0; v < candidates_.size(); ++v) {
            least_of_place_.assign(savings_.places, 0);
            const Coarse* row = between_.row(v);
            for (std::size_t w = 0; w < candidates_.size(); ++w) {
                Cost& best =
                    least_of_place_[static_cast<std::size_t>(place_of(candidates_[w].unit))];
                best = std::max(best, fine(row[w]));
            }
            Cost half = 0;
            for (const Cost best : least_of_place_) half += half_up(best);
            half_of_pair_[kept_pairs[v]] = half;
        }
    }
}

bool GroupAsker::ask(const std::vector<Cost>& shares, const GroupWish& wish,
                     const GroupLimits& limits, Groups& groups) {
    shares_ = &shares;
    wish_ = wish;
    limits_ = limits;
    groups_ = &groups;
    const auto count = static_cast<std::size_t>(pairs_.units());
    groups.clear(count);
    for (std::size_t i = 0; i < count; ++i) {
        stop_.check();
        if (stop_.late() || steps_made_ >= limits.steps) {
            groups.unfinished.push_back(static_cast<std::int32_t>(i));
        } else {
            groups_from(static_cast<std::int32_t>(i));
        }
        groups.of_anchor[i + 1] = groups.size();
    }
    return groups.unfinished.empty() && !wish.quickly;
}

// Finds what the search needs to know of the candidates and drops more of them; false when there
// can be no wished group.
bool GroupAsker::prepare() {
    stop_.spend(between_.prepare(pairs_, candidates_));
    make_levels();
    std::vector<Cost> added;
    for (const Candidate& candidate : candidates_) {
        added.push_back(-share_of(candidate.unit) - candidate.saving);
    }
    parts_.begin(between_, levels_, std::move(added));
    Cost bound = least_of_all();
    for (int round = 0;; ++round) {
        stop_.check();
        const std::size_t before = candidates_.size();
        steps_made_ += static_cast<std::int64_t>(before * before / kSavingsWorthOneStep);
        stop_.spend(2 * static_cast<std::int64_t>(before * before));
        if (bound > most_reduced_ || !thin_out(bound, kWorthThinning)) return false;
        if (round >= kMostImprovements) break;
        parts_.improve(between_, levels_);
        const Cost better = least_of_all();
        const bool is_stuck = better - bound < kWorthwhile && candidates_.size() == before;
        bound = better;
        if (is_stuck) break;
    }
    if (bound > most_reduced_ || !thin_out(bound, 1.0)) return false;
    parts_.forget_empty(levels_);
    parts_.improve(between_, levels_);
    parts_.finish();
    return true;
}

void GroupAsker::groups_from(std::int32_t anchor) {
    if (!choose_candidates(anchor)) return;
    if (candidates_.size() > kMostCandidates) {
        groups_->unfinished.push_back(anchor);
        return;
    }
    found_.clear();
    if (wish_.quickly) {
        guess(anchor);
    } else if (prepare()) {
        search(anchor);
    }
    found_.store(*groups_);
}

// Takes the partners that could be in a wished group, judged by the best that each could save with
// other partners: most anchors end here. False when there can be no such group.
bool GroupAsker::choose_candidates(std::int32_t anchor) {
    const auto i = static_cast<std::size_t>(anchor);
    stop_.spend(pairs_.offsets[i + 1] - pairs_.offsets[i]);
    anchor_value_ = -floor_ - share_of(anchor);
    most_reduced_ =
        wish_.most_reduced_of == nullptr ? wish_.most_reduced : (*wish_.most_reduced_of)[i];
    candidates_.clear();
    least_of_place_.assign(savings_.places, 0);
    for (auto at = pairs_.offsets[i]; at < pairs_.offsets[i + 1]; ++at) {
        const auto pair = static_cast<std::size_t>(at);
        if (half_of_pair_[pair] == kFarApart) continue;
        const std::int32_t j = pairs_.other[pair];
        const Cost saving = kOne - pairs_.cost[pair];
        const Cost least = -share_of(j) - saving - half_of_pair_[pair];
        candidates_.push_back({j, saving, least});
        Cost& of_place = least_of_place_[static_cast<std::size_t>(place_of(j))];
        of_place = std::min(of_place, least);
    }
    Cost bound = anchor_value_;
    for (const Cost least : least_of_place_) bound += least;
    if (bound > most_reduced_) return false;
    std::size_t kept = 0;
    for (std::size_t v = 0; v < candidates_.size(); ++v) {
        const auto at_place = static_cast<std::size_t>(place_of(candidates_[v].unit));
        const Cost forced = bound - least_of_place_[at_place] + candidates_[v].least;
        if (forced <= most_reduced_) candidates_[kept++] = candidates_[v];
    }
    candidates_.resize(kept);
    // By annotator, and the most promising first: a search that is cut short has then seen the
    // best, and the order of what is found is made canonical at the end.
    std::stable_sort(candidates_.begin(), candidates_.end(), [&](const auto& a, const auto& b) {
        const std::int32_t place_a = place_of(a.unit);
        const std::int32_t place_b = place_of(b.unit);
        if (place_a != place_b) return place_a < place_b;
        return a.saving + share_of(a.unit) > b.saving + share_of(b.unit);
    });
    return !candidates_.empty();
}

void GroupAsker::make_levels() {
    levels_.clear();
    for (std::size_t at = 0; at < candidates_.size(); ++at) {
        const std::int32_t at_place = place_of(candidates_[at].unit);
        if (levels_.empty() || levels_.back().place != at_place) {
            levels_.push_back({at_place, at, at});
        }
        levels_.back().to = at + 1;
    }
}

// What any choice costs at least, level by level in least_of_place_.
Cost GroupAsker::least_of_all() {
    Cost bound = anchor_value_;
    least_of_place_.resize(levels_.size());
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        Cost& least = least_of_place_[level] = parts_.least_of_nobody(level);
        for (std::size_t v = levels_[level].from; v < levels_[level].to; ++v) {
            least = std::min(least, parts_.least(v));
        }
        bound += least;
    }
    return bound;
}

// Drops candidates that no choice within the wish can hold, if at most this part of them is kept.
// False when none can be.
bool GroupAsker::thin_out(Cost bound, double most_kept) {
    kept_.clear();
    kept_to_.clear();
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        for (std::size_t v = levels_[level].from; v < levels_[level].to; ++v) {
            if (bound - least_of_place_[level] + parts_.least(v) <= most_reduced_) {
                kept_.push_back(v);
            }
        }
        kept_to_.push_back(kept_.size());
    }
    if (kept_.empty()) return false;
    if (kept_.size() == candidates_.size()) return true;
    const auto all = static_cast<double>(candidates_.size());
    if (static_cast<double>(kept_.size()) > most_kept * all) return true;
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        levels_[level].from = level == 0 ? 0 : kept_to_[level - 1];
        levels_[level].to = kept_to_[level];
    }
    for (std::size_t at = 0; at < kept_.size(); ++at) candidates_[at] = candidates_[kept_[at]];
    candidates_.resize(kept_.size());
    between_.keep(kept_);
    parts_.keep(kept_);
    return true;
}

bool GroupAsker::keep(Cost cost, Cost value) {
    if (groups_->size() + static_cast<std::int64_t>(found_.size()) >= limits_.groups) return false;
    found_.add(members_, cost, value);
    if (wish_.per_anchor > 0 && found_.size() > wish_.per_anchor) {
        most_reduced_ = std::min(most_reduced_, found_.forget_the_dearest() - 1);
    }
    return true;
}

}  // namespace unisono
