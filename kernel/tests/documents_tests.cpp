// Many documents in one call, the dice of their draws, and how work is asked to stop.
#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "checking.hpp"
#include "families.hpp"
#include "oracles.hpp"
#include "sampling/documents.hpp"
#include "sampling/random.hpp"
#include "sampling/shifts.hpp"

namespace unisono::testing {

namespace {

// What numpy 2.4 gives for PCG64(SeedSequence(seed, spawn_key=stream)).random_raw(3).
void test_dice_are_those_of_numpy() {
    const std::vector<std::uint32_t> short_seed{42};
    Dice dice = Seeding(short_seed).inside(1).inside(7).inside(5).dice();
    check(dice.bits() == 0xa58755f54f3aac61ULL && dice.bits() == 0x5dabd6b70a0ade8aULL &&
              dice.bits() == 0xfdfc3acd0e15bc16ULL,
          "the dice of a short seed");
    const std::vector<std::uint32_t> long_seed{3, 0, 0, 0, 4194304};  // 2^150 + 3
    Dice others = Seeding(long_seed).inside(0).inside(4294967295U).dice();
    check(others.bits() == 0x69ee8934d4a517c3ULL && others.bits() == 0x479c3520c4f96ac6ULL &&
              others.bits() == 0x374eee4a29f156f9ULL,
          "the dice of a long seed");
    for (int i = 0; i < 1000; ++i) {
        const double uniform = dice.roll();
        check(uniform >= 0.0 && uniform < 1.0, "a roll lies from 0 up to but not 1");
    }
}

void test_shifts_lie_apart() {
    const std::vector<std::uint32_t> seed{9};
    const std::vector<std::int64_t> counts{0, 2, 0};
    ShiftRoller roller;
    std::int64_t again = 0;
    for (std::uint32_t draw = 0; draw < 500; ++draw) {
        std::vector<std::int32_t> picks(4);
        std::vector<double> shifts(4);
        const ShiftRules rules{counts, 4, 100.0, 20.0, false};
        again += roller.roll(rules, Seeding(seed).inside(draw).dice(), picks, shifts);
        check(std::count(picks.begin(), picks.end(), 1) > 0, "every draw has units");
        std::sort(shifts.begin(), shifts.end());
        for (std::size_t i = 0; i < shifts.size(); ++i) {
            const double next = i + 1 < shifts.size() ? shifts[i + 1] : shifts[0] + 100.0;
            check(next - shifts[i] >= 20.0 - 1e-9, "shifts lie apart around the circle");
        }
    }
    check(again > 0, "draws without units are rolled again");
}

// Documents as columns that own what they hold.
struct Columns {
    std::vector<double> starts, ends, low, high, spacing;
    std::vector<std::int32_t> labels, codes;
    std::vector<std::int64_t> counts, annotators_of, labels_of, first, draws;
    std::vector<std::uint32_t> stream;

    void add(const Units& units, std::uint32_t word) {
        for (int place = 0; place < units.places; ++place) {
            counts.push_back(0);
            for (std::size_t i = 0; i < units.start.size(); ++i) {
                if (units.place[i] != place) continue;
                starts.push_back(units.start[i]);
                ends.push_back(units.end[i]);
                labels.push_back(units.label[i]);
                ++counts.back();
            }
        }
        annotators_of.push_back(units.places);
        labels_of.push_back(3);
        for (const std::int32_t code : {0, 1, 2}) codes.push_back(code);
        low.push_back(0.0);
        high.push_back(units.end.empty() ? 1.0 : *std::ranges::max_element(units.end) + 1.0);
        spacing.push_back(high.back() / 20.0);
        stream.push_back(word);
        first.push_back(2);
        draws.push_back(5);
    }
    [[nodiscard]] DocumentScores measured() const {
        const auto yes = std::make_unique<bool[]>(counts.size());
        std::fill_n(yes.get(), counts.size(), true);
        const std::span<const bool> all(yes.get(), counts.size());
        const Documents documents{starts,
                                  ends,
                                  labels,
                                  counts,
                                  all,
                                  annotators_of,
                                  labels_of,
                                  codes,
                                  low,
                                  high,
                                  spacing,
                                  stream,
                                  all.first(annotators_of.size()),
                                  first,
                                  draws};
        const std::vector<std::uint32_t> seed{7};
        const DocumentRules rules{{{}, 1.0, kTable}, Limits{}, Limits{}, seed, 1, false};
        const StopFlag stop;
        return measure_documents(documents, rules, stop);
    }
};

void test_documents_together_are_documents_alone() {
    std::mt19937_64 random(17);
    for (int round = 0; round < 60; ++round) {
        Columns together;
        DocumentScores alone;
        std::vector<double> sums, label_sums, disorders;
        std::vector<std::int32_t> groups;
        for (std::uint32_t number = 0; number < 6; ++number) {
            const auto places = static_cast<int>(2 + random() % 3);
            const Units units = family(random() % kFamilies.size(), places, 6, random);
            if (units.size() == 0) continue;
            together.add(units, number);
            Columns single;
            single.add(units, number);
            const DocumentScores found = single.measured();
            const auto append = [](auto& all, const auto& more) {
                all.insert(all.end(), more.begin(), more.end());
            };
            append(sums, found.draws.disorder_sum);
            append(label_sums, found.draws.label_weight_of);
            append(disorders, found.alignments.disorders);
            append(groups, found.alignments.groups);
        }
        const DocumentScores found = together.measured();
        const std::string name = "documents of round " + std::to_string(round);
        check(found.draws.disorder_sum == sums, name + ": the same draws");
        check(found.draws.label_weight_of == label_sums, name + ": the same label sums");
        check(found.alignments.disorders == disorders, name + ": the same disorders");
        check(found.alignments.groups == groups, name + ": the same groups");
    }
}

int asked = 0;

bool never() {
    ++asked;
    return false;
}

bool at_third() {
    return ++asked == 3;
}

bool is_stopped(const StopFlag& stop) {
    try {
        stop.check();
    } catch (const Stopped&) {
        return true;
    }
    return false;
}

void test_who_works_asks_now_and_then() {
    using Clock = std::chrono::steady_clock;
    asked = 0;
    const StopFlag stop(&never);
    const StopFlag timed(stop, 1e12);
    const StopFlag quiet(stop, StopFlag::Quiet{});
    const auto begin = Clock::now();
    while (Clock::now() - begin < std::chrono::milliseconds(250)) quiet.check();
    check(asked == 0, "a helper does not ask");
    for (int i = 0; i < 100'000; ++i) timed.check();
    check(asked == 1, "many checks ask once");

    asked = 0;
    const StopFlag third(&at_third);
    bool stopped = false;
    // Long between two checks: none may be left out.
    for (int i = 0; i < 5 && !stopped; ++i) {
        std::this_thread::sleep_for(StopFlag::kBetweenAsking + std::chrono::milliseconds(10));
        stopped = is_stopped(third);
    }
    check(stopped && asked == 3, "whoever is told to stop stops");
    check(is_stopped(StopFlag(third, StopFlag::Quiet{})), "and so do the helpers");
}

}  // namespace

void test_documents() {
    test_dice_are_those_of_numpy();
    test_shifts_lie_apart();
    test_documents_together_are_documents_alone();
    test_who_works_asks_now_and_then();
}

}  // namespace unisono::testing
