"""What two annotators said of the same items, for every pair of annotators who share one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.errors import DataError
from unisono.measures.items.metrics import Nominal
from unisono.measures.items.parts import Influence, Parts, corrected, ratio
from unisono.measures.items.preparing import moved
from unisono.measures.items.rows import distinct, fits, ranges, weighted_counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from unisono.measures.items.metrics import Metric
    from unisono.measures.items.rows import Rows
    from unisono.model.arrays import Codes, Floats, Integers


_CELLS_AT_A_TIME = 1 << 16
_LARGEST_LOOK_UP = 1 << 24  # pairs of annotators, whether they meet or not
_MOST_KEPT = 1 << 24  # pairs of values that are kept rather than found again
_FEW_MARGINS = 1 << 16  # that are all written out, whether they occur or not
_MOST_MARGINS = 1 << 26


class Meetings(NamedTuple):
    """Some pairs of values of the same item, with the pair of annotators that gave them."""

    rows: Integers
    pairs: Integers
    left: Codes
    right: Codes


class Met:
    """Every two values of an item, in the rows that are chosen.

    Parameters
    ----------
    rows
        The rows.
    chosen
        Which of them count.
    """

    def __init__(self, rows: Rows, chosen: NDArray[np.bool_]) -> None:
        self._rows = rows
        self._chosen = chosen
        sizes = rows.sizes[chosen]
        self.n_meetings = int((sizes * (sizes - 1) // 2).sum())
        n = rows.n_annotators
        self._numbers: Integers | None = None
        if n * n <= _LARGEST_LOOK_UP:
            occurs = np.zeros(n * n, dtype=np.bool_)
            for keys, *_ in self._found():
                occurs[keys] = True
            self._keys = np.flatnonzero(occurs)
            self._numbers = np.cumsum(occurs, dtype=np.int64) - 1
        else:
            found = [distinct(keys) for keys, *_ in self._found()]
            self._keys = distinct(np.concatenate([np.zeros(0, dtype=np.int64), *found]))
        self.annotators: Integers = np.column_stack(np.divmod(self._keys, max(n, 1)))
        self._kept = list(self._numbered()) if self.n_meetings <= _MOST_KEPT else None

    def blocks(self) -> Iterable[Meetings]:
        """Give all meetings, some at a time."""
        return self._numbered() if self._kept is None else self._kept

    def _numbered(self) -> Iterator[Meetings]:
        for keys, of_rows, left, right in self._found():
            numbers = self._numbers
            pairs = np.searchsorted(self._keys, keys) if numbers is None else numbers[keys]
            codes = self._rows.label_codes
            yield Meetings(of_rows, pairs, codes[left], codes[right])

    def _found(self) -> Iterator[tuple[Integers, Integers, Integers, Integers]]:
        """Find meetings by their first annotator, so that those of a pair lie near each other."""
        rows = self._rows
        values = np.argsort(rows.annotator_codes, kind="stable")
        of_rows = np.repeat(np.arange(rows.n_rows), rows.sizes)[values]
        # The values of a row stand by annotator: each meets those that come after it.
        after = np.where(self._chosen[of_rows], rows.offsets[of_rows + 1] - values - 1, 0)
        ends = np.cumsum(after)
        cuts = np.searchsorted(ends, np.arange(0, self.n_meetings, _CELLS_AT_A_TIME), "right")
        for at, until in pairwise([*cuts.tolist(), len(values)]):
            some, n_after = values[at:until], after[at:until]
            if not n_after.any():
                continue
            left, right = np.repeat(some, n_after), ranges(some + 1, n_after)
            keys = rows.annotator_codes[left].astype(np.int64) * rows.n_annotators
            keys += rows.annotator_codes[right]
            yield keys, np.repeat(of_rows[at:until], n_after), left, right


@dataclass
class MeanOfPairs:
    """Cohen's κ of each pair of annotators, and Light's: their mean.

    The sums are, one after another: for each pair the items they share and the distances in
    them, then for each pair and label how often the first gave it, and how often the second did.
    """

    n_rows: int
    met: Met
    metric: Metric
    n_labels: int
    _last: tuple[Floats, Floats] | None = None

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.n_rows

    @property
    def n_pairs(self) -> int:
        """How many pairs of annotators share an item."""
        return len(self.met.annotators)

    @cached_property
    def _keys(self) -> Integers:
        """The pair and label of each margin, as pair × labels + label."""
        n_margins = self.n_pairs * self.n_labels
        if n_margins <= max(4 * self.met.n_meetings, _FEW_MARGINS):
            if n_margins > _MOST_MARGINS:
                msg = (
                    f"κ of {self.n_pairs:,} pairs of annotators over {self.n_labels:,} labels is "
                    "more than fits into memory; choose annotators with Ratings.only, or take "
                    "conger_kappa"
                )
                raise DataError(msg)
            return np.arange(n_margins)
        found = [distinct(np.concatenate(self._both(block))) for block in self.met.blocks()]
        return distinct(np.concatenate([np.zeros(0, dtype=np.int64), *found]))

    @property
    def is_dense(self) -> bool:
        """Whether there is a margin for each pair and each label, also those that never meet."""
        return len(self._keys) == self.n_pairs * self.n_labels

    def _both(self, block: Meetings) -> tuple[Integers, Integers]:
        first = block.pairs * self.n_labels
        return first + block.left, first + block.right

    def _places(self, block: Meetings) -> tuple[Integers, Integers]:
        """Give the margin of each left and of each right value."""
        left, right = self._both(block)
        if self.is_dense:
            return left, right
        return np.searchsorted(self._keys, left), np.searchsorted(self._keys, right)

    @cached_property
    def features(self) -> Floats | None:
        """What one item of each row adds to the sums; `None` where that is large."""
        n_keys = len(self._keys)
        n_sums = 2 * self.n_pairs + 2 * n_keys
        if not fits(self.n_rows, n_sums):
            return None
        table = np.zeros((self.n_rows, n_sums))
        first = 2 * self.n_pairs
        for block in self.met.blocks():
            left, right = self._places(block)
            # A row meets a pair once, and then each of these columns once.
            table[block.rows, block.pairs] = 1.0
            distances = self.metric.between(block.left, block.right)
            table[block.rows, self.n_pairs + block.pairs] = distances
            table[block.rows, first + left] = 1.0
            table[block.rows, first + n_keys + right] = 1.0
        return table

    def finish(self, sums: Floats) -> Parts:
        """Give the mean over the pairs that share an item; NaN if one of these has no κ."""
        each = self.finish_pairs(sums)
        shared = sums[..., : self.n_pairs] > 0.0
        n = shared.sum(axis=-1).astype(np.float64)
        return Parts(*(ratio(np.where(shared, part, 0.0).sum(axis=-1), n) for part in each))

    def finish_pairs(self, sums: Floats) -> Parts:
        """Give the parts of each pair: Cohen (1960, 1968), κ = 1 − Σ δ_ck·p_ck / Σ δ_ck·p_c·p_k."""
        shared, distances, left, right = self._split(sums)
        expected = ratio(self._crossed(left, right, shared), shared**2)
        return corrected(ratio(distances, shared), expected)

    def _split(self, sums: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        ends = np.cumsum((self.n_pairs, self.n_pairs, len(self._keys)))
        shared, distances, left, right = np.split(sums, ends, axis=-1)
        return shared, distances, left, right

    def parts(self, times: Floats) -> Parts:
        """Give the parts of weighted rows."""
        return self.finish(self.sums(times))

    def sums(self, times: Floats) -> Floats:
        """Give the sums of weighted rows."""
        if times.ndim > 1:
            if self.features is not None:
                return times @ self.features
            flat = times.reshape(-1, times.shape[-1])
            return np.array([self.sums(each) for each in flat]).reshape(*times.shape[:-1], -1)
        # A value, its labels and its standard error ask for the same weights.
        if self._last is None or not np.array_equal(self._last[0], times):
            self._last = times.copy(), self._summed(times)
        return self._last[1]

    def _summed(self, times: Floats) -> Floats:
        sums = np.zeros(2 * self.n_pairs + 2 * len(self._keys))
        shared, distances, left_sums, right_sums = self._split(sums)
        for block in self.met.blocks():
            # Only the pairs of this block are touched.
            first, last = int(block.pairs.min()), int(block.pairs.max()) + 1
            start, end = np.searchsorted(self._keys, (first * self.n_labels, last * self.n_labels))
            weights, pairs = times[block.rows], block.pairs - first
            apart = self.metric.between(block.left, block.right)
            left, right = self._places(block)
            shared[first:last] += weighted_counts(pairs, weights, last - first)
            distances[first:last] += weighted_counts(pairs, weights * apart, last - first)
            left_sums[start:end] += weighted_counts(left - start, weights, end - start)
            right_sums[start:end] += weighted_counts(right - start, weights, end - start)
        return sums

    def influence(self, times: Floats) -> Influence:
        """Give the influence of each row."""
        sums = self.sums(times)
        each = self.finish_pairs(sums)
        shared, _, left_sums, right_sums = self._split(sums)
        against_left, against_right = self._against(left_sums), self._against(right_sums)
        n_shared = np.count_nonzero(shared > 0.0)
        slopes = np.zeros((3, self.n_rows))
        for block in self.met.blocks():
            left, right = self._places(block)
            n, o, e, value = (part[block.pairs] for part in (shared, *each))
            observed = (self.metric.between(block.left, block.right) - o) / n
            expected = ((against_right[left] + against_left[right]) / n - 2.0 * e) / n
            moves = observed, expected, ((1.0 - value) * expected - observed) / e
            slopes += [weighted_counts(block.rows, move, self.n_rows) for move in moves]
        observed, expected, value = (moved(each / n_shared, times) for each in slopes)
        return Influence(observed, expected, value)

    def by_label(self, times: Floats) -> Parts:
        """Give the parts of each label when all others are one: means over pairs that have them."""
        shared, _, left, right = self._split(self.sums(times))
        both = np.zeros(len(self._keys))
        for block in self.met.blocks():
            same = block.left == block.right
            places = self._places(block)[0][same]
            start = int(places.min()) if places.size else 0
            counted = weighted_counts(places - start, times[block.rows[same]], 0)
            both[start : start + len(counted)] += counted
        pairs, labels = np.divmod(self._keys, self.n_labels)
        p, q, r = (np.nan_to_num(ratio(each, shared[pairs])) for each in (left, right, both))
        parts = corrected(p + q - 2.0 * r, p + q - 2.0 * p * q)
        # A pair that never uses the label, or no other, has nothing to say of it.
        defined = parts.expected > 0.0
        n = weighted_counts(labels[defined], np.ones(np.count_nonzero(defined)), self.n_labels)
        observed, expected, value = (
            ratio(weighted_counts(labels[defined], part[defined], self.n_labels), n)
            for part in parts
        )
        return Parts(observed, expected, value)

    def _crossed(self, left: Floats, right: Floats, shared: Floats) -> Floats:
        """Give Σ_ck l_c·r_k·δ_ck of each pair."""
        keys = self._keys
        starts = np.searchsorted(keys, np.arange(self.n_pairs) * self.n_labels)
        if isinstance(self.metric, Nominal):
            return shared**2 - _segments(left * right, starts)
        if not self.n_pairs:
            return shared
        flat = right.reshape(-1, right.shape[-1])
        against = np.array([self._against(each) for each in flat]).reshape(right.shape)
        return _segments(left * against, starts)

    def _against(self, margins: Floats) -> Floats:
        """Give Σ_k m_k·δ_ck for each margin of one weighting, within its pair."""
        keys = self._keys
        step = max(1, _CELLS_AT_A_TIME // max(self.n_labels, 1))
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
