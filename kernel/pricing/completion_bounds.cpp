#include "pricing/completion_bounds.hpp"

#include <algorithm>

#include "alignment/reach.hpp"

namespace unisono {

namespace {

// Inherited: twice or half of each changes times by less than 15 %.
constexpr std::size_t kEnds = 16;
constexpr std::size_t kShortestStep = 10;
constexpr Cost kParts = 16;  // of the slack: what is looked for grows by one of them at a time

}  // namespace

Endings find_endings(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
                     const FrontierLimits& within, std::int64_t states_per_unit,
                     FrontierProgram& frontier, const StopFlag& stop) {
    const Cost slack = within.gap;
    const std::size_t units = chain.units.size();
    const std::size_t step = std::max(kShortestStep, units / kEnds);
    Endings endings{std::vector<Cost>(units, 0), 0};
    FrontierLimits limits;
    limits.later = &endings.later;
    limits.cuts = within.cuts;
    limits.reduced = within.reduced;
    Cost known = 0;
    for (std::size_t to = units; to > step && known < slack; to -= step) {
        const std::size_t from = to - step;
        const std::vector<char> free = covered_from_before(groups, {0, from, units});
        limits.states = states_per_unit * static_cast<std::int64_t>(units - from);
        // With little to spend there are few states: more is looked for only if that is too little.
        for (bool is_more = true; is_more && known < slack && !stop.late();) {
            limits.gap = std::min(slack, known + slack / kParts + 1);
            const Cost least =
                frontier.least_reduced(chain, groups, shares, {from, units, &free}, limits, stop);
            endings.states += frontier.states();
            is_more = least >= limits.gap;
            known = std::max(known, least);
        }
        std::fill_n(endings.later.begin(), from, known);  // longer ends cost no less
    }
    return endings;
}

}  // namespace unisono
