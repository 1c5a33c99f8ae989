"""Distances that came with coefficients on items: circular, bipolar, and those of two sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import items_oracle as oracle
from unisono.errors import DataError, SettingError
from unisono.measures.distances import (
    NAMED_DISTANCES,
    check_distance,
    dice_distance,
    distance_matrix,
    distance_signature,
    jaccard_distance,
    masi_distance,
    numbers_of,
    split_parameter,
)
from unisono.measures.gamma.dissimilarity import CombinedDissimilarity
from unisono.measures.gamma.gamma import gamma
from unisono.model.continuum import Continuum


def test_circular_goes_around():
    hours = distance_matrix([0, 6, 12, 23], "circular:24")
    assert hours[0, 2] == pytest.approx(1.0)
    assert hours[0, 1] == pytest.approx(0.5)
    assert hours[0, 3] == pytest.approx(np.sin(np.pi / 24) ** 2)


def test_a_whole_turn_is_not_a_distance():
    assert distance_matrix([1, 25, 49], "circular:24").tolist() == np.zeros((3, 3)).tolist()


def test_the_circumference_of_whole_numbers_is_one_more_than_their_range():
    given_, taken = (distance_matrix([2, 3, 7], name) for name in ("circular:6", "circular"))
    assert taken.tolist() == given_.tolist()
    assert distance_signature("circular", [2, 3, 7]) == "circular[6]"
    assert distance_signature("circular:7.5", [2, 3, 7]) == "circular[7.5]"


def test_other_numbers_need_their_circumference():
    with pytest.raises(DataError, match="needs a circumference, because the labels are not whole"):
        distance_matrix([0.5, 1], "circular")


def test_bipolar_is_krippendorffs():
    values = distance_matrix([1, 2, 4], "bipolar:1..5")
    expected = [[oracle.bipolar(1, 5)(c, k) for k in (1, 2, 4)] for c in (1, 2, 4)]
    assert values == pytest.approx(np.array(expected))
    assert distance_signature("bipolar:1..5", [1, 2, 4]) == "bipolar[1..5]"


def test_the_ends_of_a_bipolar_scale_are_those_of_the_labels():
    ends = distance_matrix([-3, 0, 3], "bipolar")
    assert ends.tolist() == distance_matrix([-3, 0, 3], "bipolar:-3..3").tolist()
    assert ends[0, 2] == 1.0
    assert distance_signature("bipolar", [-3, 0, 3]) == "bipolar[-3..3]"


def test_gamma_takes_the_same_names():
    units = [("ann", 0, 5, 23), ("ann", 6, 9, 12), ("bob", 0, 5, 0), ("bob", 6, 9, 11)]
    text = Continuum.from_units(units)
    clock = CombinedDissimilarity(distance="circular:24")  # type: ignore[arg-type]
    result = gamma(text, dissimilarity=clock, draws=30, rng=1)
    assert "circular[24]" in result.signature["dissim"]
    assert result.observed == pytest.approx(np.sin(np.pi / 24) ** 2)


@pytest.mark.parametrize("label", [0, 8])
def test_a_label_outside_a_bipolar_scale_is_named(label):
    with pytest.raises(DataError, match=f"the label {label} is outside the scale of 'bipolar:1"):
        distance_matrix([2, label], "bipolar:1..7")


@pytest.mark.parametrize("name", ["circular:0", "circular:inf", "circular:", "circular:day"])
def test_what_is_not_a_circumference_is_refused(name):
    with pytest.raises(SettingError, match=r"a number above 0, as in 'circular:24'; got '"):
        check_distance(name)


@pytest.mark.parametrize("name", ["bipolar:7..1", "bipolar:1", "bipolar:1..2..3", "bipolar:"])
def test_what_is_not_a_scale_is_refused(name):
    with pytest.raises(SettingError, match=r"as in 'bipolar:1..7'; got '"):
        check_distance(name)


@pytest.mark.parametrize("name", ["nominal:3", "circle:24"])
def test_only_some_names_take_more_behind_a_colon(name):
    assert split_parameter(name) == (name, "")
    with pytest.raises(SettingError, match=f"unknown distance='{name}'; .*'circular', 'bipolar'"):
        check_distance(name)


@pytest.mark.parametrize("name", ["circular", "bipolar"])
def test_numbers_too_far_apart_are_refused(name):
    with pytest.raises(DataError, match="the range of the labels is too large"):
        distance_matrix([-1.7e308, 1.7e308], name)


@pytest.mark.parametrize("name", ["circular", "bipolar"])
@given(numbers=st.lists(st.integers(-99, 99), max_size=6, unique=True))
def test_the_new_names_are_symmetric_distances_within_0_and_1(name, numbers):
    values = distance_matrix(numbers, name)
    assert values == pytest.approx(values.T)
    assert (np.diag(values) == 0).all()
    assert ((values >= 0) & (values <= 1)).all()


def test_one_label_has_no_distance_to_itself():
    for name in NAMED_DISTANCES:
        assert distance_matrix([3], name, counts=[1]).tolist() == [[0.0]]


def test_a_million_numbers_are_read_at_once():
    labels = tuple(range(10**6))
    assert numbers_of(labels, "interval").sum() == sum(labels)


def test_a_whole_number_beyond_all_floats_is_named():
    with pytest.raises(DataError, match="'interval' needs numeric labels; 1000"):
        numbers_of([1, 10**400], "interval")


# Two sets


def test_set_distances_of_two_sets():
    pair = {"joy", "pride"}, {"joy"}
    assert jaccard_distance(*pair) == 1 / 2
    assert dice_distance(*pair) == 1 / 3
    assert masi_distance(*pair) == 2 / 3


def test_equal_sets_are_at_0_and_disjoint_ones_at_1():
    for distance in (jaccard_distance, dice_distance, masi_distance):
        assert distance(["a", "b"], ("b", "a", "a")) == 0.0
        assert distance(set(), []) == 0.0
        assert distance({"a"}, {"b"}) == distance({"a"}, set()) == 1.0


def test_a_plain_label_is_the_set_of_itself():
    assert masi_distance("ab", {"ab"}) == 0.0
    assert jaccard_distance("ab", "a") == 1.0


@given(st.frozensets(st.integers(0, 5)), st.frozensets(st.integers(0, 5)))
def test_set_distances_are_their_formulas(left, right):
    for distance, formula in (
        (jaccard_distance, oracle.jaccard),
        (dice_distance, oracle.dice),
        (masi_distance, oracle.masi),
    ):
        assert distance(left, right) == pytest.approx(formula(left, right), abs=1e-15)
        assert distance(left, right) == distance(right, left)
        assert distance_matrix([left, right], distance.__name__.removesuffix("_distance"))[
            0, 1
        ] == distance(left, right)


def test_what_is_not_a_set_is_refused():
    with pytest.raises(TypeError, match="compares sets of labels; None is not a label"):
        masi_distance(None, {"a"})  # type: ignore[arg-type]
    with pytest.raises(DataError, match="every member of a set"):
        masi_distance([None], {"a"})
