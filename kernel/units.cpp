#include "units.hpp"

#include <algorithm>
#include <tuple>

namespace unisono {

void UnitsBuilder::build(Units& units) {
    const auto before = [](const Loose& a, const Loose& b) {
        if (a.centre != b.centre) return a.centre < b.centre;
        return std::tie(a.start, a.end, a.place, a.label, a.row) <
               std::tie(b.start, b.end, b.place, b.label, b.row);
    };
    std::sort(loose_.begin(), loose_.end(), before);
    const std::size_t count = loose_.size();
    units.places = places_;
    units.start.resize(count);
    units.end.resize(count);
    units.label.resize(count);
    units.place.resize(count);
    units.row.resize(count);
    units.twin.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Loose& unit = loose_[i];
        units.start[i] = unit.start;
        units.end[i] = unit.end;
        units.label[i] = unit.label;
        units.place[i] = unit.place;
        units.row[i] = unit.row;
        const bool is_twin = i > 0 && unit.start == units.start[i - 1] &&
                             unit.end == units.end[i - 1] && unit.place == units.place[i - 1] &&
                             unit.label == units.label[i - 1];
        units.twin[i] = is_twin ? static_cast<std::int32_t>(i) - 1 : -1;
    }
    loose_.clear();
}

}  // namespace unisono
