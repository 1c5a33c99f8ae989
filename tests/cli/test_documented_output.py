"""The console output in the documentation equals the output of the commands."""

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
    """Yield the commands on a page with the output shown below them."""
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
    """Split into lines, without the version at the end of a signature."""
    return [re.sub(r"\|v:\S+$", "", line) for line in text.splitlines()]


@pytest.mark.parametrize(("page", "command", "printed"), SHOWN)
def test_documented_output_is_up_to_date(run, page, command, printed, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    outcome = run(*shlex.split(command))

    assert outcome.code == 0
    # Only results are shown, not the notes on how the file was read.
    assert all(line.startswith("unisono: note: The labels are") for line in lines_of(outcome.err))
    assert lines_of(outcome.out) == lines_of(printed)


def test_the_pages_that_show_output_are_read():
    assert {"README.md", "command-line.md"} <= {page for page, _, _ in SHOWN}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_all_documented_commands_are_compared(page):
    prompts = re.findall(r"^\$ unisono ", page.read_text(encoding="utf-8"), re.MULTILINE)

    assert len(prompts) == len(list(commands(page)))
