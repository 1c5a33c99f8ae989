"""Line charts as SVG text: no other library, no script, nothing loaded from elsewhere."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from unisono.simulation.error_curves import shown_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.simulation.error_curves import Scan

__all__ = ["COLOURS", "DASHES", "scan_chart", "scan_lines"]

# Colours that people who see some colours alike can tell apart (Okabe & Ito).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")
DASHES = ("", "6 3", "2 3")
_LEFT, _TOP, _BOTTOM, _ROOM = 52.0, 34.0, 44.0, 130.0
_LINE_OF_LEGEND = 17.0


class Line(NamedTuple):
    """One line of a chart; NaN leaves a hole."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    """The band around it, if there is one."""


class _Frame(NamedTuple):
    """Where numbers lie on the picture."""

    x_low: float
    x_high: float
    y_low: float
    y_high: float
    width: float
    height: float

    def across(self, x: float) -> float:
        share = (x - self.x_low) / (self.x_high - self.x_low)
        return _LEFT + share * (self.width - _LEFT - _ROOM)

    def down(self, y: float) -> float:
        share = (self.y_high - y) / (self.y_high - self.y_low)
        return _TOP + share * (self.height - _TOP - _BOTTOM)


def line_chart(
    lines: Sequence[Line],
    *,
    title: str,
    x_title: str = "magnitude",
    y_title: str = "agreement",
    marks: Sequence[tuple[str, float]] = (),
    width: float = 640.0,
    height: float = 360.0,
) -> str:
    """Draw lines, with their bands, as an SVG picture."""
    height = max(height, _TOP + _BOTTOM + _LINE_OF_LEGEND * (len(lines) + len(marks)))
    frame = _frame(lines, marks, width, height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" role="img" font-family="sans-serif" '
        f'font-size="12" fill="currentColor"><title>{escape(title)}</title>'
    )
    parts = [
        head,
        f'<text x="{_LEFT:g}" y="18" font-weight="bold">{escape(title)}</text>',
        *_axes(frame, x_title, y_title),
    ]
    for name, y in marks:
        place = frame.down(y)
        parts.append(
            f'<line x1="{_LEFT:g}" x2="{frame.across(frame.x_high):.1f}" y1="{place:.1f}" '
            f'y2="{place:.1f}" stroke="currentColor" stroke-dasharray="1 3"/>'
            f'<text x="{_LEFT + 6:g}" y="{place - 4:.1f}" font-size="11">{escape(name)}</text>'
        )
    parts += [_band(line, frame, COLOURS[at % len(COLOURS)]) for at, line in enumerate(lines)]
    for at, line in enumerate(lines):
        colour, dash = COLOURS[at % len(COLOURS)], DASHES[at // len(COLOURS) % len(DASHES)]
        style = f'stroke="{colour}" stroke-width="2" stroke-dasharray="{dash or "none"}"'
        parts.append(f'<path d="{_path(line, frame)}" fill="none" {style}/>')
        y = _TOP + 6 + at * _LINE_OF_LEGEND
        x = width - _ROOM + 12
        parts.append(
            f'<line x1="{x:g}" x2="{x + 18:g}" y1="{y:g}" y2="{y:g}" {style}/>'
            f'<text x="{x + 24:g}" y="{y + 4:g}">{escape(line.name)}</text>'
        )
    parts.append("</svg>")
    return "\n".join(part for part in parts if part)


def scan_chart(scan: Scan, *, title: str) -> str:
    """Draw the curves of a scan, each mean with the band in which annotation sets lie."""
    return line_chart(scan_lines(scan), title=title)


def scan_lines(scan: Scan) -> list[Line]:
    """Give the curves of a scan as lines to draw, the names as people write them."""
    return [
        Line(
            shown_name(curve.measure),
            curve.magnitudes.tolist(),
            curve.mean.tolist(),
            curve.low.tolist(),
            curve.high.tolist(),
        )
        for curve in scan.curves
    ]


def _frame(
    lines: Sequence[Line], marks: Sequence[tuple[str, float]], width: float, height: float
) -> _Frame:
    xs = [x for line in lines for x in line.x if math.isfinite(x)] or [0.0, 1.0]
    ys = [y for line in lines for y in line.y if math.isfinite(y)]
    ys += [y for _, y in marks if math.isfinite(y)]
    # Agreement lies between 0 and 1; what falls far below is cut at −1, so that the rest is seen.
    y_low = max(math.floor(min(ys, default=0.0) * 5.0 - 1e-9) / 5.0, -1.0)
    y_high = math.ceil(max([*ys, 1.0]) * 5.0 - 1e-9) / 5.0
    x_low, x_high = min(xs), max(xs)
    if x_high == x_low:
        x_high = x_low + 1.0
    return _Frame(x_low, x_high, min(y_low, 0.0), y_high, width, height)


def _axes(frame: _Frame, x_title: str, y_title: str) -> list[str]:
    left, right = _LEFT, frame.across(frame.x_high)
    parts = []
    for step in range(round(frame.y_low * 5), round(frame.y_high * 5) + 1):
        y = frame.down(step / 5.0)
        strength = "0.5" if step == 0 else "0.15"
        parts.append(
            f'<line x1="{left:g}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}" '
            f'stroke="currentColor" stroke-opacity="{strength}"/>'
            f'<text x="{left - 6:g}" y="{y + 4:.1f}" text-anchor="end">{step / 5.0:.1f}</text>'
        )
    for step in range(6):
        value = frame.x_low + (frame.x_high - frame.x_low) * step / 5.0
        x = frame.across(value)
        foot = frame.height - _BOTTOM
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{foot:g}" y2="{foot + 4:g}" '
            f'stroke="currentColor"/>'
            f'<text x="{x:.1f}" y="{foot + 17:g}" text-anchor="middle">{value:.3g}</text>'
        )
    middle = (left + right) / 2.0
    centre = (_TOP + frame.height - _BOTTOM) / 2.0
    parts.append(
        f'<text x="{middle:.1f}" y="{frame.height - 8:g}" text-anchor="middle">'
        f"{escape(x_title)}</text>"
        f'<text transform="translate(14 {centre:.1f}) rotate(-90)" text-anchor="middle">'
        f"{escape(y_title)}</text>"
    )
    return parts


def _points(line: Line, ys: Sequence[float], frame: _Frame) -> list[tuple[float, float] | None]:
    return [
        (frame.across(x), frame.down(max(y, frame.y_low))) if math.isfinite(y) else None
        for x, y in zip(line.x, ys, strict=True)
    ]


def _path(line: Line, frame: _Frame) -> str:
    steps = []
    pen_down = False
    for point in _points(line, line.y, frame):
        if point is not None:
            steps.append(f"{'L' if pen_down else 'M'}{point[0]:.1f} {point[1]:.1f}")
        pen_down = point is not None
    return " ".join(steps) or "M0 0"


def _band(line: Line, frame: _Frame, colour: str) -> str:
    if not line.low:
        return ""
    low = [point for point in _points(line, line.low, frame) if point]
    high = [point for point in _points(line, line.high, frame) if point]
    around = " ".join(f"{x:.1f},{y:.1f}" for x, y in [*low, *reversed(high)])
    return f'<polygon points="{around}" fill="{colour}" fill-opacity="0.12"/>'
