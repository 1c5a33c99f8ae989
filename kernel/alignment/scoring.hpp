// What an alignment says: its disorder, and the sums behind γcat and γk.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/dissimilarity.hpp"
#include "alignment/partition.hpp"

namespace unisono {

// How pairs inside a group are scored.
struct Scoring {
    Weights weights;
    double confidence_factor = 1.0;  // weight of a pair = max(0, 1 - factor · d_pos) / (n_v - 1)
    LabelDistances distances;
};

// Mathet (2017), Algorithm 1: Σ weight · d_cat and Σ weight over the pairs of a group.
struct LabelSums {
    double disorder = 0.0;
    double weight = 0.0;
    std::vector<double> disorder_of, weight_of;  // pairs with at least one unit of a label
};

// Σ over pairs of a group of d, plus 1 for each pair with an empty unit, over C (eq. 6).
void group_disorders(const Units& units, const Partition& partition, const Scoring& scoring,
                     std::vector<double>& disorders);

void label_sums(const Units& units, const Partition& partition, const Scoring& scoring,
                LabelSums& sums);

}  // namespace unisono
