"""Charts of measures against the magnitude of simulated errors."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from unisono.charts.style import INK, escape_controls, field, quantity, titled_chart, tooltip
from unisono.results.wording import count, decimals
from unisono.simulation.calibration.calibrate import ERROR_WORDS, effect_text, equivalents_text
from unisono.simulation.calibration.curves import fit_nonincreasing, interpolate_monotone
from unisono.simulation.error_curves import shown_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from unisono.charts.style import Chart
    from unisono.model.arrays import Floats
    from unisono.results.agreement import ChanceAgreement
    from unisono.simulation.calibration.calibrate import Calibration
    from unisono.simulation.calibration.curves import ErrorEquivalent
    from unisono.simulation.error_curves import ErrorCurves
    from unisono.simulation.shuffling.errors import ErrorType

__all__ = ["calibration_chart", "shuffling_chart"]


class _Look(NamedTuple):
    colour: str
    dashes: tuple[int, ...] = ()


# The palette of Okabe & Ito (2008), safe for colour-blind readers; further curves are dashed.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f")
_DASHES: tuple[tuple[int, ...], ...] = ((), (6, 3), (2, 3))
_ERROR_LOOKS: dict[ErrorType, _Look] = {
    "position": _Look("#0072b2"),
    "category": _Look("#d55e00", (7, 3)),
    "false_negative": _Look("#009e73", (2, 3)),
    "false_positive": _Look("#cc79a7", (9, 3, 2, 3)),
    "split": _Look("#8a6d00", (4, 4)),
}
_HEIGHT, _CURVES_WIDTH, _PANEL_WIDTH = 280, 560, 360
_MARGIN = 100  # width of the axis and of the name of the observed value
_LEGEND_LETTER, _LEGEND_LINE = 6.2, 56
_LOWEST = -1.0
_N_PLACES = 101


def shuffling_chart(
    curves: ErrorCurves, *, title: str = "Agreement against magnitude of errors"
) -> Chart:
    """Draw measures against the magnitude of the errors of simulated annotators.

    Parameters
    ----------
    curves
        The result of `error_curves`.
    title
        The title of the chart.

    Returns
    -------
    altair.LayerChart
        The means, with bands that contain most annotation sets. A curve is interrupted where its
        measure is undefined.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import shuffling_chart
    >>> reference = un.generate_reference(10, rng=1)
    >>> found = un.error_curves(reference, measures="gamma", magnitudes=3, repeats=3, rng=1)
    >>> [row["name"] for row in shuffling_chart(found).to_dict()["datasets"]["lines"]]
    ['γ', 'γ', 'γ']
    """
    looks: dict[str, _Look] = {}
    rows: list[dict[str, Any]] = []
    for at, curve in enumerate(curves.curves.values()):
        name = escape_controls(shown_name(curve.measure))
        while name in looks:
            name += " "
        looks[name] = _Look(
            _COLOURS[at % len(_COLOURS)], _DASHES[at // len(_COLOURS) % len(_DASHES)]
        )
        columns = (curve.magnitudes, curve.mean, curve.low, curve.high)
        rows += _rows(name, looks[name], *columns)
    means = [row["value"] for row in rows if row["value"] is not None]
    x, y = _magnitude(curves.magnitudes.tolist()), _agreement("agreement", means)
    levels = {curve.confidence for curve in curves.curves.values()}
    confidence = f"{100 * levels.pop():g} %" if levels else "most"
    notes = [
        f"errors: {', '.join(ERROR_WORDS[error] for error in curves.errors)}",
        f"means over {count(curves.repeats, 'annotation set')}; bands contain {confidence} of them",
    ]
    if any(mean < _LOWEST for mean in means):
        notes.append(f"values below {_LOWEST:g} are drawn at {_LOWEST:g}")
    if curves.left_out_measures:
        notes.append(f"left out: {', '.join(map(shown_name, curves.left_out_measures))}")
    longest = _LEGEND_LETTER * max(map(len, looks), default=1) + _LEGEND_LINE
    legend = {"title": "measure", "columns": max(1, min(5, int(_CURVES_WIDTH / longest)))}
    body = {
        "width": _CURVES_WIDTH,
        "height": _HEIGHT,
        "layer": _curve_layers("lines", "measure", looks, x, y, legend),
    }
    return titled_chart(body, {"lines": rows}, title=title, notes=notes)


def calibration_chart(
    calibration: Calibration, *, title: str = "Errors that would explain the observed agreement"
) -> Chart:
    """Draw the curves of a calibration with the observed values.

    Parameters
    ----------
    calibration
        The result of `calibrate`.
    title
        The title of the chart.

    Returns
    -------
    altair.HConcatChart
        Panels for γ and, where it is defined, γcat. Bands show one standard deviation of single
        annotation sets around each curve, and the Monte Carlo interval around the observed value.
        Dots mark where a curve reaches the observed value; the legend has the equivalent errors.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import calibration_chart
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
    >>> len(calibration_chart(found).to_dict()["hconcat"])
    2
    """
    observed = calibration.gamma
    panels = [_panel(calibration, "γ", "gamma", observed, calibration.gamma_equivalents)]
    if not observed.gamma_cat.undefined:
        panels.append(
            _panel(
                calibration,
                "γcat",
                "gamma_cat",
                observed.gamma_cat,
                calibration.gamma_cat_equivalents,
            )
        )
    tables = {name: rows for panel in panels for name, rows in panel.tables.items()}
    # The subtitle has the sentences that do not fit the legends of the equivalents.
    notes = [
        equivalents_text(sign, value, found)
        for sign, value, found in (
            ("γ", observed, calibration.gamma_equivalents),
            ("γcat", observed.gamma_cat, calibration.gamma_cat_equivalents),
        )
        if value.undefined or value.value == 1.0
    ]
    notes += calibration.sentences[2:]
    bands = ["bands: one standard deviation of single annotation sets"]
    if observed.monte_carlo is not None or observed.gamma_cat.monte_carlo is not None:
        bands.append("grey: Monte Carlo interval of the observed value")
    notes.append("; ".join(bands))
    notes += [
        f"{ERROR_WORDS[error]} left out: {reason}"
        for error, reason in calibration.left_out_errors.items()
    ]
    body = {
        # A margin for fonts that are wider than the measured one.
        "padding": {"left": 5, "top": 5, "right": 25, "bottom": 5},
        "hconcat": [panel.spec for panel in panels],
        "resolve": {
            "scale": {"color": "independent", "strokeDash": "independent"},
            "legend": {"color": "independent", "strokeDash": "independent"},
        },
    }
    width = len(panels) * (_PANEL_WIDTH + _MARGIN)
    return titled_chart(
        body, tables, title=title, notes=notes, also=calibration.sentences[:2], width=width
    )


class _Panel(NamedTuple):
    spec: dict[str, Any]
    tables: dict[str, list[dict[str, Any]]]


def _panel(
    calibration: Calibration,
    sign: str,
    measure: Literal["gamma", "gamma_cat"],
    observed: ChanceAgreement,
    equivalents: Mapping[ErrorType, ErrorEquivalent],
) -> _Panel:
    """Return the panel of one measure; its legend contains the equivalents."""
    looks = {ERROR_WORDS[error]: _ERROR_LOOKS[error] for error in calibration.curves}
    curves = [
        row
        for error, columns in _smooth_curves(calibration, measure).items()
        for row in _rows(ERROR_WORDS[error], _ERROR_LOOKS[error], *columns)
    ]
    interval = observed.monte_carlo
    across: dict[str, Any] = {
        "name": f"observed\n{sign} = {decimals(observed.value, 2)}",
        "value": observed.value,
        # An end is infinite if the expected disorder is too uncertain.
        "low": None if interval is None else max(interval.low, _LOWEST),
        "high": None if interval is None else min(interval.high, 1.0),
    }
    effects = {
        error: f"{ERROR_WORDS[error]}: {sign} does not fall that low"
        if each.undefined
        else effect_text(error, each.effect, each.effect_low, each.effect_high)
        for error, each in equivalents.items()
    }
    dots = [
        {
            "name": effects[error],
            "magnitude": each.magnitude,
            "value": observed.value,
            "colour": _ERROR_LOOKS[error].colour,
        }
        for error, each in equivalents.items()
        if not each.undefined
    ]
    y = _agreement(None, [observed.value, *(row["value"] for row in curves)])
    legend: dict[str, Any] = {"title": "errors", "columns": 1}
    if observed.value < 1.0:
        words = {ERROR_WORDS[error]: text for error, text in effects.items()}
        legend = {
            **legend,
            "title": f"The observed {sign} corresponds to annotators who …",
            "labelExpr": f"({json.dumps(words, ensure_ascii=False)})[datum.label]",
            "labelLimit": _PANEL_WIDTH,
        }
    x = _magnitude([0.0, 1.0])
    layers = [
        *_curve_layers(measure, "errors", looks, x, y, legend),
        *_observed_layers(f"{measure}_observed", f"{measure}_dots", x, y),
    ]
    heading = {"text": sign, "anchor": "start", "frame": "group", "fontSize": 13, "offset": 8}
    spec = {"title": heading, "width": _PANEL_WIDTH, "height": _HEIGHT, "layer": layers}
    tables = {measure: curves, f"{measure}_observed": [across], f"{measure}_dots": dots}
    return _Panel(spec, tables)


def _smooth_curves(
    calibration: Calibration, measure: Literal["gamma", "gamma_cat"]
) -> dict[ErrorType, tuple[Floats, Floats, Floats, Floats]]:
    """Return magnitudes, mean and band of each error: the smoothed, non-increasing curves."""
    curves = {}
    for error, points in calibration.curves.items():
        known = [point for point in points if math.isfinite(getattr(point, f"{measure}_mean"))]
        if len(known) < 2:
            continue
        at = np.array([point.magnitude for point in known])
        mean = fit_nonincreasing(np.array([getattr(point, f"{measure}_mean") for point in known]))
        spread = np.array([getattr(point, f"{measure}_deviation") for point in known])
        fine = np.linspace(at[0], at[-1], _N_PLACES)
        line = interpolate_monotone(at, mean, fine)
        width: Floats = np.interp(fine, at, spread)
        curves[error] = (fine, line, line - width, line + width)
    return curves


def _rows(
    name: str, look: _Look, magnitudes: Floats, means: Floats, lows: Floats, highs: Floats
) -> list[dict[str, Any]]:
    """Return one row per point of a curve; None for undefined values interrupts the line."""
    columns = [
        [value if math.isfinite(value) else None for value in column.tolist()]
        for column in (means, lows, highs)
    ]
    return [
        {
            "name": name,
            "magnitude": magnitude,
            "value": value,
            "low": low,
            "high": high,
            "colour": look.colour,
        }
        for magnitude, value, low, high in zip(magnitudes.tolist(), *columns, strict=True)
    ]


def _magnitude(magnitudes: Sequence[float]) -> dict[str, Any]:
    low, high = min(magnitudes, default=0.0), max(magnitudes, default=1.0)
    axis = {"title": "magnitude of errors", "tickCount": 10}
    return quantity("magnitude", None, low, high if high > low else low + 1.0, axis=axis)


def _agreement(title: str | None, values: Iterable[float]) -> dict[str, Any]:
    """Return the encoding of agreement, from the least value (clipped to −1 … 0) to 1."""
    known = [value for value in values if math.isfinite(value)]
    lowest = max(_LOWEST, math.floor(min([0.0, *known]) * 5.0) / 5.0)
    axis = {"title": title, "grid": True}
    return quantity("value", None, lowest, 1.0, axis=axis, scale={"clamp": True})


def _at_zero(y: dict[str, Any]) -> dict[str, Any]:
    return {**{name: part for name, part in y.items() if name != "field"}, "datum": 0.0}


def _curve_layers(
    table: str,
    noun: str,
    looks: Mapping[str, _Look],
    x: dict[str, Any],
    y: dict[str, Any],
    legend: dict[str, Any],
) -> list[dict[str, Any]]:
    """Return the layers of the curves of a table and of their bands."""
    names = list(looks)
    # Colours and dashes share one legend.
    beside = {**legend, "orient": "bottom", "symbolSize": 400, "titleLimit": _PANEL_WIDTH}
    colours = [look.colour for look in looks.values()]
    dashes = [list(look.dashes) or [1, 0] for look in looks.values()]
    tips = [
        *tooltip(name=noun),
        field("magnitude", "quantitative", format=".2f"),
        field("value", "quantitative", format=".3f"),
    ]
    return [
        {
            # A single line for agreement by chance, independent of the rows.
            "data": {"name": table},
            "transform": [{"aggregate": [{"op": "count", "as": "rows"}]}],
            "mark": {"type": "rule", "color": INK, "strokeOpacity": 0.4},
            "encoding": {"y": _at_zero(y)},
        },
        {
            "data": {"name": table},
            "mark": {"type": "area", "opacity": 0.12, "clip": True},
            "encoding": {
                "x": x,
                "y": {**y, "field": "low"},
                "y2": {"field": "high"},
                # The colour is a column, because a legend of it would be too pale.
                "fill": field("colour", scale=None),
                "detail": field("name"),
            },
        },
        {
            "data": {"name": table},
            "mark": {"type": "line", "strokeWidth": 2, "clip": True},
            "encoding": {
                "x": x,
                "y": y,
                "color": field("name", scale={"domain": names, "range": colours}, legend=beside),
                "strokeDash": field(
                    "name", scale={"domain": names, "range": dashes}, legend=beside
                ),
                "tooltip": tips,
            },
        },
    ]


def _observed_layers(
    across: str, dots: str, x: dict[str, Any], y: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return layers: the observed value with its interval, and dots where curves reach it."""
    return [
        {
            "data": {"name": across},
            "transform": [{"filter": "isValid(datum.low)"}],
            "mark": {"type": "rect", "color": INK, "opacity": 0.15, "clip": True},
            "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
        },
        {
            "data": {"name": across},
            "mark": {"type": "rule", "color": INK, "strokeWidth": 1.5},
            "encoding": {"y": y},
        },
        {
            # Outside the panel, so that it does not cover a curve.
            "data": {"name": across},
            "mark": {
                "type": "text",
                "align": "left",
                "baseline": "middle",
                "dx": 6,
                "dy": -7,
                "lineBreak": "\n",
            },
            "encoding": {"x": {"value": _PANEL_WIDTH}, "y": y, "text": field("name")},
        },
        {
            "data": {"name": dots},
            "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1, "stroke": INK},
            "encoding": {
                "x": x,
                "y": y,
                "fill": field("colour", scale=None),
                "tooltip": [
                    *tooltip(name="annotators who"),
                    field("magnitude", "quantitative", format=".2f"),
                ],
            },
        },
    ]
