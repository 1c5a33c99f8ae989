// What states of the frontier program pay for cuts (see subset_row_cuts.hpp).
//
// A group that holds two units of a cut pays its price. So does, in the frontier program, whoever
// covers the second unit of a cut alone, the first being covered by another group: then a state has
// paid for exactly the cuts of which it covers two units and more, whichever way it was reached.
// Paths to the same state can be compared, and no path has paid more in the end than all prices.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "alignment/mask.hpp"
#include "pricing/subset_row_cuts.hpp"

namespace unisono {

template <int Words>
class Surcharges {
 public:
    // A part of the surcharges of a layer.
    struct Part {
        std::uint32_t from = 0, to = 0;
    };

    void begin(const Cuts* cuts) {
        cuts_ = cuts;
        counts_.clear();
    }
    // For a stretch: of the cuts only those whose units are all covered by its own groups for
    // certain, because they lie in it and none is free. For the others a path may pay nothing.
    void begin(const Cuts* cuts, std::size_t from, std::size_t to, const std::vector<char>& free) {
        begin(cuts);
        if (!any()) return;
        for (std::size_t cut = 0; cut < cuts->size(); ++cut) {
            const auto& units = (*cuts)[cut].units;
            const bool counts = std::all_of(units.begin(), units.end(), [&](std::int32_t unit) {
                const auto at = static_cast<std::size_t>(unit);
                return at >= from && at < to && free[at] == 0;
            });
            counts_.push_back(counts ? 1 : 0);
        }
    }
    [[nodiscard]] bool any() const { return cuts_ != nullptr && !cuts_->empty(); }

    void begin_layer(std::size_t i) {
        anchor_ = i;
        all_.clear();
    }

    // What a group of the layer's anchor pays for cuts of which it holds one unit.
    Part of_group(std::span<const std::int32_t> members) {
        Part part{static_cast<std::uint32_t>(all_.size()), 0};
        for (const std::int32_t member : members) {
            for (const std::uint32_t id : cuts_->of(member)) {
                if (counts_.empty() || counts_[id] != 0) note((*cuts_)[id], members);
            }
        }
        part.to = static_cast<std::uint32_t>(all_.size());
        return part;
    }

    [[nodiscard]] Cost paid(const Part& part, const Mask<Words>& mask) const {
        Cost paid = 0;
        for (std::uint32_t at = part.from; at < part.to; ++at) {
            const Surcharge& one = all_[at];
            int covered = one.covered;
            for (std::size_t k = 0; k < one.behind; ++k) covered += mask.has(one.others[k]) ? 1 : 0;
            if (covered == 1) paid += one.price;
        }
        return paid;
    }

 private:
    static constexpr std::size_t kBits = std::size_t{64} * Words;

    struct Surcharge {
        Cost price;
        int covered = 0;         // others before the layer
        std::size_t behind = 0;  // others behind it; what lies too far off is never covered
        std::array<std::size_t, 2> others{};
    };

    void note(const Cut& cut, std::span<const std::int32_t> members) {
        const auto is_held = [&](std::int32_t unit) {
            return std::find(members.begin(), members.end(), unit) != members.end();
        };
        if (std::count_if(cut.units.begin(), cut.units.end(), is_held) != 1) return;
        Surcharge one{cut.price};
        for (const std::int32_t unit : cut.units) {
            if (is_held(unit)) continue;
            const auto at = static_cast<std::size_t>(unit);
            if (at < anchor_) {
                ++one.covered;
            } else if (at - anchor_ < kBits) {
                one.others[one.behind++] = at - anchor_;
            }
        }
        if (one.covered < 2) all_.push_back(one);
    }

    const Cuts* cuts_ = nullptr;
    std::vector<char> counts_;  // by cut; empty where all count
    std::size_t anchor_ = 0;
    std::vector<Surcharge> all_;
};

}  // namespace unisono
