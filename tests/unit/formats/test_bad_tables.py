"""Invalid rows, columns, settings and paths raise errors that name their location."""

import codecs
import os
from pathlib import Path

import pytest

from unisono.errors import ReadError, SettingError
from unisono.formats.read import read
from unit_samples import GOOD, HEADER, TALK


@pytest.fixture
def write(write_here):
    return lambda content, name="talk.csv": write_here(content, name)


# Bad rows


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("ann,x,5,NP", "start 'x' is not a number"),
        ('ann,0,"5,5",NP', "end '5,5' is not a number; use a point as the decimal mark"),
        ("ann,1_0,50,NP", "start '1_0' is not a number"),
        ("ann,0,1_0.5,NP", "end '1_0.5' is not a number"),
        ("ann,٣,5,NP", "start '٣' is not a number"),
        ("ann,0,１２,NP", "end '１２' is not a number"),
        (
            "ann,0,9007199254740993,NP",
            r"positions must lie within ±9,007,199,254,740,991, .* origin",
        ),
        ("ann,,5,NP", "the start is empty"),
        ("ann,nan,5,NP", "the start of a unit must be a finite number; 'ann' has nan"),
        ("ann,0,inf,NP", "the end of a unit must be a finite number; 'ann' has inf"),
        ("ann,9,2,NP", r"a unit cannot end before it starts; 'ann' has \[9.0, 2.0\]"),
        (" ,0,5,NP", "the annotator is empty"),
        ("ann,0,5", "expected 4 columns as in the first row, got 3"),
        ("ann,0,5,NP,VP", "expected 4 columns as in the first row, got 5"),
        ('ann,0,5,"NP"x', "text after a closing quotation mark"),
    ],
)
@pytest.mark.parametrize("before", ["", "\n", 'eve,0,1,"two\nlines"\n'])
def test_a_bad_row_has_an_address_or_is_skipped_and_counted(write, row, problem, before):
    path = write(f"{HEADER}{before}{row}\nann,0,5,NP\nbob,0.5,4,VP\n")
    line = 2 + before.count("\n")
    with pytest.raises(ReadError, match=f"^talk.csv:{line}: {problem}") as caught:
        read(path)
    assert (caught.value.path, caught.value.line) == (Path("talk.csv"), line)
    corpus = read(path, on_error="skip")
    assert corpus.skipped == 1
    assert (
        corpus["talk"].only(annotators=("ann", "bob"), labels=("NP", "VP")).units[:]
        == (TALK.units[:])
    )


def test_the_message_shows_the_row_but_not_all_of_a_long_one(write):
    with pytest.raises(ReadError, match=r"the row is 'ann,x,5,NP'"):
        read(write(HEADER + "ann,x,5,NP\n"))
    with pytest.raises(ReadError, match=r"zzz…'$"):
        read(write(f"{HEADER}ann,x,5,{'z' * 5000}\n"))


def test_an_empty_document_cell_is_a_bad_row(write):
    with pytest.raises(ReadError, match=r"talk.csv:2: the document is empty; every unit needs one"):
        read(write("document,annotator,start,end\n,ann,0,5\n"))


def test_skipped_rows_leave_no_names_behind(write):
    path = write("document,annotator,start,end\nx,eve,9,2\ny,ann,0,5\n,zoe,0,5\n")
    corpus = read(path, on_error="skip", seen_by="corpus")
    assert (list(corpus), corpus.annotators, corpus.skipped) == (["y"], ("ann",), 2)


def test_rows_skipped_in_all_files_are_summed(write):
    paths = (
        write("ann,NP,0,5\nann,NP,5,0\n", "a.csv"),
        write("ann,NP,x,5\nann,NP,5,9\nann\n", "b.csv"),
    )
    assert read(*paths, on_error="skip").skipped == 3


def test_a_file_of_bad_rows_only_is_refused(write):
    with pytest.raises(ReadError, match=r"no valid unit in this file: all 2 rows would be skipped"):
        read(write(HEADER + "ann,9,2,NP\nann,9,2,NP\n"), on_error="skip")


@pytest.mark.parametrize("on_error", ["raise", "skip"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (GOOD + 'ann,0,5,"NP\nann,0,5,NP\n', "talk.csv:4: a quotation mark .* is never closed"),
        pytest.param(
            f"{GOOD}ann,0,5,{'x' * (2**24 + 1)}\n",
            "talk.csv:4: .* has more than 16,777,216 charac",
            id="a long cell",
        ),
        ('"annotator,start', "talk.csv:1: a quotation mark opened in"),
        ("", "talk.csv: the file is empty; expected one row per unit"),
        ("\n  \n", "talk.csv: the file is empty"),
        (",,,\n,,,\n", "talk.csv: no data in 2 rows"),
        ("x" * 70_000 + "\n" + "y" * 10, "talk.csv:1: only one column"),
        (b"\x00\x01\x02,", "talk.csv: a binary file, not a text"),
        (GOOD.encode("utf-16-le"), "talk.csv: a binary file, not a text"),
        (b"PK\x03\x04...", "talk.csv: a spreadsheet or zip archive, not a text"),
        ((HEADER + "ann,0,5,é\n").encode("latin-1"), "talk.csv:2: not valid UTF-8: byte 0xe9"),
        (codecs.BOM_UTF16_LE + b"a", "talk.csv: not valid UTF-16: byte 0x61"),
    ],
)
def test_a_file_that_is_not_a_table_is_refused_whatever_is_skipped(
    write, content, message, on_error
):
    with pytest.raises(ReadError, match=message):
        read(write(content), on_error=on_error)


# Columns that cannot be found


@pytest.mark.parametrize(
    ("content", "settings", "message"),
    [
        ("annotation,type,start,end\n0,a,1,2\n", {}, "no column for annotator; the columns are "),
        (
            "who,begin,finish,what\na,0,1,b\n",
            {},
            "no column for annotator; .*; set annotator=…; or, .*, annotator='file'$",
        ),
        ("annotator,item,label\na,1,x\n", {}, "Ratings of items have no start and end: .*`items`$"),
        ("a,b,c,d\nann,0,5,NP\n", {}, "set annotator=…, start=…, end=…. If there is no header"),
        (GOOD, {"start": "onset"}, "no column 'onset' for start=; the columns are 'annotator',"),
        (GOOD, {"start": 9}, "no column 9 for start=; the table has 4"),
        (
            GOOD,
            {"start": 1, "label": "annotator"},
            "label='annotator' is a column that already has",
        ),
        ("annotator,x,x,end\na,0,0,1\n", {"start": "x"}, "2 columns 'x' for start="),
        ("annotator,start,start,end\na,0,0,1\n", {}, "several columns can be the start: 'start'"),
        (
            "coder,rater,start,end\na,b,0,1\n",
            {},
            "several columns can be the annotator: 'coder', 'rater'; choose",
        ),
        ("annotator,start,end,mood\na,0,1,x\n", {}, "no column for label; .*label=False if"),
        (
            "ann,0,1\n",
            {},
            "a table without a header must have the 4 columns .*; this one has 3: 'ann', '0'",
        ),
        ("ann,0,1,x\n", {"annotator": 1}, "no column for start, end; .*; set start=…, end=…$"),
        (
            "a;b,c;d;e\n1;2;3;4\n",
            {"delimiter": "|"},
            "bar as the delimiter, but several with semicolon",
        ),
        (GOOD, {"delimiter": "\t"}, "only one column with tab .* with comma; set delimiter=','"),
        (GOOD, {"delimiter": "#"}, "'#' as the delimiter, but several with comma"),
        (
            "hello\nworld\n",
            {},
            "only one column .*; expected one row per unit: annotator, start, end, label",
        ),
        (GOOD, {"header": False}, "talk.csv:1: start 'end' is not a number"),
    ],
)
def test_a_column_that_cannot_be_found_is_named(write, content, settings, message):
    with pytest.raises(ReadError, match=message) as caught:
        read(write(content), **settings)
    assert caught.value.line == 1


@pytest.mark.parametrize(
    ("settings", "kind", "message"),
    [
        ({"format": "xml"}, SettingError, "unknown format='xml'; choose one of 'auto', 'csv', 't"),
        ({"on_error": "ignore"}, SettingError, "unknown on_error='ignore'; choose one of 'raise'"),
        ({"delimiter": ",,"}, SettingError, "a delimiter must be a single character"),
        ({"delimiter": '"'}, SettingError, "a delimiter must be a single character"),
        ({"delimiter": 7}, TypeError, "a delimiter must be a character"),
        ({"header": "yes"}, TypeError, "header= must be True, False or None; got 'yes'"),
        ({"start": 0}, SettingError, "columns are counted from 1; got start=0"),
        ({"start": 1.5}, TypeError, "start= must be the name or the number of a column; got 1.5"),
        (
            {"start": False},
            TypeError,
            "start= must be the name or the number of a column; got False",
        ),
        ({"label": True}, TypeError, "label= must be the name or the number of a column; got True"),
        ({"start": "a", "end": "a"}, SettingError, "start= and end= both name the column 'a'"),
        ({"start": 2, "end": 2}, SettingError, "start= and end= both name the column 2"),
        (
            {"start": "a", "header": False},
            SettingError,
            "a table without a header has no column names",
        ),
    ],
)
def test_a_setting_that_cannot_be_is_refused(write, settings, kind, message):
    with pytest.raises(kind, match=message):
        read(write(GOOD), **settings)


# Paths


def test_paths_must_lead_somewhere(write):
    write("no table", "folder/a.txt")
    write("no table", "folder/b.txt")
    write("no table", "folder/LICENSE")
    Path("nothing").mkdir()
    for path, message in (
        ("lost.csv", "^lost.csv: no such file or folder$"),
        ("folder", "folder: no readable file .*'.csv', .*, found 2 × .txt, 1 × LICENSE"),
        ("nothing", "nothing: .*, found nothing"),
        ("x" * 300, "the path cannot be opened: File name too long"),
    ):
        with pytest.raises(ReadError, match=message):
            read(path)
    with pytest.raises(SettingError, match=r"read requires at least one path"):
        read()
    with pytest.raises(SettingError, match=r"a path is empty"):
        read("")
    with pytest.raises(TypeError, match=r"read takes paths as separate arguments"):
        read(["talk.csv"])  # type: ignore[arg-type]


def test_a_file_cannot_be_given_twice(write):
    write(GOOD, "folder/talk.csv")
    with pytest.raises(ReadError, match=r"talk.csv: the file is listed twice"):
        read("folder", "folder/../folder/talk.csv")


def test_what_may_not_be_opened_is_named(write, monkeypatch):
    write(GOOD, "folder/talk.csv")

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied", "folder")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", refuse)
        with pytest.raises(ReadError, match=r"talk.csv: the file cannot be opened: Permission"):
            read("folder")
    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", refuse)
        with pytest.raises(ReadError, match=r"folder: the folder cannot be opened: Permission"):
            read("folder")


@pytest.mark.parametrize("cell", ["1_0", "1_0,5", "٣", "１２,5"])
def test_no_number_of_another_writing_is_read_in_a_large_table(write, cell):
    rows = "".join(f"ann;{i};{i + 1};A\n" for i in range(3000))
    header = HEADER.replace(",", ";")
    with pytest.raises(ReadError, match=rf"talk.csv:3002: start '{cell}' is not a number"):
        read(write(f"{header}{rows}ann;{cell};9999;A\n"))


def test_positions_that_would_be_rounded_do_not_become_the_same(write):
    rows = "".join(
        f"{name},{10**17 + at},{10**17 + at + 7},A\n"
        for at in range(0, 50, 10)
        for name in ("ann", "bob")
    )
    with pytest.raises(ReadError, match=r"talk.csv:2: positions must lie within .* common origin"):
        read(write(HEADER + rows))
