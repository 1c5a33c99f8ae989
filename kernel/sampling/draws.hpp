// Random continua, made, aligned and scored here: as Python objects they would cost more to build
// than to solve. The dice were rolled before: the caller brings picks and shifts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/aligner.hpp"

namespace unisono {

// What random continua are made of. A voice is the units of one annotator of one continuum.
struct DrawPlan {
    std::span<const double> starts, ends;
    std::span<const std::int32_t> labels;
    std::span<const std::int64_t> voice_offsets;         // size V + 1
    std::span<const double> voice_origin, voice_extent;  // size V
    std::int64_t draws = 0;
    int places = 0;
    std::span<const std::int32_t> picks;  // draws × places: which voice
    std::span<const double> shifts;       // draws × places: how far it is moved around the circle
    std::span<const double> tiled_to;     // draws: repeat each voice up to this length; or empty
};

// A random continuum as columns, annotator by annotator.
struct DrawColumns {
    std::vector<double> starts, ends;
    std::vector<std::int32_t> labels;
    std::vector<std::int64_t> offsets;
};

DrawColumns make_draw(const DrawPlan& plan, std::size_t draw);

// One entry a draw; label sums are draws × K.
struct DrawScores {
    std::vector<double> disorder_sum, lower_bound, label_disorder, label_weight;
    std::vector<std::int64_t> unit_count, work;
    std::vector<std::uint8_t> proven;
    std::vector<double> label_disorder_of, label_weight_of;

    DrawScores(std::int64_t draws, std::int64_t label_count);
};

// Makes, aligns and scores draws one after the other, in memory that it keeps.
class DrawWorker {
 public:
    DrawWorker(const Limits& limits, const StopFlag& stop) : limits_(limits), stop_(stop) {}

    // Puts what a draw comes to at an entry of the scores; sums of its labels begin at another.
    void score(const DrawPlan& plan, const Scoring& scoring, std::size_t draw, DrawScores& scores,
               std::size_t entry, std::size_t label_entry);

 private:
    const Limits& limits_;
    const StopFlag& stop_;
    Aligner aligner_;
};

// Where draws begin: among those of the plan, among the scores, and among the sums of labels.
struct FirstDraw {
    std::size_t draw = 0, entry = 0, label_entry = 0;
};

// Scores the draws from one on with that many threads. The result does not depend on their number.
void score_draws(const DrawPlan& plan, const Scoring& scoring, const Limits& limits, int threads,
                 const StopFlag& stop, DrawScores& scores, const FirstDraw& first = {});

}  // namespace unisono
