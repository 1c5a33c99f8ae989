"""Arrays of unusual shapes and types in all constructors: accepted or rejected with a message."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import unisono as un
from unisono.errors import DataError

NO_AXIS: Any = np.array(3)
STRUCTURED = np.array([[(1, 2.0), (1, 2.0)], [(1, 2.0), (3, 4.0)]], dtype="i8,f8")
NAMES: Any = np.array(["ann", "bob"])
THREE: Any = 3
RATINGS = un.Ratings.from_matrix([[1, 2], [1, 2]])
UNITS = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 0, 4, "NP")])


@pytest.mark.parametrize("shape", [(), (2,), (2, 3, 2), (1, 2, 1, 2)])
def test_a_matrix_has_two_axes(shape):
    with pytest.raises(DataError, match=re.escape(f"got an array of shape {shape}")):
        un.Ratings.from_matrix(np.zeros(shape))


@pytest.mark.parametrize("rows", [[NO_AXIS, NO_AXIS], {"ann": NO_AXIS}])
def test_a_row_of_a_matrix_has_an_axis(rows):
    with pytest.raises(TypeError, match=r"each a list of labels; got array\(3\)"):
        un.Ratings.from_matrix(rows)


def test_a_row_of_a_matrix_has_one_axis():
    rows: Any = [np.zeros((2, 2)), np.zeros((2, 2))]
    with pytest.raises(DataError, match=r"one value per row; got an array of shape \(2, 2\)"):
        un.Ratings.from_matrix(rows)


@pytest.mark.parametrize(
    "call",
    [
        lambda: un.Ratings.from_columns(["a"], ["i"], NO_AXIS),
        lambda: un.Ratings.from_columns(["a"], NO_AXIS, [1]),
        lambda: un.Ratings.from_columns(NO_AXIS, ["i"], [1]),
        lambda: un.Ratings.from_matrix([[1, 2], [1, 2]], annotators=NO_AXIS),
        lambda: un.Ratings.from_matrix([[1, 2], [1, 2]], items=NO_AXIS),
        lambda: un.Ratings.from_counts([[1, 2]], labels=NO_AXIS),
        lambda: un.Ratings.from_columns(["a"], ["i"], [1], annotators=NO_AXIS),
        lambda: RATINGS.only(annotators=NO_AXIS),
        lambda: RATINGS.only(items=NO_AXIS),
        lambda: RATINGS.only(labels=NO_AXIS),
        lambda: RATINGS.rename(labels=NO_AXIS),
        lambda: RATINGS.rename(labels=NAMES),
        lambda: RATINGS.rename(annotators=NAMES),
        lambda: UNITS.rename(labels=NAMES),
        lambda: UNITS.rename(annotators=NAMES),
        lambda: un.Corpus.from_continua({"d": UNITS}).rename(labels=NAMES),
        lambda: un.Continuum.from_columns(NO_AXIS, [0], [1]),
        lambda: un.Continuum.from_columns(["a"], NO_AXIS, [1]),
        lambda: un.Continuum.from_columns(["a"], [0], NO_AXIS),
        lambda: un.Continuum.from_columns(["a"], [0], [1], NO_AXIS),
        lambda: un.Continuum.from_units(NO_AXIS),
        lambda: un.Continuum.from_units(THREE),
        lambda: un.Segmentation.from_masses(NO_AXIS),
        lambda: un.Segmentation.from_positions(NO_AXIS, length=5),
        lambda: un.DistanceMatrix(NO_AXIS, [[0]]),
    ],
)
def test_an_array_without_an_axis_is_not_several_values(call):
    with pytest.raises(TypeError, match=r"; got (array\(|\[|3)"):
        call()


@pytest.mark.parametrize("times", [[[1, 2], [3]], [[1, [2]], 3], NO_AXIS])
def test_times_are_a_row_of_numbers(times):
    with pytest.raises(DataError, match="times must have one number per row, 2 in all; got"):
        un.Ratings.from_counts([[1, 2], [1, 2]], times=times)


def test_rows_of_a_structured_array_are_no_sets():
    with pytest.raises(
        TypeError, match=r"row 0, column 0: a label must be a string.* of type void"
    ):
        un.Ratings.from_matrix(STRUCTURED)
    with pytest.raises(TypeError, match=r"row 0: a label must be a string.* of type void"):
        un.Continuum.from_columns(["a", "b"], [0, 1], [2, 3], STRUCTURED[0])


def test_what_is_masked_is_missing():
    labels: Any = np.ma.masked_array([1, 2], [False, True])
    ratings = un.Ratings.from_columns(["ann", "bob"], ["i", "j"], labels)
    assert ratings == un.Ratings.from_columns(["ann", "bob"], ["i", "j"], [1, None])
    with pytest.raises(
        DataError, match="row 1: the end of a unit must be a finite number; it is miss"
    ):
        un.Continuum.from_columns(
            ["ann", "bob"], [0, 1], np.ma.masked_array([4.0, 5.0], [False, True])
        )
    with pytest.raises(DataError, match="row 1: an annotator needs a name; got None"):
        un.Ratings.from_columns(
            np.ma.masked_array(["ann", "bob"], [False, True]), ["i", "i"], [1, 2]
        )


def test_a_masked_count_or_distance_is_refused():
    table: Any = np.ma.masked_array([[0.0, 0.5], [0.5, 0.0]], [[False, True], [True, False]])
    with pytest.raises(DataError, match="some are masked"):
        un.Ratings.from_counts(table.astype(int))
    with pytest.raises(DataError, match="some of its cells are masked"):
        un.DistanceMatrix(["a", "b"], table)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.longdouble])
def test_floats_of_every_width_are_numbers(kind):
    ratings = un.Ratings.from_matrix(np.array([[1, 2.5, 3], [1, np.nan, 3]], dtype=kind))
    assert ratings.labels == (1, 2.5, 3)
    assert un.Ratings.from_counts(np.array([[1, 2], [2, 1]], dtype=kind)).n_ratings == 6


def test_numbers_beyond_all_floats_are_refused():
    beyond = np.array([["1e400", "1"], ["2", "1"]], dtype=np.longdouble)
    with pytest.raises(DataError, match="row 0, column 0: a numeric label must be finite"):
        un.Ratings.from_matrix(beyond)
    with pytest.raises(DataError, match="row 0: the start of a unit must be a finite number"):
        un.Continuum.from_columns(["a", "b"], beyond[0], [3.0, 4.0])
    with pytest.raises(DataError, match="square table of numbers; int too large"):
        un.DistanceMatrix(["a", "b"], [[0, 10**400], [10**400, 0]])


@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_too_long_to_be_written_are_refused(sign):
    number = sign * 10**5000
    said = "a whole number as a label can have at most 3,900 digits"
    with pytest.raises(DataError, match=f"row 1, column 0: {said}"):
        un.Ratings.from_matrix([[1, 2], [number, 2]])
    with pytest.raises(DataError, match=f"row 0: {said}"):
        un.Ratings.from_columns(["ann"], [number], [1])
    with pytest.raises(DataError, match=f"row 0: {said}"):
        un.Ratings.from_columns([number], ["i"], [1])
    with pytest.raises(DataError, match=f"row 0: {said}"):
        un.Continuum.from_units([("ann", 0, 1, number)])
    with pytest.raises(DataError, match="counts must be whole numbers from 0 to 2,147,483,647"):
        un.Ratings.from_counts([[abs(number), 1]])
