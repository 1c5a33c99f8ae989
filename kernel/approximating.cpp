#include "approximating.hpp"

#include <algorithm>

#include "reach.hpp"

namespace unisono {

namespace {

constexpr std::int64_t kBeamWork = 100'000'000;
constexpr std::int64_t kNarrowestBeam = 4;

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

// A state tries every group of its anchor, and is as many words long as groups reach far.
std::int64_t affordable_beam(const Chain& chain, const Groups& groups) {
    const auto words =
        static_cast<std::int64_t>(1 + widest_reach(chain, groups, 0, chain.units.size()) / 64);
    std::int64_t tried = 1;
    for (const std::int32_t unit : chain.units) {
        const auto at = static_cast<std::size_t>(unit);
        tried += groups.of_anchor[at + 1] - groups.of_anchor[at];
    }
    return std::max(kNarrowestBeam, kBeamWork / (tried * words));
}

}  // namespace

double cost_of(const Chain& chain, const Groups& groups, const Chosen& chosen) {
    const auto alone = static_cast<double>(pair_count(chain.places) * kOne);
    double cost = 0.0;
    for (const auto& [anchor, group] : chosen) {
        cost +=
            group < 0 ? alone : static_cast<double>(groups.cost[static_cast<std::size_t>(group)]);
    }
    return cost;
}

void approximate(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
                 const FrontierLimits& limits, FrontierProgram& frontier, const StopFlag& stop,
                 Chosen& chosen) {
    Chosen greedy;
    take_what_saves_most(chain, groups, greedy);
    Chosen best = greedy;
    FrontierLimits beamed = limits;
    beamed.beam = std::min(limits.beam, affordable_beam(chain, groups));
    for (; beamed.beam > 0 && !stop.late(); beamed.beam /= 4) {
        Chosen found;
        if (frontier.solve(chain, groups, shares, beamed, stop, found) != Outcome::kSolved) {
            continue;
        }
        if (cost_of(chain, groups, found) < cost_of(chain, groups, greedy)) best = found;
        break;
    }
    chosen.insert(chosen.end(), best.begin(), best.end());
}

}  // namespace unisono
