// What candidates may save with each other, before it is known who joins: each such saving is
// parted between the two, so that every annotator can be judged by itself.
//
// Levels are annotators still to decide; each takes one of its candidates or nobody. Parts are
// valid when for any two of different levels part(v, level of w) + part(w, level of v) is at least
// what v and w save; nobody saves 0. Then no choice costs less than the sum, over the levels, of
// the least `added - Σ parts`: the bound. Halves of the best are valid parts; improve() makes the
// bound larger by handing on, level by level, what candidates cost above the least of their level:
// message passing in sequence (Kolmogorov 2006), in whole numbers, rounded to the safe side.
//
// Parts are coarse. Once through all levels and back makes the largest of them larger by less than
// 2·(kMostHandedOn + kCoarseOne), so that they stay below 2^29 for dozens of times.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pricing/candidate_savings.hpp"

namespace unisono {

// Candidates of one annotator.
struct Level {
    std::int32_t place;
    std::size_t from, to;  // among the candidates

    [[nodiscard]] std::size_t size() const { return to - from; }
};

class Parts {
 public:
    // Halves of the best. `added`, by candidate: what the cost changes by if it alone joins.
    void begin(const CoarseBetween& between, std::span<const Level> levels,
               std::vector<Cost> added);
    // Once through all levels and back.
    void improve(const CoarseBetween& between, std::span<const Level> levels);
    // Keeps these candidates, which ascend, and numbers them anew. Levels keep their numbers.
    void keep(std::span<const std::size_t> positions);

    // Keeps the levels that have candidates; `levels` has all and is changed.
    void forget_empty(std::vector<Level>& levels);

    // The least that a candidate, or nobody of a level, can change the cost by.
    [[nodiscard]] Cost least(std::size_t candidate) const { return value_[candidate]; }
    [[nodiscard]] Cost least_of_nobody(std::size_t level) const { return of_nobody_[level].value; }

    // From here on parts stay as they are: adds them up.
    void finish();
    // What a candidate, or nobody of a level, may save with all levels from one on.
    [[nodiscard]] Cost from(std::size_t candidate, std::size_t level) const {
        return from_[candidate * stride_ + level];
    }
    [[nodiscard]] Cost from_nobody(std::size_t of_level, std::size_t level) const {
        return of_nobody_[of_level].from[level];
    }

 private:
    struct Nobody {
        Cost value;
        std::vector<Coarse> parts;
        std::vector<Cost> from;
    };
    void hand_on(const CoarseBetween& between, std::span<const Level> levels, std::size_t a,
                 std::size_t from, std::size_t to, std::size_t shares);
    void answer(const CoarseBetween& between, const Level& at_a, const Level& at_b, std::size_t a,
                std::size_t b);

    std::size_t levels_ = 0;
    std::size_t stride_ = 0;         // levels + 1
    std::vector<Coarse> parts_;      // candidate × stride
    std::vector<Cost> from_;         // the same, once added up
    std::vector<Cost> value_;        // by candidate: added - Σ parts
    std::vector<Nobody> of_nobody_;  // by level
};

}  // namespace unisono
