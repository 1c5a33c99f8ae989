"""Sample size planning: the number of items or documents for an interval of a given width."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from unisono.errors import DataError
from unisono.measures.data import of_data, of_ratings
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.gamma import gamma
from unisono.measures.gamma.result import GammaAgreement
from unisono.measures.intervals import percentile_interval
from unisono.measures.items.resampling import resampled_values
from unisono.measures.items.table import coefficient_of, value_alone
from unisono.measures.jackknife import DOCUMENTS, ROUNDING, Jackknife, ends, ratio_jackknife
from unisono.measures.products import dot
from unisono.measures.sampling import ItemDraws, seed_of
from unisono.model.corpus import Corpus
from unisono.model.ratings import Ratings
from unisono.registry import check_settings
from unisono.results.agreement import approximate, outcome
from unisono.results.data import OfData
from unisono.results.record import record
from unisono.results.sheet import Fact, Sheet, Table, column, interval_text, measure_title
from unisono.results.values import Interval, Signature
from unisono.results.wording import count, decimals

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Unpack

    from numpy.typing import NDArray

    from unisono.measures.gamma.keywords import PlanSettings
    from unisono.measures.items.keywords import ItemSettings
    from unisono.measures.items.resampling import Weighable
    from unisono.measures.items.result import ItemsAgreement

__all__ = ["Plan", "PlanTrial", "plan_documents", "plan_items"]


class PlanTrial(NamedTuple):
    """The width of the interval for one sample size, by resampling the pilot.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix([list("ababbaab"), list("abaabaab")])
    >>> un.plan_items(ratings, width=0.5, rng=1).trials[0].size
    8
    """

    size: int
    width: float


@record
class Plan(OfData):
    """The number of items or documents for an interval of the target width.

    Parameters
    ----------
    of
        The sampling unit: items or documents.
    needed
        The required sample size; `None` if it cannot be estimated from the pilot.
    interval
        Confidence interval of `needed`, because the pilot is a sample itself.
    width
        The target width of the confidence interval of the coefficient.
    confidence
        The confidence level of both intervals.
    pilot
        The coefficient of the pilot with its confidence interval.
    n_pilot
        Number of items or documents in the pilot.
    trials
        The sample sizes that were tried, with the widths of their intervals.
    undefined
        The reason why there is no estimate; `None` if there is one.
    notes
        Remarks on the reliability of the estimate.
    signature
        All settings that affect the estimate.

    Examples
    --------
    >>> import unisono as un
    >>> rows = ["aabbcabcbaabcbbaccab", "aabbcabcbbabcbbacbab"]
    >>> plan = un.plan_items(un.Ratings.from_matrix([list(row) for row in rows]), width=0.1, rng=1)
    >>> plan
    Plan(about 358 items (111 to 1,148) for a 95 % interval of width 0.1; pilot of 20 items: 0.399)
    """

    of: Literal["items", "documents"]
    needed: int | None
    interval: Interval | None
    width: float
    confidence: float
    pilot: ItemsAgreement | GammaAgreement
    n_pilot: int
    trials: tuple[PlanTrial, ...] = ()
    undefined: str | None = None
    notes: tuple[str, ...] = ()
    signature: Signature

    def __repr__(self) -> str:
        return f"Plan({self._sentence()})"

    def _sentence(self) -> str:
        if self.needed is None or self.interval is None:
            return f"no plan ({self.undefined})"
        spread = f"{math.floor(self.interval.low):,} to {math.ceil(self.interval.high):,}"
        return (
            f"about {self._count(self.needed)} ({spread}) for a {self.confidence * 100:g} % "
            f"interval of width {self.width:g}; pilot of {self._count(self.n_pilot)}: "
            f"{decimals(self.trials[0].width, 3)}"
        )

    def _count(self, number: int) -> str:
        return count(number, self.of.removesuffix("s"))

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the plan, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> rows = ["aabbcabcbaabcbbaccab", "aabbcabcbbabcbbacbab"]
        >>> pilot = un.Ratings.from_matrix([list(row) for row in rows])
        >>> print(un.plan_items(pilot, width=0.2, rng=1))
        about 86 items (26 to 274) for a 95 % interval of width 0.2; pilot of 20 items: 0.399
        items   width
           20  0.3988
           80  0.2064
        """
        return Sheet(
            name="plan",
            title=title,
            findings=(self._sentence(),),
            tables=(
                Table(
                    name="trial",
                    columns=(column("size", heading=self.of), column("width")),
                    # A size that was tried again counts with its last width.
                    rows=list(dict(self.trials).items()),
                    people=bool(self.trials),
                ),
            ),
            facts=(Fact(column("pilot"), self._pilot_value()),),
            notes=self.notes,
            signatures=(self.signature,),
        )

    def _pilot_value(self) -> str:
        pilot = self.pilot
        name = measure_title(pilot.signature.measure)
        if pilot.undefined:
            return f"{name} undefined"
        value = f"{name} {outcome(pilot)}"
        if pilot.interval is not None:
            ends = interval_text(pilot.interval, places=4 if approximate(pilot) is None else 2)
            value += f", {pilot.interval.confidence * 100:g} % interval {ends}"
        return f"{value}, on {self._count(self.n_pilot)}"

    def problems(self) -> list[str]:
        """Return the problems that set the exit code: the sample size cannot be estimated.

        Examples
        --------
        >>> import unisono as un
        >>> ratings = un.Ratings.from_matrix([list("abab"), list("abab")])
        >>> un.plan_items(ratings, width=0.1, rng=1).problems()
        ['no estimate of the number of items: every resample of the pilot gives the same value']
        """
        if self.needed is not None:
            return []
        return [f"no estimate of the number of {self.of}: {self.undefined}"]


_STREAM = 4
_MOST_TRIALS = 6
_TOLERANCE = 0.01  # relative difference from the target width at which the search stops
_SMALL_PILOT = 30
_MOST_NEEDED = 1_000_000_000


@of_ratings
def plan_items(
    ratings: Ratings,
    measure: str | Callable[..., ItemsAgreement] = "krippendorff_alpha",
    *,
    width: float,
    confidence: float = 0.95,
    resamples: int = 1000,
    rng: int | np.random.Generator | None = 0,
    **settings: Unpack[ItemSettings],
) -> Plan:
    """Estimate the number of items to annotate for a confidence interval of a target width.

    Parameters
    ----------
    ratings
        A pilot: ratings of a sample of the items, by similar annotators as in the planned study.
    measure
        The item coefficient that will be reported, or its name.
    width
        The target width of the confidence interval, such as 0.1.
    confidence
        The confidence level of the interval.
    resamples
        Number of resamples per sample size.
    rng
        A seed, or a generator from which a seed is drawn; with `None`, the system provides one.
    **settings
        The settings of the measure.

    Returns
    -------
    Plan
        The number of items with its confidence interval.

    Raises
    ------
    SettingError
        If a setting is invalid.
    DataError
        If the measure does not apply to these ratings.

    Notes
    -----
    The width of a bootstrap interval is proportional to 1/√n for n items [1]_. The width on the
    pilot gives a first estimate of the sample size; samples of this size are drawn from the pilot
    with replacement, and the estimate is corrected until the target width is reached. The estimate
    is only as good as the pilot: its confidence interval follows from the variance of the influence
    of single items on the coefficient, and from the finite number of resamples.

    References
    ----------
    .. [1] Efron, B., & Tibshirani, R. J. (1993). An introduction to the bootstrap. Chapman & Hall.

    Examples
    --------
    >>> import unisono as un
    >>> rows = ["aabbcabcbaabcbbaccab", "aabbcabcbbabcbbacbab"]
    >>> pilot = un.Ratings.from_matrix([list(row) for row in rows])
    >>> plan = un.plan_items(pilot, "cohen_kappa", width=0.2, rng=1)
    >>> plan.needed, plan.n_pilot
    (81, 20)
    """
    if not isinstance(ratings, Ratings):
        msg = f"plan_items takes Ratings, got {type(ratings).__name__}"
        raise TypeError(msg)
    given = {"width": width, "confidence": confidence, "resamples": resamples}
    check_settings(given, of="plan_items")
    coefficient = coefficient_of(measure, settings)
    seed = seed_of(rng)
    merged = ratings.merged()
    result = value_alone(measure, ratings, settings)
    search = _SizeSearch(width, confidence, resamples, seed)
    if result.undefined:
        return search.undefined_plan(result, ratings.n_items)
    return search.plan(result, _Sample(coefficient.prepare(merged), merged.times))


@of_data
def plan_documents(
    data: Corpus | GammaAgreement,
    *,
    width: float,
    confidence: float = 0.95,
    rng: int | np.random.Generator | None = 0,
    **settings: Unpack[PlanSettings],
) -> Plan:
    """Estimate the number of documents to annotate for a confidence interval of γ.

    Parameters
    ----------
    data
        A sample of the documents, or the result of `gamma` on them.
    width
        The target width of the confidence interval, such as 0.1.
    confidence
        The confidence level of the interval.
    rng
        A seed, or a generator from which a seed is drawn; with `None`, the system provides one.
    **settings
        The other settings of `gamma`; only if `data` are a `Corpus`.

    Returns
    -------
    Plan
        The number of documents with its confidence interval.

    Raises
    ------
    SettingError
        If a setting is invalid.
    DataError
        If the pilot has no documents.

    Notes
    -----
    The interval of n documents is that of `gamma`. For N similar documents its standard error is
    √(n/N) times, and its effective number of documents N/n times that of the pilot. A pilot that is
    too small for an interval still gives an estimate, with a note.

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
    if not isinstance(data, Corpus | GammaAgreement):
        msg = f"plan_documents takes a Corpus or a GammaAgreement, got {type(data).__name__}"
        raise TypeError(msg)
    check_settings({"width": width, "confidence": confidence}, of="plan_documents")
    seed = seed_of(rng)
    result = gamma(data, rng=seed, **settings) if isinstance(data, Corpus) else data
    if not result.documents:
        msg = "plan_documents needs several documents; this result has a single one"
        raise DataError(msg)
    usable = [document for document in result.documents.values() if document.n_annotators >= 2]
    rules = chance_rules(result.signature["chance"])
    weights = np.array([rules.mean_units(each.n_units, each.n_annotators) for each in usable])
    disorders = np.array([[each.observed, each.expected] for each in usable]).reshape(-1, 2)
    # A document without units has no disorder, observed or expected, and adds nothing.
    sums = np.where(weights[:, None] > 0.0, weights[:, None] * disorders, 0.0)
    plan = _empty_plan("documents", result, len(usable), width, confidence, ())
    if result.undefined:
        return plan
    return _plan_by_formula(plan, ratio_jackknife(sums[:, 0], sums[:, 1], weights))


def _plan_by_formula(plan: Plan, sample: Jackknife) -> Plan:
    """Solve the formula of the interval width for the number of documents."""

    def width(size: float) -> float:
        error = sample.error * math.sqrt(sample.n / size)
        effective = sample.effective * size / sample.n
        low, high = ends(sample.disagreement, error, effective, plan.confidence)
        return high - low

    if sample.effective < 2.0:
        return replace(plan, undefined="the pilot has fewer than two effective documents")
    if not sample.error > ROUNDING * sample.disagreement:
        reason = "the value is the same without any one of the documents of the pilot"
        return replace(plan, undefined=reason)
    first = PlanTrial(round(sample.n), width(sample.n))
    plan = replace(plan, trials=(first,))
    # A smaller sample would have no interval.
    least = math.ceil(DOCUMENTS.effective * sample.n / sample.effective)
    low, high = max(DOCUMENTS.sample, least), _MOST_NEEDED
    if width(high) > plan.width:
        return replace(plan, undefined=f"more than {_MOST_NEEDED:,} documents would be needed")
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if width(middle) <= plan.width else (middle + 1, high)
    factor = math.exp(NormalDist().inv_cdf(0.5 + plan.confidence / 2.0) * _variance_error(sample))
    interval = Interval(low / factor, low * factor, confidence=plan.confidence, method="pilot")
    return replace(plan, needed=low, interval=interval, trials=(first, PlanTrial(low, width(low))))


def _variance_error(sample: Jackknife) -> float:
    """Return the relative standard error of the variance, (kurtosis − 1)/n squared."""
    centred = sample.without - math.fsum(sample.without.tolist()) / sample.n
    second = math.fsum((centred**2).tolist()) / sample.n
    fourth = math.fsum((centred**4).tolist()) / sample.n
    return math.sqrt(max(fourth / second**2 - 1.0, 0.0) / sample.n) if second > 0.0 else 0.0


def _empty_plan(
    of: Literal["items", "documents"],
    result: ItemsAgreement | GammaAgreement,
    n_pilot: int,
    width: float,
    confidence: float,
    own: tuple[tuple[str, str], ...],
) -> Plan:
    """Return a plan without an estimate, with the reason of the result."""
    notes: tuple[str, ...] = ()
    if n_pilot < _SMALL_PILOT:
        pilot = count(n_pilot, of.removesuffix("s"))
        notes = (f"the pilot has only {pilot}; its interval is unreliable",)
    last = ("data", "v")
    known = result.signature.settings
    if own:
        known = tuple(pair for pair in known if pair[0] != "seed")
    signature = Signature(
        f"plan-{of}",
        (
            ("measure", result.signature.measure),
            *(pair for pair in known if pair[0] not in last),
            ("width", f"{width:g}"),
            ("confidence", f"{confidence:g}"),
            *own,
            *(pair for pair in known if pair[0] in last),
        ),
    )
    return Plan(
        of=of,
        needed=None,
        interval=None,
        width=float(width),
        confidence=float(confidence),
        pilot=result,
        n_pilot=n_pilot,
        undefined=result.undefined,
        notes=notes,
        signature=signature,
    )


class _Sample(NamedTuple):
    measured: Weighable
    times: NDArray[np.int64]


class _SizeSearch(NamedTuple):
    """The target width, and the settings of the search for the sample size."""

    width: float
    confidence: float
    n: int
    seed: int

    def undefined_plan(self, result: ItemsAgreement, n_pilot: int) -> Plan:
        """Return a plan without an estimate, with the reason of the result."""
        own = (("resamples", str(self.n)), ("seed", str(self.seed)))
        return _empty_plan("items", result, n_pilot, self.width, self.confidence, own)

    def plan(
        self,
        result: ItemsAgreement,
        sample: _Sample,
        *,
        tolerance: float | None = None,
    ) -> Plan:
        """Try sample sizes until the interval has the target width."""
        n_pilot = int(sample.times.sum())
        first = self._trial(sample, n_pilot, 0)
        plan = self.undefined_plan(result, n_pilot)
        if first is None:
            return replace(plan, undefined="too few resamples of the pilot have a value")
        trials = [PlanTrial(n_pilot, first.high - first.low)]
        plan = replace(plan, pilot=replace(result, interval=first), trials=tuple(trials))
        if trials[0].width == 0.0:
            return replace(plan, undefined="every resample of the pilot gives the same value")
        if tolerance is None:
            # The error of the width itself limits the precision of the search.
            tolerance = max(_TOLERANCE, 2.0 * _width_error(self.confidence, self.n))
        for number in range(1, _MOST_TRIALS):
            size = max(2, math.ceil(self._suggested_size(trials[-1])))
            if size > _MOST_NEEDED:
                reason = f"more than {_MOST_NEEDED:,} items would be needed"
                return replace(plan, undefined=reason)
            found = self._trial(sample, size, number)
            if found is None or found.high == found.low:
                break
            trials.append(PlanTrial(size, found.high - found.low))
            if abs(trials[-1].width / self.width - 1.0) < tolerance:
                break
        needed = self._suggested_size(trials[-1])
        normal = NormalDist().inv_cdf(0.5 + self.confidence / 2.0)
        factor = math.exp(normal * _relative_error(sample, self.confidence, self.n))
        interval = Interval(
            needed / factor, needed * factor, confidence=self.confidence, method="pilot"
        )
        return replace(plan, needed=math.ceil(needed), interval=interval, trials=tuple(trials))

    def _suggested_size(self, trial: PlanTrial) -> float:
        return trial.size * (trial.width / self.width) ** 2

    def _trial(self, sample: _Sample, size: int, number: int) -> Interval | None:
        draws = ItemDraws(sample.times, self.seed, _STREAM, number, size=size)
        values = resampled_values(sample.measured, draws, self.n)
        defined = values[~np.isnan(values)]
        if len(defined) < self.n / 2:
            return None
        return percentile_interval(defined, self.confidence, "bootstrap percentile")


def _relative_error(sample: _Sample, confidence: float, n: int) -> float:
    """Compute the relative standard error of the estimated sample size.

    The sample size is proportional to the variance of the items' influence, whose relative variance
    over N items is (kurtosis − 1)/N. The variance of the width between two quantiles of n
    resamples is added.
    """
    influence = sample.measured.influence(sample.times.astype(np.float64)).value
    n_pilot = float(sample.times.sum())
    centred = influence - dot(sample.times, influence) / n_pilot
    second = dot(sample.times, centred**2) / n_pilot
    fourth = dot(sample.times, centred**4) / n_pilot
    pilot = (fourth / second**2 - 1.0) / n_pilot if second > 0.0 else 0.0
    # The sample size is proportional to the square of the width.
    return math.sqrt(max(pilot, 0.0) + (2.0 * _width_error(confidence, n)) ** 2)


def _width_error(confidence: float, n: int) -> float:
    """Compute the relative standard error of the distance between two quantiles of n values."""
    tail = (1.0 - confidence) / 2.0
    normal = NormalDist()
    end = normal.inv_cdf(1.0 - tail)
    # Quantiles p and 1 − p have the variance p(1 − p)/(n f²) and the covariance p²/(n f²).
    variance = 2.0 * tail * (1.0 - 2.0 * tail) / (n * normal.pdf(end) ** 2)
    return math.sqrt(variance) / (2.0 * end)
