"""The chart of a consensus beside the annotators, with its support and its open questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.charts.drawn_units import in_window, lanes_of, window_told, zooming
from unisono.charts.framing import WIDTH, field, framed, tooltip
from unisono.charts.lanes import WHITE, check_window, stacked, unit_rows
from unisono.charts.style import INK, WARM, ink_on, palette, shown
from unisono.errors import DataError, SettingError
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.results.wording import count, position, some

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unisono.charts.altair_door import Chart
    from unisono.charts.lanes import Lanes
    from unisono.measures.gamma.alignment import Alignment
    from unisono.model.labels import Label
    from unisono.studies.consensus_result import Consensus, ConsensusUnit, UndecidedGroup

__all__ = ["consensus_chart"]

_UNDECIDED, _CONSENSUS = "undecided", "consensus"


def consensus_chart(
    consensus: Consensus,
    data: Continuum | Corpus | None = None,
    *,
    document: str | None = None,
    window: tuple[float, float] | None = None,
    most_units: int = 200,
    labels: Iterable[Label | None] | None = None,
    title: str = "Consensus beside the annotators",
) -> Chart:
    """Draw the consensus beside the annotators' lanes, with what is left to decide on top.

    Parameters
    ----------
    consensus
        What `consensus` gave.
    data
        What the annotators marked, if it is not what the consensus was made of.
    document
        Which document of a corpus; by default the one with the most undecided groups.
    window
        From where to where to draw.
    most_units
        A longer document is drawn in part, by default where most undecided groups are.
    labels
        All labels that get colours, as in `continuum_chart`.
    title
        The line above.

    Returns
    -------
    altair.LayerChart
        The first lane has the undecided groups, which are shaded through all lanes. A unit of the
        consensus is the paler the fewer annotators support it; whiskers run from the first to
        the last of the starts, and of the ends, that the annotators gave it.

    Raises
    ------
    DataError
        If there is no such document.
    SettingError
        If a setting cannot be used, or the drawing libraries are not installed.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts.consensus_lanes import consensus_chart
    >>> chart = consensus_chart(un.consensus(un.read("examples/corpus")))
    >>> [row["annotator"] for row in chart.to_dict()["datasets"]["lanes"]][:2]
    ['undecided', 'consensus']
    """
    found, continuum, name = _one(consensus, data, document)
    check_window(window, continuum)
    told = [] if not name else [f"document {name}"]
    part = window
    if window is None and len(continuum) > most_units:
        part = _most_undecided(found.undecided, continuum, most_units)
    shown_window = part or continuum.extent
    seen = in_window(continuum, shown_window)
    if part is not None:
        why = "" if window else ", where most is undecided"
        told.append(window_told(part, continuum, int(seen.sum())) + why)
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
    joined["open"] = _open(lanes, undecided, levels[_UNDECIDED])
    joined["lanes"] = [dict(row) for row in lanes.rows()]
    told += [
        (
            f"{count(len(undecided), 'group')} undecided, shaded; the consensus is the paler the "
            "fewer annotators support it"
        ),
        "whiskers run from the first to the last of the annotators' starts and ends",
    ]
    shade, mark, words = _open_layers(lanes)
    layers = [
        shade,
        lanes.lines_layer(),
        _ground_layer(lanes),
        *lanes.units_layers(legend),
        *_whisker_layers(lanes),
        mark,
        words,
    ]
    body = {"height": lanes.height, **zooming(layers)}
    return framed(body, joined, title=title, told=told)


def _one(
    consensus: Consensus, data: Continuum | Corpus | None, document: str | None
) -> tuple[Consensus, Continuum, str]:
    """Choose the document to draw: its consensus, what was marked in it, and its name."""
    found, name = consensus, ""
    if consensus.documents:
        each = consensus.documents
        name = document or max(each, key=lambda one: len(each[one].undecided))
        if name not in each:
            msg = f"no document {name!r} has a consensus; choose one of {some(list(each))}"
            raise SettingError(msg)
        found = each[name]
    elif document is not None:
        msg = f"this is the consensus of one continuum, which has no document {document!r}"
        raise SettingError(msg)
    marked = data[name] if isinstance(data, Corpus) and name in data else data
    if marked is None and found.alignment is not None:
        marked = found.alignment.continuum
    if not isinstance(marked, Continuum):
        msg = f"there is nothing to draw the consensus of {name or 'the continuum'} beside"
        raise DataError(msg)
    return found, marked, name


def _most_undecided(
    undecided: Sequence[UndecidedGroup], continuum: Continuum, most_units: int
) -> tuple[float, float]:
    """Find a part with about as many units as fit and the most undecided groups."""
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
    levels[order] = stacked(starts[order], ends[order])
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
    # Pale means mixed with white: mixed with a page that may be dark, no ink would be read on all.
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
                told = f"{which}s from {position(low)} to {position(high)}"
                rows.append({"x": low, "x2": high, "y": top + level + 0.5, "told": told})
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
            "tooltip": tooltip(told="spread"),
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


def _open(
    lanes: Lanes, undecided: Sequence[UndecidedGroup], levels: Sequence[int]
) -> list[dict[str, Any]]:
    top = lanes.lanes[0].top
    scale = WIDTH / (lanes.high - lanes.low)
    rows = []
    for group, level in zip(undecided, levels, strict=True):
        # A point must be seen as well.
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
                "word": shown(word),
                "reason": shown(group.reason),
                "group": group.group,
                "place": f"{position(group.start)}–{position(group.end)}",
            }
        )
    return rows


def _open_layers(lanes: Lanes) -> list[dict[str, Any]]:
    told = tooltip(reason="undecided", group="group", place="from–to")
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
            "tooltip": told,
        },
    }
    words = {
        "data": {"name": "open"},
        "mark": {"type": "text", "clip": True, "fontSize": 10, "color": ink_on(WARM)},
        "encoding": {
            "x": {**lanes.x, "field": "middle"},
            "y": lanes.y("centre"),
            "text": field("word"),
            "tooltip": told,
        },
    }
    return [shade, mark, words]
