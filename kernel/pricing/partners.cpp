#include "pricing/partners.hpp"

#include <numeric>

namespace unisono {

Partners on_both_sides(const Pairs& pairs) {
    const auto units = static_cast<std::size_t>(pairs.units());
    Partners partners;
    partners.offsets.assign(units + 1, 0);
    for (std::size_t i = 0; i < units; ++i) {
        partners.offsets[i + 1] += pairs.offsets[i + 1] - pairs.offsets[i];
    }
    for (const std::int32_t other : pairs.other) {
        ++partners.offsets[static_cast<std::size_t>(other) + 1];
    }
    std::partial_sum(partners.offsets.begin(), partners.offsets.end(), partners.offsets.begin());
    partners.other.resize(2 * pairs.other.size());
    partners.saving.resize(partners.other.size());
    std::vector<std::int64_t> next(partners.offsets.begin(), partners.offsets.end() - 1);
    const auto add = [&](std::size_t unit, std::size_t other, Cost saving) {
        const auto at = static_cast<std::size_t>(next[unit]++);
        partners.other[at] = static_cast<std::int32_t>(other);
        partners.saving[at] = saving;
    };
    // Unit by unit, so that those before a unit have all been added when its own come.
    for (std::size_t i = 0; i < units; ++i) {
        for (auto at = pairs.offsets[i]; at < pairs.offsets[i + 1]; ++at) {
            const auto pair = static_cast<std::size_t>(at);
            const auto other = static_cast<std::size_t>(pairs.other[pair]);
            add(i, other, kOne - pairs.cost[pair]);
            add(other, i, kOne - pairs.cost[pair]);
        }
    }
    return partners;
}

}  // namespace unisono
