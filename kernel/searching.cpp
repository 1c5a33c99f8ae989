// The thorough way of GroupAsker: depth first, annotator by annotator.
#include <algorithm>
#include <utility>

#include "asking.hpp"
#include "split_rule.hpp"

namespace unisono {

namespace {

constexpr std::int64_t kStepsBetweenChecks = 64;

}  // namespace

void GroupAsker::search(std::int32_t anchor) {
    depths_.resize(std::max(depths_.size(), levels_.size() + 1));
    for (Depth& depth : depths_) {
        depth.live.resize(std::max(depth.live.size(), candidates_.size()));
        depth.begin.resize(levels_.size() + 1);
        depth.least.resize(levels_.size());
    }
    Depth& first = depths_[0];
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        first.begin[level] = levels_[level].from;
        first.least[level] = -parts_.from_nobody(level, 0);
        for (std::size_t v = levels_[level].from; v < levels_[level].to; ++v) {
            const Cost added = -share_of(candidates_[v].unit) - candidates_[v].saving;
            first.live[v] = {static_cast<std::uint32_t>(v), added, added - parts_.from(v, 0)};
            first.least[level] = std::min(first.least[level], first.live[v].least);
        }
    }
    first.begin[levels_.size()] = candidates_.size();
    members_.assign(1, {anchor, 0});
    is_exact_ = false;
    steps_left_ = std::min(limits_.steps_per_anchor, limits_.steps - steps_made_);
    const std::int64_t steps_at_first = steps_left_;
    if (!descend(0, anchor_value_)) groups_->unfinished.push_back(anchor);
    steps_made_ += steps_at_first - std::max<std::int64_t>(steps_left_, 0);
    stop_.spend(std::exchange(looks_, 0));
}

// Decides the annotator of one level and goes on; false when a limit was reached.
bool GroupAsker::descend(std::size_t level, Cost value) {
    if (!settle_live(level, value)) return true;
    if (level == levels_.size()) return members_.size() < 2 || keep_members();
    const Depth& here = depths_[level];
    bool is_over = --steps_left_ < 0;
    if (steps_left_ % kStepsBetweenChecks == 0) {
        stop_.check();
        stop_.spend(std::exchange(looks_, 0));
        is_over = is_over || stop_.late();
    }
    if (is_over) {
        note_open(level, here.begin[level], value);
        return false;
    }
    for (std::size_t at = here.begin[level]; at < here.begin[level + 1]; ++at) {
        const Live joining = here.live[at];
        const std::int32_t unit = candidates_[joining.candidate].unit;
        const Cost price = price_of_joining(unit);
        const Coarse* row = between_.row(joining.candidate);
        go_deeper(level, [row](std::uint32_t candidate) { return row[candidate]; });
        members_.push_back({unit, joining.candidate, price});
        const bool finished = descend(level + 1, value + joining.added + price);
        members_.pop_back();
        if (!finished) {
            note_open(level, at + 1, value);
            return false;
        }
    }
    go_deeper(level, [](std::uint32_t) { return Coarse{0}; });
    return descend(level + 1, value);
}

// What is left at a level when a limit ends the search: some of its candidates, and nobody.
void GroupAsker::note_open(std::size_t level, std::size_t from, Cost value) {
    const Depth& here = depths_[level];
    Cost least = -parts_.from_nobody(level, level);
    for (std::size_t at = from; at < here.begin[level + 1]; ++at) {
        least = std::min(least, here.live[at].least);
    }
    for (std::size_t later = level + 1; later < levels_.size(); ++later) least += here.least[later];
    note_open(value + least);
}

// For the cuts of which the members hold exactly one unit: the next is the second. Bounds leave
// out what later units will pay.
Cost GroupAsker::price_of_joining(std::int32_t unit) const {
    if (wish_.cuts == nullptr) return 0;
    Cost price = 0;
    for (const std::uint32_t id : wish_.cuts->of(unit_of(unit))) {
        const Cut& cut = (*wish_.cuts)[id];
        const auto held = std::count_if(members_.begin(), members_.end(), [&](const Member& one) {
            return std::find(cut.units.begin(), cut.units.end(), unit_of(one.unit)) !=
                   cut.units.end();
        });
        if (held == 1) price += cut.price;
    }
    return price;
}

// Bounds the reduced cost of every completion from below and drops candidates that no completion
// within the wish can hold. False when none is within it.
bool GroupAsker::settle_live(std::size_t level, Cost value) {
    Depth& here = depths_[level];
    Cost bound = value;
    for (std::size_t later = level; later < levels_.size(); ++later) bound += here.least[later];
    if (bound > most_reduced_) return false;
    std::size_t kept = here.begin[level];
    std::size_t at = kept;
    for (std::size_t later = level; later < levels_.size(); ++later) {
        const Cost room = most_reduced_ - (bound - here.least[later]);
        const std::size_t end = here.begin[later + 1];
        here.begin[later] = kept;
        for (; at < end; ++at) {
            if (here.live[at].least <= room) here.live[kept++] = here.live[at];
        }
    }
    here.begin[levels_.size()] = kept;
    return true;
}

// What is live for the next level once this one is decided; saved(candidate) is what is saved with
// whoever joined.
template <class Saved>
void GroupAsker::go_deeper(std::size_t level, Saved saved) {
    const Depth& here = depths_[level];
    Depth& next = depths_[level + 1];
    looks_ += static_cast<std::int64_t>(here.begin[levels_.size()] - here.begin[level + 1]);
    std::size_t kept = 0;
    for (std::size_t later = level + 1; later < levels_.size(); ++later) {
        next.begin[later] = kept;
        Cost least = -parts_.from_nobody(later, level + 1);
        for (std::size_t at = here.begin[later]; at < here.begin[later + 1]; ++at) {
            const std::uint32_t candidate = here.live[at].candidate;
            const Coarse saving = saved(candidate);
            if (saving == kFarApartCoarse) continue;
            const Cost added = here.live[at].added - fine(saving);
            const Cost least_of_it = added - parts_.from(candidate, level + 1);
            least = std::min(least, least_of_it);
            next.live[kept++] = {candidate, added, least_of_it};
        }
        next.least[later] = least;
    }
    next.begin[levels_.size()] = kept;
}

// The search adds up rounded savings; what it arrives at is judged by exact ones. False when a
// limit was reached.
bool GroupAsker::keep_members() {
    if (!is_exact_) stop_.spend(exact_.prepare(pairs_, candidates_));
    is_exact_ = true;
    const Cost cost = cost_of_members();
    Cost value = cost;
    for (const Member& member : members_) value += member.price - share_of(member.unit);
    return value > most_reduced_ || !cannot_be_cut() || keep(cost, value);
}

bool GroupAsker::cannot_be_cut() {
    const std::size_t size = members_.size();
    matrix_.assign(size * size, 0);
    saved_.assign(size, 0);
    for (std::size_t k = 1; k < size; ++k) {
        for (std::size_t m = 0; m < k; ++m) {
            const Cost saving = m == 0 ? candidates_[members_[k].candidate].saving
                                       : exact_.at(members_[m].candidate, members_[k].candidate);
            matrix_[m * size + k] = saving;
            saved_[m] += saving;
            saved_[k] += saving;
        }
    }
    return std::all_of(saved_.begin(), saved_.end(), [&](Cost saved) { return saved > floor_; }) &&
           survives_every_cut(matrix_, size, size, floor_,
                              [&](std::size_t m) { return saved_[m]; });
}

Cost GroupAsker::cost_of_members() const {
    Cost cost = -floor_;
    for (std::size_t m = 1; m < members_.size(); ++m) {
        cost -= candidates_[members_[m].candidate].saving;
        for (std::size_t k = 1; k < m; ++k) {
            cost -= exact_.at(members_[k].candidate, members_[m].candidate);
        }
    }
    return cost;
}

}  // namespace unisono
