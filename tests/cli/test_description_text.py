"""The text output of descriptions."""

from __future__ import annotations

import re

import pytest


@pytest.fixture
def shown(run):
    """Describe files, and return the facts by name and all lines."""

    def shown(*arguments: object) -> tuple[dict[str, str], list[str]]:
        outcome = run("describe", *arguments)
        assert (outcome.code, outcome.err) == (0, "")
        lines = outcome.out.splitlines()
        first = next(place for place, line in enumerate(lines) if line.startswith("formats "))
        facts = dict(re.split(" {2,}", line, maxsplit=1) for line in lines[first:] if "  " in line)
        return facts, lines

    return shown


def test_documents_with_one_annotator_are_counted(shown, talks):
    several, _ = shown(talks)
    shared, _ = shown(talks / "alike.csv", talks / "unlike.csv")

    assert several["documents"] == "3 (2 with at least two annotators)"
    assert shared["documents"] == "2"


def test_labels_and_annotators_beyond_the_limit_are_counted(shown, talk):
    few, lines = shown(talk, "--rows", 2)
    everything, all_lines = shown(talk)

    assert everything["labels"] == few["labels"] == "7"
    counts = [tuple(line.split()) for line in all_lines if re.fullmatch(r"\d +\d", line)]
    assert counts == [tuple(each) for each in ("66", "13", "53", "21", "31", "41", "71")]
    assert [line.split() for line in lines if re.fullmatch(r"\d +\d", line)] == [
        *(["6", "6"], ["1", "3"])
    ]
    assert "and 5 more labels; use --csv or --json for all" in lines
    assert [line.split()[0] for line in lines if re.match(r"Alex|Paul|Suzan", line)] == [
        *("Alex", "Paul")
    ]
    assert "and 1 more annotator; use --csv or --json for all" in lines
    assert not any(" more; " in line for line in all_lines)


def test_files_without_units_have_no_positions(shown, tmp_path):
    path = tmp_path / "talk.jsonl"
    path.write_text('{"document": "talk", "annotators": []}\n', encoding="utf-8")
    facts, _ = shown(path)

    assert (facts["units"], facts["labels"]) == ("0", "none")
    assert "positions" not in facts


def test_positions_run_from_the_first_document_to_the_last(shown, talks):
    facts, _ = shown(talks)

    assert facts["positions"] == "2 to 65"


def test_long_labels_are_shortened(shown, tmp_path):
    path = tmp_path / "talk.csv"
    rows = [f"{who},0,5,{'ß' * 200}" for who in ("ann", "bob")]
    path.write_text("\n".join(["annotator,start,end,label", *rows]) + "\n", encoding="utf-8")
    facts, lines = shown(path)

    assert facts["labels"] == "1"
    assert "\n".join(lines).count("ß") == 60
    assert "\n".join(lines).count("…") == 1
