"""Colours, themes, sizes and titles of all charts, and the drawing library itself."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from unisono.errors import UnisonoError
from unisono.model.labels import label_order
from unisono.results.record import label_keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from unisono.model.labels import Label

__all__ = [
    "AGREE",
    "CALM",
    "INK",
    "WARM",
    "WIDTH",
    "Chart",
    "Palette",
    "Rows",
    "between",
    "can_draw",
    "check_drawing",
    "field",
    "framed",
    "ink_on",
    "library",
    "listed",
    "palette",
    "quantity",
    "same_colours",
    "shown",
    "tooltip",
]

Chart: TypeAlias = Any
"""A chart of altair: an ``altair.Chart``, ``LayerChart``, ``VConcatChart`` or ``HConcatChart``."""
Rows: TypeAlias = "Sequence[Mapping[str, Any]]"
"""Rows of a chart's data."""
_KINDS = {"layer": "LayerChart", "vconcat": "VConcatChart", "hconcat": "HConcatChart"}


def can_draw() -> bool:
    """Say whether the drawing libraries are installed, without loading them.

    Examples
    --------
    >>> from unisono.charts import can_draw
    >>> can_draw()
    True
    """
    return find_spec("altair") is not None and find_spec("vl_convert") is not None


def check_drawing() -> None:
    """Refuse to draw where the drawing libraries are missing, without loading them."""
    if not can_draw():
        for name in ("altair", "vl_convert"):
            library(name)


def library(name: str) -> Any:  # noqa: ANN401 - a module
    """Load ``altair`` or ``vl_convert``, or say how to install them."""
    try:
        return import_module(name)
    except ImportError as error:
        msg = (
            f"charts need {name.replace('_', '-')}, which is not installed or cannot be loaded "
            f"({error}); pip install 'unisono[plot]'"
        )
        raise UnisonoError(msg) from None


def chart_from(spec: Mapping[str, Any], data: Mapping[str, Rows]) -> Chart:
    """Make a chart of altair from a specification of Vega-Lite and its tables."""
    altair = library("altair")
    kind = next((name for key, name in _KINDS.items() if key in spec), "Chart")
    # Checked by tests against the schema, so that a user does not wait for it at each drawing.
    chart = getattr(altair, kind).from_dict(dict(spec), validate=False)
    # After the rest, because altair would look through every row.
    chart.datasets = {name: list(rows) for name, rows in data.items()}
    return chart


INK = "#1f2328"
"""Text and lines; a page in dark colours takes another."""
CALM, WARM, AGREE = "#8fa3b3", "#d55e00", "#0072b2"
"""Little and much disorder, and agreement."""
# Okabe & Ito (2008), Color universal design. Their black is grey here, to be seen on a dark page.
_OKABE_ITO = (
    *("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#6b6b6b"),
)
_SHADES = (("#000000", 0.0), ("#000000", 0.38), ("#ffffff", 0.5))
# The last two ranges turn round the text that follows: "evil" would be drawn as "live".
_UNSHOWN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
_NO_LABEL = "(no label)"


class Palette(NamedTuple):
    """How the labels of some data are written and coloured."""

    names: dict[Label | None, str]
    """A text of its own for each label."""
    colours: dict[str, str]
    """The colour for each text."""


def palette(labels: Iterable[Label | None]) -> Palette:
    """Give every label a text and a colour, by its place among the sorted labels."""
    ordered = sorted(set(labels), key=label_order)
    names: dict[Label | None, str] = {}
    taken: set[str] = set()
    for label, key in label_keys(ordered).items():
        name = _NO_LABEL if label is None else shown(key)
        while name in taken:
            name += " (2)"
        taken.add(name)
        names[label] = name
    return Palette(names, {name: _colour(at) for at, name in enumerate(names.values())})


def same_colours(labels: Sequence[Label | None]) -> Sequence[Label | None] | None:
    """Give the labels of a corpus, to colour all its documents alike, unless they are too many.

    Where colours come again, two labels of one document would look the same without need.
    """
    return labels if len(labels) <= len(_OKABE_ITO) * len(_SHADES) else None


def shown(text: str) -> str:
    r"""Write a text so that a picture can hold it: as it is, with control characters as escapes."""
    return _UNSHOWN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def listed(names: Sequence[str], shown_names: int = 5) -> str:
    """Write the first of some names, which are `shown` already, and how many more there are."""
    more = len(names) - shown_names
    told = ", ".join(names[:shown_names])
    return f"{told} and {more:,} more" if more > 0 else told


def between(low: str, high: str, share: float) -> str:
    """Mix two colours."""
    pairs = zip(_parts(low), _parts(high), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def ink_on(colour: str) -> str:
    """Give black or white, whichever is read better on a colour (WCAG 2 contrast)."""
    # Where both contrasts are equal: (L + 0.05)² = 1.05 · 0.05.
    return "#000000" if luminance(colour) > 0.1791 else "#ffffff"


def luminance(colour: str) -> float:
    """Give the relative luminance of a colour, as WCAG 2 defines it."""
    channels = [part / 255.0 for part in _parts(colour)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in channels]
    return sum(weight * x for weight, x in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _colour(at: int) -> str:
    toward, share = _SHADES[at // len(_OKABE_ITO) % len(_SHADES)]
    return between(_OKABE_ITO[at % len(_OKABE_ITO)], toward, share)


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


WIDTH = 720
"""Of the plot, in pixels; names and legends stand beside it."""
_LETTER, _SHORTEST_LINE = 6.2, 48


def framed(
    body: Mapping[str, Any],
    data: Mapping[str, Rows],
    *,
    title: str,
    told: Sequence[str] = (),
    also: Sequence[str] = (),
    width: float = WIDTH,
) -> Chart:
    """Make a chart of layers or parts, with title, what is told below it, and a description.

    `also` stands in the description only.
    """
    sentences = [shown(each) for each in told if each]
    longest = max(_SHORTEST_LINE, int(width / _LETTER))
    lines = [line for each in sentences for line in wrap(each, longest)]
    spoken = [shown(title), *map(shown, also), *sentences]
    spec = {
        **body,
        "title": {"text": shown(title), "subtitle": lines},
        "description": ". ".join(each.removesuffix(".") for each in spoken),
        "background": "#ffffff",
        "config": _CONFIG,
    }
    return chart_from(spec, data)


def field(name: str, kind: str = "nominal", **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Encode a column; its name is one of ours, never a label of the data."""
    return {"field": name, "type": kind, **more}


def quantity(name: str, title: str | None, low: float, high: float, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Encode a column of numbers on a scale with given ends."""
    scale = {"domain": [low, high], "nice": False, "zero": False, **more.pop("scale", {})}
    axis = more.pop("axis", {"title": title})
    return {"field": name, "type": "quantitative", "scale": scale, "axis": axis, **more}


def tooltip(**names: str) -> list[dict[str, str]]:
    """Say what is told where somebody points: column and how it is called."""
    # A text, because numbers are written by ourselves, as everywhere in unisono.
    return [{"field": name, "title": title, "type": "nominal"} for name, title in names.items()]


_CONFIG: dict[str, Any] = {
    # Fonts as wide as each other, because where text ends is computed before it is drawn.
    "font": "Arial, Liberation Sans, Helvetica, sans-serif",
    "aria": True,
    "view": {"stroke": None},
    "title": {
        "anchor": "start",
        "frame": "bounds",
        "color": INK,
        "subtitleColor": INK,
        "fontSize": 15,
        "subtitleFontSize": 12,
        "subtitlePadding": 4,
        "offset": 12,
    },
    "axis": {
        "labelColor": INK,
        "titleColor": INK,
        "domainColor": INK,
        "tickColor": INK,
        "gridColor": INK,
        "gridOpacity": 0.12,
        "domainOpacity": 0.6,
        "tickOpacity": 0.6,
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelLimit": 180,
        "aria": False,
    },
    "legend": {
        "labelColor": INK,
        "titleColor": INK,
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelLimit": 240,
        "aria": False,
    },
    "text": {"color": INK},
    "rule": {"color": INK},
    "mark": {"aria": False},
    "concat": {"spacing": 24},
}
