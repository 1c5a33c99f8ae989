"""Intervals over documents on the command line."""

import csv
import io
import json

import pytest

CORPUS = ("gamma", "examples/corpus", "--seen-by", "corpus", "--draws", "30", "--seed", "1")


def test_table_has_both_uncertainties_in_80_columns(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = run(*CORPUS).out.splitlines()

    assert lines[1].split()[:4] == ["measure", "value", "±", "draws"]
    assert lines[1].endswith("interval 95 %")
    assert max(map(len, lines[1:8])) <= 80


def test_json_and_csv_have_the_interval(run):
    record = json.loads(run(*CORPUS, "--json").out)
    pooled, *documents = csv.DictReader(io.StringIO(run(*CORPUS, "--csv").out))

    assert record["interval"]["method"] == "bootstrap over documents"
    assert record["gamma_cat"]["interval"]["confidence"] == 0.95
    assert float(pooled["interval_low"]) == record["interval"]["low"]
    assert float(pooled["interval_high"]) == record["interval"]["high"]
    assert {each["interval_low"] for each in documents} == {""}


def test_zero_resamples_disable_the_interval(run):
    outcome = run(*CORPUS, "--resamples", "0")

    assert outcome.code == 0
    assert "interval" not in outcome.out


def test_resamples_are_part_of_the_signature(run):
    record = json.loads(run(*CORPUS, "--resamples", "200", "--json").out)

    assert "|resamples:200|" in record["signature"]


def test_interval_of_a_single_document_is_explained(run):
    single = ("gamma", "examples/interview.csv", "--draws", "30", "--seed", "1")

    assert "interval" not in run(*single).out
    assert "only two documents or more can be drawn again" in run(*single, "--resamples", "9").out


@pytest.mark.parametrize("number", ["-1", "10000001"])
def test_invalid_resamples_are_a_usage_error(run, number):
    outcome = run(*CORPUS, "--resamples", number)

    assert outcome.code == 2
    assert "resamples must be" in outcome.err
