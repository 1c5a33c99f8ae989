"""What all charts share: how they are titled, described, and set in type."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from unisono.charts.altair_door import chart_from
from unisono.charts.style import INK, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unisono.charts.altair_door import Chart, Rows

__all__ = ["WIDTH", "field", "framed", "quantity", "tooltip"]

WIDTH = 720
"""Of the plot, in pixels; names and legends stand beside it."""
_LETTER, _SHORTEST_LINE = 6.2, 48


def framed(
    body: Mapping[str, Any],
    data: Mapping[str, Rows],
    *,
    title: str,
    told: Sequence[str] = (),
    width: float = WIDTH,
) -> Chart:
    """Make a chart of layers or parts, with title, what is told below it, and a description.

    Parameters
    ----------
    body
        Layers or parts, as Vega-Lite has them.
    data
        The tables, by the names that stand in `body`.
    title
        The line above.
    told
        Sentences under the title: what was left out, how to read it.
    width
        How wide the chart will be, in pixels: sentences are broken into lines no longer.

    Examples
    --------
    >>> from unisono.charts.framing import framed
    >>> body = {"data": {"name": "a"}, "mark": "point", "encoding": {"x": {"field": "x"}}}
    >>> chart = framed(body, {"a": [{"x": 1}]}, title="Points", told=["one only"])
    >>> chart.to_dict()["description"]
    'Points. one only'
    """
    sentences = [shown(each) for each in told if each]
    longest = max(_SHORTEST_LINE, int(width / _LETTER))
    lines = [line for each in sentences for line in wrap(each, longest)]
    spec = {
        **body,
        "title": {"text": shown(title), "subtitle": lines},
        "description": ". ".join([shown(title), *sentences]),
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
