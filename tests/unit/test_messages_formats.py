"""Error messages of readers and writers that no other test provokes."""

from __future__ import annotations

import os
import zipfile
from dataclasses import replace
from typing import Any

import pytest

import unisono as un
from unisono.errors import AmbiguousInputError, DataError, ReadError, SettingError, UnisonoError
from unisono.formats.characters import content_of, decoded_as_is, numbered_lines
from unisono.formats.files import find_sources, members
from unisono.formats.read import check_answered, read_clusters
from unisono.formats.registry import FORMATS
from unisono.model.interpretation import Interpretation, Question, Reading

WORDS = "<line>a b c</line>"
UNIT = '<scu uid="1"><contributor><part label="a" start="0" end="1"/></contributor></scu>'
PYRAMID = f"<pyramid><text>{WORDS}</text>{UNIT}</pyramid>"
# Each case: the files, the call on their folder, and parts of the message.
CASES = {
    "CoNLL without a column of tags": (
        {"a.conll": "dog 1\ncat 2\n"},
        lambda at: un.read(at / "a.conll", annotator="columns"),
        ("no column holds only tags", "label="),
    ),
    "CoNLL with an unknown column": (
        {"a.conll": "dog B-A\ncat O\n"},
        lambda at: un.read(at / "a.conll", label=7),
        ("no column 7 for label=", "from 1 to 2"),
    ),
    "CoNLL-U without words": (
        {"a.conllu": "# text = a dog\n"},
        lambda at: un.read_chains(at / "a.conllu"),
        ("no line has the ten columns of CoNLL-U",),
    ),
    "JSON Lines without a key": (
        {"a.jsonl": '{"annotator": "a", "start": 0, "end": 1}\n'},
        lambda at: un.read(at / "a.jsonl", label="kind"),
        ("a.jsonl:1: unknown key 'kind' for label=", "the keys are"),
    ),
    "JSON Lines with fragments that are not a list": (
        {"a.jsonl": '{"annotator": "a", "start": 0, "end": 1, "fragments": 3}\n'},
        lambda at: un.read(at / "a.jsonl"),
        ("a.jsonl:1: fragments must be a list of pairs; got 3",),
    ),
    "pyramids without a path": (
        {},
        lambda _: un.read_pyramids(),
        ("read_pyramids needs at least one path",),
    ),
    "a pyramid without words": (
        {"a.pyr": "<pyramid><text><line></line></text></pyramid>"},
        lambda at: un.read_pyramids(at / "a.pyr"),
        ("no words in these files; expected content units of words",),
    ),
    "a table of contributors without rows": (
        {"a.csv": "annotator,scu,words\n"},
        lambda at: un.read_pyramids(at / "a.csv"),
        ("a header but no rows",),
    ),
    "a pyramid without a text": (
        {"a.pyr": "<pyramid><scu/></pyramid>"},
        lambda at: un.read_pyramids(at / "a.pyr"),
        ("no <pyramid> with a <text>",),
    ),
    "two pyramids of an annotator": (
        {"a/x_D1.pyr": PYRAMID, "b/x_D1.pyr": PYRAMID},
        lambda at: un.read_pyramids(
            *(at / name / "x_D1.pyr" for name in "ab"),
            annotator="{annotator}_{document}",
            document="{annotator}_{document}",
        ),
        ("'x' has two pyramids of 'D1'; keep one of them",),
    ),
    "clusters of an export": (
        {"a.json": "[]"},
        lambda at: read_clusters(at / "a.json", "text"),
        ("clusters", "must be a column of a text table"),
    ),
    "a text to which offsets refer that is not UTF-8": (
        {},
        lambda at: decoded_as_is(b"a\xff", at / "a.txt"),
        ("a.txt: not valid UTF-8: byte 0xff cannot be decoded; save the file as UTF-8",),
    ),
    "the content of a missing file": (
        {},
        lambda at: content_of(at / "gone.csv"),
        ("gone.csv: the file cannot be opened: No such file or directory",),
    ),
    "the lines of a missing file": (
        {},
        lambda at: list(numbered_lines(at / "gone.jsonl")),
        ("gone.jsonl: the file cannot be opened: No such file or directory",),
    ),
    "the members of a missing archive": (
        {},
        lambda at: list(members(at / "gone.zip")),
        ("gone.zip: the file cannot be opened: No such file or directory",),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_reader_explains_what_is_wrong(case, tmp_path):
    files, call, parts = CASES[case]
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with pytest.raises(UnisonoError) as raised:
        call(tmp_path)
    assert all(part in str(raised.value) for part in parts), str(raised.value)


def test_archives_have_a_limited_number_of_files(tmp_path, monkeypatch):
    monkeypatch.setattr("unisono.formats.files._MOST_MEMBERS", 1)
    path = tmp_path / "two.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("one.txt", "1")
        archive.writestr("two.txt", "2")
    with pytest.raises(ReadError, match=r"the archive has 2 files; at most 1 are supported"):
        list(members(path))


def test_a_folder_that_cannot_be_opened_is_an_error(tmp_path, monkeypatch):
    def refused(place):
        raise PermissionError(13, "Permission denied", os.fspath(place))

    (tmp_path / "a.csv").write_text("annotator,start,end\na,0,1\n")
    monkeypatch.setattr("os.scandir", refused)
    with pytest.raises(ReadError, match="the folder cannot be opened: Permission denied"):
        find_sources([tmp_path], "auto", FORMATS)


def test_a_file_that_vanishes_before_it_is_recognised_is_an_error(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    path.write_text("{}")

    def gone(self, *_, **__):
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr("pathlib.Path.open", gone)
    with pytest.raises(ReadError, match="the file cannot be opened: No such file or directory"):
        find_sources([path], "auto", FORMATS)


PARQUET: dict[str, tuple[dict[str, list[Any]], dict[str, Any], str]] = {
    "from a pipe": (
        {"annotator": ["a"], "start": [0.0], "end": [1.0]},
        {"member": b"PAR1"},
        "Parquet cannot be read from a pipe; save it to a file first",
    ),
    "with a unit that ends before it starts": (
        {"annotator": ["a"], "start": [2.0], "end": [1.0]},
        {},
        "a unit cannot end before it starts",
    ),
    "with texts as positions": (
        {"annotator": ["a"], "start": ["x"], "end": ["y"]},
        {},
        "start",
    ),
}


@pytest.mark.parametrize("case", PARQUET)
def test_a_parquet_table_of_units_is_checked(case, tmp_path):
    polars = pytest.importorskip("polars")
    columns, changes, part = PARQUET[case]
    path = tmp_path / "a.parquet"
    polars.DataFrame(columns).write_parquet(path)
    if changes:
        from unisono.formats.contents import Gathered, ReadOptions
        from unisono.formats.roles import UNITS, ColumnRoles
        from unisono.formats.unit_tables import read_parquet

        source = replace(find_sources([path], "auto", FORMATS)[0], **changes)
        options = ReadOptions(ColumnRoles(UNITS, {}))
        with pytest.raises(ReadError, match=part):
            read_parquet(source, options, Gathered())
        return
    with pytest.raises(ReadError, match=part):
        un.read(path)


def test_an_engine_that_fails_on_a_parquet_table_is_an_error(tmp_path, monkeypatch):
    polars = pytest.importorskip("polars")
    path = tmp_path / "a.parquet"
    polars.DataFrame({"annotator": ["a"], "start": [0.0], "end": [1.0]}).write_parquet(path)

    def failed(*_: object) -> None:
        msg = "invalid  page"
        raise RuntimeError(msg)

    monkeypatch.setattr("unisono.formats.unit_tables.frame_columns", failed)
    with pytest.raises(ReadError, match="the Parquet file cannot be read: invalid page"):
        un.read(path)


def test_a_table_cannot_hold_a_very_long_cell(tmp_path, monkeypatch):
    monkeypatch.setattr("unisono.formats.unit_tables.LONGEST_CELL", 5)
    text = un.Continuum.from_units([("annotator", 0, 1, "A")])
    with pytest.raises(DataError, match=r"at most 5 characters; 'annotator'… has 9; use .jsonl"):
        un.write(text, tmp_path / "a.csv")


def test_a_file_that_changes_while_it_is_read_is_an_error(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_bytes(b"annotator,start,end,label\na,0,1,x\nb,0,1,\xff\n")
    good = path.read_bytes().replace(b"\xff", b"y")
    monkeypatch.setattr("unisono.formats.tables.content_of", lambda _: good)
    with pytest.raises(ReadError, match="the file was changed while it was read; read it again"):
        un.read(path)


@pytest.mark.parametrize("name", [name for name, each in FORMATS.items() if not each.is_table])
def test_every_format_that_is_not_a_table_has_a_reader(name):
    assert FORMATS[name].reader is not None


def test_the_name_of_a_setting_is_checked_before_files_are_searched(tmp_path):
    with pytest.raises(SettingError, match="unknown format='words'"):
        find_sources([tmp_path], "words", FORMATS)


@pytest.mark.parametrize("read", [un.read, un.read_ratings])
def test_accepted_questions_are_named_by_texts(read, tmp_path):
    (tmp_path / "a.csv").write_text("annotator,start,end\na,0,1\n")
    with pytest.raises(TypeError, match=r"accept= must be codes of questions.*; got 3"):
        read(tmp_path / "a.csv", accept=3)


def test_an_open_question_is_an_error_with_its_readings():
    readings = (Reading("one document", {"documents": 1}), Reading("many", {"documents": 42}))
    question = Question("document-column", "The column clip was not used.", readings)
    found = Interpretation(questions=(question,))
    message = r"a\.csv: The column clip was not used\."
    with pytest.raises(AmbiguousInputError, match=message) as raised:
        check_answered(found, "raise", "a.csv")
    assert "Set accept='document-column'" in str(raised.value)
    check_answered(replace(found, accepted=("document-column",)), "raise", "a.csv")
    check_answered(found, "keep", "a.csv")
