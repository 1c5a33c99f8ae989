"""Pairs of labels have the weights of γcat."""

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

import unisono as un
from strategies import continua
from unisono.errors import DataError


def slow_weights(alignment, power=2.0, factor=1.0):
    """Return the weights of Mathet (2017), Algorithm 1, computed group by group."""
    table: dict[tuple[object, object], list[float]] = {}
    for group in alignment.groups:
        real = [unit for unit in group if unit is not None]
        for at, u in enumerate(real):
            for v in real[at + 1 :]:
                apart = abs(u.start - v.start) + abs(u.end - v.end)
                d_pos = 0.0 if apart == 0.0 else math.inf
                if u.length + v.length > 0.0 and apart:
                    d_pos = (apart / (u.length + v.length)) ** power
                weight = max(0.0, 1.0 - factor * d_pos) / (len(real) - 1)
                for pair in {(u.label, v.label), (v.label, u.label)}:
                    sums = table.setdefault(pair, [0.0, 0])
                    sums[0] += weight
                    sums[1] += 1
    return table


@pytest.mark.parametrize(
    "keywords",
    [{}, {"dissimilarity": un.CombinedDissimilarity(power=1.0)}, {"chance": "gamma-software"}],
)
def test_weights_are_those_of_the_algorithm(keywords):
    text = un.read("examples/interview.csv")["interview"]
    result = un.gamma(text, draws=10, rng=1, **keywords)
    found = un.label_confusions(result)
    power = 1.0 if "dissimilarity" in keywords else 2.0
    slow = slow_weights(result.alignment, power, 3.0 if "chance" in keywords else 1.0)

    for a, first in enumerate(found.labels):
        for b, second in enumerate(found.labels):
            weight, pairs = slow.get((first, second), (0.0, 0))
            assert found.weights[a, b] == pytest.approx(weight, abs=1e-12)
            assert found.pairs[a, b] == pairs


@pytest.mark.parametrize(
    "kind", [un.CategoricalDissimilarity, un.PositionalDissimilarity, un.CombinedDissimilarity]
)
def test_every_dissimilarity_has_pairs_with_the_weight_of_gamma_cat(kind):
    text = un.read("examples/interview.csv")["interview"]
    result = un.gamma(text, draws=3, rng=1, dissimilarity=kind(), chance="gamma-software")

    assert un.label_confusions(result).total == pytest.approx(result.gamma_cat.weight, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(continua())
def test_the_whole_weight_is_that_of_gamma_cat(continuum):
    result = un.gamma(continuum, draws=3, rng=1)
    if result.alignment is None:
        return
    found = un.label_confusions(result)

    assert found.total == pytest.approx(result.gamma_cat.weight or 0.0, abs=1e-9)
    assert np.array_equal(found.weights, found.weights.T)


def test_one_minus_the_diagonal_is_what_gamma_k_observes():
    text = un.read("examples/interview.csv")["interview"]
    result = un.gamma(text, draws=10, rng=1)
    found = un.label_confusions(result)

    for at, label in enumerate(found.labels):
        if found.pairs[at].any():
            observed = result.gamma_k[label].observed
            assert 1.0 - found.shares[at, at] == pytest.approx(observed)


def test_a_corpus_adds_its_documents_up():
    corpus = un.read("examples/corpus")
    result = un.gamma(corpus, draws=10, rng=1)
    found = un.label_confusions(result)
    parts = [un.label_confusions(each) for each in result.documents.values()]

    assert found.total == pytest.approx(sum(part.total for part in parts))
    assert found.total == pytest.approx(result.gamma_cat.weight)


def test_weights_that_are_not_those_of_gamma_cat_are_refused():
    result = un.gamma(un.read("examples/interview.csv")["interview"], draws=10, rng=1)
    other = replace(result, gamma_cat=replace(result.gamma_cat, weight=99.0))

    with pytest.raises(DataError, match="γcat has 99"):
        un.label_confusions(other)


def test_without_an_alignment_there_are_no_pairs():
    alone = un.gamma(un.Continuum.from_units([("ann", 0, 5, "A")]), draws=3, rng=1)

    with pytest.raises(DataError, match="agreement needs two annotators"):
        un.label_confusions(alone)
    with pytest.raises(TypeError, match="takes a GammaAgreement or Ratings, got int"):
        un.label_confusions(1)  # type: ignore[arg-type]


def test_pairs_are_values():
    result = un.gamma(un.read("examples/corpus"), draws=10, rng=1)
    found = un.label_confusions(result)

    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - our own
    assert hash(found) == hash(un.label_confusions(result))
    assert not found.weights.flags.writeable
    assert found != 1
    assert found.to_dict()["signature"].startswith("label_pairs|dissim:")


def test_the_sheet_has_each_pair_once():
    found = un.label_confusions(un.gamma(un.read("examples/corpus"), draws=10, rng=1))
    (table,) = found.sheet().tables
    place = {label: at for at, label in enumerate(found.labels)}

    assert sum(row[2] for row in table.rows) == np.triu(found.pairs).sum()
    assert sum(row[4] for row in table.rows) == pytest.approx(1)
    for first, second, pairs, weight, _ in table.rows:
        assert found.pairs[place[first], place[second]] == pairs
        assert found.weights[place[first], place[second]] == weight
    weights = [row[3] for row in table.view().rows]
    assert weights == sorted(weights, reverse=True)
