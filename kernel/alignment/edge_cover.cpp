#include "alignment/edge_cover.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "alignment/matching.hpp"

namespace unisono {

namespace {

// Let m(u) be the least that covers u: 1 alone, or the cheapest pair. A cover has pairs that cover
// both of their units, and covers each other unit u for m(u): so the best one has the matching that
// gains most, where a pair gains m(u) + m(v) - d(u, v). Its prices p make shares y = m - p, which
// are valid and sum to the value. They are not negative: no pair gains more than m of either unit.
class EdgeCover : GainMatching {
 public:
    EdgeCover(const Chain& chain, std::span<const std::int32_t> place, const Groups& groups,
              std::int64_t steps, const StopFlag& stop)
        : EdgeCover(chain, place, groups, least_of_units(chain, groups), steps, stop) {}

    bool run(Chosen& chosen) {
        if (!GainMatching::run()) return false;
        const std::size_t before = chosen.size();
        if (choose_canonically(chosen)) return true;
        chosen.resize(before);
        return false;
    }

 private:
    EdgeCover(const Chain& chain, std::span<const std::int32_t> place, const Groups& groups,
              std::vector<Cost> least, std::int64_t steps, const StopFlag& stop)
        : GainMatching(
              chain.units.size(),
              [&](auto visit) {
                  for_each_pair(chain, groups, [&](std::int32_t u, std::int32_t v, std::int64_t g) {
                      const bool is_left = place[static_cast<std::size_t>(
                                               chain.units[static_cast<std::size_t>(u)])] ==
                                           place[static_cast<std::size_t>(chain.units[0])];
                      const Cost gain = least[static_cast<std::size_t>(u)] +
                                        least[static_cast<std::size_t>(v)] -
                                        groups.cost[static_cast<std::size_t>(g)];
                      visit(is_left ? u : v, is_left ? v : u, gain, g);
                  });
              },
              steps, stop),
          chain_(chain),
          least_(std::move(least)),
          mate_(chain.units.size(), kNone),
          from_(chain.units.size(), kNone),
          last_free_(chain.units.size(), kNone),
          is_covered_(chain.units.size(), 0),
          seen_(chain.units.size(), 0) {}

    template <class Visit>
    static void for_each_pair(const Chain& chain, const Groups& groups, Visit visit) {
        for (const std::int32_t unit : chain.units) {
            const auto at = static_cast<std::size_t>(unit);
            for (auto g = groups.of_anchor[at]; g < groups.of_anchor[at + 1]; ++g) {
                const auto other = static_cast<std::size_t>(groups.members_of(g)[1]);
                visit(chain.local_index[at], chain.local_index[other], g);
            }
        }
    }

    static std::vector<Cost> least_of_units(const Chain& chain, const Groups& groups) {
        std::vector<Cost> least(chain.units.size(), kOne);
        for_each_pair(chain, groups, [&](std::int32_t u, std::int32_t v, std::int64_t g) {
            const Cost cost = groups.cost[static_cast<std::size_t>(g)];
            for (const std::int32_t unit : {u, v}) {
                Cost& of_unit = least[static_cast<std::size_t>(unit)];
                of_unit = std::min(of_unit, cost);
            }
        });
        return least;
    }

    static std::size_t at(std::int32_t unit) { return static_cast<std::size_t>(unit); }

    // A unit with share 0 is covered again for nothing; every other exactly once.
    [[nodiscard]] bool is_free(std::int32_t unit) const { return price(unit) == least_[at(unit)]; }
    [[nodiscard]] bool may_be_alone(std::int32_t unit) const {
        return price(unit) == 0 && least_[at(unit)] == kOne;
    }
    // Whether a best cover needs a partner for a unit that no other unit needs as well. All units
    // before `layer_` are covered, and their pairs have been decided about.
    [[nodiscard]] bool needs_mate(std::int32_t unit) const {
        return is_covered_[at(unit)] == 0 && last_free_[at(unit)] < layer_ && !may_be_alone(unit);
    }

    // The best covers have tight pairs only, and units alone that may be; they cover units that are
    // not free once. So the rest of a cover can be best if those units that have no free partner
    // can be matched with each other: such a matching is kept, in mate_. In each layer step on as
    // long as that stays possible, otherwise take the first group with which it does.
    bool choose_canonically(Chosen& chosen) {
        for (std::int32_t unit = 0; unit < vertices(); ++unit) {
            mate_[at(unit)] = partner(unit);
            for (const Edge& edge : edges(unit)) {
                if (is_free(edge.other) && is_tight(unit, edge)) {
                    last_free_[at(unit)] = std::max(last_free_[at(unit)], edge.other);
                }
            }
        }
        for (std::int32_t unit = 0; unit < vertices(); ++unit) {
            if (needs_mate(unit) && mate_[at(unit)] == kNone && !settle(unit)) return false;
        }
        for (layer_ = 0; layer_ < vertices();) {
            const std::int32_t unit = layer_;
            if (is_covered_[at(unit)] != 0 && step()) continue;
            if (is_over_ || !take_group(unit, chosen)) return false;
        }
        return true;
    }

    // Steps on to the next layer, where units may lose their last free partner; undone if some
    // cannot be covered then.
    bool step() {
        undo_.clear();
        const std::int32_t unit = layer_++;
        if (!is_free(unit)) return true;
        for (const Edge& edge : edges(unit)) {
            const std::int32_t other = edge.other;
            if (last_free_[at(other)] != unit || !is_tight(unit, edge)) continue;
            if (!needs_mate(other) || mate_[at(other)] != kNone || settle(other)) continue;
            --layer_;
            take_back();
            return false;
        }
        return true;
    }

    bool take_group(std::int32_t unit, Chosen& chosen) {
        for (const Edge& edge : edges(unit)) {
            if (edge.other < unit || !is_tight(unit, edge)) continue;
            if (!cover(unit, edge.other)) continue;
            chosen.emplace_back(chain_.units[at(unit)], edge.group);
            return true;
        }
        if (!may_be_alone(unit) || !cover(unit, kNone)) return false;
        chosen.emplace_back(chain_.units[at(unit)], -1);
        return true;
    }

    // Covers a unit, and another if there is one; false, and nothing is done, if that covers
    // nothing new, covers a unit again that is not free, or leaves no best cover.
    bool cover(std::int32_t unit, std::int32_t other) {
        undo_.clear();
        bool covers_new = false;
        for (const std::int32_t one : {unit, other}) {
            if (one == kNone) continue;
            if (is_covered_[at(one)] == 0) {
                covers_new = true;
            } else if (!is_free(one)) {
                return false;
            }
        }
        if (!covers_new) return false;
        const std::pair before{is_covered_[at(unit)],
                               other == kNone ? char{0} : is_covered_[at(other)]};
        is_covered_[at(unit)] = 1;
        if (other != kNone) is_covered_[at(other)] = 1;
        bool possible = true;
        for (const std::int32_t one : {unit, other}) {
            if (one == kNone || mate_[at(one)] == kNone) continue;
            const std::int32_t widowed = mate_[at(one)];
            set_mate(one, kNone);
            set_mate(widowed, kNone);
            possible = possible && (!needs_mate(widowed) || settle(widowed));
        }
        if (possible) return true;
        take_back();
        is_covered_[at(unit)] = before.first;
        if (other != kNone) is_covered_[at(other)] = before.second;
        return false;
    }

    void set_mate(std::int32_t unit, std::int32_t other) {
        undo_.emplace_back(unit, mate_[at(unit)]);
        mate_[at(unit)] = other;
    }

    void take_back() {
        for (; !undo_.empty(); undo_.pop_back()) {
            mate_[at(undo_.back().first)] = undo_.back().second;
        }
    }

    // Finds a mate along an alternating path of tight pairs that ends at a unit without one, or at
    // one that can do without.
    bool settle(std::int32_t root) {
        ++search_;
        std::vector<std::int32_t> queue{root};
        seen_[at(root)] = search_;
        for (std::size_t next = 0; next < queue.size(); ++next) {
            const std::int32_t unit = queue[next];
            for (const Edge& edge : edges(unit)) {
                if (is_over_ || !take_step()) {
                    is_over_ = true;
                    return false;
                }
                const std::int32_t other = edge.other;
                if (seen_[at(other)] == search_ || is_covered_[at(other)] != 0 ||
                    !is_tight(unit, edge)) {
                    continue;
                }
                seen_[at(other)] = search_;
                from_[at(other)] = unit;
                const std::int32_t theirs = mate_[at(other)];
                if (theirs != kNone && needs_mate(theirs)) {
                    queue.push_back(theirs);
                    continue;
                }
                if (theirs != kNone) set_mate(theirs, kNone);
                for (std::int32_t taken = other; taken != kNone;) {
                    const std::int32_t taker = from_[at(taken)];
                    const std::int32_t given_up = mate_[at(taker)];
                    set_mate(taker, taken);
                    set_mate(taken, taker);
                    taken = taker == root ? kNone : given_up;
                }
                return true;
            }
        }
        return false;
    }

    const Chain& chain_;
    std::vector<Cost> least_;
    std::int32_t layer_ = 0;
    std::vector<std::int32_t> mate_, from_;
    std::vector<std::int32_t> last_free_;  // the last free unit that is a tight partner
    std::vector<char> is_covered_;
    std::vector<std::int64_t> seen_;  // in which search a unit was seen last
    std::int64_t search_ = 0;
    bool is_over_ = false;                                     // the limit was reached
    std::vector<std::pair<std::int32_t, std::int32_t>> undo_;  // units and the mates they had
};

}  // namespace

bool cover_chain(const Chain& chain, std::span<const std::int32_t> place, const Groups& groups,
                 std::int64_t steps, const StopFlag& stop, Chosen& chosen) {
    return EdgeCover(chain, place, groups, steps, stop).run(chosen);
}

}  // namespace unisono
