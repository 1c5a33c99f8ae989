#include "alignment/matching.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

namespace unisono {

bool GainMatching::run() {
    const std::int64_t steps_at_first = steps_left_;
    const bool is_solved = match_all();
    stop_.spend(steps_at_first - steps_left_);
    return is_solved;
}

bool GainMatching::match_all() {
    for (std::int32_t vertex = 0; vertex < vertices(); ++vertex) {
        if (is_left_[static_cast<std::size_t>(vertex)] == 0) continue;
        stop_.check();
        if (stop_.late() || !augment(vertex)) return false;
    }
    return true;
}

bool GainMatching::take_step() {
    if (--steps_left_ < 0) return false;
    if ((steps_left_ & 0xffff) != 0) return true;
    stop_.check();
    return !stop_.late();
}

// Brings one more unit of the left annotator into an optimal matching of those before it, by a
// shortest path (Dijkstra on reduced gains). A path ends at a free unit of the right annotator,
// or where it is best to leave a unit of the left one alone.
bool GainMatching::augment(std::int32_t root) {
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
            if (!take_step()) return false;
            const Cost length = so_far + price(left) + price(edge.other) - edge.gain;
            if (length >= distance(edge.other) || length >= shortest) continue;
            if (distance(edge.other) == kUnreached) reached_right.push_back(edge.other);
            distance(edge.other) = length;
            from_[static_cast<std::size_t>(edge.other)] = left;
            queue.emplace(length, partner(edge.other) != kNone, edge.other);
        }
        while (!queue.empty() && std::get<0>(queue.top()) > distance(std::get<2>(queue.top()))) {
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

namespace {

// A pair costs d, two units alone cost 2. Only d < 2 is ever here, so a pair gains 2 - d > 0, and
// the task is a matching of the largest gain.
template <class Visit>
void for_each_gain(const Chain& chain, std::span<const std::int32_t> place, const Groups& groups,
                   Visit visit) {
    const std::int32_t left_place = place[static_cast<std::size_t>(chain.units[0])];
    for (const std::int32_t unit : chain.units) {
        const auto at = static_cast<std::size_t>(unit);
        const bool is_left = place[at] == left_place;
        const std::int32_t anchor = chain.local_index[at];
        for (auto g = groups.of_anchor[at]; g < groups.of_anchor[at + 1]; ++g) {
            const std::int32_t other =
                chain.local_index[static_cast<std::size_t>(groups.members_of(g)[1])];
            const Cost gain = 2 * kOne - groups.cost[static_cast<std::size_t>(g)];
            visit(is_left ? anchor : other, is_left ? other : anchor, gain, g);
        }
    }
}

class ChainMatching : GainMatching {
 public:
    ChainMatching(const Chain& chain, std::span<const std::int32_t> place, const Groups& groups,
                  std::int64_t steps, const StopFlag& stop)
        : GainMatching(
              chain.units.size(), [&](auto visit) { for_each_gain(chain, place, groups, visit); },
              steps, stop),
          chain_(chain),
          from_(chain.units.size(), kNone),
          fixed_(chain.units.size(), 0),
          seen_(chain.units.size(), 0) {}

    bool run(Chosen& chosen) {
        if (!GainMatching::run()) return false;
        const std::size_t before = chosen.size();
        choose_canonically(chosen);
        if (!is_over_) return true;
        chosen.resize(before);
        return false;
    }

 private:
    // Every optimal matching uses tight pairs only and covers all units with a price above 0. Go
    // through the anchors and prefer the first partner with which the rest can still do so.
    void choose_canonically(Chosen& chosen) {
        for (std::int32_t unit = 0; unit < vertices(); ++unit) {
            if (fixed_[static_cast<std::size_t>(unit)] != 0) continue;
            for (const Edge& edge : edges(unit)) {
                if (edge.other < unit || fixed_[static_cast<std::size_t>(edge.other)] != 0)
                    continue;
                if (partner(unit) == edge.other) break;
                if (is_tight(unit, edge) && rematch(unit, edge.other)) break;
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
                if (is_over_ || !take_step()) {
                    is_over_ = true;
                    return false;
                }
                const auto other = static_cast<std::size_t>(edge.other);
                if (seen_[other] == search_ || fixed_[other] != 0 || !is_tight(unit, edge))
                    continue;
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
    bool is_over_ = false;  // the limit was reached
    std::vector<std::int32_t> from_;
    std::vector<char> fixed_;
    std::vector<std::int64_t> seen_;  // in which search a unit was seen last
    std::int64_t search_ = 0;
    std::vector<std::pair<std::int32_t, std::int32_t>> undo_;  // units and the partners they had
};

}  // namespace

bool match_chain(const Chain& chain, std::span<const std::int32_t> place, const Groups& groups,
                 std::int64_t steps, const StopFlag& stop, Chosen& chosen) {
    return ChainMatching(chain, place, groups, steps, stop).run(chosen);
}

}  // namespace unisono
