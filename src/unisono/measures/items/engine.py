"""Results of coefficients on ratings, with reasons, notes, labels and pairs."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from unisono.errors import DataError, setting
from unisono.measures.items.annotator_pairs import CELLS_AT_A_TIME, rows_of_pairs
from unisono.measures.items.coefficients import (
    CohenKappa,
    CongerKappa,
    Corrected,
    GwetAC,
    KrippendorffAlpha,
    MeanOfPairs,
    Pairwise,
    Percent,
    pairable,
    standard_error,
)
from unisono.measures.items.interval import Sample, item_interval
from unisono.measures.items.metrics import (
    RANK_WEIGHTS,
    ByBlocks,
    Circle,
    Nominal,
    Squares,
    has_gaps,
    scale_notes,
    scale_text,
)
from unisono.measures.items.result import ItemsAgreement
from unisono.measures.items.rows import Parts, Rows
from unisono.model.labels import label_text, shown
from unisono.model.ratings import Ratings
from unisono.registry import MEASURES
from unisono.results.agreement import Agreement
from unisono.results.values import Signature
from unisono.results.wording import count, some
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from unisono.measures.items.annotator_pairs import PairRows
    from unisono.measures.items.coefficients import Formula, MissingPolicy, Prepared
    from unisono.measures.items.interval import Clusters
    from unisono.measures.items.metrics import Metric, Ranked
    from unisono.model.arrays import Booleans, Floats
    from unisono.model.labels import Label

__all__ = ["Work", "inapplicable", "measured"]

Settings: TypeAlias = "tuple[tuple[str, str], ...]"
_MOST_LABELS = 1000  # for which values per label are computed by default
_MOST_ANNOTATORS = 30  # for which values per pair are computed by default
# Terms of sums that are 1e28 times smaller are still exact.
_SMALLEST_EXPECTED = 1e-280
_USUAL_CONFIDENCE = 0.95
_NOTHING = Parts(*(np.array(math.nan) for _ in Parts._fields))


def measured(
    coefficient: Formula,
    work: Work,
    *,
    by_label: bool | None = None,
    by_pair: bool | None = None,
    confidence: float | None = None,
) -> ItemsAgreement:
    """Return the result of a coefficient, with the reason where it has no value.

    There is no interval if confidence is None.
    """
    rows, times = work.rows, work.times
    chosen = pairable(rows, coefficient.missing)
    metric = coefficient.metric(rows, times)
    settings = (*_settings(coefficient, rows, metric), ("missing", coefficient.missing))
    notes = _notes(coefficient, work)
    if work.silent:
        notes += (f"{some(work.silent)} rated nothing",)
    parts, prepared = _NOTHING, None
    undefined = _why_nothing_pairs(coefficient, work, chosen) or _why_not(coefficient, work)
    if undefined is None:
        prepared = coefficient.on(rows, metric)
        parts = prepared.parts(times)
        _refuse_tiny(coefficient, work, metric, float(parts.expected))
        if math.isnan(parts.value):
            undefined = _why_chance_agrees(coefficient, work, prepared)
    if isinstance(prepared, MeanOfPairs) and rows.n_annotators > 2:
        notes += _notes_on_pairs(prepared, work)
    each_label = len(rows.labels) <= _MOST_LABELS if by_label is None else by_label
    each_pair = _pairs_are_quick(work, metric) if by_pair is None else by_pair
    results = _Results(coefficient.name, settings, work)
    interval = None
    if confidence is not None and prepared is not None and not undefined:
        interval, about = item_interval(
            coefficient, metric, prepared, parts, work.sample, confidence
        )
        notes += about
    if work.sample.digest:
        settings = (*settings, ("clusters", f"#{work.sample.digest}"))
    if confidence not in (None, _USUAL_CONFIDENCE):
        settings = (*settings, ("confidence", f"{confidence:g}"))
    return ItemsAgreement(
        value=float(parts.value),
        observed=float(parts.observed),
        expected=float(parts.expected),
        undefined=undefined,
        interval=interval,
        signature=_Results(coefficient.name, settings, work).signature(),
        standard_error=None if undefined else _standard_error(coefficient, work, prepared),
        by_label=results.by_label(prepared) if each_label and isinstance(metric, Nominal) else {},
        by_pair=results.by_pair(coefficient, prepared, metric) if each_pair else {},
        n_items=int(times @ chosen),
        n_annotators=rows.n_annotators,
        n_ratings=int(times @ (chosen * rows.sizes)),
        n_left_out=int(times @ ~chosen),
        notes=notes,
    )


def inapplicable(coefficient: Formula, reason: str, work: Work) -> ItemsAgreement:
    """Return the undefined result of a coefficient that does not apply to these labels."""
    chosen = pairable(work.rows, coefficient.missing)
    return ItemsAgreement(
        value=math.nan,
        observed=math.nan,
        expected=math.nan,
        undefined=reason,
        signature=_Results(coefficient.name, (("missing", coefficient.missing),), work).signature(),
        n_items=int(work.times @ chosen),
        n_annotators=work.rows.n_annotators,
        n_ratings=int(work.times @ (chosen * work.rows.sizes)),
        n_left_out=int(work.times @ ~chosen),
    )


class _Results:
    """Results for labels and for pairs of annotators, which share most of their signature."""

    def __init__(self, name: str, settings: Settings, work: Work) -> None:
        self._name = name
        self._settings = (*settings, ("data", work.digest[:8]), ("v", __version__))
        self._work = work

    def signature(self) -> Signature:
        """Return the signature of the value over all labels and annotators."""
        return Signature(self._name, self._settings)

    def by_label(self, prepared: Prepared | None) -> dict[Label, Agreement]:
        """Return the results of labels."""
        if not isinstance(prepared, Corrected | Percent | MeanOfPairs):
            return {}
        labels = self._work.rows.labels
        own = [("label", label_text(each)) for each in labels]
        parts = prepared.by_label(self._work.times)

        def why_undefined(at: int) -> str:
            return f"chance never disagrees on whether a value is {shown(labels[at])}"

        return dict(zip(labels, self._agreements(parts, own, why_undefined), strict=True))

    def by_pair(
        self, coefficient: Formula, prepared: Prepared | None, metric: Metric | Ranked
    ) -> dict[tuple[str, str], Agreement]:
        """Return the results of pairs of annotators."""
        work = self._work
        if prepared is None or work.rows.anonymous:
            return {}
        names, parts = [], []
        if work.rows.n_annotators == 2:
            names = [(work.ratings.annotators[0], work.ratings.annotators[1])]
            parts = [prepared.parts(work.times)]
        else:
            every = work.ratings.annotators
            for some in work.pairs(coefficient.missing):
                names += [(every[one], every[other]) for one, other in some.annotators.tolist()]
                times = some.times if len(some.times) > 1 else some.times[0]
                parts.append(coefficient.on(some.rows, metric).parts(times))
        if not parts:
            return {}
        own = [("annotators", ",".join(two)) for two in names]
        joined = Parts(*map(np.hstack, zip(*parts, strict=True)))

        def why_undefined(_: int) -> str:
            return "chance never disagrees on the values of the two"

        return dict(zip(names, self._agreements(joined, own, why_undefined), strict=True))

    def _agreements(
        self, parts: Parts, own: Sequence[tuple[str, str]], why_undefined: Callable[[int], str]
    ) -> list[Agreement]:
        """Return one result per part, each with its own entry in the signature."""
        numbers = [np.atleast_1d(part).tolist() for part in parts]
        signatures = [Signature(self._name, (key, *self._settings)) for key in own]
        return [
            Agreement(
                value=value,
                observed=observed,
                expected=expected,
                undefined=why_undefined(at) if math.isnan(value) else None,
                signature=signature,
            )
            for at, (observed, expected, value, signature) in enumerate(
                zip(*numbers, signatures, strict=True)
            )
        ]


def _pairs_are_quick(work: Work, metric: Metric | Ranked) -> bool:
    # With very many labels, all label distances would be computed again for each pair.
    n = work.rows.n_annotators
    return n <= _MOST_ANNOTATORS and (n == 2 or not isinstance(metric, ByBlocks))


def _standard_error(coefficient: Formula, work: Work, prepared: Prepared | None) -> float | None:
    # The literature has no formula for Light's mean over pairs.
    if prepared is None or (isinstance(prepared, MeanOfPairs) and prepared.n_pairs > 1):
        return None
    return standard_error(coefficient, prepared, work.ratings)


_ANONYMOUS = "the ratings come from counts, without the annotator of each label"


def _why_not(coefficient: Formula, work: Work) -> str | None:
    """Return why a coefficient does not apply to these ratings."""
    measure = MEASURES[coefficient.name]
    if isinstance(coefficient, CohenKappa | CongerKappa) and work.rows.anonymous:
        return _ANONYMOUS
    if measure.for_more and work.n_rating != 2:
        here = count(work.n_rating, "annotator")
        return (
            f"{measure.title} is for two annotators, and here are {here}; "
            f"{MEASURES[measure.for_more].title} is for more"
        )
    if not isinstance(coefficient, Pairwise) or "categories" not in measure.settings:
        return None
    if coefficient.n_categories(work.rows.labels) > 1:
        return None
    how_many = setting("categories", ...)
    return (
        f"there is only one category; set the number that annotators could choose from, {how_many}"
    )


def _settings(coefficient: Formula, rows: Rows, metric: Metric | Ranked) -> Settings:
    """Return the settings of a coefficient for the signature."""
    if isinstance(coefficient, KrippendorffAlpha):
        text = scale_text(coefficient.distance, rows.labels, coefficient.order, metric)
        return (("distance", text),)
    if not isinstance(coefficient, Pairwise):
        return ()
    found, has = [], MEASURES[coefficient.name].settings
    if "weights" in has:
        weights, scale = coefficient.weights, coefficient.scale(rows.labels)
        text = "none" if weights is None else scale_text(weights, scale, coefficient.order, metric)
        found.append(("weights", text))
    if "categories" in has:
        found.append(("categories", str(coefficient.n_categories(rows.labels))))
    return tuple(found)


def _notes(coefficient: Formula, work: Work) -> tuple[str, ...]:
    """Return notes on the interpretation of the value."""
    labels, missing = work.rows.labels, coefficient.missing
    notes: tuple[str, ...] = ()
    if isinstance(coefficient, KrippendorffAlpha):
        notes = scale_notes(coefficient.distance, labels)
        if missing in {"items", "pairs"} and work.unequal():
            notes += ("Krippendorff's own α weighs missing values by the policy 'values'",)
    elif isinstance(coefficient, Pairwise):
        notes = scale_notes(coefficient.weights, labels)
        if coefficient.weights in RANK_WEIGHTS and coefficient.order is None and has_gaps(labels):
            whole = setting("order", ...)
            notes += (f"ranks are those of the labels in use, which have gaps; see {whole}",)
    if isinstance(coefficient, GwetAC) and missing in {"values", "pairs"} and work.unequal():
        own = setting("missing", "items")
        notes += (f"items differ in how many values they have; Gwet's own AC takes {own}",)
    return notes


def _why_nothing_pairs(coefficient: Formula, work: Work, chosen: Booleans) -> str | None:
    rows = work.rows
    if not rows.n_rows:
        return "there are no ratings"
    if work.n_rating < 2 and not rows.anonymous:
        return f"agreement needs two annotators or more; here only {work.raters[0]!r} rated"
    if not chosen.any():
        if coefficient.missing == "remove":
            return f"no item has a value of each of the {rows.n_annotators} annotators"
        return "no item has two values or more"
    return None


def _why_chance_agrees(coefficient: Formula, work: Work, prepared: Prepared) -> str:
    if isinstance(prepared, MeanOfPairs) and prepared.n_pairs > 1:
        each = prepared.finish_pairs(prepared.sums(work.times))
        number = int(np.flatnonzero(np.isnan(each.value))[0])
        names = [work.ratings.annotators[code] for code in prepared.met.annotators[number]]
        return (
            f"chance never disagrees on the values of {names[0]!r} and {names[1]!r}, "
            "so the mean over pairs has no value; "
            f"{MEASURES['conger_kappa'].title} takes all pairs together"
        )
    codes = _compared_labels(coefficient, work)
    if len(codes) == 1:
        label = shown(work.rows.labels[int(codes[0])])
        return f"all values that can be compared are {label}: chance never disagrees"
    return "all values that can be compared are at distance 0: chance never disagrees"


def _refuse_tiny(
    coefficient: Formula, work: Work, metric: Metric | Ranked, expected: float
) -> None:
    """Raise an error if distances, or sums of them, are so small that they lost precision."""
    if 0.0 < expected < _SMALLEST_EXPECTED or (
        expected == 0.0 and _are_apart(_compared_labels(coefficient, work), metric)
    ):
        msg = (
            f"the differences of the labels are too small for {MEASURES[coefficient.name].title} "
            "with this "
            "distance; give the labels in another unit"
        )
        raise DataError(msg)


def _are_apart(codes: NDArray[np.int32], metric: Metric | Ranked) -> bool:
    """Whether labels are at different points although no distance is above 0."""
    if not isinstance(metric, Squares | Circle):
        return False
    points = (metric.points if isinstance(metric, Squares) else metric.angles)[codes]
    low, high = codes[[points.argmin()]], codes[[points.argmax()]]
    return bool(points.max() > points.min() and metric.between(low, high)[0] == 0.0)


def _compared_labels(coefficient: Formula, work: Work) -> NDArray[np.int32]:
    """Return the codes of the labels of items with a pair of values."""
    chosen = pairable(work.rows, coefficient.missing)
    codes: NDArray[np.int32] = np.unique(work.rows.label_codes[np.repeat(chosen, work.rows.sizes)])
    return codes


def _notes_on_pairs(prepared: MeanOfPairs, work: Work) -> tuple[str, ...]:
    n = work.rows.n_annotators
    n_apart = n * (n - 1) // 2 - prepared.n_pairs
    mean = f"the mean over {count(prepared.n_pairs, 'pair')} of annotators (Light's κ)"
    apart = f"{count(n_apart, 'pair')} of annotators without a common item left out"
    return (mean, apart) if n_apart else (mean,)


class Work:
    """The ratings of one call, with data that several coefficients share."""

    def __init__(
        self,
        ratings: Ratings,
        clusters: Clusters | None = None,
        *,
        cells_at_a_time: int = CELLS_AT_A_TIME,
    ) -> None:
        if not isinstance(ratings, Ratings):
            msg = f"a measure of items takes Ratings, got {type(ratings).__name__}"
            raise TypeError(msg)
        self.ratings = ratings.merged()
        self.digest = self.ratings.digest
        self.rows = Rows.of(self.ratings)
        self.sample = Sample(self.ratings, self.rows)
        if clusters is not None:
            self.sample = Sample.of(ratings, clusters)
        self.times: Floats = self.ratings.times.astype(np.float64)
        self._cells_at_a_time = cells_at_a_time
        self._pairs: dict[bool, list[PairRows]] = {}

    @cached_property
    def silent(self) -> tuple[str, ...]:
        """The annotators without ratings."""
        rated = np.bincount(self.rows.annotator_codes, minlength=self.rows.n_annotators)
        return tuple(name for name, n in zip(self.ratings.annotators, rated, strict=True) if not n)

    @cached_property
    def raters(self) -> tuple[str, ...]:
        """The annotators with ratings."""
        return tuple(name for name in self.ratings.annotators if name not in set(self.silent))

    @property
    def n_rating(self) -> int:
        """The number of annotators with ratings."""
        return self.rows.n_annotators - len(self.silent)

    def unequal(self) -> bool:
        """Whether items differ in their number of values."""
        return bool(len(np.unique(self.rows.sizes)) > 1)

    def pairs(self, missing: MissingPolicy) -> list[PairRows]:
        """Return the values of each pair of annotators that shares an item."""
        complete = missing == "remove"
        if complete not in self._pairs:
            chosen = pairable(self.rows, missing) if complete else self.rows.sizes > 0
            self._pairs[complete] = rows_of_pairs(
                self.rows, self.times, chosen, cells_at_a_time=self._cells_at_a_time
            )
        return self._pairs[complete]
