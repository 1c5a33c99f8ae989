import csv

import pytest

import unisono as un

ALEX = (("1", 2, 9), ("2", 11, 17))
BOB = ("Bob", "a", 0, 9)


def write(path, rows):
    lines = ["annotator,label,start,end", *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def rows_of(text):
    return list(csv.DictReader(text.splitlines()))


def test_text_output_has_family_and_facts(run, talk):
    outcome = run("unitizing", talk)
    lines = outcome.out.splitlines()
    result = un.unitizing_alpha(un.read(talk)["talk"])

    assert (outcome.code, outcome.err) == (0, "")
    assert lines[0] == "talk"
    assert lines[1].split() == ["measure", "value", "observed", "expected"]
    assert [line.split()[0] for line in lines[3:6]] == ["uα", "|uα", "cuα"]
    assert lines[5].split()[1] == f"{result.u_alpha_coding:.4f}"
    assert "annotators  3 (counted: those with units in the document)" in lines
    assert "units       16" in lines
    assert "length      58" in lines
    assert "(k)uα 7 is undefined: no unit with this label overlaps a unit of another" in outcome.out
    assert lines[-1].startswith("u_alpha_coding|distance:nominal|generation:2016|")


def test_json_equals_python(run, talks):
    record = run("unitizing", talks, "--json").record

    assert record == un.unitizing_alpha(un.read(talks)).to_dict()
    assert record["documents"]["alike"]["u_alpha"]["value"] == 1.0
    assert record["left_out_documents"] == ["lone"]


def test_documents_with_the_least_agreement_are_first(run, talks):
    out = run("unitizing", talks, "--rows", 1).out

    assert out.startswith("2 documents, pooled\n")
    headings = ["document", "uα", "|uα", "cuα", "annotators", "units", "length"]
    assert headings in [line.split() for line in out.splitlines()]
    assert "\nunlike" in out
    assert "\nalike" not in out
    assert "and 2 more documents; use --csv or --json for all" in out
    assert "left out    1 document with fewer than two annotators: lone" in out
    assert "uα of lone is undefined: agreement needs at least two annotators" in out


@pytest.mark.parametrize(
    ("generation", "names"), [("2013", ["uα", "cuα"]), ("1995", ["αU", "αU", "αU"])]
)
def test_generations_have_different_coefficients(run, tmp_path, generation, names):
    path = write(tmp_path / "talk.csv", [("Ann", *ALEX[0]), ("Bob", *ALEX[0]), ("Bob", *ALEX[1])])
    lines = run("unitizing", path, "--generation", generation).out.splitlines()

    assert [line.split()[0] for line in lines[3 : 3 + len(names)]] == names
    assert f"generation  {generation}" in lines


def test_csv_has_one_row_per_alpha_and_document(run, talks, tmp_path):
    target = tmp_path / "alphas.csv"
    outcome = run("unitizing", talks, "--csv", target)
    rows = rows_of(target.read_text(encoding="utf-8"))

    assert outcome.code == 0
    assert [row["measure"] for row in rows[:3]] == ["u_alpha", "u_alpha_binary", "u_alpha_coding"]
    assert {row["document"] for row in rows} == {"", "alike", "unlike", "lone"}
    assert [row["label"] for row in rows if row["document"] == "alike"][3:] == list("12567")
    result = un.unitizing_alpha(un.read(talks))
    assert float(rows[0]["value"]) == result.u_alpha.value
    assert rows[0]["signature"] == str(result.u_alpha.signature)


def test_overlapping_units_name_the_options(run, tmp_path):
    path = write(tmp_path / "nested.csv", [("Ann", "a", 0, 9), ("Ann", "b", 3, 5), BOB])
    outcome = run("unitizing", path)

    assert (outcome.code, outcome.out) == (1, "")
    assert "'Ann' has units that overlap: [0, 9] 'a' and [3, 5] 'b'" in outcome.err
    assert "--overlap split cuts them into pieces" in outcome.err
    assert "overlap=" not in outcome.err
    split = run("unitizing", path, "--overlap", "split")
    assert split.code == 0
    assert "(k)uα {a, b}" in split.out
    assert "overlapping units of one annotator were split: 3 units became 4" in split.out


def test_an_order_and_a_distance_are_read(run, tmp_path):
    rows = [("Ann", "low", 0, 4), ("Ann", "high", 4, 9), ("Bob", "low", 0, 4), ("Bob", "mid", 4, 9)]
    path = write(tmp_path / "moods.csv", rows)
    arguments = ("--distance", "ordinal", "--order", "low,mid,high", "--json")
    same = un.unitizing_alpha(un.read(path), distance="ordinal", order=["low", "mid", "high"])

    assert run("unitizing", path, *arguments).record == same.to_dict()
    refused = run("unitizing", path, "--distance", "ordinal")
    assert refused.code == 1
    assert "list all labels from low to high with --order LABELS" in refused.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--generation", "2004"], '"2016", "2013", "1995"'),
        (["--overlap", "ignore"], '"raise", "merge", "split"'),
        (["--rows", "0"], "--rows must be a whole number of at least 1"),
        (["--json", "--csv"], "cannot both write"),
        (["--order", "a,b"], "--order applies to --distance ordinal only"),
        (
            ["--generation", "1995", "--distance", "interval"],
            "--distance applies to cuα, which --generation 1995 does not have",
        ),
        (["--distance", "nomnal"], "unknown label distance 'nomnal'"),
    ],
)
def test_invalid_options_are_usage_errors(run, talk, options, message):
    outcome = run("unitizing", talk, *options)

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_skipped_rows_are_counted(run, tmp_path):
    path = write(tmp_path / "talk.csv", [BOB, ("Ann", "a", 0, 5), ("Ann", "b", 9, 7)])

    out = run("unitizing", path, "--on-error", "skip", "--extent", 0, 12).out
    assert "skipped     1 row that could not be read" in out


def test_data_without_content_have_exit_code_1(run, tmp_path):
    path = write(tmp_path / "lone.csv", [("Ann", *unit) for unit in ALEX])
    outcome = run("unitizing", path)

    assert outcome.code == 1
    assert "the alphas are undefined: no document has at least two annotators" in outcome.err


def test_many_labels_are_shown_by_length(run, tmp_path):
    rows = [
        (name, f"label{i:02}", 100 * i, 100 * i + i + 1)
        for name in ("Ann", "Bob")
        for i in range(45)
    ]
    path = write(tmp_path / "many.csv", rows)
    out = run("unitizing", path).out

    assert "(k)uα label44" in out
    assert "(k)uα label04" not in out
    assert "and 5 more labels; use --csv or --json for all" in out


def test_narrow_terminal_shows_all_values(run, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    label = "a-label-without-blanks-of-forty-letters!"
    units = [(name, label, 0, 9 + place) for place, name in enumerate(("Ann", "Bob"))]
    for name in ("one", "two"):
        write(tmp_path / f"{name}.csv", [*units, ("Ann", "b", 12, 15), ("Bob", "b", 13, 15)])
    out = run("unitizing", tmp_path).out
    result = un.unitizing_alpha(un.read(tmp_path))
    table = out[: out.index("generation")]

    assert max(map(len, table.splitlines())) <= 50
    assert label in "".join(table.split())
    for of in (
        result.u_alpha,
        result.u_alpha_coding,
        result.u_alpha_k[label],
        result.documents["one"].u_alpha_binary,
    ):
        assert f"{of.value:.4f}" in table


@pytest.mark.parametrize("suffix", ["md", "html", "tex", "csv", "json"])
def test_suffix_selects_the_result_format(run, talks, tmp_path, suffix):
    target = tmp_path / f"alphas.{suffix}"
    outcome = run("unitizing", talks, "-o", target)
    written = target.read_text(encoding="utf-8")

    assert (outcome.code, outcome.out) == (0, f"written to {target}\n")
    assert "unlike" in written
    assert "u_alpha_coding|" in written


def test_the_command_explains_its_options_in_eighty_columns(run):
    outcome = run("unitizing", "--help")

    assert outcome.code == 0
    for option in ("--generation", "--overlap", "--distance", "--seen-by", "--json", "--csv"):
        assert option in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80
