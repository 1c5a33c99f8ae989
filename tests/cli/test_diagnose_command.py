import csv
import math

import pytest

import unisono as un


def test_text_output_has_parts_and_sources(run, talk):
    outcome = run("diagnose", talk, "--seed", 1)
    lines = outcome.out.splitlines()
    found = un.diagnose(un.read(talk), rng=1)

    assert (outcome.code, outcome.err) == (0, "")
    assert lines[0] == "talk"
    assert lines[1].split() == ["part", "disorder", "share", "of", "1", "−", "γ"]
    assert lines[3].split()[:2] == ["position", f"{found.parts.position:.4f}"]
    assert lines[6].split()[:2] == ["all", "0.6535"]
    assert any(line.startswith("annotator ") for line in lines)
    assert any(line.split()[:3] == ["label", "and", "label"] for line in lines)


def test_json_equals_python(run, talks):
    record = run("diagnose", talks, "--json", "--seed", 1, "--draws", 9).record

    assert record == un.diagnose(un.read(talks), rng=1, draws=9).to_dict()


def test_documents_are_sorted_by_disorder(run, talks):
    out = run("diagnose", talks, "--seed", 1, "--draws", 9, "--rows", 1).out

    assert out.startswith("3 documents\n")
    assert "\nunlike" in out
    assert "\nalike" not in out
    assert "and 1 more document; use --csv or --json for all" in out


def test_csv_has_one_row_per_part(run, talks, tmp_path):
    target = tmp_path / "parts.csv"
    run("diagnose", talks, "--csv", target, "--seed", 1, "--draws", 9)
    rows = list(csv.DictReader(target.read_text(encoding="utf-8").splitlines()))
    total = float(rows[0]["parts_total"])

    assert rows[0]["scope"] == "all"
    assert float(rows[0]["loss"]) == pytest.approx(
        1 - un.gamma(un.read(talks), rng=1, draws=9).value
    )
    for scope in ("label", "annotator", "document"):
        some = [float(row["parts_total"]) for row in rows if row["scope"] == scope]
        assert all(row[scope] for row in rows if row["scope"] == scope)
        assert math.fsum(some) == pytest.approx(total)


def test_invalid_options_are_rejected(run, talk, talks):
    assert run("diagnose", talk, "--draws", 9, "--precision", 0.1).code == 2
    assert run("diagnose", talk, "--rows", 0).code == 2
    outcome = run("diagnose", talks / "lone.csv")
    assert outcome.code == 1
    assert "no disorder to diagnose: agreement needs two annotators or more" in outcome.err


def test_csv_has_confused_labels_with_counts(run, talk):
    outcome = run("diagnose", talk, "--csv", "-", "--seed", 1, "--draws", 9)
    found = un.diagnose(un.read(talk), rng=1, draws=9)
    rows = [row for row in csv.DictReader(outcome.out.splitlines()) if row["scope"] == "confusion"]

    assert rows
    assert [
        (row["label_a"], row["label_b"], float(row["parts_label"]), int(row["n_pairs"]))
        for row in rows
    ] == [(*map(str, each.labels), each.disorder, each.n_pairs) for each in found.confusions]
    assert {(row["parts_position"], row["parts_missing"]) for row in rows} == {("0.0", "0.0")}
