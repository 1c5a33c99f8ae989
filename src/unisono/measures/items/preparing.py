"""Coefficients made ready: what rows add to the disagreement found and to that by chance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from unisono.measures.items.parts import Influence, Parts, corrected, ratio
from unisono.measures.items.rows import RowSums, joined_features, weighted_counts
from unisono.measures.items.spreads import spreads

if TYPE_CHECKING:
    from unisono.measures.items.disagreement import Chance
    from unisono.measures.items.metrics import Metric
    from unisono.measures.items.rows import Rows
    from unisono.model.arrays import Floats


class Found:
    """The disagreement in the data: the weighted mean distance of the pairs of each row.

    Parameters
    ----------
    rows
        The rows.
    metric
        How far two values are apart.
    weights
        The weight of each pair of a row; 0 for rows that do not count.
    """

    def __init__(self, rows: Rows, metric: Metric, weights: Floats) -> None:
        self.rows = rows
        self.pair_weights = weights
        self.distances: Floats = spreads(rows, metric) * weights
        self.weights: Floats = rows.sizes * (rows.sizes - 1) / 2.0 * weights

    def influence(self, times: Floats) -> Floats:
        """Give the influence of each row on the mean distance."""
        whole = times @ self.weights
        mean = times @ self.distances / whole
        return moved((self.distances - mean * self.weights) / whole, times)

    def by_label(self, times: Floats) -> Floats:
        """Give for each label how often just one of two values has it."""
        cells = self.rows.cells
        weights = (times * self.pair_weights)[cells.rows] * self.rows.splits
        n_labels = len(self.rows.labels)
        return weighted_counts(cells.labels, weights, n_labels) / (times @ self.weights)


def moved(slopes: Floats, times: Floats) -> Floats:
    """Turn derivatives by the times of rows into what moves when weight moves to one row."""
    influence: Floats = times.sum() * slopes - times @ slopes
    return influence


@dataclass(frozen=True)
class Percent:
    """Agreement without any chance: 1 − the disagreement found."""

    found: Found

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.found.rows.n_rows

    @cached_property
    def features(self) -> Floats:
        """What one item of each row adds to the sums."""
        return np.column_stack((self.found.distances, self.found.weights))

    def finish(self, sums: Floats) -> Parts:
        """Give the parts of sums."""
        observed = ratio(sums[..., 0], sums[..., 1])
        return Parts(observed, np.full(observed.shape, np.nan), 1.0 - observed)

    def parts(self, times: Floats) -> Parts:
        """Give the parts of weighted rows."""
        return self.finish(times @ self.features)

    def influence(self, times: Floats) -> Influence:
        """Give the influence of each row."""
        observed = self.found.influence(times)
        return Influence(observed, np.full(len(observed), np.nan), -observed)

    def by_label(self, times: Floats) -> Parts:
        """Give the parts of each label when all other labels are one."""
        observed = self.found.by_label(times)
        return Parts(observed, np.full(len(observed), np.nan), 1.0 - observed)


@dataclass
class Corrected:
    """1 − the disagreement found / that by chance."""

    found: Found
    sums: RowSums
    chance: Chance
    _last: tuple[Floats, Parts] | None = None

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.found.rows.n_rows

    @cached_property
    def features(self) -> Floats | None:
        """What one item of each row adds to the sums; `None` where that is large."""
        return joined_features(self.found.distances, self.found.weights, self.sums.features)

    def finish(self, sums: Floats) -> Parts:
        """Give the parts of sums."""
        return corrected(ratio(sums[..., 0], sums[..., 1]), self.chance.expected(sums[..., 2:]))

    def parts(self, times: Floats) -> Parts:
        """Give the parts of weighted rows."""
        # A value and its standard error ask for the same weights.
        if self._last is not None and np.array_equal(self._last[0], times):
            return self._last[1]
        observed = ratio(times @ self.found.distances, times @ self.found.weights)
        parts = corrected(observed, self.chance.expected(self.sums.of(times)))
        if times.ndim == 1:
            self._last = times.copy(), parts
        return parts

    def influence(self, times: Floats) -> Influence:
        """Give the influence of each row."""
        parts = self.parts(times)
        observed = self.found.influence(times)
        slopes = self.sums.spread(self.chance.gradient(self.sums.of(times)))
        expected = moved(slopes, times)
        return Influence(observed, expected, influence_on_value(parts, observed, expected))

    def by_label(self, times: Floats) -> Parts:
        """Give the parts of each label when all other labels are one."""
        observed = self.found.by_label(times)
        return corrected(observed, self.chance.by_label(self.sums.of(times), len(observed)))


def influence_on_value(parts: Parts, observed: Floats, expected: Floats) -> Floats:
    """Turn the influences on both parts into that on 1 − observed / expected."""
    return ((1.0 - parts.value) * expected - observed) / parts.expected
