// Asks for groups that cost little more than the shares of their members (pricing).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/groups.hpp"
#include "alignment/savings.hpp"
#include "alignment/stop.hpp"
#include "pricing/candidate_savings.hpp"
#include "pricing/message_passing.hpp"
#include "pricing/partners.hpp"
#include "pricing/subset_row_cuts.hpp"

namespace unisono {

// Each group is looked for at one of its members, its anchor: the first in this order.
enum class AnchorOrder {
    kSweep,
    // By the number of partners that cost little: crowded units then are candidates of few anchors
    // with few other candidates, instead of anchors with many.
    kFewestPartners,
};

// Units numbered anew, with what the search knows of them.
struct Numbering {
    std::vector<std::int32_t> unit_of, number_of;
    Pairs pairs;
    std::vector<std::int32_t> place;
    Savings savings;
};

struct GroupWish {
    Cost most_reduced = 0;       // the largest reduced cost wished for
    std::size_t per_anchor = 0;  // only so many, the cheapest; 0: all
    // Instead, by anchor; or none.
    const std::vector<Cost>* most_reduced_of = nullptr;
    // What groups pay for these counts as a cost; or none.
    const Cuts* cuts = nullptr;
    bool quickly = false;  // some of the cheapest, found by improving guesses; never complete
    const Groups* first_guesses = nullptr;  // these, too; or none
};

// The same answer as listing all groups and keeping those within the wish, without the listing: a
// depth-first search, annotator by annotator, that turns back where no completion can be cheap
// enough. An annotator still to decide adds its best unit or none; what such units save with each
// other counts half for each. Keeps its memory from question to question.
class GroupAsker {
 public:
    GroupAsker(const Pairs& pairs, std::span<const std::int32_t> place, const Savings& savings,
               const StopFlag& stop, AnchorOrder order = AnchorOrder::kSweep);

    // Replaces the groups. True when nothing was cut short; `unfinished` lists the anchors that
    // were. The limit of steps is for all questions together.
    bool ask(const std::vector<Cost>& shares, const GroupWish& wish, const GroupLimits& limits,
             Groups& groups);
    [[nodiscard]] std::int64_t steps() const { return steps_made_; }
    // Counts steps that were made elsewhere.
    void add_steps(std::int64_t steps) { steps_made_ += steps; }
    // By unit: no group anchored at it, found or not, has a reduced cost below this, if it is below
    // what was wished for in the last question.
    [[nodiscard]] const std::vector<Cost>& least_reduced() const { return least_reduced_; }

 private:
    // A candidate that can still join the group under construction.
    struct Live {
        std::uint32_t candidate;
        Cost added;  // what the reduced cost would change by, if it joined now
        Cost least;  // the same, counting its part of what it could save with those still to decide
    };
    // Those of the levels still to decide.
    struct Depth {
        std::vector<Live> live;
        std::vector<std::size_t> begin;  // by level
        std::vector<Cost> least;         // by level, nobody included
    };
    struct Member {
        std::int32_t unit;
        std::size_t candidate;
        Cost price = 0;  // of cuts, paid by joining those before
    };

    void prepare_pairs();
    void number_wish();
    void give_back_units();
    bool prepare();
    void groups_from(std::int32_t anchor);
    void search(std::int32_t anchor);
    void guess(std::int32_t anchor);
    void begin_guess();
    void guess_from(std::int32_t anchor, std::span<const std::int32_t> group);
    [[nodiscard]] std::size_t level_of(std::size_t candidate) const;
    void improve_guess(std::int32_t anchor);
    [[nodiscard]] std::size_t best_of(const Level& level, std::size_t before) const;
    void take(std::int32_t anchor, std::size_t candidate, int sign);
    void keep_guess(std::int32_t anchor);
    bool choose_candidates(std::int32_t anchor);
    bool thin_out(Cost bound, double most_kept);
    void make_levels();
    [[nodiscard]] Cost least_of_all();
    bool settle_live(std::size_t level, Cost value);
    bool descend(std::size_t level, Cost value);
    void note_open(std::size_t level, std::size_t from, Cost value);
    void note_open(Cost bound) { open_ = std::min(open_, bound); }
    template <class Saved>
    void go_deeper(std::size_t level, Saved saved);
    bool keep(Cost cost, Cost value);
    [[nodiscard]] Cost cost_of_members() const;
    [[nodiscard]] Cost price_of_joining(std::int32_t unit) const;
    bool keep_members();
    bool cannot_be_cut();

    // Units are numbered by the order of anchors in all that follows.
    [[nodiscard]] std::int32_t unit_of(std::int32_t number) const {
        return numbering_.unit_of.empty() ? number
                                          : numbering_.unit_of[static_cast<std::size_t>(number)];
    }
    [[nodiscard]] Cost share_of(std::int32_t unit) const {
        return (*shares_)[static_cast<std::size_t>(unit)];
    }
    [[nodiscard]] std::int32_t place_of(std::int32_t unit) const {
        return place_[static_cast<std::size_t>(unit)];
    }

    Numbering numbering_;  // empty where anchors are in sweep order
    const Pairs& pairs_;
    std::span<const std::int32_t> place_;
    const Savings& savings_;
    const StopFlag& stop_;
    Cost floor_;  // -C: what the savings across any cut must exceed
    // By pair: half of what the later unit can save with other partners of the earlier one, one an
    // annotator; kFarApart where the two cannot share a group. The same for all shares.
    std::vector<Cost> half_of_pair_;

    const std::vector<Cost>* shares_ = nullptr;
    std::vector<Cost> numbered_shares_, numbered_most_reduced_;
    Groups numbered_guesses_;
    GroupWish wish_;
    GroupLimits limits_{};
    Groups* groups_ = nullptr;

    Cost anchor_value_ = 0;         // the reduced cost of the anchor alone
    Cost most_reduced_ = 0;         // sinks when only so many groups are wished for
    Cost bound_of_candidates_ = 0;  // of any group, by what each candidate could save at best
    Cost open_ = 0;                 // the least bound of what was cut short at the anchor
    std::vector<Cost> least_reduced_;
    std::int64_t steps_left_ = 0;  // for the anchor at hand
    std::int64_t steps_made_ = 0;  // in all questions
    std::int64_t looks_ = 0;       // at candidates, that are not counted yet
    std::vector<Candidate> candidates_;
    std::vector<Cost> least_of_place_;
    std::vector<std::size_t> kept_, kept_to_;  // candidates, and where each level ends
    std::vector<Level> levels_;
    CoarseBetween between_;
    Between exact_;          // of the same candidates, once there is a group
    bool is_exact_ = false;  // whether it is
    Parts parts_;
    std::vector<Depth> depths_;  // by the level to decide
    std::vector<Member> members_;
    std::vector<Cost> matrix_, saved_;  // of the members, for the split rule
    // Guesses.
    Partners partners_;
    std::vector<std::int32_t> candidate_of_;  // by unit, or none
    std::vector<Cost> added_;                 // by candidate: what it would change, if it joined
    std::vector<int> meets_;                  // by candidate: how many of those guessed it can join
    std::int64_t steps_of_guesses_ = 0;       // that make up no whole step yet
    int taken_ = 0;                           // how many are guessed
    std::vector<std::size_t> guessed_;        // by level: a candidate, or none
    FoundGroups found_;
};

}  // namespace unisono
