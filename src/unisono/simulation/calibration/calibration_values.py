"""The numbers of a calibration: points of curves, and where the observed values lie on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from unisono.results.agreement import Interval

__all__ = ["CurvePoint", "Equivalent", "JointFit"]


class CurvePoint(NamedTuple):
    """What annotators get who make errors of one type at one magnitude.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
    >>> point = found.curves["false_negative"][0]
    >>> point.magnitude, point.gamma, point.effect
    (0.0, 1.0, 0.0)
    """

    magnitude: float
    effect: float
    """How much of the error was made: which share of boundaries' unit lengths, units, labels."""
    gamma: float
    """Mean over repeats; NaN where γ was mostly undefined."""
    gamma_deviation: float
    """Standard deviation over repeats."""
    cat: float
    cat_deviation: float
    covariance: float
    """Of γ and γcat over repeats."""
    repeats: int
    """In how many repeats γ was defined."""


class Equivalent(NamedTuple):
    """How many errors of one type give an observed value.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
    >>> equivalent = found.gamma["false_negative"]
    >>> equivalent.interval.low < equivalent.magnitude < equivalent.interval.high
    True
    """

    magnitude: float
    """NaN where errors of this type cannot give the value."""
    effect: float
    """How much of the error that is, as a share."""
    effect_low: float
    effect_high: float
    """The same at the ends of the interval."""
    interval: Interval | None
    """Magnitudes at which an annotation set gets the value often enough."""
    monte_carlo: Interval | None
    """Uncertainty that comes from the finite numbers of draws and repeats only."""
    undefined: str | None


class JointFit(NamedTuple):
    """How well errors of one type explain γ and γcat at once.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
    >>> found.together["false_negative"].explains
    False
    """

    magnitude: float
    """Where both values come closest, of magnitudes that can explain them if there are such."""
    effect: float
    gamma: float
    """What γ would be there."""
    cat: float
    distance: float
    """How far both observed values are from these, as the crow flies."""
    explains: bool
    """Whether both values lie within the spread of simulated annotators."""
