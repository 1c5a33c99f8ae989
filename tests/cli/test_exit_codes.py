"""Exit codes agree with the table in the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.conftest import write
from unisono.cli.exit_codes import ExitCode
from unisono.cli.options.shared import OPTIONS

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| (\d+) \| (.+) \|$", re.MULTILINE)
CROWD = "annotator,label,start,end\n" + "".join(f"a{i},NP,0,5\n" for i in range(151))
DRAWS = ("--draws", 12, "--seed", 1)


def test_documented_exit_codes_are_complete():
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    table = page.partition("| exit code | meaning |")[2].partition("\n\n")[0]

    assert ROW.findall(table) == [(str(code.value), code.meaning) for code in ExitCode]


def test_help_lists_the_exit_codes(run):
    assert "3 incomplete, 130 interrupted" in run("--help").out


@pytest.fixture
def failing(tmp_path):
    """Two documents that cannot be aligned."""
    folder = tmp_path / "failing"
    folder.mkdir()
    for name in ("one.csv", "two.csv"):
        (folder / name).write_text(CROWD, encoding="utf-8")
    return folder


@pytest.mark.parametrize("command", ["gamma", "diagnose"])
def test_failed_documents_are_named_with_exit_code_3(run, talks, command):
    (talks / "crowd.csv").write_text(CROWD, encoding="utf-8")
    outcome = run(command, talks, "--keep-going", *DRAWS)
    record = run(command, talks, "--keep-going", *DRAWS, "--json")

    assert (outcome.code, record.code) == (3, 3)
    assert outcome.err == record.err == "unisono: 1 document failed: crowd\n"
    assert "measure" in outcome.out or "position" in outcome.out
    assert record.record["signature" if command == "gamma" else "parts"]


@pytest.mark.parametrize("command", ["gamma", "diagnose"])
def test_all_documents_failed_is_an_error(run, failing, command):
    outcome = run(command, failing, "--keep-going", *DRAWS)

    assert outcome.code == 1
    assert "all documents with something to measure failed" in outcome.err


@pytest.mark.parametrize(
    "command",
    [
        "gamma {}",
        "align {}",
        "unitizing {}",
        "segments {} --gaps segments",
        "units {}",
        "report {} --to json",
        "diagnose {}",
        "advise {}",
        "consensus {}",
        "calibrate {}",
        "chart draws {} -o {folder}/picture.svg",
    ],
)
def test_nothing_to_measure_is_an_error(run, talks, tmp_path, command):
    lone = talks / "lone.csv"
    outcome = run(*command.format(lone, folder=tmp_path).split())

    assert outcome.code == 1
    assert outcome.err.startswith("unisono: ")


@pytest.mark.parametrize("command", ["items {}", "missing-policies {}", "plan {} --width 0.1"])
def test_no_ratings_to_compare_are_an_error(run, tmp_path, command):
    path = tmp_path / "ratings.csv"
    path.write_text("item,annotator,label\n1,ann,x\n2,ann,y\n", encoding="utf-8")

    assert run(*command.format(path).split()).code == 1


@pytest.mark.parametrize(
    ("content", "option", "answer"),
    [
        ("coder,rater,start,end,tag\nann,x,0,5,A\nbob,x,0,4,A\n", "annotator", "coder"),
        ("annotator,start,end,type,tag\nann,0,5,A,B\nbob,0,4,A,B\n", "label", "tag"),
    ],
)
def test_ambiguous_data_are_a_usage_error(run, tmp_path, content, option, answer):
    path = tmp_path / "talk.csv"
    path.write_text(content, encoding="utf-8")
    arguments = run("describe", path)

    assert (arguments.code, arguments.out) == (2, "")
    assert f"choose one with {OPTIONS[option]} COLUMN" in arguments.err
    assert run("describe", path, OPTIONS[option], answer).code == 0


def test_unknown_label_column_is_a_usage_error(run, tmp_path):
    path = tmp_path / "talk.csv"
    path.write_text("annotator,start,end,other\nann,0,5,A\nbob,0,4,A\n", encoding="utf-8")

    assert "or --no-labels" in run("gamma", path).err
    assert run("gamma", path, *DRAWS).code == 2
    assert run("gamma", path, "--no-labels", *DRAWS).code == 0


def test_unknown_annotator_column_is_a_usage_error(run, tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("item,coder,rater,label\n1,ann,bob,x\n1,bob,ann,y\n", encoding="utf-8")

    assert run("items", path).code == 2


def test_several_layers_are_a_usage_error(run, tmp_path):
    path = tmp_path / "talk.TextGrid"
    tiers = "".join(
        f'        class = "IntervalTier"\n        name = "{name}"\n        xmin = 0\n'
        "        xmax = 9\n        intervals: size = 1\n        intervals [1]:\n"
        '            xmin = 0\n            xmax = 9\n            text = "A"\n'
        for name in ("turns-ann", "turns-bob")
    )
    path.write_text(
        'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = 9\n'
        f"tiers? <exists>\nsize = 2\nitem []:\n{tiers}",
        encoding="utf-8",
    )
    outcome = run("gamma", path, "--annotator-from", "file")

    assert outcome.code == 2
    assert "Choose one, or several to measure together, with --layer" in outcome.err


def test_success_and_interrupt(run, tmp_path, monkeypatch):
    talk = write(tmp_path / "talk.csv", [("ann", "A", 0, 5), ("bob", "A", 0, 4)])

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    assert run("convert", talk, tmp_path / "a.jsonl").code == 0
    monkeypatch.setattr("unisono.cli.data.write", interrupted)
    assert run("convert", talk, tmp_path / "b.jsonl").code == 130
    monkeypatch.setattr("unisono.cli.output.print_parts", interrupted)
    assert run("align", talk).code == 130
