"""A coefficient on the same items under other labels, many times: what a permutation test needs."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from unisono.measures.items.coefficient import MeanOfPairs, Met
from unisono.measures.items.disagreement import OfEachAnnotator
from unisono.measures.items.metrics import Nominal, Squares
from unisono.measures.items.missing import pairable
from unisono.measures.items.ordinal import Ordinal, ordinal_parts
from unisono.measures.items.preparing import Corrected, Percent
from unisono.measures.items.rows import weighted_counts
from unisono.measures.items.work import Work

if TYPE_CHECKING:
    from collections.abc import Callable

    from unisono.measures.items.measuring import Measurable
    from unisono.measures.items.metrics import Metric, Ranked
    from unisono.measures.items.missing import MissingPolicy
    from unisono.measures.items.parts import Parts, Prepared
    from unisono.measures.items.rows import Rows
    from unisono.model.arrays import Codes, Floats, Integers
    from unisono.model.ratings import Ratings

    _Measure: TypeAlias = Callable[[Codes], Parts]

__all__ = ["Relabelled"]

# Values of a row whose pairs are compared one by one; beyond, labels are counted row by row.
_MOST_VALUES = 16
_MOST_MEETINGS = 1 << 24


class Relabelled:
    """A coefficient on items whose labels change while annotators, rows and all labels stay.

    Parameters
    ----------
    coefficient
        The coefficient.
    items
        Ratings with a row for every item.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.measures.items.names import coefficient_of
    >>> items = un.Ratings.from_matrix([list("aabb"), list("aabb")])
    >>> other = Relabelled(coefficient_of("fleiss", {}), items)
    >>> other.value(items.label_codes), other.value(items.label_codes[::-1])
    (1.0, 1.0)
    """

    def __init__(self, coefficient: Measurable, items: Ratings) -> None:
        work = Work(items, merge=False)
        self._coefficient = coefficient
        self._rows, self._times = work.rows, work.times
        self._metric = coefficient.metric(work)
        prepared = coefficient.on(work.rows, self._metric)
        self._measure: _Measure = (
            _quick(prepared, work.rows, self._metric, coefficient.missing) or self._anew
        )

    def value(self, codes: Codes) -> float:
        """Give the coefficient when the ratings have these labels; NaN where it is undefined."""
        return float(self._measure(codes).value)

    def _anew(self, codes: Codes) -> Parts:
        rows = replace(self._rows, label_codes=codes)
        return self._coefficient.on(rows, self._metric).parts(self._times)


def _quick(
    prepared: Prepared, rows: Rows, metric: Metric | Ranked, missing: MissingPolicy
) -> _Measure | None:
    """Find what counts no more than other labels can move; nothing where that is too much."""
    if isinstance(prepared, MeanOfPairs):
        met = Met(replace(rows, label_codes=_places(rows)), pairable(rows, missing))
        if met.n_meetings > _MOST_MEETINGS or not prepared.is_dense:
            return None
        return _OfPairs(prepared, met)
    has_few = int(rows.sizes.max(initial=0)) <= _MOST_VALUES
    if has_few and isinstance(prepared, Ordinal):
        return _OfRanks(prepared, rows)
    if has_few and isinstance(prepared, Corrected | Percent):
        return _OfSums(prepared, rows, metric)  # type: ignore[arg-type]  # only Ordinal takes ranks
    return None


def _places(rows: Rows) -> Codes:
    return np.arange(len(rows.label_codes), dtype=np.int32)


class _Alike(NamedTuple):
    """Rows of the same number of values: where these stand, values × rows, and a pair's weight."""

    places: Integers
    weight: float


class _Distances:
    """The weighted sum of the distances of all pairs of values."""

    def __init__(self, rows: Rows, weights: Floats) -> None:
        self._alike = []
        # The weight of a pair follows from the number of values.
        for size in np.unique(rows.sizes[weights > 0.0]).tolist():
            chosen = np.flatnonzero((rows.sizes == size) & (weights > 0.0))
            places = rows.offsets[chosen] + np.arange(size)[:, None]
            self._alike.append(_Alike(places, float(weights[chosen[0]])))

    def total(self, codes: Codes, metric: Metric) -> float:
        """Give the sum for these labels."""
        return sum(each.weight * _pair_sum(codes[each.places], metric) for each in self._alike)


def _pair_sum(columns: Codes, metric: Metric) -> float:
    if isinstance(metric, Nominal):
        return sum(float(np.count_nonzero(a != b)) for a, b in combinations(columns, 2))
    if isinstance(metric, Squares):
        apart = (a - b for a, b in combinations(metric.points[columns], 2))
        # Not @, whose threads wait for each other where the machine is busy.
        return sum(float(np.einsum("i,i", each, each)) for each in apart)
    return sum(float(metric.between(a, b).sum()) for a, b in combinations(columns, 2))


class _OfSums:
    """Coefficients from the sum of distances, and the sums that make up chance."""

    def __init__(self, prepared: Corrected | Percent, rows: Rows, metric: Metric) -> None:
        found = prepared.found
        self._finish = prepared.finish
        self._metric = metric
        self._distances = _Distances(rows, found.pair_weights)
        self._whole = float(found.weights.sum())
        self._weights: Floats | None = None
        self._own: tuple[Integers, Integers] | None = None
        self._margins = np.zeros(0)
        if isinstance(prepared, Corrected) and prepared.sums.n_columns:
            weights = prepared.sums.weights
            self._margins = prepared.sums.of(np.ones(rows.n_rows))
            # Where all values weigh the same, other orders of labels have the same margins.
            if (weights != weights[0]).any():
                self._weights = rows.along(weights)
            if isinstance(prepared.chance, OfEachAnnotator):
                self._own = _own_columns(prepared.chance, rows)

    def __call__(self, codes: Codes) -> Parts:
        margins = self._margins
        if self._weights is not None:
            columns = codes if self._own is None else self._own[0][self._own[1] + codes]
            margins = weighted_counts(columns, self._weights, len(margins))
        first = self._distances.total(codes, self._metric), self._whole
        both = np.concatenate((first, margins))
        return self._finish(both)


def _own_columns(chance: OfEachAnnotator, rows: Rows) -> tuple[Integers, Integers]:
    """Give the column of each annotator and label, and where the labels of each value begin."""
    columns = np.zeros(chance.n_annotators * chance.n_labels, dtype=np.int64)
    columns[chance.annotators * chance.n_labels + chance.labels] = np.arange(len(chance.labels))
    return columns, rows.annotator_codes.astype(np.int64) * chance.n_labels


class _OfRanks:
    """α on an ordinal scale."""

    def __init__(self, prepared: Ordinal, rows: Rows) -> None:
        self._scale = prepared.scale
        self._distances = _Distances(rows, prepared.weights)
        self._whole = float((rows.sizes * (rows.sizes - 1) / 2.0) @ prepared.weights)
        self._weights = rows.along(prepared.counted)

    def __call__(self, codes: Codes) -> Parts:
        places = self._scale.places.astype(np.int32)[codes]
        counts = weighted_counts(places, self._weights, self._scale.n_places)
        return ordinal_parts(
            counts, lambda squares: self._distances.total(places, squares), self._whole
        )


class _OfPairs:
    """The mean over pairs of annotators of Cohen's κ."""

    def __init__(self, prepared: MeanOfPairs, met: Met) -> None:
        self._prepared = prepared
        blocks = list(met.blocks())
        # Labels of this table are the places of its values.
        self._pairs, self._left, self._right = (
            np.concatenate([np.zeros(0, dtype=np.int64), *(block[part] for block in blocks)])
            for part in (1, 2, 3)
        )
        self._shared = np.bincount(self._pairs, minlength=prepared.n_pairs).astype(np.float64)

    def __call__(self, codes: Codes) -> Parts:
        prepared, pairs = self._prepared, self._pairs
        left, right = codes[self._left], codes[self._right]
        apart = prepared.metric.between(left, right)
        first = pairs * prepared.n_labels
        n_margins = prepared.n_pairs * prepared.n_labels
        sums = (
            self._shared,
            weighted_counts(pairs, apart, prepared.n_pairs),
            *(np.bincount(first + side, minlength=n_margins) for side in (left, right)),
        )
        return prepared.finish(np.concatenate(sums))
