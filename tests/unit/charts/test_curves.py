"""Charts of error curves and calibrations."""

import math
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import unisono as un
from unisono import charts
from unisono.results import ErrorCurve

SVG = "{http://www.w3.org/2000/svg}"
NAMES = {
    "position": "moved boundaries",
    "category": "confused labels",
    "false_negative": "missed units",
}
SCAN = un.error_curves(
    un.generate_reference(8, rng=1), measures="gamma", magnitudes=3, repeats=3, rng=1
)


@pytest.fixture(scope="module")
def found():
    talk = un.read("examples/interview.csv")["interview"]
    return un.calibrate(
        talk,
        errors=("position", "category", "false_negative"),
        magnitudes=(0.1, 0.3, 0.6),
        repeats=5,
        draws=5,
        rng=1,
    )


def curves_of(*means, name="gamma_k:{}", spread=0.05):
    """Return error curves with these means."""
    curves = {
        name.format(number): ErrorCurve(
            measure=name.format(number),
            magnitudes=np.linspace(0.0, 1.0, len(each)),
            values=np.array([[mean - spread, mean, mean + spread] for mean in each]),
        )
        for number, each in enumerate(means)
    }
    return replace(SCAN, curves=curves)


def tables(chart):
    return charts.chart_spec(chart)["datasets"]


def subtitle(chart):
    return " ".join(charts.chart_spec(chart)["title"]["subtitle"])


def words(picture):
    return [" ".join(each.itertext()) for each in ET.fromstring(picture).iter(f"{SVG}text")]  # noqa: S314 - our own


def curves_in(picture):
    """Return the paths of the curves in an image, without bands and legend."""
    groups = ET.fromstring(picture).iter(f"{SVG}g")  # noqa: S314 - our own
    lines = [group for group in groups if (group.get("class") or "").startswith("mark-line")]
    return [path for group in lines for path in group.iter(f"{SVG}path")]


def test_undefined_values_interrupt_a_curve():
    picture = charts.chart_svg(charts.shuffling_chart(curves_of([1, 0.8, math.nan, 0.4, 0.2])))
    (path,) = curves_in(picture)

    assert path.attrib["d"].count("M") == 2
    assert path.attrib["d"].count("L") == 2


def test_names_of_curves_are_escaped():
    scan = curves_of([1, 0], name="gamma_k:</text><script>&\u202e")
    picture = charts.chart_svg(charts.shuffling_chart(scan, title="a < b"))

    assert {"a < b", "γk </text><script>&\\u202e", "magnitude of errors", "agreement"} <= set(
        words(picture)
    )
    assert "<script" not in picture


def test_curves_of_labels_with_equal_text_are_distinct():
    first = next(iter(SCAN.curves.values()))
    names = [f"gamma_k:{label}" for label in ("\x01", "\\x01")]
    alike = {name: replace(first, measure=name) for name in names}
    rows = tables(charts.shuffling_chart(replace(SCAN, curves=alike)))["lines"]

    assert len({row["name"] for row in rows}) == 2


def test_axis_spans_the_magnitudes():
    half = replace(SCAN, magnitudes=np.array([0.0, 0.25, 0.5]))
    spec = charts.chart_spec(charts.shuffling_chart(half))

    assert spec["layer"][-1]["encoding"]["x"]["scale"]["domain"] == [0.0, 0.5]


def test_very_low_values_are_clamped():
    deep = charts.shuffling_chart(curves_of([1, -9]))
    (path,) = curves_in(charts.chart_svg(deep))

    # A panel of 280 pixels, from 1 at the top to -1 at the bottom.
    assert [float(place.split(",")[1]) for place in path.attrib["d"][1:].split("L")] == [0, 280]
    assert "values below -1 are drawn at -1" in subtitle(deep)
    assert "values below" not in subtitle(charts.shuffling_chart(curves_of([1, -0.5])))


def test_many_curves_are_distinguishable():
    many = charts.shuffling_chart(curves_of(*[[1, number / 30] for number in range(25)]))
    picture = charts.chart_svg(many)
    styles = {(path.get("stroke"), path.get("stroke-dasharray")) for path in curves_in(picture)}

    assert len(curves_in(picture)) == 25
    assert len(styles) == 21
    assert {f"γk {number}" for number in range(25)} <= set(words(picture))


@pytest.mark.parametrize("scan", [curves_of(), curves_of([math.nan])])
def test_curves_without_values_can_be_drawn(scan):
    picture = ET.fromstring(charts.chart_svg(charts.shuffling_chart(scan)))  # noqa: S314 - our own

    assert picture.attrib["role"] == "img"


def test_left_out_measures_are_listed_by_symbol():
    chart = charts.shuffling_chart(replace(SCAN, left_out_measures={"pk": "gaps"}))

    assert subtitle(chart).endswith("left out: 1 − Pk")


def test_calibration_chart_has_two_panels(found):
    picture = charts.chart_svg(charts.calibration_chart(found, title="talk <1> & more"))
    texts = words(picture)

    assert {"talk <1> & more", "γ", "γcat"} <= set(texts)
    assert f"observed γ = {found.gamma.value:.2f}" in texts
    assert f"observed γcat = {found.gamma.gamma_cat.value:.2f}" in texts
    # One line per error in each panel.
    assert len(curves_in(picture)) == 6


@pytest.mark.parametrize("theme", [None, "light", "dark"])
def test_calibration_chart_has_a_description(found, theme):
    picture = charts.chart_svg(charts.calibration_chart(found), theme=theme)
    described = ET.fromstring(picture).get("aria-label") or ""  # noqa: S314 - our own

    for sentence in found.sentences:
        assert sentence.removesuffix(".") in described
    assert "<script" not in picture
    assert "href" not in picture.replace("xmlns:xlink", "")


def test_dark_calibration_chart_has_light_text(found):
    picture = charts.chart_svg(charts.calibration_chart(found), theme="dark")
    texts = ET.fromstring(picture).iter(f"{SVG}text")  # noqa: S314 - our own

    assert {text.get("fill") for text in texts} == {"#e6e6e6"}


def test_curves_begin_at_one_and_end_at_their_last_mean(found):
    data = tables(charts.calibration_chart(found))
    for measure in ("gamma", "gamma_cat"):
        for error, points in found.curves.items():
            rows = [row for row in data[measure] if row["name"] == NAMES[error]]
            last = points[-1]
            assert (rows[0]["magnitude"], rows[0]["value"]) == (0.0, 1.0)
            assert rows[-1]["magnitude"] == last.magnitude
            assert np.diff([row["value"] for row in rows]).max() < 1e-12
            deviation = getattr(last, f"{measure}_deviation")
            assert rows[-1]["high"] - rows[-1]["low"] == pytest.approx(2 * deviation)
    first = [row for row in data["gamma"] if row["name"] == "moved boundaries"]
    assert first[-1]["value"] == pytest.approx(found.curves["position"][-1].gamma_mean)


def test_dots_mark_the_observed_value_on_curves(found):
    data = tables(charts.calibration_chart(found))
    for measure, equivalents, value in (
        ("gamma", found.gamma_equivalents, found.gamma.value),
        ("gamma_cat", found.gamma_cat_equivalents, found.gamma.gamma_cat.value),
    ):
        reached = [each.magnitude for each in equivalents.values() if not each.undefined]
        assert [row["magnitude"] for row in data[f"{measure}_dots"]] == reached
        assert {row["value"] for row in data[f"{measure}_dots"]} == {value}


def test_the_observed_value_has_its_interval(found):
    (row,) = tables(charts.calibration_chart(found))["gamma_observed"]

    interval = found.gamma.monte_carlo
    assert (row["low"], row["high"]) == (interval.low, interval.high)


def test_legends_have_the_equivalent_errors(found):
    texts = words(charts.chart_svg(charts.calibration_chart(found)))

    assert "The observed γ corresponds to annotators who …" in texts
    pattern = r"move boundaries by \d+ % \(.*\) of a unit's length"
    assert any(re.fullmatch(pattern, text) for text in texts)
    assert "moved boundaries: γcat does not fall that low" in texts
    assert sum("of labels" in text or "of units" in text for text in texts) == 4


def test_calibration_without_labels_has_one_panel():
    talk = un.Continuum.from_units(
        [(name, at + late, at + 7 + late) for name, late in zip("abc", (0, 1, 2), strict=True)
         for at in (0, 10, 25, 40, 60)]
    )  # fmt: skip
    found = un.calibrate(talk, errors="position", magnitudes=(0.2, 0.5), repeats=5, draws=5, rng=1)
    chart = charts.calibration_chart(found)

    assert len(charts.chart_spec(chart)["hconcat"]) == 1
    assert "γcat is undefined: no unit has a label." in subtitle(chart)
    assert len(curves_in(charts.chart_svg(chart))) == 1


def test_calibration_of_perfect_agreement():
    same = un.Continuum.from_units(
        [(name, at, at + 7, label) for name in "ab" for at, label in ((0, "x"), (9, "y"))]
    )
    found = un.calibrate(same, errors="position", magnitudes=(0.2, 0.5), repeats=5, draws=5, rng=1)
    chart = charts.calibration_chart(found)

    assert "γ = 1: the annotators agree perfectly, so there are no errors to estimate." in subtitle(
        chart
    )
    assert "What gives" not in " ".join(words(charts.chart_svg(chart)))
