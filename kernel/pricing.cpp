#include "pricing.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "approximating.hpp"
#include "master.hpp"
#include "shares.hpp"

namespace unisono {

namespace {

constexpr double kRounding = 1e-9;
constexpr int kMostRounds = 60;
constexpr std::int64_t kFirstSteps = 2'000;
constexpr double kFirstAccuracy = 1e-2;
constexpr double kLastAccuracy = 1e-6;
constexpr std::size_t kGroupsPerAnchor = 6;
// Shares that overpay less than this part of a lonely unit's cost are good enough; the repair takes
// the rest back.
constexpr double kOverpaid = 1e-6;

class Pricing {
 public:
    Pricing(const LoneChain& lone, const PricingLimits& limits, FrontierProgram& frontier,
            const StopFlag& stop)
        : lone_(lone),
          chain_{lone.identity, lone.identity, lone.twin, lone.places},
          limits_(limits),
          frontier_(frontier),
          stop_(stop),
          alone_(pair_count(lone.places) * kOne) {}

    PricedSolution run() {
        PricedSolution solution;
        Groups pool = start();
        generate(pool);
        const bool certain = repair_against_all_groups();
        solution.lower_bound = bound_from_pairs_;
        if (certain) {
            solution.lower_bound = std::max(bound_from_pairs_, sum_of_shares(shares_));
        }
        if (certain && deepen(solution)) {
            solution.solved = true;
            return solution;
        }
        solution.groups = std::move(pool);
        approximate(chain_, solution.groups, shares_, limits_.without_proof, frontier_, stop_,
                    solution.chosen);
        return solution;
    }

 private:
    // Shares from pairs alone, and no groups yet.
    Groups start() {
        Groups pool;
        find(GroupWish{&shares_, std::numeric_limits<Cost>::min(), 0}, pool);
        first_shares(chain_, pool, shares_);
        bound_from_pairs_ = sum_of_shares(shares_);
        return pool;
    }

    bool find(const GroupWish& wish, Groups& found) {
        return find(wish, limits_.steps_per_anchor, found);
    }

    bool find(const GroupWish& wish, std::int64_t steps_per_anchor, Groups& found) {
        if (shares_.empty()) shares_.assign(lone_.place.size(), 0);
        find_groups(lone_.pairs, lone_.place, lone_.places, wish,
                    {limits_.groups, steps_per_anchor, limits_.steps}, stop_, found);
        return found.unfinished.empty();
    }

    // Column generation: shares that are best for the groups known so far, then groups that these
    // overpay. Far away neither needs to be exact: the search is cut short, and the shares are
    // central rather than best. At the end both are.
    void generate(Groups& pool) {
        std::set<std::vector<std::int32_t>> known;
        double accuracy = kFirstAccuracy;
        std::int64_t steps = std::min(kFirstSteps, limits_.steps_per_anchor);
        const auto overpaid = static_cast<Cost>(kOverpaid * static_cast<double>(alone_));
        for (int round = 0; round < kMostRounds; ++round) {
            Groups found;
            const bool complete =
                find(GroupWish{&shares_, -overpaid - 1, kGroupsPerAnchor}, steps, found);
            const std::int64_t before = pool.size();
            pool = merged(pool, found, known);
            if (pool.size() - before <= before / 50) {
                const bool nothing_new = pool.size() == before;
                const bool searched = complete || steps >= limits_.steps_per_anchor;
                if (nothing_new && searched && accuracy <= kLastAccuracy) break;
                if (!searched) steps = std::min(10 * steps, limits_.steps_per_anchor);
                accuracy = std::max(kLastAccuracy, accuracy / 10.0);
            }
            best_shares(chain_, pool, accuracy, stop_, shares_);
        }
        settle_shares(chain_, pool, shares_);
    }

    // Both sets of groups as one, in the fixed order that the frontier program needs.
    Groups merged(const Groups& pool, const Groups& found,
                  std::set<std::vector<std::int32_t>>& known) {
        std::vector<std::pair<const Groups*, std::int64_t>> all;
        for (std::int64_t g = 0; g < pool.size(); ++g) all.emplace_back(&pool, g);
        for (std::int64_t g = 0; g < found.size(); ++g) {
            const auto members = found.members_of(g);
            if (known.emplace(members.begin(), members.end()).second) all.emplace_back(&found, g);
        }
        std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
            const auto left = a.first->members_of(a.second);
            const auto right = b.first->members_of(b.second);
            if (left[0] != right[0]) return left[0] < right[0];
            if (left.size() != right.size()) return left.size() > right.size();
            return std::lexicographical_compare(left.begin(), left.end(), right.begin(),
                                                right.end());
        });
        Groups result;
        result.most_saved = pool.most_saved;
        result.of_anchor.assign(pool.of_anchor.size(), 0);
        result.member_offsets.assign(1, 0);
        for (const auto& [groups, g] : all) {
            const auto members = groups->members_of(g);
            result.members.insert(result.members.end(), members.begin(), members.end());
            result.member_offsets.push_back(static_cast<std::int64_t>(result.members.size()));
            result.cost.push_back(groups->cost[static_cast<std::size_t>(g)]);
            ++result.of_anchor[static_cast<std::size_t>(members[0]) + 1];
        }
        std::partial_sum(result.of_anchor.begin(), result.of_anchor.end(),
                         result.of_anchor.begin());
        return result;
    }

    // Lowers the shares until no group at all is paid too much. Lowering one share never overpays
    // another group, so one search for all that are overpaid is enough. False if it was cut short.
    bool repair_against_all_groups() {
        Groups overpaid;
        if (!find(GroupWish{&shares_, -1, 0}, overpaid)) return false;
        repair_shares(chain_, overpaid, shares_);
        return true;
    }

    bool deepen(PricedSolution& solution) {
        const double shares = sum_of_shares(shares_);
        const auto whole = static_cast<double>(pair_count(lone_.places));
        double gap = std::max(2e-3 * whole, 4e-5 * shares);
        while (gap < whole * static_cast<double>(lone_.place.size())) {
            const auto quantised = static_cast<Cost>(gap * static_cast<double>(kOne));
            if (!find(GroupWish{&shares_, quantised, 0}, solution.groups)) return false;
            FrontierLimits limits;
            limits.states = limits_.states;
            limits.states_at_once = limits_.states_at_once;
            limits.gap = quantised;
            const Outcome outcome =
                frontier_.solve(chain_, solution.groups, shares_, limits, stop_, solution.chosen);
            if (outcome == Outcome::kSolved) return true;
            if (outcome == Outcome::kLimitReached) return false;
            solution.lower_bound = std::max(solution.lower_bound, shares + gap * (1.0 - kRounding));
            gap *= 2.5;
        }
        return false;
    }

    const LoneChain& lone_;
    Chain chain_;
    PricingLimits limits_;
    FrontierProgram& frontier_;
    const StopFlag& stop_;
    Cost alone_;
    std::vector<Cost> shares_;
    double bound_from_pairs_ = 0.0;
};

}  // namespace

LoneChain take_chain(const Chain& chain, const Pairs& pairs, std::span<const std::int32_t> place) {
    LoneChain lone;
    lone.places = chain.places;
    lone.identity.resize(chain.units.size());
    std::iota(lone.identity.begin(), lone.identity.end(), 0);
    lone.pairs.offsets.assign(1, 0);
    const auto local = [&](std::int32_t unit) {
        return chain.local_index[static_cast<std::size_t>(unit)];
    };
    for (const std::int32_t unit : chain.units) {
        const auto at = static_cast<std::size_t>(unit);
        lone.place.push_back(place[at]);
        // A twin of a unit of the chain is in the same chain: it has the same partners.
        lone.twin.push_back(chain.twin[at] < 0 ? -1 : local(chain.twin[at]));
        for (auto p = pairs.offsets[at]; p < pairs.offsets[at + 1]; ++p) {
            const std::int32_t other = pairs.other[static_cast<std::size_t>(p)];
            // Partners outside the chain share no group with this unit.
            const auto position = static_cast<std::size_t>(local(other));
            if (position >= chain.units.size() || chain.units[position] != other) continue;
            lone.pairs.other.push_back(local(other));
            lone.pairs.cost.push_back(pairs.cost[static_cast<std::size_t>(p)]);
        }
        lone.pairs.offsets.push_back(static_cast<std::int64_t>(lone.pairs.other.size()));
    }
    return lone;
}

PricedSolution solve_by_pricing(const LoneChain& chain, const PricingLimits& limits,
                                FrontierProgram& frontier, const StopFlag& stop) {
    return Pricing(chain, limits, frontier, stop).run();
}

}  // namespace unisono
