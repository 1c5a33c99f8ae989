#include "groups.hpp"

#include <algorithm>

#include "split_rule.hpp"

namespace unisono {

namespace {

constexpr std::size_t kNoCandidate = static_cast<std::size_t>(-1);
constexpr Cost kFarApart = -(Cost{1} << 60);

class GroupSearch {
 public:
    GroupSearch(const Pairs& pairs, std::span<const std::int32_t> place, int places,
                const GroupWish& wish, const GroupLimits& limits, const StopFlag& stop,
                Groups& groups)
        : pairs_(pairs),
          place_(place),
          places_(static_cast<std::size_t>(places)),
          floor_(-pair_count(places) * kOne),
          wish_(wish),
          limits_(limits),
          stop_(stop),
          groups_(groups) {}

    void run() {
        const auto count = static_cast<std::size_t>(pairs_.units());
        prepare_best_savings(count);
        groups_.of_anchor.assign(count + 1, 0);
        groups_.member_offsets.assign(1, 0);
        groups_.members.clear();
        groups_.cost.clear();
        groups_.unfinished.clear();
        groups_.steps = 0;
        for (std::size_t i = 0; i < count; ++i) {
            stop_.check();
            if (places_ == 2 && wish_.shares == nullptr) {
                pairs_of_two(static_cast<std::int32_t>(i));
            } else {
                groups_from(static_cast<std::int32_t>(i));
            }
            groups_.of_anchor[i + 1] = groups_.size();
        }
    }

 private:
    // best_[u·n + b]: the most that u can save with a unit of annotator b.
    void prepare_best_savings(std::size_t count) {
        best_.assign(count * places_, 0);
        for (std::size_t i = 0; i < count; ++i) {
            for (auto at = pairs_.offsets[i]; at < pairs_.offsets[i + 1]; ++at) {
                const auto j = static_cast<std::size_t>(pairs_.other[static_cast<std::size_t>(at)]);
                const Cost saving = kOne - pairs_.cost[static_cast<std::size_t>(at)];
                raise(best(i, j), saving);
                raise(best(j, i), saving);
            }
        }
        groups_.most_saved.assign(count, 0);
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t b = 0; b < places_; ++b) {
                groups_.most_saved[i] += best_[i * places_ + b];
            }
        }
    }

    static void raise(Cost& value, Cost candidate) { value = std::max(value, candidate); }
    Cost& best(std::size_t unit, std::size_t partner) {
        return best_[unit * places_ + static_cast<std::size_t>(place_[partner])];
    }

    // Two annotators: every pair is a group, and the pair bound is the split rule.
    void pairs_of_two(std::int32_t anchor) {
        const auto i = static_cast<std::size_t>(anchor);
        for (auto at = pairs_.offsets[i]; at < pairs_.offsets[i + 1]; ++at) {
            groups_.members.push_back(anchor);
            groups_.members.push_back(pairs_.other[static_cast<std::size_t>(at)]);
            groups_.member_offsets.push_back(static_cast<std::int64_t>(groups_.members.size()));
            groups_.cost.push_back(pairs_.cost[static_cast<std::size_t>(at)]);
        }
    }

    struct Candidate {
        std::int32_t unit;
        Cost saving;  // with the anchor
    };

    // A unit that has joined the group under construction.
    struct Member {
        std::int32_t unit;
        Cost saved;             // with the members so far
        Cost still_to_win;      // at most, with annotators not yet decided
        std::size_t candidate;  // its position among the candidates; the anchor has none
    };

    // Whether u and v can share a group at all: the split rule for {u} and for {v}, each with the
    // best that every other annotator could offer.
    bool can_share(std::size_t u, std::size_t v, Cost saving) {
        return saving + groups_.most_saved[u] - best(u, v) > floor_ &&
               saving + groups_.most_saved[v] - best(v, u) > floor_;
    }

    void groups_from(std::int32_t anchor) {
        const auto i = static_cast<std::size_t>(anchor);
        candidates_.clear();
        for (auto at = pairs_.offsets[i]; at < pairs_.offsets[i + 1]; ++at) {
            const std::int32_t j = pairs_.other[static_cast<std::size_t>(at)];
            const Cost saving = kOne - pairs_.cost[static_cast<std::size_t>(at)];
            if (can_share(i, static_cast<std::size_t>(j), saving))
                candidates_.push_back({j, saving});
        }
        if (candidates_.empty()) return;
        // By annotator, and the most promising first: a search that is cut short has then seen the
        // best, and the order of what is found is made canonical at the end.
        const auto promise = [&](const Candidate& candidate) {
            if (wish_.shares == nullptr) return candidate.saving;
            return candidate.saving + (*wish_.shares)[static_cast<std::size_t>(candidate.unit)];
        };
        std::stable_sort(candidates_.begin(), candidates_.end(), [&](const auto& a, const auto& b) {
            const std::int32_t place_a = place_[static_cast<std::size_t>(a.unit)];
            const std::int32_t place_b = place_[static_cast<std::size_t>(b.unit)];
            return place_a != place_b ? place_a < place_b : promise(a) > promise(b);
        });
        levels_.clear();  // one level for each annotator that has candidates
        Cost to_win = 0;
        for (std::size_t at = 0; at < candidates_.size(); ++at) {
            const std::int32_t at_place = place_[static_cast<std::size_t>(candidates_[at].unit)];
            if (levels_.empty() || levels_.back().place != at_place) {
                levels_.push_back({at_place, at, at});
                to_win += best_[i * places_ + static_cast<std::size_t>(at_place)];
            }
            levels_.back().to = at + 1;
        }
        prepare_between();
        if (wish_.shares != nullptr) prepare_bounds(i);
        savings_.assign(places_ * places_, 0);
        found_members_.clear();
        found_.clear();
        members_.clear();
        members_.push_back({anchor, 0, to_win, 0});
        steps_left_ = std::min(limits_.steps_per_anchor, limits_.steps - groups_.steps);
        const std::int64_t steps_at_first = steps_left_;
        if (!extend(0)) groups_.unfinished.push_back(anchor);
        groups_.steps += steps_at_first - std::max<std::int64_t>(steps_left_, 0);
        store_found();
    }

    // Savings between the candidates, kFarApart where they cannot be aligned.
    void prepare_between() {
        const std::size_t count = candidates_.size();
        between_.assign(count * count, kFarApart);
        position_of_.resize(best_.size() / places_, kNoCandidate);
        for (std::size_t a = 0; a < count; ++a) {
            position_of_[static_cast<std::size_t>(candidates_[a].unit)] = a;
        }
        for (std::size_t a = 0; a < count; ++a) {
            const auto unit = static_cast<std::size_t>(candidates_[a].unit);
            for (auto at = pairs_.offsets[unit]; at < pairs_.offsets[unit + 1]; ++at) {
                const auto other =
                    static_cast<std::size_t>(pairs_.other[static_cast<std::size_t>(at)]);
                const std::size_t b = position_of_[other];
                if (b == kNoCandidate) continue;
                const Cost saving = kOne - pairs_.cost[static_cast<std::size_t>(at)];
                between_[a * count + b] = between_[b * count + a] = saving;
            }
        }
        for (const Candidate& candidate : candidates_) {
            position_of_[static_cast<std::size_t>(candidate.unit)] = kNoCandidate;
        }
    }

    // For the bound on the reduced cost: sums_[0] starts as the savings with the anchor, and
    // half_best_[v·levels + l] is half of the most that v saves with candidates of level l and
    // after.
    void prepare_bounds(std::size_t anchor) {
        const std::size_t count = candidates_.size();
        const std::size_t levels = levels_.size();
        value_ = -floor_ - (*wish_.shares)[anchor];
        most_reduced_ = wish_.most_reduced;
        sums_.assign((levels + 1) * count, 0);
        half_best_.assign(count * (levels + 1), 0);
        for (std::size_t v = 0; v < count; ++v) {
            sums_[v] = candidates_[v].saving;
            for (std::size_t level = levels; level-- > 0;) {
                Cost best = 0;
                for (std::size_t w = levels_[level].from; w < levels_[level].to; ++w) {
                    best = std::max(best, between_[v * count + w]);
                }
                half_best_[v * (levels + 1) + level] =
                    half_best_[v * (levels + 1) + level + 1] + (best + 1) / 2;
            }
        }
    }

    // No completion of the group under construction has a smaller reduced cost: each annotator
    // still to decide adds its best unit or none, pairs among them counted half for each.
    [[nodiscard]] Cost least_reduced(std::size_t level) const {
        const std::size_t count = candidates_.size();
        const Cost* sums = sums_.data() + (members_.size() - 1) * count;
        Cost bound = value_;
        for (std::size_t later = level; later < levels_.size(); ++later) {
            Cost least = 0;
            for (std::size_t v = levels_[later].from; v < levels_[later].to; ++v) {
                const Cost share = (*wish_.shares)[static_cast<std::size_t>(candidates_[v].unit)];
                least = std::min(least,
                                 -share - sums[v] - half_best_[v * (levels_.size() + 1) + level]);
            }
            bound += least;
        }
        return bound;
    }

    // Decides the annotator of one level and goes on; false when a limit was reached.
    bool extend(std::size_t level) {
        if (wish_.shares != nullptr && least_reduced(level) > most_reduced_) return true;
        if (level == levels_.size()) {
            if (members_.size() >= 2 && cannot_be_cut()) {
                if (groups_.size() + static_cast<std::int64_t>(found_.size()) >= limits_.groups) {
                    return false;
                }
                keep();
            }
            return true;
        }
        if (--steps_left_ < 0) return false;
        if ((steps_left_ & 0xfff) == 0) stop_.check();
        const Level& here = levels_[level];
        for (Member& member : members_) member.still_to_win -= best_here(member.unit, here.place);
        bool finished = true;
        for (std::size_t at = here.from; finished && at < here.to; ++at) {
            if (join(at, level)) {
                if (everyone_can_stay()) finished = extend(level + 1);
                leave();
            }
        }
        if (finished && (members_.size() == 1 || everyone_can_stay())) finished = extend(level + 1);
        for (Member& member : members_) member.still_to_win += best_here(member.unit, here.place);
        return finished;
    }

    [[nodiscard]] Cost best_here(std::int32_t unit, std::int32_t at_place) const {
        return best_[static_cast<std::size_t>(unit) * places_ + static_cast<std::size_t>(at_place)];
    }

    [[nodiscard]] bool everyone_can_stay() const {
        return std::all_of(members_.begin(), members_.end(), [&](const Member& member) {
            return member.saved + member.still_to_win > floor_;
        });
    }

    // Adds a candidate if it can be aligned with every member.
    bool join(std::size_t candidate, std::size_t level) {
        const std::size_t index = members_.size();
        const std::size_t count = candidates_.size();
        Cost saved = 0;
        for (std::size_t m = 0; m < index; ++m) {
            const Cost saving = m == 0 ? candidates_[candidate].saving
                                       : between_[members_[m].candidate * count + candidate];
            if (saving == kFarApart) return false;
            savings_[m * places_ + index] = saving;
            saved += saving;
        }
        for (std::size_t m = 0; m < index; ++m) {
            members_[m].saved += savings_[m * places_ + index];
        }
        const std::int32_t unit = candidates_[candidate].unit;
        Cost to_win = 0;
        for (std::size_t later = level + 1; later < levels_.size(); ++later) {
            to_win += best_here(unit, levels_[later].place);
        }
        members_.push_back({unit, saved, to_win, candidate});
        if (wish_.shares != nullptr) {
            value_ -= (*wish_.shares)[static_cast<std::size_t>(unit)] + saved;
            const Cost* sums = sums_.data() + (index - 1) * count;
            Cost* next = sums_.data() + index * count;
            for (std::size_t v = levels_[level].to; v < count; ++v) {
                const Cost saving = between_[candidate * count + v];
                next[v] =
                    saving == kFarApart || sums[v] == kFarApart ? kFarApart : sums[v] + saving;
            }
        }
        return true;
    }

    void leave() {
        const Member gone = members_.back();
        members_.pop_back();
        const std::size_t index = members_.size();
        for (std::size_t m = 0; m < index; ++m) {
            members_[m].saved -= savings_[m * places_ + index];
        }
        if (wish_.shares != nullptr) {
            value_ += (*wish_.shares)[static_cast<std::size_t>(gone.unit)] + gone.saved;
        }
    }

    [[nodiscard]] bool cannot_be_cut() const {
        return survives_every_cut(savings_, places_, members_.size(), floor_,
                                  [&](std::size_t m) { return members_[m].saved; });
    }

    struct Found {
        std::size_t from;
        std::size_t size;
        Cost cost;
        Cost value;  // the reduced cost, when shares are given
    };

    void keep() {
        Cost twice_saved = 0;
        const std::size_t from = found_members_.size();
        for (const Member& member : members_) {
            twice_saved += member.saved;
            found_members_.push_back(member.unit);
        }
        std::sort(found_members_.begin() + static_cast<std::ptrdiff_t>(from), found_members_.end());
        found_.push_back({from, members_.size(), -floor_ - twice_saved / 2, value_});
        if (wish_.per_anchor > 0 && found_.size() > wish_.per_anchor) forget_the_dearest();
    }

    void forget_the_dearest() {
        const auto by_value = [](const Found& a, const Found& b) { return a.value < b.value; };
        found_.erase(std::max_element(found_.begin(), found_.end(), by_value));
        const Cost dearest = std::max_element(found_.begin(), found_.end(), by_value)->value;
        most_reduced_ = std::min(most_reduced_, dearest - 1);
    }

    void store_found() {
        std::sort(found_.begin(), found_.end(), [&](const Found& a, const Found& b) {
            if (a.size != b.size) return a.size > b.size;
            const auto* left = found_members_.data() + a.from;
            const auto* right = found_members_.data() + b.from;
            return std::lexicographical_compare(left, left + a.size, right, right + b.size);
        });
        for (const Found& found : found_) {
            const auto from = found_members_.begin() + static_cast<std::ptrdiff_t>(found.from);
            groups_.members.insert(groups_.members.end(), from,
                                   from + static_cast<std::ptrdiff_t>(found.size));
            groups_.member_offsets.push_back(static_cast<std::int64_t>(groups_.members.size()));
            groups_.cost.push_back(found.cost);
        }
    }

    struct Level {
        std::int32_t place;
        std::size_t from, to;  // among the candidates
    };

    const Pairs& pairs_;
    std::span<const std::int32_t> place_;
    std::size_t places_;
    Cost floor_;  // -C: what the savings across any cut must exceed
    GroupWish wish_;
    GroupLimits limits_;
    const StopFlag& stop_;
    Groups& groups_;

    std::vector<Cost> best_;
    std::vector<Candidate> candidates_;
    std::vector<Level> levels_;
    std::vector<Member> members_;
    std::vector<Cost> savings_;  // savings_[m·n + k], m < k: between members m and k
    std::vector<std::int32_t> found_members_;
    std::vector<Found> found_;
    std::vector<Cost> between_;             // candidates × candidates
    std::vector<std::size_t> position_of_;  // of a unit among the candidates
    std::vector<Cost> sums_;  // by depth: savings of each candidate with the members so far
    std::vector<Cost> half_best_;
    Cost value_ = 0;  // the reduced cost of the group under construction
    Cost most_reduced_ = 0;
    std::int64_t steps_left_ = 0;
};

}  // namespace

void find_groups(const Pairs& pairs, std::span<const std::int32_t> place, int places,
                 const GroupWish& wish, const GroupLimits& limits, const StopFlag& stop,
                 Groups& groups) {
    GroupSearch(pairs, place, places, wish, limits, stop, groups).run();
}

}  // namespace unisono
