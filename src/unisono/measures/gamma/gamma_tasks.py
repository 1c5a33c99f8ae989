"""Tasks of the γ family: documents to align and to draw from.

Almost always the kernel measures all documents of a task in one call. Those that it has to ask
about, or that cannot be measured, are measured one by one.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.errors import ReadError, UnisonoError, WorkError
from unisono.measures.gamma.aligning import aligned, columns_of
from unisono.measures.gamma.chance import ShiftChance, scored
from unisono.measures.gamma.documents import can_be_at_once, measured_at_once
from unisono.measures.gamma.evidence import ChunkFindings, Finding
from unisono.measures.gamma.gamma_packing import PackedDocuments, Piece, Scoring
from unisono.measures.gamma.statistical import StatisticalChance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from unisono.measures.gamma.chance import DrawSource, Recipe
    from unisono.measures.gamma.draw_scores import DrawScores
    from unisono.measures.gamma.fitted import Fitted
    from unisono.measures.gamma.voices import Voices
    from unisono.model.arrays import Integers
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label

__all__ = ["DocumentsTask", "SharedTask"]


class DocumentsTask(NamedTuple):
    """Some documents to align, and draws to make of them."""

    scoring: Scoring
    documents: PackedDocuments
    names: tuple[str, ...]
    """For messages and dice; a continuum without a name has an empty one."""
    aligns: NDArray[np.bool_]
    first: Integers
    draws: Integers

    @classmethod
    def packed(
        cls,
        scoring: Scoring,
        pieces: Sequence[Piece],
        place: Mapping[Label | None, int],
        chance_from: tuple[str, ...] | None,
    ) -> DocumentsTask:
        """Pack what is to be done for some documents."""
        continua = [piece.continuum for piece in pieces]
        return cls(
            scoring,
            PackedDocuments.packed(continua, place, chance_from),
            tuple(piece.name for piece in pieces),
            np.array([piece.aligns for piece in pieces], np.bool_),
            np.array([piece.first for piece in pieces], np.int64),
            np.array([piece.draws for piece in pieces], np.int64),
        )

    def done(self) -> ChunkFindings:
        """Align the documents and make their draws."""
        at_once = can_be_at_once(self.scoring, self.documents)
        changes = np.flatnonzero(np.diff(at_once)) + 1
        parts = [
            self._done_at_once(low, high) if at_once[low] else self._done_one_by_one(low, high)
            for low, high in pairwise((0, *changes.tolist(), len(at_once)))
        ]
        return parts[0] if len(parts) == 1 else ChunkFindings.joined(parts)

    def _done_at_once(self, low: int, high: int) -> ChunkFindings:
        try:
            return measured_at_once(*self._part(low, high))
        except ValueError:
            # The kernel refuses one of them, and does not say which.
            return self._done_one_by_one(low, high)

    def _done_one_by_one(self, low: int, high: int) -> ChunkFindings:
        return ChunkFindings.packed([self._finding(at) for at in range(low, high)])

    def halves(self) -> tuple[DocumentsTask, DocumentsTask] | None:
        """Divide the documents."""
        if len(self.names) < 2:
            return None
        middle = len(self.names) // 2
        return self._part(0, middle), self._part(middle, len(self.names))

    def joined(self, first: ChunkFindings, second: ChunkFindings) -> ChunkFindings:
        """Put the findings of the halves together."""
        return ChunkFindings.joined([first, second])

    def lost(self, why: str) -> ChunkFindings:
        """Report the document, or raise."""
        name = self.names[0]
        if self.scoring.on_error == "raise":
            msg = f"{_told(name)}cannot be measured here: {why}"
            raise WorkError(msg)
        return ChunkFindings.packed([_failed(why)])

    def _part(self, low: int, high: int) -> DocumentsTask:
        return DocumentsTask(
            self.scoring,
            self.documents.part(low, high),
            self.names[low:high],
            self.aligns[low:high],
            self.first[low:high],
            self.draws[low:high],
        )

    def _finding(self, at: int) -> Finding:
        try:
            return self._measured(at)
        except UnisonoError as error:
            if self.scoring.on_error == "report":
                return _failed(str(error))
            if not self.names[at] or isinstance(error, ReadError):
                raise
            # What is wrong is wrong with one of many: say with which.
            msg = f"document {self.names[at]!r}: {error}"
            raise type(error)(msg) from None
        except MemoryError:
            raise
        except Exception as error:
            # From a dissimilarity of the user's own, which may raise anything.
            if self.scoring.on_error == "raise":
                raise
            return _failed(f"{type(error).__name__}: {error}")

    def _measured(self, at: int) -> Finding:
        scoring = self.scoring
        document = self.documents.part(at, at + 1)
        continuum, label_codes = document.continuum(scoring.fitted.labels)
        fitted = scoring.fitted.for_labels(continuum.labels)
        # First of all, so that too many annotators are refused whichever piece this is.
        columns = columns_of(continuum)
        source = _source(scoring, continuum, fitted, document.is_drawn_from, self.names[at])
        found = None
        if self.aligns[at]:
            found = aligned(
                columns,
                fitted,
                search=scoring.search,
                confidence_factor=scoring.rules.confidence_factor(fitted),
            )
        scores = None
        if self.draws[at] and source is not None:
            first, count = int(self.first[at]), int(self.draws[at])
            scores = source.score(first, count, workers=1, search=scoring.search)
        spacing, was_lowered = np.nan, False
        if isinstance(source, ShiftChance):
            spacing, was_lowered = source.spacing, source.spacing_was_lowered
        return Finding(
            len(continuum),
            len(continuum.annotators),
            label_codes,
            found,
            scores,
            spacing,
            was_lowered,
            "",
        )


class SharedTask(NamedTuple):
    """Draws that documents share: those of the chance model ``corpus``."""

    scoring: Scoring
    voices: Voices
    """Those that the recipe picks."""
    recipe: Recipe

    def done(self) -> DrawScores:
        """Make, align and score the draws."""
        fitted, rules, _, search, _ = self.scoring
        return scored(self.voices, self.recipe, fitted, rules, search, 1)

    def halves(self) -> None:
        """Draws of all documents are not divided: no document could be blamed."""

    def joined(self, first: DrawScores, second: DrawScores) -> DrawScores:
        """Put the scores of successive draws together."""
        return type(first).joined((first, second))

    def lost(self, why: str) -> DrawScores:
        """Raise: there is no γ without draws."""
        msg = f"the draws of the chance model 'corpus' cannot be made here: {why}"
        raise WorkError(msg)


def _source(
    scoring: Scoring,
    continuum: Continuum,
    fitted: Fitted,
    is_drawn_from: NDArray[np.bool_],
    name: str,
) -> DrawSource | None:
    rules = scoring.rules
    if not rules.of_one_document:
        return None
    drawn = None
    if not is_drawn_from.all():
        names = [continuum.annotators[at] for at in np.flatnonzero(is_drawn_from)]
        drawn = continuum.only(annotators=names)
    if rules.by_shifting:
        return ShiftChance(continuum, fitted, rules, scoring.seed, drawn, name=name)
    return StatisticalChance(continuum, fitted, rules, scoring.seed, drawn, name=name)


def _failed(why: str) -> Finding:
    nothing = np.empty(0, np.int64)
    return Finding(0, 0, nothing, None, None, np.nan, spacing_was_lowered=False, failure=why)


def _told(name: str) -> str:
    return f"document {name!r} " if name else "the document "
