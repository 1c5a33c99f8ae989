"""Documents as batches of arrays for the kernel: packing, cost estimates, tasks and calls."""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from unisono._core import measure_documents
from unisono.errors import ReadError, UnisonoError, WorkError
from unisono.measures.gamma.alignment import (
    EFFORT_DRAW,
    EFFORT_OBSERVED,
    MOST_ANNOTATORS,
    aligned,
    columns_of,
)
from unisono.measures.gamma.chance import (
    SHIFT_STREAM,
    ShiftChance,
    StatisticalChance,
    has_no_room,
    scored,
    shift_spacing,
)
from unisono.measures.gamma.evidence import ChunkFindings, Finding
from unisono.measures.sampling import name_bytes, words_of
from unisono.model.continuum import Finished, continuum_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from unisono.measures.gamma.alignment import Search
    from unisono.measures.gamma.chance import ChanceRules, DrawScores, DrawSource, Recipe, Voices
    from unisono.measures.gamma.dissimilarity import Fitted
    from unisono.model.arrays import Booleans, Floats, Integers
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label

__all__ = ["Costs", "DocumentsTask", "OnError", "Piece", "Scoring", "SharedTask", "pieces_of"]


def can_be_at_once(scoring: Scoring, documents: PackedDocuments) -> Booleans:
    """Say which documents the kernel measures without asking, and without objecting."""
    places = documents.annotators_of
    if scoring.fitted.cost is not None or not scoring.rules.by_shifting:
        return np.zeros(len(places), np.bool_)
    extents = documents.extents[:, 1] - documents.extents[:, 0]
    return (places <= MOST_ANNOTATORS) & ~has_no_room(extents, places, scoring.rules)


def measured_at_once(
    scoring: Scoring,
    documents: PackedDocuments,
    names: Sequence[str],
    aligns: Booleans,
    first: Integers,
    draws: Integers,
) -> ChunkFindings:
    """Align documents and make draws of them."""
    fitted, rules, seed, search, _ = scoring
    units_of = documents.units_of
    labels = _labels_of(documents.label_codes, units_of, len(fitted.labels))
    drawn = _drawn_from(documents, names, units_of, labels)
    low, high = np.ascontiguousarray(documents.extents.T)
    places = documents.annotators_of
    mean_lengths = drawn.lengths / drawn.units_of
    spacing, was_lowered = shift_spacing(high - low, places, mean_lengths, rules)
    found = measure_documents(
        documents.starts,
        documents.ends,
        labels.own,
        documents.counts,
        documents.is_drawn_from,
        places,
        labels.labels_of,
        labels.codes,
        low,
        high,
        spacing,
        drawn.streams,
        aligns,
        first,
        draws,
        words_of(seed),
        fitted.distances,
        **fitted.weights,
        confidence_factor=rules.confidence_factor(fitted),
        effort=EFFORT_OBSERVED,
        effort_of_draws=EFFORT_DRAW,
        **search.for_kernel,
        stream_of_shifts=SHIFT_STREAM,
        whole_shifts=rules.whole_shifts,
    )
    sums = _sums(found["disorders"], np.maximum(found["groups_of"], 0))
    proven = found["proven"].astype(np.bool_)
    scores = found["draws"]
    mean_units = rules.mean_units_of(scores["unit_count"], np.repeat(places, draws))
    return ChunkFindings(
        groups_of=found["groups_of"],
        units_of=units_of,
        annotators_of=places,
        labels_of=labels.labels_of,
        draws_of=draws,
        lower_bound=np.where(proven | ~(found["lower_bound"] < sums), sums, found["lower_bound"]),
        proven=proven,
        label_disorder=found["label_disorder"],
        label_weight=found["label_weight"],
        redrawn=found["redrawn"],
        spacing=spacing,
        spacing_was_lowered=was_lowered,
        groups=found["groups"],
        disorders=found["disorders"],
        label_codes=labels.codes,
        label_disorder_of=found["label_disorder_of"],
        label_weight_of=found["label_weight_of"],
        draw_disorders=scores["disorder_sum"] / mean_units * fitted.empty,
        draw_bounds=scores["lower_bound"] / mean_units * fitted.empty,
        draw_proven=scores["proven"].astype(np.bool_),
        draw_label_disorder=scores["label_disorder"] * fitted.empty,
        draw_label_weight=scores["label_weight"],
        draw_label_disorder_of=scores["label_disorder_of"] * fitted.empty,
        draw_label_weight_of=scores["label_weight_of"],
        failures=ChunkFindings.no_failures(len(places)),
    )


class _Labels(NamedTuple):
    """The labels of documents."""

    own: NDArray[np.int32]
    """For each unit, the code of its label among those of its document."""
    labels_of: Integers
    codes: NDArray[np.int32]
    """Of the labels of each document among all, ascending."""


class _Drawn(NamedTuple):
    """What chance draws from, for each document."""

    units_of: Integers
    lengths: Floats
    """The sum over the units."""
    streams: NDArray[np.uint32]
    """The word that names the dice."""


def _labels_of(codes: NDArray[np.int32], units_of: Integers, n_labels: int) -> _Labels:
    document = np.repeat(np.arange(len(units_of)), units_of)
    # One whole number for the document and the label, so that one sorting serves all documents.
    used, own = np.unique(document * n_labels + codes, return_inverse=True)
    owner, label_codes = np.divmod(used, n_labels)
    labels_of = np.bincount(owner, minlength=len(units_of))
    first = np.cumsum(labels_of) - labels_of
    return _Labels(
        (own - first[document]).astype(np.int32), labels_of, label_codes.astype(np.int32)
    )


def _drawn_from(
    documents: PackedDocuments, names: Sequence[str], units_of: Integers, labels: _Labels
) -> _Drawn:
    lengths = documents.ends - documents.starts
    counts, annotators_of, codes = documents.counts, documents.annotators_of, labels.own
    drawn = documents.is_drawn_from
    if not drawn.all():
        of_units = np.repeat(drawn, counts)
        lengths = lengths[of_units]
        annotators_of = _counted(drawn, annotators_of)
        units_of = _counted(of_units, units_of)
        counts = counts[drawn]
        n_labels = int(codes.max(initial=0)) + 1
        codes = _labels_of(codes[of_units], units_of, n_labels).own
    streams = _streams(counts, annotators_of, codes, units_of, names)
    return _Drawn(units_of, _sums(lengths, units_of), streams)


def _counted(chosen: Booleans, sizes: Integers) -> Integers:
    """Count what is chosen of each document."""
    ends = np.cumsum(sizes)
    so_far = np.concatenate(([0], np.cumsum(chosen)))
    return np.asarray(so_far[ends] - so_far[ends - sizes], np.int64)


def _sums(column: Floats, sizes: Integers) -> Floats:
    """Sum a column document by document, to the last bit as numpy sums one document."""
    ends = np.cumsum(sizes)
    # No loop of numpy's own over parts of a column adds up in the same order.
    bounds = zip((ends - sizes).tolist(), ends.tolist(), strict=True)
    return np.array([np.add.reduce(column[low:high]) for low, high in bounds], np.float64)


def _streams(
    counts: Integers,
    annotators_of: Integers,
    codes: NDArray[np.int32],
    units_of: Integers,
    names: Sequence[str],
) -> NDArray[np.uint32]:
    """Return the `fingerprint` of each document: its numbers of units, label codes and name."""
    told = [_as_bytes(counts), _as_bytes(codes)]
    ends = [(8 * np.cumsum(sizes)).tolist() for sizes in (annotators_of, units_of)]
    streams = bytearray()
    of_counts = of_codes = 0
    for name, end_of_counts, end_of_codes in zip(names, *ends, strict=True):
        digest = hashlib.sha256(told[0][of_counts:end_of_counts])
        digest.update(told[1][of_codes:end_of_codes])
        digest.update(name_bytes(name))
        streams += digest.digest()[:4]
        of_counts, of_codes = end_of_counts, end_of_codes
    return np.frombuffer(streams, "<u4").astype(np.uint32)


def _as_bytes(numbers: NDArray[np.integer[Any]]) -> memoryview:
    return memoryview(numbers.astype("<i8").tobytes())


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


# Seconds on one core, measured: for an alignment, and for each unit in it by the number of
# annotators. They need not be exact: chunks that cost about the same keep everyone busy.
_AN_ALIGNMENT = 1e-6
_A_UNIT = (2.5e-7, 2.5e-7, 2.5e-7, 8e-7, 3.3e-6, 1.3e-5, 2e-5, 3e-5)
_MANY_ANNOTATORS = 6e-5
# A dissimilarity of the user's own is asked about every pair.
_ASKED, _A_PAIR_ASKED = 5e-4, 1e-7


class Costs:
    """Estimates how long alignments take."""

    def __init__(self, *, own: bool) -> None:
        self._own = own

    def seconds(self, units: float, annotators: int, alignments: int) -> float:
        """Estimate how long some alignments of so many units take on one core."""
        a_unit = _A_UNIT[annotators] if annotators < len(_A_UNIT) else _MANY_ANNOTATORS
        one = _AN_ALIGNMENT + a_unit * units
        if self._own:
            one += _ASKED + _A_PAIR_ASKED * units * units
        return alignments * one

    def of_all(self, documents: int, units: int, annotators: int, alignments: int) -> float:
        """Estimate how long a corpus takes, from what is known of it as a whole."""
        return documents * self.seconds(units / max(1, documents), annotators, alignments)

    def of_piece(self, piece: Piece) -> float:
        """Estimate how long a piece takes."""
        continuum = piece.continuum
        alignments = piece.draws + piece.aligns
        return self.seconds(len(continuum), len(continuum.annotators), alignments)


def pieces_of(
    documents: Iterable[tuple[str, Continuum]],
    *,
    aligns: bool,
    first: int,
    draws: int,
    costs: Costs,
    most: float,
) -> Iterator[Piece]:
    """Cut the work on documents into pieces; a large document has several."""
    for name, continuum in documents:
        one = costs.seconds(len(continuum), len(continuum.annotators), 1)
        at_once = max(1, int(most / one))
        if draws + aligns <= at_once:
            yield Piece(name, continuum, aligns, first, draws)
            continue
        if aligns:
            yield Piece(name, continuum, aligns, first, 0)
        for done in range(0, draws, at_once):
            count = min(at_once, draws - done)
            yield Piece(name, continuum, aligns=False, first=first + done, draws=count)


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
