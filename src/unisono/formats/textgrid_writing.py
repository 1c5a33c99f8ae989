"""TextGrids of a corpus, in the long form that Praat and all others read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.formats.layers import KEPT_IN_TIERS, lanes, layers_of, written_label
from unisono.formats.losses import warn_of_losses
from unisono.formats.output import targets

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from unisono.formats.layers import Lane
    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus


_FORMAT = "TextGrid"
# In a tier an interval without text is a gap; this one is a unit without label.
_NO_LABEL = "\u00a0"


def write_textgrid(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return one TextGrid a document, with a tier for each annotator.

    Points get a tier of points, and units that overlap others of the same annotator a further
    tier, ``ann [2]``.
    """
    one_layer = {"layers"} if len(layers_of(corpus)) < 2 else ()
    warn_of_losses(corpus, _FORMAT, KEPT_IN_TIERS.union(one_layer))
    texts = {name: _text(name, continuum) for name, continuum in corpus.items()}
    return {file: texts[name] for name, file in targets(corpus, path, ".TextGrid").items()}


def _text(document: str, continuum: Continuum) -> str:
    low, high = continuum.extent
    tiers = list(lanes(continuum, document, _FORMAT))
    lines = [
        'File type = "ooTextFile"',
        'Object class = "TextGrid"',
        "",
        f"xmin = {_number(low)}",
        f"xmax = {_number(high)}",
        "tiers? <exists>",
        f"size = {len(tiers)}",
        "item []:",
    ]
    for number, lane in enumerate(tiers, start=1):
        kind = "TextTier" if lane.of_points else "IntervalTier"
        lines += [
            f"    item [{number}]:",
            f'        class = "{kind}"',
            f"        name = {_quoted(lane.name)}",
            f"        xmin = {_number(low)}",
            f"        xmax = {_number(high)}",
        ]
        lines += (
            _points(lane, document) if lane.of_points else _intervals(lane, document, low, high)
        )
    return "\n".join(lines) + "\n"


def _points(lane: Lane, document: str) -> Iterator[str]:
    yield f"        points: size = {len(lane.units)}"
    for number, unit in enumerate(lane.units, start=1):
        yield f"        points [{number}]:"
        yield f"            number = {_number(unit.start)}"
        yield f"            mark = {_quoted(written_label(unit, document, _FORMAT))}"


def _intervals(lane: Lane, document: str, low: float, high: float) -> Iterator[str]:
    rows = list(_filled(lane, document, low, high))
    yield f"        intervals: size = {len(rows)}"
    for number, (start, end, text) in enumerate(rows, start=1):
        yield f"        intervals [{number}]:"
        yield f"            xmin = {_number(start)}"
        yield f"            xmax = {_number(end)}"
        yield f"            text = {_quoted(text)}"


def _filled(
    lane: Lane, document: str, low: float, high: float
) -> Iterator[tuple[float, float, str]]:
    """Give the units and the gaps between them."""
    at = low
    for unit in lane.units:
        if at < unit.start:
            yield at, unit.start, ""
        yield unit.start, unit.end, written_label(unit, document, _FORMAT) or _NO_LABEL
        at = unit.end
    if at < high or not lane.units:
        yield at, high, ""


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
