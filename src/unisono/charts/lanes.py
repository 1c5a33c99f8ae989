"""Layout of units in lanes, and binning of long documents."""

from __future__ import annotations

import json
import math
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.charts.style import (
    INK,
    WIDTH,
    escape_controls,
    field,
    ink_on,
    mix_colours,
    quantity,
    tooltip,
)
from unisono.errors import SettingError
from unisono.model.continuum import Continuum
from unisono.results.wording import count, position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unisono.charts.style import Palette, Rows

__all__ = [
    "WHITE",
    "Lanes",
    "bin_units",
    "check_continuum",
    "check_window",
    "lanes_of",
    "part_text",
    "stack_rows",
    "unit_rows",
    "units_in_window",
    "visible_palette",
    "window_text",
    "with_zoom",
]

N_BINS = 240


class Binned(NamedTuple):
    """The coverage of bins by units: arrays with one row per annotator, one column per bin."""

    edges: NDArray[np.float64]
    codes: NDArray[np.int64]
    """The code of the label that covers most of the bin."""
    shares: NDArray[np.float64]
    """The length of the units in the bin as a share of its width, at most 1."""

    @property
    def width(self) -> float:
        """The width of a bin."""
        return float(self.edges[1] - self.edges[0])


def bin_units(continuum: Continuum, window: tuple[float, float], *, bins: int = N_BINS) -> Binned:
    """Compute the coverage of each bin of a window."""
    low, high = window
    edges = np.linspace(low, high if high > low else low + 1.0, bins + 1)
    width = float(edges[1] - edges[0])
    n = len(continuum.annotators)
    codes = np.zeros((n, bins), dtype=np.int64)
    shares = np.zeros((n, bins))
    for at in range(n):
        rows = slice(int(continuum.offsets[at]), int(continuum.offsets[at + 1]))
        starts, ends = continuum.starts[rows], continuum.ends[rows]
        # A point has no length; it counts as a hundredth of a bin to be visible.
        ends = np.maximum(ends, starts + width / 100.0)
        found = continuum.label_codes[rows]
        most = np.zeros(bins)
        for code in np.unique(found).tolist():
            own = found == code
            length = bin_coverage(starts[own], ends[own], edges)
            codes[at] = np.where(length > most, code, codes[at])
            most = np.maximum(most, length)
            shares[at] += length / width
    return Binned(edges, codes, np.minimum(shares, 1.0))


def bin_coverage(
    starts: NDArray[np.float64], ends: NDArray[np.float64], edges: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the total length of the units in each bin; overlapping units are added up.

    The length before a position t is Σ max(t − start, 0) − Σ max(t − end, 0), and each sum follows
    from the sorted bounds and their cumulative sums.
    """
    # Differences of large sums may be slightly negative because of rounding.
    return np.maximum(np.diff(_length_before(starts, edges) - _length_before(ends, edges)), 0.0)


def _length_before(bounds: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.float64]:
    ordered = np.sort(bounds)
    sums = np.concatenate(([0.0], np.cumsum(ordered)))
    n = np.searchsorted(ordered, edges)
    return np.asarray(edges * n - sums[n])


WHITE = "#ffffff"
_GAP = 0.35  # between lanes, in rows
_LETTER = 6.3  # approximate width of a letter in pixels
ROW = 22.0
_LEAST_ROW = 7.0
_ROOM = 0.01
_MOST_LISTED = 40
_LEGEND_LIMIT = 320.0
_TALLEST = 900.0


class Lane(NamedTuple):
    """The name and the rows of one lane."""

    name: str
    top: float
    rows: int

    @property
    def centre(self) -> float:
        """The vertical centre."""
        return self.top + self.rows / 2.0


class Lanes(NamedTuple):
    """The lanes of a chart, from top to bottom."""

    lanes: tuple[Lane, ...]
    low: float
    high: float
    """The part of the axis that is shown."""

    @classmethod
    def of(cls, names: Sequence[str], rows: Sequence[int], window: tuple[float, float]) -> Lanes:
        """Stack lanes with the given numbers of rows."""
        lanes = []
        top = _GAP / 2.0
        for name, n_rows in zip(names, rows, strict=True):
            lanes.append(Lane(name, top, max(1, n_rows)))
            top += max(1, n_rows) + _GAP
        low, high = window
        # A margin, so that points at the ends are not clipped.
        room = _ROOM * (high - low) or 0.5
        return cls(tuple(lanes), low - room, high + room)

    @property
    def bottom(self) -> float:
        """The lower end of the last lane."""
        return self.lanes[-1].top + self.lanes[-1].rows + _GAP / 2.0 if self.lanes else 1.0

    @property
    def height(self) -> float:
        """The height of the plot in pixels."""
        return self.bottom * min(ROW, max(_LEAST_ROW, _TALLEST / self.bottom))

    @property
    def x(self) -> dict[str, Any]:
        """The encoding of starts on the horizontal axis."""
        return quantity(
            "start", None, self.low, self.high, axis={"title": "position", "tickCount": 10}
        )

    def y(self, column: str) -> dict[str, Any]:
        """Return the encoding of rows on the vertical axis, which shows the names of the lanes."""
        centres = [lane.centre for lane in self.lanes]
        # Strings in Vega expressions have the syntax of JSON.
        names = json.dumps([escape_controls(lane.name) for lane in self.lanes])
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
        """Return the layer of lines between lanes."""
        return {
            "data": {"name": "lanes"},
            "mark": {"type": "rule", "color": INK, "opacity": 0.15},
            "encoding": {"x": {"value": 0}, "x2": {"value": WIDTH}, "y": self.y("edge")},
        }

    def rows(self) -> Rows:
        """Return the table of the lanes."""
        return [
            {
                "annotator": escape_controls(lane.name),
                "centre": lane.centre,
                "edge": lane.top - _GAP / 2.0,
            }
            for lane in self.lanes
        ]

    def units_layers(self, colours: Palette, *, legend: bool = True) -> list[dict[str, Any]]:
        """Return layers: units as bars, points as diamonds, and labels where there is room."""
        named = list(colours.colours)
        colour = field(
            "label",
            scale={"domain": named, "range": list(colours.colours.values())},
            legend=legend_of(named) if legend else None,
        )
        tips = tooltip(label="label", annotator="annotator", place="from–to")
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
                "tooltip": tips,
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
                "tooltip": tips,
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
                "tooltip": tips,
            },
        }
        return [bars, points, texts]


def legend_of(labels: Sequence[str]) -> dict[str, Any]:
    """Return the legend of labels: below the chart, in as many columns as fit."""
    widest = max((min(len(label) * _LETTER, _LEGEND_LIMIT) for label in labels), default=0.0)
    columns = max(1, min(8, int(WIDTH / (widest + 34.0))))
    # Longer legends are hard to read; tooltips show the label of each unit.
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
    """Return the tables of bars, points and texts for the units of one lane."""
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
    name = escape_controls(lane.name)
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
                    ink = ink_on(mix_colours(WHITE, colour, strength))
                else:
                    ink = ink_on(colour) if strength > 0.6 else INK
                text = {name: row[name] for name in ("label", "annotator", "place")}
                tables["texts"].append(
                    text | {"middle": middle, "centre": top + 0.5, "ink": ink, "start": start}
                )
    return tables


def stack_rows(starts: NDArray[np.float64], ends: NDArray[np.float64]) -> NDArray[np.int64]:
    """Assign rows to the units of one annotator such that units in a row do not overlap."""
    levels = np.zeros(len(starts), dtype=np.int64)
    # Points get a minimum width, or two points at the same position would hide each other.
    ends = np.where(ends > starts, ends, np.nextafter(ends, np.inf))
    if np.all(starts[1:] >= np.maximum.accumulate(ends)[:-1]):
        return levels
    # A sweep with two heaps: rows in use, by their end, and free rows, by their number.
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
    """Raise a SettingError if a window is empty or does not overlap the document."""
    if window is None:
        return
    low, high = window
    if not low < high:
        msg = f"a window needs start < end, got {low:g} to {high:g}"
        raise SettingError(msg)
    first, last = continuum.extent
    if high < first or low > last:
        msg = (
            f"the window {position(low)}–{position(high)} is outside the document, which extends "
            f"from {position(first)} to {position(last)}"
        )
        raise SettingError(msg)


def lanes_of(
    continuum: Continuum,
    seen: NDArray[np.bool_],
    window: tuple[float, float],
    colours: Palette,
    *,
    above: tuple[tuple[str, int], ...] = (),
    strengths: NDArray[np.float64] | None = None,
) -> tuple[Lanes, list[dict[str, list[dict[str, Any]]]]]:
    """Return the lanes and the tables of the units that are drawn."""
    offsets = continuum.offsets
    places = []
    for first, last in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        rows = first + np.flatnonzero(seen[first:last])
        places.append((rows, stack_rows(continuum.starts[rows], continuum.ends[rows])))
    lanes = Lanes.of(
        [*(name for name, _ in above), *continuum.annotators],
        [*(n for _, n in above), *(int(levels.max(initial=0)) + 1 for _, levels in places)],
        window,
    )
    names = [colours.names[label] for label in continuum.labels]
    tables = [
        unit_rows(
            lanes,
            lane,
            colours,
            starts=continuum.starts[rows],
            ends=continuum.ends[rows],
            labels=[names[code] for code in continuum.label_codes[rows].tolist()],
            levels=levels.tolist(),
            strengths=None if strengths is None else strengths[rows].tolist(),
        )
        for lane, (rows, levels) in zip(lanes.lanes[len(above) :], places, strict=True)
    ]
    return lanes, tables


def visible_palette(colours: Palette, continuum: Continuum, seen: NDArray[np.bool_]) -> Palette:
    """Return the part of the palette with the labels that are drawn, for the legend."""
    codes = np.unique(continuum.label_codes[seen]).tolist()
    named = {colours.names[continuum.labels[code]] for code in codes}
    return colours._replace(
        colours={name: colour for name, colour in colours.colours.items() if name in named}
    )


def units_in_window(continuum: Continuum, window: tuple[float, float]) -> NDArray[np.bool_]:
    """Return a mask of the units that overlap a window."""
    low, high = window
    return np.asarray((continuum.starts <= high) & (continuum.ends >= low))


def window_text(window: tuple[float, float], continuum: Continuum, n_units: int) -> str:
    """Describe the part of a document that is drawn."""
    whole = count(len(continuum), "unit")
    return f"{part_text(window, continuum)}: {n_units:,} of {whole}"


def part_text(window: tuple[float, float], continuum: Continuum) -> str:
    """Return the bounds of a window as text, with a precision that depends on its size."""
    size = window[1] - window[0]
    places = max(0, 3 - math.floor(math.log10(size)) - 1) if size > 0.0 else 4
    ends = [f"{each:,.{places}f}" for each in (*window, *continuum.extent)]
    if "." in ends[0]:
        ends = [each.rstrip("0").rstrip(".") for each in ends]
    return f"{ends[0]}–{ends[1]} of {ends[2]}–{ends[3]}"


def with_zoom(layers: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the specification of layers that can be zoomed along the horizontal axis."""
    along = {
        "name": "along",
        "select": {"type": "interval", "encodings": ["x"]},
        "bind": "scales",
        "views": ["bars"],
    }
    return {"width": WIDTH, "layer": layers, "params": [along]}


def check_continuum(continuum: object) -> None:
    """Raise a TypeError unless the argument is a single continuum."""
    if not isinstance(continuum, Continuum):
        msg = (
            f"expected one Continuum, got {type(continuum).__name__}; "
            "choose a document of a Corpus with corpus[name]"
        )
        raise TypeError(msg)
