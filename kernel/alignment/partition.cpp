#include "alignment/partition.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "alignment/edge_cover.hpp"
#include "alignment/enumeration.hpp"
#include "alignment/insertion.hpp"
#include "alignment/matching.hpp"
#include "alignment/unanimous.hpp"
#include "pricing/candidate_savings.hpp"
#include "pricing/column_generation.hpp"
#include "pricing/dual_values.hpp"
#include "pricing/local_search.hpp"

namespace unisono {

namespace {

constexpr double kForInsertion = 0.4;               // seconds after a limit of time
constexpr std::int64_t kMostMembers = 150'000'000;  // of all groups of a search
constexpr std::int64_t kMostPairsToPrice = 20'000'000;
// Work in looks of the frontier program, some 13 ns each: for an alignment, its units, its pairs
// and the steps of the listing. Fitted to the times of real data, within a factor of 1.6.
constexpr std::int64_t kWorkOfAlignment = 80, kWorkOfUnit = 18, kWorkOfPair = 5, kWorkOfStep = 10;
constexpr int kFewestUnanimous = 5;  // annotators; fewer are solved as quickly otherwise

std::int32_t root_of(std::vector<std::int32_t>& parent, std::int32_t unit) {
    while (parent[static_cast<std::size_t>(unit)] != unit) {
        auto& up = parent[static_cast<std::size_t>(unit)];
        up = parent[static_cast<std::size_t>(up)];
        unit = up;
    }
    return unit;
}

// Units that no group connects can be solved apart. Lists the units chain by chain, chains in the
// order of their first unit. Where groups are not listed, pairs that can be in a group connect.
void cut_into_chains(Workspace& workspace, bool lists_groups) {
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
    const Pairs& pairs = workspace.pairs;
    if (!lists_groups) {
        const Savings& savings = workspace.savings;
        const Cost floor = -pair_count(workspace.units.places) * kOne;
        for (std::int32_t unit = 0; unit < count; ++unit) {
            const auto i = static_cast<std::size_t>(unit);
            for (auto at = pairs.offsets[i]; at < pairs.offsets[i + 1]; ++at) {
                const auto pair = static_cast<std::size_t>(at);
                const Cost saving = kOne - pairs.cost[pair];
                if (can_share(savings, workspace.units.place, unit, pairs.other[pair], saving,
                              floor)) {
                    connect(unit, pairs.other[pair]);
                }
            }
        }
    }
    // Groups that were not looked for would hold partners of their anchor, whoever these are.
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
    // `last`: late a little after `stop`, so that there is time for a good partition.
    Solver(const PairCosts& costs, const Limits& limits, const StopFlag& stop, const StopFlag& last,
           Workspace& workspace)
        : costs_(costs),
          place_(workspace.units.place),
          places_(workspace.units.places),
          limits_(limits),
          stop_(stop),
          last_(last),
          space_(workspace) {}

    void run() {
        const auto count = static_cast<std::int64_t>(place_.size());
        find_savings(space_.pairs, place_, places_, space_.savings);
        if (lists_groups()) {
            list_groups(
                space_.pairs, place_, space_.savings,
                {most_groups(count), limits_.listing_steps, at_least(limits_.steps, 1000, count)},
                stop_, space_.groups);
        } else {
            space_.groups.clear(place_.size());
        }
        stop_.spend(kWorkOfAlignment + kWorkOfUnit * count +
                    kWorkOfPair * static_cast<std::int64_t>(space_.pairs.other.size()) +
                    kWorkOfStep * space_.groups.steps);
        cut_into_chains(space_, lists_groups());
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
            if (to - from == 2 && !lists_groups()) {
                bound += choose_pair(space_.ordered[from], space_.ordered[from + 1]);
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
        space_.partition.lower_bound = bound / static_cast<double>(pair_count(places_));
    }

    // Too many pairs for a list of them: chains would mean nothing.
    void run_without_pairs() {
        space_.pairs = Pairs();
        std::vector<std::int32_t>& all = space_.ordered;
        all.resize(place_.size());
        std::iota(all.begin(), all.end(), 0);
        stop_.spend(limits_.insertion_steps);
        space_.chosen.clear();
        space_.priced.clear();
        space_.priced_begin.clear();
        const double bound = bound_from_nearest(costs_, limits_.insertion_steps, last_);
        const InsertedGroups found =
            insert_annotators(costs_, all, limits_.soft, limits_.insertion_steps, last_);
        add_priced(found.size(), [&](std::size_t g) { return found.group(g); });
        space_.partition.proven = false;
        write_partition();
        space_.partition.lower_bound =
            std::min(bound, found.cost) / static_cast<double>(pair_count(places_));
    }

 private:
    [[nodiscard]] bool lists_groups() const { return places_ <= limits_.listed_places; }

    // Chooses the group of two units that share no group with others, and returns its cost.
    double choose_pair(std::int32_t first, std::int32_t second) {
        const std::array<std::int32_t, 2> members{first, second};
        add_priced(1, [&](std::size_t) { return std::span<const std::int32_t>(members); });
        const Cost saving = kOne - costs_.between(first, second);
        return static_cast<double>(pair_count(places_) * kOne - saving) / static_cast<double>(kOne);
    }

    // Adds the chain's groups to the chosen ones and returns what the chain costs at least.
    double solve(const Chain& chain) {
        const std::size_t before = space_.chosen.size();
        const bool all_groups = lists_groups() && !touches(space_.groups.unfinished, chain.units);
        if ((all_groups && solve_quickly(chain)) || (places_ == 2 && solve_as_matching(chain))) {
            double cost = 0.0;
            for (std::size_t at = before; at < space_.chosen.size(); ++at) {
                cost += cost_of(space_.groups, space_.chosen[at].second);
            }
            return cost;
        }
        if (!stop_.late() && can_be_priced(chain)) return solve_with_pricing(chain);
        first_shares(chain, space_.shares);
        const double bound = sum_of_shares(space_.shares);
        if (chain.soft) return insert(chain, bound);
        const LoneChain lone = take_chain(chain, space_.pairs, place_, last_);
        PricedSolution solution = search_locally(lone, {}, limits_.local_steps, last_);
        solution.lower_bound = bound;
        return take(chain, solution);
    }

    // A partition without proof, or a cover.
    double insert(const Chain& chain, double bound) {
        space_.partition.proven = false;
        const InsertedGroups inserted =
            insert_annotators(costs_, chain.units, limits_.soft, limits_.insertion_steps, last_);
        add_priced(inserted.size(), [&](std::size_t g) { return inserted.group(g); });
        return std::clamp(bound, 0.0, inserted.cost);
    }

    // Too many groups, or too many states: see column_generation.hpp.
    double solve_with_pricing(const Chain& chain) {
        const std::int64_t length = chain_length(chain);
        const StopFlag working(stop_, StopFlag::Work{limits_.work});
        const LoneChain lone = take_chain(chain, space_.pairs, place_, working);
        Limits limits = limits_;
        limits.groups = most_groups(length);
        limits.steps = steps_for(length);
        limits.states = at_least(limits_.states, 1000, length);
        if (chain.soft && limits_.tolerance > 0.0) {
            limits.known =
                insert_annotators(costs_, chain.units, true, limits_.insertion_steps, stop_).cost;
        }
        PricedSolution solution = solve_by_pricing(lone, limits, space_.frontier, working);
        if (!solution.chosen.empty()) return take(chain, solution);
        if (chain.soft) return insert(chain, solution.lower_bound);
        PricedSolution found = search_locally(lone, {solution.start}, limits_.local_steps, last_);
        found.lower_bound = solution.lower_bound;
        return take(chain, found);
    }

    // Adds the groups of a solution and returns what the chain costs at least.
    double take(const Chain& chain, const PricedSolution& solution) {
        double cost = 0.0;
        std::vector<std::int32_t> members;  // of all groups, one after the other
        std::vector<std::size_t> begin{0};
        for (const auto& [anchor, group] : solution.chosen) {
            cost += cost_of(solution.groups, group);
            if (group < 0) {
                members.push_back(chain.units[static_cast<std::size_t>(anchor)]);
            } else {
                for (const std::int32_t member : solution.groups.members_of(group)) {
                    members.push_back(chain.units[static_cast<std::size_t>(member)]);
                }
            }
            begin.push_back(members.size());
        }
        add_priced(solution.chosen.size(), [&](std::size_t g) {
            return std::span<const std::int32_t>(members.data() + begin[g],
                                                 begin[g + 1] - begin[g]);
        });
        if (solution.solved) return cost;
        space_.partition.proven = false;
        return std::clamp(solution.lower_bound, 0.0, cost);
    }

    // Chooses groups that are not among the listed ones: they are numbered downwards from -2.
    template <class GroupAt>
    void add_priced(std::size_t count, GroupAt group_at) {
        for (std::size_t g = 0; g < count; ++g) {
            const std::span<const std::int32_t> members = group_at(g);
            if (space_.priced_begin.empty()) space_.priced_begin.push_back(0);
            space_.chosen.emplace_back(members[0],
                                       -1 - static_cast<std::int64_t>(space_.priced_begin.size()));
            space_.priced.insert(space_.priced.end(), members.begin(), members.end());
            space_.priced_begin.push_back(static_cast<std::int64_t>(space_.priced.size()));
        }
    }

    // A limit, or so much for each unit where that is more.
    [[nodiscard]] std::int64_t at_least(std::int64_t limit, double each, std::int64_t units) const {
        const double all = each * static_cast<double>(units) * std::min(1.0, limits_.effort);
        return std::max(limit, static_cast<std::int64_t>(all));
    }

    // So many fit into the memory that groups may take.
    [[nodiscard]] std::int64_t most_groups(std::int64_t units) const {
        return std::min(at_least(limits_.groups, 64, units), kMostMembers / places_);
    }

    // Pricing keeps several lists as long as that of the pairs.
    [[nodiscard]] bool can_be_priced(const Chain& chain) const {
        std::int64_t pairs = 0;
        for (const std::int32_t unit : chain.units) {
            const auto at = static_cast<std::size_t>(unit);
            pairs += space_.pairs.offsets[at + 1] - space_.pairs.offsets[at];
        }
        return pairs <= kMostPairsToPrice;
    }

    // Dense chains of some hundred units are worth the most patience.
    [[nodiscard]] std::int64_t steps_for(std::int64_t units) const {
        constexpr std::int64_t kDense = 2'000;
        return std::max(at_least(limits_.steps, 40'000, std::min(units, kDense)),
                        at_least(limits_.steps, 2'000, units));
    }

    // Two annotators.
    bool solve_as_matching(const Chain& chain) {
        const auto solve = limits_.soft ? &cover_chain : &match_chain;
        return solve(chain, place_, space_.groups, limits_.matching_steps, stop_, space_.chosen);
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

    const PairCosts& costs_;
    std::span<const std::int32_t> place_;
    int places_;
    const Limits& limits_;
    const StopFlag& stop_;
    const StopFlag& last_;
    Workspace& space_;
};

}  // namespace

void best_partition(const Weights& weights, const LabelDistances& distances, const Limits& limits,
                    const StopFlag& stop, Workspace& workspace) {
    const StopFlag timed(stop, limits.seconds);
    const StopFlag last(stop, limits.seconds + kForInsertion);
    const PairCosts costs(workspace.units, weights, distances);
    workspace.partition.proven = true;
    if (workspace.units.places >= kFewestUnanimous &&
        find_unanimous(costs, limits.insertion_steps, timed, workspace.partition)) {
        stop.spend(kWorkOfAlignment + kWorkOfUnit * workspace.units.size());
        return;
    }
    find_pairs(workspace.units, weights, distances, limits.pairs, timed, workspace.pairs);
    Solver solver(costs, limits, timed, last, workspace);
    if (workspace.pairs.complete) {
        solver.run();
    } else {
        solver.run_without_pairs();
    }
}

void best_partition_of_pairs(const Limits& limits, const StopFlag& stop, Workspace& workspace) {
    const StopFlag timed(stop, limits.seconds);
    const StopFlag last(stop, limits.seconds + kForInsertion);
    const PairCosts costs(workspace.units, workspace.pairs);
    workspace.partition.proven = true;
    Solver(costs, limits, timed, last, workspace).run();
}

}  // namespace unisono
