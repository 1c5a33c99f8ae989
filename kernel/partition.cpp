#include "partition.hpp"

#include <algorithm>
#include <numeric>

#include "approximating.hpp"
#include "listing.hpp"
#include "matching.hpp"
#include "pricing.hpp"
#include "shares.hpp"

namespace unisono {

namespace {

std::int32_t root_of(std::vector<std::int32_t>& parent, std::int32_t unit) {
    while (parent[static_cast<std::size_t>(unit)] != unit) {
        auto& up = parent[static_cast<std::size_t>(unit)];
        up = parent[static_cast<std::size_t>(up)];
        unit = up;
    }
    return unit;
}

// Units that no group connects can be solved apart. Lists the units chain by chain, chains in the
// order of their first unit.
void cut_into_chains(Workspace& workspace) {
    const Groups& groups = workspace.groups;
    const auto count = static_cast<std::int32_t>(groups.of_anchor.size()) - 1;
    std::vector<std::int32_t>& parent = workspace.parent;
    parent.resize(static_cast<std::size_t>(count));
    std::iota(parent.begin(), parent.end(), 0);
    const auto connect = [&](std::int32_t first, std::int32_t second) {
        const std::int32_t a = root_of(parent, first);
        const std::int32_t b = root_of(parent, second);
        // The first unit of a chain is its root.
        parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    };
    for (std::int64_t g = 0; g < groups.size(); ++g) {
        const auto members = groups.members_of(g);
        for (const std::int32_t member : members.subspan(1)) connect(members[0], member);
    }
    // Groups that were not looked for would hold partners of their anchor, whoever these are.
    const Pairs& pairs = workspace.pairs;
    for (const std::int32_t anchor : groups.unfinished) {
        const auto i = static_cast<std::size_t>(anchor);
        for (auto at = pairs.offsets[i]; at < pairs.offsets[i + 1]; ++at) {
            connect(anchor, pairs.other[static_cast<std::size_t>(at)]);
        }
    }
    std::vector<std::int32_t>& local = workspace.local_index;
    local.assign(static_cast<std::size_t>(count), 0);
    std::vector<std::int64_t>& begin = workspace.chain_begin;
    begin.assign(1, 0);
    std::vector<std::int32_t>& number = workspace.chain_number;
    number.resize(static_cast<std::size_t>(count));
    for (std::int32_t unit = 0; unit < count; ++unit) {
        const auto at = static_cast<std::size_t>(unit);
        const auto root = static_cast<std::size_t>(root_of(parent, unit));
        if (root == at) {
            number[at] = static_cast<std::int32_t>(begin.size()) - 1;
            begin.push_back(0);
        } else {
            number[at] = number[root];
        }
        local[at] = static_cast<std::int32_t>(begin[static_cast<std::size_t>(number[at]) + 1]++);
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    workspace.ordered.resize(static_cast<std::size_t>(count));
    for (std::int32_t unit = 0; unit < count; ++unit) {
        const auto at = static_cast<std::size_t>(unit);
        const std::int64_t first = begin[static_cast<std::size_t>(number[at])];
        workspace.ordered[static_cast<std::size_t>(first + local[at])] = unit;
    }
}

bool touches(std::span<const std::int32_t> sorted, std::span<const std::int32_t> units) {
    return std::any_of(units.begin(), units.end(), [&](std::int32_t unit) {
        return std::binary_search(sorted.begin(), sorted.end(), unit);
    });
}

class Solver {
 public:
    Solver(const Limits& limits, const StopFlag& stop, Workspace& workspace)
        : place_(workspace.units.place),
          places_(workspace.units.places),
          limits_(limits),
          stop_(stop),
          space_(workspace) {}

    void run() {
        const auto count = static_cast<std::int64_t>(place_.size());
        // Beyond four annotators asking is quicker: just long enough for lone pairs.
        const std::int64_t listing =
            places_ > 4 ? limits_.listing_steps / 125 : limits_.listing_steps;
        find_savings(space_.pairs, place_, places_, space_.savings);
        list_groups(
            space_.pairs, place_, space_.savings,
            {at_least(limits_.groups, 64, count), listing, at_least(limits_.steps, 1000, count)},
            stop_, space_.groups);
        cut_into_chains(space_);
        space_.chosen.clear();
        space_.priced.clear();
        space_.priced_begin.clear();
        double bound = 0.0;  // times C
        for (std::size_t c = 0; c + 1 < space_.chain_begin.size(); ++c) {
            const auto from = static_cast<std::size_t>(space_.chain_begin[c]);
            const auto to = static_cast<std::size_t>(space_.chain_begin[c + 1]);
            if (to - from == 1) {
                space_.chosen.emplace_back(space_.ordered[from], -1);
                bound += static_cast<double>(pair_count(places_));
                continue;
            }
            if (to - from == 2 && space_.groups.unfinished.empty()) {
                // One pair, which the strict split rule found better than two units alone.
                const auto anchor = static_cast<std::size_t>(space_.ordered[from]);
                const std::int64_t group = space_.groups.of_anchor[anchor];
                space_.chosen.emplace_back(space_.ordered[from], group);
                bound += cost_of(space_.groups, group);
                continue;
            }
            const std::span<const std::int32_t> units(space_.ordered.data() + from, to - from);
            bound += solve({units, space_.local_index, space_.units.twin, space_.savings.most_saved,
                            places_, limits_.soft});
        }
        write_partition();
        if (!space_.pairs.complete) {
            // Partners are missing, so chains and bounds mean nothing; costs are never negative.
            space_.partition.proven = false;
            bound = 0.0;
        }
        space_.partition.lower_bound = bound / static_cast<double>(pair_count(places_));
    }

 private:
    // Adds the chain's groups to the chosen ones and returns what the chain costs at least.
    double solve(const Chain& chain) {
        const std::size_t before = space_.chosen.size();
        const bool all_groups = !touches(space_.groups.unfinished, chain.units);
        const bool solved = (all_groups && solve_quickly(chain)) ||
                            (places_ == 2 && !limits_.soft &&
                             match_chain(chain, place_, space_.groups, limits_.matching_steps,
                                         stop_, space_.chosen));
        if (!solved && space_.pairs.complete && !stop_.late()) return solve_with_pricing(chain);
        double bound = 0.0;
        if (!solved) {
            space_.partition.proven = false;
            first_shares(chain, space_.shares);
            bound = sum_of_shares(space_.shares);
            approximate(chain, space_.groups, space_.shares, without_proof(), space_.frontier,
                        stop_, space_.chosen);
        }
        double cost = 0.0;
        for (std::size_t at = before; at < space_.chosen.size(); ++at) {
            cost += cost_of(space_.groups, space_.chosen[at].second);
        }
        return solved ? cost : std::clamp(bound, 0.0, cost);
    }

    // Too many groups, or too many states: see pricing.hpp.
    double solve_with_pricing(const Chain& chain) {
        const std::int64_t length = chain_length(chain);
        const PricedSolution solution = solve_by_pricing(
            take_chain(chain, space_.pairs, place_),
            {{at_least(limits_.groups, 64, length), limits_.steps_per_anchor, steps_for(length)},
             at_least(limits_.states, 1000, length),
             limits_.states_at_once,
             without_proof(),
             limits_.tolerance,
             static_cast<std::size_t>(limits_.stretch),
             limits_.uncut_states,
             limits_.undivided_states,
             limits_.endless_states,
             limits_.turning},
            space_.frontier, stop_);
        double cost = 0.0;
        for (const auto& [anchor, group] : solution.chosen) {
            const std::int32_t unit = chain.units[static_cast<std::size_t>(anchor)];
            cost += cost_of(solution.groups, group);
            space_.priced_begin.push_back(static_cast<std::int64_t>(space_.priced.size()));
            if (group < 0) {
                space_.priced.push_back(unit);
            } else {
                for (const std::int32_t member : solution.groups.members_of(group)) {
                    space_.priced.push_back(chain.units[static_cast<std::size_t>(member)]);
                }
            }
            // Groups that are not among the listed ones are numbered downwards from -2.
            const auto number = static_cast<std::int64_t>(space_.priced_begin.size());
            space_.chosen.emplace_back(unit, -1 - number);
        }
        space_.priced_begin.push_back(static_cast<std::int64_t>(space_.priced.size()));
        if (solution.solved) return cost;
        space_.partition.proven = false;
        return std::clamp(solution.lower_bound, 0.0, cost);
    }

    // A limit, or so much for each unit where that is more.
    [[nodiscard]] std::int64_t at_least(std::int64_t limit, double each, std::int64_t units) const {
        const double all = each * static_cast<double>(units) * std::min(1.0, limits_.effort);
        return std::max(limit, static_cast<std::int64_t>(all));
    }

    // Dense chains of some hundred units are worth the most patience.
    [[nodiscard]] std::int64_t steps_for(std::int64_t units) const {
        constexpr std::int64_t kDense = 2'000;
        return std::max(at_least(limits_.steps, 40'000, std::min(units, kDense)),
                        at_least(limits_.steps, 2'000, units));
    }

    [[nodiscard]] FrontierLimits without_proof() const {
        FrontierLimits limits;
        limits.states_at_once = 4 * limits_.states_at_once;
        limits.beam = limits_.beam;
        return limits;
    }

    // Enough for almost every chain: units that do not overlap deeply leave few states.
    bool solve_quickly(const Chain& chain) {
        first_shares(chain, space_.shares);
        FrontierLimits limits;
        limits.states = limits_.states;
        limits.states_per_unit = limits_.easy_states;
        limits.states_at_once = limits_.states_at_once;
        return space_.frontier.solve(chain, space_.groups, space_.shares, limits, stop_,
                                     space_.chosen) == Outcome::kSolved;
    }

    static std::int64_t chain_length(const Chain& chain) {
        return static_cast<std::int64_t>(chain.units.size());
    }

    [[nodiscard]] double cost_of(const Groups& groups, std::int64_t group) const {
        if (group < 0) return static_cast<double>(pair_count(places_));
        return static_cast<double>(groups.cost[static_cast<std::size_t>(group)]) /
               static_cast<double>(kOne);
    }

    void write_partition() {
        // Only by anchor: several groups of one anchor stay in the order they were chosen in.
        std::stable_sort(space_.chosen.begin(), space_.chosen.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        Partition& partition = space_.partition;
        partition.offsets.assign(1, 0);
        partition.members.clear();
        for (const auto& [anchor, group] : space_.chosen) {
            if (group < -1) {
                const auto which = static_cast<std::size_t>(-2 - group);
                partition.members.insert(partition.members.end(),
                                         space_.priced.begin() + space_.priced_begin[which],
                                         space_.priced.begin() + space_.priced_begin[which + 1]);
            } else if (group < 0) {
                partition.members.push_back(anchor);
            } else {
                const auto members = space_.groups.members_of(group);
                partition.members.insert(partition.members.end(), members.begin(), members.end());
            }
            partition.offsets.push_back(static_cast<std::int64_t>(partition.members.size()));
        }
    }

    std::span<const std::int32_t> place_;
    int places_;
    const Limits& limits_;
    const StopFlag& stop_;
    Workspace& space_;
};

}  // namespace

void best_partition(const Limits& limits, const StopFlag& stop, Workspace& workspace) {
    workspace.partition.proven = true;
    const StopFlag timed(stop, limits.seconds);
    Solver(limits, timed, workspace).run();
}

}  // namespace unisono
