#include "matching.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>

namespace unisono {

namespace {

constexpr std::int32_t kNone = -1;
constexpr Cost kUnreached = std::numeric_limits<Cost>::max();

// A pair costs d, two units alone cost 2. Only d < 2 is ever here, so a pair gains 2 - d > 0, and
// the task is a matching of the largest gain. Prices prove it: price(u) + price(v) >= gain(u, v),
// prices >= 0, equality on matched pairs, 0 on units left alone.
class Matching {
 public:
    Matching(const Chain& chain, std::span<const std::int32_t> place, const Groups& groups,
             std::int64_t steps, const StopFlag& stop)
        : chain_(chain), groups_(groups), steps_left_(steps), stop_(stop) {
        const std::size_t count = chain.units.size();
        is_left_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            is_left_[i] = place[static_cast<std::size_t>(chain.units[i])] ==
                          place[static_cast<std::size_t>(chain.units[0])];
        }
        build_edges(count);
        price_.assign(count, 0);
        partner_.assign(count, kNone);
        distance_.assign(count, kUnreached);
        from_.assign(count, kNone);
        fixed_.assign(count, 0);
        seen_.assign(count, 0);
    }

    bool run(Chosen& chosen) {
        for (std::size_t unit = 0; unit < partner_.size(); ++unit) {
            if (!is_left_[unit]) continue;
            stop_.check();
            if (stop_.late() || !augment(static_cast<std::int32_t>(unit))) return false;
        }
        const std::size_t before = chosen.size();
        choose_canonically(chosen);
        if (steps_left_ >= 0) return true;
        chosen.resize(before);
        return false;
    }

 private:
    struct Edge {
        std::int32_t other;
        Cost gain;
        std::int64_t group;
    };

    void build_edges(std::size_t count) {
        std::vector<std::size_t> degree(count + 1, 0);
        const auto for_each_pair = [&](auto visit) {
            for (const std::int32_t unit : chain_.units) {
                const auto at = static_cast<std::size_t>(unit);
                for (auto g = groups_.of_anchor[at]; g < groups_.of_anchor[at + 1]; ++g) {
                    const auto members = groups_.members_of(g);
                    visit(chain_.local_index[static_cast<std::size_t>(members[0])],
                          chain_.local_index[static_cast<std::size_t>(members[1])], g);
                }
            }
        };
        for_each_pair([&](std::int32_t u, std::int32_t v, std::int64_t) {
            ++degree[static_cast<std::size_t>(u) + 1];
            ++degree[static_cast<std::size_t>(v) + 1];
        });
        for (std::size_t i = 0; i < count; ++i) degree[i + 1] += degree[i];
        edges_begin_ = degree;
        edges_.resize(degree[count]);
        for_each_pair([&](std::int32_t u, std::int32_t v, std::int64_t g) {
            const Cost gain = 2 * kOne - groups_.cost[static_cast<std::size_t>(g)];
            edges_[degree[static_cast<std::size_t>(u)]++] = {v, gain, g};
            edges_[degree[static_cast<std::size_t>(v)]++] = {u, gain, g};
        });
    }

    [[nodiscard]] std::span<const Edge> edges(std::int32_t unit) const {
        const auto at = static_cast<std::size_t>(unit);
        return {edges_.data() + edges_begin_[at], edges_begin_[at + 1] - edges_begin_[at]};
    }
    Cost& price(std::int32_t unit) { return price_[static_cast<std::size_t>(unit)]; }
    [[nodiscard]] Cost price(std::int32_t unit) const {
        return price_[static_cast<std::size_t>(unit)];
    }
    std::int32_t& partner(std::int32_t unit) { return partner_[static_cast<std::size_t>(unit)]; }
    Cost& distance(std::int32_t unit) { return distance_[static_cast<std::size_t>(unit)]; }

    // Brings one more unit of the left annotator into an optimal matching of those before it, by a
    // shortest path (Dijkstra on reduced gains). A path ends at a free unit of the right annotator,
    // or where it is best to leave a unit of the left one alone.
    bool augment(std::int32_t root) {
        Cost highest = 0;
        for (const Edge& edge : edges(root)) {
            highest = std::max(highest, edge.gain - price(edge.other));
        }
        price(root) = highest;
        // Of paths equally short, one that ends at a free unit comes first.
        using Entry = std::tuple<Cost, bool, std::int32_t>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
        std::vector<std::int32_t> reached_right;
        std::vector<std::pair<std::int32_t, Cost>> scanned_left;
        std::int32_t left = root;
        Cost so_far = 0;
        Cost shortest = price(root);  // leave the root alone
        std::int32_t end_left = root;
        std::int32_t end_right = kNone;
        while (true) {
            scanned_left.emplace_back(left, so_far);
            for (const Edge& edge : edges(left)) {
                if (--steps_left_ < 0) return false;
                if ((steps_left_ & 0xffff) == 0) stop_.check();
                const Cost length = so_far + price(left) + price(edge.other) - edge.gain;
                if (length >= distance(edge.other) || length >= shortest) continue;
                if (distance(edge.other) == kUnreached) reached_right.push_back(edge.other);
                distance(edge.other) = length;
                from_[static_cast<std::size_t>(edge.other)] = left;
                queue.emplace(length, partner(edge.other) != kNone, edge.other);
            }
            while (!queue.empty() &&
                   std::get<0>(queue.top()) > distance(std::get<2>(queue.top()))) {
                queue.pop();
            }
            if (queue.empty() || std::get<0>(queue.top()) >= shortest) break;
            const auto [length, is_matched, right] = queue.top();
            queue.pop();
            if (!is_matched) {
                shortest = length;
                end_right = right;
                end_left = kNone;
                break;
            }
            left = partner(right);
            so_far = length;
            if (so_far + price(left) < shortest) {
                shortest = so_far + price(left);
                end_left = left;
                end_right = kNone;
            }
        }
        for (const auto& [unit, length] : scanned_left) {
            if (length < shortest) price(unit) -= shortest - length;
        }
        for (const std::int32_t right : reached_right) {
            if (distance(right) < shortest) price(right) += shortest - distance(right);
        }
        // Swap along the path: the unit at its end is taken, or left alone.
        std::int32_t right = end_right;
        if (end_left != kNone && end_left != root) {
            right = partner(end_left);
            partner(end_left) = kNone;
        }
        while (right != kNone) {
            const std::int32_t taker = from_[static_cast<std::size_t>(right)];
            const std::int32_t given_up = partner(taker);
            partner(taker) = right;
            partner(right) = taker;
            right = taker == root ? kNone : given_up;
        }
        for (const std::int32_t reached : reached_right) distance(reached) = kUnreached;
        return true;
    }

    [[nodiscard]] bool tight(std::int32_t unit, const Edge& edge) const {
        return price(unit) + price(edge.other) == edge.gain;
    }

    // Every optimal matching uses tight pairs only and covers all units with a price above 0. Go
    // through the anchors and prefer the first partner with which the rest can still do so.
    void choose_canonically(Chosen& chosen) {
        for (std::int32_t unit = 0; unit < static_cast<std::int32_t>(partner_.size()); ++unit) {
            if (fixed_[static_cast<std::size_t>(unit)] != 0) continue;
            for (const Edge& edge : edges(unit)) {
                if (edge.other < unit || fixed_[static_cast<std::size_t>(edge.other)] != 0)
                    continue;
                if (partner(unit) == edge.other) break;
                if (tight(unit, edge) && rematch(unit, edge.other)) break;
            }
            std::int64_t group = -1;
            const std::int32_t taken = partner(unit);
            fixed_[static_cast<std::size_t>(unit)] = 1;
            if (taken != kNone) {
                fixed_[static_cast<std::size_t>(taken)] = 1;
                for (const Edge& edge : edges(unit)) {
                    if (edge.other == taken) group = edge.group;
                }
            }
            chosen.emplace_back(chain_.units[static_cast<std::size_t>(unit)], group);
        }
    }

    // Pairs the two and finds other tight partners for those they had; undone if that fails.
    bool rematch(std::int32_t unit, std::int32_t wanted) {
        undo_.clear();
        const std::int32_t widow = partner(unit);
        const std::int32_t widower = partner(wanted);
        if (widow != kNone) change_partner(widow, kNone);
        if (widower != kNone) change_partner(widower, kNone);
        change_partner(unit, wanted);
        change_partner(wanted, unit);
        fixed_[static_cast<std::size_t>(unit)] = fixed_[static_cast<std::size_t>(wanted)] = 1;
        const bool possible = (widow == kNone || settle(widow)) &&
                              (widower == kNone || partner(widower) != kNone || settle(widower));
        fixed_[static_cast<std::size_t>(unit)] = fixed_[static_cast<std::size_t>(wanted)] = 0;
        if (!possible) {
            for (; !undo_.empty(); undo_.pop_back())
                partner(undo_.back().first) = undo_.back().second;
        }
        return possible;
    }

    void change_partner(std::int32_t unit, std::int32_t other) {
        undo_.emplace_back(unit, partner(unit));
        partner(unit) = other;
    }

    // Finds a partner for a unit that lost its own, along an alternating path of tight pairs that
    // ends at a free unit or at one that may stay alone (price 0).
    bool settle(std::int32_t root) {
        if (price(root) == 0) return true;
        ++search_;
        std::vector<std::int32_t> queue{root};
        seen_[static_cast<std::size_t>(root)] = search_;
        for (std::size_t at = 0; at < queue.size(); ++at) {
            const std::int32_t unit = queue[at];
            for (const Edge& edge : edges(unit)) {
                if (--steps_left_ < 0) return false;
                if ((steps_left_ & 0xffff) == 0) stop_.check();
                const auto other = static_cast<std::size_t>(edge.other);
                if (seen_[other] == search_ || fixed_[other] != 0 || !tight(unit, edge)) continue;
                seen_[other] = search_;
                from_[other] = unit;
                const std::int32_t next = partner(edge.other);
                if (next != kNone && price(next) != 0) {
                    seen_[static_cast<std::size_t>(next)] = search_;
                    queue.push_back(next);
                    continue;
                }
                if (next != kNone) change_partner(next, kNone);
                for (std::int32_t taken = edge.other; taken != kNone;) {
                    const std::int32_t taker = from_[static_cast<std::size_t>(taken)];
                    const std::int32_t given_up = partner(taker);
                    change_partner(taker, taken);
                    change_partner(taken, taker);
                    taken = taker == root ? kNone : given_up;
                }
                return true;
            }
        }
        return false;
    }

    const Chain& chain_;
    const Groups& groups_;
    std::int64_t steps_left_;
    const StopFlag& stop_;
    std::vector<char> is_left_;
    std::vector<std::size_t> edges_begin_;
    std::vector<Edge> edges_;
    std::vector<Cost> price_;
    std::vector<std::int32_t> partner_, from_;
    std::vector<Cost> distance_;
    std::vector<char> fixed_;
    std::vector<std::int64_t> seen_;  // in which search a unit was seen last
    std::int64_t search_ = 0;
    std::vector<std::pair<std::int32_t, std::int32_t>> undo_;  // units and the partners they had
};

}  // namespace

bool match_chain(const Chain& chain, std::span<const std::int32_t> place, const Groups& groups,
                 std::int64_t steps, const StopFlag& stop, Chosen& chosen) {
    return Matching(chain, place, groups, steps, stop).run(chosen);
}

}  // namespace unisono
