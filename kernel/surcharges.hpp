// What states of the frontier program pay for cuts (see cuts.hpp).
//
// A group that holds two units of a cut pays its price. So does, in the frontier program, whoever
// covers the second unit of a cut alone, the first being covered by another group: then a state has
// paid for exactly the cuts of which it covers two units and more, whichever way it was reached.
// Paths to the same state can be compared, and no path has paid more in the end than all prices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "cuts.hpp"
#include "mask.hpp"

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
            if (mask.count_of(one.others) + one.covered == 1) paid += one.price;
        }
        return paid;
    }

    // What a state of this layer has paid for, but for cuts that all of its states have paid for.
    void begin_states(std::size_t next) {
        all_.clear();
        if (!any()) return;
        for (std::size_t unit = next; unit < next + kBits && unit < cuts_->units(); ++unit) {
            for (const std::uint32_t id : cuts_->of(static_cast<std::int32_t>(unit))) {
                const Cut& cut = (*cuts_)[id];
                // Once, at its first unit from here on; and two before are paid for by all.
                Surcharge one{cut.price, 0, {}};
                bool is_first = true;
                for (const std::int32_t other : cut.units) {
                    const auto at = static_cast<std::size_t>(other);
                    if (at < next) ++one.covered;
                    if (at >= next && at < unit) is_first = false;
                    if (at >= next && at - next < kBits) one.others.set(at - next);
                }
                if (is_first && one.covered < 2) all_.push_back(one);
            }
        }
    }
    [[nodiscard]] Cost paid_by_state(const Mask<Words>& mask) const {
        Cost paid = 0;
        for (const Surcharge& one : all_) {
            if (mask.count_of(one.others) + one.covered >= 2) paid += one.price;
        }
        return paid;
    }

 private:
    static constexpr std::size_t kBits = std::size_t{64} * Words;

    struct Surcharge {
        Cost price;
        int covered;         // others before the layer
        Mask<Words> others;  // others behind it; what lies too far off is never covered
    };

    void note(const Cut& cut, std::span<const std::int32_t> members) {
        Surcharge one{cut.price, 0, {}};
        int held = 0;
        for (const std::int32_t unit : cut.units) {
            if (std::find(members.begin(), members.end(), unit) != members.end()) {
                ++held;
                continue;
            }
            const auto at = static_cast<std::size_t>(unit);
            if (at < anchor_) {
                ++one.covered;
            } else if (at - anchor_ < kBits) {
                one.others.set(at - anchor_);
            }
        }
        if (held == 1 && one.covered < 2) all_.push_back(one);
    }

    const Cuts* cuts_ = nullptr;
    std::vector<char> counts_;  // by cut; empty where all count
    std::size_t anchor_ = 0;
    std::vector<Surcharge> all_;
};

}  // namespace unisono
