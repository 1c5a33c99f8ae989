"""Project settings in ``unisono.toml``: discovery, precedence, notes and errors."""

from __future__ import annotations

import os
import re
import threading
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from unisono.cli.app import COMMANDS, _options_of, program
from unisono.cli.config import MEASURING_AND_READING, options_by_name

if TYPE_CHECKING:
    from cyclopts import Group
    from cyclopts.argument import Argument

ROOT = Path(__file__).resolve().parents[2]
WHO = ("Alex", "Paul", "Suzan")
SEED = "[default]\nseed = 7\n"


@pytest.fixture
def project(tmp_path, talk, monkeypatch):
    """Change to a folder below the settings file, and return a function that writes it."""
    inside = tmp_path / "day" / "one"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    return (tmp_path / "unisono.toml").write_text


def signature(outcome):
    return outcome.out.splitlines()[-1]


def test_settings_are_found_in_a_parent_folder(run, project, talk):
    project('[default]\nseed = 7\nseen-by = "corpus"\n\n[gamma]\ndraws = 31\nlabel = 2\n')
    outcome = run("gamma", talk)

    assert outcome.code == 0
    for part in ("label=2", "draws:31", "seed:7", "annotators:corpus"):
        assert part in signature(outcome)
    assert outcome.err.startswith("unisono: note: ")
    assert "unisono.toml sets --draws 31, --label 2, --seed 7, --seen-by corpus" in outcome.err


def test_typed_options_have_precedence(run, project, talk):
    project(f"{SEED}[gamma]\ndraws = 31\n")
    outcome = run("gamma", talk, "--seed", 8)

    assert "|draws:31|seed:8|" in signature(outcome)
    assert "--seed" not in outcome.err


def test_command_table_precedes_the_default_table(run, project, talk):
    project("[default]\ndraws = 40\nseed = 1\n[gamma]\ndraws = 31\n")

    assert "|draws:31|" in signature(run("gamma", talk))


def test_typed_option_replaces_its_alternative(run, project, talk):
    project(f"{SEED}draws = 31\n")
    outcome = run("gamma", talk, "--precision", 0.1)

    assert outcome.code == 0
    assert "|draws:31|" not in signature(outcome)
    assert "--draws" not in outcome.err


def test_alternative_for_the_command_replaces_the_default(run, project, talk):
    project(f"{SEED}precision = 0.5\n[gamma]\ndraws = 31\n")

    assert "|draws:31|" in signature(run("gamma", talk))


def test_default_table_applies_to_commands_with_the_option(run, project, talk):
    project(SEED)

    assert run("describe", talk).err == ""


def test_settings_can_be_ignored_or_selected(run, project, talk, tmp_path):
    project("[gamma]\ndraws = 0\n")
    other = tmp_path / "other.toml"
    other.write_text("[gamma]\ndraws = 31\nseed = 7\n")

    assert run("gamma", talk).code == 2
    assert run("gamma", talk, "--no-config", "--draws", 30).code == 0
    assert "|draws:31|seed:7|" in signature(run("gamma", talk, "--config", other))
    assert run("--config", other, "gamma", talk).code == 0
    assert "exclude each other" in run("gamma", talk, "--config", other, "--no-config").err
    assert run("gamma", talk, "--config", "lost.toml").code == 1


def test_only_typed_quiet_hides_the_note(run, project, talk, tmp_path):
    project(SEED)
    named = tmp_path / "named.toml"
    named.write_text(f"{SEED}quiet = true\n")

    assert "unisono.toml sets --seed 7" in run("gamma", talk, "--draws", 30).err
    assert run("gamma", talk, "--draws", 30, "-q").err == ""
    outcome = run("gamma", talk, "--draws", 30, "--config", named)
    assert "named.toml sets --seed 7, --quiet true" in outcome.err


def test_toml_lists_flags_and_pairs(run, project, talk):
    project(
        "[gamma]\nseed = 1\ndraws = 30\nsteep = true\nextent = [0, 99]\n"
        'chance-from = ["Alex", "Paul"]\nheader = true\nlayer = []\n'
    )
    outcome = run("gamma", talk)
    typed = run(
        *("gamma", talk, "--no-config", "--seed", 1, "--draws", 30, "--steep"),
        *("--extent", 0, 99, "--chance-from", "Alex,Paul"),
    )

    assert outcome.out == typed.out
    assert "--steep true, --extent 0,99, --chance-from Alex,Paul, --header true" in outcome.err


def test_csv_true_is_csv_on_stdout(run, talk, tmp_path):
    named = tmp_path / "named.toml"
    named.write_text("[align]\ncsv = true\n")

    assert run("align", talk, "--config", named).out.startswith("group,disorder,")
    assert run("align", talk, "--json", "--config", named).record["n_units"] == 16


def test_relative_paths_are_resolved_from_the_settings_file(run, project, talk, tmp_path):
    labels = "1234567"
    rows = [f",{','.join(labels)}"]
    rows += [f"{a},{','.join('0' if a == b else '1' for b in labels)}" for a in labels]
    (tmp_path / "matrix.csv").write_text("\n".join(rows) + "\n")
    project('[align]\ndistance = "matrix.csv"\n')

    assert run("align", talk).code == 0


HOSTILE = [
    ("gamma", "csv", "'{out}'"),
    ("gamma", "csv", "true"),
    ("gamma", "json", "true"),
    ("gamma", "cluster", "'tcp://127.0.0.1:9'"),
    ("gamma", "checkpoint", "'{out}'"),
    ("gamma", "workers", "1000"),
    ("gamma", "keep-going", "true"),
    ("gamma", "quiet", "true"),
    ("compare", "matched", "'{out}'"),
    ("consensus", "output", "'{out}'"),
    ("consensus", "undecided", "'{out}'"),
    ("report", "output", "'{out}'"),
    ("report", "title", "'<script>'"),
    ("chart", "output", "'{out}'"),
    ("calibrate", "chart", "'{out}'"),
    ("shuffle", "record", "'{out}'"),
    ("convert", "to", "'brat'"),
    ("reproduce", "output", "'{out}'"),
    ("completion", "install", "true"),
    ("serve", "host", "'0.0.0.0'"),
    ("serve", "token", "'a token of a stranger'"),
    ("serve", "allow-origin", "['https://evil.example']"),
    ("serve", "allow-host", "['evil.example']"),
    ("serve", "open", "true"),
    ("serve", "max-memory", "1000000"),
]
ARGUMENTS = {
    "compare": ["{talk}", "{talk}"],
    "chart": ["parts", "{talk}", "-o", "{folder}/mine.svg"],
    "convert": ["{talk}", "{folder}/mine.jsonl"],
    "report": ["{talk}", "--to", "md"],
    "shuffle": ["--units", "3", "--magnitude", "0.1"],
    "reproduce": ["komen"],
    "completion": ["bash"],
    "serve": ["--port", "70000"],  # rejected later, so that the test ends even if the check fails
}


@pytest.mark.parametrize("table", ["default", "own"])
@pytest.mark.parametrize(("command", "key", "value"), HOSTILE)
def test_found_file_cannot_set_dangerous_options(
    run, project, talk, tmp_path, table, command, key, value
):
    out = tmp_path / "target"
    heading = command if table == "own" else table
    project(f"[{heading}]\n{key} = {value.format(out=out)}\n")
    arguments = [
        each.format(talk=talk, folder=tmp_path) for each in ARGUMENTS.get(command, ["{talk}"])
    ]
    before = sorted(tmp_path.rglob("*"))
    outcome = run(command, *arguments)

    assert (outcome.code, outcome.out) == (2, "")
    assert f"unisono.toml:2: {key} cannot be set here" in outcome.err
    assert f"Type --{key}, or use --config " in outcome.err
    assert sorted(tmp_path.rglob("*")) == before


def test_found_file_cannot_disguise_keys(run, project, talk):
    for settings in (
        "gamma.csv = 'x'\n",
        "gamma = {csv = 'x'}\n",
        "['gamma']\n'csv' = 'x'\n",
        '[gamma]\n"\\u0063sv" = "x"\n',
    ):
        project(settings)
        outcome = run("gamma", talk)

        assert outcome.code == 2
        assert re.search(r"unisono.toml:\d: csv cannot be set here", outcome.err), outcome.err


def test_named_file_can_set_all_options(run, project, talk, tmp_path):
    out = tmp_path / "documents.csv"
    project(f"[gamma]\ncsv = '{out}'\ndraws = 30\n")

    assert run("gamma", talk, "--config", tmp_path / "unisono.toml").code == 0
    assert out.read_text().startswith("scope,document,")


@pytest.mark.parametrize("key", ["distance", "seen-by"])
@pytest.mark.parametrize("how", ["absolute", "above", "link", "list", "here"])
def test_found_file_cannot_read_files_outside_its_folder(
    run, project, talk, tmp_path, tmp_path_factory, key, how
):
    secret = tmp_path_factory.mktemp("home") / "secret.csv"
    secret.write_text("document,annotator\ntalk,secret\n")
    (tmp_path / "link.csv").symlink_to(secret)
    Path("here.csv").symlink_to(secret)
    value = {
        "absolute": f"'{secret}'",
        "above": f"'../{secret.parent.name}/secret.csv'",
        "link": "'link.csv'",
        "list": f"['{secret}']",
        "here": "'here.csv'",
    }[how]
    project(f"[align]\n{key} = {value}\n")
    outcome = run("align", talk)

    assert (outcome.code, outcome.out) == (2, "")
    assert f"unisono.toml:2: {key} names '" in outcome.err
    assert "outside the folder of this settings file" in outcome.err


def test_named_file_can_read_files_anywhere(run, talk, tmp_path, tmp_path_factory):
    who = tmp_path_factory.mktemp("elsewhere") / "who.csv"
    who.write_text("document,annotator\n" + "".join(f"talk,{n}\n" for n in WHO))
    named = tmp_path / "named.toml"
    named.write_text(f"[align]\nseen-by = '{who}'\n")

    assert run("align", talk, "--config", named).code == 0


OUTWARD_GROUPS = {"Output", "Work", "General", "Address", "Limits"}


def groups_of(argument: Argument) -> set[str]:
    return {group.name for group in cast("tuple[Group, ...]", argument.parameter.group)}


def test_found_file_can_set_harmless_options_only():
    options = {
        (name, command): argument
        for command in COMMANDS
        for name, argument in options_by_name(
            program(only=command)[command].assemble_argument_collection()
        ).items()
    }
    outward = re.compile(r"FILE|DIR|ADDRESS|URL|TARGET")
    may_read = {"seen-by", "distance", "weights", "closeness"}

    assert {name for name, _ in options} >= MEASURING_AND_READING
    assert groups_of(options["csv", "gamma"]) == {"Output"}
    for (name, command), argument in options.items():
        if name in MEASURING_AND_READING:
            assert command != "serve"
            assert not groups_of(argument) & OUTWARD_GROUPS, (name, command)
            assert name in may_read or not outward.search(str(argument.parameter.metavar)), name


@pytest.mark.parametrize(
    "content",
    [
        b"[gamma]\nseed = " + b"9" * 5000,
        b"[gamma]\nlayer = " + b"[" * 100_000,
        b"[gamma]\ndistance = 'a\\u0000b'\n",
        b'[gamma]\ndistance = "a\\u0000b"\n',
        b"#" * (2**20 + 1),
        b"\xff",
        b"\x00",
    ],
)
def test_invalid_settings_files_are_explained(run, project, talk, tmp_path, content):
    (tmp_path / "unisono.toml").write_bytes(content)
    outcome = run("gamma", talk)

    assert (outcome.code, outcome.out) == (2, "")
    assert "should not have happened" not in outcome.err


def test_escape_sequences_in_settings_are_escaped(run, project, talk):
    project('["\\u001b[31m"]\nseed = 1\n')
    refused = run("gamma", talk)
    project('"\\u001b[31m" = 1\n')

    assert "\x1b" not in refused.err + run("gamma", talk).err


def test_settings_can_be_read_from_a_pipe(run, talk, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("[gamma]\nseed = 7\ndraws = 30\n"))
    writer.start()
    outcome = run("gamma", talk, "--config", pipe)
    writer.join()

    assert "|draws:30|seed:7|" in signature(outcome)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            "[default]\n\nsede = 3\n",
            ":3: no command has an option 'sede' for settings files. Did ",
        ),
        (
            "[gamma]\nrwos = 3\n",
            ":2: unisono gamma has no option 'rwos' for settings files. Did ",
        ),
        ("[gamma]\ncolumn_start = 3\n", "Did you mean 'column-start'?"),
        ("[gamma]\nPATH = 3\n", "no option 'PATH'"),
        ("[default]\nconfig = 'x'\n", "no command has an option 'config' for settings files"),
        ("[gama]\nseed = 3\n", ":1: unknown table 'gama'. Did you mean 'gamma'? A table must be"),
        ("seed = 3\n", ":1: seed is not in a table; move it below [default]"),
        ("[gamma]\nchance = 'shfit'\n", 'toml:2. Choose from: "shift"'),
        ("[gamma]\ndraws = 'many'\n", 'toml:2: unable to convert "many" into int'),
        ("[gamma]\ndraws = true\n", ":2: draws needs a value other than true or false"),
        ("[gamma]\nsteep = 1\n", ":2: steep must be true or false, got 1"),
        ("[gamma]\ndraws = 2020-01-01\n", ":2: draws must be a string, a number or a list of them"),
        ("[gamma]\ndraws = \n", "not valid TOML: Invalid value (at line 2"),
        ("[gamma]\nno-labels = true\ncolumn-label = 'x'\n", "exclude each other"),
        (
            "[gamma]\ncolumn-label = 'label'\nlabel-from = 'x'\n",
            "are the same option; remove one of them",
        ),
    ],
)
def test_invalid_settings_are_reported_with_their_line(run, project, talk, settings, message):
    project(settings)
    outcome = run("gamma", talk)

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert "unisono.toml" in outcome.err or "exclude each other" in message


def test_settings_that_are_not_utf8_are_rejected(run, project, talk, tmp_path):
    (tmp_path / "unisono.toml").write_bytes(b"[default]\nseed = \xff\n")

    assert "not encoded in UTF-8" in run("gamma", talk).err


def test_help_and_version_do_not_read_settings(run, project):
    project("[nonsense")

    assert run("gamma", "--help").code == 0
    assert run("--version").code == 0


def test_documented_settings_are_valid():
    page = (ROOT / "docs" / "project-settings.md").read_text(encoding="utf-8")
    shown = tomllib.loads(page.partition("```toml\n")[2].partition("```")[0])

    assert {"default", "gamma"} <= set(shown)
    for table, settings in shown.items():
        commands = COMMANDS if table == "default" else [table]
        known = {name for command in commands for name in _options_of(command)}
        assert set(settings) <= known
