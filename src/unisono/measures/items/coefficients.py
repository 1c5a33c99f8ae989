"""The formulas of the coefficients on items, as published.

Percent agreement is 1 − D_o; all others are 1 − D_o/D_e, in three steps.

*Prepare*: the items used, the weight of each pair of values of an item, and the weight of each
value in the expected disagreement: `pair_weights`, `value_weights`, `annotator_weights`.
*Weigh*: sums over distinct items, weighted by their multiplicity: of distances and of pairs for D_o
(`Observed`), and of the counts of labels for D_e.
*Finish*: D_o, D_e and the value from these sums (`Corrected.finish`).

Each coefficient has a section: D_e as a function of label counts, then its preparation. In all of
them c and k are labels, δ_ck their distance (0 for agreement; 1 − agreement weight in Gwet's
terms), n_c the weighted count of c, n = Σ_c n_c and p_c = n_c/n. `gradient` and `influence`
are derivatives, for standard errors; `by_label` merges all labels but one.

Optimised sums are in other modules: `rows` has sums over equal items as matrix products, `metrics`
Σ_k w_k·δ_ck for any distance, `disagreement` distances within items and the ordinal distance, and
`annotator_pairs` the values of each pair of annotators.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, TypeAlias, get_args

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.distances import check_distance
from unisono.measures.items.annotator_pairs import CELLS_OF_OTHERS, Met, PairSums, against_others
from unisono.measures.items.disagreement import Ordinal, spreads
from unisono.measures.items.metrics import (
    Nominal,
    Ranked,
    check_weights,
    checked_order,
    distance_metric,
    follows_order,
    weight_metric,
)
from unisono.measures.items.rows import (
    Influence,
    Parts,
    Rows,
    RowSums,
    corrected,
    influence_on_value,
    joined_features,
    moved,
    numbered,
    ratio,
    weighted_counts,
)
from unisono.measures.products import dot, product
from unisono.registry import MEASURES, check_setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.metrics import Metric
    from unisono.model.arrays import Floats
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings

__all__ = [
    "MISSING_POLICIES",
    "BennettS",
    "CohenKappa",
    "CongerKappa",
    "Corrected",
    "FleissKappa",
    "Formula",
    "GwetAC",
    "KrippendorffAlpha",
    "MeanOfPairs",
    "MissingPolicy",
    "Observed",
    "OfEachAnnotator",
    "Pairwise",
    "Percent",
    "PercentAgreement",
    "Prepared",
    "ScottPi",
    "pair_weights",
    "pairable",
    "standard_error",
]


# Prepare: which items count, and how much


MissingPolicy: TypeAlias = Literal["values", "items", "pairs", "remove"]
MISSING_POLICIES: tuple[MissingPolicy, ...] = get_args(MissingPolicy)


def pairable(rows: Rows, missing: MissingPolicy) -> NDArray[np.bool_]:
    """Return a mask of the items whose pairs are used: those with two or more values."""
    several: NDArray[np.bool_] = rows.sizes >= 2
    if missing == "remove":
        several &= rows.sizes == rows.n_annotators
    return several


def pair_weights(rows: Rows, missing: MissingPolicy) -> Floats:
    """Return the weight of each pair of values of an item of m values, 0 for unused items.

    Mathet (2017), §3. ``values`` (VL) has 1/(m − 1), so that all values have equal weight:
    Krippendorff (2013), p. 284. ``items`` (IL) has 1/(m(m − 1)/2), so that all items have equal
    weight: Gwet (2012), eq. 2.9. ``pairs`` (PL) has 1, and so has ``remove`` (RM), for items that
    all annotators rated.
    """
    counts = pairable(rows, missing)
    sizes = rows.sizes.astype(np.float64)
    others = np.maximum(sizes - 1.0, 1.0)
    if missing == "values":
        weights = 1.0 / others
    elif missing == "items":
        weights = 2.0 / (sizes * others)
    else:
        weights = np.ones(len(sizes))
    return np.where(counts, weights, 0.0)


def value_weights(rows: Rows, missing: MissingPolicy) -> Floats:
    """Return the weight of each value of an item in the expected disagreement.

    Values without a second value of the item are left out, except with the policy ``items``: Gwet
    (2014) uses the mean over all items of the proportions of labels.
    """
    if missing == "items":
        return 1.0 / rows.sizes
    return pairable(rows, missing).astype(np.float64)


def annotator_weights(rows: Rows, missing: MissingPolicy) -> Floats:
    """Return the weight of each value of an item among the values of its annotator.

    As `value_weights`; with the policy ``items`` all values of an annotator have equal weight.
    """
    if missing == "items":
        return np.ones(rows.n_rows)
    return pairable(rows, missing).astype(np.float64)


# Weigh and finish


class Prepared(Protocol):
    """A coefficient prepared for ratings; its rows are the rows of the ratings."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    @property
    def features(self) -> Floats | None:
        """What one item of each row adds to the sums, rows × sums; `None` if that is too large."""

    def finish(self, sums: Floats) -> Parts:
        """Return the parts of sums: ``parts(t)`` is ``finish(t @ features)``, leading axes kept.

        Smooth in the sums, which need not be integers; never warns.
        """

    def parts(self, times: Floats) -> Parts:
        """Return the parts when row r represents ``times[..., r]`` items; leading axes are kept."""

    def influence(self, times: Floats) -> Influence:
        """Return the influence of each row, for one weighting."""


class Chance(Protocol):
    """Expected disagreement D_e, as a function of the counts of labels."""

    def expected(self, counts: Floats) -> Floats:
        """Return the expected disagreement, reduced over the last axis."""

    def gradient(self, counts: Floats) -> Floats:
        """Return the derivative by each count."""

    def by_label(self, counts: Floats, n_labels: int) -> Floats:
        """Return it for each of the first labels, with all other labels merged."""


class Observed:
    """The disagreement in the data, D_o: the weighted mean distance of two values of an item.

    D_o = Σ_i w_i·Σ_{pairs of i} δ_ck / Σ_i w_i·m_i(m_i − 1)/2, item i with m_i values.
    """

    def __init__(self, rows: Rows, metric: Metric, weights: Floats) -> None:
        self.rows = rows
        self.pair_weights = weights
        # Of each item w_i·Σ δ_ck, and w_i·m_i(m_i − 1)/2.
        self.distances: Floats = spreads(rows, metric) * weights
        self.weights: Floats = rows.sizes * (rows.sizes - 1) / 2.0 * weights

    def influence(self, times: Floats) -> Floats:
        """Return the influence of each row on the mean distance."""
        whole = dot(times, self.weights)
        mean = dot(times, self.distances) / whole
        return moved((self.distances - mean * self.weights) / whole, times)

    def by_label(self, times: Floats) -> Floats:
        """Return the proportion of pairs with exactly one value of each label."""
        cells = self.rows.cells
        weights = (times * self.pair_weights)[cells.rows] * self.rows.splits
        n_labels = len(self.rows.labels)
        return weighted_counts(cells.labels, weights, n_labels) / dot(times, self.weights)


@dataclass(frozen=True)
class Percent:
    """Agreement without a correction for chance: 1 − D_o."""

    observed: Observed

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.observed.rows.n_rows

    @cached_property
    def features(self) -> Floats:
        """What one item of each row adds to the sums."""
        return np.column_stack((self.observed.distances, self.observed.weights))

    def finish(self, sums: Floats) -> Parts:
        """Return the parts for these sums."""
        observed = ratio(sums[..., 0], sums[..., 1])
        return Parts(observed, np.full(observed.shape, np.nan), 1.0 - observed)

    def parts(self, times: Floats) -> Parts:
        """Return the parts for weighted rows."""
        return self.finish(product(times, self.features))

    def influence(self, times: Floats) -> Influence:
        """Return the influence of each row."""
        observed = self.observed.influence(times)
        return Influence(observed, np.full(len(observed), np.nan), -observed)

    def by_label(self, times: Floats) -> Parts:
        """Return the parts for each label, with all other labels merged."""
        observed = self.observed.by_label(times)
        return Parts(observed, np.full(len(observed), np.nan), 1.0 - observed)


@dataclass
class Corrected:
    """Agreement corrected for chance: 1 − D_o/D_e."""

    observed: Observed
    sums: RowSums
    chance: Chance
    _last: tuple[Floats, Parts] | None = None

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.observed.rows.n_rows

    @cached_property
    def features(self) -> Floats | None:
        """What one item of each row adds to the sums; `None` if the array would be too large."""
        return joined_features(self.observed.distances, self.observed.weights, self.sums.features)

    def finish(self, sums: Floats) -> Parts:
        """Return the parts for these sums."""
        return corrected(ratio(sums[..., 0], sums[..., 1]), self.chance.expected(sums[..., 2:]))

    def parts(self, times: Floats) -> Parts:
        """Return the parts for weighted rows."""
        # A value and its standard error use the same weights.
        if self._last is not None and np.array_equal(self._last[0], times):
            return self._last[1]
        expected = self.chance.expected(self.sums.of(times))
        observed = ratio(
            product(times, self.observed.distances), product(times, self.observed.weights)
        )
        parts = corrected(observed, expected)
        if times.ndim == 1:
            self._last = times.copy(), parts
        return parts

    def influence(self, times: Floats) -> Influence:
        """Return the influence of each row."""
        parts = self.parts(times)
        observed = self.observed.influence(times)
        slopes = self.sums.spread(self.chance.gradient(self.sums.of(times)))
        expected = moved(slopes, times)
        return Influence(observed, expected, influence_on_value(parts, observed, expected))

    def by_label(self, times: Floats) -> Parts:
        """Return the parts for each label, with all other labels merged."""
        observed = self.observed.by_label(times)
        return corrected(observed, self.chance.by_label(self.sums.of(times), len(observed)))


# Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A coefficient with its validated settings."""

    missing: MissingPolicy = "values"

    name: ClassVar[str]

    def prepare(self, ratings: Ratings) -> Prepared:
        """Return the coefficient prepared for ratings; raise an error if it does not apply."""
        rows = Rows.of(ratings)
        return self.on(rows, self.metric(rows, ratings.times.astype(np.float64)))

    @abstractmethod
    def metric(self, rows: Rows, times: Floats) -> Metric | Ranked:
        """Return the metric of the distance setting for these labels."""

    @abstractmethod
    def on(self, rows: Rows, metric: Metric | Ranked) -> Prepared:
        """Return the coefficient prepared for rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairwise(Formula):
    """A coefficient of the κ family with its settings."""

    weights: str | DistanceMatrix | Callable[[Label, Label], float] | None = None
    categories: int | None = None
    order: Sequence[Label] | None = None

    def __post_init__(self) -> None:
        check_weights(self.weights)
        check_setting("missing", self.missing)
        object.__setattr__(self, "order", checked_order(self.order))
        if (
            self.order is not None
            and "categories" not in MEASURES[self.name].settings
            and not follows_order(self.weights)
        ):
            msg = f"{setting('order')} applies to weights by rank only: linear, quadratic, ordinal"
            raise SettingError(msg)
        if self.categories is None:
            return
        check_setting("categories", self.categories)
        if self.weights is not None:
            msg = (
                f"with {setting('weights')} the categories must be known by name; list them with "
                f"{setting('order', ...)} instead of {setting('categories', self.categories)}"
            )
            raise SettingError(msg)

    def scale(self, labels: Sequence[Label]) -> Sequence[Label]:
        """Return the labels in use; with weights, also the unused labels of the order."""
        if self.weights is None or self.order is None:
            return labels
        used = set(labels)
        return (*labels, *(label for label in self.order if label not in used))

    def n_categories(self, labels: Sequence[Label]) -> int:
        """Return q, the number of categories that annotators could choose from."""
        n_labels = len(labels) if self.order is None else len({*labels, *self.order})
        if self.categories is None:
            return n_labels
        if self.categories < n_labels:
            msg = (
                f"{setting('categories', self.categories)} is fewer than the {n_labels} labels "
                "that were used; count all that annotators could choose from"
            )
            raise DataError(msg)
        return self.categories

    def mean_cost(self, rows: Rows, metric: Metric) -> float:
        """Return Σ_ck δ_ck/q², the mean cost of two categories drawn at random."""
        q = len(self.scale(rows.labels))
        return float(metric.against(np.ones(q)).sum()) / q**2

    def metric(self, rows: Rows, times: Floats) -> Metric:
        """Return the metric of the distance setting for these labels."""
        scale = self.scale(rows.labels)
        counts = weighted_counts(rows.label_codes, rows.along(times), len(scale))
        return weight_metric(scale, self.weights, self.order, counts)

    def on(self, rows: Rows, metric: Metric | Ranked) -> Prepared:
        """Return the coefficient prepared for rows."""
        if isinstance(metric, Ranked):
            msg = "ranks must be converted into distances with Ranked.fitted first"
            raise TypeError(msg)
        return self.formula(rows, metric)

    @abstractmethod
    def formula(self, rows: Rows, metric: Metric) -> Prepared:
        """Return 1 − D_o/D_e prepared for rows."""

    def observed(self, rows: Rows, metric: Metric) -> Observed:
        """Return the disagreement in the data."""
        return Observed(rows, metric, pair_weights(rows, self.missing))


# Percent agreement


@dataclass(frozen=True, slots=True, kw_only=True)
class PercentAgreement(Formula):
    """1 − D_o, with δ_ck = 1 for different labels."""

    name: ClassVar[str] = "percent_agreement"

    def __post_init__(self) -> None:
        check_setting("missing", self.missing)

    def metric(self, rows: Rows, times: Floats) -> Nominal:  # noqa: ARG002 - always the same
        """Return the metric of the distance setting for these labels."""
        return Nominal()

    def on(self, rows: Rows, metric: Metric | Ranked) -> Percent:  # noqa: ARG002 - nominal
        """Return the coefficient prepared for rows."""
        return Percent(Observed(rows, Nominal(), pair_weights(rows, self.missing)))


# Krippendorff's α


@dataclass
class WithoutReplacement:
    """D_e of Krippendorff's α: of two of the n pairable values, drawn without replacement."""

    metric: Metric
    _last: tuple[Floats, Floats] | None = None

    def expected(self, counts: Floats) -> Floats:
        """Return the expected disagreement."""
        n = counts.sum(axis=-1)
        # Krippendorff (2011), general form: D_e = Σ_ck n_c·n_k·δ_ck / (n(n − 1)).
        return ratio((counts * self._against(counts)).sum(axis=-1), n * (n - 1.0))

    def gradient(self, counts: Floats) -> Floats:
        """Return the derivative by each count."""
        n = counts.sum()
        against = self._against(counts)
        expected = dot(counts, against) / (n * (n - 1.0))
        gradient: Floats = (2.0 * against - expected * (2.0 * n - 1.0)) / (n * (n - 1.0))
        return gradient

    def by_label(self, counts: Floats, n_labels: int) -> Floats:
        """Return it for each label, with all other labels merged."""
        n, own = counts.sum(), counts[:n_labels]
        two: Floats = 2.0 * own * (n - own) / (n * (n - 1.0))
        return two

    def _against(self, counts: Floats) -> Floats:
        """Return Σ_k n_k·δ_ck for each label c."""
        if counts.ndim > 1:
            return self.metric.against(counts)
        # A value and its standard error use the same counts.
        if self._last is None or not np.array_equal(self._last[0], counts):
            self._last = counts.copy(), self.metric.against(counts)
        return self._last[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class KrippendorffAlpha(Formula):
    """Krippendorff's α = 1 − D_o/D_e, with distances as he publishes them.

    All pairable values have equal weight; a pair of values of an item of m values has the weight
    1/(m − 1) with the policy ``values``, Krippendorff's choice.
    """

    distance: str | DistanceMatrix | Callable[[Label, Label], float] = "nominal"
    order: Sequence[Label] | None = None

    name: ClassVar[str] = "krippendorff_alpha"

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", checked_order(self.order))
        check_distance(self.distance)
        check_setting("missing", self.missing)
        if self.order is not None and self.distance != "ordinal":
            msg = f"{setting('order')} applies to {setting('distance', 'ordinal')} only"
            raise SettingError(msg)

    def metric(self, rows: Rows, times: Floats) -> Metric | Ranked:  # noqa: ARG002 - not scaled
        """Return the metric of the distance setting for these labels."""
        return distance_metric(rows.labels, self.distance, self.order)

    def on(self, rows: Rows, metric: Metric | Ranked) -> Prepared:
        """Return 1 − D_o/D_e prepared for rows."""
        weights = pair_weights(rows, self.missing)
        # α leaves out values that are not pairable under every policy.
        counted = pairable(rows, self.missing).astype(np.float64)
        if isinstance(metric, Ranked):
            # Krippendorff (2011): δ_ck = (Σ_{g=c…k} n_g − (n_c + n_k)/2)², which counts change.
            return Ordinal(rows, metric, weights, counted)
        return Corrected(
            Observed(rows, metric, weights),
            RowSums(rows, rows.label_codes, len(rows.labels), counted),
            WithoutReplacement(metric),
        )


# Bennett's S


@dataclass(frozen=True)
class Uniform:
    """D_e of Bennett's S: of two values drawn uniformly from all categories."""

    disagreement: float

    def expected(self, counts: Floats) -> Floats:
        """Return the expected disagreement."""
        return np.full(counts.shape[:-1], self.disagreement)

    def gradient(self, counts: Floats) -> Floats:
        """Return the derivative by each count."""
        return np.zeros_like(counts)

    def by_label(self, counts: Floats, n_labels: int) -> Floats:  # noqa: ARG002 - there are none
        """Return it for each label, with all other labels merged: for two categories."""
        return np.full(n_labels, 0.5)


class BennettS(Pairwise):
    """Bennett's S = 1 − D_o/D_e, with q equally likely categories by chance."""

    name: ClassVar[str] = "bennett_s"

    def formula(self, rows: Rows, metric: Metric) -> Corrected:
        """Return 1 − D_o/D_e prepared for rows."""
        q = self.n_categories(rows.labels)
        # Bennett, Alpert & Goldstein (1954): D_e = 1 − 1/q; with weights Gwet (2014), the κ of
        # Brennan and Prediger: D_e = Σ_ck δ_ck/q².
        chance = Uniform(self.mean_cost(rows, metric) if self.weights else 1.0 - 1.0 / q)
        nothing = RowSums(rows, rows.label_codes, 0, np.zeros(rows.n_rows))
        return Corrected(self.observed(rows, metric), nothing, chance)


# Gwet's AC1 and AC2


@dataclass(frozen=True)
class OfHardItems:
    """D_e of Gwet's AC1 and AC2: chance agreement occurs only on items that are hard to label."""

    factor: float
    """T_w/(q(q − 1)), T_w the sum of all agreement weights; q without weights."""

    def expected(self, counts: Floats) -> Floats:
        """Return the expected disagreement."""
        p = ratio(counts, counts.sum(axis=-1, keepdims=True))
        # Gwet (2008) AC1, Gwet (2014) AC2: P_e = T_w/(q(q − 1))·Σ_c p_c(1 − p_c); D_e = 1 − P_e.
        disagreement: Floats = 1.0 - self.factor * (p * (1.0 - p)).sum(axis=-1)
        return disagreement

    def gradient(self, counts: Floats) -> Floats:
        """Return the derivative by each count."""
        n = counts.sum()
        p = counts / n
        slope: Floats = 2.0 * self.factor * (p - (p**2).sum()) / n
        return slope

    def by_label(self, counts: Floats, n_labels: int) -> Floats:
        """Return it for each label, with all other labels merged: for two categories."""
        p = counts[:n_labels] / counts.sum()
        one: Floats = 1.0 - 2.0 * p * (1.0 - p)
        return one


class GwetAC(Pairwise):
    """Gwet's AC1 = 1 − D_o/D_e, with weights AC2.

    With the policy ``items``, Gwet's choice, p_c is the mean over all items of the proportion of
    label c, and a pair of values of an item of m values has the weight 1/(m(m − 1)/2).
    """

    name: ClassVar[str] = "gwet_ac"

    def formula(self, rows: Rows, metric: Metric) -> Corrected:
        """Return 1 − D_o/D_e prepared for rows."""
        q = self.n_categories(rows.labels)
        # T_w = Σ_ck (1 − δ_ck) = q² − Σ_ck δ_ck.
        costs = self.mean_cost(rows, metric) if self.weights else 1.0 - 1.0 / q
        chance = OfHardItems(q * (1.0 - costs) / (q - 1.0) if q > 1 else math.nan)
        weights = value_weights(rows, self.missing)
        counts = RowSums(rows, rows.label_codes, len(self.scale(rows.labels)), weights)
        return Corrected(self.observed(rows, metric), counts, chance)


# Scott's π and Fleiss' κ


@dataclass(frozen=True)
class WithReplacement:
    """D_e of Scott's π and Fleiss' κ: of two values drawn from one distribution of labels."""

    metric: Metric

    def expected(self, counts: Floats) -> Floats:
        """Return the expected disagreement."""
        p = ratio(counts, counts.sum(axis=-1, keepdims=True))
        # Scott (1955), Fleiss (1971): D_e = 1 − Σ_c p_c² = Σ_ck p_c·p_k·δ_ck.
        disagreement: Floats = (p * self.metric.against(p)).sum(axis=-1)
        return disagreement

    def gradient(self, counts: Floats) -> Floats:
        """Return the derivative by each count."""
        n = counts.sum()
        against = self.metric.against(counts / n)
        slope: Floats = 2.0 * (against - dot(counts, against) / n) / n
        return slope

    def by_label(self, counts: Floats, n_labels: int) -> Floats:
        """Return it for each label, with all other labels merged."""
        p = counts[:n_labels] / counts.sum()
        two: Floats = 2.0 * p * (1.0 - p)
        return two


class FleissKappa(Pairwise):
    """Fleiss' κ = 1 − D_o/D_e, with the labels of all annotators pooled."""

    name: ClassVar[str] = "fleiss_kappa"

    def formula(self, rows: Rows, metric: Metric) -> Corrected:
        """Return 1 − D_o/D_e prepared for rows."""
        weights = value_weights(rows, self.missing)
        counts = RowSums(rows, rows.label_codes, len(rows.labels), weights)
        return Corrected(self.observed(rows, metric), counts, WithReplacement(metric))


class ScottPi(FleissKappa):
    """Scott's π, Fleiss' κ of two annotators."""

    name: ClassVar[str] = "scott_pi"


# Conger's κ


@dataclass(frozen=True)
class OfEachAnnotator:
    """D_e of Conger's κ: of one value of each of two annotators, drawn from their own labels.

    There is one count per combination of annotator and label that occurs, sorted by both;
    annotators without values are ignored.
    """

    metric: Metric
    annotators: NDArray[np.int64]
    labels: NDArray[np.int64]
    n_annotators: int
    n_labels: int
    cells_at_a_time: int = CELLS_OF_OTHERS

    def expected(self, counts: Floats) -> Floats:
        """Return the expected disagreement."""
        flat = counts.reshape(-1, counts.shape[-1])
        return np.array([self._expected(each) for each in flat]).reshape(counts.shape[:-1])

    def _expected(self, counts: Floats) -> float:
        p, totals = self._shares(counts)
        n = np.count_nonzero(totals > 0.0)
        # Conger (1980): D_e = Σ_{g≠h} Σ_ck p_gc·p_hk·δ_ck / (n(n − 1)), g and h of n annotators.
        both = sum(dot(own, apart) for apart, own in self._against_others(p))
        return both / (n * (n - 1)) if n > 1 else math.nan

    def gradient(self, counts: Floats) -> Floats:
        """Return the derivative by each count."""
        p, totals = self._shares(counts)
        n = np.count_nonzero(totals > 0.0)
        against = np.concatenate([apart for apart, _ in self._against_others(p)])
        means = weighted_counts(self.annotators, p * against, len(totals))
        slopes = (against - means[self.annotators]) * 2.0 / (n * (n - 1))
        return np.nan_to_num(ratio(slopes, totals[self.annotators]))

    def by_label(self, counts: Floats, n_labels: int) -> Floats:
        """Return it for each label, with all other labels merged."""
        p, totals = self._shares(counts)
        n = np.count_nonzero(totals > 0.0)
        # Over ordered pairs of annotators: one gives the label, the other another one.
        once = weighted_counts(self.labels, p, self.n_labels)
        twice = once**2 - weighted_counts(self.labels, p**2, self.n_labels)
        two: Floats = 2.0 * (once * (n - 1) - twice) / (n * (n - 1))
        return two[:n_labels]

    def _shares(self, counts: Floats) -> tuple[Floats, Floats]:
        """Return p_gc = n_gc/n_g for annotators g and labels c, and n_g."""
        totals = weighted_counts(self.annotators, counts, self.n_annotators)
        return np.nan_to_num(ratio(counts, totals[self.annotators])), totals

    def _against_others(self, p: Floats) -> Iterator[tuple[Floats, Floats]]:
        """Yield Σ_{h≠g} Σ_k p_hk·δ_ck for annotators g and labels c, and p_gc, in blocks."""
        return against_others(
            self.metric,
            self.annotators,
            self.labels,
            p,
            shape=(self.n_annotators, self.n_labels),
            cells_at_a_time=self.cells_at_a_time,
        )


class CongerKappa(Pairwise):
    """Conger's κ = 1 − D_o/D_e, with separate label distributions of annotators."""

    name: ClassVar[str] = "conger_kappa"

    def formula(self, rows: Rows, metric: Metric) -> Corrected:
        """Return 1 − D_o/D_e prepared for rows."""
        n_labels = len(self.scale(rows.labels))
        keys = rows.annotator_codes.astype(np.int64) * n_labels + rows.label_codes
        used, columns = numbered(keys, rows.n_annotators * n_labels)
        annotators, labels = np.divmod(used, n_labels)
        counts = RowSums(rows, columns, len(used), annotator_weights(rows, self.missing))
        chance = OfEachAnnotator(metric, annotators, labels, rows.n_annotators, n_labels)
        return Corrected(self.observed(rows, metric), counts, chance)


# Cohen's κ and Light's


class MeanOfPairs(PairSums):
    """Cohen's κ of each pair of annotators, and the mean over pairs: Light (1971)."""

    def finish(self, sums: Floats) -> Parts:
        """Return the mean over the pairs that share an item; NaN if one is undefined."""
        each = self.finish_pairs(sums)
        shared = sums[..., : self.n_pairs] > 0.0
        n = shared.sum(axis=-1).astype(np.float64)
        return Parts(*(ratio(np.where(shared, part, 0.0).sum(axis=-1), n) for part in each))

    def finish_pairs(self, sums: Floats) -> Parts:
        """Return the parts of each pair of annotators.

        p_ck is the proportion of shared items that the first labelled c and the second k; p_c and
        p_k are the margins.
        """
        shared, distances, left, right = self.split(sums)
        # Cohen (1960), Cohen (1968): D_o = Σ_ck p_ck·δ_ck.
        observed = ratio(distances, shared)
        # D_e = Σ_ck p_c·p_k·δ_ck; without weights 1 − P_c of Komen (2009), eq. (4).
        expected = ratio(self.crossed(left, right, shared), shared**2)
        return corrected(observed, expected)

    def parts(self, times: Floats) -> Parts:
        """Return the parts for weighted rows."""
        return self.finish(self.sums(times))

    def influence(self, times: Floats) -> Influence:
        """Return the influence of each row."""
        sums = self.sums(times)
        each = self.finish_pairs(sums)
        shared, _, left_sums, right_sums = self.split(sums)
        against_left, against_right = self.against(left_sums), self.against(right_sums)
        n_shared = np.count_nonzero(shared > 0.0)
        slopes = np.zeros((3, self.n_rows))
        for block in self.met.blocks():
            left, right = self.places(block)
            n, o, e, value = (part[block.pairs] for part in (shared, *each))
            observed = (self.metric.between(block.left, block.right) - o) / n
            expected = ((against_right[left] + against_left[right]) / n - 2.0 * e) / n
            moves = observed, expected, ((1.0 - value) * expected - observed) / e
            slopes += [weighted_counts(block.rows, move, self.n_rows) for move in moves]
        observed, expected, value = (moved(each / n_shared, times) for each in slopes)
        return Influence(observed, expected, value)

    def by_label(self, times: Floats) -> Parts:
        """Return the parts for each label, with all other labels merged: means over pairs."""
        shared, _, left, right = self.split(self.sums(times))
        both = np.zeros(len(self.keys))
        for block in self.met.blocks():
            same = block.left == block.right
            places = self.places(block)[0][same]
            start = int(places.min()) if places.size else 0
            counted = weighted_counts(places - start, times[block.rows[same]], 0)
            both[start : start + len(counted)] += counted
        pairs, labels = np.divmod(self.keys, self.n_labels)
        p, q, r = (np.nan_to_num(ratio(each, shared[pairs])) for each in (left, right, both))
        parts = corrected(p + q - 2.0 * r, p + q - 2.0 * p * q)
        # κ of a label is undefined for pairs that never use it, or no other.
        defined = parts.expected > 0.0
        n = weighted_counts(labels[defined], np.ones(np.count_nonzero(defined)), self.n_labels)
        observed, expected, value = (
            ratio(weighted_counts(labels[defined], part[defined], self.n_labels), n)
            for part in parts
        )
        return Parts(observed, expected, value)


class CohenKappa(Pairwise):
    """Cohen's κ of two annotators, on the items that both rated; for more, the mean over pairs."""

    name: ClassVar[str] = "cohen_kappa"

    def formula(self, rows: Rows, metric: Metric) -> MeanOfPairs:
        """Return 1 − D_o/D_e prepared for rows."""
        met = Met(rows, pairable(rows, self.missing))
        return MeanOfPairs(rows.n_rows, met, metric, len(self.scale(rows.labels)))


# Standard errors


def standard_error(formula: Formula, prepared: Prepared, ratings: Ratings) -> float | None:
    """Estimate the standard deviation of a coefficient over samples of items.

    Notes
    -----
    Items are a sample from an infinite population, annotators are fixed. Each item has a linearised
    value: its influence on the coefficient. The variance is Σ influence² / (n (n − 1))
    over the n items [1]_. With every value present this is Gwet's formula for percent
    agreement, Scott's π, Fleiss' K, Cohen's and Conger's κ, the Brennan–Prediger coefficient and
    AC1/AC2, and under the policy ``items`` his formula for missing values as well: an item with one
    value counts in n, and the number of items with a pair is treated as fixed, so that the error is
    slightly larger than by resampling. His formula for α linearises the α without its correction
    for small samples. Other policies have no formula in the literature; for them the influence is
    the derivative of the coefficient.

    References
    ----------
    .. [1] Gwet, K. L. (2014). Handbook of inter-rater reliability (4th ed.). Advanced Analytics.
    """
    times = ratings.times.astype(np.float64)
    value = float(prepared.parts(times).value)
    influence = prepared.influence(times)
    sizes = np.diff(ratings.offsets)
    n_items = float(times.sum())
    compared = sizes == ratings.n_annotators if formula.missing == "remove" else sizes >= 2
    n_compared = float(times[compared].sum())
    if n_compared < 2.0:
        return None
    is_alpha = isinstance(formula, KrippendorffAlpha)
    if is_alpha and formula.missing == "values":
        moves = _alpha_moves(prepared, ratings, influence)
        variance = dot(times[compared], moves[compared] ** 2) / (n_compared * (n_compared - 1.0))
    elif not is_alpha and formula.missing == "items":
        # Gwet's value of an item is 0 without a pair, and n/n′ times its value otherwise.
        moves = influence.value + value * (np.where(compared, n_items / n_compared, 0.0) - 1.0)
        variance = dot(times, moves**2) / (n_items * (n_items - 1.0))
    else:
        correction = n_compared / (n_compared - 1.0)
        variance = dot(times, influence.value**2) / n_items**2 * correction
    return math.sqrt(variance) if math.isfinite(variance) else None


def _alpha_moves(prepared: Prepared, ratings: Ratings, influence: Influence) -> Floats:
    """Linearise α without its correction for small samples, for each row with a pair.

    This is the infinitesimal jackknife, and agrees with irrCAC 1.4. irrCAC 1.0 subtracts the
    agreement with the correction in its place, which is not the derivative of either α.
    """
    times = ratings.times.astype(np.float64)
    sizes = np.diff(ratings.offsets).astype(np.float64)
    compared = sizes >= 2
    n_values = float(times[compared] @ sizes[compared])
    n_compared = float(times[compared].sum())
    parts = prepared.parts(times)
    # Scaled by a power of two, which is exact: squares of squared distances may overflow.
    scale = 2.0 ** -math.frexp(float(parts.expected))[1]
    observed = float(parts.observed) * scale
    # Without the small-sample correction n/(n − 1) in α's expected disagreement.
    expected = float(parts.expected) * scale * (n_values - 1.0) / n_values
    # The sample consists of items with a pair only.
    among = n_compared / float(times.sum())
    more_values = sizes * n_compared / n_values - 1.0
    to_observed = among * (influence.observed * scale)
    to_expected = (
        among * (influence.expected * scale)
        + expected * n_values * more_values / (n_values - 1.0) ** 2
    ) * ((n_values - 1.0) / n_values)
    return observed * to_expected / expected**2 - to_observed / expected
