import codecs
import os
from pathlib import Path

import pytest

from unisono.errors import DataError, ReadError, SettingError
from unisono.formats import gathering, read, tables
from unisono.model import Continuum, Unit

HEADER = "annotator,start,end,label\n"
GOOD = HEADER + "ann,0,5,NP\nbob,0.5,4,VP\n"
TALK = Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 0.5, 4, "VP")])


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def written(content, name="talk.csv"):
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return written


# Layout


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        "ann,NP,0,5\nbob,VP,0.5,4\n",
        "Annotator,Start,End,Label\nann,0,5,NP\nbob,0.5,4,VP",
        "coder,onset,offset,category\nann,0,5,NP\nbob,.5,4e0,VP\n",
        "label,start_time,End Time,rater\nNP,0,5,ann\nVP,0.5,4,bob\n",
        "id,annotator,start,end,label,notes\n1,ann,0,5,NP,\n2,bob,0.5,4,VP,why\n",
        "annotator,speaker,start,end,type,label\nann,x,0,5,y,NP\nbob,x,0.5,4,y,VP\n",
        "annotator;start;end;label\nann;0;5;NP\nbob;0.5;4;VP\n",
        "ann\tNP\t0\t5\nbob\tVP\t0.5\t4\n",
        "ann|NP|0|5\nbob|VP|0.5|4\n",
        " ann , NP , 0 , 5 \n bob , VP , 0.5 , 4 \n",
        '"ann","NP","0","5"\n"bob", "VP", "0.5", "4"\n',
        "\n \n" + GOOD.replace("\n", "\n\n"),
        HEADER + ",,,\nann,0,5,NP\nbob,0.5,4,VP\n,,,\n",
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        codecs.BOM_UTF8 + GOOD.encode(),
        GOOD.encode("utf-16"),
        GOOD.encode("utf-32"),
        codecs.BOM_UTF16_BE + GOOD.encode("utf-16-be"),
    ],
)
def test_a_table_is_read_however_it_is_laid_out(write, content):
    corpus = read(write(content))
    assert list(corpus) == ["talk"]
    assert corpus["talk"] == TALK


@pytest.mark.parametrize("name", ["talk.tsv", "talk.tab", "talk.TSV"])
def test_tsv_is_separated_by_tabs(write, name):
    assert read(write("ann\tN,P\t0\t5\n", name))["talk"].labels == ("N,P",)


def test_columns_are_named_by_the_caller(write):
    path = write("who,a,b,what,why\nann,0,5,NP,x\nbob,0.5,4,VP,y\n")
    assert read(path, annotator="who", start="a", end="b", label="what")["talk"] == TALK
    assert read(path, annotator="WHO", start=2, end=3, label=4)["talk"] == TALK


def test_columns_are_numbered_where_there_is_no_header(write):
    path = write("0,5,x,NP,ann\n0.5,4,y,VP,bob\n")
    assert read(path, start=1, end=2, label=4, annotator=5)["talk"] == TALK


def test_the_caller_can_say_whether_there_is_a_header(write):
    assert read(write("1,a,2,9\n", "a.csv"), header=False)["a"].annotators == ("1",)
    path = write("1,2,3,4\nann,0,5,NP\nbob,0.5,4,VP\n")
    corpus = read(path, header=True, annotator="1", start="2", end="3", label="4")
    assert corpus["talk"] == TALK


def test_the_caller_can_say_the_delimiter(write):
    assert read(write("ann NP 0 5\nbob VP 0.5 4\n"), delimiter=" ")["talk"] == TALK
    assert read(write("ann,NP,0,5\n", "x.tsv"), delimiter=",").n_units == 1


def test_the_format_can_be_told_where_the_suffix_does_not(write):
    assert read(write(GOOD, "talk.txt"), format="csv")["talk"] == TALK
    with pytest.raises(ReadError, match=r"talk.txt: a .txt file can be .* looks like none of them"):
        read("talk.txt")


def test_a_quoted_cell_may_hold_delimiters_quotes_and_lines(write):
    path = write(HEADER + 'ann,0,5,"a,""b""\nc"\n')
    assert read(path)["talk"].labels == ('a,"b"\nc',)


def test_bounds_are_the_nearest_doubles(write):
    texts = ("0.1", "1e22", "9007199254740993", "2.2250738585072014e-308", "123456.78901234567")
    path = write(HEADER + "".join(f"ann,{text},1e300,a\n" for text in texts))
    assert read(path)["talk"].starts.tolist() == sorted(map(float, texts))


def test_a_big_table_is_read_block_by_block(write, monkeypatch):
    monkeypatch.setattr(tables, "_BLOCK_ROWS", 3)
    rows = "".join(f"ann,{i},{i + 1},L{i % 3}\n" for i in range(9))
    assert read(write(HEADER + rows)).n_units == 9
    with pytest.raises(ReadError, match=r"talk.csv:11: start 'x'"):
        read(write(HEADER + rows + "ann,x,1,a\n"))


# Labels


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        (["1", "2", "10"], (1, 2, 10)),
        (["1", "1.0", ""], (None, 1)),
        (["-0.5", "2.50"], (-0.5, 2.5)),
        (["1", "x"], ("1", "x")),
        (["007", "8"], ("007", "8")),
        (["1.1", "1.10"], ("1.1", "1.10")),
        (["1e3"], ("1e3",)),
        (["nan", "inf"], ("inf", "nan")),
        (["", " "], (None,)),
        (["9" * 400], ("9" * 400,)),
        (["12345678901234567890"], (12345678901234567890,)),
    ],
)
def test_labels_are_all_numbers_or_all_text(write, cells, labels):
    path = write(HEADER + "".join(f"ann,0,1,{cell}\n" for cell in cells))
    assert read(path).labels == labels
    assert set(gathering.labels_from_text([cell.strip() for cell in cells])) == set(labels)


def test_one_text_among_all_files_makes_all_labels_text(write):
    assert read(write("a,1,0,1\n", "x.csv"), write("a,b,0,1\n", "y.csv")).labels == ("1", "b")


def test_units_may_have_no_labels(write):
    path = write("annotator,start,end\nann,0,5\n")
    assert read(path)["talk"].units[0] == Unit("ann", 0, 5)
    path = write("annotator,start,end,notes\nann,0,5,x\n")
    assert read(path, label=False).labels == (None,)
    path = write("ann,NP,0,5\n")
    assert read(path, label=False, document=False)["talk"].units[0] == Unit("ann", 0, 5)


def test_the_plain_name_of_a_role_wins_over_its_other_names(write):
    path = write("annotator,start,end,category,label,type\nann,0,5,x,NP,y\nbob,0.5,4,x,VP,y\n")
    assert read(path)["talk"] == TALK
    path = write("annotator,start,end,category,type\nann,0,5,x,NP\n")
    with pytest.raises(ReadError, match=r"the label can be any of the columns 'category', 'type'"):
        read(path)


# Documents


def test_a_folder_is_searched_to_the_bottom(write):
    write(GOOD, "in/a.csv")
    write(GOOD.replace(",", "\t"), "in/deep/b.tsv")
    for name in ("in/c.txt", "in/.hidden.csv", "in/.git/d.csv"):
        write("no table", name)
    assert list(read("in")) == ["a", "b"]
    assert list(read("in", format="tsv")) == ["b"]
    assert list(read(Path("in/a.csv"), "in/deep")) == ["a", "b"]


def test_files_of_one_name_are_told_apart_by_their_path(write):
    names = ("in/x/a.csv", "in/y/a.csv", "in/y/b.csv", "in/y/b.tsv", "in/c.csv")
    for name in names:
        write(GOOD.replace(",", "\t") if name.endswith("tsv") else GOOD, name)
    assert list(read("in")) == ["c", "x/a", "y/a", "y/b.csv", "y/b.tsv"]


def test_a_column_tells_the_documents(write):
    first = write("document,annotator,start,end\n1,ann,0,5\n2,ann,0,5\n", "x.csv")
    second = write("annotator,start,end,file\nbob,0,5,1\n", "y.csv")
    corpus = read(first, second)
    assert {name: text.annotators for name, text in corpus.items()} == {
        "1": ("ann", "bob"),
        "2": ("ann",),
    }
    assert list(read(first, document=False, label=False)) == ["x"]


def test_a_file_and_a_column_cannot_mean_the_same_document(write):
    first = write("document,annotator,start,end\ntalk,ann,0,5\n", "x.csv")
    with pytest.raises(ReadError, match=r"talk.csv: this file would be the document 'talk'"):
        read(first, write(GOOD))


# Extent


def test_an_extent_is_that_of_every_document(write):
    paths = write("ann,NP,0,5\n", "a.csv"), write("ann,NP,2,9\n", "b.csv")
    corpus = read(*paths, extent=(0, 10), annotators={"a": ["ann"], "b": ["ann"], "c": ["ann"]})
    assert {text.extent for text in corpus.values()} == {(0.0, 10.0)}
    assert list(corpus) == ["a", "b", "c"]


def test_a_unit_outside_the_extent_is_refused_with_its_document(write):
    paths = write("ann,NP,0,5\n", "a.csv"), write("ann,NP,2,9\n", "b.csv")
    message = r"document 'b': all units lie within the extent \[0.0, 8.0\]; 'ann' has \[2.0, 9.0\]"
    for on_error in ("raise", "skip"):
        with pytest.raises(DataError, match=message):
            read(*paths, extent=(0, 8), on_error=on_error)


@pytest.mark.parametrize(
    ("extent", "kind", "message"),
    [
        ((5, 1), SettingError, r"the first not above the second; got extent=\(5, 1\)"),
        ((0, float("inf")), SettingError, "an extent is two finite numbers"),
        ((0, 1, 2), TypeError, "an extent is two numbers, where a document begins and ends"),
        ("ab", TypeError, "an extent is two numbers"),
        (7, TypeError, "an extent is two numbers"),
    ],
)
def test_an_extent_must_make_sense(write, extent, kind, message):
    with pytest.raises(kind, match=message):
        read(write(GOOD), extent=extent)


# Who saw a document


def test_who_saw_a_document_can_be_told(write):
    paths = write("ann,NP,0,5\n", "a.csv"), write("bob,NP,0,5\n", "b.csv")
    assert read(*paths)["a"].annotators == ("ann",)
    assert read(*paths, annotators="corpus")["a"].annotators == ("ann", "bob")
    table = {"a": ("ann", "eve"), "b": ("bob",), "c": ("ann", "bob")}
    corpus = read(*paths, annotators=table)
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
        corpus = read(write(GOOD), annotators=annotators)
        assert corpus["talk"].annotators == ("ann", "bob", "eve")
        assert corpus["lost"] == Continuum.from_units([], annotators=("ann",))
        assert corpus.annotators_from == "declared"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("document,annotator\n", "who.csv: a header but no rows"),
        ("document,annotator\ntalk,\n", "who.csv:2: expected a document and an annotator"),
        ("talk,ann\ntalk,bob,eve\n", "who.csv:2: expected a document and an annotator"),
        ("talk,ann,bob\n", "who.csv:1: expected the columns document and annotator"),
        ("document,who\ntalk,ann\n", "who.csv:1: expected the columns document and annotator"),
        ('talk,"ann\n', "who.csv:1: a quotation mark that opens in this row is never closed"),
        ("", "who.csv: the file is empty"),
    ],
)
def test_a_bad_table_of_who_saw_what_is_refused(write, content, message):
    with pytest.raises(ReadError, match=message):
        read(write(GOOD), annotators=write(content, "who.csv"))


@pytest.mark.parametrize(
    ("annotators", "kind", "message"),
    [
        ("everyone", SettingError, "unknown annotators='everyone'; choose 'units', 'corpus'"),
        ("lost.csv", ReadError, "lost.csv: no such file; annotators= is the path of a table"),
        (Path("lost"), ReadError, "lost: no such file"),
        (7, TypeError, "annotators= is 'units', 'corpus', a table"),
        ({"talk": ["ann"]}, DataError, "document 'talk': 'bob' has units but is not among"),
        ({"tale": ["ann"]}, DataError, "document 'talk': it has units, but the table"),
    ],
)
def test_who_saw_what_must_make_sense(write, annotators, kind, message):
    with pytest.raises(kind, match=message):
        read(write(GOOD), annotators=annotators)


def test_a_header_without_rows_is_a_document_only_if_it_is_known_who_saw_it(write):
    paths = write(GOOD), write(HEADER, "empty.csv")
    with pytest.raises(ReadError, match=r"empty.csv: a header but no rows, so it is not known who"):
        read(*paths)
    with pytest.raises(ReadError, match=r"empty.csv: a header but no rows"):
        read(*paths, annotators={"talk": ("ann", "bob")})
    table = {"talk": ("ann", "bob"), "empty": ("eve",)}
    assert read(*paths, annotators=table)["empty"].annotators == ("eve",)
    assert read(*paths, annotators="corpus")["empty"].annotators == ("ann", "bob")


def test_a_table_of_documents_without_rows_is_refused(write):
    with pytest.raises(ReadError, match=r"a header but no rows"):
        read(write("document,annotator,start,end\n"), annotators="corpus")


# Bad rows


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("ann,x,5,NP", "start 'x' is not a number"),
        ('ann,0,"5,5",NP', "end '5,5' is not a number; write decimals with a point"),
        ("ann,,5,NP", "the start is empty"),
        ("ann,nan,5,NP", "the start of a unit is a finite number; 'ann' has nan"),
        ("ann,0,inf,NP", "the end of a unit is a finite number; 'ann' has inf"),
        ("ann,9,2,NP", r"a unit cannot end before it starts; 'ann' has \[9.0, 2.0\]"),
        (" ,0,5,NP", "the annotator is empty"),
        ("ann,0,5", "expected 4 columns as in the first row, got 3"),
        ("ann,0,5,NP,VP", "expected 4 columns as in the first row, got 5"),
        ('ann,0,5,"NP"x', "text goes on after a closing quotation mark"),
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
    with pytest.raises(ReadError, match=r"talk.csv:2: the document is empty; every unit has one"):
        read(write("document,annotator,start,end\n,ann,0,5\n"))


def test_skipped_rows_leave_no_names_behind(write):
    path = write("document,annotator,start,end\nx,eve,9,2\ny,ann,0,5\n,zoe,0,5\n")
    corpus = read(path, on_error="skip", annotators="corpus")
    assert (list(corpus), corpus.annotators, corpus.skipped) == (["y"], ("ann",), 2)


def test_rows_skipped_in_all_files_are_summed(write):
    paths = (
        write("ann,NP,0,5\nann,NP,5,0\n", "a.csv"),
        write("ann,NP,x,5\nann,NP,5,9\nann\n", "b.csv"),
    )
    assert read(*paths, on_error="skip").skipped == 3


def test_a_file_of_bad_rows_only_is_refused(write):
    with pytest.raises(ReadError, match=r"no unit in this file, all 2 rows would be skipped"):
        read(write(HEADER + "ann,9,2,NP\nann,9,2,NP\n"), on_error="skip")


@pytest.mark.parametrize("on_error", ["raise", "skip"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (GOOD + 'ann,0,5,"NP\nann,0,5,NP\n', "talk.csv:4: a quotation mark .* is never closed"),
        (f"{GOOD}ann,0,5,{'x' * 200_000}\n", "talk.csv:4: a cell has more than 131,072 charac"),
        ('"annotator,start', "talk.csv:1: a quotation mark that opens in this row"),
        ("", "talk.csv: the file is empty; expected one row a unit"),
        ("\n  \n", "talk.csv: the file is empty"),
        (",,,\n,,,\n", "talk.csv: no row but 2 empty ones"),
        ("x" * 70_000 + "\n" + "y" * 10, "talk.csv:1: only one column"),
        (b"\x00\x01\x02,", "talk.csv: a binary file, no text"),
        (GOOD.encode("utf-16-le"), "talk.csv: a binary file, no text"),
        (b"PK\x03\x04...", "talk.csv: a spreadsheet or zip archive, no text"),
        ((HEADER + "ann,0,5,é\n").encode("latin-1"), "talk.csv:2: no UTF-8 text: byte 0xe9"),
        (codecs.BOM_UTF16_LE + b"a", "talk.csv: no UTF-16 text: byte 0x61"),
    ],
)
def test_a_file_that_is_no_table_is_refused_whatever_is_skipped(write, content, message, on_error):
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
            "no column for annotator; .*: say annotator=…; or, .*, annotator='file'$",
        ),
        ("annotator,item,label\na,1,x\n", {}, "Ratings of given items need none: .*`items`$"),
        ("a,b,c,d\nann,0,5,NP\n", {}, "say annotator=…, start=…, end=…. If there is no header"),
        (GOOD, {"start": "onset"}, "no column 'onset' for start=; the columns are 'annotator',"),
        (GOOD, {"start": 9}, "no column 9 for start=; there are 4"),
        (GOOD, {"start": 1, "label": "annotator"}, "label='annotator' is a column that plays"),
        ("annotator,x,x,end\na,0,0,1\n", {"start": "x"}, "2 columns 'x' for start="),
        ("annotator,start,start,end\na,0,0,1\n", {}, "the start can be any of the columns 'start'"),
        ("coder,speaker,start,end\na,b,0,1\n", {}, "any of the columns 'coder', 'speaker'; say"),
        ("annotator,start,end,mood\na,0,1,x\n", {}, "no column for label; .*label=False when"),
        ("ann,0,1\n", {}, "a table without header has 4 columns, .*; this one has 3: 'ann', '0'"),
        ("ann,0,1,x\n", {"annotator": 1}, "no column for start, end; .*: say start=…, end=…$"),
        ("a;b,c;d;e\n1;2;3;4\n", {"delimiter": "|"}, "separated by bar; with semicolon there are"),
        (GOOD, {"delimiter": "\t"}, "only one column, when .* by tab; with comma .*delimiter=','"),
        (GOOD, {"delimiter": "#"}, "separated by '#'; with comma"),
        ("hello\nworld\n", {}, "only one column, .*; expected annotator, start, end, label"),
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
        ({"format": "xml"}, SettingError, "unknown format 'xml'; choose one of 'auto', 'csv', 't"),
        ({"on_error": "ignore"}, SettingError, "unknown on_error 'ignore'; choose one of 'raise'"),
        ({"delimiter": ",,"}, SettingError, "a delimiter is one character"),
        ({"delimiter": '"'}, SettingError, "a delimiter is one character"),
        ({"delimiter": 7}, TypeError, "a delimiter is a character"),
        ({"header": "yes"}, TypeError, "header= is True, False or None; got 'yes'"),
        ({"start": 0}, SettingError, "columns are counted from 1; got start=0"),
        ({"start": 1.5}, TypeError, "start= is the name or the number of a column; got 1.5"),
        ({"start": False}, TypeError, "start= is the name or the number of a column; got False"),
        ({"label": True}, TypeError, "label= is the name or the number of a column; got True"),
        ({"start": "a", "end": "a"}, SettingError, "start= and end= both mean the column 'a'"),
        ({"start": 2, "end": 2}, SettingError, "start= and end= both mean the column 2"),
        ({"start": "a", "header": False}, SettingError, "without a header columns have numbers"),
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
        ("folder", "folder: no file to read .*'.csv', .*, found 2 × .txt, 1 × LICENSE"),
        ("nothing", "nothing: .*, found nothing"),
        ("x" * 300, "it cannot be opened: File name too long"),
    ):
        with pytest.raises(ReadError, match=message):
            read(path)
    with pytest.raises(SettingError, match=r"read needs at least one path"):
        read()
    with pytest.raises(SettingError, match=r"a path is empty"):
        read("")
    with pytest.raises(TypeError, match=r"read takes paths one by one"):
        read(["talk.csv"])  # type: ignore[arg-type]


def test_a_file_cannot_be_given_twice(write):
    write(GOOD, "folder/talk.csv")
    with pytest.raises(ReadError, match=r"talk.csv: given twice"):
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
