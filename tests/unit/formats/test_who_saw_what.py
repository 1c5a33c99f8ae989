"""Annotators of a document, including those without units."""

from pathlib import Path

import pytest

from unisono.errors import DataError, ReadError, SettingError
from unisono.formats.read import read
from unisono.model.continuum import Continuum
from unit_samples import GOOD, HEADER


@pytest.fixture
def write(write_here):
    return lambda content, name="talk.csv": write_here(content, name)


def test_the_annotators_of_a_document_can_be_declared(write):
    paths = write("ann,NP,0,5\n", "a.csv"), write("bob,NP,0,5\n", "b.csv")
    assert read(*paths)["a"].annotators == ("ann",)
    assert read(*paths, seen_by="corpus")["a"].annotators == ("ann", "bob")
    table = {"a": ("ann", "eve"), "b": ("bob",), "c": ("ann", "bob")}
    corpus = read(*paths, seen_by=table)
    assert corpus["a"].annotators == ("ann", "eve")
    assert (corpus["c"].annotators, len(corpus["c"])) == (("ann", "bob"), 0)


@pytest.mark.parametrize(
    "content",
    [
        "talk,ann\ntalk,bob\ntalk,eve\nlost,ann\n",
        "document,annotator\ntalk,ann\ntalk,bob\n\ntalk,eve\nlost,ann\n",
        "Coder;Date;File\nann;1;talk\nbob;1;talk\neve;2;talk\nann;3;lost\n",
    ],
)
def test_who_saw_a_document_can_stand_in_a_table(write, content):
    who = write(content, "who.csv")
    for annotators in (who, Path(who)):
        corpus = read(write(GOOD), seen_by=annotators)
        assert corpus["talk"].annotators == ("ann", "bob", "eve")
        assert corpus["lost"] == Continuum.from_units([], annotators=("ann",))
        assert corpus.annotators_from == "declared"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("document,annotator\n", "who.csv: a header but no rows"),
        (
            "document,annotator\ntalk,\n",
            "who.csv:2: the annotator is empty; every row needs a docu",
        ),
        ("talk,ann\ntalk,bob,eve\n", "who.csv:2: expected 2 columns .* got 3; the row is 'talk,b"),
        ("talk,ann,bob\n", "who.csv:1: expected the columns document and annotator"),
        ("document,who\ntalk,ann\n", "who.csv:1: expected the columns document and annotator"),
        ('talk,"ann\n', "who.csv:1: a quotation mark opened in .* of this row is never closed"),
        ("", "who.csv: the file is empty"),
    ],
)
def test_a_bad_table_of_who_saw_what_is_refused(write, content, message):
    with pytest.raises(ReadError, match=message):
        read(write(GOOD), seen_by=write(content, "who.csv"))


@pytest.mark.parametrize(
    ("annotators", "kind", "message"),
    [
        (
            "everyone",
            SettingError,
            "unknown seen_by='everyone'; choose one of 'auto', 'units', 'corpus'",
        ),
        ("lost.csv", ReadError, "lost.csv: no such file; seen_by= takes the path of a table"),
        (Path("lost"), ReadError, "lost: no such file"),
        (7, TypeError, "seen_by= must be 'auto', 'units', 'corpus', a mapping"),
        ({"talk": ["ann"]}, DataError, "document 'talk': 'bob' has units but is not among"),
        (
            {"tale": ["ann"]},
            DataError,
            "document 'talk': it has units but no declared annotators",
        ),
    ],
)
def test_who_saw_what_must_make_sense(write, annotators, kind, message):
    with pytest.raises(kind, match=message):
        read(write(GOOD), seen_by=annotators)


def test_a_header_without_rows_is_a_document_only_if_it_is_known_who_saw_it(write):
    paths = write(GOOD), write(HEADER, "empty.csv")
    with pytest.raises(
        ReadError, match=r"empty.csv: a header but no rows, so the annotators of this document"
    ):
        read(*paths)
    with pytest.raises(ReadError, match=r"empty.csv: a header but no rows"):
        read(*paths, seen_by={"talk": ("ann", "bob")})
    table = {"talk": ("ann", "bob"), "empty": ("eve",)}
    assert read(*paths, seen_by=table)["empty"].annotators == ("eve",)
    assert read(*paths, seen_by="corpus")["empty"].annotators == ("ann", "bob")


def test_a_table_of_documents_without_rows_is_refused(write):
    with pytest.raises(ReadError, match=r"a header but no rows"):
        read(write("document,annotator,start,end\n"), seen_by="corpus")
