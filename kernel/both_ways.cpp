#include "both_ways.hpp"

#include <algorithm>

#include "endings.hpp"
#include "mirroring.hpp"

namespace unisono {

namespace {

// In their fixed order.
Groups only(std::vector<std::int64_t>& wanted, const Groups& groups) {
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    Groups kept;
    kept.clear(groups.of_anchor.size() - 1);
    auto next = wanted.begin();
    for (std::size_t anchor = 1; anchor < groups.of_anchor.size(); ++anchor) {
        for (; next != wanted.end() && *next < groups.of_anchor[anchor]; ++next) {
            kept.add(groups.members_of(*next), groups.cost[static_cast<std::size_t>(*next)]);
        }
        kept.of_anchor[anchor] = kept.size();
    }
    return kept;
}

class BothWays {
 public:
    BothWays(const Chain& chain, Groups& groups, const std::vector<Cost>& shares,
             const FrontierLimits& limits, const EndLimits& end_limits, FrontierProgram& frontier,
             const StopFlag& stop, Chosen& chosen)
        : chain_(chain),
          groups_(groups),
          shares_(shares),
          limits_(limits),
          end_limits_(end_limits),
          frontier_(frontier),
          stop_(stop),
          chosen_(chosen) {}

    Pass run() {
        const Endings ends = ends_of(chain_, groups_, shares_, limits_);
        const bool always_turns = end_limits_.turning > 1.0;
        const double slack = static_cast<double>(limits_.gap);
        if (always_turns || static_cast<double>(ends.known()) < end_limits_.turning * slack) {
            const Mirror mirror(chain_, groups_, shares_, limits_);
            const Endings turned =
                ends_of(mirror.chain(), mirror.groups(), mirror.shares(), mirror.limits());
            if (always_turns || turned.known() > ends.known()) return pass(mirror, turned);
        }
        FrontierLimits limits = limits_;
        limits.later = &ends.later;
        return end(frontier_.solve(chain_, groups_, shares_, limits, stop_, chosen_));
    }

 private:
    Endings ends_of(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
                    const FrontierLimits& limits) {
        Endings ends = find_endings(chain, groups, shares, limits, end_limits_.states_per_unit,
                                    frontier_, stop_);
        states_of_ends_ += ends.states;
        at_least_ = std::max(at_least_, ends.known());
        return ends;
    }

    Pass pass(const Mirror& mirror, const Endings& ends) {
        FrontierLimits limits = mirror.limits();
        limits.later = &ends.later;
        std::vector<std::int64_t> of_optima;
        limits.of_optima = &of_optima;
        Chosen from_there;
        Pass done = end(frontier_.solve(mirror.chain(), mirror.groups(), mirror.shares(), limits,
                                        stop_, from_there));
        if (done.outcome != Outcome::kSolved) return done;
        for (std::int64_t& group : of_optima) group = mirror.original(group);
        groups_ = only(of_optima, groups_);
        FrontierLimits among_optima = limits_;
        among_optima.reduced = nullptr;
        done.outcome = frontier_.solve(chain_, groups_, shares_, among_optima, stop_, chosen_);
        return done;
    }

    [[nodiscard]] Pass end(Outcome outcome) const {
        const Cost at_least = outcome == Outcome::kGapTooSmall ? limits_.gap : at_least_;
        return {outcome, at_least, frontier_.states(), states_of_ends_};
    }

    const Chain& chain_;
    Groups& groups_;
    const std::vector<Cost>& shares_;
    const FrontierLimits& limits_;
    const EndLimits& end_limits_;
    FrontierProgram& frontier_;
    const StopFlag& stop_;
    Chosen& chosen_;
    Cost at_least_ = 0;
    std::int64_t states_of_ends_ = 0;
};

}  // namespace

Pass solve_both_ways(const Chain& chain, Groups& groups, const std::vector<Cost>& shares,
                     const FrontierLimits& limits, const EndLimits& end_limits,
                     FrontierProgram& frontier, const StopFlag& stop, Chosen& chosen) {
    return BothWays(chain, groups, shares, limits, end_limits, frontier, stop, chosen).run();
}

}  // namespace unisono
