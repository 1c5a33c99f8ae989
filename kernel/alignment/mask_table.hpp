// Finds a mask among those of a layer: open addressing, emptied in no time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "alignment/mask.hpp"

namespace unisono {

template <int Words>
class MaskTable {
 public:
    // Forgets all masks; makes room for that many.
    void reset(std::size_t expected) {
        const std::size_t wanted = std::bit_ceil(std::max<std::size_t>(16, expected));
        if (table_.size() < wanted) {
            table_.assign(wanted, 0);
            stamp_ = 0;
        }
        if (++stamp_ == 0) {
            std::fill(table_.begin(), table_.end(), 0);
            stamp_ = 1;
        }
    }

    // Where the mask stands among the masks; a new one is put at their end.
    std::pair<std::size_t, bool> position_of(const Mask<Words>& mask,
                                             std::vector<Mask<Words>>& masks) {
        std::size_t slot = slot_of(mask, masks);
        if ((table_[slot] >> 32U) == stamp_) {
            return {static_cast<std::size_t>(table_[slot] & 0xffffffffU), false};
        }
        if (masks.size() * 2 >= table_.size()) {
            grow(masks);
            slot = slot_of(mask, masks);
        }
        table_[slot] = entry(masks.size());
        masks.push_back(mask);
        return {masks.size() - 1, true};
    }

 private:
    void grow(const std::vector<Mask<Words>>& masks) {
        table_.assign(table_.size() * 2, 0);
        stamp_ = 1;
        for (std::size_t at = 0; at < masks.size(); ++at) {
            table_[slot_of(masks[at], masks)] = entry(at);
        }
    }

    [[nodiscard]] std::uint64_t entry(std::size_t at) const {
        return (static_cast<std::uint64_t>(stamp_) << 32U) | static_cast<std::uint64_t>(at);
    }

    // The place in the table that holds the mask, or the empty one where it would go.
    [[nodiscard]] std::size_t slot_of(const Mask<Words>& mask,
                                      const std::vector<Mask<Words>>& masks) const {
        const std::size_t wrap = table_.size() - 1;
        std::size_t slot = (mask.hash() >> 7U) & wrap;
        while ((table_[slot] >> 32U) == stamp_ &&
               !(masks[static_cast<std::size_t>(table_[slot] & 0xffffffffU)] == mask)) {
            slot = (slot + 1) & wrap;
        }
        return slot;
    }

    std::vector<std::uint64_t> table_;  // stamp and position
    std::uint32_t stamp_ = 0;
};

}  // namespace unisono
