// A table of text, read block by block: its columns as numbers and as codes of distinct texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tables/codebook.hpp"
#include "tables/table_rows.hpp"

namespace unisono {

// What is done with a column. Any other number is the codebook of its texts, counted from 0;
// columns may share one.
constexpr std::int32_t kIgnoredColumn = -1;
constexpr std::int32_t kNumberColumn = -2;
constexpr std::int32_t kPositionColumn = -3;  // numbers or clock times

constexpr std::size_t kAllTexts = std::numeric_limits<std::size_t>::max();

constexpr std::int32_t kBlank = -1;  // the code of a cell of nothing but white space

struct FlawedRow {
    std::int64_t line = 0;
    std::string_view text;  // kept until the next block
    Flaw flaw = Flaw::kNone;
    std::size_t column = 0;
};

// Whether the numbers of a column are written as decimals or as clock times.
enum class NumberForm : std::uint8_t { kUnknown, kDecimal, kClock };

// White space around a cell does not count, and rows of blank cells are left out, unless they are
// kept (if they have as many cells as the others). A row that has a flaw is listed and is no row of
// the columns.
class TableReader {
 public:
    TableReader(std::string_view delimiter, RowLimits limits);

    // The next part of the text. Until the columns are chosen, rows are looked at only as far as
    // the first one that is not blank.
    void feed(std::string_view block, bool is_last);

    // The cells of the first row that is not blank, once it was found.
    [[nodiscard]] const std::optional<std::vector<std::string>>& first() const { return first_; }
    [[nodiscard]] std::int64_t first_line() const { return first_line_; }
    // How many lines were read so far.
    [[nodiscard]] std::int64_t lines() const { return line_ - 1; }

    // Leaves out the first row, such as a title above the table, and looks for the next one.
    void skip_first();

    // Says what is done with each column, after the first row was found; then reads on as far as
    // the text is known. Codebooks from number `limited` on, and the codes of their columns, are
    // given up once they have more than `most_texts` texts.
    void choose(std::vector<std::int32_t> columns, bool takes_first, bool keeps_blank,
                std::size_t limited = kAllTexts, std::size_t most_texts = kAllTexts);

    [[nodiscard]] std::size_t columns() const { return columns_.size(); }

    // Of the last block: the columns, each to be taken once, and rows with flaws.
    [[nodiscard]] std::vector<double>& numbers(std::size_t column) { return numbers_[column]; }
    [[nodiscard]] std::vector<std::int32_t>& codes(std::size_t column) { return codes_[column]; }
    [[nodiscard]] const std::vector<FlawedRow>& flawed() const { return flawed_; }
    [[nodiscard]] std::string_view row_text(std::int64_t row);

    [[nodiscard]] std::int64_t rows_before() const { return rows_before_; }

    // Of all blocks so far; rows are counted from 0.
    [[nodiscard]] std::int64_t rows() const { return rows_; }
    [[nodiscard]] std::int64_t line_of(std::int64_t row) const;
    [[nodiscard]] const Codebook& book(std::size_t number) const { return books_[number]; }
    [[nodiscard]] std::size_t books() const { return books_.size(); }
    // Whether decimals have a point or a comma: '\0' as long as there are none.
    [[nodiscard]] char mark() const { return mark_; }
    [[nodiscard]] NumberForm form(std::size_t column) const { return forms_[column]; }

 private:
    void read_rows();
    void take_row();
    bool take_numbers();
    [[nodiscard]] bool is_stray(std::size_t column, std::string_view text) const;
    void drop_row();
    void list(Flaw flaw, std::size_t column);
    [[nodiscard]] bool is_blank();
    [[nodiscard]] std::string_view cell(std::size_t column);

    RowScanner scanner_;
    RowLimits limits_;
    bool may_have_comma_;
    bool is_last_ = false;
    bool is_broken_ = false;  // nothing that follows can be trusted
    std::string text_;        // of the last block, after what was left of the one before
    std::size_t used_ = 0;    // of the text
    std::int64_t line_ = 1;

    std::optional<std::vector<std::string>> first_;
    std::int64_t first_line_ = 0;
    bool has_columns_ = false;
    std::vector<std::int32_t> columns_;
    bool keeps_blank_ = false;

    std::vector<Codebook> books_;
    std::size_t limited_ = 0;
    std::size_t most_texts_ = 0;
    bool has_stray_ = false;  // whether a cell had a stray quotation mark
    char mark_ = '\0';
    std::vector<NumberForm> forms_;
    std::int64_t rows_ = 0;
    // Where a row does not begin on the line after that of the row before: the row, and its line.
    std::vector<std::pair<std::int64_t, std::int64_t>> jumps_;

    std::vector<std::vector<double>> numbers_;
    std::vector<std::vector<std::int32_t>> codes_;
    std::vector<FlawedRow> flawed_;
    std::int64_t rows_before_ = 0;     // the block
    std::vector<std::size_t> starts_;  // of the rows of the block, in the text
    std::vector<double> row_numbers_;  // of one row
};

}  // namespace unisono
