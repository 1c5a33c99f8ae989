"""Laws of the model: what must not move anything, and what must come back."""

import csv
import pickle
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from strategies import continua, corpora, rows
from unisono.formats.read import read
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.labels import as_label, label_order, label_text

COLUMNS = ("annotator", "start", "end", "label")


def same_columns(one, other):
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("starts", "ends", "label_codes", "offsets")
    ) and (one.labels, one.annotators, one.extent) == (other.labels, other.annotators, other.extent)


def values(unit):
    return unit.annotator, unit.start, unit.end, unit.label


@given(rows(min_annotators=1), st.randoms(use_true_random=False))
def test_the_order_of_rows_moves_nothing(drawn, random):
    annotators, units = drawn
    shuffled = random.sample(units, len(units))
    one = Continuum.from_units(units, annotators=annotators)
    other = Continuum.from_units(shuffled, annotators=reversed(annotators))
    assert one.digest == other.digest
    assert same_columns(one, other)


@given(rows(min_annotators=0))
def test_no_unit_is_lost_or_made(drawn):
    annotators, units = drawn
    text = Continuum.from_units(units, annotators=annotators)
    in_order = sorted(units, key=lambda row: (*row[:3], label_order(row[3])))
    assert [values(unit) for unit in text] == in_order
    assert [values(unit) for unit in text.units] == in_order
    assert [values(text.unit(row)) for row in range(len(text))] == in_order


@given(continua(min_annotators=0))
def test_the_columns_agree_with_each_other(text):
    assert len(text.starts) == len(text.ends) == len(text.label_codes) == text.offsets[-1]
    assert len(text.offsets) == len(text.annotators) + 1
    assert text.counts.tolist() == [
        sum(unit.annotator == name for unit in text) for name in text.annotators
    ]
    assert set(text.labels) == {unit.label for unit in text}
    assert list(text.labels) == sorted(text.labels, key=label_order)
    assert list(text.annotators) == sorted(text.annotators)
    assert all(text.extent[0] <= unit.start <= unit.end <= text.extent[1] for unit in text)


@given(continua())
def test_units_make_their_continuum_again(text):
    again = Continuum.from_units(text, annotators=text.annotators, extent=text.extent)
    assert again == text
    assert same_columns(again, text)


@given(continua(), continua())
def test_equal_is_equal_in_every_column(one, other):
    assert (one == other) == same_columns(one, other)


@given(corpora())
def test_pickling_moves_nothing(corpus):
    again = pickle.loads(pickle.dumps(corpus))  # noqa: S301 (our own bytes)
    assert again == corpus
    assert all(same_columns(again[name], corpus[name]) for name in corpus)
    assert not any(text.starts.flags.writeable for text in again.values())


@given(continua())
def test_only_what_was_kept_is_kept(text):
    for name in text.annotators:
        part = text.only(annotators=(name,))
        assert [values(unit) for unit in part] == [
            values(unit) for unit in text if unit.annotator == name
        ]
    for label in text.labels:
        part = text.only(labels=(label,))
        assert [values(unit) for unit in part] == [
            values(unit) for unit in text if unit.label == label
        ]
        assert (part.annotators, part.extent) == (text.annotators, text.extent)


@given(continua())
def test_renaming_there_and_back_moves_nothing(text):
    people = {name: f"{i} {name}" for i, name in enumerate(text.annotators)}
    labels = {label: ("new", i) for i, label in enumerate(text.labels)}
    there = text.rename(annotators=people, labels=labels)
    back = there.rename(
        annotators={new: old for old, new in people.items()},
        labels={as_label(new): old for old, new in labels.items()},
    )
    assert back == text
    assert same_columns(back, text)


@given(rows(labels="some"))
def test_a_frame_gives_the_units(drawn):
    annotators, units = drawn
    text = Continuum.from_units(units, annotators=annotators)
    table = {name: [row[i] for row in units] for i, name in enumerate(COLUMNS)}
    schema = {"annotator": pl.String, "start": pl.Float64, "end": pl.Float64, "label": pl.String}
    frame = pl.DataFrame(table, schema=schema)
    for each in (frame, frame.lazy(), frame.to_arrow(), pd.DataFrame(table)):
        assert Continuum.from_frame(each, annotators=annotators) == text
    columns = (np.array(table[name], dtype=object) for name in COLUMNS)
    assert Continuum.from_columns(*columns, annotators=annotators) == text


@given(rows(labels="sets"))
def test_lists_in_a_frame_are_sets(drawn):
    annotators, units = drawn
    text = Continuum.from_units(units, annotators=annotators)
    table = pd.DataFrame(
        [(*row[:3], list(row[3])) for row in units],
        columns=COLUMNS,
    ).astype({"start": float, "end": float})
    assert Continuum.from_frame(table, annotators=annotators) == text


@given(corpora(labels="text"), st.randoms(use_true_random=False))
def test_a_corpus_is_restored_from_its_frame(corpus, random):
    units = [(name, *values(unit)) for name, text in corpus.items() for unit in text]
    random.shuffle(units)
    columns = {name: [row[i] for row in units] for i, name in enumerate(("document", *COLUMNS))}
    seen = {name: text.annotators for name, text in corpus.items()}
    again = Corpus.from_frame(pa.table(columns) if units else pd.DataFrame(columns), seen_by=seen)
    assert again == corpus
    assert again.digest == corpus.digest


def write_table(path, header, units, delimiter, line_end):
    with path.open("w", encoding="utf-8", newline="") as file:
        # The writer quotes a line feed in a cell only where lines end with one.
        dialect = "unix" if line_end == "\r" else "excel"
        writer = csv.writer(file, dialect, delimiter=delimiter, lineterminator=line_end)
        writer.writerow(header)
        writer.writerows(units)


delimiters = st.sampled_from(",;\t|")
line_ends = st.sampled_from(("\n", "\r\n", "\r"))


@given(
    st.sampled_from(("text", "numbers", "none", "some")).flatmap(lambda kind: corpora(labels=kind)),
    delimiters,
    line_ends,
    st.randoms(use_true_random=False),
)
def test_a_corpus_is_restored_from_one_table(corpus, delimiter, line_end, random):
    units = [
        (name, *values(unit)[:3], label_text(unit.label))
        for name, text in corpus.items()
        for unit in text
    ]
    random.shuffle(units)
    # A table without rows has no documents to tell of, and is refused: see the unit tests.
    if not units:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "all.csv")
        write_table(path, ("document", *COLUMNS), units, delimiter, line_end)
        again = read(path, seen_by={name: text.annotators for name, text in corpus.items()})
    assert again == corpus


@given(corpora(min_documents=1, labels="text"), delimiters, line_ends)
def test_a_corpus_is_restored_from_a_file_a_document(corpus, delimiter, line_end):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in corpus.items():
            units = [(*values(unit)[:3], label_text(unit.label)) for unit in text]
            write_table(Path(folder, f"{name}.csv"), COLUMNS, units, delimiter, line_end)
        again = read(folder, seen_by={name: text.annotators for name, text in corpus.items()})
    assert again == corpus
