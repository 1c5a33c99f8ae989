"""Distances of so many labels that they are made some at a time, or for met pairs only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from unisono.measures.distances import value_of_function
from unisono.measures.items.rows import ranges, weighted_counts
from unisono.measures.set_distances import SETS, as_set

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from unisono.measures.items.metrics import LabelCodes
    from unisono.model.arrays import Floats
    from unisono.model.labels import Label


_FEW_MEMBERS = 1024
_LARGEST_LOOK_UP = 1 << 20  # below 2^24, so that places in it are exact in 32 bits
_CELLS_AT_A_TIME = 1 << 15


class ManySets:
    """Jaccard, Dice or MASI of many sets.

    Parameters
    ----------
    labels
        The sets; a plain label is the set of itself.
    name
        Which distance.
    """

    def __init__(self, labels: Sequence[Label], name: str) -> None:
        sets = list(map(as_set, labels))
        number_of = {member: number for number, member in enumerate(frozenset().union(*sets))}
        self._formula = SETS[name]
        self._n_members = max(len(number_of), 1)
        self._sizes = np.array([len(members) for members in sets], dtype=np.int64)
        self._offsets = np.concatenate(([0], np.cumsum(self._sizes)))
        self._members = np.array(
            [number for each in sets for number in sorted(number_of[member] for member in each)],
            dtype=np.int64,
        )
        # Sorted, because members are sorted within sets: a set has a member if the key is there.
        self._keys = np.repeat(np.arange(len(sets)), self._sizes) * self._n_members + self._members
        by_member = np.argsort(self._members, kind="stable")
        self._holders = np.repeat(np.arange(len(sets)), self._sizes)[by_member]
        self._held = np.searchsorted(self._members[by_member], np.arange(self._n_members + 1))
        self._table, self._lines, self._columns = self._looked_up()

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Give the distances of pairs."""
        sizes = self._sizes[left]
        wanted = self._members[ranges(self._offsets[left], sizes)]
        keys = np.repeat(right.astype(np.int64), sizes) * self._n_members + wanted
        at = np.searchsorted(self._keys, keys)
        found = at < len(self._keys)
        found[found] = self._keys[at[found]] == keys[found]
        pairs = np.repeat(np.arange(len(left)), sizes)
        shared = weighted_counts(pairs, found.astype(np.float64), len(left))
        return self._formula(sizes.astype(np.float64), self._sizes[right].astype(float), shared)

    def rows(self, first: int, last: int) -> Floats:
        """Return the distances of sets first to last − 1 to all sets from first on."""
        if self._table is None:
            sizes = self._sizes.astype(np.float64)
            shared = self._shared(first, last).astype(np.float64)
            return self._formula(sizes[first:last, None], sizes[first:], shared)
        # Distances depend on three whole numbers only: they are looked up, not computed.
        if self._n_members <= _FEW_MEMBERS:
            left, right = self._to_places
            places: NDArray[np.floating] = left[first:last] @ right[:, first:]
        else:
            places = self._shared(first, last)
            places += self._columns[first:]
            places += self._lines[first:last, None]
        return self._table.take(places.astype(np.intp), mode="clip")

    def whole(self) -> Floats:
        """Give the distances of all sets to all, a row and a column a set."""
        n_sets = len(self._sizes)
        distances = np.empty((n_sets, n_sets))
        # Few at a time: what lies between sets and distances then stays in the cache.
        step = max(1, _CELLS_AT_A_TIME // max(n_sets, 1))
        for first in range(0, n_sets, step):
            last = min(first + step, n_sets)
            distances[first:last, first:] = self.rows(first, last)
            distances[last:, first:last] = distances[first:last, last:].T
        return distances

    @cached_property
    def _held_by(self) -> NDArray[np.float32]:
        # Sums of zeros and ones are exact in 32 bits.
        holds = np.zeros((len(self._sizes), self._n_members), dtype=np.float32)
        holds[np.repeat(np.arange(len(self._sizes)), self._sizes), self._members] = 1.0
        return holds

    @cached_property
    def _to_places(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Give two matrices whose product is what is shared, and line and column added to it."""
        ones = np.ones(len(self._sizes), dtype=np.float32)
        left = np.column_stack((self._held_by, self._lines, ones))
        right = np.column_stack((self._held_by, ones, self._columns))
        return left, np.ascontiguousarray(right.T)

    def _looked_up(self) -> tuple[Floats | None, NDArray[np.float32], NDArray[np.float32]]:
        """Give all distances by two sizes and what is shared, and where those of a size begin."""
        used, number = np.unique(self._sizes, return_inverse=True)
        most = int(used.max(initial=0)) + 1
        columns = (number * most).astype(np.float32)
        lines = (number * (len(used) * most)).astype(np.float32)
        if len(used) ** 2 * most > _LARGEST_LOOK_UP:
            return None, lines, columns
        sizes = used.astype(np.float64)
        shared = np.arange(most, dtype=np.float64)
        # More cannot be shared than the smaller set has; there the table is never asked.
        possible = np.minimum(shared, np.minimum(sizes[:, None], sizes)[..., None])
        table = self._formula(
            np.broadcast_to(sizes[:, None, None], possible.shape),
            np.broadcast_to(sizes[:, None], possible.shape),
            possible,
        )
        return table.ravel(), lines, columns

    def _shared(self, first: int, last: int) -> NDArray[np.floating]:
        n_sets = len(self._sizes)
        if self._n_members <= _FEW_MEMBERS:
            shared: NDArray[np.float32] = self._held_by[first:last] @ self._held_by[first:].T
            return shared
        # Members are many, so each is in few sets: only those are visited.
        own = self._members[self._offsets[first] : self._offsets[last]]
        rows = np.repeat(np.arange(last - first), self._sizes[first:last])
        n_holders = np.diff(self._held)[own]
        others = self._holders[ranges(self._held[own], n_holders)]
        keys = np.repeat(rows, n_holders) * n_sets + others
        counts = np.bincount(keys, minlength=(last - first) * n_sets)
        return counts.reshape(last - first, n_sets)[:, first:].astype(np.float64)


@dataclass(frozen=True)
class ManyByFunction:
    """A user's own distance of many labels."""

    labels: Sequence[Label]
    function: Callable[[Label, Label], float]
    most: float

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Give the distances of pairs; each unordered pair is asked for once."""
        low, high = np.minimum(left, right), np.maximum(left, right)
        keys, places = np.unique(
            low.astype(np.int64) * len(self.labels) + high, return_inverse=True
        )
        ones, others = np.divmod(keys, len(self.labels))
        return self._values(ones, others)[places]

    def rows(self, first: int, last: int) -> Floats:
        """Return the distances of labels first to last − 1 to all labels from first on."""
        n_rows, n_others = last - first, len(self.labels) - first
        distances = np.zeros((n_rows, n_others))
        ones, others = np.triu_indices(n_rows, 1, n_others)
        distances[ones, others] = self._values(ones + first, others + first)
        within = distances[:, :n_rows]
        within += within.T.copy()
        return distances

    def _values(self, ones: LabelCodes, others: LabelCodes) -> Floats:
        return np.array(
            [
                0.0
                if i == j
                else value_of_function(self.function, self.labels[i], self.labels[j], self.most)
                for i, j in zip(ones.tolist(), others.tolist(), strict=True)
            ]
        )
