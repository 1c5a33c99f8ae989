"""The 2016 family: how much of the continuum values share, by one sweep over all documents.

At a place where m annotators hold values of which n_c are c, the values c and k coincide
n_c·n_k/(m − 1) times, and c with itself n_c(n_c − 1)/(m − 1) times. Counts are whole numbers and
change only where units begin and end, so that agreement without exception is exactly 1.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.measures.items.metrics import Nominal
from unisono.measures.items.rows import Rows, ranges, weighted_counts
from unisono.measures.items.spreads import spreads

if TYPE_CHECKING:
    from unisono.measures.items.metrics import Metric
    from unisono.measures.unitizing.layout import Layout
    from unisono.model.arrays import Floats, Integers


_CELLS_AT_A_TIME = 1 << 20
_ROUNDING = 1e-9


class Disagreement(NamedTuple):
    """What was observed and what chance would give; `NaN` where that cannot be said."""

    observed: float
    expected: float


class LabelEvents(NamedTuple):
    """Where the number of units of one label changes, label by label along the documents."""

    codes: Integers
    ranks: Integers
    counts: Integers
    """How many units of the label there are from here to the next event."""
    jumps: Integers
    """By how much the square of that number changed."""


class Coincidences:
    """The coincidences of values, and the disagreements that come of them.

    Krippendorff, Mathet, Bouvry & Widlöcher (2016).

    Parameters
    ----------
    layout
        The units, no two of one annotator at the same place.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        ranks = layout.ranks
        n_ranks = len(ranks.places)
        self.weights: Floats = ranks.steps * layout.shares[ranks.groups]
        """The length from each rank to the next, by m − 1."""
        self.annotators: Integers = layout.annotators[ranks.groups]
        self.covered: Integers = np.cumsum(
            np.bincount(ranks.starts, minlength=n_ranks)
            - np.bincount(ranks.ends, minlength=n_ranks)
        )
        """How many annotators have a unit from each rank to the next."""

    @cached_property
    def events(self) -> LabelEvents:
        """Where the numbers of units of each label change."""
        layout, n = self.layout, len(self.layout.codes)
        codes = np.concatenate((layout.codes, layout.codes))
        ranks = np.concatenate((layout.ranks.starts, layout.ranks.ends))
        # One whole number to sort by; units of a label go to 0 before the next label.
        order = np.argsort(codes * len(layout.ranks.places) + ranks, kind="stable")
        changes = np.repeat(np.array([1, -1]), n)[order]
        counts = np.cumsum(changes)
        return LabelEvents(codes[order], ranks[order], counts, changes * (2 * counts - changes))

    @cached_property
    def squares(self) -> Floats:
        """Σ n_c² over labels, from each rank to the next."""
        jumps = np.bincount(
            self.events.ranks, weights=self.events.jumps, minlength=len(self.weights)
        )
        return np.cumsum(jumps)

    @cached_property
    def gaps(self) -> float:
        """The length of all gaps."""
        return float(self.layout.ranks.steps @ (self.annotators - self.covered))

    @cached_property
    def ties(self) -> float:
        """ΣQ: Σ length² of units, and the length of gaps, whose pieces have length 1."""
        return float(self.layout.lengths @ self.layout.lengths) + self.gaps

    def u(self) -> Disagreement:
        """Give what is found and expected on values, gaps being one of them: uα."""
        layout = self.layout
        lengths = weighted_counts(layout.codes, layout.lengths, len(layout.labels))
        gaps = self.annotators - self.covered
        differing = self.annotators**2 - self.squares - gaps**2
        return self._corrected(differing, np.append(lengths, self.gaps))

    def binary(self) -> Disagreement:
        """Give what is found and expected on whether there is a unit: |uα."""
        differing = 2 * self.covered * (self.annotators - self.covered)
        return self._corrected(differing, np.array([self.layout.lengths.sum(), self.gaps]))

    def _corrected(self, differing: Floats | Integers, lengths: Floats) -> Disagreement:
        """Take lengths for l_c: Σ l·l_c·l_k / (l² − ΣQ) over different values is expected."""
        whole = float(lengths.sum())
        pairs = float(lengths @ (whole - lengths))
        observed = float(self.weights @ differing) / whole
        return Disagreement(observed, _share(pairs, _rest(whole**2, self.ties)))

    @cached_property
    def met(self) -> Floats:
        """How much of each unit other annotators' units cover, by m − 1."""
        others: Integers = np.maximum(self.covered - 1, 0)
        return self.layout.ranks.between(self.weights * others)

    @cached_property
    def label_lengths(self) -> Floats:
        """l_c of the labels: how much of their units meets units of others."""
        return weighted_counts(self.layout.codes, self.met, len(self.layout.labels))

    @cached_property
    def own(self) -> Floats:
        """R_c/(m − 1): Σ over units and other annotators of the squared length they cover."""
        layout, steps = self.layout, self.layout.ranks.steps
        seats = layout.seats[layout.runs]
        squares = np.zeros(len(layout.codes))
        # A sweep for each seat, whatever their names: with m of them, m times all units.
        for seat in range(int(layout.annotators.max(initial=0))):
            mine = seats == seat
            there = np.zeros(len(steps))
            np.add.at(there, layout.ranks.starts[mine], 1.0)
            np.subtract.at(there, layout.ranks.ends[mine], 1.0)
            shared = layout.ranks.between(steps * np.cumsum(there))
            squares += np.where(mine, 0.0, shared**2)
        weights = squares * layout.shares[layout.documents[layout.runs]]
        return weighted_counts(layout.codes, weights, len(layout.labels))

    def coding(self, metric: Metric) -> Disagreement:
        """Give what is found and expected on labels where units meet: cuα."""
        lengths = self.label_lengths
        whole = float(lengths.sum())
        if whole == 0.0:
            return Disagreement(np.nan, np.nan)
        pairs = float(lengths @ metric.against(lengths))
        observed = self._distances(metric) / whole
        return Disagreement(observed, _share(pairs, self.chances))

    @cached_property
    def chances(self) -> float:
        """l² − ΣR/(m − 1), from which chance draws labels that meet; NaN where that is nothing."""
        return _rest(float(self.label_lengths.sum()) ** 2, float(self.own.sum()))

    def _distances(self, metric: Metric) -> float:
        """Give Σ l_ck·δ_ck."""
        if isinstance(metric, Nominal):
            return float(self.weights @ (self.covered**2 - self.squares))
        busy = np.flatnonzero((self.covered > 1) & (self.weights > 0.0))
        total = 0.0
        # As rows of labels, like items; some at a time.
        stops = np.cumsum(self.covered[busy])
        for part in np.split(busy, np.searchsorted(stops, _chunks(stops))):
            if len(part):
                rows = self._rows(int(part[0]), int(part[-1]) + 1)
                inside = np.flatnonzero(self.covered[part[0] : part[-1] + 1] > 0) + part[0]
                total += 2.0 * float(self.weights[inside] @ spreads(rows, metric))
        return total

    def _rows(self, low: int, high: int) -> Rows:
        """Give the labels that are there from each rank to the next, for some ranks."""
        layout = self.layout
        starts = np.maximum(layout.ranks.starts, low)
        sizes = np.maximum(np.minimum(layout.ranks.ends, high) - starts, 0)
        places = ranges(starts, sizes)
        codes = np.repeat(layout.codes, sizes)
        order = np.argsort(places, kind="stable")
        counts = self.covered[low:high]
        return Rows(
            labels=layout.labels,  # type: ignore[arg-type]  # the metric refused None before
            n_annotators=int(counts.max(initial=0)),
            anonymous=True,
            offsets=np.concatenate(([0], np.cumsum(counts[counts > 0]))),
            annotator_codes=np.zeros(len(codes), dtype=np.int32),
            label_codes=codes[order].astype(np.int32),
        )

    def by_label(self) -> tuple[Floats, Floats]:
        """Give what is found and expected on each label against all others: (k)uα."""
        events, lengths, own = self.events, self.label_lengths, self.own
        starts, ends = events.ranks[:-1], events.ranks[1:]
        counts = np.where(events.codes[1:] == events.codes[:-1], events.counts[:-1], 0)
        others = np.concatenate(((0,), np.cumsum(self.covered)))
        # Whole numbers tell where no other label is; there the sum is exactly 0.
        mixed = others[ends] - others[starts] != counts * (ends - starts)
        reached = np.concatenate(((0.0,), np.cumsum(self.weights * self.covered)))
        far = np.concatenate(((0.0,), np.cumsum(self.weights)))
        differing = counts * (reached[ends] - reached[starts] - counts * (far[ends] - far[starts]))
        differing = np.where(mixed & (counts > 0), np.maximum(differing, 0.0), 0.0)
        n_labels = len(self.layout.labels)
        found = weighted_counts(events.codes[:-1], differing, n_labels)
        whole = lengths.sum()
        pairs = lengths * (whole - lengths)
        expected = [
            _share(float(pair), _rest(float(length * whole), float(lone)))
            for pair, length, lone in zip(pairs, lengths, own, strict=True)
        ]
        observed: Floats = np.full(n_labels, np.nan)
        np.divide(found, lengths, out=observed, where=lengths > 0.0)
        # Without chances for all labels there are none for one.
        return observed, np.where((pairs > 0.0) & np.isnan(self.chances), np.nan, expected)


def _chunks(stops: Integers) -> Integers:
    """Give where to cut, so that no part has many more cells than fit."""
    last = int(stops[-1]) if len(stops) else 0
    return np.arange(_CELLS_AT_A_TIME, last, _CELLS_AT_A_TIME)


def _rest(whole: float, part: float) -> float:
    """Subtract; NaN where no more than rounding is left."""
    return whole - part if whole - part > _ROUNDING * whole else np.nan


def _share(part: float, whole: float) -> float:
    return 0.0 if part == 0.0 else part / whole
