"""Writers of all formats, annotation objects, and descriptions of data."""

import json
import warnings

import pandas as pd
import pytest

import unisono as un
from unisono.errors import DataError, ReadError, SettingError

TEXT = "Ann looked it up."
TALK = un.Continuum.from_units(
    [
        un.Unit("ann", 4, 16, "verb", fragments=((4, 10), (14, 16)), attributes={"Mood": "calm"}),
        ("ann", 0, 3, "name"),
        ("bob", 0, 3, "name"),
    ],
    annotators=("ann", "bob", "eve"),
    extent=(0, 17),
)
TALKS = un.Corpus.from_continua({"talk": TALK})


def test_json_lines_hold_everything(tmp_path):
    path = tmp_path / "talks.jsonl"
    un.write(TALKS, path)
    back = un.read(path)
    assert back == TALKS
    assert back["talk"].annotators == ("ann", "bob", "eve")
    assert back["talk"].units[1].fragments == ((4, 10), (14, 16))
    assert dict(back["talk"].units[1].attributes) == {"Mood": "calm"}


def test_brat_has_a_folder_for_everyone_also_without_units(tmp_path):
    with pytest.warns(UserWarning, match=r"brat standoff cannot hold extents of documents \(1\)"):
        un.write(TALKS, tmp_path / "out", format="brat")
    assert (tmp_path / "out/eve/talk.ann").read_text() == ""
    assert (tmp_path / "out/ann/talk.ann").read_text() == (
        "T1\tname 0 3\t\nT2\tverb 4 10;14 16\t\nA1\tMood T2 calm\n"
    )
    assert un.read(tmp_path / "out")["talk"].annotators == ("ann", "bob", "eve")


def test_a_table_states_what_it_cannot_hold(tmp_path):
    path = tmp_path / "talks.csv"
    with pytest.warns(UserWarning, match=r"annotators without units \(1\), units in pieces \(1\)"):
        un.write(TALKS, path)
    assert path.read_text().splitlines()[:2] == [
        "document,annotator,start,end,label",
        "talk,ann,0,3,name",
    ]


def test_a_continuum_is_the_document_named_as_the_file(tmp_path):
    un.write(un.Continuum.from_units([("ann", 0.1, 5, "a")]), tmp_path / "talk.csv")
    assert un.read(tmp_path / "talk.csv")["talk"].starts.tolist() == [0.1]


@pytest.mark.parametrize(
    ("label", "format_", "message"),
    [
        (frozenset({"a", "b"}), "csv", r"a table cannot hold labels that are sets, such as {a, b}"),
        (" a", "csv", r"white space around a cell is ignored"),
        ("two words", "brat", r"a label must be a single word in brat; 'talk' has 'two words'"),
        (None, "brat", r"a label must be a single word in brat"),
    ],
)
def test_what_cannot_be_said_is_refused(tmp_path, label, format_, message):
    talk = un.Continuum.from_units([("ann", 0, 5, label)])
    with pytest.raises(DataError, match=message):
        un.write(un.Corpus.from_continua({"talk": talk}), tmp_path / "out", format=format_)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["../up", "a/b", "a\0b", ".hidden", "x" * 300])
def test_no_name_of_a_document_leads_outside_the_folder(tmp_path, name):
    talk = un.Continuum.from_units([("ann", 0, 5, "a")])
    corpus = un.Corpus.from_continua({name: talk})
    with pytest.raises(DataError, match=r"cannot be a file name"):
        un.write(corpus, tmp_path / "out", format="brat")
    assert list(tmp_path.iterdir()) == []


def test_brat_counts_whole_characters(tmp_path):
    with pytest.raises(
        DataError, match=r"brat stores offsets of characters, .*; 'talk' has a unit at"
    ):
        un.write(un.Continuum.from_units([("ann", 0.5, 2, "a")]), tmp_path / "talk", format="brat")


def test_formats_that_are_not_written_name_the_choices(tmp_path):
    with pytest.raises(SettingError, match=r"'talk.xyz' cannot be detected; choose one of 'csv'"):
        un.write(TALKS, tmp_path / "talk.xyz")
    with pytest.raises(SettingError, match=r"format='conll' cannot be written"):
        un.write(TALKS, tmp_path / "talk.csv", format="conll")
    with pytest.raises(FileNotFoundError, match=r"no such folder"):
        un.write(TALKS, tmp_path / "no" / "talk.jsonl")
    with pytest.raises(TypeError, match=r"write takes a Continuum or a Corpus"):
        un.write([], tmp_path / "talk.jsonl")  # type: ignore[arg-type]


def test_label_studio_gets_predictions_that_are_read_again(tmp_path):
    path = tmp_path / "tasks.json"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        un.write(TALKS, path)
    task = json.loads(path.read_text())[0]
    assert [each["model_version"] for each in task["predictions"]] == ["ann", "bob", "eve"]
    assert un.read(path)["talk"].annotators == ("ann", "bob", "eve")


class Span:
    def __init__(self, start, end, label):
        self.start_char, self.end_char, self.label_ = start, end, label


class Doc:
    def __init__(self, *ents, **spans):
        self.text, self.ents, self.spans = TEXT, list(ents), spans


class Segment:
    def __init__(self, start, end):
        self.start, self.end = start, end


class Annotation:
    uri = "talk"

    def __init__(self, *tracks):
        self.tracks = tracks

    def itertracks(self, *, yield_label):
        assert yield_label
        for number, (start, end, label) in enumerate(self.tracks):
            yield Segment(start, end), number, label


def test_documents_of_spacy_are_known_by_their_shape():
    corpus = un.Corpus.from_objects({"ann": Doc(Span(0, 3, "name")), "bob": Doc()})
    assert corpus["document"].annotators == ("ann", "bob")
    assert (corpus["document"].extent, corpus["document"].text) == ((0, 17), TEXT)
    groups = un.Corpus.from_objects({"d": Doc(ann=[Span(0, 3, "a")], bob=[])}, annotator="layer")
    assert groups["d"].annotators == ("ann", "bob")
    chosen = un.Corpus.from_objects({"ann": [Doc(x=[Span(0, 3, "a")])]}, layer="x")
    assert chosen["1"].labels == ("a",)


def test_annotations_of_pyannote_are_known_by_their_shape():
    corpus = un.Corpus.from_objects(
        {"ann": Annotation((0, 1.5, "A")), "bob": {"talk": Annotation()}}
    )
    assert corpus["talk"].counts.tolist() == [1, 0]


def test_other_objects_are_refused():
    for given in ({"ann": 3}, {"ann": {"d": "text"}}, [1]):
        with pytest.raises(TypeError, match=r"from_objects (knows|takes)"):
            un.Corpus.from_objects(given)

    class DocBin:
        def get_docs(self, vocab): ...

    with pytest.raises(TypeError, match=r"list\(doc_bin.get_docs\(nlp.vocab\)\)"):
        un.Corpus.from_objects({"ann": DocBin()})


def test_parquet_is_a_table(tmp_path):
    frame = pd.DataFrame(
        {
            "doc": ["a", "a"],
            "coder": ["x", "y"],
            "start": [0, 1],
            "end": [5.5, 6],
            "label": ["1", "b"],
        }
    )
    path = tmp_path / "units.parquet"
    frame.to_parquet(path)
    assert un.read(path) == un.Corpus.from_frame(frame, document="doc", annotator="coder")
    path.write_bytes(path.read_bytes()[:50] + b"PAR1")
    with pytest.raises(ReadError, match=r"units.parquet: the Parquet file cannot be read"):
        un.read(path)
    path.write_bytes(b"PAR1")
    with pytest.raises(ReadError, match=r"units.parquet: (the|not a) Parquet"):
        un.read(path)


def rows(*units):
    return un.Corpus.from_continua({"talk": un.Continuum.from_units(units)})


@pytest.mark.parametrize(
    ("units", "fitting"),
    [
        (
            [("a", 0, 5, "x"), ("b", 1, 5, "y"), ("b", 7, 9, "x")],
            {"gamma", "unitizing", "units", "compare"},
        ),
        (
            [("a", 0, 5, "x"), ("a", 1, 3, "y"), ("b", 1, 5, "y"), ("b", 2, 9, "x")],
            {"gamma", "compare"},
        ),
        (
            [("a", 0, 5, "x"), ("a", 5, 9, "y"), ("b", 0, 4, "y"), ("b", 4, 9, "x")],
            {"gamma", "unitizing", "units", "segments", "compare"},
        ),
        (
            [("a", 0, 5, "x"), ("a", 5, 9, "y"), ("b", 0, 5, "y"), ("b", 5, 9, "x")],
            {"gamma", "unitizing", "units", "segments", "items", "compare"},
        ),
        ([("a", 0, 5, "x")], set()),
    ],
)
def test_measures_fit_data_of_the_right_properties(tmp_path, units, fitting):
    path = tmp_path / "talk.jsonl"
    un.write(rows(*units), path)
    found = un.describe(un.read(path))
    assert {fit.family.command for fit in found.families if fit.fits} == fitting


def test_a_description_counts_what_is_there(tmp_path):
    path = tmp_path / "talks.jsonl"
    un.write(TALKS, path)
    path.write_text(path.read_text() + "broken\n")
    found = un.describe(un.read(path, on_error="skip"))
    assert found.by_annotator == {"ann": (1, 2), "bob": (1, 1), "eve": (1, 0)}
    assert found.by_label == {"name": 2, "verb": 1}
    assert (found.properties.in_pieces, found.properties.overlapping) == (1, 0)
    assert found.skipped_rows[0].startswith("not valid JSON: Expecting value")
    assert json.loads(json.dumps(found.to_dict()))["n_units"] == 3
