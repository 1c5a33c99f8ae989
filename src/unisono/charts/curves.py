"""Charts of simulated annotators: how measures fall as errors grow, and what was observed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from unisono.charts.framing import field, framed, quantity, tooltip
from unisono.charts.style import INK
from unisono.charts.svg.calibration_lines import LOOKS, calibration_lines
from unisono.charts.svg.lines import COLOURS, DASHES, scan_lines
from unisono.results.wording import count, decimals
from unisono.simulation.calibration.calibration_words import ERROR_WORDS

if TYPE_CHECKING:
    from unisono.charts.altair_door import Chart
    from unisono.simulation.calibration.calibration_result import Calibration
    from unisono.simulation.curves import Scan

__all__ = ["calibration_chart", "shuffling_chart"]

_HIGH = 280
_LOWEST = -1.0


def shuffling_chart(scan: Scan, *, title: str = "Agreement as errors grow") -> Chart:
    """Draw how measures fall while simulated annotators make more errors.

    Parameters
    ----------
    scan
        What `scan` gave.
    title
        The line above.

    Returns
    -------
    altair.LayerChart
        Means, and around each the band in which most annotation sets lie.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts.curves import shuffling_chart
    >>> reference = un.generate_reference(10, rng=1)
    >>> found = un.scan(reference, measures="gamma", magnitudes=3, repeats=3, rng=1)
    >>> [row["name"] for row in shuffling_chart(found).to_dict()["datasets"]["lines"]]
    ['γ', 'γ', 'γ']
    """
    lines = scan_lines(scan)
    looks = {
        line.name: (
            COLOURS[at % len(COLOURS)],
            tuple(map(int, DASHES[at // len(COLOURS) % len(DASHES)].split())),
        )
        for at, line in enumerate(lines)
    }
    rows: list[dict[str, Any]] = [
        _point(line.name, looks, x, y, low, high)
        for line in lines
        for x, y, low, high in zip(line.x, line.y, line.low, line.high, strict=True)
        if math.isfinite(y)
    ]
    level = f"{100 * scan.curves[0].level:g} %" if scan.curves else "most"
    told = [f"means over {count(scan.repeats, 'annotation set')}, bands hold {level} of them"]
    if scan.left_out:
        told.append(f"left out: {', '.join(scan.left_out)}")
    lowest = _floor([row["value"] for row in rows])
    body = {
        "width": 560,
        "height": _HIGH,
        "layer": _line_layers("lines", looks, lowest, "agreement", "measure"),
    }
    named = ", ".join(ERROR_WORDS[error] for error in scan.errors)
    return framed(body, {"lines": rows}, title=title, told=[f"errors: {named}", *told])


def calibration_chart(
    calibration: Calibration, *, title: str = "Which errors would give this agreement"
) -> Chart:
    """Draw the curves of a calibration with the observed values across them.

    Parameters
    ----------
    calibration
        What `calibrate` gave.
    title
        The line above.

    Returns
    -------
    altair.HConcatChart
        γ, and γcat where it is defined. Around each curve lies one standard deviation of single
        annotation sets; a dot is where a curve has the observed value.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts.curves import calibration_chart
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
    >>> len(calibration_chart(found).to_dict()["hconcat"])
    2
    """
    tables: dict[str, list[dict[str, Any]]] = {}
    panels = []
    looks = {ERROR_WORDS[error]: LOOKS[error] for error in calibration.curves}
    parts: list[tuple[str, Any, Any, Any]] = [
        ("γ", "gamma", calibration.observed, calibration.gamma)
    ]
    if not calibration.observed.cat.undefined:
        parts.append(("γcat", "cat", calibration.observed.cat, calibration.cat))
    for sign, measure, observed, equivalents in parts:
        rows = [
            _point(ERROR_WORDS[error], looks, x, y, low, high)
            for error, line in calibration_lines(calibration, measure).items()
            for x, y, low, high in zip(*(each.tolist() for each in line), strict=True)
        ]
        across = [
            {"name": f"observed {sign} = {decimals(observed.value, 2)}", "value": observed.value}
        ]
        dots = [
            _point(ERROR_WORDS[error], looks, each.magnitude, observed.value)
            for error, each in equivalents.items()
            if not each.undefined
        ]
        tables |= {measure: rows, f"{measure}_observed": across, f"{measure}_dots": dots}
        lowest = _floor([observed.value, *(row["value"] for row in rows)])
        layers = [
            *_line_layers(measure, looks, lowest, sign, "errors"),
            *_observed_layers(measure, lowest),
        ]
        panels.append({"width": 360, "height": _HIGH, "layer": layers})
    told = [*calibration.sentences[:2], "bands: one standard deviation of single annotation sets"]
    return framed({"hconcat": panels}, tables, title=title, told=told)


def _line_layers(
    table: str,
    looks: dict[str, tuple[str, tuple[int, ...]]],
    lowest: float,
    y_title: str,
    legend: str,
) -> list[dict[str, Any]]:
    x = quantity("magnitude", "magnitude of errors", 0.0, 1.0)
    y = quantity("value", y_title, lowest, 1.0)
    names = list(looks)
    colour = field(
        "name",
        scale={"domain": names, "range": [look[0] for look in looks.values()]},
        legend={"title": legend, "orient": "bottom", "columns": 5, "symbolSize": 400},
    )
    dashes = field(
        "name",
        scale={"domain": names, "range": [list(look[1]) or [1, 0] for look in looks.values()]},
        legend={"title": legend, "orient": "bottom", "columns": 5, "symbolSize": 400},
    )
    told = [
        *tooltip(name=legend),
        field("magnitude", "quantitative", format=".2f"),
        field("value", "quantitative", format=".3f"),
    ]
    return [
        {
            "data": {"name": table},
            "mark": {"type": "area", "opacity": 0.12, "clip": True},
            "encoding": {
                "x": x,
                "y": {**y, "field": "low"},
                "y2": {"field": "high"},
                # Written in the rows, because a legend of it would be too pale to be seen.
                "fill": field("colour", scale=None),
                "detail": field("name"),
            },
        },
        {
            "data": {"name": table},
            "mark": {"type": "line", "strokeWidth": 2, "clip": True},
            "encoding": {"x": x, "y": y, "color": colour, "strokeDash": dashes, "tooltip": told},
        },
    ]


def _observed_layers(measure: str, lowest: float) -> list[dict[str, Any]]:
    y = quantity("value", None, lowest, 1.0)
    return [
        {
            "data": {"name": f"{measure}_observed"},
            "mark": {"type": "rule", "color": INK, "strokeWidth": 1.5},
            "encoding": {"y": y},
        },
        {
            "data": {"name": f"{measure}_observed"},
            "mark": {"type": "text", "align": "right", "dy": -7},
            "encoding": {"x": {"value": 356}, "y": y, "text": field("name")},
        },
        {
            "data": {"name": f"{measure}_dots"},
            "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1, "stroke": INK},
            "encoding": {
                "x": quantity("magnitude", "magnitude of errors", 0.0, 1.0),
                "y": y,
                "fill": field("colour", scale=None),
                "tooltip": [*tooltip(name="errors"), field("magnitude", "quantitative")],
            },
        },
    ]


def _point(
    name: str,
    looks: dict[str, tuple[str, tuple[int, ...]]],
    magnitude: float,
    value: float,
    *band: float,
) -> dict[str, Any]:
    row = {"name": name, "magnitude": magnitude, "value": value, "colour": looks[name][0]}
    return row | dict(zip(("low", "high"), band, strict=False))


def _floor(values: list[float]) -> float:
    known = [value for value in values if math.isfinite(value)]
    return max(_LOWEST, math.floor(min([0.0, *known]) * 5.0) / 5.0)
