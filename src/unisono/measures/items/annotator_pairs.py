"""All pairs of values of the same item, and sums over them per pair of annotators."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.errors import DataError
from unisono.measures.items.metrics import Nominal
from unisono.measures.items.rows import (
    WIDEST_FEATURES,
    Rows,
    distinct,
    fits,
    numbered,
    ranges,
    weighted_counts,
)
from unisono.measures.products import product

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from unisono.measures.items.metrics import Metric
    from unisono.model.arrays import Codes, Floats, Integers

__all__ = [
    "CELLS_AT_A_TIME",
    "CELLS_OF_OTHERS",
    "Met",
    "PairRows",
    "PairSums",
    "against_others",
    "rows_of_pairs",
]

CELLS_AT_A_TIME = 1 << 16
CELLS_OF_OTHERS = 1 << 21
_LARGEST_LOOK_UP = 1 << 24  # pairs of annotators, with or without a common item
_MOST_KEPT = 1 << 24  # pairs of values that are stored rather than computed again
_FEW_MARGINS = 1 << 16  # all stored, including those that do not occur
_MOST_MARGINS = 1 << 26
_MOST_PRODUCTS = 1 << 20  # of weights and sums in one batch of pairs


class Meetings(NamedTuple):
    """A block of pairs of values of the same item, with their pairs of annotators."""

    rows: Integers
    pairs: Integers
    left: Codes
    right: Codes


class Met:
    """All pairs of values of an item, in the chosen rows."""

    def __init__(
        self,
        rows: Rows,
        chosen: NDArray[np.bool_],
        *,
        cells_at_a_time: int = CELLS_AT_A_TIME,
        largest_look_up: int = _LARGEST_LOOK_UP,
        most_kept: int = _MOST_KEPT,
    ) -> None:
        self._rows = rows
        self._chosen = chosen
        self._cells_at_a_time = cells_at_a_time
        sizes = rows.sizes[chosen]
        self.n_meetings = int((sizes * (sizes - 1) // 2).sum())
        n = rows.n_annotators
        self._numbers: Integers | None = None
        if n * n <= largest_look_up:
            occurs = np.zeros(n * n, dtype=np.bool_)
            for keys, *_ in self._found():
                occurs[keys] = True
            self._keys = np.flatnonzero(occurs)
            self._numbers = np.cumsum(occurs, dtype=np.int64) - 1
        else:
            found = [distinct(keys) for keys, *_ in self._found()]
            self._keys = distinct(np.concatenate([np.zeros(0, dtype=np.int64), *found]))
        self.annotators: Integers = np.column_stack(np.divmod(self._keys, max(n, 1)))
        self._kept = list(self._numbered()) if self.n_meetings <= most_kept else None

    def blocks(self) -> Iterable[Meetings]:
        """Return all pairs of values, in blocks."""
        return self._numbered() if self._kept is None else self._kept

    def _numbered(self) -> Iterator[Meetings]:
        for keys, of_rows, left, right in self._found():
            numbers = self._numbers
            pairs = np.searchsorted(self._keys, keys) if numbers is None else numbers[keys]
            codes = self._rows.label_codes
            yield Meetings(of_rows, pairs, codes[left], codes[right])

    def _found(self) -> Iterator[tuple[Integers, Integers, Integers, Integers]]:
        """Yield pairs of values by their first annotator, so that those of a pair are adjacent."""
        rows = self._rows
        values = np.argsort(rows.annotator_codes, kind="stable")
        of_rows = np.repeat(np.arange(rows.n_rows), rows.sizes)[values]
        # The values of a row are sorted by annotator: each is paired with those after it.
        after = np.where(self._chosen[of_rows], rows.offsets[of_rows + 1] - values - 1, 0)
        ends = np.cumsum(after)
        firsts = np.arange(0, self.n_meetings, self._cells_at_a_time)
        cuts = np.searchsorted(ends, firsts, "right")
        for at, until in pairwise([*cuts.tolist(), len(values)]):
            some, n_after = values[at:until], after[at:until]
            if not n_after.any():
                continue
            left, right = np.repeat(some, n_after), ranges(some + 1, n_after)
            keys = rows.annotator_codes[left].astype(np.int64) * rows.n_annotators
            keys += rows.annotator_codes[right]
            yield keys, np.repeat(of_rows[at:until], n_after), left, right


@dataclass
class PairSums:
    """Sums over the items that each pair of annotators shares.

    The sums are concatenated: for each pair of annotators the number of shared items and the sum of
    the distances, then for each pair and label the counts of the first and of the second.
    """

    n_rows: int
    met: Met
    metric: Metric
    n_labels: int
    cells_at_a_time: int = CELLS_AT_A_TIME
    few_margins: int = _FEW_MARGINS
    widest_features: int = WIDEST_FEATURES
    _last: tuple[Floats, Floats] | None = None

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.n_rows

    @property
    def n_pairs(self) -> int:
        """The number of pairs of annotators that share an item."""
        return len(self.met.annotators)

    @cached_property
    def keys(self) -> Integers:
        """The pair and label of each margin, as pair × labels + label."""
        n_margins = self.n_pairs * self.n_labels
        if n_margins <= max(4 * self.met.n_meetings, self.few_margins):
            if n_margins > _MOST_MARGINS:
                msg = (
                    f"κ of {self.n_pairs:,} pairs of annotators over {self.n_labels:,} labels does "
                    "not fit into memory; choose annotators with Ratings.only, or use "
                    "conger_kappa"
                )
                raise DataError(msg)
            return np.arange(n_margins)
        found = [distinct(np.concatenate(self._both(block))) for block in self.met.blocks()]
        return distinct(np.concatenate([np.zeros(0, dtype=np.int64), *found]))

    @property
    def is_dense(self) -> bool:
        """Whether there is a margin for every combination of pair and label."""
        return len(self.keys) == self.n_pairs * self.n_labels

    def _both(self, block: Meetings) -> tuple[Integers, Integers]:
        first = block.pairs * self.n_labels
        return first + block.left, first + block.right

    def places(self, block: Meetings) -> tuple[Integers, Integers]:
        """Return the index of the margin of each left and of each right value."""
        left, right = self._both(block)
        if self.is_dense:
            return left, right
        return np.searchsorted(self.keys, left), np.searchsorted(self.keys, right)

    @cached_property
    def features(self) -> Floats | None:
        """What one item of each row adds to the sums; `None` if the array would be too large."""
        n_keys = len(self.keys)
        n_sums = 2 * self.n_pairs + 2 * n_keys
        if not fits(self.n_rows, n_sums, widest=self.widest_features):
            return None
        table = np.zeros((self.n_rows, n_sums))
        first = 2 * self.n_pairs
        for block in self.met.blocks():
            left, right = self.places(block)
            # Each row has at most one pair of values per pair of annotators.
            table[block.rows, block.pairs] = 1.0
            distances = self.metric.between(block.left, block.right)
            table[block.rows, self.n_pairs + block.pairs] = distances
            table[block.rows, first + left] = 1.0
            table[block.rows, first + n_keys + right] = 1.0
        return table

    def split(self, sums: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return the numbers of shared items, the distances, and both margins."""
        ends = np.cumsum((self.n_pairs, self.n_pairs, len(self.keys)))
        shared, distances, left, right = np.split(sums, ends, axis=-1)
        return shared, distances, left, right

    def sums(self, times: Floats) -> Floats:
        """Return the sums for weighted rows."""
        if times.ndim > 1:
            if self.features is not None:
                return product(times, self.features)
            flat = times.reshape(-1, times.shape[-1])
            return np.array([self.sums(each) for each in flat]).reshape(*times.shape[:-1], -1)
        # A value, its labels and its standard error use the same weights.
        if self._last is None or not np.array_equal(self._last[0], times):
            self._last = times.copy(), self._summed(times)
        return self._last[1]

    def _summed(self, times: Floats) -> Floats:
        sums = np.zeros(2 * self.n_pairs + 2 * len(self.keys))
        shared, distances, left_sums, right_sums = self.split(sums)
        for block in self.met.blocks():
            # Only the pairs of this block are updated.
            first, last = int(block.pairs.min()), int(block.pairs.max()) + 1
            start, end = np.searchsorted(self.keys, (first * self.n_labels, last * self.n_labels))
            weights, pairs = times[block.rows], block.pairs - first
            apart = self.metric.between(block.left, block.right)
            left, right = self.places(block)
            shared[first:last] += weighted_counts(pairs, weights, last - first)
            distances[first:last] += weighted_counts(pairs, weights * apart, last - first)
            left_sums[start:end] += weighted_counts(left - start, weights, end - start)
            right_sums[start:end] += weighted_counts(right - start, weights, end - start)
        return sums

    def crossed(self, left: Floats, right: Floats, shared: Floats) -> Floats:
        """Return Σ_ck l_c·r_k·δ_ck for each pair."""
        keys = self.keys
        starts = np.searchsorted(keys, np.arange(self.n_pairs) * self.n_labels)
        if isinstance(self.metric, Nominal):
            return shared**2 - _segments(left * right, starts)
        if not self.n_pairs:
            return shared
        flat = right.reshape(-1, right.shape[-1])
        against = np.array([self.against(each) for each in flat]).reshape(right.shape)
        return _segments(left * against, starts)

    def against(self, margins: Floats) -> Floats:
        """Return Σ_k m_k·δ_ck for each margin of one weighting, within its pair."""
        keys = self.keys
        step = max(1, self.cells_at_a_time // max(self.n_labels, 1))
        found = []
        for first in range(0, self.n_pairs, step):
            last = min(first + step, self.n_pairs)
            at, until = np.searchsorted(keys, (first * self.n_labels, last * self.n_labels))
            places = keys[at:until] - first * self.n_labels
            table = np.zeros((last - first) * self.n_labels)
            table[places] = margins[at:until]
            against = self.metric.against(table.reshape(last - first, self.n_labels))
            found.append(against.ravel()[places])
        return np.concatenate(found or [np.zeros(0)])


def _segments(values: Floats, starts: Integers) -> Floats:
    if not len(starts):
        return np.zeros((*values.shape[:-1], 0))
    return np.add.reduceat(values, starts, axis=-1)


def against_others(
    metric: Metric,
    annotators: Integers,
    labels: Integers,
    shares: Floats,
    *,
    shape: tuple[int, int],
    cells_at_a_time: int,
) -> Iterator[tuple[Floats, Floats]]:
    """Yield the distances of each annotator's labels to those of all others, and their proportions.

    Annotators are processed in blocks, because annotators × labels may be large.
    """
    n_annotators, n_labels = shape
    everyone = weighted_counts(labels, shares, n_labels)
    step = max(1, cells_at_a_time // n_labels)
    for first in range(0, n_annotators, step):
        at, until = np.searchsorted(annotators, (first, first + step))
        places = annotators[at:until] - first, labels[at:until]
        others = np.tile(everyone, (min(step, n_annotators - first), 1))
        others[places] = np.maximum(others[places] - shares[at:until], 0.0)
        yield metric.against(others)[places], shares[at:until]


class PairRows(NamedTuple):
    """The values of a block of pairs of annotators."""

    annotators: Integers
    """The codes of both annotators: pairs × 2."""
    rows: Rows
    """Rows of two values, or of one if only one of the two annotators has a value."""
    times: Floats
    """The number of items of each pair that each row represents: pairs × rows."""


def rows_of_pairs(
    rows: Rows, times: Floats, chosen: NDArray[np.bool_], *, cells_at_a_time: int = CELLS_AT_A_TIME
) -> list[PairRows]:
    """Return the values of each pair of annotators that shares an item, in blocks of pairs."""
    met = Met(rows, chosen, cells_at_a_time=cells_at_a_time)
    n_pairs, n_labels = len(met.annotators), max(len(rows.labels), 1)
    keys, weights = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    for block in met.blocks():
        found, places = numbered(
            (block.pairs * n_labels + block.left) * n_labels + block.right, n_pairs * n_labels**2
        )
        keys.append(found)
        weights.append(weighted_counts(places, times[block.rows], len(found)))
    cells, places = numbered(np.concatenate(keys), n_pairs * n_labels**2)
    shared = weighted_counts(places, np.concatenate(weights), len(cells))
    pairs, labels = np.divmod(cells, n_labels**2)
    starts = np.searchsorted(pairs, np.arange(n_pairs + 1))
    values = np.flatnonzero(rows.along(chosen.astype(np.float64)))
    codes = rows.annotator_codes[values].astype(np.int64) * n_labels + rows.label_codes[values]
    given = weighted_counts(codes, rows.along(times)[values], rows.n_annotators * n_labels)
    given = given.reshape(rows.n_annotators, n_labels)
    widest = int(np.diff(starts).max(initial=0)) + 2 * n_labels
    step = max(1, math.isqrt(_MOST_PRODUCTS // (widest * n_labels)))
    some = []
    for first in range(0, n_pairs, step):
        annotators = met.annotators[first : first + step]
        here = slice(starts[first], starts[first + len(annotators)])
        of_pair, (left, right) = pairs[here] - first, np.divmod(labels[here], n_labels)
        alone = given[annotators]
        for side, codes in enumerate((left, right)):
            both = weighted_counts(of_pair * n_labels + codes, shared[here], alone[:, side].size)
            alone[:, side] -= both.reshape(len(annotators), n_labels)
        of_one, sides, codes = np.nonzero(alone > 0.0)
        sizes = np.repeat([2, 1], [len(left), len(codes)])
        two = Rows(
            rows.labels,
            2,
            rows.anonymous,
            np.concatenate(([0], np.cumsum(sizes))),
            np.concatenate((np.tile([0, 1], len(left)), sides)).astype(np.int32),
            np.concatenate((np.column_stack((left, right)).ravel(), codes)).astype(np.int32),
        )
        of_rows = np.zeros((len(annotators), len(sizes)))
        of_rows[of_pair, np.arange(len(left))] = shared[here]
        of_rows[of_one, np.arange(len(left), len(sizes))] = alone[of_one, sides, codes]
        some.append(PairRows(annotators, two, of_rows))
    return some
