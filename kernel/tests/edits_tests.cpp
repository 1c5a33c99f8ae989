// Edit distances, beside the whole table of the definition.
#include "items/edits.hpp"

#include <algorithm>

#include "checking.hpp"

namespace unisono::testing {

namespace {

double by_the_table(std::span<const std::int32_t> one, std::span<const std::int32_t> other) {
    std::vector<int> row(other.size() + 1);
    for (std::size_t j = 0; j <= other.size(); ++j) row[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= one.size(); ++i) {
        int diagonal = row[0]++;
        for (std::size_t j = 1; j <= other.size(); ++j) {
            const int substituted = diagonal + (one[i - 1] != other[j - 1] ? 1 : 0);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
        }
    }
    const std::size_t longer = std::max(one.size(), other.size());
    return longer == 0 ? 0.0 : static_cast<double>(row.back()) / static_cast<double>(longer);
}

}  // namespace

void test_edits() {
    std::mt19937_64 random(19990301);
    constexpr std::array<std::size_t, 9> kLengths = {0, 1, 5, 63, 64, 65, 127, 128, 129};
    const StopFlag stop;
    for (int round = 0; round < 20; ++round) {
        std::vector<std::int32_t> characters;
        std::vector<std::int64_t> offsets = {0};
        for (const std::size_t length : kLengths) {
            for (std::size_t i = 0; i < length; ++i) {
                characters.push_back(static_cast<std::int32_t>(random() % 3));
            }
            offsets.push_back(static_cast<std::int64_t>(characters.size()));
        }
        const Texts texts{characters, offsets, 3};
        const std::vector<double> rows = edit_rows(texts, 0, texts.count(), stop);
        std::vector<std::int64_t> left;
        std::vector<std::int64_t> right;
        std::vector<double> expected;
        for (std::int64_t i = 0; i < texts.count(); ++i) {
            for (std::int64_t j = 0; j < texts.count(); ++j) {
                left.push_back(i);
                right.push_back(j);
                expected.push_back(by_the_table(texts.text(i), texts.text(j)));
            }
        }
        const std::string name = "edits, round " + std::to_string(round);
        check(rows == expected, name + ": rows");
        check(edit_distances(texts, left, right, stop) == expected, name + ": pairs");
        const std::vector<double> some = edit_rows(texts, 4, 6, stop);
        const auto count = static_cast<std::size_t>(texts.count());
        check(some.size() == 2 * (count - 4) &&
                  std::equal(some.begin() + static_cast<std::ptrdiff_t>(count - 4), some.end(),
                             expected.begin() + static_cast<std::ptrdiff_t>(5 * count + 4)),
              name + ": some rows");
    }
}

}  // namespace unisono::testing
