#include "items/products.hpp"

#include <algorithm>
#include <array>

namespace unisono {

namespace {

constexpr std::size_t kTerms = 128;
constexpr std::size_t kRows = 4;
constexpr std::size_t kColumns = 4;

// The sums of some terms, of some rows and columns: vector units take columns side by side, which
// leaves the order of every sum what it is.
template <std::size_t Rows, std::size_t Columns>
void add_tile(const double* left, std::size_t inner, const double* right, std::size_t columns,
              std::size_t terms, double* sums) {
    std::array<double, Rows * Columns> tile{};
    for (std::size_t k = 0; k < terms; ++k) {
        const double* from = right + k * columns;
        for (std::size_t row = 0; row < Rows; ++row) {
            const double factor = left[row * inner + k];
            for (std::size_t column = 0; column < Columns; ++column) {
                tile[row * Columns + column] += factor * from[column];
            }
        }
    }
    for (std::size_t row = 0; row < Rows; ++row) {
        for (std::size_t column = 0; column < Columns; ++column) {
            sums[row * columns + column] += tile[row * Columns + column];
        }
    }
}

template <std::size_t Rows>
void add_rows(const double* left, std::size_t inner, const double* right, std::size_t columns,
              std::size_t terms, double* sums) {
    std::size_t column = 0;
    for (; column + kColumns <= columns; column += kColumns) {
        add_tile<Rows, kColumns>(left, inner, right + column, columns, terms, sums + column);
    }
    for (; column < columns; ++column) {
        add_tile<Rows, 1>(left, inner, right + column, columns, terms, sums + column);
    }
}

}  // namespace

std::vector<double> product(std::span<const double> left, std::span<const double> right,
                            std::size_t rows, std::size_t inner, std::size_t columns) {
    std::vector<double> sums(rows * columns, 0.0);
    for (std::size_t first = 0; first < inner; first += kTerms) {
        const std::size_t terms = std::min(kTerms, inner - first);
        const double* from = right.data() + first * columns;
        std::size_t row = 0;
        for (; row + kRows <= rows; row += kRows) {
            add_rows<kRows>(left.data() + row * inner + first, inner, from, columns, terms,
                            sums.data() + row * columns);
        }
        for (; row < rows; ++row) {
            add_rows<1>(left.data() + row * inner + first, inner, from, columns, terms,
                        sums.data() + row * columns);
        }
    }
    return sums;
}

double largest_whole_sum(std::span<const double> rows, std::size_t inner) {
    double largest = 0.0;
    for (std::size_t row = 0; row + inner <= rows.size() && inner > 0; row += inner) {
        double sum = 0.0;
        bool whole = true;
        for (const double each : rows.subspan(row, inner)) {
            // Adding 2^52 leaves no place for a fraction.
            whole &= each >= 0.0 && each < 0x1p32 && (each + 0x1p52) - 0x1p52 == each;
            sum += each;
        }
        if (!whole) return -1.0;
        largest = std::max(largest, sum);
    }
    return largest;
}

}  // namespace unisono
