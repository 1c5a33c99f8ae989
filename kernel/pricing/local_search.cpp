#include "pricing/local_search.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "alignment/matching.hpp"
#include "pricing/partners.hpp"
#include "pricing/pool.hpp"

namespace unisono {

namespace {

// Group costs, as parts of C, with which partitions are begun: a group that pays only once many
// annotators use it is opened by none of them alone.
constexpr std::array kCostsOfGroups = {1.0, 0.4, 0.15};
constexpr std::size_t kMostInATable = 1'500;   // units: beyond, savings are looked up in lists
constexpr Cost kForbidden = -(Cost{1} << 52);  // two units that cannot be in one group
constexpr double kRounding = 1e-12;            // relative: less is no improvement
constexpr int kMostSweeps = 20;
constexpr std::int64_t kLeastDisturbances = 10;
constexpr std::int64_t kMostDisturbances = 600;
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

// Splitmix64: the same numbers everywhere.
class Numbers {
 public:
    std::size_t below(std::size_t bound) {
        std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15ULL;
        mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebULL;
        return static_cast<std::size_t>((mixed ^ (mixed >> 31U)) % bound);
    }

 private:
    std::uint64_t state_ = 0;
};

class LocalSearch {
 public:
    LocalSearch(const LoneChain& chain, std::int64_t steps, const StopFlag& stop)
        : place_(chain.place),
          alone_(pair_count(chain.places) * kOne),
          partners_(on_both_sides(chain.pairs)),
          units_of_(static_cast<std::size_t>(chain.places)),
          group_of_(chain.place.size(), kNowhere),
          steps_left_(steps),
          stop_(stop) {
        for (std::size_t u = 0; u < place_.size(); ++u) {
            units_of_[static_cast<std::size_t>(place_[u])].push_back(static_cast<std::int32_t>(u));
        }
        order_.resize(units_of_.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::erase_if(order_, [&](std::size_t place) { return units_of_[place].empty(); });
        std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
            return units_of_[a].size() > units_of_[b].size();
        });
        if (place_.size() <= kMostInATable) fill_table();
    }

    PricedSolution run(const std::vector<std::vector<Members>>& starts) {
        for (const std::vector<Members>& start : starts) {
            if (start.empty()) continue;
            begin(start);
            improve();
            keep_the_best();
        }
        for (const double part : kCostsOfGroups) {
            if (!best_.empty() && is_over()) break;
            begin({});
            group_cost_ = static_cast<Cost>(part * static_cast<double>(alone_));
            for (const std::size_t place : order_) assign(place);
            if (part < 1.0) improve();
            group_cost_ = alone_;
            mark_all();
            improve();
            keep_the_best();
        }
        const auto wanted = std::clamp<std::int64_t>(static_cast<std::int64_t>(best_.size()) * 20,
                                                     kLeastDisturbances, kMostDisturbances);
        for (std::int64_t times = 0; times < wanted && best_.size() > 1 && !is_over(); ++times) {
            restore();
            disturb(times);
            improve();
            keep_the_best();
        }
        return as_solution();
    }

 private:
    [[nodiscard]] static std::size_t index(std::int32_t unit) {
        return static_cast<std::size_t>(unit);
    }
    [[nodiscard]] std::size_t place_of(std::int32_t unit) const {
        return static_cast<std::size_t>(place_[index(unit)]);
    }
    [[nodiscard]] bool is_over() const {
        stop_.check();
        return steps_left_ <= 0 || stop_.late();
    }
    void look(std::size_t partners) {
        steps_left_ -= static_cast<std::int64_t>(partners);
        stop_.spend(static_cast<std::int64_t>(partners));
    }

    void fill_table() {
        const std::size_t units = place_.size();
        table_.assign(units * units, kForbidden);
        for (std::size_t u = 0; u < units; ++u) {
            for (auto at = partners_.offsets[u]; at < partners_.offsets[u + 1]; ++at) {
                const auto partner = static_cast<std::size_t>(at);
                table_[u * units + index(partners_.other[partner])] = partners_.saving[partner];
            }
        }
    }

    // Units of one annotator save nothing with each other.
    [[nodiscard]] Cost saving(std::int32_t u, std::int32_t v) const {
        if (place_[index(u)] == place_[index(v)]) return 0;
        if (!table_.empty()) return table_[index(u) * place_.size() + index(v)];
        const auto from = partners_.other.begin() + partners_.offsets[index(u)];
        const auto to = partners_.other.begin() + partners_.offsets[index(u) + 1];
        const auto found = std::lower_bound(from, to, v);
        if (found == to || *found != v) return kForbidden;
        return partners_.saving[static_cast<std::size_t>(found - partners_.other.begin())];
    }
    Cost saved_with(std::int32_t unit, const Members& members) {
        look(members.size());
        Cost saved = 0;
        for (const std::int32_t member : members) {
            if (member != unit) saved += saving(unit, member);
        }
        return saved;
    }

    // Partitions.

    void begin(const std::vector<Members>& groups) {
        groups_ = groups;
        group_cost_ = alone_;
        std::fill(group_of_.begin(), group_of_.end(), kNowhere);
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            for (const std::int32_t member : groups_[g]) group_of_[index(member)] = g;
        }
        free_.clear();
        if (groups.empty()) return;
        for (std::size_t u = 0; u < place_.size(); ++u) {
            if (group_of_[u] == kNowhere) put(static_cast<std::int32_t>(u), kNowhere);
        }
        mark_all();
    }
    void restore() { begin(best_); }

    [[nodiscard]] double cost() const {
        double sum = 0.0;
        for (const Members& members : groups_) {
            if (!members.empty()) sum += static_cast<double>(cost_of(members));
        }
        return sum;
    }
    void keep_the_best() {
        const double now = cost();
        if (!best_.empty() && now >= best_cost_ * (1.0 - kRounding)) return;
        best_cost_ = now;
        best_ = groups_;
        std::erase_if(best_, [](const Members& members) { return members.empty(); });
    }

    [[nodiscard]] Cost cost_of(const Members& members) const {
        Cost cost = alone_;
        for (std::size_t a = 1; a < members.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) cost -= saving(members[a], members[b]);
        }
        return cost;
    }

    [[nodiscard]] PricedSolution as_solution() const {
        PricedSolution solution;
        Pool pool;
        for (Members members : best_) {
            std::sort(members.begin(), members.end());
            if (members.size() > 1) {
                pool.add(members, cost_of(members));
            } else {
                solution.chosen.emplace_back(members[0], -1);
            }
        }
        solution.groups = pool.ordered(place_.size());
        for (std::int64_t g = 0; g < solution.groups.size(); ++g) {
            solution.chosen.emplace_back(solution.groups.members_of(g)[0], g);
        }
        std::sort(solution.chosen.begin(), solution.chosen.end());
        return solution;
    }

    void take_out(std::int32_t unit) {
        const std::size_t g = group_of_[index(unit)];
        std::erase(groups_[g], unit);
        group_of_[index(unit)] = kNowhere;
        mark(g);
        if (groups_[g].empty()) free_.push_back(g);
    }
    // Into a group, or one of its own.
    void put(std::int32_t unit, std::size_t g) {
        if (g == kNowhere) g = empty_group();
        groups_[g].push_back(unit);
        group_of_[index(unit)] = g;
        mark(g);
    }
    std::size_t empty_group() {
        while (!free_.empty()) {
            const std::size_t g = free_.back();
            free_.pop_back();
            if (groups_[g].empty()) return g;
        }
        groups_.emplace_back();
        return groups_.size() - 1;
    }
    void mark(std::size_t g) {
        is_changed_.resize(std::max(is_changed_.size(), groups_.size()), 0);
        is_changed_[g] = 1;
    }
    void mark_all() { is_changed_.assign(groups_.size(), 1); }

    void improve() {
        for (bool improved = true; improved && !is_over();) {
            for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
                bool reassigned = false;
                for (const std::size_t place : order_) {
                    if (is_over()) return;
                    reassigned = reassign(place) || reassigned;
                }
                if (!reassigned) break;
            }
            improved = exchange();
        }
    }

    // One annotator against all groups.

    struct Edge {
        std::int32_t unit;
        std::size_t group;
        Cost gain;
    };

    // What its units, which are in no group, gain by joining groups instead of staying alone.
    void find_edges(std::size_t place) {
        saved_.resize(groups_.size(), 0);
        met_.resize(groups_.size(), 0);
        edges_.clear();
        for (std::size_t at = 0; at < units_of_[place].size(); ++at) {
            const std::size_t u = index(units_of_[place][at]);
            look(static_cast<std::size_t>(partners_.offsets[u + 1] - partners_.offsets[u]));
            touched_.clear();
            for (auto p = partners_.offsets[u]; p < partners_.offsets[u + 1]; ++p) {
                const auto partner = static_cast<std::size_t>(p);
                const std::size_t g = group_of_[index(partners_.other[partner])];
                if (g == kNowhere) continue;
                if (met_[g]++ == 0) touched_.push_back(g);
                saved_[g] += partners_.saving[partner];
            }
            std::sort(touched_.begin(), touched_.end());
            for (const std::size_t g : touched_) {
                const Cost gain = group_cost_ + saved_[g];
                if (met_[g] == groups_[g].size() && gain > 0) {
                    edges_.push_back({static_cast<std::int32_t>(at), g, gain});
                }
                saved_[g] = 0;
                met_[g] = 0;
            }
        }
    }

    // The best group for each of its units; returns what is gained in all.
    double choose(std::size_t place, std::vector<std::size_t>& chosen) {
        find_edges(place);
        const std::size_t units = units_of_[place].size();
        GainMatching matching(
            units + groups_.size(),
            [&](auto visit) {
                for (const Edge& edge : edges_) {
                    visit(edge.unit, static_cast<std::int32_t>(units + edge.group), edge.gain, 0);
                }
            },
            std::max<std::int64_t>(steps_left_, 0) + static_cast<std::int64_t>(edges_.size()),
            stop_);
        matching.run();
        chosen.assign(units, kNowhere);
        double gained = 0.0;
        for (const Edge& edge : edges_) {
            const std::int32_t partner = matching.partner_of(edge.unit);
            if (partner != static_cast<std::int32_t>(units + edge.group)) continue;
            chosen[index(edge.unit)] = edge.group;
            gained += static_cast<double>(edge.gain);
        }
        look(edges_.size());
        return gained;
    }

    void assign(std::size_t place) {
        std::vector<std::size_t> chosen(units_of_[place].size(), kNowhere);
        if (!is_over()) choose(place, chosen);
        for (std::size_t at = 0; at < chosen.size(); ++at) put(units_of_[place][at], chosen[at]);
    }

    // True if that was an improvement; otherwise all is as before.
    bool reassign(std::size_t place) {
        const Members& units = units_of_[place];
        std::vector<std::size_t> before(units.size());
        double gained_before = 0.0;
        const std::vector<char> changed = is_changed_;
        for (std::size_t at = 0; at < units.size(); ++at) {
            before[at] = group_of_[index(units[at])];
            const Members& members = groups_[before[at]];
            if (members.size() < 2) continue;
            gained_before += static_cast<double>(group_cost_ + saved_with(units[at], members));
        }
        for (const std::int32_t unit : units) take_out(unit);
        std::vector<std::size_t> after;
        const double gained = choose(place, after);
        const bool improved = gained - gained_before > kRounding * gained;
        const auto& taken = improved ? after : before;
        for (std::size_t at = 0; at < units.size(); ++at) put(units[at], taken[at]);
        if (!improved) {
            std::copy(changed.begin(), changed.end(), is_changed_.begin());
        }
        return improved;
    }

    // Two groups, of which the second may be empty.

    // Divides the units of changed groups and their neighbours anew; true if anything improved.
    bool exchange() {
        bool improved = false;
        for (std::size_t g = 0; g < is_changed_.size(); ++g) {
            if (is_changed_[g] == 0 || groups_[g].empty()) continue;
            is_changed_[g] = 0;
            for (const std::size_t h : neighbours(g)) {
                if (is_over()) return improved;
                if (!groups_[g].empty() && !groups_[h].empty()) improved = divide(g, h) || improved;
            }
            if (groups_[g].size() > 2) {
                const std::size_t h = empty_group();
                if (divide(g, h)) {
                    improved = true;
                } else {
                    free_.push_back(h);
                }
            }
        }
        return improved;
    }

    // Groups with a unit that saves something with one of the group.
    std::vector<std::size_t> neighbours(std::size_t g) {
        std::vector<std::size_t> found;
        for (const std::int32_t member : groups_[g]) {
            const std::size_t u = index(member);
            look(static_cast<std::size_t>(partners_.offsets[u + 1] - partners_.offsets[u]));
            for (auto p = partners_.offsets[u]; p < partners_.offsets[u + 1]; ++p) {
                const auto partner = static_cast<std::size_t>(p);
                const std::size_t h = group_of_[index(partners_.other[partner])];
                if (h != g && partners_.saving[partner] > 0) found.push_back(h);
            }
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    // An annotator with a unit in one of the groups or in each of them.
    struct Both {
        std::array<std::int32_t, 2> units{-1, -1};  // by side
        Cost gain = 0;                              // by changing sides
        bool is_fixed = false;
    };

    void find_sides(std::size_t g, std::size_t h) {
        both_.clear();
        std::array<std::size_t, 2> ids{g, h};
        for (std::size_t side = 0; side < 2; ++side) {
            for (const std::int32_t member : groups_[ids[side]]) {
                const auto same = std::find_if(both_.begin(), both_.end(), [&](const Both& one) {
                    return side == 1 && one.units[0] >= 0 &&
                           place_of(one.units[0]) == place_of(member);
                });
                Both& one = same == both_.end() ? both_.emplace_back() : *same;
                one.units[side] = member;
            }
        }
        for (Both& one : both_) {
            one.gain = 0;
            for (std::size_t side = 0; side < 2; ++side) {
                if (one.units[side] < 0) continue;
                one.gain += saved_with(one.units[side], groups_[ids[1 - side]]) -
                            saved_with(one.units[side], groups_[ids[side]]);
            }
        }
    }

    // What is saved by the number of groups if an annotator changes sides.
    [[nodiscard]] Cost saved_groups(const Both& one,
                                    const std::array<std::size_t, 2>& sizes) const {
        const auto full = [](std::size_t size) { return size > 0 ? Cost{1} : Cost{0}; };
        Cost now = 0;
        Cost then = 0;
        for (std::size_t side = 0; side < 2; ++side) {
            now += full(sizes[side]);
            then += full(sizes[side] - (one.units[side] >= 0 ? 1 : 0) +
                         (one.units[1 - side] >= 0 ? 1 : 0));
        }
        return (now - then) * group_cost_;
    }

    // Changes sides one by one, each once, and goes back to where most was gained.
    bool divide(std::size_t g, std::size_t h) {
        find_sides(g, h);
        std::array<std::size_t, 2> sizes{groups_[g].size(), groups_[h].size()};
        std::vector<std::size_t> flips;
        Cost gained = 0;
        Cost most = 0;
        std::size_t best = 0;
        // If all changed sides, nothing would have changed.
        for (std::size_t times = 0; times < both_.size(); ++times) {
            std::size_t chosen = kNowhere;
            Cost highest = 0;
            for (std::size_t at = 0; at < both_.size(); ++at) {
                if (both_[at].is_fixed) continue;
                const Cost gain = both_[at].gain + saved_groups(both_[at], sizes);
                if (chosen == kNowhere || gain > highest) {
                    chosen = at;
                    highest = gain;
                }
            }
            gained += highest;
            flip(chosen, sizes);
            flips.push_back(chosen);
            if (gained > most) {
                most = gained;
                best = flips.size();
            }
            if (gained <= kForbidden) break;
        }
        look(both_.size() * flips.size());
        if (most <= 0) return false;
        for (; flips.size() > best; flips.pop_back()) swap_units(both_[flips.back()]);
        for (const std::size_t id : {g, h}) groups_[id].clear();
        for (const Both& one : both_) {
            if (one.units[0] >= 0) put(one.units[0], g);
            if (one.units[1] >= 0) put(one.units[1], h);
        }
        for (const std::size_t id : {g, h}) {
            if (groups_[id].empty()) free_.push_back(id);
        }
        mark(g);
        mark(h);
        return true;
    }

    void flip(std::size_t chosen, std::array<std::size_t, 2>& sizes) {
        Both& mover = both_[chosen];
        const std::array<std::int32_t, 2> before = mover.units;
        for (Both& other : both_) {
            if (&other == &mover) continue;
            for (std::size_t side = 0; side < 2; ++side) {
                if (other.units[side] < 0) continue;
                // The one on its side leaves, the one on the other side comes.
                const Cost leaves = before[side] < 0 ? 0 : saving(other.units[side], before[side]);
                const Cost comes =
                    before[1 - side] < 0 ? 0 : saving(other.units[side], before[1 - side]);
                other.gain += 2 * (leaves - comes);
            }
        }
        mover.gain = -mover.gain;
        mover.is_fixed = true;
        swap_units(mover);
        for (std::size_t side = 0; side < 2; ++side) {
            sizes[side] += (mover.units[side] >= 0 ? 1U : 0U);
            sizes[side] -= (before[side] >= 0 ? 1U : 0U);
        }
    }
    static void swap_units(Both& one) { std::swap(one.units[0], one.units[1]); }

    // Disturbances.

    void disturb(std::int64_t times) {
        if (times % 3 == 0) {
            const std::size_t count = 2 + numbers_.below(5);
            std::vector<std::size_t> places;
            for (std::size_t k = 0; k < std::min(count, order_.size()); ++k) {
                const std::size_t place = order_[numbers_.below(order_.size())];
                if (std::find(places.begin(), places.end(), place) == places.end()) {
                    places.push_back(place);
                }
            }
            for (const std::size_t place : places) {
                for (const std::int32_t unit : units_of_[place]) take_out(unit);
            }
            for (const std::size_t place : places) assign(place);
            return;
        }
        const std::size_t g = numbers_.below(groups_.size());
        const std::vector<std::size_t> near = neighbours(g);
        if (times % 3 == 1 && !near.empty()) return mix(g, near[numbers_.below(near.size())]);
        dissolve(g);
        if (!near.empty() && numbers_.below(2) == 0) dissolve(near[numbers_.below(near.size())]);
    }

    void mix(std::size_t g, std::size_t h) {
        find_sides(g, h);
        for (Both& one : both_) {
            if (numbers_.below(2) == 0) swap_units(one);
        }
        for (const std::size_t id : {g, h}) groups_[id].clear();
        for (const Both& one : both_) {
            for (std::size_t side = 0; side < 2; ++side) {
                if (one.units[side] < 0) continue;
                const std::size_t id = side == 0 ? g : h;
                const bool fits =
                    std::all_of(groups_[id].begin(), groups_[id].end(), [&](std::int32_t member) {
                        return saving(one.units[side], member) > kForbidden;
                    });
                put(one.units[side], fits ? id : kNowhere);
            }
        }
    }

    void dissolve(std::size_t g) {
        const Members members = groups_[g];
        for (std::size_t at = 1; at < members.size(); ++at) {
            take_out(members[at]);
            put(members[at], kNowhere);
        }
    }

    const std::vector<std::int32_t>& place_;
    Cost alone_;           // C: what a unit alone costs
    Cost group_cost_ = 0;  // what a group costs before its savings: C, or less at the beginning
    Partners partners_;
    std::vector<Cost> table_;         // savings of all pairs, where units are few
    std::vector<Members> units_of_;   // by annotator
    std::vector<std::size_t> order_;  // annotators with units, those with the most units first
    std::vector<Members> groups_;
    std::vector<std::size_t> group_of_;  // by unit
    std::vector<std::size_t> free_;      // groups without units
    std::vector<char> is_changed_;       // by group: since it was divided anew
    std::vector<Members> best_;
    double best_cost_ = 0.0;
    std::int64_t steps_left_;
    const StopFlag& stop_;
    Numbers numbers_;
    // Scratch memory.
    std::vector<Edge> edges_;
    std::vector<Cost> saved_;
    std::vector<std::size_t> met_, touched_;
    std::vector<Both> both_;
};

}  // namespace

PricedSolution search_locally(const LoneChain& chain,
                              const std::vector<std::vector<Members>>& starts, std::int64_t steps,
                              const StopFlag& stop) {
    return LocalSearch(chain, steps, stop).run(starts);
}

}  // namespace unisono
