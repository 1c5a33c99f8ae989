"""Tasks, problems, static files and examples, without a running service."""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from pathlib import Path

import pytest

import unisono as un
from unisono import charts
from unisono.errors import DataError, ReadError, SettingError
from unisono.registry import MEASURES, SETTINGS
from unisono.results.sheet import KINDS as COLUMN_KINDS
from unisono.web.drawings import alignment_drawing, continuum_drawing
from unisono.web.problems import KINDS, Limits, ProblemError, problem_of
from unisono.web.requests import READINGS, REQUESTS
from unisono.web.schemas import SETTINGS_OF
from unisono.web.service import Job, Service
from unisono.web.uploads import EXAMPLES, example_source, safe_name
from unisono.web.worker import TASKS, run_task

STATIC = Path(un.__file__).parent / "web" / "static"
SHARED = {"reading", "dissimilarity"}


def perform(measure, settings, folder, *, entries=("interview.csv",), **limits):
    """Run a task in the test process, and restore the working directory."""
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
        return run_task(request | limits, lambda _: None)
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
def test_errors_become_problems_without_internal_details(error, kind):
    record = problem_of(error).record

    assert (record["kind"], record["status"]) == (kind, KINDS[kind][0])
    assert "secret" not in json.dumps(record)


def test_details_of_problems_are_single_truncated_lines():
    detail = ProblemError("data", "a\nb\x1b" + "x" * 9000).record["detail"]

    assert "\n" not in detail
    assert "\x1b" not in detail
    assert len(detail) == 2000


def test_every_kind_of_problem_is_documented():
    page = (STATIC / "documentation.html").read_text(encoding="utf-8")

    assert [kind for kind in KINDS if f'id="problem-{kind}"' not in page] == []
    assert [name for name in TASKS if f"<code>{name}</code>" not in page] == []


def listed_settings():
    """Return the settings in the table of the page, by request or group of requests."""
    page = (STATIC / "documentation.html").read_text(encoding="utf-8")
    table = page.partition('<h2 id="settings">')[2].partition("</table>")[0]
    rows = [row.split("</td><td>") for row in re.findall(r"<tr><td>(.*?)</td></tr>", table)]
    # The code after a semicolon is about the data, not about settings.
    return {
        re.sub(r"<.*?>", "", name): " ".join(re.findall(r"<code>(.*?)</code>", of.split(";")[0]))
        for name, of in rows
    }


@pytest.mark.parametrize("measure", SETTINGS_OF)
def test_the_page_lists_exactly_the_settings_of_a_request(measure):
    listed = set(listed_settings().get(measure, "").split())
    names = {name for name in SETTINGS_OF[measure].model_fields if name not in SHARED}
    if measure == "chart":
        names -= set(SETTINGS_OF["gamma"].model_fields)
        listed.discard("gamma")
    of_files = {"reliability": "cases"}.get(measure, measure)
    if of_files in READINGS and of_files != "units":
        names |= {"reading", *(one.key for one in READINGS[of_files].values())}

    assert listed == names


@pytest.mark.parametrize(
    ("group", "names"),
    [
        ("every measure of units", {"reading", *(one.key for one in READINGS["units"].values())}),
        (
            "measures with alignments",
            {"dissimilarity", *un.CombinedDissimilarity.__dataclass_fields__},
        ),
    ],
)
def test_the_page_lists_exactly_the_settings_of_a_group(group, names):
    assert set(listed_settings()[group].split()) == names


@pytest.mark.parametrize("path", sorted(STATIC.glob("*.js")), ids=lambda path: path.name)
def test_scripts_contain_no_names_of_measures_or_settings(path):
    script = path.read_text(encoding="utf-8")
    own = {*REQUESTS, *COLUMN_KINDS}  # names of addresses and kinds of columns are allowed
    settings = [
        *SETTINGS.values(),
        *(one for table in READINGS.values() for one in table.values()),
    ]
    texts = {text for one in MEASURES.values() for text in (one.symbol, one.title, one.meaning)}
    texts |= {one.title for one in settings if " " in one.title} | {one.help for one in settings}
    texts |= {text for one in settings for text in one.meanings.values() if " " in text}
    texts |= {one.title for one in REQUESTS.values() if one.title}
    names = {*MEASURES, *(name for one in SETTINGS.values() for name in one.meanings)} - own

    # A short word may be the name of a variable, but not a string.
    quoted = {text for text in texts if len(text) < 3} | names
    assert [text for text in texts - quoted if text in script] == []
    assert [name for name in quoted if f'"{name}"' in script] == []


@pytest.mark.parametrize(
    "name", ["results.js", "items.js", "fields.js", "settings.js", "words.js", "charts.js"]
)
def test_scripts_do_not_parse_formatted_values(name):
    script = (STATIC / name).read_text(encoding="utf-8")

    assert " to /" not in script
    assert re.search(r"RegExp|\.(match|test|search)\(|\.replace(All)?\(/", script) is None


def test_documentation_loads_no_external_resources():
    for path in (STATIC / "documentation.html", STATIC / "documentation.css"):
        page = path.read_text(encoding="utf-8").replace("http://127.0.0.1:8000", "")

        assert "http" not in page.replace("HTTP", "")
        assert "<script" not in page


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"draws": 2000}, '"draws": 2000 is more than this service allows'),
        ({"precision": 0.002}, "choose a larger relative error"),
        ({"dissimilarity": {"distance": "near"}}, 'unknown "distance": "near"'),
        ({"reading": {"layer": "turns"}}, "unknown layer 'turns' for \"layer\""),
    ],
)
def test_invalid_settings_are_reported(tmp_path, settings, message):
    last = perform("gamma", settings, tmp_path)

    assert last["event"] == "failed"
    assert message in last["problem"]["detail"]


def test_items_need_a_single_file(tmp_path):
    last = perform("items", {}, tmp_path, entries=["corpus"])

    assert "a single file" in last["problem"]["detail"]


def test_warnings_of_the_library_are_part_of_the_result(tmp_path, monkeypatch):
    import warnings

    def warn(task):
        warnings.warn("think again", UserWarning, stacklevel=1)

    monkeypatch.setitem(TASKS, "gamma", warn)
    assert perform("gamma", {}, tmp_path)["warnings"] == ["think again"]


FEW = {"errors": ["false_negative"], "magnitudes": [0.2, 0.5], "repeats": 5, "draws": 5}


def test_calibration_has_an_image_without_external_resources(tmp_path):
    last = perform("calibrate", FEW, tmp_path)
    picture = (tmp_path / "curves.svg").read_text("utf-8")

    assert last["warnings"] == []
    assert "curves.svg" in [file["name"] for file in last["files"]]
    assert "interview: errors that would explain the observed agreement" in picture
    assert "<script" not in picture
    assert "href" not in picture.replace("xmlns:xlink", "")


def test_calibration_without_plotting_libraries_has_a_warning(tmp_path, monkeypatch):
    monkeypatch.setattr(charts, "can_draw", lambda: False)
    last = perform("calibrate", FEW, tmp_path)

    assert last["event"] == "done"
    assert "curves.svg" not in [file["name"] for file in last["files"]]
    reason = "charts need additional packages: pip install 'unisono[plot]'"
    assert last["warnings"] == [f"the curves could not be drawn: {reason}"]


def test_labels_of_a_drawing_are_strings():
    talk = un.Continuum.from_units(
        [("ann", 0, 2, frozenset("ab")), ("ann", 3, 4, None), ("bob", 0, 2, "<b>")]
    )

    assert continuum_drawing("talk", talk)["labels"] == [None, "<b>", "{a, b}"]


def test_infinite_disorder_is_null_in_json():
    talk = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
    drawing = alignment_drawing("talk", un.best_alignment(talk))

    assert json.loads(json.dumps(drawing, allow_nan=False))["groups"]


def test_examples_are_found_by_name():
    assert all(
        example_source(example.to_dict()["data"])["entries"]
        for example in EXAMPLES
        if example.to_dict()["data"]
    )
    for name in ("example:..", "example:", "example:/etc", "example:interview.csv"):
        with pytest.raises(ProblemError, match="unknown example"):
            example_source(name)


@pytest.mark.parametrize("name", ["", "/", "..", "../..", "a/", "\x00", "C:", "a/" * 30 + "b"])
def test_empty_file_names_are_rejected(name):
    with pytest.raises(ProblemError):
        safe_name(name)


def test_a_long_name_keeps_its_suffix():
    assert safe_name("ü" * 300 + ".TextGrid").endswith("ü.TextGrid")


def test_remaining_time_is_estimated():
    job = Job("gamma", {}, Path("nowhere"))
    job.begin()
    job.advance({"phase": "measuring", "done": 0, "total": 0})
    assert job.seconds_left is None
    job._measuring = time.monotonic() - 10
    job.advance({"phase": "measuring", "done": 25, "total": 100})

    assert job.seconds_left == pytest.approx(30, abs=1)


def test_final_state_of_a_job_does_not_change():
    job = Job("gamma", {}, Path("nowhere"))
    job.finish("cancelled")
    job.finish("done")
    job.advance({"phase": "measuring", "done": 1, "total": 2})

    assert (job.state, job.done) == ("cancelled", 0)


def test_oldest_results_are_deleted_first(monkeypatch):
    async def swept():
        async with Service(Limits(processes=1, storage_bytes=100_000)) as service:
            jobs = []
            for seed in range(12):
                settings = {"seed": seed, "draws": 30}
                jobs.append(service.submit("gamma", {"data": "example:interview"}, settings))
                await jobs[-1].wait(60)
                jobs[-1].expires += seed
            await service.sweep()
            kept = [job for job in jobs if job.id in service._jobs]
            return jobs, kept, sum(job.bytes for job in kept)

    jobs, kept, size = asyncio.run(swept())

    assert size <= 100_000
    assert 0 < len(kept) < len(jobs)
    assert kept == jobs[-len(kept) :]
