// Groups gathered round by round while the shares are being found, each once.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "alignment/groups.hpp"

namespace unisono {

class Pool {
 public:
    // Adds the groups that are not there yet.
    void add(const Groups& groups);
    void add(std::span<const std::int32_t> members, Cost cost);
    [[nodiscard]] std::size_t size() const { return cost_.size(); }
    [[nodiscard]] Cost cost(std::size_t group) const { return cost_[group]; }
    [[nodiscard]] std::span<const std::int32_t> members_of(std::size_t group) const {
        return {members_.data() + begin_[group], begin_[group + 1] - begin_[group]};
    }
    // All groups, or some, in the fixed order that the frontier program needs.
    [[nodiscard]] Groups ordered(std::size_t units) const;
    [[nodiscard]] Groups ordered(std::size_t units, std::vector<std::size_t> order) const;

 private:
    [[nodiscard]] bool holds(std::uint64_t key, std::span<const std::int32_t> members) const;

    std::vector<std::size_t> begin_{0};
    std::vector<std::int32_t> members_;
    std::vector<Cost> cost_;
    std::unordered_multimap<std::uint64_t, std::size_t> known_;
};

}  // namespace unisono
