#include "frontier.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "mask.hpp"

namespace unisono {

namespace {

constexpr Cost kDead = std::numeric_limits<Cost>::max();
constexpr std::int64_t kStock = 50;       // units' worth of states that a chain may take in advance
constexpr std::size_t kArcsPerState = 4;  // as many take the memory of a state
constexpr Cost kNoGap = std::numeric_limits<Cost>::max();
constexpr std::int32_t kCovered = -1;  // arcs that take no group: the unit is covered already,
constexpr std::int32_t kAlone = -2;    // or stays alone

template <int Words>
class Frontier {
 public:
    Outcome run(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
                const FrontierLimits& limits, const StopFlag& stop, Chosen& chosen) {
        chain_ = &chain;
        groups_ = &groups;
        chosen_ = &chosen;
        limits_ = limits;
        alone_ = pair_count(chain.places) * kOne;
        states_ = 0;
        spent_ = 0;
        prepare(shares);
        masks_.assign(1, {});
        begin_block();
        const std::size_t chosen_before = chosen.size();
        for (std::size_t i = 0; i < chain.units.size(); ++i) {
            stop.check();
            const bool within_limits = expand(i);
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

 private:
    struct Arc {
        std::int32_t group;  // within the groups of the layer's anchor, or kCovered, kAlone
        std::int32_t target;
    };

    void prepare(const std::vector<Cost>& shares) {
        shares_ = &shares;
        const std::size_t count = chain_->units.size();
        if_taken_out_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            if_taken_out_[i] =
                groups_->most_saved[static_cast<std::size_t>(chain_->units[i])] + shares[i];
        }
    }

    void begin_block() {
        cost_.assign(1, 0);
        arcs_.clear();
        arcs_begin_.assign(1, 0);
        layer_begin_.assign(1, 0);
        rebased_.clear();
    }

    // Makes the next layer; false when a limit was reached on the way.
    bool expand(std::size_t i) {
        const auto unit = static_cast<std::size_t>(chain_->units[i]);
        const std::int64_t first_group = groups_->of_anchor[unit];
        const auto group_count =
            static_cast<std::size_t>(groups_->of_anchor[unit + 1] - first_group);
        group_masks_.assign(group_count, {});
        twin_masks_.assign(group_count, {});
        reduced_.assign(group_count, 0);
        for (std::size_t g = 0; g < group_count; ++g) {
            reduced_[g] = reduced_cost(static_cast<std::int32_t>(g), i);
            const auto members = groups_->members_of(first_group + static_cast<std::int64_t>(g));
            for (const std::int32_t member : members.subspan(1)) {
                const auto local =
                    static_cast<std::size_t>(chain_->local_index[static_cast<std::size_t>(member)]);
                group_masks_[g].set(local - i);
                // Of two units that nobody can tell apart, the first is taken first: the canonical
                // optimum does, and all orders but one need not be looked at.
                const std::int32_t twin = chain_->twin[static_cast<std::size_t>(member)];
                if (twin >= 0) {
                    const auto before = static_cast<std::size_t>(
                        chain_->local_index[static_cast<std::size_t>(twin)]);
                    if (before > i) twin_masks_[g].set(before - i);
                }
            }
        }
        const std::size_t begin = layer_begin_.back();
        next_begin_ = cost_.size();
        next_masks_.clear();
        reset_table(next_begin_ - begin);
        const Cost reduced_alone = reduced_cost(kAlone, i);
        // Costs are relative to their layer; what may still be spent is, too.
        const Cost to_spend = limits_.gap == kNoGap ? kNoGap : limits_.gap - spent_;
        for (std::size_t node = begin; node < next_begin_; ++node) {
            if (cost_[node] != kDead) {
                const Mask<Words> mask = masks_[node - begin];
                if (mask.first()) {
                    reach(mask.stepped(), cost_[node], kCovered);
                } else {
                    for (std::size_t g = 0; g < group_count; ++g) {
                        if (mask.meets(group_masks_[g]) || !mask.holds(twin_masks_[g])) continue;
                        const Cost cost = cost_[node] + reduced_[g];
                        if (cost > to_spend) continue;
                        reach(mask.joined(group_masks_[g]).stepped(), cost,
                              static_cast<std::int32_t>(g));
                    }
                    const Cost cost = cost_[node] + reduced_alone;
                    if (cost <= to_spend) reach(mask.stepped(), cost, kAlone);
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

    void reset_table(std::size_t states) {
        const std::size_t wanted = std::bit_ceil(std::max<std::size_t>(16, states * 4));
        if (table_.size() < wanted) {
            table_.assign(wanted, 0);
            stamp_ = 0;
        }
        if (++stamp_ == 0) {
            std::fill(table_.begin(), table_.end(), 0);
            stamp_ = 1;
        }
    }

    void grow_table() {
        table_.assign(table_.size() * 2, 0);
        stamp_ = 1;
        for (std::size_t at = 0; at < next_masks_.size(); ++at) {
            table_[slot_of(next_masks_[at])] = entry(at);
        }
    }

    [[nodiscard]] std::uint64_t entry(std::size_t at) const {
        return (static_cast<std::uint64_t>(stamp_) << 32U) | static_cast<std::uint64_t>(at);
    }

    // The place in the table that holds the mask, or the empty one where it would go.
    [[nodiscard]] std::size_t slot_of(const Mask<Words>& mask) const {
        const std::size_t wrap = table_.size() - 1;
        std::size_t slot = (mask.hash() >> 7U) & wrap;
        while ((table_[slot] >> 32U) == stamp_ &&
               !(next_masks_[static_cast<std::size_t>(table_[slot] & 0xffffffffU)] == mask)) {
            slot = (slot + 1) & wrap;
        }
        return slot;
    }

    void reach(const Mask<Words>& mask, Cost cost, std::int32_t group) {
        std::size_t slot = slot_of(mask);
        if ((table_[slot] >> 32U) != stamp_) {
            if (next_masks_.size() * 2 >= table_.size()) {
                grow_table();
                slot = slot_of(mask);
            }
            table_[slot] = entry(next_masks_.size());
            next_masks_.push_back(mask);
            cost_.push_back(cost);
        }
        const std::size_t target =
            next_begin_ + static_cast<std::size_t>(table_[slot] & 0xffffffffU);
        if (cost > cost_[target]) return;
        cost_[target] = cost;
        arcs_.push_back({group, static_cast<std::int32_t>(target)});
    }

    // Drops states that cannot be on an optimal path, and rebases the costs so that they stay
    // small. Returns the state that costs least.
    //
    // Compare S with another state T: take the best completion of S, take out of it the units that
    // T has covered already (each raises the cost by what it saved at most), add those that T has
    // not covered as units alone. So S is dead if it costs more than T and both. Here costs are
    // reduced by the shares of the units covered, so these shares are put back where S and T
    // differ.
    std::size_t prune(std::size_t next) {
        std::size_t reference = next_begin_;
        for (std::size_t node = next_begin_; node < cost_.size(); ++node) {
            if (cost_[node] < cost_[reference]) reference = node;
        }
        const Mask<Words> covered = next_masks_[reference - next_begin_];
        const Cost base = cost_[reference];
        alive_ = 0;
        for (std::size_t at = 0; at < next_masks_.size(); ++at) {
            Cost& cost = cost_[next_begin_ + at];
            cost -= base;
            Cost slack = 0;
            covered.without(next_masks_[at]).for_each([&](std::size_t bit) {
                slack += if_taken_out_[next + bit];
            });
            next_masks_[at].without(covered).for_each(
                [&](std::size_t bit) { slack += alone_ - (*shares_)[next + bit]; });
            if (cost > slack) {
                cost = kDead;
            } else {
                ++alive_;
            }
        }
        rebased_.push_back(base);
        if (limits_.gap != kNoGap) spent_ += base;
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
            cost -= (*shares_)[static_cast<std::size_t>(
                chain_->local_index[static_cast<std::size_t>(member)])];
        }
        return cost;
    }

    // Only one state is left: nothing before it can change any more. Marks the states on optimal
    // paths backwards, then walks forward, taking the first arc that stays optimal.
    void settle(std::size_t next, std::size_t last) {
        const std::size_t layers = layer_begin_.size() - 1;
        const std::size_t first_unit = next - layers;
        optimal_.assign(cost_.size(), 0);
        optimal_[last] = 1;
        const auto stays_optimal = [&](std::size_t node, const Arc& arc, std::size_t layer) {
            const auto target = static_cast<std::size_t>(arc.target);
            return optimal_[target] != 0 &&
                   cost_[node] + reduced_cost(arc.group, first_unit + layer) - rebased_[layer] ==
                       cost_[target];
        };
        for (std::size_t layer = layers; layer-- > 0;) {
            for (std::size_t node = layer_begin_[layer]; node < layer_begin_[layer + 1]; ++node) {
                if (cost_[node] == kDead) continue;
                for (std::size_t at = arcs_begin_[node]; at < arcs_begin_[node + 1]; ++at) {
                    if (stays_optimal(node, arcs_[at], layer)) {
                        optimal_[node] = 1;
                        break;
                    }
                }
            }
        }
        std::size_t node = 0;
        for (std::size_t layer = 0; layer < layers; ++layer) {
            std::size_t at = arcs_begin_[node];
            while (!stays_optimal(node, arcs_[at], layer)) ++at;
            const std::int32_t group = arcs_[at].group;
            const std::int32_t unit = chain_->units[first_unit + layer];
            if (group != kCovered) {
                const std::int64_t first = groups_->of_anchor[static_cast<std::size_t>(unit)];
                chosen_->emplace_back(unit, group == kAlone ? -1 : first + group);
            }
            node = static_cast<std::size_t>(arcs_[at].target);
        }
    }

    const Chain* chain_ = nullptr;
    const Groups* groups_ = nullptr;
    Chosen* chosen_ = nullptr;
    FrontierLimits limits_{};
    Cost alone_ = 0;  // C: what a unit alone costs

    const std::vector<Cost>* shares_ = nullptr;  // by local index
    std::vector<Cost> if_taken_out_;  // by local index: the share, and the most the unit can save
    // The block: all layers since only one state was left.
    std::vector<Cost> cost_;               // by node, relative to its layer's base
    std::vector<std::size_t> arcs_begin_;  // by node
    std::vector<Arc> arcs_;
    std::vector<std::size_t> layer_begin_;  // by layer
    std::vector<Cost> rebased_;             // by layer: what the next layer's costs were lowered by
    std::vector<char> optimal_;
    // The two layers at hand.
    std::vector<Mask<Words>> masks_, next_masks_, group_masks_, twin_masks_;
    std::vector<Cost> reduced_;  // of the groups at hand
    std::size_t next_begin_ = 0;
    std::int64_t alive_ = 1;
    std::int64_t states_ = 0;
    Cost spent_ = 0;  // what the layer's costs were lowered by in all; kept only with a gap
    std::vector<std::uint64_t> table_;  // stamp and position, open addressing
    std::uint32_t stamp_ = 0;
};

// How many places after its anchor the widest group reaches.
std::size_t widest(const Chain& chain, const Groups& groups) {
    std::int32_t width = 1;
    for (const std::int32_t unit : chain.units) {
        const auto at = static_cast<std::size_t>(unit);
        for (std::int64_t g = groups.of_anchor[at]; g < groups.of_anchor[at + 1]; ++g) {
            const std::int32_t last = groups.members_of(g).back();
            width = std::max(
                width, chain.local_index[static_cast<std::size_t>(last)] - chain.local_index[at]);
        }
    }
    return static_cast<std::size_t>(width);
}

}  // namespace

struct FrontierProgram::Memory {
    Frontier<1> narrow;
};

FrontierProgram::FrontierProgram() : memory_(std::make_unique<Memory>()) {}
FrontierProgram::~FrontierProgram() = default;
FrontierProgram::FrontierProgram(FrontierProgram&&) noexcept = default;
FrontierProgram& FrontierProgram::operator=(FrontierProgram&&) noexcept = default;

Outcome FrontierProgram::solve(const Chain& chain, const Groups& groups,
                               const std::vector<Cost>& shares, const FrontierLimits& limits,
                               const StopFlag& stop, Chosen& chosen) {
    // One more bit than the width: bit 0 is the anchor itself until the step.
    const std::size_t bits = widest(chain, groups) + 1;
    if (bits <= 64) return memory_->narrow.run(chain, groups, shares, limits, stop, chosen);
    if (bits <= 128) return Frontier<2>().run(chain, groups, shares, limits, stop, chosen);
    if (bits <= 256) return Frontier<4>().run(chain, groups, shares, limits, stop, chosen);
    if (bits <= 512) return Frontier<8>().run(chain, groups, shares, limits, stop, chosen);
    if (bits <= 2048) return Frontier<32>().run(chain, groups, shares, limits, stop, chosen);
    return Outcome::kLimitReached;
}

}  // namespace unisono
