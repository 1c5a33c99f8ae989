"""``unisono chains``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import unisono as un

EXAMPLE = str(Path(__file__).resolve().parents[2] / "examples" / "coreference")


def test_it_prints_what_the_library_measures(run):
    outcome = run("chains", EXAMPLE, "--json")
    expected = un.measure_chains(un.read_chains(EXAMPLE)).to_dict()

    assert outcome.code == 0
    found = json.loads(outcome.out)
    found.pop("schema")
    assert found == json.loads(json.dumps(expected))


def test_all_policies_and_both_directions_are_shown(run):
    text = run("chains", EXAMPLE, "--measure", "muc").out

    assert "as marked   singletons   left out" in text
    assert "recall   precision       F1" in text
    assert "18 (2 not marked by all annotators of the document)" in text


def test_measures_and_the_policy_can_be_chosen(run):
    outcome = run("chains", EXAMPLE, "--measure", "b3,lea", "--unshared", "singletons", "--csv")
    rows = list(csv.DictReader(io.StringIO(outcome.out)))

    assert {row["measure"] for row in rows} == {"b_cubed", "lea"}
    assert {row["value"] == row["singletons"] for row in rows if row["scope"] == "all"} == {True}


def test_bad_choices_and_files_are_refused(run, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("annotator,start,end,colour\nann,0,1,x\n")

    assert "unknown measure 'bcub3'" in run("chains", EXAMPLE, "--measure", "bcub3").err
    assert run("chains").code == 2
    outcome = run("chains", str(path))
    assert outcome.code == 1
    assert "--column-chain" in outcome.err
