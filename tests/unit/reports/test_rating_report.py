"""The report on ratings."""

import pytest

import unisono as un
from report_samples import parsed

RATINGS = un.read_ratings("examples/politeness.csv")
ALL = un.Ratings.from_matrix({"ann": ["a", "b", "a"], "bob": ["a", "b", "a"]})


@pytest.fixture(scope="module")
def report():
    return un.report(RATINGS, distance="ordinal", charts=False)


def test_all_formats_have_the_numbers(report):
    alpha = f"{report.alpha.value:.3f}"
    for format_ in ("html", "md", "tex"):
        text = report.written_as(format_)
        assert alpha in text
        assert "dora" in text
        assert "reply18" in text
    parsed(report.to_html())


def test_no_word_judges_a_value(report):
    text = report.to_markdown().casefold()
    for word in ("substantial", "moderate", "poor", "almost perfect", "slight", "excellent"):
        assert word not in text


def test_coefficients_that_ignore_the_distance_are_marked(report):
    table = report.measures.sheet().tables[0]
    at = [each.name for each in table.columns].index("distance")
    marked = {row[0]: row[at] for row in table.rows}

    assert marked["krippendorff_alpha"] == marked["cohen_kappa"] == "ordinal"
    assert marked["percent_agreement"] == marked["fleiss_kappa"] == "nominal"


def test_one_distance_for_all_needs_no_mark():
    table = un.report(RATINGS, charts=False).measures.sheet().tables[0]

    assert "distance" not in [each.name for each in table.columns]


def test_the_methods_paragraph_cites_what_it_uses(report):
    record = report.to_dict()
    keys = ("krippendorff2011computing", "fleiss1971measuring", "gwet2008computing")

    assert all(f"{{{key}," in record["bibtex"] for key in keys)
    assert "10 of 96 possible ratings were missing" in record["methods"]
    assert "95 % interval" in record["methods"]
    assert "scott1955reliability" not in record["bibtex"], "Scott's π has no value here"


def test_complete_agreement_and_no_comparison_are_reported():
    found = un.report(ALL, charts=False)
    assert "There is no disagreement" in found.to_markdown()
    alone = un.report(un.Ratings.from_matrix({"ann": ["a", "b"]}), charts=False)
    assert alone.problems()
    assert "This could not be determined" in alone.to_markdown()


def test_charts_are_drawn():
    pytest.importorskip("vl_convert")
    page = un.report(RATINGS).to_html()

    assert page.count("<svg") == 3
    assert "γcat" not in page


def test_settings_of_units_are_refused():
    with pytest.raises(un.SettingError, match="draws= is for units, and the data are ratings"):
        un.report(RATINGS, draws=9)  # type: ignore[call-overload]
    with pytest.raises(un.SettingError, match=r"missing='|missing= is for ratings"):
        un.report(un.read("examples/interview.csv"), missing="items")  # type: ignore[call-overload]


def test_counts_without_names_have_a_report():
    found = un.report(un.Ratings.from_counts([[2, 1], [3, 0]], labels=("x", "y")), charts=False)

    assert "annotators of the ratings are unknown" in found.to_markdown()
