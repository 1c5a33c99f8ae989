#include "pricing/branch_and_price.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "pricing/dual_values.hpp"
#include "pricing/master.hpp"

namespace unisono {

namespace {

constexpr int kMostCases = 60;
constexpr std::int64_t kMoreSteps = 8;  // times those of the chain, for all cases together
constexpr double kAccuracy = 1e-5;      // of shares that only compare cases
constexpr double kTaken = 1e-4;
constexpr std::size_t kTried = 4;     // pairs, from which the best is chosen
constexpr std::size_t kApart = 7;     // the tried ones among all, so that they are different
constexpr double kKept = 3.0;         // times what is left beyond the shares: groups of a case
constexpr double kOfTheBetter = 0.2;  // what the better of two cases counts

using UnitPair = std::pair<std::int32_t, std::int32_t>;
using Members = std::span<const std::int32_t>;

// Two units that are in one group, if any is to be with the other's annotator; or that are not.
struct Rule {
    UnitPair units;
    bool together;
};

struct Case {
    std::vector<Rule> rules;
    Relaxation known;
    double bound;
};

// How much of all groups that hold both.
struct TakenPair {
    UnitPair units;
    double taken;
};

bool holds(Members members, std::int32_t unit) {
    return std::binary_search(members.begin(), members.end(), unit);
}

// The pairs that are in groups that the relaxation takes, the least decided first.
std::vector<TakenPair> undecided_pairs(const Relaxation& known, const std::vector<Rule>& rules) {
    std::vector<TakenPair> all;
    for (std::size_t g = 0; g < known.pool.size(); ++g) {
        if (known.taken[g] < kTaken) continue;
        const auto members = known.pool.members_of(g);
        for (std::size_t k = 1; k < members.size(); ++k) {
            for (std::size_t m = 0; m < k; ++m) {
                all.push_back({{members[m], members[k]}, known.taken[g]});
            }
        }
    }
    std::sort(all.begin(), all.end(),
              [](const TakenPair& a, const TakenPair& b) { return a.units < b.units; });
    std::vector<TakenPair> pairs;
    for (const TakenPair& one : all) {
        if (!pairs.empty() && pairs.back().units == one.units) {
            pairs.back().taken += one.taken;
        } else {
            pairs.push_back(one);
        }
    }
    const auto decided = [](const TakenPair& pair) { return std::fabs(pair.taken - 0.5); };
    std::erase_if(pairs, [&](const TakenPair& pair) {
        return std::any_of(rules.begin(), rules.end(),
                           [&](const Rule& rule) { return rule.units == pair.units; });
    });
    std::stable_sort(pairs.begin(), pairs.end(), [&](const TakenPair& a, const TakenPair& b) {
        return decided(a) < decided(b);
    });
    return pairs;
}

class Branching {
 public:
    Branching(const LoneChain& lone, const Limits& limits, FrontierProgram& frontier,
              const StopFlag& stop, PricedSolution& solution)
        : lone_(lone),
          chain_(lone.chain()),
          limits_(limits),
          frontier_(frontier),
          stop_(stop),
          solution_(solution),
          value_(cost_of(chain_, solution.groups, solution.chosen)),
          steps_left_(kMoreSteps * limits.steps),
          work_left_(master_work(limits.steps)) {}

    void run(Relaxation root) {
        shares_ = root.shares;
        above_ = above_shares(solution_);
        open_.push_back({{}, std::move(root), solution_.lower_bound});
        for (int cases = 0; !is_done() && cases < kMostCases && !stop_.late(); cases += 2) {
            if (steps_left_ <= 0 || !divide(take_next())) break;
        }
        const double least = open_.empty() ? value_ : std::min(value_, lowest()->bound);
        solution_.lower_bound = std::max(solution_.lower_bound, least);
        solution_.solved = is_proven();
    }

 private:
    [[nodiscard]] std::vector<Case>::iterator lowest() {
        return std::min_element(open_.begin(), open_.end(),
                                [](const Case& a, const Case& b) { return a.bound < b.bound; });
    }

    [[nodiscard]] bool is_proven() { return open_.empty() || lowest()->bound > value_; }

    [[nodiscard]] bool is_done() {
        return is_proven() ||
               (limits_.tolerance > 0.0 && value_ - lowest()->bound <= limits_.tolerance * value_);
    }

    // A good partition closes most cases, so that one is looked for first, deeper and deeper; then
    // the lowest bound is what has to rise.
    Case take_next() {
        const auto is_deeper = [](const Case& a, const Case& b) {
            if (a.rules.size() != b.rules.size()) return a.rules.size() > b.rules.size();
            return a.bound < b.bound;
        };
        const auto at =
            has_solved_ ? lowest() : std::min_element(open_.begin(), open_.end(), is_deeper);
        Case taken = std::move(*at);
        open_.erase(at);
        return taken;
    }

    // Into two, of which each is solved, closed or left for later. False if there is nothing to
    // divide by, and what there is cannot be solved.
    bool divide(Case whole) {
        const std::vector<TakenPair> pairs = undecided_pairs(whole.known, whole.rules);
        if (pairs.empty()) {
            const std::size_t others = open_.size();
            solve(std::move(whole));
            return open_.size() == others;
        }
        std::vector<Case> best;
        double most = -1.0;
        for (std::size_t tried = 0; tried < kTried; ++tried) {
            const std::size_t at = std::min(tried * kApart, pairs.size() - 1);
            std::vector<Case> two = cases_of(whole, pairs[at].units);
            const auto [lower, upper] = std::minmax(two[0].bound, two[1].bound);
            const double gain = lower + kOfTheBetter * (upper - lower) - whole.bound;
            if (best.empty() || gain > most) {
                most = gain;
                best = std::move(two);
            }
            if (at + 1 == pairs.size()) break;
        }
        for (Case& one : best) {
            one.bound = whole.bound;  // the other was only by the groups known
            solve(std::move(one));
        }
        return true;
    }

    // With bounds by the groups that are known, and not more.
    std::vector<Case> cases_of(const Case& whole, const UnitPair& units) {
        std::vector<Case> two;
        for (const bool are_together : {true, false}) {
            Case one{whole.rules, {{}, whole.known.shares, whole.known.cuts, {}}, 0.0};
            one.rules.push_back({units, are_together});
            const Pool& pool = whole.known.pool;
            for (std::size_t g = 0; g < pool.size(); ++g) {
                const auto members = pool.members_of(g);
                if (allows(one.rules.back(), members)) one.known.pool.add(members, pool.cost(g));
            }
            Master master(chain_, work_left_);
            master.find_shares(one.known.pool, kAccuracy, stop_, one.known.shares, one.known.cuts);
            work_left_ = master.work_left();
            one.bound = bound_of(one.known);
            two.push_back(std::move(one));
        }
        return two;
    }

    void solve(Case one) {
        const LoneChain chain = with_rules_of(one);
        Limits limits = limits_;
        limits.known = value_;
        limits.is_case = true;
        limits.tolerance = 0.0;
        limits.steps = std::min(limits.steps, steps_left_);
        PricedSolution found = solve_with_fewer_pairs(chain, limits, frontier_, stop_, one.known);
        steps_left_ -= found.steps;
        solution_.steps += found.steps;
        if (found.solved) {
            has_solved_ = true;
            return keep_the_better(std::move(found));
        }
        one.bound = std::max(one.bound, found.lower_bound);
        if (one.bound > value_) return;
        forget_dear_groups(one);
        open_.push_back(std::move(one));
    }

    [[nodiscard]] std::int32_t place_of(std::int32_t unit) const {
        return lone_.place[static_cast<std::size_t>(unit)];
    }

    [[nodiscard]] bool allows(const Rule& rule, Members members) const {
        const auto& [u, v] = rule.units;
        if (!rule.together) return !holds(members, u) || !holds(members, v);
        const auto has_another = [&](std::int32_t unit, std::int32_t given) {
            return holds(members, unit) &&
                   std::any_of(members.begin(), members.end(), [&](std::int32_t member) {
                       return member != given && place_of(member) == place_of(given);
                   });
        };
        return !has_another(u, v) && !has_another(v, u);
    }

    [[nodiscard]] LoneChain with_rules_of(const Case& one) const {
        LoneChain chain = lone_;
        Pairs& pairs = chain.pairs;
        pairs.offsets.assign(1, 0);
        pairs.other.clear();
        pairs.cost.clear();
        for (std::int32_t u = 0; u < lone_.pairs.units(); ++u) {
            const auto i = static_cast<std::size_t>(u);
            for (auto at = lone_.pairs.offsets[i]; at < lone_.pairs.offsets[i + 1]; ++at) {
                const std::int32_t v = lone_.pairs.other[static_cast<std::size_t>(at)];
                const std::array<std::int32_t, 2> two{std::min(u, v), std::max(u, v)};
                if (!std::all_of(one.rules.begin(), one.rules.end(),
                                 [&](const Rule& rule) { return allows(rule, two); })) {
                    continue;
                }
                pairs.other.push_back(v);
                pairs.cost.push_back(lone_.pairs.cost[static_cast<std::size_t>(at)]);
            }
            pairs.offsets.push_back(static_cast<std::int64_t>(pairs.other.size()));
        }
        find_savings(pairs, chain.place, chain.places, chain.savings);
        return chain;
    }

    // A better partition of the case has no group that costs more than what is left beyond the
    // shares; as these will change, those that cost a little more are kept.
    void forget_dear_groups(Case& one) const {
        const Relaxation& known = one.known;
        const double left = (value_ - bound_of(known)) * static_cast<double>(kOne);
        Pool kept;
        std::vector<double> taken;
        for (std::size_t g = 0; g < known.pool.size(); ++g) {
            const auto members = known.pool.members_of(g);
            const Cost reduced =
                reduced_cost(members, known.pool.cost(g), known.shares, &known.cuts);
            if (static_cast<double>(reduced) > kKept * left) continue;
            kept.add(members, known.pool.cost(g));
            taken.push_back(known.taken[g]);
        }
        one.known.pool = std::move(kept);
        one.known.taken = std::move(taken);
    }

    static double bound_of(const Relaxation& known) {
        return sum_of_shares(known.shares) -
               static_cast<double>(known.cuts.sum_of_prices()) / static_cast<double>(kOne);
    }

    // The cheaper one; of two that cost the same, the first in canonical order.
    void keep_the_better(PricedSolution found) {
        const Cost above = above_shares(found);
        if (above > above_ || (above == above_ && !stands_first(found))) return;
        above_ = above;
        value_ = cost_of(chain_, found.groups, found.chosen);
        solution_.groups = std::move(found.groups);
        solution_.chosen = std::move(found.chosen);
    }

    // Beyond the shares at the root, because the sum of all costs would not be exact.
    [[nodiscard]] Cost above_shares(const PricedSolution& of) const {
        Cost above = 0;
        for (std::size_t at = 0; at < of.chosen.size(); ++at) {
            const std::int64_t group = of.chosen[at].second;
            above += group < 0 ? pair_count(lone_.places) * kOne
                               : of.groups.cost[static_cast<std::size_t>(group)];
            for (const std::int32_t member : members_of(of, at)) {
                above -= shares_[static_cast<std::size_t>(member)];
            }
        }
        return above;
    }

    [[nodiscard]] bool stands_first(const PricedSolution& found) const {
        const std::size_t count = std::min(found.chosen.size(), solution_.chosen.size());
        for (std::size_t at = 0; at < count; ++at) {
            const auto mine = members_of(found, at);
            const auto other = members_of(solution_, at);
            // What was the same until here leaves the same unit to begin with.
            if (!std::equal(mine.begin(), mine.end(), other.begin(), other.end())) {
                return stands_before(mine, other);
            }
        }
        return false;
    }

    static Members members_of(const PricedSolution& of, std::size_t at) {
        const auto& [anchor, group] = of.chosen[at];
        return group < 0 ? Members(&anchor, 1) : of.groups.members_of(group);
    }

    const LoneChain& lone_;
    Chain chain_;
    const Limits& limits_;
    FrontierProgram& frontier_;
    const StopFlag& stop_;
    PricedSolution& solution_;
    std::vector<Cost> shares_;  // at the root
    double value_;              // of the best partition known, times C
    Cost above_ = 0;            // the same beyond these shares
    std::int64_t steps_left_;
    double work_left_;  // of masters that compare cases
    std::vector<Case> open_;
    bool has_solved_ = false;  // any case
};

}  // namespace

void branch(const LoneChain& chain, const Limits& limits, Relaxation root,
            FrontierProgram& frontier, const StopFlag& stop, PricedSolution& solution) {
    if (chain.place.size() > kMostUnitsToDivide) return;
    Branching(chain, limits, frontier, stop, solution).run(std::move(root));
}

}  // namespace unisono
