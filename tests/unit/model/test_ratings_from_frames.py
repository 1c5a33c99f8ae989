"""Constructors of ratings from columns and dataframes, with missing values."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rating_samples import COLUMNS, ROWS, TABLE, rows_of
from unisono.errors import DataError
from unisono.model.ratings import Ratings

NAN = float("nan")


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS).cast({"label": pl.Categorical, "annotator": pl.Enum(["bob", "ann"])}),
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS, dtype=object),
        pd.DataFrame(COLUMNS).astype({"label": "category"}),
        pd.DataFrame(COLUMNS).astype("string"),
        pa.table(COLUMNS),
    ],
    ids=["polars", "categorical", "pandas", "object", "category", "string", "arrow"],
)
def test_every_kind_of_frame_gives_the_same(frame):
    table = Ratings.from_frame(frame)
    assert table == TABLE
    assert rows_of(table) == rows_of(TABLE)


def test_columns_are_named_by_the_caller():
    frame = pd.DataFrame(COLUMNS).set_axis(["who", "what", "how"], axis=1)
    assert Ratings.from_frame(frame, annotator="who", item="what", label="how") == TABLE
    with pytest.raises(DataError, match=r"no column 'label' .* 'who', 'what', 'how'; set label=…"):
        Ratings.from_frame(frame, annotator="who", item="what")
    with pytest.raises(DataError, match="both name the column 'who'"):
        Ratings.from_frame(frame, annotator="who", item="who", label="how")
    with pytest.raises(TypeError, match="every rating needs a label; label= must name a column"):
        Ratings.from_frame(frame, annotator="who", item="what", label=None)  # type: ignore[arg-type]


@pytest.mark.parametrize("thing", [5, COLUMNS, ROWS])
def test_an_error_on_other_types_names_the_right_constructor(thing):
    with pytest.raises(TypeError, match=r"takes a dataframe .* use from_columns"):
        Ratings.from_frame(thing)


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["a", "b"], ("a", "b")),
        ([1, 2.5], (1, 2.5)),
        ([1.0, 2.0], (1, 2)),
        ([True, 1], (1, "true")),
        ([True, False], ("false", "true")),
        (np.array([3, 1], dtype=np.uint8), (1, 3)),
        (np.array([3.0, 0.5]), (0.5, 3)),
        (np.array([3.0, -0.0]), (0, 3)),
        (np.array([True, False]), ("false", "true")),
        (np.array([True, True]), ("true",)),
        (np.array(["b", "a"]), ("a", "b")),
        (np.array([2**64 - 1, 1], dtype=np.uint64), (1, 2**64 - 1)),
        (np.array([-(2**62), 2**62]), (-(2**62), 2**62)),
        ([2**70, 2**53 + 1], (2**53 + 1, 2**70)),
        (["x", ("a", "b")], ("x", frozenset({"a", "b"}))),
        ([[], ["a"]], (frozenset(), frozenset({"a"}))),
        ([10**400, 1.5], (1.5, 10**400)),
    ],
)
def test_labels_are_brought_to_their_form(labels, said):
    table = Ratings.from_columns(["a", "b"], [1, 1], labels)
    assert table.labels == said
    assert set(map(type, table.labels)) == set(map(type, said))


@pytest.mark.parametrize(
    "labels",
    [
        ["x", None, ""],
        [1, None, NAN],
        [1, NAN, None],
        np.array([1, NAN, NAN]),
        np.array([1, NAN, NAN], dtype=np.float32),
        np.array(["x", "", ""]),
        np.array([1, None, NAN], dtype=object),
        [{"a"}, None, None],
        [1, pd.NA, pd.NaT],
    ],
)
def test_missing_is_missing_and_never_a_label(labels):
    table = Ratings.from_columns(["a", "b", "c"], ["s", "s", "t"], labels)
    assert len(table.labels) == 1
    assert (table.n_ratings, table.items, table.annotators) == (1, ("s",), ("a", "b", "c"))


@pytest.mark.parametrize(
    "label",
    [
        pl.Series(["x", None, ""]),
        pl.Series([1.5, None, NAN]),
        pl.Series([2**62 + 1, None, None]),
        pl.Series([True, None, None]),
        pl.Series([["a", "b"], None, None]),
        pl.Series([None, None, 7]).reverse(),
        pl.Series(["lo", None, None], dtype=pl.Enum(["lo", "hi"])),
    ],
)
@pytest.mark.parametrize("kind", ["polars", "pandas", "arrow"])
def test_missing_in_a_frame_is_missing(label, kind):
    frame = pl.DataFrame({"annotator": ["a", "b", "c"], "item": [1, 1, 2], "label": label})
    if kind == "pandas":
        # Otherwise pandas converts the integers to floats.
        frame = frame.to_pandas(use_pyarrow_extension_array=True)
    table = Ratings.from_frame(frame.to_arrow() if kind == "arrow" else frame)
    assert table == Ratings.from_columns(["a", "b", "c"], [1, 1, 2], label.to_list())
    assert (table.n_ratings, len(table.labels)) == (1, 1)


def test_nullable_integers_of_pandas_stay_exact():
    frame = pd.DataFrame({"annotator": ["a", "b"], "item": pd.array([1, 1], "Int64")})
    frame["label"] = pd.array([2**62 + 1, None], dtype="Int64")
    assert Ratings.from_frame(frame).labels == (2**62 + 1,)


def test_decimals_are_numbers():
    label = pl.Series(["1.50", "90071992547409930.00", None]).cast(pl.Decimal(20, 2))
    frame = pl.DataFrame({"annotator": ["a", "b", "c"], "item": [1, 1, 1], "label": label})
    assert Ratings.from_frame(frame).labels == (1.5, 90071992547409930)


@pytest.mark.parametrize(
    ("items", "named"),
    [
        ([2, 1], (1, 2)),
        ([2.0, 1], (1, 2)),
        (["10", "9"], ("10", "9")),
        ([("doc", 2), ("doc", 1)], (("doc", 1), ("doc", 2))),
        (["x", 3], (3, "x")),
        ([dt.date(2021, 1, 1), dt.date(2020, 1, 1)], None),
        (np.array([7, 5]), (5, 7)),
        ([np.int64(2), np.str_("x")], (2, "x")),
    ],
)
def test_items_are_named_by_anything_that_can_be_looked_up(items, named):
    table = Ratings.from_columns(["a", "a"], items, [1, 2])
    assert table.items == (named or tuple(sorted(items)))


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        ((["a", None], [1, 2], [1, 1]), DataError, "row 1: an annotator needs a name; got None"),
        ((["a", " "], [1, 2], [1, 1]), DataError, "row 1: an annotator needs a name; got ' '"),
        (([1, 1.5], [1, 2], [1, 1]), TypeError, "row 1: the name of an annotator must be text"),
        ((["a", "a"], [1, None], [1, 1]), DataError, "row 1: an item needs a name; got None"),
        ((["a", "a"], [1, ""], [1, 1]), DataError, "row 1: an item needs a name; got ''"),
        ((["a", "a"], ["x", pd.NA], [1, 1]), DataError, "row 1: an item needs a name"),
        ((["a", "a"], [1, ["x"]], [1, 1]), TypeError, "row 1: the name of an item must be text"),
        ((["a", "a"], [1, ([],)], [1, 1]), TypeError, "row 1: the name of an item must be text"),
        ((["a", "a"], [1, 2], [1, float("inf")]), DataError, "row 1: a numeric label must be"),
        ((["a", "a"], [1, 2], [1, object()]), TypeError, "row 1: a label must be a string"),
        ((["a", "a"], [1, 2], [["x"], [None]]), DataError, "row 1: every member of a set"),
        ((["a", "a"], [1, 2], [1]), DataError, "annotator 2, item 2, label 1"),
        (("ab", [1, 2], [1, 1]), TypeError, "the column annotator must be a sequence of values"),
        ((["a", "a"], 5, [1, 1]), TypeError, "the column item must be a sequence of values; got 5"),
        ((["a"], [1], np.array([[1]])), DataError, r"one value per row; got .* shape \(1, 1\)"),
    ],
)
def test_bad_columns_are_refused_with_their_row(columns, error, message):
    with pytest.raises(error, match=message):
        Ratings.from_columns(*columns)


def test_a_frame_with_missing_names_is_refused_with_the_row():
    frame = pl.DataFrame({"annotator": ["a", None], "item": [1, 1], "label": ["x", "y"]})
    with pytest.raises(DataError, match="row 1: an annotator needs a name; got None"):
        Ratings.from_frame(frame)
    frame = pl.DataFrame({"annotator": ["a", "b"], "item": [1, None], "label": ["x", "y"]})
    with pytest.raises(DataError, match="row 1: an item needs a name; got None"):
        Ratings.from_frame(frame)


def test_declared_annotators_may_rate_nothing():
    table = Ratings.from_columns(*COLUMNS.values(), annotators=("eve", "bob", "ann"))
    assert table.annotators == ("ann", "bob", "eve")
    assert table != TABLE
    assert table.only(annotators=("ann", "bob")) == TABLE
    with pytest.raises(DataError, match=r"'bob' has ratings but is not among .* 'ann'; add"):
        Ratings.from_columns(*COLUMNS.values(), annotators=("ann",))
    with pytest.raises(TypeError, match="annotators must be a sequence of names"):
        Ratings.from_columns(*COLUMNS.values(), annotators="ann")


def test_truth_names_only_who_is_there():
    table = Ratings.from_columns(np.array([True, True]), [1, 2], [1, 2])
    assert table.annotators == ("true",)


def test_very_large_integers_of_a_frame_stay_exact():
    label = pl.Series([2**100, 2**100 + 1, None], dtype=pl.Int128)
    frame = pl.DataFrame({"annotator": ["a", "b", "c"], "item": [1, 1, 1], "label": label})
    assert Ratings.from_frame(frame).labels == (2**100, 2**100 + 1)


def test_only_missing_labels_are_no_ratings():
    table = Ratings.from_columns(["a", "b"], [1, 1], np.array([NAN, NAN]))
    assert (table.n_items, table.annotators) == (0, ("a", "b"))


def test_no_ratings_are_a_table_too():
    table = Ratings.from_columns([], [], [])
    assert repr(table) == "Ratings(0 annotators, 0 items, 0 ratings, 0 labels)"
    assert table.merged() == table
    assert table.matrix().shape == (0, 0)
    assert Ratings.from_frame(pl.DataFrame(COLUMNS)[:0]) == table
