#include "polishing.hpp"

#include <algorithm>
#include <vector>

#include "approximating.hpp"
#include "pool.hpp"

namespace unisono {

namespace {

constexpr std::size_t kMostStretches = 40;  // longer chains have too many gaps to mend
constexpr int kMostPlaces = 12;             // beyond, a stretch takes too long
constexpr int kManyPlaces = 8;              // beyond, a long one does
constexpr std::size_t kShortStretch = 160;
constexpr std::int64_t kStates = 2'000'000;
constexpr std::int64_t kMoreSteps = 8;  // times those of the chain, for all stretches together

class Polishing {
 public:
    Polishing(const LoneChain& lone, const DeepeningLimits& limits, FrontierProgram& frontier,
              const StopFlag& stop, PricedSolution& solution)
        : lone_(lone),
          limits_(limits),
          frontier_(frontier),
          stop_(stop),
          solution_(solution),
          position_(lone.place.size(), 0) {
        limits_.states = std::min(limits_.states, kStates);
        if (lone.places > kManyPlaces) limits_.stretch = std::min(limits_.stretch, kShortStretch);
        steps_left_ = kMoreSteps * limits_.groups.steps;
    }

    void run() {
        const std::size_t count = lone_.place.size();
        const std::size_t step = std::max<std::size_t>(1, limits_.stretch / 2);
        const std::size_t stretches = count / step;
        if (limits_.stretch == 0 || lone_.places > kMostPlaces) return;
        if (stretches < 2 || stretches > kMostStretches) return;
        // Half a stretch on each time, so that every border lies within another stretch.
        for (std::size_t at = 0; at < stretches && steps_left_ > 0 && !stop_.late(); ++at) {
            const std::size_t from = at * step;
            solve_again(from, std::min(count, from + limits_.stretch));
        }
    }

 private:
    // The units of all groups that lie within the stretch.
    void take_stretch(std::size_t from, std::size_t to) {
        inside_.clear();
        kept_.clear();
        before_ = 0;
        for (std::size_t at = 0; at < solution_.chosen.size(); ++at) {
            const auto [anchor, group] = solution_.chosen[at];
            const auto last = group < 0 ? anchor : solution_.groups.members_of(group).back();
            if (static_cast<std::size_t>(anchor) < from || static_cast<std::size_t>(last) >= to) {
                kept_.push_back(at);
                continue;
            }
            before_ += cost_of(group);
            if (group < 0) {
                inside_.push_back(anchor);
            } else {
                const auto members = solution_.groups.members_of(group);
                inside_.insert(inside_.end(), members.begin(), members.end());
            }
        }
        std::sort(inside_.begin(), inside_.end());
        for (std::size_t at = 0; at < inside_.size(); ++at) {
            position_[static_cast<std::size_t>(inside_[at])] = static_cast<std::int32_t>(at);
        }
    }

    [[nodiscard]] Cost cost_of(std::int64_t group) const {
        return group < 0 ? pair_count(lone_.places) * kOne
                         : solution_.groups.cost[static_cast<std::size_t>(group)];
    }

    void solve_again(std::size_t from, std::size_t to) {
        take_stretch(from, to);
        if (inside_.size() < 2) return;
        const Chain stretch{inside_,      position_, lone_.twin, lone_.savings.most_saved,
                            lone_.places, lone_.soft};
        limits_.groups.steps = std::min(limits_.groups.steps, steps_left_);
        const PricedSolution again =
            solve_by_pricing(take_chain(stretch, lone_.pairs, lone_.place, stop_), limits_,
                             frontier_, stop_, Afterwards::kNothing);
        steps_left_ -= again.steps;
        solution_.steps += again.steps;
        const double now = unisono::cost_of(lone_.chain(), again.groups, again.chosen);
        if (now >= static_cast<double>(before_)) return;
        replace(again);
    }

    void replace(const PricedSolution& again) {
        Pool groups;
        std::vector<std::int32_t> alone;
        for (const std::size_t at : kept_) {
            const auto [anchor, group] = solution_.chosen[at];
            if (group < 0) {
                alone.push_back(anchor);
            } else {
                groups.add(solution_.groups.members_of(group), cost_of(group));
            }
        }
        std::vector<std::int32_t> members;
        for (const auto& [anchor, group] : again.chosen) {
            if (group < 0) {
                alone.push_back(inside_[static_cast<std::size_t>(anchor)]);
                continue;
            }
            members.clear();
            for (const std::int32_t member : again.groups.members_of(group)) {
                members.push_back(inside_[static_cast<std::size_t>(member)]);
            }
            groups.add(members, again.groups.cost[static_cast<std::size_t>(group)]);
        }
        solution_.groups = groups.ordered(lone_.place.size());
        solution_.chosen.clear();
        for (const std::int32_t unit : alone) solution_.chosen.emplace_back(unit, -1);
        for (std::int64_t g = 0; g < solution_.groups.size(); ++g) {
            solution_.chosen.emplace_back(solution_.groups.members_of(g)[0], g);
        }
        std::sort(solution_.chosen.begin(), solution_.chosen.end());
    }

    const LoneChain& lone_;
    DeepeningLimits limits_;
    FrontierProgram& frontier_;
    const StopFlag& stop_;
    PricedSolution& solution_;
    std::int64_t steps_left_;
    std::vector<std::int32_t> position_;  // of a unit within the stretch
    // The stretch at hand: its units, what they cost now, and what else was chosen.
    std::vector<std::int32_t> inside_;
    Cost before_ = 0;
    std::vector<std::size_t> kept_;
};

}  // namespace

void polish(const LoneChain& lone, const DeepeningLimits& limits, FrontierProgram& frontier,
            const StopFlag& stop, PricedSolution& solution) {
    Polishing(lone, limits, frontier, stop, solution).run();
}

}  // namespace unisono
