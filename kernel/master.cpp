#include "master.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace unisono {

namespace {

using Vector = std::vector<double>;

// A symmetric positive definite matrix that is zero left of its skyline, row by row.
class Skyline {
 public:
    explicit Skyline(std::vector<std::size_t> first) : first_(std::move(first)) {
        begin_.resize(first_.size() + 1, 0);
        for (std::size_t i = 0; i < first_.size(); ++i) {
            begin_[i + 1] = begin_[i] + (i - first_[i] + 1);
        }
        values_.assign(begin_.back(), 0.0);
    }

    void clear() { std::fill(values_.begin(), values_.end(), 0.0); }
    // Adds the weight at every pair of these rows, which ascend.
    void add(std::span<const std::int32_t> rows, double weight) {
        for (std::size_t a = 0; a < rows.size(); ++a) {
            const auto i = static_cast<std::size_t>(rows[a]);
            double* row = values_.data() + begin_[i] - first_[i];
            for (std::size_t b = 0; b <= a; ++b) row[rows[b]] += weight;
        }
    }
    void add_to_diagonal(std::size_t i, double weight) { values_[begin_[i + 1] - 1] += weight; }

    // Cholesky in place; a pivot that is all but zero (a redundant equation) is made huge, which
    // sets its unknown to zero.
    void factorise() {
        for (std::size_t i = 0; i < first_.size(); ++i) {
            double* row = values_.data() + begin_[i];
            for (std::size_t j = first_[i]; j < i; ++j) {
                const std::size_t from = std::max(first_[i], first_[j]);
                const double* a = row + (from - first_[i]);
                const double* b = values_.data() + begin_[j] + (from - first_[j]);
                const double sum = row[j - first_[i]] - product(a, b, j - from);
                row[j - first_[i]] = sum / values_[begin_[j + 1] - 1];
            }
            double pivot = row[i - first_[i]];
            const double whole = pivot;
            pivot -= product(row, row, i - first_[i]);
            row[i - first_[i]] = pivot > 1e-13 * whole && pivot > 0.0 ? std::sqrt(pivot) : 1e64;
        }
    }

    void solve(Vector& x) const {
        for (std::size_t i = 0; i < first_.size(); ++i) {
            const double* row = values_.data() + begin_[i];
            double sum = x[i];
            for (std::size_t j = first_[i]; j < i; ++j) sum -= row[j - first_[i]] * x[j];
            x[i] = sum / row[i - first_[i]];
        }
        for (std::size_t i = first_.size(); i-- > 0;) {
            const double* row = values_.data() + begin_[i];
            x[i] /= row[i - first_[i]];
            for (std::size_t j = first_[i]; j < i; ++j) x[j] -= row[j - first_[i]] * x[i];
        }
    }

 private:
    // Four sums at once, always in this order.
    static double product(const double* a, const double* b, std::size_t count) {
        double sums[4] = {0.0, 0.0, 0.0, 0.0};
        std::size_t k = 0;
        for (; k + 4 <= count; k += 4) {
            for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += a[k + lane] * b[k + lane];
        }
        for (; k < count; ++k) sums[0] += a[k] * b[k];
        return (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }

    std::vector<std::size_t> first_, begin_;
    Vector values_;
};

// Mehrotra's predictor–corrector method. Columns 0 … G-1 are the groups, then a column for each
// unit alone, then one for each unit covered once too often (coefficient -1).
class InteriorPoint {
 public:
    InteriorPoint(const Chain& chain, const Pool& pool, std::vector<Cost>& shares)
        : pool_(pool), shares_(shares), rows_(shares.size()), matrix_(skyline(rows_, pool)) {
        scale_ = static_cast<double>(pair_count(chain.places) * kOne);
        groups_ = pool.size();
        cost_.reserve(groups_ + 2 * rows_);
        for (std::size_t g = 0; g < groups_; ++g) {
            cost_.push_back(static_cast<double>(pool.cost(g)) / scale_);
        }
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

 private:
    static constexpr int kMostIterations = 80;

    static std::vector<std::size_t> skyline(std::size_t rows, const Pool& pool) {
        std::vector<std::size_t> first(rows);
        std::iota(first.begin(), first.end(), std::size_t{0});
        for (std::size_t g = 0; g < pool.size(); ++g) {
            const auto members = pool.members_of(g);
            const auto anchor = static_cast<std::size_t>(members[0]);
            for (const std::int32_t member : members) {
                auto& reach = first[static_cast<std::size_t>(member)];
                reach = std::min(reach, anchor);
            }
        }
        return first;
    }

    [[nodiscard]] double boxed(std::size_t i, double share) const {
        return std::clamp(share, -cost_[groups_ + rows_ + i], 1.0);
    }

    // Calls visit(column, entry of Aᵀ·y).
    template <class Visit>
    void for_each_column(const Vector& y, Visit visit) const {
        for (std::size_t g = 0; g < groups_; ++g) {
            double paid = 0.0;
            for (const std::int32_t m : pool_.members_of(g)) paid += y[static_cast<std::size_t>(m)];
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
            for (const std::int32_t m : pool_.members_of(g)) {
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
        matrix_.clear();
        for (std::size_t g = 0; g < groups_; ++g) matrix_.add(pool_.members_of(g), x_[g] / s_[g]);
        for (std::size_t i = 0; i < rows_; ++i) {
            matrix_.add_to_diagonal(i, x_[groups_ + i] / s_[groups_ + i] +
                                           x_[groups_ + rows_ + i] / s_[groups_ + rows_ + i]);
        }
        matrix_.factorise();
    }

    // From A·dx = missing, Aᵀ·dy + ds = dual, s·dx + x·ds = wanted; how far it can be followed.
    template <class Wanted>
    std::pair<double, double> direction(Wanted wanted) {
        dy_ = missing_;
        add_products(dy_, [&](std::size_t c) { return (x_[c] * dual_[c] - wanted(c)) / s_[c]; });
        matrix_.solve(dy_);
        double x_step = 1.0 / 0.995;
        double s_step = 1.0 / 0.995;
        for_each_column(dy_, [&](std::size_t c, double paid) {
            const double target = wanted(c);
            ds_[c] = dual_[c] - paid;
            dx_[c] = (target - x_[c] * ds_[c]) / s_[c];
            if (dx_[c] < 0.0) x_step = std::min(x_step, -x_[c] / dx_[c]);
            if (ds_[c] < 0.0) s_step = std::min(s_step, -s_[c] / ds_[c]);
        });
        return {x_step, s_step};
    }

    const Pool& pool_;
    std::vector<Cost>& shares_;
    std::size_t rows_;
    Skyline matrix_;
    double scale_ = 1.0;
    std::size_t groups_ = 0;
    Vector cost_;  // of the groups, then of the boxes
    Vector x_, y_, s_, dx_, dy_, ds_;
    Vector missing_, dual_;
};

}  // namespace

void best_shares(const Chain& chain, const Pool& pool, double accuracy, const StopFlag& stop,
                 std::vector<Cost>& shares) {
    InteriorPoint(chain, pool, shares).run(accuracy, stop);
}

}  // namespace unisono
