#include "pricing/master.hpp"

#include <algorithm>

#include "pricing/dual_values.hpp"

namespace unisono {

namespace {

// A group so far from being paid, in lonely units' costs, is left out. Inherited: twice or half
// changes times by less than 6 %.
constexpr double kFar = 0.3;

}  // namespace

void Master::choose_groups(const Pool& pool, const std::vector<Cost>& shares) {
    const auto most_reduced = static_cast<Cost>(kFar * static_cast<double>(alone_));
    const std::size_t known = is_chosen_.size();
    is_chosen_.resize(pool.size(), 1);
    for (std::size_t g = 0; g < known; ++g) {
        // Whoever has been chosen by shares stays: dropping and taking back would go on forever.
        if (is_chosen_[g] != 0 && has_left_out_) continue;
        const Cost reduced = reduced_cost(pool.members_of(g), pool.cost(g), shares);
        is_chosen_[g] = reduced <= most_reduced ? 1 : 0;
    }
    has_left_out_ = known > 0;
}

bool Master::find_shares(const Pool& pool, double accuracy, const StopFlag& stop,
                         std::vector<Cost>& shares, Cuts& cuts) {
    choose_groups(pool, shares);
    std::vector<std::size_t> chosen;
    for (std::size_t g = 0; g < pool.size(); ++g) {
        if (is_chosen_[g] != 0) chosen.push_back(g);
    }
    // Groups of one size together: a loop over members that always ends alike is the quickest.
    std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
        return pool.members_of(a).size() < pool.members_of(b).size();
    });
    return InteriorPoint(chain_, pool, chosen, shares, cuts)
        .run(accuracy, stop, work_left_, taken_);
}

}  // namespace unisono
