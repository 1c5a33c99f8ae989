"""How far the values of each row lie apart: the sum of the distances of all its pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unisono.measures.items.metrics import Circle, Nominal, Squares

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unisono.measures.items.metrics import Metric
    from unisono.measures.items.rows import Rows
    from unisono.model.arrays import Floats


_PAIRS_AT_A_TIME = 1 << 20
_MOST_LABELS_BY_PAIRS = 256


def spreads(rows: Rows, metric: Metric) -> Floats:
    """Add up the distances of all unordered pairs of values, row by row."""
    if isinstance(metric, Nominal):
        # Each pair of different labels is seen from both of its cells.
        return np.bincount(rows.cells.rows, weights=rows.splits, minlength=rows.n_rows) / 2.0
    if isinstance(metric, Squares):
        return _spreads_of_points(rows, metric.points)
    if isinstance(metric, Circle):
        return _spreads_of_angles(rows, metric.angles)
    return _spreads_by_pairs(rows, metric)


def _spreads_of_points(rows: Rows, points: Floats) -> Floats:
    # Σ_{i<j}(x_i − x_j)² = n·Σ(x_i − x̄)², from the row's first value so that equal is exactly 0.
    values = points[rows.label_codes]
    values -= rows.along(values[rows.offsets[:-1]])
    values -= rows.along(rows.within(values) / rows.sizes)
    values *= values
    return rows.sizes * rows.within(values)


def _spreads_of_angles(rows: Rows, angles: Floats) -> Floats:
    # Σ_{i<j} sin²((θ_i − θ_j)/2) = (n² − |Z|²)/4 with Z = Σ exp(iθ), and n − |Z| is the sum of
    # 2·sin² of half the angles to the direction of Z: no difference of large numbers.
    values = angles[rows.label_codes]
    values -= rows.along(values[rows.offsets[:-1]])
    eastward, northward = rows.within(np.cos(values)), rows.within(np.sin(values))
    values -= rows.along(np.arctan2(northward, eastward))
    short = 2.0 * rows.within(np.sin(values / 2.0) ** 2)
    return short * (rows.sizes + np.hypot(eastward, northward)) / 4.0


def _spreads_by_pairs(rows: Rows, metric: Metric) -> Floats:
    sums = np.zeros(rows.n_rows)
    counts = rows.cells.counts.astype(np.float64)
    for of_rows, left, right in pairs_of_cells(rows):
        distances = metric.between(rows.cells.labels[left], rows.cells.labels[right])
        sums += np.bincount(
            of_rows, weights=distances * counts[left] * counts[right], minlength=rows.n_rows
        )
    for row, cells in _rows_of_many_labels(rows):
        weights = np.zeros(len(rows.labels))
        weights[rows.cells.labels[cells]] = counts[cells]
        sums[row] = weights @ metric.against(weights) / 2.0
    return sums


def pairs_of_cells(
    rows: Rows, *, most_labels: int | None = _MOST_LABELS_BY_PAIRS
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
    """Give all pairs of different labels of a row, as rows and numbers of cells, some at a time.

    Rows of more labels than `most_labels` are not among them; they have too many pairs.
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


def _rows_of_many_labels(rows: Rows) -> Iterator[tuple[int, slice]]:
    per_row = np.bincount(rows.cells.rows, minlength=rows.n_rows)
    ends = np.cumsum(per_row)
    for row in np.flatnonzero(per_row > _MOST_LABELS_BY_PAIRS):
        yield int(row), slice(int(ends[row] - per_row[row]), int(ends[row]))
