"""The library still answers what the golden record says.

When a test fails here: ``PYTHONPATH=tests .venv/bin/python -m golden diff [CASE…]`` shows all that
differs. Where the change is meant, `make golden` writes the record anew.
"""

from __future__ import annotations

import functools
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import unisono as un
from golden import cases, commands
from golden.cases import HERE, library_cases
from golden.commands import command_cases, run
from golden.history import kept
from golden.record import moved, names_changed, recorded_anew

CASES = library_cases() | command_cases()
RECORD = kept(HERE.parents[1])
# A page that stays open, versions of this machine, and a script of all options for a shell.
NO_ANSWER = {"serve", "doctor", "completion"}


@functools.cache
def answer(name: str) -> Any:
    return CASES[name].answer()


@pytest.mark.parametrize("name", CASES)
def test_no_number_moves(name):
    assert name in RECORD, "a new case: run `make golden`"
    lines = moved(name, RECORD[name], answer(name), tolerance=CASES[name].tolerance)
    assert not lines, "\n".join(["numbers moved:", *map(str, lines)])


@pytest.mark.parametrize("name", CASES)
def test_names_are_as_recorded(name):
    assert name in RECORD, "a new case: run `make golden`"
    now = recorded_anew(RECORD[name], answer(name), tolerance=CASES[name].tolerance)
    changed = names_changed(name, RECORD[name], now)
    assert not changed, f"names changed, run `make golden`:\n{changed}"


def test_the_record_has_no_other_cases():
    assert set(RECORD) == set(CASES)


def test_every_tolerance_is_of_a_case():
    for beginning in cases.TOLERANCES:
        assert any(name.startswith(beginning) for name in CASES), beginning


def test_every_public_function_has_a_case():
    functions = {name for name in un.__all__ if inspect.isfunction(getattr(un, name))}
    source = Path(cases.__file__).read_text(encoding="utf-8")
    assert functions <= set(re.findall(r"\bun\.(\w+)", source))


def test_every_command_has_a_case():
    _, help_, _ = run(("--help",))
    named = set(re.findall(r"^│ ([a-z][\w-]*)  ", help_, re.MULTILINE))
    assert len(named) > 10
    source = Path(commands.__file__).read_text(encoding="utf-8")
    assert named - NO_ANSWER <= set(re.findall(r"\(\s*\"([a-z-]+)\", ", source))


def test_no_version_or_digest_is_recorded():
    text = (HERE / "names.json").read_text(encoding="utf-8")
    assert un.__version__ not in text
    assert not re.search(r"data:[0-9a-f]{8}", text)
