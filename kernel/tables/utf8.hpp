// Texts in UTF-8, as Python sees them: its characters, and what its str.strip() takes away.
#pragma once

#include <cstddef>
#include <string_view>

namespace unisono {

[[nodiscard]] bool is_utf8(std::string_view text);

[[nodiscard]] std::size_t count_characters(std::string_view text);

// The text without white space at its ends; white space is what str.isspace() says it is.
[[nodiscard]] std::string_view without_outer_space(std::string_view text);

}  // namespace unisono
