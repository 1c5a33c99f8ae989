// The interior point that solves the master: see master.hpp for the linear program.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/frontier.hpp"
#include "pricing/pool.hpp"
#include "pricing/skyline.hpp"
#include "pricing/subset_row_cuts.hpp"

namespace unisono {

// Mehrotra's predictor–corrector method. Columns 0 … G-1 are the groups, then a column for each
// unit alone, then one for each unit covered once too often (coefficient -1).
class InteriorPoint {
 public:
    // How much is taken of the groups of a pool, of units alone, and of units twice, where that is
    // known; from 0 to 1.
    struct Taken {
        std::vector<double> groups, alone, twice;
    };

    // Of the pool only these groups, whose columns come in this order.
    InteriorPoint(const Chain& chain, const Pool& pool, std::span<const std::size_t> chosen,
                  std::vector<Cost>& shares, Cuts& cuts);

    // Begins at the shares and at what was taken before, and replaces them. False when there was
    // not enough work left; takes off what was needed.
    bool run(double accuracy, const StopFlag& stop, double& work_left, Taken& taken);

 private:
    using Vector = std::vector<double>;
    // How far a direction can be followed until a variable is zero.
    struct Steps {
        double x, s;
    };

    void order_rows();
    [[nodiscard]] std::vector<std::size_t> skyline() const;
    [[nodiscard]] double boxed(std::size_t i, double share) const;
    void start(const Taken& taken);
    [[nodiscard]] bool step(const StopFlag& stop);
    [[nodiscard]] bool factorise(const StopFlag& stop);
    Steps predict();
    Steps correct(double centring);
    void follow(const Steps& steps);
    [[nodiscard]] bool is_good(double accuracy) const;
    void give_back_shares();
    void give_back(Taken& taken) const;

    template <class Visit>
    void for_each_column(const Vector& y, Visit visit) const;
    template <class Value>
    void add_products(Vector& rows, Value value) const;

    [[nodiscard]] std::int32_t row_of_unit(std::int32_t unit) const {
        return row_of_[static_cast<std::size_t>(unit)];
    }
    [[nodiscard]] std::span<const std::int32_t> members_of(std::size_t g) const {
        return {members_.data() + begin_[g], begin_[g + 1] - begin_[g]};
    }

    std::span<const std::size_t> chosen_;
    std::size_t pool_size_;
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
    Vector missing_, dual_;               // what the equations still lack
    Vector right_side_;                   // of the first of two systems
    Vector inverse_, ratio_, corrected_;  // 1 / s, x / s
    double complementarity_ = 0.0;
    double infeasible_ = 0.0;
};

}  // namespace unisono
