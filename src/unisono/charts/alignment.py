"""The chart of an alignment: units of a group linked, its disorder as colour, gaps marked."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.charts.drawn_units import in_window, lanes_of, part_told, used, zooming
from unisono.charts.framing import WIDTH, field, framed, quantity, tooltip
from unisono.charts.lanes import check_window, stacked
from unisono.charts.style import CALM, INK, WARM, palette, shown
from unisono.errors import DataError, SettingError, setting
from unisono.measures.gamma.alignment import Alignment
from unisono.measures.gamma.gamma_result import GammaResult
from unisono.results.wording import count, decimals, some

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from unisono.charts.altair_door import Chart
    from unisono.charts.lanes import Lanes
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label

__all__ = ["alignment_chart"]

_EMPTY = re.compile(r"\bempty=([^,\]]+)")
_N_BINS = 120
_FADED = 0.18


def alignment_chart(
    alignment: Alignment | GammaResult,
    *,
    window: tuple[float, float] | None = None,
    worst: int | None = None,
    most_units: int = 200,
    labels: Iterable[Label | None] | None = None,
    title: str = "Which units annotators share",
) -> Chart:
    """Draw which units annotators share, how much each group disagrees, and who has no unit.

    Parameters
    ----------
    alignment
        What `best_alignment` gave, or `gamma` of one document.
    window
        From where to where to draw.
    worst
        Draw only so many groups with the most disorder in full, and all other units pale.
    most_units
        A longer document is drawn in part, by default where most disorder is, below an overview of
        the disorder of the whole.
    labels
        All labels that get colours, as in `continuum_chart`.
    title
        The line above.

    Returns
    -------
    altair.LayerChart or altair.VConcatChart
        A line links the units of a group, the more disorder the more orange and wide. A ring
        stands in the lane of an annotator who has no unit in a group.

    Raises
    ------
    DataError
        If it is the result of a corpus, or there is nothing to draw.
    SettingError
        If a setting cannot be used, or the drawing libraries are not installed.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts.alignment import alignment_chart
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> best = un.best_alignment(text)
    >>> chart = alignment_chart(best)
    >>> len({row["group"] for row in chart.to_dict()["datasets"]["links"]}) <= len(best)
    True
    """
    found = alignment_of(alignment)
    continuum = found.continuum
    if not len(found):
        msg = "there is no group to draw: nobody marked a unit"
        raise DataError(msg)
    if worst is not None and worst < 1:
        msg = f"{setting('worst')} is a number of groups from 1, got {worst}"
        raise SettingError(msg)
    check_window(window, continuum)
    spans = _Spans.of(found)
    told = []
    is_long = window is None and len(continuum) > most_units
    part = spans.worst_window(found.group_disorders, most_units) if is_long else window
    if part is not None:
        groups = int(spans.inside(part).sum())
        why = ", where most disorder is" if is_long else ""
        told.append(
            f"{part_told(part, continuum)}{why}: {groups:,} of {count(len(found), 'group')}"
        )
    drawn = _drawing(found, spans, part or continuum.extent, worst, labels)
    told += drawn.told
    if not is_long or part is None:
        return framed(drawn.body, drawn.tables, title=title, told=told)
    overview, rows = _overview(found, spans, part)
    below = dict(drawn.body)
    whole = {
        # On the whole chart, because parts of one have no params that name views.
        "params": below.pop("params"),
        "vconcat": [overview, below],
        "resolve": {"scale": {"color": "independent"}},
    }
    return framed(whole, {**drawn.tables, **rows}, title=title, told=told)


def alignment_of(given: object) -> Alignment:
    """Take the alignment of one document out of what was given."""
    if isinstance(given, Alignment):
        return given
    if not isinstance(given, GammaResult):
        msg = f"this chart takes an Alignment or a GammaResult, got {type(given).__name__}"
        raise TypeError(msg)
    if given.alignment is not None:
        return given.alignment
    if given.documents:
        names = some(list(given.documents))
        msg = f"a corpus has an alignment a document; choose one: result.documents[…], of {names}"
        raise DataError(msg)
    msg = f"there is no alignment to draw: {given.undefined or 'there are no units'}"
    raise DataError(msg)


class _Spans(NamedTuple):
    """Where each group lies."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]

    @classmethod
    def of(cls, alignment: Alignment) -> _Spans:
        there = alignment.indices >= 0
        continuum = alignment.continuum
        starts = np.where(there, continuum.starts[alignment.indices], np.inf)
        ends = np.where(there, continuum.ends[alignment.indices], -np.inf)
        return cls(starts.min(axis=1), ends.max(axis=1))

    def inside(self, window: tuple[float, float]) -> NDArray[np.bool_]:
        return np.asarray((self.low <= window[1]) & (self.high >= window[0]))

    def worst_window(self, disorders: NDArray[np.float64], most_units: int) -> tuple[float, float]:
        """Find neighbouring groups, about as many as fit, with the most disorder."""
        order = np.argsort(self.low, kind="stable")
        n = max(1, min(len(order), most_units // 4))
        sums = np.concatenate(([0.0], np.cumsum(disorders[order])))
        first = int(np.argmax(sums[n:] - sums[:-n]))
        rows = order[first : first + n]
        low, high = float(self.low[rows].min()), float(np.median(self.high[rows]))
        # Of all ends the last, unless one unit runs far beyond the others.
        last = float(self.high[rows].max())
        high = last if last - low <= 2.0 * (high - low) + 1e-12 else float(self.low[rows].max())
        return low, max(high, low)


class _Drawing(NamedTuple):
    body: dict[str, Any]
    tables: dict[str, list[dict[str, Any]]]
    told: list[str]


def _drawing(
    alignment: Alignment,
    spans: _Spans,
    window: tuple[float, float],
    worst: int | None,
    labels: Iterable[Label | None] | None,
) -> _Drawing:
    continuum, indices = alignment.continuum, alignment.indices
    colours = palette(continuum.labels if labels is None else {*labels, *continuum.labels})
    groups = np.flatnonzero(spans.inside(window))
    told = []
    if worst is not None and worst < len(groups):
        ranked = groups[np.argsort(-alignment.group_disorders[groups], kind="stable")]
        groups = np.sort(ranked[:worst])
        told.append(f"the {count(worst, 'group')} with the most disorder in full, all others pale")
    strong = np.zeros(len(continuum), dtype=bool)
    members = indices[groups]
    strong[members[members >= 0]] = True
    seen = in_window(continuum, window)
    strengths = np.where(strong, 1.0, _FADED) if worst is not None else np.ones(len(continuum))
    lanes, parts = lanes_of(continuum, seen, window, colours, strengths=strengths)
    tables: dict[str, list[dict[str, Any]]] = {"units": [], "points": [], "texts": []}
    for part in parts:
        for name, rows in part.items():
            tables[name] += rows
    tables["lanes"] = list(lanes.rows())  # type: ignore[arg-type]
    tables["links"], tables["gaps"] = _links(
        alignment, groups, lanes, _heights(lanes, continuum, seen)
    )
    told.append("lines link the units of a group, rings stand where an annotator has none")
    # Against the cost of an empty place, so that a little disorder does not look like much.
    empty = _EMPTY.search(str(alignment.signature))
    most = max(float(alignment.group_disorders.max()), float(empty[1]) if empty else 1.0)
    for row in tables["links"]:
        row["thickness"] = 1.2 + 2.3 * row["disorder"] / most
    links, rings = _link_layers(lanes, most)
    layers = [
        lanes.lines_layer(),
        links,
        *lanes.units_layers(used(colours, continuum, seen)),
        rings,
    ]
    body = {"height": lanes.height, **zooming(layers)}
    return _Drawing(body, tables, told)


def _heights(lanes: Lanes, continuum: Continuum, seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Give the height of the middle of each unit that is drawn."""
    heights = np.zeros(len(continuum))
    offsets = continuum.offsets.tolist()
    for lane, first, last in zip(lanes.lanes, offsets[:-1], offsets[1:], strict=True):
        rows = first + np.flatnonzero(seen[first:last])
        levels = stacked(continuum.starts[rows], continuum.ends[rows])
        heights[rows] = lane.top + levels + 0.5
    return heights


def _links(
    alignment: Alignment,
    groups: NDArray[np.int64],
    lanes: Lanes,
    heights: NDArray[np.float64],
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Give the ends of the lines between lanes, and the rings; a row each."""
    continuum = alignment.continuum
    centres = (continuum.starts + continuum.ends) / 2.0
    links: list[dict[str, Any]] = []
    gaps: list[dict[str, Any]] = []
    for group in groups.tolist():
        places = alignment.indices[group].tolist()
        disorder = float(alignment.group_disorders[group])
        real = [row for row in places if row >= 0]
        middle = float(np.mean(centres[real]))
        told = {"group": group + 1, "disorder": disorder, "told": decimals(disorder)}
        points = []
        for lane, row in zip(lanes.lanes, places, strict=True):
            if row < 0:
                points.append((middle, lane.top + 0.5))
                gaps.append(
                    told | {"x": middle, "y": lane.top + 0.5, "annotator": shown(lane.name)}
                )
            else:
                points.append((float(centres[row]), float(heights[row])))
        for (x, y), (x2, y2) in pairwise(points):
            links.append(told | {"x": x, "y": y, "x2": x2, "y2": y2})
    return links, gaps


def _link_layers(lanes: Lanes, most: float) -> tuple[dict[str, Any], dict[str, Any]]:
    x = {**lanes.x, "field": "x"}
    colour = field(
        "disorder",
        "quantitative",
        scale={"domain": [0.0, most], "range": [CALM, WARM], "interpolate": "rgb"},
        legend={
            "title": "disorder of a group",
            "titleOrient": "left",
            "orient": "top",
            "type": "gradient",
            "gradientLength": 200,
            "tickCount": 4,
        },
    )
    told = tooltip(group="group", told="disorder")
    links = {
        "data": {"name": "links"},
        "mark": {"type": "rule", "clip": True},
        "encoding": {
            "x": x,
            "x2": {"field": "x2"},
            "y": lanes.y("y"),
            "y2": {"field": "y2"},
            "color": colour,
            "strokeWidth": field("thickness", "quantitative", scale=None),
            "tooltip": told,
        },
    }
    rings = {
        "data": {"name": "gaps"},
        "mark": {
            "type": "point",
            "clip": True,
            "size": 40,
            "strokeWidth": 2.2,
            "opacity": 1,
            "filled": False,
            "fill": "#ffffff",
        },
        "encoding": {
            "x": x,
            "y": lanes.y("y"),
            "color": colour,
            "tooltip": [*tooltip(annotator="no unit of"), *told],
        },
    }
    return links, rings


def _overview(
    alignment: Alignment, spans: _Spans, part: tuple[float, float]
) -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]:
    """Draw the disorder along the whole document, with the part that stands below."""
    low, high = alignment.continuum.extent
    edges = np.linspace(low, high, _N_BINS + 1)
    centres = np.clip((spans.low + spans.high) / 2.0, low, high)
    sums, _ = np.histogram(centres, edges, weights=alignment.group_disorders)
    rows = [
        {"start": start, "end": end, "disorder": total, "told": decimals(total)}
        for start, end, total in zip(
            edges[:-1].tolist(), edges[1:].tolist(), sums.tolist(), strict=True
        )
    ]
    x = quantity("start", None, low, high, axis={"title": None, "tickCount": 10})
    bars = {
        "data": {"name": "overview"},
        "mark": {"type": "rect", "color": WARM},
        "encoding": {
            "x": x,
            "x2": {"field": "end"},
            "y": quantity(
                "disorder",
                "disorder",
                0.0,
                float(sums.max(initial=0.0)) or 1.0,
                axis={"title": "disorder", "tickCount": 3},
            ),
            "y2": {"datum": 0.0},
            "tooltip": tooltip(told="disorder"),
        },
    }
    window = {
        "data": {"name": "window"},
        "mark": {"type": "rect", "fillOpacity": 0.12, "color": INK, "stroke": INK},
        "encoding": {"x": x, "x2": {"field": "end"}},
    }
    body = {"width": WIDTH, "height": 50, "layer": [bars, window]}
    return body, {"overview": rows, "window": [{"start": part[0], "end": part[1]}]}
