#include "pricing/gap_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "pricing/completion_bounds.hpp"
#include "pricing/dual_values.hpp"
#include "pricing/window_bounds.hpp"

namespace unisono {

namespace {

constexpr double kRounding = 1e-9;
// In lonely units' costs. Twice as much takes 1.4 times as long.
constexpr double kFirstSlack = 3e-3;
constexpr double kFirstOfWindows = 1e-2;
constexpr double kFirstCap = 2e-2;
// Inherited: twice or half of each changes times by less than 15 %.
// The slack grows by this, or by less where groups or states would become many times more.
constexpr double kMostGrowth = 2.5;
constexpr double kLeastGrowth = 1.25;
constexpr double kGrowthOfLittle = 6.0;  // where a pass has hardly any groups and states
constexpr std::int64_t kVeryFewGroups = 3, kVeryFewStates = 5;  // a unit
constexpr double kClose = 1.1;  // no slack between two that are closer
constexpr double kMostMore = 4.0;
// A slack known to be enough is tried instead of one that is smaller by this, unless work grows.
constexpr double kNear = 2.0;
constexpr double kNearWhereDear = 1.15;
constexpr std::int64_t kFewStates = 20;  // a unit: as much work as listing the groups
constexpr double kMostGrowthWithEnds = 1.6;
// A unit: for ends of the chain, and with how many in the pass before they get more.
constexpr std::int64_t kStatesForEnds = 200;
constexpr std::int64_t kMostStatesForEnds = 3'200;
constexpr std::int64_t kManyStates = 100;
constexpr std::int64_t kStatesOfEndsWorthOne = 4;
constexpr double kBeyondTheBound = 1.25;
constexpr double kSurely = 1.3;  // times a limit

constexpr Cost kUnknown = std::numeric_limits<Cost>::max() / 2;

class Deepening {
 public:
    Deepening(const Chain& chain, const Pairs& pairs, const std::vector<Cost>& shares,
              const Cuts& cuts, const Limits& limits, GroupAsker& asker, FrontierProgram& frontier,
              const StopFlag& stop, PricedSolution& solution)
        : chain_(chain),
          shares_(shares),
          cuts_(cuts.empty() ? nullptr : &cuts),
          prices_(cuts.sum_of_prices()),
          limits_(limits),
          asker_(asker),
          frontier_(frontier),
          stop_(stop),
          solution_(solution),
          whole_(pair_count(chain.places)),
          bound_(sum_of_shares(shares) - in_empties(prices_) * (1.0 + kRounding)),
          windows_(chain, pairs, quantised(kFirstCap)),
          can_have_ends_(windows_.empty() && !chain.soft),
          solves_ends_(can_have_ends_ && limits.endless_states < 0) {}

    void run() {
        solution_.lower_bound = std::max(solution_.lower_bound, bound_);
        if (solution_.lower_bound > limits_.known) return;
        if (std::isfinite(limits_.known)) above_shares_ = slack_for(limits_.known);
        // What another bound has shown to be too little is not tried.
        Cost enough_for_a_bound = known_to_be_too_little();
        Cost slack = first_slack(enough_for_a_bound);
        Cost too_much = kUnknown;
        while (true) {
            const Outcome outcome = solve_within(slack);
            if (outcome == Outcome::kSolved) {
                solution_.solved = true;
                return;
            }
            note_bound();
            if (solution_.lower_bound > limits_.known || is_good_enough()) return forget_groups();
            if (outcome == Outcome::kLimitReached) {
                if (limits_.ends_at_a_limit && !is_worth_less(too_much)) return forget_groups();
                // Perhaps less is enough, or at least a better bound.
                too_much = slack;
            } else {
                enough_for_a_bound = slack;
            }
            if (too_much != kUnknown) {
                slack = between(enough_for_a_bound, too_much);
                if (slack == too_much || stop_.late()) break;
                continue;
            }
            if (!windows_.loosen()) continue;
            const Cost next = next_slack(slack);
            if (limits_.ends_at_a_limit && would_be_too_much(slack, next)) return forget_groups();
            slack = next;
        }
        forget_groups();
    }

 private:
    void forget_groups() {
        solution_.groups = Groups();
        solution_.chosen.clear();
    }

    [[nodiscard]] Cost known_to_be_too_little() const {
        if (!can_have_ends_ || solution_.lower_bound <= bound_) return 0;
        return quantised((solution_.lower_bound - bound_) / static_cast<double>(whole_));
    }

    Cost first_slack(Cost too_little) {
        const Cost first = quantised(windows_.empty() ? kFirstSlack : kFirstOfWindows);
        const auto next = static_cast<Cost>(kBeyondTheBound * static_cast<double>(too_little));
        if (next <= first) return first;
        solves_ends_ = true;
        return next;
    }

    static double in_empties(Cost cost) {
        return static_cast<double>(cost) / static_cast<double>(kOne);
    }

    [[nodiscard]] Cost quantised(double lonely_units) const {
        return static_cast<Cost>(lonely_units * static_cast<double>(whole_ * kOne));
    }

    // With it a partition that costs so much is found, or a bound that is above.
    [[nodiscard]] Cost slack_for(double value) const {
        const double above = (value - bound_) * (1.0 + 10.0 * kRounding) + kRounding;
        return static_cast<Cost>(above * static_cast<double>(kOne)) + 1;
    }

    // Whether less than a slack that is too much is tried where cuts, or cases, come next: once,
    // and only before cases.
    [[nodiscard]] bool is_worth_less(Cost too_much) const {
        return too_much == kUnknown && cuts_ != nullptr && !limits_.is_case;
    }

    // A slack in the middle, by factors; the upper one where they are close.
    static Cost between(Cost lower, Cost upper) {
        if (lower == 0) return upper;
        const double factor = static_cast<double>(upper) / static_cast<double>(lower);
        if (factor < kClose) return upper;
        const auto middle = static_cast<Cost>(static_cast<double>(lower) * std::sqrt(factor));
        return std::max(lower + 1, middle);
    }

    // Grows by a factor, or by less where there would be many times more work. Not beyond, but if
    // it is near up to, what a partition is known for: with that slack one is found.
    Cost next_slack(Cost slack) {
        const double groups = static_cast<double>(solution_.groups.size());
        const double states = static_cast<double>(kFewStates * chain_length() + states_of_pass_);
        if (groups_before_ > 0.0) {
            const double more = std::max(groups / groups_before_, states / states_before_);
            if (more > 1.0) {
                growth_ = std::clamp(std::pow(growth_, std::log(kMostMore) / std::log(more)),
                                     kLeastGrowth, kMostGrowth);
            }
        }
        if (solves_ends_) growth_ = std::min(growth_, kMostGrowthWithEnds);
        groups_before_ = groups;
        states_before_ = states;
        const Cost known = above_shares_ - windows_.sum();
        const bool is_little = windows_.empty() && !limits_.is_case &&
                               solution_.groups.size() <= kVeryFewGroups * chain_length() &&
                               states_of_pass_ <= kVeryFewStates * chain_length();
        const double next = static_cast<double>(slack) * (is_little ? kGrowthOfLittle : growth_);
        const double near = growth_ < kMostGrowth ? kNearWhereDear : kNear;
        const bool is_near = static_cast<double>(known) <= near * next;
        return std::max(slack, is_near ? known : static_cast<Cost>(next));
    }

    // Whether the groups within the next slack will surely be more than the limit, if they go on
    // growing as they did.
    bool would_be_too_much(Cost slack, Cost next) {
        const Passed before = std::exchange(
            passed_, {static_cast<double>(slack), static_cast<double>(solution_.groups.size())});
        if (before.groups <= 0.0 || before.slack >= passed_.slack || !windows_.empty())
            return false;
        const double power =
            std::log(passed_.groups / before.groups) / std::log(passed_.slack / before.slack);
        const double groups =
            passed_.groups * std::pow(static_cast<double>(next) / passed_.slack, power);
        return groups > kSurely * static_cast<double>(limits_.groups);
    }

    // All groups that a partition within the slack may have.
    bool find_groups(Cost slack) {
        const std::vector<Cost> most = windows_.most_reduced(slack);
        GroupWish wish;
        wish.most_reduced_of = &most;
        wish.cuts = cuts_;
        return asker_.ask(shares_, wish, limits_.of_groups(), solution_.groups);
    }

    // The optimum, if it costs at most the shares, the windows' potentials and the slack.
    Outcome solve_within(Cost slack) {
        at_least_ = 0;
        if (!find_groups(slack)) return Outcome::kLimitReached;
        const std::vector<Cost> reduced = reduced_costs();
        FrontierLimits limits;
        limits.states = limits_.states;
        limits.states_at_once = limits_.states_at_once;
        limits.gap = slack;
        limits.cuts = cuts_;
        limits.reduced = &reduced;
        if (solves_ends_) return solve_with_ends(limits);
        if (!windows_.empty()) {
            windows_.find_potentials(chain_, solution_.groups, shares_, limits, frontier_, stop_);
            limits.gap += windows_.sum();
            limits.later = &windows_.later();
        }
        const Outcome outcome =
            frontier_.solve(chain_, solution_.groups, shares_, limits, stop_, solution_.chosen);
        if (outcome == Outcome::kGapTooSmall) at_least_ = slack;
        states_of_pass_ = states_of_last_ = frontier_.states();
        if (states_of_last_ > limits_.endless_states * chain_length()) {
            solves_ends_ = can_have_ends_;
        }
        return outcome;
    }

    Outcome solve_with_ends(const FrontierLimits& limits) {
        // States of ends are the cheaper ones: many others mean that ends have had too few.
        if (states_of_last_ > kManyStates * chain_length()) {
            states_for_ends_ = std::min(kMostStatesForEnds, 2 * states_for_ends_);
        }
        const Endings ends = find_endings(chain_, solution_.groups, shares_, limits,
                                          states_for_ends_, frontier_, stop_);
        FrontierLimits within = limits;
        within.later = &ends.later;
        const Outcome outcome =
            frontier_.solve(chain_, solution_.groups, shares_, within, stop_, solution_.chosen);
        at_least_ = outcome == Outcome::kGapTooSmall ? limits.gap : ends.known();
        states_of_last_ = frontier_.states();
        states_of_pass_ = states_of_last_ + ends.states / kStatesOfEndsWorthOne;
        return outcome;
    }

    [[nodiscard]] std::vector<Cost> reduced_costs() const {
        const Groups& groups = solution_.groups;
        std::vector<Cost> reduced(groups.cost.size());
        for (std::size_t g = 0; g < reduced.size(); ++g) {
            reduced[g] = reduced_cost(groups.members_of(static_cast<std::int64_t>(g)),
                                      groups.cost[g], shares_, cuts_);
        }
        return reduced;
    }

    [[nodiscard]] std::int64_t chain_length() const {
        return static_cast<std::int64_t>(shares_.size());
    }

    void note_bound() {
        const double above = in_empties(windows_.sum() + at_least_);
        solution_.lower_bound = std::max(solution_.lower_bound, bound_ + above * (1.0 - kRounding));
    }

    [[nodiscard]] bool is_good_enough() const {
        return limits_.tolerance > 0.0 && std::isfinite(limits_.known) &&
               limits_.known - solution_.lower_bound <= limits_.tolerance * limits_.known;
    }

    const Chain& chain_;
    const std::vector<Cost>& shares_;
    const Cuts* cuts_;
    Cost prices_;
    const Limits& limits_;
    GroupAsker& asker_;
    FrontierProgram& frontier_;
    const StopFlag& stop_;
    PricedSolution& solution_;
    std::int64_t whole_;  // C: what a unit alone costs
    double bound_;        // the shares' sum, less the prices
    Windows windows_;
    // What the partition known costs above the shares.
    Cost above_shares_ = kUnknown;
    double growth_ = kMostGrowth;
    double groups_before_ = 0.0;
    double states_before_ = 0.0;
    struct Passed {
        double slack = 0.0, groups = 0.0;
    } passed_;
    Cost at_least_ = 0;                // that every partition costs beyond the bound: the last pass
    std::int64_t states_of_pass_ = 0;  // counting those of ends, too
    std::int64_t states_of_last_ = 0;
    std::int64_t states_for_ends_ = kStatesForEnds;
    bool can_have_ends_;
    bool solves_ends_;  // before a pass
};

}  // namespace

void deepen(const Chain& chain, const Pairs& pairs, const std::vector<Cost>& shares,
            const Cuts& cuts, const Limits& limits, GroupAsker& asker, FrontierProgram& frontier,
            const StopFlag& stop, PricedSolution& solution) {
    Deepening(chain, pairs, shares, cuts, limits, asker, frontier, stop, solution).run();
}

}  // namespace unisono
