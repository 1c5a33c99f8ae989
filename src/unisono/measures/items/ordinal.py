"""α on an ordinal scale: the distance itself is made of the counts of the labels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from unisono.measures.items.metrics import Squares, square_sums
from unisono.measures.items.parts import Influence, Parts, corrected, ratio
from unisono.measures.items.preparing import influence_on_value, moved
from unisono.measures.items.rows import RowSums, fits, joined_features, weighted_counts
from unisono.measures.items.spreads import pairs_of_cells, spreads

if TYPE_CHECKING:
    from collections.abc import Callable

    from unisono.measures.items.metrics import Ranked
    from unisono.measures.items.rows import Rows
    from unisono.model.arrays import Floats


_MOST_PLACES = 64


@dataclass
class Ordinal:
    """1 − the disagreement found / that by chance, both by middle ranks.

    Other weights of rows make other counts, so also another distance. Where there are few places,
    the sums are the coincidences of each two places, and the counts of places.
    """

    given: Rows
    scale: Ranked
    weights: Floats
    counted: Floats
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
        """How many rows there are."""
        return self.given.n_rows

    @cached_property
    def features(self) -> Floats | None:
        """What one item of each row adds to the sums; `None` where that is large."""
        n = self.scale.n_places
        n_pairs = n * (n - 1) // 2
        if n > _MOST_PLACES or not fits(self.rows, n_pairs):
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
        """Give the parts of sums."""
        n = self.scale.n_places
        n_pairs = n * (n - 1) // 2
        met, counts = sums[..., 1 : 1 + n_pairs], sums[..., 1 + n_pairs :]
        ranks = _middle_ranks(counts)
        one, other = np.triu_indices(n, 1)
        squares = (ranks[..., one] - ranks[..., other]) ** 2
        observed = ratio((met * squares).sum(axis=-1), sums[..., 0])
        return corrected(observed, _expected(ranks, counts))

    def parts(self, times: Floats) -> Parts:
        """Give the parts of weighted rows."""
        if times.ndim > 1:
            if self.features is not None:
                return self.finish(times @ self.features)
            flat = times.reshape(-1, times.shape[-1])
            each = [self.parts(one) for one in flat]
            return Parts(
                *(np.array(part).reshape(times.shape[:-1]) for part in zip(*each, strict=True))
            )
        # A value and its standard error ask for the same weights.
        if self._last is None or not np.array_equal(self._last[0], times):
            parts = ordinal_parts(
                self._sums.of(times),
                lambda squares: times @ (spreads(self._on_places, squares) * self.weights),
                times @ self._whole,
            )
            self._last = times.copy(), parts
        return self._last[1]

    def influence(self, times: Floats) -> Influence:
        """Give the influence of each row."""
        rows, counts = self._on_places, self._sums.of(times)
        ranks = _middle_ranks(counts)
        parts = self.parts(times)
        whole, n = times @ self._whole, counts.sum()
        distances = spreads(rows, Squares(ranks)) * self.weights
        # How the distances found move with the ranks, then the ranks with the counts.
        values = ranks[rows.label_codes]
        pulls = rows.along(rows.sizes.astype(np.float64)) * values - rows.along(rows.within(values))
        pulls *= rows.along(2.0 * times * self.weights)
        by_rank = weighted_counts(rows.label_codes, pulls, self.scale.n_places)
        direct = (distances - parts.observed * self._whole) / whole
        observed = direct + self._sums.spread(_by_counts(by_rank)) / whole
        pairs = n * (n - 1.0)
        by_rank = 4.0 * counts * (n * ranks - counts @ ranks) / pairs
        by_count = 2.0 * square_sums(ranks, counts) - parts.expected * (2.0 * n - 1.0)
        expected = self._sums.spread(by_count / pairs + _by_counts(by_rank))
        found, chance = moved(observed, times), moved(expected, times)
        return Influence(found, chance, influence_on_value(parts, found, chance))


def ordinal_parts(
    counts: Floats, distances: Callable[[Squares], Floats | float], whole: Floats | float
) -> Parts:
    """Give the parts of counts of places.

    Parameters
    ----------
    counts
        How many values have each place.
    distances
        Adds up the distances of the pairs found, each weighted, for the metric it is given.
    whole
        The sum of these weights.
    """
    ranks = _middle_ranks(counts)
    found = np.asarray(distances(Squares(ranks)))
    return corrected(ratio(found, np.asarray(whole)), _expected(ranks, counts))


def _middle_ranks(counts: Floats) -> Floats:
    # Krippendorff (2011): Σ_{g=c..k} n_g − (n_c + n_k)/2 is the difference of these.
    ranks: Floats = np.cumsum(counts, axis=-1) - counts / 2.0
    return ranks


def _by_counts(by_rank: Floats) -> Floats:
    """Turn derivatives by middle ranks into derivatives by counts."""
    above = by_rank[::-1].cumsum()[::-1] - by_rank
    return above + by_rank / 2.0


def _expected(ranks: Floats, counts: Floats) -> Floats:
    n = counts.sum(axis=-1)
    return ratio((counts * square_sums(ranks, counts)).sum(axis=-1), n * (n - 1.0))
