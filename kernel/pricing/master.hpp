// The best shares for a set of groups: a linear program, solved by an interior point.
//
// max Σ share_u  subject to  Σ shares of a group <= its cost, share_u <= the cost of a unit alone,
// and share_u >= -(the most that u can save), which no best shares need to go below; where units
// may be in more than one group, share_u >= 0. In sweep order the normal equations are banded, so
// that the work grows with the length of the chain only.
#pragma once

#include <vector>

#include "alignment/frontier.hpp"
#include "pricing/interior_point.hpp"
#include "pricing/pool.hpp"
#include "pricing/subset_row_cuts.hpp"

namespace unisono {

// What the master may take, in products of two numbers, where searches may take so many steps.
inline double master_work(std::int64_t steps) {
    constexpr double kProductsForAStep = 1e4;
    return kProductsForAStep * static_cast<double>(steps);
}

class Master {
 public:
    // `work`: products of two numbers, for all questions together.
    Master(const Chain& chain, double work)
        : chain_(chain), alone_(pair_count(chain.places) * kOne), work_left_(work) {}

    // Moves the shares, which may be any numbers to begin with, to nearly best ones, up to
    // `accuracy` relative to the objective. They may overpay a group a little. Units and members
    // are numbered within the chain. The pool may only have grown since the last question. False,
    // and the shares are as good as they could be made, when there was too much work.
    bool find_shares(const Pool& pool, double accuracy, const StopFlag& stop,
                     std::vector<Cost>& shares, Cuts& cuts);
    [[nodiscard]] double work_left() const { return work_left_; }
    // How much of a group the last answer takes, from 0 to 1.
    [[nodiscard]] double taken(std::size_t group) const { return taken_.groups[group]; }
    [[nodiscard]] const std::vector<double>& all_taken() const { return taken_.groups; }

 private:
    void choose_groups(const Pool& pool, const std::vector<Cost>& shares);

    const Chain& chain_;
    Cost alone_;
    double work_left_;
    // By group of the pool: once shares are known, those that they pay by far too little are left
    // out until they come nearer.
    std::vector<char> is_chosen_;
    bool has_left_out_ = false;
    InteriorPoint::Taken taken_;
};

}  // namespace unisono
