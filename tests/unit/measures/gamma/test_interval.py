"""Intervals of γ over documents, compared with corpora in which documents stand several times."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest

import unisono as un
from pooling_oracle import document_sums, pooled
from unisono.errors import SettingError
from unisono.measures.gamma.alignment import Search
from unisono.measures.gamma.evidence import LabelTotals, Totals
from unisono.measures.gamma.gamma import _run
from unisono.measures.gamma.interval import (
    NEEDS_DOCUMENTS,
    DocumentSums,
    _interval,
    _resampled_values,
    with_intervals,
)
from unisono.measures.gamma.monte_carlo import label_draws
from unisono.measures.gamma.result import _observed_label
from unisono.measures.sampling import Dice

DRAWS = 40


def document(number, labels="AB"):
    dice = Dice(number)
    rows = []
    for i in range(3 + number % 4):
        start = 10 * i
        low, high, doubt = dice.roll(3).tolist()
        rows.append(("ann", start, start + 6, labels[i % len(labels)]))
        moved = (start + 3 * low, start + 6 + 3 * high)
        rows.append(("bob", *moved, labels[(i + (doubt < 0.4)) % len(labels)]))
    return un.Continuum.from_units(rows)


def ends_of(agreement):
    assert agreement.interval is not None
    return agreement.interval.low, agreement.interval.high


def corpus_of(numbers):
    return un.Corpus.from_continua({f"text{i}": document(n) for i, n in enumerate(numbers)})


def found_in(corpus, draws=DRAWS, seed=1):
    """Give the evidence of each document, and the labels."""
    run = _run(
        corpus,
        dissimilarity=None,
        chance="shift",
        confidence=0.95,
        seed=seed,
        search=Search(),
        workers=1,
    )
    return list(run.evidence(draws, 1.0, None).each()), run.settings.fitted.labels


def sums_of(corpus, draws=DRAWS):
    return document_sums(*found_in(corpus, draws))


def values_of(evidence):
    """Give γ, γcat and γk by their definition."""
    gamma = 1 - evidence.observed / evidence.draws.mean()
    others = [
        1 - _observed_label(evidence, column) / label_draws(evidence.by_label, column)[0].mean()
        for column in range(1 + len(evidence.labels))
    ]
    return [gamma, *others]


@pytest.fixture(scope="module")
def corpus():
    return corpus_of(range(6))


@pytest.fixture(scope="module")
def result(corpus):
    return un.gamma(corpus, draws=DRAWS, rng=1)


def resampled(corpus, n):
    """Give γ, γcat and γk of the resamples of a corpus, and the labels of γk."""
    documents = sums_of(corpus)
    return _resampled_values(documents, range(2 + len(documents.labels)), [np.nan] * 4, n, 1)


def test_a_resample_is_the_corpus_that_has_its_documents_as_often():
    numbers, n = (0, 1, 2), 400
    values = resampled(corpus_of(numbers), n)
    parts, labels = found_in(corpus_of(numbers))
    times = list(itertools.combinations_with_replacement(numbers, 3))
    copies = [pooled([parts[number] for number in each], labels) for each in times]
    by_copies = np.array([values_of(each) for each in copies])

    apart = np.abs(values[:, None] - by_copies).max(axis=2)
    assert apart.min(axis=1).max() < 1e-12
    # Each of the 27 ways to draw three of three is as likely as any other.
    ways = Counter(tuple(sorted(way)) for way in itertools.product(numbers, repeat=3))
    shares = np.bincount(apart.argmin(axis=1), minlength=len(copies)) / n
    wished = np.array([ways[each] / 27 for each in times])
    assert np.abs(shares - wished).max() < 4 * 0.5 / math.sqrt(n)


def test_sums_of_many_documents_give_what_each_draw_gives():
    corpus = corpus_of(range(300))
    exact = un.gamma(corpus, draws=DRAWS, rng=1)
    sums = document_sums(*found_in(corpus), draw_by_draw=299)
    summed = with_intervals(exact, sums, confidence=0.95, n=1000, seed=1)

    assert sums.parts is None
    assert summed.interval == exact.interval
    for one, other in (
        (summed.gamma_cat, exact.gamma_cat),
        (summed.gamma_k["A"], exact.gamma_k["A"]),
    ):
        assert one.interval != other.interval
        assert ends_of(one) == pytest.approx(ends_of(other), abs=5e-4)


def test_some_of_many_draws_give_what_all_of_them_give(corpus):
    exact = un.gamma(corpus, draws=400, rng=1)
    documents = sums_of(corpus, draws=400)
    three = [exact, exact.gamma_cat, exact.gamma_k["A"]]
    wanted, expected = [0, 1, 2 + documents.labels.index("A")], [each.expected for each in three]
    of_all, of_some = (
        _resampled_values(documents, wanted, expected, 1000, 1, most_draws=most)
        for most in (400, 200)
    )

    assert [_interval(values, 0.95, 6) for values in of_all.T] == [each.interval for each in three]
    assert np.array_equal(of_some[:, 0], of_all[:, 0])
    for agreement, values in zip(three[1:], of_some.T[1:], strict=True):
        low, high = ends_of(agreement)
        found = _interval(values, 0.95, 6)
        assert found is not None
        assert found != agreement.interval
        assert (found.low, found.high) == pytest.approx((low, high), abs=0.03 * (high - low))


def test_the_documents_themselves_are_a_resample_with_the_very_values(corpus, result):
    documents = sums_of(corpus)
    everything = [result, result.gamma_cat, *(result.gamma_k[label] for label in documents.labels)]
    observed, weight, drawn, drawn_weight = documents.sums.sum(axis=0).T

    assert observed / weight == pytest.approx([each.observed for each in everything], rel=1e-12)
    assert drawn[0] / drawn_weight[0] == pytest.approx(result.expected, rel=1e-12)


def test_a_corpus_has_intervals_of_all_its_coefficients(result):
    for each in (result, result.gamma_cat, *result.gamma_k.values()):
        assert each.interval is not None
        assert each.interval.low <= each.value <= each.interval.high
        assert each.interval.confidence == 0.95
        assert each.interval.method == "bootstrap over documents"
        assert each.to_dict()["interval"] == each.interval.to_dict()
    assert all(one.interval is None for one in result.documents.values())


def test_gamma_of_a_resample_lies_between_those_of_documents(result):
    values = [one.value for one in result.documents.values()]
    low, high = ends_of(result)

    assert min(values) - 1e-12 <= low <= high <= max(values) + 1e-12


def test_intervals_do_not_depend_on_the_order_of_documents(corpus, result):
    parts, labels = found_in(corpus)
    turned = with_intervals(
        result, document_sums(parts[::-1], labels), confidence=0.95, n=1000, seed=1
    )

    assert turned.interval == result.interval
    assert turned.gamma_cat.interval == result.gamma_cat.interval


def test_intervals_do_not_depend_on_the_workers(corpus, result):
    assert un.gamma(corpus, draws=DRAWS, rng=1, workers=2).interval == result.interval


def test_resamples_move_no_value_and_stand_in_the_signature_when_asked_for(corpus, result):
    more = un.gamma(corpus, draws=DRAWS, rng=1, resamples=300)

    assert (more.value, more.gamma_cat.value) == (result.value, result.gamma_cat.value)
    assert more.interval != result.interval
    assert "resamples" not in result.signature
    assert more.signature["resamples"] == more.gamma_cat.signature["resamples"] == "300"
    assert "resamples" not in more.documents["text0"].signature


def test_no_resamples_give_no_interval_and_nothing_else_changes(corpus, result):
    without = un.gamma(corpus, draws=DRAWS, rng=1, resamples=0)

    assert without.interval is None
    assert without.gamma_cat.interval is None
    assert without.notes == ()
    assert without.signature == result.signature


def test_the_confidence_is_the_level_of_the_interval(corpus, result):
    half = un.gamma(corpus, draws=DRAWS, rng=1, confidence=0.5)
    low, high = ends_of(result)

    assert half.interval is not None
    assert half.interval.confidence == 0.5
    assert low < half.interval.low < half.interval.high < high


def test_few_documents_are_told(result):
    assert result.notes == ("the interval rests on 6 documents only and may be too narrow",)
    assert un.gamma(corpus_of(range(8)), draws=30, rng=1).notes == ()


def test_one_document_has_no_interval_and_whoever_asked_is_told():
    one = corpus_of([3])

    assert un.gamma(one, draws=30, rng=1).interval is None
    assert un.gamma(one, draws=30, rng=1).notes == ()
    assert un.gamma(one, draws=30, rng=1, resamples=100).notes == (NEEDS_DOCUMENTS,)
    assert un.gamma(document(3), draws=30, rng=1, resamples=100).notes == (NEEDS_DOCUMENTS,)


def test_a_label_of_a_single_document_has_no_interval():
    texts = {"first": document(1), "second": document(2), "third": document(3, "ABC")}
    found = un.gamma(un.Corpus.from_continua(texts), draws=30, rng=1)

    assert found.interval is not None
    assert found.gamma_k["A"].interval is not None
    assert found.gamma_k["C"].undefined is None
    assert found.gamma_k["C"].interval is None


def test_documents_without_disagreement_leave_no_doubt():
    rows = [("ann", 0, 5, "A"), ("ann", 9, 12, "B"), ("bob", 0, 5, "A"), ("bob", 9, 12, "B")]
    texts = {name: un.Continuum.from_units(rows) for name in "abc"}
    found = un.gamma(un.Corpus.from_continua(texts), draws=30, rng=1)

    assert (found.value, *ends_of(found)) == (1.0, 1.0, 1.0)


def test_what_is_undefined_has_no_interval_and_the_others_have_theirs(result):
    sums = np.zeros((2, 2, 4))
    sums[:, 0] = (math.inf, 2.0, math.inf, 2.0)
    sums[:, 1] = [(1.0, 4.0, 2.0, 4.0), (2.0, 4.0, 2.0, 4.0)]
    bare = un.gamma(corpus_of([1, 2]), draws=30, rng=1, resamples=0)
    fields = {name: getattr(bare, name) for name in bare.__dataclass_fields__}
    fields |= {"value": math.nan, "undefined": "infinite", "gamma_k": {}}
    found = with_intervals(
        type(bare)(**fields), DocumentSums((), sums), confidence=0.95, n=200, seed=1
    )

    assert found.interval is None
    assert found.gamma_cat.interval is not None


def test_too_many_labels_and_documents_leave_out_single_labels(monkeypatch, corpus):
    monkeypatch.setattr("unisono.measures.gamma.interval._MOST_NUMBERS", 50)
    found = un.gamma(corpus, draws=30, rng=1)

    assert found.interval is not None
    assert found.gamma_cat.interval is not None
    assert {each.interval for each in found.gamma_k.values()} == {None}
    assert any("of single labels have no interval" in note for note in found.notes)


@pytest.mark.parametrize("resamples", [-1, 1.5, True, "many"])
def test_resamples_are_a_whole_number(corpus, resamples):
    with pytest.raises((SettingError, TypeError), match="resamples must be"):
        un.gamma(corpus, resamples=resamples, draws=30)


def test_intervals_hold_the_true_value_about_as_often_as_they_say():
    # Documents of a population whose γ is known, of different sizes and agreement.
    dice = Dice(5)
    size, share = 1.0 + 20.0 * dice.roll(20_000), dice.roll(20_000) ** 2
    population = np.stack([size * share, size, size * 1.3, size], axis=1)[:, None]
    whole = population.sum(axis=0)[0]
    true = 1.0 - whole[0] / whole[2]
    bare = un.gamma(corpus_of([1, 2]), draws=30, rng=1, resamples=0)
    held = 0
    for trial in range(300):
        sample = population[dice.below(20_000, 12)]
        sums = np.concatenate((sample, sample), axis=1)
        observed, weight, drawn, _ = sample.sum(axis=0)[0]
        fields = {name: getattr(bare, name) for name in bare.__dataclass_fields__}
        fields |= {"expected": drawn / weight, "observed": observed / weight, "gamma_k": {}}
        of_sample = type(bare)(**fields)
        found = with_intervals(of_sample, DocumentSums((), sums), confidence=0.9, n=200, seed=trial)
        low, high = ends_of(found)
        held += low <= true <= high
    # 0.9 with a standard error of 0.017.
    assert 0.85 <= held / 300 <= 0.95


def part_of(draws_disorder):
    """The evidence of a document whose labels disagree by 0.25, and in each draw by so much."""
    draws = np.ones(len(draws_disorder))
    by_label = LabelTotals(
        np.array([1.0]), np.array([4.0]), 4.0 * np.array([draws_disorder]).T, 4.0 * draws[:, None]
    )
    return Totals((), 2.0, 0.5, 0.5, draws, draws, True, 0, by_label, 0)


def test_where_the_first_draws_never_disagree_all_of_them_are_taken():
    alike = document_sums([part_of([0.0, 0.0, 0.25, 0.75])] * 2, ())
    values = _resampled_values(alike, [1], [np.nan, np.nan], 50, 1, most_draws=2)

    # Two documents that are the same make resamples that are the same: 1 − 0.25 / 0.25.
    assert values.tolist() == [[0.0]] * 50


def test_where_the_first_draws_disagree_they_are_scaled_to_what_all_of_them_gave():
    alike = document_sums([part_of([0.1, 0.3, 0.25, 0.75])] * 2, ())
    values = _resampled_values(alike, [1], [np.nan, 0.35], 50, 1, most_draws=2)

    assert values.ravel() == pytest.approx(1 - 0.25 / 0.35)


def test_less_than_half_of_the_resamples_are_no_distribution():
    few, enough = np.array([np.nan, np.nan, np.nan, 0.5]), np.array([np.nan, np.nan, 0.5, 0.5])
    found = _interval(enough, 0.9, 6)

    assert _interval(few, 0.9, 6) is None
    assert found is not None
    assert (found.low, found.high, found.confidence) == (0.5, 0.5, 0.9)
