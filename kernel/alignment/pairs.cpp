#include "alignment/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace unisono {

namespace {

// Units of like length (a factor of two), so that one long unit does not widen every scan.
struct LengthClass {
    int exponent;
    double longest = 0.0;
    std::vector<std::int32_t> members;  // ascending
    std::size_t from = 0;               // first member that comes after the unit being scanned
};

std::vector<LengthClass> classes_by_length(const Units& units) {
    constexpr int kZeroLength = std::numeric_limits<int>::min();
    std::vector<LengthClass> classes;
    for (std::int32_t i = 0; i < units.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const double length = units.end[at] - units.start[at];
        int exponent = kZeroLength;
        if (length > 0.0) std::frexp(length, &exponent);
        auto found = std::find_if(classes.begin(), classes.end(),
                                  [&](const LengthClass& c) { return c.exponent == exponent; });
        if (found == classes.end()) {
            classes.push_back({exponent, 0.0, {}, 0});
            found = classes.end() - 1;
        }
        found->longest = std::max(found->longest, length);
        found->members.push_back(i);
    }
    return classes;
}

using Partner = std::pair<std::int32_t, Cost>;

// Partners ascend class by class.
void put_in_order(std::vector<Partner>& partners, const std::vector<std::size_t>& ends_of_classes) {
    constexpr std::size_t kFew = 64;
    if (ends_of_classes.size() < 2) return;
    if (partners.size() < kFew) {
        std::sort(partners.begin(), partners.end());
        return;
    }
    const auto at = [&](std::size_t end) {
        return partners.begin() + static_cast<std::ptrdiff_t>(end);
    };
    for (std::size_t k = 1; k < ends_of_classes.size(); ++k) {
        std::inplace_merge(partners.begin(), at(ends_of_classes[k - 1]), at(ends_of_classes[k]));
    }
}

}  // namespace

void find_pairs(const Units& units, const Weights& weights, const LabelDistances& distances,
                std::int64_t limit, const StopFlag& stop, Pairs& pairs) {
    const auto count = static_cast<std::size_t>(units.size());
    const Cost bound = pair_bound(units.places);
    // |Δstart| + |Δend| >= |Δ(start + end)|, so a pair below the bound has
    // |Δ(start + end)| <= reach · (sum of lengths). The slack absorbs rounding; it only adds work.
    const double bound_in_empties = static_cast<double>(bound) / static_cast<double>(kOne);
    const double reach =
        weights.position > 0.0
            ? ratio_of_part(bound_in_empties / weights.position, weights.power) * (1.0 + 1e-9)
            : std::numeric_limits<double>::infinity();

    std::vector<LengthClass> classes = classes_by_length(units);
    pairs.offsets.assign(count + 1, 0);
    pairs.other.clear();
    pairs.cost.clear();
    pairs.complete = true;

    std::vector<Partner> partners;
    std::vector<std::size_t> ends_of_classes;
    for (std::size_t i = 0; i < count; ++i) {
        stop.check();
        partners.clear();
        ends_of_classes.clear();
        const double centre = units.start[i] + units.end[i];
        const double length = units.end[i] - units.start[i];
        for (LengthClass& group : classes) {
            while (group.from < group.members.size() &&
                   group.members[group.from] <= static_cast<std::int32_t>(i)) {
                ++group.from;
            }
            // Two zero-length units meet only at the same point: reach · 0 could be NaN.
            const double widest = length + group.longest;
            const double horizon =
                (widest > 0.0 ? reach * widest : (weights.position > 0.0 ? 0.0 : reach)) +
                8.0 * std::numeric_limits<double>::epsilon() * std::fabs(centre);
            for (std::size_t at = group.from; at < group.members.size(); ++at) {
                const std::int32_t j = group.members[at];
                const auto other = static_cast<std::size_t>(j);
                if (units.start[other] + units.end[other] - centre > horizon) break;
                if (units.place[other] == units.place[i]) continue;
                const Cost cost = cost_between(units, weights, distances, i, other);
                if (cost < bound) partners.emplace_back(j, cost);
            }
            ends_of_classes.push_back(partners.size());
        }
        if (static_cast<std::int64_t>(pairs.other.size() + partners.size()) > limit ||
            stop.late()) {
            pairs.complete = false;
            std::fill(pairs.offsets.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                      pairs.offsets.end(), static_cast<std::int64_t>(pairs.other.size()));
            return;
        }
        put_in_order(partners, ends_of_classes);
        for (const auto& [j, cost] : partners) {
            pairs.other.push_back(j);
            pairs.cost.push_back(cost);
        }
        pairs.offsets[i + 1] = static_cast<std::int64_t>(pairs.other.size());
    }
}

}  // namespace unisono
