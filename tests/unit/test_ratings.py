import datetime as dt
import pickle
import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from unisono.errors import DataError, SettingError
from unisono.model import Ratings, patterns

ROWS = [
    ("bob", "s2", "NP"),
    ("ann", "s1", "NP"),
    ("bob", "s1", "VP"),
    ("ann", "s2", "NP"),
    ("ann", "s3", "VP"),
]
COLUMNS = dict(zip(("annotator", "item", "label"), map(list, zip(*ROWS, strict=True)), strict=True))
TABLE = Ratings.from_columns(*COLUMNS.values())
NAN = float("nan")


def rows_of(table):
    """Give the ratings as (annotator, item, label)."""
    return [
        (table.annotators[owner], table.items[row], table.labels[code])
        for row, owner, code in zip(
            table.row_numbers.tolist(),
            table.annotator_codes.tolist(),
            table.label_codes.tolist(),
            strict=True,
        )
    ]


# What a table is


def test_the_columns_stand_by_item_and_annotator():
    assert (TABLE.annotators, TABLE.labels) == (("ann", "bob"), ("NP", "VP"))
    assert TABLE.items == ("s1", "s2", "s3")
    assert TABLE.offsets.tolist() == [0, 2, 4, 5]
    assert TABLE.annotator_codes.tolist() == [0, 1, 0, 1, 0]
    assert TABLE.label_codes.tolist() == [0, 1, 0, 0, 1]
    assert TABLE.times.tolist() == [1, 1, 1]
    assert TABLE.anonymous is False
    types = [getattr(TABLE, name).dtype for name in ("offsets", "times")]
    assert types == [np.dtype(np.int64)] * 2
    codes = [getattr(TABLE, name).dtype for name in ("annotator_codes", "label_codes")]
    assert codes == [np.dtype(np.int32)] * 2


def test_a_table_says_how_large_it_is():
    assert (TABLE.n_items, TABLE.n_ratings, TABLE.n_annotators, len(TABLE)) == (3, 5, 2, 3)
    assert repr(TABLE) == "Ratings(2 annotators, 3 items, 5 ratings, 2 labels)"
    assert repr(TABLE.only(items=("s3",))) == "Ratings(2 annotators, 1 item, 1 rating, 1 label)"
    assert TABLE.row_numbers.tolist() == [0, 0, 1, 1, 2]


def test_a_table_does_not_change():
    with pytest.raises(ValueError, match="read-only"):
        TABLE.label_codes[0] = 1
    for name in ("labels", "items", "times", "n_items", "other"):
        with pytest.raises(AttributeError, match=f"ratings do not change; .* {name}"):
            setattr(TABLE, name, ())
        with pytest.raises(AttributeError, match=f"ratings do not change; {name} stays"):
            delattr(TABLE, name)
    with pytest.raises(TypeError, match="build Ratings with"):
        Ratings()


def test_equal_tables_are_equal_whatever_their_items_are_called():
    other = Ratings.from_columns(
        COLUMNS["annotator"], [f"other {item}" for item in COLUMNS["item"]], COLUMNS["label"]
    )
    assert other == TABLE
    assert hash(other) == hash(TABLE)
    assert TABLE.only(annotators=("ann",)) != TABLE
    assert (TABLE == 5) is False


@pytest.mark.parametrize(
    "other",
    [
        Ratings.from_matrix({"ann": ["a", 1], "bob": ["a", "1"]}),
        Ratings.from_matrix({"ann": ["a", "1"], "eve": ["a", "1"]}),
        Ratings.from_matrix({"ann": ["a", "2"], "bob": ["a", "2"]}),
        Ratings.from_matrix({"ann": ["a", "1", "a"], "bob": ["a", "1", "a"]}),
        Ratings.from_matrix({"ann": ["a", "1"], "bob": ["a", None]}),
        Ratings.from_matrix({"ann": ["a", "1"], "bob": ["a", "1"], "eve": [None, None]}),
        Ratings.from_counts([[2, 0], [0, 2]], labels=("a", "1")),
        Ratings.from_matrix({"ann": [{"a"}, {"1"}], "bob": [{"a"}, {"1"}]}),
    ],
)
def test_whatever_is_said_otherwise_changes_the_digest(other):
    table = Ratings.from_matrix({"ann": ["a", "1"], "bob": ["a", "1"]})
    assert other.digest != table.digest


def test_the_digest_is_the_same_on_every_machine():
    # Written down once: a digest that changes breaks every signature ever printed.
    assert TABLE.digest == "175137e5bd4801e3e0b2b9db9bb54d782917a9f326d260be97e52e304c2434f9"
    assert len(TABLE.digest) == 64


def test_large_whole_numbers_are_not_mixed_up_in_the_digest():
    tables = [Ratings.from_matrix([[2**53 + step, 1]]) for step in range(3)]
    assert len({table.digest for table in tables}) == 3
    assert Ratings.from_matrix([[10**400, 1]]).digest != tables[0].digest


def test_merged_rows_are_packed_however_long_they_are(monkeypatch):
    rng = np.random.default_rng(1)
    cells = rng.integers(0, 3, (40, 30))
    cells[:, 15:] = cells[:, :15]
    table = Ratings.from_matrix(cells)
    assert table.merged().times.tolist() == [2] * 15
    # A row of 40 ratings takes 5 numbers of 63 bits; with one rating a number it takes 40.
    monkeypatch.setattr(
        patterns,
        "_words",
        lambda ratings, starts, size, _: ratings[starts + np.arange(size)[:, None]],
    )
    again = Ratings.from_matrix(cells)
    assert again.digest == table.digest


def test_pickles_keep_what_is_merged():
    merged = TABLE.merged()
    again = pickle.loads(pickle.dumps(merged))  # noqa: S301 (our own bytes)
    assert again.merged() is again
    assert again == TABLE
    assert type(again) is Ratings


# Columns and frames


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
def test_every_kind_of_frame_says_the_same(frame):
    table = Ratings.from_frame(frame)
    assert table == TABLE
    assert rows_of(table) == rows_of(TABLE)


def test_columns_are_named_by_the_caller():
    frame = pd.DataFrame(COLUMNS).set_axis(["who", "what", "how"], axis=1)
    assert Ratings.from_frame(frame, annotator="who", item="what", label="how") == TABLE
    with pytest.raises(DataError, match=r"no column 'label' .* 'who', 'what', 'how': .* label=…"):
        Ratings.from_frame(frame, annotator="who", item="what")
    with pytest.raises(DataError, match="both name the column 'who'"):
        Ratings.from_frame(frame, annotator="who", item="who", label="how")
    with pytest.raises(TypeError, match="every rating has a label; label= names its column"):
        Ratings.from_frame(frame, annotator="who", item="what", label=None)  # type: ignore[arg-type]


@pytest.mark.parametrize("thing", [5, COLUMNS, ROWS])
def test_what_is_no_frame_is_sent_to_the_right_door(thing):
    with pytest.raises(TypeError, match=r"takes a dataframe .* go to from_columns"):
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
        # Without this, pandas makes floats of integers before we see them.
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
        (([1, 1.5], [1, 2], [1, 1]), TypeError, "row 1: an annotator is named by text"),
        ((["a", "a"], [1, None], [1, 1]), DataError, "row 1: an item needs a name; got None"),
        ((["a", "a"], [1, ""], [1, 1]), DataError, "row 1: an item needs a name; got ''"),
        ((["a", "a"], ["x", pd.NA], [1, 1]), DataError, "row 1: an item needs a name"),
        ((["a", "a"], [1, ["x"]], [1, 1]), TypeError, "row 1: an item is named by text"),
        ((["a", "a"], [1, ([],)], [1, 1]), TypeError, "row 1: an item is named by text"),
        ((["a", "a"], [1, 2], [1, float("inf")]), DataError, "row 1: a label that is a number is"),
        ((["a", "a"], [1, 2], [1, object()]), TypeError, "row 1: a label is a string"),
        ((["a", "a"], [1, 2], [["x"], [None]]), DataError, "row 1: every member of a set"),
        ((["a", "a"], [1, 2], [1]), DataError, "annotator 2, item 2, label 1"),
        (("ab", [1, 2], [1, 1]), TypeError, "the column annotator is a sequence of values"),
        ((["a", "a"], 5, [1, 1]), TypeError, "the column item is a sequence of values; got 5"),
        ((["a"], [1], np.array([[1]])), DataError, r"one value a row; got .* shape \(1, 1\)"),
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
    with pytest.raises(TypeError, match="annotators are given as several names"):
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


# Rating twice


TWICE = (["ann", "bob", "ann", "ann"], [1, 1, 2, 1], ["x", "y", None, "z"])


def test_who_rates_an_item_twice_is_named_with_both_rows():
    with pytest.raises(DataError) as caught:
        Ratings.from_columns(*TWICE)
    assert str(caught.value) == (
        "row 3: 'ann' rated the item 1 twice, 'x' in row 0 and 'z' in row 3; "
        "keep one, or say duplicates='first'"
    )


def test_the_first_of_two_ratings_can_be_kept():
    table = Ratings.from_columns(*TWICE, duplicates="first")
    assert rows_of(table) == [("ann", 1, "x"), ("bob", 1, "y")]
    assert table.labels == ("x", "y")
    with pytest.raises(SettingError, match=r"unknown duplicates 'last'; .* 'raise', 'first'"):
        Ratings.from_columns(*TWICE, duplicates="last")  # type: ignore[arg-type]


def test_a_missing_rating_is_no_second_one():
    table = Ratings.from_columns(["a", "a"], [1, 1], [None, "x"])
    assert rows_of(table) == [("a", 1, "x")]


@pytest.mark.parametrize("n_annotators", [2, 5000])
def test_repeats_are_found_in_full_and_in_sparse_tables(n_annotators):
    rng = np.random.default_rng(3)
    keys = rng.permutation(n_annotators * 50)[:90]
    people, items = keys % n_annotators, keys // n_annotators
    labels = rng.integers(0, 4, len(keys))
    table = Ratings.from_columns(people, items, labels)
    twice = [np.append(column, column[[7]]) for column in (people, items, labels)]
    with pytest.raises(DataError, match=r"row 90: .* in row 7 and .* in row 90"):
        Ratings.from_columns(*twice)
    assert Ratings.from_columns(*twice, duplicates="first") == table


# Sets


def test_lists_and_separated_texts_are_sets():
    lists = pl.DataFrame({"annotator": ["a", "b"], "item": [1, 1], "label": [["x", "y"], ["y"]]})
    texts = pd.DataFrame({"annotator": ["a", "b"], "item": [1, 1], "label": ["y / x /", " y"]})
    table = Ratings.from_frame(lists)
    assert table.labels == (frozenset({"x", "y"}), frozenset({"y"}))
    assert Ratings.from_frame(texts, separator="/") == table


def test_a_lone_separator_is_the_empty_set_and_blank_is_missing():
    table = Ratings.from_columns(["a", "b", "c"], [1, 1, 1], ["|", " ", "x"], separator="|")
    assert table.labels == (frozenset(), frozenset({"x"}))
    assert table.n_ratings == 2


def test_with_a_separator_a_number_is_a_set_of_one():
    table = Ratings.from_columns(["a", "b", "c"], [1, 1, 1], ["x", 5, None], separator="|")
    assert table.labels == (frozenset({5}), frozenset({"x"}))


def test_a_separator_is_some_text():
    with pytest.raises(SettingError, match="a separator is the text between"):
        Ratings.from_columns(["a"], [1], ["x"], separator="")
    with pytest.raises(TypeError, match=r"a separator is the text between .* got 5"):
        Ratings.from_columns(["a"], [1], ["x"], separator=5)  # type: ignore[arg-type]


# Parts and names


def test_only_keeps_what_is_named():
    part = TABLE.only(annotators=("bob",), items=("s1", "s2"), labels=("VP",))
    assert rows_of(part) == [("bob", "s1", "VP")]
    assert TABLE.only() == TABLE
    assert TABLE.only(labels=()).n_items == 0


@pytest.mark.parametrize(
    ("choice", "error", "message"),
    [
        ({"annotators": ("eve",)}, DataError, "no annotator 'eve'; there are 'ann', 'bob'"),
        ({"items": ("s9",)}, DataError, "no item 's9'; there are 's1', 's2', 's3'"),
        ({"labels": ("XP",)}, DataError, "no label 'XP'; there are 'NP', 'VP'"),
        ({"items": "s1"}, TypeError, r"items are given as several items, such as \('s1',\)"),
        ({"labels": "NP"}, TypeError, "labels are given as several labels"),
        ({"annotators": "ann"}, TypeError, "annotators are given as several names"),
    ],
)
def test_what_is_not_there_cannot_be_kept(choice, error, message):
    with pytest.raises(error, match=message):
        TABLE.only(**choice)


def test_items_without_names_cannot_be_chosen():
    with pytest.raises(DataError, match="without the names of items; choose items before"):
        TABLE.merged().only(items=("s1",))


def test_renaming_can_merge_labels_and_make_them_missing():
    assert TABLE.rename(labels={"NP": "XP", "VP": "XP"}).labels == ("XP",)
    assert TABLE.rename(labels={"NP": None}).n_ratings == 2
    swapped = TABLE.rename(annotators={"ann": "bob", "bob": "ann"})
    assert rows_of(swapped)[0] == ("ann", "s1", "VP")
    with pytest.raises(DataError, match="two annotators cannot share a name"):
        TABLE.rename(annotators={"ann": "bob"})
    with pytest.raises(DataError, match="no label 'XP'"):
        TABLE.rename(labels={"XP": "NP"})


# Counting rows and moving labels


def test_times_say_how_many_items_a_row_stands_for():
    table = TABLE.with_times([3, 0, 2])
    assert (table.items, table.times.tolist(), table.n_items) == (None, [3, 2], 5)
    assert table.n_ratings == 8
    assert TABLE.with_times(np.ones(3)) == TABLE
    for times in ([1, 2], [[1, 2, 3]], [1, 2, -3], [1, 2, 0.5]):
        with pytest.raises(DataError, match="times "):
            TABLE.with_times(times)


def test_labels_move_without_a_look_at_the_rest():
    table = TABLE.with_label_codes(1 - TABLE.label_codes)
    assert rows_of(table)[:2] == [("ann", "s1", "VP"), ("bob", "s1", "NP")]
    assert table == TABLE.rename(labels={"NP": "VP", "VP": "NP"})
    with pytest.raises(DataError, match="label codes are positions in 2 labels; got 2"):
        TABLE.with_label_codes([0, 0, 0, 0, 2])
    with pytest.raises(DataError, match="label codes has one number a row, 5 in all"):
        TABLE.with_label_codes([0])


# Size


def test_many_annotators_need_no_more_room_than_their_ratings():
    n = 20_000  # 400 million cells
    people, labels = np.arange(n)[::-1], np.arange(n) % 7
    tracemalloc.start()
    table = Ratings.from_columns(people, np.arange(n), labels)
    assert len(table.merged().times) == n
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1000 * n


def test_rows_of_any_length_are_merged():
    people = np.concatenate([np.arange(1), np.arange(5000), np.arange(5000), np.arange(3)])
    items = np.repeat([0, 1, 2, 3], [1, 5000, 5000, 3])
    table = Ratings.from_columns(people, items, np.zeros(len(items)))
    assert table.merged().times.tolist() == [1, 1, 2]
    assert np.diff(table.merged().offsets).tolist() == [1, 3, 5000]
