"""Units of all documents on one axis of ranks, as the unitizing alphas sum them up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.model.labels import label_order
from unisono.model.ranking import Ranks, ranked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.model.arrays import Floats, Integers
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label


class Sections(NamedTuple):
    """Units and the gaps between them: which annotator of which document, from where to where."""

    runs: Integers
    starts: Integers
    ends: Integers
    codes: Integers
    """The label; one more than the last label for a gap."""


@dataclass(frozen=True)
class Layout:
    """The units that have a length, of documents with two annotators or more.

    A *run* is one annotator in one document; runs stand by document, then in an order that depends
    on what annotators marked and not on their names, so that no sum does, and the units by run,
    then by start. No sweep crosses from one document into another.
    """

    labels: tuple[Label | None, ...]
    annotators: Integers
    """How many annotators each document has."""
    runs: Integers
    """The run of each unit."""
    codes: Integers
    """The position of each unit's label in `labels`."""
    ranks: Ranks
    """Where units begin and end; the groups are the documents."""
    lows: Integers
    highs: Integers
    """Where documents begin and end, as ranks."""

    @classmethod
    def of(
        cls, continua: Sequence[Continuum], labels: tuple[Label | None, ...] | None = None
    ) -> Layout:
        """Lay out documents of two annotators or more; `labels` may be more than they use."""
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
            np.concatenate(part) for part in zip(*(parts or [_NOTHING]), strict=True)
        )
        long = ends > starts
        runs, codes = runs[long], codes[long]
        documents = np.repeat(np.arange(len(continua)), annotators)
        extents = np.array([each.extent for each in continua]).reshape(-1, 2)
        # Whole documents are ranked beside their units.
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
        """The place of each run among those of its document, from 0."""
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
        """The length of all documents."""
        return float(self.document_lengths.sum())

    @cached_property
    def annotated_length(self) -> float:
        """The same, each document as often as it has annotators: m·L."""
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
        """Give units and gaps together, by run and start."""
        n_runs = len(self.documents)
        firsts = np.searchsorted(self.runs, np.arange(n_runs + 1))
        gap_starts = np.insert(self.ranks.ends, firsts[:-1], self.lows[self.documents])
        gap_ends = np.insert(self.ranks.starts, firsts[1:], self.highs[self.documents])
        gap_runs = np.insert(self.runs, firsts[:-1], np.arange(n_runs))
        open_ = gap_ends > gap_starts
        runs = np.concatenate((self.runs, gap_runs[open_]))
        starts = np.concatenate((self.ranks.starts, gap_starts[open_]))
        ends = np.concatenate((self.ranks.ends, gap_ends[open_]))
        gaps = np.full(np.count_nonzero(open_), len(self.labels), dtype=np.int64)
        codes = np.concatenate((self.codes, gaps))
        order = np.lexsort((starts, runs))
        return Sections(runs[order], starts[order], ends[order], codes[order])


_NOTHING = (
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
    """Give annotators numbers that are the same whatever their names are."""
    marked = [
        tuple(column[first:last].tobytes() for column in columns)
        for first, last in pairwise(offsets)
    ]
    seats = np.empty(len(marked), dtype=np.int64)
    seats[sorted(range(len(marked)), key=marked.__getitem__)] = np.arange(len(marked))
    return seats
