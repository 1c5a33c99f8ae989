// Triples of units that sharpen the bound (subset-row cuts; Jepsen et al. 2008).
//
// Of three units, at most one group of a partition holds two or all. Shares do not know that: the
// master may take half of each of three groups that hold two of them. So each triple has a price,
// which a group pays that holds two of its units or all three. Then every partition pays at most
// once, and Σ shares - Σ prices is a lower bound if no group is paid more than it costs with what
// it pays.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "alignment/groups.hpp"

namespace unisono {

struct Cut {
    std::array<std::int32_t, 3> units;  // of the chain, ascending
    Cost price = 0;                     // never negative
};

class Cuts {
 public:
    explicit Cuts(std::size_t units) : of_unit_(units) {}

    [[nodiscard]] bool empty() const { return cuts_.empty(); }
    [[nodiscard]] std::size_t size() const { return cuts_.size(); }
    [[nodiscard]] std::size_t units() const { return of_unit_.size(); }
    [[nodiscard]] const Cut& operator[](std::size_t cut) const { return cuts_[cut]; }
    // The cuts that a unit is in.
    [[nodiscard]] std::span<const std::uint32_t> of(std::int32_t unit) const {
        return of_unit_[static_cast<std::size_t>(unit)];
    }
    void set_price(std::size_t cut, Cost price) { cuts_[cut].price = price; }
    [[nodiscard]] Cost sum_of_prices() const;

    // False if it is there already.
    bool add(const Cut& cut);
    void forget_those_without_price();

    // Calls visit(cut) for each of which the group holds two units or three.
    template <class Visit>
    void for_each_held(std::span<const std::int32_t> members, Visit visit) const {
        if (empty()) return;
        for (std::size_t m = 1; m < members.size(); ++m) {
            for (const std::uint32_t cut : of(members[m])) {
                // Exactly one of those before: this is the second.
                int before = 0;
                for (std::size_t k = 0; k < m; ++k) before += holds(cut, members[k]) ? 1 : 0;
                if (before == 1) visit(static_cast<std::size_t>(cut));
            }
        }
    }
    [[nodiscard]] Cost paid_by(std::span<const std::int32_t> members) const {
        Cost paid = 0;
        for_each_held(members, [&](std::size_t cut) { paid += cuts_[cut].price; });
        return paid;
    }
    // Raises the costs of groups by what they pay.
    void charge(Groups& groups) const;

 private:
    [[nodiscard]] bool holds(std::uint32_t cut, std::int32_t unit) const {
        const auto& units = cuts_[cut].units;
        return units[0] == unit || units[1] == unit || units[2] == unit;
    }
    std::vector<Cut> cuts_;
    std::vector<std::vector<std::uint32_t>> of_unit_;
};

// Part of a group, as the master takes it.
struct TakenGroup {
    std::span<const std::int32_t> members;
    double taken;  // from 0 to 1
};

// Triples of which these parts of groups hold more than one whole, the worst first.
std::vector<Cut> find_violated(std::size_t units, std::span<const TakenGroup> taken);

}  // namespace unisono
