"""Limits of readers: memory, endless input, and the length of messages."""

import bz2
import json
import os
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import polars as pl
import pytest

import unisono as un
from file_samples import zipped
from tool_samples import XMI
from unisono.errors import ReadError
from unisono.formats import jsonl, safe_xml
from unit_samples import GOOD, TALK

MEMORY = """
import resource, sys
import unisono as un
from unisono.formats import files as archives, safe_xml as xml_guard
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    un.read(sys.argv[1])
    print("read")
except un.ReadError as error:
    print(error)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")


def megabytes_to_read(path):
    """Read a file in a separate process; return its message and its peak memory."""
    command = [sys.executable, "-c", MEMORY, str(path)]
    told = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    message, used = told.stdout.splitlines()
    return message, int(used)


def bomb_of(method):
    """Return a small archive of a gigabyte of spaces, compressed piece by piece."""
    if method == zipfile.ZIP_BZIP2:
        # bzip2 decompresses concatenated streams as one.
        packed = bz2.compress(b" " * 2**24) * 64
        return _with_content(packed, 2**30)
    return zipped({"annotation/d/ann.xmi": b" " * 2**27}, method)


def _with_content(packed, size):
    """Return an archive with a member that is already compressed."""
    plain = zipped({"annotation/d/ann.xmi": packed}, zipfile.ZIP_STORED)
    content = bytearray(plain)
    for mark, method_at, size_at in ((b"PK\x03\x04", 8, 22), (b"PK\x01\x02", 10, 24)):
        at = content.find(mark)
        content[at + method_at : at + method_at + 2] = zipfile.ZIP_BZIP2.to_bytes(2, "little")
        content[at + size_at : at + size_at + 4] = size.to_bytes(4, "little")
    return bytes(content)


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA], ids=str
)
def test_a_small_archive_takes_little_memory(tmp_path, method):
    path = tmp_path / "export.zip"
    path.write_bytes(bomb_of(method))
    assert path.stat().st_size < 2**18
    message, used = megabytes_to_read(path)
    assert message.startswith(f"{path}/annotation/d/ann.xmi: ")
    assert used < 200


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA], ids=str)
def test_an_archive_of_another_method_is_refused_however_broken(tmp_path, method):
    content = bytearray(zipped({"annotation/d/ann.xmi": XMI.encode()}, method))
    content[60:90] = bytes(30)
    path = tmp_path / "export.zip"
    path.write_bytes(content)
    with pytest.raises(ReadError, match="unsupported compression method; compress it again"):
        un.read(path)


def test_defaults_of_attributes_are_refused_before_they_multiply(tmp_path):
    default = "x" * 20_000
    path = tmp_path / "talk.xml"
    path.write_text(
        f'<!DOCTYPE GateDocument [<!ATTLIST a b CDATA "{default}">]><GateDocument>'
        + "<a/>" * 50_000
        + "</GateDocument>"
    )
    message, used = megabytes_to_read(path)
    assert message == (
        f"{path}:1: the file declares a default for the attribute 'b', which is rejected for "
        "safety; write the attribute out on each element"
    )
    assert used < 100


def test_a_declared_attribute_without_default_does_no_harm():
    text = b'<!DOCTYPE a [<!ATTLIST a b CDATA #IMPLIED c CDATA #REQUIRED>]><a c="1"/>'
    assert safe_xml.tree_of(text, Path("talk.xml")).attributes == {"c": "1"}


@pytest.mark.parametrize("text", [b"<a>" + b"<b/>" * 9 + b"</a>", b'<a b="" c="" d="" e=""/>'])
def test_more_elements_or_attributes_than_can_be_held_are_refused(monkeypatch, text):
    monkeypatch.setattr(safe_xml, "_MOST_ELEMENTS", 5)
    monkeypatch.setattr(safe_xml, "_MOST_ATTRIBUTES", 3)
    with pytest.raises(ReadError, match=r"talk.xml:1: more than 5 elements or 3 attributes"):
        safe_xml.tree_of(text, Path("talk.xml"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<a>" * 200, "elements are nested more than 100 levels"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "the file declares or uses custom entities"),
    ],
)
def test_a_refusal_of_xml_is_not_blamed_on_its_encoding(text, problem):
    with pytest.raises(ReadError, match=f"^talk.xml:1: {problem}") as caught:
        safe_xml.tree_of(text.encode(), Path("talk.xml"))
    assert "encoding" not in str(caught.value)


def test_json_that_is_too_large_to_be_held_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(jsonl, "_LARGEST", 2**20)
    path = tmp_path / "export.json"
    path.write_text('{"items": {"d": {"ann": [1]}}}' + " " * 2**20)
    with pytest.raises(ReadError, match=r"larger than 1 MiB; split it, or save it as JSONL"):
        un.read(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("talk.csv", "annotator,start,end,label\nann,0,5," + "a" * 1200),
        ("talk.csv", "annotator,start,end,label" + ",x" * 1000 + "\nann,0,5,a" + ",x" * 1000),
        ("talk.csv", 'annotator,start,end,label\n"ann",0,5,' + "a" * 1200),
        ("talk.jsonl", '{"annotator": "ann", "start": 0, "end": 5, "label": "' + "a" * 1200),
        ("ann.conll", "John B-PER\nran" + "x" * 1200 + " O\n"),
    ],
)
def test_a_line_that_is_too_long_to_be_held_is_refused(tmp_path, monkeypatch, name, text):
    for module in ("characters", "tables"):
        monkeypatch.setattr(f"unisono.formats.{module}.LONGEST_LINE", 1000)
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ReadError, match=rf"{name}(:\d)?: a line is longer than 1,000 characters"):
        un.read(path)


def test_far_more_rows_than_a_parquet_file_has_bytes_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "talk.parquet"
    columns = {"annotator": "ann", "start": 0.0, "end": 1.0, "label": "a"}
    rows = pl.DataFrame({name: [value] * 2_000 for name, value in columns.items()})
    rows.write_parquet(path)
    assert un.read(path).n_units == 2_000
    monkeypatch.setattr("unisono.formats.unit_tables._FREE_ROWS", 0)
    monkeypatch.setattr("unisono.formats.unit_tables._ROWS_PER_BYTE", 0.1)
    with pytest.raises(ReadError, match=r"2,000 rows; at most .* in a file of this size"):
        un.read(path)


LONG = "x" * 10**6


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("talk.csv", f"annotator,start,end,label\n{LONG[:100_000]},x,5,A\n"),
        ("talk.csv", f"annotator,start,end,label\nann,{LONG[:100_000]},5,A\n"),
        ("talk.csv", f"annotator,start,{LONG[:100_000]},label\nann,0,5,A\n"),
        ("talk.csv", f"annotator,start,end,label\n{LONG[:100_000]},5,0,A\n"),
        ("talk.jsonl", json.dumps({"annotator": LONG, "start": 5, "end": 0, "label": "A"})),
        ("talk.jsonl", json.dumps({"document": "d", "start": LONG, "end": 0})),
        ("talk.eaf", f"<{LONG}/>"),
        ("talk.TextGrid", f'"ooTextFile" "TextGrid" {"9" * 10**6}'),
        ("talk.aa", f"<annotations><unit><{LONG}/></unit></annotations>"),
    ],
)
def test_no_message_is_longer_than_can_be_read(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ReadError) as caught:
        un.read(path)
    assert len(str(caught.value)) < 2_100 + len(str(path))
    assert str(path) in str(caught.value)


def test_a_long_message_keeps_its_end_which_states_what_to_do():
    error = ReadError(f"the value {LONG}; write a number", path=LONG[:200])
    assert error.problem == str(error).removeprefix(f"{LONG[:200]}: ")
    assert error.problem.startswith("the value xxx")
    assert error.problem.endswith("xxx; write a number")
    assert len(error.problem) == 2_000
    assert len(str(un.errors.SettingError(LONG))) == 2_000


# Pipes and devices


@needs_pipes
def test_a_pipe_in_a_folder_is_refused_and_not_waited_for(tmp_path):
    (tmp_path / "talk.csv").write_text(GOOD)
    os.mkfifo(tmp_path / "more.csv")
    with pytest.raises(ReadError, match=r"more.csv: a pipe, a device or a socket, not a"):
        un.read(tmp_path)


@needs_pipes
@pytest.mark.parametrize("name", ["endless.csv", "endless.json", "endless.xml"])
def test_a_link_to_a_device_in_a_folder_is_refused(tmp_path, name):
    (tmp_path / name).symlink_to("/dev/zero")
    with pytest.raises(ReadError, match=rf"{name}: a pipe, a device or a socket, not a"):
        un.read(tmp_path)


@needs_pipes
@pytest.mark.parametrize("format_", ["csv", "auto"])
def test_a_device_is_refused(format_):
    with pytest.raises(ReadError, match=r"/dev/zero: .*a device"):
        un.read("/dev/zero", format=format_)
    with pytest.raises(ReadError, match=r"/dev/zero: a device, which cannot be read"):
        un.read_ratings("/dev/zero")


def through_a_pipe(tmp_path, content, read):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    thread = threading.Thread(target=path.write_bytes, args=(content,))
    thread.start()
    try:
        return read(path)
    finally:
        thread.join()


@needs_pipes
def test_units_are_read_from_a_pipe(tmp_path):
    found = through_a_pipe(tmp_path, GOOD.encode(), lambda path: un.read(path, format="csv"))
    assert found["pipe"] == TALK


@needs_pipes
def test_turns_are_read_from_a_pipe(tmp_path):
    rttm = b"SPEAKER talk 1 0.1 0.2 <NA> <NA> CHI <NA> <NA>\n"
    found = through_a_pipe(tmp_path, rttm, lambda path: un.read(path, format="rttm"))
    assert found["talk"].units[:] == (un.Unit("pipe", 0.1, 0.3, "CHI"),)


@needs_pipes
def test_ratings_are_read_from_a_pipe(tmp_path):
    table = b"annotator,item,label\nann,1,a\nbob,1,a\n"
    found = through_a_pipe(tmp_path, table, un.read_ratings)
    assert found.n_ratings == 2


@needs_pipes
def test_the_format_of_a_pipe_is_not_detected(tmp_path):
    os.mkfifo(tmp_path / "talk.csv")
    with pytest.raises(ReadError, match=r"format of a pipe or a device cannot be detected. Set"):
        un.read(tmp_path / "talk.csv")


@needs_pipes
def test_an_endless_pipe_is_read_only_so_far(tmp_path, monkeypatch):
    monkeypatch.setattr("unisono.formats.characters.LARGEST_PIPE", 2**20)
    endless = "import sys\nwhile True: sys.stdout.write('ann,1,2,a\\n' * 1000)"
    with subprocess.Popen(
        [sys.executable, "-c", endless], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as writer:
        assert writer.stdout is not None
        try:
            with pytest.raises(ReadError, match=r"the pipe is larger than .* read into memory"):
                un.read(f"/dev/fd/{writer.stdout.fileno()}", format="csv")
        finally:
            writer.kill()
