// What all parts of the self-tests share.
#pragma once

#include <array>
#include <cstdio>
#include <random>
#include <string>

#include "alignment/partition.hpp"
#include "oracles.hpp"

namespace unisono::testing {

inline int failures = 0;
inline long checks = 0;

inline void check(bool holds, const std::string& what) {
    ++checks;
    if (holds) return;
    if (++failures <= 20) std::fprintf(stderr, "FAILED: %s\n", what.c_str());
}

inline void solve(const Units& units, const Weights& weights, const Limits& limits,
                  Workspace& space) {
    const StopFlag stop;
    space.units = units;
    mark_twins(weights.position > 0.0, space.units);
    best_partition(weights, kTable, limits, stop, space);
}

inline Weights random_weights(std::mt19937_64& random) {
    constexpr std::array kChoices = {0.0, 0.25, 1.0, 1.0, 1.0, 3.0};
    Weights weights;
    weights.position = kChoices[random() % kChoices.size()];
    weights.label = kChoices[random() % kChoices.size()];
    const auto shape = random() % 8;
    weights.power = shape == 0 ? kIntersection : shape < 3 ? 1.0 : 2.0;
    if (weights.position == 0.0 && weights.label == 0.0) weights.label = 1.0;
    return weights;
}

void test_asking();     // asking_tests.cpp
void test_edits();      // edits_tests.cpp
void test_products();   // products_tests.cpp
void test_pricing();    // pricing_tests.cpp
void test_documents();  // documents_tests.cpp
void test_tables();     // tables_tests.cpp

}  // namespace unisono::testing
