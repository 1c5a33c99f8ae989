// The border to Python: the only file that knows it. Arrays cross once, in the dtype and layout
// that the kernel works with (noconvert: anything else is a TypeError, never a silent copy); what
// they say is checked here, so that the kernel can trust it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <array>
#include <exception>

#include "alignment/partition.hpp"
#include "alignment/scoring.hpp"
#include "items/edits.hpp"
#include "items/products.hpp"
#include "python/validation.hpp"
#include "sampling/documents.hpp"
#include "sampling/draws.hpp"
#include "sampling/shifts.hpp"
#include "tables/table_reader.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace unisono {

namespace {

constexpr int kMostThreads = 1024;

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
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) return true;
    static PyObject* const nothing = Py_CompileString("None", "<unisono>", Py_eval_input);
    const nb::dict names;
    const nb::object ran = nb::steal(
        nothing == nullptr ? nullptr : PyEval_EvalCode(nothing, names.ptr(), names.ptr()));
    return !ran.is_valid();
}

// Does the work in this thread, without the GIL, which it takes now and then to hear of Ctrl-C.
template <class Work>
void run_interruptibly(Work work) {
    std::exception_ptr failure;
    {
        // Safe without the GIL: the arrays are kept alive by the caller's frame, and the kernel
        // knows nothing of Python.
        const nb::gil_scoped_release released;
        const StopFlag stop(&somebody_wants_to_stop);
        try {
            work(stop);
        } catch (...) {
            failure = std::current_exception();
        }
    }
    // Whatever the work makes of it, an interrupt comes first.
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    if (failure) std::rethrow_exception(failure);
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
    Aligner aligner;
    if (pairs.is_none()) {
        aligner.take(builder, scoring);
        run_interruptibly([&](const StopFlag& stop) { aligner.align(scoring, limits, stop); });
    } else {
        aligner.take_without_twins(builder);
        take_pairs_from_python(aligner.units(), pairs, aligner.pairs());
        run_interruptibly(
            [&](const StopFlag& stop) { aligner.align_pairs(scoring, limits, stop); });
    }
    const Partition& partition = aligner.partition();
    const LabelSums& sums = aligner.sums();
    nb::dict result;
    std::vector<std::int64_t> rows;
    append_group_rows(aligner.units(), partition, rows);
    result["groups"] =
        to_numpy(std::move(rows), {partition.size(), static_cast<std::size_t>(places)});
    result["disorders"] = to_numpy(std::vector<double>(aligner.disorders()));
    result["lower_bound"] = partition.lower_bound;
    result["proven"] = partition.proven;
    result["work"] = aligner.work();
    result["label_disorder"] = sums.disorder;
    result["label_weight"] = sums.weight;
    result["label_disorder_of"] = to_numpy(std::vector<double>(sums.disorder_of));
    result["label_weight_of"] = to_numpy(std::vector<double>(sums.weight_of));
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

nb::dict draw_scores_to_python(DrawScores&& scores) {
    nb::dict result;
    result["disorder_sum"] = to_numpy(std::move(scores.disorder_sum));
    result["lower_bound"] = to_numpy(std::move(scores.lower_bound));
    result["unit_count"] = to_numpy(std::move(scores.unit_count));
    result["work"] = to_numpy(std::move(scores.work));
    result["proven"] = to_numpy(std::move(scores.proven));
    result["label_disorder"] = to_numpy(std::move(scores.label_disorder));
    result["label_weight"] = to_numpy(std::move(scores.label_weight));
    result["label_disorder_of"] = to_numpy(std::move(scores.label_disorder_of));
    result["label_weight_of"] = to_numpy(std::move(scores.label_weight_of));
    return result;
}

nb::tuple make_draws(const Column<double>& starts, const Column<double>& ends,
                     const Column<std::int32_t>& labels, const Column<std::int64_t>& voice_offsets,
                     const Column<double>& voice_origin, const Column<double>& voice_extent,
                     const Table<std::int32_t>& picks, const Table<double>& shifts,
                     const Column<double>& tiled_to) {
    const DrawPlan plan = plan_of(starts, ends, labels, voice_offsets, voice_origin, voice_extent,
                                  picks, shifts, tiled_to);
    DrawColumns all;
    std::vector<std::int64_t> counts;
    const auto append = [](auto& column, const auto& more) {
        column.insert(column.end(), more.begin(), more.end());
    };
    for (std::size_t draw = 0; draw < static_cast<std::size_t>(plan.draws); ++draw) {
        const DrawColumns columns = make_draw(plan, draw);
        append(all.starts, columns.starts);
        append(all.ends, columns.ends);
        append(all.labels, columns.labels);
        for (std::size_t place = 0; place + 1 < columns.offsets.size(); ++place) {
            counts.push_back(columns.offsets[place + 1] - columns.offsets[place]);
        }
    }
    return nb::make_tuple(to_numpy(std::move(all.starts)), to_numpy(std::move(all.ends)),
                          to_numpy(std::move(all.labels)), to_numpy(std::move(counts)));
}

nb::tuple roll_shifts(const Column<std::uint32_t>& seed, const Column<std::uint32_t>& stream,
                      const Column<std::int64_t>& voice_counts, std::int64_t first,
                      std::int64_t count, int places, double extent, double spacing,
                      bool whole_shifts) {
    constexpr std::int64_t kMostDraws = std::int64_t{1} << 31;
    require(first >= 0 && first < kMostDraws && count >= 0 && count < kMostDraws,
            "draws are numbered from 0 to 2^31");
    const ShiftRules rules{view(voice_counts), places, extent, spacing, whole_shifts};
    check_shifts(rules);
    Seeding seeding(view(seed));
    for (const std::uint32_t word : view(stream)) seeding = seeding.inside(word);
    const auto draws = static_cast<std::size_t>(count);
    const auto each = static_cast<std::size_t>(places);
    std::vector<std::int32_t> picks(draws * each);
    std::vector<double> shifts(draws * each);
    std::int64_t redrawn = 0;
    ShiftRoller roller;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        const auto word = static_cast<std::uint32_t>(static_cast<std::size_t>(first) + draw);
        redrawn += roller.roll(rules, seeding.inside(word).dice(),
                               std::span(picks).subspan(draw * each, each),
                               std::span(shifts).subspan(draw * each, each));
    }
    return nb::make_tuple(to_numpy(std::move(picks), {draws, each}),
                          to_numpy(std::move(shifts), {draws, each}), redrawn);
}

nb::dict measure_documents_from_python(
    const Column<double>& starts, const Column<double>& ends, const Column<std::int32_t>& labels,
    const Column<std::int64_t>& counts, const Column<bool>& is_drawn_from,
    const Column<std::int64_t>& annotators_of, const Column<std::int64_t>& labels_of,
    const Column<std::int32_t>& codes, const Column<double>& low, const Column<double>& high,
    const Column<double>& spacing, const Column<std::uint32_t>& stream, const Column<bool>& aligns,
    const Column<std::int64_t>& first, const Column<std::int64_t>& draws,
    const Column<std::uint32_t>& seed, const Table<double>& distances, std::int64_t label_count,
    double position, double label, double power, double confidence_factor, double effort,
    double effort_of_draws, bool soft, double gap_tolerance, double time_limit,
    std::uint32_t stream_of_shifts, bool whole_shifts, const nb::object& pairs, int threads) {
    Documents documents{view(starts),        view(ends),          view(labels),    view(counts),
                        view(is_drawn_from), view(annotators_of), view(labels_of), view(codes),
                        view(low),           view(high),          view(spacing),   view(stream),
                        view(aligns),        view(first),         view(draws)};
    std::tuple<Column<std::int64_t>, Column<std::int64_t>, Column<std::int64_t>, Column<double>>
        given;
    if (!pairs.is_none()) {
        if (!nb::try_cast(pairs, given, false)) {
            throw nb::type_error("pairs are three columns of int64 and one of float64 costs");
        }
        documents.pairs_of = view(std::get<0>(given));
        documents.pair_first = view(std::get<1>(given));
        documents.pair_second = view(std::get<2>(given));
        documents.pair_costs = view(std::get<3>(given));
    }
    check_labels({}, view(distances), distances.shape(0), distances.shape(1), label_count);
    check_documents(documents, label_count);
    require(threads >= 1 && threads <= kMostThreads, "threads must be 1 to 1024");
    const DocumentRules rules{
        scoring_of(distances, label_count, position, label, power, confidence_factor),
        limits_of(effort, soft, gap_tolerance, time_limit),
        limits_of(effort_of_draws, soft, gap_tolerance, time_limit),
        view(seed),
        stream_of_shifts,
        whole_shifts,
        threads};
    DocumentScores scores;
    run_interruptibly(
        [&](const StopFlag& stop) { scores = measure_documents(documents, rules, stop); });
    nb::dict result;
    DocumentAlignments& found = scores.alignments;
    result["groups_of"] = to_numpy(std::move(found.groups_of));
    result["groups"] = to_numpy(std::move(found.groups));
    result["disorders"] = to_numpy(std::move(found.disorders));
    result["lower_bound"] = to_numpy(std::move(found.lower_bound));
    result["proven"] = to_numpy(std::move(found.proven));
    result["label_disorder"] = to_numpy(std::move(found.label_disorder));
    result["label_weight"] = to_numpy(std::move(found.label_weight));
    result["label_disorder_of"] = to_numpy(std::move(found.label_disorder_of));
    result["label_weight_of"] = to_numpy(std::move(found.label_weight_of));
    result["work"] = to_numpy(std::move(found.work));
    result["draws"] = draw_scores_to_python(std::move(scores.draws));
    result["redrawn"] = to_numpy(std::move(scores.redrawn));
    return result;
}

nb::object edit_distances_from_python(const Column<std::int32_t>& characters,
                                      const Column<std::int64_t>& offsets,
                                      const Column<std::int64_t>& left,
                                      const Column<std::int64_t>& right, std::int32_t alphabet) {
    const Texts texts{view(characters), view(offsets), alphabet};
    check_texts(texts);
    check_pairs_of_texts(texts, view(left), view(right));
    std::vector<double> distances;
    run_interruptibly([&](const StopFlag& stop) {
        distances = edit_distances(texts, view(left), view(right), stop);
    });
    return to_numpy(std::move(distances));
}

nb::object edit_rows_from_python(const Column<std::int32_t>& characters,
                                 const Column<std::int64_t>& offsets, std::int32_t alphabet,
                                 std::int64_t first, std::int64_t last) {
    const Texts texts{view(characters), view(offsets), alphabet};
    check_texts(texts);
    require(first >= 0 && first <= last && last <= texts.count(), "no such rows of texts");
    std::vector<double> distances;
    run_interruptibly(
        [&](const StopFlag& stop) { distances = edit_rows(texts, first, last, stop); });
    return to_numpy(std::move(distances), {static_cast<std::size_t>(last - first),
                                           static_cast<std::size_t>(texts.count() - first)});
}

nb::object product_from_python(const Table<double>& left, const Table<double>& right) {
    require(left.shape(1) == right.shape(0), "the two matrices do not fit together");
    std::vector<double> sums;
    {
        const nb::gil_scoped_release release;
        sums = product(view(left), view(right), left.shape(0), left.shape(1), right.shape(1));
    }
    return to_numpy(std::move(sums), {left.shape(0), right.shape(1)});
}

double largest_whole_sum_from_python(const Table<double>& rows) {
    return largest_whole_sum(view(rows), rows.shape(1));
}

nb::object text_to_python(std::string_view text) {
    return nb::steal(
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

template <class Texts>
nb::list texts_to_python(const Texts& texts) {
    nb::list found;
    for (const auto& text : texts) found.append(text_to_python(text));
    return found;
}

std::string_view view(const nb::bytes& text) {
    return {text.c_str(), text.size()};
}

nb::list split_rows_from_python(const nb::bytes& text, const nb::bytes& delimiter) {
    require(delimiter.size() > 0, "a delimiter is not empty");
    nb::list rows;
    for (const auto& row : split_rows(view(text), view(delimiter))) {
        rows.append(texts_to_python(row));
    }
    return rows;
}

void make_table_reader(TableReader* self, const nb::bytes& delimiter, std::size_t longest_cell,
                       std::size_t longest_row) {
    require(delimiter.size() > 0, "a delimiter is not empty");
    new (self) TableReader(view(delimiter), {longest_cell, longest_row});
}

void feed_table(TableReader& reader, const nb::bytes& block, bool is_last) {
    const std::string_view text = view(block);
    const nb::gil_scoped_release released;
    reader.feed(text, is_last);
}

void choose_columns(TableReader& reader, const Column<std::int32_t>& columns, bool takes_first,
                    bool keeps_blank, std::size_t limited, std::size_t most_texts) {
    require(reader.columns() == 0, "columns are chosen once");
    require(reader.first() && reader.first()->size() == columns.shape(0),
            "there is one choice for each column of the first row");
    const std::span<const std::int32_t> chosen = view(columns);
    for (const std::int32_t column : chosen) {
        require(column >= kPositionColumn && column < static_cast<std::int64_t>(chosen.size()),
                "there are at most as many codebooks as columns");
    }
    const nb::gil_scoped_release released;
    reader.choose({chosen.begin(), chosen.end()}, takes_first, keeps_blank, limited, most_texts);
}

void skip_first_row(TableReader& reader) {
    require(reader.first() && reader.columns() == 0, "a first row is skipped before the choice");
    const nb::gil_scoped_release released;
    reader.skip_first();
}

std::size_t size_of_book(const TableReader& reader, std::size_t number) {
    require(number < reader.books(), "there is no such codebook");
    return reader.book(number).size();
}

bool is_clock_column(const TableReader& reader, std::size_t column) {
    require(column < reader.columns(), "there is no such column");
    return reader.form(column) == NumberForm::kClock;
}

nb::list flawed_rows(const TableReader& reader) {
    constexpr std::array kNames = {"",          "width",    "number",   "after quote", "open quote",
                                   "long cell", "long row", "encoding", "stray quote"};
    nb::list rows;
    for (const FlawedRow& row : reader.flawed()) {
        rows.append(nb::make_tuple(row.line, text_to_python(row.text),
                                   kNames[static_cast<std::size_t>(row.flaw)], row.column));
    }
    return rows;
}

nb::object numbers_of_block(TableReader& reader, std::size_t column) {
    require(column < reader.columns(), "there is no such column");
    return to_numpy(std::move(reader.numbers(column)));
}

nb::object codes_of_block(TableReader& reader, std::size_t column) {
    require(column < reader.columns(), "there is no such column");
    return to_numpy(std::move(reader.codes(column)));
}

nb::tuple texts_of_book(const TableReader& reader, std::size_t number) {
    require(number < reader.books(), "there is no such codebook");
    const Codebook& book = reader.book(number);
    std::vector<std::int32_t> order;
    std::vector<std::int32_t> places(book.size());
    {
        const nb::gil_scoped_release released;
        order = book.in_order();
        for (std::size_t place = 0; place < order.size(); ++place) {
            places[static_cast<std::size_t>(order[place])] = static_cast<std::int32_t>(place);
        }
    }
    nb::list texts;
    for (const std::int32_t code : order) {
        texts.append(text_to_python(book.text(static_cast<std::size_t>(code))));
    }
    return nb::make_tuple(texts, to_numpy(std::move(places)));
}

nb::object row_text_of_block(TableReader& reader, std::int64_t row) {
    require(row >= reader.rows_before() && row < reader.rows(), "the block has no such row");
    return text_to_python(reader.row_text(row));
}

std::int64_t line_of_row(const TableReader& reader, std::int64_t row) {
    require(row >= 0 && row < reader.rows(), "there is no such row");
    return reader.line_of(row);
}

nb::object first_row(const TableReader& reader) {
    if (!reader.first()) return nb::none();
    return texts_to_python(*reader.first());
}

}  // namespace

}  // namespace unisono

NB_MODULE(_core, module) {
    module.doc() =
        "The compiled kernel of unisono: exact alignments, scored draws and tables of text.";
    module.def("align", &unisono::align, "starts"_a.noconvert(), "ends"_a.noconvert(),
               "labels"_a.noconvert(), "offsets"_a.noconvert(), "distances"_a.noconvert(),
               nb::kw_only(), "label_count"_a, "position"_a, "label"_a, "power"_a,
               "confidence_factor"_a, "effort"_a, "soft"_a, "gap_tolerance"_a, "time_limit"_a,
               "pairs"_a.none() = nb::none());
    module.def("make_draws", &unisono::make_draws, "starts"_a.noconvert(), "ends"_a.noconvert(),
               "labels"_a.noconvert(), "voice_offsets"_a.noconvert(), "voice_origin"_a.noconvert(),
               "voice_extent"_a.noconvert(), "picks"_a.noconvert(), "shifts"_a.noconvert(),
               "tiled_to"_a.noconvert());
    module.def("roll_shifts", &unisono::roll_shifts, "seed"_a.noconvert(), "stream"_a.noconvert(),
               "voice_counts"_a.noconvert(), nb::kw_only(), "first"_a, "count"_a, "places"_a,
               "extent"_a, "spacing"_a, "whole_shifts"_a);
    module.def(
        "measure_documents", &unisono::measure_documents_from_python, "starts"_a.noconvert(),
        "ends"_a.noconvert(), "labels"_a.noconvert(), "counts"_a.noconvert(),
        "is_drawn_from"_a.noconvert(), "annotators_of"_a.noconvert(), "labels_of"_a.noconvert(),
        "codes"_a.noconvert(), "low"_a.noconvert(), "high"_a.noconvert(), "spacing"_a.noconvert(),
        "stream"_a.noconvert(), "aligns"_a.noconvert(), "first"_a.noconvert(),
        "draws"_a.noconvert(), "seed"_a.noconvert(), "distances"_a.noconvert(), nb::kw_only(),
        "label_count"_a, "position"_a, "label"_a, "power"_a, "confidence_factor"_a, "effort"_a,
        "effort_of_draws"_a, "soft"_a, "gap_tolerance"_a, "time_limit"_a, "stream_of_shifts"_a,
        "whole_shifts"_a, "pairs"_a.none() = nb::none(), "threads"_a = 1);
    module.def("edit_distances", &unisono::edit_distances_from_python, "characters"_a.noconvert(),
               "offsets"_a.noconvert(), "left"_a.noconvert(), "right"_a.noconvert(), nb::kw_only(),
               "alphabet"_a);
    module.def("edit_rows", &unisono::edit_rows_from_python, "characters"_a.noconvert(),
               "offsets"_a.noconvert(), nb::kw_only(), "alphabet"_a, "first"_a, "last"_a);
    module.def("product", &unisono::product_from_python, "left"_a.noconvert(),
               "right"_a.noconvert());
    module.def("largest_whole_sum", &unisono::largest_whole_sum_from_python, "rows"_a.noconvert());
    module.def("split_rows", &unisono::split_rows_from_python, "text"_a, "delimiter"_a);
    nb::class_<unisono::TableReader>(module, "TableReader")
        .def("__init__", &unisono::make_table_reader, "delimiter"_a, nb::kw_only(),
             "longest_cell"_a, "longest_row"_a)
        .def("feed", &unisono::feed_table, "block"_a, nb::kw_only(), "is_last"_a)
        .def("choose", &unisono::choose_columns, "columns"_a.noconvert(), nb::kw_only(),
             "takes_first"_a, "keeps_blank"_a, "limited"_a = unisono::kAllTexts,
             "most_texts"_a = unisono::kAllTexts)
        .def("skip_first", &unisono::skip_first_row)
        .def("size_of", &unisono::size_of_book, "book"_a)
        .def("is_clock", &unisono::is_clock_column, "column"_a)
        .def("flawed", &unisono::flawed_rows)
        .def("numbers", &unisono::numbers_of_block, "column"_a)
        .def("codes", &unisono::codes_of_block, "column"_a)
        .def("texts", &unisono::texts_of_book, "book"_a)
        .def("row_text", &unisono::row_text_of_block, "row"_a)
        .def("line_of", &unisono::line_of_row, "row"_a)
        .def_prop_ro("first", &unisono::first_row)
        .def_prop_ro("first_line", &unisono::TableReader::first_line)
        .def_prop_ro("lines", &unisono::TableReader::lines)
        .def_prop_ro("rows", &unisono::TableReader::rows)
        .def_prop_ro("has_decimal_comma",
                     [](const unisono::TableReader& reader) { return reader.mark() == ','; });
}
