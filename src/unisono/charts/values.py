"""Charts of values: labels, curves, draws and bootstrap distributions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.charts.style import AGREE, INK, WARM, field, framed, listed, palette, quantity, tooltip
from unisono.charts.svg.calibration_lines import LOOKS, calibration_lines
from unisono.charts.svg.lines import COLOURS, DASHES, scan_lines
from unisono.errors import DataError
from unisono.measures.gamma.result import GammaResult
from unisono.measures.unitizing.alphas import UnitizingResult
from unisono.results.agreement import ChanceAgreement
from unisono.results.wording import count, decimals
from unisono.simulation.calibration.calibrate import ERROR_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from unisono.charts.style import Chart
    from unisono.measures.items.coefficient import ItemsAgreement
    from unisono.results.agreement import Agreement
    from unisono.simulation.calibration.calibrate import Calibration
    from unisono.simulation.error_curves import Scan

__all__ = ["bootstrap_chart", "calibration_chart", "draws_chart", "label_chart", "shuffling_chart"]

_CURVE_HEIGHT = 280
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
    >>> from unisono.charts import shuffling_chart
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
        "height": _CURVE_HEIGHT,
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
    >>> from unisono.charts import calibration_chart
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
        panels.append({"width": 360, "height": _CURVE_HEIGHT, "layer": layers})
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


_DISTRIBUTION_WIDTH, _DISTRIBUTION_HEIGHT = 480, 200
_MOST_BINS = 60


def draws_chart(result: GammaResult, *, title: str = "Disorder by chance, and observed") -> Chart:
    """Draw the disorders of the random continua, their mean, and the disorder of the data.

    Parameters
    ----------
    result
        What `gamma` gave.
    title
        The line above.

    Returns
    -------
    altair.LayerChart
        γ is how far the observed disorder lies below the mean of the draws, as a share of it.

    Raises
    ------
    DataError
        If nothing was drawn.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import draws_chart
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> chart = draws_chart(un.gamma(text, draws=30, rng=1))
    >>> sum(row["number"] for row in chart.to_dict()["datasets"]["bins"])
    30
    """
    if not isinstance(result, GammaResult):
        msg = f"draws_chart takes a GammaResult, got {type(result).__name__}"
        raise TypeError(msg)
    values = result.draw_disorders[np.isfinite(result.draw_disorders)]
    if not len(values):
        msg = f"there are no draws to show: {result.undefined or 'none has a disorder'}"
        raise DataError(msg)
    marks = [
        ("expected (mean)", result.expected, INK),
        ("observed", result.observed, WARM),
    ]
    told = [f"{count(len(values), 'draw')}; the bars are random continua"]
    if not result.undefined:
        told.append(
            f"γ = 1 − {decimals(result.observed, 3)} / {decimals(result.expected, 3)} = "
            f"{decimals(result.value, 3)}"
        )
    return _histogram(values, marks, [0.0], "disorder", "draws", title=title, told=told)


def bootstrap_chart(
    result: Agreement, values: ArrayLike, *, title: str = "What other items could have given"
) -> Chart:
    """Draw the values of resamples, with the value of the data and its interval.

    Parameters
    ----------
    result
        What `bootstrap` gave.
    values
        The values behind it, from `bootstrap_values` with the same settings; NaN where a resample
        has none.
    title
        The line above.

    Returns
    -------
    altair.LayerChart
        A histogram.

    Raises
    ------
    DataError
        If no resample has a value.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import bootstrap_chart
    >>> ratings = un.Ratings.from_matrix([list("aabbcabcba"), list("aabbcabcbb")])
    >>> found = un.bootstrap("scott", ratings, n=200, rng=1)
    >>> chart = bootstrap_chart(found, un.bootstrap_values("scott", ratings, n=200, rng=1))
    >>> sum(row["number"] for row in chart.to_dict()["datasets"]["bins"])
    200
    """
    given = np.asarray(values, dtype=np.float64)
    known = given[np.isfinite(given)]
    if not len(known):
        msg = f"there is nothing to draw: {result.undefined or 'no resample has a value'}"
        raise DataError(msg)
    told = [f"{count(len(known), 'resample')} with a value"]
    marks = [] if result.undefined else [("value", result.value, WARM)]
    interval = result.interval
    if interval is not None:
        marks += [
            (f"{100 * interval.level:g} % from", interval.low, INK),
            ("to", interval.high, INK),
        ]
        told.append(
            f"{decimals(result.value, 3)}, interval {decimals(interval.low, 3)} to "
            f"{decimals(interval.high, 3)} ({interval.method})"
        )
    name = result.signature.measure
    return _histogram(known, marks, [], name, "resamples", title=title, told=told)


def _histogram(
    values: NDArray[np.float64],
    marks: list[tuple[str, float, str]],
    also: list[float],
    what: str,
    of: str,
    *,
    title: str,
    told: list[str],
) -> Chart:
    ends = [*values.tolist(), *also, *(place for _, place, _ in marks if math.isfinite(place))]
    low, high = min(ends), max(ends)
    room = (high - low or 1.0) * 0.04
    low, high = (low if low in also else low - room), high + room
    spread = float(values.max() - values.min())
    # Freedman and Diaconis would need the quartiles; the square root is enough to look at.
    n_bins = min(_MOST_BINS, max(5, round(math.sqrt(len(values))))) if spread > 0.0 else 1
    edges = (
        np.linspace(values.min(), values.max(), n_bins + 1)
        if spread > 0.0
        else np.array([values[0] - room / 4, values[0] + room / 4])
    )
    numbers, _ = np.histogram(values, edges)
    rows = [
        {"start": start, "end": end, "number": number, "told": f"{decimals(start)}–{decimals(end)}"}
        for start, end, number in zip(
            edges[:-1].tolist(), edges[1:].tolist(), numbers.tolist(), strict=True
        )
    ]
    # Room above, where the marks are named.
    top = float(numbers.max()) * 1.3
    x = quantity("start", what, low, high, axis={"title": what, "tickCount": 8})
    layers: list[dict[str, Any]] = [
        {
            "data": {"name": "bins"},
            "mark": {"type": "rect", "color": AGREE, "stroke": INK, "strokeOpacity": 0.3},
            "encoding": {
                "x": x,
                "x2": {"field": "end"},
                "y": quantity("number", of, 0.0, top, axis={"title": of, "tickMinStep": 1}),
                "y2": {"datum": 0.0},
                "tooltip": tooltip(told=what, number=of),
            },
        }
    ]
    tables: dict[str, list[dict[str, Any]]] = {"bins": rows}
    for at, (name, place, colour) in enumerate(marks):
        if not math.isfinite(place):
            continue
        table = f"mark{at}"
        tables[table] = [{"start": place, "name": name, "told": decimals(place)}]
        on_left = place < low + (high - low) * 0.6
        layers += [
            {
                "data": {"name": table},
                "mark": {
                    "type": "rule",
                    "color": colour,
                    "strokeWidth": 2.5,
                    "strokeDash": [6, 3] if colour == INK else [1, 0],
                },
                "encoding": {"x": x, "tooltip": tooltip(name="", told=what)},
            },
            {
                "data": {"name": table},
                "mark": {
                    "type": "text",
                    "align": "left" if on_left else "right",
                    "dx": 5 if on_left else -5,
                    "baseline": "top",
                    "dy": 2 + 14 * at,
                    "fontWeight": "bold",
                },
                "encoding": {"x": x, "y": {"value": 0}, "text": field("name")},
            },
        ]
    body = {"width": _DISTRIBUTION_WIDTH, "height": _DISTRIBUTION_HEIGHT, "layer": layers}
    return framed(body, tables, title=title, told=told, width=_DISTRIBUTION_WIDTH)


_LABEL_WIDTH = 420
_MOST_LABELS = 50


def label_chart(
    result: GammaResult | UnitizingResult | ItemsAgreement,
    *,
    title: str = "Agreement of each label",
) -> Chart:
    """Draw the coefficient of each label with its intervals, the best first.

    Parameters
    ----------
    result
        What `gamma` gave, or another measure with values by label.
    title
        The line above.

    Returns
    -------
    altair.LayerChart
        Thick lines are what the draws leave uncertain (``monte_carlo``), thin lines what the data
        do (``interval``), where these are known. Labels without a value are named.

    Raises
    ------
    DataError
        If the result has no labels.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import label_chart
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> chart = label_chart(un.gamma(text, draws=30, rng=1))
    >>> [row["name"] for row in chart.to_dict()["datasets"]["values"]][:2]
    ['γ (all)', 'γcat (all)']
    """
    by_label = result.by_label
    if not by_label:
        msg = "this result has no values by label"
        raise DataError(msg)
    names = palette(by_label).names
    defined = [(names[label], each) for label, each in by_label.items() if not each.undefined]
    defined.sort(key=lambda each: (-each[1].value, each[0]))
    undefined = [names[label] for label, each in by_label.items() if each.undefined]
    told = [f"without a value: {listed(undefined)}"] if undefined else []
    if len(defined) > _MOST_LABELS:
        told.append(f"the {_MOST_LABELS} labels of {len(defined)} that agree least")
        defined = defined[-_MOST_LABELS:]
    rows = [
        _value_row(_apart(f"{name} (all)", names.values()), each, whole=True)
        for name, each in _wholes(result)
        if not each.undefined
    ]
    rows += [_value_row(name, each, whole=False) for name, each in defined]
    if not rows:
        msg = "there is nothing to draw: no label has a value"
        raise DataError(msg)
    if any("draws_low" in row for row in rows):
        told.append("thick lines: what the draws leave uncertain")
    if any("data_low" in row for row in rows):
        told.append("thin lines: what the data leave uncertain")
    if any(row["value"] < _LOWEST for row in rows):
        told.append(f"values below {_LOWEST:g} are drawn at {_LOWEST:g}")
    body = _values_body(rows)
    return framed(body, {"values": rows}, title=title, told=told, width=_LABEL_WIDTH + 160.0)


def _wholes(
    result: GammaResult | UnitizingResult | ItemsAgreement,
) -> list[tuple[str, Agreement]]:
    """Give the coefficients of all labels together, and how people write them."""
    if isinstance(result, GammaResult):
        return [("γ", result), ("γcat", result.cat)]
    if isinstance(result, UnitizingResult):
        return [("uα", result.u), ("|uα", result.binary), ("cuα", result.coding)]
    return [(result.signature.measure, result)]


def _apart(name: str, taken: Iterable[str]) -> str:
    while name in set(taken):
        name += " "
    return name


def _value_row(name: str, each: Agreement, *, whole: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": name,
        "value": each.value,
        "place": max(each.value, _LOWEST),
        "told": decimals(each.value, 3),
        "colour": "#8c8c8c" if whole else AGREE,
        "draws_told": "–",
        "data_told": "–",
    }
    drawn = each.monte_carlo if isinstance(each, ChanceAgreement) else None
    for kind, interval in (("draws", drawn), ("data", each.interval)):
        if interval is not None:
            # An end may be infinite where chance is hardly known.
            row |= {
                f"{kind}_low": max(interval.low, _LOWEST),
                f"{kind}_high": min(interval.high, 1.0),
                f"{kind}_told": f"{decimals(interval.low, 3)} to {decimals(interval.high, 3)} "
                f"({100 * interval.level:g} %)",
            }
    return row


def _values_body(rows: list[dict[str, Any]]) -> dict[str, Any]:
    ends = [row[name] for row in rows for name in ("place", "draws_low", "data_low") if name in row]
    low = max(_LOWEST, math.floor(min([0.0, *ends]) * 5.0) / 5.0)
    x = quantity("place", None, low, 1.0, axis={"title": "agreement", "tickCount": 6})
    y = field(
        "name",
        sort=None,
        axis={"title": None, "labelLimit": 260, "labelOverlap": False},
        scale={"domain": [row["name"] for row in rows]},
    )
    dots = {
        "data": {"name": "values"},
        "mark": {"type": "point", "filled": True, "size": 40, "opacity": 1},
        "encoding": {
            "x": x,
            "y": y,
            "color": field("colour", scale=None),
            "tooltip": tooltip(name="label", told="value", draws_told="draws", data_told="data"),
        },
    }
    numbers = {
        "data": {"name": "values"},
        "mark": {"type": "text", "align": "left"},
        "encoding": {"x": {"value": _LABEL_WIDTH + 8}, "y": y, "text": field("told")},
    }
    layers = [_interval_layer(x, y, "data", 1.2), _interval_layer(x, y, "draws", 3.5)]
    return {"width": _LABEL_WIDTH, "height": {"step": 20}, "layer": [*layers, dots, numbers]}


def _interval_layer(
    x: dict[str, Any], y: dict[str, Any], kind: str, width: float
) -> dict[str, Any]:
    return {
        "data": {"name": "values"},
        "transform": [{"filter": f"isValid(datum.{kind}_low)"}],
        "mark": {"type": "rule", "strokeWidth": width, "opacity": 0.55, "clip": True},
        "encoding": {
            "x": {**x, "field": f"{kind}_low"},
            "x2": {"field": f"{kind}_high"},
            "y": y,
            "color": field("colour", scale=None),
        },
    }
