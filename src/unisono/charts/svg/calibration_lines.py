"""The curves of a calibration as lines to draw, and how each type of error looks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from unisono.simulation.calibration.curves import falling, smooth

if TYPE_CHECKING:
    from unisono.model.arrays import Floats
    from unisono.simulation.calibration.calibrate import Calibration
    from unisono.simulation.shuffling.errors import ErrorType

__all__ = ["LOOKS", "CalibrationLine", "calibration_lines"]

# Colours that can be told apart by most eyes (Okabe & Ito), and dashes for the others.
LOOKS: dict[ErrorType, tuple[str, tuple[int, ...]]] = {
    "position": ("#0072b2", ()),
    "category": ("#d55e00", (7, 3)),
    "false_negative": ("#009e73", (2, 3)),
    "false_positive": ("#cc79a7", (9, 3, 2, 3)),
    "split": ("#8a6d00", (4, 4)),
}
"""Colour and dashes of each type of error."""
_N_PLACES = 101


class CalibrationLine(NamedTuple):
    """A curve with the band in which single annotation sets lie."""

    magnitudes: Floats
    mean: Floats
    low: Floats
    """One standard deviation of single annotation sets below, and above."""
    high: Floats


def calibration_lines(
    calibration: Calibration, measure: Literal["gamma", "cat"]
) -> dict[ErrorType, CalibrationLine]:
    """Give the curve of each type of error, smooth and never rising, as it is read."""
    lines = {}
    for error, points in calibration.curves.items():
        known = [point for point in points if math.isfinite(getattr(point, measure))]
        if len(known) < 2:
            continue
        at = np.array([point.magnitude for point in known])
        mean = falling(np.array([getattr(point, measure) for point in known]))
        spread = np.array([getattr(point, f"{measure}_deviation") for point in known])
        fine = np.linspace(at[0], at[-1], _N_PLACES)
        line = smooth(at, mean, fine)
        width: Floats = np.interp(fine, at, spread)
        lines[error] = CalibrationLine(fine, line, line - width, line + width)
    return lines
