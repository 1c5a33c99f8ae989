"""Constructors of continua from rows, columns and dataframes, and their errors."""

import decimal
import math
from datetime import timedelta
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from unisono.errors import DataError
from unisono.model.continuum import Continuum, Unit
from unit_samples import ROWS


@pytest.fixture
def text():
    return Continuum.from_units(ROWS)


def test_tuples_units_and_lists_give_the_same():
    rows: list[Any] = [
        ("ann", 0, 5),
        Unit("ann", 0, 5),
        ["ann", 0.0, 5, None],
        (np.str_("ann"), 0, 5, ""),
    ]
    assert Continuum.from_units(rows).units[:] == (Unit("ann", 0, 5),) * 4


@pytest.mark.parametrize("row", [("ann", 0), ("ann", 0, 1, "a", 2), "ann", 7, None])
def test_a_row_has_three_or_four_values(row):
    with pytest.raises(DataError, match=r"row 1: a unit must be \(annotator, start, end, label\)"):
        Continuum.from_units([("ann", 0, 5), row])


@pytest.mark.parametrize(
    ("row", "kind", "message"),
    [
        (("", 0, 1), DataError, "row 1: an annotator needs a name"),
        ((["a"], 0, 1), TypeError, "row 1: the name of an annotator must be"),
        (("bob", 0, 1, b"x"), TypeError, "row 1: a label must be a string"),
        (("bob", 0, 1, math.inf), DataError, "row 1: a numeric label must be finite"),
        (("bob", "0", 1), TypeError, "row 1: the start of a unit must be a number; got '0'"),
        (
            ("bob", 0, None),
            DataError,
            "row 1: the end of a unit must be a finite number; it is missing",
        ),
        (("bob", 0, 1j), TypeError, "row 1: the end of a unit must be a number"),
        (("bob", 0, 10**400), DataError, "row 1: the end .* beyond 1e308"),
        (("bob", 5, 1), DataError, "row 1: a unit cannot end before it starts"),
    ],
)
def test_a_bad_row_is_named(row, kind, message):
    with pytest.raises(kind, match=message):
        Continuum.from_units([("ann", 0, 5), row])


def test_numbers_of_any_kind_can_be_bounds():
    text = Continuum.from_units([("ann", decimal.Decimal("0.1"), np.float32(2)), ("ann", 1, 2)])
    assert text.starts.tolist() == [0.1, 1.0]


def test_truth_values_and_numbers_stay_apart():
    text = Continuum.from_units([("ann", 0, 1, True), ("ann", 0, 1, 1), ("ann", 0, 1, [1])])
    assert text.labels == (1, "true", frozenset({1}))


def test_columns_may_be_lists_or_arrays(text):
    annotator, start, end, label = (list(column) for column in zip(*ROWS, strict=True))
    assert Continuum.from_columns(annotator, start, end, label) == text
    arrays = np.array(annotator), np.array(start), np.array(end), np.array(label, dtype=object)
    assert Continuum.from_columns(*arrays) == text


def test_columns_are_equally_long():
    with pytest.raises(DataError, match="annotator 2, start 1, end 1, label 1"):
        Continuum.from_columns(["ann", "bob"], [0], [1])


@pytest.mark.parametrize("column", ["ann", 7])
def test_a_column_is_a_sequence(column):
    with pytest.raises(TypeError, match="the column annotator must be a sequence"):
        Continuum.from_columns(column, [0], [1])


def frame_of(rows):
    return pd.DataFrame(rows, columns=["annotator", "start", "end", "label"])


@pytest.mark.parametrize(
    "convert",
    [
        lambda frame: frame,
        pl.from_pandas,
        lambda frame: pl.from_pandas(frame).lazy(),
        pa.Table.from_pandas,
        nw.from_native,
        lambda frame: frame.astype({"annotator": "category", "label": "category"}),
        lambda frame: frame.astype({"start": "Int64", "end": "float32", "label": "string"}),
        lambda frame: frame.astype(object),
    ],
)
def test_every_frame_gives_the_same_continuum(text, convert):
    assert Continuum.from_frame(convert(frame_of(ROWS))) == text


def test_columns_of_a_frame_are_named_by_keyword(text):
    renamed = frame_of(ROWS).set_axis(["who", "onset", "offset", "tag"], axis="columns")
    found = Continuum.from_frame(renamed, annotator="who", start="onset", end="offset", label="tag")
    assert found == text


def test_a_frame_may_have_no_labels():
    text = Continuum.from_frame(frame_of(ROWS), label=None)
    assert text.labels == (None,)


def test_lists_in_a_frame_are_sets_of_labels():
    frame = pl.DataFrame({"annotator": [1], "start": [0], "end": [1], "label": [["b", "a"]]})
    text = Continuum.from_frame(frame)
    assert (text.labels, text.annotators) == ((frozenset({"a", "b"}),), ("1",))


def test_an_empty_frame_is_a_continuum_without_units():
    assert len(Continuum.from_frame(frame_of([]))) == 0
    assert len(Continuum.from_frame(pl.from_pandas(frame_of([])))) == 0


def test_a_frame_of_decimals_is_read():
    frame = pl.DataFrame({"annotator": ["a"], "start": ["0.1"], "end": ["2"]})
    frame = frame.with_columns(pl.col("start", "end").cast(pl.Decimal(10, 2)))
    assert Continuum.from_frame(frame, label=None).starts.tolist() == [0.1]


@pytest.mark.parametrize(
    ("frame", "settings", "kind", "message"),
    [
        ([("ann", 0, 1)], {}, TypeError, "from_frame takes a dataframe .* got list"),
        (frame_of(ROWS), {"start": "onset"}, DataError, "no column 'onset' .*set start=…"),
        (frame_of(ROWS), {"label": "tag"}, DataError, "label=None if units have no labels"),
        (pd.DataFrame(), {}, DataError, "the columns are none"),
        (frame_of(ROWS), {"start": "end"}, DataError, "start= and end= both name the column 'end'"),
        (frame_of(ROWS), {"start": None}, TypeError, "every unit needs a start"),
        (
            pd.DataFrame([[1, 2]], columns=["a", "a"]),
            {},
            DataError,
            "column names of a dataframe must be unique",
        ),
        (frame_of([("ann", "0", 1, "a")]), {}, TypeError, "start must be a column of numbers"),
        (frame_of([("ann", timedelta(1), 1, "a")]), {}, TypeError, "for example times to seconds"),
        (frame_of([("ann", True, 1, "a")]), {}, TypeError, "start must be a column of numbers"),
        (frame_of([(None, 0, 1, "a")]), {}, DataError, "row 0: an annotator needs a name"),
        (frame_of([("ann", None, 1, "a")]), {}, DataError, "row 0: the start of a unit"),
        (frame_of([("ann", 0, None, "a"), ("a", 0, 1, "a")]), {}, DataError, "row 0: the end"),
    ],
)
def test_a_bad_frame_is_refused(frame, settings, kind, message):
    with pytest.raises(kind, match=message):
        Continuum.from_frame(frame, **settings)
