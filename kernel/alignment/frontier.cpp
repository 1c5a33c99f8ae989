#include "alignment/frontier.hpp"

#include "alignment/frontier_run.hpp"
#include "alignment/reach.hpp"
#include "alignment/soft_frontier.hpp"

namespace unisono {

namespace {

// Most chains are narrow and many: these share the memory that is kept.
template <int Words, class Call>
auto with_memory(Frontier<1>& narrow, Call call) {
    if constexpr (Words == 1) {
        return call(narrow);
    } else {
        Frontier<Words> wide;
        return call(wide);
    }
}

}  // namespace

double cost_of(const Chain& chain, const Groups& groups, const Chosen& chosen) {
    const auto alone = static_cast<double>(pair_count(chain.places) * kOne);
    double cost = 0.0;
    for (const auto& [anchor, group] : chosen) {
        cost +=
            group < 0 ? alone : static_cast<double>(groups.cost[static_cast<std::size_t>(group)]);
    }
    return cost / static_cast<double>(kOne);
}

struct FrontierProgram::Memory {
    Frontier<1> narrow;
};

FrontierProgram::FrontierProgram() : memory_(std::make_unique<Memory>()) {}
FrontierProgram::~FrontierProgram() = default;
FrontierProgram::FrontierProgram(FrontierProgram&&) noexcept = default;
FrontierProgram& FrontierProgram::operator=(FrontierProgram&&) noexcept = default;

Outcome FrontierProgram::solve(const Chain& chain, const Groups& groups,
                               const std::vector<Cost>& shares, const FrontierLimits& limits,
                               const StopFlag& stop, Chosen& chosen) {
    const std::size_t width = widest_reach(chain, groups, 0, chain.units.size());
    states_ = 0;
    if (chain.soft) return solve_softly(chain, groups, shares, limits, width, stop, chosen);
    // One more bit than the width: bit 0 is the anchor itself until the step.
    return with_mask_of<Outcome>(width + 1, Outcome::kLimitReached, [&](auto words) {
        return with_memory<words.value>(memory_->narrow, [&](auto& frontier) {
            const Outcome outcome = frontier.run(chain, groups, shares, limits, stop, chosen);
            states_ = frontier.states();
            return outcome;
        });
    });
}

Cost FrontierProgram::least_reduced(const Chain& chain, const Groups& groups,
                                    const std::vector<Cost>& shares, const Stretch& stretch,
                                    const FrontierLimits& limits, const StopFlag& stop) {
    const std::size_t width = widest_reach(chain, groups, stretch.from, stretch.to);
    states_ = 0;
    return with_mask_of<Cost>(width + 1, 0, [&](auto words) {
        return with_memory<words.value>(memory_->narrow, [&](auto& frontier) {
            const Cost least = frontier.least_reduced(chain, groups, shares, stretch, limits, stop);
            states_ = frontier.states();
            return least;
        });
    });
}

}  // namespace unisono
