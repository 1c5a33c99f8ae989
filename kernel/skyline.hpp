// A symmetric positive definite matrix that is zero left of its skyline, row by row.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace unisono {

class Skyline {
 public:
    explicit Skyline(std::vector<std::size_t> first) : first_(std::move(first)) {
        begin_.resize(first_.size() + 1, 0);
        for (std::size_t i = 0; i < first_.size(); ++i) {
            const std::size_t length = i - first_[i] + 1;
            begin_[i + 1] = begin_[i] + length;
            work_ += static_cast<double>(length) * static_cast<double>(length);
        }
    }

    // How many numbers it has, and how many products its factors take at most.
    [[nodiscard]] std::size_t size() const { return begin_.back(); }
    [[nodiscard]] double work() const { return work_; }
    // Before anything else.
    void allocate() { values_.resize(begin_.back()); }
    void clear() { std::fill(values_.begin(), values_.end(), 0.0); }
    // Adds the weight at every pair of these rows, which ascend.
    void add(std::span<const std::int32_t> rows, double weight) {
        for (std::size_t a = 0; a < rows.size(); ++a) {
            const auto i = static_cast<std::size_t>(rows[a]);
            double* row = values_.data() + begin_[i] - first_[i];
            for (std::size_t b = 0; b <= a; ++b) row[rows[b]] += weight;
        }
    }
    void add_to_diagonal(std::size_t i, double weight) { values_[begin_[i + 1] - 1] += weight; }

    // Cholesky in place; a pivot that is all but zero (a redundant equation) is made huge, which
    // sets its unknown to zero.
    void factorise() {
        for (std::size_t i = 0; i < first_.size(); ++i) {
            double* row = values_.data() + begin_[i];
            for (std::size_t j = first_[i]; j < i; ++j) {
                const std::size_t from = std::max(first_[i], first_[j]);
                const double* a = row + (from - first_[i]);
                const double* b = values_.data() + begin_[j] + (from - first_[j]);
                const double sum = row[j - first_[i]] - product(a, b, j - from);
                row[j - first_[i]] = sum / values_[begin_[j + 1] - 1];
            }
            double pivot = row[i - first_[i]];
            const double whole = pivot;
            pivot -= product(row, row, i - first_[i]);
            row[i - first_[i]] = pivot > 1e-13 * whole && pivot > 0.0 ? std::sqrt(pivot) : 1e64;
        }
    }

    void solve(std::vector<double>& x) const {
        for (std::size_t i = 0; i < first_.size(); ++i) {
            const double* row = values_.data() + begin_[i];
            double sum = x[i];
            for (std::size_t j = first_[i]; j < i; ++j) sum -= row[j - first_[i]] * x[j];
            x[i] = sum / row[i - first_[i]];
        }
        for (std::size_t i = first_.size(); i-- > 0;) {
            const double* row = values_.data() + begin_[i];
            x[i] /= row[i - first_[i]];
            for (std::size_t j = first_[i]; j < i; ++j) x[j] -= row[j - first_[i]] * x[i];
        }
    }

 private:
    // Four sums at once, always in this order.
    static double product(const double* a, const double* b, std::size_t count) {
        double sums[4] = {0.0, 0.0, 0.0, 0.0};
        std::size_t k = 0;
        for (; k + 4 <= count; k += 4) {
            for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += a[k + lane] * b[k + lane];
        }
        for (; k < count; ++k) sums[0] += a[k] * b[k];
        return (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }

    std::vector<std::size_t> first_, begin_;
    std::vector<double> values_;
    double work_ = 0.0;
};

}  // namespace unisono
