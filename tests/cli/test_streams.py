"""Output to stdout is complete, or the program ends with an error."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

fcntl = pytest.importorskip("fcntl", reason="only POSIX has these streams")
resource = pytest.importorskip("resource", reason="only POSIX has these limits")

LIMIT = 8192
BUFFERING = pytest.mark.parametrize("unbuffered", ["", "1"])


@pytest.fixture
def long_talk(tmp_path):
    """Units whose alignment exceeds the capacity of a pipe several times."""
    rows = ["annotator,start,end,label"]
    rows += [f"{who},{10 * unit},{10 * unit + 5},A" for unit in range(1000) for who in ("a", "b")]
    path = tmp_path / "long.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def started(unbuffered, *arguments, **more):
    command = [sys.executable, "-m", "unisono", *map(str, arguments)]
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    return subprocess.Popen(command, env=environment, **more)


@BUFFERING
@pytest.mark.parametrize("arguments", [("--json",), ("--csv",), ()])
def test_full_disk_names_stdout(long_talk, unbuffered, arguments):
    with Path("/dev/full").open("wb") as full:
        process = started(
            unbuffered, "align", long_talk, *arguments, stdout=full, stderr=subprocess.PIPE
        )
        _, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert err == b"unisono: stdout: No space left on device\n"


@BUFFERING
def test_help_on_a_full_disk_is_an_error(unbuffered):
    with Path("/dev/full").open("wb") as full:
        process = started(unbuffered, "gamma", "--help", stdout=full, stderr=subprocess.PIPE)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert err == b"unisono: stdout: No space left on device\n"


@BUFFERING
@pytest.mark.parametrize("option", ["--json", "--csv"])
def test_partial_write_is_an_error(long_talk, tmp_path, unbuffered, option):
    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))

    with (tmp_path / "out").open("wb") as out:
        process = started(
            unbuffered,
            "align",
            long_talk,
            option,
            stdout=out,
            stderr=subprocess.PIPE,
            preexec_fn=limited,
        )
        _, err = process.communicate(timeout=120)
    # Only this much was written; the loss of the rest must be reported.
    assert (tmp_path / "out").stat().st_size == LIMIT
    assert (process.returncode, err) == (1, b"unisono: stdout: File too large\n")


@BUFFERING
def test_nonblocking_pipe_gets_all_content(long_talk, unbuffered):
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETFL, fcntl.fcntl(writing, fcntl.F_GETFL) | os.O_NONBLOCK)
    process = started(
        unbuffered, "align", long_talk, "--json", stdout=writing, stderr=subprocess.PIPE
    )
    os.close(writing)
    time.sleep(3)  # the pipe is full long before it is read
    with os.fdopen(reading, "rb") as pipe:
        out = pipe.read()
    _, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, b"")
    assert len(out) > 1 << 16
    assert len(json.loads(out)["groups"]) == 1000


@BUFFERING
def test_closed_pipe_ends_the_program_silently(long_talk, unbuffered):
    process = started(
        unbuffered,
        "align",
        long_talk,
        "--json",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.read(10)
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=120), err) == (141, b"")


def test_incomplete_file_is_named_and_removed(long_talk, tmp_path):
    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))

    out = tmp_path / "out.csv"
    out.write_text("old")
    process = started(
        "", "align", long_talk, "--csv", out, stderr=subprocess.PIPE, preexec_fn=limited
    )
    _, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (1, f"unisono: {out}: File too large\n".encode())
    assert out.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == [long_talk, out]


def test_full_device_is_named(long_talk):
    process = started("", "align", long_talk, "--csv", "/dev/full", stderr=subprocess.PIPE)
    _, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (1, b"unisono: /dev/full: No space left on device\n")
