"""The picture of a calibration is sound XML and puts numbers where they belong."""

import re
from xml.etree import ElementTree as ET

import pytest

import unisono as un
from unisono.charts.svg.calibration import calibration_svg

SVG = "{http://www.w3.org/2000/svg}"


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


def elements(svg, tag):
    return [each for each in ET.fromstring(svg).iter(f"{SVG}{tag}")]  # noqa: S314, C416 - our own


def words(svg):
    return [each.text for each in elements(svg, "text")]


def test_it_is_one_picture_with_two_panels(found):
    svg = calibration_svg(found, title="talk <1> & more")
    told = words(svg)

    assert told[0] == "talk <1> & more"
    assert {"γ", "γcat"} <= set(told)
    assert f"observed γ = {found.observed.value:.2f}" in told
    assert f"observed γcat = {found.observed.cat.value:.2f}" in told
    # A line and a band for each error, in each panel.
    assert len(elements(svg, "polyline")) == len(elements(svg, "polygon")) == 6
    assert "script" not in svg
    assert "href" not in svg


def test_curves_begin_at_one_and_end_at_their_last_mean(found):
    first = elements(calibration_svg(found), "polyline")[0].get("points").split()
    x, y = (float(number) for number in first[0].split(","))
    last_x, last_y = (float(number) for number in first[-1].split(","))
    last = found.curves["position"][-1]

    assert (x, y) == (56.0, 52.0)
    assert last_x == pytest.approx(56 + 380 * last.magnitude, abs=0.1)
    assert last_y == pytest.approx(52 + 280 * (1 - last.gamma), abs=0.1)


def test_a_dot_stands_where_a_curve_has_the_observed_value(found):
    dots = elements(calibration_svg(found), "circle")
    reached = [each for each in found.gamma.values() if not each.undefined]
    both = len(reached) + sum(not each.undefined for each in found.cat.values())

    assert len(dots) == both
    assert float(dots[0].get("cx")) == pytest.approx(56 + 380 * reached[0].magnitude, abs=0.1)
    assert float(dots[0].get("cy")) == pytest.approx(52 + 280 * (1 - found.observed.value), abs=0.1)


def test_the_legend_says_what_gives_the_value(found):
    told = words(calibration_svg(found))

    assert any(re.fullmatch(r"move boundaries by \d+ % \(.*\) of a unit's length", t) for t in told)
    assert len([text for text in told if "of labels" in text or "of units" in text]) == 2


def test_without_labels_there_is_one_panel():
    talk = un.Continuum.from_units(
        [(name, at + late, at + 7 + late) for name, late in zip("abc", (0, 1, 2), strict=True)
         for at in (0, 10, 25, 40, 60)]
    )  # fmt: skip
    found = un.calibrate(talk, errors="position", magnitudes=(0.2, 0.5), repeats=5, draws=5, rng=1)
    svg = calibration_svg(found)

    assert "γcat" not in words(svg)
    assert len(elements(svg, "polyline")) == 1
