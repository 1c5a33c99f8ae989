"""What the pages show as the output of a command is what the command prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def commands(page):
    """Find the commands of our program on a page, and what it shows below them."""
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for command, printed in COMMAND.findall(block):
            if command.startswith("unisono "):
                yield command.removeprefix("unisono "), printed


SHOWN = [
    (page.name, command, printed)
    for page in PAGES
    for command, printed in commands(page)
    if printed
]


def lines_of(text):
    """Split into lines, without the version that ends a signature."""
    return [re.sub(r"\|v:\S+$", "", line) for line in text.splitlines()]


@pytest.mark.parametrize(("page", "command", "printed"), SHOWN)
def test_a_command_prints_what_the_page_shows(run, page, command, printed, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    outcome = run(*shlex.split(command))

    assert (outcome.code, outcome.err) == (0, "")
    assert lines_of(outcome.out) == lines_of(printed)


def test_the_pages_that_show_output_are_read():
    assert {"README.md", "command-line.md"} <= {page for page, _, _ in SHOWN}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_command_stands_where_it_is_not_compared(page):
    prompts = re.findall(r"^\$ unisono ", page.read_text(encoding="utf-8"), re.MULTILINE)

    assert len(prompts) == len(list(commands(page)))
