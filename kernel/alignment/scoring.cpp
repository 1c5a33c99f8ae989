#include "alignment/scoring.hpp"

#include <algorithm>

namespace unisono {

namespace {

template <class Visit>
void for_each_pair(std::span<const std::int32_t> members, Visit visit) {
    for (std::size_t a = 0; a + 1 < members.size(); ++a) {
        for (std::size_t b = a + 1; b < members.size(); ++b) {
            visit(static_cast<std::size_t>(members[a]), static_cast<std::size_t>(members[b]));
        }
    }
}

double position_between(const Units& units, std::size_t u, std::size_t v, double power) {
    return positional(units.start[u], units.end[u], units.start[v], units.end[v], power);
}

double label_between(const Units& units, std::size_t u, std::size_t v, const Scoring& scoring) {
    return scoring.distances.between(units.label[u], units.label[v]);
}

}  // namespace

void group_disorders(const Units& units, const Partition& partition, const Scoring& scoring,
                     std::vector<double>& disorders) {
    const auto all_pairs = static_cast<double>(pair_count(units.places));
    disorders.resize(partition.size());
    for (std::size_t g = 0; g < partition.size(); ++g) {
        const auto members = partition.group(g);
        const auto size = static_cast<double>(members.size());
        double sum = 0.0;
        for_each_pair(members, [&](std::size_t u, std::size_t v) {
            const Weights& weights = scoring.weights;
            sum += weighted(weights.position, position_between(units, u, v, weights.power)) +
                   weighted(weights.label, label_between(units, u, v, scoring));
        });
        disorders[g] = (sum + (all_pairs - size * (size - 1.0) / 2.0)) / all_pairs;
    }
}

void label_sums(const Units& units, const Partition& partition, const Scoring& scoring,
                LabelSums& sums) {
    const auto labels = static_cast<std::size_t>(scoring.distances.count);
    sums.disorder = sums.weight = 0.0;
    sums.disorder_of.assign(labels, 0.0);
    sums.weight_of.assign(labels, 0.0);
    for (std::size_t g = 0; g < partition.size(); ++g) {
        const auto members = partition.group(g);
        if (members.size() < 2) continue;
        const double others = static_cast<double>(members.size()) - 1.0;
        for_each_pair(members, [&](std::size_t u, std::size_t v) {
            const double apart = weighted(scoring.confidence_factor,
                                          position_between(units, u, v, scoring.weights.power));
            if (!(apart < 1.0)) return;
            const double weight = (1.0 - apart) / others;
            const double disorder = weight * label_between(units, u, v, scoring);
            const auto label_u = static_cast<std::size_t>(units.label[u]);
            const auto label_v = static_cast<std::size_t>(units.label[v]);
            sums.disorder += disorder;
            sums.weight += weight;
            sums.disorder_of[label_u] += disorder;
            sums.weight_of[label_u] += weight;
            if (label_u != label_v) {
                sums.disorder_of[label_v] += disorder;
                sums.weight_of[label_v] += weight;
            }
        });
    }
}

}  // namespace unisono
