#include "pricing/interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace unisono {

namespace {

constexpr int kMostIterations = 80;
constexpr Cost kLeastPrice = kOne / 100'000;
constexpr std::size_t kMostNumbers = 100'000'000;  // of the matrix
constexpr double kProductsAtOnce = 4.0;            // in the time of one look
constexpr double kNearlyToTheBorder = 0.995;
// Too near to the border the first steps would be short.
constexpr double kAtFirst = 0.1;
constexpr double kLeastAtFirst = 0.05;

// Shortens a step so that a value moved by it is not below zero.
void shorten(double& step, double value, double moved) {
    // Seldom so: the product is cheaper than the division.
    if (value + step * moved < 0.0) step = -value / moved;
}

}  // namespace

InteriorPoint::InteriorPoint(const Chain& chain, const Pool& pool,
                             std::span<const std::size_t> chosen, std::vector<Cost>& shares,
                             Cuts& cuts)
    : chosen_(chosen),
      pool_size_(pool.size()),
      shares_(shares),
      cuts_(cuts),
      rows_(shares.size() + cuts.size()),
      groups_(chosen.size()) {
    scale_ = static_cast<double>(pair_count(chain.places) * kOne);
    order_rows();
    begin_.reserve(groups_ + 1);
    cost_.reserve(groups_ + 2 * rows_);
    for (const std::size_t g : chosen) {
        const auto members = pool.members_of(g);
        for (const std::int32_t member : members) members_.push_back(row_of_unit(member));
        cuts.for_each_held(
            members, [&](std::size_t cut) { members_.push_back(row_of_[shares_.size() + cut]); });
        std::sort(members_.begin() + static_cast<std::ptrdiff_t>(begin_.back()), members_.end());
        begin_.push_back(members_.size());
        cost_.push_back(static_cast<double>(pool.cost(g)) / scale_);
    }
    matrix_ = Skyline(skyline());
    // A price is a share that is not above 0.
    cost_.resize(groups_ + rows_, 0.0);
    cost_.resize(groups_ + 2 * rows_, 1.0);
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const auto row = static_cast<std::size_t>(row_of_[i]);
        cost_[groups_ + row] = 1.0;
        // A little above, so that the two boxes of a unit never meet.
        cost_[groups_ + rows_ + row] =
            chain.soft ? 0.0 : static_cast<double>(chain.most_saved[i]) / scale_ + 1e-3;
    }
}

bool InteriorPoint::run(double accuracy, const StopFlag& stop, double& work_left, Taken& taken) {
    if (matrix_.size() > kMostNumbers) {
        taken = Taken{Vector(pool_size_, 0.0), {}, {}};  // nothing is known of any group
        return false;
    }
    matrix_.allocate();
    start(taken);
    for (int iteration = 0; iteration < kMostIterations && !is_good(accuracy); ++iteration) {
        stop.check();
        if (work_left < matrix_.work() || !step(stop)) break;
        work_left -= matrix_.work();
        stop.spend(static_cast<std::int64_t>(matrix_.work() / kProductsAtOnce));
    }
    give_back_shares();
    give_back(taken);
    return work_left >= matrix_.work();
}

// Units in sweep order, a cut behind its second unit: groups reach no further for it.
void InteriorPoint::order_rows() {
    std::vector<std::vector<std::size_t>> behind(cuts_.empty() ? 0 : shares_.size());
    for (std::size_t cut = 0; cut < cuts_.size(); ++cut) {
        behind[static_cast<std::size_t>(cuts_[cut].units[1])].push_back(cut);
    }
    row_of_.resize(rows_);
    std::int32_t row = 0;
    for (std::size_t i = 0; i < shares_.size(); ++i) {
        row_of_[i] = row++;
        if (behind.empty()) continue;
        for (const std::size_t cut : behind[i]) row_of_[shares_.size() + cut] = row++;
    }
}

std::vector<std::size_t> InteriorPoint::skyline() const {
    std::vector<std::size_t> first(rows_);
    std::iota(first.begin(), first.end(), std::size_t{0});
    for (std::size_t g = 0; g < groups_; ++g) {
        const auto members = members_of(g);
        const auto anchor = static_cast<std::size_t>(members[0]);
        for (const std::int32_t member : members) {
            auto& reach = first[static_cast<std::size_t>(member)];
            reach = std::min(reach, anchor);
        }
    }
    return first;
}

double InteriorPoint::boxed(std::size_t i, double share) const {
    return std::clamp(share, -cost_[groups_ + rows_ + i], cost_[groups_ + i]);
}

// Calls visit(column, entry of Aᵀ·y).
template <class Visit>
void InteriorPoint::for_each_column(const Vector& y, Visit visit) const {
    for (std::size_t g = 0; g < groups_; ++g) {
        double paid = 0.0;
        for (const std::int32_t m : members_of(g)) paid += y[static_cast<std::size_t>(m)];
        visit(g, paid);
    }
    for (std::size_t i = 0; i < rows_; ++i) visit(groups_ + i, y[i]);
    for (std::size_t i = 0; i < rows_; ++i) visit(groups_ + rows_ + i, -y[i]);
}

// rows += A·value, the value of a column given by a function.
template <class Value>
void InteriorPoint::add_products(Vector& rows, Value value) const {
    for (std::size_t g = 0; g < groups_; ++g) {
        const double here = value(g);
        for (const std::int32_t m : members_of(g)) rows[static_cast<std::size_t>(m)] += here;
    }
    for (std::size_t i = 0; i < rows_; ++i) {
        rows[i] += value(groups_ + i) - value(groups_ + rows_ + i);
    }
}

void InteriorPoint::start(const Taken& taken) {
    const std::size_t columns = cost_.size();
    y_.resize(rows_);
    for (std::size_t i = 0; i < rows_; ++i) {
        const Cost before = i < shares_.size() ? shares_[i] : -cuts_[i - shares_.size()].price;
        const auto row = static_cast<std::size_t>(row_of_[i]);
        y_[row] = boxed(row, static_cast<double>(before) / scale_);
    }
    x_.assign(columns, taken.groups.empty() ? kAtFirst : kLeastAtFirst);
    const auto begin_at = [&](std::size_t column, const Vector& known, std::size_t at) {
        if (at < known.size()) x_[column] = std::max(known[at], kLeastAtFirst);
    };
    for (std::size_t g = 0; g < groups_; ++g) begin_at(g, taken.groups, chosen_[g]);
    for (std::size_t i = 0; i < shares_.size(); ++i) {
        const std::size_t column = groups_ + static_cast<std::size_t>(row_of_[i]);
        begin_at(column, taken.alone, i);
        begin_at(column + rows_, taken.twice, i);
    }
    s_.resize(columns);
    dual_.resize(columns);
    inverse_.resize(columns);
    ratio_.resize(columns);
    corrected_.resize(columns);
    dx_.assign(columns, 0.0);
    ds_.assign(columns, 0.0);
    dy_.assign(rows_, 0.0);
    for_each_column(y_, [&](std::size_t c, double paid) {
        s_[c] = std::max(cost_[c] - paid, kLeastAtFirst);
        dual_[c] = cost_[c] - paid - s_[c];
    });
    missing_.assign(rows_, 1.0);
    add_products(missing_, [&](std::size_t c) { return -x_[c]; });
    follow({0.0, 0.0});
}

bool InteriorPoint::is_good(double accuracy) const {
    const double objective = std::accumulate(y_.begin(), y_.end(), 0.0);
    return complementarity_ <= accuracy * (1.0 + std::fabs(objective)) &&
           infeasible_ <= std::max(accuracy, 1e-9);
}

// First towards the border, then corrected for what that step bends.
bool InteriorPoint::step(const StopFlag& stop) {
    if (!factorise(stop)) return false;
    const auto columns = static_cast<double>(cost_.size());
    const Steps far = predict();
    double lost_x = 0.0;
    double lost_s = 0.0;
    double bent = 0.0;
    for (std::size_t c = 0; c < cost_.size(); ++c) {
        lost_x += dx_[c] * s_[c];
        lost_s += x_[c] * ds_[c];
        bent += dx_[c] * ds_[c];
    }
    const double after = complementarity_ + far.x * lost_x + far.s * lost_s + far.x * far.s * bent;
    const double left = after / complementarity_;
    const Steps steps = correct(left * left * left * complementarity_ / columns);
    follow(
        {std::min(1.0, kNearlyToTheBorder * steps.x), std::min(1.0, kNearlyToTheBorder * steps.s)});
    return true;
}

bool InteriorPoint::factorise(const StopFlag& stop) {
    for (std::size_t c = 0; c < cost_.size(); ++c) {
        inverse_[c] = 1.0 / s_[c];
        ratio_[c] = x_[c] * inverse_[c];
    }
    matrix_.clear();
    for (std::size_t g = 0; g < groups_; ++g) matrix_.add(members_of(g), ratio_[g]);
    for (std::size_t i = 0; i < rows_; ++i) {
        matrix_.add_to_diagonal(i, ratio_[groups_ + i] + ratio_[groups_ + rows_ + i]);
    }
    return matrix_.factorise(stop);
}

// A·dx = missing, Aᵀ·dy + ds = dual, s·dx + x·ds = -x·s.
InteriorPoint::Steps InteriorPoint::predict() {
    right_side_ = missing_;
    add_products(right_side_, [&](std::size_t c) { return ratio_[c] * dual_[c] + x_[c]; });
    dy_ = right_side_;
    matrix_.solve(dy_);
    Steps steps{1.0 / kNearlyToTheBorder, 1.0 / kNearlyToTheBorder};
    for_each_column(dy_, [&](std::size_t c, double paid) {
        ds_[c] = dual_[c] - paid;
        dx_[c] = -x_[c] - ratio_[c] * ds_[c];
        shorten(steps.x, x_[c], dx_[c]);
        shorten(steps.s, s_[c], ds_[c]);
    });
    return steps;
}

// The same with s·dx + x·ds = centring - x·s - (what dx·ds was before).
InteriorPoint::Steps InteriorPoint::correct(double centring) {
    for (std::size_t c = 0; c < cost_.size(); ++c) {
        corrected_[c] = (centring - dx_[c] * ds_[c]) * inverse_[c];
    }
    dy_ = right_side_;
    add_products(dy_, [&](std::size_t c) { return -corrected_[c]; });
    matrix_.solve(dy_);
    Steps steps{1.0 / kNearlyToTheBorder, 1.0 / kNearlyToTheBorder};
    for_each_column(dy_, [&](std::size_t c, double paid) {
        ds_[c] = dual_[c] - paid;
        dx_[c] = corrected_[c] - x_[c] - ratio_[c] * ds_[c];
        shorten(steps.x, x_[c], dx_[c]);
        shorten(steps.s, s_[c], ds_[c]);
    });
    return steps;
}

// What the equations lack shrinks by as much of the step as is made.
void InteriorPoint::follow(const Steps& steps) {
    complementarity_ = 0.0;
    infeasible_ = 0.0;
    for (std::size_t c = 0; c < cost_.size(); ++c) {
        x_[c] += steps.x * dx_[c];
        s_[c] += steps.s * ds_[c];
        dual_[c] *= 1.0 - steps.s;
        complementarity_ += x_[c] * s_[c];
        infeasible_ = std::max(infeasible_, std::fabs(dual_[c]));
    }
    for (std::size_t i = 0; i < rows_; ++i) {
        y_[i] += steps.s * dy_[i];
        missing_[i] *= 1.0 - steps.x;
        infeasible_ = std::max(infeasible_, std::fabs(missing_[i]));
    }
}

void InteriorPoint::give_back_shares() {
    for (std::size_t i = 0; i < rows_; ++i) {
        const auto row = static_cast<std::size_t>(row_of_[i]);
        // Numerical trouble must not become a wild share: the repair proves whatever is here.
        const double share = std::isfinite(y_[row]) ? y_[row] : 0.0;
        const auto found = static_cast<Cost>(std::floor(boxed(row, share) * scale_));
        if (i < shares_.size()) {
            shares_[i] = found;
        } else {
            cuts_.set_price(i - shares_.size(), found < -kLeastPrice ? -found : 0);
        }
    }
}

void InteriorPoint::give_back(Taken& taken) const {
    const auto found = [&](std::size_t column) {
        return std::isfinite(x_[column]) ? x_[column] : 0.0;
    };
    taken.groups.assign(pool_size_, 0.0);
    for (std::size_t g = 0; g < groups_; ++g) taken.groups[chosen_[g]] = found(g);
    taken.alone.resize(shares_.size());
    taken.twice.resize(shares_.size());
    for (std::size_t i = 0; i < shares_.size(); ++i) {
        const std::size_t column = groups_ + static_cast<std::size_t>(row_of_[i]);
        taken.alone[i] = found(column);
        taken.twice[i] = found(column + rows_);
    }
}

}  // namespace unisono
