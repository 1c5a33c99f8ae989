// Numbers as people write them in tables: digits with a decimal point or a decimal comma, and
// clock times.
#pragma once

#include <optional>
#include <string_view>

namespace unisono {

struct Decimal {
    double value = 0.0;
    char mark = '\0';  // '.' or ','; '\0' if the number has neither
};

// The double nearest to a number, as Python's float() rounds it; nothing for other texts, "nan"
// and "inf" among them. White space around the number is not expected here.
[[nodiscard]] std::optional<Decimal> read_decimal(std::string_view text);

// The seconds of a clock time: h:mm:ss or m:ss, each with or without a fraction (0:01:02.5,
// 1:02,5). Minutes and seconds have two digits, except the first part; nothing for other texts.
[[nodiscard]] std::optional<Decimal> read_clock_time(std::string_view text);

}  // namespace unisono
