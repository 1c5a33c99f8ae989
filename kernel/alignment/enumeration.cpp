#include "alignment/enumeration.hpp"

#include <algorithm>

#include "alignment/split_rule.hpp"
#include "pricing/candidate_savings.hpp"

namespace unisono {

namespace {

constexpr std::size_t kMostCandidates = 300;  // of one anchor

class Listing {
 public:
    Listing(const Pairs& pairs, std::span<const std::int32_t> place, const Savings& savings,
            const GroupLimits& limits, const StopFlag& stop, Groups& groups)
        : pairs_(pairs),
          place_(place),
          savings_(savings),
          floor_(-pair_count(static_cast<int>(savings.places)) * kOne),
          limits_(limits),
          stop_(stop),
          groups_(groups) {}

    void run() {
        const auto count = static_cast<std::size_t>(pairs_.units());
        groups_.clear(count);
        for (std::size_t i = 0; i < count; ++i) {
            stop_.check();
            if (stop_.late()) {
                groups_.unfinished.push_back(static_cast<std::int32_t>(i));
            } else if (savings_.places == 2) {
                pairs_of_two(static_cast<std::int32_t>(i));
            } else {
                groups_from(static_cast<std::int32_t>(i));
            }
            groups_.of_anchor[i + 1] = groups_.size();
        }
    }

 private:
    // Two annotators: every pair is a group, and the pair bound is the split rule.
    void pairs_of_two(std::int32_t anchor) {
        const auto i = static_cast<std::size_t>(anchor);
        for (auto at = pairs_.offsets[i]; at < pairs_.offsets[i + 1]; ++at) {
            const std::int32_t members[] = {anchor, pairs_.other[static_cast<std::size_t>(at)]};
            groups_.add(members, pairs_.cost[static_cast<std::size_t>(at)]);
        }
    }

    // A unit that has joined the group under construction.
    struct Member {
        std::int32_t unit;
        Cost saved;             // with the members so far
        Cost still_to_win;      // at most, with annotators not yet decided
        std::size_t candidate;  // its position among the candidates; the anchor has none
    };

    struct Level {
        std::int32_t place;
        std::size_t from, to;  // among the candidates
    };

    void groups_from(std::int32_t anchor) {
        const auto i = static_cast<std::size_t>(anchor);
        candidates_.clear();
        for (auto at = pairs_.offsets[i]; at < pairs_.offsets[i + 1]; ++at) {
            const std::int32_t j = pairs_.other[static_cast<std::size_t>(at)];
            const Cost saving = kOne - pairs_.cost[static_cast<std::size_t>(at)];
            if (can_share(savings_, place_, anchor, j, saving, floor_)) {
                candidates_.push_back({j, saving});
            }
        }
        if (candidates_.empty()) return;
        const bool too_many = candidates_.size() > kMostCandidates;
        if (too_many) keep_the_closest();
        std::stable_sort(candidates_.begin(), candidates_.end(), [&](const auto& a, const auto& b) {
            const std::int32_t place_a = place_[static_cast<std::size_t>(a.unit)];
            const std::int32_t place_b = place_[static_cast<std::size_t>(b.unit)];
            return place_a != place_b ? place_a < place_b : a.saving > b.saving;
        });
        levels_.clear();  // one level for each annotator that has candidates
        Cost to_win = 0;
        for (std::size_t at = 0; at < candidates_.size(); ++at) {
            const std::int32_t at_place = place_[static_cast<std::size_t>(candidates_[at].unit)];
            if (levels_.empty() || levels_.back().place != at_place) {
                levels_.push_back({at_place, at, at});
                to_win += savings_.with(anchor, at_place);
            }
            levels_.back().to = at + 1;
        }
        between_.prepare(pairs_, candidates_);
        matrix_.assign(savings_.places * savings_.places, 0);
        found_.clear();
        members_.clear();
        members_.push_back({anchor, 0, to_win, 0});
        steps_left_ = std::min(limits_.steps_per_anchor, limits_.steps - groups_.steps);
        const std::int64_t steps_at_first = steps_left_;
        if (!extend(0) || too_many) groups_.unfinished.push_back(anchor);
        groups_.steps += steps_at_first - std::max<std::int64_t>(steps_left_, 0);
        found_.store(groups_);
    }

    // What candidates save with each other is a square of numbers: not for thousands at one place.
    void keep_the_closest() {
        std::stable_sort(candidates_.begin(), candidates_.end(),
                         [](const auto& a, const auto& b) { return a.saving > b.saving; });
        candidates_.resize(kMostCandidates);
    }

    // Decides the annotator of one level and goes on; false when a limit was reached.
    bool extend(std::size_t level) {
        if (level == levels_.size()) return members_.size() < 2 || !cannot_be_cut() || keep();
        if (--steps_left_ < 0) return false;
        const Level& here = levels_[level];
        for (Member& member : members_) {
            member.still_to_win -= savings_.with(member.unit, here.place);
        }
        bool finished = true;
        for (std::size_t at = here.from; finished && at < here.to; ++at) {
            if (join(at, level)) {
                if (everyone_can_stay()) finished = extend(level + 1);
                leave();
            }
        }
        if (finished && (members_.size() == 1 || everyone_can_stay())) finished = extend(level + 1);
        for (Member& member : members_) {
            member.still_to_win += savings_.with(member.unit, here.place);
        }
        return finished;
    }

    [[nodiscard]] bool everyone_can_stay() const {
        return std::all_of(members_.begin(), members_.end(), [&](const Member& member) {
            return member.saved + member.still_to_win > floor_;
        });
    }

    // Adds a candidate if it can be aligned with every member.
    bool join(std::size_t candidate, std::size_t level) {
        const std::size_t index = members_.size();
        Cost saved = 0;
        for (std::size_t m = 0; m < index; ++m) {
            const Cost saving = m == 0 ? candidates_[candidate].saving
                                       : between_.at(members_[m].candidate, candidate);
            if (saving == kFarApart) return false;
            matrix_[m * savings_.places + index] = saving;
            saved += saving;
        }
        for (std::size_t m = 0; m < index; ++m) {
            members_[m].saved += matrix_[m * savings_.places + index];
        }
        const std::int32_t unit = candidates_[candidate].unit;
        Cost to_win = 0;
        for (std::size_t later = level + 1; later < levels_.size(); ++later) {
            to_win += savings_.with(unit, levels_[later].place);
        }
        members_.push_back({unit, saved, to_win, candidate});
        return true;
    }

    void leave() {
        members_.pop_back();
        const std::size_t index = members_.size();
        for (std::size_t m = 0; m < index; ++m) {
            members_[m].saved -= matrix_[m * savings_.places + index];
        }
    }

    [[nodiscard]] bool cannot_be_cut() const {
        return survives_every_cut(matrix_, savings_.places, members_.size(), floor_,
                                  [&](std::size_t m) { return members_[m].saved; });
    }

    bool keep() {
        if (groups_.size() + static_cast<std::int64_t>(found_.size()) >= limits_.groups) {
            return false;
        }
        Cost twice_saved = 0;
        for (const Member& member : members_) twice_saved += member.saved;
        found_.add(members_, -floor_ - twice_saved / 2);
        return true;
    }

    const Pairs& pairs_;
    std::span<const std::int32_t> place_;
    const Savings& savings_;
    Cost floor_;  // -C: what the savings across any cut must exceed
    GroupLimits limits_;
    const StopFlag& stop_;
    Groups& groups_;

    std::vector<Candidate> candidates_;
    std::vector<Level> levels_;
    std::vector<Member> members_;
    std::vector<Cost> matrix_;  // matrix_[m·n + k], m < k: savings between members m and k
    FoundGroups found_;
    Between between_;
    std::int64_t steps_left_ = 0;
};

}  // namespace

void list_groups(const Pairs& pairs, std::span<const std::int32_t> place, const Savings& savings,
                 const GroupLimits& limits, const StopFlag& stop, Groups& groups) {
    Listing(pairs, place, savings, limits, stop, groups).run();
}

}  // namespace unisono
