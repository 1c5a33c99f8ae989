// What arrays from outside must satisfy before the kernel trusts them. Everything that is wrong is
// a std::invalid_argument with a sentence.
#pragma once

#include <cstdint>
#include <span>

#include "alignment/partition.hpp"
#include "alignment/scoring.hpp"
#include "items/edits.hpp"
#include "sampling/documents.hpp"
#include "sampling/draws.hpp"
#include "sampling/shifts.hpp"

namespace unisono {

// Beyond these, sums of costs or of positions could overflow.
inline constexpr int kMostPlaces = 150;
inline constexpr double kFarthest = 1e300;

void require(bool holds, const char* otherwise);

void check_columns(std::span<const double> starts, std::span<const double> ends,
                   std::span<const std::int32_t> labels, std::span<const std::int64_t> offsets);

// `rows` and `columns` of the table of distances: none for nominal, or one for each label.
void check_labels(std::span<const std::int32_t> labels, std::span<const double> distances,
                  std::size_t rows, std::size_t columns, std::int64_t label_count);

void check_scoring(const Scoring& scoring);

// The shapes of picks and shifts agree, and their number of rows is plan.draws.
void check_plan(const DrawPlan& plan);

void check_shifts(const ShiftRules& rules);

void check_documents(const Documents& documents, std::int64_t label_count);

void check_texts(const Texts& texts);

void check_pairs_of_texts(const Texts& texts, std::span<const std::int64_t> left,
                          std::span<const std::int64_t> right);

// Limits for that many times the usual work, and what else was asked for.
Limits limits_of(double effort, bool soft, double gap_tolerance, double time_limit);

// Pairs given by the caller, as rows of its columns, brought into sweep order.
void take_pairs(const Units& units, std::span<const std::int64_t> first,
                std::span<const std::int64_t> second, std::span<const double> cost, Pairs& pairs);

}  // namespace unisono
