import csv

import pytest

import unisono as un

ANN = "aabbcabcbaabcbbaccab"
BOB = "aabbcabcbbabcbbacbab"


@pytest.fixture
def pilot(tmp_path):
    """Twenty items of two annotators, with one row per item."""
    path = tmp_path / "pilot.csv"
    rows = [f"{i},{a},{b}" for i, (a, b) in enumerate(zip(ANN, BOB, strict=True))]
    path.write_text("\n".join(["item,ann,bob", *rows]) + "\n", encoding="utf-8")
    return path


def test_text_output_has_a_recommendation_and_sample_sizes(run, pilot):
    outcome = run("plan", pilot, "--wide", "--width", 0.1, "--seed", 1)
    lines = outcome.out.splitlines()
    plan = un.plan_items(un.read_ratings(pilot, wide=True), width=0.1, rng=1)

    assert (outcome.code, outcome.err) == (0, "")
    assert lines[0].startswith(f"about {plan.needed} items (")
    assert "pilot.csv" in lines
    assert ["items", "width"] in [line.split() for line in lines]
    assert [str(plan.trials[0].size), f"{plan.trials[0].width:.4f}"] in [x.split() for x in lines]
    assert any("the pilot has only 20 items" in line for line in lines)
    assert lines[-1] == str(plan.signature)


def test_json_equals_python(run, pilot):
    arguments = ("--measure", "kappa", "--weights", "nominal", "--missing", "pairs")
    record = run("plan", pilot, "--wide", "--width", 0.2, "--seed", 1, *arguments, "--json").record
    same = un.plan_items(
        un.read_ratings(pilot, wide=True),
        width=0.2,
        measure="cohen_kappa",
        weights="nominal",
        missing="pairs",
        rng=1,
    )

    assert record == same.to_dict()


def test_the_distance_of_alpha_reaches_the_plan(run, tmp_path):
    path = tmp_path / "scores.csv"
    rows = [f"{i},{i % 5},{(i + i % 3) % 5}" for i in range(30)]
    path.write_text("\n".join(["item,ann,bob", *rows]) + "\n", encoding="utf-8")
    record = run(
        *("plan", path, "--wide", "--width", 0.3, "--distance", "ordinal"),
        *("--resamples", 200, "--confidence", 0.9, "--json"),
    ).record

    assert "|distance:ordinal|" in record["signature"]
    assert "|confidence:0.9|resamples:200|" in record["signature"]


def test_csv_has_one_row_per_sample_size(run, pilot):
    out = run("plan", pilot, "--wide", "--width", 0.1, "--seed", 1, "--csv").out
    rows = list(csv.DictReader(out.splitlines()))

    assert list(rows[0]) == ["size", "width"]
    assert rows[0]["size"] == "20"


@pytest.fixture
def units(tmp_path):
    """Six documents with units, as one file."""
    lines = ["document,annotator,start,end,label"]
    for i in range(6):
        lines += [f"d{i},ann,0,5,A", f"d{i},ann,7,{9 + i},B", f"d{i},bob,0,{5 + i % 3},A"]
    path = tmp_path / "units.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_table_of_units_is_planned_in_documents(run, units):
    arguments = ("--width", 0.2, "--seed", 1, "--draws", 30)
    record = run("plan", units, *arguments, "--position", 2, "--json").record
    same = un.plan_documents(
        un.read(units),
        width=0.2,
        rng=1,
        draws=30,
        dissimilarity=un.CombinedDissimilarity(position=2),
    )

    assert record == same.to_dict()
    assert record["of"] == "documents"


def test_a_folder_is_planned_in_documents(run, talks):
    record = run("plan", talks, "--width", 0.5, "--seed", 1, "--draws", 30, "--json").record

    assert (record["of"], record["n_pilot"]) == ("documents", 2)


def test_sampling_unit_can_be_set(run, units):
    assert run("plan", units, "--width", 0.2, "--of", "items", "--duplicates", "first").code == 1
    record = run("plan", units, "--width", 0.3, "--of", "documents", "--draws", 30, "--json").record
    assert record["of"] == "documents"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "--width"),
        ("--width 0", "--width must be a finite number above 0, got 0"),
        ("--width nan", "--width must be a finite number above 0, got nan"),
        ("--width 0.1 --confidence 1", "--confidence must lie between 0 and 1"),
        ("--width 0.1 --resamples 0", "--resamples must be 1 or more"),
        ("--width 0.1 --wide --steep", "--steep cannot be used to plan items"),
        ("--width 0.1 --wide --chance corpus --draws 9", "--chance, --draws cannot be used to"),
        ("--width 0.1 --wide --measure alfa", "unknown measure 'alfa'"),
        ("--width 0.1 --wide --extent 0 1", "--extent cannot be used to plan items"),
        ("--width 0.1 --json --csv", "cannot both write"),
    ],
)
def test_invalid_options_are_usage_errors(run, pilot, options, message):
    outcome = run("plan", pilot, *options.split())

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_options_of_items_are_not_for_documents(run, units):
    outcome = run("plan", units, "--width", 0.1, "--measure", "alpha")

    assert outcome.code == 2
    assert "--measure cannot be used to plan documents" in outcome.err
    assert "use --of items" in outcome.err


def test_ratings_come_from_one_file(run, pilot):
    outcome = run("plan", pilot, pilot, "--width", 0.1, "--wide")

    assert outcome.code == 2
    assert "planning of items needs a single file of ratings, got 2" in outcome.err


def test_at_least_one_path_must_be_named(run):
    assert "name at least one file or folder" in run("plan", "--width", 0.1).err


def test_insufficient_pilot_is_an_error(run, tmp_path):
    path = tmp_path / "same.csv"
    path.write_text("item,ann,bob\n1,a,a\n2,b,b\n3,a,a\n", encoding="utf-8")
    outcome = run("plan", path, "--wide", "--width", 0.1)

    assert outcome.code == 1
    assert "no plan (every resample of the pilot gives the same value)" in outcome.out
    assert "no estimate of the number of items: every resample of the pilot" in outcome.err


def test_missing_pilot_is_named(run, tmp_path):
    outcome = run("plan", tmp_path / "nowhere.csv", "--width", 0.1)

    assert outcome.code == 1
    assert "nowhere.csv" in outcome.err
