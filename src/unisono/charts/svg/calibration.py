"""A calibration as a picture: what γ and γcat become as errors grow, and what was observed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple
from xml.sax.saxutils import escape

from unisono.charts.svg.calibration_lines import LOOKS, calibration_lines
from unisono.results.wording import decimals, printable
from unisono.simulation.calibration.calibrate import ERROR_WORDS, effect_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unisono.charts.svg.calibration_lines import CalibrationLine
    from unisono.results.agreement import ChanceAgreement
    from unisono.simulation.calibration.calibrate import Calibration
    from unisono.simulation.calibration.curves import Equivalent
    from unisono.simulation.shuffling.errors import ErrorType


_WIDTH, _HEIGHT = 380, 280
_LEFT, _TOP, _GAP, _LINE = 56, 52, 64, 19
_DARK, _PALE = "#222222", "#d8d8d8"


class _Panel(NamedTuple):
    """One pair of axes: magnitudes from 0 to 1, values from `low` to 1."""

    left: float
    top: float
    low: float

    def x(self, magnitude: float) -> float:
        return self.left + magnitude * _WIDTH

    def y(self, value: float) -> float:
        inside = min(1.0, max(self.low, value))
        return self.top + (1.0 - inside) / (1.0 - self.low) * _HEIGHT

    def path(self, magnitudes: Sequence[float], values: Sequence[float]) -> str:
        pairs = zip(magnitudes, values, strict=True)
        return " ".join(f"{self.x(m):.1f},{self.y(value):.1f}" for m, value in pairs)


def calibration_svg(calibration: Calibration, *, title: str | None = None) -> str:
    """Draw the curves of a calibration with the observed values across them.

    Around each curve lies one standard deviation of single annotation sets. A dot is where a
    curve has the observed value.
    """
    errors = list(calibration.curves)
    has_cat = not calibration.observed.cat.undefined
    n_panels = 2 if has_cat else 1
    width = _LEFT + n_panels * _WIDTH + (n_panels - 1) * _GAP + 24
    height = _TOP + _HEIGHT + 58 + _LINE * (len(errors) + 1)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="sans-serif" '
            f'font-size="13" fill="{_DARK}" role="img">'
        ),
        f"<title>{escape(printable(title or 'Calibration'))}</title>",
        f"<desc>{escape(printable(str(calibration)))}</desc>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    if title:
        parts.append(_text(_LEFT, 22, printable(title), size=16, bold=True))
    observed = calibration.observed
    parts += _drawn(calibration, "γ", "gamma", observed, calibration.gamma, _LEFT)
    if has_cat:
        left = _LEFT + _WIDTH + _GAP
        parts += _drawn(calibration, "γcat", "cat", observed.cat, calibration.cat, left)
    parts += _legend(calibration, errors, _TOP + _HEIGHT + 62)
    return "\n".join([*parts, "</svg>", ""])


def _drawn(
    calibration: Calibration,
    name: str,
    measure: Literal["gamma", "cat"],
    observed: ChanceAgreement,
    equivalents: Mapping[ErrorType, Equivalent],
    left: float,
) -> list[str]:
    points = [point for each in calibration.curves.values() for point in each]
    values = [getattr(point, measure) for point in points]
    lowest = min([0.0, observed.value, *(value for value in values if math.isfinite(value))])
    panel = _Panel(left, _TOP, math.floor(lowest * 5.0) / 5.0)
    parts = _axes(panel, name)
    lines = calibration_lines(calibration, measure)
    parts += [part for error, line in lines.items() for part in _curve(panel, error, line)]
    parts += _observed(panel, name, observed)
    for error, found in equivalents.items():
        if not found.undefined:
            x, y = panel.x(found.magnitude), panel.y(observed.value)
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{LOOKS[error][0]}" '
                'stroke="#ffffff" stroke-width="1.5"/>'
            )
    return parts


def _axes(panel: _Panel, name: str) -> list[str]:
    bottom, right = _TOP + _HEIGHT, panel.left + _WIDTH
    parts = [_text(panel.left, _TOP - 10, name, bold=True)]
    for tick in range(round((1.0 - panel.low) / 0.2) + 1):
        value = panel.low + 0.2 * tick
        y = panel.y(value)
        parts.append(_rule(panel.left, y, right, y, _PALE))
        parts.append(_text(panel.left - 8, y + 4, f"{round(value, 1) + 0.0:.1f}", anchor="end"))
    for fifth in range(6):
        x = panel.x(fifth / 5)
        parts.append(_rule(x, bottom, x, bottom + 5, _DARK))
        parts.append(_text(x, bottom + 20, f"{fifth / 5:.1f}", anchor="middle"))
    parts.append(_rule(panel.left, bottom, right, bottom, _DARK))
    middle = panel.left + _WIDTH / 2
    parts.append(_text(middle, bottom + 38, "magnitude of errors", anchor="middle"))
    return parts


def _curve(panel: _Panel, error: ErrorType, line: CalibrationLine) -> list[str]:
    colour, dashes = LOOKS[error]
    magnitudes = line.magnitudes.tolist()
    outline = panel.path(
        [*magnitudes, *reversed(magnitudes)], [*line.high.tolist(), *line.low.tolist()[::-1]]
    )
    return [
        f'<polygon points="{outline}" fill="{colour}" opacity="0.12"/>',
        (
            f'<polyline points="{panel.path(magnitudes, line.mean.tolist())}" fill="none" '
            f'stroke="{colour}" stroke-width="2" stroke-dasharray="{_dashed(dashes)}"/>'
        ),
    ]


def _observed(panel: _Panel, name: str, observed: ChanceAgreement) -> list[str]:
    right, y = panel.left + _WIDTH, panel.y(observed.value)
    parts = []
    interval = observed.monte_carlo
    if interval is not None:
        top, bottom = panel.y(interval.high), panel.y(interval.low)
        parts.append(
            f'<rect x="{panel.left:.1f}" y="{top:.1f}" width="{_WIDTH}" '
            f'height="{max(0.5, bottom - top):.1f}" fill="{_DARK}" opacity="0.15"/>'
        )
    parts.append(_rule(panel.left, y, right, y, _DARK, width=1.5))
    told = f"observed {name} = {decimals(observed.value, 2)}"
    # Above the line, unless that is outside.
    parts.append(_text(right, y - 6 if y > _TOP + 14 else y + 16, told, anchor="end"))
    return parts


def _legend(calibration: Calibration, errors: Sequence[ErrorType], top: float) -> list[str]:
    parts = [_text(_LEFT, top, "What gives the observed γ: annotators who …", bold=True)]
    for place, error in enumerate(errors):
        y = top + _LINE * (place + 1)
        colour, dashes = LOOKS[error]
        found = calibration.gamma[error]
        told = f"{ERROR_WORDS[error]}: cannot bring γ so low"
        if not found.undefined:
            told = effect_text(error, found.effect, found.effect_low, found.effect_high)
        parts.append(_rule(_LEFT, y - 4, _LEFT + 30, y - 4, colour, width=2, dashes=dashes))
        parts.append(_text(_LEFT + 40, y, told))
    return parts


def _text(
    x: float, y: float, words: str, *, anchor: str = "start", size: int = 13, bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{weight}>'
        f"{escape(words)}</text>"
    )


def _rule(
    x: float,
    y: float,
    to_x: float,
    to_y: float,
    colour: str,
    *,
    width: float = 1,
    dashes: tuple[int, ...] = (),
) -> str:
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{colour}" '
        f'stroke-width="{width}" stroke-dasharray="{_dashed(dashes)}"/>'
    )


def _dashed(dashes: tuple[int, ...]) -> str:
    return " ".join(map(str, dashes)) or "none"
