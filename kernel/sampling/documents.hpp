// Many short documents in one call: each is aligned as it was annotated and drawn from by circular
// shifts, one after the other, in the same memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sampling/draws.hpp"

namespace unisono {

// Documents one after the other, in the same columns.
struct Documents {
    std::span<const double> starts, ends;
    std::span<const std::int32_t> labels;         // codes among the labels of the document
    std::span<const std::int64_t> counts;         // units of each annotator
    std::span<const bool> is_drawn_from;          // whether an annotator is a voice of chance
    std::span<const std::int64_t> annotators_of;  // one a document, as all below
    std::span<const std::int64_t> labels_of;
    std::span<const std::int32_t> codes;    // labels of each document among all labels, ascending
    std::span<const double> low, high;      // the extent
    std::span<const double> spacing;        // of shifts
    std::span<const std::uint32_t> stream;  // the word that names the dice of a document
    std::span<const bool> aligns;           // whether to align it as it was annotated
    std::span<const std::int64_t> first, draws;
    // Costs of pairs from a custom dissimilarity: how many pairs each document has, and which rows
    // of the document they join. All empty where costs follow from the columns.
    std::span<const std::int64_t> pairs_of{}, pair_first{}, pair_second{};
    std::span<const double> pair_costs{};

    [[nodiscard]] std::size_t size() const { return annotators_of.size(); }
};

struct DocumentRules {
    Scoring scoring;  // with the distances of all labels
    Limits limits, limits_of_draws;
    std::span<const std::uint32_t> seed;
    std::uint32_t stream_of_shifts = 0;
    bool whole_shifts = false;
    int threads = 1;  // for the draws of a document; no value depends on them
};

// What alignments of documents came to: for each document, or for each of its groups or labels.
// Nothing stands there for documents that were not aligned.
struct DocumentAlignments {
    std::vector<std::int64_t> groups_of;  // -1 where none was asked for
    std::vector<std::int32_t> groups;     // rows of the document, one an annotator; -1 for nobody
    std::vector<double> disorders;
    std::vector<double> lower_bound;  // for every document; only meaningful when not proven
    std::vector<std::uint8_t> proven;
    std::vector<double> label_disorder, label_weight;
    std::vector<double> label_disorder_of, label_weight_of;
    std::vector<std::int64_t> work;
};

// Adds the groups as rows of the caller's columns, one an annotator, -1 for an empty unit.
template <class Row>
void append_group_rows(const Units& units, const Partition& partition, std::vector<Row>& rows) {
    const auto places = static_cast<std::size_t>(units.places);
    const std::size_t begin = rows.size();
    rows.resize(begin + partition.size() * places, Row{-1});
    for (std::size_t g = 0; g < partition.size(); ++g) {
        for (const std::int32_t member : partition.group(g)) {
            const auto at = static_cast<std::size_t>(member);
            rows[begin + g * places + static_cast<std::size_t>(units.place[at])] = units.row[at];
        }
    }
}

struct DocumentScores {
    DocumentAlignments alignments;
    DrawScores draws{0, 0};             // document after document
    std::vector<std::int64_t> redrawn;  // how often dice were rolled again, for each document
};

DocumentScores measure_documents(const Documents& documents, const DocumentRules& rules,
                                 const StopFlag& stop);

}  // namespace unisono
