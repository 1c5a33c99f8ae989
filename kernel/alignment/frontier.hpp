// The frontier dynamic program: the cheapest way to cut a chain of units into groups.
//
// Layer i: all units before i are covered. A state is the set of later units that already are.
// If unit i is covered, step on; otherwise try every group anchored at i that is still free.
// Partitions and paths are one to one, so the shortest path is the optimum.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "alignment/groups.hpp"
#include "alignment/pairs.hpp"
#include "pricing/subset_row_cuts.hpp"

namespace unisono {

// Units that must be solved together, in sweep order.
struct Chain {
    std::span<const std::int32_t> units;        // sweep indices, ascending
    std::span<const std::int32_t> local_index;  // of every unit of the continuum, in its chain
    std::span<const std::int32_t> twin;         // of every unit: see Units
    std::span<const Cost> most_saved;           // of every unit: see Savings
    int places;
    bool soft = false;  // a unit may be in more than one group
};

// Anchors with their groups, -1 for a unit that stays alone.
using Chosen = std::vector<std::pair<std::int32_t, std::int64_t>>;

// What the chosen groups cost, times C, in units of the empty cost.
double cost_of(const Chain& chain, const Groups& groups, const Chosen& chosen);

constexpr std::int64_t kNoLimit = std::int64_t{1} << 62;

struct FrontierLimits {
    std::int64_t states = kNoLimit;           // of the whole chain
    std::int64_t states_per_unit = kNoLimit;  // on the way, beyond a stock for a bad start
    std::int64_t states_at_once = kNoLimit;   // between two places where one state is left
    // Bytes of these states. While an array grows there are up to half as many more.
    std::size_t memory = std::size_t{1} << 30;
    // Drop states that cost this much more than the shares of the units they cover.
    Cost gap = std::numeric_limits<Cost>::max();
    // By local index, or none: what the groups anchored later cost at least beyond the shares.
    const std::vector<Cost>* later = nullptr;
    // What groups pay for these counts as a cost, and the units have the shares for it; or none.
    const Cuts* cuts = nullptr;
    // By group: its cost with that, beyond the shares; or none, where nobody has counted it.
    const std::vector<Cost>* reduced = nullptr;
};

// A stretch of a chain by itself: see window_bounds.hpp.
struct Stretch {
    std::size_t from, to;           // anchors, by local index
    const std::vector<char>* free;  // units that a group anchored before may cover: they need none
};

enum class Outcome {
    kSolved,
    kGapTooSmall,   // every partition costs more than the shares and the gap
    kLimitReached,  // or the chain is too wide
};

// Keeps its memory from chain to chain: most chains are short, and there are many.
class FrontierProgram {
 public:
    FrontierProgram();
    ~FrontierProgram();
    FrontierProgram(FrontierProgram&&) noexcept;
    FrontierProgram& operator=(FrontierProgram&&) noexcept;

    // Solves a chain to optimality and adds its groups, in sweep order of their anchors, to the
    // chosen ones; or adds nothing and says why. Of several optima the canonical one: at each
    // anchor the first group in the fixed order of Groups that stays optimal. `shares` by local
    // index: any valid ones give the same optimum, better ones sooner.
    Outcome solve(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
                  const FrontierLimits& limits, const StopFlag& stop, Chosen& chosen);

    // What the groups anchored in a stretch cost at least beyond the shares, by these groups only:
    // whatever was covered before, and whatever they cover behind it. No more than limits.gap.
    Cost least_reduced(const Chain& chain, const Groups& groups, const std::vector<Cost>& shares,
                       const Stretch& stretch, const FrontierLimits& limits, const StopFlag& stop);

    // How many states the last question took; 0 for a soft one.
    [[nodiscard]] std::int64_t states() const { return states_; }

 private:
    struct Memory;
    std::unique_ptr<Memory> memory_;
    std::int64_t states_ = 0;
};

}  // namespace unisono
