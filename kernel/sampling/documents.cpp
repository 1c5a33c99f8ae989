#include "sampling/documents.hpp"

#include "python/validation.hpp"
#include "sampling/shifts.hpp"

namespace unisono {

namespace {

constexpr std::int64_t kWorthThreads = 50'000;  // some 0.6 ms; see StopFlag::Work

// Where a document begins in each column.
struct Place {
    std::size_t annotator = 0, unit = 0, label = 0, pair = 0;
};

class DocumentWorker {
 public:
    DocumentWorker(const Documents& documents, const DocumentRules& rules, const StopFlag& stop)
        : documents_(documents),
          rules_(rules),
          stop_(stop),
          seeding_(Seeding(rules.seed).inside(rules.stream_of_shifts)),
          draw_worker_(rules.limits_of_draws, stop) {}

    DocumentScores run() {
        make_room();
        for (at_ = 0; at_ < documents_.size(); ++at_) {
            stop_.check();
            take();
            if (documents_.aligns[at_]) {
                align();
            } else {
                skip_alignment();
            }
            draw();
            place_.annotator += places();
            place_.unit += starts_.size();
            place_.label += codes_.size();
            place_.pair += pairs();
        }
        return std::move(scores_);
    }

 private:
    [[nodiscard]] std::size_t places() const {
        return static_cast<std::size_t>(documents_.annotators_of[at_]);
    }

    [[nodiscard]] std::size_t pairs() const {
        return documents_.pairs_of.empty() ? 0 : static_cast<std::size_t>(documents_.pairs_of[at_]);
    }

    void make_room() {
        std::int64_t draws = 0;
        std::int64_t of_labels = 0;
        for (std::size_t at = 0; at < documents_.size(); ++at) {
            draws += documents_.draws[at];
            of_labels += documents_.draws[at] * documents_.labels_of[at];
        }
        scores_.draws = DrawScores(draws, 0);
        scores_.draws.label_disorder_of.resize(static_cast<std::size_t>(of_labels));
        scores_.draws.label_weight_of.resize(static_cast<std::size_t>(of_labels));
    }

    // Takes the columns of the document at hand.
    void take() {
        const auto counts = documents_.counts.subspan(place_.annotator, places());
        offsets_.assign(1, 0);
        for (const std::int64_t count : counts) offsets_.push_back(offsets_.back() + count);
        const auto units = static_cast<std::size_t>(offsets_.back());
        starts_ = documents_.starts.subspan(place_.unit, units);
        ends_ = documents_.ends.subspan(place_.unit, units);
        labels_ = documents_.labels.subspan(place_.unit, units);
        const auto known = static_cast<std::size_t>(documents_.labels_of[at_]);
        codes_ = documents_.codes.subspan(place_.label, known);
        const LabelDistances& all = rules_.scoring.distances;
        distances_.clear();
        if (!all.table.empty()) {
            for (const std::int32_t a : codes_) {
                for (const std::int32_t b : codes_) distances_.push_back(all.between(a, b));
            }
        }
        scoring_ = rules_.scoring;
        scoring_.distances = {distances_, documents_.labels_of[at_]};
    }

    void align() {
        UnitsBuilder builder(static_cast<int>(places()));
        builder.reserve(starts_.size());
        for (std::size_t place = 0; place < places(); ++place) {
            for (auto row = offsets_[place]; row < offsets_[place + 1]; ++row) {
                const auto unit = static_cast<std::size_t>(row);
                builder.add(starts_[unit], ends_[unit], labels_[unit],
                            static_cast<std::int32_t>(place), static_cast<std::int32_t>(row));
            }
        }
        if (documents_.pairs_of.empty()) {
            aligner_.take(builder, scoring_);
            aligner_.align(scoring_, rules_.limits, stop_);
        } else {
            aligner_.take_without_twins(builder);
            take_pairs(aligner_.units(), documents_.pair_first.subspan(place_.pair, pairs()),
                       documents_.pair_second.subspan(place_.pair, pairs()),
                       documents_.pair_costs.subspan(place_.pair, pairs()), aligner_.pairs());
            aligner_.align_pairs(scoring_, rules_.limits, stop_);
        }
        store_alignment();
    }

    void store_alignment() {
        DocumentAlignments& found = scores_.alignments;
        const Partition& partition = aligner_.partition();
        const std::vector<double>& disorders = aligner_.disorders();
        const LabelSums& sums = aligner_.sums();
        found.groups_of.push_back(static_cast<std::int64_t>(partition.size()));
        append_group_rows(aligner_.units(), partition, found.groups);
        found.disorders.insert(found.disorders.end(), disorders.begin(), disorders.end());
        found.lower_bound.push_back(partition.lower_bound);
        found.proven.push_back(partition.proven ? 1 : 0);
        found.label_disorder.push_back(sums.disorder);
        found.label_weight.push_back(sums.weight);
        const auto append = [](std::vector<double>& all, const std::vector<double>& more) {
            all.insert(all.end(), more.begin(), more.end());
        };
        append(found.label_disorder_of, sums.disorder_of);
        append(found.label_weight_of, sums.weight_of);
        found.work.push_back(aligner_.work());
    }

    void skip_alignment() {
        DocumentAlignments& found = scores_.alignments;
        found.groups_of.push_back(-1);
        found.lower_bound.push_back(0.0);
        found.proven.push_back(1);
        found.label_disorder.push_back(0.0);
        found.label_weight.push_back(0.0);
        found.work.push_back(0);
    }

    void draw() {
        scores_.redrawn.push_back(0);
        const auto draws = static_cast<std::size_t>(documents_.draws[at_]);
        if (draws == 0) return;
        const double low = documents_.low[at_];
        const double extent = documents_.high[at_] - low;
        voices_.clear();
        counts_.clear();
        for (std::size_t annotator = 0; annotator < places(); ++annotator) {
            if (!documents_.is_drawn_from[place_.annotator + annotator]) continue;
            voices_.push_back(static_cast<std::int32_t>(annotator));
            counts_.push_back(offsets_[annotator + 1] - offsets_[annotator]);
        }
        const ShiftRules shift_rules{counts_, static_cast<int>(places()), extent,
                                     documents_.spacing[at_], rules_.whole_shifts};
        origins_.assign(places(), low);
        extents_.assign(places(), extent);
        picks_.resize(draws * places());
        shifts_.resize(draws * places());
        const Seeding stream = seeding_.inside(documents_.stream[at_]);
        const auto first = static_cast<std::uint32_t>(documents_.first[at_]);
        for (std::size_t draw = 0; draw < draws; ++draw) {
            const std::span picks(picks_.data() + draw * places(), places());
            const std::span shifts(shifts_.data() + draw * places(), places());
            const Dice dice = stream.inside(first + static_cast<std::uint32_t>(draw)).dice();
            scores_.redrawn.back() += roller_.roll(shift_rules, dice, picks, shifts);
            for (std::int32_t& pick : picks) pick = voices_[static_cast<std::size_t>(pick)];
        }
        const DrawPlan plan{starts_,
                            ends_,
                            labels_,
                            offsets_,
                            origins_,
                            extents_,
                            documents_.draws[at_],
                            static_cast<int>(places()),
                            picks_,
                            shifts_,
                            {}};
        for (std::size_t draw = 0; draw < draws; ++draw) {
            if (draw == 1 && pays_to_share(draws - 1)) {
                score_draws(plan, scoring_, rules_.limits_of_draws, rules_.threads, stop_,
                            scores_.draws, {draw, draw_entry_, label_entry_});
                draw_entry_ += draws - 1;
                label_entry_ += (draws - 1) * codes_.size();
                return;
            }
            draw_worker_.score(plan, scoring_, draw, scores_.draws, draw_entry_, label_entry_);
            ++draw_entry_;
            label_entry_ += codes_.size();
        }
    }

    // Whether the draws left, by the work of the first, take longer than to start threads.
    [[nodiscard]] bool pays_to_share(std::size_t left) const {
        const std::int64_t one = scores_.draws.work[draw_entry_ - 1];
        return rules_.threads > 1 && static_cast<std::int64_t>(left) * one > kWorthThreads;
    }

    const Documents& documents_;
    const DocumentRules& rules_;
    const StopFlag& stop_;
    Seeding seeding_;
    DrawWorker draw_worker_;
    ShiftRoller roller_;
    DocumentScores scores_;
    std::size_t draw_entry_ = 0, label_entry_ = 0;

    // The document at hand.
    std::size_t at_ = 0;
    Place place_;
    std::span<const double> starts_, ends_;
    std::span<const std::int32_t> labels_, codes_;
    std::vector<std::int64_t> offsets_;
    std::vector<double> distances_;
    Scoring scoring_;
    Aligner aligner_;
    // Its draws.
    std::vector<std::int32_t> voices_, picks_;
    std::vector<std::int64_t> counts_;
    std::vector<double> origins_, extents_, shifts_;
};

}  // namespace

DocumentScores measure_documents(const Documents& documents, const DocumentRules& rules,
                                 const StopFlag& stop) {
    return DocumentWorker(documents, rules, stop).run();
}

}  // namespace unisono
