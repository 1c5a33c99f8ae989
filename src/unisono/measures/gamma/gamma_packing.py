"""What a task of the γ family takes with it: documents as columns, and how they are measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from unisono.model.assembling import Finished
from unisono.model.continuum import continuum_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from unisono.measures.gamma.chance import ChanceRules
    from unisono.measures.gamma.fitted import Fitted
    from unisono.measures.gamma.searching import Search
    from unisono.model.arrays import Floats, Integers
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label

__all__ = ["OnError", "PackedDocuments", "Piece", "Scoring"]

OnError = Literal["raise", "report"]


class Scoring(NamedTuple):
    """How documents are aligned and drawn from: the same for all of them."""

    fitted: Fitted
    rules: ChanceRules
    seed: int
    search: Search
    on_error: OnError


class Piece(NamedTuple):
    """Something to do for one document."""

    name: str
    continuum: Continuum
    aligns: bool
    first: int
    draws: int
    """How many draws, from the first."""


class PackedDocuments(NamedTuple):
    """Documents one after the other, in the same few columns."""

    starts: Floats
    ends: Floats
    label_codes: NDArray[np.int32]
    """Among all labels of the data."""
    counts: Integers
    """Units of each annotator, document after document."""
    is_drawn_from: NDArray[np.bool_]
    """Whether chance draws from an annotator."""
    annotators_of: Integers
    extents: Floats

    @classmethod
    def packed(
        cls,
        continua: Sequence[Continuum],
        place: Mapping[Label | None, int],
        chance_from: tuple[str, ...] | None,
    ) -> PackedDocuments:
        """Pack documents; `place` gives the code of a label among all."""
        # Codes of all documents at once: those of a document stand from its first label on.
        n_labels = np.array([len(continuum.labels) for continuum in continua])
        n_units = np.array([len(continuum) for continuum in continua])
        among_all = np.array(
            [place[k] for continuum in continua for k in continuum.labels], np.int32
        )
        own = np.concatenate([continuum.label_codes for continuum in continua])
        codes = among_all[own + np.repeat(np.cumsum(n_labels) - n_labels, n_units)]
        annotators_of = np.array([len(continuum.annotators) for continuum in continua], np.int64)
        begin = np.concatenate([continuum.offsets for continuum in continua])
        counts = np.diff(begin)
        if len(continua) > 1:
            # Between the last unit of a document and the first of the next there is no annotator.
            counts = np.delete(counts, np.cumsum(annotators_of[:-1] + 1) - 1)
        drawn = np.ones(len(counts), np.bool_)
        if chance_from is not None:
            names = (name for continuum in continua for name in continuum.annotators)
            drawn = np.array([name in chance_from for name in names], np.bool_)
        return cls(
            np.concatenate([continuum.starts for continuum in continua]),
            np.concatenate([continuum.ends for continuum in continua]),
            codes,
            counts,
            drawn,
            annotators_of,
            np.array([continuum.extent for continuum in continua], np.float64),
        )

    @property
    def units_of(self) -> Integers:
        """How many units each document has."""
        ends = np.concatenate(([0], np.cumsum(self.counts)))
        return np.diff(ends[np.concatenate(([0], np.cumsum(self.annotators_of)))])

    def part(self, low: int, high: int) -> PackedDocuments:
        """Keep some successive documents."""
        voice = np.concatenate(([0], np.cumsum(self.annotators_of)))
        unit = np.concatenate(([0], np.cumsum(self.counts)))
        voices = slice(voice[low], voice[high])
        units = slice(unit[voice[low]], unit[voice[high]])
        return PackedDocuments(
            self.starts[units],
            self.ends[units],
            self.label_codes[units],
            self.counts[voices],
            self.is_drawn_from[voices],
            self.annotators_of[low:high],
            self.extents[low:high],
        )

    def continuum(self, labels: tuple[Label | None, ...]) -> tuple[Continuum, Integers]:
        """Unpack the only document, with the codes of its labels; nobody has a name here."""
        used = np.unique(self.label_codes)
        names = _nameless(len(self.counts))
        finished = Finished(
            annotators=names,
            starts=np.ascontiguousarray(self.starts),
            ends=np.ascontiguousarray(self.ends),
            label_codes=np.searchsorted(used, self.label_codes).astype(np.int32),
            offsets=np.concatenate(([0], np.cumsum(self.counts))),
            labels=tuple(labels[code] for code in used.tolist()),
            extent=(float(self.extents[0, 0]), float(self.extents[0, 1])),
            annotators_from="declared",
            digest="",
        )
        return continuum_of(finished), used.astype(np.int64)


def _nameless(count: int) -> tuple[str, ...]:
    # In the order of the alphabet, as the annotators of every continuum are.
    return tuple(f"{at:06d}" for at in range(count))
