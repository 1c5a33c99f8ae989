"""Settings of a project in ``unisono.toml``: found, taken, told, and refused with a place."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from unisono.cli.app import _options_of
from unisono.cli.command_table import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
SEED = "[default]\nseed = 7\n"


@pytest.fixture
def project(tmp_path, talk, monkeypatch):
    """A folder to work in, below the one with the settings; gives what writes them."""
    inside = tmp_path / "day" / "one"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    return (tmp_path / "unisono.toml").write_text


def signature(outcome):
    return outcome.out.splitlines()[-1]


def test_settings_are_found_in_a_folder_above(run, project, talk):
    project('[default]\nseed = 7\nannotators = "corpus"\n\n[gamma]\ndraws = 31\nlabel = 2\n')
    outcome = run("gamma", talk)

    assert outcome.code == 0
    for part in ("label=2", "draws:31", "seed:7", "annotators:corpus"):
        assert part in signature(outcome)
    assert outcome.err.startswith("unisono: note: ")
    assert "unisono.toml gives --draws 31, --label 2, --seed 7, --annotators corpus" in outcome.err


def test_what_is_typed_wins(run, project, talk):
    project(f"{SEED}[gamma]\ndraws = 31\n")
    outcome = run("gamma", talk, "--seed", 8)

    assert "|draws:31|seed:8|" in signature(outcome)
    assert "--seed" not in outcome.err


def test_what_is_said_for_the_command_goes_before_what_is_said_for_all(run, project, talk):
    project("[default]\ndraws = 40\nseed = 1\n[gamma]\ndraws = 31\n")

    assert "|draws:31|" in signature(run("gamma", talk))


def test_one_of_two_rivals_that_is_typed_leaves_the_other_out(run, project, talk):
    project(f"{SEED}draws = 31\n")
    outcome = run("gamma", talk, "--precision", 0.1)

    assert outcome.code == 0
    assert "|draws:31|" not in signature(outcome)
    assert "--draws" not in outcome.err


def test_a_rival_for_the_command_leaves_that_for_all_out(run, project, talk):
    project(f"{SEED}precision = 0.5\n[gamma]\ndraws = 31\n")

    assert "|draws:31|" in signature(run("gamma", talk))


def test_settings_for_all_are_taken_by_those_who_have_them(run, project, talk):
    project(SEED)

    assert run("describe", talk).err == ""


def test_settings_can_be_left_alone_or_chosen(run, project, talk, tmp_path):
    project("[gamma]\ndraws = 0\n")
    other = tmp_path / "other.toml"
    other.write_text("[gamma]\ndraws = 31\nseed = 7\n")

    assert run("gamma", talk).code == 2
    assert run("gamma", talk, "--no-config", "--draws", 30).code == 0
    assert "|draws:31|seed:7|" in signature(run("gamma", talk, "--config", other))
    assert run("--config", other, "gamma", talk).code == 0
    assert "not both" in run("gamma", talk, "--config", other, "--no-config").err
    assert run("gamma", talk, "--config", "lost.toml").code == 1


def test_quiet_keeps_silent_about_settings(run, project, talk):
    project(f"{SEED}quiet = true\n")

    assert run("gamma", talk, "--draws", 30).err == ""
    assert run("align", talk, "-q").err == ""


def test_lists_flags_and_pairs_are_written_as_toml_has_them(run, project, talk):
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


def test_csv_true_is_csv_on_stdout(run, project, talk):
    project("[align]\ncsv = true\n")

    assert run("align", talk).out.startswith("group,disorder,")
    assert run("align", talk, "--json").record["n_units"] == 16


def test_a_file_beside_the_settings_is_found_from_anywhere(run, project, talk, tmp_path):
    labels = "1234567"
    rows = [f",{','.join(labels)}"]
    rows += [f"{a},{','.join('0' if a == b else '1' for b in labels)}" for a in labels]
    (tmp_path / "matrix.csv").write_text("\n".join(rows) + "\n")
    project('[align]\ndistance = "matrix.csv"\n')

    assert run("align", talk).code == 0


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            "[default]\n\nsede = 3\n",
            ":3: no command has an option 'sede' to be kept in a file. Did ",
        ),
        (
            "[gamma]\nrwos = 3\n",
            ":2: unisono gamma has no option 'rwos' to be kept in a file. Did ",
        ),
        ("[gamma]\ncolumn_start = 3\n", "Did you mean 'column-start'?"),
        ("[gamma]\nPATH = 3\n", "no option 'PATH'"),
        ("[default]\nconfig = 'x'\n", "no command has an option 'config' to be kept in a file"),
        ("[gama]\nseed = 3\n", ":1: there is no command 'gama'. Did you mean 'gamma'? Tables are"),
        ("seed = 3\n", ":1: seed stands in no table; put it below [default]"),
        ("[gamma]\nchance = 'shfit'\n", 'toml:2. Choose from: "shift"'),
        ("[gamma]\ndraws = 'many'\n", 'toml:2: unable to convert "many" into int'),
        ("[gamma]\ndraws = true\n", ":2: draws is a value, not true or false"),
        ("[gamma]\nsteep = 1\n", ":2: steep is true or false; got 1"),
        ("[gamma]\ndraws = 2020-01-01\n", ":2: draws is a text, a number or a list of them"),
        ("[gamma]\ndraws = \n", "this is no TOML: Invalid value (at line 2"),
        ("[gamma]\nno-labels = true\ncolumn-label = 'x'\n", "not both"),
        ("[gamma]\ncolumn-label = 'label'\nlabel-from = 'x'\n", "are the same option; keep one"),
    ],
)
def test_what_cannot_be_taken_is_refused_with_its_place(run, project, talk, settings, said):
    project(settings)
    outcome = run("gamma", talk)

    assert (outcome.code, outcome.out) == (2, "")
    assert said in outcome.err
    assert "unisono.toml" in outcome.err or "not both" in said


def test_settings_that_are_no_text_are_refused(run, project, talk, tmp_path):
    (tmp_path / "unisono.toml").write_bytes(b"[default]\nseed = \xff\n")

    assert "this is no text in UTF-8" in run("gamma", talk).err


def test_help_and_version_do_not_read_settings(run, project):
    project("[nonsense")

    assert run("gamma", "--help").code == 0
    assert run("--version").code == 0


def test_the_page_on_settings_shows_what_can_be_kept():
    page = (ROOT / "docs" / "project-settings.md").read_text(encoding="utf-8")
    shown = tomllib.loads(page.partition("```toml\n")[2].partition("```")[0])

    assert {"default", "gamma"} <= set(shown)
    for table, settings in shown.items():
        commands = COMMANDS if table == "default" else [table]
        known = {name for command in commands for name in _options_of(command)}
        assert set(settings) <= known
