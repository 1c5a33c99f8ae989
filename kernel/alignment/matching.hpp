// Bipartite matchings of the largest gain, by shortest augmenting paths; and with them the optimum
// of two annotators whose units overlap too deeply for the frontier program.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "alignment/frontier.hpp"

namespace unisono {

// Vertices are numbered from 0; an edge joins a left one with a right one. Those that gain nothing
// are never matched.
// Prices prove that no matching gains more: price(u) + price(v) >= gain(u, v), prices >= 0,
// equality on matched pairs, 0 on vertices left alone.
class GainMatching {
 public:
    static constexpr std::int32_t kNone = -1;
    static constexpr Cost kUnreached = std::numeric_limits<Cost>::max();

    // `steps`: edges that may be looked at. for_each_edge(visit) calls visit(left, right, gain,
    // group) for each edge, twice in the same order; `group` is what the edge stands for.
    template <class ForEachEdge>
    GainMatching(std::size_t vertices, ForEachEdge for_each_edge, std::int64_t steps,
                 const StopFlag& stop);

    // Brings in the left vertices in their order. False when a limit was reached: then those that
    // came before are matched.
    bool run();
    [[nodiscard]] std::int32_t partner_of(std::int32_t vertex) const {
        return partner_[static_cast<std::size_t>(vertex)];
    }
    [[nodiscard]] std::int64_t steps_left() const { return steps_left_; }

 protected:
    struct Edge {
        std::int32_t other;
        Cost gain;
        std::int64_t group;
    };

    // In the order in which they were given.
    [[nodiscard]] std::span<const Edge> edges(std::int32_t vertex) const {
        const auto at = static_cast<std::size_t>(vertex);
        return {edges_.data() + edges_begin_[at], edges_begin_[at + 1] - edges_begin_[at]};
    }
    [[nodiscard]] std::int32_t vertices() const {
        return static_cast<std::int32_t>(partner_.size());
    }
    Cost& price(std::int32_t vertex) { return price_[static_cast<std::size_t>(vertex)]; }
    [[nodiscard]] Cost price(std::int32_t vertex) const {
        return price_[static_cast<std::size_t>(vertex)];
    }
    std::int32_t& partner(std::int32_t vertex) {
        return partner_[static_cast<std::size_t>(vertex)];
    }
    // Counts an edge that is looked at; false when there were too many.
    bool take_step();
    // Whether a best matching may have the edge.
    [[nodiscard]] bool is_tight(std::int32_t vertex, const Edge& edge) const {
        return price(vertex) + price(edge.other) == edge.gain;
    }

 private:
    bool match_all();
    bool augment(std::int32_t root);
    Cost& distance(std::int32_t vertex) { return distance_[static_cast<std::size_t>(vertex)]; }

    std::int64_t steps_left_;
    const StopFlag& stop_;
    std::vector<char> is_left_;
    std::vector<std::size_t> edges_begin_;
    std::vector<Edge> edges_;
    std::vector<Cost> price_;
    std::vector<std::int32_t> partner_, from_;
    std::vector<Cost> distance_;
};

template <class ForEachEdge>
GainMatching::GainMatching(std::size_t vertices, ForEachEdge for_each_edge, std::int64_t steps,
                           const StopFlag& stop)
    : steps_left_(steps),
      stop_(stop),
      is_left_(vertices, 0),
      edges_begin_(vertices + 1, 0),
      price_(vertices, 0),
      partner_(vertices, kNone),
      from_(vertices, kNone),
      distance_(vertices, kUnreached) {
    for_each_edge([&](std::int32_t left, std::int32_t right, Cost, std::int64_t) {
        is_left_[static_cast<std::size_t>(left)] = 1;
        ++edges_begin_[static_cast<std::size_t>(left) + 1];
        ++edges_begin_[static_cast<std::size_t>(right) + 1];
    });
    for (std::size_t i = 0; i < vertices; ++i) edges_begin_[i + 1] += edges_begin_[i];
    edges_.resize(edges_begin_[vertices]);
    std::vector<std::size_t> next = edges_begin_;
    for_each_edge([&](std::int32_t left, std::int32_t right, Cost gain, std::int64_t group) {
        edges_[next[static_cast<std::size_t>(left)]++] = {right, gain, group};
        edges_[next[static_cast<std::size_t>(right)]++] = {left, gain, group};
    });
}

// Solves a chain of two annotators to optimality and adds the same canonical optimum as the
// frontier program to the chosen groups. False, and nothing added, if more than `steps` edges would
// have to be looked at.
bool match_chain(const Chain& chain, std::span<const std::int32_t> place, const Groups& groups,
                 std::int64_t steps, const StopFlag& stop, Chosen& chosen);

}  // namespace unisono
