"""From simulated values to curves, and from observed values back to magnitudes."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.measures.intervals import student
from unisono.results.agreement import Interval
from unisono.simulation.calibration.calibration_values import CurvePoint, Equivalent, JointFit
from unisono.simulation.calibration.curves import (
    FINE,
    both_values,
    crossing,
    falling,
    hotelling,
    smooth,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.measures.gamma.gamma_result import GammaResult
    from unisono.model.arrays import Floats
    from unisono.results.agreement import ChanceAgreement
    from unisono.simulation.calibration.calibration_simulating import Simulation

__all__ = ["CurveReading", "curve_points"]


class CurveReading(NamedTuple):
    """Reads curves backwards from what was observed."""

    observed: GammaResult
    level: float
    repeats: int

    @property
    def z(self) -> float:
        """The normal quantile of the level."""
        return NormalDist().inv_cdf(0.5 + self.level / 2.0)

    def equivalent(self, measure: str, points: tuple[CurvePoint, ...]) -> Equivalent:
        """Find how many errors give the observed value."""
        agreement: ChanceAgreement = self.observed if measure == "gamma" else self.observed.cat
        nothing = Equivalent(math.nan, math.nan, math.nan, math.nan, None, None, None)
        if agreement.undefined:
            return nothing._replace(undefined=agreement.undefined)
        known = [point for point in points if math.isfinite(getattr(point, measure))]
        if len(known) < 2:
            return nothing._replace(undefined="the simulated annotators have no such value")
        curve = _fine(known, measure)
        variance = _linear(known, [getattr(p, f"{measure}_deviation") ** 2 for p in known])
        repeats = _linear(known, [p.repeats for p in known])
        own = _standard_error(agreement, self.z) ** 2
        t = student(self.level, self.repeats - 1)
        spread = np.sqrt(variance * (1.0 + 1.0 / repeats) + own)
        found = crossing(curve, spread, agreement.value, t)
        if found is None:
            lowest = float(np.nanmin(curve))
            reason = f"the most of these errors leaves it at {lowest:.2f}"
            return nothing._replace(undefined=reason)
        only_chance = crossing(curve, np.sqrt(variance / repeats + own), agreement.value, t)
        effect = _effects(points)
        done, low, high = np.interp([found.magnitude, found.low, found.high], FINE, effect).tolist()
        return Equivalent(
            found.magnitude,
            done,
            low,
            high,
            Interval(found.low, found.high, self.level, "simulation"),
            only_chance and Interval(only_chance.low, only_chance.high, self.level, "monte carlo"),
            None,
        )

    def together(self, points: tuple[CurvePoint, ...]) -> JointFit | None:
        """Find how many errors explain γ and γcat at once."""
        if self.observed.cat.undefined:
            return None
        known = [point for point in points if math.isfinite(point.gamma + point.cat)]
        if len(known) < 2:
            return None
        curves = (_fine(known, "gamma"), _fine(known, "cat"))
        more = [1.0 + 1.0 / point.repeats for point in known]
        values = (
            [p.gamma_deviation**2 for p in known],
            [p.cat_deviation**2 for p in known],
            [p.covariance for p in known],
        )
        first, second, both = (
            _linear(known, [value * m for value, m in zip(column, more, strict=True)])
            for column in values
        )
        first = first + _standard_error(self.observed, self.z) ** 2
        second = second + _standard_error(self.observed.cat, self.z) ** 2
        point = np.array([self.observed.value, self.observed.cat.value])
        limit = hotelling(self.level, self.repeats)
        reach = student(self.level, self.repeats - 1)
        found = both_values(curves, (first, second, both), point, limit, reach)
        if found is None:
            return None
        return JointFit(
            magnitude=float(FINE[found.place]),
            effect=float(_effects(points)[found.place]),
            gamma=float(curves[0][found.place]),
            cat=float(curves[1][found.place]),
            distance=found.apart,
            explains=found.explains,
        )


def curve_points(grid: Floats, simulated: Sequence[Sequence[Simulation]]) -> tuple[CurvePoint, ...]:
    """Give means and deviations at every magnitude."""
    points = []
    for magnitude, repeats in zip(grid.tolist(), simulated, strict=True):
        values = np.array([(each.gamma, each.cat) for each in repeats])
        defined = values[np.isfinite(values[:, 0])]
        both = values[np.isfinite(values).all(axis=1)]
        covariance = 0.0
        if len(both) > 1:
            covariance = float(np.cov(both, rowvar=False)[0, 1])
        points.append(
            CurvePoint(
                magnitude,
                float(np.mean([each.effect for each in repeats])),
                *_mean_and_deviation(values[:, 0]),
                *_mean_and_deviation(values[:, 1]),
                covariance,
                len(defined),
            )
        )
    return tuple(points)


def _mean_and_deviation(values: Floats) -> tuple[float, float]:
    defined = values[np.isfinite(values)]
    # Where most sets have no value, the others are no fair sample.
    if 2 * len(defined) < len(values) or not len(defined):
        return math.nan, math.nan
    return float(defined.mean()), float(defined.std(ddof=1)) if len(defined) > 1 else 0.0


def _fine(points: Sequence[CurvePoint], measure: str) -> Floats:
    at = np.array([point.magnitude for point in points])
    values = falling(np.array([getattr(point, measure) for point in points]))
    curve = np.minimum.accumulate(smooth(at, values, FINE))
    # The first magnitude is 0; beyond the last nothing is known.
    return np.where(np.less_equal(FINE, at[-1]), curve, np.nan)


def _linear(points: Sequence[CurvePoint], values: Sequence[float]) -> Floats:
    return np.interp(FINE, [point.magnitude for point in points], values)


def _effects(points: Sequence[CurvePoint]) -> Floats:
    at = np.array([point.magnitude for point in points])
    rising = -falling(-np.array([point.effect for point in points]))
    return smooth(at, rising, FINE)


def _standard_error(agreement: ChanceAgreement, z: float) -> float:
    interval = agreement.monte_carlo
    return (interval.high - interval.low) / (2.0 * z) if interval else 0.0
