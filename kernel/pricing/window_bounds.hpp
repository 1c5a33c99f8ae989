// Long chains in windows: what every stretch costs at least beyond the shares.
//
// On a long chain the gap between shares and optimum is a sum of many small ones, far apart. One
// gap for the whole chain would have to be as large as their sum everywhere. So the chain is cut
// into windows, and each is solved by itself: from nothing covered, units that a group anchored
// before could cover need no group, and what is covered behind its end is free. That is its
// potential δ: the groups anchored in it have at least this reduced cost. A potential counts up to
// the window's cap c, and the groups looked at are those whose reduced cost is at most the slack
// and the caps of all windows that a group anchored there could touch.
//
// So a group that was not looked at costs more than the slack and the potentials of all windows it
// can disturb. Hence every partition costs at least Σ shares + Σ δ, and one within the slack above
// that has only groups that were looked at; of these, the ones anchored from any place on have at
// least the potentials of the windows that begin there. In the same way the potentials of short
// windows help to find those of longer ones, which are better because every border loses some.
#pragma once

#include <cstdint>
#include <vector>

#include "alignment/frontier.hpp"

namespace unisono {

class Windows {
 public:
    // No windows where a chain is short or soft. `cap` is what a potential counts to at first.
    Windows(const Chain& chain, const Pairs& pairs, Cost cap);

    // The largest reduced cost that a group anchored at each unit may have.
    [[nodiscard]] std::vector<Cost> most_reduced(Cost slack) const;

    // Finds the potentials with these groups, and with the cuts and reduced costs of what they are
    // solved within.
    void find_potentials(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
                         const FrontierLimits& within, FrontierProgram& frontier,
                         const StopFlag& stop);

    [[nodiscard]] bool empty() const { return begin_.size() < 2; }
    [[nodiscard]] Cost sum() const { return sum_; }
    // By unit: the potentials of the windows that begin after it.
    [[nodiscard]] const std::vector<Cost>& later() const { return later_; }
    // After a failure. Where potentials were cut off by their caps, lets them count to more; where
    // hardly any was, joins windows two by two, as long as enough are left, since a border costs
    // potential. True in the second case.
    bool loosen();

 private:
    [[nodiscard]] std::size_t count() const { return begin_.size() - 1; }
    void join_two_by_two();

    std::size_t units_;
    Cost least_cap_;
    std::size_t widest_ = 1;  // no group reaches further than this many places after its anchor
    // First short windows, then these joined two by two, and so on; the last ones count.
    std::vector<std::vector<std::size_t>> levels_;
    std::vector<std::size_t> begin_;  // of the last level
    // What the windows it was joined from have; what a potential counts to; and what it is.
    std::vector<Cost> base_, cap_, potential_;
    std::vector<Cost> later_;
    Cost sum_ = 0;
};

}  // namespace unisono
