"""The pieces of the service that need no service."""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path

import pytest

import unisono as un
from unisono import charts
from unisono.errors import DataError, ReadError, SettingError
from unisono.web.client import Client
from unisono.web.drawing import alignment_drawing, continuum_drawing
from unisono.web.problems import KINDS, Limits, ProblemError, problem_of
from unisono.web.service import Job, Service
from unisono.web.uploads import EXAMPLES, example_source, safe_name
from unisono.web.worker import TASKS, performed

STATIC = Path(un.__file__).parent / "web" / "static"


def perform(measure, settings, folder, *, entries=("interview.csv",), **limits):
    """Do a task in this process, and come back."""
    here = os.getcwd()  # noqa: PTH109
    request = {
        "measure": measure,
        "sources": {"data": {"folder": str(Path("examples").absolute()), "entries": [*entries]}},
        "settings": settings,
        "target": str(folder),
        "units": 1000,
        "draws": 1000,
        "threads": 1,
    }
    try:
        return performed(request | limits, lambda _: None)
    finally:
        os.chdir(here)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (DataError("x"), "data"),
        (SettingError("x"), "setting"),
        (ReadError("x", path="a.csv"), "reading"),
        (MemoryError(), "memory"),
        (FileNotFoundError(2, "No such file", "/secret/place/a.csv"), "reading"),
        (ZeroDivisionError("secret"), "internal"),
        (ProblemError("busy", "x"), "busy"),
    ],
)
def test_every_error_becomes_a_problem_that_gives_nothing_away(error, kind):
    record = problem_of(error).record

    assert (record["kind"], record["status"]) == (kind, KINDS[kind][0])
    assert "secret" not in json.dumps(record)


def test_a_problem_is_one_line_however_long_the_message():
    detail = ProblemError("data", "a\nb\x1b" + "x" * 9000).record["detail"]

    assert "\n" not in detail
    assert "\x1b" not in detail
    assert len(detail) == 2000


def test_every_kind_of_problem_is_documented():
    page = (STATIC / "documentation.html").read_text(encoding="utf-8")

    assert [kind for kind in KINDS if f'id="problem-{kind}"' not in page] == []
    assert [name for name in TASKS if f"<code>{name}</code>" not in page] == []


def test_the_documentation_loads_nothing_from_elsewhere():
    for path in (STATIC / "documentation.html", STATIC / "documentation.css"):
        page = path.read_text(encoding="utf-8").replace("http://127.0.0.1:8000", "")

        assert "http" not in page.replace("HTTP", "")
        assert "<script" not in page


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"draws": 2000}, "at most 1000 of them; got draws 2000"),
        ({"precision": 0.002}, "ask for less precision"),
        ({"dissimilarity": {"distance": "near"}}, "unknown label distance 'near'"),
        ({"reading": {"layer": "turns"}}, "no layer 'turns' for \"layer\""),
    ],
)
def test_a_setting_that_cannot_be_used_is_told(tmp_path, settings, said):
    last = perform("gamma", settings, tmp_path)

    assert last["event"] == "failed"
    assert said in last["problem"]["detail"]


def test_an_upload_for_items_is_one_file(tmp_path):
    last = perform("items", {}, tmp_path, entries=["corpus"])

    assert "one file" in last["problem"]["detail"]


def test_warnings_of_the_library_are_handed_on(tmp_path, monkeypatch):
    import warnings

    def warn(task):
        warnings.warn("think again", UserWarning, stacklevel=1)

    monkeypatch.setitem(TASKS, "gamma", warn)
    assert perform("gamma", {}, tmp_path)["warnings"] == ["think again"]


FEW = {"errors": ["false_negative"], "magnitudes": [0.2, 0.5], "repeats": 5, "draws": 5}


def test_a_calibration_has_a_picture_that_loads_nothing(tmp_path):
    last = perform("calibrate", FEW, tmp_path)
    picture = (tmp_path / "curves.svg").read_text("utf-8")

    assert last["warnings"] == []
    assert "curves.svg" in [file["name"] for file in last["files"]]
    assert "interview: which errors would give this agreement" in picture
    assert "<script" not in picture
    assert "href" not in picture.replace("xmlns:xlink", "")


def test_a_calibration_without_the_drawing_libraries_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(charts, "can_draw", lambda: False)
    last = perform("calibrate", FEW, tmp_path)

    assert last["event"] == "done"
    assert "curves.svg" not in [file["name"] for file in last["files"]]
    assert last["warnings"] == [
        "the curves are not drawn: charts need more packages: pip install 'unisono[plot]'"
    ]


def test_a_drawing_has_labels_of_every_kind_as_texts():
    talk = un.Continuum.from_units(
        [("ann", 0, 2, frozenset("ab")), ("ann", 3, 4, None), ("bob", 0, 2, "<b>")]
    )

    assert continuum_drawing("talk", talk)["labels"] == [None, "<b>", "{a, b}"]


def test_an_infinite_disorder_is_no_number_in_json():
    talk = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
    drawing = alignment_drawing("talk", un.best_alignment(talk))

    assert json.loads(json.dumps(drawing, allow_nan=False))["groups"]


def test_examples_are_found_by_name_only():
    assert all(
        example_source(example.to_dict()["data"])["entries"]
        for example in EXAMPLES
        if example.to_dict()["data"]
    )
    for name in ("example:..", "example:", "example:/etc", "example:interview.csv"):
        with pytest.raises(ProblemError, match="there is no example"):
            example_source(name)


@pytest.mark.parametrize("name", ["", "/", "..", "../..", "a/", "\x00", "C:", "a/" * 30 + "b"])
def test_a_name_of_nothing_is_refused(name):
    with pytest.raises(ProblemError):
        safe_name(name)


def test_a_long_name_keeps_its_suffix():
    assert safe_name("ü" * 300 + ".TextGrid").endswith("ü.TextGrid")


def test_time_left_is_told_when_it_is_known():
    job = Job("gamma", {}, Path("nowhere"))
    job.begin()
    job.advance({"phase": "measuring", "done": 0, "total": 0})
    assert job.seconds_left is None
    job._measuring = time.monotonic() - 10
    job.advance({"phase": "measuring", "done": 25, "total": 100})

    assert job.seconds_left == pytest.approx(30, abs=1)


def test_what_ended_stays_as_it_ended():
    job = Job("gamma", {}, Path("nowhere"))
    job.finish("cancelled")
    job.finish("done")
    job.advance({"phase": "measuring", "done": 1, "total": 2})

    assert (job.state, job.done) == ("cancelled", 0)


def test_the_oldest_results_make_room(monkeypatch):
    async def swept():
        async with Service(Limits(processes=1, storage_bytes=100_000)) as service:
            jobs = []
            for seed in range(12):
                settings = {"rng": seed, "draws": 30}
                jobs.append(service.submit("gamma", {"data": "example:interview"}, settings))
                await jobs[-1].end(60)
                jobs[-1].expires += seed
            await service.sweep()
            kept = [job for job in jobs if job.id in service._jobs]
            return jobs, kept, sum(job.bytes for job in kept)

    jobs, kept, size = asyncio.run(swept())

    assert size <= 100_000
    assert 0 < len(kept) < len(jobs)
    assert kept == jobs[-len(kept) :]


def test_a_client_takes_the_token_of_an_address():
    assert Client("http://localhost:9/#token=a%20b")._token == "a b"  # noqa: S105
