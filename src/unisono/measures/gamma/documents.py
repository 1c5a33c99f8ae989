"""Batches of documents: packing into columns, alignment by the kernel, division into tasks.

A single document is a batch of one.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from unisono._core import make_draws, measure_documents
from unisono.errors import ReadError, UnisonoError, WorkError
from unisono.measures.gamma.alignment import (
    EFFORT_DRAW,
    EFFORT_OBSERVED,
    check_annotators,
    custom_disorders,
    custom_pairs,
    successive,
)
from unisono.measures.gamma.chance import (
    NO_DRAWS,
    SHIFT_STREAM,
    ShiftChance,
    StatisticalChance,
    draw_scores,
    shift_spacing,
)
from unisono.measures.gamma.dissimilarity import UnitColumns
from unisono.measures.gamma.evidence import ALIGNMENT_COLUMNS, Evidence, draw_columns
from unisono.measures.sampling import name_bytes, words_of
from unisono.model.continuum import Finished, continuum_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from unisono.measures.gamma.alignment import Search
    from unisono.measures.gamma.chance import (
        ChanceModel,
        ChanceRules,
        DrawScores,
        Recipe,
        Tracks,
    )
    from unisono.measures.gamma.dissimilarity import Fitted
    from unisono.model.arrays import Booleans, Floats, Integers
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label

__all__ = [
    "Costs",
    "DocumentsTask",
    "OnError",
    "Piece",
    "Settings",
    "SharedTask",
    "pieces_of",
    "score_draws",
]

OnError = Literal["raise", "report"]


class Settings(NamedTuple):
    """The settings of a run that affect values; the same for all documents."""

    fitted: Fitted
    rules: ChanceRules
    seed: int
    search: Search
    confidence: float = 0.95
    chance_from: tuple[str, ...] | None = None
    """The annotators whose units chance draws from; `None` for all."""
    on_error: OnError = "raise"
    streams: Mapping[str, int] | None = None
    """The random streams of documents, to draw as for other data; `None` for their own."""
    effort_of_draws: float = EFFORT_DRAW


def measure(
    settings: Settings,
    documents: PackedDocuments,
    names: Sequence[str],
    aligns: Booleans,
    first: Integers,
    draws: Integers,
    threads: int = 1,
) -> Evidence:
    """Align documents and make their draws, those of a document with so many threads.

    The kernel makes and aligns draws by shifts in the same call. Draws whose units or costs come
    from Python are aligned as documents, in a second call.
    """
    fitted, rules = settings.fitted, settings.rules
    places, units_of = documents.annotators_of, documents.units_of
    check_annotators(int(places.max(initial=0)))
    labels = _labels_of(documents.label_codes, units_of, len(fitted.labels))
    streams = np.zeros(len(places), np.uint32)
    spacing, was_lowered = np.full(len(places), np.nan), np.zeros(len(places), np.bool_)
    if rules.by_shifting:
        streams, mean_lengths = _streams_and_lengths(documents, names, units_of, labels)
        if settings.streams is not None:
            streams = np.array([settings.streams[name] for name in names], np.uint32)
        spacing, was_lowered = shift_spacing(documents.extents, places, mean_lengths, rules)
    in_kernel = rules.by_shifting and fitted.cost is None
    found = _align(
        settings,
        documents,
        labels,
        effort=EFFORT_OBSERVED,
        aligns=aligns,
        spacing=spacing,
        stream=streams,
        first=first,
        draws=draws if in_kernel else np.zeros_like(draws),
        threads=threads,
    )
    scores, work = NO_DRAWS, np.zeros(len(places), np.int64)
    redrawn, of_draws = found["redrawn"], found["draws"]
    if rules.of_one_document:
        if not in_kernel and draws.any():
            made, redrawn = _make_draws(settings, documents, names, first, draws)
            labels_of = np.repeat(labels.labels_of, draws)
            begin = np.cumsum(labels.labels_of) - labels.labels_of
            codes = labels.codes[successive(np.repeat(begin, draws), labels_of)]
            of_draws = _align_draws(settings, made, labels_of, codes)
        work = _totals(of_draws["work"], draws)
        scores = draw_scores(of_draws, np.repeat(places, draws), fitted, rules, int(redrawn.sum()))
    sums = _sums(found["disorders"], np.maximum(found["groups_of"], 0))
    columns = {name: found[name] for name in ALIGNMENT_COLUMNS} | {
        "lower_bound": _bounds(found, sums),
        "proven": found["proven"].astype(np.bool_),
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


def _align(
    settings: Settings,
    documents: PackedDocuments,
    labels: _Labels,
    *,
    effort: float,
    **work: Any,  # noqa: ANN401 - columns of the kernel by name
) -> dict[str, Any]:
    """Align documents and their draws by shifts, and return the columns of the kernel."""
    fitted, rules = settings.fitted, settings.rules
    places, units_of = documents.annotators_of, documents.units_of
    low, high = np.ascontiguousarray(documents.extents.T)
    pairs = None
    if fitted.cost is not None:
        units = UnitColumns(*documents[:3], fitted.labels)
        pairs = custom_pairs(units, documents.counts, places, fitted, aligns=work["aligns"])
    found: dict[str, Any] = {}
    found |= measure_documents(
        starts=documents.starts,
        ends=documents.ends,
        labels=labels.own,
        counts=documents.counts,
        is_drawn_from=documents.is_drawn_from,
        annotators_of=places,
        labels_of=labels.labels_of,
        codes=labels.codes,
        low=low,
        high=high,
        **work,
        seed=words_of(settings.seed),
        distances=fitted.distances,
        **fitted.weights,
        confidence_factor=rules.confidence_factor(fitted),
        effort=effort,
        effort_of_draws=settings.effort_of_draws,
        **settings.search.for_kernel,
        stream_of_shifts=SHIFT_STREAM,
        whole_shifts=rules.whole_shifts,
        pairs=None if pairs is None else pairs.for_kernel(units_of),
    )
    if pairs is not None:
        groups, groups_of = found["groups"], np.maximum(found["groups_of"], 0)
        found["disorders"] = custom_disorders(groups, groups_of, places, units_of, pairs)
        found["work"] = found["work"] + pairs.work
    return found


def _align_draws(
    settings: Settings, draws: PackedDocuments, labels_of: Integers, codes: NDArray[np.int32]
) -> dict[str, Any]:
    """Align draws as documents, with sums for the given labels; returns input of `draw_scores`."""
    size, n_labels = len(draws.annotators_of), len(settings.fitted.labels)
    used = np.repeat(np.arange(size), labels_of) * n_labels + codes
    none = np.zeros(size, np.int64)
    found = _align(
        settings,
        draws,
        _labels_among(used, draws.label_codes, draws.units_of, n_labels),
        effort=settings.effort_of_draws,
        aligns=np.ones(size, np.bool_),
        spacing=np.zeros(size),
        stream=np.zeros(size, np.uint32),
        first=none,
        draws=none,
    )
    # The kernel sums the disorders of its own draws from first to last.
    add = _sums_in_order if settings.fitted.cost is None else _sums
    sums = add(found["disorders"], found["groups_of"])
    bounds = _bounds(found, sums)
    return found | {"disorder_sum": sums, "lower_bound": bounds, "unit_count": draws.units_of}


def _bounds(found: dict[str, Any], sums: Floats) -> Floats:
    """Return lower bounds on disorders; the disorder itself if it is proven to be least."""
    bounds = found["lower_bound"]
    return np.where(found["proven"].astype(np.bool_) | ~(bounds < sums), sums, bounds)


def _make_draws(
    settings: Settings,
    documents: PackedDocuments,
    names: Sequence[str],
    first: Integers,
    draws: Integers,
) -> tuple[PackedDocuments, Integers]:
    """Make the draws that the kernel cannot make; also return how many were redrawn."""
    rules, seed, fitted = settings.rules, settings.seed, settings.fitted
    redrawn = np.zeros(len(draws), np.int64)
    made: list[PackedDocuments] = []
    for at in np.flatnonzero(draws).tolist():
        document = documents.part(at, at + 1)
        continuum = document.continuum(fitted.labels)
        source = continuum
        if not document.is_drawn_from.all():
            chosen = np.flatnonzero(document.is_drawn_from)
            source = continuum.only(annotators=[continuum.annotators[who] for who in chosen])
        model: ChanceModel
        if rules.by_shifting:
            model = ShiftChance(continuum, fitted, rules, seed, source, name=names[at])
        else:
            model = StatisticalChance(continuum, fitted, seed, source, name=names[at])
        tracks, recipe = model.drawn(int(first[at]), int(draws[at]))
        redrawn[at] = recipe.redrawn
        made.append(PackedDocuments.of_draws(tracks, recipe))
    return PackedDocuments._make(map(np.concatenate, zip(*made, strict=True))), redrawn


def score_draws(settings: Settings, tracks: Tracks, recipe: Recipe) -> DrawScores:
    """Align draws composed of the same tracks, and return their sums for all labels."""
    draws, n_labels = PackedDocuments.of_draws(tracks, recipe), len(settings.fitted.labels)
    size = len(draws.annotators_of)
    codes = np.tile(np.arange(n_labels, dtype=np.int32), size)
    found = _align_draws(settings, draws, np.full(size, n_labels), codes)
    for name in ("label_disorder_of", "label_weight_of"):
        found[name] = found[name].reshape(size, n_labels)
    return draw_scores(found, draws.annotators_of, settings.fitted, settings.rules, recipe.redrawn)


class _Labels(NamedTuple):
    """The labels of documents."""

    own: NDArray[np.int32]
    """The label of each unit, as an index into the labels of its document."""
    labels_of: Integers
    codes: NDArray[np.int32]
    """The labels of each document, as ascending indices into all labels."""


def _labels_of(codes: NDArray[np.int32], units_of: Integers, n_labels: int) -> _Labels:
    """Return the labels that occur in each document."""
    # Document and label are combined into one integer, so that one sort handles all documents.
    used = np.unique(np.repeat(np.arange(len(units_of)), units_of) * n_labels + codes)
    return _labels_among(used, codes, units_of, n_labels)


def _labels_among(
    used: Integers, codes: NDArray[np.int32], units_of: Integers, n_labels: int
) -> _Labels:
    """Return the labels of documents from integers that combine document and label."""
    document = np.repeat(np.arange(len(units_of)), units_of)
    owner, label_codes = np.divmod(used, n_labels)
    labels_of = np.bincount(owner, minlength=len(units_of))
    first = np.cumsum(labels_of) - labels_of
    own = np.searchsorted(used, document * n_labels + codes) - first[document]
    return _Labels(own.astype(np.int32), labels_of, label_codes.astype(np.int32))


def _streams_and_lengths(
    documents: PackedDocuments, names: Sequence[str], units_of: Integers, labels: _Labels
) -> tuple[NDArray[np.uint32], Floats]:
    """Return the random stream and the mean unit length of each document.

    Only the units that chance draws from are considered.
    """
    lengths = documents.ends - documents.starts
    counts, annotators_of, codes = documents.counts, documents.annotators_of, labels.own
    drawn = documents.is_drawn_from
    if not drawn.all():
        of_units = np.repeat(drawn, counts)
        lengths = lengths[of_units]
        annotators_of = _totals(drawn, annotators_of)
        units_of = _totals(of_units, units_of)
        counts = counts[drawn]
        n_labels = int(codes.max(initial=0)) + 1
        codes = _labels_of(codes[of_units], units_of, n_labels).own
    streams = _streams(counts, annotators_of, codes, units_of, names)
    return streams, _sums(lengths, units_of) / units_of


def _totals(numbers: Booleans | Integers, sizes: Integers) -> Integers:
    """Return the sum of the entries of each document; true entries count as 1."""
    ends = np.cumsum(sizes)
    so_far = np.concatenate(([0], np.cumsum(numbers)))
    return np.asarray(so_far[ends] - so_far[ends - sizes], np.int64)


def _sums(column: Floats, sizes: Integers) -> Floats:
    """Return the sum of each document, equal to the last bit to `np.sum` of that document."""
    ends = np.cumsum(sizes)
    # np.add.reduceat sums in a different order.
    bounds = zip((ends - sizes).tolist(), ends.tolist(), strict=True)
    return np.array([np.add.reduce(column[low:high]) for low, high in bounds], np.float64)


def _sums_in_order(column: Floats, sizes: Integers) -> Floats:
    """Return the sum of each document, computed from first to last."""
    document = np.repeat(np.arange(len(sizes)), sizes)
    return np.bincount(document, column, len(sizes)).astype(np.float64, copy=False)


def _streams(
    counts: Integers,
    annotators_of: Integers,
    codes: NDArray[np.int32],
    units_of: Integers,
    names: Sequence[str],
) -> NDArray[np.uint32]:
    """Return the `fingerprint` of each document, from numbers of units, label codes and name."""
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
    """A part of the work on one document: its alignment, or a range of draws, or both."""

    name: str
    continuum: Continuum
    aligns: bool
    first: int
    draws: int
    """The number of draws, starting with `first`."""
    seconds: float
    """The estimated seconds on one core."""


class PackedDocuments(NamedTuple):
    """The concatenated columns of several documents."""

    starts: Floats
    ends: Floats
    label_codes: NDArray[np.int32]
    """Indices into all labels of the data."""
    counts: Integers
    """The number of units of each annotator of each document."""
    is_drawn_from: NDArray[np.bool_]
    """Whether chance draws from the units of each annotator."""
    annotators_of: Integers
    extents: Floats

    @classmethod
    def packed(
        cls,
        continua: Sequence[Continuum],
        place: Mapping[Label | None, int],
        chance_from: tuple[str, ...] | None,
    ) -> PackedDocuments:
        """Concatenate documents; ``place`` maps each label to its index in all labels."""
        # Label codes of all documents are converted at once, relative to their first label.
        n_labels = np.array([len(continuum.labels) for continuum in continua])
        among_all = np.array(
            [place[k] for continuum in continua for k in continuum.labels], np.int32
        )
        own = [continuum.label_codes for continuum in continua]
        n_units = np.array([len(codes) for codes in own])
        first = np.repeat(np.cumsum(n_labels) - n_labels, n_units)
        codes = among_all[np.concatenate(own) + first]
        annotators_of = np.array([len(continuum.annotators) for continuum in continua], np.int64)
        begin = np.concatenate([continuum.offsets for continuum in continua])
        counts = np.diff(begin)
        if len(continua) > 1:
            # Differences across the border of two documents are not counts.
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

    @classmethod
    def of_draws(cls, tracks: Tracks, recipe: Recipe) -> PackedDocuments:
        """Return draws as documents, one document per draw."""
        plan = (*tracks.columns, tracks.origin, tracks.extent, *recipe[:3])
        starts, ends, codes, counts = make_draws(*plan)
        size, places = recipe.picks.shape
        is_drawn_from = np.ones(len(counts), np.bool_)
        extents = np.zeros((size, 2))
        return cls(starts, ends, codes, counts, is_drawn_from, np.full(size, places), extents)

    @property
    def units_of(self) -> Integers:
        """The number of units of each document."""
        ends = np.concatenate(([0], np.cumsum(self.counts)))
        return np.diff(ends[np.concatenate(([0], np.cumsum(self.annotators_of)))])

    def part(self, low: int, high: int) -> PackedDocuments:
        """Return a range of documents."""
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

    def continuum(self, labels: tuple[Label | None, ...]) -> Continuum:
        """Return the single document, with placeholders for the names of annotators."""
        used = np.unique(self.label_codes)
        names = _placeholder_names(len(self.counts))
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
        return continuum_of(finished)


def _placeholder_names(count: int) -> tuple[str, ...]:
    # In alphabetical order, like the annotators of any continuum.
    return tuple(f"{at:06d}" for at in range(count))


# Measured seconds on one core: per alignment, and per unit by number of annotators. They are only
# used to divide the work into chunks of similar cost.
_SECONDS_PER_ALIGNMENT = 1e-6
_SECONDS_PER_UNIT = (2.5e-7, 2.5e-7, 2.5e-7, 8e-7, 3.3e-6, 1.3e-5, 2e-5, 3e-5)
_SECONDS_PER_UNIT_OF_MANY = 6e-5
# A custom dissimilarity is evaluated for all pairs of units.
_SECONDS_PER_CUSTOM_CALL, _SECONDS_PER_CUSTOM_PAIR = 5e-4, 1e-7


class Costs:
    """Estimates of the computing time of alignments."""

    def __init__(self, *, is_custom: bool) -> None:
        self._is_custom = is_custom

    def seconds(self, units: float, annotators: int, alignments: int) -> float:
        """Return the estimated seconds of alignments of `units` units on one core."""
        per_unit = _SECONDS_PER_UNIT_OF_MANY
        if annotators < len(_SECONDS_PER_UNIT):
            per_unit = _SECONDS_PER_UNIT[annotators]
        one = _SECONDS_PER_ALIGNMENT + per_unit * units
        if self._is_custom:
            one += _SECONDS_PER_CUSTOM_CALL + _SECONDS_PER_CUSTOM_PAIR * units * units
        return alignments * one

    def of_all(self, documents: int, units: int, annotators: int, alignments: int) -> float:
        """Return the estimated seconds of a corpus with the given totals."""
        return documents * self.seconds(units / max(1, documents), annotators, alignments)


def pieces_of(
    documents: Iterable[tuple[str, Continuum]],
    *,
    aligns: bool,
    first: int,
    draws: int,
    costs: Costs,
    most: float,
) -> Iterator[Piece]:
    """Divide the work on documents into pieces; a large document has several pieces."""
    for name, continuum in documents:
        one = costs.seconds(len(continuum), len(continuum.annotators), 1)
        at_once = max(1, int(most / one))
        if draws + aligns <= at_once:
            yield Piece(name, continuum, aligns, first, draws, (draws + aligns) * one)
            continue
        if aligns:
            yield Piece(name, continuum, aligns, first, 0, one)
        for done in range(0, draws, at_once):
            count = min(at_once, draws - done)
            yield Piece(name, continuum, False, first + done, count, count * one)  # noqa: FBT003


class DocumentsTask(NamedTuple):
    """The task of aligning documents and making their draws."""

    settings: Settings
    documents: PackedDocuments
    names: tuple[str, ...]
    """Used in messages and random streams; the name of a single continuum is empty."""
    aligns: NDArray[np.bool_]
    first: Integers
    draws: Integers
    threads: int = 1
    """Of each document; does not affect any value."""

    @classmethod
    def packed(
        cls,
        settings: Settings,
        pieces: Sequence[Piece],
        place: Mapping[Label | None, int],
        threads: int = 1,
    ) -> DocumentsTask:
        """Return a task that consists of pieces."""
        continua = [piece.continuum for piece in pieces]
        return cls(
            settings,
            PackedDocuments.packed(continua, place, settings.chance_from),
            tuple(piece.name for piece in pieces),
            np.array([piece.aligns for piece in pieces], np.bool_),
            np.array([piece.first for piece in pieces], np.int64),
            np.array([piece.draws for piece in pieces], np.int64),
            threads,
        )

    def run(self) -> Evidence:
        """Align the documents and make their draws."""
        try:
            return measure(*self)
        except MemoryError:
            raise
        # A custom dissimilarity may raise anything.
        except Exception as raised:  # noqa: BLE001
            error = raised
        halves = self.split()
        if halves is None:
            return self._failed(error)
        # The halves show which document cannot be measured.
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
        """Report that the worker of the single document was terminated, or raise an error."""
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
            self.threads,
        )

    def _failed(self, error: Exception) -> Evidence:
        """Report that the single document cannot be measured, or raise the error."""
        name, is_ours = self.names[0], isinstance(error, UnisonoError)
        if self.settings.on_error == "report":
            return Evidence.failed(str(error) if is_ours else f"{type(error).__name__}: {error}")
        if not is_ours or not name or isinstance(error, ReadError):
            raise error
        msg = f"document {name!r}: {error}"
        raise type(error)(msg)


class SharedTask(NamedTuple):
    """The task of making draws that documents share (chance model ``corpus``)."""

    settings: Settings
    tracks: Tracks
    """The tracks that the recipe refers to."""
    recipe: Recipe

    def run(self) -> DrawScores:
        """Make and align the draws."""
        return score_draws(self.settings, self.tracks, self.recipe)

    def split(self) -> None:
        """Return `None`, because these draws do not belong to single documents."""

    def merge(self, first: DrawScores, second: DrawScores) -> DrawScores:
        """Join the scores of successive draws."""
        return type(first).joined((first, second))

    def on_lost(self, why: str) -> DrawScores:
        """Raise an error, because γ needs these draws."""
        msg = f"the draws of the chance model 'corpus' cannot be made here: {why}"
        raise WorkError(msg)


def _subject(name: str) -> str:
    return f"document {name!r} " if name else "the document "
