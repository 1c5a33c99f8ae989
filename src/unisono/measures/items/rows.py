"""Ratings as rows of label codes, sums over rows, and the parts of a coefficient."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.measures.products import dot, product
from unisono.model.ratings import labels_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unisono.model.arrays import Codes, Floats, Integers
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings


def influence_on_value(parts: Parts, observed: Floats, expected: Floats) -> Floats:
    """Return the influence on 1 − observed / expected from the influences on both parts."""
    return ((1.0 - parts.value) * expected - observed) / parts.expected


def moved(slopes: Floats, times: Floats) -> Floats:
    """Convert derivatives by the weights of rows into influences of single rows."""
    influence: Floats = times.sum() * slopes - dot(times, slopes)
    return influence


class Parts(NamedTuple):
    """The parts of a coefficient for one or more weightings of the rows, in equal shapes."""

    observed: Floats
    """Observed disagreement; NaN where there are no pairs."""
    expected: Floats
    """Expected disagreement; NaN where it is undefined."""
    value: Floats
    """The coefficient; NaN where it is undefined."""


class Influence(NamedTuple):
    """The change of the parts when weight moves from all items to one row: one number per row.

    The derivative of ``parts((1 − t)·times + t·n·e_r)`` at t = 0, n the number of items.
    """

    observed: Floats
    expected: Floats
    value: Floats


def corrected(observed: Floats, expected: Floats) -> Parts:
    """Correct for chance: 1 − observed / expected, NaN where chance never disagrees."""
    return Parts(observed, expected, 1.0 - ratio(observed, expected))


def ratio(parts: Floats, wholes: Floats) -> Floats:
    """Return quotients; NaN where the denominator is 0."""
    shape = np.broadcast_shapes(np.shape(parts), np.shape(wholes))
    quotients: Floats = np.full(shape, np.nan)
    np.divide(parts, wholes, out=quotients, where=wholes > 0.0)
    return quotients


_LARGEST_TABLE = 1 << 22  # cells counted in a table rather than by sorting
_FEW_COLUMNS = 8
WIDEST_FEATURES = 4096
_LARGEST_FEATURES = 1 << 23  # numbers: 64 MB


def weighted_counts(
    codes: NDArray[np.integer], weights: NDArray[np.number], n_codes: int
) -> Floats:
    """Return the sum of the weights of each code."""
    return np.bincount(codes, weights, n_codes).astype(np.float64, copy=False)


def _is_dense(n_possible: int, n_keys: int, largest_table: int) -> bool:
    """Whether counting keys in a table of all possible keys is faster than sorting."""
    return n_possible <= max(n_keys, min(largest_table, 16 * n_keys))


def distinct(keys: Integers) -> Integers:
    """Return the sorted unique keys."""
    # np.unique hashes, which takes ten times as long when nearly all keys differ.
    in_order = np.sort(keys)
    found: Integers = in_order[np.diff(in_order, prepend=-1) != 0]
    return found


def counted(
    keys: Integers, n_keys: int, *, largest_table: int = _LARGEST_TABLE
) -> tuple[Integers, Integers]:
    """Return the sorted unique keys and their counts."""
    if not _is_dense(n_keys, len(keys), largest_table):
        return np.unique(keys, return_counts=True)
    table = np.bincount(keys, minlength=n_keys)
    found = np.flatnonzero(table)
    return found, table[found]


def numbered(
    keys: Integers, n_keys: int, *, largest_table: int = _LARGEST_TABLE
) -> tuple[Integers, Integers]:
    """Return the sorted unique keys, and the index of each key among them."""
    if not _is_dense(n_keys, len(keys), largest_table):
        found, numbers = np.unique(keys, return_inverse=True)
        return found, numbers
    occurs = np.zeros(n_keys, dtype=np.bool_)
    occurs[keys] = True
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[keys]


def ranges(starts: Integers, sizes: Integers) -> Integers:
    """Return the concatenated ranges start … start + size − 1."""
    ends = np.cumsum(sizes)
    numbers: Integers = np.arange(int(sizes.sum()))
    numbers += np.repeat(starts - (ends - sizes), sizes)
    return numbers


class Cells(NamedTuple):
    """The nonzero counts of labels in rows, sorted by row, then by label."""

    rows: Integers
    labels: Integers
    counts: Integers


@dataclass(frozen=True)
class Rows:
    """Rows of values with their annotators and labels; no row is empty."""

    labels: Sequence[Label]
    n_annotators: int
    anonymous: bool
    offsets: Integers
    annotator_codes: Codes
    label_codes: Codes
    n_rows: int = field(init=False)
    sizes: Integers = field(init=False)
    """The number of values of each row."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_rows", len(self.offsets) - 1)
        object.__setattr__(self, "sizes", np.diff(self.offsets))

    @classmethod
    def of(cls, ratings: Ratings) -> Rows:
        """Return the rows of ratings."""
        return cls(
            labels_of(ratings),
            ratings.n_annotators,
            ratings.anonymous,
            ratings.offsets,
            ratings.annotator_codes,
            ratings.label_codes,
        )

    @cached_property
    def cells(self) -> Cells:
        """The counts of labels in rows."""
        n_labels = max(len(self.labels), 1)
        keys = np.repeat(np.arange(self.n_rows) * n_labels, self.sizes) + self.label_codes
        found, counts = counted(keys, self.n_rows * n_labels)
        rows, labels = np.divmod(found, n_labels)
        return Cells(rows, labels, counts)

    @cached_property
    def splits(self) -> Integers:
        """The number of pairs of each cell with values of other labels in its row."""
        cells = self.cells
        return cells.counts * (self.sizes[cells.rows] - cells.counts)

    def within(self, values: Floats) -> Floats:
        """Return the sum over the values of each row."""
        if not len(values):
            return np.zeros(self.n_rows)
        if not 2 <= self._common_size <= _FEW_COLUMNS:
            return np.add.reduceat(values, self.offsets[:-1])
        # For rows of two values, adding columns takes an eighth of the time.
        columns = values.reshape(self.n_rows, self._common_size).T
        sums: Floats = columns[0] + columns[1]
        for column in columns[2:]:
            sums += column
        return sums

    def along(self, numbers: Floats) -> Floats:
        """Repeat the number of each row for each of its values."""
        return np.repeat(numbers, self.sizes)

    @cached_property
    def _common_size(self) -> int:
        """The number of values of every row; 0 if rows differ."""
        sizes = self.sizes
        return int(sizes[0]) if len(sizes) and (sizes == sizes[0]).all() else 0


class RowSums:
    """Sums over rows: each value adds the weight of its row to one of the columns."""

    def __init__(
        self,
        rows: Rows,
        columns: NDArray[np.integer],
        n_columns: int,
        weights: Floats,
        *,
        largest_features: int = _LARGEST_FEATURES,
    ) -> None:
        self._rows = rows
        self._columns = columns
        self.weights = weights
        self._largest_features = largest_features
        self._last: tuple[Floats, Floats] | None = None
        self.n_columns = n_columns

    def of(self, times: Floats) -> Floats:
        """Return the sums when row r represents ``times[..., r]`` items."""
        if not self.n_columns:
            return np.zeros((*times.shape[:-1], 0))
        if times.ndim == 1:
            # A value and its standard error use the same weights.
            if self._last is None or not np.array_equal(self._last[0], times):
                self._last = times.copy(), self._sums(times * self.weights)
            return self._last[1]
        if self.features is not None:
            return product(times, self.features)
        flat = (times * self.weights).reshape(-1, times.shape[-1])
        sums = np.array([self._sums(each) for each in flat])
        return sums.reshape(*times.shape[:-1], self.n_columns)

    def spread(self, numbers: Floats) -> Floats:
        """Return the weighted sum of ``numbers[c]`` over the values of each row."""
        if not self.n_columns:
            return np.zeros(self._rows.n_rows)
        return self._rows.within(numbers[self._columns]) * self.weights

    @cached_property
    def features(self) -> Floats | None:
        """What one item of each row adds to each column; `None` if the array would be too large."""
        n_rows = self._rows.n_rows
        if not fits(n_rows, self.n_columns, largest=self._largest_features):
            return None
        if not self.n_columns:
            return np.zeros((n_rows, 0))
        keys = np.repeat(np.arange(n_rows) * self.n_columns, self._rows.sizes) + self._columns
        table = np.bincount(keys, minlength=n_rows * self.n_columns)
        return table.reshape(n_rows, self.n_columns) * self.weights[:, None]

    def _sums(self, weighted: Floats) -> Floats:
        return weighted_counts(self._columns, self._rows.along(weighted), self.n_columns)


def joined_features(*columns: Floats | None, widest: int = WIDEST_FEATURES) -> Floats | None:
    """Stack features as columns; `None` if any is `None` or the result would be too large."""
    found = [each for each in columns if each is not None]
    if len(found) < len(columns):
        return None
    width = sum(each.shape[1] if each.ndim > 1 else 1 for each in found)
    return np.column_stack(found) if fits(len(found[0]), width, widest=widest) else None


def fits(
    n_rows: int,
    n_columns: int,
    *,
    widest: int = WIDEST_FEATURES,
    largest: int = _LARGEST_FEATURES,
) -> bool:
    """Whether features of this shape are small enough to be stored."""
    return n_columns <= widest and n_rows * n_columns <= largest
