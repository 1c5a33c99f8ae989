// The possible partners of an anchor, and what they save with each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "savings.hpp"

namespace unisono {

inline constexpr Cost kFarApart = -(Cost{1} << 60);  // cannot be aligned

struct Candidate {
    std::int32_t unit;
    Cost saving;     // with the anchor
    Cost least = 0;  // that a reduced cost changes by if it joins, whoever else does
};

// Whether two units can share a group at all: the split rule for {u} and for {v}, each with the
// best that every other annotator could offer.
inline bool can_share(const Savings& savings, std::span<const std::int32_t> place, std::int32_t u,
                      std::int32_t v, Cost saving, Cost floor) {
    const auto most_beside = [&](std::int32_t unit, std::int32_t partner) {
        return saving + savings.most_saved[static_cast<std::size_t>(unit)] -
               savings.with(unit, place[static_cast<std::size_t>(partner)]);
    };
    return most_beside(u, v) > floor && most_beside(v, u) > floor;
}

// Savings between candidates, by their positions in a list; kFarApart where there are none.
class Between {
 public:
    void prepare(const Pairs& pairs, std::span<const Candidate> candidates);
    [[nodiscard]] Cost at(std::size_t a, std::size_t b) const { return values_[a * count_ + b]; }
    [[nodiscard]] const Cost* row(std::size_t a) const { return values_.data() + a * count_; }
    // Keeps these positions, which ascend, and numbers them anew.
    void keep(std::span<const std::size_t> positions);

 private:
    std::size_t count_ = 0;
    std::vector<Cost> values_;
    std::vector<std::int32_t> position_of_;  // of a unit among the candidates, or -1
};

}  // namespace unisono
