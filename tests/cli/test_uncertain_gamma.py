"""A γ with wide certified bounds is not a headline, and has its own exit code."""

from __future__ import annotations

import csv
import math

import numpy as np
import pytest

from sample_results import gamma_result
from unisono.cli.exit_codes import ExitCode
from unisono.cli.options.work import exit_code_of
from unisono.measures.gamma import documents
from unisono.measures.gamma import gamma as measuring
from unisono.results.agreement import certain_range, outcome, uncertainty
from unisono.results.values import Bounds
from unisono.results.wording import decimals

HURRIED = ("--draws", 3, "--time-limit", 1e-9)


@pytest.fixture
def crowd(tmp_path):
    """Eight annotators with little agreement."""
    rng = np.random.default_rng(5)
    path = tmp_path / "crowd.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["annotator", "label", "start", "end"])
        for name in "abcdefgh":
            for start in rng.uniform(0, 60, 6):
                rows.writerow([name, "xyz"[rng.integers(3)], start, start + rng.uniform(2, 30)])
    return path


@pytest.mark.filterwarnings("ignore:γ is only known")
def test_wide_bounds_change_first_line_and_exit_code(run, crowd):
    outcome = run("gamma", crowd, *HURRIED)

    assert outcome.code == ExitCode.INCOMPLETE
    first = outcome.out.splitlines()[0]
    assert first.startswith("γ is only known to be between ")
    assert "Remedies: more time for each alignment" in " ".join(outcome.out.split())
    line = next(line for line in outcome.out.splitlines() if line.startswith("γ   "))
    assert line.split()[1] == "uncertain"
    assert "inf" not in outcome.out


@pytest.mark.filterwarnings("ignore:γ is only known")
def test_json_keeps_the_value_and_the_bounds(run, crowd):
    outcome = run("gamma", crowd, *HURRIED, "--json")

    assert outcome.code == ExitCode.INCOMPLETE
    certified = outcome.record["certified"]
    assert certified["low"] <= outcome.record["value"] <= certified["high"]
    assert certified["high"] - certified["low"] > 0.05


def test_proven_value_has_exit_code_0(run, talk):
    assert run("gamma", talk, "--draws", 30).code == ExitCode.GOOD


@pytest.mark.filterwarnings("ignore:γ is only known")
def test_other_commands_report_wide_bounds(run, crowd, tmp_path, monkeypatch):
    monkeypatch.setattr(documents, "EFFORT_OBSERVED", 1e-9)
    monkeypatch.setattr(measuring, "EFFORT_FIRST_DRAW", 1e-9)
    monkeypatch.setattr(measuring, "EFFORT_DRAW", 1e-9)
    page = tmp_path / "page.md"
    measured = run("units", crowd, "--draws", 3, "--seed", 1, "--workers", 1)
    assert measured.code == ExitCode.INCOMPLETE
    assert measured.out.startswith("γ is only known to be ")
    written = run("report", crowd, "--draws", 3, "--seed", 1, "--no-gains", "-o", page)
    assert written.code == ExitCode.INCOMPLETE
    assert written.out.startswith("γ is only known to be ")
    assert "γ is only known to be " in page.read_text(encoding="utf-8")


def test_bounds_are_described():
    assert certain_range(Bounds(0.25, 0.5)) == "between 0.2500 and 0.5000"
    assert (
        certain_range(Bounds(-math.inf, 0.5)) == "no higher than 0.5000 (no lower bound is known)"
    )


@pytest.mark.parametrize(
    ("bounds", "known"),
    [
        (Bounds(0.4, 0.6), "γ is only known to be between 0.4000 and 0.6000: "),
        (Bounds(-math.inf, 0.6), "γ is only known to be no higher than 0.6000 "),
    ],
)
def test_wide_bounds_replace_the_value(bounds, known):
    result = gamma_result(proven=False, certified=bounds)

    sentence = uncertainty(result)
    assert sentence is not None
    assert sentence.startswith(known)
    assert "fewer annotators" in sentence
    assert outcome(result) == "uncertain"
    assert exit_code_of(result) is ExitCode.INCOMPLETE
    assert known in str(result)
    assert result.to_markdown().startswith(known.split(":")[0])
    assert certain_range(bounds) in repr(result)
    assert "chance" not in [fact.column.name for fact in result.sheet().facts]
    assert "inf" not in f"{result}{result.to_markdown()}{result!r}"


def test_narrow_bounds_keep_the_value():
    result = gamma_result(proven=False, certified=Bounds(0.48, 0.52))

    assert uncertainty(result) is None
    assert outcome(result) == decimals(result.value)
    assert exit_code_of(result) is ExitCode.GOOD
    assert str(result) == str(gamma_result())
