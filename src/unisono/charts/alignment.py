"""Charts of units in lanes: continua, alignments and consensus."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.charts.lanes import (
    WHITE,
    Lanes,
    bin_units,
    check_continuum,
    check_window,
    lanes_of,
    part_text,
    stack_rows,
    unit_rows,
    units_in_window,
    visible_palette,
    window_text,
    with_zoom,
)
from unisono.charts.style import (
    CALM,
    INK,
    WARM,
    WIDTH,
    escape_controls,
    field,
    ink_on,
    palette,
    quantity,
    titled_chart,
    tooltip,
)
from unisono.errors import DataError, SettingError, setting
from unisono.measures.gamma.alignment import Alignment
from unisono.measures.gamma.result import GammaAgreement
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.results.wording import count, decimals, position, some

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from unisono.charts.style import Chart, Palette
    from unisono.model.labels import Label
    from unisono.studies.consensus import Consensus, ConsensusUnit, UndecidedGroup

__all__ = ["alignment_chart", "consensus_chart", "continuum_chart"]

_N_BINS = 120
_FADED = 0.18


def alignment_chart(
    alignment: Alignment | GammaAgreement,
    *,
    window: tuple[float, float] | None = None,
    worst: int | None = None,
    most_units: int = 200,
    labels: Iterable[Label | None] | None = None,
    title: str = "Alignment of the annotators’ units",
) -> Chart:
    """Draw an alignment: the units of each annotator, the groups, and their disorder.

    Parameters
    ----------
    alignment
        The result of `best_alignment`, or of `gamma` on one document.
    window
        The start and end of the part to draw.
    worst
        The number of groups with the most disorder to draw in full; all other units are pale.
    most_units
        The maximum number of units to draw. Of a longer document the part with the most disorder is
        drawn by default, below an overview of the disorder of the whole document.
    labels
        The labels that colours are assigned to, as in `continuum_chart`.
    title
        The title of the chart.

    Returns
    -------
    altair.LayerChart or altair.VConcatChart
        The chart. Lines connect the units of a group; more disorder makes them wider and more
        orange. A ring marks the lane of an annotator who has no unit in a group.

    Raises
    ------
    DataError
        If the result is that of a corpus, or there is nothing to draw.
    SettingError
        If a setting is invalid, or the plotting libraries are not installed.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import alignment_chart
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> best = un.best_alignment(text)
    >>> chart = alignment_chart(best)
    >>> len({row["group"] for row in chart.to_dict()["datasets"]["links"]}) <= len(best)
    True
    """
    found = alignment_of(alignment)
    continuum = found.continuum
    if not len(found):
        msg = "there is no group to draw: the annotators marked no units"
        raise DataError(msg)
    if worst is not None and worst < 1:
        msg = f"{setting('worst')} must be at least 1 group, got {worst}"
        raise SettingError(msg)
    check_window(window, continuum)
    spans = _Spans.of(found)
    notes = []
    is_long = window is None and len(continuum) > most_units
    part = spans.worst_window(found.group_disorders, most_units) if is_long else window
    if part is not None:
        groups = int(spans.inside(part).sum())
        why = ", the part with the most disorder" if is_long else ""
        notes.append(
            f"{part_text(part, continuum)}{why}: {groups:,} of {count(len(found), 'group')}"
        )
    drawn = _drawing(found, spans, part or continuum.extent, worst, labels)
    notes += drawn.notes
    if not is_long or part is None:
        return titled_chart(drawn.body, drawn.tables, title=title, notes=notes)
    overview, rows = _overview(found, spans, part)
    below = dict(drawn.body)
    whole = {
        # Params must be on the top-level chart to refer to views by name.
        "params": below.pop("params"),
        "vconcat": [overview, below],
        "resolve": {"scale": {"color": "independent"}},
    }
    return titled_chart(whole, {**drawn.tables, **rows}, title=title, notes=notes)


def alignment_of(value: object) -> Alignment:
    """Return the alignment of one document from an alignment or a result of `gamma`."""
    if isinstance(value, Alignment):
        return value
    if not isinstance(value, GammaAgreement):
        msg = f"expected an Alignment or a GammaAgreement, got {type(value).__name__}"
        raise TypeError(msg)
    if value.alignment is not None:
        return value.alignment
    if value.documents:
        names = some(list(value.documents))
        msg = (
            "a corpus has one alignment per document; choose a document, as in "
            f"result.documents[…], from {names}"
        )
        raise DataError(msg)
    msg = f"there is no alignment to draw: {value.undefined or 'there are no units'}"
    raise DataError(msg)


class _Spans(NamedTuple):
    """The start and end of each group."""

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
        """Return the window with the most disorder among those with about `most_units` units."""
        order = np.argsort(self.low, kind="stable")
        n = max(1, min(len(order), most_units // 4))
        sums = np.concatenate(([0.0], np.cumsum(disorders[order])))
        first = int(np.argmax(sums[n:] - sums[:-n]))
        rows = order[first : first + n]
        low, high = float(self.low[rows].min()), float(np.median(self.high[rows]))
        # The last end, unless a single unit extends far beyond the others.
        last = float(self.high[rows].max())
        high = last if last - low <= 2.0 * (high - low) + 1e-12 else float(self.low[rows].max())
        return low, max(high, low)


class _Drawing(NamedTuple):
    body: dict[str, Any]
    tables: dict[str, list[dict[str, Any]]]
    notes: list[str]


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
    notes = []
    if worst is not None and worst < len(groups):
        ranked = groups[np.argsort(-alignment.group_disorders[groups], kind="stable")]
        groups = np.sort(ranked[:worst])
        notes.append(f"the {count(worst, 'group')} with the most disorder in full, others pale")
    strong = np.zeros(len(continuum), dtype=bool)
    members = indices[groups]
    strong[members[members >= 0]] = True
    seen = units_in_window(continuum, window)
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
    notes.append("lines connect the units of a group, rings mark annotators without a unit in it")
    # Scaled by the cost of an empty place, so that slight disorder does not look severe.
    most = max(float(alignment.group_disorders.max()), alignment.dissimilarity.empty)
    for row in tables["links"]:
        row["thickness"] = 1.2 + 2.3 * row["disorder"] / most
    links, rings = _link_layers(lanes, most)
    layers = [
        lanes.lines_layer(),
        links,
        *lanes.units_layers(visible_palette(colours, continuum, seen)),
        rings,
    ]
    body = {"height": lanes.height, **with_zoom(layers)}
    return _Drawing(body, tables, notes)


def _heights(lanes: Lanes, continuum: Continuum, seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the vertical centre of each unit that is drawn."""
    heights = np.zeros(len(continuum))
    offsets = continuum.offsets.tolist()
    for lane, first, last in zip(lanes.lanes, offsets[:-1], offsets[1:], strict=True):
        rows = first + np.flatnonzero(seen[first:last])
        levels = stack_rows(continuum.starts[rows], continuum.ends[rows])
        heights[rows] = lane.top + levels + 0.5
    return heights


def _links(
    alignment: Alignment,
    groups: NDArray[np.int64],
    lanes: Lanes,
    heights: NDArray[np.float64],
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the rows of the lines between lanes, and those of the rings."""
    continuum = alignment.continuum
    centres = (continuum.starts + continuum.ends) / 2.0
    links: list[dict[str, Any]] = []
    gaps: list[dict[str, Any]] = []
    for group in groups.tolist():
        places = alignment.indices[group].tolist()
        disorder = float(alignment.group_disorders[group])
        real = [row for row in places if row >= 0]
        middle = float(np.mean(centres[real]))
        common = {"group": group + 1, "disorder": disorder, "text": decimals(disorder)}
        points = []
        for lane, row in zip(lanes.lanes, places, strict=True):
            if row < 0:
                points.append((middle, lane.top + 0.5))
                gaps.append(
                    common
                    | {"x": middle, "y": lane.top + 0.5, "annotator": escape_controls(lane.name)}
                )
            else:
                points.append((float(centres[row]), float(heights[row])))
        for (x, y), (x2, y2) in pairwise(points):
            links.append(common | {"x": x, "y": y, "x2": x2, "y2": y2})
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
    tips = tooltip(group="group", text="disorder")
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
            "tooltip": tips,
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
            "tooltip": [*tooltip(annotator="no unit of"), *tips],
        },
    }
    return links, rings


def _overview(
    alignment: Alignment, spans: _Spans, part: tuple[float, float]
) -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]:
    """Return the layer of the disorder along the document, with the window marked."""
    low, high = alignment.continuum.extent
    edges = np.linspace(low, high, _N_BINS + 1)
    centres = np.clip((spans.low + spans.high) / 2.0, low, high)
    sums, _ = np.histogram(centres, edges, weights=alignment.group_disorders)
    rows = [
        {"start": start, "end": end, "disorder": total, "text": decimals(total)}
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
            "tooltip": tooltip(text="disorder"),
        },
    }
    window = {
        "data": {"name": "window"},
        "mark": {"type": "rect", "fillOpacity": 0.12, "color": INK, "stroke": INK},
        "encoding": {"x": x, "x2": {"field": "end"}},
    }
    body = {"width": WIDTH, "height": 50, "layer": [bars, window]}
    return body, {"overview": rows, "window": [{"start": part[0], "end": part[1]}]}


_UNDECIDED, _CONSENSUS = "undecided", "consensus"


def consensus_chart(
    consensus: Consensus,
    data: Continuum | Corpus | None = None,
    *,
    document: str | None = None,
    window: tuple[float, float] | None = None,
    most_units: int = 200,
    labels: Iterable[Label | None] | None = None,
    title: str = "Consensus and annotators",
) -> Chart:
    """Draw the consensus above the units of the annotators, with undecided groups at the top.

    Parameters
    ----------
    consensus
        The result of `consensus`.
    data
        The annotations, by default those from which the consensus was computed.
    document
        The document of a corpus; by default the one with the most undecided groups.
    window
        The start and end of the part to draw.
    most_units
        The maximum number of units to draw. Of a longer document the part with the most undecided
        groups is drawn by default.
    labels
        The labels that colours are assigned to, as in `continuum_chart`.
    title
        The title of the chart.

    Returns
    -------
    altair.LayerChart
        The chart. The first lane contains the undecided groups, which are shaded across all lanes.
        Units of the consensus are paler the fewer annotators support them; whiskers show the range
        of the annotators' starts and ends.

    Raises
    ------
    DataError
        If the document is unknown.
    SettingError
        If a setting is invalid, or the plotting libraries are not installed.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import consensus_chart
    >>> chart = consensus_chart(un.consensus(un.read("examples/corpus")))
    >>> [row["annotator"] for row in chart.to_dict()["datasets"]["lanes"]][:2]
    ['undecided', 'consensus']
    """
    found, continuum, name = _select_document(consensus, data, document)
    check_window(window, continuum)
    notes = [] if not name else [f"document {name}"]
    part = window
    if window is None and len(continuum) > most_units:
        part = _most_undecided(found.undecided, continuum, most_units)
    shown_window = part or continuum.extent
    seen = units_in_window(continuum, shown_window)
    if part is not None:
        why = "" if window else ", the part with the most undecided groups"
        notes.append(window_text(part, continuum, int(seen.sum())) + why)
    low, high = shown_window
    units = [unit for unit in found.units if unit.start <= high and unit.end >= low]
    undecided = [each for each in found.undecided if each.start <= high and each.end >= low]
    known = {*continuum.labels, *(unit.label for unit in found.units)}
    colours = palette(known if labels is None else {*labels, *known})
    levels = {
        _UNDECIDED: _levels(undecided),
        _CONSENSUS: _levels(units),
    }
    above = tuple((lane, max(each, default=0) + 1) for lane, each in levels.items())
    lanes, tables = lanes_of(continuum, seen, shown_window, colours, above=above)
    decided = _consensus_rows(lanes, units, levels[_CONSENSUS], colours)
    tables.append(decided)
    joined: dict[str, list[dict[str, Any]]] = {
        name: [row for table in tables for row in table[name]]
        for name in ("units", "points", "texts")
    }
    drawn = {row["label"] for row in (*joined["units"], *joined["points"])}
    legend = colours._replace(
        colours={label: colour for label, colour in colours.colours.items() if label in drawn}
    )
    joined["grounds"] = [
        {name: row[name] for name in ("start", "end", "top", "bottom")} for row in decided["units"]
    ]
    joined["whiskers"] = _whiskers(lanes, found.alignment, units, levels[_CONSENSUS])
    joined["open"] = _undecided_rows(lanes, undecided, levels[_UNDECIDED])
    joined["lanes"] = [dict(row) for row in lanes.rows()]
    notes += [
        (
            f"{count(len(undecided), 'group')} undecided (shaded); consensus units are paler the "
            "fewer annotators support them"
        ),
        "whiskers show the range of the annotators' starts and ends",
    ]
    shade, mark, words = _undecided_layers(lanes)
    layers = [
        shade,
        lanes.lines_layer(),
        _ground_layer(lanes),
        *lanes.units_layers(legend),
        *_whisker_layers(lanes),
        mark,
        words,
    ]
    body = {"height": lanes.height, **with_zoom(layers)}
    return titled_chart(body, joined, title=title, notes=notes)


def _select_document(
    consensus: Consensus, data: Continuum | Corpus | None, document: str | None
) -> tuple[Consensus, Continuum, str]:
    """Return the document to draw: its consensus, its continuum and its name."""
    found, name = consensus, ""
    if consensus.documents:
        each = consensus.documents
        name = document or max(each, key=lambda one: len(each[one].undecided))
        if name not in each:
            msg = f"document {name!r} has no consensus; choose one of {some(list(each))}"
            raise SettingError(msg)
        found = each[name]
    elif document is not None:
        msg = (
            f"document={document!r} needs the consensus of a corpus; this is that of one continuum"
        )
        raise SettingError(msg)
    marked = data[name] if isinstance(data, Corpus) and name in data else data
    if marked is None and found.alignment is not None:
        marked = found.alignment.continuum
    if not isinstance(marked, Continuum):
        msg = f"the data have no document {name!r}, so its units cannot be drawn"
        raise DataError(msg)
    return found, marked, name


def _most_undecided(
    undecided: Sequence[UndecidedGroup], continuum: Continuum, most_units: int
) -> tuple[float, float]:
    """Return the window with the most undecided groups among those with about `most_units`."""
    starts = np.sort(continuum.starts)
    n = min(len(starts), most_units) - 1
    lows, highs = starts[: len(starts) - n], starts[n:]
    places = np.sort([each.start for each in undecided])
    inside = np.searchsorted(places, highs, "right") - np.searchsorted(places, lows, "left")
    at = int(np.argmax(inside))
    return float(lows[at]), max(float(highs[at]), float(lows[at]) + 1e-9)


def _levels(spans: Sequence[ConsensusUnit | UndecidedGroup]) -> list[int]:
    starts = np.array([each.start for each in spans])
    ends = np.array([each.end for each in spans])
    order = np.lexsort((ends, starts)) if len(spans) else np.empty(0, np.int64)
    levels = np.zeros(len(spans), dtype=np.int64)
    levels[order] = stack_rows(starts[order], ends[order])
    return [int(level) for level in levels]


def _consensus_rows(
    lanes: Lanes,
    units: Sequence[ConsensusUnit],
    levels: Sequence[int],
    colours: Any,  # noqa: ANN401
) -> dict[str, list[dict[str, Any]]]:
    return unit_rows(
        lanes,
        lanes.lanes[1],
        colours,
        starts=np.array([unit.start for unit in units]),
        ends=np.array([unit.end for unit in units]),
        labels=[colours.names[unit.label] for unit in units],
        levels=levels,
        strengths=[0.15 + 0.85 * unit.support for unit in units],
        on_white=True,
    )


def _ground_layer(lanes: Lanes) -> dict[str, Any]:
    # A white ground below pale units; otherwise they would mix with a dark page, and labels would
    # be illegible.
    return {
        "data": {"name": "grounds"},
        "mark": {"type": "rect", "clip": True, "color": WHITE},
        "encoding": {
            "x": lanes.x,
            "x2": {"field": "end"},
            "y": lanes.y("top"),
            "y2": {"field": "bottom"},
        },
    }


def _whiskers(
    lanes: Lanes,
    alignment: Alignment | None,
    units: Sequence[ConsensusUnit],
    levels: Sequence[int],
) -> list[dict[str, Any]]:
    if alignment is None:
        return []
    continuum = alignment.continuum
    top = lanes.lanes[1].top
    rows = []
    for unit, level in zip(units, levels, strict=True):
        places = alignment.indices[unit.group - 1]
        members = places[places >= 0]
        for which, bounds in (("start", continuum.starts), ("end", continuum.ends)):
            low, high = float(bounds[members].min()), float(bounds[members].max())
            if high > low:
                spread = f"{which}s from {position(low)} to {position(high)}"
                rows.append({"x": low, "x2": high, "y": top + level + 0.5, "text": spread})
    return rows


def _whisker_layers(lanes: Lanes) -> list[dict[str, Any]]:
    x = {**lanes.x, "field": "x"}
    line = {
        "data": {"name": "whiskers"},
        "mark": {"type": "rule", "color": INK, "strokeWidth": 1.6, "clip": True},
        "encoding": {
            "x": x,
            "x2": {"field": "x2"},
            "y": lanes.y("y"),
            "tooltip": tooltip(text="spread"),
        },
    }
    ends = [
        {
            "data": {"name": "whiskers"},
            "mark": {"type": "tick", "color": INK, "thickness": 1.6, "size": 8, "clip": True,
                     "orient": "vertical"},
            "encoding": {"x": {**x, "field": column}, "y": lanes.y("y")},
        }
        for column in ("x", "x2")
    ]  # fmt: skip
    return [line, *ends]


def _undecided_rows(
    lanes: Lanes, undecided: Sequence[UndecidedGroup], levels: Sequence[int]
) -> list[dict[str, Any]]:
    top = lanes.lanes[0].top
    scale = WIDTH / (lanes.high - lanes.low)
    rows = []
    for group, level in zip(undecided, levels, strict=True):
        # Points have no width, so a minimum is needed to make them visible.
        end = max(group.end, group.start + 3.0 / scale)
        wide = (end - group.start) * scale
        word = group.reason if wide > len(group.reason) * 5.6 + 4 else "?" if wide > 8 else ""
        rows.append(
            {
                "start": group.start,
                "end": end,
                "middle": (max(group.start, lanes.low) + min(end, lanes.high)) / 2.0,
                "top": top + level + 0.06,
                "bottom": top + level + 0.94,
                "centre": top + level + 0.5,
                "word": escape_controls(word),
                "reason": escape_controls(group.reason),
                "group": group.group,
                "place": f"{position(group.start)}–{position(group.end)}",
            }
        )
    return rows


def _undecided_layers(lanes: Lanes) -> list[dict[str, Any]]:
    tips = tooltip(reason="undecided", group="group", place="from–to")
    shade = {
        "data": {"name": "open"},
        "mark": {"type": "rect", "clip": True, "color": WARM, "opacity": 0.12},
        "encoding": {"x": lanes.x, "x2": {"field": "end"}},
    }
    mark = {
        "data": {"name": "open"},
        "mark": {
            "type": "rect",
            "clip": True,
            "color": WARM,
            "stroke": INK,
            "strokeWidth": 0.6,
            "strokeDash": [3, 2],
        },
        "encoding": {
            "x": lanes.x,
            "x2": {"field": "end"},
            "y": lanes.y("top"),
            "y2": {"field": "bottom"},
            "tooltip": tips,
        },
    }
    words = {
        "data": {"name": "open"},
        "mark": {"type": "text", "clip": True, "fontSize": 10, "color": ink_on(WARM)},
        "encoding": {
            "x": {**lanes.x, "field": "middle"},
            "y": lanes.y("centre"),
            "text": field("word"),
            "tooltip": tips,
        },
    }
    return [shade, mark, words]


def continuum_chart(
    continuum: Continuum,
    *,
    window: tuple[float, float] | None = None,
    most_units: int = 2000,
    consensus: Consensus | None = None,
    labels: Iterable[Label | None] | None = None,
    title: str = "Units of each annotator",
) -> Chart:
    """Draw the units of each annotator in one lane, coloured by label.

    Parameters
    ----------
    continuum
        One document.
    window
        The start and end of the part to draw, by default the whole document.
    most_units
        The maximum number of units to draw. More units are summarized in bins, which show the label
        that covers most of each bin, and how much of it is covered; the subtitle says so.
    consensus
        The consensus of the document, for an additional lane, as in `consensus_chart`.
    labels
        The labels that colours are assigned to; pass the labels of the corpus to have the same
        colours in the charts of all its documents.
    title
        The title of the chart.

    Returns
    -------
    altair.LayerChart
        The chart. Overlapping units of an annotator are drawn in separate rows.

    Raises
    ------
    SettingError
        If the window is invalid, or the plotting libraries are not installed.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import continuum_chart
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> chart = continuum_chart(text)
    >>> len(chart.to_dict()["datasets"]["units"]) == len(text)
    True
    """
    if consensus is not None:
        return consensus_chart(
            consensus, continuum, window=window, most_units=most_units, labels=labels, title=title
        )
    check_continuum(continuum)
    check_window(window, continuum)
    shown_window = window or continuum.extent
    colours = palette(continuum.labels if labels is None else {*labels, *continuum.labels})
    seen = units_in_window(continuum, shown_window)
    notes = [] if window is None else [window_text(window, continuum, int(seen.sum()))]
    if int(seen.sum()) > most_units:
        return _binned_chart(continuum, shown_window, colours, title, notes)
    tables: dict[str, list[dict[str, Any]]] = {"units": [], "points": [], "texts": []}
    lanes, parts = lanes_of(continuum, seen, shown_window, colours)
    for each in parts:
        for name, rows in each.items():
            tables[name] += rows
    units = lanes.units_layers(visible_palette(colours, continuum, seen))
    body = {"height": lanes.height, **with_zoom([lanes.lines_layer(), *units])}
    return titled_chart(body, {**tables, "lanes": lanes.rows()}, title=title, notes=notes)


def _binned_chart(
    continuum: Continuum,
    window: tuple[float, float],
    colours: Palette,
    title: str,
    notes: list[str],
) -> Chart:
    lanes = Lanes.of(continuum.annotators, [1] * len(continuum.annotators), window)
    found = bin_units(continuum, window)
    names = [colours.names[label] for label in continuum.labels]
    units = [
        {
            "start": start,
            "end": end,
            "top": lane.top + 0.06,
            "bottom": lane.top + 0.94,
            "label": names[code],
            "annotator": shown_name,
            "place": f"{position(start)}–{position(end)}",
            "strength": 0.15 + 0.85 * share,
        }
        for lane, shown_name, codes, shares in zip(
            lanes.lanes,
            [row["annotator"] for row in lanes.rows()],
            found.codes.tolist(),
            found.shares.tolist(),
            strict=True,
        )
        for start, end, code, share in zip(
            found.edges[:-1].tolist(), found.edges[1:].tolist(), codes, shares, strict=True
        )
        if share > 0.0
    ]
    notes = [
        *notes,
        (
            f"{count(int(units_in_window(continuum, window).sum()), 'unit')} in bins of "
            f"{found.width:.3g}: the colour shows the label that covers most of a bin, its "
            "intensity how much of the bin is covered"
        ),
    ]
    bars, *_ = lanes.units_layers(colours)
    bars["mark"] = {"type": "rect", "clip": True}
    drawn = {row["label"] for row in units}
    bars["encoding"]["fill"]["scale"] = {
        "domain": [name for name in colours.colours if name in drawn],
        "range": [colour for name, colour in colours.colours.items() if name in drawn],
    }
    body = {"height": lanes.height, **with_zoom([lanes.lines_layer(), bars])}
    return titled_chart(body, {"units": units, "lanes": lanes.rows()}, title=title, notes=notes)
