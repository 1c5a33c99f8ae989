"""The table of names in the glossary agrees with functions, options and keys."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import unisono as un
from unisono.cli.app import COMMANDS
from unisono.formats.settings import RATING_SETTINGS, READ_SETTINGS
from unisono.registry import MEASURES, SETTINGS, STUDIES
from unisono.web.requests import REQUESTS

GLOSSARY = Path(__file__).resolve().parents[2] / "docs" / "glossary.md"
TITLE = "## Names in Python, on the command line and over HTTP"


def names() -> list[tuple[str, str, str]]:
    """Return the rows of the table: the names in Python, on the command line and over HTTP."""
    section = GLOSSARY.read_text(encoding="utf-8").partition(TITLE)[2].partition("\n## ")[0]
    rows = [line.strip("| ").split("|") for line in section.splitlines() if line.startswith("|")]
    return [
        tuple(cell.strip().strip("`") for cell in [*row[1:], ""][:3])  # type: ignore[misc]
        for row in rows[2:]
    ]


NAMES = names()
FUNCTIONS = [row for row in NAMES if not row[1].startswith("--")]
KEYWORDS = [row for row in NAMES if row[1].startswith("--")]


def test_the_table_has_functions_and_keywords():
    assert len(FUNCTIONS) >= 9
    assert len(KEYWORDS) >= 10


@pytest.mark.parametrize(("function", "command", "request_name"), FUNCTIONS)
def test_a_function_has_its_command_and_its_request(function, command, request_name):
    assert inspect.isfunction(getattr(un, function))
    assert command in COMMANDS
    if request_name:
        assert REQUESTS[request_name].function == function


@pytest.mark.parametrize(("keyword", "option", "key"), KEYWORDS)
def test_a_setting_has_its_keyword_its_option_and_its_key(keyword, option, key):
    tables = (SETTINGS, READ_SETTINGS, RATING_SETTINGS)
    settings = [table[keyword] for table in tables if keyword in table]

    assert settings
    assert {setting.option for setting in settings} == {option}
    assert {setting.key for setting in settings} == {key}
    functions: list[Any] = [un.read, un.read_ratings]
    functions += [each.load() for each in MEASURES.values()]
    functions += [each.load() for each in STUDIES.values()]
    assert any(keyword in inspect.signature(function).parameters for function in functions)


def test_no_setting_has_a_second_name():
    """The words that one of these settings replaced are names of no setting."""
    replaced = {"level", "bootstrap", "deletions", "n", "seed", "missing_text", "annotators_seen"}

    assert replaced.isdisjoint({*SETTINGS, *READ_SETTINGS, *RATING_SETTINGS})
    assert not [name for name in COMMANDS if re.fullmatch(r"all|scan|missing", name)]
