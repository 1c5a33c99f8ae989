#include "tables/table_rows.hpp"

#include <limits>

#include "tables/utf8.hpp"

namespace unisono {

namespace {

constexpr unsigned char byte(char letter) {
    return static_cast<unsigned char>(letter);
}

constexpr bool ends_line(char letter) {
    return letter == '\n' || letter == '\r';
}

bool has_more_characters(const char* begin, const char* end, std::size_t limit) {
    const std::string_view text(begin, static_cast<std::size_t>(end - begin));
    return text.size() > limit && count_characters(text) > limit;
}

// Where the next line begins, for a place at a line end; null if the line end may go on behind
// the end of the text.
const char* next_line(const char* at, const char* end, bool is_last) {
    if (*at == '\r') {
        if (at + 1 == end) return is_last ? end : nullptr;
        if (at[1] == '\n') ++at;
    }
    return at + 1;
}

}  // namespace

RowScanner::RowScanner(std::string_view delimiter, RowLimits limits)
    : delimiter_(delimiter), limits_(limits) {
    ends_cell_[byte('\n')] = ends_cell_[byte('\r')] = ends_cell_[byte(delimiter.front())] = true;
}

void RowScanner::note(Flaw flaw) {
    if (flaw_ != Flaw::kNone) return;
    flaw_ = flaw;
    flaw_column_ = cells_.size();
}

bool RowScanner::next(std::string_view text, bool is_last) {
    const char* at = text.data();
    const char* const end = at + text.size();
    cells_.clear();
    lines_ = 1;
    flaw_ = Flaw::kNone;
    // An empty line has no cells, not even a blank one.
    bool has_more = !text.empty() && !ends_line(text.front());
    while (has_more) {
        while (at != end && *at == ' ') ++at;
        const bool is_quoted = at != end && *at == '"' && flaw_ != Flaw::kAfterQuote;
        at = is_quoted ? take_quoted(at + 1, end, is_last) : take_plain(at, at, end);
        if (flaw_ != Flaw::kNone && flaw_ != Flaw::kAfterQuote) {
            size_ = text.size();
            return true;
        }
        if (at == nullptr || (at == end && !is_last)) return false;
        has_more = at != end && !ends_line(*at);
        if (has_more) at += delimiter_.size();
    }
    if (at != end) at = next_line(at, end, is_last);
    if (at == nullptr) return false;
    size_ = static_cast<std::size_t>(at - text.data());
    if (has_more_characters(text.data(), at, limits_.row)) note(Flaw::kLongRow);
    return true;
}

const char* RowScanner::take_plain(const char* begin, const char* at, const char* end) {
    for (;; ++at) {
        while (at != end && !ends_cell_[byte(*at)]) ++at;
        if (at == end || ends_line(*at) || delimiter_.size() == 1) break;
        if (std::string_view(at, static_cast<std::size_t>(end - at)).starts_with(delimiter_)) break;
    }
    if (has_more_characters(begin, at, limits_.cell)) note(Flaw::kLongCell);
    cells_.push_back({begin, at});
    return at;
}

const char* RowScanner::take_quoted(const char* at, const char* end, bool is_last) {
    const char* const begin = at;
    bool has_doubled_quotes = false;
    for (;;) {
        while (at != end && *at != '"' && !ends_line(*at)) ++at;
        if (at == end) {
            if (has_more_characters(begin, at, limits_.cell)) {
                note(Flaw::kLongCell);
            } else if (is_last) {
                note(Flaw::kOpenQuote);
            }
            if (flaw_ != Flaw::kNone) cells_.push_back({begin, at, has_doubled_quotes, true});
            return nullptr;
        }
        if (*at == '"') {
            if (at + 1 == end && !is_last) return nullptr;
            if (at + 1 == end || at[1] != '"') break;
            has_doubled_quotes = true;
            at += 2;
        } else {
            at = next_line(at, end, is_last);
            if (at == nullptr) return nullptr;
            ++lines_;
        }
    }
    if (has_more_characters(begin, at, limits_.cell)) note(Flaw::kLongCell);
    const char* const after = at + 1;
    const std::string_view rest(after, static_cast<std::size_t>(end - after));
    if (rest.empty() || ends_line(*after) || rest.starts_with(delimiter_)) {
        cells_.push_back({begin, at, has_doubled_quotes, true});
        return after;
    }
    if (!is_last && delimiter_.starts_with(rest)) return nullptr;
    note(Flaw::kAfterQuote);
    return take_plain(begin, after, end);
}

std::string_view RowScanner::content(const RowCell& cell) {
    const std::string_view text(cell.begin, static_cast<std::size_t>(cell.end - cell.begin));
    if (!cell.has_doubled_quotes) return text;
    unquoted_.clear();
    for (std::size_t at = 0; at < text.size(); ++at) {
        unquoted_ += text[at];
        if (text[at] == '"') ++at;
    }
    return unquoted_;
}

std::vector<std::vector<std::string>> split_rows(std::string_view text,
                                                 std::string_view delimiter) {
    constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
    RowScanner scanner(delimiter, {kNoLimit, kNoLimit});
    std::vector<std::vector<std::string>> rows;
    while (!text.empty()) {
        scanner.next(text, true);
        std::vector<std::string>& row = rows.emplace_back();
        for (const RowCell& cell : scanner.cells()) {
            row.emplace_back(without_outer_space(scanner.content(cell)));
        }
        text.remove_prefix(scanner.size());
    }
    return rows;
}

}  // namespace unisono
