#include "diving.hpp"

#include <algorithm>
#include <numeric>

#include "master.hpp"

namespace unisono {

namespace {

constexpr double kAccuracy = 1e-6;
constexpr double kAlmostWhole = 0.9;
constexpr double kNothing = 1e-3;
constexpr std::size_t kUnitsForOneMore = 500;  // of those left: one more group is fixed at a time
constexpr int kQuestions = 3;  // for new groups, each time the rest has become smaller

class Diving {
 public:
    Diving(const Chain& chain, const Pool& pool, std::vector<Cost> shares,
           const GroupLimits& limits, GroupAsker& asker, const StopFlag& stop)
        : chain_(chain),
          shares_(std::move(shares)),
          limits_(limits),
          asker_(asker),
          stop_(stop),
          alone_(pair_count(chain.places) * kOne),
          work_left_(master_work(limits)),
          is_covered_(shares_.size(), 0),
          no_cuts_(shares_.size()) {
        keep_what_is_free(pool);
    }

    void run() {
        while (pool_.size() > 0 && !stop_.late()) {
            Master master(chain_, work_left_);
            bool enough = master.find_shares(pool_, kAccuracy, stop_, shares_, no_cuts_);
            for (int question = 0; enough && question < kQuestions && ask(); ++question) {
                enough = master.find_shares(pool_, kAccuracy, stop_, shares_, no_cuts_);
            }
            work_left_ = master.work_left();
            if (!enough || !fix(master)) break;
            keep_what_is_free(Pool(std::move(pool_)));
        }
    }

    // The fixed groups in their order, and the units that stay alone.
    void write(Groups& groups, Chosen& chosen) const {
        groups = fixed_.ordered(is_covered_.size());
        chosen.clear();
        for (std::size_t i = 0; i < is_covered_.size(); ++i) {
            const auto unit = static_cast<std::int32_t>(i);
            if (is_covered_[i] == 0) {
                chosen.emplace_back(unit, -1);
            } else if (groups.of_anchor[i] < groups.of_anchor[i + 1]) {
                chosen.emplace_back(unit, groups.of_anchor[i]);
            }
        }
    }

 private:
    [[nodiscard]] bool is_free(std::span<const std::int32_t> members) const {
        return std::none_of(members.begin(), members.end(), [&](std::int32_t member) {
            return is_covered_[static_cast<std::size_t>(member)] != 0;
        });
    }

    void keep_what_is_free(const Pool& from) {
        pool_ = Pool();
        for (std::size_t g = 0; g < from.size(); ++g) {
            if (is_free(from.members_of(g))) pool_.add(from.members_of(g), from.cost(g));
        }
    }

    // Adds overpaid groups of units that are still free; false when there are none.
    bool ask() {
        for (std::size_t i = 0; i < shares_.size(); ++i) {
            // So that nobody wants it: no group can save as much.
            if (is_covered_[i] != 0) shares_[i] = -2 * alone_;
        }
        GroupWish wish;
        wish.most_reduced = -1;
        wish.per_anchor = 2;
        Groups found;
        asker_.ask(shares_, wish, limits_, found);
        const std::size_t before = pool_.size();
        for (std::int64_t g = 0; g < found.size(); ++g) {
            const auto members = found.members_of(g);
            if (is_free(members)) pool_.add(members, found.cost[static_cast<std::size_t>(g)]);
        }
        return pool_.size() > before;
    }

    // Fixes what is taken almost whole, or else the most taken, on long chains several of these;
    // false when nothing is.
    bool fix(const Master& master) {
        std::vector<std::size_t> order(pool_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return master.taken(a) > master.taken(b);
        });
        if (master.taken(order[0]) < kNothing) return false;
        const auto left = static_cast<std::size_t>(
            std::count(is_covered_.begin(), is_covered_.end(), static_cast<char>(0)));
        const std::size_t fewest = 1 + left / kUnitsForOneMore;
        std::size_t fixed = 0;
        for (const std::size_t g : order) {
            if (master.taken(g) < (fixed < fewest ? kNothing : kAlmostWhole)) break;
            const auto members = pool_.members_of(g);
            if (!is_free(members)) continue;
            ++fixed;
            fixed_.add(members, pool_.cost(g));
            for (const std::int32_t m : members) is_covered_[static_cast<std::size_t>(m)] = 1;
        }
        return true;
    }

    const Chain& chain_;
    std::vector<Cost> shares_;
    GroupLimits limits_;
    GroupAsker& asker_;
    const StopFlag& stop_;
    Cost alone_;
    double work_left_;  // of the master
    std::vector<char> is_covered_;
    Cuts no_cuts_;
    Pool pool_;   // groups of units that are not covered
    Pool fixed_;  // the partition so far
};

}  // namespace

void dive(const Chain& chain, const Pool& pool, std::vector<Cost> shares, const GroupLimits& limits,
          GroupAsker& asker, const StopFlag& stop, Groups& groups, Chosen& chosen) {
    Diving diving(chain, pool, std::move(shares), limits, asker, stop);
    diving.run();
    diving.write(groups, chosen);
}

}  // namespace unisono
