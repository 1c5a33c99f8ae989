#include "sampling/shifts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace unisono {

std::int64_t ShiftRoller::roll(const ShiftRules& rules, Dice dice, std::span<std::int32_t> picks,
                               std::span<double> shifts) {
    const auto places = static_cast<std::size_t>(rules.places);
    const auto voices = static_cast<double>(rules.counts.size());
    uniforms_.resize(3 * places + 1);
    std::int64_t again = -1;
    bool has_units = false;
    while (!has_units) {
        ++again;
        for (double& uniform : uniforms_) uniform = dice.roll();
        for (std::size_t place = 0; place < places; ++place) {
            picks[place] = static_cast<std::int32_t>(uniforms_[place] * voices);
            has_units = has_units || rules.counts[static_cast<std::size_t>(picks[place])] > 0;
        }
    }
    // Sorted uniforms plus the spacing, turned at random and shared out at random: all sets of
    // shifts that far apart are equally likely, without trial and error.
    const auto first = uniforms_.begin() + static_cast<std::ptrdiff_t>(places);
    const auto turn = first + static_cast<std::ptrdiff_t>(places);
    const auto to_share_out = turn + 1;
    std::sort(first, turn);
    const double freedom = rules.extent - static_cast<double>(places) * rules.spacing;
    turned_.resize(places);
    for (std::size_t at = 0; at < places; ++at) {
        const double apart = first[static_cast<std::ptrdiff_t>(at)] * freedom +
                             static_cast<double>(at) * rules.spacing;
        turned_[at] = apart + *turn * rules.extent;
    }
    order_.resize(places);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
        const double left = to_share_out[static_cast<std::ptrdiff_t>(a)];
        const double right = to_share_out[static_cast<std::ptrdiff_t>(b)];
        return left != right ? left < right : a < b;
    });
    for (std::size_t place = 0; place < places; ++place) {
        double shift = turned_[order_[place]];
        if (rules.extent > 0.0) shift = std::fmod(shift, rules.extent);
        shifts[place] = rules.whole ? std::floor(shift) : shift;
    }
    return again;
}

}  // namespace unisono
