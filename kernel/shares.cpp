#include "shares.hpp"

#include <algorithm>
#include <cmath>

namespace unisono {

namespace {

constexpr double kRoundingSlack = 1e-9;  // relative; covers adding up whole numbers as doubles
constexpr int kRaisingRounds = 4;

class Raising {
 public:
    Raising(const Chain& chain, const Groups& groups, std::vector<Cost>& shares)
        : groups_(groups),
          shares_(shares),
          alone_(pair_count(chain.places) * kOne),
          soft_(chain.soft) {
        const std::size_t count = chain.units.size();
        for (const std::int32_t unit : chain.units) {
            const auto at = static_cast<std::size_t>(unit);
            for (auto g = groups.of_anchor[at]; g < groups.of_anchor[at + 1]; ++g) {
                ids_.push_back(g);
            }
        }
        const auto local = [&](std::int32_t unit) {
            return static_cast<std::size_t>(chain.local_index[static_cast<std::size_t>(unit)]);
        };
        begin_.assign(count + 1, 0);
        for (const std::int64_t g : ids_) {
            for (const std::int32_t member : groups.members_of(g)) ++begin_[local(member) + 1];
        }
        for (std::size_t i = 0; i < count; ++i) begin_[i + 1] += begin_[i];
        incident_.resize(begin_[count]);
        std::vector<std::size_t> fill = begin_;
        members_begin_.assign(1, 0);
        for (std::size_t at = 0; at < ids_.size(); ++at) {
            for (const std::int32_t member : groups.members_of(ids_[at])) {
                incident_[fill[local(member)]++] = at;
                members_.push_back(local(member));
            }
            members_begin_.push_back(members_.size());
        }
    }

    void settle() {
        repair();
        for (int round = 0; round < kRaisingRounds; ++round) raise(round % 2 == 0);
    }

    // Makes the shares valid, in whole numbers: whoever is paid too much is paid less.
    void repair() {
        for (Cost& share : shares_) {
            share = std::min(share, alone_);
            if (soft_) share = std::max<Cost>(share, 0);
        }
        for (std::size_t at = 0; at < ids_.size(); ++at) {
            Cost overpaid = -room_of(at);
            if (overpaid <= 0) continue;
            auto size = static_cast<Cost>(members_begin_[at + 1] - members_begin_[at]);
            for (std::size_t m = members_begin_[at]; m < members_begin_[at + 1]; ++m, --size) {
                Cost& share = shares_[members_[m]];
                const Cost less = (overpaid + size - 1) / size;
                const Cost taken = soft_ ? std::min(less, share) : less;
                share -= taken;
                overpaid -= taken;
            }
            // Where shares may not sink below 0, others have more to give than was asked of them.
            for (std::size_t m = members_begin_[at]; overpaid > 0 && m < members_begin_[at + 1];
                 ++m) {
                Cost& share = shares_[members_[m]];
                const Cost taken = std::min(overpaid, share);
                share -= taken;
                overpaid -= taken;
            }
        }
    }

 private:
    [[nodiscard]] Cost room_of(std::size_t at) const {
        Cost room = groups_.cost[static_cast<std::size_t>(ids_[at])];
        for (std::size_t m = members_begin_[at]; m < members_begin_[at + 1]; ++m) {
            room -= shares_[members_[m]];
        }
        return room;
    }

    // Takes what room the repair has left.
    void raise(bool forward) {
        const std::size_t count = shares_.size();
        for (std::size_t step = 0; step < count; ++step) {
            const std::size_t i = forward ? step : count - 1 - step;
            Cost most = alone_ - shares_[i];
            for (std::size_t at = begin_[i]; most > 0 && at < begin_[i + 1]; ++at) {
                most = std::min(most, room_of(incident_[at]));
            }
            shares_[i] += most;
        }
    }

    const Groups& groups_;
    std::vector<Cost>& shares_;
    Cost alone_;
    bool soft_;
    std::vector<std::int64_t> ids_;                     // the groups of the chain
    std::vector<std::size_t> begin_, incident_;         // by unit: positions in ids_
    std::vector<std::size_t> members_begin_, members_;  // by position in ids_: local indices
};

}  // namespace

void first_shares(const Chain& chain, std::vector<Cost>& shares) {
    shares.resize(chain.units.size());
    for (std::size_t i = 0; i < chain.units.size(); ++i) {
        shares[i] =
            first_share(chain.places, chain.most_saved[static_cast<std::size_t>(chain.units[i])]);
    }
}

void repair_shares(const Chain& chain, const Groups& groups, std::vector<Cost>& shares) {
    Raising(chain, groups, shares).repair();
}

void settle_shares(const Chain& chain, const Groups& groups, std::vector<Cost>& shares) {
    Raising(chain, groups, shares).settle();
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
