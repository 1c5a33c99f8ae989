"""A dissimilarity fixed for the labels of the data, and what an own one may answer."""

from __future__ import annotations

import math

import numpy as np
import pytest

import unisono as un
from unisono.measures.gamma.dissimilarity import Fitted, UnitColumns, label_counts, pair_costs

NEAR = un.DistanceMatrix(["A", "B", "C"], [[0, 0.2, 1], [0.2, 0, 0.7], [1, 0.7, 0]])


def near() -> Fitted:
    return un.CombinedDissimilarity(distance=NEAR).fitted(["A", "B", "C"], [1, 1, 1])


def own(answer, empty: float = 1.0) -> Fitted:
    """Fit a custom dissimilarity that always returns this answer."""
    return un.CustomDissimilarity(cost=lambda *_: answer, empty=empty).fitted(["A", "B"], [1, 1])


def two_units(start: float) -> UnitColumns:
    starts = np.array([start, start + 10.0])
    return UnitColumns(starts, starts + 5, np.array([0, 1], np.int32), ("A", "B"))


# Labels


def test_nominal_distances_are_written_out_when_requested():
    fitted = un.CombinedDissimilarity().fitted(["A", "B"], [1, 1])
    assert fitted.distances.size == 0
    assert fitted.table.tolist() == [[0.0, 1.0], [1.0, 0.0]]


def test_other_distances_are_their_own_table():
    assert near().table.tolist() == NEAR.values.tolist()


def test_the_same_labels_change_nothing():
    fitted = near()
    assert fitted.for_labels(["A", "B", "C"]) is fitted


def test_some_labels_keep_their_distances_in_the_new_order():
    some = near().for_labels(["C", "A"])
    assert some.labels == ("C", "A")
    assert some.table.tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert near().for_labels(["C", "B"]).table.tolist() == [[0.0, 0.7], [0.7, 0.0]]


def test_some_labels_are_in_a_layout_the_kernel_takes():
    assert near().for_labels(["C", "A"]).distances.flags.c_contiguous


def test_some_labels_of_a_nominal_distance_stay_nominal():
    some = un.CombinedDissimilarity(position=3).fitted(["A", "B", "C"], [1, 1, 1]).for_labels(["B"])
    assert some.distances.size == 0
    assert some.labels == ("B",)
    assert some.position == 3.0


def test_no_labels_at_all_are_legal():
    assert near().for_labels([]).table.shape == (0, 0)


# Counts


def test_labels_are_counted_in_their_order():
    text = un.Continuum.from_units(
        [("ann", 0, 1, "B"), ("ann", 2, 3, "A"), ("bob", 0, 1, "B"), ("bob", 4, 5, None)]
    )
    assert text.labels == (None, "A", "B")
    assert label_counts(text) == [1, 1, 2]


def test_labels_of_a_corpus_are_counted_over_its_documents():
    corpus = un.Corpus.from_continua(
        {
            "one": un.Continuum.from_units([("ann", 0, 1, "B"), ("bob", 0, 1, "C")]),
            "two": un.Continuum.from_units([("ann", 0, 1, "A"), ("bob", 0, 1, "C")]),
            "none": un.Continuum.from_units([], annotators=["ann"]),
        }
    )
    assert corpus.labels == ("A", "B", "C")
    assert label_counts(corpus) == [1, 1, 2]


def test_nothing_has_no_counts():
    assert label_counts(un.Continuum.from_units([])) == []
    assert label_counts(un.Corpus.from_continua({})) == []


# Own costs


def test_custom_costs_are_scaled_by_the_empty_cost():
    costs = pair_costs(own([1.0, 3.0], empty=2.0), two_units(0), two_units(1))
    assert costs.tolist() == [0.5, 1.5]


def test_custom_costs_may_be_integers_zero_or_infinite():
    assert pair_costs(own([0, 3]), two_units(0), two_units(1)).dtype == np.float64
    assert pair_costs(own([0.0, math.inf]), two_units(0), two_units(1)).tolist() == [0, math.inf]


@pytest.mark.parametrize("answer", [None, ["near", "far"], [1j, 2j], [[1.0], [1.0, 2.0]]])
def test_costs_are_numbers(answer):
    with pytest.raises(un.DataError, match="must return an array of numbers, got"):
        pair_costs(own(answer), two_units(0), two_units(1))


@pytest.mark.parametrize("answer", [1.0, [1.0], [1.0, 1.0, 1.0], [[1.0, 1.0]]])
def test_custom_costs_have_one_entry_per_pair(answer):
    with pytest.raises(un.DataError, match="must return one cost per pair, 2 in all"):
        pair_costs(own(answer), two_units(0), two_units(1))


@pytest.mark.parametrize(("bad", "written"), [(-0.5, "-0.5"), (math.nan, "nan")])
def test_an_invalid_custom_cost_is_reported_with_its_units(bad, written):
    problem = rf"must be 0 or more, got {written} for \[10.0, 15.0, 'B'\] and \[11.0, 16.0, 'B'\]"
    with pytest.raises(un.DataError, match=problem):
        pair_costs(own([0.0, bad]), two_units(0), two_units(1))


def test_pair_costs_need_a_custom_dissimilarity():
    with pytest.raises(TypeError, match="needs a custom dissimilarity"):
        pair_costs(near(), two_units(0), two_units(1))
