// Searches for groups, beside a list of all of them.
#include "pricing/pricing_search.hpp"

#include <algorithm>

#include "alignment/enumeration.hpp"
#include "checking.hpp"
#include "families.hpp"

namespace unisono::testing {

namespace {

constexpr GroupLimits kNoLimits{kNoLimit, kNoLimit, kNoLimit};

struct Marked {
    Pairs pairs;
    std::vector<std::int32_t> place;
    int places = 0;
};

struct Question {
    std::vector<Cost> shares;
    GroupWish wish;
    Cuts cuts;
};

Cost random_up_to(Cost most, std::mt19937_64& random) {
    return static_cast<Cost>(random() % static_cast<std::uint64_t>(2 * most + 1)) - most;
}

// Shares as large as they can be, or near to what units could be paid: many groups are close to
// the wish. None is a whole number of what bounds are counted in.
Question random_question(const Marked& marked, std::mt19937_64& random) {
    const std::size_t count = marked.place.size();
    const Cost alone = pair_count(marked.places) * kOne;
    Question question{{}, {}, Cuts(count)};
    for (std::size_t unit = 0; unit < count; ++unit) {
        const Cost usual = alone / marked.places;
        question.shares.push_back(random() % 8 == 0 ? random_up_to(alone, random)
                                                    : usual + random_up_to(usual / 4, random));
    }
    question.wish.most_reduced = random_up_to(alone / 4, random);
    for (int times = 0; count > 2 && times < 3 && random() % 2 == 0; ++times) {
        const auto first = static_cast<std::int32_t>(random() % (count - 2));
        question.cuts.add({{first, first + 1, first + 2}, (random_up_to(kOne, random) + kOne) / 2});
    }
    return question;
}

Cost reduced_cost(const Groups& groups, std::int64_t group, const Question& question) {
    Cost reduced = groups.cost[static_cast<std::size_t>(group)];
    reduced += question.cuts.paid_by(groups.members_of(group));
    for (const std::int32_t member : groups.members_of(group)) {
        reduced -= question.shares[static_cast<std::size_t>(member)];
    }
    return reduced;
}

// From the pairs, one after the other; kNotAlignable if some are none.
Cost cost_of_group(const Marked& marked, std::span<const std::int32_t> members) {
    Cost cost = pair_count(marked.places) * kOne;
    for (std::size_t m = 0; m < members.size(); ++m) {
        const auto unit = static_cast<std::size_t>(members[m]);
        const auto from = marked.pairs.other.begin() + marked.pairs.offsets[unit];
        const auto to = marked.pairs.other.begin() + marked.pairs.offsets[unit + 1];
        for (const std::int32_t other : members.subspan(m + 1)) {
            const auto at = std::find(from, to, other);
            if (at == to) return kNotAlignable;
            cost -=
                kOne - marked.pairs.cost[static_cast<std::size_t>(at - marked.pairs.other.begin())];
        }
    }
    return cost;
}

void compare_with_list(const Marked& marked, const std::string& name, std::mt19937_64& random) {
    const StopFlag stop;
    Savings savings;
    find_savings(marked.pairs, marked.place, marked.places, savings);
    Groups all;
    list_groups(marked.pairs, marked.place, savings, kNoLimits, stop, all);
    GroupAsker asker(marked.pairs, marked.place, savings, stop);
    for (int times = 0; times < 4; ++times) {
        Question question = random_question(marked, random);
        question.wish.cuts = question.cuts.empty() ? nullptr : &question.cuts;
        if (all.size() > 0 && times % 2 == 0) {  // exactly what a group costs
            const auto one = static_cast<std::int64_t>(random() % all.cost.size());
            question.wish.most_reduced = reduced_cost(all, one, question);
        }
        Groups wished;
        wished.clear(0);
        for (std::int64_t g = 0; g < all.size(); ++g) {
            if (reduced_cost(all, g, question) > question.wish.most_reduced) continue;
            wished.add(all.members_of(g), all.cost[static_cast<std::size_t>(g)]);
        }
        Groups found;
        check(asker.ask(question.shares, question.wish, kNoLimits, found), name + ": to the end");
        check(found.members == wished.members && found.member_offsets == wished.member_offsets,
              name + ": the groups within the wish, and no others");
        check(found.cost == wished.cost, name + ": exact costs");
        question.wish.quickly = true;
        question.wish.first_guesses = &all;
        asker.ask(question.shares, question.wish, kNoLimits, found);
        bool all_right = true;
        for (std::int64_t g = 0; g < found.size(); ++g) {
            all_right = all_right &&
                        found.cost[static_cast<std::size_t>(g)] ==
                            cost_of_group(marked, found.members_of(g)) &&
                        reduced_cost(found, g, question) <= question.wish.most_reduced;
        }
        check(all_right, name + ": guesses within the wish, with exact costs");
    }
}

void test_a_search_finds_what_is_in_the_list() {
    std::mt19937_64 random(61);
    for (int places = 2; places <= 6; ++places) {
        for (std::size_t kind = 0; kind < kFamilies.size(); ++kind) {
            for (int round = 0; round < 10; ++round) {
                const Units units = family(kind, places, places < 5 ? 6 : 4, random);
                Marked marked{{}, units.place, places};
                find_pairs(units, random_weights(random), kTable, kNoLimit, StopFlag(),
                           marked.pairs);
                compare_with_list(marked, kFamilies[kind], random);
            }
        }
    }
}

// Few of very many annotators have marked anything. Pairs may then cost hundreds, which is more
// than bounds count.
void test_dear_pairs_of_many_annotators() {
    std::mt19937_64 random(67);
    constexpr std::array kCosts = {0.0,  0.3,   0.999999999, 1.0,    2.5,
                                   90.0, 129.5, 700.0,       1025.0, 9e3};
    for (int round = 0; round < 60; ++round) {
        Marked marked;
        marked.places = 150;
        marked.pairs.offsets.assign(1, 0);
        constexpr std::int32_t kUnits = 10;
        for (std::int32_t unit = 0; unit < kUnits; ++unit) marked.place.push_back(unit % 6);
        for (std::int32_t unit = 0; unit < kUnits; ++unit) {
            for (std::int32_t other = unit + 1; other < kUnits; ++other) {
                if ((other - unit) % 6 == 0 || random() % 5 == 0) continue;
                marked.pairs.other.push_back(other);
                marked.pairs.cost.push_back(quantise(kCosts[random() % kCosts.size()]));
            }
            marked.pairs.offsets.push_back(static_cast<std::int64_t>(marked.pairs.other.size()));
        }
        compare_with_list(marked, "dear pairs", random);
    }
}

}  // namespace

void test_asking() {
    test_a_search_finds_what_is_in_the_list();
    test_dear_pairs_of_many_annotators();
}

}  // namespace unisono::testing
