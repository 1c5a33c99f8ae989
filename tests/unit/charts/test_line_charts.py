"""Pictures that are text."""

from __future__ import annotations

import math
from xml.etree import ElementTree as ET

from unisono.charts.svg.lines import Line, line_chart

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*lines, **settings):
    return ET.fromstring(line_chart(lines, title="a < b", **settings))  # noqa: S314 - our own


def test_a_hole_lifts_the_pen():
    picture = drawn(Line("γ", [0, 0.25, 0.5, 0.75, 1], [1, 0.8, math.nan, 0.4, 0.2]))
    (path,) = picture.iter(f"{SVG}path")
    assert path.attrib["d"].count("M") == 2
    assert path.attrib["d"].count("L") == 2


def test_names_are_escaped_and_shown():
    picture = drawn(Line("<γk>", [0, 1], [1, 0]), marks=[("observed 0.6", 0.6)])
    texts = [text.text for text in picture.iter(f"{SVG}text")]
    assert {"a < b", "<γk>", "observed 0.6", "magnitude", "agreement"} <= set(texts)


def test_lower_values_lie_lower_and_what_is_far_below_is_cut():
    picture = drawn(Line("SER", [0, 1], [1, -9], [1, -9], [1, -8]))
    (path,) = picture.iter(f"{SVG}path")
    heights = [
        float(step.split()[-1]) for step in path.attrib["d"].replace("L", "M").split("M")[1:]
    ]
    assert heights[0] < heights[1] <= 360
    assert len(list(picture.iter(f"{SVG}polygon"))) == 1


def test_many_lines_still_have_room_and_differ():
    lines = [Line(f"line {i}", [0, 1], [1, i / 30]) for i in range(25)]
    picture = drawn(*lines)
    assert float(picture.attrib["height"]) > 25 * 17
    styles = {
        (p.attrib["stroke"], p.attrib["stroke-dasharray"]) for p in picture.iter(f"{SVG}path")
    }
    assert len(styles) == 21


def test_nothing_to_draw_is_still_a_picture():
    empty = drawn(Line("γ", [0.5], [math.nan]))
    assert empty.attrib["role"] == "img"
    assert drawn().tag == f"{SVG}svg"
