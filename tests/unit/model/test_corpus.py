import copy
import dataclasses
import math
import pickle

import pandas as pd
import polars as pl
import pytest

from unisono.errors import DataError, SettingError
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.interpretation import Interpretation, Remark

READ = Interpretation(
    sources=("/data",),
    formats={"csv": 1},
    skipped=(Remark("the start is empty", 2, "a.csv:3"),),
    warnings=(Remark("two texts", 3, "c.csv:4"),),
)
ROWS = [
    ("b", "bob", 1, 5, "NP"),
    ("a", "ann", 0, 5, "NP"),
    ("a", "bob", 0, 4, "VP"),
    ("c", "eve", 2, 2, None),
]
COLUMNS = ["document", "annotator", "start", "end", "label"]


@pytest.fixture
def corpus():
    return Corpus.from_frame(pd.DataFrame(ROWS, columns=COLUMNS))


def test_a_corpus_is_a_mapping_sorted_by_name(corpus):
    assert list(corpus) == ["a", "b", "c"]
    assert len(corpus) == 3
    assert corpus["a"] == Continuum.from_units([row[1:] for row in ROWS if row[0] == "a"])
    assert "z" not in corpus
    with pytest.raises(KeyError):
        corpus["z"]


def test_a_corpus_sums_up_its_documents(corpus):
    assert corpus.annotators == ("ann", "bob", "eve")
    assert corpus.labels == (None, "NP", "VP")
    assert (corpus.n_units, corpus.skipped, corpus.annotators_from) == (4, 0, "units")
    assert repr(corpus) == "Corpus(3 documents, 3 annotators, 4 units, 2 labels)"


def test_a_corpus_of_nothing():
    corpus = Corpus.from_continua({})
    assert (len(corpus), corpus.n_units, corpus.annotators_from) == (0, 0, "units")
    assert repr(corpus) == "Corpus(0 documents, 0 annotators, 0 units, 0 labels)"


def test_a_corpus_cannot_be_changed(corpus):
    with pytest.raises(dataclasses.FrozenInstanceError):
        corpus.interpretation = None
    with pytest.raises(TypeError, match="does not support item assignment"):
        corpus["a"] = corpus["b"]
    with pytest.raises(TypeError, match="build a Corpus with"):
        Corpus()


def test_corpora_of_the_same_content_are_equal(corpus):
    again = Corpus.from_continua(
        {"c": corpus["c"], "a": corpus["a"], "b": corpus["b"]}, interpretation=READ
    )
    assert (again == corpus, hash(again) == hash(corpus)) == (True, True)
    assert again.skipped == 2
    assert corpus != dict(corpus)
    assert corpus != Corpus.from_continua({"a": corpus["a"]})


def test_a_corpus_survives_pickling(corpus):
    skipped = Corpus.from_continua(corpus, interpretation=READ)
    pickled = pickle.loads(pickle.dumps(skipped))  # noqa: S301 (pickled by this test)
    for again in (pickled, copy.deepcopy(skipped)):
        assert (again, again.interpretation) == (skipped, READ)


def test_a_corpus_holds_continua_only(corpus):
    with pytest.raises(TypeError, match="a corpus must contain continua; 'a' is of type list"):
        Corpus.from_continua({"a": []})  # type: ignore[dict-item]
    with pytest.raises(DataError, match="a document needs a name"):
        Corpus.from_continua({"": corpus["a"]})


# Annotators of a document


def test_by_default_those_with_units_saw_a_document(corpus):
    assert [text.annotators for text in corpus.values()] == [("ann", "bob"), ("bob",), ("eve",)]


def test_everyone_may_have_seen_everything():
    corpus = Corpus.from_frame(pl.DataFrame(ROWS, COLUMNS, orient="row"), seen_by="corpus")
    assert {text.annotators for text in corpus.values()} == {("ann", "bob", "eve")}
    assert corpus["b"].counts.tolist() == [0, 1, 0]
    assert corpus.annotators_from == "corpus"


def test_a_table_states_who_saw_a_document():
    table = {"a": ["ann", "bob"], "b": ("eve", "bob"), "c": {"eve"}, "d": ["ann", "zoe"]}
    corpus = Corpus.from_frame(pd.DataFrame(ROWS, columns=COLUMNS), seen_by=table)
    assert corpus["b"].annotators == ("bob", "eve")
    assert corpus["d"].annotators == ("ann", "zoe")
    assert (len(corpus["d"]), corpus["d"].extent) == (0, (0.0, 0.0))
    assert corpus.annotators_from == "declared"


@pytest.mark.parametrize(
    ("table", "kind", "message"),
    [
        (
            {"a": ["ann", "bob"]},
            DataError,
            "document 'b': it has units but no declared annotators",
        ),
        ({"a": ["ann"], "b": ["bob"], "c": ["eve"]}, DataError, "document 'a': 'bob' has units"),
        ({"a": "ann"}, TypeError, "annotators must be a sequence of names"),
        ("everyone", SettingError, "unknown seen_by='everyone'; choose one of 'units'"),
        (None, SettingError, "unknown seen_by=None"),
    ],
)
def test_a_bad_table_is_refused(table, kind, message):
    with pytest.raises(kind, match=message):
        Corpus.from_frame(pd.DataFrame(ROWS, columns=COLUMNS), seen_by=table)


def test_documents_that_know_it_differently_are_mixed(corpus):
    declared = Continuum.from_units([], annotators=("ann", "bob"))
    assert Corpus.from_continua({"a": corpus["a"], "d": declared}).annotators_from == "mixed"


def test_extents_are_given_by_document():
    frame = pd.DataFrame(ROWS, columns=COLUMNS)
    corpus = Corpus.from_frame(frame, extents={"a": (0, 60)})
    assert (corpus["a"].extent, corpus["b"].extent) == ((0.0, 60.0), (1.0, 5.0))
    with pytest.raises(DataError, match="no document 'z'; the documents are 'a', 'b', 'c'"):
        Corpus.from_frame(frame, extents={"z": (0, 60)})
    with pytest.raises(DataError, match="document 'a': all units must lie within the extent"):
        Corpus.from_frame(frame, extents={"a": (0, 4)})


# Frames


def test_documents_may_have_numbers_for_names():
    frame = pd.DataFrame({"song": [10, 2, 2], "annotator": 1, "start": 0, "end": [1, 2, 3]})
    corpus = Corpus.from_frame(frame, document="song", label=None)
    assert list(corpus) == ["10", "2"]
    assert len(corpus["2"]) == 2


def test_an_empty_frame_is_an_empty_corpus():
    assert len(Corpus.from_frame(pd.DataFrame([], columns=COLUMNS))) == 0


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ((None, "ann", 0, 1, "a"), "row 1: a document needs a name"),
        (("a", "ann", 1, 0, "a"), "row 1: a unit cannot end before it starts"),
        (("a", "ann", math.nan, 0, "a"), "row 1: the start of a unit must be a finite number"),
    ],
)
def test_a_bad_row_is_named(row, message):
    with pytest.raises(DataError, match=message):
        Corpus.from_frame(pd.DataFrame([ROWS[0], row], columns=COLUMNS))


def test_a_missing_column_is_named():
    with pytest.raises(DataError, match=r"no column 'document' .*; set document="):
        Corpus.from_frame(pd.DataFrame([], columns=COLUMNS[1:]))


# Selections and renames


def test_only_keeps_documents_annotators_and_labels(corpus):
    assert list(corpus.only(documents=("b", "a"))) == ["a", "b"]
    part = corpus.only(annotators=("bob",), labels=("VP",))
    assert [(text.annotators, len(text)) for text in part.values()] == [
        (("bob",), 1),
        (("bob",), 0),
        ((), 0),
    ]
    assert corpus.only() == corpus
    assert corpus.only(documents=()) == Corpus.from_continua({})
    assert corpus.only(annotators=()).annotators == ()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"documents": ("z",)}, "no document 'z'; the documents are 'a', 'b', 'c'"),
        ({"annotators": ("zoe",)}, "no annotator 'zoe'"),
        ({"labels": ("XP",)}, "no label 'XP'"),
    ],
)
def test_only_knows_what_is_there(corpus, settings, message):
    with pytest.raises(DataError, match=message):
        corpus.only(**settings)


def test_rename_reaches_every_document(corpus):
    again = corpus.rename(
        documents={"a": "z"}, annotators={"bob": "Bob"}, labels={"VP": "NP", None: "XP"}
    )
    assert list(again) == ["b", "c", "z"]
    assert again.annotators == ("Bob", "ann", "eve")
    assert again.labels == ("NP", "XP")
    assert corpus.rename() == corpus


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"documents": {"a": "b"}}, "two documents cannot share a name; 'a' and 'b'"),
        ({"documents": {"z": "y"}}, "no document 'z'"),
        ({"annotators": {"ann": "eve"}}, "two annotators cannot share a name"),
        ({"annotators": {"zoe": "eve"}}, "no annotator 'zoe'"),
        ({"labels": {"XP": "NP"}}, "no label 'XP'"),
    ],
)
def test_rename_knows_what_is_there(corpus, settings, message):
    with pytest.raises(DataError, match=message):
        corpus.rename(**settings)


def test_parts_remember_how_files_were_read(corpus):
    assert (corpus.interpretation, corpus.skipped, corpus.notes, corpus.sources) == (
        None,
        0,
        (),
        (),
    )
    whole = Corpus.from_continua(corpus, interpretation=READ)
    parts = (
        whole.only(documents=("a",)),
        whole.rename(documents={"a": "z"}),
        whole.with_continua({}),
    )
    for part in parts:
        assert part.interpretation == READ
        assert (part.skipped, part.notes, part.sources) == (
            2,
            ("two texts (3, first at c.csv:4)",),
            ("/data",),
        )
