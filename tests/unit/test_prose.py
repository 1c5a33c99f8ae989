"""Docstrings, messages and pages use the words of the field, not those of a private dialect.

The lists are short on purpose: they name what the project once had everywhere. A word that a
sentence really needs goes into `ALLOWED` with its file.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import unisono

SOURCES = Path(unisono.__file__).resolve().parent
ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / "docs" / "tutorials").glob("*.md"),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
]

DIALECT = {
    r"\btold\b": "stated, given, passed",
    r"\bwhom\b": "rebuild the sentence around the data",
    r"\bwhoever\b": "rebuild the sentence around the data",
    r"\b(no|some)body\b": "no annotator, a user",
    r"\bwished\b": "target",
    r"\bparted (by|at|from)\b": "separated",
    r"\bfor want of\b": "because there is no",
    r"(?<!there )\bis none\b": "is not one",
    r"\bone row an? \w+": "one row per",
    r"(?<!there )\bis no (JSON|TOML|XML|number|list|label|file|column|unit|table)\b": "is not a",
    r"\bthere is no such thing\b": "not found",
    r"\bodd, but kept\b": "warning",
    r"\bcalled otherwise\b": "renamed",
    r"\bas the crow flies\b": "Euclidean distance",
}
FIRST_WORDS = {"Give", "Gives", "Say", "Says", "Tell", "Tells", "Ask", "Asks", "Hold", "Holds"}
ALLOWED: set[tuple[str, str]] = set()


def strings(path: Path) -> list[str]:
    """Return the docstrings, other strings and comments of a module."""
    source = path.read_text(encoding="utf-8")
    found = [
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return found + re.findall(r"(?m)#\s(.*)$", source)


MODULES = sorted(SOURCES.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCES)))
def test_a_module_is_written_in_plain_english(path):
    text = "\n".join(strings(path))
    name = str(path.relative_to(SOURCES))
    found = {
        match[0]: better
        for pattern, better in DIALECT.items()
        if (name, pattern) not in ALLOWED
        for match in re.finditer(pattern, text)
    }
    assert not found


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_is_written_in_plain_english(path):
    text = path.read_text(encoding="utf-8")
    found = {
        match[0]: better
        for pattern, better in DIALECT.items()
        if (path.name, pattern) not in ALLOWED
        for match in re.finditer(pattern, text)
    }
    assert not found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCES)))
def test_docstrings_begin_as_those_of_numpy_do(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    nodes = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    first = {(ast.get_docstring(node) or "").split(" ", 1)[0] for node in nodes}

    assert first.isdisjoint(FIRST_WORDS)


def test_modules_are_named_after_things():
    nouns = {"sampling", "resampling", "matching", "shuffling", "planning", "unitizing"}
    words = {"hamming", "missing", "wording", "drawing", "rating", "string"}
    stems = {word for path in MODULES for word in path.stem.split("_")}

    assert {stem for stem in stems if stem.endswith("ing")} <= nouns | words
