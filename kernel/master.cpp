#include "master.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "skyline.hpp"

namespace unisono {

namespace {

using Vector = std::vector<double>;

// A group so far from being paid, in lonely units' costs, is left out.
constexpr double kFar = 0.3;

// Mehrotra's predictor–corrector method. Columns 0 … G-1 are the groups, then a column for each
// unit alone, then one for each unit covered once too often (coefficient -1).
class InteriorPoint {
 public:
    InteriorPoint(const Chain& chain, const Pool& pool, const std::vector<char>& is_chosen,
                  std::vector<Cost>& shares)
        : shares_(shares), rows_(shares.size()) {
        scale_ = static_cast<double>(pair_count(chain.places) * kOne);
        for (std::size_t g = 0; g < pool.size(); ++g) {
            if (is_chosen[g] == 0) continue;
            const auto members = pool.members_of(g);
            members_.insert(members_.end(), members.begin(), members.end());
            begin_.push_back(members_.size());
            cost_.push_back(static_cast<double>(pool.cost(g)) / scale_);
        }
        groups_ = cost_.size();
        matrix_ = Skyline(skyline());
        cost_.resize(groups_ + rows_, 1.0);
        for (const Cost saved : chain.most_saved) {
            // A little above, so that the two boxes of a unit never meet.
            cost_.push_back(chain.soft ? 0.0 : static_cast<double>(saved) / scale_ + 1e-3);
        }
    }

    void run(double accuracy, const StopFlag& stop) {
        start();
        for (int iteration = 0; iteration < kMostIterations; ++iteration) {
            stop.check();
            if (stop.late() || step(accuracy)) break;
        }
        for (std::size_t i = 0; i < rows_; ++i) {
            // Numerical trouble must not become a wild share: the repair proves whatever is here.
            const double share = std::isfinite(y_[i]) ? y_[i] : 0.0;
            shares_[i] = static_cast<Cost>(std::floor(boxed(i, share) * scale_));
        }
    }

    [[nodiscard]] double taken(std::size_t group) const { return x_[group]; }

 private:
    static constexpr int kMostIterations = 80;

    [[nodiscard]] std::vector<std::size_t> skyline() const {
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

    [[nodiscard]] std::span<const std::int32_t> members_of(std::size_t g) const {
        return {members_.data() + begin_[g], begin_[g + 1] - begin_[g]};
    }

    [[nodiscard]] double boxed(std::size_t i, double share) const {
        return std::clamp(share, -cost_[groups_ + rows_ + i], 1.0);
    }

    // Calls visit(column, entry of Aᵀ·y).
    template <class Visit>
    void for_each_column(const Vector& y, Visit visit) const {
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
    void add_products(Vector& rows, Value value) const {
        for (std::size_t g = 0; g < groups_; ++g) {
            const double here = value(g);
            for (const std::int32_t m : members_of(g)) {
                rows[static_cast<std::size_t>(m)] += here;
            }
        }
        for (std::size_t i = 0; i < rows_; ++i) {
            rows[i] += value(groups_ + i) - value(groups_ + rows_ + i);
        }
    }

    void start() {
        const std::size_t columns = cost_.size();
        y_.resize(rows_);
        for (std::size_t i = 0; i < rows_; ++i) {
            y_[i] = boxed(i, static_cast<double>(shares_[i]) / scale_);
        }
        x_.assign(columns, 0.1);
        s_.resize(columns);
        for_each_column(
            y_, [&](std::size_t c, double paid) { s_[c] = std::max(cost_[c] - paid, 0.05); });
        dual_.resize(columns);
        inverse_.resize(columns);
        ratio_.resize(columns);
        dx_.resize(columns);
        ds_.resize(columns);
    }

    // Makes one step; true when the shares are good enough.
    bool step(double accuracy) {
        const auto columns = static_cast<double>(cost_.size());
        double complementarity = 0.0;
        double infeasible = 0.0;
        for_each_column(y_, [&](std::size_t c, double paid) {
            dual_[c] = cost_[c] - paid - s_[c];
            complementarity += x_[c] * s_[c];
            infeasible = std::max(infeasible, std::fabs(dual_[c]));
        });
        missing_.assign(rows_, 1.0);
        add_products(missing_, [&](std::size_t c) { return -x_[c]; });
        double objective = 0.0;
        for (std::size_t i = 0; i < rows_; ++i) {
            objective += y_[i];
            infeasible = std::max(infeasible, std::fabs(missing_[i]));
        }
        if (complementarity <= accuracy * (1.0 + std::fabs(objective)) &&
            infeasible <= std::max(accuracy, 1e-9)) {
            return true;
        }
        factorise();
        // First towards the border, then corrected for what that step bends.
        const double mean = complementarity / columns;
        const auto [x_step, s_step] = direction([&](std::size_t c) { return -x_[c] * s_[c]; });
        double after = 0.0;
        for (std::size_t c = 0; c < cost_.size(); ++c) {
            after += (x_[c] + x_step * dx_[c]) * (s_[c] + s_step * ds_[c]);
        }
        const double centring = std::pow(after / columns / mean, 3.0) * mean;
        const auto [x_far, s_far] =
            direction([&](std::size_t c) { return centring - x_[c] * s_[c] - dx_[c] * ds_[c]; });
        const double x_by = std::min(1.0, 0.995 * x_far);
        const double s_by = std::min(1.0, 0.995 * s_far);
        for (std::size_t c = 0; c < cost_.size(); ++c) {
            x_[c] += x_by * dx_[c];
            s_[c] += s_by * ds_[c];
        }
        for (std::size_t i = 0; i < rows_; ++i) y_[i] += s_by * dy_[i];
        return false;
    }

    void factorise() {
        for (std::size_t c = 0; c < cost_.size(); ++c) {
            inverse_[c] = 1.0 / s_[c];
            ratio_[c] = x_[c] * inverse_[c];
        }
        matrix_.clear();
        for (std::size_t g = 0; g < groups_; ++g) matrix_.add(members_of(g), ratio_[g]);
        for (std::size_t i = 0; i < rows_; ++i) {
            matrix_.add_to_diagonal(i, ratio_[groups_ + i] + ratio_[groups_ + rows_ + i]);
        }
        matrix_.factorise();
    }

    // From A·dx = missing, Aᵀ·dy + ds = dual, s·dx + x·ds = wanted; how far it can be followed.
    template <class Wanted>
    std::pair<double, double> direction(Wanted wanted) {
        dy_ = missing_;
        add_products(dy_,
                     [&](std::size_t c) { return ratio_[c] * dual_[c] - wanted(c) * inverse_[c]; });
        matrix_.solve(dy_);
        double x_step = 1.0 / 0.995;
        double s_step = 1.0 / 0.995;
        for_each_column(dy_, [&](std::size_t c, double paid) {
            const double target = wanted(c);
            ds_[c] = dual_[c] - paid;
            dx_[c] = target * inverse_[c] - ratio_[c] * ds_[c];
            if (dx_[c] < 0.0) x_step = std::min(x_step, -x_[c] / dx_[c]);
            if (ds_[c] < 0.0) s_step = std::min(s_step, -s_[c] / ds_[c]);
        });
        return {x_step, s_step};
    }

    std::vector<Cost>& shares_;
    std::size_t rows_;
    double scale_ = 1.0;
    std::size_t groups_ = 0;
    std::vector<std::size_t> begin_{0};
    std::vector<std::int32_t> members_;
    Skyline matrix_{{}};
    Vector cost_;  // of the groups, then of the boxes
    Vector x_, y_, s_, dx_, dy_, ds_;
    Vector missing_, dual_;
    Vector inverse_, ratio_;  // 1 / s, x / s
};

}  // namespace

void Master::choose_groups(const Pool& pool, const std::vector<Cost>& shares) {
    const auto most_reduced = static_cast<Cost>(kFar * static_cast<double>(alone_));
    const std::size_t known = is_chosen_.size();
    is_chosen_.resize(pool.size(), 1);
    for (std::size_t g = 0; g < known; ++g) {
        // Whoever has been chosen by shares stays: dropping and taking back would go on forever.
        if (is_chosen_[g] != 0 && has_left_out_) continue;
        Cost reduced = pool.cost(g);
        for (const std::int32_t m : pool.members_of(g)) {
            reduced -= shares[static_cast<std::size_t>(m)];
        }
        is_chosen_[g] = reduced <= most_reduced ? 1 : 0;
    }
    has_left_out_ = known > 0;
}

void Master::find_shares(const Pool& pool, double accuracy, const StopFlag& stop,
                         std::vector<Cost>& shares) {
    choose_groups(pool, shares);
    InteriorPoint point(chain_, pool, is_chosen_, shares);
    point.run(accuracy, stop);
    taken_.assign(pool.size(), 0.0);
    std::size_t column = 0;
    for (std::size_t g = 0; g < pool.size(); ++g) {
        if (is_chosen_[g] != 0) taken_[g] = point.taken(column++);
    }
}

}  // namespace unisono
