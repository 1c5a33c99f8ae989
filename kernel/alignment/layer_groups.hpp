// What the anchor of a layer can choose in the frontier program, and what each choice costs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "alignment/frontier.hpp"
#include "alignment/mask.hpp"
#include "alignment/surcharges.hpp"

namespace unisono {

template <int Words>
class LayerGroups {
 public:
    using Part = typename Surcharges<Words>::Part;

    static constexpr Cost kNoGap = std::numeric_limits<Cost>::max();
    // Choices without a group: the unit is covered already, or stays alone.
    static constexpr std::int32_t kCovered = -1;
    static constexpr std::int32_t kAlone = -2;

    struct Usable {
        Cost reduced;
        std::int32_t number;  // within the groups of the anchor
        Mask<Words> mask;     // its members
        Mask<Words> twins;    // units that must be covered before
        Part surcharges;
    };

    // For a whole chain, or for a stretch of it by itself.
    void begin(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
               const FrontierLimits& limits, const Stretch* stretch) {
        chain_ = &chain;
        groups_ = &groups;
        shares_ = &shares;
        cuts_ = limits.cuts;
        reduced_ = limits.reduced;
        alone_ = pair_count(chain.places) * kOne;
        free_ = stretch == nullptr ? nullptr : stretch->free;
        if (stretch == nullptr) {
            surcharges_.begin(cuts_);
        } else {
            surcharges_.begin(cuts_, stretch->from, stretch->to, *stretch->free);
        }
    }

    // The groups of an anchor that do not cost more than may be spent, the cheapest first if there
    // is such a limit: most states can afford only a few.
    void choose(std::size_t i, Cost to_spend) {
        const auto unit = static_cast<std::size_t>(chain_->units[i]);
        const std::int64_t first_group = groups_->of_anchor[unit];
        const std::int64_t count = groups_->of_anchor[unit + 1] - first_group;
        usable_.clear();
        surcharges_.begin_layer(i);
        for (std::int64_t g = 0; g < count; ++g) {
            const auto number = static_cast<std::int32_t>(g);
            const Cost reduced = reduced_cost(number, i);
            if (reduced > to_spend) continue;
            const auto members = groups_->members_of(first_group + g);
            Usable usable{reduced, number, {}, {}, surcharges_of(members)};
            for (const std::int32_t member : members.subspan(1)) {
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
        alone_surcharges_ = surcharges_of(chain_->units.subspan(i, 1));
        if (to_spend == kNoGap) return;
        std::sort(usable_.begin(), usable_.end(), [](const Usable& a, const Usable& b) {
            return a.reduced != b.reduced ? a.reduced < b.reduced : a.number < b.number;
        });
    }

    [[nodiscard]] const std::vector<Usable>& usable() const { return usable_; }
    // Of the unit alone.
    [[nodiscard]] const Part& alone_surcharges() const { return alone_surcharges_; }
    [[nodiscard]] Cost surcharge(const Part& part, const Mask<Words>& mask) const {
        return surcharges_.paid(part, mask);
    }
    [[nodiscard]] bool has_surcharges() const { return surcharges_.any(); }

    // What a choice at the i-th unit costs beyond the shares of the units it covers.
    [[nodiscard]] Cost reduced_cost(std::int32_t group, std::size_t i) const {
        if (group == kCovered) return 0;
        if (group == kAlone) return alone_ - (*shares_)[i];
        const std::int64_t id = id_of(group, i);
        if (reduced_ != nullptr) return (*reduced_)[static_cast<std::size_t>(id)];
        Cost cost = groups_->cost[static_cast<std::size_t>(id)];
        for (const std::int32_t member : groups_->members_of(id)) {
            cost -= (*shares_)[local(member)];
        }
        if (cuts_ != nullptr) cost += cuts_->paid_by(groups_->members_of(id));
        return cost;
    }

    // The number of a group of the i-th unit among all.
    [[nodiscard]] std::int64_t id_of(std::int32_t group, std::size_t i) const {
        return groups_->of_anchor[static_cast<std::size_t>(chain_->units[i])] + group;
    }

    [[nodiscard]] bool is_free(std::size_t i) const { return free_ != nullptr && (*free_)[i] != 0; }

 private:
    [[nodiscard]] std::size_t local(std::int32_t unit) const {
        return static_cast<std::size_t>(chain_->local_index[static_cast<std::size_t>(unit)]);
    }

    Part surcharges_of(std::span<const std::int32_t> members) {
        return surcharges_.any() ? surcharges_.of_group(members) : Part{};
    }

    const Chain* chain_ = nullptr;
    const Groups* groups_ = nullptr;
    const std::vector<Cost>* shares_ = nullptr;  // by local index
    const Cuts* cuts_ = nullptr;
    const std::vector<Cost>* reduced_ = nullptr;
    const std::vector<char>* free_ = nullptr;
    Cost alone_ = 0;  // C: what a unit alone costs
    std::vector<Usable> usable_;
    Part alone_surcharges_;
    Surcharges<Words> surcharges_;
};

}  // namespace unisono
