"""Krippendorff's α, and its own bootstrap of disagreements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from unisono.errors import SettingError, setting
from unisono.measures.distances import check_distance
from unisono.measures.items.coefficient import Corrected, Found, Work, measured
from unisono.measures.items.disagreement import Ordinal, WithoutReplacement, pairs_of_cells
from unisono.measures.items.metrics import (
    Ranked,
    checked_order,
    distance_metric,
    scale_notes,
    scale_text,
)
from unisono.measures.items.rows import (
    RowSums,
    check_missing,
    pair_weights,
    pairable,
    weighted_counts,
)
from unisono.measures.sampling import ItemDraws, blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.coefficient import Kind, Settings
    from unisono.measures.items.metrics import Metric
    from unisono.measures.items.result import ItemsAgreement
    from unisono.measures.items.rows import MissingPolicy, Prepared, Rows
    from unisono.model.arrays import Floats
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings

__all__ = ["KrippendorffAlpha", "krippendorff_alpha", "krippendorff_resamples", "observed_pairs"]


def krippendorff_alpha(
    ratings: Ratings,
    *,
    distance: str | DistanceMatrix | Callable[[Label, Label], float] = "nominal",
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    by_label: bool | None = None,
    by_pair: bool | None = None,
) -> ItemsAgreement:
    """Say how much annotators agree on labels beyond chance, by Krippendorff's α.

    1 is perfect agreement, 0 what chance would give, and less than 0 is worse than chance.

    Parameters
    ----------
    ratings
        What the annotators said.
    distance
        How far two labels are apart: ``"nominal"``, ``"ordinal"``, ``"interval"``, ``"ratio"``,
        ``"circular"`` (``"circular:24"`` on a circle of 24), ``"bipolar"`` (``"bipolar:1..7"``),
        ``"edit"``, for sets ``"jaccard"``, ``"dice"`` or ``"masi"``; a `DistanceMatrix`; or a
        function of two labels that gives a number of at least 0.
    missing
        How much the pairs of an item weigh when items differ in how many values they have:
        ``"values"`` is Krippendorff's own, ``"items"``, ``"pairs"``, or ``"remove"`` for items all
        annotators rated [2]_. It moves the disagreement observed.
    order
        All labels from low to high, for ``"ordinal"`` on labels that are no numbers.
    by_label
        Whether to give α for each label, all others taken for one, if the distance is nominal;
        by default up to 1,000 labels.
    by_pair
        Whether to give it for each two annotators; by default up to 30 annotators.

    Returns
    -------
    ItemsAgreement
        α with the disagreements observed and expected, in the units of the distance as they are
        published; NaN with a reason where it is undefined.

    Raises
    ------
    SettingError
        If there is no such distance or policy.
    DataError
        If the distance cannot compare a label.

    Notes
    -----
    α = 1 − D_o/D_e [1]_. D_o is the mean distance of two values of the same item. D_e is that of
    any two of the n values that have a partner, Σ n_c·n_k·δ_ck / (n(n − 1)). Items with fewer than
    two values are left out entirely.

    Distances by numbers take one pass over the values, whatever their number: interval and ordinal
    by means and variances, circular by the mean direction, ratio and bipolar on a logarithmic
    scale. The distance of sets, texts, or by a function of V different labels takes up to V²/2
    comparisons for D_e; no table of them is kept when V is large.

    References
    ----------
    .. [1] Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability. Departmental papers
       (ASC), University of Pennsylvania.
    .. [2] Mathet, Y. (2017). The agreement measure γcat a complement to γ focused on categorization
       of a continuum. Computational Linguistics 43(3), section 3.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix(
    ...     [
    ...         [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    ...         [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    ...         [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    ...         [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ...     ]
    ... )
    >>> alpha = un.krippendorff_alpha(ratings)
    >>> f"{alpha:.3f}", f"{alpha.observed:.3f}", f"{alpha.expected:.3f}"
    ('0.743', '0.200', '0.779')
    >>> f"{un.krippendorff_alpha(ratings, distance='ordinal'):.3f}"
    '0.815'
    """
    coefficient = KrippendorffAlpha(distance=distance, missing=missing, order=order)
    return measured(coefficient, Work(ratings), by_label=by_label, by_pair=by_pair)


@dataclass(frozen=True, slots=True, kw_only=True)
class KrippendorffAlpha:
    """Krippendorff's α with its settings."""

    distance: str | DistanceMatrix | Callable[[Label, Label], float] = "nominal"
    missing: MissingPolicy = "values"
    order: Sequence[Label] | None = None

    name: ClassVar[str] = "krippendorff_alpha"
    kind: ClassVar[Kind] = "alpha"

    def __post_init__(self) -> None:
        check_distance(self.distance)
        check_missing(self.missing)
        object.__setattr__(self, "order", checked_order(self.order))
        if self.order is not None and self.distance != "ordinal":
            msg = f"{setting('order')} is for {setting('distance', 'ordinal')} only"
            raise SettingError(msg)

    def prepare(self, ratings: Ratings) -> Prepared:
        """Make it ready for ratings."""
        work = Work(ratings, merge=False)
        return self.on(work.rows, self.metric(work))

    def refusal(self, work: Work) -> str | None:  # noqa: ARG002 - it always applies
        """Say why it does not apply to these ratings."""
        return None

    def metric(self, work: Work) -> Metric | Ranked:
        """Give the metric of its setting on these labels."""
        return distance_metric(work.rows.labels, self.distance, _tuple(self.order))

    def on(self, rows: Rows, metric: Metric | Ranked) -> Prepared:
        """Make it ready for rows."""
        weights = pair_weights(rows, self.missing)
        # The values that have a partner; α leaves the others out under every policy.
        counted = pairable(rows, self.missing).astype(np.float64)
        if isinstance(metric, Ranked):
            return Ordinal(rows, metric, weights, counted)
        sums = RowSums(rows, rows.label_codes, len(rows.labels), counted)
        return Corrected(Found(rows, metric, weights), sums, WithoutReplacement(metric))

    def settings(self, work: Work, metric: Metric | Ranked) -> Settings:
        """Give its settings for the signature."""
        text = scale_text(self.distance, work.rows.labels, _tuple(self.order), metric)
        return (("distance", text),)

    def notes(self, work: Work) -> tuple[str, ...]:
        """Tell what a reader must know."""
        notes = scale_notes(self.distance, work.rows.labels)
        if self.missing in {"items", "pairs"} and work.unequal():
            notes += ("Krippendorff's own α weighs missing values by the policy 'values'",)
        return notes


class ObservedPairs(NamedTuple):
    """Every two labels that meet in an item."""

    distances: Floats
    weights: Floats
    """Coincidences, both orders counted; they add up to the number of values with a partner."""
    counts: Floats
    """How many unordered pairs of values there are."""


def observed_pairs(ratings: Ratings, coefficient: KrippendorffAlpha) -> ObservedPairs:
    """Count the pairs of labels that meet, and say how far they are apart."""
    work = Work(ratings, merge=False)
    rows, cells = work.rows, work.rows.cells
    metric = coefficient.metric(work)
    weights = pair_weights(rows, coefficient.missing)
    if isinstance(metric, Ranked):
        counted = np.repeat(work.times * (weights > 0.0), rows.sizes)
        metric = metric.fitted(weighted_counts(rows.label_codes, counted, len(rows.labels)))
    numbers = cells.counts.astype(np.float64)
    blocks = [(cells.rows, cells.labels, cells.labels, numbers * (numbers - 1.0) / 2.0)]
    blocks += [
        (of_rows, cells.labels[left], cells.labels[right], numbers[left] * numbers[right])
        for of_rows, left, right in pairs_of_cells(rows, most_labels=None)
    ]
    met = np.concatenate([block[0] for block in blocks])
    keys = np.concatenate([block[1] * len(rows.labels) + block[2] for block in blocks])
    counts = np.concatenate([block[3] for block in blocks]) * work.times[met]
    counts[weights[met] == 0.0] = 0.0
    found, places = np.unique(keys[counts > 0.0], return_inverse=True)
    chosen = met[counts > 0.0]
    counts = counts[counts > 0.0]
    left, right = np.divmod(found, max(len(rows.labels), 1))
    return ObservedPairs(
        metric.between(left, right),
        weighted_counts(places, 2.0 * counts * weights[chosen], len(found)),
        weighted_counts(places, counts, len(found)),
    )


def _tuple(order: Sequence[Label] | None) -> tuple[Label, ...] | None:
    return None if order is None else tuple(order)


def krippendorff_resamples(
    pairs: ObservedPairs,
    ratings: Ratings,
    expected: float,
    *,
    n: int,
    seed: int,
    stream: int,
    at_once: int | None = None,
) -> NDArray[np.float64]:
    """Draw α from the deviations of observed pairs of values.

    Notes
    -----
    An item with m values has m(m − 1)/2 pairs; as many pairs are drawn for it with replacement
    from the pairs of all items, and each lowers α from 1 by 2δ² / (n·De·(m − 1)), n the number of
    pairable values [1]_, as the R package icr carries it out, whose published figures come out
    again. Equal numbers of values are drawn for together, as counts.

    References
    ----------
    .. [1] Krippendorff, K. (2016). Bootstrapping distributions for Krippendorff's alpha.
       University of Pennsylvania.
    """
    distances, place = np.unique(pairs.distances, return_inverse=True)
    numbers = np.zeros(len(distances))
    np.add.at(numbers, place, pairs.counts)
    drawn_from = np.rint(numbers).astype(np.int64)
    sizes = np.diff(ratings.offsets)
    items_of_size = np.bincount(sizes, weights=ratings.times).astype(np.int64)
    n_values = float(sum(m * int(items) for m, items in enumerate(items_of_size) if m >= 2))
    lowered = np.zeros(n)
    for m in np.flatnonzero(items_of_size).tolist():
        if m < 2:
            continue
        size = int(items_of_size[m]) * m * (m - 1) // 2
        draws = ItemDraws(drawn_from, seed, stream, m, size=size)
        for first, count in blocks(n, len(distances), at_once=at_once):
            deviations = draws.counts(first, count) @ distances
            lowered[first : first + count] += 2.0 * deviations / (m - 1)
    return np.maximum(1.0 - lowered / (n_values * expected), -1.0)
