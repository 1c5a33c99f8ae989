"""`diagnose`, `consensus`, `report` and `chart` on tables of ratings."""

import csv
import shutil

import pytest

import unisono as un
from report_samples import parsed
from unisono.results.record import without_data

POLITENESS = "examples/politeness.csv"
TOPICS = "examples/topics.csv"


@pytest.fixture
def ratings(tmp_path):
    return shutil.copy(POLITENESS, tmp_path / "ratings.csv")


def rows_of(path):
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def test_diagnose_prints_who_and_what_disagrees(run, ratings):
    outcome = run("diagnose", ratings, "--distance", "ordinal")
    found = un.diagnose(un.read_ratings(ratings), distance="ordinal")

    assert (outcome.code, outcome.err) == (0, "")
    headings = [line.split("  ")[0] for line in outcome.out.splitlines() if "share" in line]
    assert headings == ["annotator", "annotator", "label", "label", "item"]
    assert found.items[0].item in outcome.out
    assert str(found.signature) in outcome.out


def test_json_equals_python(run, ratings):
    record = run("diagnose", ratings, "--json", "--missing", "pairs").record
    found = un.diagnose(un.read_ratings(ratings), missing="pairs").to_dict()

    # Messages name settings in the words of each interface.
    assert without_data(record) == without_data(found)
    assert record["data"] == found["data"]


def test_files_contain_all_items(run, tmp_path):
    many = tmp_path / "many.csv"
    lines = [
        f"{who},i{item},{label}" for item in range(1200) for who, label in (("a", 1), ("b", 2))
    ]
    many.write_text("\n".join(["annotator,item,label", *lines]), encoding="utf-8")
    target = tmp_path / "parts.csv"
    run("diagnose", many, "--csv", target)

    assert sum(row["scope"] == "item" for row in rows_of(target)) == 1200


def test_a_wide_table_needs_no_word_on_what_it_contains(run):
    outcome = run("diagnose", TOPICS, "--wide", "--separator", "|", "--distance", "masi", "--json")
    ratings = un.read_ratings(TOPICS, wide=True, separator="|")

    assert outcome.record["observed"] == un.krippendorff_alpha(ratings, distance="masi").observed


def test_an_order_of_labels_is_accepted(run, tmp_path):
    source = tmp_path / "words.csv"
    source.write_text(
        "annotator,item,label\na,1,low\nb,1,high\nc,1,high\na,2,mid\nb,2,mid\n", encoding="utf-8"
    )
    order = ("--distance", "ordinal", "--order", "low,mid,high")
    found = un.diagnose(un.read_ratings(source), distance="ordinal", order=("low", "mid", "high"))

    record = run("diagnose", source, *order, "--json").record
    assert without_data(record) == without_data(found.to_dict())
    labels = [item["label"] for item in run("consensus", source, *order, "--json").record["items"]]
    assert labels == ["high", "mid"]


def test_the_consensus_is_a_table_of_ratings(run, ratings, tmp_path):
    target, undecided = tmp_path / "gold.csv", tmp_path / "undecided.csv"
    outcome = run("consensus", ratings, "--csv", target, "--undecided", undecided)
    found = un.consensus(un.read_ratings(ratings))

    assert outcome.code == 0
    assert un.read_ratings(target) == found.ratings
    assert {row["item"] for row in rows_of(undecided)} == {each.item for each in found.undecided}
    assert "rule" in outcome.out


def test_the_consensus_of_sets_is_read_again(run, tmp_path):
    target = tmp_path / "gold.csv"
    run("consensus", TOPICS, "--wide", "--separator", "|", "-o", target)
    found = un.consensus(un.read_ratings(TOPICS, wide=True, separator="|"))

    assert un.read_ratings(target, separator="|") == found.ratings


def test_the_report_is_that_of_python(run, ratings, tmp_path):
    target = tmp_path / "report.html"
    outcome = run("report", ratings, "-o", target, "--no-charts", "--distance", "ordinal")
    found = un.report(
        un.read_ratings(ratings),
        title="Agreement on ratings.csv",
        distance="ordinal",
        charts=False,
    )
    page = target.read_text(encoding="utf-8")

    assert outcome.code == 0
    assert outcome.out.splitlines()[0] == str(found)
    assert found.alpha.signature in found.measures.sheet().signatures
    parsed(page)
    for text in ("Where raters disagree", "Missing values", "reply18", "nominal"):
        assert text in page


def test_clusters_of_items_are_read_for_the_report(run, tmp_path):
    source = tmp_path / "clusters.csv"
    lines = [
        f"{who},{item},{(item * weight) % 3},t{item % 12}"
        for item in range(96)
        for who, weight in (("a", 1), ("b", 1 + item % 2))
    ]
    source.write_text("\n".join(["annotator,item,label,text", *lines]), encoding="utf-8")
    record = run("report", source, "--clusters", "text", "--to", "json").record

    assert "clusters:#" in record["measures"]["krippendorff_alpha"]["signature"]
    assert record["measures"]["krippendorff_alpha"]["interval"]["method"].endswith("clusters")


@pytest.mark.parametrize("kind", ["labels", "annotators", "confusion"])
def test_charts_of_ratings(run, ratings, tmp_path, kind):
    pytest.importorskip("altair")
    target = tmp_path / "chart.json"
    outcome = run("chart", kind, ratings, "-o", target)

    assert outcome.code == 0
    text = target.read_text(encoding="utf-8")
    assert "ben" in text or kind != "annotators"
    assert "γ" not in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("diagnose", "--draws", 9, "--chance", "corpus"), "--chance, --draws are for units"),
        (("consensus", "--atom", 1), "--atom is for units"),
        (("report", "--to", "md", "--no-gains"), "--no-gains is for units"),
        (("diagnose", "--seen-by", "corpus"), "--seen-by is for units"),
        (("consensus", "--distance", "masi"), "there is no rule for another distance"),
        (("consensus", "--support", 0.7, "--distance", "ordinal"), "--support is for the most"),
    ],
)
def test_options_of_units_are_refused_for_ratings(run, ratings, words, message):
    command, *options = words
    outcome = run(command, ratings, *options)

    assert outcome.code == 2
    assert message in outcome.err


def test_other_charts_and_options_are_refused(run, ratings, talk, tmp_path):
    outcome = run("chart", "alignment", ratings, "-o", tmp_path / "a.svg")
    assert (outcome.code, "for ratings there are labels" in outcome.err) == (2, True)
    outcome = run("chart", "labels", ratings, "-o", tmp_path / "a.svg", "--distance", "ordinal")
    assert (outcome.code, "which is nominal; omit --distance" in outcome.err) == (2, True)
    outcome = run("diagnose", talk, "--missing", "items")
    assert (outcome.code, "--missing is for ratings" in outcome.err) == (2, True)
    outcome = run("diagnose", talk, "--of", "ratings")
    assert outcome.code == 1
    outcome = run("diagnose", ratings, talk, "--of", "ratings")
    assert (outcome.code, "single file" in outcome.err) == (2, True)


def test_a_table_of_units_and_ratings_is_a_question(run, tmp_path):
    source = tmp_path / "both.csv"
    lines = [f"{who},{item},{item},{item + 1},A" for item in range(4) for who in ("a", "b")]
    source.write_text("\n".join(["annotator,item,start,end,label", *lines]), encoding="utf-8")
    outcome = run("diagnose", source)

    assert (outcome.code, "--of units or --of ratings" in outcome.err) == (2, True)
    assert run("diagnose", source, "--of", "units", "--draws", 9).code == 0
    assert run("diagnose", source, "--of", "ratings").code == 0
