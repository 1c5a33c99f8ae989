// How far groups reach.
#pragma once

#include <algorithm>
#include <cstddef>

#include "frontier.hpp"

namespace unisono {

// How many places after its anchor the widest group does, of those anchored from one place of the
// chain to another.
inline std::size_t widest_reach(const Chain& chain, const Groups& groups, std::size_t from,
                                std::size_t to) {
    std::int32_t width = 1;
    for (const std::int32_t unit : chain.units.subspan(from, to - from)) {
        const auto at = static_cast<std::size_t>(unit);
        for (std::int64_t g = groups.of_anchor[at]; g < groups.of_anchor[at + 1]; ++g) {
            const std::int32_t last = groups.members_of(g).back();
            width = std::max(
                width, chain.local_index[static_cast<std::size_t>(last)] - chain.local_index[at]);
        }
    }
    return static_cast<std::size_t>(width);
}

}  // namespace unisono
