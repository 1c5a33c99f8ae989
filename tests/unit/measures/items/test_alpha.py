"""Krippendorff's α: how it is called, what it refuses, and what it does with very many labels."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import items_oracle as oracle
from unisono.errors import DataError, SettingError
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import NAMED_DISTANCES
from unisono.measures.items.alpha import krippendorff_alpha
from unisono.measures.items.coefficients import KrippendorffAlpha
from unisono.measures.items.disagreement import Ordinal, _spreads_by_pairs, spreads
from unisono.measures.items.engine import Work, measured
from unisono.measures.items.metrics import Table, distance_metric
from unisono.measures.items.resampling import observed_pairs
from unisono.measures.items.rows import Rows
from unisono.model.ratings import Ratings

TABLE = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
KRIPPENDORFF = Ratings.from_matrix(TABLE)


class OfManyLabels(KrippendorffAlpha):
    """Krippendorff's α that takes three labels for very many."""

    def metric(self, rows, times):  # noqa: ARG002 - not scaled
        return distance_metric(rows.labels, self.distance, None, largest_table=2)


def test_observed_and_expected_are_the_published_disagreements():
    alpha = krippendorff_alpha(KRIPPENDORFF, distance="interval")
    assert alpha.expected == pytest.approx(2.872, abs=5e-4)
    assert alpha.value == pytest.approx(1 - alpha.observed / alpha.expected)
    assert alpha.observed_agreement == 1 - alpha.observed


def test_items_without_a_pair_are_left_out_and_counted():
    alpha = krippendorff_alpha(KRIPPENDORFF)
    assert (alpha.n_items, alpha.n_left_out, alpha.n_ratings, alpha.n_annotators) == (11, 1, 40, 4)


def test_texts_need_an_order_to_be_ordinal():
    words: dict[Any, Any] = {1: "bad", 2: "poor", 3: "fair", 4: "good", 5: "best"}
    renamed = KRIPPENDORFF.rename(labels=words)
    with pytest.raises(DataError, match=r"'ordinal' needs labels in an order.*order=…"):
        krippendorff_alpha(renamed, distance="ordinal")
    ordered = krippendorff_alpha(renamed, distance="ordinal", order=list(words.values()))
    assert ordered.value == krippendorff_alpha(KRIPPENDORFF, distance="ordinal").value
    assert ordered.signature["distance"] == "ordinal[bad<poor<fair<good<best]"


def test_an_order_without_ranks_is_refused():
    with pytest.raises(SettingError, match="order= applies to distance='ordinal' only"):
        krippendorff_alpha(KRIPPENDORFF, order=[1, 2, 3, 4, 5])


def test_a_matrix_and_a_function_are_distances_too():
    squares = (np.subtract.outer(range(5), range(5)) / 4) ** 2
    by_matrix = krippendorff_alpha(KRIPPENDORFF, distance=DistanceMatrix(range(1, 6), squares))
    by_function = krippendorff_alpha(KRIPPENDORFF, distance=oracle.interval)
    expected = krippendorff_alpha(KRIPPENDORFF, distance="interval")
    assert by_matrix.value == pytest.approx(expected.value)
    assert by_function.value == pytest.approx(expected.value)
    assert by_function.expected == pytest.approx(expected.expected)
    assert by_function.signature["distance"].startswith("callable:interval#")


def test_the_signature_tells_all_that_moves_the_value():
    alpha = krippendorff_alpha(KRIPPENDORFF, distance="circular:6", missing="pairs")
    assert list(alpha.signature) == ["distance", "missing", "data", "v"]
    assert alpha.signature["distance"] == "circular[6]"
    assert alpha.signature["missing"] == "pairs"
    assert alpha.signature["data"] == KRIPPENDORFF.digest[:8]


def test_a_policy_that_is_not_krippendorffs_is_noted_where_it_matters():
    assert "own α" in krippendorff_alpha(KRIPPENDORFF, missing="items").notes[0]
    full = Ratings.from_matrix([[1, 2], [1, 1]])
    notes = krippendorff_alpha(full, missing="items").notes
    assert not any("own α" in note for note in notes)


def test_labels_have_a_value_of_their_own_only_if_the_distance_is_nominal():
    assert list(krippendorff_alpha(KRIPPENDORFF).by_label) == [1, 2, 3, 4, 5]
    assert krippendorff_alpha(KRIPPENDORFF, distance="interval").by_label == {}


def test_one_number_only_is_undefined_and_not_1():
    for value in (0.1, 1 / 3, 1e-9):
        for name in ("nominal", "ordinal", "interval", "ratio", "circular:7", "bipolar:0..1"):
            alpha = krippendorff_alpha(Ratings.from_matrix([[value] * 3] * 3), distance=name)
            assert math.isnan(alpha.value)
            assert alpha.expected == 0.0
            assert "chance never disagrees" in str(alpha.undefined)


def test_labels_at_distance_0_are_undefined_and_not_1():
    alpha = krippendorff_alpha(Ratings.from_matrix([["1", "1.0"], ["1", "1"]]), distance="interval")
    assert alpha.undefined == (
        "all values that can be compared are at distance 0: chance never disagrees"
    )


def test_agreement_of_real_numbers_is_exactly_1():
    numbers = [0.1, 0.2, 1 / 3]
    alike = Ratings.from_matrix([numbers] * 3)
    for name in ("ordinal", "interval", "ratio", "circular:1", "bipolar:0..1"):
        alpha = krippendorff_alpha(alike, distance=name)
        assert (alpha.value, alpha.observed) == (1.0, 0.0)


@pytest.mark.parametrize("name", ["ratio", "bipolar", "edit", "masi", oracle.interval])
def test_many_labels_give_what_few_do(name):
    few = krippendorff_alpha(KRIPPENDORFF, distance=name)
    many = measured(OfManyLabels(distance=name), Work(KRIPPENDORFF), by_pair=True)
    assert many.value == pytest.approx(few.value, rel=1e-12)
    assert many.standard_error == pytest.approx(few.standard_error, rel=1e-9)
    assert {pair: each.value for pair, each in many.by_pair.items()} == pytest.approx(
        {pair: each.value for pair, each in few.by_pair.items()}, rel=1e-12, nan_ok=True
    )


def test_pairs_are_not_worked_out_unasked_where_all_labels_are_compared_with_all():
    alpha = OfManyLabels(distance="masi")
    assert measured(alpha, Work(KRIPPENDORFF)).by_pair == {}
    two = KRIPPENDORFF.only(annotators=("1", "2"))
    assert list(measured(alpha, Work(two)).by_pair) == [("1", "2")]


@pytest.mark.parametrize("name", ["ratio", "masi"])
def test_an_item_with_very_many_labels_takes_no_pairs(name):
    rows = Rows.of(KRIPPENDORFF)
    metric = distance_metric(rows.labels, name, None)
    assert isinstance(metric, Table)
    without_pairs = _spreads_by_pairs(rows, metric, most_labels=1)
    assert without_pairs == pytest.approx(spreads(rows, metric))


def test_interval_distances_of_a_hundred_thousand_different_numbers():
    numbers = np.random.default_rng(1).normal(size=(2, 50_000))
    numbers[1] += numbers[0]
    alpha = krippendorff_alpha(Ratings.from_matrix(numbers), distance="interval")
    assert alpha.observed == pytest.approx(((numbers[0] - numbers[1]) ** 2).mean())
    assert alpha.expected == pytest.approx(2 * numbers.var(ddof=1))


def test_moved_far_from_0_numbers_keep_their_agreement():
    near = np.random.default_rng(1).integers(0, 9, (3, 50)).astype(float)
    far = Ratings.from_matrix(near + 1e8)
    expected = krippendorff_alpha(Ratings.from_matrix(near), distance="interval")
    assert krippendorff_alpha(far, distance="interval").value == pytest.approx(
        expected.value, rel=1e-12
    )


@pytest.mark.parametrize("name", [*NAMED_DISTANCES, oracle.nominal])
def test_no_ratings_have_a_reason_and_no_error(name):
    nothing = krippendorff_alpha(Ratings.from_matrix([[None], [None]]), distance=name)
    assert nothing.undefined == "there are no ratings"


def test_ordinal_weightings_are_the_same_with_and_without_features():
    times = np.random.default_rng(1).integers(0, 3, (2, 2, 12)).astype(float)
    by_features = KrippendorffAlpha(distance="ordinal").prepare(KRIPPENDORFF)
    assert isinstance(by_features, Ordinal)
    assert by_features.features is not None
    one_by_one = replace(by_features, most_places=0)
    assert one_by_one.features is None
    assert one_by_one.parts(times).value == pytest.approx(by_features.parts(times).value)


# Pairs of labels that meet


@pytest.mark.parametrize("policy", ["values", "items", "pairs", "remove"])
@pytest.mark.parametrize("name", ["nominal", "ordinal", "interval", "masi"])
def test_observed_pairs_make_up_the_observed_disagreement(policy, name):
    pairs = observed_pairs(KRIPPENDORFF, KrippendorffAlpha(distance=name, missing=policy))
    alpha = krippendorff_alpha(KRIPPENDORFF, distance=name, missing=policy)
    mean = pairs.distances @ pairs.weights / pairs.weights.sum()
    assert mean == pytest.approx(alpha.observed)


def test_observed_pairs_count_values_and_pairs():
    pairs = observed_pairs(KRIPPENDORFF, KrippendorffAlpha())
    assert pairs.weights.sum() == pytest.approx(40)
    sizes = [sum(v is not None for v in column) for column in zip(*TABLE, strict=True)]
    assert pairs.counts.sum() == sum(math.comb(n, 2) for n in sizes)


def test_nothing_meets_where_nothing_can_be_paired():
    pairs = observed_pairs(Ratings.from_matrix([["a", None], [None, "b"]]), KrippendorffAlpha())
    assert len(pairs.distances) == len(pairs.weights) == len(pairs.counts) == 0
