#include "asking.hpp"

#include <algorithm>

#include "split_rule.hpp"

namespace unisono {

namespace {

constexpr int kMostImprovements = 6;
constexpr Cost kWorthwhile = kOne / 1000;
constexpr double kWorthThinning = 0.8;          // a table without the others is smaller by a third
constexpr std::size_t kMostCandidates = 2'000;  // of one anchor: their savings are a square
constexpr std::size_t kFewCandidates = 300;     // so few that all squares are looked at
constexpr std::size_t kSavingsWorthOneStep = 400;  // looked at in the time of a step

Cost half_up(Cost saving) {
    return (saving + 1) / 2;
}

}  // namespace

GroupAsker::GroupAsker(const Pairs& pairs, std::span<const std::int32_t> place,
                       const Savings& savings)
    : pairs_(pairs),
      place_(place),
      savings_(savings),
      floor_(-pair_count(static_cast<int>(savings.places)) * kOne) {
    prepare_pairs();
}

void GroupAsker::prepare_pairs() {
    half_of_pair_.assign(pairs_.other.size(), kFarApart);
    std::vector<std::size_t> kept_pairs;
    for (std::int32_t anchor = 0; anchor < pairs_.units(); ++anchor) {
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
        if (candidates_.size() > kFewCandidates) {
            for (std::size_t v = 0; v < candidates_.size(); ++v) {
                const auto unit = static_cast<std::size_t>(candidates_[v].unit);
                half_of_pair_[kept_pairs[v]] = half_up(
                    savings_.most_saved[unit] - savings_.with(candidates_[v].unit, place_[i]));
            }
            continue;
        }
        between_.prepare(pairs_, candidates_);
        for (std::size_t v = 0; v < candidates_.size(); ++v) {
            least_of_place_.assign(savings_.places, 0);
            const Cost* row = between_.row(v);
            for (std::size_t w = 0; w < candidates_.size(); ++w) {
                Cost& best =
                    least_of_place_[static_cast<std::size_t>(place_of(candidates_[w].unit))];
                best = std::max(best, row[w]);
            }
            Cost half = 0;
            for (const Cost best : least_of_place_) half += half_up(best);
            half_of_pair_[kept_pairs[v]] = half;
        }
    }
}

bool GroupAsker::ask(const std::vector<Cost>& shares, const GroupWish& wish,
                     const GroupLimits& limits, const StopFlag& stop, Groups& groups) {
    shares_ = &shares;
    wish_ = wish;
    limits_ = limits;
    groups_ = &groups;
    const auto count = static_cast<std::size_t>(pairs_.units());
    groups.clear(count);
    for (std::size_t i = 0; i < count; ++i) {
        stop.check();
        if (stop.late() || steps_made_ >= limits.steps) {
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
    between_.prepare(pairs_, candidates_);
    make_levels();
    std::vector<Cost> added;
    for (const Candidate& candidate : candidates_) {
        added.push_back(-share_of(candidate.unit) - candidate.saving);
    }
    parts_.begin(between_, levels_, std::move(added));
    Cost bound = least_of_all();
    for (int round = 0;; ++round) {
        const std::size_t before = candidates_.size();
        steps_made_ += static_cast<std::int64_t>(before * before / kSavingsWorthOneStep);
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

void GroupAsker::search(std::int32_t anchor) {
    live_.resize(std::max(live_.size(), levels_.size() + 2));
    live_begin_.resize(live_.size());
    live_[0].clear();
    live_begin_[0].assign(levels_.size() + 1, 0);
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        for (std::size_t v = levels_[level].from; v < levels_[level].to; ++v) {
            const Cost added = -share_of(candidates_[v].unit) - candidates_[v].saving;
            live_[0].push_back({static_cast<std::uint32_t>(v), added, added - parts_.from(v, 0)});
        }
        live_begin_[0][level + 1] = live_[0].size();
    }
    members_.assign(1, {anchor, 0});
    steps_left_ = std::min(limits_.steps_per_anchor, limits_.steps - steps_made_);
    const std::int64_t steps_at_first = steps_left_;
    if (!descend(0, 0, anchor_value_)) groups_->unfinished.push_back(anchor);
    steps_made_ += steps_at_first - std::max<std::int64_t>(steps_left_, 0);
}

// Takes the partners that could be in a wished group, judged by the best that each could save with
// other partners: most anchors end here. False when there can be no such group.
bool GroupAsker::choose_candidates(std::int32_t anchor) {
    const auto i = static_cast<std::size_t>(anchor);
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

// Decides the annotator of one level and goes on; false when a limit was reached.
bool GroupAsker::descend(std::size_t depth, std::size_t level, Cost value) {
    if (settle_live(depth, level, value) > most_reduced_) return true;
    if (level == levels_.size())
        return members_.size() < 2 || !cannot_be_cut() || keep(cost_of_members(), value);
    if (--steps_left_ < 0) return false;
    for (std::size_t at = live_begin_[depth][level]; at < live_begin_[depth][level + 1]; ++at) {
        const Live joining = live_[depth][at];
        const std::int32_t unit = candidates_[joining.candidate].unit;
        const Cost with = value + joining.added + price_of_joining(unit);
        join(depth, level, joining);
        members_.push_back({unit, joining.candidate});
        const bool finished = descend(depth + 1, level + 1, with);
        members_.pop_back();
        if (!finished) return false;
    }
    skip(depth, level);
    return descend(depth + 1, level + 1, value);
}

// For the cuts of which the members hold exactly one unit: the next is the second. Bounds leave
// out what later units will pay.
Cost GroupAsker::price_of_joining(std::int32_t unit) const {
    if (wish_.cuts == nullptr) return 0;
    Cost price = 0;
    for (const std::uint32_t id : wish_.cuts->of(unit)) {
        const Cut& cut = (*wish_.cuts)[id];
        const auto held = std::count_if(members_.begin(), members_.end(), [&](const Member& one) {
            return std::find(cut.units.begin(), cut.units.end(), one.unit) != cut.units.end();
        });
        if (held == 1) price += cut.price;
    }
    return price;
}

// Bounds the reduced cost of every completion from below and drops candidates that no completion
// within the wish can hold.
Cost GroupAsker::settle_live(std::size_t depth, std::size_t level, Cost value) {
    std::vector<Live>& live = live_[depth];
    std::vector<std::size_t>& begin = live_begin_[depth];
    Cost bound = value;
    for (std::size_t later = level; later < levels_.size(); ++later) {
        Cost least = -parts_.from_nobody(later, level);
        for (std::size_t at = begin[later]; at < begin[later + 1]; ++at) {
            least = std::min(least, live[at].least);
        }
        least_of_place_[later] = least;
        bound += least;
    }
    if (bound > most_reduced_) return bound;
    std::size_t kept = begin[level];
    std::size_t at = begin[level];
    for (std::size_t later = level; later < levels_.size(); ++later) {
        const Cost room = most_reduced_ - (bound - least_of_place_[later]);
        const std::size_t end = begin[later + 1];
        begin[later] = kept;
        for (; at < end; ++at) {
            if (live[at].least <= room) live[kept++] = live[at];
        }
    }
    begin[levels_.size()] = kept;
    return bound;
}

// What is live for the next level once a candidate has joined.
void GroupAsker::join(std::size_t depth, std::size_t level, const Live& joining) {
    const std::vector<Live>& live = live_[depth];
    const std::vector<std::size_t>& begin = live_begin_[depth];
    std::vector<Live>& next = live_[depth + 1];
    std::vector<std::size_t>& next_begin = live_begin_[depth + 1];
    next.clear();
    next_begin.resize(levels_.size() + 1);
    const Cost* row = between_.row(joining.candidate);
    for (std::size_t later = level + 1; later < levels_.size(); ++later) {
        next_begin[later] = next.size();
        for (std::size_t at = begin[later]; at < begin[later + 1]; ++at) {
            const std::uint32_t v = live[at].candidate;
            if (row[v] == kFarApart) continue;
            const Cost added = live[at].added - row[v];
            next.push_back({v, added, added - parts_.from(v, level + 1)});
        }
    }
    next_begin[levels_.size()] = next.size();
}

// The same once nobody of this level joins.
void GroupAsker::skip(std::size_t depth, std::size_t level) {
    const std::vector<Live>& live = live_[depth];
    const std::vector<std::size_t>& begin = live_begin_[depth];
    std::vector<Live>& next = live_[depth + 1];
    std::vector<std::size_t>& next_begin = live_begin_[depth + 1];
    next.clear();
    next_begin.resize(levels_.size() + 1);
    for (std::size_t later = level + 1; later < levels_.size(); ++later) {
        next_begin[later] = next.size();
        for (std::size_t at = begin[later]; at < begin[later + 1]; ++at) {
            const Live& one = live[at];
            next.push_back(
                {one.candidate, one.added, one.added - parts_.from(one.candidate, level + 1)});
        }
    }
    next_begin[levels_.size()] = next.size();
}

bool GroupAsker::cannot_be_cut() {
    const std::size_t size = members_.size();
    matrix_.assign(size * size, 0);
    saved_.assign(size, 0);
    for (std::size_t k = 1; k < size; ++k) {
        for (std::size_t m = 0; m < k; ++m) {
            const Cost saving = m == 0 ? candidates_[members_[k].candidate].saving
                                       : between_.at(members_[m].candidate, members_[k].candidate);
            matrix_[m * size + k] = saving;
            saved_[m] += saving;
            saved_[k] += saving;
        }
    }
    return std::all_of(saved_.begin(), saved_.end(), [&](Cost saved) { return saved > floor_; }) &&
           survives_every_cut(matrix_, size, size, floor_,
                              [&](std::size_t m) { return saved_[m]; });
}

Cost GroupAsker::cost_of_members() const {
    Cost cost = -floor_;
    for (std::size_t m = 1; m < members_.size(); ++m) {
        cost -= candidates_[members_[m].candidate].saving;
        for (std::size_t k = 1; k < m; ++k) {
            cost -= between_.at(members_[k].candidate, members_[m].candidate);
        }
    }
    return cost;
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
