"""What a worker process does with a task, and how it tells the end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from unisono.errors import DataError
from unisono.web.worker import TASKS, memory_in_use, run_task


@pytest.fixture
def perform(tmp_path, monkeypatch):
    """Do a task in this process, and give its end and what was told on the way."""
    monkeypatch.chdir(".")  # and back again, as the task goes where the data are
    source = {"folder": str(Path("examples").absolute()), "entries": ["interview.csv"]}

    def perform(measure="gamma", *, entries=None, **settings):
        heard: list[dict[str, object]] = []
        request = {
            "measure": measure,
            "sources": {"data": source | ({"entries": entries} if entries else {})},
            "settings": settings,
            "target": str(tmp_path),
            "units": 100,
            "draws": 1000,
            "threads": 1,
        }
        return run_task(request, heard.append), heard

    return perform


def test_a_task_tells_how_far_it_is_and_which_files_it_made(perform, tmp_path):
    last, heard = perform(draws=30, seed=1)
    names = [file["name"] for file in last["files"]]

    assert (last["event"], last["warnings"]) == ("done", [])
    assert names == ["result.json", "documents.csv", "groups.csv", "units.csv"]
    assert {path.name for path in tmp_path.iterdir()} == {*names, "shown.json", "documents"}
    assert list(dict.fromkeys(event["phase"] for event in heard)) == [
        *("reading", "measuring", "writing")
    ]
    assert {"event": "progress", "phase": "measuring", "done": 30, "total": 30} in heard


def test_a_task_that_fails_tells_why_in_the_words_of_json(perform):
    last, _ = perform(reading={"layer": ["turns"]})

    assert last["event"] == "failed"
    assert last["problem"]["kind"] in ("setting", "data", "reading")
    assert '"layer"' in last["problem"]["detail"]
    assert "--layer" not in last["problem"]["detail"]


def test_an_interrupted_task_is_cancelled(perform, monkeypatch):
    def interrupted(task):
        raise KeyboardInterrupt

    monkeypatch.setitem(TASKS, "gamma", interrupted)

    assert perform()[0] == {"event": "cancelled"}


def test_whoever_looks_for_an_error_gets_it_as_it_is(perform, monkeypatch):
    def broken(task):
        msg = "the very error"
        raise DataError(msg)

    monkeypatch.setitem(TASKS, "gamma", broken)
    monkeypatch.setenv("UNISONO_TRACEBACK", "1")
    with pytest.raises(DataError, match="the very error"):
        perform()
    monkeypatch.setenv("UNISONO_TRACEBACK", "")

    assert perform()[0]["problem"]["detail"] == "the very error"


def test_the_memory_of_the_process_grows_with_what_it_holds():
    before = memory_in_use()
    held = b"x" * (64 * 2**20)

    if Path("/proc/self/statm").exists():
        assert memory_in_use() - before > len(held) // 2
    else:
        assert memory_in_use() == 0


def test_where_the_system_does_not_tell_the_memory_is_0(monkeypatch):
    def unreadable(self, **_):
        raise FileNotFoundError(2, os.strerror(2), str(self))

    monkeypatch.setattr(Path, "read_text", unreadable)

    assert memory_in_use() == 0
