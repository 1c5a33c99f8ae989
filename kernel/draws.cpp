#include "draws.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>

namespace unisono {

namespace {

// Mathet, Widlöcher & Métivier (2015), §5.2.1: a unit moves whole, by its start, around the circle.
template <class Add>
void shift_voice(const DrawPlan& plan, std::size_t voice, double shift, Add add) {
    const double extent = plan.voice_extent[voice];
    for (std::int64_t at = plan.voice_offsets[voice]; at < plan.voice_offsets[voice + 1]; ++at) {
        const auto row = static_cast<std::size_t>(at);
        double start = plan.starts[row] - plan.voice_origin[voice] + shift;
        if (extent > 0.0 && start >= extent) start = std::fmod(start, extent);
        add(start, row);
    }
}

// §5.2.2: repeated like a mosaic; a unit is kept if it starts before the end.
template <class Add>
void tile_voice(const DrawPlan& plan, std::size_t voice, double length, Add add) {
    const double extent = plan.voice_extent[voice];
    for (std::int64_t tile = 0;; ++tile) {
        const double moved = static_cast<double>(tile) * extent;
        if (tile > 0 && (extent <= 0.0 || moved >= length)) break;
        for (std::int64_t at = plan.voice_offsets[voice]; at < plan.voice_offsets[voice + 1];
             ++at) {
            const auto row = static_cast<std::size_t>(at);
            const double start = plan.starts[row] - plan.voice_origin[voice] + moved;
            if (tile == 0 || start < length) add(start, row);
        }
    }
}

// Calls add(place, start, end, label) for each unit of a draw, annotator by annotator.
template <class Add>
void for_each_unit(const DrawPlan& plan, std::size_t draw, Add add) {
    const auto places = static_cast<std::size_t>(plan.places);
    for (std::size_t place = 0; place < places; ++place) {
        const auto voice = static_cast<std::size_t>(plan.picks[draw * places + place]);
        const auto add_moved = [&](double start, std::size_t row) {
            add(place, start, start + (plan.ends[row] - plan.starts[row]), plan.labels[row]);
        };
        if (plan.tiled_to.empty()) {
            shift_voice(plan, voice, plan.shifts[draw * places + place], add_moved);
        } else {
            tile_voice(plan, voice, plan.tiled_to[draw], add_moved);
        }
    }
}

class DrawWorker {
 public:
    DrawWorker(const DrawPlan& plan, const Scoring& scoring, const Limits& limits,
               const StopFlag& stop, DrawScores& scores)
        : plan_(plan),
          scoring_(scoring),
          limits_(limits),
          stop_(stop),
          scores_(scores),
          builder_(plan.places) {}

    void score(std::size_t draw) {
        for_each_unit(plan_, draw,
                      [&](std::size_t place, double start, double end, std::int32_t label) {
                          builder_.add(start, end, label, static_cast<std::int32_t>(place),
                                       static_cast<std::int32_t>(builder_.size()));
                      });
        builder_.build(space_.units);
        mark_twins(scoring_.weights.position > 0.0, space_.units);
        find_pairs(space_.units, scoring_.weights, scoring_.distances, limits_.pairs, stop_,
                   space_.pairs);
        best_partition(limits_, stop_, space_);
        group_disorders(space_.units, space_.partition, scoring_, disorders_);
        label_sums(space_.units, space_.partition, scoring_, sums_);

        const double sum = std::accumulate(disorders_.begin(), disorders_.end(), 0.0);
        const Partition& partition = space_.partition;
        scores_.disorder_sum[draw] = sum;
        scores_.lower_bound[draw] = partition.proven ? sum : std::min(sum, partition.lower_bound);
        scores_.unit_count[draw] = space_.units.size();
        scores_.proven[draw] = partition.proven ? 1 : 0;
        scores_.label_disorder[draw] = sums_.disorder;
        scores_.label_weight[draw] = sums_.weight;
        const auto at = static_cast<std::ptrdiff_t>(draw) * scoring_.distances.count;
        std::copy(sums_.disorder_of.begin(), sums_.disorder_of.end(),
                  scores_.label_disorder_of.begin() + at);
        std::copy(sums_.weight_of.begin(), sums_.weight_of.end(),
                  scores_.label_weight_of.begin() + at);
    }

 private:
    const DrawPlan& plan_;
    const Scoring& scoring_;
    const Limits& limits_;
    const StopFlag& stop_;
    DrawScores& scores_;
    UnitsBuilder builder_;
    Workspace space_;
    LabelSums sums_;
    std::vector<double> disorders_;
};

}  // namespace

DrawColumns make_draw(const DrawPlan& plan, std::size_t draw) {
    DrawColumns columns;
    columns.offsets.assign(static_cast<std::size_t>(plan.places) + 1, 0);
    for_each_unit(plan, draw, [&](std::size_t place, double start, double end, std::int32_t label) {
        columns.starts.push_back(start);
        columns.ends.push_back(end);
        columns.labels.push_back(label);
        ++columns.offsets[place + 1];
    });
    std::partial_sum(columns.offsets.begin(), columns.offsets.end(), columns.offsets.begin());
    return columns;
}

DrawScores::DrawScores(std::int64_t draws, std::int64_t label_count)
    : disorder_sum(static_cast<std::size_t>(draws)),
      lower_bound(disorder_sum.size()),
      label_disorder(disorder_sum.size()),
      label_weight(disorder_sum.size()),
      unit_count(disorder_sum.size()),
      proven(disorder_sum.size()),
      label_disorder_of(static_cast<std::size_t>(draws * label_count)),
      label_weight_of(label_disorder_of.size()) {}

void score_draws(const DrawPlan& plan, const Scoring& scoring, const Limits& limits, int threads,
                 const StopFlag& stop, DrawScores& scores) {
    std::atomic<std::int64_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    const auto work = [&] {
        try {
            DrawWorker worker(plan, scoring, limits, stop, scores);
            for (std::int64_t draw = next++; draw < plan.draws; draw = next++) {
                worker.score(static_cast<std::size_t>(draw));
            }
        } catch (...) {
            const std::lock_guard lock(failure_mutex);
            if (!failure) failure = std::current_exception();
            next = plan.draws;  // the others finish the draw they are at
        }
    };
    std::vector<std::jthread> others;
    const auto helpers = std::min<std::int64_t>(threads, plan.draws) - 1;
    for (std::int64_t t = 0; t < helpers; ++t) others.emplace_back(work);
    work();
    others.clear();  // joins
    if (failure) std::rethrow_exception(failure);
}

}  // namespace unisono
