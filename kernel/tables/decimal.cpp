#include "tables/decimal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <system_error>
#include <version>

namespace unisono {

namespace {

// Whole numbers up to here are doubles, and so are powers of ten up to 10^22: their product and
// their quotient are rounded once, to the double nearest to the decimal.
constexpr std::uint64_t kExact = std::uint64_t{1} << 53U;
constexpr std::array<double, 23> kPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                            1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kMostDigits = 19;  // of a number that fits into 64 bits
constexpr int kMostExponent = 100'000;

constexpr bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

// Rounds as strtod does, without the locale of the process.
double rounded_by_stream(const std::string& text) {
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    double value = 0.0;
    stream >> value;
    constexpr double kMost = std::numeric_limits<double>::max();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (stream.fail() && value >= kMost) return kInfinity;
    if (stream.fail() && value <= -kMost) return -kInfinity;
    return value;
}

double rounded(std::string text, char mark) {
    if (mark == ',') std::replace(text.begin(), text.end(), ',', '.');
#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L
    double value = 0.0;
    const char* const begin = text.data() + (text.front() == '+' ? 1 : 0);
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error == std::errc() && stop == end) return value;
#endif
    return rounded_by_stream(text);
}

}  // namespace

std::optional<Decimal> read_decimal(std::string_view text) {
    const char* at = text.data();
    const char* const end = at + text.size();
    const bool is_negative = at != end && *at == '-';
    if (at != end && (*at == '-' || *at == '+')) ++at;
    std::uint64_t whole = 0;
    int significant = 0;  // digits after leading zeros
    int exponent = 0;
    bool has_digits = false;
    char mark = '\0';
    for (; at != end; ++at) {
        if (is_digit(*at)) {
            has_digits = true;
            if (significant < kMostDigits) {
                whole = 10 * whole + static_cast<std::uint64_t>(*at - '0');
                exponent -= mark != '\0' ? 1 : 0;
            }
            // Counted no further than needed: a cell may have millions of digits.
            if ((whole != 0 || significant != 0) && significant <= kMostDigits) ++significant;
        } else if ((*at == '.' || *at == ',') && mark == '\0') {
            mark = *at;
        } else {
            break;
        }
    }
    if (!has_digits) return std::nullopt;
    if (at != end && (*at == 'e' || *at == 'E')) {
        ++at;
        const bool is_small = at != end && *at == '-';
        if (at != end && (*at == '-' || *at == '+')) ++at;
        if (at == end || !is_digit(*at)) return std::nullopt;
        int written = 0;
        for (; at != end && is_digit(*at); ++at) {
            written = std::min(10 * written + (*at - '0'), kMostExponent);
        }
        exponent += is_small ? -written : written;
    }
    if (at != end) return std::nullopt;
    constexpr int kMostPower = static_cast<int>(kPowers.size()) - 1;
    if (significant <= kMostDigits && whole <= kExact && exponent >= -kMostPower &&
        exponent <= kMostPower) {
        auto value = static_cast<double>(whole);
        if (exponent < 0) value /= kPowers[static_cast<std::size_t>(-exponent)];
        if (exponent > 0) value *= kPowers[static_cast<std::size_t>(exponent)];
        return Decimal{is_negative ? -value : value, mark};
    }
    return Decimal{rounded(std::string(text), mark), mark};
}

std::optional<Decimal> read_clock_time(std::string_view text) {
    constexpr std::uint64_t kSixty = 60;
    constexpr std::size_t kMostFirst = 9;  // digits of the first part
    const std::size_t fraction = std::min(text.find_first_of(".,"), text.size());
    std::string_view clock = text.substr(0, fraction);
    std::uint64_t seconds = 0;
    int parts = 0;
    for (bool has_more = true; has_more; ++parts) {
        const std::size_t colon = clock.find(':');
        has_more = colon != std::string_view::npos;
        const std::string_view part = clock.substr(0, colon);
        std::uint64_t number = 0;
        const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), number);
        const bool is_number = error == std::errc() && stop == part.data() + part.size();
        const bool is_first = parts == 0;
        if (!is_number || (is_first ? part.size() > kMostFirst : part.size() != 2)) return {};
        if (!is_first && number >= kSixty) return {};
        seconds = kSixty * seconds + number;
        if (has_more) clock.remove_prefix(colon + 1);
    }
    if (parts != 2 && parts != 3) return {};
    // Read as one decimal, so that the sum is rounded once.
    return read_decimal(std::to_string(seconds).append(text.substr(fraction)));
}

}  // namespace unisono
