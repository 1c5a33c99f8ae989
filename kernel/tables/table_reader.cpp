#include "tables/table_reader.hpp"

#include <algorithm>

#include "tables/decimal.hpp"
#include "tables/utf8.hpp"

namespace unisono {

namespace {

std::string_view without_line_end(std::string_view row) {
    while (!row.empty() && (row.back() == '\n' || row.back() == '\r')) row.remove_suffix(1);
    return row;
}

// A number that is not written as the numbers above it: it decides the form, or is none.
std::optional<Decimal> in_form(std::optional<Decimal> number, std::string_view text,
                               NumberForm& form) {
    const NumberForm own = number ? NumberForm::kDecimal : NumberForm::kClock;
    if (!number) number = read_clock_time(text);
    if (!number || (form != NumberForm::kUnknown && form != own)) return std::nullopt;
    form = own;
    return number;
}

bool has_odd_quotes(std::string_view text) {
    return std::count(text.begin(), text.end(), '"') % 2 == 1;
}

}  // namespace

TableReader::TableReader(std::string_view delimiter, RowLimits limits)
    : scanner_(delimiter, limits), limits_(limits), may_have_comma_(delimiter != ",") {}

void TableReader::feed(std::string_view block, bool is_last) {
    text_.erase(0, used_);
    used_ = 0;
    if (!is_broken_) text_ += block;
    is_last_ = is_last;
    read_rows();
}

void TableReader::skip_first() {
    used_ += scanner_.size();
    line_ += scanner_.lines();
    first_.reset();
    read_rows();
}

void TableReader::choose(std::vector<std::int32_t> columns, bool takes_first, bool keeps_blank,
                         std::size_t limited, std::size_t most_texts) {
    columns_ = std::move(columns);
    keeps_blank_ = keeps_blank;
    limited_ = limited;
    most_texts_ = most_texts;
    has_columns_ = true;
    std::int32_t books = 0;
    for (const std::int32_t column : columns_) books = std::max(books, column + 1);
    books_.resize(static_cast<std::size_t>(books));
    numbers_.resize(columns_.size());
    codes_.resize(columns_.size());
    forms_.resize(columns_.size());
    if (!takes_first) {
        used_ += scanner_.size();
        line_ += scanner_.lines();
    }
    read_rows();
}

void TableReader::read_rows() {
    for (std::vector<double>& column : numbers_) column.clear();
    for (std::vector<std::int32_t>& column : codes_) column.clear();
    flawed_.clear();
    starts_.clear();
    rows_before_ = rows_;
    while (used_ < text_.size() && !is_broken_) {
        const std::string_view rest = std::string_view(text_).substr(used_);
        if (!scanner_.next(rest, is_last_)) {
            if (rest.size() > limits_.row && count_characters(rest) > limits_.row) {
                list(Flaw::kLongRow, 0);
                is_broken_ = true;
            }
            break;
        }
        const Flaw flaw = scanner_.flaw();
        is_broken_ = flaw != Flaw::kNone && flaw != Flaw::kAfterQuote;
        if (!has_columns_ && flaw == Flaw::kNone && !is_blank()) {
            first_.emplace();
            first_line_ = line_;
            for (std::size_t at = 0; at < scanner_.cells().size(); ++at) {
                first_->emplace_back(cell(at));
            }
            break;  // it may be a row of the columns too
        }
        if (flaw != Flaw::kNone) {
            list(flaw, scanner_.flaw_column());
            is_broken_ = is_broken_ || !has_columns_;
        } else if (has_columns_) {
            take_row();
        }
        used_ += scanner_.size();
        line_ += scanner_.lines();
    }
    if (!is_utf8(std::string_view(text_).substr(0, used_))) {
        flawed_.clear();
        list(Flaw::kEncoding, 0);
        is_broken_ = true;
    }
}

void TableReader::take_row() {
    const std::vector<RowCell>& cells = scanner_.cells();
    const bool is_whole = cells.size() == columns_.size();
    if (!(keeps_blank_ && is_whole) && is_blank()) return;
    if (!is_whole) return list(Flaw::kWidth, 0);
    if (!take_numbers()) return;
    std::size_t number = 0;
    for (std::size_t at = 0; at < columns_.size(); ++at) {
        if (columns_[at] <= kNumberColumn) {
            numbers_[at].push_back(row_numbers_[number++]);
        } else if (columns_[at] != kIgnoredColumn) {
            const auto book = static_cast<std::size_t>(columns_[at]);
            const std::size_t known = books_[book].size();
            if (book >= limited_ && known > most_texts_) continue;
            const std::string_view text = cell(at);
            const std::int32_t code = text.empty() ? kBlank : books_[book].code(text);
            codes_[at].push_back(code);
            const bool is_new = code == static_cast<std::int64_t>(known);
            if ((is_new || has_stray_) && book < limited_ && is_stray(at, text)) {
                has_stray_ = true;
                list(Flaw::kStrayQuote, at);
                return drop_row();
            }
        }
    }
    if (jumps_.empty() || jumps_.back().second + rows_ - jumps_.back().first != line_) {
        jumps_.emplace_back(rows_, line_);
    }
    starts_.push_back(used_);
    ++rows_;
}

// Whether a cell that is not quoted has a stray quotation mark. Texts that are known are looked at
// only after one was found.
bool TableReader::is_stray(std::size_t column, std::string_view text) const {
    return !scanner_.cells()[column].is_quoted && has_odd_quotes(text);
}

// Takes back what was kept of a row.
void TableReader::drop_row() {
    const std::size_t kept = starts_.size();
    for (std::vector<double>& column : numbers_) column.resize(std::min(column.size(), kept));
    for (std::vector<std::int32_t>& column : codes_) column.resize(std::min(column.size(), kept));
}

// Reads all numbers of a row before anything of it is kept.
bool TableReader::take_numbers() {
    row_numbers_.clear();
    for (std::size_t at = 0; at < columns_.size(); ++at) {
        if (columns_[at] > kNumberColumn) continue;
        std::optional<Decimal> number = read_decimal(cell(at));
        if (number ? forms_[at] != NumberForm::kDecimal : columns_[at] == kPositionColumn) {
            number = in_form(number, cell(at), forms_[at]);
        }
        const char mark = number ? number->mark : '\0';
        const bool is_comma_where_none_is = mark == ',' && !may_have_comma_;
        if (!number || is_comma_where_none_is || (mark != '\0' && mark_ != '\0' && mark != mark_)) {
            list(Flaw::kNumber, at);
            return false;
        }
        if (mark != '\0') mark_ = mark;
        row_numbers_.push_back(number->value);
    }
    return true;
}

std::string_view TableReader::cell(std::size_t column) {
    return without_outer_space(scanner_.content(scanner_.cells()[column]));
}

bool TableReader::is_blank() {
    for (std::size_t at = 0; at < scanner_.cells().size(); ++at) {
        if (!cell(at).empty()) return false;
    }
    return true;
}

void TableReader::list(Flaw flaw, std::size_t column) {
    const std::string_view row = std::string_view(text_).substr(used_, scanner_.size());
    flawed_.push_back({line_, without_line_end(row), flaw, column});
}

std::string_view TableReader::row_text(std::int64_t row) {
    const std::size_t start = starts_[static_cast<std::size_t>(row - rows_before_)];
    const std::string_view rest = std::string_view(text_).substr(start);
    scanner_.next(rest, is_last_);
    return without_line_end(rest.substr(0, scanner_.size()));
}

std::int64_t TableReader::line_of(std::int64_t row) const {
    const auto after =
        std::upper_bound(jumps_.begin(), jumps_.end(), row,
                         [](std::int64_t number, const auto& jump) { return number < jump.first; });
    const auto& [first, line] = *(after - 1);
    return line + row - first;
}

}  // namespace unisono
