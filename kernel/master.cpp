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
                  std::vector<Cost>& shares, Cuts& cuts)
        : shares_(shares), cuts_(cuts), rows_(shares.size() + cuts.size()) {
        scale_ = static_cast<double>(pair_count(chain.places) * kOne);
        order_rows();
        for (std::size_t g = 0; g < pool.size(); ++g) {
            if (is_chosen[g] == 0) continue;
            const auto members = pool.members_of(g);
            for (const std::int32_t member : members) members_.push_back(row_of_unit(member));
            cuts.for_each_held(members, [&](std::size_t cut) {
                members_.push_back(row_of_[shares_.size() + cut]);
            });
            std::sort(members_.begin() + static_cast<std::ptrdiff_t>(begin_.back()),
                      members_.end());
            begin_.push_back(members_.size());
            cost_.push_back(static_cast<double>(pool.cost(g)) / scale_);
        }
        groups_ = cost_.size();
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

    // False when there was not enough work left; takes off what was needed.
    bool run(double accuracy, const StopFlag& stop, double& work_left) {
        if (matrix_.size() > kMostNumbers) return false;
        matrix_.allocate();
        start();
        for (int iteration = 0; iteration < kMostIterations; ++iteration) {
            stop.check();
            if (stop.late() || work_left < matrix_.work() || step(accuracy)) break;
            work_left -= matrix_.work();
        }
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
        return work_left >= matrix_.work();
    }

    [[nodiscard]] double taken(std::size_t group) const {
        return group < x_.size() && std::isfinite(x_[group]) ? x_[group] : 0.0;
    }

 private:
    static constexpr int kMostIterations = 80;
    static constexpr Cost kLeastPrice = kOne / 100'000;
    static constexpr std::size_t kMostNumbers = 100'000'000;  // of the matrix

    // Units in sweep order, a cut behind its second unit: groups reach no further for it.
    void order_rows() {
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

    [[nodiscard]] std::int32_t row_of_unit(std::int32_t unit) const {
        return row_of_[static_cast<std::size_t>(unit)];
    }

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
        return std::clamp(share, -cost_[groups_ + rows_ + i], cost_[groups_ + i]);
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
            const Cost before = i < shares_.size() ? shares_[i] : -cuts_[i - shares_.size()].price;
            const auto row = static_cast<std::size_t>(row_of_[i]);
            y_[row] = boxed(row, static_cast<double>(before) / scale_);
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
        const double left = after / columns / mean;
        const double centring = left * left * left * mean;
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
    Cuts& cuts_;
    std::size_t rows_;                  // of units and cuts
    std::vector<std::int32_t> row_of_;  // of the units, then of the cuts
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

bool Master::find_shares(const Pool& pool, double accuracy, const StopFlag& stop,
                         std::vector<Cost>& shares, Cuts& cuts) {
    choose_groups(pool, shares);
    InteriorPoint point(chain_, pool, is_chosen_, shares, cuts);
    const bool enough = point.run(accuracy, stop, work_left_);
    taken_.assign(pool.size(), 0.0);
    std::size_t column = 0;
    for (std::size_t g = 0; g < pool.size(); ++g) {
        if (is_chosen_[g] != 0) taken_[g] = point.taken(column++);
    }
    return enough;
}

}  // namespace unisono
