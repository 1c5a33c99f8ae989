"""From a coefficient and ratings to a result: the value, its parts, and why there may be none."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from unisono.errors import DataError
from unisono.measures.distance_matrix import shown
from unisono.measures.items.coefficient import MeanOfPairs
from unisono.measures.items.items_result import ItemsAgreement
from unisono.measures.items.metrics import ByBlocks, Circle, Nominal, Squares
from unisono.measures.items.missing import pairable
from unisono.measures.items.parts import Coefficient, Parts
from unisono.measures.items.preparing import Corrected, Percent
from unisono.measures.items.standard_errors import standard_error
from unisono.model.labels import label_text
from unisono.results.agreement import Agreement
from unisono.results.signature import Signature
from unisono.results.wording import count, some
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unisono.measures.items.metrics import Metric, Ranked
    from unisono.measures.items.missing import MissingPolicy
    from unisono.measures.items.parts import Prepared
    from unisono.measures.items.rows import Rows
    from unisono.measures.items.standard_errors import Kind
    from unisono.measures.items.work import Work
    from unisono.model.labels import Label


Settings: TypeAlias = "tuple[tuple[str, str], ...]"
_MOST_LABELS = 1000  # that get a value of their own without being asked for
_MOST_ANNOTATORS = 30  # whose pairs do
# Parts of sums that are 1e28 times as small are still exact.
_SMALLEST_EXPECTED = 1e-280
_NOTHING = Parts(*(np.array(math.nan) for _ in Parts._fields))


class Measurable(Coefficient, Protocol):
    """A coefficient that knows what its result must say."""

    @property
    def missing(self) -> MissingPolicy:
        """The policy for missing values."""

    @property
    def kind(self) -> Kind:
        """Which formula its standard error has."""

    def refusal(self, work: Work) -> str | None:
        """Say why it does not apply to these ratings."""

    def metric(self, work: Work) -> Metric | Ranked:
        """Give the metric of its setting on these labels."""

    def on(self, rows: Rows, metric: Metric | Ranked) -> Prepared:
        """Make it ready for rows."""

    def settings(self, work: Work, metric: Metric | Ranked) -> Settings:
        """Give its settings for the signature."""

    def notes(self, work: Work) -> tuple[str, ...]:
        """Tell what a reader must know."""


def measured(
    coefficient: Measurable,
    work: Work,
    *,
    by_label: bool | None = None,
    by_pair: bool | None = None,
) -> ItemsAgreement:
    """Give the result of a coefficient, with the reason where it has no value."""
    rows, times = work.rows, work.times
    metric = coefficient.metric(work)
    settings = (*coefficient.settings(work, metric), ("missing", coefficient.missing))
    notes = coefficient.notes(work)
    if work.silent:
        notes += (f"{some(work.silent)} rated nothing",)
    parts, prepared = _NOTHING, None
    undefined = _why_nothing_pairs(coefficient, work) or coefficient.refusal(work)
    if undefined is None:
        prepared = coefficient.on(rows, metric)
        parts = prepared.parts(times)
        _refuse_tiny(coefficient, work, metric, float(parts.expected))
        if math.isnan(parts.value):
            undefined = _why_chance_agrees(coefficient, work, prepared)
    if isinstance(prepared, MeanOfPairs) and rows.n_annotators > 2:
        notes += _notes_on_pairs(prepared, work)
    chosen = pairable(rows, coefficient.missing)
    each_label = len(rows.labels) <= _MOST_LABELS if by_label is None else by_label
    each_pair = _pairs_are_quick(work, metric) if by_pair is None else by_pair
    told = _Told(coefficient.name, settings, work)
    return ItemsAgreement(
        value=float(parts.value),
        observed=float(parts.observed),
        expected=float(parts.expected),
        undefined=undefined,
        signature=told.signature(),
        standard_error=None if undefined else _standard_error(coefficient, work, prepared),
        by_label=told.by_label(prepared) if each_label and isinstance(metric, Nominal) else {},
        by_pair=told.by_pair(coefficient, prepared, metric) if each_pair else {},
        n_items=int(times @ chosen),
        n_annotators=rows.n_annotators,
        n_ratings=int(times @ (chosen * rows.sizes)),
        left_out=int(times @ ~chosen),
        notes=notes,
    )


def inapplicable(coefficient: Measurable, reason: str, work: Work) -> ItemsAgreement:
    """Give the result of a coefficient that these labels do not allow."""
    chosen = pairable(work.rows, coefficient.missing)
    return ItemsAgreement(
        value=math.nan,
        observed=math.nan,
        expected=math.nan,
        undefined=reason,
        signature=_Told(coefficient.name, (("missing", coefficient.missing),), work).signature(),
        n_items=int(work.times @ chosen),
        n_annotators=work.rows.n_annotators,
        n_ratings=int(work.times @ (chosen * work.rows.sizes)),
        left_out=int(work.times @ ~chosen),
    )


class _Told:
    """What the signatures of a result have in common."""

    def __init__(self, name: str, settings: Settings, work: Work) -> None:
        self._name = name
        self._settings = settings
        self._work = work

    def signature(self, *own: tuple[str, str]) -> Signature:
        """Write down all that can move a value."""
        data = ("data", self._work.digest[:8])
        return Signature(self._name, (*own, *self._settings, data, ("v", __version__)))

    def by_label(self, prepared: Prepared | None) -> dict[Label, Agreement]:
        """Give the results of labels."""
        if not isinstance(prepared, Corrected | Percent | MeanOfPairs):
            return {}
        parts = prepared.by_label(self._work.times)
        return {
            label: _agreement(
                part,
                f"chance never disagrees on whether a value is {shown(label)}",
                self.signature(("label", label_text(label))),
            )
            for label, part in zip(self._work.rows.labels, _each(parts), strict=True)
        }

    def by_pair(
        self, coefficient: Measurable, prepared: Prepared | None, metric: Metric | Ranked
    ) -> dict[tuple[str, str], Agreement]:
        """Give the results of pairs of annotators."""
        work = self._work
        if prepared is None or work.rows.anonymous:
            return {}
        if work.rows.n_annotators == 2:
            first, second = work.ratings.annotators
            parts = prepared.parts(work.times)
            return {(first, second): self._of_pair((first, second), parts)}
        results = {}
        for two in work.pairs(coefficient.missing):
            parts = coefficient.on(two.rows, metric).parts(two.times)
            results[two.names] = self._of_pair(two.names, parts)
        return results

    def _of_pair(self, names: tuple[str, str], parts: Parts) -> Agreement:
        signature = self.signature(("annotators", ",".join(names)))
        return _agreement(parts, "chance never disagrees on the values of the two", signature)


def _pairs_are_quick(work: Work, metric: Metric | Ranked) -> bool:
    # Of very many labels all would be compared with all, for each pair again.
    n = work.rows.n_annotators
    return n <= _MOST_ANNOTATORS and (n == 2 or not isinstance(metric, ByBlocks))


def _agreement(parts: Parts, reason: str, signature: Signature) -> Agreement:
    value, observed, expected = map(float, (parts.value, parts.observed, parts.expected))
    return Agreement(
        value=value,
        observed=observed,
        expected=expected,
        undefined=reason if math.isnan(value) else None,
        signature=signature,
    )


def _each(parts: Parts) -> Iterator[Parts]:
    return (Parts(*three) for three in zip(*parts, strict=True))


def _standard_error(coefficient: Measurable, work: Work, prepared: Prepared | None) -> float | None:
    # No formula in the literature is for Light's mean over pairs.
    if prepared is None or (isinstance(prepared, MeanOfPairs) and prepared.n_pairs > 1):
        return None
    return standard_error(
        prepared, work.ratings, kind=coefficient.kind, missing=coefficient.missing
    )


def _why_nothing_pairs(coefficient: Measurable, work: Work) -> str | None:
    rows = work.rows
    if not rows.n_rows:
        return "there are no ratings"
    if work.n_rating < 2 and not rows.anonymous:
        return f"agreement needs two annotators or more; here only {work.raters[0]!r} rated"
    if not pairable(rows, coefficient.missing).any():
        if coefficient.missing == "remove":
            return f"no item has a value of each of the {rows.n_annotators} annotators"
        return "no item has two values or more"
    return None


def _why_chance_agrees(coefficient: Measurable, work: Work, prepared: Prepared) -> str:
    if isinstance(prepared, MeanOfPairs) and prepared.n_pairs > 1:
        each = prepared.finish_pairs(prepared.sums(work.times))
        number = int(np.flatnonzero(np.isnan(each.value))[0])
        names = [work.ratings.annotators[code] for code in prepared.met.annotators[number]]
        return (
            f"chance never disagrees on the values of {names[0]!r} and {names[1]!r}, "
            "so the mean over pairs has no value; conger_kappa takes all pairs together"
        )
    codes = _compared_labels(coefficient, work)
    if len(codes) == 1:
        label = shown(work.rows.labels[int(codes[0])])
        return f"all values that can be compared are {label}: chance never disagrees"
    return "all values that can be compared are at distance 0: chance never disagrees"


def _refuse_tiny(
    coefficient: Measurable, work: Work, metric: Metric | Ranked, expected: float
) -> None:
    """Refuse distances that are so small that they, or their sums, have lost digits."""
    if 0.0 < expected < _SMALLEST_EXPECTED or (
        expected == 0.0 and _are_apart(_compared_labels(coefficient, work), metric)
    ):
        msg = (
            f"the differences of the labels are too small for {coefficient.name} with this "
            "distance; give the labels in another unit"
        )
        raise DataError(msg)


def _are_apart(codes: NDArray[np.int32], metric: Metric | Ranked) -> bool:
    """Say whether labels lie at different points although no distance is above 0."""
    if not isinstance(metric, Squares | Circle):
        return False
    points = (metric.points if isinstance(metric, Squares) else metric.angles)[codes]
    low, high = codes[[points.argmin()]], codes[[points.argmax()]]
    return bool(points.max() > points.min() and metric.between(low, high)[0] == 0.0)


def _compared_labels(coefficient: Measurable, work: Work) -> NDArray[np.int32]:
    """Return the codes of the labels that stand in an item with a pair."""
    chosen = pairable(work.rows, coefficient.missing)
    codes: NDArray[np.int32] = np.unique(work.rows.label_codes[np.repeat(chosen, work.rows.sizes)])
    return codes


def _notes_on_pairs(prepared: MeanOfPairs, work: Work) -> tuple[str, ...]:
    n = work.rows.n_annotators
    n_apart = n * (n - 1) // 2 - prepared.n_pairs
    mean = f"the mean over {count(prepared.n_pairs, 'pair')} of annotators (Light's κ)"
    apart = f"{count(n_apart, 'pair')} of annotators without a common item left out"
    return (mean, apart) if n_apart else (mean,)
