"""Intervals over documents on the command line."""

import csv
import io
import json

import pytest

CORPUS = ("gamma", "examples/corpus", "--seen-by", "corpus", "--draws", "30", "--seed", "1")


@pytest.fixture
def twelve(tmp_path):
    """Return the options for a corpus of twelve documents."""
    rows = ["document,annotator,start,end,label"]
    for number in range(12):
        for i in range(6):
            start, label = 10 * i, "AB"[i % 2]
            other = "AB"[(i + (number % 3 == 0 and i == 2)) % 2]
            rows.append(f"text{number},ann,{start},{start + 6},{label}")
            rows.append(f"text{number},bob,{start + number % 4},{start + 6 + i % 3},{other}")
    path = tmp_path / "twelve.csv"
    path.write_text("\n".join(rows))
    return ("gamma", path, "--draws", "30", "--seed", "1")


def test_table_has_both_uncertainties_in_80_columns(run, monkeypatch, twelve):
    monkeypatch.setenv("COLUMNS", "80")
    lines = run(*twelve).out.splitlines()

    assert lines[1].split()[:4] == ["measure", "value", "±", "draws"]
    assert lines[1].endswith("interval 95 %   units")
    assert max(map(len, lines[1:8])) <= 80


def test_json_and_csv_have_the_interval(run, twelve):
    record = json.loads(run(*twelve, "--json").out)
    pooled, *documents = csv.DictReader(io.StringIO(run(*twelve, "--csv").out))

    assert record["interval"]["method"] == "jackknife over documents"
    assert record["gamma_cat"]["interval"]["confidence"] == 0.95
    assert float(pooled["interval_low"]) == record["interval"]["low"]
    assert float(pooled["interval_high"]) == record["interval"]["high"]
    assert {each["interval_low"] for each in documents} == {""}


def test_note_on_too_few_documents(run):
    shown = " ".join(run(*CORPUS).out.split())

    assert "no interval: 4 documents have something to compare, and 8 are needed" in shown


def test_resamples_are_an_unknown_option(run):
    outcome = run(*CORPUS, "--resamples", "200")

    assert outcome.code == 2
    assert "--resamples" in outcome.err
