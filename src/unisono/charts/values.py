"""Charts of values: labels, draws and bootstrap distributions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.charts.style import (
    AGREE,
    INK,
    WARM,
    field,
    palette,
    quantity,
    shorten_list,
    titled_chart,
    tooltip,
)
from unisono.errors import DataError
from unisono.measures.gamma.result import GammaAgreement
from unisono.measures.unitizing.alphas import UnitizingTable
from unisono.registry import MEASURES
from unisono.results.agreement import ChanceAgreement, value_in_words
from unisono.results.wording import count, decimals

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import ArrayLike, NDArray

    from unisono.charts.style import Chart
    from unisono.measures.items.result import ItemsAgreement
    from unisono.results.agreement import Agreement

__all__ = ["bootstrap_chart", "draws_chart", "label_chart"]

_LOWEST = -1.0


_DISTRIBUTION_WIDTH, _DISTRIBUTION_HEIGHT = 480, 200
_MOST_BINS = 60


def draws_chart(result: GammaAgreement, *, title: str = "Observed and expected disorder") -> Chart:
    """Draw a histogram of the disorders of the draws, with the expected and observed disorder.

    Parameters
    ----------
    result
        The result of `gamma`.
    title
        The title of the chart.

    Returns
    -------
    altair.LayerChart
        The chart. γ is the difference between the mean of the draws and the observed disorder,
        relative to that mean.

    Raises
    ------
    DataError
        If there are no draws.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import draws_chart
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> chart = draws_chart(un.gamma(text, draws=30, rng=1))
    >>> sum(row["number"] for row in chart.to_dict()["datasets"]["bins"])
    30
    """
    if not isinstance(result, GammaAgreement):
        msg = f"draws_chart expects a GammaAgreement, got {type(result).__name__}"
        raise TypeError(msg)
    values = result.draw_disorders[np.isfinite(result.draw_disorders)]
    if not len(values):
        msg = f"there are no draws to show: {result.undefined or 'none of them has a disorder'}"
        raise DataError(msg)
    marks = [
        ("expected (mean)", result.expected, INK),
        ("observed", result.observed, WARM),
    ]
    notes = [f"{count(len(values), 'draw')}; the bars are random continua"]
    if not result.undefined:
        notes.append(
            f"γ = 1 − {decimals(result.observed, 3)} / {decimals(result.expected, 3)} = "
            f"{value_in_words(result)}"
        )
    return _histogram(values, marks, [0.0], "disorder", "draws", title=title, notes=notes)


def bootstrap_chart(
    result: Agreement, values: ArrayLike, *, title: str = "Bootstrap distribution over items"
) -> Chart:
    """Draw a histogram of the values of resamples, with the observed value and its interval.

    Parameters
    ----------
    result
        The result of `bootstrap`.
    values
        The values of the resamples, from `bootstrap_values` with the same settings; NaN for
        resamples without a value.
    title
        The title of the chart.

    Returns
    -------
    altair.LayerChart
        The histogram.

    Raises
    ------
    DataError
        If no resample has a value.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import bootstrap_chart
    >>> ratings = un.Ratings.from_matrix([list("aabbcabcba"), list("aabbcabcbb")])
    >>> found = un.bootstrap(ratings, "scott", resamples=200, rng=1)
    >>> chart = bootstrap_chart(found, un.bootstrap_values(ratings, "scott", resamples=200, rng=1))
    >>> sum(row["number"] for row in chart.to_dict()["datasets"]["bins"])
    200
    """
    array = np.asarray(values, dtype=np.float64)
    known = array[np.isfinite(array)]
    if not len(known):
        msg = f"there is nothing to draw: {result.undefined or 'no resample has a value'}"
        raise DataError(msg)
    notes = [f"{count(len(known), 'resample')} with a value"]
    marks = [] if result.undefined else [("value", result.value, WARM)]
    interval = result.interval
    if interval is not None:
        marks += [
            (f"{100 * interval.confidence:g} % from", interval.low, INK),
            ("to", interval.high, INK),
        ]
        notes.append(
            f"{decimals(result.value, 3)}, interval {decimals(interval.low, 3)} to "
            f"{decimals(interval.high, 3)} ({interval.method})"
        )
    name = result.signature.measure
    return _histogram(known, marks, [], name, "resamples", title=title, notes=notes)


def _histogram(
    values: NDArray[np.float64],
    marks: list[tuple[str, float, str]],
    fixed: list[float],
    x_title: str,
    y_title: str,
    *,
    title: str,
    notes: list[str],
) -> Chart:
    """Draw a histogram; the axis includes the values in `fixed`, without a margin below them."""
    ends = [*values.tolist(), *fixed, *(place for _, place, _ in marks if math.isfinite(place))]
    low, high = min(ends), max(ends)
    room = (high - low or 1.0) * 0.04
    low, high = (low if low in fixed else low - room), high + room
    spread = float(values.max() - values.min())
    # The square-root rule for the number of bins is sufficient for display.
    n_bins = min(_MOST_BINS, max(5, round(math.sqrt(len(values))))) if spread > 0.0 else 1
    edges = (
        np.linspace(values.min(), values.max(), n_bins + 1)
        if spread > 0.0
        else np.array([values[0] - room / 4, values[0] + room / 4])
    )
    numbers, _ = np.histogram(values, edges)
    rows = [
        {"start": start, "end": end, "number": number, "text": f"{decimals(start)}–{decimals(end)}"}
        for start, end, number in zip(
            edges[:-1].tolist(), edges[1:].tolist(), numbers.tolist(), strict=True
        )
    ]
    # Space at the top for the names of the marks.
    top = float(numbers.max()) * 1.3
    x = quantity("start", x_title, low, high, axis={"title": x_title, "tickCount": 8})
    layers: list[dict[str, Any]] = [
        {
            "data": {"name": "bins"},
            "mark": {"type": "rect", "color": AGREE, "stroke": INK, "strokeOpacity": 0.3},
            "encoding": {
                "x": x,
                "x2": {"field": "end"},
                "y": quantity(
                    "number", y_title, 0.0, top, axis={"title": y_title, "tickMinStep": 1}
                ),
                "y2": {"datum": 0.0},
                "tooltip": tooltip(text=x_title, number=y_title),
            },
        }
    ]
    tables: dict[str, list[dict[str, Any]]] = {"bins": rows}
    for at, (name, place, colour) in enumerate(marks):
        if not math.isfinite(place):
            continue
        table = f"mark{at}"
        tables[table] = [{"start": place, "name": name, "text": decimals(place)}]
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
                "encoding": {"x": x, "tooltip": tooltip(name="", text=x_title)},
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
    return titled_chart(body, tables, title=title, notes=notes, width=_DISTRIBUTION_WIDTH)


_LABEL_WIDTH = 420
_MOST_LABELS = 50


def label_chart(
    result: GammaAgreement | UnitizingTable | ItemsAgreement,
    *,
    title: str = "Agreement by label",
) -> Chart:
    """Draw the coefficient of each label with its intervals, in descending order.

    Parameters
    ----------
    result
        The result of `gamma`, or of another measure with values by label.
    title
        The title of the chart.

    Returns
    -------
    altair.LayerChart
        The chart. Thick lines are Monte Carlo intervals (``monte_carlo``), thin lines intervals of
        the data (``interval``), if the result has them. The subtitle lists labels without a value.

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
    by_label = _values_by_label(result)
    if not by_label:
        msg = "the result has no values by label"
        raise DataError(msg)
    names = palette(by_label).names
    defined = [(names[label], each) for label, each in by_label.items() if not each.undefined]
    defined.sort(key=lambda each: (-each[1].value, each[0]))
    undefined = [names[label] for label, each in by_label.items() if each.undefined]
    notes = [f"without a value: {shorten_list(undefined)}"] if undefined else []
    if len(defined) > _MOST_LABELS:
        notes.append(f"the {_MOST_LABELS} labels of {len(defined)} with the least agreement")
        defined = defined[-_MOST_LABELS:]
    rows = [
        _value_row(_unique_name(f"{name} (all)", names.values()), each, whole=True)
        for name, each in _overall_values(result)
        if not each.undefined
    ]
    rows += [_value_row(name, each, whole=False) for name, each in defined]
    if not rows:
        msg = "there is nothing to draw: no label has a value"
        raise DataError(msg)
    if any("draws_low" in row for row in rows):
        notes.append("thick lines: Monte Carlo intervals")
    if any("data_low" in row for row in rows):
        notes.append("thin lines: intervals of the data")
    if any(row["value"] < _LOWEST for row in rows):
        notes.append(f"values below {_LOWEST:g} are drawn at {_LOWEST:g}")
    body = _values_body(rows)
    return titled_chart(
        body, {"values": rows}, title=title, notes=notes, width=_LABEL_WIDTH + 160.0
    )


def _values_by_label(
    result: GammaAgreement | UnitizingTable | ItemsAgreement,
) -> Mapping[Any, Agreement]:
    """Return the coefficients of each label."""
    if isinstance(result, GammaAgreement):
        return result.gamma_k
    return result.u_alpha_k if isinstance(result, UnitizingTable) else result.by_label


def _overall_values(
    result: GammaAgreement | UnitizingTable | ItemsAgreement,
) -> list[tuple[str, Agreement]]:
    """Return the coefficients for all labels together, with their symbols or titles."""
    values: Mapping[str, Agreement]
    if isinstance(result, GammaAgreement):
        values = {"gamma": result, "gamma_cat": result.gamma_cat}
    elif isinstance(result, UnitizingTable):
        values = result
    else:
        return [(MEASURES[result.signature.measure].title, result)]
    return [(MEASURES[name].symbol, of) for name, of in values.items()]


def _unique_name(name: str, taken: Iterable[str]) -> str:
    while name in set(taken):
        name += " "
    return name


def _value_row(name: str, each: Agreement, *, whole: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": name,
        "value": each.value,
        "place": max(each.value, _LOWEST),
        "text": value_in_words(each),
        "colour": "#8c8c8c" if whole else AGREE,
        "draws_text": "–",
        "data_text": "–",
    }
    drawn = each.monte_carlo if isinstance(each, ChanceAgreement) else None
    for kind, interval in (("draws", drawn), ("data", each.interval)):
        if interval is not None:
            # An end is infinite if the expected disorder is too uncertain.
            row |= {
                f"{kind}_low": max(interval.low, _LOWEST),
                f"{kind}_high": min(interval.high, 1.0),
                f"{kind}_text": f"{decimals(interval.low, 3)} to {decimals(interval.high, 3)} "
                f"({100 * interval.confidence:g} %)",
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
            "tooltip": tooltip(name="label", text="value", draws_text="draws", data_text="data"),
        },
    }
    numbers = {
        "data": {"name": "values"},
        "mark": {"type": "text", "align": "left"},
        "encoding": {"x": {"value": _LABEL_WIDTH + 8}, "y": y, "text": field("text")},
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
