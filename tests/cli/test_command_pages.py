"""The pages of commands on the documentation site have what their help has."""

from __future__ import annotations

import re

import pytest
from extension import commands

from unisono.cli.app import COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_of_a_command_has_its_options_and_examples(run, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "500")
    options, _, examples = run(name, "--help").out.partition("Examples:")
    page = commands.page(name)

    assert (
        set(re.findall(r"(?<=\s)--[a-z][a-z-]+", options))
        - set(re.findall(r"--[a-z][a-z-]+", page))
        == set()
    )
    assert [line for line in map(str.strip, examples.splitlines()) if line not in page] == []


def test_the_list_of_commands_links_to_all_pages():
    assert set(re.findall(r"\]\(([a-z-]+)\.md\)", commands.overview())) == set(COMMANDS)
