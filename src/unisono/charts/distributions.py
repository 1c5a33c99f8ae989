"""Charts of distributions: disorders of draws beside the observed one, values of resamples."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.charts.framing import field, framed, quantity, tooltip
from unisono.charts.style import AGREE, INK, WARM
from unisono.errors import DataError
from unisono.measures.gamma.gamma_result import GammaResult
from unisono.results.wording import count, decimals

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from unisono.charts.altair_door import Chart
    from unisono.results.agreement import Agreement

__all__ = ["draws_chart"]

_WIDE, _HIGH = 480, 200
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
    >>> from unisono.charts.distributions import draws_chart
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
    >>> from unisono.measures.items.resampling import bootstrap_values
    >>> from unisono.charts.distributions import bootstrap_chart
    >>> ratings = un.Ratings.from_matrix([list("aabbcabcba"), list("aabbcabcbb")])
    >>> found = un.bootstrap("scott", ratings, n=200, rng=1)
    >>> chart = bootstrap_chart(found, bootstrap_values("scott", ratings, n=200, rng=1))
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
    body = {"width": _WIDE, "height": _HIGH, "layer": layers}
    return framed(body, tables, title=title, told=told, width=_WIDE)
