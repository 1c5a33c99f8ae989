"""Coincidences of units by length, the basis of the alphas for unitizing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.measures.items.disagreement import spreads
from unisono.measures.items.metrics import Nominal
from unisono.measures.items.rows import Rows, ranges, weighted_counts
from unisono.model.labels import Ranks, label_order, ranked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.measures.items.metrics import Metric
    from unisono.model.arrays import Floats, Integers
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label


_CELLS_AT_A_TIME = 1 << 20
_ROUNDING = 1e-9


class Disagreement(NamedTuple):
    """Observed and expected disagreement; NaN if undefined."""

    observed: float
    expected: float


class LabelEvents(NamedTuple):
    """The positions at which the number of units of a label changes, by label and position."""

    codes: Integers
    ranks: Integers
    counts: Integers
    """Number of units of the label from here to the next event."""
    jumps: Integers
    """Change of the square of this number."""


class Coincidences:
    """The coincidences of values, and the disagreements computed from them.

    Krippendorff, Mathet, Bouvry & Widlöcher (2016).
    """

    def __init__(self, layout: Layout, *, cells_at_a_time: int = _CELLS_AT_A_TIME) -> None:
        self.layout = layout
        self._cells_at_a_time = cells_at_a_time
        ranks = layout.ranks
        n_ranks = len(ranks.places)
        self.weights: Floats = ranks.steps * layout.shares[ranks.groups]
        """The length from each rank to the next, divided by m − 1."""
        self.annotators: Integers = layout.annotators[ranks.groups]
        self.covered: Integers = np.cumsum(
            np.bincount(ranks.starts, minlength=n_ranks)
            - np.bincount(ranks.ends, minlength=n_ranks)
        )
        """Number of annotators with a unit from each rank to the next."""

    @cached_property
    def events(self) -> LabelEvents:
        """The events of all labels."""
        layout, n = self.layout, len(self.layout.codes)
        codes = np.concatenate((layout.codes, layout.codes))
        ranks = np.concatenate((layout.ranks.starts, layout.ranks.ends))
        # A single sort key by label and rank; the count returns to 0 before the next label.
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
        """The total length of all gaps."""
        return float(self.layout.ranks.steps @ (self.annotators - self.covered))

    @cached_property
    def ties(self) -> float:
        """ΣQ: Σ length² of units, plus the length of gaps, which consist of pieces of length 1."""
        return float(self.layout.lengths @ self.layout.lengths) + self.gaps

    def u(self) -> Disagreement:
        """Return observed and expected disagreement of uα: labels, with gaps as another value."""
        layout = self.layout
        lengths = weighted_counts(layout.codes, layout.lengths, len(layout.labels))
        gaps = self.annotators - self.covered
        differing = self.annotators**2 - self.squares - gaps**2
        return self._disagreement(differing, np.append(lengths, self.gaps))

    def binary(self) -> Disagreement:
        """Return observed and expected disagreement of |uα: units and gaps."""
        differing = 2 * self.covered * (self.annotators - self.covered)
        return self._disagreement(differing, np.array([self.layout.lengths.sum(), self.gaps]))

    def _disagreement(self, differing: Floats | Integers, lengths: Floats) -> Disagreement:
        """Return the disagreements; the expected one is Σ l·l_c·l_k / (l² − ΣQ), c ≠ k."""
        whole = float(lengths.sum())
        pairs = float(lengths @ (whole - lengths))
        observed = float(self.weights @ differing) / whole
        return Disagreement(observed, _share(pairs, _rest(whole**2, self.ties)))

    @cached_property
    def overlaps(self) -> Floats:
        """The length of each unit that units of other annotators cover, divided by m − 1."""
        others: Integers = np.maximum(self.covered - 1, 0)
        return self.layout.ranks.between(self.weights * others)

    @cached_property
    def label_lengths(self) -> Floats:
        """l_c: the length of the units of each label that units of other annotators cover."""
        return weighted_counts(self.layout.codes, self.overlaps, len(self.layout.labels))

    @cached_property
    def self_coincidences(self) -> Floats:
        """R_c/(m − 1): Σ over units and other annotators of the squared length covered."""
        layout, steps = self.layout, self.layout.ranks.steps
        seats = layout.seats[layout.runs]
        squares = np.zeros(len(layout.codes))
        # One sweep per annotator of a document: with m annotators, m times all units.
        for seat in range(int(layout.annotators.max(initial=0))):
            mine = seats == seat
            changes = np.zeros(len(steps))
            np.add.at(changes, layout.ranks.starts[mine], 1.0)
            np.subtract.at(changes, layout.ranks.ends[mine], 1.0)
            shared = layout.ranks.between(steps * np.cumsum(changes))
            squares += np.where(mine, 0.0, shared**2)
        weights = squares * layout.shares[layout.documents[layout.runs]]
        return weighted_counts(layout.codes, weights, len(layout.labels))

    def coding(self, metric: Metric) -> Disagreement:
        """Return observed and expected disagreement of cuα: labels where units overlap."""
        lengths = self.label_lengths
        whole = float(lengths.sum())
        if whole == 0.0:
            return Disagreement(np.nan, np.nan)
        pairs = float(lengths @ metric.against(lengths))
        observed = self._distances(metric) / whole
        return Disagreement(observed, _share(pairs, self.chance_weight))

    @cached_property
    def chance_weight(self) -> float:
        """l² − ΣR/(m − 1), the weight of all pairs of labels by chance; NaN if it is 0."""
        return _rest(float(self.label_lengths.sum()) ** 2, float(self.self_coincidences.sum()))

    def _distances(self, metric: Metric) -> float:
        """Return Σ l_ck·δ_ck."""
        if isinstance(metric, Nominal):
            return float(self.weights @ (self.covered**2 - self.squares))
        busy = np.flatnonzero((self.covered > 1) & (self.weights > 0.0))
        total = 0.0
        # Each rank is treated as an item with one label per unit, in chunks.
        stops = np.cumsum(self.covered[busy])
        cuts = _chunks(stops, self._cells_at_a_time)
        for part in np.split(busy, np.searchsorted(stops, cuts)):
            if len(part):
                rows = self._rows(int(part[0]), int(part[-1]) + 1)
                inside = np.flatnonzero(self.covered[part[0] : part[-1] + 1] > 0) + part[0]
                total += 2.0 * float(self.weights[inside] @ spreads(rows, metric))
        return total

    def _rows(self, low: int, high: int) -> Rows:
        """Return the labels from each rank to the next as items, for a range of ranks."""
        layout = self.layout
        starts = np.maximum(layout.ranks.starts, low)
        sizes = np.maximum(np.minimum(layout.ranks.ends, high) - starts, 0)
        places = ranges(starts, sizes)
        codes = np.repeat(layout.codes, sizes)
        order = np.argsort(places, kind="stable")
        counts = self.covered[low:high]
        return Rows(
            labels=layout.labels,  # type: ignore[arg-type]  # the metric rejects None
            n_annotators=int(counts.max(initial=0)),
            anonymous=True,
            offsets=np.concatenate(([0], np.cumsum(counts[counts > 0]))),
            annotator_codes=np.zeros(len(codes), dtype=np.int32),
            label_codes=codes[order].astype(np.int32),
        )

    def by_label(self) -> tuple[Floats, Floats]:
        """Return observed and expected disagreement of (k)uα: each label against all others."""
        events, lengths = self.events, self.label_lengths
        starts, ends = events.ranks[:-1], events.ranks[1:]
        counts = np.where(events.codes[1:] == events.codes[:-1], events.counts[:-1], 0)
        others = np.concatenate(((0,), np.cumsum(self.covered)))
        # An exact integer test for places without other labels, where the sum must be 0.
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
            for pair, length, lone in zip(pairs, lengths, self.self_coincidences, strict=True)
        ]
        observed: Floats = np.full(n_labels, np.nan)
        np.divide(found, lengths, out=observed, where=lengths > 0.0)
        # If chance is undefined for all labels, it is undefined for each.
        return observed, np.where((pairs > 0.0) & np.isnan(self.chance_weight), np.nan, expected)


class OverlappingCoincidences(Coincidences):
    """The coincidences of all pairs of units of different annotators, which may overlap.

    Mathet, Widlöcher & Métivier (2015), §6.2: units that overlap are submitted to cuα as they are,
    each intersection of two units of different annotators counts. Without overlap all values are
    those of `Coincidences`.
    """

    @cached_property
    def _alone(self) -> list[tuple[Integers, Coincidences]]:
        """The units of each annotator of a document by themselves, with their rows."""
        layout, found = self.layout, []
        seats = layout.seats[layout.runs]
        for seat in range(int(layout.annotators.max(initial=0))):
            rows = np.flatnonzero(seats == seat)
            ranks = layout.ranks._replace(
                starts=layout.ranks.starts[rows], ends=layout.ranks.ends[rows]
            )
            own = replace(layout, runs=layout.runs[rows], codes=layout.codes[rows], ranks=ranks)
            found.append((rows, Coincidences(own)))
        return found

    @cached_property
    def overlaps(self) -> Floats:
        """The length of each unit that units of others cover, each of them, divided by m − 1."""
        found = np.zeros(len(self.layout.codes))
        for rows, own in self._alone:
            others = self.weights * (self.covered - own.covered)
            found[rows] = own.layout.ranks.between(others)
        return found

    def _distances(self, metric: Metric) -> float:
        within = sum(own._distances(metric) for _, own in self._alone)  # noqa: SLF001 - same class
        return max(super()._distances(metric) - within, 0.0)


def _chunks(stops: Integers, cells: int) -> Integers:
    """Return where to split, so that no chunk has many more cells than the limit."""
    last = int(stops[-1]) if len(stops) else 0
    return np.arange(cells, last, cells)


def _rest(whole: float, part: float) -> float:
    """Return the difference; NaN if only rounding errors remain."""
    return whole - part if whole - part > _ROUNDING * whole else np.nan


def _share(part: float, whole: float) -> float:
    return 0.0 if part == 0.0 else part / whole


class Sections(NamedTuple):
    """Units and the gaps between them, by run and start."""

    runs: Integers
    starts: Integers
    ends: Integers
    codes: Integers
    """The code of the label; the number of labels for a gap."""


@dataclass(frozen=True)
class Layout:
    """The units of positive length in documents with at least two annotators.

    A *run* is one annotator in one document. Runs are sorted by document, then by the content of
    the annotation instead of names, so that no sum depends on names; units are sorted by run, then
    by start. Documents do not share ranks.
    """

    labels: tuple[Label | None, ...]
    annotators: Integers
    """Number of annotators per document."""
    runs: Integers
    """The run of each unit."""
    codes: Integers
    """The position of each unit's label in `labels`."""
    ranks: Ranks
    """Starts and ends of units as ranks; the groups are the documents."""
    lows: Integers
    highs: Integers
    """Starts and ends of documents, as ranks."""

    @classmethod
    def of(
        cls, continua: Sequence[Continuum], labels: tuple[Label | None, ...] | None = None
    ) -> Layout:
        """Return the layout of documents with at least two annotators."""
        if labels is None:
            used = {label for each in continua for label in each.labels}
            labels = tuple(sorted(used, key=label_order))
        place = {label: code for code, label in enumerate(labels)}
        annotators = np.array([len(each.annotators) for each in continua], dtype=np.int64)
        first_runs = (np.cumsum(annotators) - annotators).tolist()
        parts = [
            _columns(each, first, place) for each, first in zip(continua, first_runs, strict=True)
        ]
        runs, codes, starts, ends = (
            np.concatenate(part) for part in zip(*(parts or [_NO_UNITS]), strict=True)
        )
        long = ends > starts
        runs, codes = runs[long], codes[long]
        documents = np.repeat(np.arange(len(continua)), annotators)
        extents = np.array([each.extent for each in continua]).reshape(-1, 2)
        # Documents are ranked together with their units.
        ranks = ranked(
            np.concatenate((documents[runs], np.arange(len(continua)))),
            np.concatenate((starts[long], extents[:, 0])),
            np.concatenate((ends[long], extents[:, 1])),
        )
        n = len(runs)
        of_units = ranks._replace(starts=ranks.starts[:n], ends=ranks.ends[:n])
        lows, highs = ranks.starts[n:], ranks.ends[n:]
        return cls(labels, annotators, runs, codes, of_units, lows, highs)

    @cached_property
    def documents(self) -> Integers:
        """The document of each run."""
        return np.repeat(np.arange(len(self.annotators)), self.annotators)

    @cached_property
    def seats(self) -> Integers:
        """The position of each run among those of its document, from 0."""
        firsts = np.cumsum(self.annotators) - self.annotators
        seats: Integers = np.arange(len(self.documents)) - firsts[self.documents]
        return seats

    @cached_property
    def lengths(self) -> Floats:
        """The length of each unit."""
        return self.ranks.places[self.ranks.ends] - self.ranks.places[self.ranks.starts]

    @cached_property
    def document_lengths(self) -> Floats:
        """The length of each document."""
        return self.ranks.places[self.highs] - self.ranks.places[self.lows]

    @cached_property
    def length(self) -> float:
        """The total length of all documents."""
        return float(self.document_lengths.sum())

    @cached_property
    def annotated_length(self) -> float:
        """The total length of all documents, multiplied by their numbers of annotators: m·L."""
        return float(self.document_lengths @ self.annotators)

    @cached_property
    def shares(self) -> Floats:
        """1/(m − 1) of each document."""
        shares: Floats = 1.0 / (self.annotators.astype(np.float64) - 1.0)
        return shares

    @cached_property
    def is_whole(self) -> bool:
        """Whether all positions are whole numbers."""
        places = self.ranks.places
        return bool((places == np.rint(places)).all())

    def sections(self) -> Sections:
        """Return units and gaps, sorted by run and start."""
        n_runs = len(self.documents)
        firsts = np.searchsorted(self.runs, np.arange(n_runs + 1))
        gap_starts = np.insert(self.ranks.ends, firsts[:-1], self.lows[self.documents])
        gap_ends = np.insert(self.ranks.starts, firsts[1:], self.highs[self.documents])
        gap_runs = np.insert(self.runs, firsts[:-1], np.arange(n_runs))
        nonempty = gap_ends > gap_starts
        runs = np.concatenate((self.runs, gap_runs[nonempty]))
        starts = np.concatenate((self.ranks.starts, gap_starts[nonempty]))
        ends = np.concatenate((self.ranks.ends, gap_ends[nonempty]))
        gaps = np.full(np.count_nonzero(nonempty), len(self.labels), dtype=np.int64)
        codes = np.concatenate((self.codes, gaps))
        order = np.lexsort((starts, runs))
        return Sections(runs[order], starts[order], ends[order], codes[order])


_NO_UNITS = (
    np.zeros(0, dtype=np.int64),
    np.zeros(0, dtype=np.int64),
    np.zeros(0),
    np.zeros(0),
)


def _columns(
    continuum: Continuum, first_run: int, place: dict[Label | None, int]
) -> tuple[Integers, Integers, Floats, Floats]:
    places = np.array([place[label] for label in continuum.labels], dtype=np.int64)
    columns = places[continuum.label_codes], continuum.starts, continuum.ends
    runs = first_run + np.repeat(_seats(columns, continuum.offsets.tolist()), continuum.counts)
    order = np.argsort(runs, kind="stable")
    codes, starts, ends = columns
    return runs[order], codes[order], starts[order], ends[order]


def _seats(columns: tuple[Integers, Floats, Floats], offsets: list[int]) -> Integers:
    """Return numbers for annotators that depend on their units only, not on their names."""
    contents = [
        tuple(column[first:last].tobytes() for column in columns)
        for first, last in pairwise(offsets)
    ]
    seats = np.empty(len(contents), dtype=np.int64)
    seats[sorted(range(len(contents)), key=contents.__getitem__)] = np.arange(len(contents))
    return seats


def label_disagreements(layout: Layout) -> tuple[Floats, Floats]:
    """Return observed and expected disagreement of αU (1995) for each label, all else being gaps.

    D_o = Σ_{i≠j} Σ δ² / (m(m − 1)L²). Two units that overlap have δ² = (difference of starts)² +
    (difference of ends)²; a unit in a gap of the other annotator has δ² = its squared length.
    D_e = (2/L) Σ over units g of [(N − 1)/3·(2l³ − 3l² + l) + l² Σ over gaps of length g ≥ l of
    (g − l + 1)] / (mL(mL − 1) − Σ l(l − 1)), where N is the number of units of the label.
    """
    whole, n_labels = layout.annotated_length, len(layout.labels)
    lengths, codes = layout.lengths, layout.codes
    found = _differences(layout) / (whole * layout.length)
    n_units = np.bincount(codes, minlength=n_labels)
    slides = (n_units[codes] - 1.0) / 3.0 * (2.0 * lengths**3 - 3.0 * lengths**2 + lengths)
    slides += lengths**2 * _room(layout)
    below = whole * (whole - 1.0) - weighted_counts(codes, lengths * (lengths - 1.0), n_labels)
    expected: Floats = np.full(n_labels, np.nan)
    sums = 2.0 / layout.length * weighted_counts(codes, slides, n_labels)
    np.divide(sums, below, out=expected, where=below > 0.0)
    return found, expected


def _differences(layout: Layout) -> Floats:
    """Return Σ δ² over ordered pairs of annotators, divided by m − 1, for each label."""
    ranks, codes = layout.ranks, layout.codes
    documents, seats = layout.documents[layout.runs], layout.seats[layout.runs]
    width = len(ranks.places)
    # A sort key by label, then by position.
    starts, ends = codes * width + ranks.starts, codes * width + ranks.ends
    places, lengths = ranks.places, layout.lengths
    found = np.zeros(len(layout.labels))
    for seat in range(int(layout.annotators.max(initial=0))):
        mine = np.flatnonzero(seats == seat)
        mine = mine[np.argsort(starts[mine], kind="stable")]
        others = np.flatnonzero((seats != seat) & (layout.annotators[documents] > seat))
        firsts = np.searchsorted(ends[mine], starts[others], side="right")
        sizes = np.searchsorted(starts[mine], ends[others], side="left") - firsts
        weights = layout.shares[documents[others]]
        # Twice, because ordered pairs are counted: a unit in a gap, and a gap around a unit.
        squares = np.where(sizes == 0, 2.0 * lengths[others] ** 2, 0.0)
        theirs = np.repeat(np.arange(len(others)), sizes)
        own = mine[ranges(firsts, sizes)]
        apart = (places[ranks.starts[own]] - places[ranks.starts[others[theirs]]]) ** 2
        apart += (places[ranks.ends[own]] - places[ranks.ends[others[theirs]]]) ** 2
        squares += weighted_counts(theirs, apart, len(others))
        found += weighted_counts(codes[others], squares * weights, len(found))
    return found


def _room(layout: Layout) -> Floats:
    """Return Σ (g − l + 1) over the gaps of the label with length g ≥ l, for each unit."""
    gap_codes, gaps, times = _gaps(layout)
    own_codes, own = layout.codes, layout.lengths
    by_label = _longer(gap_codes, gaps, times, own_codes, own)
    # Runs without a unit of the label are one gap: all runs, minus the runs with such a unit.
    runs = np.repeat(layout.document_lengths, layout.annotators)
    nowhere = np.zeros(len(runs), dtype=np.int64)
    everywhere = _longer(nowhere, runs, np.ones(len(runs)), np.zeros_like(own_codes), own)
    room: Floats = by_label + everywhere
    return room


def _gaps(layout: Layout) -> tuple[Integers, Floats, Floats]:
    """Return the gaps of runs with units of a label, and these runs themselves.

    The last array has the weights: 1 for a gap, −1 for a run.
    """
    ranks = layout.ranks
    n_runs = len(layout.documents)
    keys = layout.codes * n_runs + layout.runs
    order = np.lexsort((ranks.starts, keys))
    keys, starts, ends = keys[order], ranks.starts[order], ranks.ends[order]
    firsts = np.flatnonzero(np.diff(keys, prepend=-1))
    bounds = np.append(firsts, len(keys))
    parts = keys[firsts]
    documents = layout.documents[parts % n_runs] if len(parts) else parts
    places = ranks.places
    gaps = (
        places[np.insert(starts, bounds[1:], layout.highs[documents])]
        - places[np.insert(ends, bounds[:-1], layout.lows[documents])]
    )
    codes = np.insert(keys, bounds[:-1], parts) // max(n_runs, 1)
    nonempty = gaps > 0.0
    return (
        np.concatenate((codes[nonempty], parts // max(n_runs, 1))),
        np.concatenate((gaps[nonempty], layout.document_lengths[documents])),
        np.concatenate((np.ones(np.count_nonzero(nonempty)), np.full(len(parts), -1.0))),
    )


def _longer(
    gap_codes: Integers, gaps: Floats, times: Floats, codes: Integers, lengths: Floats
) -> Floats:
    """Return Σ times·(g − l + 1) over the gaps g ≥ l of the same code, for each length l."""
    both, places = np.unique(np.concatenate((gaps, lengths)), return_inverse=True)
    gap_keys = gap_codes * len(both) + places[: len(gaps)]
    keys = codes * len(both) + places[len(gaps) :]
    order = np.argsort(gap_keys, kind="stable")
    gap_keys, gaps, times = gap_keys[order], gaps[order], times[order]
    numbers = np.concatenate(((0.0,), np.cumsum(times)))
    sums = np.concatenate(((0.0,), np.cumsum(times * (gaps + 1.0))))
    firsts = np.searchsorted(gap_keys, keys, side="left")
    lasts = np.searchsorted(gap_keys, (codes + 1) * len(both), side="left")
    found: Floats = sums[lasts] - sums[firsts] - lengths * (numbers[lasts] - numbers[firsts])
    return found


def u_by_squares(layout: Layout) -> Disagreement:
    """Return observed and expected disagreement of the uα of 2013, reconstructed.

    D_o = Σ_{i≠j} Σ [c ≠ k]·|g∩h|² / (L·m(m − 1)). D_e = Σ over ordered pairs of sections, of any
    annotators, with c ≠ k, of S2(a, b) / ((m·L)² − Σ length²), where a ≤ b are their lengths and
    S2 = a(a − 1)(2a − 1)/3 + (b − a + 1)a² = a²b − (a³ − a)/3 is the sum of their squared
    intersections over all integer offsets at which they overlap.
    """
    sections = layout.sections()
    places = layout.ranks.places
    lengths = places[sections.ends] - places[sections.starts]
    whole = layout.annotated_length
    observed = _squared_intersections(layout, sections) / whole
    if not len(sections.codes) or (sections.codes == sections.codes[0]).all():
        return Disagreement(observed, 0.0)
    equal = _sum_of_s2(lengths, sections.codes)
    different = _sum_of_s2(lengths, np.zeros_like(sections.codes)) - equal
    return Disagreement(observed, max(different, 0.0) / (whole**2 - float(lengths @ lengths)))


def _squared_intersections(layout: Layout, sections: Sections) -> float:
    """Return Σ |g∩h|² over ordered pairs of annotators and different values, divided by m − 1."""
    documents, seats = layout.documents[sections.runs], layout.seats[sections.runs]
    lows, highs = layout.ranks.places[sections.starts], layout.ranks.places[sections.ends]
    weights = layout.shares[documents]
    total = 0.0
    for seat in range(1, int(layout.annotators.max(initial=0))):
        mine = np.flatnonzero(seats == seat)
        # Each pair of annotators once.
        others = np.flatnonzero((seats < seat) & (layout.annotators[documents] > seat))
        own_starts = sections.starts[mine]
        # Sections cover each document completely, so all that start before the end overlap.
        firsts = np.searchsorted(own_starts, sections.starts[others], side="right") - 1
        sizes = np.searchsorted(own_starts, sections.ends[others], side="left") - firsts
        own = mine[ranges(firsts, sizes)]
        theirs = np.repeat(others, sizes)
        apart = np.flatnonzero(sections.codes[own] != sections.codes[theirs])
        own, theirs = own[apart], theirs[apart]
        shared = np.minimum(highs[own], highs[theirs]) - np.maximum(lows[own], lows[theirs])
        total += float((shared * shared) @ weights[theirs])
    return 2.0 * total


def _sum_of_s2(lengths: Floats, groups: Integers) -> float:
    """Return Σ S2 over ordered pairs of sections of the same group."""
    order = np.lexsort((lengths, groups))
    lengths, groups = lengths[order], groups[order]
    squares = np.cumsum(lengths**2) - lengths**2
    new = np.flatnonzero(np.diff(groups, prepend=-1))
    sizes = np.diff(new, append=len(groups))
    shorter = squares - np.repeat(squares[new], sizes)
    # Sorted by length, the following sections of a group are at least as long.
    n_longer = np.repeat(new + sizes, sizes) - 1 - np.arange(len(groups))
    return 2.0 * float((lengths * shorter - n_longer * (lengths**3 - lengths) / 3.0).sum())
