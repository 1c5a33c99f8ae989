"""Confidence intervals: normal, Student's t, percentile and BCa, and the Monte Carlo error."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.errors import SettingError
from unisono.measures.products import dot
from unisono.results.values import Interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.model.arrays import Floats

__all__ = [
    "FIRST_DRAWS",
    "Estimate",
    "Estimates",
    "acceleration",
    "bca_interval",
    "estimate",
    "estimates",
    "needed_draws",
    "percentile_interval",
    "share_at_or_below",
    "student",
    "why_undefined",
]

FIRST_DRAWS = 30
_NEVER = "chance never disagrees on these data: all draws have the disorder 0"
_INFINITE = "labels that must never be aligned were aligned: their disorder is infinite"
_MOST_DRAWS = 10_000_000


class Estimate(NamedTuple):
    """A chance-corrected value, or the reason why it is undefined."""

    value: float
    expected: float
    expected_se: float | None
    """The standard error of `expected`, a mean over draws; `None` for fewer than 2 draws."""
    monte_carlo: Interval | None
    undefined: str | None


class Estimates(NamedTuple):
    """Arrays of chance-corrected values; NaN where a value is undefined."""

    values: Floats
    expected: Floats
    expected_errors: Floats
    """The standard errors of `expected`; NaN for fewer than 2 draws."""
    low: Floats
    """Lower end of the Monte Carlo interval; NaN where there is no interval."""
    high: Floats


def why_undefined(value: float, expected: float) -> str | None:
    """Return the reason why a value is undefined, or `None` if it is defined."""
    if not math.isnan(value):
        return None
    return _NEVER if expected == 0.0 else _INFINITE


def estimates(observed: Floats, draws: Floats, *, confidence: float) -> Estimates:
    """Correct observed disorders for chance, each with its row of draws.

    The value is 1 − observed / mean of the draws (Mathet et al. 2015, eq. 8); the interval
    follows from the standard error of that mean.
    """
    n_draws = draws.shape[1]
    expected = draws.mean(axis=1)
    nothing = np.full(len(expected), math.nan)
    is_defined = (expected != 0.0) & np.isfinite(expected) & np.isfinite(observed)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.where(is_defined, 1.0 - observed / expected, nothing)
        if n_draws < 2:
            return Estimates(values, expected, nothing, nothing, nothing)
        deviations = draws.std(axis=1, ddof=1)
        errors = deviations / math.sqrt(n_draws)
        half = _z(confidence) * deviations / math.sqrt(n_draws)
        low = np.where(half < expected, 1.0 - observed / (expected - half), -math.inf)
        high = 1.0 - observed / (expected + half)
    low = np.where(observed == 0.0, 1.0, low)
    return Estimates(
        values,
        expected,
        np.where(np.isfinite(errors), errors, nothing),
        np.where(is_defined, np.minimum(low, values), nothing),
        np.where(is_defined, np.maximum(high, values), nothing),
    )


def estimate(observed: float, draws: Floats, *, confidence: float) -> Estimate:
    """Correct an observed disorder for chance: 1 − observed / mean of the draws."""
    found = estimates(np.array([observed]), draws[None, :], confidence=confidence)
    value, expected, error, low, high = (float(column[0]) for column in found)
    undefined = why_undefined(value, expected)
    interval = None if math.isnan(low) else Interval(low, high, confidence, "monte carlo")
    return Estimate(value, expected, None if math.isnan(error) else error, interval, undefined)


def needed_draws(draws: Floats, *, precision: float, confidence: float) -> int:
    """Return the number of draws for a target precision of the expected disorder (2015, §5.3).

    n0 = (Cv·z/precision)² with Cv = sd/mean, the coefficient of variation of the draws so far; the
    sd is unbiased.
    """
    mean = float(draws.mean())
    if mean == 0.0 or not math.isfinite(mean):
        return 0
    variation = float(draws.std(ddof=1)) / mean
    root = variation * _z(confidence) / precision
    if root > math.sqrt(_MOST_DRAWS):
        msg = (
            f"the precision {precision:g} would take more than {_MOST_DRAWS:,} draws; "
            "choose a larger relative error or a fixed number of draws"
        )
        raise SettingError(msg)
    return math.ceil(root**2)


def share_at_or_below(observed: float, draws: Floats) -> float:
    """Return the p-value against chance: (1 + draws at or below the observed) / (1 + draws)."""
    return (1 + int((draws <= observed).sum())) / (1 + len(draws))


def _z(confidence: float) -> float:
    return NormalDist().inv_cdf(0.5 + confidence / 2.0)


_MANY_DEGREES = 1000


def percentile_interval(values: NDArray[np.float64], confidence: float, method: str) -> Interval:
    """Return the percentile interval, with equal tails of resamples cut off.

    Notes
    -----
    The percentile interval of [1]_ (13.3), with linear interpolation between neighbouring values.

    References
    ----------
    .. [1] Efron, B., & Tibshirani, R. J. (1993). An introduction to the bootstrap. Chapman & Hall.
    """
    tail = (1.0 - confidence) / 2.0
    return _between(values, tail, 1.0 - tail, confidence, method)


def bca_interval(
    values: NDArray[np.float64], estimate: float, skewness: float, confidence: float
) -> Interval | None:
    """Return the BCa interval, corrected for bias and skewness, or None if there is none.

    Notes
    -----
    As in [1]_. Resamples equal to the estimate count half on each side, because agreement has
    few different values on small data.

    References
    ----------
    .. [1] Efron, B., & Tibshirani, R. J. (1993). An introduction to the bootstrap. Chapman & Hall.
    """
    # Equal up to rounding: the sums of a resample are added in another order.
    close = np.isclose(values, estimate, rtol=1e-12, atol=1e-12)
    below = (np.count_nonzero((values < estimate) & ~close) + close.sum() / 2.0) / len(values)
    if not 0.0 < below < 1.0:
        return None
    normal = NormalDist()
    bias = normal.inv_cdf(below)
    shares = []
    for tail in ((1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0):
        shifted = bias + normal.inv_cdf(tail)
        if skewness * shifted >= 1.0:
            return None
        shares.append(normal.cdf(bias + shifted / (1.0 - skewness * shifted)))
    return _between(values, shares[0], shares[1], confidence, "bootstrap bca")


def acceleration(influence: NDArray[np.float64], times: NDArray[np.int64]) -> float:
    """Return the acceleration, the rate at which the standard error changes with the value.

    Notes
    -----
    Σu³ / (6 (Σu²)^1.5) over items [1]_; 0 when no item affects the value.

    References
    ----------
    .. [1] Efron, B., & Tibshirani, R. J. (1993). An introduction to the bootstrap. Chapman & Hall.
    """
    # Scaled first: the cube of a small influence would vanish.
    scale = float(np.abs(influence).max(initial=0.0))
    if scale < 1e-13:
        return 0.0
    scaled = influence / scale
    squares = dot(times, scaled**2)
    return dot(times, scaled**3) / (6.0 * squares * math.sqrt(squares))


def student(confidence: float, degrees: float) -> float:
    """Return the two-sided quantile of Student's t for one or more degrees of freedom.

    Between whole degrees of freedom it is interpolated linearly in 1/degrees; the error is below
    0.4 % from 3 on.
    """
    whole = math.floor(degrees)
    if degrees != whole:
        share = (1.0 / whole - 1.0 / degrees) / (1.0 / whole - 1.0 / (whole + 1))
        return (1.0 - share) * student(confidence, whole) + share * student(confidence, whole + 1)
    if degrees > _MANY_DEGREES:
        # Expansion about the normal quantile, with an error below 10⁻⁸ here.
        z = NormalDist().inv_cdf(0.5 + confidence / 2.0)
        first = (z**3 + z) / (4.0 * degrees)
        return z + first + (5.0 * z**5 + 16.0 * z**3 + 3.0 * z) / (96.0 * degrees**2)
    # Bisection for the angle of t/√degrees whose probability is the confidence level.
    low, high = 0.0, math.pi / 2.0
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if _within(middle, whole) < confidence else (low, middle)
    return math.sqrt(degrees) * math.tan(low)


def _within(angle: float, degrees: int) -> float:
    """Return P(|t| < √degrees·tan(angle)), a finite sum of powers of cosines."""
    odd = degrees % 2
    sine, cosine = math.sin(angle), math.cos(angle)
    term, total = (cosine if odd else 1.0), 0.0
    for power in range(2 + odd, degrees + 1, 2):
        total += term
        term *= (power - 1) / power * cosine**2
    return 2.0 / math.pi * (angle + sine * total) if odd else sine * total


def _between(
    values: NDArray[np.float64], low: float, high: float, confidence: float, method: str
) -> Interval:
    ends = np.quantile(values, [low, high])
    return Interval(float(ends[0]), float(ends[1]), confidence=confidence, method=method)
