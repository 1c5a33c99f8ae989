"""Intervals of γ over documents, compared with corpora without one of the documents."""

from typing import Any

import numpy as np
import pytest

import unisono as un
from unisono.measures.gamma.alignment import Search
from unisono.measures.gamma.gamma import _run
from unisono.measures.gamma.interval import document_jackknife, label_jackknives
from unisono.measures.jackknife import DOCUMENTS
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


def corpus_of(numbers):
    return un.Corpus.from_continua({f"text{i}": document(n) for i, n in enumerate(numbers)})


def evidence_of(corpus, *, dissimilarity=None, chance="shift"):
    run = _run(
        corpus,
        dissimilarity=dissimilarity,
        chance=chance,
        confidence=0.95,
        seed=1,
        search=Search(),
        workers=1,
    )
    found = run.evidence(DRAWS, 1.0, None)
    return found, found.pooled()


def ends_of(sample):
    interval, why = sample.interval(0.95, DOCUMENTS)
    assert why is None
    return interval.low, interval.high


def interval_of(agreement):
    assert agreement.interval is not None
    return agreement.interval.low, agreement.interval.high


def without(corpus, name):
    return un.Corpus.from_continua({key: each for key, each in corpus.items() if key != name})


@pytest.fixture(scope="module")
def corpus():
    return corpus_of(range(12))


@pytest.fixture(scope="module")
def result(corpus):
    return un.gamma(corpus, draws=DRAWS, rng=1)


def test_the_value_without_a_document_is_that_of_the_corpus_without_it(corpus):
    found, totals = evidence_of(corpus)
    names = found.measured
    whole = document_jackknife(found, totals)
    of_labels = dict(label_jackknives(found, totals))
    for at, name in enumerate(names):
        smaller = un.gamma(without(corpus, name), draws=DRAWS, rng=1)
        assert 1 - whole.without[at] == pytest.approx(smaller.value, abs=1e-12)
        assert 1 - of_labels[0].without[at] == pytest.approx(smaller.gamma_cat.value, abs=1e-12)
        for code, label in enumerate(totals.labels):
            value = 1 - of_labels[1 + code].without[at]
            assert value == pytest.approx(smaller.gamma_k[label].value, abs=1e-12)


def test_all_coefficients_have_intervals_around_their_values(result):
    for each in (result, result.gamma_cat, *result.gamma_k.values()):
        assert each.interval is not None
        assert each.interval.low < each.value < each.interval.high <= 1.0
        assert each.interval.confidence == 0.95
        assert each.interval.method == "jackknife over documents"
        assert each.to_dict()["interval"] == each.interval.to_dict()
    assert all(one.interval is None for one in result.documents.values())
    assert result.notes == ()


def test_intervals_do_not_depend_on_the_workers(corpus, result):
    assert un.gamma(corpus, draws=DRAWS, rng=1, workers=2).interval == result.interval


def test_intervals_do_not_depend_on_the_order_of_documents(corpus, result):
    turned = un.gamma(
        un.Corpus.from_continua(dict(reversed(list(corpus.items())))), draws=DRAWS, rng=1
    )
    for one, other in ((turned, result), (turned.gamma_cat, result.gamma_cat)):
        assert interval_of(one) == pytest.approx(interval_of(other), abs=1e-12)


def test_intervals_do_not_depend_on_the_cost_of_an_empty_place(corpus):
    for chance in ("shift", "corpus"):
        ends = []
        for empty in (1.0, 2.0):
            same = un.CombinedDissimilarity(empty=empty, position=1.0, label=1.0)
            found, totals = evidence_of(corpus, dissimilarity=same, chance=chance)
            samples = [document_jackknife(found, totals), dict(label_jackknives(found, totals))[0]]
            ends.append([ends_of(each) for each in samples] + [each.chance for each in samples])
        assert ends[0] == [pytest.approx(each, rel=1e-9) for each in ends[1]]


def test_the_confidence_is_the_level_of_the_interval(corpus, result):
    half = un.gamma(corpus, draws=DRAWS, rng=1, confidence=0.5)

    (low, high), (inner_low, inner_high) = interval_of(result), interval_of(half)

    assert half.to_dict()["interval"]["confidence"] == 0.5
    assert low < inner_low < inner_high < high


def test_a_document_without_a_label_moves_nothing_of_it(corpus, result):
    texts = dict(corpus)
    texts["other"] = un.Continuum.from_units(
        [("ann", 0, 5, "A"), ("bob", 0, 5, "A"), ("ann", 9, 15, "A"), ("bob", 9, 14, "A")]
    )
    more = un.gamma(un.Corpus.from_continua(texts), draws=DRAWS, rng=1)

    assert more.interval != result.interval
    assert more.gamma_k["B"].interval == result.gamma_k["B"].interval


def test_too_few_documents_are_reported_instead():
    found = un.gamma(corpus_of(range(4)), draws=DRAWS, rng=1)

    assert found.interval is None
    assert found.gamma_cat.interval is None
    assert found.notes == (
        "γ and γcat: no interval: 4 documents have something to compare, and 8 are needed",
        "γk of A, B: no interval: fewer than 8 documents have something to compare",
    )


def test_a_single_document_has_no_interval_and_no_note():
    found = un.gamma(corpus_of([3]), draws=DRAWS, rng=1)

    assert (found.interval, found.notes) == (None, ())


def test_a_label_of_a_few_documents_has_no_interval_and_the_others_have_theirs(corpus):
    texts = {**corpus, "third": document(3, "ABC")}
    found = un.gamma(un.Corpus.from_continua(texts), draws=DRAWS, rng=1)

    assert found.gamma_k["A"].interval is not None
    assert found.gamma_k["C"].undefined is None
    assert found.gamma_k["C"].interval is None
    assert found.notes == (
        "γk of C: no interval: fewer than 8 documents have something to compare",
    )


def test_documents_with_nothing_to_compare_have_no_interval():
    one = un.Continuum.from_units([("ann", 0, 5, "A")], annotators=("ann", "bob"))
    found = un.gamma(un.Corpus.from_continua({"x": one, "y": one}), draws=30, rng=1)

    assert (found.interval, found.gamma_cat.interval) == (None, None)


def test_documents_without_disagreement_have_a_bound():
    rows = [("ann", 0, 5, "A"), ("ann", 9, 12, "B"), ("bob", 0, 5, "A"), ("bob", 9, 12, "B")]
    texts = {f"text{i}": un.Continuum.from_units(rows) for i in range(12)}
    found = un.gamma(un.Corpus.from_continua(texts), draws=DRAWS, rng=1)

    assert found.value == 1.0
    low, high = interval_of(found)
    assert found.to_dict()["interval"]["method"] == "rule of three, one-sided"
    assert 0.0 < low < 0.8
    assert high == 1.0
    assert any("no disagreement in 12 documents: at least 0.7" in note for note in found.notes)


def test_draws_that_all_documents_share_widen_the_interval(corpus):
    found, totals = evidence_of(corpus, chance="corpus")
    whole = document_jackknife(found, totals)
    spread = whole.disagreement * totals.draws.std(ddof=1) / np.sqrt(DRAWS) / totals.draws.mean()

    assert whole.error**2 - whole._replace(variance=0.0).error ** 2 == pytest.approx(spread**2)


def test_there_are_no_resamples_to_choose(corpus):
    settings: dict[str, Any] = {"resamples": 100}
    with pytest.raises(TypeError, match="resamples"):
        un.gamma(corpus, **settings)
