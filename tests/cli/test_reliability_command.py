"""``unisono reliability``."""

from __future__ import annotations

from pathlib import Path

EXAMPLE = str(Path(__file__).resolve().parents[2] / "examples" / "reliability.csv")


def test_it_prints_effect_interval_and_p(run):
    record = run("reliability", EXAMPLE, "--agreement", "gamma", "--outcome", "f1", "--json").record

    assert record["n_cases"] == 16
    assert record["p_value"] < 0.01


def test_bad_columns_and_cells_are_refused_with_file_and_line(run, tmp_path):
    outcome = run("reliability", EXAMPLE, "--agreement", "gama", "--outcome", "f1")
    assert outcome.code == 1
    assert "reliability.csv:1: no column 'gama'; the columns are 'document'" in outcome.err
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\nx,3\n")
    outcome = run("reliability", str(path), "--agreement", "a", "--outcome", "b")
    assert "t.csv:3: column 'a' has 'x', which is not a number; leave the cell empty" in outcome.err
