"""Consistency of commands: help, options and their meaning."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import get_args

import pytest

from unisono.cli.app import COMMANDS, program

ROOT = Path(__file__).resolve().parents[2]
# Options with different meanings in different commands.
DIFFERENT = {
    "documents": "with --units, shuffle and curves generate this number",
    "labels": "with --units, the labels of the generated reference",
    "reference": "of shuffle one annotator, of compare several",
    "measure": "missing-policies and plan accept one coefficient",
    "magnitudes": "curves also accepts their number",
    "overlap": "shuffle says whether units may overlap, others what to do where they do",
    "output": "a file, or of reproduce a folder, or of consensus either",
    "window": "of segments a length, of charts a stretch",
    "layer": "of items one question, of units one or more layers",
    "to": "which formats can be written depends on what is",
}
# Aliases of the options for columns; pyramids has no such columns, and only the aliases.
ALSO_ALONE = {"document-from", "annotator-from"}
# The headings of options in help.
HEADINGS = {
    *("Address", "Alignment", "Alphas", "Arguments", "Changes to evaluate", "Chance", "Chart"),
    *(
        "Coefficients",
        "Columns",
        "Consensus",
        "Content",
        "Dissimilarity of units",
        "Errors",
        "General",
    ),
    *("Limits", "Matching", "Measures", "Other measures", "Output", "Reading"),
    *("Reference", "Segments", "Simulated annotators", "Task", "Test", "Uncertainty", "Work"),
}
APP = program()
ARGUMENTS = {
    name: APP[name].assemble_argument_collection(parse_docstring=True) for name in COMMANDS
}


def options_of(command):
    """Return the options in the help by their first names."""
    return {
        argument.names[0].removeprefix("--"): argument
        for argument in ARGUMENTS[command]
        if argument.parse and argument.names and argument.names[0].startswith("--")
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command_has_examples_in_eighty_columns(run, command):
    outcome = run(command, "--help")
    examples = outcome.out.partition("Examples:\n")[2].strip().splitlines()

    assert (outcome.code, outcome.err) == (0, "")
    assert f"{outcome.out.splitlines()[0]} ".startswith(f"Usage: unisono {command} [OPTIONS] ")
    assert len(examples) >= 2
    assert all(line.lstrip().startswith("unisono ") for line in examples)
    assert max(map(len, outcome.out.splitlines())) <= 80


# Files of the project that correspond to those in examples.
LIKE = {
    "turns.csv": "paragraphs.csv",
    "export.json": "interview.csv",
    "ratings.csv": "politeness.csv",
    "chapters.csv": "paragraphs.csv",
    "coders/": "coreference",
}
WITH_JQ = [
    line.strip()
    for command in COMMANDS
    for line in COMMANDS[command].examples(command).splitlines()
    if " | jq " in line and "reproduce" not in line
]


@pytest.mark.parametrize("example", WITH_JQ)
def test_jq_paths_of_examples_exist(run, example):
    command, path = example.split(" | jq .")
    _, name, *words = shlex.split(command)
    files = [str(ROOT / "examples" / LIKE[word]) if word in LIKE else word for word in words]
    found = run(name, *files).record
    for key in path.split("."):
        assert key in found
        found = found[key]


def test_headings_of_options(run):
    found = {
        line.strip("╭─╮ ")
        for command in COMMANDS
        for line in run(command, "--help").out.splitlines()
        if line.startswith("╭")
    }

    assert found == HEADINGS


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_are_parsed(command):
    for line in COMMANDS[command].examples(command).splitlines()[2:]:
        program_name, *words = shlex.split(re.split(r" [|>] ", line)[0])
        words = ["--csv=-" if word == "--csv" and word is words[-1] else word for word in words]
        app = program(only=words[0])
        app.parse_args(words, exit_on_error=False, print_error=False)

        assert program_name == "unisono"


@pytest.mark.parametrize("command", COMMANDS)
def test_summaries_equal_docstrings(command):
    entry = COMMANDS[command]
    first = (entry.load().__doc__ or "").splitlines()[0]

    assert entry.summary == first
    assert len(entry.summary) <= 66, "one line of eighty columns"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_the_general_options(command):
    assert {"quiet", "config", "no-config"} <= set(options_of(command))


@pytest.mark.parametrize("command", COMMANDS)
def test_options_have_help(command):
    helps = {name: argument.parameter.help for name, argument in options_of(command).items()}

    assert [name for name, text in helps.items() if not text] == []


def test_options_have_the_same_type_in_all_commands():
    takes = defaultdict(set)
    for command in COMMANDS:
        for name, argument in options_of(command).items():
            if name not in DIFFERENT:
                is_flag = bool in (argument.hint, *get_args(argument.hint))
                count = 0 if is_flag else argument.token_count()
                takes[name].add((argument.parameter.metavar, count))

    assert {name: kinds for name, kinds in takes.items() if len(kinds) > 1} == {}


def test_aliases_are_never_main_names():
    first = {name for command in COMMANDS for name in options_of(command)}
    others = {
        name.removeprefix("--")
        for command in COMMANDS
        for argument in options_of(command).values()
        for name in argument.names[1:]
        if name.startswith("--") and name not in argument.negatives
    }

    assert first & others == ALSO_ALONE


def test_help_does_not_import_commands_or_numpy():
    for arguments in ("[]", "['--help']", "['--version']", "['gamma', '--version']"):
        code = (
            f"import sys; from unisono.cli.main import main; main({arguments}); print(*sys.modules)"
        )
        shown = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        loaded = set(shown.stdout.decode().splitlines()[-1].split())

        if "gamma" not in arguments:
            assert not {"numpy", "unisono.cli.gamma", "unisono.measures"} & loaded
        assert not {"unisono.cli.items", "altair"} & loaded


def test_first_steps_are_printed_without_arguments(run):
    outcome = run()

    assert (outcome.code, outcome.err) == (0, "")
    assert len(outcome.out.splitlines()) < 25
    assert max(map(len, outcome.out.splitlines())) <= 80
    assert "unisono describe" in outcome.out
    assert run("-q").out == run("--config", "x.toml").out == outcome.out


def test_first_steps_work(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    steps = [line.strip() for line in run().out.splitlines() if "demo.csv" in line]

    assert len(steps) == 2
    for step in steps:
        assert run(*shlex.split(step)[1:], "--seed", 1).code == 0
    named = re.findall(r"^  unisono (\w+)", run().out, re.MULTILINE)
    assert set(named) <= set(COMMANDS)


def test_documentation_lists_all_commands():
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")

    assert [name for name in COMMANDS if f"\nunisono {name} " not in page] == []


def test_documented_options_exist():
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    known = {
        name for command in COMMANDS for argument in ARGUMENTS[command] for name in argument.names
    }
    written = set(re.findall(r"`(--[a-z][a-z-]+)", page))

    assert written - known - {"--help", "--version"} == set()
