#include "alignment/units.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace unisono {

void UnitsBuilder::build(Units& units) {
    const std::size_t count = loose_.size();
    order_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        order_[i] = {loose_[i].start + loose_[i].end, static_cast<std::uint32_t>(i)};
    }
    // The centre decides almost always, so only it and a number are moved about.
    std::sort(order_.begin(), order_.end(), [this](const Place& a, const Place& b) {
        if (a.centre != b.centre) return a.centre < b.centre;
        const Loose& u = loose_[a.index];
        const Loose& v = loose_[b.index];
        return std::tie(u.start, u.end, u.place, u.label, u.row) <
               std::tie(v.start, v.end, v.place, v.label, v.row);
    });
    units.places = places_;
    units.start.resize(count);
    units.end.resize(count);
    units.label.resize(count);
    units.place.resize(count);
    units.row.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Loose& unit = loose_[order_[i].index];
        units.start[i] = unit.start;
        units.end[i] = unit.end;
        units.label[i] = unit.label;
        units.place[i] = unit.place;
        units.row[i] = unit.row;
    }
    loose_.clear();
}

void mark_twins(bool position_counts, Units& units) {
    const auto count = static_cast<std::size_t>(units.size());
    units.twin.assign(count, -1);
    if (position_counts) {
        // Equal units stand side by side in sweep order.
        for (std::size_t i = 1; i < count; ++i) {
            if (units.start[i] == units.start[i - 1] && units.end[i] == units.end[i - 1] &&
                units.place[i] == units.place[i - 1] && units.label[i] == units.label[i - 1]) {
                units.twin[i] = static_cast<std::int32_t>(i) - 1;
            }
        }
        return;
    }
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> last;
    for (std::size_t i = 0; i < count; ++i) {
        const auto [seen, is_new] =
            last.try_emplace({units.place[i], units.label[i]}, static_cast<std::int32_t>(i));
        if (is_new) continue;
        units.twin[i] = seen->second;
        seen->second = static_cast<std::int32_t>(i);
    }
}

}  // namespace unisono
