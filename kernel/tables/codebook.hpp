// The distinct texts of columns, each with a number: 0, 1, … as they appear.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unisono {

class Codebook {
 public:
    // The number of a text, a new one if the text is new.
    std::int32_t code(std::string_view text);

    [[nodiscard]] std::size_t size() const { return ends_.size() - 1; }
    [[nodiscard]] std::string_view text(std::size_t code) const {
        return std::string_view(letters_).substr(ends_[code], ends_[code + 1] - ends_[code]);
    }
    // All codes in the order of their texts, which is that of their characters in Unicode.
    [[nodiscard]] std::vector<std::int32_t> in_order() const;

 private:
    struct Slot {
        std::uint64_t start = 0;  // the first eight letters
        std::uint64_t size = 0;
        std::int32_t code = -1;
    };

    void grow();

    std::string letters_;  // of all texts, one after the other
    std::vector<std::size_t> ends_ = {0};
    std::vector<Slot> slots_;  // as many as a power of two, at most half of them taken
};

}  // namespace unisono
