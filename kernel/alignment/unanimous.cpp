#include "alignment/unanimous.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pricing/dual_values.hpp"

namespace unisono {

namespace {

class NearestUnits {
 public:
    struct Nearest {
        std::int32_t unit = -1;  // none where nothing is saved
        Cost saving = 0;
        bool is_only = true;  // no other unit of the annotator is as near
    };

    NearestUnits(const PairCosts& costs, std::int64_t steps, const StopFlag& stop)
        : costs_(costs),
          places_(static_cast<std::size_t>(costs.units().places)),
          units_of_(places_),
          longest_(places_, 0.0),
          steps_left_(steps),
          stop_(stop) {
        for (std::int32_t unit = 0; unit < costs.units().size(); ++unit) {
            const auto place = place_of(unit);
            units_of_[place].push_back(unit);
            longest_[place] = std::max(longest_[place], costs.length(unit));
        }
    }

    [[nodiscard]] std::size_t places() const { return places_; }
    [[nodiscard]] std::size_t place_of(std::int32_t unit) const {
        return static_cast<std::size_t>(costs_.units().place[static_cast<std::size_t>(unit)]);
    }
    [[nodiscard]] const std::vector<std::int32_t>& units_of(std::size_t place) const {
        return units_of_[place];
    }
    // Whether all questions so far were answered.
    [[nodiscard]] bool is_over() const { return is_over_; }

    Nearest find(std::int32_t unit, std::size_t place) {
        best_ = kOne;
        nearest_ = Nearest();
        // In sweep order, so that centres ascend.
        const auto& others = units_of_[place];
        const double centre = costs_.centre(unit);
        const double lengths = costs_.length(unit) + longest_[place];
        const double rounding = 8.0 * std::numeric_limits<double>::epsilon() * std::fabs(centre);
        const auto is_too_far = [&](std::int32_t other) {
            const double apart = std::fabs(costs_.centre(other) - centre) - rounding;
            return costs_.least(apart, lengths) * static_cast<double>(kOne) >
                   static_cast<double>(best_) + 1.0;
        };
        const auto middle = static_cast<std::size_t>(
            std::lower_bound(others.begin(), others.end(), unit) - others.begin());
        for (std::size_t at = middle; at < others.size() && !is_too_far(others[at]); ++at) {
            look_at(unit, others[at]);
        }
        for (std::size_t at = middle; at-- > 0 && !is_too_far(others[at]);) {
            look_at(unit, others[at]);
        }
        nearest_.saving = kOne - best_;
        return nearest_;
    }

 private:
    void look_at(std::int32_t unit, std::int32_t other) {
        if (--steps_left_ < 0) is_over_ = true;
        if ((steps_left_ & 0xfff) == 0) {
            stop_.check();
            if (stop_.late()) is_over_ = true;
        }
        if (is_over_) return;
        const Cost cost = costs_.between(unit, other);
        if (cost > best_ || cost >= kOne) return;
        nearest_.is_only = cost < best_;
        nearest_.unit = other;
        best_ = cost;
    }

    const PairCosts& costs_;
    std::size_t places_;
    std::vector<std::vector<std::int32_t>> units_of_;  // by annotator
    std::vector<double> longest_;                      // by annotator
    std::int64_t steps_left_;
    const StopFlag& stop_;
    bool is_over_ = false;
    Cost best_ = 0;
    Nearest nearest_;
};

}  // namespace

double bound_from_nearest(const PairCosts& costs, std::int64_t steps, const StopFlag& stop) {
    NearestUnits nearest(costs, steps, stop);
    const auto places = static_cast<int>(nearest.places());
    std::vector<Cost> shares;
    for (std::int32_t unit = 0; unit < costs.units().size(); ++unit) {
        Cost most_saved = 0;
        for (std::size_t place = 0; place < nearest.places(); ++place) {
            if (place != nearest.place_of(unit)) most_saved += nearest.find(unit, place).saving;
        }
        if (nearest.is_over()) return 0.0;
        shares.push_back(first_share(places, most_saved));
    }
    return std::max(0.0, sum_of_shares(shares));
}

bool find_unanimous(const PairCosts& costs, std::int64_t steps, const StopFlag& stop,
                    Partition& partition) {
    NearestUnits nearest(costs, steps, stop);
    const std::size_t places = nearest.places();
    for (std::size_t place = 1; place < places; ++place) {
        if (nearest.units_of(place).size() != nearest.units_of(0).size()) return false;
    }
    std::vector<char> is_taken(static_cast<std::size_t>(costs.units().size()), 0);
    std::vector<std::int32_t> group(places);
    partition.offsets.assign(1, 0);
    partition.members.clear();
    for (std::int32_t unit = 0; unit < costs.units().size(); ++unit) {
        if (is_taken[static_cast<std::size_t>(unit)] != 0) continue;
        for (std::size_t place = 0; place < places; ++place) {
            group[place] = place == nearest.place_of(unit) ? unit : nearest.find(unit, place).unit;
            if (group[place] < 0 || is_taken[static_cast<std::size_t>(group[place])] != 0)
                return false;
            is_taken[static_cast<std::size_t>(group[place])] = 1;
        }
        for (std::size_t place = 0; place < places; ++place) {
            for (std::size_t other = 0; other < places; ++other) {
                if (other == place) continue;
                const auto found = nearest.find(group[place], other);
                if (found.unit != group[other] || !found.is_only || nearest.is_over()) return false;
            }
        }
        partition.members.insert(partition.members.end(), group.begin(), group.end());
        std::sort(partition.members.end() - static_cast<std::ptrdiff_t>(places),
                  partition.members.end());
        partition.offsets.push_back(static_cast<std::int64_t>(partition.members.size()));
    }
    partition.lower_bound = 0.0;
    partition.proven = true;
    return true;
}

}  // namespace unisono
