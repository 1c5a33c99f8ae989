#include "pricing/dual_values.hpp"

#include <algorithm>
#include <cmath>

namespace unisono {

namespace {

constexpr double kRoundingSlack = 1e-9;  // relative; covers adding up whole numbers as doubles

// In a cover a share may not sink below 0, so that a member may have less to give than is asked.
Cost taken_from(Cost& share, Cost less, bool soft) {
    const Cost taken = soft ? std::min(less, share) : less;
    share -= taken;
    return taken;
}

}  // namespace

void first_shares(const Chain& chain, std::vector<Cost>& shares) {
    shares.resize(chain.units.size());
    for (std::size_t i = 0; i < chain.units.size(); ++i) {
        shares[i] =
            first_share(chain.places, chain.most_saved[static_cast<std::size_t>(chain.units[i])]);
    }
}

void repair_shares(const Chain& chain, const Groups& groups, std::vector<Cost>& shares) {
    const Cost alone = pair_count(chain.places) * kOne;
    for (Cost& share : shares) {
        share = std::min(share, alone);
        if (chain.soft) share = std::max<Cost>(share, 0);
    }
    for (std::int64_t g = 0; g < groups.size(); ++g) {
        const auto members = groups.members_of(g);
        Cost overpaid = -reduced_cost(members, groups.cost[static_cast<std::size_t>(g)], shares);
        auto size = static_cast<Cost>(members.size());
        for (std::size_t m = 0; overpaid > 0 && m < members.size(); ++m, --size) {
            Cost& share = shares[static_cast<std::size_t>(members[m])];
            overpaid -= taken_from(share, (overpaid + size - 1) / size, chain.soft);
        }
        for (std::size_t m = 0; overpaid > 0 && m < members.size(); ++m) {
            overpaid -= taken_from(shares[static_cast<std::size_t>(members[m])], overpaid, true);
        }
    }
}

double sum_of_shares(const std::vector<Cost>& shares) {
    double sum = 0.0;
    double size = 0.0;
    for (const Cost share : shares) {
        const double value = static_cast<double>(share) / static_cast<double>(kOne);
        sum += value;
        size += std::fabs(value);
    }
    return sum - kRoundingSlack * size;
}

}  // namespace unisono
