"""Documents as batches of arrays: how they are packed, measured by the kernel, and cut into tasks.

One document is a batch of one.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from unisono._core import measure_documents
from unisono.errors import ReadError, UnisonoError, WorkError
from unisono.measures.gamma.alignment import (
    EFFORT_DRAW,
    EFFORT_OBSERVED,
    aligned,
    check_annotators,
    columns_of,
)
from unisono.measures.gamma.chance import (
    NO_DRAWS,
    SHIFT_STREAM,
    DrawScores,
    ShiftChance,
    StatisticalChance,
    check_room,
    draw_scores,
    scored,
    shift_spacing,
)
from unisono.measures.gamma.evidence import Evidence, alignment_columns, draw_columns
from unisono.measures.sampling import name_bytes, words_of
from unisono.model.continuum import Finished, continuum_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from unisono.measures.gamma.alignment import Aligned, Search
    from unisono.measures.gamma.chance import ChanceModel, ChanceRules, Recipe, Tracks
    from unisono.measures.gamma.dissimilarity import Fitted
    from unisono.model.arrays import Booleans, Floats, Integers
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label

__all__ = ["Costs", "DocumentsTask", "OnError", "Piece", "Settings", "SharedTask", "pieces_of"]

OnError = Literal["raise", "report"]


class Settings(NamedTuple):
    """What can move the values of a run, besides the data; the same for all documents."""

    fitted: Fitted
    rules: ChanceRules
    seed: int
    search: Search
    confidence: float = 0.95
    chance_from: tuple[str, ...] | None = None
    """Whose units are drawn; `None` for everyone's."""
    on_error: OnError = "raise"
    streams: Mapping[str, int] | None = None
    """The random streams of documents, to draw as for other data; `None` for their own."""


def measured(
    settings: Settings,
    documents: PackedDocuments,
    names: Sequence[str],
    aligns: Booleans,
    first: Integers,
    draws: Integers,
) -> Evidence:
    """Align documents and make draws of them.

    The kernel does all of it for dissimilarities of the paper and chance by shifts. A custom
    dissimilarity is a function in Python, which returns the costs of pairs; a fitted chance model
    returns the units of its draws.
    """
    fitted, rules, search = settings.fitted, settings.rules, settings.search
    places, units_of = documents.annotators_of, documents.units_of
    check_annotators(int(places.max(initial=0)))
    low, high = np.ascontiguousarray(documents.extents.T)
    labels = _labels_of(documents.label_codes, units_of, len(fitted.labels))
    streams = np.zeros(len(places), np.uint32)
    spacing, was_lowered = np.full(len(places), np.nan), np.zeros(len(places), np.bool_)
    if rules.by_shifting:
        check_room(documents.extents, places, rules)
        streams, mean_lengths = _drawn_from(documents, names, units_of, labels)
        if settings.streams is not None:
            streams = np.array([settings.streams[name] for name in names], np.uint32)
        spacing, was_lowered = shift_spacing(high - low, places, mean_lengths, rules)
    is_custom = fitted.cost is not None
    shifts = rules.by_shifting and not is_custom
    found: Any
    if is_custom:
        found = alignment_columns(list(_custom_alignments(settings, documents, aligns)))
    else:
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
            streams,
            aligns,
            first,
            draws if shifts else np.zeros_like(draws),
            words_of(settings.seed),
            fitted.distances,
            **fitted.weights,
            confidence_factor=rules.confidence_factor(fitted),
            effort=EFFORT_OBSERVED,
            effort_of_draws=EFFORT_DRAW,
            **search.for_kernel,
            stream_of_shifts=SHIFT_STREAM,
            whole_shifts=rules.whole_shifts,
        )
    redrawn, work = np.zeros(len(places), np.int64), np.zeros(len(places), np.int64)
    if shifts:
        redrawn = found.pop("redrawn")
        of_draws = np.repeat(places, draws)
        work = _counted(found["draws"]["work"], draws)
        scores = [draw_scores(found.pop("draws"), of_draws, fitted, rules, int(redrawn.sum()))]
    elif rules.of_one_document:
        scores = list(_draws_in_python(settings, documents, names, first, draws))
        redrawn = np.array([each.redrawn for each in scores], np.int64)
        work = np.array([each.work for each in scores], np.int64)
    else:
        scores = []
    sums = _sums(found["disorders"], np.maximum(found["groups_of"], 0))
    proven = found["proven"].astype(np.bool_)
    bound = found["lower_bound"]
    columns = {name: found[name] for name in alignment_columns([])} | {
        "lower_bound": np.where(proven | ~(bound < sums), sums, bound),
        "proven": proven,
    }
    return Evidence(
        units_of=units_of,
        annotators_of=places,
        labels_of=labels.labels_of,
        label_codes=labels.codes,
        draws_of=draws,
        redrawn=redrawn,
        work=work,
        spacing=spacing,
        spacing_was_lowered=was_lowered,
        failures=Evidence.no_failures(len(places)),
        **columns,
        **draw_columns(scores),
    )


def _custom_alignments(
    settings: Settings, documents: PackedDocuments, aligns: Booleans
) -> Iterator[Aligned | None]:
    """Align documents by a function in Python, one after the other."""
    factor = settings.rules.confidence_factor(settings.fitted)
    for at in range(len(aligns)):
        if not aligns[at]:
            yield None
            continue
        continuum, _ = documents.part(at, at + 1).continuum(settings.fitted.labels)
        fitted = settings.fitted.for_labels(continuum.labels)
        columns = columns_of(continuum)
        yield aligned(columns, fitted, search=settings.search, confidence_factor=factor)


def _draws_in_python(
    settings: Settings,
    documents: PackedDocuments,
    names: Sequence[str],
    first: Integers,
    draws: Integers,
) -> Iterator[DrawScores]:
    """Return the draws of documents whose units, or their costs, come from Python."""
    rules = settings.rules
    for at in range(len(names)):
        if not draws[at]:
            yield NO_DRAWS
            continue
        document = documents.part(at, at + 1)
        continuum, _ = document.continuum(settings.fitted.labels)
        fitted = settings.fitted.for_labels(continuum.labels)
        source = continuum
        if not document.is_drawn_from.all():
            chosen = np.flatnonzero(document.is_drawn_from)
            source = continuum.only(annotators=[continuum.annotators[who] for who in chosen])
        model: ChanceModel
        if rules.by_shifting:
            model = ShiftChance(continuum, fitted, rules, settings.seed, source, name=names[at])
        else:
            model = StatisticalChance(continuum, fitted, settings.seed, source, name=names[at])
        tracks, recipe = model.drawn(int(first[at]), int(draws[at]))
        yield scored(tracks, recipe, fitted, rules, settings.search)


class _Labels(NamedTuple):
    """The labels of documents."""

    own: NDArray[np.int32]
    """For each unit, the code of its label among those of its document."""
    labels_of: Integers
    codes: NDArray[np.int32]
    """Of the labels of each document among all, ascending."""


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
) -> tuple[NDArray[np.uint32], Floats]:
    """Return the stream of random numbers of each document, and its mean unit length.

    Both are of the units that chance draws from.
    """
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
    return streams, _sums(lengths, units_of) / units_of


def _counted(numbers: Booleans | Integers, sizes: Integers) -> Integers:
    """Return the sum of the entries of each document, or how many of them are true."""
    ends = np.cumsum(sizes)
    so_far = np.concatenate(([0], np.cumsum(numbers)))
    return np.asarray(so_far[ends] - so_far[ends - sizes], np.int64)


def _sums(column: Floats, sizes: Integers) -> Floats:
    """Return the sum of each document, with the last bit of NumPy's sum of that document alone."""
    ends = np.cumsum(sizes)
    # np.add.reduceat adds in another order.
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
    columns = [_as_bytes(counts), _as_bytes(codes)]
    ends = [(8 * np.cumsum(sizes)).tolist() for sizes in (annotators_of, units_of)]
    streams = bytearray()
    of_counts = of_codes = 0
    for name, end_of_counts, end_of_codes in zip(names, *ends, strict=True):
        digest = hashlib.sha256(columns[0][of_counts:end_of_counts])
        digest.update(columns[1][of_codes:end_of_codes])
        digest.update(name_bytes(name))
        streams += digest.digest()[:4]
        of_counts, of_codes = end_of_counts, end_of_codes
    return np.frombuffer(streams, "<u4").astype(np.uint32)


def _as_bytes(numbers: NDArray[np.integer[Any]]) -> memoryview:
    return memoryview(numbers.astype("<i8").tobytes())


class Piece(NamedTuple):
    """Work on one document: its alignment, or some of its draws, or both."""

    name: str
    continuum: Continuum
    aligns: bool
    first: int
    draws: int
    """The number of draws, from the first on."""


class PackedDocuments(NamedTuple):
    """Documents one after the other, in the same columns."""

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
        """Pack documents; ``place`` has the code of each label among all labels."""
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
        """The number of units of each document."""
        ends = np.concatenate(([0], np.cumsum(self.counts)))
        return np.diff(ends[np.concatenate(([0], np.cumsum(self.annotators_of)))])

    def part(self, low: int, high: int) -> PackedDocuments:
        """Return some successive documents."""
        track = np.concatenate(([0], np.cumsum(self.annotators_of)))
        unit = np.concatenate(([0], np.cumsum(self.counts)))
        tracks = slice(track[low], track[high])
        units = slice(unit[track[low]], unit[track[high]])
        return PackedDocuments(
            self.starts[units],
            self.ends[units],
            self.label_codes[units],
            self.counts[tracks],
            self.is_drawn_from[tracks],
            self.annotators_of[low:high],
            self.extents[low:high],
        )

    def continuum(self, labels: tuple[Label | None, ...]) -> tuple[Continuum, Integers]:
        """Return the only document, with placeholders for names, and the codes of its labels."""
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
    # In alphabetical order, as the annotators of every continuum.
    return tuple(f"{at:06d}" for at in range(count))


# Seconds on one core, measured: per alignment, and per unit by the number of annotators. They only
# serve to cut the work into chunks of similar cost.
_SECONDS_PER_ALIGNMENT = 1e-6
_SECONDS_PER_UNIT = (2.5e-7, 2.5e-7, 2.5e-7, 8e-7, 3.3e-6, 1.3e-5, 2e-5, 3e-5)
_SECONDS_PER_UNIT_OF_MANY = 6e-5
# A custom dissimilarity is computed for every pair of units.
_SECONDS_PER_CUSTOM_CALL, _SECONDS_PER_CUSTOM_PAIR = 5e-4, 1e-7


class Costs:
    """Estimates how long alignments take."""

    def __init__(self, *, is_custom: bool) -> None:
        self._is_custom = is_custom

    def seconds(self, units: float, annotators: int, alignments: int) -> float:
        """Return the estimated seconds of alignments of a number of units on one core."""
        per_unit = _SECONDS_PER_UNIT_OF_MANY
        if annotators < len(_SECONDS_PER_UNIT):
            per_unit = _SECONDS_PER_UNIT[annotators]
        one = _SECONDS_PER_ALIGNMENT + per_unit * units
        if self._is_custom:
            one += _SECONDS_PER_CUSTOM_CALL + _SECONDS_PER_CUSTOM_PAIR * units * units
        return alignments * one

    def of_all(self, documents: int, units: int, annotators: int, alignments: int) -> float:
        """Return the estimated seconds of a corpus, from its totals."""
        return documents * self.seconds(units / max(1, documents), annotators, alignments)

    def of_piece(self, piece: Piece) -> float:
        """Return the estimated seconds of a piece."""
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

    settings: Settings
    documents: PackedDocuments
    names: tuple[str, ...]
    """For messages and random streams; a continuum alone has the empty name."""
    aligns: NDArray[np.bool_]
    first: Integers
    draws: Integers

    @classmethod
    def packed(
        cls,
        settings: Settings,
        pieces: Sequence[Piece],
        place: Mapping[Label | None, int],
    ) -> DocumentsTask:
        """Return the task of some pieces."""
        continua = [piece.continuum for piece in pieces]
        return cls(
            settings,
            PackedDocuments.packed(continua, place, settings.chance_from),
            tuple(piece.name for piece in pieces),
            np.array([piece.aligns for piece in pieces], np.bool_),
            np.array([piece.first for piece in pieces], np.int64),
            np.array([piece.draws for piece in pieces], np.int64),
        )

    def run(self) -> Evidence:
        """Align the documents and make their draws."""
        try:
            return measured(*self)
        except MemoryError:
            raise
        # A custom dissimilarity may raise anything.
        except Exception as raised:  # noqa: BLE001
            error = raised
        halves = self.split()
        if halves is None:
            return self._failed(error)
        # One of them cannot be measured: the halves show which.
        return Evidence.joined([half.run() for half in halves])

    def split(self) -> tuple[DocumentsTask, DocumentsTask] | None:
        """Return two tasks with half of the documents each, or `None` for a single document."""
        if len(self.names) < 2:
            return None
        middle = len(self.names) // 2
        return self._part(0, middle), self._part(middle, len(self.names))

    def merge(self, first: Evidence, second: Evidence) -> Evidence:
        """Join the evidence of the halves."""
        return Evidence.joined([first, second])

    def on_lost(self, why: str) -> Evidence:
        """Report that the worker of the only document died, or raise."""
        name = self.names[0]
        if self.settings.on_error == "raise":
            msg = f"{_subject(name)}cannot be measured here: {why}"
            raise WorkError(msg)
        return Evidence.failed(why)

    def _part(self, low: int, high: int) -> DocumentsTask:
        return DocumentsTask(
            self.settings,
            self.documents.part(low, high),
            self.names[low:high],
            self.aligns[low:high],
            self.first[low:high],
            self.draws[low:high],
        )

    def _failed(self, error: Exception) -> Evidence:
        """Report that the only document cannot be measured, or raise."""
        name, is_ours = self.names[0], isinstance(error, UnisonoError)
        if self.settings.on_error == "report":
            return Evidence.failed(str(error) if is_ours else f"{type(error).__name__}: {error}")
        if not is_ours or not name or isinstance(error, ReadError):
            raise error
        msg = f"document {name!r}: {error}"
        raise type(error)(msg)


class SharedTask(NamedTuple):
    """Draws that documents share: those of the chance model ``corpus``."""

    settings: Settings
    tracks: Tracks
    """Of the annotators that the recipe picks."""
    recipe: Recipe

    def run(self) -> DrawScores:
        """Make and align the draws."""
        settings = self.settings
        return scored(self.tracks, self.recipe, settings.fitted, settings.rules, settings.search)

    def split(self) -> None:
        """Return `None`: these draws belong to no document that could be left out."""

    def merge(self, first: DrawScores, second: DrawScores) -> DrawScores:
        """Join the scores of successive draws."""
        return type(first).joined((first, second))

    def on_lost(self, why: str) -> DrawScores:
        """Raise an error: there is no γ without draws."""
        msg = f"the draws of the chance model 'corpus' cannot be made here: {why}"
        raise WorkError(msg)


def _subject(name: str) -> str:
    return f"document {name!r} " if name else "the document "
