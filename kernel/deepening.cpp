#include "deepening.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "approximating.hpp"
#include "shares.hpp"
#include "windows.hpp"

namespace unisono {

namespace {

constexpr double kRounding = 1e-9;
// In lonely units' costs.
constexpr double kFirstSlack = 3e-3;
constexpr double kFirstOfWindows = 1e-2;
constexpr double kFirstCap = 2e-2;
// The slack grows by this, or by less where the groups would become many times more.
constexpr double kMostGrowth = 2.5;
constexpr double kLeastGrowth = 1.25;
constexpr double kClose = 1.1;  // no slack between two that are closer
constexpr double kMostMoreGroups = 4.0;
constexpr std::int64_t kQuickBeam = 300;
constexpr Cost kFarAbove = 5;  // times the slack

constexpr Cost kUnknown = std::numeric_limits<Cost>::max();

class Deepening {
 public:
    Deepening(const Chain& chain, const Pairs& pairs, const std::vector<Cost>& shares,
              const DeepeningLimits& limits, GroupAsker& asker, FrontierProgram& frontier,
              const StopFlag& stop, PricedSolution& solution)
        : chain_(chain),
          shares_(shares),
          limits_(limits),
          asker_(asker),
          frontier_(frontier),
          stop_(stop),
          solution_(solution),
          whole_(pair_count(chain.places)),
          bound_(sum_of_shares(shares)),
          windows_(chain, pairs, quantised(kFirstCap)) {}

    void run() {
        solution_.lower_bound = std::max(solution_.lower_bound, bound_);
        Cost slack = quantised(windows_.empty() ? kFirstSlack : kFirstOfWindows);
        Cost enough_for_a_bound = 0;
        Cost too_much = kUnknown;
        while (true) {
            const Outcome outcome = solve_within(slack);
            if (outcome == Outcome::kSolved) {
                solution_.solved = true;
                return;
            }
            note_bound(outcome == Outcome::kGapTooSmall ? slack : 0);
            if (outcome == Outcome::kLimitReached) {
                // Perhaps less is enough, or at least a better bound.
                too_much = slack;
                slack = between(enough_for_a_bound, too_much);
                if (slack == too_much || stop_.late()) break;
                continue;
            }
            enough_for_a_bound = slack;
            if (too_much != kUnknown) {
                slack = between(enough_for_a_bound, too_much);
                if (slack == too_much) break;
                continue;
            }
            if (!windows_.loosen()) continue;
            if (is_far(slack)) look_for_partition(kQuickBeam);
            if (is_good_enough()) break;
            slack = next_slack(slack);
        }
        if (!is_good_enough()) look_for_partition(limits_.without_proof.beam);
        solution_.groups = std::move(best_groups_);
        solution_.chosen = std::move(best_chosen_);
    }

 private:
    [[nodiscard]] Cost quantised(double lonely_units) const {
        return static_cast<Cost>(lonely_units * static_cast<double>(whole_ * kOne));
    }

    // A slack in the middle, by factors; the upper one where they are close.
    static Cost between(Cost lower, Cost upper) {
        if (lower == 0) return upper;
        const double factor = static_cast<double>(upper) / static_cast<double>(lower);
        if (factor < kClose) return upper;
        return static_cast<Cost>(static_cast<double>(lower) * std::sqrt(factor));
    }

    // Whether no partition is known that costs little more than what was looked through.
    [[nodiscard]] bool is_far(Cost slack) const {
        return best_chosen_.empty() || above_shares_ - windows_.sum() > kFarAbove * slack;
    }

    // Grows by a factor, or by less where the groups would become many times more. No further than
    // to what a partition is known for: with that slack one is found.
    Cost next_slack(Cost slack) {
        const auto groups_now = static_cast<double>(solution_.groups.size());
        if (groups_before_ > 0.0 && groups_now > groups_before_) {
            const double more = groups_now / groups_before_;
            growth_ = std::clamp(std::pow(growth_, std::log(kMostMoreGroups) / std::log(more)),
                                 kLeastGrowth, kMostGrowth);
        }
        groups_before_ = groups_now;
        const Cost known = above_shares_ - windows_.sum();
        const Cost next = static_cast<Cost>(static_cast<double>(slack) * growth_);
        return std::max(slack, std::min(next, known));
    }

    // The optimum, if it costs at most the shares, the windows' potentials and the slack.
    Outcome solve_within(Cost slack) {
        const std::vector<Cost> most = windows_.most_reduced(slack);
        GroupWish wish;
        wish.most_reduced_of = &most;
        if (!asker_.ask(shares_, wish, limits_.groups, stop_, solution_.groups)) {
            return Outcome::kLimitReached;
        }
        FrontierLimits limits;
        limits.states = limits_.states;
        limits.states_at_once = limits_.states_at_once;
        limits.gap = slack;
        if (!windows_.empty()) {
            windows_.find_potentials(chain_, solution_.groups, shares_, frontier_, stop_);
            limits.gap += windows_.sum();
            limits.later = &windows_.later();
        }
        return frontier_.solve(chain_, solution_.groups, shares_, limits, stop_, solution_.chosen);
    }

    void note_bound(Cost slack) {
        const double above =
            static_cast<double>(windows_.sum() + slack) / static_cast<double>(kOne);
        solution_.lower_bound = std::max(solution_.lower_bound, bound_ + above * (1.0 - kRounding));
    }

    // Any partition by the groups at hand, as good as a beam finds; keeps the best so far.
    void look_for_partition(std::int64_t beam) {
        FrontierLimits limits = limits_.without_proof;
        limits.beam = beam;
        Chosen chosen;
        approximate(chain_, solution_.groups, shares_, limits, frontier_, stop_, chosen);
        Cost above = 0;
        double value = 0.0;
        for (const auto& [anchor, group] : chosen) {
            const Cost cost =
                group < 0 ? whole_ * kOne : solution_.groups.cost[static_cast<std::size_t>(group)];
            above += cost;
            value += static_cast<double>(cost) / static_cast<double>(kOne);
        }
        for (const Cost share : shares_) above -= share;
        if (above >= above_shares_) return;
        above_shares_ = above;
        value_ = value;
        best_groups_ = solution_.groups;
        best_chosen_ = std::move(chosen);
    }

    [[nodiscard]] bool is_good_enough() const {
        return !best_chosen_.empty() &&
               value_ - solution_.lower_bound <= limits_.tolerance * value_;
    }

    const Chain& chain_;
    const std::vector<Cost>& shares_;
    const DeepeningLimits& limits_;
    GroupAsker& asker_;
    FrontierProgram& frontier_;
    const StopFlag& stop_;
    PricedSolution& solution_;
    std::int64_t whole_;  // C: what a unit alone costs
    double bound_;        // the shares' sum
    Windows windows_;
    // The best partition found without proof.
    Cost above_shares_ = kUnknown;
    double value_ = 0.0;
    double growth_ = kMostGrowth;
    double groups_before_ = 0.0;
    Groups best_groups_;
    Chosen best_chosen_;
};

}  // namespace

void deepen(const Chain& chain, const Pairs& pairs, const std::vector<Cost>& shares,
            const DeepeningLimits& limits, GroupAsker& asker, FrontierProgram& frontier,
            const StopFlag& stop, PricedSolution& solution) {
    Deepening(chain, pairs, shares, limits, asker, frontier, stop, solution).run();
}

}  // namespace unisono
