// How far groups reach.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "alignment/frontier.hpp"

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

// The units that a group anchored before their own part of the chain covers; parts by where each
// begins, and the end of the last.
inline std::vector<char> covered_from_before(const Groups& groups,
                                             const std::vector<std::size_t>& begin) {
    std::vector<std::size_t> begins_at(begin.back());
    for (std::size_t part = 0; part + 1 < begin.size(); ++part) {
        for (std::size_t i = begin[part]; i < begin[part + 1]; ++i) begins_at[i] = begin[part];
    }
    std::vector<char> covered(begin.back(), 0);
    for (std::int64_t g = 0; g < groups.size(); ++g) {
        const auto members = groups.members_of(g);
        for (const std::int32_t member : members.subspan(1)) {
            const auto at = static_cast<std::size_t>(member);
            if (static_cast<std::size_t>(members[0]) < begins_at[at]) covered[at] = 1;
        }
    }
    return covered;
}

}  // namespace unisono
