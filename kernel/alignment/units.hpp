// The units of one continuum as columns in sweep order (by centre), whatever order they came in.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace unisono {

struct Units {
    int places = 0;                   // number of annotators, with or without units
    std::vector<double> start, end;   // in sweep order
    std::vector<std::int32_t> label;  // codes into the table of label distances
    std::vector<std::int32_t> place;  // which annotator
    std::vector<std::int32_t> row;    // where the unit stood in the caller's columns
    std::vector<std::int32_t> twin;   // see mark_twins

    [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(start.size()); }
};

// Gathers units in any order and sorts them by (centre, start, annotator, label): a total order up
// to units that nobody can tell apart, so the order of the input rows cannot matter.
class UnitsBuilder {
 public:
    explicit UnitsBuilder(int places) : places_(places) {}
    void reserve(std::size_t count) { loose_.reserve(count); }
    void add(double start, double end, std::int32_t label, std::int32_t place, std::int32_t row) {
        loose_.push_back({start, end, label, place, row});
    }
    [[nodiscard]] std::size_t size() const { return loose_.size(); }
    // Leaves the builder empty but keeps its memory for the next continuum.
    void build(Units& units);

 private:
    struct Loose {
        double start, end;
        std::int32_t label, place, row;
    };
    struct Place {
        double centre;  // twice the centre, which orders just as well
        std::uint32_t index;
    };
    int places_;
    std::vector<Loose> loose_;
    std::vector<Place> order_;
};

// Notes for each unit the last one before it that nothing can tell from it, or -1: the same
// annotator and label and, where position counts, the same bounds. Either may stand for the other.
void mark_twins(bool position_counts, Units& units);

}  // namespace unisono
