"""Annotator, document and layer of a file, from folders, file names and columns."""

import io
import tracemalloc
import zipfile
from pathlib import Path

import pytest

import unisono as un
from unisono.errors import ReadError, SettingError
from unisono.formats import files
from unisono.formats.characters import character_offset, from_utf16

TABLE = "start,end,label\n0,5,NP\n"
SRT = "1\n00:00:00,000 --> 00:00:05,000\nhello\n"


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def written(name, content=TABLE):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(content, encoding="utf-8")

    return written


def who(corpus):
    return {name: text.annotators for name, text in corpus.items()}


def test_a_table_may_be_one_file_or_one_folder_an_annotator(write):
    write("ann/talk.csv")
    write("bob/talk.csv")
    assert who(un.read(".", annotator="folder")) == {"talk": ("ann", "bob")}
    write("one/ann.csv")
    write("one/bob.csv")
    assert who(un.read("one", annotator="file")) == {"one": ("ann", "bob")}


def test_a_pattern_of_names_tells_both(write):
    write("talk_ann.csv")
    write("talk_bob.csv")
    write("walk_ann.csv")
    corpus = un.read(".", annotator="{document}_{annotator}")
    assert who(corpus) == {"talk": ("ann", "bob"), "walk": ("ann",)}
    with pytest.raises(
        ReadError, match=r"the path 'talk_ann' does not match annotator='{annotator}-"
    ):
        un.read(".", annotator="{annotator}-{document}")
    with pytest.raises(SettingError, match=r"once each"):
        un.read(".", annotator="{annotator}{annotator}")


def test_a_column_of_that_name_wins(write):
    write("talk.csv", "file,start,end,label\nann,0,5,NP\n")
    assert who(un.read("talk.csv", annotator="file")) == {"talk": ("ann",)}


def test_the_message_states_how_to_set_what_is_unknown(write):
    write("one.srt", SRT)
    write("two.srt", SRT)
    with pytest.raises(ReadError, match=r"the annotator of this file is unknown; .*'folder'"):
        un.read(".")
    assert who(un.read("one.srt", "two.srt", annotator="file", document="folder")) == {
        Path.cwd().name: ("one", "two")
    }


def test_a_table_with_several_layers_is_not_measured_as_one(write):
    write("talk.csv", "annotator,start,end,label,tier\na,0,5,x,words\na,0,5,y,turns\n")
    with pytest.raises(ReadError, match=r"the files have 2 layers: 'turns'"):
        un.read("talk.csv")
    assert un.read("talk.csv", layer="words").labels == ("x",)
    assert un.read("talk.csv", layer=("words", "turns")).n_units == 2


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_decimals_may_have_a_comma_where_no_comma_separates(write, delimiter):
    rows = "annotator;start;end;label\nann;0,5;1e1;NP\nbob;1;2,25;NP\n"
    write("talk.csv", rows.replace(";", delimiter))
    talk = un.read("talk.csv")["talk"]
    assert (talk.starts.tolist(), talk.ends.tolist()) == ([0.5, 1], [10, 2.25])


def test_commas_and_points_do_not_mix(write):
    write("talk.csv", "annotator;start;end;label\nann;0,5;1,5;NP\nbob;1.5;2,5;NP\n")
    with pytest.raises(ReadError, match=r"talk.csv:3: start '1.5' is not .* is a comma"):
        un.read("talk.csv")
    write("talk.csv", "annotator;start;end;label\nann;0.5;1.5;NP\nbob;1,5;2,5;NP\n")
    with pytest.raises(ReadError, match=r"talk.csv:3: start '1,5' is not .* a point as"):
        un.read("talk.csv")


def test_plain_and_quoted_rows_are_read_alike(write):
    rows = [f"ann,{i},{i + 1},label{i % 7}" for i in range(20_000)]
    write("plain.csv", "annotator,start,end,label\n" + "\n".join(rows) + "\n")
    rows[15_000] = 'ann,15000,15001,"label6"'
    write("quoted.csv", "annotator,start,end,label\r\n" + "\r\n".join(rows))
    assert un.read("plain.csv")["plain"] == un.read("quoted.csv")["quoted"]
    rows[15_000] = "ann,x,15001,label6"
    for quoted in ("", '"label6"'):
        rows[16_000] = f"ann,y,15001,{quoted}"
        write("bad.csv", "annotator,start,end,label\n" + "\n".join(rows) + "\n")
        with pytest.raises(ReadError, match=r"bad.csv:15002: start 'x' is not a number"):
            un.read("bad.csv")
        assert un.read("bad.csv", on_error="skip").skipped == 2


@pytest.mark.parametrize("name", ["big.csv", "big.jsonl"])
def test_reading_takes_little_more_memory_than_the_columns(write, name):
    size = 100_000
    if name.endswith("csv"):
        rows = [f"doc{i % 9},ann{i % 3},{i},{i + 2.5},label{i % 7}" for i in range(size)]
        write(name, "document,annotator,start,end,label\n" + "\n".join(rows))
    else:
        rows = [
            f'{{"document": "doc{i % 9}", "annotator": "ann{i % 3}", "start": {i}, '
            f'"end": {i + 2.5}, "label": "label{i % 7}"}}'
            for i in range(size)
        ]
        write(name, "\n".join(rows))
    del rows
    un.read(name)
    tracemalloc.start()
    un.read(name)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    columns = 5 * 8 * size
    assert peak < 4 * columns + 2**21


def test_offsets_are_turned_into_characters():
    text = "a😀é\U0001f600b"
    table = from_utf16(text)
    for place in range(len(text) + 1):
        assert character_offset(len(text[:place].encode("utf-16-le")) // 2, table) == place
    assert character_offset(99, table) > len(text)
    assert character_offset(-1, table) == -1
    assert from_utf16("é") is None


def packed(names, content=b"x", **options):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", **options) as archive:
        for name in names:
            archive.writestr(name, content)
    return stream.getvalue()


def test_members_of_an_archive_come_with_their_names():
    assert list(files.members(Path("x.zip"), packed(["a/b.txt"]))) == [("a/b.txt", b"x")]


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", "C:/x"])
def test_names_that_lead_outside_are_refused(name):
    with pytest.raises(ReadError, match=r"the file name points outside the archive"):
        list(files.members(Path("x.zip"), packed([name])))


def test_bombs_are_not_unpacked():
    bomb = packed(["a"], b"\0" * 50_000_000, compression=zipfile.ZIP_DEFLATED, compresslevel=9)
    assert len(bomb) < 60_000
    tracemalloc.start()
    with pytest.raises(ReadError, match=r"far more than its"):
        list(files.members(Path("x.zip"), bomb[:20] + bomb[20:]))
    tracemalloc.stop()


def test_broken_archives_are_refused():
    for content in (b"", b"PK\3\4", packed(["a"])[:-10], packed(["a"])[10:]):
        with pytest.raises(ReadError, match=r"x.zip: the archive is broken"):
            list(files.members(Path("x.zip"), content))
