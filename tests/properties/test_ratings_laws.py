"""Laws of tables of ratings: what must not move anything, and what must come back."""

import csv
import pickle
import tempfile
from collections import Counter
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from rating_changes import with_times
from rating_strategies import ANNOTATORS, ratings, triples
from unisono.formats.read import read_ratings
from unisono.model import rating_tables as patterns_of_model
from unisono.model.labels import label_order, label_text
from unisono.model.ratings import Ratings

FIELDS = ("offsets", "annotator_codes", "label_codes", "times")
COLUMNS = ("annotator", "item", "label")


def columns_of(rows):
    return [list(column) for column in zip(*rows, strict=True)] or [[], [], []]


def table_of(drawn):
    annotators, rows = drawn
    return Ratings.from_columns(*columns_of(rows), annotators=annotators)


def same_fields(one, other):
    names = ("annotators", "labels", "items", "anonymous")
    return all(getattr(one, name) == getattr(other, name) for name in names) and all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in FIELDS
    )


def patterns(table):
    """Count, the slow way, how many items have which labels from whom."""
    bounds = table.offsets.tolist()
    count: Counter = Counter()
    for row, times in enumerate(table.times.tolist()):
        part = slice(bounds[row], bounds[row + 1])
        people = [table.annotators[code] for code in table.annotator_codes[part]]
        said = [table.labels[code] for code in table.label_codes[part]]
        count[frozenset(zip(people, said, strict=True))] += times
    return count


def patterns_of_rows(rows):
    by_item: dict = {}
    for name, item, label in rows:
        by_item.setdefault(item, set()).add((name, label))
    return Counter(frozenset(each) for each in by_item.values())


@given(triples(), st.randoms(use_true_random=False))
def test_the_order_of_rows_moves_nothing(drawn, random):
    annotators, rows = drawn
    one = table_of(drawn)
    other = table_of((reversed(annotators), random.sample(rows, len(rows))))
    assert one.digest == other.digest
    assert same_fields(one, other)


@given(triples())
def test_no_rating_is_lost_or_made(drawn):
    _, rows = drawn
    table = table_of(drawn)
    owners, codes = table.annotator_codes.tolist(), table.label_codes.tolist()
    told = [
        (table.annotators[owner], table.items[row], table.labels[code])
        for row, owner, code in zip(table.row_numbers.tolist(), owners, codes, strict=True)
    ]
    assert Counter(told) == Counter(rows)
    assert patterns(table) == patterns_of_rows(rows)
    assert (table.n_ratings, table.n_items) == (len(rows), len({row[1] for row in rows}))


@given(ratings())
def test_the_columns_agree_with_each_other(table):
    assert len(table.offsets) == len(table.times) + 1
    assert table.offsets[0] == 0
    assert table.offsets[-1] == len(table.annotator_codes) == len(table.label_codes)
    assert (np.diff(table.offsets) > 0).all()
    assert (table.times > 0).all()
    assert set(table.label_codes.tolist()) == set(range(len(table.labels)))
    assert list(table.labels) == sorted(table.labels, key=label_order)
    assert list(table.annotators) == sorted(table.annotators)
    assert table.items is None or len(table.items) == len(table.times)
    within = np.diff(table.row_numbers) == 0
    assert (np.diff(table.annotator_codes)[within] > 0).all()
    assert all(not getattr(table, name).flags.writeable for name in FIELDS)


@given(ratings())
def test_the_matrix_holds_every_rating_in_its_cell(table):
    cells = table.matrix()
    assert cells.shape == (len(table.times), table.n_annotators)
    assert np.count_nonzero(cells >= 0) == len(table.label_codes)
    assert np.array_equal(cells[table.row_numbers, table.annotator_codes], table.label_codes)


@given(ratings())
def test_merging_keeps_all_counts(table):
    merged = table.merged()
    assert patterns(merged) == patterns(table)
    assert len(merged.times) == len(patterns(table))
    assert (merged.n_items, merged.n_ratings) == (table.n_items, table.n_ratings)
    assert merged == table
    assert merged.merged() is merged


@given(triples(), st.randoms(use_true_random=False))
def test_merged_rows_stand_in_one_order(drawn, random):
    annotators, rows = drawn
    names = list({row[1] for row in rows})
    other = dict(zip(names, random.sample(names, len(names)), strict=True))
    renamed = [(name, other[item], label) for name, item, label in rows]
    assert same_fields(table_of(drawn).merged(), table_of((annotators, renamed)).merged())


@given(ratings())
def test_rows_are_counted_as_they_would_be_sorted(table):
    counted = table.merged()
    again = pickle.dumps(table)
    for setting, value in (("_FEW", -(10**9)), ("_MOST_BITS", 0)):
        with patch.object(patterns_of_model, setting, value):
            assert same_fields(pickle.loads(again).merged(), counted)  # noqa: S301 (our own bytes)


@given(ratings(), ratings())
def test_equal_is_equal_in_every_pattern(one, other):
    same = (one.annotators, patterns(one)) == (other.annotators, patterns(other))
    assert (one == other) == same
    assert (hash(one) == hash(other)) == same


@given(triples(), st.integers(1, 3))
def test_equal_items_are_counted_like_equal_rows(drawn, times):
    annotators, rows = drawn
    many = [(name, (item, copy), label) for name, item, label in rows for copy in range(times)]
    table = table_of(drawn)
    assert table_of((annotators, many)) == with_times(table, [times] * len(table.times))


@given(ratings())
def test_pickling_moves_nothing(table):
    again = pickle.loads(pickle.dumps(table))  # noqa: S301 (our own bytes)
    assert again == table
    assert same_fields(again, table)
    assert not again.label_codes.flags.writeable


@given(triples(), st.sets(st.sampled_from(ANNOTATORS)))
def test_only_what_was_kept_is_kept(drawn, some):
    annotators, rows = drawn
    table = table_of(drawn)
    kept = some & set(annotators)
    part = table.only(annotators=kept)
    assert part.annotators == tuple(sorted(kept))
    assert patterns(part) == patterns_of_rows([row for row in rows if row[0] in kept])
    for label in table.labels:
        part = table.only(labels=(label,))
        assert patterns(part) == patterns_of_rows([row for row in rows if row[2] == label])
        assert part.annotators == table.annotators
    for item in table.items:
        part = table.only(items=(item,))
        assert part.items == (item,)
        assert patterns(part) == patterns_of_rows([row for row in rows if row[1] == item])


@given(ratings())
def test_renaming_there_and_back_moves_nothing(table):
    people = {name: f"{9 - i} {name}" for i, name in enumerate(table.annotators)}
    labels = {label: f"{9 - i} new" for i, label in enumerate(table.labels)}
    there = table.rename(annotators=people, labels=labels)
    back = there.rename(
        annotators={new: old for old, new in people.items()},
        labels={new: old for old, new in labels.items()},
    )
    assert same_fields(back, table)


@given(ratings())
def test_making_a_label_missing_is_keeping_the_others(table):
    for label in table.labels:
        others = [other for other in table.labels if other != label]
        assert same_fields(table.rename(labels={label: None}), table.only(labels=others))


@given(triples())
def test_a_matrix_gives_the_ratings(drawn):
    annotators, rows = drawn
    table = table_of(drawn)
    said = {(name, item): label for name, item, label in rows}
    wide = {name: [said.get((name, item)) for item in table.items] for name in annotators}
    assert same_fields(Ratings.from_matrix(wide, items=table.items), table)
    rows = [wide[name] for name in annotators]
    again = Ratings.from_matrix(rows, annotators=annotators, items=table.items)
    assert same_fields(again, table)


@given(triples(labels="text", items="texts"))
def test_a_frame_gives_the_ratings(drawn):
    annotators, rows = drawn
    table = table_of(drawn)
    columns = dict(zip(COLUMNS, columns_of(rows), strict=True))
    frame = pl.DataFrame(columns, schema=dict.fromkeys(COLUMNS, pl.String))
    for each in (frame, frame.to_arrow(), pd.DataFrame(columns)):
        assert same_fields(Ratings.from_frame(each, annotators=annotators), table)
    pushed = Ratings.from_frame(frame.lazy(), annotators=annotators)
    assert pushed == table
    assert pushed.items is None


@given(triples(labels="sets"))
def test_text_with_a_separator_gives_the_same_as_sets(drawn):
    annotators, rows = drawn
    cells = ["|".join(map(str, label)) or "|" for _, _, label in rows]
    columns = columns_of(rows)
    table = Ratings.from_columns(*columns, annotators=annotators)
    people, items, _ = columns
    texts = {label: frozenset(map(str, label)) for label in table.labels}  # type: ignore[arg-type]
    again = Ratings.from_columns(people, items, cells, annotators=annotators, separator="|")
    assert again == table.rename(labels=texts)


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=6))
def test_counts_are_restored_from_their_table(counts):
    table = Ratings.from_counts(counts, labels=("b", "a", 3))
    rows = [tuple(row) for row in counts if any(row)]
    assert table.anonymous
    assert table.n_items == len(rows)
    place = {"b": 0, "a": 1, 3: 2}
    told: Counter = Counter()
    for row, times in enumerate(table.times.tolist()):
        part = slice(table.offsets[row], table.offsets[row + 1])
        seen = [0, 0, 0]
        for code in table.label_codes[part].tolist():
            seen[place[table.labels[code]]] += 1
        told[tuple(seen)] += times
    assert told == Counter(rows)
    assert table == Ratings.from_counts(counts[::-1], labels=("b", "a", 3))


def write(path, rows, delimiter):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)


@given(triples(labels="text", items="texts"), st.sampled_from(",;\t|"))
def test_ratings_are_restored_from_a_long_file(drawn, delimiter):
    annotators, rows = drawn
    # Spaces around a name do not count in a file, and a lone 1 is a number.
    rows = [(name, item.strip(), label.replace("1", "one")) for name, item, label in rows]
    if not rows:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "long.csv")
        write(path, [COLUMNS, *rows], delimiter)
        again = read_ratings(path, wide=False, annotator_columns=annotators)
    assert same_fields(again, table_of((annotators, rows)))


@given(triples(labels="numbers", items="texts"), st.sampled_from(",;\t"))
def test_ratings_are_restored_from_a_wide_file(drawn, delimiter):
    annotators, rows = drawn
    if not rows:
        return
    table = table_of(drawn)
    said = {(name, item.strip()): label_text(label) for name, item, label in rows}
    items = [item.strip() for item in table.items]
    wide = [(item, *(said.get((name, item), "NA") for name in annotators)) for item in items]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "wide.csv")
        write(path, [("item", *annotators), *wide], delimiter)
        again = read_ratings(path, annotator_columns=annotators, na_values="NA")
        numbered = read_ratings(
            path, annotator_columns=range(2, len(annotators) + 2), na_values="NA"
        )
    assert again == numbered == table
    assert again.items == tuple(sorted(items))
