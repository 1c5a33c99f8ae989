// The kernel's own tests: a plain program, run under the address and undefined-behaviour
// sanitizers. Every path must find what brute force finds, and the same groups as every other path.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <thread>

#include "alignment/matching.hpp"
#include "alignment/partition.hpp"
#include "alignment/scoring.hpp"
#include "checking.hpp"
#include "families.hpp"
#include "oracles.hpp"
#include "sampling/draws.hpp"

namespace {

using namespace unisono;           // NOLINT: this program is about nothing else
using namespace unisono::testing;  // NOLINT

void test_every_family_against_brute_force() {
    std::mt19937_64 random(20150903);
    Workspace space;  // one for all: nothing may leak from one continuum into the next
    for (int places = 2; places <= 6; ++places) {
        const int most = places == 2 ? 5 : places == 3 ? 3 : 2;
        for (std::size_t kind = 0; kind < kFamilies.size(); ++kind) {
            for (int round = 0; round < (places < 5 ? 300 : 100); ++round) {
                const Weights weights = random_weights(random);
                const Units units = family(kind, places, most, random);
                solve(units, weights, Limits{}, space);
                const std::string name = std::string(kFamilies[kind]) + ", " +
                                         std::to_string(places) + " annotators, round " +
                                         std::to_string(round);
                check(space.partition.proven, name + ": proven");
                check(is_partition(units, space.partition), name + ": a partition");
                check(cost_of(units, space.partition, weights) == BruteForce(units, weights).best(),
                      name + ": as good as brute force");
            }
        }
    }
}

void test_matching_gives_the_groups_of_the_frontier_program() {
    std::mt19937_64 random(7);
    Workspace by_frontier;
    Workspace by_matching;
    Limits no_frontier;
    no_frontier.states_at_once = 0;
    for (std::size_t kind = 0; kind < kFamilies.size(); ++kind) {
        for (int round = 0; round < 150; ++round) {
            const Weights weights = random_weights(random);
            const Units units = family(kind, 2, 9, random);
            solve(units, weights, Limits{}, by_frontier);
            solve(units, weights, no_frontier, by_matching);
            const std::string name = std::string(kFamilies[kind]) + ", " + std::to_string(round);
            check(by_matching.partition.proven, name + ": matching proven");
            check(by_frontier.partition.members == by_matching.partition.members &&
                      by_frontier.partition.offsets == by_matching.partition.offsets,
                  name + ": matching and frontier choose the same groups");
        }
    }
}

void test_edge_covers_give_the_groups_of_the_soft_frontier_program() {
    std::mt19937_64 random(8);
    Workspace by_frontier;
    Workspace by_cover;
    Limits soft;
    soft.soft = true;
    Limits no_frontier = soft;
    no_frontier.states_at_once = 0;
    for (std::size_t kind = 0; kind < kFamilies.size(); ++kind) {
        for (int round = 0; round < 150; ++round) {
            const Weights weights = random_weights(random);
            const Units units = family(kind, 2, 7, random);
            solve(units, weights, soft, by_frontier);
            solve(units, weights, no_frontier, by_cover);
            const std::string name = std::string(kFamilies[kind]) + ", " + std::to_string(round);
            check(by_cover.partition.proven, name + ": edge cover proven");
            check(by_frontier.partition.members == by_cover.partition.members &&
                      by_frontier.partition.offsets == by_cover.partition.offsets,
                  name + ": edge cover and soft frontier choose the same groups");
        }
    }
}

void test_every_path_chooses_the_same_groups() {
    std::mt19937_64 random(13);
    Workspace quickly;
    Workspace by_pricing;
    Workspace listed_but_hard;
    Limits no_listing;
    no_listing.listing_steps = 0;
    Limits always_listing;
    always_listing.listed_places = 150;
    Limits no_quick_attempt = always_listing;
    no_quick_attempt.states = 0;
    for (int places = 3; places <= 7; ++places) {
        for (std::size_t kind = 0; kind < kFamilies.size(); ++kind) {
            for (int round = 0; round < 40; ++round) {
                const Weights weights = random_weights(random);
                const Units units = family(kind, places, places < 5 ? 4 : 3, random);
                solve(units, weights, always_listing, quickly);
                solve(units, weights, no_listing, by_pricing);
                solve(units, weights, no_quick_attempt, listed_but_hard);
                const std::string name = std::string(kFamilies[kind]) + ", " +
                                         std::to_string(places) + " annotators, round " +
                                         std::to_string(round);
                check(by_pricing.partition.proven, name + ": proven by pricing");
                check(quickly.partition.members == by_pricing.partition.members &&
                          quickly.partition.offsets == by_pricing.partition.offsets,
                      name + ": the same groups by pricing");
                check(quickly.partition.members == listed_but_hard.partition.members,
                      name + ": the same groups after the quick attempt failed");
            }
        }
    }
}

void test_soft_covers_against_brute_force() {
    std::mt19937_64 random(2021);
    Workspace space;
    Workspace by_pricing;
    Workspace listed_but_hard;
    Limits soft;
    soft.soft = true;
    Limits no_listing = soft;
    no_listing.listing_steps = 0;
    Limits no_quick_attempt = soft;
    no_quick_attempt.states = 0;
    for (int places = 2; places <= 5; ++places) {
        const int most = places == 2 ? 5 : places == 3 ? 3 : 2;
        for (std::size_t kind = 0; kind < kFamilies.size(); ++kind) {
            for (int round = 0; round < 30; ++round) {
                const Weights weights = random_weights(random);
                const Units units = family(kind, places, most, random);
                solve(units, weights, soft, space);
                solve(units, weights, no_listing, by_pricing);
                solve(units, weights, no_quick_attempt, listed_but_hard);
                const std::string name = std::string(kFamilies[kind]) + ", " +
                                         std::to_string(places) + " annotators, soft, round " +
                                         std::to_string(round);
                check(space.partition.proven && by_pricing.partition.proven, name + ": proven");
                check(is_cover(units, space.partition, true), name + ": a cover");
                check(cost_of(units, space.partition, weights) ==
                          SoftBruteForce(units, weights).best(),
                      name + ": as good as brute force");
                check(space.partition.members == by_pricing.partition.members &&
                          space.partition.offsets == by_pricing.partition.offsets,
                      name + ": the same groups by pricing");
                check(space.partition.members == listed_but_hard.partition.members,
                      name + ": the same groups after the quick attempt failed");
            }
        }
    }
}

void test_long_chains_in_windows_choose_the_same_groups() {
    std::mt19937_64 random(29);
    Workspace quickly;
    Workspace by_pricing;
    Limits patient;  // the direct program, however long it takes
    patient.easy_states = kNoLimit;
    Limits no_listing;
    no_listing.listing_steps = 0;
    for (int places = 3; places <= 4; ++places) {
        for (const int copies : {1, 3}) {
            if (copies > 1 && places > 3) continue;  // the direct program takes too long
            const Units units =
                dense_chain(places, copies > 1 ? 70 : 90, copies > 1 ? 30.0 : 20.0, random, copies);
            solve(units, {}, patient, quickly);
            solve(units, {}, no_listing, by_pricing);
            const std::string name =
                std::to_string(places) + " annotators in windows, copies " + std::to_string(copies);
            check(quickly.partition.proven && by_pricing.partition.proven, name + ": proven");
            check(quickly.partition.members == by_pricing.partition.members &&
                      quickly.partition.offsets == by_pricing.partition.offsets,
                  name + ": the same groups");
        }
    }
}

void test_time_and_tolerance_end_the_search_early() {
    std::mt19937_64 random(31);
    Workspace exact;
    Workspace hurried;
    for (const bool soft : {false, true}) {
        for (int places = 2; places <= 6; ++places) {
            const Units units = dense_chain(places, 12, 8.0, random);
            Limits usual;
            usual.soft = soft;
            solve(units, {}, usual, exact);
            const double best = static_cast<double>(cost_of(units, exact.partition, {}));
            for (const double tolerance : {0.0, 0.05, 0.5}) {
                Limits limits = usual;
                limits.listing_steps = 0;
                limits.tolerance = tolerance;
                if (tolerance == 0.0) limits.seconds = 0.0;
                solve(units, {}, limits, hurried);
                const double found = static_cast<double>(cost_of(units, hurried.partition, {}));
                const double bound =
                    hurried.partition.lower_bound * static_cast<double>(pair_count(places) * kOne);
                const std::string name = std::to_string(places) + " annotators, tolerance " +
                                         std::to_string(tolerance) + (soft ? ", soft" : "");
                check(exact.partition.proven, name + ": exact without limits");
                check(is_cover(units, hurried.partition, soft), name + ": all units are covered");
                check(bound <= best * (1.0 + 1e-9), name + ": bound is valid");
                check(hurried.partition.proven ? found == best : found >= best,
                      name + ": proven only when best");
                check(tolerance == 0.0 || found - bound <= tolerance * found + 1.0,
                      name + ": within the tolerance");
                check(tolerance != 0.0 || !hurried.partition.proven, name + ": late");
            }
        }
    }
}

// All groups cost the same, so that no bound tells them apart.
void test_equal_units_are_proven() {
    Workspace space;
    for (const auto& [places, copies] : {std::pair{3, 20}, std::pair{4, 8}}) {
        for (const int missing : {0, 1}) {
            UnitsBuilder builder(places);
            for (int row = 0; row < places * copies - missing; ++row) {
                builder.add(0.0, 10.0, 0, row / copies, row);
            }
            Units units;
            builder.build(units);
            mark_twins(true, units);
            solve(units, {}, Limits{}, space);
            const std::string name = std::to_string(places) + " annotators, equal units";
            check(space.partition.proven, name + ": proven");
            // A group without a member of one annotator costs the places - 1 pairs with it.
            check(cost_of(units, space.partition, {}) == missing * (places - 1) * kOne,
                  name + ": the best groups");
        }
    }
}

void test_limits_are_reported_with_a_valid_bound() {
    std::mt19937_64 random(11);
    Workspace exact;
    Workspace hurried;
    for (int places = 2; places <= 5; ++places) {
        for (std::size_t kind = 0; kind < kFamilies.size(); ++kind) {
            for (int round = 0; round < 40; ++round) {
                Limits limits;
                switch (round % 5) {
                    case 0:
                        limits.states_at_once = 0;
                        limits.matching_steps = 0;
                        break;
                    case 1:
                        limits.pairs = 3;
                        break;
                    case 2:
                        limits.listing_steps = 0;
                        limits.steps_per_anchor = 2;
                        break;
                    case 3:
                        limits.listing_steps = 0;
                        limits.matching_steps = 0;
                        limits.work = 1 + 20 * round;
                        break;
                    default:
                        limits.states_at_once = 0;
                        limits.local_steps = 0;
                        limits.matching_steps = 0;
                }
                const Units units = family(kind, places, places < 4 ? 6 : 3, random);
                solve(units, {}, Limits{}, exact);
                solve(units, {}, limits, hurried);
                const std::string name = std::string(kFamilies[kind]) + ", " +
                                         std::to_string(places) + " annotators, limit " +
                                         std::to_string(round % 5);
                const auto scale =
                    static_cast<double>(pair_count(places)) * static_cast<double>(kOne);
                const double best =
                    static_cast<double>(cost_of(units, exact.partition, {})) / scale;
                const double found =
                    static_cast<double>(cost_of(units, hurried.partition, {})) / scale;
                check(exact.partition.proven, name + ": exact without limits");
                check(is_partition(units, hurried.partition), name + ": still a partition");
                check(found >= best - 1e-9, name + ": not below the optimum");
                check(hurried.partition.lower_bound <= best + 1e-9, name + ": bound is valid");
                check(!hurried.partition.proven || found <= best + 1e-9,
                      name + ": proven only when best");
            }
        }
    }
}

void test_wide_chains_use_wide_masks() {
    // One annotator's units all lie in one place: every group spans the whole chain.
    for (const int units_each : {40, 90, 200}) {
        UnitsBuilder builder(2);
        std::int32_t row = 0;
        for (int place = 0; place < 2; ++place) {
            for (int i = 0; i < units_each; ++i) {
                const double length = 100.0 + place + 3.0 * i;
                builder.add(-length, length, i % 3, place, row++);
            }
        }
        Units units;
        builder.build(units);
        Workspace space;
        solve(units, {}, Limits{}, space);
        check(space.partition.proven, "a wide chain is solved");
        check(is_partition(units, space.partition), "a wide chain is partitioned");
    }
}

void test_draws_do_not_depend_on_threads() {
    std::mt19937_64 random(3);
    const Units units = family(0, 3, 40, random);
    std::vector<std::int64_t> offsets(1, 0);
    std::vector<double> starts;
    std::vector<double> ends;
    std::vector<std::int32_t> labels;
    for (int place = 0; place < 3; ++place) {
        for (std::size_t i = 0; i < units.start.size(); ++i) {
            if (units.place[i] != place) continue;
            starts.push_back(units.start[i]);
            ends.push_back(units.end[i]);
            labels.push_back(units.label[i]);
        }
        offsets.push_back(static_cast<std::int64_t>(starts.size()));
    }
    const double extent = *std::max_element(ends.begin(), ends.end());
    const std::vector<double> origin(3, 0.0);
    const std::vector<double> extents(3, extent);
    std::vector<std::int32_t> picks;
    std::vector<double> shifts;
    for (int i = 0; i < 3 * 40; ++i) {
        picks.push_back(static_cast<std::int32_t>(random() % 3));
        shifts.push_back(extent * static_cast<double>(random() % 1000) / 1000.0);
    }
    for (const bool tiled : {false, true}) {
        const std::vector<double> lengths(tiled ? 40 : 0, 2.5 * extent);
        const DrawPlan plan{starts, ends, labels, offsets, origin, extents,
                            40,     3,    picks,  shifts,  lengths};
        const StopFlag stop;
        DrawScores one(plan.draws, 3);
        DrawScores four(plan.draws, 3);
        const Scoring scoring{{}, 1.0, kTable};
        score_draws(plan, scoring, Limits{}, 1, stop, one);
        score_draws(plan, scoring, Limits{}, 4, stop, four);
        check(one.disorder_sum == four.disorder_sum, "threads do not move a disorder");
        check(one.label_disorder_of == four.label_disorder_of, "threads do not move label sums");
        check(make_draw(plan, 5).starts.size() == static_cast<std::size_t>(one.unit_count[5]),
              "a draw made alone is the draw that was scored");
    }
}

void test_a_raised_flag_stops_the_work() {
    std::mt19937_64 random(5);
    Workspace space;
    space.units = family(0, 3, 60, random);
    StopFlag stop;
    stop.raise();
    bool stopped = false;
    try {
        find_pairs(space.units, {}, kTable, 1000, stop, space.pairs);
    } catch (const Stopped&) {
        stopped = true;
    }
    check(stopped, "a raised flag stops the sweep");
}

void test_work_is_counted_and_limited() {
    const StopFlag stop;
    const StopFlag outer(stop, StopFlag::Work{100});
    const StopFlag inner(outer, StopFlag::Work{1000});
    inner.spend(99);
    check(!inner.late() && inner.spent() == 99 && outer.spent() == 99, "work is counted");
    inner.spend(1);
    check(inner.late() && outer.late() && !stop.late(), "who has done all is late");
}

void test_states_that_need_too_much_memory_are_a_limit() {
    std::mt19937_64 random(3);
    Workspace space;
    Limits limits;
    for (const bool soft : {false, true}) {
        limits.soft = soft;
        solve(dense_chain(3, 12, 8.0, random), {}, limits, space);
        std::vector<std::int32_t> all(space.units.place.size());
        std::iota(all.begin(), all.end(), 0);
        const Chain chain{all, all, space.units.twin, space.savings.most_saved, 3, soft};
        const std::vector<Cost> shares(all.size(), 0);
        FrontierLimits little;
        little.memory = 1000;
        Chosen chosen;
        check(space.frontier.solve(chain, space.groups, shares, {}, StopFlag(), chosen) ==
                  Outcome::kSolved,
              "solved in the usual memory");
        chosen.clear();
        check(space.frontier.solve(chain, space.groups, shares, little, StopFlag(), chosen) ==
                      Outcome::kLimitReached &&
                  chosen.empty(),
              "not within little memory");
    }
}

void test_quantised_costs_saturate() {
    check(quantise(1.0) == kOne, "1 is one");
    check(quantise(std::numeric_limits<double>::infinity()) == kNotAlignable, "infinite is far");
    check(quantise(std::numeric_limits<double>::quiet_NaN()) == kNotAlignable, "NaN is far");
    check(quantise(1e300) == kNotAlignable, "huge is far");
}

}  // namespace

int main() {
    test_every_family_against_brute_force();
    test_matching_gives_the_groups_of_the_frontier_program();
    test_edge_covers_give_the_groups_of_the_soft_frontier_program();
    test_every_path_chooses_the_same_groups();
    test_soft_covers_against_brute_force();
    test_long_chains_in_windows_choose_the_same_groups();
    test_time_and_tolerance_end_the_search_early();
    test_equal_units_are_proven();
    test_limits_are_reported_with_a_valid_bound();
    test_asking();
    test_edits();
    test_products();
    test_pricing();
    test_documents();
    test_tables();
    test_wide_chains_use_wide_masks();
    test_draws_do_not_depend_on_threads();
    test_a_raised_flag_stops_the_work();
    test_work_is_counted_and_limited();
    test_states_that_need_too_much_memory_are_a_limit();
    test_quantised_costs_saturate();
    std::printf("kernel self-tests: %ld checks, %d failed\n", checks, failures);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
