"""``unisono describe`` and ``unisono convert``."""

from __future__ import annotations

import csv
import io
import json

import pytest


@pytest.fixture
def project(tmp_path):
    for annotator, spans in (("ann", ("0 3", "10 13")), ("bob", ("0 3",)), ("eve", ())):
        folder = tmp_path / "project" / annotator
        folder.mkdir(parents=True)
        (folder / "talk.txt").write_text("Ann 😀 met Bob.", encoding="utf-8")
        lines = [f"T{number}\tPER {span}\tAnn\n" for number, span in enumerate(spans, start=1)]
        (folder / "talk.ann").write_text("".join(lines), encoding="utf-8")
    return tmp_path / "project"


def test_describe_text_output(run, project):
    outcome = run("describe", project)
    assert (outcome.code, outcome.err) == (0, "")
    for message in (
        "brat: brat standoff (3 files)",
        "3 (declared in the files",
        "eve                 1       0",
        "Warnings",
        "quoted texts that differ from the document's text at their offsets (1, first at",
        "Which measures fit",
        "γ, γcat, γk           yes  compares positions",
        "Pk, WindowDiff, B, S  no   units do not cover the whole text",
    ):
        assert message in outcome.out


def test_describe_json(run, project):
    record = run("describe", project, "--json").record
    assert record["by_annotator"]["eve"] == {"n_documents": 1, "n_units": 0}
    assert record["families"][0]["fits"] is True


def test_describe_csv(run, project, tmp_path):
    rows = list(csv.DictReader(io.StringIO(run("describe", project, "--csv").out)))
    by_scope = {row["scope"] for row in rows}
    assert by_scope == {"annotator", "label", "reading", "warning", "family", "document"}
    assert [row["n_units"] for row in rows if row["annotator"] == "eve"] == ["0"]
    target = tmp_path / "found.md"
    assert run("describe", project, "-o", target).code == 0
    assert "**Which measures fit**" in target.read_text(encoding="utf-8")


def test_describe_counts_invalid_rows_and_layers(run, tmp_path):
    table = tmp_path / "talk.csv"
    table.write_text("annotator,start,end,label,layer\na,0,5,x,one\nb,9,2,x,one\nb,0,5,x,two\n")
    outcome = run("describe", table)
    assert "could not be read" in outcome.out
    assert "a unit cannot end before it starts (1, first at" in outcome.out
    assert "2 layers are counted together; select one with --layer" in outcome.out
    refused = run("gamma", table, "--on-error", "skip")
    assert refused.code == 2
    assert "Choose one, or several to measure together, with --layer" in refused.err
    assert run("align", table, "--on-error", "skip", "--layer", "one").code in (0, 1)


def test_warnings_precede_the_output(run, project):
    outcome = run("gamma", project, "--draws", "30", "--seed", "1")
    assert outcome.code == 0
    assert "unisono: note: quoted texts that differ" in outcome.err


def test_convert_writes_another_format(run, project, tmp_path):
    target = tmp_path / "units.jsonl"
    outcome = run("convert", project, target)
    assert outcome.code == 0
    assert outcome.out.startswith("3 units of 1 document written to")
    lines = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert lines[0]["annotators"] == ["ann", "bob", "eve"]
    again = run("describe", target, "--json").record
    assert again["by_annotator"] == run("describe", project, "--json").record["by_annotator"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("talk.csv",), 2, "convert needs an input and an output"),
        (("talk.csv", "talk.xyz"), 2, "'talk.xyz' cannot be detected; choose one of 'csv'"),
        (("talk.csv", "no/talk.jsonl"), 1, "no such folder"),
        (("talk.csv", "talk.csv"), 2, "would overwrite the input"),
        (("talk.csv", "out", "--to", "brat"), 1, "brat stores offsets of characters"),
    ],
)
def test_invalid_conversions_are_explained(run, tmp_path, monkeypatch, arguments, code, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "talk.csv").write_text("annotator,start,end,label\nann,0.5,5,a\n")
    outcome = run("convert", *arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert message in outcome.err
    assert len(outcome.err.splitlines()) == 1
