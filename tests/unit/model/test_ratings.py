"""Tables of ratings: content, repeated ratings, sets, selections and size."""

import pickle
import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest

from rating_samples import COLUMNS, TABLE, rows_of
from unisono.errors import DataError, SettingError
from unisono.model import rating_tables
from unisono.model.ratings import Ratings

# Content


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


def test_a_table_states_how_large_it_is():
    assert (TABLE.n_items, TABLE.n_ratings, TABLE.n_annotators, len(TABLE)) == (3, 5, 2, 3)
    assert repr(TABLE) == "Ratings(2 annotators, 3 items, 5 ratings, 2 labels)"
    assert repr(TABLE.only(items=("s3",))) == "Ratings(2 annotators, 1 item, 1 rating, 1 label)"
    assert TABLE.row_numbers.tolist() == [0, 0, 1, 1, 2]


def test_a_table_does_not_change():
    with pytest.raises(ValueError, match="read-only"):
        TABLE.label_codes[0] = 1
    for name in ("labels", "items", "times", "n_items", "other"):
        with pytest.raises(AttributeError, match=f"cannot set {name}: Ratings are immutable"):
            setattr(TABLE, name, ())
        with pytest.raises(AttributeError, match=f"cannot delete {name}: Ratings are immutable"):
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
def test_any_change_of_the_content_changes_the_digest(other):
    table = Ratings.from_matrix({"ann": ["a", "1"], "bob": ["a", "1"]})
    assert other.digest != table.digest


def test_the_digest_is_the_same_on_every_machine():
    # Fixed value: a changed digest would invalidate all published signatures.
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
    # A row of 40 ratings is packed into 5 words of 63 bits.
    monkeypatch.setattr(
        rating_tables,
        "_words",
        lambda ratings, starts, size, _: ratings[starts + np.arange(size)[:, None]],
    )
    again = Ratings.from_matrix(cells)
    assert again.digest == table.digest


def test_pickles_keep_what_is_merged():
    merged = TABLE.merged()
    again = pickle.loads(pickle.dumps(merged))  # noqa: S301 (pickled by this test)
    assert again.merged() is again
    assert again == TABLE
    assert type(again) is Ratings


# Repeated ratings


TWICE = (["ann", "bob", "ann", "ann"], [1, 1, 2, 1], ["x", "y", None, "z"])


def test_who_rates_an_item_twice_is_named_with_both_rows():
    with pytest.raises(DataError) as caught:
        Ratings.from_columns(*TWICE)
    assert str(caught.value) == (
        "row 3: 'ann' rated the item 1 twice, 'x' in row 0 and 'z' in row 3; "
        "keep one, or use duplicates='first'"
    )


def test_the_first_of_two_ratings_can_be_kept():
    table = Ratings.from_columns(*TWICE, duplicates="first")
    assert rows_of(table) == [("ann", 1, "x"), ("bob", 1, "y")]
    assert table.labels == ("x", "y")
    with pytest.raises(SettingError, match=r"unknown duplicates='last'; .* 'raise', 'first'"):
        Ratings.from_columns(*TWICE, duplicates="last")  # type: ignore[arg-type]


def test_a_missing_rating_is_not_a_second_one():
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
    with pytest.raises(SettingError, match="separator must be the text between"):
        Ratings.from_columns(["a"], [1], ["x"], separator="")
    with pytest.raises(TypeError, match=r"separator must be the text between .* got 5"):
        Ratings.from_columns(["a"], [1], ["x"], separator=5)  # type: ignore[arg-type]


# Selections and renames


def test_only_keeps_what_is_named():
    part = TABLE.only(annotators=("bob",), items=("s1", "s2"), labels=("VP",))
    assert rows_of(part) == [("bob", "s1", "VP")]
    assert TABLE.only() == TABLE
    assert TABLE.only(labels=()).n_items == 0


@pytest.mark.parametrize(
    ("choice", "error", "message"),
    [
        (
            {"annotators": ("eve",)},
            DataError,
            "no annotator 'eve'; the annotators are 'ann', 'bob'",
        ),
        ({"items": ("s9",)}, DataError, "no item 's9'; the items are 's1', 's2', 's3'"),
        ({"labels": ("XP",)}, DataError, "no label 'XP'; the labels are 'NP', 'VP'"),
        ({"items": "s1"}, TypeError, r"items must be a sequence of items, such as \('s1',\)"),
        ({"labels": "NP"}, TypeError, "labels must be a sequence of labels"),
        ({"annotators": "ann"}, TypeError, "annotators must be a sequence of names"),
    ],
)
def test_what_is_not_there_cannot_be_kept(choice, error, message):
    with pytest.raises(error, match=message):
        TABLE.only(**choice)


def test_items_without_names_cannot_be_chosen():
    with pytest.raises(DataError, match="not their names; select items before"):
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
