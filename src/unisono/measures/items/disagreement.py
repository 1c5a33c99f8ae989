"""What disagreement chance would give, from the sums of values: one formula a class.

Each takes sums with leading axes, and gives their gradient for one weighting, from which the
influence of rows comes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from unisono.measures.items.parts import ratio
from unisono.measures.items.rows import weighted_counts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unisono.measures.items.metrics import Metric
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
        step = max(1, _CELLS_AT_A_TIME // self.n_labels)
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
