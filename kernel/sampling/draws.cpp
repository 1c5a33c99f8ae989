#include "sampling/draws.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

namespace unisono {

namespace {

// Joins its threads when it is destroyed, as std::jthread does, which libc++ lacks before
// version 20.
class JoinedThreads {
 public:
    JoinedThreads() = default;
    JoinedThreads(const JoinedThreads&) = delete;
    JoinedThreads& operator=(const JoinedThreads&) = delete;
    ~JoinedThreads() {
        for (std::thread& each : threads_) each.join();
    }

    template <class Work>
    void start(Work&& work) {
        threads_.emplace_back(std::forward<Work>(work));
    }

 private:
    std::vector<std::thread> threads_;
};

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

}  // namespace

void DrawWorker::score(const DrawPlan& plan, const Scoring& scoring, std::size_t draw,
                       DrawScores& scores, std::size_t entry, std::size_t label_entry) {
    UnitsBuilder builder(plan.places);
    for_each_unit(plan, draw, [&](std::size_t place, double start, double end, std::int32_t label) {
        builder.add(start, end, label, static_cast<std::int32_t>(place),
                    static_cast<std::int32_t>(builder.size()));
    });
    aligner_.take(builder, scoring);
    aligner_.align(scoring, limits_, stop_);

    const std::vector<double>& disorders = aligner_.disorders();
    const double sum = std::accumulate(disorders.begin(), disorders.end(), 0.0);
    const Partition& partition = aligner_.partition();
    const LabelSums& sums = aligner_.sums();
    scores.disorder_sum[entry] = sum;
    scores.lower_bound[entry] = partition.proven ? sum : std::min(sum, partition.lower_bound);
    scores.unit_count[entry] = aligner_.units().size();
    scores.work[entry] = aligner_.work();
    scores.proven[entry] = partition.proven ? 1 : 0;
    scores.label_disorder[entry] = sums.disorder;
    scores.label_weight[entry] = sums.weight;
    const auto at = static_cast<std::ptrdiff_t>(label_entry);
    std::copy(sums.disorder_of.begin(), sums.disorder_of.end(),
              scores.label_disorder_of.begin() + at);
    std::copy(sums.weight_of.begin(), sums.weight_of.end(), scores.label_weight_of.begin() + at);
}

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
      work(disorder_sum.size()),
      proven(disorder_sum.size()),
      label_disorder_of(static_cast<std::size_t>(draws * label_count)),
      label_weight_of(label_disorder_of.size()) {}

void score_draws(const DrawPlan& plan, const Scoring& scoring, const Limits& limits, int threads,
                 const StopFlag& stop, DrawScores& scores, const FirstDraw& first) {
    const auto labels = static_cast<std::size_t>(scoring.distances.count);
    const auto begin = static_cast<std::int64_t>(first.draw);
    std::atomic<std::int64_t> next{begin};
    std::exception_ptr failure;
    std::mutex mutex;
    std::condition_variable finished;
    auto helpers =
        std::max<std::int64_t>(0, std::min<std::int64_t>(threads, plan.draws - begin) - 1);
    const auto fail = [&] {
        if (!failure) failure = std::current_exception();
        next = plan.draws;  // the others finish the draw they are at
    };
    const auto work = [&](const StopFlag& stopped) {
        try {
            DrawWorker worker(limits, stopped);
            for (std::int64_t draw = next++; draw < plan.draws; draw = next++) {
                const auto after = static_cast<std::size_t>(draw - begin);
                worker.score(plan, scoring, first.draw + after, scores, first.entry + after,
                             first.label_entry + after * labels);
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            fail();
        }
    };
    const auto help = [&] {
        const StopFlag quiet(stop, StopFlag::Quiet{});
        work(quiet);
        const std::lock_guard lock(mutex);
        --helpers;
        finished.notify_one();
    };
    {
        JoinedThreads others;
        for (auto left = helpers; left > 0; --left) others.start(help);
        work(stop);
        std::unique_lock lock(mutex);
        // Who waits goes on asking whether to stop: nobody else may.
        while (!finished.wait_for(lock, StopFlag::kBetweenAsking, [&] { return helpers == 0; })) {
            lock.unlock();
            try {
                stop.check_after_waiting();
                lock.lock();
            } catch (...) {
                lock.lock();
                fail();
            }
        }
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace unisono
