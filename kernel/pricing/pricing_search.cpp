#include "pricing/pricing_search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "alignment/split_rule.hpp"

namespace unisono {

namespace {

constexpr std::int64_t kStepsBetweenChecks = 64;
constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
constexpr int kMostRounds = 4;
constexpr std::int64_t kPartnersWorthOneStep = 400;  // looked at in the time of a step

// Inherited: twice or half of each changes times by less than 15 %.
constexpr int kMostImprovements = 6;
constexpr Cost kWorthwhile = kOne / 1000;
constexpr double kWorthThinning = 0.8;          // a table without the others is smaller by a third
constexpr std::size_t kMostCandidates = 2'000;  // of one anchor: their savings are a square
constexpr std::size_t kFewCandidates = 300;     // so few that all squares are looked at
constexpr std::size_t kSavingsWorthOneStep = 1200;  // looked at in the time of a step

constexpr Cost kOfALonelyUnit = 20;  // a partner costs little if it costs less than this part more
constexpr Cost kNothingLeft = std::numeric_limits<Cost>::max();

Cost half_up(Cost saving) {
    return (saving + 1) / 2;
}

// Orders units by how many partners they save more with than -C/20, and then as in the sweep.
Numbering by_fewest_partners(const Pairs& pairs, std::span<const std::int32_t> place, int places) {
    const Partners partners = on_both_sides(pairs);
    const auto units = static_cast<std::size_t>(pairs.units());
    const Cost least = -pair_count(places) * kOne / kOfALonelyUnit;
    std::vector<std::int64_t> close(units, 0);
    for (std::size_t u = 0; u < units; ++u) {
        const auto from = partners.saving.begin() + partners.offsets[u];
        const auto to = partners.saving.begin() + partners.offsets[u + 1];
        close[u] = std::count_if(from, to, [&](Cost saving) { return saving > least; });
    }
    Numbering numbering;
    numbering.unit_of.resize(units);
    std::iota(numbering.unit_of.begin(), numbering.unit_of.end(), 0);
    std::stable_sort(
        numbering.unit_of.begin(), numbering.unit_of.end(), [&](std::int32_t a, std::int32_t b) {
            return close[static_cast<std::size_t>(a)] < close[static_cast<std::size_t>(b)];
        });
    numbering.number_of.resize(units);
    for (std::size_t number = 0; number < units; ++number) {
        numbering.number_of[static_cast<std::size_t>(numbering.unit_of[number])] =
            static_cast<std::int32_t>(number);
    }
    std::vector<std::pair<std::int32_t, Cost>> later;
    numbering.pairs.offsets.assign(1, 0);
    for (std::size_t number = 0; number < units; ++number) {
        const auto unit = static_cast<std::size_t>(numbering.unit_of[number]);
        numbering.place.push_back(place[unit]);
        later.clear();
        for (auto at = partners.offsets[unit]; at < partners.offsets[unit + 1]; ++at) {
            const auto partner = static_cast<std::size_t>(at);
            const std::int32_t other =
                numbering.number_of[static_cast<std::size_t>(partners.other[partner])];
            if (static_cast<std::size_t>(other) <= number) continue;
            later.emplace_back(other, kOne - partners.saving[partner]);
        }
        std::sort(later.begin(), later.end());
        for (const auto& [other, cost] : later) {
            numbering.pairs.other.push_back(other);
            numbering.pairs.cost.push_back(cost);
        }
        numbering.pairs.offsets.push_back(static_cast<std::int64_t>(numbering.pairs.other.size()));
    }
    find_savings(numbering.pairs, numbering.place, places, numbering.savings);
    return numbering;
}

}  // namespace

GroupAsker::GroupAsker(const Pairs& pairs, std::span<const std::int32_t> place,
                       const Savings& savings, const StopFlag& stop, AnchorOrder order)
    : numbering_(order == AnchorOrder::kSweep
                     ? Numbering{}
                     : by_fewest_partners(pairs, place, static_cast<int>(savings.places))),
      pairs_(order == AnchorOrder::kSweep ? pairs : numbering_.pairs),
      place_(order == AnchorOrder::kSweep ? place : numbering_.place),
      savings_(order == AnchorOrder::kSweep ? savings : numbering_.savings),
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
    if (!numbering_.unit_of.empty()) number_wish();
    const auto count = static_cast<std::size_t>(pairs_.units());
    groups.clear(count);
    least_reduced_.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        stop_.check();
        groups_from(static_cast<std::int32_t>(i));
        groups.of_anchor[i + 1] = groups.size();
    }
    if (!numbering_.unit_of.empty()) give_back_units();
    return groups.unfinished.empty() && !wish.quickly;
}

// Numbers by the order of anchors what is given by units.
void GroupAsker::number_wish() {
    const std::vector<std::int32_t>& units = numbering_.unit_of;
    numbered_shares_.resize(units.size());
    for (std::size_t i = 0; i < units.size(); ++i) {
        numbered_shares_[i] = share_of(units[i]);
    }
    shares_ = &numbered_shares_;
    if (wish_.most_reduced_of != nullptr) {
        // A group may be anchored elsewhere in sweep order: at any partner of its anchor here.
        const std::vector<Cost>& most = *wish_.most_reduced_of;
        numbered_most_reduced_.resize(units.size());
        for (std::size_t i = 0; i < units.size(); ++i) {
            numbered_most_reduced_[i] = most[static_cast<std::size_t>(units[i])];
            for (auto at = pairs_.offsets[i]; at < pairs_.offsets[i + 1]; ++at) {
                const std::int32_t other = pairs_.other[static_cast<std::size_t>(at)];
                numbered_most_reduced_[i] = std::max(
                    numbered_most_reduced_[i], most[static_cast<std::size_t>(unit_of(other))]);
            }
        }
        wish_.most_reduced_of = &numbered_most_reduced_;
    }
    if (wish_.first_guesses != nullptr) {
        numbered_guesses_ = with_units(*wish_.first_guesses, numbering_.number_of);
        wish_.first_guesses = &numbered_guesses_;
    }
}

void GroupAsker::give_back_units() {
    std::vector<std::int32_t> unfinished = std::move(groups_->unfinished);
    for (std::int32_t& anchor : unfinished) anchor = unit_of(anchor);
    *groups_ = with_units(*groups_, numbering_.unit_of);
    groups_->unfinished = std::move(unfinished);
    std::vector<Cost> least(least_reduced_.size());
    for (std::size_t i = 0; i < least.size(); ++i) {
        least[static_cast<std::size_t>(numbering_.unit_of[i])] = least_reduced_[i];
    }
    least_reduced_ = std::move(least);
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
    Cost& least = least_reduced_[static_cast<std::size_t>(anchor)];
    if (candidates_.size() > kMostCandidates || stop_.late() || steps_made_ >= limits_.steps) {
        groups_->unfinished.push_back(anchor);
        least = std::min<Cost>(0, bound_of_candidates_);
        return;
    }
    found_.clear();
    open_ = kNothingLeft;
    if (wish_.quickly) {
        guess(anchor);
    } else if (prepare()) {
        search(anchor);
    }
    least = std::min({Cost{0}, open_, found_.least_value()});
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
    bound_of_candidates_ = bound;
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
    if (groups_->size() + static_cast<std::int64_t>(found_.size()) >= limits_.groups) {
        note_open(value);
        return false;
    }
    found_.add(members_, cost, value);
    if (wish_.per_anchor > 0 && found_.size() > wish_.per_anchor) {
        most_reduced_ = std::min(most_reduced_, found_.forget_the_dearest() - 1);
    }
    return true;
}

// The thorough way: depth first, annotator by annotator.

void GroupAsker::search(std::int32_t anchor) {
    depths_.resize(std::max(depths_.size(), levels_.size() + 1));
    for (Depth& depth : depths_) {
        depth.live.resize(std::max(depth.live.size(), candidates_.size()));
        depth.begin.resize(levels_.size() + 1);
        depth.least.resize(levels_.size());
    }
    Depth& first = depths_[0];
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        first.begin[level] = levels_[level].from;
        first.least[level] = -parts_.from_nobody(level, 0);
        for (std::size_t v = levels_[level].from; v < levels_[level].to; ++v) {
            const Cost added = -share_of(candidates_[v].unit) - candidates_[v].saving;
            first.live[v] = {static_cast<std::uint32_t>(v), added, added - parts_.from(v, 0)};
            first.least[level] = std::min(first.least[level], first.live[v].least);
        }
    }
    first.begin[levels_.size()] = candidates_.size();
    members_.assign(1, {anchor, 0});
    is_exact_ = false;
    steps_left_ = std::min(limits_.steps_per_anchor, limits_.steps - steps_made_);
    const std::int64_t steps_at_first = steps_left_;
    if (!descend(0, anchor_value_)) groups_->unfinished.push_back(anchor);
    steps_made_ += steps_at_first - std::max<std::int64_t>(steps_left_, 0);
    stop_.spend(std::exchange(looks_, 0));
}

// Decides the annotator of one level and goes on; false when a limit was reached.
bool GroupAsker::descend(std::size_t level, Cost value) {
    if (!settle_live(level, value)) return true;
    if (level == levels_.size()) return members_.size() < 2 || keep_members();
    const Depth& here = depths_[level];
    bool is_over = --steps_left_ < 0;
    if (steps_left_ % kStepsBetweenChecks == 0) {
        stop_.check();
        stop_.spend(std::exchange(looks_, 0));
        is_over = is_over || stop_.late();
    }
    if (is_over) {
        note_open(level, here.begin[level], value);
        return false;
    }
    for (std::size_t at = here.begin[level]; at < here.begin[level + 1]; ++at) {
        const Live joining = here.live[at];
        const std::int32_t unit = candidates_[joining.candidate].unit;
        const Cost price = price_of_joining(unit);
        const Coarse* row = between_.row(joining.candidate);
        go_deeper(level, [row](std::uint32_t candidate) { return row[candidate]; });
        members_.push_back({unit, joining.candidate, price});
        const bool finished = descend(level + 1, value + joining.added + price);
        members_.pop_back();
        if (!finished) {
            note_open(level, at + 1, value);
            return false;
        }
    }
    go_deeper(level, [](std::uint32_t) { return Coarse{0}; });
    return descend(level + 1, value);
}

// What is left at a level when a limit ends the search: some of its candidates, and nobody.
void GroupAsker::note_open(std::size_t level, std::size_t from, Cost value) {
    const Depth& here = depths_[level];
    Cost least = -parts_.from_nobody(level, level);
    for (std::size_t at = from; at < here.begin[level + 1]; ++at) {
        least = std::min(least, here.live[at].least);
    }
    for (std::size_t later = level + 1; later < levels_.size(); ++later) least += here.least[later];
    note_open(value + least);
}

// For the cuts of which the members hold exactly one unit: the next is the second. Bounds leave
// out what later units will pay.
Cost GroupAsker::price_of_joining(std::int32_t unit) const {
    if (wish_.cuts == nullptr) return 0;
    Cost price = 0;
    for (const std::uint32_t id : wish_.cuts->of(unit_of(unit))) {
        const Cut& cut = (*wish_.cuts)[id];
        const auto held = std::count_if(members_.begin(), members_.end(), [&](const Member& one) {
            return std::find(cut.units.begin(), cut.units.end(), unit_of(one.unit)) !=
                   cut.units.end();
        });
        if (held == 1) price += cut.price;
    }
    return price;
}

// Bounds the reduced cost of every completion from below and drops candidates that no completion
// within the wish can hold. False when none is within it.
bool GroupAsker::settle_live(std::size_t level, Cost value) {
    Depth& here = depths_[level];
    Cost bound = value;
    for (std::size_t later = level; later < levels_.size(); ++later) bound += here.least[later];
    if (bound > most_reduced_) return false;
    std::size_t kept = here.begin[level];
    std::size_t at = kept;
    for (std::size_t later = level; later < levels_.size(); ++later) {
        const Cost room = most_reduced_ - (bound - here.least[later]);
        const std::size_t end = here.begin[later + 1];
        here.begin[later] = kept;
        for (; at < end; ++at) {
            if (here.live[at].least <= room) here.live[kept++] = here.live[at];
        }
    }
    here.begin[levels_.size()] = kept;
    return true;
}

// What is live for the next level once this one is decided; saved(candidate) is what is saved with
// whoever joined.
template <class Saved>
void GroupAsker::go_deeper(std::size_t level, Saved saved) {
    const Depth& here = depths_[level];
    Depth& next = depths_[level + 1];
    looks_ += static_cast<std::int64_t>(here.begin[levels_.size()] - here.begin[level + 1]);
    std::size_t kept = 0;
    for (std::size_t later = level + 1; later < levels_.size(); ++later) {
        next.begin[later] = kept;
        Cost least = -parts_.from_nobody(later, level + 1);
        for (std::size_t at = here.begin[later]; at < here.begin[later + 1]; ++at) {
            const std::uint32_t candidate = here.live[at].candidate;
            const Coarse saving = saved(candidate);
            if (saving == kFarApartCoarse) continue;
            const Cost added = here.live[at].added - fine(saving);
            const Cost least_of_it = added - parts_.from(candidate, level + 1);
            least = std::min(least, least_of_it);
            next.live[kept++] = {candidate, added, least_of_it};
        }
        next.least[later] = least;
    }
    next.begin[levels_.size()] = kept;
}

// The search adds up rounded savings; what it arrives at is judged by exact ones. False when a
// limit was reached.
bool GroupAsker::keep_members() {
    if (!is_exact_) stop_.spend(exact_.prepare(pairs_, candidates_));
    is_exact_ = true;
    const Cost cost = cost_of_members();
    Cost value = cost;
    for (const Member& member : members_) value += member.price - share_of(member.unit);
    return value > most_reduced_ || !cannot_be_cut() || keep(cost, value);
}

bool GroupAsker::cannot_be_cut() {
    const std::size_t size = members_.size();
    matrix_.assign(size * size, 0);
    saved_.assign(size, 0);
    for (std::size_t k = 1; k < size; ++k) {
        for (std::size_t m = 0; m < k; ++m) {
            const Cost saving = m == 0 ? candidates_[members_[k].candidate].saving
                                       : exact_.at(members_[m].candidate, members_[k].candidate);
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
            cost -= exact_.at(members_[k].candidate, members_[m].candidate);
        }
    }
    return cost;
}

// The quick way: from the anchor alone, and from groups that are good already, the best unit of
// each annotator in turn, until nothing improves.

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
