import csv

import pytest

import unisono as un
from report_samples import parsed
from unisono.results.record import without_data

DRAWS = ("--seed", 1, "--draws", 9)


def test_report_is_written_and_summarized(run, talk, tmp_path):
    target = tmp_path / "report.html"
    outcome = run("report", talk, "-o", target, "--no-charts", *DRAWS)
    found = un.report(un.read(talk), title="Agreement on talk", charts=False, draws=9, rng=1)
    page = target.read_text(encoding="utf-8")

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.splitlines() == [str(found), f"written to {target}"]
    assert page == found.to_html()
    parsed(page)


@pytest.mark.parametrize("format_", ["md", "tex", "json", "html"])
def test_format_is_set_by_option_or_suffix(run, talk, tmp_path, format_):
    target = tmp_path / f"report.{format_}"
    run("report", talk, "--output", target, "--no-charts", *DRAWS)
    printed = run("report", talk, "--to", format_, "--no-charts", *DRAWS)
    read_as = run("report", talk, "--format", format_, "--no-charts", *DRAWS)

    assert printed.out == read_as.out == target.read_text(encoding="utf-8")


def test_json_has_the_values_of_python(run, talks):
    record = run("report", talks, "--to", "json", *DRAWS).record

    result = un.gamma(un.read(talks), rng=1, draws=9)
    assert record["gamma"] == without_data(result.to_dict())
    assert result.data is not None
    assert result.interpretation is not None
    assert record["data"] == result.data.to_dict()
    assert record["interpretation"] == result.interpretation.to_dict()
    assert record["title"] == "Agreement on 3 documents"


def test_settings_apply_to_all_parts(run, talk):
    record = run(
        *("report", talk, "--to", "json", "--title", "Round 2", "--position", 3, "--no-gains"),
        *("--chance", "statistical", "--atom", 2, *DRAWS),
    ).record

    assert "pos=3" in record["gamma"]["signature"]
    assert "chance:statistical" in record["diagnosis"]["signature"]
    assert "atom:2" in record["measures"]["measures"]["kappa_d"]["signature"]
    assert (record["title"], record["advice"]["merges"], record["pairwise"]) == (
        "Round 2",
        [],
        None,
    )


def test_invalid_options_are_rejected_early(run, talk, tmp_path):
    assert run("report", talk).code == 2
    assert "such as -o report.html" in run("report", talk).err
    outcome = run("report", talk, "-o", tmp_path / "report.doc")
    assert (
        outcome.code,
        "a report cannot have the suffix of" in " ".join(outcome.err.split()),
    ) == (2, True)
    assert run("report", talk, "-o", talk).code == 2
    assert run("report", talk, "-o", tmp_path / "no" / "report.html").code == 1
    assert run("report", talk, "--to", "docx").code == 2


def test_report_on_a_single_annotator(run, talks):
    outcome = run("report", talks / "lone.csv", "--to", "md", *DRAWS)

    assert outcome.code == 1
    assert "γ is undefined: agreement needs two annotators or more" in outcome.out


def test_advice_text_output(run, talks):
    outcome = run("advise", talks, *DRAWS, "--rows", 2)
    found = un.advise(un.read(talks), draws=9, rng=1)
    lines = outcome.out.splitlines()

    assert (outcome.code, outcome.err) == (0, "")
    assert lines[0] == "3 documents"
    assert lines[1] == "Adjudicate first: groups with the largest shares of the disorder"
    assert lines[4].split()[-3:] == [
        *(f"{100 * found.adjudicate[0].share:.1f}", "%", f"{found.adjudicate[0].loss:.4f}")
    ]
    assert "more groups; use --csv or --json for all" in outcome.out


def test_advice_json_equals_python(run, talk, tmp_path):
    target = tmp_path / "advice.csv"
    found = un.advise(un.read(talk), draws=9, rng=1, most_groups=1000)
    record = run("advise", talk, "--json", *DRAWS).record
    run("advise", talk, "--csv", target, *DRAWS)
    rows = target.read_text(encoding="utf-8").splitlines()

    assert record == found.to_dict()
    assert len(rows) == 1 + len(found.adjudicate) + 1 + len(found.merges) + len(
        found.annotator_gains
    )
    assert sum(row.startswith("annotator,") for row in rows) == 3
    assert run("advise", talk, "--merges", -1).code == 2


def test_advice_on_perfect_agreement_is_empty(run, talks):
    assert "there is no disorder" in run("advise", talks / "alike.csv", *DRAWS).out


def test_advice_csv_goes_to_stdout_alone(run, talk):
    outcome = run("advise", talk, "--csv", "-", *DRAWS)
    found = un.advise(un.read(talk), draws=9, rng=1, most_groups=1000)
    rows = list(csv.DictReader(outcome.out.splitlines()))

    def column(scope, *names):
        return [tuple(row[name] for name in names) for row in rows if row["scope"] == scope]

    assert (outcome.code, outcome.err) == (0, "")
    assert column("group", "group", "start", "end", "share") == [
        tuple(map(str, (group.group, group.start, group.end, group.share)))
        for group in found.adjudicate
    ]
    assert column("document", "document") == [(each.document,) for each in found.document_shares]
    assert column("merge", "label_a", "label_b", "gain", "certain") == [
        (*map(str, each.labels), str(each.gain.change), str(each.gain.certain).lower())
        for each in found.merges
    ]
    assert column("annotator", "annotator", "gain", "certain") == [
        (each.annotator, str(each.gain.change), str(each.gain.certain).lower())
        for each in found.annotator_gains
    ]
