// One run of the frontier program, with masks of so many words: see frontier.hpp.
#pragma once

#include <algorithm>
#include <limits>

#include "frontier.hpp"
#include "mask_table.hpp"
#include "surcharges.hpp"

namespace unisono {

template <int Words>
class Frontier {
 public:
    Outcome run(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
                const FrontierLimits& limits, const StopFlag& stop, Chosen& chosen) {
        begin(chain, groups, shares, limits);
        surcharges_.begin(limits.cuts);
        keeps_paths_ = true;
        free_ = nullptr;
        chosen_ = &chosen;
        const std::size_t chosen_before = chosen.size();
        for (std::size_t i = 0; i < chain.units.size(); ++i) {
            stop.check();
            const bool within_limits = expand(i) && (limits.beam > 0 || !stop.late());
            const bool died = next_masks_.empty();
            if (died || !within_limits) {
                chosen.resize(chosen_before);
                return died ? Outcome::kGapTooSmall : Outcome::kLimitReached;
            }
            const std::size_t last_alive = prune(i + 1);
            if (alive_ == 1) {
                settle(i + 1, last_alive);
                const Mask<Words> left = next_masks_[last_alive - next_begin_];
                masks_.assign(1, left);
                begin_block();
            } else {
                masks_.swap(next_masks_);
            }
        }
        return Outcome::kSolved;
    }

    [[nodiscard]] std::int64_t states() const { return states_; }

    Cost least_reduced(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
                       const Stretch& stretch, const FrontierLimits& limits, const StopFlag& stop) {
        begin(chain, groups, shares, limits);
        surcharges_.begin(limits.cuts, stretch.from, stretch.to, *stretch.free);
        keeps_paths_ = false;
        free_ = stretch.free;
        for (std::size_t i = stretch.from; i < stretch.to; ++i) {
            stop.check();
            // Paths only become dearer, so the cheapest state of a layer is a bound wherever it
            // ends.
            if (!expand(i)) return std::min(limits.gap, spent_ + later_than(i));
            if (next_masks_.empty()) return limits.gap;
            rebase();
            masks_.swap(next_masks_);
            cost_.erase(cost_.begin(), cost_.begin() + static_cast<std::ptrdiff_t>(next_begin_));
            arcs_begin_.assign(1, 0);
            layer_begin_.assign(1, 0);
            rebased_.clear();
        }
        return spent_;
    }

 private:
    static constexpr Cost kDead = std::numeric_limits<Cost>::max();
    static constexpr Cost kNoGap = std::numeric_limits<Cost>::max();
    static constexpr std::int64_t kStock = 50;       // units' worth of states, in advance
    static constexpr std::size_t kArcsPerState = 4;  // as many take the memory of a state
    // Arcs that take no group: the unit is covered already, or stays alone.
    static constexpr std::int32_t kCovered = -1;
    static constexpr std::int32_t kAlone = -2;

    void begin(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
               const FrontierLimits& limits) {
        chain_ = &chain;
        groups_ = &groups;
        limits_ = limits;
        alone_ = pair_count(chain.places) * kOne;
        states_ = 0;
        spent_ = 0;
        shares_ = &shares;
        masks_.assign(1, {});
        begin_block();
    }

    struct Arc {
        std::int32_t group;  // within the groups of the layer's anchor, or kCovered, kAlone
        std::int32_t target;
    };

    // Groups in their fixed order, then the unit alone: as numbers without sign, -2 is last but
    // one.
    static bool stands_before(const Arc& a, const Arc& b) {
        return static_cast<std::uint32_t>(a.group) < static_cast<std::uint32_t>(b.group);
    }

    // The most that a completion becomes dearer by if it has to do without a unit.
    [[nodiscard]] Cost if_taken_out(std::size_t i) const {
        return chain_->most_saved[static_cast<std::size_t>(chain_->units[i])] + (*shares_)[i];
    }

    [[nodiscard]] Cost later_than(std::size_t i) const {
        return limits_.later == nullptr ? 0 : (*limits_.later)[i];
    }

    [[nodiscard]] bool is_free(std::size_t i) const { return free_ != nullptr && (*free_)[i] != 0; }

    [[nodiscard]] std::size_t local(std::int32_t unit) const {
        return static_cast<std::size_t>(chain_->local_index[static_cast<std::size_t>(unit)]);
    }

    void begin_block() {
        cost_.assign(1, 0);
        arcs_.clear();
        surcharge_of_arc_.clear();
        arcs_begin_.assign(1, 0);
        layer_begin_.assign(1, 0);
        rebased_.clear();
    }

    // A group of the layer's anchor.
    struct Usable {
        Cost reduced;
        std::int32_t number;  // within the groups of the anchor
        Mask<Words> mask;     // its members
        Mask<Words> twins;    // units that must be covered before
        typename Surcharges<Words>::Part surcharges;
    };

    // The groups of an anchor that do not cost more than may be spent, the cheapest first if there
    // is such a limit: most states can afford only a few.
    void choose_groups(std::size_t i, Cost to_spend) {
        const auto unit = static_cast<std::size_t>(chain_->units[i]);
        const std::int64_t first_group = groups_->of_anchor[unit];
        const std::int64_t count = groups_->of_anchor[unit + 1] - first_group;
        usable_.clear();
        surcharges_.begin_layer(i);
        for (std::int64_t g = 0; g < count; ++g) {
            const auto number = static_cast<std::int32_t>(g);
            const Cost reduced = reduced_cost(number, i);
            if (reduced > to_spend) continue;
            Usable usable{
                reduced, number, {}, {}, surcharges_of(groups_->members_of(first_group + g))};
            for (const std::int32_t member : groups_->members_of(first_group + g).subspan(1)) {
                usable.mask.set(local(member) - i);
                // Of two units that nobody can tell apart, the first is taken first: the canonical
                // optimum does, and all orders but one need not be looked at.
                const std::int32_t twin = chain_->twin[static_cast<std::size_t>(member)];
                if (twin < 0) continue;
                // In a stretch, the first may have been taken by a group anchored before it.
                const std::size_t before = local(twin);
                if (before > i && !is_free(before)) usable.twins.set(before - i);
            }
            usable_.push_back(usable);
        }
        if (to_spend == kNoGap) return;
        std::sort(usable_.begin(), usable_.end(), [](const Usable& a, const Usable& b) {
            return a.reduced != b.reduced ? a.reduced < b.reduced : a.number < b.number;
        });
    }

    // Makes the next layer; false when a limit was reached on the way.
    bool expand(std::size_t i) {
        // Costs are relative to their layer; what may still be spent is, too.
        Cost to_spend = limits_.gap == kNoGap ? kNoGap : limits_.gap - spent_;
        to_spend -= later_than(i);
        choose_groups(i, to_spend);
        const std::size_t begin = layer_begin_.back();
        next_begin_ = cost_.size();
        next_masks_.clear();
        table_.reset(4 * (next_begin_ - begin));
        const Cost reduced_alone = reduced_cost(kAlone, i);
        const auto surcharges_alone = surcharges_of(chain_->units.subspan(i, 1));
        for (std::size_t node = begin; node < next_begin_; ++node) {
            if (cost_[node] != kDead) {
                const Mask<Words> mask = masks_[node - begin];
                if (mask.first()) {
                    reach(mask.stepped(), cost_[node], kCovered);
                } else {
                    for (const Usable& group : usable_) {
                        const Cost cost = cost_[node] + group.reduced;
                        if (cost > to_spend) break;
                        if (mask.meets(group.mask) || !mask.holds(group.twins)) continue;
                        const Cost more = surcharges_.paid(group.surcharges, mask);
                        if (cost > to_spend - more) continue;
                        reach(mask.joined(group.mask).stepped(), cost, group.number, more);
                    }
                    const Cost more = surcharges_.paid(surcharges_alone, mask);
                    const Cost cost = cost_[node] + reduced_alone;
                    if (cost <= to_spend - more) reach(mask.stepped(), cost, kAlone, more);
                    if (is_free(i)) reach(mask.stepped(), cost_[node], kCovered);
                }
            }
            arcs_begin_.push_back(arcs_.size());
            if (exceeds_limits(i)) return false;
        }
        layer_begin_.push_back(next_begin_);
        states_ += static_cast<std::int64_t>(next_masks_.size());
        return true;
    }

    [[nodiscard]] bool exceeds_limits(std::size_t i) const {
        const std::int64_t states = states_ + static_cast<std::int64_t>(next_masks_.size());
        const auto at_once =
            static_cast<std::int64_t>(std::max(cost_.size(), arcs_.size() / kArcsPerState));
        return states > limits_.states || at_once > limits_.states_at_once ||
               states / limits_.states_per_unit > kStock + static_cast<std::int64_t>(i);
    }

    // The surcharge is for cuts.
    void reach(const Mask<Words>& mask, Cost cost, std::int32_t group, Cost surcharge = 0) {
        cost += surcharge;
        const auto [position, is_new] = table_.position_of(mask, next_masks_);
        if (is_new) cost_.push_back(cost);
        const std::size_t target = next_begin_ + position;
        if (cost > cost_[target]) return;
        cost_[target] = cost;
        if (!keeps_paths_) return;
        arcs_.push_back({group, static_cast<std::int32_t>(target)});
        if (surcharges_.any()) surcharge_of_arc_.push_back(surcharge);
    }

    auto surcharges_of(std::span<const std::int32_t> members) {
        using Part = typename Surcharges<Words>::Part;
        return surcharges_.any() ? surcharges_.of_group(members) : Part{};
    }

    // Makes the costs of the next layer relative to the least, so that they stay small. Returns
    // the state that costs least.
    std::size_t rebase() {
        std::size_t reference = next_begin_;
        for (std::size_t node = next_begin_; node < cost_.size(); ++node) {
            if (cost_[node] < cost_[reference]) reference = node;
        }
        const Cost base = cost_[reference];
        for (std::size_t node = next_begin_; node < cost_.size(); ++node) cost_[node] -= base;
        rebased_.push_back(base);
        if (limits_.gap != kNoGap) spent_ += base;
        return reference;
    }

    // Drops states that cannot be on an optimal path. Returns the state that costs least.
    //
    // Compare S with another state T: take the best completion of S, take out of it the units that
    // T has covered already (each raises the cost by what it saved at most), add those that T has
    // not covered as units alone. So S is dead if it costs more than T and both. Here costs are
    // reduced by the shares of the units covered, so these shares are put back where S and T
    // differ.
    std::size_t prune(std::size_t next) {
        const std::size_t reference = rebase();
        const Mask<Words> covered = next_masks_[reference - next_begin_];
        alive_ = 0;
        // What a state has paid for cuts is no part of its cost.
        surcharges_.begin_states(next);
        const Cost paid = surcharges_.paid_by_state(covered);
        for (std::size_t at = 0; at < next_masks_.size(); ++at) {
            Cost& total = cost_[next_begin_ + at];
            const Cost cost = total + paid - surcharges_.paid_by_state(next_masks_[at]);
            // No further than needed: thousands of units of a hundred annotators would not fit.
            Cost slack = 0;
            next_masks_[at].without(covered).for_each_while([&](std::size_t bit) {
                slack += alone_ - (*shares_)[next + bit];
                return slack < cost;
            });
            covered.without(next_masks_[at]).for_each_while([&](std::size_t bit) {
                if (slack >= cost) return false;
                slack += if_taken_out(next + bit);
                return true;
            });
            if (cost > slack) {
                total = kDead;
            } else {
                ++alive_;
            }
        }
        if (limits_.beam > 0 && alive_ > limits_.beam) keep_the_best(reference);
        return reference;
    }

    void keep_the_best(std::size_t reference) {
        std::vector<std::size_t> order;
        for (std::size_t node = next_begin_; node < cost_.size(); ++node) {
            if (cost_[node] != kDead) order.push_back(node);
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return cost_[a] < cost_[b]; });
        for (auto at = static_cast<std::size_t>(limits_.beam); at < order.size(); ++at) {
            if (order[at] == reference) continue;
            cost_[order[at]] = kDead;
            --alive_;
        }
    }

    // What a choice at the i-th unit costs beyond the shares of the units it covers.
    [[nodiscard]] Cost reduced_cost(std::int32_t group, std::size_t i) const {
        if (group == kCovered) return 0;
        if (group == kAlone) return alone_ - (*shares_)[i];
        const auto unit = static_cast<std::size_t>(chain_->units[i]);
        const std::int64_t id = groups_->of_anchor[unit] + group;
        Cost cost = groups_->cost[static_cast<std::size_t>(id)];
        for (const std::int32_t member : groups_->members_of(id)) {
            cost -= (*shares_)[local(member)];
        }
        if (limits_.cuts != nullptr) cost += limits_.cuts->paid_by(groups_->members_of(id));
        return cost;
    }

    // Only one state is left: nothing before it can change any more. Marks the states on optimal
    // paths backwards, then walks forward, taking the first arc that stays optimal.
    void settle(std::size_t next, std::size_t last) {
        const std::size_t layers = layer_begin_.size() - 1;
        const std::size_t first_unit = next - layers;
        optimal_.assign(cost_.size(), 0);
        optimal_[last] = 1;
        const auto stays_optimal = [&](std::size_t node, std::size_t at, std::size_t layer) {
            const Arc& arc = arcs_[at];
            const auto target = static_cast<std::size_t>(arc.target);
            if (optimal_[target] == 0) return false;
            const Cost surcharge = surcharges_.any() ? surcharge_of_arc_[at] : 0;
            return cost_[node] + reduced_cost(arc.group, first_unit + layer) + surcharge -
                       rebased_[layer] ==
                   cost_[target];
        };
        for (std::size_t layer = layers; layer-- > 0;) {
            for (std::size_t node = layer_begin_[layer]; node < layer_begin_[layer + 1]; ++node) {
                if (cost_[node] == kDead) continue;
                for (std::size_t at = arcs_begin_[node]; at < arcs_begin_[node + 1]; ++at) {
                    if (stays_optimal(node, at, layer)) {
                        optimal_[node] = 1;
                        break;
                    }
                }
            }
        }
        std::size_t node = 0;
        for (std::size_t layer = 0; layer < layers; ++layer) {
            const Arc* taken = nullptr;
            for (std::size_t at = arcs_begin_[node]; at < arcs_begin_[node + 1]; ++at) {
                if (!stays_optimal(node, at, layer)) continue;
                if (taken == nullptr || stands_before(arcs_[at], *taken)) taken = &arcs_[at];
            }
            const std::int32_t group = taken->group;
            const std::int32_t unit = chain_->units[first_unit + layer];
            if (group != kCovered) {
                const std::int64_t first = groups_->of_anchor[static_cast<std::size_t>(unit)];
                chosen_->emplace_back(unit, group == kAlone ? -1 : first + group);
            }
            node = static_cast<std::size_t>(taken->target);
        }
    }

    const Chain* chain_ = nullptr;
    const Groups* groups_ = nullptr;
    Chosen* chosen_ = nullptr;
    FrontierLimits limits_{};
    Cost alone_ = 0;  // C: what a unit alone costs

    const std::vector<Cost>* shares_ = nullptr;  // by local index
    // The block: all layers since only one state was left.
    std::vector<Cost> cost_;               // by node, relative to its layer's base
    std::vector<std::size_t> arcs_begin_;  // by node
    std::vector<Arc> arcs_;
    std::vector<Cost> surcharge_of_arc_;    // where there are cuts
    std::vector<std::size_t> layer_begin_;  // by layer
    std::vector<Cost> rebased_;             // by layer: what the next layer's costs were lowered by
    std::vector<char> optimal_;
    // The two layers at hand.
    std::vector<Mask<Words>> masks_, next_masks_;
    std::vector<Usable> usable_;
    std::size_t next_begin_ = 0;
    std::int64_t alive_ = 1;
    std::int64_t states_ = 0;
    Cost spent_ = 0;  // what the layer's costs were lowered by in all; kept only with a gap
    MaskTable<Words> table_;
    Surcharges<Words> surcharges_;
    bool keeps_paths_ = true;
    const std::vector<char>* free_ = nullptr;
};

}  // namespace unisono
