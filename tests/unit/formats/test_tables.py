"""Tables of units in various layouts, from files and folders."""

import codecs
from pathlib import Path

import pytest

from unisono.errors import DataError, ReadError, SettingError
from unisono.formats import characters, contents
from unisono.formats.read import read
from unisono.model.continuum import Unit
from unit_samples import GOOD, HEADER, TALK


@pytest.fixture
def write(write_here):
    return lambda content, name="talk.csv": write_here(content, name)


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


def test_the_header_can_be_set(write):
    assert read(write("1,a,2,9\n", "a.csv"), header=False)["a"].annotators == ("1",)
    path = write("1,2,3,4\nann,0,5,NP\nbob,0.5,4,VP\n")
    corpus = read(path, header=True, annotator="1", start="2", end="3", label="4")
    assert corpus["talk"] == TALK


def test_the_delimiter_can_be_set(write):
    assert read(write("ann NP 0 5\nbob VP 0.5 4\n"), delimiter=" ")["talk"] == TALK
    assert read(write("ann,NP,0,5\n", "x.tsv"), delimiter=",").n_units == 1


def test_the_format_can_be_set_where_the_suffix_is_ambiguous(write):
    assert read(write(GOOD, "talk.txt"), format="csv")["talk"] == TALK
    with pytest.raises(ReadError, match=r"talk.txt: .* none of the formats with the suffix .txt"):
        read("talk.txt")


def test_a_quoted_cell_may_hold_delimiters_quotes_and_lines(write):
    path = write(HEADER + 'ann,0,5,"a,""b""\nc"\n')
    assert read(path)["talk"].labels == ('a,"b"\nc',)


def test_bounds_are_the_nearest_doubles(write):
    texts = ("0.1", "1e15", "9007199254740991", "2.2250738585072014e-308", "123456.78901234567")
    path = write(HEADER + "".join(f"ann,{text},9007199254740991,a\n" for text in texts))
    assert read(path)["talk"].starts.tolist() == sorted(map(float, texts))


def test_a_big_table_is_read_block_by_block(write, monkeypatch):
    monkeypatch.setattr(characters, "_BLOCK", 7)
    rows = "".join(f"ann,{i},{i + 1},L{i % 3}\n" for i in range(9))
    assert read(write(HEADER + rows), delimiter=",").n_units == 9
    with pytest.raises(ReadError, match=r"talk.csv:11: start 'x'"):
        read(write(HEADER + rows + "ann,x,1,a\n"), delimiter=",")


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
    assert set(contents.labels_from_text([cell.strip() for cell in cells])) == set(labels)


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
    with pytest.raises(ReadError, match=r"several columns can be the label: 'category', 'type'"):
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


def test_files_of_one_name_are_distinguished_by_their_path(write):
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
    with pytest.raises(ReadError, match=r"talk.csv: the document 'talk', named after this file"):
        read(first, write(GOOD))


# Extent


def test_an_extent_is_that_of_every_document(write):
    paths = write("ann,NP,0,5\n", "a.csv"), write("ann,NP,2,9\n", "b.csv")
    corpus = read(*paths, extent=(0, 10), seen_by={"a": ["ann"], "b": ["ann"], "c": ["ann"]})
    assert {text.extent for text in corpus.values()} == {(0.0, 10.0)}
    assert list(corpus) == ["a", "b", "c"]


def test_a_unit_outside_the_extent_is_refused_with_its_document(write):
    paths = write("ann,NP,0,5\n", "a.csv"), write("ann,NP,2,9\n", "b.csv")
    message = (
        r"document 'b': all units must lie within the extent \[0.0, 8.0\]; 'ann' has \[2.0, 9.0\]"
    )
    for on_error in ("raise", "skip"):
        with pytest.raises(DataError, match=message):
            read(*paths, extent=(0, 8), on_error=on_error)


@pytest.mark.parametrize(
    ("extent", "kind", "message"),
    [
        ((5, 1), SettingError, r"the first not above the second; got extent=\(5, 1\)"),
        ((0, float("inf")), SettingError, "an extent must be two finite numbers"),
        (
            (0, 1, 2),
            TypeError,
            "an extent must be two numbers, the start and the end of a document",
        ),
        ("ab", TypeError, "an extent must be two numbers"),
        (7, TypeError, "an extent must be two numbers"),
    ],
)
def test_an_extent_must_make_sense(write, extent, kind, message):
    with pytest.raises(kind, match=message):
        read(write(GOOD), extent=extent)
