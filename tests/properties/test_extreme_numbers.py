"""Labels of any magnitude: a coefficient gives the right number, or a sentence says why not."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, event, example, given
from hypothesis import strategies as st

from unisono.errors import DataError
from unisono.measures.distances import distance_matrix
from unisono.measures.items.alpha import krippendorff_alpha
from unisono.model.ratings import Ratings
from unisono.registry import MEASURES, measures_of

Table = list[list[Any]]

NUMERIC = ("ordinal", "interval", "ratio", "circular", "circular:24", "bipolar", "bipolar:0..1e9")
magnitudes = st.sampled_from([1e-300, 1e-82, 1.0, 1e78, 1e300])
numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.floats(1, 9).flatmap(lambda part: magnitudes.map(lambda size: part * size)),
    st.sampled_from([5e-324, 1.5e-323, 2.2e-308, -5e-324, 1.7e308, -1.7e308, 0.0, -0.0]),
    st.integers(-9, 9),
    st.sampled_from([2**53 + 1, 2**60, 2**60 + 100, 2**60 + 300, 10**30, 10**400, -(10**400)]),
)
oddities = st.one_of(
    numbers,
    st.sampled_from([None, math.nan, math.inf, True, "3", "1e400", "nan", "1_0", "", "x"]),
    st.sampled_from([np.float32(0.1), np.float16(7), np.int8(3), np.uint64(2**64 - 1)]),
    st.sampled_from([np.bool_(True), 10**5000, frozenset({1, "a"})]),
)


def tables(label: st.SearchStrategy[Any], least_items: int = 2) -> st.SearchStrategy[Table]:
    """Rows of two or three annotators."""
    return st.integers(least_items, 5).flatmap(
        lambda n: st.lists(st.lists(label, min_size=n, max_size=n), min_size=2, max_size=3)
    )


def interval(left: Fraction, right: Fraction) -> Fraction:
    return (left - right) ** 2


def ratio(left: Fraction, right: Fraction) -> Fraction:
    return ((left - right) / (left + right)) ** 2 if left + right else Fraction(0)


def exact_alpha(table: Table, distance: Any) -> float | None:
    """Return α of a table without missing values, by whole numbers."""
    items = [[Fraction(label) for label in item] for item in zip(*table, strict=True)]
    values = [value for item in items for value in item]
    met = [sum(distance(c, k) for c, k in combinations(item, 2)) for item in items]
    observed = Fraction(2 * sum(met), len(table) - 1) / len(values)
    expected = sum(distance(c, k) for c, k in combinations(values, 2))
    if not expected:
        return None
    return float(1 - observed * len(values) * (len(values) - 1) / (2 * expected))


def right_or_refused(table: Table, name: str, distance: Any) -> None:
    try:
        result = krippendorff_alpha(Ratings.from_matrix(table), distance=name)
    except DataError:
        event("refused")
        return
    expected = exact_alpha(table, distance)
    if expected is None:
        assert math.isnan(result.value)
    else:
        event("measured")
        assert result.value == pytest.approx(expected, abs=1e-9)
        assert math.isfinite(result.observed)
        assert math.isfinite(result.expected)
        assert result.standard_error is None or math.isfinite(result.standard_error)


@example([[1e78, 2e78, 3e78], [1e78, 3e78, 3e78]])
@example([[1e-82, 2e-82, 3e-82], [1e-82, 3e-82, 3e-82]])
@example([[1e-160, 2e-160, 1.0], [2e-160, 3e-160, 1.0]])
@example([[2**60, 2**60 + 100], [2**60 + 100, 2**60 + 300]])
@given(tables(numbers))
def test_interval_alpha_is_right_or_refused(table):
    right_or_refused(table, "interval", interval)


@example([[5e-324, 1.5e-323, 1.7e308], [5e-324, 1e-323, 1.7e308]])
@example([[1e308, 2.0], [1.7e308, 3.0]])
@given(tables(numbers.map(abs)))
def test_ratio_alpha_is_right_or_refused(table):
    right_or_refused(table, "ratio", ratio)


@given(tables(numbers))
def test_bipolar_alpha_is_right_or_refused(table):
    values = [Fraction(label) for row in table for label in row]
    low, high = min(values), max(values)

    def distance(left: Fraction, right: Fraction) -> Fraction:
        whole = (left + right - 2 * low) * (2 * high - left - right)
        return (left - right) ** 2 / whole if whole else Fraction(0)

    right_or_refused(table, "bipolar", distance)


@given(tables(st.integers(-40, 40).map(lambda n: n * 1e-12)))
def test_small_steps_on_a_circle_keep_their_digits(table):
    def distance(left: Fraction, right: Fraction) -> Fraction:
        return (left - right) ** 2  # sin² of so small an angle, but for a factor

    right_or_refused(table, "circular:24", distance)


@pytest.mark.parametrize("name", ["interval", "ratio"])
@given(
    table=tables(st.integers(0, 2**20)), power=st.sampled_from([-300, -250, -60, 1, 60, 250, 300])
)
def test_a_unit_that_is_a_power_of_two_moves_no_bit(name, table, power):
    scaled = [[math.ldexp(label, power) for label in row] for row in table]
    here = krippendorff_alpha(Ratings.from_matrix(table), distance=name)
    there = krippendorff_alpha(Ratings.from_matrix(scaled), distance=name)
    assert (here.undefined is None) is (there.undefined is None)
    assume(here.undefined is None)
    assert there.value == here.value
    assert there.standard_error == here.standard_error
    squared = 2 * power if name == "interval" else 0
    assert there.observed == math.ldexp(here.observed, squared)
    assert there.expected == math.ldexp(here.expected, squared)


@given(tables(st.integers(0, 2**20)), st.sampled_from([-(2**40), 1, 2**30, 2**53, 2**70]))
def test_another_origin_moves_no_bit_of_interval_alpha(table, origin):
    moved = [[label + origin for label in row] for row in table]
    here = krippendorff_alpha(Ratings.from_matrix(table), distance="interval")
    there = krippendorff_alpha(Ratings.from_matrix(moved), distance="interval")
    assert (here.undefined is None) is (there.undefined is None)
    assume(here.undefined is None)
    assert (there.value, there.observed, there.expected) == (
        here.value,
        here.observed,
        here.expected,
    )


@pytest.mark.parametrize("name", ["interval", "ratio"])
@given(
    labels=st.lists(st.integers(0, 2**20), min_size=2, max_size=6, unique=True),
    power=st.sampled_from([-1074, -300, 1, 300, 1000]),
)
def test_distances_in_a_unit_that_is_a_power_of_two_are_the_same(name, labels, power):
    scaled = [math.ldexp(label, power) for label in labels]
    assert np.array_equal(distance_matrix(scaled, name), distance_matrix(labels, name))


@pytest.mark.parametrize("size", [1e-90, 1e-82, 1e-30, 1.0, 1e30, 1e78, 1e90])
def test_magnitudes_that_squares_hold_are_measured(size):
    table = [[1, 2, 3, 3, 2, 1, 4], [1, 2, 3, 3, 2, 2, 4], [1, 3, 3, 3, 2, 3, 4]]
    here = krippendorff_alpha(Ratings.from_matrix(table), distance="interval")
    scaled = Ratings.from_matrix([[label * size for label in row] for row in table])
    there = krippendorff_alpha(scaled, distance="interval")
    assert there.value == pytest.approx(here.value, rel=1e-14)
    assert there.standard_error == pytest.approx(here.standard_error, rel=1e-13)


@pytest.mark.parametrize(
    ("distance", "table"),
    [
        ("interval", [[1e-300, 2e-300], [2e-300, 3e-300]]),
        ("interval", [[1e300, 2e300], [2e300, -1e300]]),
        # A label without a partner does not make the others large.
        ("interval", [[1e-160, 2e-160, 1.0], [2e-160, 4e-160, None]]),
        ("interval", [[1e-200, 2e-200, 1.0], [2e-200, 4e-200, None]]),
        ("circular:24", [[1e-160, 2e-160], [2e-160, 4e-160]]),
        ("circular:24", [[1e-300, 2e-300], [2e-300, 4e-300]]),
    ],
)
def test_differences_that_squares_do_not_hold_are_refused(distance, table):
    with pytest.raises(DataError, match=r"too (small|large) for.*give the labels in another unit"):
        krippendorff_alpha(Ratings.from_matrix(table), distance=distance)


@pytest.mark.parametrize("distance", ["circular:24", "bipolar"])
def test_whole_numbers_that_floats_cannot_distinguish_are_refused(distance):
    ratings = Ratings.from_matrix([[2**60, 2**60 + 100], [2**60 + 1, 2**60 + 100]])
    with pytest.raises(DataError, match="label 1152921504606846977 is too large"):
        krippendorff_alpha(ratings, distance=distance)


def test_a_function_must_not_give_numbers_whose_sums_overflow():
    ratings = Ratings.from_matrix([["a", "b"], ["b", "c"]])
    with pytest.raises(DataError, match=r"at most 1e\+200.*returned 1e\+308"):
        krippendorff_alpha(ratings, distance=lambda *_: 1e308)


@pytest.mark.parametrize("measure", [each.name for each in measures_of("items")])
@given(data=st.data())
def test_whatever_the_labels_there_is_a_result_or_a_sentence(measure, data):
    table = data.draw(tables(oddities))
    given_settings: dict[str, Any] = {}
    choices = ("nominal", "edit", "jaccard", *NUMERIC)
    for setting in ("distance", "weights"):
        if setting in MEASURES[measure].settings:
            more = ("linear", "quadratic") if setting == "weights" else ()
            given_settings[setting] = data.draw(st.sampled_from((*choices, *more)))
    if "missing" in MEASURES[measure].settings:
        given_settings["missing"] = data.draw(st.sampled_from(["values", "items", "remove"]))
    try:
        result = MEASURES[measure].load()(Ratings.from_matrix(table), **given_settings)
    except DataError:
        event("refused")
        return
    event("measured" if result.undefined is None else "undefined")
    assert math.isnan(result.value) is (result.undefined is not None)
    assert result.undefined is not None or math.isfinite(result.value)
    assert result.standard_error is None or math.isfinite(result.standard_error)
    assert result.to_json()
