#include "tables/codebook.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>

namespace unisono {

namespace {

constexpr std::size_t kFirstSlots = 64;
constexpr std::size_t kMostTexts = std::numeric_limits<std::int32_t>::max();

constexpr std::uint64_t mixed(std::uint64_t word) {
    // The finalizer of MurmurHash3: every bit of the word changes half of the bits.
    word = (word ^ (word >> 33U)) * 0xFF51AFD7ED558CCDU;
    word = (word ^ (word >> 33U)) * 0xC4CEB9FE1A85EC53U;
    return word ^ (word >> 33U);
}

// Another one in each process, so that no file can be made whose texts all meet in one slot.
std::uint64_t seed_of_process() {
    static const std::uint64_t seed = [] {
        std::random_device device;
        return (std::uint64_t{device()} << 32U) | device();
    }();
    return seed;
}

// The first eight letters of a text as one number; of a shorter one all letters, some twice.
std::uint64_t first_word(std::string_view text) {
    const std::size_t size = text.size();
    std::uint64_t word = 0;
    if (size >= sizeof word) {
        std::memcpy(&word, text.data(), sizeof word);
    } else if (size >= sizeof(std::uint32_t)) {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        std::memcpy(&first, text.data(), sizeof first);
        std::memcpy(&last, text.data() + size - sizeof last, sizeof last);
        word = (std::uint64_t{first} << 32U) | last;
    } else if (size > 0) {
        for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
            word = (word << 8U) | static_cast<unsigned char>(text[at]);
        }
    }
    return word;
}

std::size_t hash_of(std::string_view text) {
    static const std::uint64_t seed = seed_of_process();
    std::uint64_t hash = mixed(seed ^ text.size() ^ first_word(text));
    while (text.size() > sizeof hash) {
        text.remove_prefix(sizeof hash);
        hash = mixed(hash ^ first_word(text));
    }
    return static_cast<std::size_t>(hash);
}

// How many letters all texts have in common at their beginning.
std::size_t common_start(const Codebook& book) {
    if (book.size() == 0) return 0;
    const std::string_view first = book.text(0);
    std::size_t common = first.size();
    for (std::size_t code = 1; code < book.size() && common > 0; ++code) {
        const std::string_view text = book.text(code);
        const auto limit = std::min(common, text.size());
        const auto parted = std::mismatch(
            first.begin(), first.begin() + static_cast<std::ptrdiff_t>(limit), text.begin());
        common = static_cast<std::size_t>(parted.first - first.begin());
    }
    return common;
}

// The first eight letters as a number that is ordered as they are.
std::uint64_t leading_letters(std::string_view text) {
    std::uint64_t key = 0;
    for (std::size_t at = 0; at < sizeof key; ++at) {
        key = (key << 8U) | (at < text.size() ? static_cast<unsigned char>(text[at]) : 0U);
    }
    return key;
}

}  // namespace

std::int32_t Codebook::code(std::string_view text) {
    if (2 * size() >= slots_.size()) grow();
    const std::uint64_t start = first_word(text);
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash_of(text) & mask;
    for (; slots_[at].code >= 0; at = (at + 1) & mask) {
        const Slot& slot = slots_[at];
        if (slot.start != start || slot.size != text.size()) continue;
        const auto known = static_cast<std::size_t>(slot.code);
        if (text.size() <= sizeof start || this->text(known) == text) return slot.code;
    }
    if (size() == kMostTexts) throw std::length_error("more than 2,147,483,647 different texts");
    const auto code = static_cast<std::int32_t>(size());
    letters_ += text;
    ends_.push_back(letters_.size());
    slots_[at] = {start, text.size(), code};
    return code;
}

void Codebook::grow() {
    std::vector<Slot> wider(std::max(2 * slots_.size(), kFirstSlots));
    const std::size_t mask = wider.size() - 1;
    for (const Slot& slot : slots_) {
        if (slot.code < 0) continue;
        std::size_t at = hash_of(text(static_cast<std::size_t>(slot.code))) & mask;
        while (wider[at].code >= 0) at = (at + 1) & mask;
        wider[at] = slot;
    }
    slots_ = std::move(wider);
}

std::vector<std::int32_t> Codebook::in_order() const {
    struct Key {
        std::uint64_t letters;
        std::int32_t code;
    };
    // Names such as item000123 begin alike: what they share decides nothing.
    const std::size_t common = common_start(*this);
    std::vector<Key> keys;
    keys.reserve(size());
    for (std::size_t code = 0; code < size(); ++code) {
        keys.push_back(
            {leading_letters(text(code).substr(common)), static_cast<std::int32_t>(code)});
    }
    std::sort(keys.begin(), keys.end(), [this](const Key& left, const Key& right) {
        if (left.letters != right.letters) return left.letters < right.letters;
        return text(static_cast<std::size_t>(left.code)) <
               text(static_cast<std::size_t>(right.code));
    });
    std::vector<std::int32_t> codes;
    codes.reserve(keys.size());
    for (const Key& key : keys) codes.push_back(key.code);
    return codes;
}

}  // namespace unisono
