"""Charts of what was annotated: a lane for each annotator, or how densely they marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unisono.charts.binning import binned
from unisono.charts.consensus_lanes import consensus_chart
from unisono.charts.drawn_units import (
    check_continuum,
    in_window,
    lanes_of,
    used,
    window_told,
    zooming,
)
from unisono.charts.framing import framed
from unisono.charts.lanes import Lanes, check_window
from unisono.charts.style import palette
from unisono.results.wording import count, position

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unisono.charts.altair_door import Chart
    from unisono.charts.style import Palette
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label
    from unisono.studies.consensus_result import Consensus

__all__ = ["continuum_chart"]


def continuum_chart(
    continuum: Continuum,
    *,
    window: tuple[float, float] | None = None,
    most_units: int = 2000,
    consensus: Consensus | None = None,
    labels: Iterable[Label | None] | None = None,
    title: str = "Units of each annotator",
) -> Chart:
    """Draw the units of each annotator in a lane, coloured by their labels.

    Parameters
    ----------
    continuum
        One document.
    window
        From where to where to draw; the whole document by default.
    most_units
        Above so many units bins are drawn instead: which label covers most of each, and how much
        of it is covered. The chart says so.
    consensus
        The consensus of the document, for a lane beside those of the annotators; then this is
        `consensus_chart`.
    labels
        All labels that get colours; name those of the corpus to have the same colours in the
        charts of all its documents.
    title
        The line above.

    Returns
    -------
    altair.LayerChart
        Units of an annotator that overlap stand in rows below each other.

    Raises
    ------
    SettingError
        If the window is none, or the drawing libraries are not installed.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts.continua import continuum_chart
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
    seen = in_window(continuum, shown_window)
    told = [] if window is None else [window_told(window, continuum, int(seen.sum()))]
    if int(seen.sum()) > most_units:
        return _binned_chart(continuum, shown_window, colours, title, told)
    tables: dict[str, list[dict[str, Any]]] = {"units": [], "points": [], "texts": []}
    lanes, parts = lanes_of(continuum, seen, shown_window, colours)
    for each in parts:
        for name, rows in each.items():
            tables[name] += rows
    units = lanes.units_layers(used(colours, continuum, seen))
    body = {"height": lanes.height, **zooming([lanes.lines_layer(), *units])}
    return framed(body, {**tables, "lanes": lanes.rows()}, title=title, told=told)


def _binned_chart(
    continuum: Continuum,
    window: tuple[float, float],
    colours: Palette,
    title: str,
    told: list[str],
) -> Chart:
    lanes = Lanes.of(continuum.annotators, [1] * len(continuum.annotators), window)
    found = binned(continuum, window)
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
    told = [
        *told,
        (
            f"{count(int(in_window(continuum, window).sum()), 'unit')} in bins of "
            f"{found.width:.3g}: the colour is the label that covers most of a bin, "
            "the strength how much of the bin is covered"
        ),
    ]
    bars, *_ = lanes.units_layers(colours)
    bars["mark"] = {"type": "rect", "clip": True}
    drawn = {row["label"] for row in units}
    bars["encoding"]["fill"]["scale"] = {
        "domain": [name for name in colours.colours if name in drawn],
        "range": [colour for name, colour in colours.colours.items() if name in drawn],
    }
    body = {"height": lanes.height, **zooming([lanes.lines_layer(), bars])}
    return framed(body, {"units": units, "lanes": lanes.rows()}, title=title, told=told)
