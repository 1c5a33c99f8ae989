"""Limits of a service, and problem responses."""

from __future__ import annotations

import pytest

from unisono.errors import AmbiguousInputError, ReadError, SettingError
from unisono.parallel.executors import available_cores
from unisono.results import Interpretation, Question, Reading
from unisono.web.problems import DOCUMENTATION, KINDS, Limits, ProblemError, problem_of


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"files": 0}, "the limit files must be at least 1, got 0"),
        ({"job_seconds": float("nan")}, "the limit job_seconds must be at least 1, got nan"),
        ({"units": float("inf")}, "the limit units must be at least 1, got inf"),
        ({"processes": -1}, "the limit processes must be at least 0, got -1"),
        (
            {"processes": 3, "memory_bytes": 700 * 2**20},
            "3 worker processes need at least 768 MB, but the limit memory_bytes is 700 MB",
        ),
    ],
)
def test_invalid_limits_are_rejected(value, message):
    with pytest.raises(SettingError, match=f"^{message}$"):
        Limits(**value)


def test_default_number_of_processes():
    assert Limits().processes == min(available_cores(), 4)
    assert Limits(processes=3).processes == 3


def test_processes_share_the_memory_and_the_cores():
    assert Limits(memory_bytes=2**30, processes=2).memory_of_one == 2**29
    assert Limits(processes=1).threads_of_one == available_cores()
    assert Limits(processes=1024, memory_bytes=2**40).threads_of_one == 1


def test_problem_has_kind_status_and_documentation():
    problem = ProblemError("busy", "256 jobs are waiting", headers={"Retry-After": "7"}, ahead=256)

    assert problem.record == {
        "type": f"{DOCUMENTATION}#problem-busy",
        "title": KINDS["busy"][1],
        "status": 429,
        "detail": "256 jobs are waiting",
        "kind": "busy",
        "ahead": 256,
    }
    assert (problem.status, problem.headers) == (429, {"Retry-After": "7"})
    assert ProblemError("limit", "no room", status=507).record["status"] == 507


def test_read_errors_have_file_and_line():
    record = problem_of(ReadError("start 'x' is not a number", path="a\x1b.csv", line=2)).record

    assert (record["kind"], record["file"], record["line"]) == ("reading", "a\\x1b.csv", 2)
    assert record["detail"].endswith(".csv:2: start 'x' is not a number")


DENIED = ("a\\n.csv: Permission denied", "a\\n.csv")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (OSError(24, "Too many open files"), ("Too many open files", None)),
        (TimeoutError(), ("TimeoutError", None)),
        (PermissionError(13, "Permission denied", "/secret/a\n.csv"), DENIED),
        (PermissionError(13, "Permission denied", b"/secret/a\n.csv"), DENIED),
    ],
)
def test_system_errors_do_not_reveal_paths(error, text):
    record = problem_of(error).record

    assert (record["detail"], record["file"]) == text
    assert record["kind"] == "reading"


def test_problems_are_returned_unchanged():
    problem = ProblemError("busy", "x")

    assert problem_of(problem) is problem


def test_a_question_about_files_has_its_readings_and_their_settings():
    question = Question(
        "rounds",
        "The folders hold the same files.",
        (
            Reading("they count together", {"documents": 4}),
            Reading("they are rounds"),
            Reading("they are annotators", {"annotators": 2}, {"annotator": "folder"}),
        ),
    )
    error = AmbiguousInputError(
        str(question), path="/srv/talks", interpretation=Interpretation(questions=(question,))
    )

    found = problem_of(error)

    assert (found.status, found.record["kind"]) == (422, "question")
    assert found.record["question"]["code"] == "rounds"
    readings = found.record["question"]["readings"]
    assert [each["settings"] for each in readings] == [
        {"accept": ["rounds"]},
        None,
        {"annotator": "folder"},
    ]
    assert [each["consequence"] for each in readings] == ["4 documents", "", "2 annotators"]
