#include "mirroring.hpp"

#include <numeric>

namespace unisono {

Mirror::Mirror(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
               const FrontierLimits& limits)
    : last_(static_cast<std::int32_t>(shares.size()) - 1),
      places_(chain.places),
      limits_(limits),
      identity_(shares.size()),
      // The rule for twins is about their order, and all optima are wanted.
      twin_(shares.size(), -1),
      most_saved_(chain.most_saved.rbegin(), chain.most_saved.rend()),
      shares_(shares.rbegin(), shares.rend()),
      cuts_(shares.size()) {
    std::iota(identity_.begin(), identity_.end(), 0);
    mirror_groups(groups);
    if (limits.cuts == nullptr) return;
    for (std::size_t at = 0; at < limits.cuts->size(); ++at) {
        const Cut& cut = (*limits.cuts)[at];
        const auto& [a, b, c] = cut.units;
        cuts_.add({{last_ - c, last_ - b, last_ - a}, cut.price});
    }
}

// By the new anchor, which was the last member; of one anchor in their old order.
void Mirror::mirror_groups(const Groups& groups) {
    groups_.clear(shares_.size());
    std::vector<std::int64_t>& of_anchor = groups_.of_anchor;
    const auto anchor_of = [&](std::int64_t group) {
        return static_cast<std::size_t>(last_ - groups.members_of(group).back());
    };
    for (std::int64_t g = 0; g < groups.size(); ++g) ++of_anchor[anchor_of(g) + 1];
    std::partial_sum(of_anchor.begin(), of_anchor.end(), of_anchor.begin());
    std::vector<std::int64_t> next = of_anchor;
    original_.resize(static_cast<std::size_t>(groups.size()));
    for (std::int64_t g = 0; g < groups.size(); ++g) {
        original_[static_cast<std::size_t>(next[anchor_of(g)]++)] = g;
    }
    groups_.members.reserve(groups.members.size());
    groups_.member_offsets.reserve(groups.member_offsets.size());
    groups_.cost.reserve(groups.cost.size());
    std::vector<std::int32_t> members;
    for (const std::int64_t g : original_) {
        const auto seen = groups.members_of(g);
        members.assign(seen.rbegin(), seen.rend());
        for (std::int32_t& member : members) member = last_ - member;
        groups_.add(members, groups.cost[static_cast<std::size_t>(g)]);
        if (limits_.reduced != nullptr) {
            reduced_.push_back((*limits_.reduced)[static_cast<std::size_t>(g)]);
        }
    }
}

FrontierLimits Mirror::limits() const {
    FrontierLimits limits = limits_;
    limits.later = nullptr;
    if (limits.cuts != nullptr) limits.cuts = &cuts_;
    if (limits.reduced != nullptr) limits.reduced = &reduced_;
    return limits;
}

}  // namespace unisono
