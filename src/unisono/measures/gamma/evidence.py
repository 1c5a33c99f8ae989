"""Alignments and draws of documents as columns, and their pooling.

`Evidence` has the output of the kernel for several documents; it is what workers return and what
checkpoints store. `CorpusEvidence` has the evidence of all documents of a run by name. `Totals` are
the input of one result, of a document or of a corpus.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.measures.gamma.alignment import Aligned, LabelSums, successive
from unisono.measures.gamma.chance import NO_DRAWS, DrawScores

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from unisono.measures.gamma.chance import ChanceRules
    from unisono.measures.gamma.dissimilarity import Fitted
    from unisono.model.arrays import Booleans, Floats, Integers
    from unisono.model.labels import Label
    from unisono.parallel.checkpoint import Arrays

__all__ = [
    "ALIGNMENT_COLUMNS",
    "CorpusEvidence",
    "Evidence",
    "LabelRatios",
    "LabelTotals",
    "Totals",
    "draw_columns",
]


class LabelRatios(NamedTuple):
    """Mean label disorders: of the data, and of the draws that have pairs to compare."""

    observed: float
    """NaN if there is no pair to compare."""
    draws: Floats
    n_left_out: int
    """The number of draws without a pair to compare."""


class LabelTotals(NamedTuple):
    """Σ weight·d_cat and Σ weight of Mathet (2017), Algorithm 1.

    The sums of the draws have one row per draw. Column 0 is over all pairs (γcat), and column 1 + k
    over the pairs with at least one unit of label k (γk).
    """

    disorder: Floats
    weight: Floats
    draws_disorder: Floats
    draws_weight: Floats

    @classmethod
    def zeros(cls, draws: int, columns: int) -> LabelTotals:
        """Return sums of zero."""
        shapes = (columns, columns, (draws, columns), (draws, columns))
        return cls(*(np.zeros(shape) for shape in shapes))

    def ratios(self, column: int = 0) -> LabelRatios:
        """Return Σ weight·d_cat / Σ weight of a column."""
        weight = float(self.weight[column])
        observed = float(self.disorder[column]) / weight if weight > 0.0 else math.nan
        weights = self.draws_weight[:, column]
        compared = weights > 0.0
        draws = self.draws_disorder[compared, column] / weights[compared]
        return LabelRatios(observed, draws, len(weights) - len(draws))


class Totals(NamedTuple):
    """The input of one result; disorders are scaled by the cost of an empty unit."""

    labels: tuple[Label | None, ...]
    mean_units: float
    observed: float
    observed_bound: float
    """A lower bound on the observed disorder; equal to it if that is proven to be least."""
    draws: Floats
    draw_bounds: Floats
    """A lower bound on the disorder of each draw."""
    proven: bool
    unproven_draws: int
    by_label: LabelTotals
    redrawn: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """The alignments and draws of documents as columns.

    A column has an entry per document, or per group, label, draw, or draw × label of each document;
    columns such as `groups_of` and `draws_of` have the number of these entries per document.
    """

    groups_of: Integers
    """The number of groups of the alignment; −1 if the document was not aligned."""
    units_of: Integers
    annotators_of: Integers
    labels_of: Integers
    draws_of: Integers
    lower_bound: Floats
    proven: Booleans
    label_disorder: Floats
    label_weight: Floats
    redrawn: Integers
    work: Integers
    """The work of the kernel for the draws; independent of the machine."""
    spacing: Floats
    """The least distance between shifts; NaN for chance models that do not shift."""
    spacing_was_lowered: Booleans
    groups: NDArray[np.int32]
    """Rows of units, groups × annotators; −1 stands for an empty unit."""
    disorders: Floats
    """The disorder of each group, in units of the cost of an empty unit."""
    label_codes: NDArray[np.int32]
    """The labels of each document, as indices into all labels."""
    label_disorder_of: Floats
    label_weight_of: Floats
    draw_disorders: Floats
    draw_bounds: Floats
    draw_proven: Booleans
    draw_label_disorder: Floats
    draw_label_weight: Floats
    draw_label_disorder_of: Floats
    draw_label_weight_of: Floats
    failures: NDArray[np.uint8]
    """A JSON list with the reason why each document could not be measured, or an empty text."""

    @classmethod
    def failed(cls, why: str) -> Evidence:
        """Return the evidence of a document that could not be measured."""
        counts = ("units_of", "annotators_of", "labels_of", "draws_of", "redrawn", "work")
        zeros: dict[str, Any] = dict.fromkeys(counts, np.zeros(1, np.int64))
        return cls(
            **zeros,
            **draw_columns(NO_DRAWS),
            **_unaligned(),
            spacing=np.array([math.nan]),
            spacing_was_lowered=np.array([False]),
            label_codes=np.empty(0, np.int32),
            failures=_as_bytes([why]),
        )

    @classmethod
    def joined(cls, parts: Sequence[Evidence]) -> Evidence:
        """Concatenate the evidence of successive documents."""
        if len(parts) == 1:
            return parts[0]
        failures = [failure for part in parts for failure in part.failure_texts]
        return cls._joined([part.arrays() for part in parts], failures)

    @classmethod
    def _joined(cls, parts: list[Arrays], failures: list[str]) -> Evidence:
        """Concatenate one column at a time and free its parts, to limit the memory."""
        names = [name for name in _NAMES if name != "failures"]
        columns = {name: np.concatenate([part.pop(name) for part in parts]) for name in names}
        return cls(**columns, failures=_as_bytes(failures))

    @classmethod
    def drained(cls, pieces: list[tuple[Sequence[str], Evidence]]) -> Evidence:
        """Concatenate the evidence of pieces, and empty the list to free their memory."""
        failures = [failure for _, each in pieces for failure in each.failure_texts]
        parts = []
        while pieces:
            parts.append(pieces.pop(0)[1].arrays())
        return cls._joined(parts, failures)

    @staticmethod
    def no_failures(documents: int) -> NDArray[np.uint8]:
        """Return the column of failures for documents without failures."""
        return _as_bytes([""] * documents)

    @cached_property
    def failure_texts(self) -> list[str]:
        """The reason why each document could not be measured; empty if it was measured."""
        texts: list[str] = json.loads(self.failures.tobytes())
        return texts

    def arrays(self) -> Arrays:
        """Return the columns by name."""
        return {name: getattr(self, name) for name in _NAMES}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Evidence:
        """Restore evidence from the columns returned by `arrays`."""
        return cls(**{name: arrays[name] for name in _NAMES})

    def taken(self, rows: Integers, documents: Integers | None = None) -> Evidence:
        """Return the documents of the given rows.

        If ``documents`` is given, successive rows with the same number are merged into one document
        that has the alignment of one of them and the draws of all.
        """
        groups = np.maximum(self.groups_of, 0)
        aligned_labels = np.where(self.groups_of < 0, 0, self.labels_of)
        first = rows
        aligned = rows
        if documents is not None and len(documents):
            begins = np.concatenate(([True], documents[1:] != documents[:-1]))
            first = rows[begins]
            has_alignment = self.groups_of[rows] >= 0
            aligned = first.copy()
            number = np.cumsum(begins) - 1
            aligned[number[has_alignment]] = rows[has_alignment]
        own = {
            "groups": (groups * self.annotators_of, aligned),
            "disorders": (groups, aligned),
            "label_codes": (self.labels_of, first),
            "label_disorder_of": (aligned_labels, aligned),
            "label_weight_of": (aligned_labels, aligned),
            **dict.fromkeys(_OF_DRAWS, (self.draws_of, rows)),
            **dict.fromkeys(_OF_DRAWS_AND_LABELS, (self.draws_of * self.labels_of, rows)),
        }
        columns: dict[str, Any] = {}
        for name in _NAMES:
            if name == "failures":
                continue
            column = getattr(self, name)
            if name in own:
                counts, chosen = own[name]
                begin = np.cumsum(counts) - counts
                columns[name] = column[successive(begin[chosen], counts[chosen])]
            else:
                columns[name] = column[aligned if name in _OF_ALIGNMENTS else first]
        if documents is not None and len(documents):
            columns["draws_of"] = np.bincount(number, self.draws_of[rows]).astype(np.int64)
            for name in ("redrawn", "work"):
                sums = np.bincount(number, getattr(self, name)[rows])
                columns[name] = sums.astype(np.int64)
        failures = [self.failure_texts[row] for row in first.tolist()]
        return Evidence(**columns, failures=_as_bytes(failures))

    @cached_property
    def _begin(self) -> dict[str, Integers]:
        """The first entry of each document in the columns with several entries per document."""
        groups = np.maximum(self.groups_of, 0)
        return {
            "group": _starts(groups),
            "member": _starts(groups * self.annotators_of),
            "label": _starts(self.labels_of),
            "sum": _starts(np.where(self.groups_of < 0, 0, self.labels_of)),
            "draw": _starts(self.draws_of),
            "draw label": _starts(self.draws_of * self.labels_of),
        }

    def _part(self, of: str, at: int) -> slice:
        begin = self._begin[of]
        return slice(begin[at], begin[at + 1])

    def label_codes_of(self, at: int) -> NDArray[np.int32]:
        """Return the codes of the labels of a document."""
        return self.label_codes[self._part("label", at)]

    def alignment_of(self, at: int) -> Aligned:
        """Return the alignment of a document."""
        members = self.groups[self._part("member", at)]
        sums = self._part("sum", at)
        return Aligned(
            groups=members.astype(np.int64).reshape(-1, int(self.annotators_of[at])),
            disorders=self.disorders[self._part("group", at)],
            lower_bound=float(self.lower_bound[at]),
            proven=bool(self.proven[at]),
            sums=LabelSums(
                float(self.label_disorder[at]),
                float(self.label_weight[at]),
                self.label_disorder_of[sums],
                self.label_weight_of[sums],
            ),
        )

    def draws(self, at: int) -> DrawScores:
        """Return the draws of a document."""
        draws, labels = self._part("draw", at), self._part("draw label", at)
        shape = (int(self.draws_of[at]), int(self.labels_of[at]))
        return DrawScores(
            disorders=self.draw_disorders[draws],
            lower_bounds=self.draw_bounds[draws],
            proven=self.draw_proven[draws],
            label_disorder=self.draw_label_disorder[draws],
            label_weight=self.draw_label_weight[draws],
            label_disorder_of=self.draw_label_disorder_of[labels].reshape(shape),
            label_weight_of=self.draw_label_weight_of[labels].reshape(shape),
            redrawn=int(self.redrawn[at]),
            work=int(self.work[at]),
        )

    def label_draws(self, labels: int) -> tuple[Integers, Floats, Floats]:
        """Return the rows of documents with `labels` labels, and Σ weight·d and Σ weight of draws.

        The sums have the shape documents × labels × draws.
        """
        rows = np.flatnonzero(self.labels_of == labels)
        counts = self.draws_of[rows] * labels
        places = successive(self._begin["draw label"][rows], counts)
        shape = (len(rows), int(self.draws_of[rows[0]]), labels)
        disorder, weight = (
            np.ascontiguousarray(column[places].reshape(shape).transpose(0, 2, 1))
            for column in (self.draw_label_disorder_of, self.draw_label_weight_of)
        )
        return rows, disorder, weight

    def of_labels(self, column: NDArray[Any], rows: Integers, labels: int) -> NDArray[Any]:
        """Return entries of a column with one entry per label, as documents × labels."""
        return column[successive(self._begin["label"][rows], self.labels_of[rows])].reshape(
            -1, labels
        )

    @cached_property
    def disorder_sums(self) -> Floats:
        """The sum of the group disorders of each alignment, which equals the bound if proven."""
        sums = np.where(self.proven, self.lower_bound, 0.0)
        begin = self._begin["group"]
        for at in np.flatnonzero(~self.proven).tolist():
            sums[at] = self.disorders[begin[at] : begin[at + 1]].sum()
        return sums

    def with_shared_draws(self, shared: dict[int, DrawScores]) -> Evidence:
        """Return the documents with the draws shared by documents with as many annotators."""
        scores = [shared[places] for places in self.annotators_of.tolist()]
        codes = [self.label_codes_of(at) for at in range(len(scores))]
        drawn = {
            column: np.concatenate([getattr(each, name) for each in scores])
            for name, column in zip(DrawScores._fields[:5], _OF_DRAWS, strict=True)
        }
        of_labels = {
            column: np.concatenate(
                [
                    getattr(each, name)[:, own].ravel()
                    for each, own in zip(scores, codes, strict=True)
                ]
            )
            for name, column in zip(DrawScores._fields[5:7], _OF_DRAWS_AND_LABELS, strict=True)
        }
        counts = {
            "draws_of": np.array([len(each.disorders) for each in scores]),
            "redrawn": np.array([each.redrawn for each in scores]),
        }
        return Evidence(**self.arrays() | drawn | of_labels | counts)


_NAMES = tuple(each.name for each in fields(Evidence))
_OF_DRAWS = (
    "draw_disorders",
    "draw_bounds",
    "draw_proven",
    "draw_label_disorder",
    "draw_label_weight",
)
_OF_DRAWS_AND_LABELS = ("draw_label_disorder_of", "draw_label_weight_of")
_OF_ALIGNMENTS = ("groups_of", "lower_bound", "proven", "label_disorder", "label_weight")
ALIGNMENT_COLUMNS = (*_OF_ALIGNMENTS, "groups", "disorders", "label_disorder_of", "label_weight_of")
"""The columns of alignments."""
# The largest number of draws × labels that are processed at once.
_MOST_NUMBERS = 2**20


def _unaligned() -> dict[str, Any]:
    """Return the columns of alignments for a document that was not aligned."""
    nothing, zero = np.empty(0), np.zeros(1)
    return {
        "groups_of": np.array([-1]),
        "groups": np.empty(0, np.int32),
        "disorders": nothing,
        "lower_bound": zero,
        "proven": np.array([True]),
        "label_disorder": zero,
        "label_weight": zero,
        "label_disorder_of": nothing,
        "label_weight_of": nothing,
    }


def draw_columns(scores: DrawScores) -> dict[str, Any]:
    """Return the columns of draws."""
    names = (*_OF_DRAWS, *_OF_DRAWS_AND_LABELS)
    return dict(zip(names, scores, strict=False))


def _starts(counts: Integers) -> Integers:
    return np.concatenate(([0], np.cumsum(counts)))


def _as_bytes(texts: list[str]) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(texts, ensure_ascii=False).encode(), np.uint8)


class DocumentColumns(NamedTuple):
    """The columns of `Evidence` with one entry per document."""

    units_of: Integers
    annotators_of: Integers
    draws_of: Integers
    work: Integers
    spacing: Floats
    spacing_was_lowered: Booleans
    lower_bound: Floats
    disorder_sums: Floats
    proven: Booleans

    @classmethod
    def of(cls, pieces: Sequence[Evidence]) -> DocumentColumns:
        """Concatenate the columns of pieces."""
        each = pieces or [Evidence.failed("").taken(np.empty(0, np.int64))]
        return cls(*(np.concatenate([getattr(one, name) for one in each]) for name in cls._fields))


class _Settled(NamedTuple):
    """An index of the measured documents of a run."""

    rows: dict[str, int]
    begin: Integers
    """The first row of each piece."""
    columns: DocumentColumns


@dataclass(slots=True, kw_only=True)
class CorpusEvidence:
    """The evidence of all documents of a run by name."""

    fitted: Fitted
    rules: ChanceRules
    obstacles: dict[str, str] = field(default_factory=dict)
    """The reason why a document has nothing to measure, by name."""
    alone: set[str] = field(default_factory=set)
    """Documents among them with fewer than two annotators."""
    failures: dict[str, str] = field(default_factory=dict)
    """The reason why a document could not be measured, by name."""
    shared: dict[int, DrawScores] = field(default_factory=dict)
    """The draws of the chance model ``corpus``, by number of annotators."""
    _pieces: list[tuple[Sequence[str], Evidence]] = field(default_factory=list)
    _settled: _Settled | None = None

    def add(self, names: Sequence[str], evidence: Evidence) -> None:
        """Add the evidence of documents; the draws of a document must be added in order."""
        self._pieces.append((names, evidence))
        self._settled = None
        for name, failure in zip(names, evidence.failure_texts, strict=True):
            if failure:
                self.failures.setdefault(name, failure)

    def _settle(self) -> _Settled:
        """Return the index of measured documents, with one row per document.

        Pieces are kept as they are, to limit the memory, unless a document has several of them.
        """
        if self._settled is not None:
            return self._settled
        names = [name for names, _ in self._pieces for name in names]
        places = {name: at for at, name in enumerate(dict.fromkeys(names))}
        if len(places) < len(names):
            document = np.array([places[name] for name in names], np.int64)
            rows = np.argsort(document, kind="stable")
            joined = Evidence.drained(self._pieces)
            self._pieces.append((list(places), joined.taken(rows, document[rows])))
        if self.failures:
            self._pieces = [
                piece for each in self._pieces if (piece := self._without_failed(*each))
            ]
        measured = [name for names, _ in self._pieces for name in names]
        self._settled = _Settled(
            {name: at for at, name in enumerate(measured)},
            np.cumsum([0, *(len(names) for names, _ in self._pieces)]),
            DocumentColumns.of([piece for _, piece in self._pieces]),
        )
        return self._settled

    def _without_failed(
        self, names: Sequence[str], piece: Evidence
    ) -> tuple[Sequence[str], Evidence] | None:
        rows = [row for row, name in enumerate(names) if name not in self.failures]
        if len(rows) == len(names):
            return names, piece
        return ([names[row] for row in rows], piece.taken(np.array(rows))) if rows else None

    @property
    def columns(self) -> DocumentColumns:
        """The columns with one entry per measured document."""
        return self._settle().columns

    @property
    def rows(self) -> dict[str, int]:
        """The row of each measured document, by name."""
        return self._settle().rows

    @property
    def measured(self) -> list[str]:
        """The names of the measured documents."""
        return list(self.rows)

    def _found(self, name: str) -> tuple[Evidence, int]:
        """Return the piece that contains a document, and the row of the document in it."""
        settled = self._settle()
        row = settled.rows[name]
        number = int(np.searchsorted(settled.begin, row, side="right")) - 1
        return self._pieces[number][1], row - int(settled.begin[number])

    def blocks(self) -> Iterator[Evidence]:
        """Yield the evidence and draws of successive documents, in blocks of limited size."""
        self._settle()
        for _, piece in self._pieces:
            draws_of = piece.draws_of
            if not self.rules.of_one_document:
                draws_of = np.full(len(draws_of), self.n_draws)
            numbers = np.cumsum(draws_of * (1 + piece.labels_of)) // _MOST_NUMBERS
            for number in np.unique(numbers).tolist():
                rows = np.flatnonzero(numbers == number)
                block = piece if len(rows) == len(numbers) else piece.taken(rows)
                yield block if self.rules.of_one_document else block.with_shared_draws(self.shared)

    def pooled(self) -> Totals:
        """Pool the measured documents; there must be at least one.

        γ of a corpus is 1 − Σ x̄·δ / Σ x̄·δe over documents (2015, §5.3); γcat and γk are ratios of
        summed numerators and summed weights, observed and for each draw.
        """
        columns, empty = self.columns, self.fitted.empty
        mean_units = self.rules.mean_units_of(columns.units_of, columns.annotators_of)
        total = math.fsum(mean_units.tolist())
        weights = mean_units / total
        observed, bounds = (
            math.fsum((weights * (sums / mean_units * empty)).tolist())
            for sums in (columns.disorder_sums, columns.lower_bound)
        )
        n_draws = self.n_draws
        draws, draw_bounds = np.zeros(n_draws), np.zeros(n_draws)
        by_label = LabelTotals.zeros(n_draws, 1 + len(self.fitted.labels))
        unproven_draws = redrawn = done = 0
        for block in self.blocks():
            # All documents of a run have as many draws.
            numbers = np.tile(np.arange(n_draws), len(block.draws_of))
            weight = np.repeat(weights[done : done + len(block.draws_of)], n_draws)
            _add_at(draws, numbers, weight * block.draw_disorders)
            _add_at(draw_bounds, numbers, weight * block.draw_bounds)
            _add_labels(by_label, block, numbers, empty)
            unproven_draws += int((~block.draw_proven).sum())
            redrawn += int(block.redrawn.sum())
            done += len(block.draws_of)
        return Totals(
            labels=self.fitted.labels,
            mean_units=total,
            observed=observed,
            observed_bound=bounds,
            draws=draws,
            draw_bounds=draw_bounds,
            proven=bool(columns.proven.all()),
            unproven_draws=unproven_draws,
            by_label=by_label,
            redrawn=redrawn,
        )

    def open_draws(self, tolerance: float, most: float) -> list[tuple[str, int]]:
        """Return the draws that are not proven and matter most, as names and numbers.

        Without them, gaps contribute at most ``most`` to the mean of the pooled draws. Draws whose
        relative gap is within the tolerance are left out.
        """
        columns = self.columns
        mean_units = self.rules.mean_units_of(columns.units_of, columns.annotators_of)
        weights = mean_units / math.fsum(mean_units.tolist()) / max(1, self.n_draws)
        gaps: list[tuple[float, int, str, int]] = []
        for row, name in enumerate(self.measured):
            draws = self.draws_of(name)
            width = draws.disorders - draws.lower_bounds
            is_open = ~draws.proven & (width > tolerance * draws.disorders)
            gaps += [
                (float(weights[row] * width[draw]), -row, name, draw)
                for draw in np.flatnonzero(is_open).tolist()
            ]
        left = math.fsum(gap for gap, *_ in gaps)
        chosen = []
        for gap, _, name, draw in sorted(gaps, key=lambda each: (-each[0], -each[1], each[3])):
            if left <= most:
                break
            left -= gap
            chosen.append((name, draw))
        return chosen

    def draws_of(self, name: str) -> DrawScores:
        """Return the draws of a measured document."""
        return self._draws(*self._found(name))

    def improve(self, name: str, draw: int, again: Evidence) -> None:
        """Replace a draw by a second alignment of it, if that has a smaller disorder."""
        piece, at = self._found(name)
        entry = int(piece._begin["draw"][at]) + draw  # noqa: SLF001 - of the same module
        labels = int(piece.labels_of[at])
        first = int(piece._begin["draw label"][at]) + draw * labels  # noqa: SLF001
        if again.draw_disorders[0] <= piece.draw_disorders[entry]:
            for column in (*_OF_DRAWS, *_OF_DRAWS_AND_LABELS):
                part = slice(first, first + labels)
                if column in _OF_DRAWS:
                    part = slice(entry, entry + 1)
                if column != "draw_bounds":
                    getattr(piece, column)[part] = getattr(again, column)
        bound = max(piece.draw_bounds[entry], again.draw_bounds[0])
        piece.draw_bounds[entry] = min(bound, piece.draw_disorders[entry])

    @property
    def n_draws(self) -> int:
        """The number of draws of each measured document."""
        if not self.rows:
            return 0
        if self.rules.of_one_document:
            return int(self.columns.draws_of.max())
        return max(len(each.disorders) for each in self.shared.values())

    @property
    def work(self) -> int:
        """The total work of the draws of the measured documents."""
        shared = sum(each.work for each in self.shared.values())
        return shared + (int(self.columns.work.sum()) if self.rows else 0)

    def each(self) -> Iterator[Totals]:
        """Yield the totals of each measured document."""
        return map(self.totals, self.measured)

    def annotators_of(self, name: str) -> int:
        """Return the number of annotators of a document."""
        return int(self.columns.annotators_of[self.rows[name]])

    def alignment_of(self, name: str) -> Aligned:
        """Return the alignment of a measured document."""
        piece, at = self._found(name)
        return piece.alignment_of(at)

    def fitted_to(self, name: str) -> Fitted:
        """Return the dissimilarity for the labels of a document."""
        piece, at = self._found(name)
        codes = piece.label_codes_of(at)
        return self.fitted.for_labels([self.fitted.labels[code] for code in codes.tolist()])

    def spacing(self, name: str) -> tuple[float, bool]:
        """Return the least distance between shifts, or NaN, and whether it was lowered."""
        at = self.rows[name]
        return float(self.columns.spacing[at]), bool(self.columns.spacing_was_lowered[at])

    def totals(self, name: str) -> Totals:
        """Return the totals of a measured document."""
        piece, at = self._found(name)
        fitted = self.fitted_to(name)
        found = piece.alignment_of(at)
        units, annotators = int(piece.units_of[at]), int(piece.annotators_of[at])
        mean_units = self.rules.mean_units(units, annotators)
        scores = self._draws(piece, at)
        sums = found.sums
        return Totals(
            labels=fitted.labels,
            mean_units=mean_units,
            observed=found.disorder(fitted, mean_units),
            observed_bound=found.disorder_bound(fitted, mean_units),
            draws=scores.disorders,
            draw_bounds=scores.lower_bounds,
            proven=found.proven,
            unproven_draws=int((~scores.proven).sum()),
            by_label=LabelTotals(
                np.concatenate(([sums.disorder], sums.disorder_of)) * fitted.empty,
                np.concatenate(([sums.weight], sums.weight_of)),
                np.column_stack((scores.label_disorder, scores.label_disorder_of)),
                np.column_stack((scores.label_weight, scores.label_weight_of)),
            ),
            redrawn=scores.redrawn,
        )

    def _draws(self, piece: Evidence, at: int) -> DrawScores:
        if self.rules.of_one_document:
            return piece.draws(at)
        scores = self.shared[int(piece.annotators_of[at])]
        codes = piece.label_codes_of(at)
        return scores._replace(
            label_disorder_of=scores.label_disorder_of[:, codes],
            label_weight_of=scores.label_weight_of[:, codes],
        )


def _add_labels(sums: LabelTotals, found: Evidence, numbers: Integers, empty: float) -> None:
    """Add the label sums of documents, over all pairs and per label."""
    columns = 1 + found.label_codes.astype(np.int64)
    sums.disorder[0] = _added(sums.disorder[0], found.label_disorder * empty)
    sums.weight[0] = _added(sums.weight[0], found.label_weight)
    _add_at(sums.disorder, columns, found.label_disorder_of * empty)
    _add_at(sums.weight, columns, found.label_weight_of)
    # The label codes of a document are repeated for each of its draws.
    labels_of = np.repeat(found.labels_of, found.draws_of)
    first_label = np.cumsum(found.labels_of) - found.labels_of
    places = successive(np.repeat(first_label, found.draws_of), labels_of)
    width = sums.draws_disorder.shape[1]
    cells = np.repeat(numbers * width, labels_of) + columns[places]
    for drawn, whole, of_labels in (
        (sums.draws_disorder, found.draw_label_disorder, found.draw_label_disorder_of),
        (sums.draws_weight, found.draw_label_weight, found.draw_label_weight_of),
    ):
        flat = drawn.reshape(-1)
        _add_at(flat, numbers * width, whole)
        _add_at(flat, cells, of_labels)


def _add_at(sums: Floats, places: Integers, more: Floats) -> None:
    """Add numbers at places, which may be repeated, in the order of the documents."""
    if len(more) < len(sums):
        np.add.at(sums, places, more)
        return
    # bincount is much faster, and sums in the same order if it begins with the present sums.
    everywhere = np.concatenate((np.arange(len(sums)), places))
    sums[:] = np.bincount(everywhere, np.concatenate((sums, more)), len(sums))


def _added(so_far: Any, more: Floats) -> Any:  # noqa: ANN401 - a number of numpy
    """Return the sum of numbers, computed from first to last."""
    return np.add.accumulate(np.concatenate(([so_far], more)))[-1]
