// The kernel's own tests: a plain program, run under the address and undefined-behaviour
// sanitizers. Every path must find what brute force finds, and the same groups as every other path.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>

#include "../draws.hpp"
#include "../matching.hpp"
#include "../partition.hpp"
#include "../scoring.hpp"
#include "families.hpp"

namespace {

using namespace unisono;  // NOLINT: this program is about nothing else
using unisono::testing::family;
using unisono::testing::kFamilies;

int failures = 0;
long checks = 0;

void check(bool holds, const std::string& what) {
    ++checks;
    if (holds) return;
    if (++failures <= 20) std::fprintf(stderr, "FAILED: %s\n", what.c_str());
}

constexpr std::array kDistances = {0.0, 1.0, 0.4, 1.0, 0.0, 0.7, 0.4, 0.7, 0.0};
const LabelDistances kTable{kDistances, 3};

Cost cost_of_pair(const Units& units, std::size_t u, std::size_t v, const Weights& weights) {
    return quantise(
        weighted(weights.position, positional(units.start[u], units.end[u], units.start[v],
                                              units.end[v], weights.power)) +
        weighted(weights.label, kTable.between(units.label[u], units.label[v])));
}

// The least cost over all partitions, with no pruning of any kind: the first unit left goes into a
// group with every possible set of partners.
class BruteForce {
 public:
    BruteForce(const Units& units, const Weights& weights) : units_(units), weights_(weights) {}

    Cost best() { return best(0); }

 private:
    Cost best(std::uint32_t covered) {
        const auto count = static_cast<std::uint32_t>(units_.size());
        std::uint32_t first = 0;
        while (first < count && ((covered >> first) & 1U) != 0) ++first;
        if (first == count) return 0;
        const auto known = memo_.find(covered);
        if (known != memo_.end()) return known->second;
        Cost least = kNotAlignable;
        std::vector<std::uint32_t> members{first};
        extend(covered | (1U << first), first + 1, members, least);
        memo_[covered] = least;
        return least;
    }

    void extend(std::uint32_t covered, std::uint32_t from, std::vector<std::uint32_t>& members,
                Cost& least) {
        const Cost here = cost(members);
        if (here != kNotAlignable) least = std::min(least, here + best(covered));
        for (auto next = from; next < static_cast<std::uint32_t>(units_.size()); ++next) {
            if (((covered >> next) & 1U) != 0) continue;
            if (std::any_of(members.begin(), members.end(),
                            [&](auto m) { return units_.place[m] == units_.place[next]; })) {
                continue;
            }
            members.push_back(next);
            extend(covered | (1U << next), next + 1, members, least);
            members.pop_back();
        }
    }

    [[nodiscard]] Cost cost(const std::vector<std::uint32_t>& members) const {
        Cost sum = pair_count(units_.places) * kOne;
        for (std::size_t a = 0; a < members.size(); ++a) {
            for (std::size_t b = a + 1; b < members.size(); ++b) {
                const Cost pair = cost_of_pair(units_, members[a], members[b], weights_);
                if (pair == kNotAlignable) return kNotAlignable;
                sum += pair - kOne;
            }
        }
        return sum;
    }

    const Units& units_;
    Weights weights_;
    std::map<std::uint32_t, Cost> memo_;
};

Cost cost_of(const Units& units, const Partition& partition, const Weights& weights) {
    Cost sum = 0;
    for (std::size_t g = 0; g < partition.size(); ++g) {
        const auto members = partition.group(g);
        sum += pair_count(units.places) * kOne;
        for (std::size_t a = 0; a < members.size(); ++a) {
            for (std::size_t b = a + 1; b < members.size(); ++b) {
                sum += cost_of_pair(units, static_cast<std::size_t>(members[a]),
                                    static_cast<std::size_t>(members[b]), weights) -
                       kOne;
            }
        }
    }
    return sum;
}

bool is_partition(const Units& units, const Partition& partition) {
    std::vector<int> seen(static_cast<std::size_t>(units.size()), 0);
    for (std::size_t g = 0; g < partition.size(); ++g) {
        std::vector<std::int32_t> places;
        for (const std::int32_t member : partition.group(g)) {
            ++seen[static_cast<std::size_t>(member)];
            places.push_back(units.place[static_cast<std::size_t>(member)]);
        }
        std::sort(places.begin(), places.end());
        if (std::adjacent_find(places.begin(), places.end()) != places.end()) return false;
    }
    return std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; });
}

void solve(const Units& units, const Weights& weights, const Limits& limits, Workspace& space) {
    const StopFlag stop;
    space.units = units;
    mark_twins(weights.position > 0.0, space.units);
    find_pairs(space.units, weights, kTable, limits.pairs, stop, space.pairs);
    best_partition(limits, stop, space);
}

Weights random_weights(std::mt19937_64& random) {
    constexpr std::array kChoices = {0.0, 0.25, 1.0, 1.0, 1.0, 3.0};
    Weights weights;
    weights.position = kChoices[random() % kChoices.size()];
    weights.label = kChoices[random() % kChoices.size()];
    weights.power = random() % 4 == 0 ? 1.0 : 2.0;
    if (weights.position == 0.0 && weights.label == 0.0) weights.label = 1.0;
    return weights;
}

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

void test_every_path_chooses_the_same_groups() {
    std::mt19937_64 random(13);
    Workspace quickly;
    Workspace by_pricing;
    Workspace listed_but_hard;
    Limits no_listing;
    no_listing.listing_steps = 0;
    Limits no_quick_attempt;
    no_quick_attempt.states = 0;
    for (int places = 3; places <= 7; ++places) {
        for (std::size_t kind = 0; kind < kFamilies.size(); ++kind) {
            for (int round = 0; round < 40; ++round) {
                const Weights weights = random_weights(random);
                const Units units = family(kind, places, places < 5 ? 4 : 3, random);
                solve(units, weights, Limits{}, quickly);
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

void test_limits_are_reported_with_a_valid_bound() {
    std::mt19937_64 random(11);
    Workspace exact;
    Workspace hurried;
    for (int places = 2; places <= 5; ++places) {
        for (std::size_t kind = 0; kind < kFamilies.size(); ++kind) {
            for (int round = 0; round < 40; ++round) {
                Limits limits;
                switch (round % 4) {
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
                    default:
                        limits.states_at_once = 0;
                        limits.beam = 0;
                        limits.matching_steps = 0;
                }
                const Units units = family(kind, places, places < 4 ? 6 : 3, random);
                solve(units, {}, Limits{}, exact);
                solve(units, {}, limits, hurried);
                const std::string name = std::string(kFamilies[kind]) + ", " +
                                         std::to_string(places) + " annotators, limit " +
                                         std::to_string(round % 4);
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
    test_every_path_chooses_the_same_groups();
    test_limits_are_reported_with_a_valid_bound();
    test_wide_chains_use_wide_masks();
    test_draws_do_not_depend_on_threads();
    test_a_raised_flag_stops_the_work();
    test_quantised_costs_saturate();
    std::printf("kernel self-tests: %ld checks, %d failed\n", checks, failures);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
