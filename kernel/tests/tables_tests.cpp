// Tables of text, beside a reader that takes one character at a time; and any bytes at all.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "checking.hpp"
#include "tables/codebook.hpp"
#include "tables/decimal.hpp"
#include "tables/table_reader.hpp"
#include "tables/utf8.hpp"

namespace unisono::testing {

using namespace std::string_view_literals;

namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

struct SlowRow {
    std::vector<std::string> cells;
    std::int64_t line = 0;
    Flaw flaw = Flaw::kNone;
};

// Rows as RFC 4180 has them, by the states of Python's csv module. After text behind a closing
// quotation mark the rest of the line belongs to the row, after an open quotation mark all.
std::vector<SlowRow> slow_rows(const std::string& text, char delimiter) {
    enum class State { kRowStart, kCellStart, kPlain, kQuoted, kQuoteInQuoted, kBroken };
    std::vector<SlowRow> rows;
    SlowRow row{{}, 1, Flaw::kNone};
    std::string cell;
    State state = State::kRowStart;
    std::int64_t line = 1;
    const auto end_row = [&] {
        if (state == State::kCellStart || state == State::kPlain ||
            state == State::kQuoteInQuoted) {
            row.cells.push_back(cell);
        }
        rows.push_back(row);
        cell.clear();
        state = State::kRowStart;
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char letter = text[at];
        if (state == State::kRowStart) row = {{}, line, Flaw::kNone};
        const bool ends_line = letter == '\n' || letter == '\r';
        const bool is_pair = letter == '\r' && at + 1 < text.size() && text[at + 1] == '\n';
        if (ends_line) ++line;
        if (state == State::kQuoted) {
            if (letter == '"') {
                state = State::kQuoteInQuoted;
            } else {
                cell += letter;
                if (is_pair) cell += text[++at];
            }
            continue;
        }
        if (ends_line) {
            if (is_pair) ++at;
            end_row();
        } else if (state == State::kBroken) {
            continue;
        } else if (state == State::kQuoteInQuoted && letter == '"') {
            cell += letter;
            state = State::kQuoted;
        } else if ((state == State::kRowStart || state == State::kCellStart) && letter == '"') {
            state = State::kQuoted;
        } else if ((state == State::kRowStart || state == State::kCellStart) && letter == ' ') {
            state = State::kCellStart;
        } else if (letter == delimiter) {
            row.cells.push_back(cell);
            cell.clear();
            state = State::kCellStart;
        } else if (state == State::kQuoteInQuoted) {
            row.flaw = Flaw::kAfterQuote;
            state = State::kBroken;
        } else {
            cell += letter;
            state = State::kPlain;
        }
    }
    if (state == State::kQuoted) row.flaw = Flaw::kOpenQuote;
    if (state != State::kRowStart) end_row();
    return rows;
}

std::string random_text(std::string_view alphabet, std::size_t most, std::mt19937_64& random) {
    std::string text;
    for (std::size_t left = random() % (most + 1); left > 0; --left) {
        text += alphabet[random() % alphabet.size()];
    }
    return text;
}

struct Read {
    std::vector<SlowRow> rows;
    std::vector<FlawedRow> flawed;
};

// Reads a text in pieces; every row without flaw is a row of cells, blank ones kept.
Read read_in_pieces(std::string_view text, char delimiter, std::mt19937_64& random) {
    TableReader reader(std::string_view(&delimiter, 1), {kNoLimit, kNoLimit});
    Read read;
    std::vector<std::vector<std::int32_t>> codes;
    std::vector<std::int64_t> lines;
    bool has_columns = false;
    const auto take = [&] {
        read.flawed.insert(read.flawed.end(), reader.flawed().begin(), reader.flawed().end());
        if (!has_columns) return;
        for (std::size_t column = 0; column < reader.columns(); ++column) {
            const std::vector<std::int32_t>& block = reader.codes(column);
            codes[column].insert(codes[column].end(), block.begin(), block.end());
        }
        for (std::int64_t row = reader.rows_before(); row < reader.rows(); ++row) {
            check(!reader.row_text(row).empty() || reader.columns() == 1, "a row has a text");
        }
    };
    for (;;) {
        const std::size_t size = std::min<std::size_t>(text.size(), random() % 9);
        const bool is_last = size == text.size();
        reader.feed(text.substr(0, size), is_last);
        text.remove_prefix(size);
        if (!has_columns && reader.first()) {
            std::vector<std::int32_t> books(reader.first()->size());
            for (std::size_t at = 0; at < books.size(); ++at) {
                books[at] = static_cast<std::int32_t>(at);
            }
            codes.resize(books.size());
            has_columns = true;
            // Stray quotation marks are not refused in limited codebooks.
            reader.choose(std::move(books), true, true, 0);
        }
        take();
        if (is_last) break;
    }
    for (std::int64_t row = 0; row < reader.rows(); ++row) {
        SlowRow& found = read.rows.emplace_back();
        found.line = reader.line_of(row);
        for (std::size_t column = 0; column < codes.size(); ++column) {
            const std::int32_t code = codes[column][static_cast<std::size_t>(row)];
            found.cells.emplace_back(
                code == kBlank ? "" : reader.book(column).text(static_cast<std::size_t>(code)));
        }
    }
    return read;
}

bool is_blank(const SlowRow& row) {
    return std::all_of(row.cells.begin(), row.cells.end(),
                       [](const std::string& cell) { return without_outer_space(cell).empty(); });
}

void test_rows_of_cells() {
    std::mt19937_64 random(11);
    for (int times = 0; times < 20'000; ++times) {
        const char delimiter = ",;\t x"[random() % 5];
        const std::string text = random_text("ab\"\" \n\r,;\tx", 24, random);
        const std::vector<SlowRow> slow = slow_rows(text, delimiter);
        const Read read = read_in_pieces(text, delimiter, random);
        std::size_t at = 0;
        std::size_t flaw = 0;
        std::size_t width = 0;
        bool holds = true;
        for (const SlowRow& row : slow) {
            if (row.flaw == Flaw::kNone && width == 0 && !is_blank(row)) width = row.cells.size();
            const bool is_ragged =
                row.flaw == Flaw::kNone && width > 0 && row.cells.size() != width && !is_blank(row);
            if (row.flaw != Flaw::kNone || is_ragged) {
                const Flaw expected = is_ragged ? Flaw::kWidth : row.flaw;
                holds = holds && flaw < read.flawed.size() && read.flawed[flaw].flaw == expected &&
                        read.flawed[flaw].line == row.line;
                ++flaw;
                // The first row that holds something must be whole.
                if (width == 0) break;
            } else if (width > 0 && row.cells.size() == width) {
                std::vector<std::string> cells;
                for (const std::string& cell : row.cells) {
                    cells.emplace_back(without_outer_space(cell));
                }
                holds = holds && at < read.rows.size() && read.rows[at].cells == cells &&
                        read.rows[at].line == row.line;
                ++at;
            }
        }
        holds = holds && at == read.rows.size() && flaw == read.flawed.size();
        check(holds, "rows of the text " + text);
    }
}

void test_numbers() {
    std::mt19937_64 random(12);
    const auto check_number = [](const std::string& text) {
        const std::optional<Decimal> found = read_decimal(text);
        std::string with_point = text;
        std::replace(with_point.begin(), with_point.end(), ',', '.');
        const bool is_plain = !with_point.empty() &&
                              with_point.find_first_not_of("0123456789+-.eE") == std::string::npos;
        char* end = nullptr;
        const double value = std::strtod(with_point.c_str(), &end);
        const bool is_number = is_plain && end == with_point.c_str() + with_point.size();
        check(found.has_value() == is_number, "a number or not: " + text);
        if (!found || !is_number) return;
        check(std::memcmp(&found->value, &value, sizeof value) == 0, "the nearest double: " + text);
        const std::size_t mark = text.find_first_of(".,");
        check(found->mark == (mark == std::string::npos ? '\0' : text[mark]), "its mark: " + text);
    };
    for (int times = 0; times < 50'000; ++times) {
        check_number(random_text("0123456789.,-+eE", 12, random));
        check_number(random_text("0123456789", 25, random) + "." +
                     random_text("0123456789", 25, random));
        double value = 0.0;
        const std::uint64_t bits = random();
        std::memcpy(&value, &bits, sizeof value);
        char written[64];
        std::snprintf(written, sizeof written, "%.*g", static_cast<int>(random() % 20), value);
        if (std::strchr(written, 'n') == nullptr) check_number(written);
    }
    for (const char* text : {"1e400",
                             "-1e400",
                             "1e-400",
                             "5e-324",
                             "2e-324",
                             "2.2250738585072011e-308",
                             "1.7976931348623159e308",
                             "9007199254740993",
                             "0e99999999999",
                             "1e99999999999999999999",
                             "123456789012345678901234567890e-30",
                             "-0",
                             "0.000000000000000000000000000001e30",
                             "",
                             ".",
                             "-",
                             "+.",
                             "1e",
                             "1e+",
                             "e1",
                             "nan",
                             "inf",
                             "0x1p3",
                             "1.2.3",
                             "1 ",
                             "--1",
                             "1,5"}) {
        check_number(text);
    }
    check(read_clock_time("1:02:03,25")->value == 3723.25, "hours, minutes and seconds");
    check(read_clock_time("90:00")->value == 5400.0, "minutes may be more than an hour");
    for (const char* text : {"", ":", "1", "1:2", "1:60", "1:02:3", ":30", "1:02:03:04", "1:-2"}) {
        check(!read_clock_time(text), "no clock time");
    }
    check(read_decimal(std::string(400, '9'))->value == std::numeric_limits<double>::infinity(),
          "a number beyond all doubles");
}

void test_codebooks() {
    std::mt19937_64 random(13);
    for (int times = 0; times < 50; ++times) {
        Codebook book;
        std::map<std::string, std::int32_t> known;
        const std::size_t longest = random() % 24;
        const std::string start = random_text("ab", 9, random);
        for (int texts = 0; texts < 500; ++texts) {
            const std::string text = start + random_text("ab\xC3\xA9", longest, random);
            const auto fresh = static_cast<std::int32_t>(known.size());
            const std::int32_t code = known.emplace(text, fresh).first->second;
            check(book.code(text) == code, "the code of a text");
            check(book.text(static_cast<std::size_t>(code)) == text, "the text of a code");
        }
        std::vector<std::int32_t> in_order;
        for (const auto& [text, code] : known) in_order.push_back(code);
        check(book.in_order() == in_order, "texts in their order");
    }
}

void test_white_space() {
    check(without_outer_space(" \t\r\n\x0b\x0c\x1c\x1f a b\x85\xc2\x85\xe3\x80\x80 ") == "a b\x85",
          "white space as Python has it");
    check(without_outer_space("\xe2\x80\x8b").size() == 3, "a space of no width is text");
    check(without_outer_space("\x80\x80").size() == 2, "what is no character is text");
    check(is_utf8("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 and eight more"), "characters");
    for (const char* text : {"\xc3", "\xa9", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                             "\xe0\x80\x80", "12345678\xff", "\xf0\x8f\xbf\xbf", "\xe2\x82"}) {
        check(!is_utf8(text), "what is no UTF-8");
    }
}

void test_limits_of_cells_and_rows() {
    const auto flaw_of = [](std::string_view text, RowLimits limits) {
        TableReader reader(",", limits);
        for (const char& letter : text) {
            reader.feed(std::string_view(&letter, 1), &letter == &text.back());
            if (!reader.flawed().empty()) return reader.flawed().front().flaw;
        }
        return Flaw::kNone;
    };
    check(flaw_of("\xc3\xa9\xc3\xa9,a", {2, 99}) == Flaw::kNone, "characters are counted");
    check(flaw_of("a,abc", {2, 99}) == Flaw::kLongCell, "a long cell");
    check(flaw_of("a,\"abc\"", {2, 99}) == Flaw::kLongCell, "a long cell in quotation marks");
    check(flaw_of("a,\"ab\n", {2, 99}) == Flaw::kLongCell, "a long cell that is not closed");
    check(flaw_of("a,b,c,d,e", {99, 6}) == Flaw::kLongRow, "a long row");
    check(flaw_of("\"a\n\n\n\n\"\n", {99, 6}) == Flaw::kLongRow, "a long row of short lines");
    check(flaw_of("a,b\n", {99, 6}) == Flaw::kNone, "a short row");
}

// Any bytes: nothing is read that is not there, and what is read can be looked at.
void test_any_bytes() {
    std::mt19937_64 random(14);
    const std::array alphabets = {"a1.,;\"\" \n\r\t\0\xc3\xa9\xe3\x80\x80\xff-e"sv, "\",\n "sv,
                                  "12,\n"sv};
    for (int times = 0; times < 20'000; ++times) {
        const std::string text = random_text(alphabets[random() % alphabets.size()], 60, random);
        const std::string delimiter = random() % 4 == 0 ? "\xc3\xa9" : ",";
        TableReader reader(delimiter, {random() % 20, random() % 60});
        bool has_columns = false;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t size = std::min<std::size_t>(text.size() - at, 1 + random() % 20);
            reader.feed(std::string_view(text).substr(at, size), at + size == text.size());
            at += size;
            if (!has_columns && reader.first()) {
                std::vector<std::int32_t> columns;
                for (std::size_t column = 0; column < reader.first()->size(); ++column) {
                    columns.push_back(static_cast<std::int32_t>(random() % 4) - 2);
                }
                reader.choose(std::move(columns), random() % 2 == 0, random() % 2 == 0);
                has_columns = true;
            }
            for (const FlawedRow& row : reader.flawed()) {
                check(row.line >= 1 && row.text.size() <= text.size(), "a flaw has a place");
            }
            for (std::int64_t row = reader.rows_before(); row < reader.rows(); ++row) {
                check(reader.line_of(row) >= reader.first_line(), "a row has a line");
                check(reader.row_text(row).size() <= text.size(), "a row has a text");
            }
        }
        for (std::size_t book = 0; book < reader.books(); ++book) {
            check(reader.book(book).in_order().size() == reader.book(book).size(), "an order");
        }
        check(split_rows(text, delimiter).empty() == text.empty(), "a text has rows");
        check(!read_decimal(text) || text.find('a') == std::string::npos, "no number has letters");
        check(without_outer_space(text).size() <= text.size(), "a part of the text");
    }
}

}  // namespace

void test_tables() {
    test_rows_of_cells();
    test_numbers();
    test_codebooks();
    test_white_space();
    test_limits_of_cells_and_rows();
    test_any_bytes();
}

}  // namespace unisono::testing
