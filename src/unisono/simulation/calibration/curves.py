"""Curves of γ by magnitude of errors: simulation, fitting and inversion."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.measures.gamma.documents import Costs
from unisono.measures.gamma.gamma import gamma_values
from unisono.measures.intervals import student
from unisono.measures.sampling import fingerprint
from unisono.model.corpus import Corpus
from unisono.parallel.dispatch import Report, map_rows
from unisono.results.values import Interval
from unisono.simulation.shuffling.shuffle import Shuffler

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Executor

    from unisono.measures.gamma.result import GammaAgreement
    from unisono.model.arrays import Floats
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label
    from unisono.parallel.checkpoint import Part
    from unisono.results.agreement import ChanceAgreement
    from unisono.simulation.shuffling.errors import ErrorType
    from unisono.simulation.shuffling.shuffle import ShuffledContinuum

__all__ = [
    "CurvePoint",
    "CurveReading",
    "ErrorEquivalent",
    "JointFit",
    "Simulations",
    "curve_points",
    "fit_nonincreasing",
    "interpolate_monotone",
]


class CurvePoint(NamedTuple):
    """γ and γcat of simulated annotators with errors of one type at one magnitude.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
    >>> point = found.curves["false_negative"][0]
    >>> point.magnitude, point.gamma_mean, point.effect
    (0.0, 1.0, 0.0)
    """

    magnitude: float
    effect: float
    """The amount of errors: mean shift relative to unit length, or the share of units affected."""
    gamma_mean: float
    """Mean over repeats; NaN if γ was undefined in most of them."""
    gamma_deviation: float
    """Standard deviation over repeats."""
    gamma_cat_mean: float
    gamma_cat_deviation: float
    covariance: float
    """Covariance of γ and γcat over repeats."""
    n_defined: int
    """Number of repeats in which γ was defined."""


class ErrorEquivalent(NamedTuple):
    """The amount of errors of one type that gives an observed value.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
    >>> equivalent = found.gamma_equivalents["false_negative"]
    >>> equivalent.interval.low < equivalent.magnitude < equivalent.interval.high
    True
    """

    magnitude: float
    """The magnitude; NaN if errors of this type cannot give the value."""
    effect: float
    """The amount of errors at this magnitude, as a share."""
    effect_low: float
    effect_high: float
    """The amounts at the ends of the interval."""
    interval: Interval | None
    """Magnitudes at which the value is within the prediction interval of an annotation set."""
    monte_carlo: Interval | None
    """Monte Carlo interval: the error from the finite number of draws and repeats."""
    undefined: str | None


class JointFit(NamedTuple):
    """How well errors of one type explain γ and γcat together.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
    >>> found.together["false_negative"].explains
    False
    """

    magnitude: float
    """The magnitude closest to both values, preferably one that explains them."""
    effect: float
    gamma_mean: float
    """γ of the curve at this magnitude."""
    gamma_cat_mean: float
    distance: float
    """Euclidean distance between the observed and the fitted (γ, γcat)."""
    explains: bool
    """Whether both values lie within the prediction intervals of simulated annotators."""


FINE: Floats = np.linspace(0.0, 1.0, 2001)
"""The magnitudes at which curves are evaluated."""
# Standard deviation added to both values: differences below it are irrelevant in practice.
_IRRELEVANT = 0.002


class Crossing(NamedTuple):
    """The magnitude at which a curve has a value, with an interval."""

    magnitude: float
    low: float
    high: float


class ClosestPoint(NamedTuple):
    """The magnitude at which two curves explain two values best."""

    place: int
    """Index in `FINE`."""
    explains: bool
    """Whether the values are within the limit at this magnitude."""
    apart: float
    """Distance of the values from the curves."""


def fit_nonincreasing(values: Floats) -> Floats:
    """Return the closest non-increasing values by least squares (pool adjacent violators)."""
    blocks: list[tuple[float, int]] = []
    for value in values.tolist():
        mean, size = value, 1
        while blocks and blocks[-1][0] < mean:
            before, count = blocks.pop()
            mean = (before * count + mean * size) / (count + size)
            size += count
        blocks.append((mean, size))
    return np.repeat([mean for mean, _ in blocks], [size for _, size in blocks])


def interpolate_monotone(at: Floats, values: Floats, points: Floats) -> Floats:
    """Interpolate by monotone piecewise cubics.

    The slope at a knot is the weighted harmonic mean of the adjacent slopes, 0 at a local extremum
    (Fritsch & Butland 1984), and at the ends the slope of the chord.
    """
    step, chord = np.diff(at), np.diff(values) / np.diff(at)
    slope = np.concatenate((chord[:1], np.zeros(len(at) - 2), chord[-1:]))
    same_sign = chord[1:] * chord[:-1] > 0.0
    before, after = 2.0 * step[1:] + step[:-1], step[1:] + 2.0 * step[:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = (before + after) / (before / chord[:-1] + after / chord[1:])
    slope[1:-1] = np.where(same_sign, mean, 0.0)
    place = np.clip(np.searchsorted(at, points, side="right") - 1, 0, len(at) - 2)
    x = np.clip((points - at[place]) / step[place], 0.0, 1.0)
    # Cubic Hermite polynomial between two knots, in the share x of the step.
    rise = (3.0 - 2.0 * x) * x**2
    return np.asarray(
        (1.0 - rise) * values[place]
        + rise * values[place + 1]
        + step[place] * x * (1.0 - x) * ((1.0 - x) * slope[place] - x * slope[place + 1])
    )


def crossing(curve: Floats, error: Floats, value: float, z: float) -> Crossing | None:
    """Return the magnitude at which a decreasing curve has a value, with an interval, or `None`."""
    known = np.isfinite(curve)
    at, curve, error = FINE[known], curve[known], error[known]
    if not len(at) or value < curve[-1] - error[-1]:
        return None
    # A value below the end of the curve by less than its error is assigned to the end.
    magnitude = at[-1] if value < curve[-1] else _place(at, curve, value)
    reached = np.flatnonzero(curve - z * error <= value)
    not_passed = np.flatnonzero(curve + z * error >= value)
    low = at[reached[0]] if len(reached) else magnitude
    high = at[not_passed[-1]] if len(not_passed) else magnitude
    return Crossing(float(magnitude), float(min(low, magnitude)), float(max(high, magnitude)))


def _place(at: Floats, curve: Floats, value: float) -> float:
    """Interpolate between the last magnitude above the value and the first below it."""
    below = int(np.searchsorted(-curve, -value, side="left"))
    above = int(np.searchsorted(-curve, -value, side="right")) - 1
    if above >= below:
        # On a plateau, its middle.
        return float(at[[below, above]].mean())
    if below == 0:
        return float(at[0])
    share = (curve[below - 1] - value) / (curve[below - 1] - curve[below])
    return float(at[below - 1] + share * (at[below] - at[below - 1]))


def closest_point(
    curves: tuple[Floats, Floats],
    covariance: tuple[Floats, Floats, Floats],
    point: Floats,
    limit: float,
    reach: float = np.inf,
) -> ClosestPoint | None:
    """Return the magnitude that explains two observed values best, or `None`."""
    first, second = curves[0] - point[0], curves[1] - point[1]
    known = np.isfinite(first + second)
    if not known.any():
        return None
    # Without errors the simulated values have no variance, so irrelevant differences are allowed.
    var_first, var_second = (each + _IRRELEVANT**2 for each in covariance[:2])
    both = covariance[2]
    determinant = var_first * var_second - both**2
    squares = first**2 * var_second - 2.0 * first * second * both + second**2 * var_first
    distance = squares / determinant
    likely = known & (distance <= limit)
    # If the values correlate, the ellipse is long: also limit each value separately.
    for apart_by, variance in ((first, var_first), (second, var_second)):
        likely &= np.abs(apart_by) <= reach * np.sqrt(variance)
    apart = np.where(known, np.hypot(first, second), np.inf)
    place = int(np.argmin(np.where(likely, apart, np.inf) if likely.any() else apart))
    return ClosestPoint(place, bool(likely[place]), float(apart[place]))


def hotelling(confidence: float, count: int) -> float:
    """Return the quantile of Hotelling's T² for two dimensions and a sample of size `count`."""
    return (count - 1) * float(np.expm1(-2.0 * np.log1p(-confidence) / (count - 2)))


class CurveReading(NamedTuple):
    """Inverts curves: finds the magnitudes that give the observed values."""

    observed: GammaAgreement
    confidence: float
    repeats: int

    @property
    def z(self) -> float:
        """The normal quantile of the confidence level."""
        return NormalDist().inv_cdf(0.5 + self.confidence / 2.0)

    def equivalent(self, measure: str, points: tuple[CurvePoint, ...]) -> ErrorEquivalent:
        """Return the amount of errors that gives the observed value."""
        agreement: ChanceAgreement = (
            self.observed if measure == "gamma" else self.observed.gamma_cat
        )
        no_value = ErrorEquivalent(math.nan, math.nan, math.nan, math.nan, None, None, None)
        if agreement.undefined:
            return no_value._replace(undefined=agreement.undefined)
        known = [point for point in points if math.isfinite(getattr(point, f"{measure}_mean"))]
        if len(known) < 2:
            return no_value._replace(undefined="it is undefined for the simulated annotators")
        curve = _fine(known, measure)
        variance = _linear(known, [getattr(p, f"{measure}_deviation") ** 2 for p in known])
        repeats = _linear(known, [p.n_defined for p in known])
        own = _standard_error(agreement, self.z) ** 2
        t = student(self.confidence, self.repeats - 1)
        spread = np.sqrt(variance * (1.0 + 1.0 / repeats) + own)
        found = crossing(curve, spread, agreement.value, t)
        if found is None:
            lowest = float(np.nanmin(curve))
            reason = f"its minimum with errors of this type is {lowest:.2f}"
            return no_value._replace(undefined=reason)
        from_draws = crossing(curve, np.sqrt(variance / repeats + own), agreement.value, t)
        effect = _effects(points)
        amount, low, high = np.interp(
            [found.magnitude, found.low, found.high], FINE, effect
        ).tolist()
        return ErrorEquivalent(
            found.magnitude,
            amount,
            low,
            high,
            Interval(found.low, found.high, self.confidence, "simulation"),
            from_draws
            and Interval(from_draws.low, from_draws.high, self.confidence, "monte carlo"),
            None,
        )

    def together(self, points: tuple[CurvePoint, ...]) -> JointFit | None:
        """Return the amount of errors that explains γ and γcat together best."""
        if self.observed.gamma_cat.undefined:
            return None
        known = [
            point for point in points if math.isfinite(point.gamma_mean + point.gamma_cat_mean)
        ]
        if len(known) < 2:
            return None
        curves = (_fine(known, "gamma"), _fine(known, "gamma_cat"))
        more = [1.0 + 1.0 / point.n_defined for point in known]
        values = (
            [p.gamma_deviation**2 for p in known],
            [p.gamma_cat_deviation**2 for p in known],
            [p.covariance for p in known],
        )
        first, second, both = (
            _linear(known, [value * m for value, m in zip(column, more, strict=True)])
            for column in values
        )
        first = first + _standard_error(self.observed, self.z) ** 2
        second = second + _standard_error(self.observed.gamma_cat, self.z) ** 2
        point = np.array([self.observed.value, self.observed.gamma_cat.value])
        limit = hotelling(self.confidence, self.repeats)
        reach = student(self.confidence, self.repeats - 1)
        found = closest_point(curves, (first, second, both), point, limit, reach)
        if found is None:
            return None
        return JointFit(
            magnitude=float(FINE[found.place]),
            effect=float(_effects(points)[found.place]),
            gamma_mean=float(curves[0][found.place]),
            gamma_cat_mean=float(curves[1][found.place]),
            distance=found.apart,
            explains=found.explains,
        )


def curve_points(grid: Floats, simulated: Sequence[Sequence[Simulation]]) -> tuple[CurvePoint, ...]:
    """Return means, standard deviations and covariance at every magnitude."""
    points = []
    for magnitude, repeats in zip(grid.tolist(), simulated, strict=True):
        values = np.array([(each.gamma, each.gamma_cat) for each in repeats])
        defined = values[np.isfinite(values[:, 0])]
        both = values[np.isfinite(values).all(axis=1)]
        covariance = 0.0
        if len(both) > 1:
            covariance = float(np.prod(both - both.mean(axis=0), axis=1).sum()) / (len(both) - 1)
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
    # If most sets have no value, the others are a biased sample.
    if 2 * len(defined) < len(values) or not len(defined):
        return math.nan, math.nan
    return float(defined.mean()), float(defined.std(ddof=1)) if len(defined) > 1 else 0.0


def _fine(points: Sequence[CurvePoint], measure: str) -> Floats:
    at = np.array([point.magnitude for point in points])
    values = fit_nonincreasing(np.array([getattr(point, f"{measure}_mean") for point in points]))
    curve = np.minimum.accumulate(interpolate_monotone(at, values, FINE))
    # The first magnitude is 0; there is no extrapolation beyond the last one.
    return np.where(np.less_equal(FINE, at[-1]), curve, np.nan)


def _linear(points: Sequence[CurvePoint], values: Sequence[float]) -> Floats:
    return np.interp(FINE, [point.magnitude for point in points], values)


def _effects(points: Sequence[CurvePoint]) -> Floats:
    at = np.array([point.magnitude for point in points])
    rising = -fit_nonincreasing(-np.array([point.effect for point in points]))
    return interpolate_monotone(at, rising, FINE)


def _standard_error(agreement: ChanceAgreement, z: float) -> float:
    interval = agreement.monte_carlo
    return (interval.high - interval.low) / (2.0 * z) if interval else 0.0


_STREAM = 9
# Measured seconds to simulate the annotators of one document.
_SECONDS_PER_DOCUMENT = 5e-4


class Simulation(NamedTuple):
    """γ, γcat and the amount of errors of one set of simulated annotators."""

    gamma: float
    gamma_cat: float
    effect: float
    """The amount of errors, as a share."""
    proven: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulations:
    """Simulated annotation sets of one reference with one type of error."""

    references: Mapping[str, Continuum]
    annotators: Mapping[str, int]
    prevalence: Mapping[Label | None, int]
    seed: int
    settings: Mapping[str, Any]

    def values(
        self,
        errors: tuple[ErrorType, ...],
        magnitudes: Floats,
        repeats: int,
        *,
        workers: int,
        progress: Callable[[int, int], None] | None,
        executor: Executor | None = None,
        kept: Part | None = None,
    ) -> dict[ErrorType, list[list[Simulation]]]:
        """Simulate every error at every magnitude; return one list of repeats per magnitude."""
        tasks = [
            (error, place, magnitude, repeat)
            for error in errors
            for place, magnitude in enumerate(magnitudes.tolist())
            # At magnitude 0 all annotation sets equal the reference.
            for repeat in range(repeats if magnitude > 0.0 else 1)
        ]
        rows = map_rows(
            _run_simulation,
            (self, {error: self._shufflers(error) for error in errors}),
            tasks,
            seconds=self._seconds(),
            executor=executor,
            workers=workers,
            report=Report(progress, len(tasks)),
            kept=kept,
        )
        found: dict[ErrorType, list[list[Simulation]]] = {
            error: [[] for _ in magnitudes] for error in errors
        }
        for (error, place, _, _), row in zip(tasks, rows.tolist(), strict=True):
            gamma, cat, effect, proven = row
            found[error][place].append(Simulation(gamma, cat, effect, bool(proven)))
        return found

    def _seconds(self) -> float:
        """Estimate the run time of one simulation."""
        costs = Costs(is_custom=False)
        return sum(
            _SECONDS_PER_DOCUMENT
            + costs.seconds(
                len(reference) * self.annotators[name],
                self.annotators[name],
                1 + self.settings["draws"],
            )
            for name, reference in self.references.items()
        )

    def _shufflers(self, error: ErrorType) -> dict[str, Shuffler]:
        return {
            name: Shuffler(
                reference,
                errors=error,
                annotators=self.annotators[name],
                prevalence=dict(self.prevalence),
            )
            for name, reference in self.references.items()
        }

    def simulation(
        self, shufflers: Mapping[str, Shuffler], magnitude: float, place: int, repeat: int
    ) -> Simulation:
        """Simulate one annotation set, and compute its values."""
        shuffled = self._shuffle(shufflers, magnitude, repeat)
        child = np.random.SeedSequence(self.seed, spawn_key=(_STREAM, place, repeat))
        values = gamma_values(
            Corpus.from_continua({name: each.continuum for name, each in shuffled.items()}),
            rng=int(child.generate_state(1)[0]),
            **self.settings,
        )
        error = next(iter(shufflers.values())).errors[0]
        pairs = [_effect(error, each) for each in shuffled.values()]
        amount, base = (float(sum(column)) for column in zip(*pairs, strict=True))
        effect = amount / base if base else 0.0
        return Simulation(values.gamma, values.gamma_cat, effect, values.proven)

    def _shuffle(
        self, shufflers: Mapping[str, Shuffler], magnitude: float, repeat: int
    ) -> dict[str, ShuffledContinuum]:
        # All magnitudes of a repeat share random numbers, which makes its curve smoother.
        return {
            name: shuffler.shuffle(float(magnitude), self.seed, fingerprint(name=name), repeat)
            for name, shuffler in shufflers.items()
        }


def _run_simulation(
    shared: tuple[Simulations, Mapping[ErrorType, Mapping[str, Shuffler]]],
    task: tuple[ErrorType, int, float, int],
) -> tuple[float, ...]:
    simulations, shufflers = shared
    error, place, magnitude, repeat = task
    return tuple(map(float, simulations.simulation(shufflers[error], magnitude, place, repeat)))


def _effect(error: ErrorType, shuffled: ShuffledContinuum) -> tuple[float, float]:
    """Return the amount of errors and the amount it is a share of."""
    reference, continuum = shuffled.reference, shuffled.continuum
    n_units = len(reference) * len(continuum.annotators)
    if error != "position":
        return float(shuffled.counts[error]), float(n_units)
    origin = shuffled.origins
    lengths = (reference.ends - reference.starts)[origin]
    apart = np.abs(continuum.starts - reference.starts[origin])
    apart += np.abs(continuum.ends - reference.ends[origin])
    long = lengths > 0.0
    return float((apart[long] / lengths[long]).sum()) / 2.0, float(long.sum())
