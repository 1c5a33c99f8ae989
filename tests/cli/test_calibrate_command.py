import csv
import math

import pytest

import unisono as un

FEW = ("--magnitudes", "0.2,0.4,0.6", "--repeats", 5, "--draws", 5, "--seed", 1)


def test_text_output_starts_with_sentences(run, talk):
    outcome = run("calibrate", talk, "--errors", "position,false_negative", *FEW)
    lines = outcome.out.splitlines()

    assert (outcome.code, outcome.err) == (0, "")
    assert lines[0].startswith("γ = 0.")
    assert "talk" in lines
    assert "moved boundaries" in outcome.out
    assert "simulated  5 annotation sets per magnitude, 5 draws each" in lines
    assert lines[-1].startswith("calibration|errors:position,false_negative|magnitudes:0,0.2,0.4")


def test_json_equals_python(run, talk):
    record = run("calibrate", talk, "--errors", "category", *FEW, "--json").record
    found = un.calibrate(
        un.read(talk), errors="category", magnitudes=(0.2, 0.4, 0.6), repeats=5, draws=5, rng=1
    )

    assert record == found.to_dict()


def test_curves_and_the_chart_are_written(run, talk, tmp_path):
    curves, chart = tmp_path / "curves.csv", tmp_path / "chart.svg"
    outcome = run("calibrate", talk, "--errors", "split", *FEW, "--csv", curves, "-o", chart)
    rows = list(csv.DictReader(curves.read_text(encoding="utf-8").splitlines()))

    assert outcome.code == 0
    assert [row["magnitude"] for row in rows] == ["0.0", "0.2", "0.4", "0.6"]
    assert rows[0]["gamma_mean"] == "1.0"
    assert chart.read_text(encoding="utf-8").startswith("<svg ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--errors", "laziness"), "unknown --errors laziness"),
        (
            ("--magnitudes", "0_1"),
            "--magnitudes must be comma-separated numbers from 0 to 1, such as 0.1,0.2,0.5",
        ),
        (
            ("--magnitudes", "high"),
            "--magnitudes must be comma-separated numbers from 0 to 1, such as 0.1,0.2,0.5",
        ),
        (("--magnitudes", "0.5,1.5"), "--magnitudes must be from 0 to 1"),
        (("--repeats", "1"), "--repeats must be 5 or more"),
        (
            ("--chart", "chart.gif"),
            "--chart needs a file name that ends in .svg, .png, .pdf, .html or .json",
        ),
        (("--chart", "a.svg", "-o", "b.svg"), "--chart and --output both name a chart file"),
        (("--chart", "a.json", "-o", "a.json"), "--chart and --output cannot both write a.json"),
        (
            ("-o", "chart.gif"),
            "--output needs a file name that ends in one of .md, .html, .tex, .csv, .json",
        ),
    ],
)
def test_invalid_settings_are_rejected(run, talk, options, message):
    outcome = run("calibrate", talk, *options)

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_chart_and_csv_need_different_files(run, talk, tmp_path):
    both = tmp_path / "both.svg"

    assert run("calibrate", talk, "-o", both, "--csv", both).code == 2


def test_data_without_consensus_are_an_error(run, tmp_path):
    path = tmp_path / "apart.csv"
    path.write_text("annotator,label,start,end\na,X,0,5\nb,Y,50,55\n", encoding="utf-8")
    outcome = run("calibrate", path, *FEW)

    assert outcome.code == 1
    assert "calibration needs a consensus" in outcome.err


def test_csv_goes_to_stdout_alone(run, talk):
    outcome = run("calibrate", talk, "--errors", "split", *FEW, "--csv", "-")
    found = un.calibrate(
        un.read(talk), errors="split", magnitudes=(0.2, 0.4, 0.6), repeats=5, draws=5, rng=1
    )
    headings, *rows = csv.reader(outcome.out.splitlines())

    assert (outcome.code, outcome.err) == (0, "")
    assert headings[:2] == ["error", "magnitude"]
    assert rows == [
        [error, *("" if math.isnan(value) else str(value) for value in point)]
        for error, points in found.curves.items()
        for point in points
    ]
