// Products of matrices, beside sums written out: small whole numbers have no rounding.
#include "items/products.hpp"

#include "checking.hpp"

namespace unisono::testing {

void test_products() {
    std::mt19937_64 random(7);
    for (const std::size_t rows : {0U, 1U, 3U, 4U, 5U, 9U}) {
        for (const std::size_t inner : {0U, 1U, 127U, 128U, 129U, 300U}) {
            for (const std::size_t columns : {0U, 1U, 7U, 8U, 9U, 17U}) {
                std::vector<double> left(rows * inner);
                std::vector<double> right(inner * columns);
                for (double& each : left) each = static_cast<double>(random() % 100);
                for (double& each : right) each = static_cast<double>(random() % 100);
                const std::vector<double> found = product(left, right, rows, inner, columns);
                for (std::size_t row = 0; row < rows; ++row) {
                    for (std::size_t column = 0; column < columns; ++column) {
                        double sum = 0.0;
                        for (std::size_t k = 0; k < inner; ++k) {
                            sum += left[row * inner + k] * right[k * columns + column];
                        }
                        check(found[row * columns + column] == sum, "a product is its sums");
                    }
                }
            }
        }
    }
}

}  // namespace unisono::testing
