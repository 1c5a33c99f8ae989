// Rows of delimited text as RFC 4180 has them, with any character between cells.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unisono {

// What is wrong with a row.
enum class Flaw : std::uint8_t {
    kNone,
    kWidth,       // not as many cells as columns
    kNumber,      // a cell that is not a number, in a column of numbers
    kAfterQuote,  // text after a closing quotation mark
    kOpenQuote,   // a quotation mark that is never closed
    kLongCell,
    kLongRow,
    kEncoding,    // not UTF-8, in this row or soon after
    kStrayQuote,  // an odd number of quotation marks in a cell that does not begin with one
};

struct RowCell {
    const char* begin = nullptr;  // behind the opening quotation mark, if it has one
    const char* end = nullptr;
    bool has_doubled_quotes = false;
    bool is_quoted = false;
};

struct RowLimits {
    std::size_t cell = 0;  // characters
    std::size_t row = 0;
};

// Takes rows from a text, one after the other. Spaces before a cell do not count; quotation marks
// within a cell that does not begin with one are text; lines end with LF, CR LF or CR.
class RowScanner {
 public:
    RowScanner(std::string_view delimiter, RowLimits limits);

    // Takes the row at the beginning of a text; false if it goes on behind the end of the text,
    // which is not the last one.
    bool next(std::string_view text, bool is_last);

    // Of the row taken last. After text behind a closing quotation mark, quotation marks are text
    // and the row ends with its line; after other flaws nothing that follows can be trusted.
    [[nodiscard]] const std::vector<RowCell>& cells() const { return cells_; }
    [[nodiscard]] std::size_t size() const { return size_; }  // with its line end
    [[nodiscard]] std::int64_t lines() const { return lines_; }
    [[nodiscard]] Flaw flaw() const { return flaw_; }
    [[nodiscard]] std::size_t flaw_column() const { return flaw_column_; }

    // The text of a cell; it is kept until the next one is asked for.
    std::string_view content(const RowCell& cell);

 private:
    // Take a cell and return where it ends: at a delimiter, a line end or the end of the text;
    // null if it may go on behind the end of the text.
    const char* take_quoted(const char* at, const char* end, bool is_last);
    const char* take_plain(const char* begin, const char* at, const char* end);
    void note(Flaw flaw);

    std::string delimiter_;
    RowLimits limits_;
    std::array<bool, 256> ends_cell_{};
    std::vector<RowCell> cells_;
    std::size_t size_ = 0;
    std::int64_t lines_ = 0;
    Flaw flaw_ = Flaw::kNone;
    std::size_t flaw_column_ = 0;
    std::string unquoted_;
};

// The cells of each row, without white space around them, whatever flaws they have.
std::vector<std::vector<std::string>> split_rows(std::string_view text, std::string_view delimiter);

}  // namespace unisono
