"""From an observed disorder and the disorders of draws to a coefficient and its uncertainty."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from unisono.errors import SettingError
from unisono.results.agreement import Interval

if TYPE_CHECKING:
    from unisono.model.arrays import Floats

__all__ = ["FIRST_DRAWS", "Estimate", "estimate", "needed_draws", "share_at_or_below"]

FIRST_DRAWS = 30
_MOST_DRAWS = 10_000_000


class Estimate(NamedTuple):
    """A chance-corrected value, or why there is none."""

    value: float
    expected: float
    monte_carlo: Interval | None
    undefined: str | None


def estimate(observed: float, draws: Floats, *, confidence: float) -> Estimate:
    """Correct an observed disorder for chance: 1 − observed / mean of the draws.

    Parameters
    ----------
    observed
        The disorder found in the data.
    draws
        The disorders of random continua, at least one.
    confidence
        The level of the Monte Carlo interval.

    Returns
    -------
    Estimate
        The interval comes from the achieved error z·sd/√draws of the mean.

    Examples
    --------
    >>> import numpy as np
    >>> estimate(0.5, np.array([0.9, 1.1]), confidence=0.95).value
    0.5
    >>> estimate(0.5, np.zeros(30), confidence=0.95).undefined
    'chance never disagrees on these data: all draws have the disorder 0'
    """
    expected = float(draws.mean())
    if expected == 0.0:
        reason = "chance never disagrees on these data: all draws have the disorder 0"
        return Estimate(math.nan, expected, None, reason)
    if not (math.isfinite(observed) and math.isfinite(expected)):
        reason = "labels that must never be aligned were aligned: their disorder is infinite"
        return Estimate(math.nan, expected, None, reason)
    value = 1.0 - observed / expected
    if len(draws) < 2:
        return Estimate(value, expected, None, None)
    error = _z(confidence) * float(draws.std(ddof=1)) / math.sqrt(len(draws))
    low = 1.0 - observed / (expected - error) if error < expected else -math.inf
    if observed == 0.0:
        low = 1.0
    high = 1.0 - observed / (expected + error)
    interval = Interval(min(low, value), max(high, value), confidence, "monte carlo")
    return Estimate(value, expected, interval, None)


def needed_draws(draws: Floats, *, precision: float, confidence: float) -> int:
    """Say how many draws make the expected disorder as precise as wished (2015, §5.3).

    With the coefficient of variation Cv = sd/mean of the draws made so far, the sd unbiased, it is
    n0 = (Cv·z/precision)².

    Parameters
    ----------
    draws
        Disorders of the first draws, two or more.
    precision
        The wished relative error of the mean.
    confidence
        How sure to be of it.

    Returns
    -------
    int
        n0, rounded up.

    Raises
    ------
    SettingError
        If no reasonable number of draws is enough.

    Examples
    --------
    >>> import numpy as np
    >>> needed_draws(np.array([3.4, 3.5, 3.6]), precision=0.02, confidence=0.95)
    8
    """
    mean = float(draws.mean())
    if mean == 0.0 or not math.isfinite(mean):
        return 0
    variation = float(draws.std(ddof=1)) / mean
    wanted = variation * _z(confidence) / precision
    if wanted > math.sqrt(_MOST_DRAWS):
        msg = (
            f"the precision {precision:g} would take more than {_MOST_DRAWS:,} draws; "
            "ask for less, or fix the number of draws"
        )
        raise SettingError(msg)
    return math.ceil(wanted**2)


def share_at_or_below(observed: float, draws: Floats) -> float:
    """Give the p-value against chance: (1 + draws at or below the observed) / (1 + draws)."""
    return (1 + int((draws <= observed).sum())) / (1 + len(draws))


def _z(confidence: float) -> float:
    return NormalDist().inv_cdf(0.5 + confidence / 2.0)
