// A symmetric positive definite matrix that is zero left of its skyline, row by row.
//
// Four rows make a panel and are kept side by side, so that sixteen products are made at once.
// Every number is a sum in the order of columns, however wide the registers of the processor are.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "alignment/stop.hpp"

namespace unisono {

class Skyline {
 public:
    // `first`: by row, the first column that is not zero.
    explicit Skyline(const std::vector<std::size_t>& first)
        : rows_(first.size()), first_((first.size() + kSide - 1) / kSide) {
        begin_.resize(first_.size() + 1, 0);
        for (std::size_t p = 0; p < first_.size(); ++p) {
            const auto rows = std::span(first).subspan(kSide * p);
            first_[p] = p;
            for (const std::size_t column : rows.first(std::min(kSide, rows.size()))) {
                first_[p] = std::min(first_[p], column / kSide);
            }
            const std::size_t length = kSide * (p - first_[p] + 1);
            begin_[p + 1] = begin_[p] + kSide * length;
            work_ += static_cast<double>(kSide * length) * static_cast<double>(length);
        }
    }

    // How many numbers it has, and how many products its factors take at most.
    [[nodiscard]] std::size_t size() const { return begin_.back(); }
    [[nodiscard]] double work() const { return work_; }
    // Before anything else.
    void allocate() {
        values_.resize(size());
        inverse_.resize(kSide * first_.size());
        solution_.resize(kSide * first_.size());
    }
    void clear() {
        std::fill(values_.begin(), values_.end(), 0.0);
        // Rows that only fill the last panel.
        for (std::size_t i = rows_; i < kSide * first_.size(); ++i) add_to_diagonal(i, 1.0);
    }
    // Adds the weight at every pair of these rows, which ascend.
    void add(std::span<const std::int32_t> rows, double weight) {
        for (std::size_t a = 0; a < rows.size(); ++a) {
            double* row = row_of(static_cast<std::size_t>(rows[a]));
            for (std::size_t b = 0; b <= a; ++b) {
                row[kSide * static_cast<std::size_t>(rows[b])] += weight;
            }
        }
    }
    void add_to_diagonal(std::size_t i, double weight) { row_of(i)[kSide * i] += weight; }

    // Cholesky in place; a pivot that is all but zero (a redundant equation) is made huge, which
    // sets its unknown to zero. False when time was over.
    [[nodiscard]] bool factorise(const StopFlag& stop) {
        for (std::size_t p = 0; p < first_.size(); ++p) {
            stop.check();
            if (stop.late()) return false;
            for (std::size_t q = first_[p]; q < p; ++q) {
                Block block = block_at(p, q);
                subtract_products(p, q, block);
                divide(block, q);
                std::copy(block.begin(), block.end(), place_of(p, q));
            }
            factorise_diagonal(p);
        }
        return true;
    }

    void solve(std::vector<double>& x) {
        std::copy(x.begin(), x.end(), solution_.begin());
        std::fill(solution_.begin() + static_cast<std::ptrdiff_t>(rows_), solution_.end(), 0.0);
        for (std::size_t p = 0; p < first_.size(); ++p) forwards(p);
        for (std::size_t p = first_.size(); p-- > 0;) backwards(p);
        std::copy_n(solution_.begin(), rows_, x.begin());
    }

 private:
    static constexpr std::size_t kSide = 4;
    // Column by column.
    using Block = std::array<double, kSide * kSide>;

    // Where row i would have its column 0; columns are kSide numbers apart.
    [[nodiscard]] double* row_of(std::size_t i) {
        const std::size_t p = i / kSide;
        return values_.data() + begin_[p] - kSide * kSide * first_[p] + i % kSide;
    }
    [[nodiscard]] double* place_of(std::size_t p, std::size_t q) {
        return values_.data() + begin_[p] + kSide * kSide * (q - first_[p]);
    }
    [[nodiscard]] Block block_at(std::size_t p, std::size_t q) {
        Block block;
        std::copy_n(place_of(p, q), block.size(), block.begin());
        return block;
    }

    // Of panel p with panel q, over the columns before panel q.
    void subtract_products(std::size_t p, std::size_t q, Block& block) {
        const std::size_t from = std::max(first_[p], first_[q]);
        const double* a = place_of(p, from);
        const double* b = place_of(q, from);
        Block sums = block;
        for (std::size_t k = 0; k < kSide * (q - from); ++k, a += kSide, b += kSide) {
            for (std::size_t c = 0; c < kSide; ++c) {
                for (std::size_t r = 0; r < kSide; ++r) sums[kSide * c + r] -= a[r] * b[c];
            }
        }
        block = sums;
    }

    // By the triangle on the diagonal of panel q.
    void divide(Block& block, std::size_t q) {
        const double* triangle = place_of(q, q);
        for (std::size_t c = 0; c < kSide; ++c) {
            for (std::size_t k = 0; k < c; ++k) {
                const double factor = triangle[kSide * k + c];
                for (std::size_t r = 0; r < kSide; ++r) {
                    block[kSide * c + r] -= factor * block[kSide * k + r];
                }
            }
            const double inverse = inverse_[kSide * q + c];
            for (std::size_t r = 0; r < kSide; ++r) block[kSide * c + r] *= inverse;
        }
    }

    void factorise_diagonal(std::size_t p) {
        const Block whole = block_at(p, p);
        Block block = whole;
        subtract_products(p, p, block);
        for (std::size_t c = 0; c < kSide; ++c) {
            double& pivot = block[kSide * c + c];
            const bool is_usable = pivot > 1e-13 * whole[kSide * c + c] && pivot > 0.0;
            pivot = is_usable ? std::sqrt(pivot) : 1e64;
            const double inverse = inverse_[kSide * p + c] = 1.0 / pivot;
            for (std::size_t r = c + 1; r < kSide; ++r) block[kSide * c + r] *= inverse;
            for (std::size_t k = c + 1; k < kSide; ++k) {
                const double factor = block[kSide * c + k];
                for (std::size_t r = k; r < kSide; ++r) {
                    block[kSide * k + r] -= factor * block[kSide * c + r];
                }
            }
        }
        std::copy(block.begin(), block.end(), place_of(p, p));
    }

    void forwards(std::size_t p) {
        const double* a = place_of(p, first_[p]);
        const double* x = solution_.data() + kSide * first_[p];
        double* mine = solution_.data() + kSide * p;
        std::array<double, kSide> sums;
        std::copy_n(mine, kSide, sums.begin());
        for (; x < mine; ++x, a += kSide) {
            for (std::size_t r = 0; r < kSide; ++r) sums[r] -= a[r] * *x;
        }
        for (std::size_t c = 0; c < kSide; ++c, a += kSide) {
            mine[c] = sums[c] * inverse_[kSide * p + c];
            for (std::size_t r = c + 1; r < kSide; ++r) sums[r] -= a[r] * mine[c];
        }
    }

    void backwards(std::size_t p) {
        double* mine = solution_.data() + kSide * p;
        const double* triangle = place_of(p, p);
        for (std::size_t c = kSide; c-- > 0;) {
            for (std::size_t r = c + 1; r < kSide; ++r) {
                mine[c] -= triangle[kSide * c + r] * mine[r];
            }
            mine[c] *= inverse_[kSide * p + c];
        }
        const double* a = place_of(p, first_[p]);
        for (double* x = solution_.data() + kSide * first_[p]; x < mine; ++x, a += kSide) {
            *x -= (a[0] * mine[0] + a[1] * mine[1]) + (a[2] * mine[2] + a[3] * mine[3]);
        }
    }

    std::size_t rows_;
    // By panel: the first panel of columns that is not zero, and where its numbers begin.
    std::vector<std::size_t> first_, begin_;
    std::vector<double> values_;
    std::vector<double> inverse_;   // of the diagonal
    std::vector<double> solution_;  // of the system at hand, with the rows that only fill
    double work_ = 0.0;
};

}  // namespace unisono
