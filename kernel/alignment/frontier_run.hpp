// One run of the frontier program, with masks of so many words: see frontier.hpp.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "alignment/frontier.hpp"
#include "alignment/layer_groups.hpp"
#include "alignment/mask_table.hpp"

namespace unisono {

template <int Words>
class Frontier {
 public:
    Outcome run(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
                const FrontierLimits& limits, const StopFlag& stop, Chosen& chosen) {
        begin(chain, groups, shares, limits, nullptr);
        chosen_ = &chosen;
        const std::size_t chosen_before = chosen.size();
        for (std::size_t i = 0; i < chain.units.size(); ++i) {
            stop.check();
            const bool within_limits = expand(i, stop);
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
        begin(chain, groups, shares, limits, &stretch);
        for (std::size_t i = stretch.from; i < stretch.to; ++i) {
            stop.check();
            // Paths only become dearer, so the cheapest state of a layer is a bound wherever it
            // ends.
            if (!expand(i, stop)) return std::min(limits.gap, spent_ + later_than(i));
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
    static constexpr Cost kNoGap = LayerGroups<Words>::kNoGap;
    static constexpr std::int64_t kStock = 50;       // units' worth of states, in advance
    static constexpr std::size_t kArcsPerState = 4;  // as many take the memory of a state
    static constexpr std::size_t kBetweenChecks = 256;
    static constexpr std::int32_t kCovered = LayerGroups<Words>::kCovered;
    static constexpr std::int32_t kAlone = LayerGroups<Words>::kAlone;

    void begin(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
               const FrontierLimits& limits, const Stretch* stretch) {
        chain_ = &chain;
        groups_.begin(chain, groups, shares, limits, stretch);
        keeps_paths_ = stretch == nullptr;
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

    void begin_block() {
        cost_.assign(1, 0);
        arcs_.clear();
        surcharge_of_arc_.clear();
        arcs_begin_.assign(1, 0);
        layer_begin_.assign(1, 0);
        rebased_.clear();
    }

    // Makes the next layer; false when a limit was reached on the way.
    bool expand(std::size_t i, const StopFlag& stop) {
        if (stop.late()) return false;
        // Costs are relative to their layer; what may still be spent is, too.
        Cost to_spend = limits_.gap == kNoGap ? kNoGap : limits_.gap - spent_;
        to_spend -= later_than(i);
        groups_.choose(i, to_spend);
        const std::size_t begin = layer_begin_.back();
        next_begin_ = cost_.size();
        next_masks_.clear();
        table_.reset(4 * (next_begin_ - begin));
        const Cost reduced_alone = groups_.reduced_cost(kAlone, i);
        std::int64_t looks = 0;
        for (std::size_t node = begin; node < next_begin_; ++node) {
            if (cost_[node] != kDead) {
                const Mask<Words> mask = masks_[node - begin];
                if (mask.first()) {
                    reach(mask.stepped(), cost_[node], kCovered, 0);
                } else {
                    for (const auto& group : groups_.usable()) {
                        const Cost cost = cost_[node] + group.reduced;
                        if (cost > to_spend) break;
                        ++looks;
                        if (mask.meets(group.mask) || !mask.holds(group.twins)) continue;
                        const Cost more = groups_.surcharge(group.surcharges, mask);
                        if (cost > to_spend - more) continue;
                        reach(mask.joined(group.mask).stepped(), cost, group.number, more);
                    }
                    const Cost more = groups_.surcharge(groups_.alone_surcharges(), mask);
                    const Cost cost = cost_[node] + reduced_alone;
                    if (cost <= to_spend - more) reach(mask.stepped(), cost, kAlone, more);
                    if (groups_.is_free(i)) reach(mask.stepped(), cost_[node], kCovered, 0);
                }
            }
            arcs_begin_.push_back(arcs_.size());
            if (exceeds_limits(i)) return false;
            if (node % kBetweenChecks == 0) {
                stop.check();
                stop.spend(std::exchange(looks, 0));
                if (stop.late()) return false;
            }
        }
        stop.spend(looks);
        layer_begin_.push_back(next_begin_);
        states_ += static_cast<std::int64_t>(next_masks_.size());
        return true;
    }

    // Bytes that are in use.
    [[nodiscard]] std::size_t memory() const {
        constexpr std::size_t kOfMask = sizeof(Mask<Words>) + 2 * sizeof(std::uint64_t);
        return cost_.size() * (sizeof(Cost) + sizeof(std::size_t)) +
               (masks_.size() + next_masks_.size()) * kOfMask + arcs_.size() * sizeof(Arc) +
               surcharge_of_arc_.size() * sizeof(Cost);
    }

    [[nodiscard]] bool exceeds_limits(std::size_t i) const {
        const std::int64_t states = states_ + static_cast<std::int64_t>(next_masks_.size());
        const auto at_once =
            static_cast<std::int64_t>(std::max(cost_.size(), arcs_.size() / kArcsPerState));
        return states > limits_.states || at_once > limits_.states_at_once ||
               memory() > limits_.memory ||
               states / limits_.states_per_unit > kStock + static_cast<std::int64_t>(i);
    }

    // The surcharge is for cuts, beyond what else was paid for them.
    void reach(const Mask<Words>& mask, Cost cost, std::int32_t group, Cost surcharge) {
        cost += surcharge;
        const auto [position, is_new] = table_.position_of(mask, next_masks_);
        if (is_new) cost_.push_back(cost);
        const std::size_t target = next_begin_ + position;
        if (cost > cost_[target]) return;
        cost_[target] = cost;
        if (!keeps_paths_) return;
        arcs_.push_back({group, static_cast<std::int32_t>(target)});
        if (groups_.has_surcharges()) surcharge_of_arc_.push_back(surcharge);
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
    //
    // Where a gap limits what a path may cost, this drops next to nothing more.
    std::size_t prune(std::size_t next) {
        const std::size_t reference = rebase();
        if (limits_.gap != kNoGap) {
            alive_ = static_cast<std::int64_t>(next_masks_.size());
            return reference;
        }
        const Mask<Words> covered = next_masks_[reference - next_begin_];
        alive_ = 0;
        for (std::size_t at = 0; at < next_masks_.size(); ++at) {
            Cost& total = cost_[next_begin_ + at];
            const Cost cost = total;
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
        return reference;
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
            const Cost surcharge = groups_.has_surcharges() ? surcharge_of_arc_[at] : 0;
            return cost_[node] + groups_.reduced_cost(arc.group, first_unit + layer) + surcharge -
                       rebased_[layer] ==
                   cost_[target];
        };
        for (std::size_t layer = layers; layer-- > 0;) {
            for (std::size_t node = layer_begin_[layer]; node < layer_begin_[layer + 1]; ++node) {
                if (cost_[node] == kDead) continue;
                for (std::size_t at = arcs_begin_[node]; at < arcs_begin_[node + 1]; ++at) {
                    if (!stays_optimal(node, at, layer)) continue;
                    optimal_[node] = 1;
                    break;
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
                chosen_->emplace_back(
                    unit, group == kAlone ? -1 : groups_.id_of(group, first_unit + layer));
            }
            node = static_cast<std::size_t>(taken->target);
        }
    }

    const Chain* chain_ = nullptr;
    LayerGroups<Words> groups_;
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
    std::size_t next_begin_ = 0;
    std::int64_t alive_ = 1;
    std::int64_t states_ = 0;
    Cost spent_ = 0;  // what the layer's costs were lowered by in all; kept only with a gap
    MaskTable<Words> table_;
    bool keeps_paths_ = true;
};

}  // namespace unisono
