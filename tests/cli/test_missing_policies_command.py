import csv

import pytest

import unisono as un

ROWS = {"ann": "aabbcabcba", "bob": "aabbcabcbb", "eve": "abbbcabaca"}


@pytest.fixture
def ratings(tmp_path):
    """Ten items that three annotators all labelled."""
    path = tmp_path / "ratings.csv"
    rows = [",".join(labels) for labels in zip(*ROWS.values(), strict=True)]
    path.write_text("\n".join([",".join(ROWS), *rows]) + "\n", encoding="utf-8")
    return path


READ = ("--wide", "--header")


def test_text_output_has_one_row_per_share_and_policy(run, ratings):
    outcome = run("missing-policies", ratings, *READ, "--repeats", 50, "--seed", 1)
    lines = outcome.out.splitlines()

    assert (outcome.code, outcome.err) == (0, "")
    assert lines[0] == "ratings.csv"
    assert lines[1].split() == [
        *("missing", "policy", "complete", "mean", "deviation"),
    ]
    assert [line.split()[2] for line in lines[3:15]] == ["values", "items", "pairs", "remove"] * 3
    assert "measure    percent agreement" in lines
    assert lines[-1].startswith("missing-values|measure:percent_agreement|shares:0.04,0.125,0.25|")


def test_json_equals_python(run, ratings):
    record = run(
        *("missing-policies", ratings, *READ, "--measure", "alpha", "--distance", "nominal"),
        *("--shares", "0.1,0.3", "--repeats", 40, "--seed", 1, "--json"),
    ).record
    same = un.compare_policies(
        un.read_ratings(ratings, wide=True, header=True),
        measure="krippendorff_alpha",
        distance="nominal",
        shares=(0.1, 0.3),
        repeats=40,
        rng=1,
    )

    assert record == same.to_dict()


def test_csv_has_the_numbers_at_full_precision(run, ratings):
    options = ("--shares", 0.2, "--repeats", 40, "--seed", 1)
    rows = list(
        csv.DictReader(run("missing-policies", ratings, *READ, *options, "--csv").out.splitlines())
    )
    same = un.compare_policies(
        un.read_ratings(ratings, wide=True, header=True), shares=0.2, repeats=40, rng=1
    )

    assert [row["policy"] for row in rows] == ["values", "items", "pairs", "remove"]
    assert [float(row["deviation"]) for row in rows] == [one.deviation for one in same.spreads]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--shares 0.1,0_1", "--shares must be comma-separated numbers between 0 and 1; got '0_1'"),
        ("--shares half", "--shares must be comma-separated numbers between 0 and 1; got 'half'"),
        ("--shares 0.1,2", "--shares must lie between 0 and 1, such as 0.1 for 10 %; got 2"),
        ("--repeats 0", "--repeats must be 1 or more, got 0"),
        ("--measure alfa", "unknown measure 'alfa'"),
        ("--measure alpha,kappa", "unknown measure 'alpha,kappa'"),
        ("--distance ordinal", "--distance is not for percent_agreement; it is for krippendorff"),
        ("--missing values", "--missing"),
        ("--json --csv", "cannot both write"),
    ],
)
def test_invalid_options_are_usage_errors(run, ratings, options, message):
    outcome = run("missing-policies", ratings, *READ, *options.split())

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_nothing_to_measure_is_an_error(run, tmp_path):
    path = tmp_path / "same.csv"
    path.write_text("annotator,item,label\nann,1,x\nbob,1,x\n", encoding="utf-8")
    outcome = run("missing-policies", path, "--measure", "alpha", "--repeats", 5)

    assert outcome.code == 1
    assert "krippendorff_alpha is undefined on these data under every policy" in outcome.err
