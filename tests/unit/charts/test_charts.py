"""Charts contain the values of the results, and list what they omit."""

import math
from typing import Any

import numpy as np
import pytest

import unisono as un
from report_samples import hostile_corpus
from unisono import charts
from unisono.charts.style import ink_on, mix_colours, palette
from unisono.errors import DataError, SettingError
from unisono.measures.items.resampling import bootstrap_values

INTERVIEW = un.read("examples/interview.csv")["interview"]
CORPUS = un.read("examples/corpus")
RESULT = un.gamma(INTERVIEW, draws=20, rng=1)
POOLED = un.gamma(CORPUS, draws=20, rng=1)


def tables(chart):
    return charts.chart_spec(chart)["datasets"]


def anything(value: object) -> Any:
    """Hide the type of an intentionally invalid value."""
    return value


def subtitle(chart):
    return " ".join(charts.chart_spec(chart)["title"]["subtitle"])


def many(n, annotators=3):
    """A long document: n units, ten apart for each annotator."""
    at = np.arange(n)
    starts = (at // annotators) * 10.0 + (at % annotators)
    names = np.array([f"a{k}" for k in range(annotators)])[at % annotators]
    return un.Continuum.from_columns(names, starts, starts + 7, np.array(list("AB"))[at // 30 % 2])


ALL = {
    "continuum": lambda: charts.continuum_chart(INTERVIEW),
    "binned": lambda: charts.continuum_chart(INTERVIEW, most_units=5),
    "alignment": lambda: charts.alignment_chart(RESULT),
    "long alignment": lambda: charts.alignment_chart(RESULT, most_units=12),
    "consensus": lambda: charts.consensus_chart(un.consensus(CORPUS)),
    "labels": lambda: charts.label_chart(POOLED),
    "parts": lambda: charts.parts_chart(un.diagnose(CORPUS, result=POOLED)),
    "confusion": lambda: charts.confusion_chart(POOLED),
    "annotators": lambda: charts.annotator_chart(un.pairwise_agreement(CORPUS, draws=5, rng=1)),
    "draws": lambda: charts.draws_chart(RESULT),
    "curves": lambda: charts.shuffling_chart(
        un.error_curves(
            un.generate_reference(8, rng=1), measures="gamma", magnitudes=3, repeats=2, rng=1
        )
    ),
    "calibration": lambda: charts.calibration_chart(
        un.calibrate(INTERVIEW, errors="false_negative", repeats=5, draws=5, rng=1)
    ),
}


@pytest.mark.parametrize("name", ALL)
def test_charts_fit_the_schema_and_have_a_description(name):
    chart = ALL[name]()
    spec = chart.to_dict(validate=True)

    assert spec["description"].startswith(spec["title"]["text"])
    assert "http" not in str({key: part for key, part in spec.items() if key != "$schema"})


@pytest.mark.parametrize("name", ALL)
def test_charts_contain_their_data(name):
    spec = charts.chart_spec(ALL[name]())
    found = set()

    def collect(part):
        if isinstance(part, dict):
            if set(part.get("data", {})) == {"name"}:
                found.add(part["data"]["name"])
            for key, each in part.items():
                if key != "datasets":
                    collect(each)
        elif isinstance(part, list):
            for each in part:
                collect(each)

    collect(spec)
    assert found == set(spec["datasets"])


def test_units_are_drawn_at_their_positions():
    rows = tables(charts.continuum_chart(INTERVIEW))["units"]
    drawn = sorted((row["annotator"], row["start"], row["end"], row["label"]) for row in rows)

    assert drawn == sorted((u.annotator, u.start, u.end, u.label) for u in INTERVIEW)


def test_overlapping_units_are_in_separate_rows():
    text = un.Continuum.from_units([("ann", 0, 10, "A"), ("ann", 2, 4, "B"), ("bob", 0, 9, "A")])
    rows = tables(charts.continuum_chart(text))["units"]
    first, second, other = (row["top"] for row in rows)

    assert second == pytest.approx(first + 1)
    assert other > second + 1


def test_long_documents_are_binned():
    text = many(3000)
    chart = charts.continuum_chart(text)
    rows = tables(chart)["units"]

    assert len(rows) <= 3 * 240
    assert "3,000 units in bins of 41.7" in subtitle(chart)
    assert len(tables(charts.continuum_chart(text, most_units=3000))["units"]) == 3000


def test_window_selects_units():
    chart = charts.continuum_chart(many(3000), window=(100, 200))

    assert subtitle(chart) == "100–200 of 0–9,999: 31 of 3,000 units"
    assert {row["annotator"] for row in tables(chart)["units"]} == {"a0", "a1", "a2"}


def test_documents_share_the_colours_of_the_corpus():
    spec = charts.chart_spec(charts.continuum_chart(INTERVIEW, labels=["aaa", *INTERVIEW.labels]))
    scale = spec["layer"][1]["encoding"]["fill"]["scale"]

    # The first colour belongs to a label that this document does not have.
    assert scale["domain"] == sorted(map(str, INTERVIEW.labels))
    assert "#0072b2" not in scale["range"]


def test_links_and_rings_show_the_alignment():
    found = tables(charts.alignment_chart(RESULT))
    alignment = RESULT.alignment
    assert alignment is not None
    empty = int((alignment.indices < 0).sum())

    assert len(found["gaps"]) == empty
    assert len(found["links"]) == len(alignment) * (alignment.indices.shape[1] - 1)
    assert {row["group"]: row["disorder"] for row in found["links"]} == {
        at + 1: pytest.approx(disorder) for at, disorder in enumerate(alignment.group_disorders)
    }


def test_long_alignments_are_cut_to_the_worst_part():
    rows = [(who, 10 * k, 10 * k + 7, "A") for k in range(400) for who in ("ann", "bob")]
    worse = [("ann", 10 * k + (k in range(300, 320)) * 4, e, lab) if w == "ann" else (w, s, e, lab)
             for (w, s, e, lab) in rows for k in [s // 10]]  # fmt: skip
    chart = charts.alignment_chart(un.best_alignment(un.Continuum.from_units(worse)))
    window = tables(chart)["window"][0]

    assert window["start"] <= 3000
    assert window["end"] >= 3190
    assert "the part with the most disorder: 50 of 400 groups" in subtitle(chart)
    total = sum(row["disorder"] for row in tables(chart)["overview"])
    best = un.best_alignment(un.Continuum.from_units(worse))
    assert total == pytest.approx(float(best.group_disorders.sum()))


def test_worst_groups_are_highlighted():
    chart = charts.alignment_chart(RESULT, worst=2)
    found = tables(chart)
    alignment = RESULT.alignment
    assert alignment is not None
    worst = set((np.argsort(-alignment.group_disorders, kind="stable")[:2] + 1).tolist())

    assert {row["group"] for row in found["links"]} == worst
    assert {row["strength"] for row in found["units"]} == {0.18, 1.0}
    assert "the 2 groups with the most disorder in full" in subtitle(chart)


def test_slight_disorder_has_thin_links():
    text = un.Continuum.from_units([("ann", 0, 100, "A"), ("bob", 0, 101, "A")])
    spec = charts.chart_spec(charts.alignment_chart(un.best_alignment(text)))

    assert spec["layer"][1]["encoding"]["color"]["scale"]["domain"] == [0.0, 1.0]


def test_consensus_chart_has_lanes_and_whiskers():
    found = un.consensus(CORPUS)
    most = max(found.documents, key=lambda name: len(found.documents[name].undecided))
    chart = charts.consensus_chart(found)
    rows = tables(chart)

    assert f"document {most}" in subtitle(chart)
    assert [row["annotator"] for row in rows["lanes"]] == [
        *("undecided", "consensus"),
        *CORPUS[most].annotators,
    ]
    assert len(rows["open"]) == len(found.documents[most].undecided)
    spreads = sorted(
        spread
        for unit in found.documents[most].units
        for spread in (unit.start_spread, unit.end_spread)
        if spread > 0
    )
    assert sorted(row["x2"] - row["x"] for row in rows["whiskers"]) == pytest.approx(spreads)


def test_support_is_opacity():
    text = un.Continuum.from_units(
        [("ann", 0, 5, "A"), ("bob", 0, 5, "A"), ("cy", 0, 5, "A"), ("ann", 9, 12, "A"),
         ("bob", 9, 12, "A")],
    )  # fmt: skip
    rows = tables(charts.consensus_chart(un.consensus(text)))["units"]
    strengths = [row["strength"] for row in rows if row["annotator"] == "consensus"]

    assert strengths == pytest.approx([1.0, 0.15 + 0.85 * 2 / 3])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_labels_of_pale_consensus_units_have_contrast(theme):
    people = ("ann", "bob", "cy", "dan", "eve")
    rows = [(who, 90 * k, 90 * k + 80, str(k)) for k in range(8) for who in people[: 2 + k % 4]]
    found = un.consensus(un.Continuum.from_units(rows), support=0.3)
    spec = charts.chart_spec(charts.consensus_chart(found), theme=theme)
    data = spec["datasets"]
    colours = palette(map(str, range(8))).colours
    strengths = {row["start"]: row["strength"] for row in data["units"]}
    texts = [row for row in data["texts"] if row["annotator"] == "consensus"]
    order = [layer["data"]["name"] for layer in spec["layer"]]

    assert (len(texts), min(strengths.values()) < 0.6) == (8, True)
    assert {row["start"] for row in data["grounds"]} == {row["start"] for row in texts}
    # On a white ground, independent of the page.
    assert order.index("grounds") < order.index("units")
    for row in texts:
        seen = mix_colours("#ffffff", colours[row["label"]], strengths[row["start"]])
        assert row["ink"] == ink_on(seen)


def test_labels_have_the_values_and_intervals_of_the_result():
    rows = {row["name"]: row for row in tables(charts.label_chart(POOLED))["values"]}

    assert rows["γ (all)"]["value"] == POOLED.value
    assert rows["γcat (all)"]["value"] == POOLED.gamma_cat.value
    for label, each in POOLED.gamma_k.items():
        assert rows[label]["value"] == each.value
        if each.monte_carlo is not None:
            assert rows[label]["draws_low"] == max(-1.0, each.monte_carlo.low)


def test_undefined_labels_are_listed():
    rows = [("ann", 0, 5, "A"), ("bob", 0, 5, "A"), ("bob", 20, 25, "alone 👩‍🔬")]
    chart = charts.label_chart(un.gamma(un.Continuum.from_units(rows), draws=10, rng=1))

    assert "without a value: alone 👩‍🔬" in subtitle(chart)


def test_parts_are_reductions_of_gamma():
    found = un.diagnose(CORPUS, result=POOLED)
    rows = tables(charts.parts_chart(found))

    assert rows["all"][-1]["end"] == pytest.approx(1 - POOLED.value)
    for panel in ("annotators", "labels", "documents"):
        total = sum(row["end"] for row in rows[f"{panel}_totals"])
        assert total == pytest.approx(1 - POOLED.value)


def test_confusion_chart_shows_row_shares():
    found = un.label_confusions(POOLED)
    rows = tables(charts.confusion_chart(POOLED))["pairs"]

    for row in rows:
        a, b = found.labels.index(row["row"]), found.labels.index(row["column"])
        assert row["share"] == pytest.approx(found.shares[a, b])
    assert rows == tables(charts.confusion_chart(un.diagnose(CORPUS, result=POOLED)))["pairs"]


def test_the_matrix_of_annotators_is_symmetric_and_ordered_by_mean():
    found = un.pairwise_agreement(CORPUS, draws=10, rng=1)
    chart = charts.annotator_chart(found)
    rows = tables(chart)["pairs"]

    assert {(row["row"], row["column"]): row["value"] for row in rows} == {
        key: each.value for pair, each in found.by_pair.items() for key in (pair, pair[::-1])
    }
    ordered = [row["row"] for row in tables(chart)["means"]]
    assert [found.means[name] for name in ordered] == sorted(found.means.values(), reverse=True)


def test_annotator_chart_of_items():
    ratings = un.Ratings.from_matrix([list("aabbab"), list("aabbbb"), list("abbbab")])
    found = un.krippendorff_alpha(ratings, by_pair=True)
    rows = tables(charts.annotator_chart(found))["pairs"]

    assert len(rows) == 6
    assert rows[0]["value"] in {each.value for each in found.by_pair.values()}


def test_draws_chart_counts_all_draws():
    rows = tables(charts.draws_chart(RESULT))

    assert sum(row["number"] for row in rows["bins"]) == 20
    assert rows["mark0"][0]["start"] == RESULT.expected
    assert rows["mark1"][0]["start"] == RESULT.observed


@pytest.mark.parametrize("method", ["percentile", "bca", "krippendorff"])
def test_bootstrap_values_match_the_interval(method):
    ratings = un.Ratings.from_matrix([list("aabbcabcba"), list("aabbcabcbb"), list("abbbcabaca")])
    values = bootstrap_values(ratings, "krippendorff", resamples=300, rng=1, method=method)
    found = un.bootstrap(ratings, "krippendorff", resamples=300, rng=1, method=method)
    chart = charts.bootstrap_chart(found, values)

    assert sum(row["number"] for row in tables(chart)["bins"]) == np.isfinite(values).sum()
    if method != "bca":
        low, high = np.nanquantile(values, [0.025, 0.975])
        assert found.interval is not None
        assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=0.02)


def test_curves_have_the_means_of_the_result():
    scan = un.error_curves(
        un.generate_reference(8, rng=1), measures="gamma", magnitudes=3, repeats=3, rng=1
    )
    rows = tables(charts.shuffling_chart(scan))["lines"]

    assert [row["value"] for row in rows] == scan.curve("gamma").mean.tolist()


def test_calibration_chart_marks_the_observed_value():
    found = un.calibrate(INTERVIEW, errors="false_negative", repeats=5, draws=5, rng=1)
    rows = tables(charts.calibration_chart(found))

    assert rows["gamma_dots"][0]["magnitude"] == found.gamma_equivalents["false_negative"].magnitude
    assert rows["gamma_observed"][0]["value"] == found.gamma.value


def test_charts_reject_data_without_content():
    undefined = un.gamma(un.Continuum.from_units([("ann", 0, 5, "A")]), draws=3, rng=1)
    for draw, error, message in (
        (lambda: charts.alignment_chart(POOLED), DataError, "one alignment per document"),
        (lambda: charts.alignment_chart(undefined), DataError, "agreement needs two annotators"),
        (lambda: charts.alignment_chart(RESULT, worst=0), SettingError, "worst= must be"),
        (lambda: charts.draws_chart(undefined), DataError, "there are no draws to show"),
        (
            lambda: charts.consensus_chart(un.consensus(CORPUS), document="x"),
            SettingError,
            "document 'x' has no consensus",
        ),
        (
            lambda: charts.continuum_chart(anything(CORPUS)),
            TypeError,
            "choose a document of a Corpus with corpus",
        ),
        (lambda: charts.chart_of(CORPUS), TypeError, "there is no chart for Corpus"),
        (
            lambda: charts.parts_chart(anything(RESULT)),
            TypeError,
            "parts_chart expects",
        ),
        (
            lambda: charts.confusion_chart(anything(1)),
            TypeError,
            "confusion_chart expects LabelConfusions",
        ),
    ):
        with pytest.raises(error, match=message):
            draw()


def test_empty_documents_can_be_drawn():
    for text in (
        un.Continuum.from_units([], annotators=["ann", "bob"]),
        un.Continuum.from_units([("ann", 3, 3, "A"), ("bob", 3, 3, None)]),
    ):
        assert charts.chart_svg(charts.continuum_chart(text)).startswith("<svg")


def test_charts_contain_only_finite_numbers():
    corpus = hostile_corpus()
    result = un.gamma(corpus, draws=5, rng=1)
    drawn = [
        charts.label_chart(result),
        charts.confusion_chart(result),
        charts.parts_chart(un.diagnose(corpus, result=result)),
        charts.consensus_chart(un.consensus(corpus)),
        charts.draws_chart(result),
    ]
    for chart in drawn:
        for rows in tables(chart).values():
            for row in rows:
                numbers = [each for each in row.values() if isinstance(each, float)]
                assert all(math.isfinite(each) for each in numbers), row
