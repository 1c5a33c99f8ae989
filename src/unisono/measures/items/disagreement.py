"""Fast sums of distances within items, and α with the ordinal distance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from unisono.measures.items.metrics import Circle, Nominal, Squares, square_sums
from unisono.measures.items.rows import (
    Influence,
    Parts,
    RowSums,
    corrected,
    fits,
    influence_on_value,
    joined_features,
    moved,
    ratio,
    weighted_counts,
)
from unisono.measures.products import dot, product

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from unisono.measures.items.metrics import Metric, Ranked
    from unisono.measures.items.rows import Rows
    from unisono.model.arrays import Floats


_PAIRS_AT_A_TIME = 1 << 20
_MOST_LABELS_BY_PAIRS = 256


def spreads(rows: Rows, metric: Metric) -> Floats:
    """Return the sum of the distances of all unordered pairs of values of each row."""
    if isinstance(metric, Nominal):
        # Each pair of different labels is seen from both of its cells.
        return np.bincount(rows.cells.rows, weights=rows.splits, minlength=rows.n_rows) / 2.0
    if isinstance(metric, Squares):
        return _spreads_of_points(rows, metric.points)
    if isinstance(metric, Circle):
        return _spreads_of_angles(rows, metric.angles)
    return _spreads_by_pairs(rows, metric)


def distance_sums(rows: Rows, metric: Metric) -> Floats:
    """Return for each value the sum of its distances to the other values of its row.

    Half of their sum over a row is the sum over unordered pairs that `spreads` returns.
    """
    if isinstance(metric, Squares):
        return _point_sums(rows, metric.points)
    if isinstance(metric, Circle):
        return _angle_sums(rows, metric.angles)
    cells = rows.cells
    n_labels = max(len(rows.labels), 1)
    if isinstance(metric, Nominal):
        of_cells = (rows.sizes[cells.rows] - cells.counts).astype(np.float64)
    else:
        of_cells = _cell_sums(rows, metric)
    of_values = np.repeat(np.arange(rows.n_rows) * n_labels, rows.sizes) + rows.label_codes
    found: Floats = of_cells[np.searchsorted(cells.rows * n_labels + cells.labels, of_values)]
    return found


def _point_sums(rows: Rows, points: Floats) -> Floats:
    # Σ_j(x_i − x_j)² = n·(x_i − x̄)² + Σ_j(x_j − x̄)², relative to the row's first value so that
    # equal values give exactly 0.
    values = points[rows.label_codes]
    values -= rows.along(values[rows.offsets[:-1]])
    values -= rows.along(rows.within(values) / rows.sizes)
    values *= values
    sums: Floats = rows.along(rows.sizes.astype(np.float64)) * values
    sums += rows.along(rows.within(values))
    return sums


def _angle_sums(rows: Rows, angles: Floats) -> Floats:
    # As in `Circle.against`, with each value of the row counted once.
    values = angles[rows.label_codes]
    values -= rows.along(values[rows.offsets[:-1]])
    eastward, northward = rows.within(np.cos(values)), rows.within(np.sin(values))
    values -= rows.along(np.arctan2(northward, eastward))
    apart = np.sin(values / 2.0) ** 2
    sums: Floats = (
        rows.along(rows.within(apart)) + rows.along(np.hypot(eastward, northward)) * apart
    )
    return sums


def _cell_sums(rows: Rows, metric: Metric, *, most_labels: int = _MOST_LABELS_BY_PAIRS) -> Floats:
    """Return for each label of a row the sum of its distances to the values of the row."""
    cells = rows.cells
    counts = cells.counts.astype(np.float64)
    sums = np.zeros(len(counts))
    for _, left, right in pairs_of_cells(rows, most_labels=most_labels):
        distances = metric.between(cells.labels[left], cells.labels[right])
        sums += np.bincount(left, distances * counts[right], len(sums))
        sums += np.bincount(right, distances * counts[left], len(sums))
    for _, places in _rows_of_many_labels(rows, most_labels):
        weights = np.zeros(len(rows.labels))
        weights[cells.labels[places]] = counts[places]
        sums[places] = metric.against(weights)[cells.labels[places]]
    return sums


def _spreads_of_points(rows: Rows, points: Floats) -> Floats:
    # Σ_{i<j}(x_i − x_j)² = n·Σ(x_i − x̄)², relative to the row's first value so that equal
    # values give exactly 0.
    values = points[rows.label_codes]
    values -= rows.along(values[rows.offsets[:-1]])
    values -= rows.along(rows.within(values) / rows.sizes)
    values *= values
    return rows.sizes * rows.within(values)


def _spreads_of_angles(rows: Rows, angles: Floats) -> Floats:
    # Σ_{i<j} sin²((θ_i − θ_j)/2) = (n² − |Z|²)/4 with Z = Σ exp(iθ), and n − |Z| is the sum of
    # 2·sin² of half the angles to the direction of Z, which avoids cancellation.
    values = angles[rows.label_codes]
    values -= rows.along(values[rows.offsets[:-1]])
    eastward, northward = rows.within(np.cos(values)), rows.within(np.sin(values))
    values -= rows.along(np.arctan2(northward, eastward))
    short = 2.0 * rows.within(np.sin(values / 2.0) ** 2)
    return short * (rows.sizes + np.hypot(eastward, northward)) / 4.0


def _spreads_by_pairs(
    rows: Rows, metric: Metric, *, most_labels: int = _MOST_LABELS_BY_PAIRS
) -> Floats:
    sums = np.zeros(rows.n_rows)
    counts = rows.cells.counts.astype(np.float64)
    for of_rows, left, right in pairs_of_cells(rows, most_labels=most_labels):
        distances = metric.between(rows.cells.labels[left], rows.cells.labels[right])
        sums += np.bincount(
            of_rows, weights=distances * counts[left] * counts[right], minlength=rows.n_rows
        )
    for row, cells in _rows_of_many_labels(rows, most_labels):
        weights = np.zeros(len(rows.labels))
        weights[rows.cells.labels[cells]] = counts[cells]
        sums[row] = dot(weights, metric.against(weights)) / 2.0
    return sums


def pairs_of_cells(
    rows: Rows, *, most_labels: int | None = _MOST_LABELS_BY_PAIRS
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
    """Yield blocks of pairs of different labels of a row, as row numbers and cell numbers.

    Rows with more than `most_labels` labels are omitted; they have too many pairs.
    """
    limit = len(rows.labels) if most_labels is None else most_labels
    per_row = np.bincount(rows.cells.rows, minlength=rows.n_rows)
    firsts = np.cumsum(per_row) - per_row
    for size in np.unique(per_row):
        if 2 <= size <= limit:
            one, other = np.triu_indices(int(size), 1)
            chosen = np.flatnonzero(per_row == size)
            step = max(1, _PAIRS_AT_A_TIME // len(one))
            for at in range(0, len(chosen), step):
                some = chosen[at : at + step]
                places = firsts[some][:, None]
                yield np.repeat(some, len(one)), (places + one).ravel(), (places + other).ravel()


def _rows_of_many_labels(rows: Rows, most_labels: int) -> Iterator[tuple[int, slice]]:
    per_row = np.bincount(rows.cells.rows, minlength=rows.n_rows)
    ends = np.cumsum(per_row)
    for row in np.flatnonzero(per_row > most_labels):
        yield int(row), slice(int(ends[row] - per_row[row]), int(ends[row]))


_MOST_PLACES = 64


@dataclass
class Ordinal:
    """1 − observed / expected disagreement, both by middle ranks.

    The distance depends on the counts of labels, and so on the weights of the rows. For a scale of
    few places the sums are the coincidences of each pair of places, and the counts of places.
    """

    given: Rows
    scale: Ranked
    weights: Floats
    counted: Floats
    most_places: int = _MOST_PLACES
    _last: tuple[Floats, Parts] | None = None

    @cached_property
    def _on_places(self) -> Rows:
        codes = self.scale.places[self.given.label_codes].astype(np.int32)
        places = tuple(range(self.scale.n_places))
        return replace(self.given, labels=places, label_codes=codes)

    @cached_property
    def _sums(self) -> RowSums:
        rows = self._on_places
        return RowSums(rows, rows.label_codes, self.scale.n_places, self.counted)

    @cached_property
    def _whole(self) -> Floats:
        sizes = self.given.sizes
        whole: Floats = sizes * (sizes - 1) / 2.0 * self.weights
        return whole

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.given.n_rows

    @cached_property
    def features(self) -> Floats | None:
        """What one item of each row adds to the sums; `None` if the array would be too large."""
        n = self.scale.n_places
        n_pairs = n * (n - 1) // 2
        if n > self.most_places or not fits(self.rows, n_pairs):
            return None
        column = np.zeros((n, n), dtype=np.int64)
        column[np.triu_indices(n, 1)] = np.arange(n_pairs)
        met = np.zeros((self.rows, n_pairs))
        cells = self._on_places.cells
        for of_rows, left, right in pairs_of_cells(self._on_places):
            columns = column[cells.labels[left], cells.labels[right]]
            met[of_rows, columns] = cells.counts[left] * cells.counts[right]
        return joined_features(self._whole, met * self.weights[:, None], self._sums.features)

    def finish(self, sums: Floats) -> Parts:
        """Return the parts for these sums."""
        n = self.scale.n_places
        n_pairs = n * (n - 1) // 2
        met, counts = sums[..., 1 : 1 + n_pairs], sums[..., 1 + n_pairs :]
        ranks = _middle_ranks(counts)
        one, other = np.triu_indices(n, 1)
        squares = (ranks[..., one] - ranks[..., other]) ** 2
        observed = ratio((met * squares).sum(axis=-1), sums[..., 0])
        return corrected(observed, _expected(ranks, counts))

    def parts(self, times: Floats) -> Parts:
        """Return the parts for weighted rows."""
        if times.ndim > 1:
            if self.features is not None:
                return self.finish(product(times, self.features))
            flat = times.reshape(-1, times.shape[-1])
            each = [self.parts(one) for one in flat]
            return Parts(
                *(np.array(part).reshape(times.shape[:-1]) for part in zip(*each, strict=True))
            )
        # A value and its standard error use the same weights.
        if self._last is None or not np.array_equal(self._last[0], times):
            parts = ordinal_parts(
                self._sums.of(times),
                lambda squares: dot(times, spreads(self._on_places, squares) * self.weights),
                dot(times, self._whole),
            )
            self._last = times.copy(), parts
        return self._last[1]

    def influence(self, times: Floats) -> Influence:
        """Return the influence of each row."""
        rows, counts = self._on_places, self._sums.of(times)
        ranks = _middle_ranks(counts)
        parts = self.parts(times)
        whole, n = dot(times, self._whole), counts.sum()
        distances = spreads(rows, Squares(ranks)) * self.weights
        # Derivative of the observed distances by the ranks, then of the ranks by the counts.
        values = ranks[rows.label_codes]
        pulls = rows.along(rows.sizes.astype(np.float64)) * values - rows.along(rows.within(values))
        pulls *= rows.along(2.0 * times * self.weights)
        by_rank = weighted_counts(rows.label_codes, pulls, self.scale.n_places)
        direct = (distances - parts.observed * self._whole) / whole
        observed = direct + self._sums.spread(_by_counts(by_rank)) / whole
        pairs = n * (n - 1.0)
        by_rank = 4.0 * counts * (n * ranks - dot(counts, ranks)) / pairs
        by_count = 2.0 * square_sums(ranks, counts) - parts.expected * (2.0 * n - 1.0)
        expected = self._sums.spread(by_count / pairs + _by_counts(by_rank))
        found, chance = moved(observed, times), moved(expected, times)
        return Influence(found, chance, influence_on_value(parts, found, chance))


def ordinal_parts(
    counts: Floats, distances: Callable[[Squares], Floats | float], whole: Floats | float
) -> Parts:
    """Return the parts for counts of places."""
    ranks = _middle_ranks(counts)
    found = np.asarray(distances(Squares(ranks)))
    return corrected(ratio(found, np.asarray(whole)), _expected(ranks, counts))


def _middle_ranks(counts: Floats) -> Floats:
    # Krippendorff (2011): Σ_{g=c..k} n_g − (n_c + n_k)/2 is the difference of these.
    ranks: Floats = np.cumsum(counts, axis=-1) - counts / 2.0
    return ranks


def _by_counts(by_rank: Floats) -> Floats:
    """Convert derivatives by middle ranks into derivatives by counts."""
    above = by_rank[::-1].cumsum()[::-1] - by_rank
    return above + by_rank / 2.0


def _expected(ranks: Floats, counts: Floats) -> Floats:
    n = counts.sum(axis=-1)
    return ratio((counts * square_sums(ranks, counts)).sum(axis=-1), n * (n - 1.0))
