#include "alignment/insertion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "alignment/matching.hpp"

namespace unisono {

namespace {

constexpr int kMostSweeps = 20;
constexpr std::size_t kMostEdges = 4'000'000;  // of one assignment
constexpr std::size_t kFewestEdges = 16;       // of one unit
constexpr double kRounding = 1e-12;            // relative: less is no improvement
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

struct Group {
    std::vector<std::int32_t> members;
    // Where the centres of its members lie, twice, and how long the longest is.
    double low = 0.0, high = 0.0, longest = 0.0;
};

// Groups whose longest units have like lengths (a factor of two), by their lowest centre.
struct LengthClass {
    int exponent;
    double longest = 0.0, widest = 0.0;
    std::vector<std::pair<double, std::size_t>> groups;  // lowest centre, number
};

struct Edge {
    std::size_t unit, group;
    Cost gain;
};

class Insertion {
 public:
    Insertion(const PairCosts& costs, std::span<const std::int32_t> units, std::int64_t steps,
              const StopFlag& stop)
        : costs_(costs),
          places_(costs.units().places),
          alone_(pair_count(places_) * kOne),
          bound_(pair_bound(places_)),
          units_of_(static_cast<std::size_t>(places_)),
          steps_left_(steps),
          stop_(stop) {
        for (const std::int32_t unit : units) units_of_[place_of(unit)].push_back(unit);
        order_.resize(units_of_.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
            return units_of_[a].size() > units_of_[b].size();
        });
    }

    void run() {
        for (const std::size_t place : order_) assign(place);
        for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
            bool improved = false;
            for (const std::size_t place : order_) {
                if (is_over()) return;
                improved = reassign(place) || improved;
            }
            if (!improved) return;
        }
    }

    // Lets units be in several groups: where a group has no unit of an annotator, it takes the one
    // that saves most, if any saves; groups whose units are all in others as well are dropped.
    void cover() {
        for (const std::size_t place : order_) {
            index_groups();
            std::vector<Cost> most(groups_.size(), alone_);
            std::vector<std::int32_t> taken(groups_.size(), -1);
            std::vector<char> has_one(groups_.size(), 0);
            for (std::size_t g = 0; g < groups_.size(); ++g) {
                const auto& members = groups_[g].members;
                has_one[g] = std::any_of(members.begin(), members.end(), [&](std::int32_t member) {
                    return place_of(member) == place;
                });
            }
            for (const std::int32_t unit : units_of_[place]) {
                if (is_over()) return;
                for_each_near(unit, [&](std::size_t g) {
                    if (has_one[g] != 0) return;
                    const Cost gain = gain_of(unit, g);
                    if (gain <= most[g]) return;
                    most[g] = gain;
                    taken[g] = unit;
                });
            }
            for (std::size_t g = 0; g < groups_.size(); ++g) {
                if (taken[g] >= 0) join(g, taken[g]);
            }
        }
        drop_needless();
    }

    [[nodiscard]] InsertedGroups result() {
        std::vector<std::size_t> order;
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            if (groups_[g].members.empty()) continue;
            std::sort(groups_[g].members.begin(), groups_[g].members.end());
            order.push_back(g);
        }
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return groups_[a].members < groups_[b].members;
        });
        InsertedGroups result;
        for (const std::size_t g : order) {
            const auto& members = groups_[g].members;
            result.members.insert(result.members.end(), members.begin(), members.end());
            result.begin.push_back(result.members.size());
            result.cost += static_cast<double>(cost_of(g)) / static_cast<double>(kOne);
        }
        return result;
    }

 private:
    [[nodiscard]] std::size_t place_of(std::int32_t unit) const {
        return static_cast<std::size_t>(costs_.units().place[static_cast<std::size_t>(unit)]);
    }

    [[nodiscard]] bool is_over() const {
        stop_.check();
        return steps_left_ <= 0 || stop_.late();
    }

    // What it saves that a unit joins a group instead of staying alone; 0 where that is nothing.
    Cost gain_of(std::int32_t unit, std::size_t g) {
        Cost gain = alone_;
        auto left = static_cast<Cost>(groups_[g].members.size());
        for (const std::int32_t member : groups_[g].members) {
            --steps_left_;
            const Cost cost = costs_.between(unit, member);
            if (cost >= bound_) return 0;
            gain += kOne - cost;
            --left;
            if (gain + left * kOne <= 0) return 0;
        }
        return gain;
    }

    [[nodiscard]] Cost cost_of(std::size_t g) const {
        const auto& members = groups_[g].members;
        Cost cost = alone_;
        for (std::size_t a = 1; a < members.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                cost -= kOne - costs_.between(members[a], members[b]);
            }
        }
        return cost;
    }

    void join(std::size_t g, std::int32_t unit) {
        Group& group = groups_[g];
        const double centre = costs_.centre(unit);
        const bool is_first = group.members.empty();
        group.low = is_first ? centre : std::min(group.low, centre);
        group.high = is_first ? centre : std::max(group.high, centre);
        group.longest =
            is_first ? costs_.length(unit) : std::max(group.longest, costs_.length(unit));
        group.members.push_back(unit);
    }

    void leave(std::size_t g, std::int32_t unit) {
        std::vector<std::int32_t> rest = std::move(groups_[g].members);
        std::erase(rest, unit);
        groups_[g].members.clear();
        for (const std::int32_t member : rest) join(g, member);
    }

    void index_groups() {
        constexpr int kZeroLength = std::numeric_limits<int>::min();
        classes_.clear();
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            const Group& group = groups_[g];
            if (group.members.empty()) continue;
            int exponent = kZeroLength;
            if (group.longest > 0.0) std::frexp(group.longest, &exponent);
            auto found = std::find_if(classes_.begin(), classes_.end(),
                                      [&](const LengthClass& c) { return c.exponent == exponent; });
            if (found == classes_.end()) {
                classes_.push_back({exponent, 0.0, 0.0, {}});
                found = classes_.end() - 1;
            }
            found->longest = std::max(found->longest, group.longest);
            found->widest = std::max(found->widest, group.high - group.low);
            found->groups.emplace_back(group.low, g);
        }
        for (LengthClass& one : classes_) std::sort(one.groups.begin(), one.groups.end());
    }

    // Calls visit(g) for all groups that a unit could join with a gain, and perhaps others.
    template <class Visit>
    void for_each_near(std::int32_t unit, Visit visit) {
        const double centre = costs_.centre(unit);
        const double length = costs_.length(unit);
        const double most = static_cast<double>(bound_) / static_cast<double>(kOne);
        const auto most_of_all = static_cast<double>(pair_count(places_));
        for (const LengthClass& one : classes_) {
            const double reach = costs_.reach(most, length + one.longest) +
                                 8.0 * std::numeric_limits<double>::epsilon() * std::fabs(centre);
            auto at = std::lower_bound(one.groups.begin(), one.groups.end(),
                                       std::pair{centre - reach - one.widest, std::size_t{0}});
            for (; at != one.groups.end() && at->first <= centre + reach; ++at) {
                --steps_left_;
                const Group& group = groups_[at->second];
                const double apart = std::max({0.0, group.low - centre, centre - group.high});
                const auto size = static_cast<double>(group.members.size());
                const double least = costs_.least(apart, length + group.longest);
                if (size * (least - 1.0) < most_of_all) visit(at->second);
            }
        }
    }

    // What the units of an annotator could join, the best first where there are too many.
    std::vector<Edge> edges_of(std::size_t place) {
        index_groups();
        const auto& units = units_of_[place];
        const std::size_t most =
            std::max(kFewestEdges, kMostEdges / std::max<std::size_t>(1, units.size()));
        std::vector<Edge> edges;
        for (std::size_t at = 0; at < units.size() && !is_over(); ++at) {
            const std::size_t begin = edges.size();
            for_each_near(units[at], [&](std::size_t g) {
                const Cost gain = gain_of(units[at], g);
                if (gain > 0) edges.push_back({at, g, gain});
            });
            if (edges.size() - begin <= most) continue;
            std::sort(edges.begin() + static_cast<std::ptrdiff_t>(begin), edges.end(),
                      [](const Edge& a, const Edge& b) {
                          return a.gain != b.gain ? a.gain > b.gain : a.group < b.group;
                      });
            edges.resize(begin + most);
        }
        return edges;
    }

    // Chooses for each unit of an annotator a group or none, at the largest gain in all; returns
    // that. Where a limit ends the assignment, the rest take the best group that is free.
    double choose(std::size_t place, std::vector<std::size_t>& chosen) {
        const std::vector<Edge> edges = edges_of(place);
        const std::size_t units = units_of_[place].size();
        GainMatching matching(
            units + groups_.size(),
            [&](auto visit) {
                for (const Edge& edge : edges) {
                    visit(static_cast<std::int32_t>(edge.unit),
                          static_cast<std::int32_t>(units + edge.group), edge.gain, 0);
                }
            },
            steps_left_, stop_);
        const bool is_best = matching.run();
        steps_left_ = matching.steps_left();
        chosen.assign(units, kNowhere);
        std::vector<char> is_taken(groups_.size(), 0);
        const auto take = [&](std::size_t unit, std::size_t group) {
            chosen[unit] = group;
            is_taken[group] = 1;
        };
        for (std::size_t unit = 0; unit < units; ++unit) {
            const std::int32_t partner = matching.partner_of(static_cast<std::int32_t>(unit));
            if (partner >= 0) take(unit, static_cast<std::size_t>(partner) - units);
        }
        double gained = 0.0;
        for (std::size_t from = 0; from < edges.size();) {
            const std::size_t unit = edges[from].unit;
            std::size_t best = kNowhere;
            std::size_t at = from;
            for (; at < edges.size() && edges[at].unit == unit; ++at) {
                if (chosen[unit] == edges[at].group) gained += static_cast<double>(edges[at].gain);
                if (is_taken[edges[at].group] != 0) continue;
                if (best == kNowhere || edges[at].gain > edges[best].gain) best = at;
            }
            if (!is_best && chosen[unit] == kNowhere && best != kNowhere) {
                take(unit, edges[best].group);
                gained += static_cast<double>(edges[best].gain);
            }
            from = at;
        }
        return gained;
    }

    void put(std::size_t place, const std::vector<std::size_t>& chosen) {
        const auto& units = units_of_[place];
        std::size_t empty = 0;
        for (std::size_t at = 0; at < units.size(); ++at) {
            if (chosen[at] != kNowhere) join(chosen[at], units[at]);
        }
        for (std::size_t at = 0; at < units.size(); ++at) {
            if (chosen[at] != kNowhere) continue;
            while (empty < groups_.size() && !groups_[empty].members.empty()) ++empty;
            if (empty == groups_.size()) groups_.emplace_back();
            join(empty, units[at]);
        }
    }

    void assign(std::size_t place) {
        std::vector<std::size_t> chosen(units_of_[place].size(), kNowhere);
        if (!is_over()) choose(place, chosen);
        put(place, chosen);
    }

    // Takes an annotator out and inserts it again. True if that was an improvement; otherwise all
    // is as before.
    bool reassign(std::size_t place) {
        const auto& units = units_of_[place];
        std::vector<std::size_t> before(units.size());
        std::vector<std::size_t> after;
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            for (const std::int32_t member : groups_[g].members) {
                if (place_of(member) != place) continue;
                const auto at = std::lower_bound(units.begin(), units.end(), member);
                before[static_cast<std::size_t>(at - units.begin())] = g;
            }
        }
        double gained_before = 0.0;
        for (std::size_t at = 0; at < units.size(); ++at) {
            leave(before[at], units[at]);
            if (groups_[before[at]].members.empty()) {
                before[at] = kNowhere;
            } else {
                gained_before += static_cast<double>(alone_ + saved_with(units[at], before[at]));
            }
        }
        const double gained = choose(place, after);
        const bool improved = gained - gained_before > kRounding * gained;
        put(place, improved ? after : before);
        return improved;
    }

    [[nodiscard]] Cost saved_with(std::int32_t unit, std::size_t g) {
        Cost saved = 0;
        for (const std::int32_t member : groups_[g].members) {
            --steps_left_;
            saved += kOne - costs_.between(unit, member);
        }
        return saved;
    }

    // The dearest first.
    void drop_needless() {
        std::vector<std::pair<Cost, std::size_t>> by_cost;
        std::vector<int> times(static_cast<std::size_t>(costs_.units().size()), 0);
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            if (groups_[g].members.empty()) continue;
            by_cost.emplace_back(-cost_of(g), g);
            for (const std::int32_t member : groups_[g].members) {
                ++times[static_cast<std::size_t>(member)];
            }
        }
        std::sort(by_cost.begin(), by_cost.end());
        for (const auto& [cost, g] : by_cost) {
            auto& members = groups_[g].members;
            if (std::any_of(members.begin(), members.end(), [&](std::int32_t member) {
                    return times[static_cast<std::size_t>(member)] < 2;
                })) {
                continue;
            }
            for (const std::int32_t member : members) --times[static_cast<std::size_t>(member)];
            members.clear();
        }
    }

    const PairCosts& costs_;
    int places_;
    Cost alone_;                                       // C: what a unit alone costs
    Cost bound_;                                       // of a pair in one group
    std::vector<std::vector<std::int32_t>> units_of_;  // by annotator
    std::vector<std::size_t> order_;                   // of annotators
    std::int64_t steps_left_;
    const StopFlag& stop_;
    std::vector<Group> groups_;
    std::vector<LengthClass> classes_;
};

}  // namespace

InsertedGroups insert_annotators(const PairCosts& costs, std::span<const std::int32_t> units,
                                 bool soft, std::int64_t steps, const StopFlag& stop) {
    Insertion insertion(costs, units, steps, stop);
    insertion.run();
    if (soft) insertion.cover();
    return insertion.result();
}

}  // namespace unisono
