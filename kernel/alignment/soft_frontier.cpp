#include "alignment/soft_frontier.hpp"

#include <algorithm>
#include <limits>

#include "alignment/mask_table.hpp"

namespace unisono {

namespace {

template <int Words>
class SoftFrontier {
 public:
    Outcome run(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
                const FrontierLimits& limits, const StopFlag& stop, Chosen& chosen) {
        chain_ = &chain;
        groups_ = &groups;
        shares_ = &shares;
        chosen_ = &chosen;
        limits_ = limits;
        alone_ = pair_count(chain.places) * kOne;
        masks_.assign(1, {});
        begin_block();
        const std::size_t chosen_before = chosen.size();
        for (std::size_t i = 0; i < chain.units.size(); ++i) {
            stop.check();
            const bool within_limits = take_groups(i, stop);
            if (within_limits) step();
            if (!within_limits || next_masks_.empty()) {
                chosen.resize(chosen_before);
                return within_limits ? Outcome::kGapTooSmall : Outcome::kLimitReached;
            }
            const std::size_t last_alive = prune(i + 1);
            masks_.swap(next_masks_);
            if (alive_ == 1) {
                settle(i + 1, last_alive);
                masks_.assign(1, masks_[last_alive - layer_begin_.back()]);
                begin_block();
            }
        }
        return Outcome::kSolved;
    }

 private:
    static constexpr Cost kDead = std::numeric_limits<Cost>::max();
    static constexpr Cost kNoGap = std::numeric_limits<Cost>::max();
    static constexpr std::int64_t kStock = 50;
    static constexpr std::size_t kBetweenChecks = 64;
    static constexpr std::int32_t kAlone = -1;
    static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

    struct Arc {
        std::int32_t group;  // within the groups of the layer's anchor, or kAlone
        std::uint32_t target;
        Cost added;
    };
    struct Node {
        Cost cost = 0;  // relative to its layer's base
        std::size_t arcs_from = 0, arcs_to = 0;
        std::size_t step = kNowhere;  // the node of the next layer
    };

    void begin_block() {
        nodes_.assign(1, {});
        arcs_.clear();
        order_.clear();
        layer_begin_.assign(1, 0);
        rebased_.clear();
    }

    // From every state of the layer, all that can be reached by groups anchored at i: states that
    // cover less come first, so that each is final before it is left. False at a limit.
    bool take_groups(std::size_t i, const StopFlag& stop) {
        if (stop.late()) return false;
        const auto unit = static_cast<std::size_t>(chain_->units[i]);
        const std::int64_t first = groups_->of_anchor[unit];
        const auto count = static_cast<std::size_t>(groups_->of_anchor[unit + 1] - first);
        group_masks_.assign(count, {});
        needs_covered_.assign(count, {});
        needs_new_.assign(count, {});
        for (std::size_t g = 0; g < count; ++g) {
            for (const auto member : groups_->members_of(first + static_cast<std::int64_t>(g))) {
                group_masks_[g].set(local(member) - i);
                // Of units that nobody can tell apart, the first that is not covered is covered
                // next, and the first of all once more: the canonical optimum does so, and other
                // choices need not be looked at.
                const std::int32_t twin = chain_->twin[static_cast<std::size_t>(member)];
                if (local(member) == i || twin < 0 || local(twin) <= i) continue;
                needs_covered_[g].set(local(twin) - i);
                needs_new_[g].set(local(member) - i);
            }
        }
        const std::size_t begin = layer_begin_.back();
        table_.reset(4 * masks_.size());
        known_.clear();
        for (const Mask<Words>& mask : masks_) table_.position_of(mask, known_);
        for (auto& bucket : by_size_) bucket.clear();
        for (std::size_t at = 0; at < masks_.size(); ++at) put_in_bucket(at);
        Cost to_spend = limits_.gap == kNoGap ? kNoGap : limits_.gap - spent_;
        if (limits_.later != nullptr) to_spend -= (*limits_.later)[i];
        for (std::size_t size = 0; size < by_size_.size(); ++size) {
            for (std::size_t k = 0; k < by_size_[size].size(); ++k) {
                const std::size_t at = by_size_[size][k];
                const std::size_t node = begin + at;
                order_.push_back(node);
                nodes_[node].arcs_from = arcs_.size();
                if (nodes_[node].cost != kDead) {
                    const Mask<Words> mask = known_[at];
                    for (std::size_t g = 0; g < count; ++g) {
                        const Mask<Words> joined = mask.joined(group_masks_[g]);
                        if (joined == mask) continue;
                        if (!mask.holds(needs_covered_[g]) || mask.meets(needs_new_[g])) continue;
                        reach(node, joined, cost_of(static_cast<std::int32_t>(g), i, mask),
                              static_cast<std::int32_t>(g), to_spend);
                    }
                    if (!mask.first()) {
                        Mask<Words> joined = mask;
                        joined.set(0);
                        reach(node, joined, cost_of(kAlone, i, mask), kAlone, to_spend);
                    }
                }
                nodes_[node].arcs_to = arcs_.size();
                if (exceeds_limits(i)) return false;
                if (node % kBetweenChecks != 0) continue;
                stop.check();
                stop.spend(static_cast<std::int64_t>(kBetweenChecks * count));
                if (stop.late()) return false;
            }
        }
        states_ += static_cast<std::int64_t>(known_.size());
        return true;
    }

    void put_in_bucket(std::size_t at) {
        std::size_t size = 0;
        known_[at].for_each([&](std::size_t) { ++size; });
        if (size >= by_size_.size()) by_size_.resize(size + 1);
        by_size_[size].push_back(at);
    }

    void reach(std::size_t from, const Mask<Words>& mask, Cost added, std::int32_t group,
               Cost to_spend) {
        const Cost cost = nodes_[from].cost + added;
        if (cost > to_spend) return;
        const auto [at, is_new] = table_.position_of(mask, known_);
        const std::size_t target = layer_begin_.back() + at;
        if (is_new) {
            nodes_.push_back({});
            nodes_[target].cost = cost;
            put_in_bucket(at);
        }
        // A dead state has the largest cost: by this way it may be alive.
        if (cost > nodes_[target].cost) return;
        nodes_[target].cost = cost;
        arcs_.push_back({group, static_cast<std::uint32_t>(target), added});
    }

    // What a choice at the i-th unit costs beyond the shares of the units that it newly covers.
    [[nodiscard]] Cost cost_of(std::int32_t group, std::size_t i, const Mask<Words>& mask) const {
        if (group == kAlone) return alone_ - (*shares_)[i];
        const std::int64_t id =
            groups_->of_anchor[static_cast<std::size_t>(chain_->units[i])] + group;
        Cost cost = groups_->cost[static_cast<std::size_t>(id)];
        for (const std::int32_t member : groups_->members_of(id)) {
            if (!mask.has(local(member) - i)) cost -= (*shares_)[local(member)];
        }
        return cost;
    }

    [[nodiscard]] std::size_t local(std::int32_t unit) const {
        return static_cast<std::size_t>(chain_->local_index[static_cast<std::size_t>(unit)]);
    }

    // Bytes that are in use.
    [[nodiscard]] std::size_t memory() const {
        constexpr std::size_t kOfMask = sizeof(Mask<Words>) + 3 * sizeof(std::uint64_t);
        return nodes_.size() * (sizeof(Node) + sizeof(std::size_t)) + arcs_.size() * sizeof(Arc) +
               (masks_.size() + known_.size() + next_masks_.size()) * kOfMask;
    }

    [[nodiscard]] bool exceeds_limits(std::size_t i) const {
        const std::int64_t states = states_ + static_cast<std::int64_t>(known_.size());
        const auto at_once = static_cast<std::int64_t>(std::max(nodes_.size(), arcs_.size() / 4));
        return states > limits_.states || at_once > limits_.states_at_once ||
               memory() > limits_.memory ||
               states / limits_.states_per_unit > kStock + static_cast<std::int64_t>(i);
    }

    // To the next layer, from every state that covers the unit at hand: no two to the same state.
    void step() {
        const std::size_t begin = layer_begin_.back();
        const std::size_t next_begin = nodes_.size();
        next_masks_.clear();
        for (std::size_t at = 0; at < known_.size(); ++at) {
            if (nodes_[begin + at].cost == kDead || !known_[at].first()) continue;
            nodes_[begin + at].step = nodes_.size();
            Node next;
            next.cost = nodes_[begin + at].cost;
            nodes_.push_back(next);
            next_masks_.push_back(known_[at].stepped());
        }
        layer_begin_.push_back(next_begin);
    }

    // As in the frontier program for partitions; but what T has covered already may stay where it
    // is in the completion of S, and costs its share once more.
    std::size_t prune(std::size_t next) {
        const std::size_t begin = layer_begin_.back();
        std::size_t reference = begin;
        for (std::size_t node = begin; node < nodes_.size(); ++node) {
            if (nodes_[node].cost < nodes_[reference].cost) reference = node;
        }
        const Cost base = nodes_[reference].cost;
        const Mask<Words> covered = next_masks_[reference - begin];
        alive_ = 0;
        for (std::size_t at = 0; at < next_masks_.size(); ++at) {
            Cost& cost = nodes_[begin + at].cost;
            cost -= base;
            Cost slack = 0;
            covered.without(next_masks_[at]).for_each_while([&](std::size_t bit) {
                slack += (*shares_)[next + bit];
                return slack < cost;
            });
            next_masks_[at].without(covered).for_each_while([&](std::size_t bit) {
                if (slack >= cost) return false;
                slack += alone_ - (*shares_)[next + bit];
                return true;
            });
            if (cost > slack) {
                cost = kDead;
            } else {
                ++alive_;
            }
        }
        rebased_.push_back(base);
        if (limits_.gap != kNoGap) spent_ += base;
        return reference;
    }

    // Only one state is left: marks the states on optimal paths backwards, then walks forward: step
    // on where that stays optimal, otherwise take the first group that does.
    void settle(std::size_t next, std::size_t last) {
        const std::size_t layers = layer_begin_.size() - 1;
        const std::size_t first_unit = next - layers;
        optimal_.assign(nodes_.size(), 0);
        optimal_[last] = 1;
        const auto can_step = [&](const Node& node, std::size_t layer) {
            return node.step != kNowhere && optimal_[node.step] != 0 &&
                   node.cost - rebased_[layer] == nodes_[node.step].cost;
        };
        const auto can_take = [&](const Node& node, const Arc& arc) {
            return optimal_[arc.target] != 0 && node.cost + arc.added == nodes_[arc.target].cost;
        };
        std::size_t at = order_.size();
        for (std::size_t layer = layers; layer-- > 0;) {
            for (; at > 0 && order_[at - 1] >= layer_begin_[layer]; --at) {
                const Node& node = nodes_[order_[at - 1]];
                if (node.cost == kDead) continue;
                const bool is_optimal =
                    can_step(node, layer) ||
                    std::any_of(arcs_.begin() + static_cast<std::ptrdiff_t>(node.arcs_from),
                                arcs_.begin() + static_cast<std::ptrdiff_t>(node.arcs_to),
                                [&](const Arc& arc) { return can_take(node, arc); });
                optimal_[order_[at - 1]] = is_optimal ? 1 : 0;
            }
        }
        std::size_t node = 0;
        for (std::size_t layer = 0; layer < layers; ++layer) {
            const std::int32_t unit = chain_->units[first_unit + layer];
            while (!can_step(nodes_[node], layer)) {
                std::size_t arc = nodes_[node].arcs_from;
                while (!can_take(nodes_[node], arcs_[arc])) ++arc;
                const std::int64_t first = groups_->of_anchor[static_cast<std::size_t>(unit)];
                const std::int32_t group = arcs_[arc].group;
                chosen_->emplace_back(unit, group == kAlone ? -1 : first + group);
                node = arcs_[arc].target;
            }
            node = nodes_[node].step;
        }
    }

    const Chain* chain_ = nullptr;
    const Groups* groups_ = nullptr;
    const std::vector<Cost>* shares_ = nullptr;
    Chosen* chosen_ = nullptr;
    FrontierLimits limits_{};
    Cost alone_ = 0;  // C: what a unit alone costs

    // The block: all layers since only one state was left.
    std::vector<Node> nodes_;
    std::vector<Arc> arcs_;
    std::vector<std::size_t> order_;        // nodes as they were left, layer by layer
    std::vector<std::size_t> layer_begin_;  // by layer
    std::vector<Cost> rebased_;             // by layer: what the next layer's costs were lowered by
    std::vector<char> optimal_;
    // The layer at hand: states as they came, then all that groups reach from there.
    std::vector<Mask<Words>> masks_, known_, next_masks_, group_masks_;
    std::vector<Mask<Words>> needs_covered_, needs_new_;  // by group: see take_groups
    std::vector<std::vector<std::size_t>> by_size_;  // positions by the number of units covered
    MaskTable<Words> table_;
    std::int64_t alive_ = 1;
    std::int64_t states_ = 0;
    Cost spent_ = 0;  // what the layer's costs were lowered by in all; kept only with a gap
};

}  // namespace

Outcome solve_softly(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
                     const FrontierLimits& limits, std::size_t width, const StopFlag& stop,
                     Chosen& chosen) {
    return with_mask_of<Outcome>(width + 1, Outcome::kLimitReached, [&](auto words) {
        return SoftFrontier<words.value>().run(chain, groups, shares, limits, stop, chosen);
    });
}

}  // namespace unisono
