"""Which units of a document are drawn, and their tables, lane by lane."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.charts.framing import WIDTH
from unisono.charts.lanes import Lanes, stacked, unit_rows
from unisono.model.continuum import Continuum
from unisono.results.wording import count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.charts.style import Palette

__all__ = [
    "check_continuum",
    "in_window",
    "lanes_of",
    "part_told",
    "used",
    "window_told",
    "zooming",
]


def lanes_of(
    continuum: Continuum,
    seen: NDArray[np.bool_],
    window: tuple[float, float],
    colours: Palette,
    *,
    above: tuple[tuple[str, int], ...] = (),
    strengths: NDArray[np.float64] | None = None,
) -> tuple[Lanes, list[dict[str, list[dict[str, Any]]]]]:
    """Lay out the units that are seen, and give their tables.

    Parameters
    ----------
    continuum, seen
        The document, and for each of its units whether it is drawn.
    window, colours
        Where, and how labels look.
    above
        Names and rows of lanes that stand above those of the annotators.
    strengths
        How opaque each unit is.
    """
    offsets = continuum.offsets
    places = []
    for first, last in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        rows = first + np.flatnonzero(seen[first:last])
        places.append((rows, stacked(continuum.starts[rows], continuum.ends[rows])))
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


def used(colours: Palette, continuum: Continuum, seen: NDArray[np.bool_]) -> Palette:
    """Keep the colours of labels that are drawn, for a legend without the others."""
    codes = np.unique(continuum.label_codes[seen]).tolist()
    named = {colours.names[continuum.labels[code]] for code in codes}
    return colours._replace(
        colours={name: colour for name, colour in colours.colours.items() if name in named}
    )


def in_window(continuum: Continuum, window: tuple[float, float]) -> NDArray[np.bool_]:
    """Say which units lie in a window, wholly or in part."""
    low, high = window
    return np.asarray((continuum.starts <= high) & (continuum.ends >= low))


def window_told(window: tuple[float, float], continuum: Continuum, n_units: int) -> str:
    """Say which part of a document is drawn."""
    whole = count(len(continuum), "unit")
    return f"{part_told(window, continuum)}: {n_units:,} of {whole}"


def part_told(window: tuple[float, float], continuum: Continuum) -> str:
    """Say where a part of a document lies, as exactly as its size asks for.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts.drawn_units import part_told
    >>> talk = un.Continuum.from_units([("ann", 0.12345, 9000.5)])
    >>> part_told((100.123, 250.456), talk)
    '100–250 of 0–9,000'
    """
    size = window[1] - window[0]
    places = max(0, 3 - math.floor(math.log10(size)) - 1) if size > 0.0 else 4
    ends = [f"{each:,.{places}f}" for each in (*window, *continuum.extent)]
    if "." in ends[0]:
        ends = [each.rstrip("0").rstrip(".") for each in ends]
    return f"{ends[0]}–{ends[1]} of {ends[2]}–{ends[3]}"


def zooming(layers: list[dict[str, Any]]) -> dict[str, Any]:
    """Give a body of layers along which people can zoom, on pages that can."""
    along = {
        "name": "along",
        "select": {"type": "interval", "encodings": ["x"]},
        "bind": "scales",
        "views": ["bars"],
    }
    return {"width": WIDTH, "layer": layers, "params": [along]}


def check_continuum(continuum: object) -> None:
    """Refuse what is not one document."""
    if not isinstance(continuum, Continuum):
        msg = (
            f"this chart takes one Continuum, got {type(continuum).__name__}; "
            "of a Corpus choose a document: corpus[name]"
        )
        raise TypeError(msg)
