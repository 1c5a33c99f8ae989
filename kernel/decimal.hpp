// Numbers as people write them in tables: digits with a decimal point or a decimal comma.
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

}  // namespace unisono
