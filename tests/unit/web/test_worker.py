"""Tasks in a worker process, and their events."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from unisono.errors import DataError
from unisono.web.worker import TASKS, memory_in_use, run_task


@pytest.fixture
def perform(tmp_path, monkeypatch):
    """Run a task in the test process, and return its last event and the others."""
    monkeypatch.chdir(".")  # restored after the test, because tasks change the working directory
    source = {"folder": str(Path("examples").absolute()), "entries": ["interview.csv"]}

    def perform(measure="gamma", *, entries=None, roles=("data",), **settings):
        events: list[dict[str, object]] = []
        request = {
            "measure": measure,
            "sources": dict.fromkeys(roles, source | ({"entries": entries} if entries else {})),
            "settings": settings,
            "target": str(tmp_path),
            "units": 100,
            "draws": 1000,
            "threads": 1,
        }
        return run_task(request, events.append), events

    return perform


def test_task_reports_progress_and_files(perform, tmp_path):
    last, events = perform(draws=30, seed=1)
    names = [file["name"] for file in last["files"]]

    assert (last["event"], last["warnings"]) == ("done", [])
    assert names == ["result.json", "documents.csv", "groups.csv", "units.csv"]
    assert {path.name for path in tmp_path.iterdir()} == {*names, "shown.json", "documents"}
    assert list(dict.fromkeys(event["phase"] for event in events)) == [
        *("reading", "measuring", "writing")
    ]
    assert {"event": "progress", "phase": "measuring", "done": 30, "total": 30} in events


def test_failed_task_reports_a_problem_with_json_keys(perform):
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


def test_errors_are_raised_if_a_traceback_is_requested(perform, monkeypatch):
    def broken(task):
        msg = "the very error"
        raise DataError(msg)

    monkeypatch.setitem(TASKS, "gamma", broken)
    monkeypatch.setenv("UNISONO_TRACEBACK", "1")
    with pytest.raises(DataError, match="the very error"):
        perform()
    monkeypatch.setenv("UNISONO_TRACEBACK", "")

    assert perform()[0]["problem"]["detail"] == "the very error"


def test_memory_in_use_grows():
    before = memory_in_use()
    held = b"x" * (64 * 2**20)

    if Path("/proc/self/statm").exists():
        assert memory_in_use() - before > len(held) // 2
    else:
        assert memory_in_use() == 0


def test_unknown_memory_use_is_zero(monkeypatch):
    def unreadable(self, **_):
        raise FileNotFoundError(2, os.strerror(2), str(self))

    monkeypatch.setattr(Path, "read_text", unreadable)

    assert memory_in_use() == 0


def test_charts_need_the_plotting_packages(perform, monkeypatch):
    monkeypatch.setattr("unisono.charts.can_draw", lambda: False)
    problem = perform("chart", kind="continuum")[0]["problem"]

    assert problem["kind"] == "unavailable"
    assert "pip install 'unisono[plot]'" in problem["detail"]


INVALID: dict[str, tuple[tuple[str, dict[str, Any]], str]] = {
    "a method without resamples": (
        ("items", {"method": "bca"}),
        '"method" needs "resamples", the number of resamples',
    ),
    "resamples of clusters": (
        ("items", {"resamples": 100, "clusters": "text"}),
        (
            '"clusters" cannot be combined with "resamples", which resamples single items; omit '
            "one of them"
        ),
    ),
    "an unknown document": (
        ("chart", {"kind": "continuum", "document": "gone"}),
        "unknown document 'gone'; the documents are interview",
    ),
}


@pytest.mark.parametrize("case", INVALID)
def test_a_task_names_the_setting_that_is_wrong(case, perform):
    request, message = INVALID[case]
    measure, settings = request
    entries = ["politeness.csv"] if measure == "items" else ["interview.csv"]
    problem = perform(measure, entries=entries, **settings)[0]["problem"]

    assert problem["kind"] == "setting"
    assert message in problem["detail"]


def test_a_hypothesis_of_several_annotators_is_refused(perform):
    problem = perform("compare", roles=("reference", "hypothesis"))[0]["problem"]

    assert problem["kind"] == "setting"
    assert "the hypothesis has several annotators, " in problem["detail"]
    assert 'choose one with "hypothesis"' in problem["detail"]
