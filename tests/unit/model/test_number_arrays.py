"""Many real numbers as labels: objects are created lazily, and rows are not sorted."""

from __future__ import annotations

import pickle
import tracemalloc

import numpy as np
import pytest

from unisono.errors import DataError
from unisono.measures.items.alpha import krippendorff_alpha
from unisono.model import rating_tables
from unisono.model.codes import Numbers
from unisono.model.ratings import Ratings

REALS = np.array([[2.5, -0.0, 7.0, 1e300], [2.25, 3.5, np.nan, 0.0]])
SAME_REALS: list[list[object]] = [[2.5, 0, 7, int(1e300)], [2.25, 3.5, None, 0]]


def measurements(n: int, seed: int = 1) -> np.ndarray:
    """Return distinct real values of two annotators."""
    return np.random.default_rng(seed).permutation(2 * n).reshape(2, n) / 7.0


def test_numbers_are_pythons_own_when_requested():
    numbers = Numbers(np.array([-0.0, 0.5, 3.0]))
    assert list(numbers) == [0, 0.5, 3]
    assert [type(number) for number in numbers] == [int, float, int]
    assert (numbers[-1], numbers[1:], len(numbers)) == (3, (0.5, 3), 3)
    assert type(numbers[0]) is int
    assert not np.signbit(numbers.floats[0])


def test_numbers_do_not_change():
    first = Numbers(np.array([0.5]))
    for numbers in (first, pickle.loads(pickle.dumps(first))):  # noqa: S301 (pickled by this test)
        with pytest.raises(ValueError, match="read-only"):
            numbers.floats[0] = 1.0


def test_an_array_of_reals_is_the_same_table_as_its_numbers():
    table, same = Ratings.from_matrix(REALS), Ratings.from_matrix(SAME_REALS)
    assert table == same
    assert table.labels == same.labels
    assert [type(label) for label in table.labels] == [type(label) for label in same.labels]
    assert table.labels is table.labels
    again = pickle.loads(pickle.dumps(Ratings.from_matrix(REALS)))  # noqa: S301 (pickled by this test)
    assert again == same


def test_the_digest_does_not_depend_on_the_order_of_access():
    asked = Ratings.from_matrix(measurements(50))
    assert isinstance(asked.labels, tuple)
    assert asked.digest == Ratings.from_matrix(measurements(50)).digest


def test_measuring_makes_no_objects_of_a_hundred_thousand_numbers():
    rows = measurements(50_000)
    krippendorff_alpha(Ratings.from_matrix(rows), distance="interval")
    ratings = Ratings.from_matrix(rows)
    tracemalloc.start()
    result = krippendorff_alpha(ratings, distance="interval")
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert result.n_ratings == 100_000
    # The merged table is 400 kB of codes and as much of times; Python objects would take 3 MB.
    assert held < 1_500_000


@pytest.mark.parametrize("distance", ["nominal", "ordinal", "interval", "ratio"])
def test_reals_and_their_objects_have_the_same_alpha(distance):
    rows = measurements(30) + 1.0
    quick, slow = (
        krippendorff_alpha(Ratings.from_matrix(given), distance=distance)
        for given in (rows, rows.tolist())
    )
    assert quick == slow


@pytest.mark.parametrize(
    "rows",
    [
        measurements(20),
        np.round(measurements(20)),
        np.where(measurements(20) > 4.0, np.nan, measurements(20)),
        np.vstack([measurements(20), measurements(20, 2)]),
        np.vstack([np.full(20, 0.5), measurements(20)]),
    ],
)
def test_rows_that_all_differ_are_ordered_as_any_others(monkeypatch, rows):
    quick = Ratings.from_matrix(rows).merged()
    monkeypatch.setattr(rating_tables, "_all_distinct", lambda _: None)
    slow = Ratings.from_matrix(rows).merged()
    for name in ("offsets", "annotator_codes", "label_codes", "times"):
        assert getattr(quick, name).tolist() == getattr(slow, name).tolist()
    assert quick.digest == slow.digest


def test_measurements_without_gaps_are_not_sorted(monkeypatch):
    monkeypatch.setattr(rating_tables, "_distinct_rows", None)
    assert len(Ratings.from_matrix(measurements(20)).merged().times) == 20


@pytest.mark.parametrize("far", [0, 2**53, 2**70, -(2**80)])
def test_large_whole_numbers_are_distinguished(far):
    rows = [[far, far + 1, far + 5], [far, far + 2, far + 4]]
    near = [[0, 1, 5], [0, 2, 4]]
    for distance in ("interval", "ordinal"):
        result, same = (
            krippendorff_alpha(Ratings.from_matrix(given), distance=distance)
            for given in (rows, near)
        )
        assert (result.value, result.observed) == (same.value, same.observed)


def test_numbers_beyond_all_floats_have_an_order():
    huge = Ratings.from_matrix([[10**400, 1, 2], [10**400, 1, 1]])
    same = Ratings.from_matrix([[3, 1, 2], [3, 1, 1]])
    values = [krippendorff_alpha(each, distance="ordinal").value for each in (huge, same)]
    assert values[0] == values[1]


@pytest.mark.parametrize("labels", [(0.5, 2**60), (1, 10**200)])
def test_other_large_numbers_are_floats(labels):
    near, far = labels
    ratings = Ratings.from_matrix([[near, far, near], [near, far, far]])
    if far > 10**100:
        with pytest.raises(DataError, match="too large for that; give the labels in another unit"):
            krippendorff_alpha(ratings, distance="interval")
        return
    value = krippendorff_alpha(ratings, distance="interval").value
    same = Ratings.from_matrix([[0, 1, 0], [0, 1, 1]])
    assert value == pytest.approx(krippendorff_alpha(same, distance="interval").value)
