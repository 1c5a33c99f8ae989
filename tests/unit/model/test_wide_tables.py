import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from unisono.errors import DataError
from unisono.model.ratings import Ratings

NAN = float("nan")


# One row per annotator


def test_a_matrix_has_a_row_for_each_annotator():
    rows: list[list[str | None]] = [["VP", "NP", None], ["NP", "NP", "VP"]]
    table = Ratings.from_matrix(rows, annotators=("bob", "ann"), items=("s3", "s2", "s1"))
    long = Ratings.from_columns(
        ["bob", "bob", "ann", "ann", "ann"],
        ["s3", "s2", "s3", "s2", "s1"],
        ["VP", "NP", "NP", "NP", "VP"],
    )
    assert table == long
    assert (table.items, table.matrix().tolist()) == (long.items, long.matrix().tolist())
    assert Ratings.from_matrix({"ann": rows[1], "bob": rows[0]}) == long


def test_names_by_number_sort_as_numbers():
    table = Ratings.from_matrix(np.arange(24).reshape(12, 2))
    assert table.annotators[:3] == ("01", "02", "03")
    assert table.items == (1, 2)
    assert table.matrix()[0].tolist() == list(range(0, 24, 2))


def test_a_matrix_of_floats_has_nan_where_ratings_are_missing():
    table = Ratings.from_matrix(np.array([[1, NAN, 2.5], [1, NAN, NAN]]))
    assert (table.labels, table.items) == ((1, 2.5), (1, 3))
    assert table.matrix().tolist() == [[0, 0], [1, -1]]


RNG = np.random.default_rng(4)
MANY = RNG.normal(size=(2, 40_000)).round(3)


@pytest.mark.parametrize(
    "array",
    [
        np.array([[3, -2, 3], [7, 7, -2]]),
        np.array([[-128, 127, 0], [127, 5, 5]], dtype=np.int8),
        np.array([[2**63 - 1, -(2**63)], [0, 2**60]]),
        np.array([[-(2**63), -(2**63) + 1], [-(2**63) + 3, -(2**63)]]),
        np.array([[2**64 - 1, 0]], dtype=np.uint64),
        np.array([[True, False], [True, True]]),
        np.array([[2.0, NAN, -0.0], [0.0, NAN, 10.0]]),
        np.array([[2.5, NAN, -0.0], [0.0, 1e300, 10.0]]),
        np.array([[2.0**53, 2.0**54, NAN], [1, 2.0**54, 1]]),
        np.array([[1, 2, NAN], [0.5, 2, NAN]], dtype=">f4"),
        np.array([[NAN, NAN], [NAN, NAN]]),
        np.empty((3, 0)),
        np.array([[1.0, 2.5], [1.0, 3.0], [NAN, 1.0]]).T,
        MANY,
        np.where(RNG.random(MANY.shape) < 0.4, NAN, MANY),
        np.where(RNG.random(MANY.shape) < 0.4, NAN, np.floor(9 * MANY)),
    ],
)
def test_an_array_gives_the_same_as_lists_of_its_numbers(array):
    lists = [[None if value != value else value for value in row] for row in array.tolist()]  # noqa: PLR0124 (NaN is not)
    table, slow = Ratings.from_matrix(array), Ratings.from_matrix(lists)
    assert (table.labels, table.items) == (slow.labels, slow.items)
    assert list(map(type, table.labels)) == list(map(type, slow.labels))
    assert np.array_equal(table.matrix(), slow.matrix())
    assert np.array_equal(table.offsets, slow.offsets)
    assert table.label_codes.dtype == table.annotator_codes.dtype == np.int32
    assert table == slow


def test_an_infinite_number_is_reported_with_its_cell():
    for value in (2.0, 2.5):
        with pytest.raises(DataError, match=r"row 1, column 0: .*inf"):
            Ratings.from_matrix(np.array([[1.0, value], [np.inf, 1.0]]))


def test_what_is_masked_is_missing():
    masked = np.ma.masked_equal(np.array([[1, 2, 3], [1, 9, 9]]), 9)
    assert Ratings.from_matrix(masked) == Ratings.from_matrix([[1, 2, 3], [1, None, None]])


def test_a_table_does_not_change_with_the_array_it_came_from():
    for array in (np.array([[1.0, 2.5]]), np.array([[1, 2], [2, 1]])):
        table = Ratings.from_matrix(array)
        before = table.matrix().tolist()
        array[:] = 1
        assert table.matrix().tolist() == before


@pytest.mark.parametrize("cell", [NAN, 3.0])
def test_items_without_names_are_numbered_also_out_of_a_pickle(cell):
    table = Ratings.from_matrix(np.array([[1.0, cell, 2.0], [2.0, NAN, NAN]]))
    again = pickle.loads(pickle.dumps(table))  # noqa: S301 (pickled by this test)
    named = (1, 3) if cell != cell else (1, 2, 3)  # noqa: PLR0124 (NaN is not)
    assert again.items == table.items == pickle.loads(pickle.dumps(table)).items == named  # noqa: S301
    assert again == table
    assert all(type(item) is int for item in table.items or ())
    assert table.only(items=(3,)).items == (3,)


LONG = {"annotator": ["ann"], "item": [1], "label": ["a"]}


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        ([[1, 2], [1]], DataError, "row 0 has 2 and row 1 has 1"),
        ([[1, 2], [1, object()]], TypeError, "row 1, column 1: a label must be a string"),
        (["ab", "cd"], TypeError, "each a list of labels; got 'ab'"),
        ([{1, 2}], TypeError, "each a list of labels; got"),
        (np.arange(3), DataError, r"got an array of shape \(3,\)"),
        (5, TypeError, "each a list of labels; got 5"),
        (pd.DataFrame(LONG), TypeError, "For a long table use from_frame"),
        (pa.table(LONG), TypeError, "For a long table use from_frame"),
    ],
)
def test_a_bad_matrix_is_refused(rows, error, message):
    with pytest.raises(error, match=message):
        Ratings.from_matrix(rows)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"annotators": ("x",)}, "every row needs one annotator; got 2 rows and 1 annotator"),
        ({"annotators": ("x", "x")}, "every row needs a different annotator; 'x' is repeated"),
        ({"annotators": (1, "1")}, "every row needs a different annotator; '1' is repeated"),
        ({"items": (1, 2, 3)}, "every column needs one item; got 2 columns and 3 items"),
        ({"items": (1, 1.0)}, "every column needs a different item; 1 is repeated"),
    ],
)
def test_a_matrix_and_its_names_fit_together(names, message):
    with pytest.raises(DataError, match=message):
        Ratings.from_matrix([["a", "b"], ["a", "b"]], **names)


def test_a_mapping_has_its_names_already():
    with pytest.raises(TypeError, match="omit annotators="):
        Ratings.from_matrix({"x": ["a"]}, annotators=("y",))


def test_a_matrix_may_be_empty():
    assert Ratings.from_matrix([]).n_annotators == 0
    assert Ratings.from_matrix([[], []]).annotators == ("1", "2")
    nothing = Ratings.from_matrix([[None, None], [None, None]])
    assert (nothing.n_items, nothing.annotators) == (0, ("1", "2"))


# Counts


def test_counts_are_anonymous_ratings():
    # Rows 1 and 2 of Table 1 of Fleiss (1971): six psychiatrists, five diagnoses.
    table = Ratings.from_counts([[0, 0, 0, 6, 0], [0, 3, 0, 0, 3]])
    assert repr(table) == "Ratings(6 annotators, 2 items, 12 ratings, 3 labels)"
    assert (table.labels, table.items, table.anonymous) == ((2, 4, 5), None, True)
    assert table.label_codes.tolist() == [1] * 6 + [0] * 3 + [2] * 3
    assert table.annotator_codes.tolist() == [0, 1, 2, 3, 4, 5] * 2


def test_counts_may_count_items_too():
    table = Ratings.from_counts([[1, 1], [0, 0], [2, 0]], labels=("b", "a"), times=[3, 5, 2])
    assert (table.times.tolist(), table.n_items, table.n_ratings) == ([3, 2], 5, 10)
    assert table == Ratings.from_counts([[1, 1]] * 3 + [[2, 0]] * 2, labels=("b", "a"))


@pytest.mark.parametrize(
    ("counts", "settings", "error", "message"),
    [
        ([[1, 2], [3]], {}, DataError, "got rows of different lengths"),
        ([1, 2], {}, DataError, r"got the shape \(2,\)"),
        ([[1, -2]], {}, DataError, "counts must be whole numbers, 0 or more; got -2"),
        ([[1, 0.5]], {}, DataError, "counts must be whole numbers, 0 or more; got 0.5"),
        ([[1, NAN]], {}, DataError, "counts must be whole numbers, 0 or more; got nan"),
        ([[1, "2"]], {}, TypeError, "counts must be whole numbers; got '1'"),
        ([[1, None]], {}, TypeError, "counts must be whole numbers; got None"),
        ([[1, 2]], {"labels": ("a",)}, DataError, r"2 columns and the labels \['a'\]"),
        ([[1, 2]], {"labels": (1, 1.0)}, DataError, "a different label per column"),
        ([[1, 2]], {"labels": (1, None)}, DataError, "a different label per column"),
        (
            [[1, 2]],
            {"times": [1, 2]},
            DataError,
            r"times must have one number per row, 1 in all; got .*\(2,",
        ),
        ([[1, 2]], {"times": [-1]}, DataError, "times must be whole numbers, 0 or more; got -1"),
        (
            [[10**9, 1]],
            {},
            DataError,
            "at most 50,000,000 ratings; got 1,000,000,001. Merge equal items",
        ),
    ],
)
def test_bad_counts_are_refused(counts, settings, error, message):
    with pytest.raises(error, match=message):
        Ratings.from_counts(counts, **settings)


def test_anonymous_annotators_cannot_be_selected():
    table = Ratings.from_counts([[1, 2], [3, 0]])
    for choose in (
        lambda: table.only(annotators=("1",)),
        lambda: table.rename(annotators={"1": "ann"}),
    ):
        with pytest.raises(DataError, match="anonymous and have no annotators"):
            choose()
    assert table.only(labels=(2,)) == Ratings.from_counts([[2]], labels=(2,))
    assert table.rename(labels={2: 1}) == Ratings.from_counts([[3], [3]])
