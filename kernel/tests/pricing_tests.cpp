// Chains that are priced: cuts, tolerance, and what is done where nothing was proven.
#include "../pricing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../approximating.hpp"
#include "../cuts.hpp"
#include "../endings.hpp"
#include "../master.hpp"
#include "../polishing.hpp"
#include "../shares.hpp"
#include "checking.hpp"
#include "families.hpp"

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
    check(known > 50, "ends know something");
}

double value_of(const LoneChain& lone, const PricedSolution& solution) {
    return cost_of(lone.chain(), solution.groups, solution.chosen);
}

constexpr DeepeningLimits kLimits{
    {1 << 20, 1 << 20, 1 << 30}, 1 << 20, 1 << 20, FrontierLimits{}, 0.0, 40, 300,
    kNoLimit / (1 << 20),        20};

void test_what_is_close_enough_is_left_alone() {
    std::mt19937_64 random(43);
    Workspace space;
    const StopFlag stop;
    solve(dense_chain(4, 40, 12.0, random), {}, Limits{}, space);
    const LoneChain lone = chain_of(space);
    DeepeningLimits limits = kLimits;
    limits.states = 1;  // nothing can be proven
    limits.without_proof.beam = 1;
    limits.tolerance = 0.99;
    const PricedSolution left = solve_by_pricing(lone, limits, space.frontier, stop);
    const PricedSolution plain =
        solve_by_pricing(lone, limits, space.frontier, stop, Afterwards::kNothing);
    check(!left.solved && value_of(lone, left) == value_of(lone, plain),
          "what is within the tolerance is not improved");
    limits.tolerance = 0.0;
    const PricedSolution improved = solve_by_pricing(lone, limits, space.frontier, stop);
    check(value_of(lone, improved) <= value_of(lone, plain), "what is not, is");
}

void test_stretches_share_a_budget_of_steps() {
    std::mt19937_64 random(47);
    Workspace space;
    const StopFlag stop;
    solve(dense_chain(5, 60, 8.0, random), {}, Limits{}, space);
    const LoneChain lone = chain_of(space);
    PricedSolution solution;  // everybody alone
    solution.groups.clear(lone.place.size());
    for (const std::int32_t unit : lone.identity) solution.chosen.emplace_back(unit, -1);
    DeepeningLimits limits = kLimits;
    limits.groups.steps = 300;
    limits.stretch = 16;
    polish(lone, limits, space.frontier, stop, solution);
    // The last question may go a little beyond.
    check(solution.steps > 0 && solution.steps <= 9 * 300, "stretches share their steps");
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
    DeepeningLimits limits = kLimits;
    limits.states = 0;  // so that a beam is needed
    limits.without_proof.beam = 4;
    FrontierProgram frontier;
    const StopFlag stop;
    const PricedSolution solution =
        solve_by_pricing(lone, limits, frontier, stop, Afterwards::kNothing);
    const double best = 1200.0 * (11175.0 - 0.75) * static_cast<double>(kOne);
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

void test_solving_stretches_again_mends_a_partition() {
    std::mt19937_64 random(37);
    Workspace exact;
    const StopFlag stop;
    for (int places = 2; places <= 5; ++places) {
        solve(dense_chain(places, 40, 12.0, random), {}, Limits{}, exact);
        const auto count = static_cast<std::int32_t>(exact.units.place.size());
        std::vector<std::int32_t> all(static_cast<std::size_t>(count));
        std::iota(all.begin(), all.end(), 0);
        const LoneChain lone =
            take_chain({all, all, exact.units.twin, exact.savings.most_saved, places, false},
                       exact.pairs, exact.units.place, stop);
        PricedSolution solution;  // everybody alone
        solution.groups.clear(all.size());
        for (const std::int32_t unit : all) solution.chosen.emplace_back(unit, -1);
        polish(lone, kLimits, exact.frontier, stop, solution);
        std::vector<int> covered(all.size(), 0);
        Cost after = 0;
        for (const auto& [anchor, group] : solution.chosen) {
            after += group < 0 ? pair_count(places) * kOne
                               : solution.groups.cost[static_cast<std::size_t>(group)];
            if (group < 0) {
                ++covered[static_cast<std::size_t>(anchor)];
                continue;
            }
            for (const std::int32_t member : solution.groups.members_of(group)) {
                ++covered[static_cast<std::size_t>(member)];
            }
        }
        const Cost best = cost_of(exact.units, exact.partition, {});
        const std::string name = std::to_string(places) + " annotators, stretches";
        check(std::all_of(covered.begin(), covered.end(), [](int times) { return times == 1; }),
              name + ": every unit once");
        check(best <= after && after - best <= best / 10, name + ": nearly the best");
    }
}

}  // namespace

void test_pricing() {
    test_cuts_are_paid_once();
    test_cuts_ends_and_cases_choose_the_same_groups();
    test_ends_are_a_bound();
    test_what_is_close_enough_is_left_alone();
    test_stretches_share_a_budget_of_steps();
    test_long_chains_of_many_annotators_fit_into_64_bits();
    test_the_master_ends_where_its_work_does();
    test_solving_stretches_again_mends_a_partition();
}

}  // namespace unisono::testing
