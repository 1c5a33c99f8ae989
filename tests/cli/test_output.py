"""Output of commands: streams, targets and protection of inputs."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from unisono.cli import output
from unisono.cli.output import ProgressDisplay
from unisono.errors import SettingError

FULL = Path("/dev/full")
LONG = "0123456789\n" * 50_000
"""More than the capacity of a pipe and a buffer."""


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_quiet_suppresses_notes_and_messages(capsys):
    with output.quiet_output(True):
        assert output.is_quiet()
        output.print_note("odd, but kept")
        output.print_message("3 units written to units.csv")

        assert capsys.readouterr() == ("", "")
    assert not output.is_quiet()
    output.print_note("odd, but kept")
    output.print_message("3 units written to units.csv")

    output_text = capsys.readouterr()
    assert output_text.out == "3 units written to units.csv\n"
    assert output_text.err == "unisono: note: odd, but kept\n"


def test_quiet_ends_with_an_error():
    with pytest.raises(SettingError), output.quiet_output(True):
        output.check_apart("a.csv", "a.csv", options="--record and --csv")

    assert not output.is_quiet()


def test_problems_are_never_suppressed(capsys):
    output.print_note("odd, but kept", quiet=True)
    with output.quiet_output(True):
        output.print_problem("name a file\n   to read\x1b[2J")

    assert capsys.readouterr() == ("", "unisono: name a file to read\\x1b[2J\n")


def test_missing_streams_are_ignored(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    output.print_problem("name a file to read")
    output.print_message("written")
    output.print_table("γ = 0.725")
    output.print_json({"value": 0.725})
    output.write_csv("-", ["value"], [[0.725]])
    output.write_text("-", "<svg/>")
    with output.complete_streams(), ProgressDisplay(patience=0.0) as display:
        assert not display.is_visible

    assert (sys.stdout, sys.stderr) == (None, None)


def test_streams_without_files_are_unchanged(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    with output.complete_streams():
        assert sys.stdout is stream
        sys.stdout.write("all of it\n")

    assert stream.getvalue() == "all of it\n"


def test_stream_is_complete_and_restored(monkeypatch, tmp_path):
    with (tmp_path / "out.txt").open("w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        print("before", file=stream)
        with output.complete_streams():
            assert sys.stdout is not stream
            sys.stdout.write(LONG)
        assert sys.stdout is stream
        print("γ", file=stream)

    assert (tmp_path / "out.txt").read_text("utf-8") == f"before\n{LONG}γ\n"


@pytest.mark.skipif(not hasattr(os, "set_blocking"), reason="pipes always block there")
def test_nonblocking_pipe_gets_all_output(monkeypatch):
    end, start = os.pipe()
    os.set_blocking(start, False)
    taken: list[bytes] = []

    def read():
        time.sleep(0.05)  # until the pipe is full
        with open(end, "rb") as reader:  # noqa: PTH123 - a descriptor, no path
            taken.append(reader.read())

    reader = threading.Thread(target=read)
    with open(start, "w", encoding="utf-8") as stream:  # noqa: PTH123 - the same
        monkeypatch.setattr(sys, "stdout", stream)
        reader.start()
        with output.complete_streams():
            sys.stdout.write(LONG)
    reader.join()

    assert taken == [LONG.encode()]


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a disk that is always full")
def test_full_disk_names_the_stream(monkeypatch):
    with FULL.open("w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        with pytest.raises(OSError, match="No space left") as refused, output.complete_streams():
            sys.stdout.write(LONG)

    assert refused.value.filename == "stdout"


def test_inputs_are_protected_by_default(tmp_path):
    talk, other = tmp_path / "talk.csv", tmp_path / "other.csv"
    talk.write_text("data", encoding="utf-8")
    with output.write_permissions():
        output.register_inputs(str(talk))
        output.write_text(str(other), "new")

        assert not output.may_overwrite_input()
        with pytest.raises(SettingError, match=r"talk\.csv would overwrite the input .*talk\.csv"):
            output.write_text(str(talk), "gone")
    assert (talk.read_text("utf-8"), other.read_text("utf-8")) == ("data", "new\n")

    with output.write_permissions(overwrite_input=True):
        output.register_inputs(str(talk))
        output.check_target(str(talk), inputs=[str(talk)], as_json=False)
        output.write_text(str(talk), "newer")

        assert output.may_overwrite_input()
    assert talk.read_text("utf-8") == "newer\n"


def test_registered_inputs_are_per_command(tmp_path):
    talk = tmp_path / "talk.csv"
    talk.write_text("data", encoding="utf-8")
    with output.write_permissions():
        output.register_inputs(str(talk))
    output.register_inputs(str(talk))  # of no command
    with output.write_permissions():
        output.write_text(str(talk), "new")

    assert talk.read_text("utf-8") == "new\n"
    assert not output.may_overwrite_input()


def test_invalid_targets_are_rejected_early(tmp_path):
    def check(target, *, as_json=False):
        output.check_target(target, inputs=[str(talk)], as_json=as_json, option="--record")

    talk = tmp_path / "talk.csv"
    talk.write_text("data", encoding="utf-8")
    with output.write_permissions():
        check(None, as_json=True)
        check("-")
        check(str(tmp_path / "new.csv"), as_json=True)
        with pytest.raises(SettingError, match="--csv and --json cannot both write to stdout"):
            check("-", as_json=True)
        with pytest.raises(SettingError, match=r"--record .*talk\.csv would overwrite the input"):
            check(str(talk))
        with pytest.raises(IsADirectoryError, match="--record needs a file name"):
            check(str(tmp_path))
        with pytest.raises(FileNotFoundError, match="no such folder"):
            check(str(tmp_path / "none" / "new.csv"))


def test_outputs_need_different_targets():
    output.check_apart(None, None, options="--record and --csv")
    output.check_apart("a.csv", "b.csv", options="--record and --csv")
    with pytest.raises(SettingError, match=r"^--record and --csv cannot both write a\.csv$"):
        output.check_apart("a.csv", "a.csv", options="--record and --csv")


def test_chart_targets_are_checked(tmp_path):
    def check(chart, as_csv=None):
        output.check_chart(chart, as_csv, inputs=["turns.csv"])

    check(None, "curves.csv")
    check(str(tmp_path / "curves.SVG"), "curves.csv")
    with pytest.raises(
        SettingError, match=r"ends in \.svg, \.png, \.pdf, \.html or \.json; got 'a\.gif'$"
    ):
        check("a.gif")
    with pytest.raises(SettingError, match="--chart and --csv cannot both write"):
        check("a.json", "a.json")


class Named(dict[str, Any]):
    """A minimal result for JSON."""

    def to_dict(self) -> dict[str, Any]:
        return dict(self)


def test_json_is_indented_on_a_terminal_only(monkeypatch):
    record = Named({"label": "γ", "values": [1.0, None]})
    written = []
    for stream in (io.StringIO(), Terminal()):
        monkeypatch.setattr(sys, "stdout", stream)
        output.print_json(record)
        written.append(stream.getvalue())

    assert [len(text.splitlines()) for text in written] == [1, 8]
    whole = {"schema": 1, "label": "γ", "values": [1.0, None]}
    assert [json.loads(text) for text in written] == [whole, whole]


@pytest.mark.parametrize(("encoding", "written"), [("utf-8", "γ"), ("ascii", "\\u03b3")])
def test_json_is_ascii_for_other_encodings(monkeypatch, encoding, written):
    content = io.BytesIO()
    stream = io.TextIOWrapper(content, encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    output.print_json(Named({"label": "γ"}))
    stream.flush()

    assert content.getvalue().decode(encoding) == f'{{"schema": 1, "label": "{written}"}}\n'


def test_tables_are_separated_and_plain(capsys):
    output.print_table("γ = 0.725", "signature " + "x" * 200)

    assert capsys.readouterr().out == f"γ = 0.725\n\nsignature {'x' * 200}\n"


def test_formula_cells_are_escaped_and_numbers_unchanged(capsys):
    headings = ["document", "value"]
    rows: list[list[object]] = [["=talk", -0.725], ["walk", None]]
    output.write_csv("-", headings, rows)
    assert capsys.readouterr().out == "document,value\n'=talk,-0.725\nwalk,\n"

    with output.write_permissions(raw_csv=True):
        output.write_csv("-", headings, rows)
    assert capsys.readouterr().out == "document,value\n=talk,-0.725\nwalk,\n"


def test_written_units_can_be_read_again(tmp_path, capsys):
    target = tmp_path / "units.csv"
    rows = [["ann", 0, 5, "=NP"], ["ann", 5, 6, None], ["bob", 0, 4, "half \ud83d mark"]]
    output.write_units(str(target), ["annotator", "start", "end", "label"], rows)
    text = target.read_bytes().decode("utf-8", "surrogatepass")

    assert list(csv.reader(text.splitlines())) == [
        ["annotator", "start", "end", "label"],
        ["ann", "0", "5", "=NP"],
        ["ann", "5", "6", ""],
        ["bob", "0", "4", "half \ud83d mark"],
    ]
    assert capsys.readouterr() == ("", "")


def test_labels_that_change_when_read_back_have_a_note(capsys):
    rows: list[list[object]] = [
        ["ann", frozenset("yx")],
        ["ann", frozenset("zx")],
        ["bob", " NP"],
        ["bob", "NP"],
    ]
    output.write_units("-", ["annotator", "label"], rows)
    output_text = capsys.readouterr()

    assert output_text.out.splitlines()[1:] == ['ann,"{x, y}"', 'ann,"{x, z}"', "bob, NP", "bob,NP"]
    assert output_text.err.splitlines() == [
        "unisono: note: -: labels that are sets, such as {x, y}, are read back as strings",
        "unisono: note: -: spaces around a label, as in ' NP', are not read back",
    ]


def test_text_is_escaped_on_a_terminal_only(monkeypatch, tmp_path):
    text = "one\n\ttwo\x1b[2J"
    written = []
    for stream in (io.StringIO(), Terminal()):
        monkeypatch.setattr(sys, "stdout", stream)
        output.write_text("-", text)
        written.append(stream.getvalue())
    output.write_text(str(tmp_path / "a.txt"), "half \ud83d mark")

    assert written == [f"{text}\n", "one\n\ttwo\\x1b[2J\n"]
    assert (tmp_path / "a.txt").read_bytes() == b"half \\ud83d mark\n"


def test_files_are_replaced_atomically(monkeypatch, tmp_path):
    path = tmp_path / "a.bin"
    path.write_bytes(b"old")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left") as refused:
            output.write_bytes(str(path), b"new")
    assert refused.value.filename == str(path)
    assert path.read_bytes() == b"old"

    output.write_bytes(str(path), b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_remaining_time_needs_a_speed(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with ProgressDisplay(patience=0.0) as display:
        assert display.is_visible
        done, deadline = 0, time.monotonic() + 10
        while " left" not in terminal.getvalue() and time.monotonic() < deadline:
            done = min(done + 1, 9999)
            display(done, 10_000)
            time.sleep(0.01)

    assert " elapsed" in terminal.getvalue()
    assert " left" in terminal.getvalue()
