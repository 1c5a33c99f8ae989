"""Jackknife confidence intervals of coefficients over documents, items or clusters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.measures.intervals import student
from unisono.results.values import Interval

if TYPE_CHECKING:
    from unisono.model.arrays import Floats

__all__ = [
    "CLUSTERS",
    "DOCUMENTS",
    "ITEMS",
    "ROUNDING",
    "Jackknife",
    "Minimum",
    "NoInterval",
    "divided",
    "ends",
    "left",
    "ratio_jackknife",
]

ROUNDING = 1e-12
"""Remainders of a subtraction below this fraction of the sum count as 0."""
_ONE_SIDED = "rule of three, one-sided"


class Minimum(NamedTuple):
    """The minimum sample for an interval."""

    noun: str
    """The sampling unit, in the singular."""
    sample: int
    effective: float
    disagreements: float
    """The number of disagreements expected by chance."""


DOCUMENTS = Minimum("document", 8, 5.0, 10.0)
CLUSTERS = Minimum("cluster", 8, 5.0, 10.0)
ITEMS = Minimum("item", 5, 4.0, 10.0)


class NoInterval(NamedTuple):
    """The reason why there is no two-sided interval."""

    kind: str
    """The reason without numbers, equal for several coefficients."""
    text: str


class Jackknife(NamedTuple):
    """A disagreement R = 1 − value and its leave-one-out values.

    Notes
    -----
    Miller (1974), Efron & Stein (1981): the variance is (n − 1)/n·Σ(R₋ᵢ − mean)². Student's t has
    one degree of freedom less than the effective sample size (Σb)²/Σb² for sizes b: Kish (1965).
    """

    disagreement: float
    without: Floats
    """R without one member of each group of equal members."""
    times: Floats
    """The number of members in each group."""
    sizes: Floats
    """The size of one member of each group, the amount it has to compare."""
    chance: float
    """The number of disagreements expected by chance."""
    bound: float
    """The same for the one-sided bound; non-nominal distances are divided by the largest."""
    variance: float = 0.0
    """Additional variance, from an expected disorder that all members share."""

    @property
    def n(self) -> float:
        """The sample size."""
        return math.fsum(self.times.tolist())

    @property
    def effective(self) -> float:
        """The effective sample size, the equivalent number of members of equal size."""
        squares = math.fsum((self.times * self.sizes**2).tolist())
        whole = math.fsum((self.times * self.sizes).tolist())
        return whole**2 / squares if squares > 0.0 else 0.0

    @property
    def error(self) -> float:
        """The standard error of R."""
        n = self.n
        mean = math.fsum((self.times * self.without).tolist()) / n
        squares = math.fsum((self.times * (self.without - mean) ** 2).tolist())
        return math.sqrt((n - 1.0) / n * squares + self.variance)

    def interval(self, level: float, minimum: Minimum) -> tuple[Interval | None, NoInterval | None]:
        """Return the interval, and the reason if it is one-sided or missing."""
        why = self._why_not(minimum)
        if why is not None:
            return None, why
        effective, noun = self.effective, minimum.noun
        if self.disagreement <= ROUNDING:
            least = min(effective, self.bound)
            if least < minimum.effective:
                text = "no disagreement, but too little to compare for a bound"
                return None, NoInterval(text, text)
            # Hanley & Lippman-Hand (1983): −ln 0.05 is 3.
            low = 1.0 + math.log(1.0 - level) / least
            text = (
                f"no disagreement in {self.n:,.0f} {noun}s: at least {low:.2f} with "
                f"{level * 100:g} % confidence, one-sided"
            )
            return Interval(low, 1.0, level, _ONE_SIDED), NoInterval(
                "no disagreement: the interval is one-sided", text
            )
        low, high = ends(self.disagreement, self.error, effective, level)
        return Interval(low, high, level, f"jackknife over {noun}s"), None

    def _why_not(self, minimum: Minimum) -> NoInterval | None:
        """Return the reason why the sample has no interval, or None if it has one."""
        noun, n, effective = minimum.noun, self.n, self.effective
        if n < minimum.sample:
            have = f"{noun} has" if n == 1 else f"{noun}s have"
            return NoInterval(
                f"no interval: fewer than {minimum.sample} {noun}s have something to compare",
                f"no interval: {n:,.0f} {have} something to compare, and {minimum.sample} are "
                "needed",
            )
        if effective < minimum.effective:
            few = f"few {'long' if noun == 'document' else 'large'} {noun}s decide"
            return NoInterval(
                f"no interval: {few}",
                f"no interval: {few}; the {n:,.0f} {noun}s count as {_down(effective)}, and "
                f"{minimum.effective:g} are needed",
            )
        if self.disagreement <= ROUNDING:
            return None
        if self.chance < minimum.disagreements:
            return NoInterval(
                "no interval: chance would have made fewer than "
                f"{minimum.disagreements:g} disagreements",
                f"no interval: chance would have made only {_down(self.chance)} disagreements "
                f"here, and {minimum.disagreements:g} are needed",
            )
        if not all(map(math.isfinite, self.without.tolist())):
            text = f"no interval: without one of the {noun}s there is no value"
            return NoInterval(text, text)
        if self.error <= ROUNDING * self.disagreement:
            text = f"no interval: the value is the same without any one of the {noun}s"
            return NoInterval(text, text)
        return None


def ratio_jackknife(
    observed: Floats, expected: Floats, sizes: Floats, *, empty: float = 1.0, variance: float = 0.0
) -> Jackknife:
    """Return the jackknife of R = Σ observed / Σ expected over the members of positive size."""
    total, by_chance = (math.fsum(each.tolist()) for each in (observed, expected))
    here = sizes > 0.0
    without = divided(left(total, observed[here]), left(by_chance, expected[here]))
    ratio = total / by_chance if by_chance > 0.0 else math.nan
    chance = by_chance / empty
    return Jackknife(
        ratio, without, np.ones(len(without)), sizes[here], chance, chance, variance * ratio**2
    )


def left(whole: Floats | float, part: Floats) -> Floats:
    """Return the difference, with 0 in place of rounding errors."""
    difference = whole - part
    return np.where(difference > ROUNDING * np.asarray(whole), difference, 0.0)


def divided(above: Floats, below: Floats) -> Floats:
    """Return ratios; NaN where the denominator is 0."""
    ratio: Floats = np.full(np.shape(below), np.nan)
    np.divide(above, below, out=ratio, where=below > 0.0)
    return ratio


def ends(disagreement: float, error: float, effective: float, level: float) -> tuple[float, float]:
    """Return the ends of the interval of 1 − R: the union of the intervals on two scales of R.

    The lower end is from the logarithm of R, the upper end from its cube root.
    """
    half = student(level, effective - 1.0) * error / disagreement
    # Larger exponents would overflow.
    low = 1.0 - disagreement * math.exp(min(half, 600.0))
    return low, 1.0 - disagreement * max(0.0, 1.0 - half / 3.0) ** 3


def _down(number: float) -> str:
    """Format a number rounded down, so that it is below the minimum in print as well."""
    return f"{math.floor(number * 10.0) / 10.0:.1f}"
