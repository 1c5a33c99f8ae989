"""How many items or documents an interval of a given width takes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from unisono.errors import DataError
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.gamma import gamma
from unisono.measures.gamma.result import GammaResult
from unisono.measures.intervals import expanded_interval, percentile_interval
from unisono.measures.items.resampling import resampled_values
from unisono.measures.items.rows import Influence, Parts
from unisono.measures.items.table import coefficient_of, item_measure
from unisono.measures.sampling import ItemDraws, seed_of
from unisono.measures.settings import check_count, check_number, check_share
from unisono.model.corpus import Corpus
from unisono.model.ratings import Ratings
from unisono.results.agreement import Interval, Signature
from unisono.results.record import InJson, plain_number
from unisono.results.wording import decimals

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from unisono.measures.items.resampling import Weighable
    from unisono.measures.items.result import ItemsAgreement
    from unisono.results.agreement import Agreement

__all__ = ["Plan", "Trial", "plan_documents", "plan_items"]


class Trial(NamedTuple):
    """How wide the interval is with so many items, by resampling the pilot.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix([list("ababbaab"), list("abaabaab")])
    >>> un.plan_items(ratings, width=0.5, rng=1).trials[0].size
    8
    """

    size: int
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(InJson):
    """How many items or documents make an interval as narrow as wished.

    Parameters
    ----------
    of
        What is counted: items or documents.
    needed
        How many are needed; `None` when the pilot cannot say.
    interval
        Between which numbers that lies, because the pilot is a sample itself.
    width
        The wished distance between the ends of the interval of the coefficient.
    level
        The confidence of both intervals.
    pilot
        What the measure gives on the pilot, with the interval it has there.
    n_pilot
        How many items or documents the pilot has.
    trials
        The sizes that were tried on the way, with their widths.
    undefined
        Why there is no number; `None` when there is one.
    notes
        What to think of when reading it.
    signature
        Every setting that can move the number.

    Examples
    --------
    >>> import unisono as un
    >>> rows = ["aabbcabcbaabcbbaccab", "aabbcabcbbabcbbacbab"]
    >>> plan = un.plan_items(un.Ratings.from_matrix([list(row) for row in rows]), width=0.1, rng=1)
    >>> print(plan)
    about 334 items (104 to 1,070) make the 95 % interval 0.1 wide; the pilot of 20 has 0.400
    """

    of: Literal["items", "documents"]
    needed: int | None
    interval: Interval | None
    width: float
    level: float
    pilot: Agreement
    n_pilot: int
    trials: tuple[Trial, ...] = ()
    undefined: str | None = None
    notes: tuple[str, ...] = ()
    signature: Signature

    def __str__(self) -> str:
        if self.needed is None or self.interval is None:
            return f"no plan ({self.undefined})"
        spread = f"{math.floor(self.interval.low):,} to {math.ceil(self.interval.high):,}"
        return (
            f"about {self.needed:,} {self.of} ({spread}) make the {self.level * 100:g} % interval "
            f"{self.width:g} wide; the pilot of {self.n_pilot:,} has "
            f"{decimals(self.trials[0].width, 3)}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give all fields as plain data under their own names.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix([list("abab"), list("abab")])
        >>> un.plan_items(ratings, width=0.1, rng=1).to_dict()["undefined"]
        'every resample of the pilot gives the same value'
        """
        return {
            "of": self.of,
            "needed": self.needed,
            "interval": self.interval.to_dict() if self.interval else None,
            "width": self.width,
            "level": self.level,
            "pilot": self.pilot.to_dict(),
            "n_pilot": self.n_pilot,
            "trials": [
                {"size": trial.size, "width": plain_number(trial.width)} for trial in self.trials
            ],
            "undefined": self.undefined,
            "notes": list(self.notes),
            "signature": str(self.signature),
        }


_STREAM = 4
_MOST_TRIALS = 6
_CLOSE = 0.01  # how near to the wished width a trial has to come
_SMALL_PILOT = 30
_TOO_MANY = 1_000_000_000


def plan_items(
    pilot: Ratings,
    *,
    width: float,
    measure: str | Callable[..., ItemsAgreement] = "krippendorff_alpha",
    level: float = 0.95,
    n: int = 1000,
    rng: int | np.random.Generator | None = 0,
    **settings: Any,  # noqa: ANN401 - the settings of any measure
) -> Plan:
    """Say how many items to annotate for an interval of a wished width.

    Parameters
    ----------
    pilot
        Ratings of some items like those to come, by annotators like those to come.
    width
        The wished distance between the ends of the interval, such as 0.1.
    measure
        The coefficient on items that will be reported, or its name.
    level
        The confidence of the interval.
    n
        How many resamples to make at each size.
    rng
        A seed, or a generator from which one is drawn; `None` takes one from the system.
    **settings
        The settings of the measure.

    Returns
    -------
    Plan
        The number of items, and how uncertain it is.

    Raises
    ------
    SettingError
        If a setting cannot be used.
    DataError
        If the measure cannot be used on these ratings.

    Notes
    -----
    The width of a bootstrap interval falls with the root of the number of items [1]_.
    From the pilot's own width follows a first number; so many items are drawn from the pilot, and
    the number is corrected until the width is as wished. It is as good as the pilot: the interval
    of the number comes from how much the influence of single items on the coefficient differs, and
    from the finite number of resamples.

    References
    ----------
    .. [1] Efron, B., & Tibshirani, R. J. (1993). An introduction to the bootstrap. Chapman & Hall.

    Examples
    --------
    >>> import unisono as un
    >>> rows = ["aabbcabcbaabcbbaccab", "aabbcabcbbabcbbacbab"]
    >>> pilot = un.Ratings.from_matrix([list(row) for row in rows])
    >>> plan = un.plan_items(pilot, width=0.2, measure="cohen_kappa", rng=1)
    >>> plan.needed, plan.n_pilot
    (90, 20)
    """
    if not isinstance(pilot, Ratings):
        msg = f"plan_items takes Ratings, got {type(pilot).__name__}"
        raise TypeError(msg)
    _check(width, level, n)
    coefficient = coefficient_of(measure, settings)
    seed = seed_of(rng)
    merged = pilot.merged()
    result = item_measure(measure).load()(pilot, **settings)
    wish = _Wish("items", width, level, n, seed)
    if result.undefined:
        return wish.nothing(result, pilot.n_items)
    return wish.planned(result, _Sample(coefficient.prepare(merged), merged.times))


def plan_documents(
    pilot: Corpus | GammaResult,
    *,
    width: float,
    level: float = 0.95,
    n: int = 1000,
    rng: int | np.random.Generator | None = 0,
    **settings: Any,  # noqa: ANN401 - the settings of gamma
) -> Plan:
    """Say how many documents to annotate for an interval of γ of a wished width.

    Parameters
    ----------
    pilot
        Some documents like those to come, or what `gamma` gave on them.
    width
        The wished distance between the ends of the interval, such as 0.1.
    level
        The confidence of the interval.
    n
        How many resamples to make at each size.
    rng
        A seed, or a generator from which one is drawn; `None` takes one from the system.
    **settings
        The settings of `gamma`, where it is still to be computed.

    Returns
    -------
    Plan
        The number of documents, and how uncertain it is.

    Raises
    ------
    SettingError
        If a setting cannot be used.
    DataError
        If the pilot has no documents.

    Notes
    -----
    As `plan_items`, with documents for items: γ of a corpus is 1 − Σ x̄·δ / Σ x̄·δe, so whole
    documents can be drawn again without aligning anything again. The expected disorders are taken
    as they are; make enough draws that their own error is small beside the wished width.

    Examples
    --------
    >>> import unisono as un
    >>> pilot = {
    ...     f"text{i}": un.Continuum.from_units(
    ...         [("ann", 0, 5, "A"), ("ann", 7, 9 + i, "B"), ("bob", 0, 5 + i % 3, "A")]
    ...     )
    ...     for i in range(6)
    ... }
    >>> plan = un.plan_documents(un.Corpus.from_continua(pilot), width=0.2, rng=1, draws=30)
    >>> plan.of, plan.n_pilot
    ('documents', 6)
    """
    if not isinstance(pilot, Corpus | GammaResult):
        msg = f"plan_documents takes a Corpus or a GammaResult, got {type(pilot).__name__}"
        raise TypeError(msg)
    _check(width, level, n)
    seed = seed_of(rng)
    # The interval that is told is that of the first trial.
    own = {"rng": seed, "resamples": 0, **settings}
    result = gamma(pilot, **own) if isinstance(pilot, Corpus) else pilot
    if not result.documents:
        msg = "planning needs a pilot of several documents; this result is of a single one"
        raise DataError(msg)
    seen = [document for document in result.documents.values() if document.n_annotators >= 2]
    rules = chance_rules(result.signature["chance"])
    weights = np.array([rules.mean_units(each.n_units, each.n_annotators) for each in seen])
    disorders = np.array([[each.observed, each.expected] for each in seen]).reshape(-1, 2)
    # A document without units has no disorder, observed or expected, and adds nothing.
    features = np.where(weights[:, None] > 0.0, weights[:, None] * disorders, 0.0)
    wish = _Wish("documents", width, level, n, seed)
    if result.undefined:
        return wish.nothing(result, len(seen))
    return wish.planned(result, _Sample(_Ratio(features), np.ones(len(seen), dtype=np.int64)))


class _Sample(NamedTuple):
    measured: Weighable
    times: NDArray[np.int64]


class _Ratio:
    """One minus a ratio of sums over documents, which is what γ of a corpus is."""

    def __init__(self, features: NDArray[np.float64]) -> None:
        self._features = features

    def parts(self, times: NDArray[np.float64]) -> Parts:
        sums = times @ self._features
        observed, expected = sums[..., 0], sums[..., 1]
        unknown = np.full(expected.shape, np.nan)
        ratio = np.divide(observed, expected, out=unknown, where=expected > 0.0)
        return Parts(observed, expected, 1.0 - ratio)

    def influence(self, times: NDArray[np.float64]) -> Influence:
        observed, expected = times @ self._features
        moves = times.sum() * self._features - np.array([observed, expected])
        to_value = (moves[:, 1] * observed / expected - moves[:, 0]) / expected
        return Influence(moves[:, 0], moves[:, 1], to_value)


class _Wish(NamedTuple):
    """What is asked for, and how carefully to look."""

    of: Literal["items", "documents"]
    width: float
    level: float
    n: int
    seed: int

    def nothing(self, result: Agreement, n_pilot: int, trials: tuple[Trial, ...] = ()) -> Plan:
        """Give a plan without a number, for the reason that the result has."""
        notes: tuple[str, ...] = ()
        if n_pilot < _SMALL_PILOT:
            notes = (f"the pilot has {n_pilot} {self.of} only; its own interval may be far off",)
        return Plan(
            of=self.of,
            needed=None,
            interval=None,
            width=float(self.width),
            level=float(self.level),
            pilot=result,
            n_pilot=n_pilot,
            trials=trials,
            undefined=result.undefined,
            notes=notes,
            signature=self._signature(result.signature),
        )

    def planned(self, result: Agreement, sample: _Sample, *, close: float | None = None) -> Plan:
        """Try sizes until the interval is as narrow as wished."""
        n_pilot = int(sample.times.sum())
        first = self._trial(sample, n_pilot, 0)
        plan = self.nothing(result, n_pilot)
        if first is None:
            return replace(plan, undefined="too few resamples of the pilot have a value")
        trials = [Trial(n_pilot, first.high - first.low)]
        plan = replace(plan, pilot=replace(result, interval=first), trials=tuple(trials))
        if trials[0].width == 0.0:
            return replace(plan, undefined="every resample of the pilot gives the same value")
        if close is None:
            # As close as so many resamples can tell.
            close = max(_CLOSE, 2.0 * _width_error(self.level, self.n))
        for number in range(1, _MOST_TRIALS):
            size = max(2, math.ceil(self._suggested(trials[-1])))
            if size > _TOO_MANY:
                reason = f"more than {_TOO_MANY:,} {self.of} would be needed"
                return replace(plan, undefined=reason)
            found = self._trial(sample, size, number)
            if found is None or found.high == found.low:
                break
            trials.append(Trial(size, found.high - found.low))
            if abs(trials[-1].width / self.width - 1.0) < close:
                break
        needed = self._suggested(trials[-1])
        normal = NormalDist().inv_cdf(0.5 + self.level / 2.0)
        factor = math.exp(normal * _relative_error(sample, self.level, self.n))
        interval = Interval(needed / factor, needed * factor, level=self.level, method="pilot")
        return replace(plan, needed=math.ceil(needed), interval=interval, trials=tuple(trials))

    def _suggested(self, trial: Trial) -> float:
        return trial.size * (trial.width / self.width) ** 2

    def _trial(self, sample: _Sample, size: int, number: int) -> Interval | None:
        draws = ItemDraws(sample.times, self.seed, _STREAM, number, size=size)
        values = resampled_values(sample.measured, draws, self.n)
        defined = values[~np.isnan(values)]
        if len(defined) < self.n / 2:
            return None
        if self.of == "documents":
            drawn = max(size, 2)
            return expanded_interval(defined, self.level, drawn, "bootstrap over documents")
        return percentile_interval(defined, self.level, "bootstrap percentile")

    def _signature(self, pilot: Signature) -> Signature:
        last = ("data", "v")
        known = [pair for pair in pilot.settings if pair[0] != "seed"]
        return Signature(
            f"plan-{self.of}",
            (
                ("measure", pilot.measure),
                *(pair for pair in known if pair[0] not in last),
                ("width", f"{self.width:g}"),
                ("level", f"{self.level:g}"),
                ("resamples", str(self.n)),
                ("seed", str(self.seed)),
                *(pair for pair in known if pair[0] in last),
            ),
        )


def _relative_error(sample: _Sample, level: float, n: int) -> float:
    """Say how uncertain the needed number is, relative to itself.

    It grows with the variance of the items' influence; that of a variance over N items is
    (kurtosis − 1)/N. To this comes the error of the width between two quantiles of n resamples.
    """
    influence = sample.measured.influence(sample.times.astype(np.float64)).value
    n_pilot = float(sample.times.sum())
    centred = influence - sample.times @ influence / n_pilot
    second = float(sample.times @ centred**2) / n_pilot
    fourth = float(sample.times @ centred**4) / n_pilot
    pilot = (fourth / second**2 - 1.0) / n_pilot if second > 0.0 else 0.0
    # The number goes with the square of the width.
    return math.sqrt(max(pilot, 0.0) + (2.0 * _width_error(level, n)) ** 2)


def _width_error(level: float, n: int) -> float:
    """Give the relative standard error of the distance between two quantiles of n values."""
    tail = (1.0 - level) / 2.0
    normal = NormalDist()
    end = normal.inv_cdf(1.0 - tail)
    # Quantiles p and 1 − p have the variance p(1 − p)/(n f²) and the covariance p²/(n f²).
    variance = 2.0 * tail * (1.0 - 2.0 * tail) / (n * normal.pdf(end) ** 2)
    return math.sqrt(variance) / (2.0 * end)


def _check(width: float, level: float, n: int) -> None:
    check_number("width", width, may_be_zero=False)
    check_share("level", level, "0.95 for 95 %")
    check_count("n", n)
