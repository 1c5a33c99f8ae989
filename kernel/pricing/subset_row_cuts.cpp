#include "pricing/subset_row_cuts.hpp"

#include <algorithm>
#include <unordered_set>

namespace unisono {

namespace {

constexpr double kFractional = 0.005;
constexpr double kViolated = 0.01;
constexpr std::size_t kMostOfAUnit = 4;       // new ones at a time
constexpr std::size_t kMostNeighbours = 200;  // of a unit: more are not looked at
constexpr std::size_t kMostJudged = 1'000'000;

// By unit: later units that share a group in part, and in which part.
using Neighbours = std::vector<std::vector<std::pair<std::int32_t, double>>>;

class Violated {
 public:
    Violated(std::size_t units, std::span<const TakenGroup> taken)
        : taken_(taken), groups_of_(units), neighbours_(units), together_(units, 0.0) {
        for (std::size_t g = 0; g < taken.size(); ++g) {
            if (taken[g].taken < kFractional || taken[g].taken > 1.0 - kFractional) continue;
            for (const std::int32_t member : taken[g].members) {
                groups_of_[static_cast<std::size_t>(member)].push_back(g);
            }
        }
        for (std::size_t u = 0; u < units; ++u) find_neighbours(u);
    }

    std::vector<Cut> find() {
        for (std::size_t a = 0; a < groups_of_.size() && judged_ < kMostJudged; ++a) {
            for (const auto& [b, part] : neighbours_[a]) together_[index(b)] = part;
            for (const auto& [b, with_a] : neighbours_[a]) {
                for (const auto& [c, with_b] : neighbours_[index(b)]) {
                    const double with_both = together_[index(c)];
                    if (with_both <= 0.0 || with_a + with_b + with_both < 1.0 + kViolated) continue;
                    judge({static_cast<std::int32_t>(a), b, c});
                }
            }
            for (const auto& [b, part] : neighbours_[a]) together_[index(b)] = 0.0;
        }
        return the_worst();
    }

 private:
    struct Found {
        std::array<std::int32_t, 3> units;
        double held;
        std::uint64_t groups;  // which groups hold it: others like it would say the same
    };

    static std::size_t index(std::int32_t unit) { return static_cast<std::size_t>(unit); }

    void find_neighbours(std::size_t u) {
        auto& mine = neighbours_[u];
        for (const std::size_t g : groups_of_[u]) {
            for (const std::int32_t other : taken_[g].members) {
                if (index(other) <= u) continue;
                if (together_[index(other)] == 0.0) mine.emplace_back(other, 0.0);
                together_[index(other)] += taken_[g].taken;
            }
        }
        std::sort(mine.begin(), mine.end());
        for (auto& [other, part] : mine) {
            part = together_[index(other)];
            together_[index(other)] = 0.0;
        }
        if (mine.size() > kMostNeighbours) mine.resize(kMostNeighbours);
    }

    void judge(const std::array<std::int32_t, 3>& units) {
        ++judged_;
        double held = 0.0;
        std::uint64_t groups = 0;
        const auto look = [&](std::int32_t unit, bool is_first) {
            for (const std::size_t g : groups_of_[index(unit)]) {
                const auto members = taken_[g].members;
                int count = 0;
                for (const std::int32_t one : units) {
                    count += std::binary_search(members.begin(), members.end(), one) ? 1 : 0;
                }
                if (count < 2) continue;
                // Groups with the first unit were seen with it.
                if (!is_first && std::binary_search(members.begin(), members.end(), units[0])) {
                    continue;
                }
                held += taken_[g].taken;
                groups += (static_cast<std::uint64_t>(g) + 1) * 0x9e3779b97f4a7c15ULL;
            }
        };
        look(units[0], true);
        look(units[1], false);
        if (held > 1.0 + kViolated) found_.push_back({units, held, groups});
    }

    std::vector<Cut> the_worst() {
        std::stable_sort(found_.begin(), found_.end(),
                         [](const Found& a, const Found& b) { return a.held > b.held; });
        std::vector<Cut> chosen;
        std::vector<std::size_t> times(groups_of_.size(), 0);
        std::unordered_set<std::uint64_t> seen;
        for (const Found& found : found_) {
            if (std::any_of(found.units.begin(), found.units.end(), [&](std::int32_t unit) {
                    return times[index(unit)] >= kMostOfAUnit;
                })) {
                continue;
            }
            if (!seen.insert(found.groups).second) continue;
            for (const std::int32_t unit : found.units) ++times[index(unit)];
            chosen.push_back({found.units, 0});
        }
        return chosen;
    }

    std::span<const TakenGroup> taken_;
    std::vector<std::vector<std::size_t>> groups_of_;
    Neighbours neighbours_;
    std::vector<double> together_;
    std::vector<Found> found_;
    std::size_t judged_ = 0;
};

}  // namespace

Cost Cuts::sum_of_prices() const {
    Cost sum = 0;
    for (const Cut& cut : cuts_) sum += cut.price;
    return sum;
}

bool Cuts::add(const Cut& cut) {
    for (const std::uint32_t known : of(cut.units[0])) {
        if (cuts_[known].units == cut.units) return false;
    }
    for (const std::int32_t unit : cut.units) {
        of_unit_[static_cast<std::size_t>(unit)].push_back(static_cast<std::uint32_t>(size()));
    }
    cuts_.push_back(cut);
    return true;
}

void Cuts::forget_those_without_price() {
    std::erase_if(cuts_, [](const Cut& cut) { return cut.price == 0; });
    for (auto& cuts : of_unit_) cuts.clear();
    for (std::size_t cut = 0; cut < size(); ++cut) {
        for (const std::int32_t unit : cuts_[cut].units) {
            of_unit_[static_cast<std::size_t>(unit)].push_back(static_cast<std::uint32_t>(cut));
        }
    }
}

void Cuts::charge(Groups& groups) const {
    if (empty()) return;
    for (std::int64_t g = 0; g < groups.size(); ++g) {
        groups.cost[static_cast<std::size_t>(g)] += paid_by(groups.members_of(g));
    }
}

std::vector<Cut> find_violated(std::size_t units, std::span<const TakenGroup> taken) {
    return Violated(units, taken).find();
}

}  // namespace unisono
