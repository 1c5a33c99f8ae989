#include "master.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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
    double& at(std::size_t i, std::size_t j) { return values_[begin_[i] + (j - first_[i])]; }

    // Cholesky in place; a pivot that is all but zero (a redundant equation) is made huge, which
    // sets its unknown to zero.
    void factorise() {
        for (std::size_t i = 0; i < first_.size(); ++i) {
            double* row = values_.data() + begin_[i];
            for (std::size_t j = first_[i]; j < i; ++j) {
                const std::size_t from = std::max(first_[i], first_[j]);
                const double* a = row + (from - first_[i]);
                const double* b = values_.data() + begin_[j] + (from - first_[j]);
                double sum = row[j - first_[i]];
                for (std::size_t k = from; k < j; ++k) sum -= *a++ * *b++;
                row[j - first_[i]] = sum / values_[begin_[j + 1] - 1];
            }
            double pivot = row[i - first_[i]];
            const double whole = pivot;
            for (std::size_t k = 0; k < i - first_[i]; ++k) pivot -= row[k] * row[k];
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
    std::vector<std::size_t> first_, begin_;
    Vector values_;
};

// Mehrotra's predictor–corrector method. Columns 0 … G-1 are the groups, then a column for each
// unit alone, then one for each unit covered once too often (coefficient -1).
class InteriorPoint {
 public:
    InteriorPoint(const Chain& chain, const Groups& groups, std::vector<Cost>& shares)
        : shares_(shares), rows_(shares.size()), matrix_(skyline(chain, groups)) {
        scale_ = static_cast<double>(pair_count(chain.places) * kOne);
        begin_.assign(1, 0);
        for (const std::int32_t unit : chain.units) {
            const auto anchor = static_cast<std::size_t>(unit);
            for (auto g = groups.of_anchor[anchor]; g < groups.of_anchor[anchor + 1]; ++g) {
                for (const std::int32_t member : groups.members_of(g)) {
                    members_.push_back(local(chain, member));
                }
                begin_.push_back(members_.size());
                cost_.push_back(static_cast<double>(groups.cost[static_cast<std::size_t>(g)]) /
                                scale_);
            }
        }
        groups_ = cost_.size();
        cost_.resize(groups_ + rows_, 1.0);
        for (const std::int32_t unit : chain.units) {
            const Cost saved = groups.most_saved[static_cast<std::size_t>(unit)];
            // A little above, so that the two boxes of a unit never meet.
            cost_.push_back(static_cast<double>(saved) / scale_ + 1e-3);
        }
    }

    void run(double accuracy, const StopFlag& stop) {
        start();
        for (int iteration = 0; iteration < kMostIterations; ++iteration) {
            stop.check();
            if (step(accuracy)) break;
        }
        for (std::size_t i = 0; i < rows_; ++i) {
            // Numerical trouble must not become a wild share: the repair proves whatever is here.
            const double share = std::isfinite(y_[i]) ? y_[i] : 0.0;
            const double boxed = std::clamp(share, -cost_[groups_ + rows_ + i], 1.0);
            shares_[i] = static_cast<Cost>(std::floor(boxed * scale_));
        }
    }

 private:
    static constexpr int kMostIterations = 80;

    static std::size_t local(const Chain& chain, std::int32_t unit) {
        return static_cast<std::size_t>(chain.local_index[static_cast<std::size_t>(unit)]);
    }

    static std::vector<std::size_t> skyline(const Chain& chain, const Groups& groups) {
        std::vector<std::size_t> first(chain.units.size());
        std::iota(first.begin(), first.end(), std::size_t{0});
        for (const std::int32_t unit : chain.units) {
            const auto anchor = static_cast<std::size_t>(unit);
            for (auto g = groups.of_anchor[anchor]; g < groups.of_anchor[anchor + 1]; ++g) {
                for (const std::int32_t member : groups.members_of(g)) {
                    auto& reach = first[local(chain, member)];
                    reach = std::min(reach, local(chain, unit));
                }
            }
        }
        return first;
    }

    // rows += A·v
    void add_products(const Vector& v, Vector& rows) const {
        for (std::size_t g = 0; g < groups_; ++g) {
            for (std::size_t m = begin_[g]; m < begin_[g + 1]; ++m) rows[members_[m]] += v[g];
        }
        for (std::size_t i = 0; i < rows_; ++i) {
            rows[i] += v[groups_ + i] - v[groups_ + rows_ + i];
        }
    }

    // One entry of Aᵀ·y.
    [[nodiscard]] double paid(std::size_t column, const Vector& y) const {
        if (column < groups_) {
            double sum = 0.0;
            for (std::size_t m = begin_[column]; m < begin_[column + 1]; ++m) sum += y[members_[m]];
            return sum;
        }
        const std::size_t i = column - groups_;
        return i < rows_ ? y[i] : -y[i - rows_];
    }

    void start() {
        const std::size_t columns = cost_.size();
        y_.resize(rows_);
        for (std::size_t i = 0; i < rows_; ++i) {
            const double share = static_cast<double>(shares_[i]) / scale_;
            y_[i] = std::clamp(share, -cost_[groups_ + rows_ + i], 1.0);
        }
        x_.assign(columns, 0.1);
        s_.resize(columns);
        for (std::size_t c = 0; c < columns; ++c) s_[c] = std::max(cost_[c] - paid(c, y_), 0.05);
    }

    // Makes one step; true when the shares are good enough.
    bool step(double accuracy) {
        const std::size_t columns = cost_.size();
        primal_.assign(rows_, 1.0);
        minus_.resize(columns);
        dual_.resize(columns);
        double complementarity = 0.0;
        double objective = 0.0;
        double infeasible = 0.0;
        for (std::size_t c = 0; c < columns; ++c) {
            minus_[c] = -x_[c];
            dual_[c] = cost_[c] - paid(c, y_) - s_[c];
            complementarity += x_[c] * s_[c];
            infeasible = std::max(infeasible, std::fabs(dual_[c]));
        }
        add_products(minus_, primal_);
        for (std::size_t i = 0; i < rows_; ++i) {
            objective += y_[i];
            infeasible = std::max(infeasible, std::fabs(primal_[i]));
        }
        if (complementarity <= accuracy * (1.0 + std::fabs(objective)) &&
            infeasible <= std::max(accuracy, 1e-9)) {
            return true;
        }
        factorise();
        const double mean = complementarity / static_cast<double>(columns);
        wanted_.resize(columns);
        for (std::size_t c = 0; c < columns; ++c) wanted_[c] = -x_[c] * s_[c];
        direction();
        const auto [x_step, s_step] = steps();
        double after = 0.0;
        for (std::size_t c = 0; c < columns; ++c) {
            after += (x_[c] + x_step * dx_[c]) * (s_[c] + s_step * ds_[c]);
        }
        after /= static_cast<double>(columns);
        const double centring = std::pow(after / mean, 3.0) * mean;
        for (std::size_t c = 0; c < columns; ++c) {
            wanted_[c] = centring - x_[c] * s_[c] - dx_[c] * ds_[c];
        }
        direction();
        const auto [x_far, s_far] = steps();
        for (std::size_t c = 0; c < columns; ++c) {
            x_[c] += std::min(1.0, 0.995 * x_far) * dx_[c];
            s_[c] += std::min(1.0, 0.995 * s_far) * ds_[c];
        }
        for (std::size_t i = 0; i < rows_; ++i) y_[i] += std::min(1.0, 0.995 * s_far) * dy_[i];
        return false;
    }

    void factorise() {
        matrix_.clear();
        for (std::size_t g = 0; g < groups_; ++g) {
            const double weight = x_[g] / s_[g];
            for (std::size_t a = begin_[g]; a < begin_[g + 1]; ++a) {
                for (std::size_t b = begin_[g]; b <= a; ++b) {
                    matrix_.at(members_[a], members_[b]) += weight;
                }
            }
        }
        for (std::size_t i = 0; i < rows_; ++i) {
            matrix_.at(i, i) += x_[groups_ + i] / s_[groups_ + i] +
                                x_[groups_ + rows_ + i] / s_[groups_ + rows_ + i];
        }
        matrix_.factorise();
    }

    // From A·dx = primal, Aᵀ·dy + ds = dual, s·dx + x·ds = wanted.
    void direction() {
        const std::size_t columns = cost_.size();
        for (std::size_t c = 0; c < columns; ++c) {
            minus_[c] = (x_[c] * dual_[c] - wanted_[c]) / s_[c];
        }
        dy_ = primal_;
        add_products(minus_, dy_);
        matrix_.solve(dy_);
        dx_.resize(columns);
        ds_.resize(columns);
        for (std::size_t c = 0; c < columns; ++c) {
            ds_[c] = dual_[c] - paid(c, dy_);
            dx_[c] = (wanted_[c] - x_[c] * ds_[c]) / s_[c];
        }
    }

    [[nodiscard]] std::pair<double, double> steps() const {
        double x_step = 1.0 / 0.995;
        double s_step = 1.0 / 0.995;
        for (std::size_t c = 0; c < cost_.size(); ++c) {
            if (dx_[c] < 0.0) x_step = std::min(x_step, -x_[c] / dx_[c]);
            if (ds_[c] < 0.0) s_step = std::min(s_step, -s_[c] / ds_[c]);
        }
        return {x_step, s_step};
    }

    std::vector<Cost>& shares_;
    std::size_t rows_;
    Skyline matrix_;
    double scale_ = 1.0;
    std::size_t groups_ = 0;
    std::vector<std::size_t> begin_, members_;
    Vector cost_;
    Vector x_, y_, s_, dx_, dy_, ds_;
    Vector primal_, dual_, wanted_, minus_;
};

}  // namespace

void best_shares(const Chain& chain, const Groups& groups, double accuracy, const StopFlag& stop,
                 std::vector<Cost>& shares) {
    InteriorPoint(chain, groups, shares).run(accuracy, stop);
}

}  // namespace unisono
