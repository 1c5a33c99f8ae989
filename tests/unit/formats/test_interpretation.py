"""Interpretation of files: formats, layers, skipped rows, warnings, omitted contents."""

import copy
import json
import pickle

import pytest

import unisono as un
from file_samples import LABEL_STUDIO_RATINGS
from unisono.model.interpretation import Ignored, Interpretation, Origin, Remark, Remarks
from unit_samples import GOOD, HEADER
from written_ratings import LONG


@pytest.fixture
def write(write_here):
    return write_here


def test_remarks_are_counted_with_their_first_place():
    remarks, others = Remarks(), Remarks()
    remarks.add("a", "x:1")
    others.add("b", "y:2", 3)
    others.add("a", "y:3")
    remarks.update(others)
    assert remarks.listed() == (Remark("b", 3, "y:2"), Remark("a", 2, "x:1"))
    assert str(remarks.listed()[0]) == "b (3, first at y:2)"


def test_a_corpus_knows_how_it_was_read(write, tmp_path):
    write(GOOD, "in/talk.csv")
    write(HEADER + "ann,0,5,NP\nann,x,5,NP\nann,9,2,NP\n,0,5,NP\nann,y,5\n", "in/other.csv")
    write('{"annotator": "ann", "start": 0, "end": 5}\n', "in/more.jsonl")
    write("no annotation", "in/notes.json")
    found = un.read("in", on_error="skip", label=None).interpretation
    assert found is not None
    assert found == Interpretation(
        sources=(str(tmp_path / "in"),),
        formats={"jsonl": 1, "csv": 2},
        skipped=(
            Remark("start 'x' is not a number", 1, "in/other.csv:3"),
            Remark("a unit cannot end before it starts", 1, "in/other.csv:4"),
            Remark("the annotator is empty", 1, "in/other.csv:5"),
            Remark("expected 4 columns as in the first row, got 3", 1, "in/other.csv:6"),
        ),
        left_out=(
            Remark(
                "files in a folder that were not read, because their format was not recognised",
                1,
                "in/notes.json",
            ),
        ),
        origins=found.origins,
    )
    assert [(each.role, each.name, each.n_values) for each in found.origins] == [
        ("document", "", 2),
        ("annotator", "annotator", 2),
        ("start", "start", 0),
        ("end", "end", 0),
        ("label", "label", 2),
        # Of the JSON Lines.
        ("document", "", 1),
        ("annotator", "annotator", 1),
    ]


def test_attributes_that_are_not_the_label_are_ignored(write):
    line = "T1\tGene 0 4\tsome\nA1\tCategory T1 good\nA2\tSure T1\n"
    write(line, "in/ann/talk.ann")
    found = un.read("in").interpretation
    assert found is not None
    assert found.ignored == (
        Ignored("attribute", "Category", 1, "not used as label"),
        Ignored("attribute", "Sure", 1, "not used as label"),
    )
    assert str(found.origin("label")) == 'label from attribute "type" (format, 1 value)'
    found = un.read("in", label="Category").interpretation
    assert found is not None
    assert [each.name for each in found.ignored] == ["Sure"]
    assert str(found.origin("label")) == 'label from attribute "Category" (asked, 1 value)'
    assert str(found.origin("annotator")) == "annotator from folder (format, 1 value)"


def test_all_layers_of_the_files_are_counted(write):
    path = write(
        "annotator,start,end,label,layer\na,0,1,x,one\na,1,2,y,two\nb,0,1,x,one\n", "t.csv"
    )
    found = un.read(path, layer="one").interpretation
    assert found is not None
    assert found.layers == {"one": 2, "two": 1}


def test_tiers_that_do_not_match_the_pattern_are_ignored_with_their_units(write):
    tiers = '"IntervalTier" "turns@ann" 0 9 1 0 9 "x" "IntervalTier" "noise" 0 9 1 0 9 "y"'
    write(f'"ooTextFile" "TextGrid" 0 9 <exists> 2 {tiers}', "talk.TextGrid")
    found = un.read("talk.TextGrid", annotator="{layer}@{annotator}").interpretation
    assert found is not None
    assert found.ignored == (Ignored("tier", "noise", 1, "does not match the pattern"),)
    assert str(found.origin("annotator")) == (
        'annotator from tier "{layer}@{annotator}" (asked, 1 value)'
    )
    assert str(found.ignored[0]) == "tier noise (1 unit; does not match the pattern)"


def test_files_in_several_layers_are_read_only_as_far_as_the_question_needs(write, monkeypatch):
    for name in ("a", "b", "c"):
        table = "annotator,start,end,label,layer\na,0,1,x,one\na,1,2,y,two\n"
        write(table, f"in/{name}.csv")
    with pytest.raises(un.errors.AmbiguousInputError, match="the files have 2 layers"):
        un.read("in")
    monkeypatch.setattr("unisono.formats.read._ENOUGH_BYTES", 60)
    with pytest.raises(
        un.errors.AmbiguousInputError, match="first 2 of 3 files there are 2 layers"
    ):
        un.read("in")
    assert un.read("in", layer="one").n_units == 3


def test_a_corpus_from_python_was_not_read():
    assert un.Corpus.from_continua({}).interpretation is None
    assert un.Ratings.from_matrix([[1, 2], [1, 2]]).interpretation is None


def test_how_a_corpus_was_read_is_not_part_of_its_content(write):
    corpus = un.read(write(GOOD, "talk.csv"))
    other = un.read(write(GOOD.replace(",", ";"), "deep/talk.csv"))
    assert (corpus == other, corpus.digest == other.digest) == (True, True)
    assert corpus.interpretation != other.interpretation


def test_the_table_of_who_saw_what_is_a_source(write, tmp_path):
    corpus = un.read(write(GOOD, "talk.csv"), seen_by=write("talk,ann\ntalk,bob\n", "who.csv"))
    assert corpus.sources == (str(tmp_path / "talk.csv"), str(tmp_path / "who.csv"))


def test_ratings_know_how_they_were_read(write, tmp_path):
    path = write(LONG + "eve,s1,NA\neve,s2,NA\n", "ratings.csv")
    with pytest.warns(UserWarning, match="has the label 'NA'"):
        ratings = un.read_ratings(path)
    read = Interpretation(
        sources=(str(tmp_path / "ratings.csv"),),
        formats={"table": 1},
        warnings=(Remark("the label 'NA', which may mean a missing label", 2, "ratings.csv"),),
        origins=(
            Origin("item", "column", "item", "name", 2, ("s1", "s2")),
            Origin("annotator", "column", "annotator", "name", 3, ("ann", "bob", "eve")),
            Origin("label", "column", "label", "name", 3, ("NA", "NP", "VP")),
        ),
    )
    parts = (
        ratings,
        ratings.only(annotators=["ann"]),
        ratings.rename(labels={"NA": None}),
        ratings.merged(),
        pickle.loads(pickle.dumps(ratings)),  # noqa: S301 (pickled by this test)
        copy.deepcopy(ratings.merged()),
    )
    for part in parts:
        assert part.interpretation == read
    assert ratings == un.Ratings.from_columns(
        ["ann", "bob", "ann", "eve", "eve"],
        ["s1", "s1", "s2", "s1", "s2"],
        ["NP", "VP", "NP", "NA", "NA"],
    )


def test_what_was_left_out_of_an_export_of_ratings_is_kept(write):
    tasks = json.loads(LABEL_STUDIO_RATINGS)
    tasks[0]["predictions"] = [{"result": []}]
    path = write(json.dumps(tasks), "export.json")
    with pytest.warns(UserWarning, match="left out: predictions of models"):
        found = un.read_ratings(path).interpretation
    assert found is not None
    assert found.formats == {"labelstudio": 1}
    assert found.left_out[0] == Remark("predictions of models", 1, "export.json")


def test_describe_shows_how_the_corpus_was_read(write):
    write(GOOD + "ann,x,5,NP\n", "in/talk.csv")
    found = un.describe(un.read("in", on_error="skip"))
    known = found.corpus.interpretation
    assert known is not None
    assert found.formats == known.formats
    assert found.skipped_rows == tuple(map(str, known.skipped))
    assert found.skipped_rows == ("start 'x' is not a number (1, first at in/talk.csv:4)",)
