"""Laws of the diagnosis and the consensus of ratings, and a slow oracle of both."""

import itertools
import math
from collections import Counter
from statistics import median

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import items_oracle as oracle
import unisono as un
from rating_strategies import ratings as any_ratings
from unisono.measures.items.rows import Rows

MISSING = st.sampled_from(("values", "items", "pairs", "remove"))
DISTANCES = {
    "nominal": oracle.nominal,
    "interval": oracle.interval,
    "circular:7": oracle.circular(7),
}
NUMBERS = ("numbers", "one")


def items_of(ratings):
    """One dict per item, from annotator to label."""
    rows = Rows.of(ratings)
    found = []
    for row in range(rows.n_rows):
        here = slice(rows.offsets[row], rows.offsets[row + 1])
        names = [ratings.annotators[code] for code in rows.annotator_codes[here]]
        labels = [ratings.labels[code] for code in rows.label_codes[here]]
        found += [dict(zip(names, labels, strict=True))] * int(ratings.times[row])
    return found


def slow_parts(items, n_annotators, distance, missing):
    """The parts by annotator, label and pair of labels, with a loop over every pair."""
    by_annotator: Counter = Counter()
    by_label: Counter = Counter()
    by_pair: Counter = Counter()
    total = 0.0
    for item in items:
        m = len(item)
        if m < 2 or (missing == "remove" and m < n_annotators):
            continue
        weight = {"values": 1 / (m - 1), "items": 2 / (m * (m - 1))}.get(missing, 1.0)
        for (a, c), (b, k) in itertools.combinations(item.items(), 2):
            total += weight
            cost = weight * distance(c, k)
            for who in (a, b):
                by_annotator[who] += cost / 2
            for label in (c, k):
                by_label[label] += cost / 2
            if c != k:
                by_pair[frozenset((c, k))] += cost
    return [
        {key: part / total for key, part in parts.items()}
        for parts in (by_annotator, by_label, by_pair)
    ]


def diagnosis_of(ratings, **settings):
    try:
        return un.diagnose(ratings, most_items=10_000, **settings)
    except un.DataError:
        assume(False)


@given(any_ratings(labels="numbers"), st.sampled_from(sorted(DISTANCES)), MISSING)
def test_the_parts_are_those_of_the_slow_oracle(ratings, distance, missing):
    found = diagnosis_of(ratings, distance=distance, missing=missing)
    slow = slow_parts(items_of(ratings), ratings.n_annotators, DISTANCES[distance], missing)
    by_pair = {frozenset(each.labels): each.disagreement for each in found.confusions}
    by_annotator = {name: each.disagreement for name, each in found.by_annotator.items()}
    by_label = {label: each.disagreement for label, each in found.by_label.items()}

    if not ratings.anonymous:
        assert by_annotator == pytest.approx(
            {name: slow[0].get(name, 0.0) for name in ratings.annotators}, abs=1e-12
        )
    assert by_label == pytest.approx(
        {label: slow[1].get(label, 0.0) for label in ratings.labels}, abs=1e-12
    )
    assert by_pair == pytest.approx(slow[2], abs=1e-12)


@given(any_ratings(labels="numbers"), st.sampled_from(("nominal", "ordinal", "interval")), MISSING)
def test_all_parts_sum_exactly_to_the_observed_disagreement_of_alpha(ratings, distance, missing):
    found = diagnosis_of(ratings, distance=distance, missing=missing)
    alpha = un.krippendorff_alpha(ratings, distance=distance, missing=missing)
    every = [found.by_label.values(), found.confusions]
    every += [] if ratings.anonymous else [found.by_annotator.values()]

    assert found.observed == alpha.observed
    for parts in every:
        assert math.fsum(each.disagreement for each in parts) == alpha.observed
    if ratings.items is not None:
        assert math.fsum(each.disagreement for each in found.items) == pytest.approx(
            alpha.observed, rel=1e-12
        )
        assert len(found.items) == found.n_disagreeing


@given(any_ratings(max_annotators=3), MISSING)
def test_alpha_without_an_annotator_is_alpha_of_the_others(ratings, missing):
    found = diagnosis_of(ratings, missing=missing)
    assume(not ratings.anonymous and ratings.n_annotators > 2)
    for name, each in found.by_annotator.items():
        others = ratings.only(annotators=[one for one in ratings.annotators if one != name])
        alpha = un.krippendorff_alpha(others, missing=missing)
        assert each.alpha_without == pytest.approx(alpha.value, nan_ok=True)


@given(any_ratings(labels="text"))
def test_the_observed_disagreement_is_the_mean_of_annotators(ratings):
    found = diagnosis_of(ratings)
    assume(not ratings.anonymous)
    people = [each for each in found.by_annotator.values() if each.n_ratings]
    weighted = math.fsum(each.n_ratings * each.mean for each in people)

    assert weighted / sum(each.n_ratings for each in people) == pytest.approx(found.observed)


@given(any_ratings(labels="text"))
def test_proportions_by_chance_give_the_expected_disagreement(ratings):
    found = diagnosis_of(ratings)
    pairs = {each.labels: each for each in found.confusions}
    counts = {label: each.n_ratings for label, each in found.by_label.items()}
    total = sum(counts.values())
    for (one, other), each in pairs.items():
        assert each.expected == pytest.approx(
            2 * counts[one] * counts[other] / (total * (total - 1))
        )
        assert each.disagreement == pytest.approx(each.proportion)
    chance = sum(
        2 * counts[one] * counts[other] / (total * (total - 1))
        for one, other in itertools.combinations(counts, 2)
    )
    if not math.isnan(found.alpha.expected):
        assert chance == pytest.approx(found.alpha.expected)


@given(any_ratings(labels="text"))
def test_the_use_of_labels_is_compared_on_the_same_items(ratings):
    found = diagnosis_of(ratings)
    assume(not ratings.anonymous)
    items = [item for item in items_of(ratings) if len(item) > 1]
    for use in found.label_use:
        own = [item for item in items if use.annotator in item]
        share = sum(item[use.annotator] == use.label for item in own) / len(own)
        others = [
            sum(label == use.label for name, label in item.items() if name != use.annotator)
            / (len(item) - 1)
            for item in own
        ]
        assert use.share == pytest.approx(share)
        assert use.others == pytest.approx(sum(others) / len(own))
    for name in {use.annotator for use in found.label_use}:
        assert sum(u.share for u in found.label_use if u.annotator == name) == pytest.approx(1)
        assert sum(u.others for u in found.label_use if u.annotator == name) == pytest.approx(1)


@given(any_ratings(), st.sampled_from((0.0, 0.4, 0.5, 0.67, 1.0)))
def test_the_majority_is_that_of_the_slow_oracle(ratings, support):
    assume(ratings.items is not None)
    found = un.consensus(ratings, support=support)
    labels = {each.item: each.label for each in found.items}
    undecided = {each.item: each.why for each in found.undecided}
    for name, item in zip(ratings.items, items_of(ratings), strict=True):
        votes = Counter(item.values()).most_common()
        tied = len(votes) > 1 and votes[0][1] == votes[1][1]
        if len(item) < 2:
            assert undecided[name] == "ratings"
        elif tied:
            assert undecided[name] == "tie"
        elif votes[0][1] < support * len(item):
            assert undecided[name] == "support"
        else:
            assert labels[name] == votes[0][0]
    assert len(found.items) + len(found.undecided) == found.n_items == ratings.n_items


@given(any_ratings(labels="numbers"))
def test_medians_are_those_of_the_standard_library(ratings):
    assume(ratings.items is not None)
    interval, ordinal = (un.consensus(ratings, distance=each) for each in ("interval", "ordinal"))
    means = {each.item: each.label for each in interval.items}
    middles = {each.item: each.label for each in ordinal.items}
    for name, item in zip(ratings.items, items_of(ratings), strict=True):
        numbers = sorted(item.values())
        if len(numbers) < 2:
            assert name not in means
            assert name not in middles
            continue
        assert float(means[name]) == pytest.approx(float(median(numbers)))
        same = numbers[(len(numbers) - 1) // 2] == numbers[len(numbers) // 2]
        assert (name in middles) == same
        assert not same or middles[name] == numbers[len(numbers) // 2]


@given(any_ratings(labels="numbers"))
def test_who_agrees_has_no_parts(ratings):
    assume(not ratings.anonymous and ratings.items is not None and ratings.n_ratings > 0)
    first = {item: next(iter(labels.values())) for item, labels in
             zip(ratings.items, items_of(ratings), strict=True)}  # fmt: skip
    same = un.Ratings.from_columns(
        *zip(*((who, item, label) for who in "ab" for item, label in first.items()), strict=True)
    )
    found = diagnosis_of(same)

    assert found.observed == 0.0
    assert found.items == found.confusions == ()
    assert {each.label for each in un.consensus(same).items} == set(first.values())
