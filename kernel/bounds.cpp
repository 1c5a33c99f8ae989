#include "bounds.hpp"

#include <algorithm>

namespace unisono {

namespace {

constexpr int kRounds = 30;
constexpr double kRoundingSlack = 1e-9;  // relative; covers the sums of quantised costs as doubles

// Each unit pays a share, and no group is paid more than it costs: then the shares sum to a bound
// (weak duality). The first shares come from pairs alone: of a group, each member pays an equal part
// C/n of the empty cost less half of the most that it can save; so they hold for any group.
std::vector<Cost> first_shares(const Chain& chain, const Groups& groups) {
    const Cost fair = pair_count(chain.places) * kOne / chain.places;
    std::vector<Cost> share;
    share.reserve(chain.units.size());
    for (const std::int32_t unit : chain.units) {
        const Cost saved = groups.most_saved[static_cast<std::size_t>(unit)];
        share.push_back(fair - (saved + 1) / 2);
    }
    return share;
}

// Raises the shares as long as some group containing the unit leaves room. The first rounds take
// only a part of the room, so that the units of a group share it.
void raise_shares(const Chain& chain, const Groups& groups, const StopFlag& stop,
                  std::vector<Cost>& share) {
    const std::size_t count = chain.units.size();
    const auto local = [&](std::int32_t unit) {
        return static_cast<std::size_t>(chain.local_index[static_cast<std::size_t>(unit)]);
    };
    std::vector<std::int64_t> ids;
    for (const std::int32_t unit : chain.units) {
        const auto at = static_cast<std::size_t>(unit);
        for (auto g = groups.of_anchor[at]; g < groups.of_anchor[at + 1]; ++g) ids.push_back(g);
    }
    std::vector<std::size_t> begin(count + 1, 0);
    for (const std::int64_t g : ids) {
        for (const std::int32_t member : groups.members_of(g)) ++begin[local(member) + 1];
    }
    for (std::size_t i = 0; i < count; ++i) begin[i + 1] += begin[i];
    std::vector<std::size_t> incident(begin[count]);
    std::vector<Cost> room(ids.size());
    std::vector<std::size_t> fill = begin;
    for (std::size_t at = 0; at < ids.size(); ++at) {
        room[at] = groups.cost[static_cast<std::size_t>(ids[at])];
        for (const std::int32_t member : groups.members_of(ids[at])) {
            room[at] -= share[local(member)];
            incident[fill[local(member)]++] = at;
        }
    }
    const Cost alone = pair_count(chain.places) * kOne;
    for (int round = 0; round < kRounds; ++round) {
        stop.check();
        const Cost part = round + 1 < kRounds ? 2 : 1;
        for (std::size_t i = 0; i < count; ++i) {
            Cost most = alone - share[i];
            for (std::size_t at = begin[i]; at < begin[i + 1]; ++at) {
                most = std::min(most, room[incident[at]]);
            }
            const Cost step = most / part;
            share[i] += step;
            for (std::size_t at = begin[i]; at < begin[i + 1]; ++at) room[incident[at]] -= step;
        }
    }
}

}  // namespace

double lower_bound(const Chain& chain, const Groups& groups, bool all_groups,
                   const StopFlag& stop) {
    std::vector<Cost> share = first_shares(chain, groups);
    if (all_groups) raise_shares(chain, groups, stop, share);
    double sum = 0.0;
    double size = 0.0;
    for (const Cost cost : share) {
        const double value = static_cast<double>(cost) / static_cast<double>(kOne);
        sum += value;
        size += std::max(value, -value);
    }
    return std::max(0.0, sum - kRoundingSlack * size);
}

}  // namespace unisono
