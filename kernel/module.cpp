// The border to Python: the only file that knows it. Arrays cross once, in the dtype and layout
// that the kernel works with (noconvert: anything else is a TypeError, never a silent copy); what
// they say is checked here, so that the kernel can trust it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "border.hpp"
#include "draws.hpp"
#include "partition.hpp"
#include "scoring.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace unisono {

namespace {

template <class T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Table = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> view(const Column<T>& column) {
    return {column.data(), column.shape(0)};
}
template <class T>
std::span<const T> view(const Table<T>& table) {
    return {table.data(), table.shape(0) * table.shape(1)};
}

template <class T>
nb::object to_numpy(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept,
                      [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
    return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape, owner));
}
template <class T>
nb::object to_numpy(std::vector<T>&& values) {
    const std::size_t size = values.size();
    return to_numpy(std::move(values), {size});
}

Scoring scoring_of(const Table<double>& distances, std::int64_t label_count, double position,
                   double label, double power, double confidence_factor) {
    const Scoring scoring{
        {position, label, power}, confidence_factor, {view(distances), label_count}};
    check_scoring(scoring);
    return scoring;
}

// Signals reach the main thread only. Another thread is stopped by an exception that is set for it
// (PyThreadState_SetAsyncExc), which arrives as soon as that thread runs any Python at all.
bool somebody_wants_to_stop() {
    if (PyErr_CheckSignals() != 0) return true;
    static PyObject* const nothing = Py_CompileString("None", "<unisono>", Py_eval_input);
    const nb::dict names;
    const nb::object ran = nb::steal(
        nothing == nullptr ? nullptr : PyEval_EvalCode(nothing, names.ptr(), names.ptr()));
    return !ran.is_valid();
}

// Runs the work on a thread of its own, without the GIL, and watches for Ctrl-C meanwhile.
template <class Work>
void run_interruptibly(Work work) {
    StopFlag stop;
    std::mutex mutex;
    std::condition_variable finished;
    bool done = false;
    std::exception_ptr failure;
    bool interrupted = false;
    {
        // Safe without the GIL: the arrays are kept alive by the caller's frame, and the kernel
        // knows nothing of Python.
        nb::gil_scoped_release released;
        std::jthread thread([&] {
            try {
                work(stop);
            } catch (...) {
                failure = std::current_exception();
            }
            const std::lock_guard lock(mutex);
            done = true;
            finished.notify_one();
        });
        std::unique_lock lock(mutex);
        while (!finished.wait_for(lock, std::chrono::milliseconds(100), [&] { return done; })) {
            if (interrupted) continue;
            lock.unlock();
            {
                nb::gil_scoped_acquire held;
                interrupted = somebody_wants_to_stop();
            }
            if (interrupted) stop.raise();
            lock.lock();
        }
    }
    if (interrupted) throw nb::python_error();
    if (failure) std::rethrow_exception(failure);
}

// The groups as rows of the caller's columns, one column an annotator, -1 for an empty unit.
std::vector<std::int64_t> group_rows(const Units& units, const Partition& partition) {
    const auto places = static_cast<std::size_t>(units.places);
    std::vector<std::int64_t> rows(partition.size() * places, -1);
    for (std::size_t g = 0; g < partition.size(); ++g) {
        for (const std::int32_t member : partition.group(g)) {
            const auto at = static_cast<std::size_t>(member);
            rows[g * places + static_cast<std::size_t>(units.place[at])] = units.row[at];
        }
    }
    return rows;
}

void take_pairs_from_python(const Units& units, const nb::object& columns, Pairs& pairs) {
    using PairColumns = std::tuple<Column<std::int64_t>, Column<std::int64_t>, Column<double>>;
    PairColumns taken;
    if (!nb::try_cast(columns, taken, false)) {
        throw nb::type_error("pairs are two columns of int64 rows and one of float64 costs");
    }
    const auto& [first, second, cost] = taken;
    take_pairs(units, view(first), view(second), view(cost), pairs);
}

nb::dict align(const Column<double>& starts, const Column<double>& ends,
               const Column<std::int32_t>& labels, const Column<std::int64_t>& offsets,
               const Table<double>& distances, std::int64_t label_count, double position,
               double label, double power, double confidence_factor, double effort, bool soft,
               double gap_tolerance, double time_limit, nb::object pairs) {
    check_columns(view(starts), view(ends), view(labels), view(offsets));
    check_labels(view(labels), view(distances), distances.shape(0), distances.shape(1),
                 label_count);
    const auto places = static_cast<int>(offsets.shape(0)) - 1;
    require(places >= 2 && places <= kMostPlaces, "an alignment needs 2 to 150 annotators");
    const Scoring scoring =
        scoring_of(distances, label_count, position, label, power, confidence_factor);
    const Limits limits = limits_of(effort, soft, gap_tolerance, time_limit);
    UnitsBuilder builder(places);
    builder.reserve(starts.shape(0));
    for (int place = 0; place < places; ++place) {
        for (auto row = offsets.data()[place]; row < offsets.data()[place + 1]; ++row) {
            builder.add(starts.data()[row], ends.data()[row], labels.data()[row], place,
                        static_cast<std::int32_t>(row));
        }
    }
    Workspace space;
    builder.build(space.units);
    if (pairs.is_none()) {
        mark_twins(position > 0.0, space.units);
    } else {
        // Given costs may tell apart what looks alike.
        space.units.twin.assign(space.units.row.size(), -1);
    }
    if (!pairs.is_none()) take_pairs_from_python(space.units, pairs, space.pairs);
    std::vector<double> disorders;
    LabelSums sums;
    run_interruptibly([&](const StopFlag& stop) {
        if (pairs.is_none()) {
            find_pairs(space.units, scoring.weights, scoring.distances, limits.pairs, stop,
                       space.pairs);
        }
        best_partition(limits, stop, space);
        group_disorders(space.units, space.partition, scoring, disorders);
        label_sums(space.units, space.partition, scoring, sums);
    });
    const std::size_t groups = space.partition.size();
    nb::dict result;
    result["groups"] = to_numpy(group_rows(space.units, space.partition),
                                {groups, static_cast<std::size_t>(places)});
    result["disorders"] = to_numpy(std::move(disorders));
    result["lower_bound"] = space.partition.lower_bound;
    result["proven"] = space.partition.proven;
    result["label_disorder"] = sums.disorder;
    result["label_weight"] = sums.weight;
    result["label_disorder_of"] = to_numpy(std::move(sums.disorder_of));
    result["label_weight_of"] = to_numpy(std::move(sums.weight_of));
    return result;
}

// Takes a plan from Python's arrays, which the caller keeps alive.
DrawPlan plan_of(const Column<double>& starts, const Column<double>& ends,
                 const Column<std::int32_t>& labels, const Column<std::int64_t>& voice_offsets,
                 const Column<double>& voice_origin, const Column<double>& voice_extent,
                 const Table<std::int32_t>& picks, const Table<double>& shifts,
                 const Column<double>& tiled_to) {
    require(picks.shape(0) == shifts.shape(0) && picks.shape(1) == shifts.shape(1),
            "picks and shifts must have the same shape");
    const DrawPlan plan{view(starts),
                        view(ends),
                        view(labels),
                        view(voice_offsets),
                        view(voice_origin),
                        view(voice_extent),
                        static_cast<std::int64_t>(picks.shape(0)),
                        static_cast<int>(picks.shape(1)),
                        view(picks),
                        view(shifts),
                        view(tiled_to)};
    check_plan(plan);
    return plan;
}

nb::dict score_draws_from_python(
    const Column<double>& starts, const Column<double>& ends, const Column<std::int32_t>& labels,
    const Column<std::int64_t>& voice_offsets, const Column<double>& voice_origin,
    const Column<double>& voice_extent, const Table<std::int32_t>& picks,
    const Table<double>& shifts, const Column<double>& tiled_to, const Table<double>& distances,
    std::int64_t label_count, double position, double label, double power, double confidence_factor,
    double effort, bool soft, double gap_tolerance, double time_limit, int workers) {
    const DrawPlan plan = plan_of(starts, ends, labels, voice_offsets, voice_origin, voice_extent,
                                  picks, shifts, tiled_to);
    check_labels(view(labels), view(distances), distances.shape(0), distances.shape(1),
                 label_count);
    const Scoring scoring =
        scoring_of(distances, label_count, position, label, power, confidence_factor);
    const Limits limits = limits_of(effort, soft, gap_tolerance, time_limit);
    require(workers >= 1, "at least one worker is needed");
    DrawScores scores(plan.draws, label_count);
    run_interruptibly(
        [&](const StopFlag& stop) { score_draws(plan, scoring, limits, workers, stop, scores); });
    const auto draws = static_cast<std::size_t>(plan.draws);
    const auto known = static_cast<std::size_t>(label_count);
    nb::dict result;
    result["disorder_sum"] = to_numpy(std::move(scores.disorder_sum));
    result["lower_bound"] = to_numpy(std::move(scores.lower_bound));
    result["unit_count"] = to_numpy(std::move(scores.unit_count));
    result["proven"] = to_numpy(std::move(scores.proven));
    result["label_disorder"] = to_numpy(std::move(scores.label_disorder));
    result["label_weight"] = to_numpy(std::move(scores.label_weight));
    result["label_disorder_of"] = to_numpy(std::move(scores.label_disorder_of), {draws, known});
    result["label_weight_of"] = to_numpy(std::move(scores.label_weight_of), {draws, known});
    return result;
}

nb::tuple make_draw_from_python(const Column<double>& starts, const Column<double>& ends,
                                const Column<std::int32_t>& labels,
                                const Column<std::int64_t>& voice_offsets,
                                const Column<double>& voice_origin,
                                const Column<double>& voice_extent,
                                const Table<std::int32_t>& picks, const Table<double>& shifts,
                                const Column<double>& tiled_to, std::int64_t draw) {
    const DrawPlan plan = plan_of(starts, ends, labels, voice_offsets, voice_origin, voice_extent,
                                  picks, shifts, tiled_to);
    require(draw >= 0 && draw < plan.draws, "there is no such draw");
    DrawColumns columns = make_draw(plan, static_cast<std::size_t>(draw));
    return nb::make_tuple(to_numpy(std::move(columns.starts)), to_numpy(std::move(columns.ends)),
                          to_numpy(std::move(columns.labels)),
                          to_numpy(std::move(columns.offsets)));
}

}  // namespace

}  // namespace unisono

NB_MODULE(_core, module) {
    module.doc() = "The compiled kernel of unisono: exact alignments and scored draws.";
    module.def("align", &unisono::align, "starts"_a.noconvert(), "ends"_a.noconvert(),
               "labels"_a.noconvert(), "offsets"_a.noconvert(), "distances"_a.noconvert(),
               nb::kw_only(), "label_count"_a, "position"_a, "label"_a, "power"_a,
               "confidence_factor"_a, "effort"_a, "soft"_a, "gap_tolerance"_a, "time_limit"_a,
               "pairs"_a.none() = nb::none());
    module.def("score_draws", &unisono::score_draws_from_python, "starts"_a.noconvert(),
               "ends"_a.noconvert(), "labels"_a.noconvert(), "voice_offsets"_a.noconvert(),
               "voice_origin"_a.noconvert(), "voice_extent"_a.noconvert(), "picks"_a.noconvert(),
               "shifts"_a.noconvert(), "tiled_to"_a.noconvert(), "distances"_a.noconvert(),
               nb::kw_only(), "label_count"_a, "position"_a, "label"_a, "power"_a,
               "confidence_factor"_a, "effort"_a, "soft"_a, "gap_tolerance"_a, "time_limit"_a,
               "workers"_a);
    module.def("make_draw", &unisono::make_draw_from_python, "starts"_a.noconvert(),
               "ends"_a.noconvert(), "labels"_a.noconvert(), "voice_offsets"_a.noconvert(),
               "voice_origin"_a.noconvert(), "voice_extent"_a.noconvert(), "picks"_a.noconvert(),
               "shifts"_a.noconvert(), "tiled_to"_a.noconvert(), nb::kw_only(), "draw"_a);
}
