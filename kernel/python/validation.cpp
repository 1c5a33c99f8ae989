#include "python/validation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace unisono {

namespace {

constexpr double kMostUnits = 2147483648.0;  // of one continuum
constexpr const char* kBadExtent =
    "origins and extents must be within ±1e300, extents not negative";

bool is_measurable(double position) {
    return std::fabs(position) <= kFarthest;
}

std::int64_t sum_of(std::span<const std::int64_t> counts) {
    for (const std::int64_t count : counts) require(count >= 0, "a count is negative");
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

bool is_long(std::span<const std::int64_t> counts, std::size_t size) {
    return sum_of(counts) == static_cast<std::int64_t>(size);
}

}  // namespace

void require(bool holds, const char* otherwise) {
    if (!holds) throw std::invalid_argument(otherwise);
}

void check_columns(std::span<const double> starts, std::span<const double> ends,
                   std::span<const std::int32_t> labels, std::span<const std::int64_t> offsets) {
    require(starts.size() == ends.size() && starts.size() == labels.size(),
            "starts, ends and labels must have the same length");
    require(starts.size() < (std::size_t{1} << 31), "more than 2^31 units in one continuum");
    require(!offsets.empty() && offsets.front() == 0 &&
                offsets.back() == static_cast<std::int64_t>(starts.size()) &&
                std::is_sorted(offsets.begin(), offsets.end()),
            "offsets must rise from 0 to the number of units");
    for (std::size_t i = 0; i < starts.size(); ++i) {
        require(is_measurable(starts[i]) && is_measurable(ends[i]) && starts[i] <= ends[i],
                "starts and ends must be within ±1e300 and in order");
    }
}

void check_labels(std::span<const std::int32_t> labels, std::span<const double> distances,
                  std::size_t rows, std::size_t columns, std::int64_t label_count) {
    require(rows == columns, "label distances must be square");
    require(label_count >= 0 && (rows == 0 || static_cast<std::int64_t>(rows) == label_count),
            "label distances must be empty (nominal) or a row and a column for each label");
    for (const std::int32_t label : labels) {
        require(label >= 0 && label < label_count, "a label code is outside the labels");
    }
    for (std::size_t a = 0; a < rows; ++a) {
        for (std::size_t b = 0; b < rows; ++b) {
            const double distance = distances[a * rows + b];
            require(distance >= 0.0, "label distances must not be negative or NaN");
            require(distance == distances[b * rows + a], "label distances must be symmetric");
        }
    }
}

void check_scoring(const Scoring& scoring) {
    const Weights& weights = scoring.weights;
    const auto may_weigh = [](double weight) { return std::isfinite(weight) && weight >= 0.0; };
    require(may_weigh(weights.position) && may_weigh(weights.label) && may_weigh(weights.power) &&
                may_weigh(scoring.confidence_factor),
            "weights and power must be finite and not negative");
}

void check_texts(const Texts& texts) {
    const auto& offsets = texts.offsets;
    require(!offsets.empty() && offsets.front() == 0 &&
                offsets.back() == static_cast<std::int64_t>(texts.characters.size()) &&
                std::is_sorted(offsets.begin(), offsets.end()),
            "offsets must rise from 0 to the number of characters");
    require(texts.alphabet >= 0, "the size of the alphabet is negative");
    for (const std::int32_t character : texts.characters) {
        require(character >= 0 && character < texts.alphabet,
                "a character is outside the alphabet");
    }
}

void check_pairs_of_texts(const Texts& texts, std::span<const std::int64_t> left,
                          std::span<const std::int64_t> right) {
    require(left.size() == right.size(), "left and right must have the same length");
    for (const auto& side : {left, right}) {
        for (const std::int64_t text : side) {
            require(text >= 0 && text < texts.count(), "a number is outside the texts");
        }
    }
}

Limits limits_of(double effort, bool soft, double gap_tolerance, double time_limit) {
    require(effort > 0.0 && std::isfinite(effort), "effort must be finite and above 0");
    require(gap_tolerance >= 0.0 && gap_tolerance < 1.0,
            "the gap tolerance must be at least 0 and below 1");
    require(time_limit >= 0.0, "the time limit must be at least 0");
    const auto scale = [effort](std::int64_t& limit) {
        const double scaled = static_cast<double>(limit) * effort;
        limit = static_cast<std::int64_t>(std::clamp(scaled, 1.0, 4e15));
    };
    Limits limits;
    limits.effort = effort;
    limits.soft = soft;
    limits.tolerance = gap_tolerance;
    limits.seconds = time_limit;
    scale(limits.groups);
    scale(limits.steps_per_anchor);
    scale(limits.steps);
    scale(limits.states);
    scale(limits.matching_steps);
    scale(limits.local_steps);
    scale(limits.work);
    limits.work = std::min(limits.work, kMostWork);
    return limits;
}

void check_plan(const DrawPlan& plan) {
    check_columns(plan.starts, plan.ends, plan.labels, plan.voice_offsets);
    const auto places = static_cast<std::size_t>(plan.places);
    const std::size_t voices = plan.voice_offsets.size() - 1;
    require(plan.voice_origin.size() == voices && plan.voice_extent.size() == voices,
            "every voice needs an origin and an extent");
    for (std::size_t v = 0; v < voices; ++v) {
        require(is_measurable(plan.voice_origin[v]) && is_measurable(plan.voice_extent[v]) &&
                    plan.voice_extent[v] >= 0.0,
                kBadExtent);
    }
    require(plan.places >= 2 && plan.places <= kMostPlaces, "a draw needs 2 to 150 annotators");
    require(plan.tiled_to.empty() || plan.tiled_to.size() == static_cast<std::size_t>(plan.draws),
            "tiled_to must be empty or have a length for each draw");
    for (const std::int32_t pick : plan.picks) {
        require(pick >= 0 && static_cast<std::size_t>(pick) < voices, "a pick is not a voice");
    }
    for (const double shift : plan.shifts) {
        require(is_measurable(shift) && shift >= 0.0,
                "shifts must be within 1e300 and not negative");
    }
    for (std::size_t draw = 0; draw < plan.tiled_to.size(); ++draw) {
        const double length = plan.tiled_to[draw];
        require(is_measurable(length), "tiled_to must be finite and within ±1e300");
        double units = 0.0;
        for (std::size_t p = 0; p < places; ++p) {
            const auto pick = static_cast<std::size_t>(plan.picks[draw * places + p]);
            const double extent = plan.voice_extent[pick];
            const auto count =
                static_cast<double>(plan.voice_offsets[pick + 1] - plan.voice_offsets[pick]);
            units += count * (extent > 0.0 ? std::max(1.0, std::ceil(length / extent)) : 1.0);
        }
        require(units < kMostUnits, "a tiled draw would have more than 2^31 units");
    }
}

void check_shifts(const ShiftRules& rules) {
    require(rules.places >= 2 && rules.places <= kMostPlaces, "a draw needs 2 to 150 annotators");
    require(is_measurable(rules.extent) && rules.extent >= 0.0, kBadExtent);
    require(rules.spacing >= 0.0 && rules.places * rules.spacing <= rules.extent,
            "there is no room for shifts that far apart");
    sum_of(rules.counts);
    require(std::any_of(rules.counts.begin(), rules.counts.end(),
                        [](std::int64_t count) { return count > 0; }),
            "no voice has units");
}

void check_documents(const Documents& documents, std::int64_t label_count) {
    const std::size_t size = documents.size();
    for (const std::size_t length :
         {documents.labels_of.size(), documents.low.size(), documents.high.size(),
          documents.spacing.size(), documents.stream.size(), documents.aligns.size(),
          documents.first.size(), documents.draws.size()}) {
        require(length == size, "every document needs an entry in each column");
    }
    require(is_long(documents.annotators_of, documents.counts.size()) &&
                documents.is_drawn_from.size() == documents.counts.size(),
            "every annotator of every document needs a count");
    require(is_long(documents.counts, documents.starts.size()),
            "counts must add up to the number of units");
    require(is_long(documents.labels_of, documents.codes.size()),
            "every label of every document needs a code");
    for (const std::int32_t code : documents.codes) {
        require(code >= 0 && code < label_count, "a label code is outside the labels");
    }
    if (!documents.pairs_of.empty()) {
        require(documents.pairs_of.size() == size, "every document needs an entry in each column");
    }
    require(is_long(documents.pairs_of, documents.pair_costs.size()) &&
                documents.pair_first.size() == documents.pair_costs.size() &&
                documents.pair_second.size() == documents.pair_costs.size(),
            "the columns of the pairs must have the same length");
    constexpr std::int64_t kMostDraws = std::int64_t{1} << 31;
    std::size_t annotator = 0;
    std::size_t unit = 0;
    std::vector<std::int64_t> offsets, counts;
    for (std::size_t at = 0; at < size; ++at) {
        const auto places = static_cast<std::size_t>(documents.annotators_of[at]);
        require(places >= 2 && places <= kMostPlaces, "an alignment needs 2 to 150 annotators");
        offsets.assign(1, 0);
        for (const std::int64_t count : documents.counts.subspan(annotator, places)) {
            offsets.push_back(offsets.back() + count);
        }
        const auto units = static_cast<std::size_t>(offsets.back());
        const auto labels = documents.labels.subspan(unit, units);
        check_columns(documents.starts.subspan(unit, units), documents.ends.subspan(unit, units),
                      labels, offsets);
        check_labels(labels, {}, 0, 0, documents.labels_of[at]);
        require(documents.first[at] >= 0 && documents.first[at] < kMostDraws &&
                    documents.draws[at] >= 0 && documents.draws[at] < kMostDraws,
                "draws are numbered from 0 to 2^31");
        if (documents.draws[at] > 0) {
            counts.clear();
            for (std::size_t place = 0; place < places; ++place) {
                if (!documents.is_drawn_from[annotator + place]) continue;
                counts.push_back(offsets[place + 1] - offsets[place]);
            }
            require(is_measurable(documents.low[at]), kBadExtent);
            check_shifts({counts, static_cast<int>(places), documents.high[at] - documents.low[at],
                          documents.spacing[at], false});
        }
        annotator += places;
        unit += units;
    }
}

void take_pairs(const Units& units, std::span<const std::int64_t> first,
                std::span<const std::int64_t> second, std::span<const double> cost, Pairs& pairs) {
    require(first.size() == second.size() && first.size() == cost.size(),
            "the columns of the pairs must have the same length");
    const auto count = static_cast<std::size_t>(units.size());
    std::vector<std::int32_t> index_of(count);
    for (std::size_t i = 0; i < count; ++i) {
        index_of[static_cast<std::size_t>(units.row[i])] = static_cast<std::int32_t>(i);
    }
    struct Given {
        std::int32_t first, second;
        Cost cost;
    };
    std::vector<Given> given;
    const Cost bound = pair_bound(units.places);
    const auto limit = static_cast<std::int64_t>(count);
    for (std::size_t at = 0; at < first.size(); ++at) {
        const std::int64_t u = first[at];
        const std::int64_t v = second[at];
        require(u >= 0 && v >= 0 && u < limit && v < limit,
                "a pair names a unit that is not there");
        require(cost[at] >= 0.0, "the cost of a pair must not be negative or NaN");
        const auto [low, high] = std::minmax(index_of[static_cast<std::size_t>(u)],
                                             index_of[static_cast<std::size_t>(v)]);
        require(units.place[static_cast<std::size_t>(low)] !=
                    units.place[static_cast<std::size_t>(high)],
                "a pair must be of two annotators");
        const Cost quantised = quantise(cost[at]);
        if (quantised < bound) given.push_back({low, high, quantised});
    }
    std::sort(given.begin(), given.end(), [](const Given& a, const Given& b) {
        return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
    pairs.offsets.assign(count + 1, 0);
    pairs.other.clear();
    pairs.cost.clear();
    pairs.complete = true;
    for (std::size_t at = 0; at < given.size(); ++at) {
        require(at == 0 || given[at].first != given[at - 1].first ||
                    given[at].second != given[at - 1].second,
                "a pair was given twice");
        ++pairs.offsets[static_cast<std::size_t>(given[at].first) + 1];
        pairs.other.push_back(given[at].second);
        pairs.cost.push_back(given[at].cost);
    }
    std::partial_sum(pairs.offsets.begin(), pairs.offsets.end(), pairs.offsets.begin());
}

}  // namespace unisono
