import csv

import pytest

import unisono as un

DRAWN = ("--draws", 30, "--seed", 1)


def test_text_output_has_one_table_and_facts(run, talk):
    outcome = run("units", talk, *DRAWN)
    lines = outcome.out.splitlines()

    assert (outcome.code, outcome.err) == (0, "")
    assert lines[0] == "talk"
    assert lines[1].split() == ["measure", "value", "±", "draws", "observed", "expected", "units"]
    names = ["γ", "γcat", "uα", "|uα", "cuα", "κ_d", "1", "pairwise"]
    assert [line.split()[0] for line in lines[3:11]] == names
    assert "annotators  3 (counted: those with units in the document)" in lines
    assert "segments    measures of segmentations are undefined: segments" in outcome.out
    assert "γk 1" in outcome.out
    assert "(k)uα 1" in outcome.out
    assert max(map(len, lines[: lines.index("units       16")])) <= 80
    assert lines[-1].startswith("pairwise_f1|")


def test_json_equals_python(run, talks):
    record = run("units", talks, *DRAWN, "--json").record

    assert record == un.measure_units(un.read(talks), draws=30, rng=1).to_dict()
    assert record["left_out_documents"] == ["lone"]


def test_csv_has_one_row_per_measure_and_label(run, talk):
    rows = list(csv.DictReader(run("units", talk, *DRAWN, "--csv").out.splitlines()))
    table = un.measure_units(un.read(talk), draws=30, rng=1)
    found = {(row["measure"], row["label"]): row for row in rows}

    assert float(found["u_alpha_coding", ""]["value"]) == table["u_alpha_coding"].value
    assert float(found["gamma_k", "6"]["value"]) == table.by_label[6]["gamma_k"].value
    assert found["pk", ""]["value"] == ""
    assert found["pk", ""]["undefined"] == table["pk"].undefined


def test_rows_limits_the_labels(run, talk):
    out = run("units", talk, *DRAWN, "--rows", 2).out

    assert "and 5 more labels; use --csv or --json for all" in out
    assert "γk 3" not in out


def test_overlap_error_names_the_option(run, tmp_path):
    talk = tmp_path / "talk.csv"
    talk.write_text(
        "annotator,label,start,end\nann,A,0,5\nann,B,3,9\nbob,A,0,5\n", encoding="utf-8"
    )
    refused = run("units", talk, *DRAWN)
    split = run("units", talk, *DRAWN, "--overlap", "split")

    assert refused.code == 0
    assert "uα, |uα, cuα, κ_d are undefined: 'ann' has units that overlap" in refused.out
    assert "--overlap split cuts them" in " ".join(refused.out.split())
    assert "u_alpha|generation:2016|overlap:split|" in split.out


def test_fractional_positions_name_the_option_for_atoms(run, tmp_path):
    talk = tmp_path / "talk.csv"
    talk.write_text("annotator,label,start,end\nann,A,0,5.5\nbob,B,0,5.5\n", encoding="utf-8")
    text = " ".join(run("units", talk, *DRAWN).out.split())

    assert "set the length of an atom with --atom LENGTH" in text
    assert "atoms of length 0.1, because positions are not whole numbers; --atom LENGTH" in text
    assert "WindowDiff" in run("units", talk, *DRAWN, "--atom", 0.5).out


def test_distance_applies_to_gamma_and_alphas(run, tmp_path):
    talk = tmp_path / "talk.csv"
    talk.write_text(
        "annotator,label,start,end\nann,1,0,5\nann,4,6,9\nbob,2,0,5\nbob,5,6,9\n", encoding="utf-8"
    )
    out = run("units", talk, *DRAWN, "--distance", "interval").out

    assert "distance=interval" in out
    assert "u_alpha_coding|distance:interval" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--draws", 30, "--precision", 0.1), "--draws and --precision exclude each other"),
        (("--rows", 0), "--rows must be a whole number of at least 1, got 0"),
        (("--atom", 0), "--atom must be"),
        (("--csv", "--json"), "--csv and --json cannot both write to stdout"),
    ],
)
def test_conflicting_options_are_usage_errors(run, talk, options, message):
    outcome = run("units", talk, *options)

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_nothing_to_measure_has_exit_code_1(run, tmp_path):
    talk = tmp_path / "talk.csv"
    talk.write_text("annotator,label,start,end\nann,A,0,5\n", encoding="utf-8")
    outcome = run("units", talk, "--seed", 1)

    assert outcome.code == 1
    assert "all measures are undefined; of γ: agreement needs two annotators" in outcome.err
