// Chains that are priced: cuts, tolerance, and what is done where nothing was proven.
#include "pricing/column_generation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "checking.hpp"
#include "families.hpp"
#include "pricing/completion_bounds.hpp"
#include "pricing/dual_values.hpp"
#include "pricing/local_search.hpp"
#include "pricing/master.hpp"
#include "pricing/subset_row_cuts.hpp"

namespace unisono::testing {

namespace {

void test_cuts_are_paid_once() {
    Cuts cuts(5);
    check(cuts.add({{0, 1, 2}, 7}) && !cuts.add({{0, 1, 2}, 7}), "a cut is added once");
    check(cuts.add({{1, 2, 4}, 100}), "another cut");
    using Members = std::vector<std::int32_t>;
    check(cuts.paid_by(Members{0, 3}) == 0, "one unit of a cut pays nothing");
    check(cuts.paid_by(Members{0, 1, 3}) == 7, "two units pay");
    check(cuts.paid_by(Members{0, 1, 2}) == 107, "three units pay once");
    // The master's favourite: half of each of three pairs.
    const Members pairs[3] = {{0, 1}, {1, 2}, {0, 2}};
    const std::vector<TakenGroup> taken{{pairs[0], 0.5}, {pairs[1], 0.5}, {pairs[2], 0.5}};
    const std::vector<Cut> found = find_violated(3, taken);
    check(found.size() == 1 && found[0].units == std::array<std::int32_t, 3>{0, 1, 2},
          "an odd circle is cut");
}

void test_cuts_ends_and_cases_choose_the_same_groups() {
    std::mt19937_64 random(41);
    Workspace usual;
    Workspace priced;
    Limits with_cuts;  // before anything else was tried
    with_cuts.listing_steps = 0;
    with_cuts.uncut_states = 0;
    Limits with_ends;  // in every pass
    with_ends.listing_steps = 0;
    with_ends.endless_states = -1;
    Limits with_both = with_cuts;
    with_both.endless_states = -1;
    Limits with_cases;  // of every chain
    with_cases.listing_steps = 0;
    with_cases.undivided_states = -1;
    const std::pair<const Limits*, std::string> ways[] = {{&with_cuts, "cuts"},
                                                          {&with_ends, "ends"},
                                                          {&with_both, "cuts and ends"},
                                                          {&with_cases, "cases"}};
    const auto compare = [&](const Units& units, const Weights& weights, const Limits& limits,
                             const std::string& name) {
        solve(units, weights, limits, usual);
        check(usual.partition.proven, name + ": proven");
        for (const auto& [way, with] : ways) {
            solve(units, weights, *way, priced);
            check(priced.partition.proven, name + ": proven with " + with);
            check(usual.partition.members == priced.partition.members &&
                      usual.partition.offsets == priced.partition.offsets,
                  name + ": the same groups with " + with);
        }
    };
    for (int places = 3; places <= 7; ++places) {
        for (std::size_t kind = 0; kind < kFamilies.size(); ++kind) {
            for (int round = 0; round < 15; ++round) {
                const Weights weights = random_weights(random);
                compare(family(kind, places, places < 5 ? 5 : 3, random), weights, Limits{},
                        std::string(kFamilies[kind]) + ", " + std::to_string(places) +
                            " annotators, round " + std::to_string(round));
            }
        }
        for (int round = 0; round < 4; ++round) {
            compare(dense_chain(places, 8, 6.0, random), {}, Limits{},
                    std::to_string(places) + " annotators, dense");
        }
    }
    Limits patient;
    patient.easy_states = kNoLimit;
    for (const int copies : {1, 3}) {
        compare(dense_chain(3, copies > 1 ? 70 : 90, copies > 1 ? 30.0 : 20.0, random, copies), {},
                patient, "windows, copies " + std::to_string(copies));
    }
}

LoneChain chain_of(Workspace& space) {
    std::vector<std::int32_t> all(space.units.place.size());
    std::iota(all.begin(), all.end(), 0);
    return take_chain(
        {all, all, space.units.twin, space.savings.most_saved, space.units.places, false},
        space.pairs, space.units.place, StopFlag());
}

// What is known of ends is a bound, and a pass that knows it finds the same.
void test_ends_are_a_bound() {
    std::mt19937_64 random(59);
    Workspace space;
    const StopFlag stop;
    int known = 0;
    for (int round = 0; round < 40; ++round) {
        const int places = 3 + round % 2;
        solve(dense_chain(places, 10 - places, 10.0, random), {}, Limits{}, space);
        const LoneChain lone = chain_of(space);
        const Chain chain = lone.chain();
        std::vector<Cost> shares;
        first_shares(chain, shares);
        FrontierLimits limits;
        Chosen chosen;
        space.frontier.solve(chain, space.groups, shares, limits, stop, chosen);
        Cost best = 0;  // beyond the shares
        for (const auto& [anchor, group] : chosen) {
            best += group < 0 ? pair_count(places) * kOne
                              : space.groups.cost[static_cast<std::size_t>(group)];
        }
        for (const Cost share : shares) best -= share;
        const std::string name = "ends, round " + std::to_string(round);
        for (const Cost gap : {best, best - 1}) {
            limits.gap = gap;
            limits.later = nullptr;
            const Endings ends =
                find_endings(chain, space.groups, shares, limits, 200, space.frontier, stop);
            limits.later = &ends.later;
            Chosen again;
            const Outcome outcome =
                space.frontier.solve(chain, space.groups, shares, limits, stop, again);
            check(outcome == (gap == best ? Outcome::kSolved : Outcome::kGapTooSmall),
                  name + ": solved within its cost, and not within less");
            check(ends.known() <= best, name + ": what ends know is a bound");
            known += ends.known() > 0 ? 1 : 0;
            if (gap == best) check(chosen == again, name + ": the same groups");
        }
    }
    check(known > 0, "ends know something");
}

double value_of(const LoneChain& lone, const PricedSolution& solution) {
    return cost_of(lone.chain(), solution.groups, solution.chosen);
}

void test_what_is_close_enough_is_left_alone() {
    std::mt19937_64 random(43);
    Workspace space;
    const StopFlag stop;
    solve(dense_chain(4, 40, 12.0, random), {}, Limits{}, space);
    const LoneChain lone = chain_of(space);
    Limits limits;
    limits.tolerance = 0.99;
    const PricedSolution left = solve_by_pricing(lone, limits, space.frontier, stop);
    check(!left.solved, "what is within the tolerance is not proven");
    check(value_of(lone, left) - left.lower_bound <= 0.99 * value_of(lone, left),
          "it is within the tolerance");
    limits.tolerance = 0.0;
    const PricedSolution exact = solve_by_pricing(lone, limits, space.frontier, stop);
    check(exact.solved && value_of(lone, exact) <= value_of(lone, left), "what is not, is");
}

// An anchor that is cut short costs what it left open, and no more: the bound stays valid.
void test_bounds_are_valid_at_any_limit() {
    std::mt19937_64 random(71);
    Workspace space;
    const StopFlag stop;
    int useful = 0;
    for (int round = 0; round < 12; ++round) {
        const int places = 4 + round % 4;
        solve(dense_chain(places, 12, 6.0, random), {}, Limits{}, space);
        const LoneChain lone = chain_of(space);
        const double best = static_cast<double>(cost_of(space.units, space.partition, {})) /
                            static_cast<double>(kOne);
        for (const std::int64_t steps : {1, 4, 32, 1'000'000}) {
            for (const int ordered_places : {2, 1000}) {
                Limits limits;
                limits.steps_per_anchor = steps;
                limits.ordered_places = ordered_places;
                const PricedSolution found = solve_by_pricing(lone, limits, space.frontier, stop);
                const std::string name = "steps " + std::to_string(steps);
                check(found.lower_bound <= best + 1e-9, name + ": bound is valid");
                check(value_of(lone, found) >= best - 1e-9, name + ": not below the optimum");
                check(!found.solved || value_of(lone, found) <= best + 1e-9,
                      name + ": proven only when best");
                if (!found.solved && found.lower_bound > 0.5 * best) ++useful;
            }
        }
    }
    check(useful > 0, "a search that is cut short has a bound");
}

// Two annotators of 150 mark pairs; costs are times C = 11,175, and a thousand of them would not
// fit into 64 bits.
void test_long_chains_of_many_annotators_fit_into_64_bits() {
    LoneChain lone;
    lone.places = 150;
    const std::int32_t count = 2400;
    lone.pairs.offsets.assign(1, 0);
    for (std::int32_t i = 0; i < count; ++i) {
        lone.place.push_back(i % 2);
        lone.twin.push_back(-1);
        lone.identity.push_back(i);
        if (i % 2 == 0) {
            lone.pairs.other.push_back(i + 1);
            lone.pairs.cost.push_back(kOne / 4);
        }
        lone.pairs.offsets.push_back(static_cast<std::int64_t>(lone.pairs.other.size()));
    }
    find_savings(lone.pairs, lone.place, lone.places, lone.savings);
    Limits limits;
    limits.states = 0;  // so that nothing is proven
    FrontierProgram frontier;
    const StopFlag stop;
    const PricedSolution solution = solve_by_pricing(lone, limits, frontier, stop);
    const double best = 1200.0 * (11175.0 - 0.75);
    check(std::fabs(value_of(lone, solution) - best) <= 1e-9 * best, "every pair is a group");
}

void test_the_master_ends_where_its_work_does() {
    std::mt19937_64 random(53);
    Workspace space;
    const StopFlag stop;
    solve(dense_chain(3, 10, 6.0, random), {}, Limits{}, space);
    const LoneChain lone = chain_of(space);
    const Chain chain = lone.chain();
    Pool pool;
    pool.add(space.groups);
    Cuts none(lone.place.size());
    std::vector<Cost> shares(lone.place.size(), 0);
    check(!Master(chain, 1.0).find_shares(pool, 1e-6, stop, shares, none), "too little work");
    check(Master(chain, 1e9).find_shares(pool, 1e-6, stop, shares, none), "enough work");
}

void test_local_search_is_nearly_exact() {
    std::mt19937_64 random(37);
    Workspace exact;
    const StopFlag stop;
    int found_the_best = 0;
    int all = 0;
    for (int places = 2; places <= 6; ++places) {
        for (int round = 0; round < 4; ++round) {
            solve(dense_chain(places, 12, 6.0, random), {}, Limits{}, exact);
            const LoneChain lone = chain_of(exact);
            const std::string name = std::to_string(places) + " annotators, local search";
            const double best = static_cast<double>(cost_of(exact.units, exact.partition, {})) /
                                static_cast<double>(kOne);
            for (const std::int64_t steps : {0, 1'000, 2'000'000}) {
                const PricedSolution found = search_locally(lone, {}, steps, stop);
                std::vector<int> covered(lone.place.size(), 0);
                for (const auto& [anchor, group] : found.chosen) {
                    if (group < 0) {
                        ++covered[static_cast<std::size_t>(anchor)];
                        continue;
                    }
                    for (const std::int32_t member : found.groups.members_of(group)) {
                        ++covered[static_cast<std::size_t>(member)];
                    }
                }
                check(std::all_of(covered.begin(), covered.end(),
                                  [](int times) { return times == 1; }),
                      name + ": every unit once");
                check(value_of(lone, found) >= best - 1e-9, name + ": not below the optimum");
                if (steps < 2'000'000) continue;
                check(value_of(lone, found) <= 1.02 * best, name + ": nearly the best");
                found_the_best += value_of(lone, found) <= best + 1e-9 ? 1 : 0;
                ++all;
            }
        }
    }
    check(10 * found_the_best >= 8 * all, "local search mostly finds the best");
}

}  // namespace

void test_pricing() {
    test_cuts_are_paid_once();
    test_cuts_ends_and_cases_choose_the_same_groups();
    test_ends_are_a_bound();
    test_what_is_close_enough_is_left_alone();
    test_bounds_are_valid_at_any_limit();
    test_long_chains_of_many_annotators_fit_into_64_bits();
    test_the_master_ends_where_its_work_does();
    test_local_search_is_nearly_exact();
}

}  // namespace unisono::testing
