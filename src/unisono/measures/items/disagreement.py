"""Observed and expected disagreement: by tables of distances, by chance, and for numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from unisono.measures.items.metrics import Metric, Ranked
    from unisono.measures.items.rows import Rows
    from unisono.model.arrays import Floats


_CELLS_AT_A_TIME = 1 << 21


class Chance(Protocol):
    """Expected disagreement as a function of sums."""

    def expected(self, sums: Floats) -> Floats:
        """Give the expected disagreement; the last axis goes."""

    def gradient(self, sums: Floats) -> Floats:
        """Give its derivative by each of the sums."""

    def by_label(self, sums: Floats, n_labels: int) -> Floats:
        """Give it for each of the first labels when all other labels are one."""


@dataclass
class WithoutReplacement:
    """Two different values drawn from all that can be paired: Krippendorff's α.

    D_e = Σ_ck n_c·n_k·δ_ck / (n(n − 1)), Krippendorff (2011).
    """

    metric: Metric
    _last: tuple[Floats, Floats] | None = None

    def expected(self, sums: Floats) -> Floats:
        """Give the expected disagreement."""
        n = sums.sum(axis=-1)
        return ratio((sums * self._against(sums)).sum(axis=-1), n * (n - 1.0))

    def gradient(self, sums: Floats) -> Floats:
        """Give its derivative by each of the sums."""
        n = sums.sum()
        against = self._against(sums)
        expected = sums @ against / (n * (n - 1.0))
        gradient: Floats = (2.0 * against - expected * (2.0 * n - 1.0)) / (n * (n - 1.0))
        return gradient

    def by_label(self, sums: Floats, n_labels: int) -> Floats:
        """Give it for each label when all other labels are one."""
        n, counts = sums.sum(), sums[:n_labels]
        two: Floats = 2.0 * counts * (n - counts) / (n * (n - 1.0))
        return two

    def _against(self, sums: Floats) -> Floats:
        if sums.ndim > 1:
            return self.metric.against(sums)
        # A value and its standard error ask for the same sums.
        if self._last is None or not np.array_equal(self._last[0], sums):
            self._last = sums.copy(), self.metric.against(sums)
        return self._last[1]


@dataclass(frozen=True)
class WithReplacement:
    """Two values drawn from one distribution of labels: Scott's π, Fleiss' κ.

    1 − P_e with P_e = Σ p_c², Scott (1955), Fleiss (1971).
    """

    metric: Metric

    def expected(self, sums: Floats) -> Floats:
        """Give the expected disagreement."""
        shares = ratio(sums, sums.sum(axis=-1, keepdims=True))
        disagreement: Floats = (shares * self.metric.against(shares)).sum(axis=-1)
        return disagreement

    def gradient(self, sums: Floats) -> Floats:
        """Give its derivative by each of the sums."""
        n = sums.sum()
        against = self.metric.against(sums / n)
        slope: Floats = 2.0 * (against - sums @ against / n) / n
        return slope

    def by_label(self, sums: Floats, n_labels: int) -> Floats:
        """Give it for each label when all other labels are one."""
        shares = sums[:n_labels] / sums.sum()
        two: Floats = 2.0 * shares * (1.0 - shares)
        return two


@dataclass(frozen=True)
class OfEachAnnotator:
    """A value of each of two annotators, drawn from their own labels: Conger's κ.

    The mean over all pairs of annotators of Σ_ck p_gc·p_hk·δ_ck, Conger (1980).
    There is a sum for each annotator and label that come together, sorted so; annotators without
    values do not count.
    """

    metric: Metric
    annotators: NDArray[np.int64]
    labels: NDArray[np.int64]
    n_annotators: int
    n_labels: int
    cells_at_a_time: int = _CELLS_AT_A_TIME

    def expected(self, sums: Floats) -> Floats:
        """Give the expected disagreement."""
        flat = sums.reshape(-1, sums.shape[-1])
        return np.array([self._expected(each) for each in flat]).reshape(sums.shape[:-1])

    def gradient(self, sums: Floats) -> Floats:
        """Give its derivative by each of the sums."""
        shares, totals = self._shares(sums)
        n = np.count_nonzero(totals > 0.0)
        against = np.concatenate([moved for moved, _ in self._against_others(shares)])
        means = weighted_counts(self.annotators, shares * against, len(totals))
        slopes = (against - means[self.annotators]) * 2.0 / (n * (n - 1))
        return np.nan_to_num(ratio(slopes, totals[self.annotators]))

    def by_label(self, sums: Floats, n_labels: int) -> Floats:
        """Give it for each label when all other labels are one."""
        shares, totals = self._shares(sums)
        n = np.count_nonzero(totals > 0.0)
        # Over ordered pairs of annotators: one gives the label, the other another one.
        once = weighted_counts(self.labels, shares, self.n_labels)
        twice = once**2 - weighted_counts(self.labels, shares**2, self.n_labels)
        two: Floats = 2.0 * (once * (n - 1) - twice) / (n * (n - 1))
        return two[:n_labels]

    def _expected(self, sums: Floats) -> float:
        shares, totals = self._shares(sums)
        n = np.count_nonzero(totals > 0.0)
        both = sum(float(own @ moved) for moved, own in self._against_others(shares))
        return both / (n * (n - 1)) if n > 1 else math.nan

    def _shares(self, sums: Floats) -> tuple[Floats, Floats]:
        totals = weighted_counts(self.annotators, sums, self.n_annotators)
        return np.nan_to_num(ratio(sums, totals[self.annotators])), totals

    def _against_others(self, shares: Floats) -> Iterator[tuple[Floats, Floats]]:
        """Give the distance of each annotator's labels to those of all others, and their shares.

        Some annotators at a time, because annotators × labels may be large.
        """
        everyone = weighted_counts(self.labels, shares, self.n_labels)
        step = max(1, self.cells_at_a_time // self.n_labels)
        for first in range(0, self.n_annotators, step):
            at, until = np.searchsorted(self.annotators, (first, first + step))
            places = self.annotators[at:until] - first, self.labels[at:until]
            others = np.tile(everyone, (min(step, self.n_annotators - first), 1))
            others[places] = np.maximum(others[places] - shares[at:until], 0.0)
            yield self.metric.against(others)[places], shares[at:until]


@dataclass(frozen=True)
class Uniform:
    """Two values drawn from all categories alike: Bennett's S, Brennan and Prediger's κ.

    1 − 1/q, Bennett, Alpert & Goldstein (1954); with weights Σ_ck δ_ck/q², Gwet (2014).
    There are no sums.
    """

    disagreement: float

    def expected(self, sums: Floats) -> Floats:
        """Give the expected disagreement."""
        return np.full(sums.shape[:-1], self.disagreement)

    def gradient(self, sums: Floats) -> Floats:
        """Give its derivative by each of the sums."""
        return np.zeros_like(sums)

    def by_label(self, sums: Floats, n_labels: int) -> Floats:  # noqa: ARG002 - there are none
        """Give it for each label when all other labels are one: of two categories."""
        return np.full(n_labels, 0.5)


@dataclass(frozen=True)
class OfHardItems:
    """Agreement by chance on items that are hard to label only: Gwet's AC1 and AC2.

    P_e = T_w/(q(q − 1))·Σ p_c(1 − p_c), T_w the sum of all agreement weights, Gwet (2008;
    AC1: T_w = q) and Gwet (2014; AC2).
    """

    factor: float
    """T_w/(q(q − 1))."""

    def expected(self, sums: Floats) -> Floats:
        """Give the expected disagreement."""
        shares = ratio(sums, sums.sum(axis=-1, keepdims=True))
        disagreement: Floats = 1.0 - self.factor * (shares * (1.0 - shares)).sum(axis=-1)
        return disagreement

    def gradient(self, sums: Floats) -> Floats:
        """Give its derivative by each of the sums."""
        n = sums.sum()
        shares = sums / n
        slope: Floats = 2.0 * self.factor * (shares - (shares**2).sum()) / n
        return slope

    def by_label(self, sums: Floats, n_labels: int) -> Floats:
        """Give it for each label when all other labels are one: of two categories."""
        shares = sums[:n_labels] / sums.sum()
        one: Floats = 1.0 - 2.0 * shares * (1.0 - shares)
        return one


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


def _rows_of_many_labels(rows: Rows, most_labels: int) -> Iterator[tuple[int, slice]]:
    per_row = np.bincount(rows.cells.rows, minlength=rows.n_rows)
    ends = np.cumsum(per_row)
    for row in np.flatnonzero(per_row > most_labels):
        yield int(row), slice(int(ends[row] - per_row[row]), int(ends[row]))


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
        """How many rows there are."""
        return self.given.n_rows

    @cached_property
    def features(self) -> Floats | None:
        """What one item of each row adds to the sums; `None` where that is large."""
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
    """Give the parts of counts of places."""
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
