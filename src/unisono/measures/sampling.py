"""Numbers of successes, drawn for many resamples at once, each from dice of its own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.measures.dice import Dice
    from unisono.model.arrays import Floats

__all__ = ["binomials"]

_Counts: TypeAlias = NDArray[np.int64]
# Below this mean the gaps between successes are drawn, above it the number itself by rejection:
# Hörmann's bounds hold from 10 on.
_FEW = 10.0
_HALF_LOG_OF_TWO_PI = 0.5 * math.log(2.0 * math.pi)


def binomials(trials: _Counts, share: Floats, dice: Sequence[Dice]) -> _Counts:
    """Draw how many of `trials` succeed, exactly, one row of trials for each of the dice.

    Parameters
    ----------
    trials
        Resamples × cells: how often each is tried.
    share
        The probability of success of each cell.
    dice
        One for each resample. A row uses only its own, so it does not depend on the others.

    Notes
    -----
    Few successes are counted by their gaps, which are geometric [1]_; many are drawn by
    the transformed rejection of [2]_ (algorithm BTRS). Made here and not by numpy's generators,
    whose numbers may change from one version to the next.

    References
    ----------
    .. [1] Devroye, L. (1986). Non-uniform random variate generation. Springer.
    .. [2] Hörmann, W. (1993). The generation of binomial random variates. Journal of Statistical
       Computation and Simulation 46(1–2).

    Examples
    --------
    >>> import numpy as np
    >>> from unisono.measures.dice import Dice
    >>> binomials(np.array([[5, 1000, 7]]), np.array([0.0, 0.25, 1.0]), [Dice(7)])
    array([[  0, 255,   7]])
    """
    # The rarer of success and failure is what is drawn.
    rarer = np.broadcast_to(np.minimum(share, 1.0 - share), trials.shape)
    mean = trials * rarer
    drawn = np.zeros(trials.shape, dtype=np.int64)
    few = (mean > 0.0) & (mean < _FEW)
    if few.any():
        drawn[few] = _by_gaps(trials[few], rarer[few], _Rolls(dice, few))
    many = mean >= _FEW
    if many.any():
        drawn[many] = _by_rejection(trials[many], rarer[many], _Rolls(dice, many))
    return np.where(share > 0.5, trials - drawn, drawn)


class _Rolls:
    """Uniform numbers for the cells of a mask that still need some, from each row's own dice."""

    def __init__(self, dice: Sequence[Dice], mask: NDArray[np.bool_]) -> None:
        self._dice = dice
        self._rows = np.nonzero(mask)[0]

    def __call__(self, cells: NDArray[np.int64], times: int = 1) -> Floats:
        needed = np.bincount(self._rows[cells], minlength=len(self._dice)) * times
        rolled = [dice.roll(int(n)) for dice, n in zip(self._dice, needed, strict=True) if n]
        return np.concatenate(rolled).reshape(len(cells), times)


def _by_gaps(trials: _Counts, share: Floats, roll: _Rolls) -> _Counts:
    successes = np.zeros(len(trials), dtype=np.int64)
    left = trials.astype(np.float64)
    log_failure = np.log1p(-share)
    cells = np.arange(len(trials))
    while len(cells):
        # 1 − u, because a roll may be 0 but never 1.
        gap = np.floor(np.log(1.0 - roll(cells)[:, 0]) / log_failure[cells]) + 1.0
        left[cells] -= gap
        cells = cells[left[cells] >= 0.0]
        successes[cells] += 1
    return successes


def _by_rejection(trials: _Counts, share: Floats, roll: _Rolls) -> _Counts:
    # The names are those of Hörmann (1993), algorithm BTRS.
    n, p = trials.astype(np.float64), share
    deviation = np.sqrt(n * p * (1.0 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    c = n * p + 0.5
    alpha = (2.83 + 5.1 / b) * deviation
    v_r = 0.92 - 4.2 / b
    drawn = np.zeros(len(trials), dtype=np.int64)
    cells = np.arange(len(trials))
    while len(cells):
        rolled = roll(cells, times=2)
        u, v = rolled[:, 0] - 0.5, 1.0 - rolled[:, 1]
        us = np.maximum(0.5 - np.abs(u), 2.0**-54)
        k = np.floor((2.0 * a[cells] / us + b[cells]) * u + c[cells])
        taken = (us >= 0.07) & (v <= v_r[cells])
        # Most are taken at once; for the others the density is needed.
        doubtful = np.nonzero(~taken & (k >= 0.0) & (k <= n[cells]))[0]
        of = cells[doubtful]
        height = v[doubtful] * alpha[of] / (a[of] / us[doubtful] ** 2 + b[of])
        taken[doubtful] = np.log(height) <= _log_density(k[doubtful], n[of], p[of])
        drawn[cells[taken]] = k[taken].astype(np.int64)
        cells = cells[~taken]
    return drawn


def _log_density(k: Floats, n: Floats, p: Floats) -> Floats:
    """Give the logarithm of the probability of k, relative to that of the mode."""
    mode = np.floor((n + 1.0) * p)
    at_mode = _log_factorial(mode) + _log_factorial(n - mode)
    ways = at_mode - _log_factorial(k) - _log_factorial(n - k)
    return ways + (k - mode) * np.log(p / (1.0 - p))


def _log_factorial(k: Floats) -> Floats:
    # Stirling's series, whose next term is below 1e-10 from 10 on; small ones from a table.
    following = k + 1.0
    square = following**2
    tail = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / following
    series = (k + 0.5) * np.log(following) - following + _HALF_LOG_OF_TWO_PI + tail
    table = _SMALL[np.minimum(k, len(_SMALL) - 1).astype(np.int64)]
    return np.where(k < len(_SMALL), table, series)


_SMALL = np.array([math.log(math.factorial(k)) for k in range(16)])
