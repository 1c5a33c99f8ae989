#include "pricing/column_generation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "pricing/branch_and_price.hpp"
#include "pricing/dual_values.hpp"
#include "pricing/local_search.hpp"
#include "pricing/master.hpp"
#include "pricing/pool.hpp"
#include "pricing/pricing_search.hpp"
#include "pricing/subset_row_cuts.hpp"

namespace unisono {

namespace {

// Inherited: twice or half of each changes times by less than 15 %, unless another note is given.
constexpr int kMostRounds = 120;
constexpr std::int64_t kFirstSteps = 200;
constexpr double kFirstAccuracy = 1e-3;
constexpr double kLastAccuracy = 1e-6;
constexpr std::size_t kGroupsPerAnchor = 6;
constexpr int kFewestPlacesToGuess = 6;
constexpr double kTaken = 0.03;       // of a group: enough to begin a guess with
constexpr double kMostlyTaken = 0.3;  // enough to begin a partition with
constexpr std::int64_t kManyFound = 30;
// A round has found little when it makes the groups known more by less than one in so many.
constexpr std::size_t kLittleAtFirst = 50;
constexpr std::size_t kLittleToSharpen = 100;
constexpr std::size_t kLittleToSearch = 200;
// Rounds that also look for cuts, and how many of them for one search: searches are dear.
struct Cutting {
    int rounds, for_a_search;
};
constexpr Cutting kNoCuts{0, 1};
constexpr Cutting kCutting{6, 2};
constexpr Cutting kCuttingOfACase{3, 1};
// Where both are limited; with cuts there is nothing cheaper to come.
constexpr std::int64_t kStatesForAGroup = 6;
constexpr std::int64_t kStatesForAGroupWithCuts = 2;
// Groups of 4 annotators with 20 equal units each: all have the same cost, so that a smaller slack
// does not leave fewer.
constexpr std::int64_t kEnoughForEqualUnits = 250'000;
constexpr std::int64_t kMoreWorkForCases = 10;              // times what was done before
constexpr std::int64_t kLeastWorkForCases = 1'000'000'000;  // some seconds
// Shares that overpay less than this part of a lonely unit's cost are good enough.
constexpr double kOverpaid = 1e-3;
constexpr double kOverpaidOfAll = 1e-5;  // on long chains, of the first bound
class Pricing {
 public:
    Pricing(const LoneChain& lone, const Limits& limits, FrontierProgram& frontier,
            const StopFlag& stop)
        : lone_(lone),
          chain_(lone.chain()),
          limits_(limits),
          frontier_(frontier),
          stop_(stop),
          asker_(std::make_unique<GroupAsker>(lone.pairs, lone.place, lone.savings, stop)),
          alone_(pair_count(lone.places) * kOne),
          cuts_(lone.place.size()),
          master_(chain_, master_work(limits.steps)) {}

    PricedSolution run() {
        PricedSolution solution;
        solve(solution);
        solution.steps = steps_made();
        return solution;
    }

    PricedSolution run_from(Relaxation& relaxation) {
        shares_ = std::move(relaxation.shares);
        cuts_ = std::move(relaxation.cuts);
        pool_ = std::move(relaxation.pool);
        steps_ = limits_.steps_per_anchor;
        little_ = most_overpaid();
        improve(overpaid_groups(), kLastAccuracy, kCuttingOfACase);
        PricedSolution solution;
        solution.lower_bound = valid_.bound;
        if (is_searched_) deepen_with(quick_limits(), solution);
        solution.steps = steps_made();
        relaxation = what_is_known();
        return solution;
    }

    [[nodiscard]] Relaxation what_is_known() const {
        std::vector<double> taken = master_.all_taken();
        taken.resize(pool_.size(), 0.0);
        return {pool_, shares_, cuts_, std::move(taken)};
    }

    // Whether all anchors could be searched to the end.
    [[nodiscard]] bool is_searched() const { return is_searched_; }

    // Whether a partition is known that is as close to the bound as was asked for.
    [[nodiscard]] bool is_close(const PricedSolution& solution) const {
        if (solution.chosen.empty() || limits_.tolerance <= 0.0) return false;
        const double value = cost_of(chain_, solution.groups, solution.chosen);
        return value - solution.lower_bound <= limits_.tolerance * value;
    }

 private:
    void solve(PricedSolution& solution) {
        first_shares(chain_, shares_);
        const double bound_from_pairs = sum_of_shares(shares_);
        generate();
        solution.lower_bound = std::max(bound_from_pairs, valid_.bound);
        if (limits_.tolerance > 0.0) find_partition();
        // Only where all anchors can be searched to the end is there a hope of a proof.
        if (is_searched_ && !is_good_enough(solution)) {
            const bool is_divided = limits_.undivided_states < 0 && can_be_divided();
            if (!is_divided) deepen_with(quick_limits(), solution);
            if (solution.solved) return;
            find_partition();
            if (!is_good_enough(solution)) {
                if (!chain_.soft) cut();
                solution.lower_bound = std::max(solution.lower_bound, valid_.bound);
                if (!is_divided) deepen_with(limits_with_cuts(), solution);
                if (solution.solved) return;
            }
        }
        find_partition();
        solution.groups = std::move(found_.groups);
        solution.chosen = std::move(found_.chosen);
        if (solution.chosen.empty()) solution.start = mostly_taken();
    }

    // A good one, without proof; once.
    void find_partition() {
        if (chain_.soft || !found_.chosen.empty() || stop_.late()) return;
        found_ = search_locally(lone_, {mostly_taken()}, limits_.local_steps, stop_);
        limits_.known = cost_of(chain_, found_.groups, found_.chosen);
    }

    [[nodiscard]] bool is_good_enough(const PricedSolution& solution) const {
        return limits_.tolerance > 0.0 && std::isfinite(limits_.known) &&
               limits_.known - solution.lower_bound <= limits_.tolerance * limits_.known;
    }

    // Disjoint groups of which the master takes much, those first that it takes most of.
    [[nodiscard]] std::vector<Members> mostly_taken() const {
        std::vector<std::size_t> order;
        const std::vector<double>& taken = master_.all_taken();
        for (std::size_t g = 0; g < taken.size(); ++g) {
            if (taken[g] >= kMostlyTaken) order.push_back(g);
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return taken[a] > taken[b]; });
        std::vector<char> is_covered(lone_.place.size(), 0);
        std::vector<Members> groups;
        for (const std::size_t g : order) {
            const auto members = pool_.members_of(g);
            if (std::any_of(members.begin(), members.end(), [&](std::int32_t member) {
                    return is_covered[static_cast<std::size_t>(member)] != 0;
                })) {
                continue;
            }
            for (const std::int32_t member : members) {
                is_covered[static_cast<std::size_t>(member)] = 1;
            }
            groups.emplace_back(members.begin(), members.end());
        }
        return groups;
    }

    bool ask(GroupWish wish, std::int64_t steps_per_anchor, Groups& found) {
        if (!cuts_.empty()) wish.cuts = &cuts_;
        GroupLimits limits = limits_.of_groups();
        limits.steps_per_anchor = steps_per_anchor;
        return asker_->ask(shares_, wish, limits, found);
    }

    // Column generation: shares that are best for the groups known so far, then groups that these
    // overpay. Far away neither needs to be exact: the search is cut short, and the shares are
    // central rather than best. It ends when the shares overpay so little that the repair may take
    // it back.
    void generate() {
        steps_ = std::min(kFirstSteps, limits_.steps_per_anchor);
        little_ = most_overpaid();
        GroupWish wish = overpaid_groups();
        wish.most_reduced = alone_;
        wish.quickly = lone_.places >= kFewestPlacesToGuess;
        Groups found;
        ask(wish, steps_, found);
        pool_.add(found);
        wish.most_reduced = -1;
        improve(wish, kFirstAccuracy, kNoCuts);
    }

    [[nodiscard]] static GroupWish overpaid_groups() {
        GroupWish wish;
        wish.most_reduced = -1;
        wish.per_anchor = kGroupsPerAnchor;
        return wish;
    }

    // That the repair may take back.
    [[nodiscard]] double most_overpaid() const {
        return std::max(kOverpaid * static_cast<double>(pair_count(lone_.places)),
                        kOverpaidOfAll * sum_of_shares(shares_));
    }

    // Rounds of the master and of searches.
    void improve(GroupWish wish, double accuracy, const Cutting& cutting) {
        Groups found, taken;
        int stuck = 0;
        const bool can_guess = wish.quickly;
        bool is_judged = false;  // whether the shares at hand are
        for (int round = 0; round < kMostRounds && !is_over(); ++round) {
            is_judged = false;
            if (!master_.find_shares(pool_, accuracy, stop_, shares_, cuts_)) break;
            const bool has_cut = round < cutting.rounds && find_cuts();
            if (has_cut && (round + 1) % cutting.for_a_search != 0) continue;
            if (wish.quickly) taken = taken_groups();
            wish.first_guesses = wish.quickly ? &taken : nullptr;
            bool complete = ask(wish, steps_, found);
            if (!wish.quickly && !chain_.soft) {
                is_judged = true;
                is_searched_ = complete;
                judge();
                if (!complete && !is_order_chosen_ && lone_.places >= limits_.ordered_places) {
                    choose_order(wish, found);
                    complete = is_searched_;
                }
            }
            const std::size_t before = pool_.size();
            pool_.add(found);
            const std::size_t grown = pool_.size() - before;
            if (has_cut || grown > before / kLittleAtFirst) continue;
            if (wish.quickly) {
                if (grown <= before / kLittleToSharpen) accuracy = kLastAccuracy;
                wish.quickly = grown > before / kLittleToSearch;
                continue;
            }
            // Searches are dear: guesses may find more of the kind.
            wish.quickly = can_guess && found.size() > kManyFound;
            const bool searched = complete || steps_ >= limits_.steps_per_anchor;
            // The same groups again: left out of the master, or paid too much by its inaccuracy.
            stuck = pool_.size() == before ? stuck + 1 : 0;
            if (searched && accuracy <= kLastAccuracy && (overpaid(found) <= little_ || stuck > 1))
                break;
            if (!searched) steps_ = std::min(10 * steps_, limits_.steps_per_anchor);
            accuracy = kLastAccuracy;
        }
        make_valid(wish, is_judged);
    }

    // Shares that overpay no group at all, and the bound that they are.
    struct Valid {
        std::vector<Cost> shares;
        Cuts cuts{0};
        double bound = -std::numeric_limits<double>::infinity();
    };

    // Whatever the search left out: let e(u) be at least what any group anchored at u is overpaid.
    // Then λ(u) - e(u) are valid, because a group has one anchor and all e(u) are >= 0. So an
    // anchor that was cut short costs only its own e(u), by the bound of what was left there.
    void judge() {
        const std::vector<Cost>& least = asker_->least_reduced();
        Valid found{shares_, cuts_, 0.0};
        for (std::size_t u = 0; u < shares_.size(); ++u) {
            found.shares[u] = std::min(found.shares[u] + least[u], alone_);
        }
        found.bound = bound_of(found.shares, cuts_);
        if (found.bound > valid_.bound) valid_ = std::move(found);
    }

    static double bound_of(const std::vector<Cost>& shares, const Cuts& cuts) {
        constexpr double kRounding = 1e-9;
        return sum_of_shares(shares) - static_cast<double>(cuts.sum_of_prices()) /
                                           static_cast<double>(kOne) * (1.0 + kRounding);
    }

    // Ends with the best valid shares that were found.
    void make_valid(GroupWish wish, bool is_judged) {
        if (chain_.soft) {
            // Where units may be in several groups, a group can be taken more than once.
            Groups known = pool_.ordered(lone_.place.size());
            repair_shares(chain_, known, shares_);
            is_searched_ = repair_against_all_groups();
            if (is_searched_) valid_ = {shares_, cuts_, sum_of_shares(shares_)};
            return;
        }
        if (!is_judged) {
            Groups found = pool_.ordered(lone_.place.size());
            cuts_.charge(found);
            repair_shares(chain_, found, shares_);
            wish.quickly = false;
            wish.per_anchor = 1;
            is_searched_ = ask(wish, steps_, found);
            judge();
        }
        shares_ = valid_.shares;
        cuts_ = valid_.cuts;
    }

    // Groups that cost little more than the shares are mostly like those that the master takes.
    [[nodiscard]] Groups taken_groups() const {
        std::vector<std::size_t> taken;
        for (std::size_t g = 0; g < pool_.size(); ++g) {
            if (master_.taken(g) > kTaken) taken.push_back(g);
        }
        return pool_.ordered(lone_.place.size(), std::move(taken));
    }

    // Sharpens the bound by cuts; where that cannot be proven, all is as before.
    void cut() { improve(overpaid_groups(), kLastAccuracy, kCutting); }

    bool find_cuts() {
        std::vector<TakenGroup> taken;
        for (std::size_t g = 0; g < pool_.size(); ++g) {
            taken.push_back({pool_.members_of(g), master_.taken(g)});
        }
        cuts_.forget_those_without_price();
        bool has_new = false;
        for (const Cut& cut : find_violated(lone_.place.size(), taken)) {
            if (cuts_.add(cut)) has_new = true;
        }
        return has_new;
    }

    void deepen_with(const Limits& limits, PricedSolution& solution) {
        deepen(chain_, lone_.pairs, shares_, cuts_, limits, *asker_, frontier_, stop_, solution);
    }

    // Enough where the shares alone are good; cuts are dear.
    [[nodiscard]] Limits quick_limits() const {
        return chain_.soft ? limits_ : limits_of_states(limits_.uncut_states);
    }

    [[nodiscard]] Limits limits_with_cuts() const {
        return can_be_divided() ? limits_of_states(limits_.undivided_states) : limits_;
    }

    [[nodiscard]] Limits limits_of_states(std::int64_t states_per_unit) const {
        Limits limits = limits_;
        const std::int64_t states = states_per_unit * static_cast<std::int64_t>(lone_.place.size());
        limits.states = std::min(limits.states, states);
        limits.groups = std::min(
            limits.groups,
            std::max(kEnoughForEqualUnits,
                     states / (cuts_.empty() ? kStatesForAGroup : kStatesForAGroupWithCuts)));
        limits.ends_at_a_limit = true;
        return limits;
    }

    [[nodiscard]] bool can_be_divided() const {
        return !chain_.soft && lone_.place.size() <= kMostUnitsToDivide;
    }

    [[nodiscard]] std::int64_t steps_made() const { return asker_->steps(); }

    // The order in which fewer anchors were cut short is kept. Which one that is depends on how
    // units overlap: in crowds that mark different things, anchors with few partners come first;
    // where all mark the same, those in sweep order do.
    void choose_order(const GroupWish& wish, Groups& found) {
        is_order_chosen_ = true;
        auto other = std::make_unique<GroupAsker>(lone_.pairs, lone_.place, lone_.savings, stop_,
                                                  AnchorOrder::kFewestPartners);
        std::swap(asker_, other);
        Groups by_other;
        is_searched_ = ask(wish, steps_, by_other);
        judge();
        asker_->add_steps(other->steps());
        if (by_other.unfinished.size() < found.unfinished.size()) {
            found = std::move(by_other);
            return;
        }
        other->add_steps(asker_->steps() - other->steps());
        std::swap(asker_, other);
        is_searched_ = found.unfinished.empty();
    }

    [[nodiscard]] bool is_over() const { return stop_.late() || steps_made() >= limits_.steps; }

    // By how much the shares exceed the costs of these groups, in all.
    [[nodiscard]] double overpaid(const Groups& groups) const {
        double sum = 0.0;
        for (std::int64_t g = 0; g < groups.size(); ++g) {
            const Cost reduced = reduced_cost(
                groups.members_of(g), groups.cost[static_cast<std::size_t>(g)], shares_, &cuts_);
            sum -= static_cast<double>(reduced) / static_cast<double>(kOne);
        }
        return sum;
    }

    // Lowers the shares until no group at all is paid too much. Lowering one share never overpays
    // another group, so one search for all that are overpaid is enough. False if it was cut short.
    bool repair_against_all_groups() {
        Groups overpaid;
        if (!ask(GroupWish{-1}, limits_.steps_per_anchor, overpaid)) return false;
        cuts_.charge(overpaid);
        repair_shares(chain_, overpaid, shares_);
        return true;
    }

    const LoneChain& lone_;
    Chain chain_;
    Limits limits_;
    FrontierProgram& frontier_;
    const StopFlag& stop_;
    std::unique_ptr<GroupAsker> asker_;
    bool is_order_chosen_ = false;
    Cost alone_;
    Cuts cuts_;
    Pool pool_;
    Master master_;
    std::vector<Cost> shares_;
    std::int64_t steps_ = 0;  // an anchor, for the next search
    double little_ = 0.0;     // to be overpaid
    Valid valid_;
    PricedSolution found_;      // without proof
    bool is_searched_ = false;  // the last time, all anchors to the end
};

}  // namespace

LoneChain take_chain(const Chain& chain, const Pairs& pairs, std::span<const std::int32_t> place,
                     const StopFlag& stop) {
    LoneChain lone;
    lone.places = chain.places;
    lone.soft = chain.soft;
    lone.identity.resize(chain.units.size());
    std::iota(lone.identity.begin(), lone.identity.end(), 0);
    lone.pairs.offsets.assign(1, 0);
    const auto position_of = [&](std::int32_t unit) {
        if (unit < 0) return -1;
        const std::int32_t local = chain.local_index[static_cast<std::size_t>(unit)];
        const auto at = static_cast<std::size_t>(local);
        return at < chain.units.size() && chain.units[at] == unit ? local : -1;
    };
    for (const std::int32_t unit : chain.units) {
        stop.check();
        const auto at = static_cast<std::size_t>(unit);
        lone.place.push_back(place[at]);
        // A twin of a unit of the chain is in the same chain, because it has the same partners; but
        // not in the same stretch of one.
        lone.twin.push_back(position_of(chain.twin[at]));
        for (auto p = pairs.offsets[at]; p < pairs.offsets[at + 1]; ++p) {
            // Partners outside the chain share no group with this unit.
            const std::int32_t other = position_of(pairs.other[static_cast<std::size_t>(p)]);
            if (other < 0) continue;
            lone.pairs.other.push_back(other);
            lone.pairs.cost.push_back(pairs.cost[static_cast<std::size_t>(p)]);
        }
        lone.pairs.offsets.push_back(static_cast<std::int64_t>(lone.pairs.other.size()));
    }
    find_savings(lone.pairs, lone.place, lone.places, lone.savings);
    return lone;
}

PricedSolution solve_by_pricing(const LoneChain& chain, const Limits& limits,
                                FrontierProgram& frontier, const StopFlag& stop) {
    const StopFlag counting(stop, StopFlag::Work{kNoLimit});
    Pricing pricing(chain, limits, frontier, counting);
    PricedSolution solution = pricing.run();
    const auto is_done = [&] { return solution.solved || pricing.is_close(solution); };
    if (chain.soft || is_done()) return solution;
    if (pricing.is_searched() && !solution.chosen.empty()) {
        const StopFlag cases(stop, StopFlag::Work{std::max(kLeastWorkForCases,
                                                           kMoreWorkForCases * counting.spent())});
        branch(chain, limits, pricing.what_is_known(), frontier, cases, solution);
    }
    return solution;
}

PricedSolution solve_with_fewer_pairs(const LoneChain& chain, const Limits& limits,
                                      FrontierProgram& frontier, const StopFlag& stop,
                                      Relaxation& relaxation) {
    return Pricing(chain, limits, frontier, stop).run_from(relaxation);
}

}  // namespace unisono
