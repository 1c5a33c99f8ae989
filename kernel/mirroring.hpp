// A chain and its groups as they look from the other end: the last unit is the first.
//
// A partition costs the same from either end, so whatever holds for the value there holds here.
// Only the canonical choice among equal partitions does not: it belongs to the usual order.
#pragma once

#include <cstdint>
#include <vector>

#include "frontier.hpp"

namespace unisono {

class Mirror {
 public:
    // Of a chain by itself: its units are 0, 1, … `limits` are what its groups are solved within.
    Mirror(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
           const FrontierLimits& limits);

    [[nodiscard]] Chain chain() const {
        return {identity_, identity_, twin_, most_saved_, places_, false};
    }
    [[nodiscard]] const Groups& groups() const { return groups_; }
    [[nodiscard]] const std::vector<Cost>& shares() const { return shares_; }
    // The same limits for what is mirrored.
    [[nodiscard]] FrontierLimits limits() const;
    // Which group of the chain it is that is seen here.
    [[nodiscard]] std::int64_t original(std::int64_t group) const {
        return original_[static_cast<std::size_t>(group)];
    }

 private:
    void mirror_groups(const Groups& groups);

    std::int32_t last_;  // unit of the chain
    int places_;
    FrontierLimits limits_;
    std::vector<std::int32_t> identity_, twin_;
    std::vector<Cost> most_saved_, shares_, reduced_;
    std::vector<std::int64_t> original_;
    Groups groups_;
    Cuts cuts_;
};

}  // namespace unisono
