"""Number of available cores, and reports of progress."""

from __future__ import annotations

import os

import pytest

from unisono.parallel.dispatch import Report
from unisono.parallel.executors import available_cores


def test_cores_are_those_the_process_may_use(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5}, raising=False)
    assert available_cores() == 3


@pytest.mark.parametrize(("counted", "cores"), [(8, 8), (None, 1)])
def test_without_affinity_the_cores_of_the_machine_count(monkeypatch, counted, cores):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: counted)
    assert available_cores() == cores


def test_a_report_adds_up_what_is_done():
    told: list[tuple[int, int]] = []
    report = Report(lambda done, total: told.append((done, total)), total=5)
    report.add(2)
    report.add(3)
    assert told == [(2, 5), (5, 5)]


def test_the_total_may_grow_on_the_way():
    told: list[tuple[int, int]] = []
    report = Report(lambda done, total: told.append((done, total)), total=5)
    report.add(5)
    report.total = 9
    report.add(4)
    assert told == [(5, 5), (9, 9)]


def test_a_report_without_a_function_is_silent():
    report = Report(None, total=5)
    report.add(5)
    assert report.progress is None
    assert report.total == 5
