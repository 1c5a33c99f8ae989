#include "tables/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace unisono {

namespace {

using Byte = unsigned char;

constexpr bool is_continuation(char letter) {
    return (static_cast<Byte>(letter) & 0xC0U) == 0x80U;
}

constexpr bool is_ascii_space(Byte letter) {
    return letter == ' ' || (letter >= 0x09 && letter <= 0x0D) ||
           (letter >= 0x1C && letter <= 0x1F);
}

constexpr bool is_space(std::uint32_t character) {
    if (character < 0x80) return is_ascii_space(static_cast<Byte>(character));
    return character == 0x85 || character == 0xA0 || character == 0x1680 ||
           (character >= 0x2000 && character <= 0x200A) || character == 0x2028 ||
           character == 0x2029 || character == 0x202F || character == 0x205F || character == 0x3000;
}

struct Character {
    std::uint32_t number = 0;
    std::size_t size = 0;  // 0: not valid
};

// The first character of a text that is not empty.
Character first_character(std::string_view text) {
    const auto lead = static_cast<Byte>(text.front());
    if (lead < 0x80) return {lead, 1};
    std::size_t size = 0;
    std::uint32_t least = 0;
    std::uint32_t number = 0;
    if (lead >= 0xC2 && lead < 0xE0) {
        size = 2, least = 0x80, number = lead & 0x1FU;
    } else if (lead >= 0xE0 && lead < 0xF0) {
        size = 3, least = 0x800, number = lead & 0x0FU;
    } else if (lead >= 0xF0 && lead < 0xF5) {
        size = 4, least = 0x10000, number = lead & 0x07U;
    }
    if (size == 0 || size > text.size()) return {};
    for (std::size_t at = 1; at < size; ++at) {
        if (!is_continuation(text[at])) return {};
        number = (number << 6U) | (static_cast<Byte>(text[at]) & 0x3FU);
    }
    const bool is_surrogate = number >= 0xD800 && number < 0xE000;
    return number < least || number > 0x10FFFF || is_surrogate ? Character{}
                                                               : Character{number, size};
}

// Where the last character of a text begins, if it is valid.
std::size_t last_character(std::string_view text) {
    std::size_t at = text.size() - 1;
    while (at > 0 && text.size() - at < 4 && is_continuation(text[at])) --at;
    return at;
}

}  // namespace

bool is_utf8(std::string_view text) {
    constexpr std::uint64_t kHighBits = 0x8080808080808080U;
    while (!text.empty()) {
        std::uint64_t word = 0;
        while (text.size() >= sizeof word) {
            std::memcpy(&word, text.data(), sizeof word);
            if ((word & kHighBits) != 0) break;
            text.remove_prefix(sizeof word);
        }
        if (text.empty()) break;
        const Character found = first_character(text);
        if (found.size == 0) return false;
        text.remove_prefix(found.size);
    }
    return true;
}

std::size_t count_characters(std::string_view text) {
    std::size_t count = 0;
    for (const char letter : text) count += is_continuation(letter) ? 0 : 1;
    return count;
}

std::string_view without_outer_space(std::string_view text) {
    constexpr auto is_plain = [](char letter) { return letter > ' ' && letter < 0x7F; };
    if (!text.empty() && is_plain(text.front()) && is_plain(text.back())) return text;
    while (!text.empty()) {
        const Character first = first_character(text);
        if (first.size == 0 || !is_space(first.number)) break;
        text.remove_prefix(first.size);
    }
    while (!text.empty()) {
        const std::size_t at = last_character(text);
        const Character last = first_character(text.substr(at));
        if (last.size != text.size() - at || !is_space(last.number)) break;
        text.remove_suffix(last.size);
    }
    return text;
}

}  // namespace unisono
