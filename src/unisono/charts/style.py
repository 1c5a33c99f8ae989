"""Colours, themes, sizes and titles of all charts, and access to the plotting libraries."""

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
    "can_draw",
    "check_drawing",
    "escape_controls",
    "field",
    "ink_on",
    "library",
    "mix_colours",
    "palette",
    "quantity",
    "same_colours",
    "shorten_list",
    "titled_chart",
    "tooltip",
]

Chart: TypeAlias = Any
"""A chart of altair: an ``altair.Chart``, ``LayerChart``, ``VConcatChart`` or ``HConcatChart``."""
Rows: TypeAlias = "Sequence[Mapping[str, Any]]"
"""Rows of a chart's data."""
_KINDS = {"layer": "LayerChart", "vconcat": "VConcatChart", "hconcat": "HConcatChart"}


def can_draw() -> bool:
    """Return whether the plotting libraries are installed, without loading them.

    Examples
    --------
    >>> from unisono.charts import can_draw
    >>> can_draw()
    True
    """
    return find_spec("altair") is not None and find_spec("vl_convert") is not None


def check_drawing() -> None:
    """Raise an error if the plotting libraries are missing, without loading them."""
    if not can_draw():
        for name in ("altair", "vl_convert"):
            library(name)


def library(name: str) -> Any:  # noqa: ANN401 - a module
    """Import ``altair`` or ``vl_convert``; the error explains how to install them."""
    try:
        return import_module(name)
    except ImportError as error:
        msg = (
            f"charts need {name.replace('_', '-')}, which is not installed or cannot be loaded "
            f"({error}); pip install 'unisono[plot]'"
        )
        raise UnisonoError(msg) from None


def chart_from(spec: Mapping[str, Any], data: Mapping[str, Rows]) -> Chart:
    """Return an altair chart for a Vega-Lite specification and its tables."""
    altair = library("altair")
    kind = next((name for key, name in _KINDS.items() if key in spec), "Chart")
    # The tests validate specifications against the schema; doing it here would slow down drawing.
    chart = getattr(altair, kind).from_dict(dict(spec), validate=False)
    # Added last, because altair would traverse every row.
    chart.datasets = {name: list(rows) for name, rows in data.items()}
    return chart


INK = "#1f2328"
"""The colour of text and lines in the light theme."""
CALM, WARM, AGREE = "#8fa3b3", "#d55e00", "#0072b2"
"""The colours of little disorder, much disorder, and agreement."""
# Okabe & Ito (2008), Color universal design. Black is replaced by grey, visible on a dark page.
_OKABE_ITO = (
    *("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#6b6b6b"),
)
_SHADES = (("#000000", 0.0), ("#000000", 0.38), ("#ffffff", 0.5))
# The last two ranges are bidirectional controls, which would reverse the text that follows.
_CONTROLS = re.compile(
    r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
_NO_LABEL = "(no label)"


class Palette(NamedTuple):
    """The names and colours of labels."""

    names: dict[Label | None, str]
    """The unique name of each label."""
    colours: dict[str, str]
    """The colour of each name."""


def palette(labels: Iterable[Label | None]) -> Palette:
    """Return names and colours for labels; colours follow the order of the sorted labels."""
    ordered = sorted(set(labels), key=label_order)
    names: dict[Label | None, str] = {}
    taken: set[str] = set()
    for label, key in label_keys(ordered).items():
        name = _NO_LABEL if label is None else escape_controls(key)
        while name in taken:
            name += " (2)"
        taken.add(name)
        names[label] = name
    return Palette(names, {name: _colour(at) for at, name in enumerate(names.values())})


def same_colours(labels: Sequence[Label | None]) -> Sequence[Label | None] | None:
    """Return the labels of a corpus, for equal colours in all documents; None if too many.

    With more labels than colours, two labels of one document could have the same colour although
    the document alone has few labels.
    """
    return labels if len(labels) <= len(_OKABE_ITO) * len(_SHADES) else None


def escape_controls(text: str) -> str:
    r"""Return a text for use in an image, with control characters escaped."""
    return _CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def shorten_list(names: Sequence[str], shown_names: int = 5) -> str:
    """Return the first of some names, comma-separated, and the number of the others."""
    more = len(names) - shown_names
    first = ", ".join(names[:shown_names])
    return f"{first} and {more:,} more" if more > 0 else first


def mix_colours(low: str, high: str, share: float) -> str:
    """Return a mixture of two colours."""
    pairs = zip(_parts(low), _parts(high), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def ink_on(colour: str) -> str:
    """Return black or white, whichever has more contrast to a colour (WCAG 2)."""
    # Both contrasts are equal at (L + 0.05)² = 1.05 · 0.05.
    return "#000000" if luminance(colour) > 0.1791 else "#ffffff"


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2)."""
    channels = [part / 255.0 for part in _parts(colour)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in channels]
    return sum(weight * x for weight, x in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _colour(at: int) -> str:
    toward, share = _SHADES[at // len(_OKABE_ITO) % len(_SHADES)]
    return mix_colours(_OKABE_ITO[at % len(_OKABE_ITO)], toward, share)


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


WIDTH = 720
"""The width of the plot in pixels, without names and legends."""
_LETTER, _SHORTEST_LINE = 6.2, 48


def titled_chart(
    body: Mapping[str, Any],
    data: Mapping[str, Rows],
    *,
    title: str,
    notes: Sequence[str] = (),
    also: Sequence[str] = (),
    width: float = WIDTH,
) -> Chart:
    """Return a chart with a title, notes as its subtitle, and a description of both.

    The description, for screen readers, also contains the sentences in `also`.
    """
    sentences = [escape_controls(each) for each in notes if each]
    longest = max(_SHORTEST_LINE, int(width / _LETTER))
    lines = [line for each in sentences for line in wrap(each, longest)]
    spoken = [escape_controls(title), *map(escape_controls, also), *sentences]
    spec = {
        **body,
        "title": {"text": escape_controls(title), "subtitle": lines},
        "description": ". ".join(each.removesuffix(".") for each in spoken),
        "background": "#ffffff",
        "config": _CONFIG,
    }
    return chart_from(spec, data)


def field(name: str, kind: str = "nominal", **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the encoding of a column; its name must not come from the data."""
    return {"field": name, "type": kind, **more}


def quantity(name: str, title: str | None, low: float, high: float, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the encoding of a column of numbers on a scale from `low` to `high`."""
    scale = {"domain": [low, high], "nice": False, "zero": False, **more.pop("scale", {})}
    axis = more.pop("axis", {"title": title})
    return {"field": name, "type": "quantitative", "scale": scale, "axis": axis, **more}


def tooltip(**names: str) -> list[dict[str, str]]:
    """Return the encoding of a tooltip from columns and their titles."""
    # Nominal, because the columns contain numbers that are already formatted.
    return [{"field": name, "title": title, "type": "nominal"} for name, title in names.items()]


_CONFIG: dict[str, Any] = {
    # Fonts of the same widths, because the extent of text is computed before it is drawn.
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
