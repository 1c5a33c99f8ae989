#include "items/edits.hpp"

#include <algorithm>
#include <numeric>

namespace unisono {

namespace {

using Text = std::span<const std::int32_t>;

constexpr std::size_t kBits = 64;
constexpr std::size_t kBetweenChecks = 1 << 16;  // characters between two looks at the flag

// The table of edits between one text, whose characters are its rows, and others, 64 rows at a
// time: bits say where a cell is one more or one less than its neighbour. Myers (1999), A fast
// bit-vector algorithm for approximate string matching; in blocks of rows after Hyyro (2003), A
// bit-vector algorithm for computing Levenshtein and Damerau edit distances.
class Comparing {
 public:
    Comparing(const Texts& texts, const StopFlag& stop)
        : stop_(stop), places_(static_cast<std::size_t>(texts.alphabet), 0) {}

    void take(Text one) {
        one_ = one;
        if (one.size() <= kBits) take_block(one);
    }

    double distance(Text other) {
        const std::size_t longer = std::max(one_.size(), other.size());
        if (longer == 0) return 0.0;
        return static_cast<double>(edits(other)) / static_cast<double>(longer);
    }

 private:
    // Rises and falls from each row of a block to the next, in one column.
    struct Column {
        std::uint64_t rises = ~std::uint64_t{0};
        std::uint64_t falls = 0;

        // Goes one column on. The row above rises or falls there; says what the last row does.
        int step(std::uint64_t equal, std::uint64_t rise_above, std::uint64_t fall_above,
                 unsigned last) {
            const std::uint64_t vertical = equal | falls;
            const std::uint64_t matched = equal | fall_above;
            const std::uint64_t diagonal = (((matched & rises) + rises) ^ rises) | matched;
            std::uint64_t rise = falls | ~(diagonal | rises);
            std::uint64_t fall = rises & diagonal;
            const int below =
                static_cast<int>((rise >> last) & 1U) - static_cast<int>((fall >> last) & 1U);
            rise = (rise << 1) | rise_above;
            fall = (fall << 1) | fall_above;
            rises = fall | ~(vertical | rise);
            falls = rise & vertical;
            return below;
        }
    };

    std::int64_t edits(Text other) {
        if (one_.empty()) return static_cast<std::int64_t>(other.size());
        return static_cast<std::int64_t>(one_.size()) +
               (one_.size() <= kBits ? last_row(other) : last_row_of_blocks(other));
    }

    // What the last row of the table adds to its first cell, which is the length of one text.
    std::int64_t last_row(Text other) {
        const auto last = static_cast<unsigned>(one_.size() - 1);
        Column column;
        std::int64_t sum = 0;
        for (const auto character : other) sum += column.step(equal_to(character), 1, 0, last);
        look(other.size());
        return sum;
    }

    std::int64_t last_row_of_blocks(Text other) {
        steps_.assign(other.size(), 1);  // of the row above the first: one for each character
        for (std::size_t at = 0; at < one_.size(); at += kBits) {
            const Text block = one_.subspan(at, std::min(kBits, one_.size() - at));
            take_block(block);
            const auto last = static_cast<unsigned>(block.size() - 1);
            Column column;
            for (std::size_t i = 0; i < other.size(); ++i) {
                steps_[i] = static_cast<std::int8_t>(column.step(
                    equal_to(other[i]), steps_[i] > 0 ? 1U : 0U, steps_[i] < 0 ? 1U : 0U, last));
            }
            look(other.size());
        }
        return std::accumulate(steps_.begin(), steps_.end(), std::int64_t{0});
    }

    void take_block(Text block) {
        for (const auto character : block_) places_[static_cast<std::size_t>(character)] = 0;
        block_ = block;
        for (std::size_t at = 0; at < block.size(); ++at) {
            places_[static_cast<std::size_t>(block[at])] |= std::uint64_t{1} << at;
        }
    }

    [[nodiscard]] std::uint64_t equal_to(std::int32_t character) const {
        return places_[static_cast<std::size_t>(character)];
    }

    void look(std::size_t characters) {
        since_look_ += characters + 1;
        if (since_look_ < kBetweenChecks) return;
        stop_.check();
        since_look_ = 0;
    }

    const StopFlag& stop_;
    std::vector<std::uint64_t> places_;  // by character: where the block has it
    std::vector<std::int8_t> steps_;
    Text one_, block_;
    std::size_t since_look_ = 0;
};

}  // namespace

std::vector<double> edit_distances(const Texts& texts, std::span<const std::int64_t> left,
                                   std::span<const std::int64_t> right, const StopFlag& stop) {
    Comparing comparing(texts, stop);
    std::vector<double> distances(left.size());
    for (std::size_t pair = 0; pair < left.size(); ++pair) {
        comparing.take(texts.text(left[pair]));
        distances[pair] = comparing.distance(texts.text(right[pair]));
    }
    return distances;
}

std::vector<double> edit_rows(const Texts& texts, std::int64_t first, std::int64_t last,
                              const StopFlag& stop) {
    Comparing comparing(texts, stop);
    std::vector<double> distances;
    distances.reserve(static_cast<std::size_t>((last - first) * (texts.count() - first)));
    for (std::int64_t one = first; one < last; ++one) {
        comparing.take(texts.text(one));
        for (std::int64_t other = first; other < texts.count(); ++other) {
            distances.push_back(comparing.distance(texts.text(other)));
        }
    }
    return distances;
}

}  // namespace unisono
