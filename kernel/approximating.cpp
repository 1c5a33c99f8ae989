#include "approximating.hpp"

#include <algorithm>

namespace unisono {

namespace {

void take_what_saves_most(const Chain& chain, const Groups& groups, Chosen& chosen) {
    std::vector<char> covered(chain.units.size(), 0);
    const auto is_covered = [&](std::int32_t unit) -> char& {
        return covered[static_cast<std::size_t>(chain.local_index[static_cast<std::size_t>(unit)])];
    };
    const Cost alone = pair_count(chain.places) * kOne;
    for (const std::int32_t unit : chain.units) {
        if (is_covered(unit) != 0) continue;
        std::int64_t taken = -1;
        Cost most = 0;
        const auto at = static_cast<std::size_t>(unit);
        for (auto g = groups.of_anchor[at]; g < groups.of_anchor[at + 1]; ++g) {
            const auto members = groups.members_of(g);
            if (std::any_of(members.begin(), members.end(), is_covered)) continue;
            const Cost saved = static_cast<Cost>(members.size()) * alone -
                               groups.cost[static_cast<std::size_t>(g)];
            if (saved > most) {
                most = saved;
                taken = g;
            }
        }
        chosen.emplace_back(unit, taken);
        if (taken < 0) continue;
        for (const std::int32_t member : groups.members_of(taken)) is_covered(member) = 1;
    }
}

}  // namespace

void approximate(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
                 const FrontierLimits& limits, FrontierProgram& frontier, const StopFlag& stop,
                 Chosen& chosen) {
    FrontierLimits beamed = limits;
    for (; beamed.beam > 0; beamed.beam /= 4) {
        if (frontier.solve(chain, groups, shares, beamed, stop, chosen) == Outcome::kSolved) return;
    }
    take_what_saves_most(chain, groups, chosen);
}

}  // namespace unisono
