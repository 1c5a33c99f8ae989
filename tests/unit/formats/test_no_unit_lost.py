"""An invalid unit raises an error with its location, or is skipped and counted."""

import json

import pytest

import unisono as un
from file_samples import (
    CONLL,
    LABEL_STUDIO,
    LABEL_STUDIO_RATINGS,
    PRODIGY,
    SHORT_TEXTGRID,
    zipped,
)
from tool_samples import AUDACITY, CAS_JSON, EAF, GATE, GLOZZ, RTTM, SRT, WEBANNO, WEBVTT, XMI
from unisono.errors import ReadError, SettingError

DOCUMENT = '{"document": "d", "text": "0123456789"}\n'
UNIT = '{"document": "d", "annotator": "ann", "start": 0, "end": 5, "label": "A"}\n'
TURN = "SPEAKER talk 1 1.5 2e-1"

# File name, content, text to replace, replacement, and message.
BAD = (
    ("ann.xmi", XMI, 'begin="3"', 'begin="x"', r'ann.xmi:4: begin and end .*begin="x", end="6"'),
    ("ann.xmi", XMI, 'begin="3"', 'begin="-3"', r'ann.xmi:4: begin and end .*begin="-3"'),
    ("ann.xmi", XMI, 'end="6"', 'end="6.0"', r'ann.xmi:4: begin and end .*end="6.0"'),
    ("ann.xmi", XMI, 'end="6"', "", r"ann.xmi:4: begin and end .*end=null"),
    (
        "ann.xmi",
        XMI,
        'sofa="1"',
        'sofa="9"',
        r"ann.xmi:4: .* to the text '9', which does not exist",
    ),
    ("ann.json", CAS_JSON, '"begin": 0', '"begin": 0.5', r"ann.json: begin and end .*begin=0.5"),
    ("ann.json", CAS_JSON, '"begin": 0', '"begin": "0"', r'ann.json: begin and end .*begin="0"'),
    ("ann.json", CAS_JSON, '"end": 2,', "", r"ann.json: begin and end .*end=null"),
    (
        "ann.json",
        CAS_JSON,
        '{"%ID": 2',
        '7, {"%ID": 2',
        r"a feature structure must be a JSON object",
    ),
    ("t.TextGrid", SHORT_TEXTGRID, "9.5\n2\n0\n", "9.5\n2x\n0\n", r":21: unexpected 4 after"),
    ("t.TextGrid", SHORT_TEXTGRID, "9.5\n2\n0\n", "9.5\n1\n0\n", r":23: unexpected 4 after"),
    (
        "t.json",
        LABEL_STUDIO,
        '"start": 0',
        '"start": "0"',
        r'task 1: a region must have .*"start": "0"',
    ),
    (
        "t.json",
        LABEL_STUDIO,
        '"end": 3',
        '"end": null',
        r"task 1: a region must have numbers as start and end",
    ),
    ("t.json", LABEL_STUDIO, '"labels": ["A"]', '"labels": "A"', r"the labels .* must be a list"),
    (
        "t.json",
        LABEL_STUDIO,
        '"result": [',
        '"result": [5, ',
        r"task 1: a result must be a JSON object",
    ),
    (
        "t.json",
        LABEL_STUDIO,
        '[{"start": 1',
        '[{"start": 0, "end": 1}, {"start": 1',
        r"single range",
    ),
    ("ann.rttm", RTTM, TURN, "SPEAKER talk 1.5 2e-1", r"ann.rttm:2: the duration '<NA>' is not"),
    ("ann.rttm", RTTM, TURN, "SPEAKER talk 1 <NA> <NA>", r"ann.rttm:2: the onset '<NA>' is not"),
    ("ann.txt", AUDACITY, "3,25\t3,25", "3.0\x1e\t3,25", r"ann.txt:3: expected start, end"),
    ("ann.vtt", WEBVTT, "01:00:00.5 -->", "01:00:00.5 ->", r"ann.vtt:9: expected times"),
    ("ann.srt", SRT, "00:00:05,000 -->", "00:00:05,000 ->", r"ann.srt:6: expected times"),
    ("t.eaf", EAF, 'TIME_SLOT_ID="ts2"', 'TIME_SLOT_ID="ts1"', r"duplicate time slot 'ts1'"),
    (
        "t.eaf",
        EAF,
        "</ANNOTATION>\n<ANNOTATION>",
        "",
        r"t.eaf:8: <ALIGNABLE_ANNOTATION> must be the only",
    ),
    ("t.aa", GLOZZ, "<relation", "<x><unit/></x><relation", r"t.aa:7: a <unit> must be a child of"),
    ("t.aa", GLOZZ, 'index="5"', 'index="5.0"', r"t.aa:3: a unit needs a start and an end"),
    ("t.xml", GATE, '<Node id="3"/>', '<Node id="0"/>', r"the id of a node must be unique"),
    (
        "t.xml",
        GATE,
        "<Annotation Id",
        "<x/><Annotation Id",
        r"t.xml:3: expected <Annotation> in a set",
    ),
    ("ann.tsv", WEBANNO, "1-2\t2-4", "1-2\t2-x", r"ann.tsv:6: expected a line with a token"),
    ("ann/t.ann", "T1\tA 0 5\thello\n", "0 5", "0 1_0", r"t.ann:1: expected a unit"),
    ("ann/t.ann", "T1\tA 0 5\thello\n", "0 5", "0 ٣", r"t.ann:1: expected a unit"),
    ("ann.conll", CONLL, "B-LOC", "O-LOC", r"ann.conll:8: 'O-LOC' is not a tag"),
    (
        "t.jsonl",
        DOCUMENT + UNIT,
        '"start": 0, ',
        '"text": "x", ',
        r"t.jsonl:2: expected one unit per line",
    ),
    (
        "t.jsonl",
        DOCUMENT + UNIT,
        '"text": "0123456789"',
        '"text": 5',
        r"t.jsonl:1: text must be a string",
    ),
    (
        "t.jsonl",
        DOCUMENT + UNIT,
        '"text": "0',
        '"annotators": "ann", "text": "0',
        r"annotators must be a list",
    ),
    (
        "t.jsonl",
        DOCUMENT + UNIT,
        '"text": "0',
        '"extent": 9, "text": "0',
        r"extent must be two numbers",
    ),
    ("t.jsonl", UNIT, '"label": "A"', '"label": 1e999', r"a label must be a text, a finite number"),
    (
        "t.jsonl",
        UNIT,
        '"label": "A"',
        '"label": ["A", NaN]',
        r"a label must be a text, a finite number",
    ),
)


def put(tmp_path, name, content):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(("name", "text", "good", "bad", "problem"), BAD)
def test_a_unit_that_cannot_be_read_stops_with_its_place(tmp_path, name, text, good, bad, problem):
    un.read(put(tmp_path, name, text))
    assert text.count(good) >= 1
    path = put(tmp_path, name, text.replace(good, bad, 1))
    with pytest.raises(ReadError, match=problem) as caught:
        un.read(path)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize(
    ("name", "text", "good", "bad"),
    [
        ("ann.xmi", XMI, 'begin="3"', 'begin="x"'),
        ("t.json", LABEL_STUDIO, '"start": 0', '"start": "0"'),
        ("ann.rttm", RTTM, TURN, "SPEAKER talk 1.5 2e-1"),
        ("ann.txt", AUDACITY, "3,25\t3,25", "3.0\x1e\t3,25"),
    ],
)
def test_what_is_skipped_is_counted(tmp_path, name, text, good, bad):
    whole = un.read(put(tmp_path, name, text))
    corpus = un.read(put(tmp_path, name, text.replace(good, bad, 1)), on_error="skip")
    assert (corpus.n_units, corpus.skipped) == (whole.n_units - 1, 1)


@pytest.mark.parametrize(
    "extent", ["[0, 1" + "0" * 400 + "]", "[9, 0]", "[NaN, 1]", "[0, Infinity]", "[0, 1e17]"]
)
def test_an_extent_that_cannot_be_is_refused_with_its_line(tmp_path, extent):
    path = put(tmp_path, "t.jsonl", UNIT + f'{{"document": "d", "extent": {extent}}}\n')
    with pytest.raises(ReadError, match=r"t.jsonl:2: an extent must be two numbers within ±9,007"):
        un.read(path)


def test_an_extent_beyond_all_floats_is_refused(tmp_path):
    path = put(tmp_path, "t.jsonl", UNIT)
    with pytest.raises(SettingError, match="an extent must be two finite numbers"):
        un.read(path, extent=(0, 10**400))


def test_fragments_beyond_all_floats_are_refused_with_their_line(tmp_path):
    far = "9" * 400
    unit = f'{{"annotator": "ann", "start": 0, "end": {far}, "fragments": [[0, 1], [2, {far}]]}}'
    with pytest.raises(ReadError, match=r"t.jsonl:1: positions must lie within"):
        un.read(put(tmp_path, "t.jsonl", unit))


def test_a_separator_of_records_ends_no_line_of_rttm(tmp_path):
    turns = RTTM.replace("CHI 0.9", "C\x85I 0.9", 1)
    assert un.read(put(tmp_path, "ann.rttm", turns)).n_units == 2


def test_spans_of_a_recording_are_read_beside_an_empty_list_of_spans(tmp_path):
    both = PRODIGY.replace('"audio_spans"', '"spans": [], "audio_spans"')
    assert un.read(put(tmp_path, "ann.jsonl", both)).n_units == 2


def test_lines_of_brat_may_end_as_on_an_old_macintosh(tmp_path):
    path = put(tmp_path, "ann/t.ann", "T1\tA 0 5\thello\rT2\tB 6 9\twor\r")
    assert un.read(path).n_units == 2


def test_pieces_that_overlap_are_noted(tmp_path):
    corpus = un.read(put(tmp_path, "ann/t.ann", "T1\tA 0 5;3 8\thello\n"))
    assert corpus["t"].units[0].end == 8
    assert any("units with overlapping pieces, read as one piece" in note for note in corpus.notes)


def test_two_files_of_one_user_and_document_are_refused(tmp_path):
    project = {f"annotation/d.txt/ann.{end}": XMI.encode() for end in ("xmi", "zip")}
    project["annotation/d.txt/ann.zip"] = zipped({"a.xmi": XMI.encode()})
    with pytest.raises(ReadError, match=r"ann.zip' is a second file of the same user and document"):
        un.read(put(tmp_path, "export.zip", zipped(project)))


@pytest.mark.parametrize(
    ("good", "bad", "problem"),
    [
        ('"result": [', '"result": ["x", ', r"task 1: a result must be a JSON object"),
        ('"result": [{', '"result": {"x": [{', r"not valid JSON|is a list"),
    ],
)
def test_no_rating_is_lost_either(tmp_path, good, bad, problem):
    path = put(tmp_path, "t.json", LABEL_STUDIO_RATINGS.replace(good, bad, 1))
    with pytest.raises(ReadError, match=problem):
        un.read_ratings(path)


def test_annotations_that_are_no_list_are_refused(tmp_path):
    task = {"id": 1, "data": {"text": "a"}, "annotations": {"result": []}}
    for read in (un.read, un.read_ratings):
        with pytest.raises(ReadError, match="task 1: annotations must be a list"):
            read(put(tmp_path, "t.json", json.dumps([task])))
