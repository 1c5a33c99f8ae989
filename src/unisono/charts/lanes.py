"""Where units stand in a chart: a lane for each annotator, and rows in it where units overlap."""

from __future__ import annotations

import json
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.charts.framing import WIDTH, field, quantity, tooltip
from unisono.charts.style import INK, between, ink_on, shown
from unisono.errors import SettingError
from unisono.results.wording import position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unisono.charts.altair_door import Rows
    from unisono.charts.style import Palette
    from unisono.model.continuum import Continuum

__all__ = ["WHITE", "Lanes", "check_window", "stacked", "unit_rows"]

WHITE = "#ffffff"
_GAP = 0.35  # between lanes, in rows
_LETTER = 6.3  # pixels of a letter, roughly
ROW = 22.0
_LEAST_ROW = 7.0
_ROOM = 0.01
_MOST_LISTED = 40
_LEGEND_LIMIT = 320.0
_TALLEST = 900.0


class Lane(NamedTuple):
    """Where one annotator's units stand."""

    name: str
    top: float
    rows: int

    @property
    def centre(self) -> float:
        """Its middle."""
        return self.top + self.rows / 2.0


class Lanes(NamedTuple):
    """The lanes of a chart, from the top."""

    lanes: tuple[Lane, ...]
    low: float
    high: float
    """Which part of the axis is shown."""

    @classmethod
    def of(cls, names: Sequence[str], rows: Sequence[int], window: tuple[float, float]) -> Lanes:
        """Put lanes with so many rows each below each other."""
        lanes = []
        top = _GAP / 2.0
        for name, n_rows in zip(names, rows, strict=True):
            lanes.append(Lane(name, top, max(1, n_rows)))
            top += max(1, n_rows) + _GAP
        low, high = window
        # A little room, so that points at the ends are whole.
        room = _ROOM * (high - low) or 0.5
        return cls(tuple(lanes), low - room, high + room)

    @property
    def bottom(self) -> float:
        """Where the last lane ends."""
        return self.lanes[-1].top + self.lanes[-1].rows + _GAP / 2.0 if self.lanes else 1.0

    @property
    def height(self) -> float:
        """Of the plot, in pixels."""
        return self.bottom * min(ROW, max(_LEAST_ROW, _TALLEST / self.bottom))

    @property
    def x(self) -> dict[str, Any]:
        """How starts become places."""
        return quantity(
            "start", None, self.low, self.high, axis={"title": "position", "tickCount": 10}
        )

    def y(self, column: str) -> dict[str, Any]:
        """How rows become places; the axis has the names of the annotators beside their lanes."""
        centres = [lane.centre for lane in self.lanes]
        # JSON is also how Vega writes texts in expressions.
        names = json.dumps([shown(lane.name) for lane in self.lanes])
        axis = {
            "title": None,
            "values": centres,
            "labelExpr": f"{names}[indexof({json.dumps(centres)}, datum.value)]",
            "labelFontSize": 12,
            "labelLimit": 170,
            "labelOverlap": False,
            "labelPadding": 8,
            "grid": False,
            "ticks": False,
            "domain": False,
        }
        scale = {"reverse": True}
        return quantity(column, None, 0.0, self.bottom, axis=axis, scale=scale)

    def lines_layer(self) -> dict[str, Any]:
        """Draw a line between lanes."""
        return {
            "data": {"name": "lanes"},
            "mark": {"type": "rule", "color": INK, "opacity": 0.15},
            "encoding": {"x": {"value": 0}, "x2": {"value": WIDTH}, "y": self.y("edge")},
        }

    def rows(self) -> Rows:
        """Give the table of the lanes."""
        return [
            {"annotator": shown(lane.name), "centre": lane.centre, "edge": lane.top - _GAP / 2.0}
            for lane in self.lanes
        ]

    def units_layers(self, colours: Palette, *, legend: bool = True) -> list[dict[str, Any]]:
        """Draw units as bars, points as diamonds, and their labels where there is room."""
        named = list(colours.colours)
        colour = field(
            "label",
            scale={"domain": named, "range": list(colours.colours.values())},
            legend=legend_of(named) if legend else None,
        )
        told = tooltip(label="label", annotator="annotator", place="from–to")
        strength = field("strength", "quantitative", scale=None)
        bars = {
            "name": "bars",
            "data": {"name": "units"},
            "mark": {
                "type": "rect",
                "clip": True,
                "stroke": INK,
                "strokeWidth": 0.6,
                "strokeOpacity": 0.5,
            },
            "encoding": {
                "x": self.x,
                "x2": {"field": "end"},
                "y": self.y("top"),
                "y2": {"field": "bottom"},
                "fill": colour,
                "opacity": strength,
                "tooltip": told,
            },
        }
        points = {
            "data": {"name": "points"},
            "mark": {
                "type": "point",
                "shape": "diamond",
                "size": 45,
                "clip": True,
                "stroke": INK,
                "strokeWidth": 0.6,
            },
            "encoding": {
                "x": self.x,
                "y": self.y("centre"),
                "fill": colour,
                "opacity": strength,
                "tooltip": told,
            },
        }
        texts = {
            "data": {"name": "texts"},
            "mark": {"type": "text", "clip": True, "fontSize": 10, "baseline": "middle"},
            "encoding": {
                "x": {**self.x, "field": "middle"},
                "y": self.y("centre"),
                "text": field("label"),
                "color": field("ink", scale=None),
                "tooltip": told,
            },
        }
        return [bars, points, texts]


def legend_of(labels: Sequence[str]) -> dict[str, Any]:
    """Say how labels are listed: below the chart, in as many columns as fit."""
    widest = max((min(len(label) * _LETTER, _LEGEND_LIMIT) for label in labels), default=0.0)
    columns = max(1, min(8, int(WIDTH / (widest + 34.0))))
    # Nobody reads more; where somebody points, the label is told.
    more = f" (the first {_MOST_LISTED} of {len(labels)})" if len(labels) > _MOST_LISTED else ""
    return {
        "title": f"label{more}",
        "orient": "bottom",
        "columns": columns,
        "symbolLimit": _MOST_LISTED,
        "labelLimit": _LEGEND_LIMIT,
    }


def unit_rows(
    lanes: Lanes,
    lane: Lane,
    colours: Palette,
    *,
    starts: NDArray[np.float64],
    ends: NDArray[np.float64],
    labels: Sequence[str],
    levels: Sequence[int],
    strengths: Sequence[float] | None = None,
    on_white: bool = False,
) -> dict[str, list[dict[str, Any]]]:
    """Give the tables of bars, points and texts for the units of one lane.

    Parameters
    ----------
    lanes, lane
        Where they stand.
    colours
        Of the labels.
    starts, ends, labels, levels
        One value a unit; the levels are rows of the lane, from 0.
    strengths
        How opaque each is, all by default.
    on_white
        Whether white stands behind them, whatever the page is, so that one ink is read on them.
    """
    scale = WIDTH / (lanes.high - lanes.low)
    drawn_from = np.maximum(starts, lanes.low)
    drawn_to = np.minimum(ends, lanes.high)
    rows = zip(
        *(starts.tolist(), ends.tolist(), labels, levels),
        *(((drawn_to - drawn_from) * scale).tolist(), ((drawn_from + drawn_to) / 2.0).tolist()),
        [1.0] * len(labels) if strengths is None else strengths,
        strict=True,
    )
    tables: dict[str, list[dict[str, Any]]] = {"units": [], "points": [], "texts": []}
    name = shown(lane.name)
    for start, end, label, level, width, middle, strength in rows:
        top = lane.top + level
        row = {
            "start": start,
            "end": end,
            "top": top + 0.06,
            "bottom": top + 0.94,
            "label": label,
            "annotator": name,
            "place": f"{position(start)}–{position(end)}",
            "strength": strength,
        }
        point = {name: row[name] for name in ("start", "label", "annotator", "place", "strength")}
        if end == start:
            tables["points"].append(point | {"centre": top + 0.5})
        else:
            tables["units"].append(row)
            if width > len(label) * _LETTER + 4.0:
                colour = colours.colours[label]
                if on_white:
                    ink = ink_on(between(WHITE, colour, strength))
                else:
                    ink = ink_on(colour) if strength > 0.6 else INK
                text = {name: row[name] for name in ("label", "annotator", "place")}
                tables["texts"].append(
                    text | {"middle": middle, "centre": top + 0.5, "ink": ink, "start": start}
                )
    return tables


def stacked(starts: NDArray[np.float64], ends: NDArray[np.float64]) -> NDArray[np.int64]:
    """Give each unit of one annotator a row, so that units of a row do not overlap.

    Parameters
    ----------
    starts, ends
        The units, by start.

    Returns
    -------
    ndarray
        Rows from 0, as few as can be; all 0 where nothing overlaps.

    Examples
    --------
    >>> import numpy as np
    >>> from unisono.charts.lanes import stacked
    >>> stacked(np.array([0.0, 2.0, 5.0]), np.array([4.0, 8.0, 9.0])).tolist()
    [0, 1, 0]
    """
    levels = np.zeros(len(starts), dtype=np.int64)
    # A point takes room as well, or two at one place would hide each other.
    ends = np.where(ends > starts, ends, np.nextafter(ends, np.inf))
    if np.all(starts[1:] >= np.maximum.accumulate(ends)[:-1]):
        return levels
    # A sweep: rows that are in use by when they end, rows that are free by their number.
    busy: list[tuple[float, int]] = []
    free: list[int] = []
    for at, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        while busy and busy[0][0] <= start:
            heappush(free, heappop(busy)[1])
        level = heappop(free) if free else len(busy)
        levels[at] = level
        heappush(busy, (end, level))
    return levels


def check_window(window: tuple[float, float] | None, continuum: Continuum) -> None:
    """Refuse a window that is none, or lies beside the document.

    Parameters
    ----------
    window
        From where to where, or `None` for all.
    continuum
        The document.
    """
    if window is None:
        return
    low, high = window
    if not low < high:
        msg = f"a window runs from a place to a later one, got {low:g} to {high:g}"
        raise SettingError(msg)
    first, last = continuum.extent
    if high < first or low > last:
        msg = (
            f"the window {position(low)}–{position(high)} lies outside the document, which runs "
            f"from {position(first)} to {position(last)}"
        )
        raise SettingError(msg)
