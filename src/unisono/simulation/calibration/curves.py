"""Curves of γ against the magnitude of errors: simulated, fitted and read."""

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
from unisono.parallel.dispatch import Report, rows_called
from unisono.results.agreement import Interval
from unisono.simulation.shuffling.shuffle import Shuffler

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Executor

    from unisono.measures.gamma.result import GammaResult
    from unisono.model.arrays import Floats
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label
    from unisono.parallel.checkpoint import Part
    from unisono.results.agreement import ChanceAgreement
    from unisono.simulation.shuffling.errors import ErrorType
    from unisono.simulation.shuffling.shuffle import Shuffled

__all__ = [
    "CurvePoint",
    "CurveReading",
    "Equivalent",
    "JointFit",
    "Simulations",
    "curve_points",
    "falling",
    "smooth",
]


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

    Slopes are weighted harmonic means of the slopes beside a place, 0 at a turn (Fritsch & Butland
    1984), and at the ends those of the chord.
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
    """Find where a falling curve has a value, and where it may have it."""
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
    """Find the magnitude that explains two observed values best."""
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
    """
    return (count - 1) * float(np.expm1(-2.0 * np.log1p(-level) / (count - 2)))


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


_STREAM = 9
# Seconds to simulate the annotators of a document, measured.
_A_DOCUMENT = 5e-4


class Simulation(NamedTuple):
    """What one set of simulated annotators came to."""

    gamma: float
    cat: float
    effect: float
    """How much of the error was made, in the words of `EFFECTS`."""
    proven: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulations:
    """Sets of annotators who share a reference and make one type of error."""

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
        """Simulate every error at every magnitude: for each a list of repeats a magnitude."""
        tasks = [
            (error, place, magnitude, repeat)
            for error in errors
            for place, magnitude in enumerate(magnitudes.tolist())
            # Without errors all annotators mark the reference, however often.
            for repeat in range(repeats if magnitude > 0.0 else 1)
        ]
        rows = rows_called(
            _simulated,
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
        """Estimate how long one simulation takes."""
        costs = Costs(own=False)
        return sum(
            _A_DOCUMENT
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
        """Simulate one set of annotators, and measure it."""
        made = self._made(shufflers, magnitude, repeat)
        child = np.random.SeedSequence(self.seed, spawn_key=(_STREAM, place, repeat))
        values = gamma_values(
            Corpus.from_continua({name: each.continuum for name, each in made.items()}),
            rng=int(child.generate_state(1)[0]),
            **self.settings,
        )
        error = next(iter(shufflers.values())).errors[0]
        pairs = [_effect(error, each) for each in made.values()]
        done, of = (float(sum(column)) for column in zip(*pairs, strict=True))
        return Simulation(values.gamma, values.cat, done / of if of else 0.0, values.proven)

    def _made(
        self, shufflers: Mapping[str, Shuffler], magnitude: float, repeat: int
    ) -> dict[str, Shuffled]:
        # The same dice at every magnitude of a repeat: its curve is then smoother.
        return {
            name: shuffler.shuffled(float(magnitude), self.seed, fingerprint(name=name), repeat)
            for name, shuffler in shufflers.items()
        }


def _simulated(
    shared: tuple[Simulations, Mapping[ErrorType, Mapping[str, Shuffler]]],
    task: tuple[ErrorType, int, float, int],
) -> tuple[float, ...]:
    simulations, shufflers = shared
    error, place, magnitude, repeat = task
    return tuple(map(float, simulations.simulation(shufflers[error], magnitude, place, repeat)))


def _effect(error: ErrorType, shuffled: Shuffled) -> tuple[float, float]:
    """Count what was done, and of how much."""
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
