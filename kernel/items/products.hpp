// Products of matrices whose sums have one order, so that every processor gets the same bits.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace unisono {

// left is rows × inner, right inner × columns, both row after row. Each entry of the product adds
// up 128 terms one after the other, and then these sums.
std::vector<double> product(std::span<const double> left, std::span<const double> right,
                            std::size_t rows, std::size_t inner, std::size_t columns);

// The largest sum of the entries of a row; -1 if an entry is below 0 or not a whole number.
double largest_whole_sum(std::span<const double> rows, std::size_t inner);

}  // namespace unisono
