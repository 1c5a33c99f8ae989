// What the kernel must find, computed with no pruning of any kind, and what a result must satisfy.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "alignment/partition.hpp"
#include "alignment/scoring.hpp"

namespace unisono::testing {

inline constexpr std::array kDistances = {0.0, 1.0, 0.4, 1.0, 0.0, 0.7, 0.4, 0.7, 0.0};
inline const LabelDistances kTable{kDistances, 3};

inline Cost cost_of_pair(const Units& units, std::size_t u, std::size_t v, const Weights& weights) {
    return quantise(
        weighted(weights.position, positional(units.start[u], units.end[u], units.start[v],
                                              units.end[v], weights.power)) +
        weighted(weights.label, kTable.between(units.label[u], units.label[v])));
}

// The least cost over all partitions, with no pruning of any kind: the first unit left goes into a
// group with every possible set of partners.
class BruteForce {
 public:
    BruteForce(const Units& units, const Weights& weights) : units_(units), weights_(weights) {}

    Cost best() { return best(0); }

 private:
    Cost best(std::uint32_t covered) {
        const auto count = static_cast<std::uint32_t>(units_.size());
        std::uint32_t first = 0;
        while (first < count && ((covered >> first) & 1U) != 0) ++first;
        if (first == count) return 0;
        const auto known = memo_.find(covered);
        if (known != memo_.end()) return known->second;
        Cost least = kNotAlignable;
        std::vector<std::uint32_t> members{first};
        extend(covered | (1U << first), first + 1, members, least);
        memo_[covered] = least;
        return least;
    }

    void extend(std::uint32_t covered, std::uint32_t from, std::vector<std::uint32_t>& members,
                Cost& least) {
        const Cost here = cost(members);
        if (here != kNotAlignable) least = std::min(least, here + best(covered));
        for (auto next = from; next < static_cast<std::uint32_t>(units_.size()); ++next) {
            if (((covered >> next) & 1U) != 0) continue;
            if (std::any_of(members.begin(), members.end(),
                            [&](auto m) { return units_.place[m] == units_.place[next]; })) {
                continue;
            }
            members.push_back(next);
            extend(covered | (1U << next), next + 1, members, least);
            members.pop_back();
        }
    }

    [[nodiscard]] Cost cost(const std::vector<std::uint32_t>& members) const {
        Cost sum = pair_count(units_.places) * kOne;
        for (std::size_t a = 0; a < members.size(); ++a) {
            for (std::size_t b = a + 1; b < members.size(); ++b) {
                const Cost pair = cost_of_pair(units_, members[a], members[b], weights_);
                if (pair == kNotAlignable) return kNotAlignable;
                sum += pair - kOne;
            }
        }
        return sum;
    }

    const Units& units_;
    Weights weights_;
    std::map<std::uint32_t, Cost> memo_;
};

// The least cost of covering every unit at least once, over all groups and with no pruning.
class SoftBruteForce {
 public:
    SoftBruteForce(const Units& units, const Weights& weights) : units_(units), weights_(weights) {
        std::vector<std::size_t> members;
        gather(0, members);
    }

    Cost best() {
        const std::size_t all = std::size_t{1} << static_cast<std::size_t>(units_.size());
        std::vector<Cost> least(all, kNotAlignable);
        least[0] = 0;
        for (std::size_t covered = 0; covered + 1 < all; ++covered) {
            if (least[covered] == kNotAlignable) continue;
            // The first unit left must be in some group.
            const std::size_t first = static_cast<std::size_t>(std::countr_one(covered));
            for (const auto& [group, cost] : groups_) {
                if (((group >> first) & 1U) == 0) continue;
                Cost& target = least[covered | group];
                target = std::min(target, least[covered] + cost);
            }
        }
        return least[all - 1];
    }

 private:
    void gather(std::size_t from, std::vector<std::size_t>& members) {
        for (auto next = from; next < static_cast<std::size_t>(units_.size()); ++next) {
            if (std::any_of(members.begin(), members.end(),
                            [&](auto m) { return units_.place[m] == units_.place[next]; })) {
                continue;
            }
            members.push_back(next);
            Cost cost = pair_count(units_.places) * kOne;
            std::size_t group = 0;
            bool alignable = true;
            for (std::size_t a = 0; a < members.size(); ++a) {
                group |= std::size_t{1} << members[a];
                for (std::size_t b = a + 1; b < members.size(); ++b) {
                    const Cost pair = cost_of_pair(units_, members[a], members[b], weights_);
                    alignable = alignable && pair != kNotAlignable;
                    if (alignable) cost += pair - kOne;
                }
            }
            if (alignable) groups_.emplace_back(group, cost);
            gather(next + 1, members);
            members.pop_back();
        }
    }

    const Units& units_;
    Weights weights_;
    std::vector<std::pair<std::size_t, Cost>> groups_;
};

inline Cost cost_of(const Units& units, const Partition& partition, const Weights& weights) {
    Cost sum = 0;
    for (std::size_t g = 0; g < partition.size(); ++g) {
        const auto members = partition.group(g);
        sum += pair_count(units.places) * kOne;
        for (std::size_t a = 0; a < members.size(); ++a) {
            for (std::size_t b = a + 1; b < members.size(); ++b) {
                sum += cost_of_pair(units, static_cast<std::size_t>(members[a]),
                                    static_cast<std::size_t>(members[b]), weights) -
                       kOne;
            }
        }
    }
    return sum;
}

// Whether every unit is in a group, in exactly one unless it may be in more, and no group has two
// units of an annotator.
inline bool is_cover(const Units& units, const Partition& partition, bool soft) {
    std::vector<int> seen(static_cast<std::size_t>(units.size()), 0);
    for (std::size_t g = 0; g < partition.size(); ++g) {
        std::vector<std::int32_t> places;
        for (const std::int32_t member : partition.group(g)) {
            ++seen[static_cast<std::size_t>(member)];
            places.push_back(units.place[static_cast<std::size_t>(member)]);
        }
        std::sort(places.begin(), places.end());
        if (std::adjacent_find(places.begin(), places.end()) != places.end()) return false;
    }
    return std::all_of(seen.begin(), seen.end(),
                       [&](int times) { return soft ? times >= 1 : times == 1; });
}

inline bool is_partition(const Units& units, const Partition& partition) {
    return is_cover(units, partition, false);
}

}  // namespace unisono::testing
