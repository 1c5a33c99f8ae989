"""brat standoff: folders of annotators, fragments, attributes, coreference."""

import pytest

import unisono as un
from unisono.errors import ReadError

TEXT = "Ann 😀 looked the word up.\nBob slept."


@pytest.fixture
def project(tmp_path):
    def made(**annotations):
        for name, content in annotations.items():
            (tmp_path / name).mkdir(exist_ok=True)
            (tmp_path / name / "talk.ann").write_text(content, encoding="utf-8")
            (tmp_path / name / "talk.txt").write_text(TEXT, encoding="utf-8")
        return tmp_path

    return made


def test_a_folder_is_an_annotator_and_a_file_a_document(project):
    corpus = un.read(project(ann="T1\tPER 0 3\tAnn\n", bob="T1\tPER 26 29\tBob\n"))
    assert list(corpus) == ["talk"]
    assert corpus["talk"].units[1] == un.Unit("bob", 26, 29, "PER")
    assert (corpus["talk"].extent, corpus["talk"].text, corpus.notes) == ((0, 36), TEXT, ())


def test_annotators_without_units_are_kept(project):
    corpus = un.read(project(ann="T1\tPER 0 3\tAnn\n", eve=""))
    assert corpus["talk"].annotators == ("ann", "eve")
    assert corpus["talk"].counts.tolist() == [1, 0]


def test_positions_are_characters_also_after_astral_ones(project):
    corpus = un.read(project(ann="T1\tVERB 6 12;22 24\tlooked up\n"))
    assert TEXT[6:12] == "looked"
    assert corpus["talk"].units[0].fragments == ((6, 12), (22, 24))
    assert corpus.notes == ()


def test_a_unit_in_pieces_is_measured_whole_unless_split(project):
    folder = project(ann="T1\tVERB 6 12;22 24\tlooked up\n")
    whole, split = un.read(folder)["talk"], un.read(folder, fragments="split")["talk"]
    assert [(unit.start, unit.end) for unit in whole] == [(6, 24)]
    assert [(unit.start, unit.end) for unit in split] == [(6, 12), (22, 24)]


def test_text_that_differs_from_the_offsets_is_reported_with_a_count(project):
    corpus = un.read(project(ann="T1\tPER 0 3\tBob\nT2\tPER 1 3\tAnn\nT3\tPER 0 4\tAnn\n"))
    assert corpus.n_units == 3
    (note,) = corpus.notes
    assert note.startswith("quoted texts that differ from the document's text at their offsets (2")


def test_attributes_and_notes_are_kept_and_may_be_the_label(project):
    folder = project(
        ann="A1\tMood T1 calm\nT1\tPER 0 3\tAnn\nA2\tSure T1\n#1\tAnnotatorNotes T1\tok\n"
    )
    unit = un.read(folder)["talk"].units[0]
    assert dict(unit.attributes) == {"Mood": "calm", "Sure": True, "note": "ok"}
    assert un.read(folder, label="Mood").labels == ("calm",)
    assert un.read(folder, label="Sure").labels == ("true",)
    assert un.read(folder, label=False).labels == (None,)


def test_chains_of_coreference_are_named_by_their_first_mention(project):
    mentions = "T1\tPER 26 29\tBob\nT2\tPER 0 3\tAnn\nT3\tPER 13 16\tthe\n"
    folder = project(
        ann=mentions + "*\tEquiv T1 T2\n", bob=mentions + "R1\tCoref Arg1:T3 Arg2:T2\n"
    )
    labels = {
        (unit.annotator, unit.start): unit.label
        for unit in un.read(folder, label="coreference")["talk"]
    }
    assert labels["ann", 0] == labels["ann", 26] == "0-3"
    assert labels["ann", 13] == "13-16"
    assert labels["bob", 13] == labels["bob", 0] == "0-3"


def test_deeper_folders_are_distinguished_by_what_repeats(tmp_path):
    for batch in ("one", "two"):
        for annotator in ("ann", "bob"):
            folder = tmp_path / batch / annotator
            folder.mkdir(parents=True)
            (folder / "talk.ann").write_text("T1\tPER 0 3\tAnn\n")
    corpus = un.read(tmp_path)
    assert list(corpus) == ["one/talk", "two/talk"]
    assert corpus.annotators == ("ann", "bob")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("T1\tPER 0\tAnn", r"talk.ann:1: expected a unit such as 'T1<tab>Type 0 5<tab>text'; got"),
        ("T1\tPER zero 5\tAnn", r"talk.ann:1: expected a unit"),
        ("T1", r"talk.ann:1: expected a unit"),
        ("T1\tPER 5 0\tAnn", r"talk.ann:1: a unit cannot end before it starts"),
        (
            "T1\tPER 0 99\tAnn",
            r"talk.ann:1: a unit lies outside the text, which extends from 0 to 36",
        ),
        ("T1\tPER -3 0\tAnn", r"talk.ann:1: a position cannot be negative"),
        ("T1\tPER 0 3;5\tAnn", r"talk.ann:1: expected a unit"),
        ("A1\tMood", r"talk.ann:1: expected an attribute such as 'A1<tab>Name T1 value'"),
        ("R1\tOf Arg1:T1", r"talk.ann:1: expected a relation"),
        ("what?", r"talk.ann:1: expected a line that begins with .*; got 'what\?'"),
    ],
)
def test_a_bad_line_is_refused_with_its_number_or_skipped(project, line, message):
    folder = project(ann=f"{line}\nT9\tPER 0 3\tAnn\n")
    with pytest.raises(ReadError, match=message):
        un.read(folder)
    corpus = un.read(folder, on_error="skip")
    assert (corpus.n_units, corpus.skipped) == (1, 1)


def test_a_number_that_is_there_twice_is_refused(project):
    with pytest.raises(ReadError, match=r"talk.ann:2: duplicate id 'T1'"):
        un.read(project(ann="T1\tPER 0 3\tAnn\nT1\tPER 0 3\tAnn\n"))


def test_texts_that_differ_between_annotators_are_reported(project, tmp_path):
    folder = project(ann="T1\tPER 0 3\tAnn\n", bob="T1\tPER 0 3\tAnn\n")
    (tmp_path / "bob" / "talk.txt").write_text("Ann did.")
    assert any("texts of a document that differ" in note for note in un.read(folder).notes)


def test_attributes_of_events_are_counted(tmp_path):
    lines = "T1\tMeet 0 3\nE1\tMeet:T1\nA1\tNegation E1\nA2\tSure T1\n#1\tAnnotatorNotes E1\tno\n"
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann/talk.ann").write_text(lines)
    left_out = un.describe(un.read(tmp_path, annotator="folder")).left_out_contents
    assert left_out[0].startswith("attributes and notes of events and relations (2, ")


def test_a_chain_is_kept_once_not_for_each_member(project):
    lines = "T1\tPER 0 3\nT2\tPER 4 5\n*\tEquiv T1 T2\n"
    one, two = un.read(project(ann=lines, bob=""))["talk"].units
    assert one.attributes["equivalents"] is two.attributes["equivalents"]
