"""The program on a terminal: colours, progress, --quiet and Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
import unicodedata

import pytest

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")

ESCAPE = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")
COLOUR = re.compile(rb"\x1b\[[0-9;]*3[0-9][0-9;]*m")
PATIENCE = 60.0


class Terminal:
    """A run of the program on a pseudo-terminal."""

    def __init__(self, *arguments, **changes):
        self.seen = b""
        kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self.process, self.screen = pty.fork()
        if self.process == 0:  # pragma: no cover - the child
            command = [sys.executable, "-m", "unisono", *map(str, arguments)]
            environment = kept | {"TERM": "xterm-256color", "COLUMNS": "80"} | changes
            os.execve(sys.executable, command, environment)  # noqa: S606 - our own program

    def until(self, text):
        """Read until a text is on the screen, or fail at the timeout."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.seen:
            assert time.monotonic() < deadline, self.seen
            assert self._read(), self.seen
        return self

    def press(self, key):
        os.write(self.screen, key)

    def end(self):
        """Read to the end and return the exit code."""
        deadline = time.monotonic() + PATIENCE
        while self._read():
            if time.monotonic() > deadline:
                os.kill(self.process, signal.SIGKILL)
                break
        os.close(self.screen)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])

    def _read(self):
        if not select.select([self.screen], [], [], PATIENCE)[0]:
            return True
        try:
            read = os.read(self.screen, 65536)
        except OSError:  # the other side is closed
            return False
        self.seen += read
        return bool(read)


@pytest.fixture
def long_talk(tmp_path):
    """Units for which γ takes long."""
    rows = ["annotator,start,end,label"]
    for number, annotator in enumerate(("ann", "bob", "cleo")):
        for unit in range(700):
            start = 10 * unit + number + (unit * 7 + number * 3) % 5
            rows.append(f"{annotator},{start},{start + 6 + unit % 3},{'ABC'[(unit + number) % 3]}")
    path = tmp_path / "long.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_ctrl_c_while_progress_is_shown_leaves_one_clean_line(long_talk):
    terminal = Terminal("gamma", long_talk, "--draws", 200_000, "--seed", 1).until(b" left")
    terminal.press(b"\x03")

    assert terminal.end() == 130
    # The bar is removed, the cursor is visible, and nothing follows the message.
    assert terminal.seen.endswith(b"\x1b[?25h\r\x1b[1A\x1b[2K\runisono: interrupted\r\n")
    assert b"Traceback" not in terminal.seen


def test_ctrl_c_before_anything_is_shown_leaves_one_clean_line(long_talk):
    terminal = Terminal("gamma", long_talk, "--draws", 200_000, "-q")
    time.sleep(1.5)
    terminal.press(b"\x03")

    assert terminal.end() == 130
    assert terminal.seen == b"^C\runisono: interrupted\r\n"


def test_interrupt_signal_without_a_terminal(long_talk):
    command = [sys.executable, "-m", "unisono", "gamma", str(long_talk), "--draws", "200000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(2.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)

    assert (process.returncode, out, err) == (130, b"", b"unisono: interrupted\n")


def test_progress_shows_remaining_time_and_is_removed(long_talk):
    terminal = Terminal("gamma", long_talk, "--draws", 400, "--seed", 1)

    assert terminal.end() == 0
    if b"drawing" in terminal.seen:  # a fast machine may finish within a second
        assert re.search(rb"\d:\d\d:\d\d(\x1b\[0m|\x1b\[2;\d+m)* (left|so far)", terminal.seen)
        assert terminal.seen.index(b"\x1b[?25h") < terminal.seen.index(b"measure")


def test_quiet_shows_no_progress(long_talk):
    terminal = Terminal("gamma", long_talk, "--draws", 400, "--seed", 1, "--quiet")

    assert terminal.end() == 0
    assert b"drawing" not in terminal.seen
    assert ESCAPE.sub(b"", terminal.seen).startswith(b"long\r\nmeasure")


def test_colours_need_a_terminal_with_colours(talk):
    coloured, plain, dumb = (
        Terminal("gamma", "--help", **changes)
        for changes in ({}, {"NO_COLOR": "1"}, {"TERM": "dumb"})
    )
    for terminal in (coloured, plain, dumb):
        assert terminal.end() == 0

    assert COLOUR.search(coloured.seen)
    assert not COLOUR.search(plain.seen)
    assert not ESCAPE.search(dumb.seen)
    assert ESCAPE.sub(b"", coloured.seen) == ESCAPE.sub(b"", plain.seen) == dumb.seen


def test_table_content_does_not_depend_on_the_terminal(run, talk):
    terminal = Terminal("align", talk)

    assert terminal.end() == 0
    shown = ESCAPE.sub(b"", terminal.seen).decode().replace("\r\n", "\n")
    assert shown == run("align", talk).out
    assert "\x1b" not in run("align", talk).out


HOSTILE = "a\x1b]0;owned\x07\x9b2J\u202eb"


@pytest.fixture
def hostile(tmp_path):
    """Units whose labels and document contain terminal control sequences."""
    lines = [
        {"document": HOSTILE, "annotator": who, "start": at, "end": at + 3, "label": label}
        for who in ("ann", "bob")
        for at, label in ((0, HOSTILE), (5, "plain"))
    ]
    path = tmp_path / "hostile.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ("align", "--csv"),
        ("align", "--json"),
        ("gamma", "--draws", 10, "--csv"),
        ("gamma", "--draws", 10, "--json"),
        ("gamma", "--draws", 10),
        ("consensus", "--csv"),
        ("describe", "--json"),
        ("describe",),
        ("report", "--no-gains", "--draws", 10, "--to", "md", "--title", HOSTILE),
        ("report", "--no-gains", "--draws", 10, "--to", "md"),
        ("report", "--no-gains", "--draws", 10, "--to", "tex"),
        ("report", "--no-gains", "--draws", 10, "--to", "json"),
        ("report", "--no-gains", "--draws", 10, "--no-charts", "-o", "report.html"),
    ],
)
def test_data_cannot_control_the_terminal(hostile, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    command, *options = arguments
    terminal = Terminal(command, hostile, *options, NO_COLOR="1", TERM="dumb")

    assert terminal.end() == 0
    shown = terminal.seen.decode()
    assert not {mark for mark in shown if unicodedata.category(mark) in ("Cc", "Cf")} - set("\r\n")


def test_json_escapes_can_be_read_back(run, hostile):
    outcome = run("align", hostile, "--json")
    assert {*outcome.out} <= {*map(chr, range(32, 127)), "\n"}
    assert outcome.record["document"] == HOSTILE


def test_redirected_csv_is_unchanged(run, hostile, tmp_path):
    outcome = run("align", hostile, "--csv")
    assert HOSTILE in outcome.out
    run("align", hostile, "--csv", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == outcome.out


@pytest.mark.parametrize("format_", ["md", "tex", "html"])
def test_title_of_a_report_is_escaped(run, hostile, tmp_path, format_):
    path = tmp_path / f"report.{format_}"
    command = (
        "report",
        hostile,
        "--no-gains",
        "--draws",
        10,
        "--no-charts",
        "--title",
        HOSTILE,
        "-o",
        path,
    )
    assert run(*command).code == 0
    text = path.read_text(encoding="utf-8")
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & {*text}
