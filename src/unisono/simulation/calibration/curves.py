"""Curves that fall as errors grow: made monotone, smooth, and read backwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from unisono.model.arrays import Floats

__all__ = ["FINE", "both_values", "crossing", "falling", "hotelling", "smooth"]

FINE: Floats = np.linspace(0.0, 1.0, 2001)
"""The magnitudes at which curves are looked at."""
_UNNOTICED = 0.002


class Crossing(NamedTuple):
    """Where a curve has a value: the magnitude, and between which magnitudes it may be."""

    magnitude: float
    low: float
    high: float


class Both(NamedTuple):
    """Where two curves explain two values best."""

    place: int
    """In `FINE`."""
    explains: bool
    """Whether the values are within the limit there."""
    apart: float
    """How far they are from the curves."""


def falling(values: Floats) -> Floats:
    """Give the closest values, by least squares, that never rise.

    Neighbours that rise are pooled until none does.

    Examples
    --------
    >>> import numpy as np
    >>> falling(np.array([1.0, 0.4, 0.6, 0.1]))
    array([1. , 0.5, 0.5, 0.1])
    """
    blocks: list[tuple[float, int]] = []
    for value in values.tolist():
        mean, size = value, 1
        while blocks and blocks[-1][0] < mean:
            before, count = blocks.pop()
            mean = (before * count + mean * size) / (count + size)
            size += count
        blocks.append((mean, size))
    return np.repeat([mean for mean, _ in blocks], [size for _, size in blocks])


def smooth(at: Floats, values: Floats, wanted: Floats) -> Floats:
    """Interpolate by cubics that rise and fall only where the values do.

    Parameters
    ----------
    at
        Where the values are known, rising; two places at least.
    values
        The values there.
    wanted
        Where they are asked for; beyond the ends the end values hold.

    Notes
    -----
    Slopes are weighted harmonic means of the slopes beside a place, 0 at a turn (Fritsch & Butland
    1984), and at the ends those of the chord.

    Examples
    --------
    >>> import numpy as np
    >>> smooth(np.array([0.0, 0.5, 1.0]), np.array([1.0, 0.5, 0.0]), np.array([0.25, 2.0]))
    array([0.75, 0.  ])
    """
    step, chord = np.diff(at), np.diff(values) / np.diff(at)
    slope = np.concatenate((chord[:1], np.zeros(len(at) - 2), chord[-1:]))
    same = chord[1:] * chord[:-1] > 0.0
    before, after = 2.0 * step[1:] + step[:-1], step[1:] + 2.0 * step[:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = (before + after) / (before / chord[:-1] + after / chord[1:])
    slope[1:-1] = np.where(same, mean, 0.0)
    place = np.clip(np.searchsorted(at, wanted, side="right") - 1, 0, len(at) - 2)
    x = np.clip((wanted - at[place]) / step[place], 0.0, 1.0)
    # Hermite's cubic between two places, in the share x of the step.
    rise = (3.0 - 2.0 * x) * x**2
    return np.asarray(
        (1.0 - rise) * values[place]
        + rise * values[place + 1]
        + step[place] * x * (1.0 - x) * ((1.0 - x) * slope[place] - x * slope[place + 1])
    )


def crossing(curve: Floats, error: Floats, value: float, z: float) -> Crossing | None:
    """Find where a falling curve has a value, and where it may have it.

    Parameters
    ----------
    curve
        The curve at the magnitudes `FINE`, NaN where it is not known.
    error
        Its standard error there.
    value
        What is looked for.
    z
        How many standard errors the curve may be off.

    Returns
    -------
    Crossing or None
        `None` if the curve never comes down to the value, not even within one standard error.

    Examples
    --------
    >>> crossing(1.0 - FINE, 0.0 * FINE + 0.1, 0.5, 1.0)
    Crossing(magnitude=0.5, low=0.4, high=0.6)
    """
    known = np.isfinite(curve)
    at, curve, error = FINE[known], curve[known], error[known]
    if not len(at) or value < curve[-1] - error[-1]:
        return None
    # Below the end of the curve, but by no more than is usual: the end is the best answer.
    magnitude = at[-1] if value < curve[-1] else _place(at, curve, value)
    may_be_low = np.flatnonzero(curve - z * error <= value)
    may_be_high = np.flatnonzero(curve + z * error >= value)
    low = at[may_be_low[0]] if len(may_be_low) else magnitude
    high = at[may_be_high[-1]] if len(may_be_high) else magnitude
    return Crossing(float(magnitude), float(min(low, magnitude)), float(max(high, magnitude)))


def _place(at: Floats, curve: Floats, value: float) -> float:
    """Interpolate between the last magnitude above the value and the first below it."""
    below = int(np.searchsorted(-curve, -value, side="left"))
    above = int(np.searchsorted(-curve, -value, side="right")) - 1
    if above >= below:
        # On a level stretch the middle of it.
        return float(at[[below, above]].mean())
    if below == 0:
        return float(at[0])
    share = (curve[below - 1] - value) / (curve[below - 1] - curve[below])
    return float(at[below - 1] + share * (at[below] - at[below - 1]))


def both_values(
    curves: tuple[Floats, Floats],
    covariance: tuple[Floats, Floats, Floats],
    point: Floats,
    limit: float,
    reach: float = np.inf,
) -> Both | None:
    """Find the magnitude that explains two observed values best.

    Parameters
    ----------
    curves
        Two curves at the magnitudes `FINE`.
    covariance
        Variance of the first, of the second, and their covariance, there.
    point
        The two values that were observed.
    limit
        How large the squared distance may be, in units of the spread, to be due to chance.
    reach
        How many deviations either value alone may be away.

    Returns
    -------
    Both or None
        Of magnitudes within the limit the one whose values lie closest; if there is none, the one
        of all. `None` if the curves are nowhere known together.

    Examples
    --------
    >>> import numpy as np
    >>> same = np.full(len(FINE), 0.01)
    >>> curves, spread = (1 - FINE, 1 - FINE), (same, same, 0 * same)
    >>> found = both_values(curves, spread, np.array([0.4, 0.6]), limit=6.0)
    >>> float(FINE[found.place]), found.explains, round(found.apart, 3)
    (0.5, True, 0.141)
    """
    first, second = curves[0] - point[0], curves[1] - point[1]
    known = np.isfinite(first + second)
    if not known.any():
        return None
    # Where nothing varies, as without errors, values may still be off by what nobody would notice.
    var_first, var_second = (each + _UNNOTICED**2 for each in covariance[:2])
    both = covariance[2]
    determinant = var_first * var_second - both**2
    squares = first**2 * var_second - 2.0 * first * second * both + second**2 * var_first
    distance = squares / determinant
    likely = known & (distance <= limit)
    # Two values that go together leave much room along their common way; each alone does not.
    for apart_by, variance in ((first, var_first), (second, var_second)):
        likely &= np.abs(apart_by) <= reach * np.sqrt(variance)
    apart = np.where(known, np.hypot(first, second), np.inf)
    place = int(np.argmin(np.where(likely, apart, np.inf) if likely.any() else apart))
    return Both(place, bool(likely[place]), float(apart[place]))


def hotelling(level: float, count: int) -> float:
    """Give how large the squared distance of two values from a mean of `count` may be by chance.

    The quantile of Hotelling's T² for two dimensions, which has a closed form.

    Examples
    --------
    >>> round(hotelling(0.95, 12), 2), round(hotelling(0.95, 10**9), 2)
    (9.03, 5.99)
    """
    return (count - 1) * float(np.expm1(-2.0 * np.log1p(-level) / (count - 2)))
