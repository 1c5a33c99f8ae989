"""What the kernel found for each document, as columns, and the one way to pool it."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.measures.gamma.alignment import Aligned, LabelSums
from unisono.measures.gamma.chance import DrawScores

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from unisono.measures.gamma.chance import ChanceRules
    from unisono.measures.gamma.dissimilarity import Fitted
    from unisono.model.arrays import Floats, Integers
    from unisono.model.labels import Label
    from unisono.parallel.checkpoint import Arrays

__all__ = ["ChunkFindings", "Evidence", "Finding", "Findings"]


def no_label_sums(draws: int, columns: int) -> LabelEvidence:
    """Give label sums to which nothing was added yet."""
    shapes = (columns, columns, (draws, columns), (draws, columns))
    return LabelEvidence(*(np.zeros(shape) for shape in shapes))


def pooled(
    parts: Iterable[Evidence],
    labels: tuple[Label | None, ...],
    mean_units: Sequence[float] | None = None,
) -> Evidence:
    """Pool documents: disorders weighted by their mean numbers of units, label sums added up.

    γ of a corpus is 1 − Σ x̄·δ / Σ x̄·δe over documents; γcat and γk are ratios of summed numerators
    and summed weights, observed and for each draw.
    """
    if mean_units is None:
        parts = list(parts)
        mean_units = [part.mean_units for part in parts]
    place = {label: 1 + at for at, label in enumerate(labels)}
    total = math.fsum(mean_units)
    observed: list[float] = []
    observed_bounds: list[float] = []
    sums: LabelEvidence | None = None
    draws = draw_bounds = np.zeros(0)
    proven, unproven_draws, redrawn = True, 0, 0
    for part, units in zip(parts, mean_units, strict=True):
        weight = units / total
        observed.append(weight * part.observed)
        observed_bounds.append(weight * part.observed_bound)
        if sums is None:
            sums = no_label_sums(len(part.draws), 1 + len(labels))
            draws, draw_bounds = np.zeros(len(part.draws)), np.zeros(len(part.draws))
        draws += weight * part.draws
        draw_bounds += weight * part.draw_bounds
        columns = [0, *(place[label] for label in part.labels)]
        for summed, addend in zip(sums, part.by_label, strict=True):
            summed[..., columns] += addend
        proven = proven and part.proven
        unproven_draws += part.unproven_draws
        redrawn += part.redrawn
    return Evidence(
        labels=labels,
        mean_units=total,
        observed=math.fsum(observed),
        observed_bound=math.fsum(observed_bounds),
        draws=draws,
        draw_bounds=draw_bounds,
        proven=proven,
        unproven_draws=unproven_draws,
        by_label=no_label_sums(0, 1) if sums is None else sums,
        redrawn=redrawn,
    )


class LabelEvidence(NamedTuple):
    """Σ weight·d_cat and Σ weight of Mathet (2017), Algorithm 1.

    The observed sums come first; those of the draws have one row a draw. Column 0 is over all pairs
    (γcat), column 1 + k over the pairs with at least one unit of label k (γk).
    """

    disorder: Floats
    weight: Floats
    draws_disorder: Floats
    draws_weight: Floats


class Evidence(NamedTuple):
    """All that a result is computed from, in the user's units."""

    labels: tuple[Label | None, ...]
    mean_units: float
    observed: float
    observed_bound: float
    """No alignment has less disorder; equal to `observed` when that is proven."""
    draws: Floats
    draw_bounds: Floats
    """The same for each draw."""
    proven: bool
    unproven_draws: int
    by_label: LabelEvidence
    redrawn: int


class Finding(NamedTuple):
    """What one document came to, or some draws of it."""

    n_units: int
    n_annotators: int
    label_codes: Integers
    """Of the labels in the document, among all labels."""
    found: Aligned | None
    scores: DrawScores | None
    spacing: float
    """NaN for chance models that do not shift."""
    spacing_was_lowered: bool
    failure: str
    """Why it could not be measured; empty when it could."""


class ChunkFindings(NamedTuple):
    """Findings of several documents as columns.

    A column is for each document, or for each of its groups, labels, draws, or draws × labels, one
    document after the other; the columns that count these say where a document begins.
    """

    groups_of: Integers
    """How many groups its alignment has; −1 where none was asked for."""
    units_of: Integers
    annotators_of: Integers
    labels_of: Integers
    draws_of: Integers
    lower_bound: Floats
    proven: NDArray[np.bool_]
    label_disorder: Floats
    label_weight: Floats
    redrawn: Integers
    spacing: Floats
    spacing_was_lowered: NDArray[np.bool_]
    groups: NDArray[np.int32]
    disorders: Floats
    label_codes: NDArray[np.int32]
    label_disorder_of: Floats
    label_weight_of: Floats
    draw_disorders: Floats
    draw_bounds: Floats
    draw_proven: NDArray[np.bool_]
    draw_label_disorder: Floats
    draw_label_weight: Floats
    draw_label_disorder_of: Floats
    draw_label_weight_of: Floats
    failures: NDArray[np.uint8]
    """Sentences, a list in JSON: empty for documents that could be measured."""

    @classmethod
    def packed(cls, findings: Sequence[Finding]) -> ChunkFindings:
        """Put findings into columns."""
        founds = [finding.found or _UNALIGNED for finding in findings]
        scores = [finding.scores or _UNDRAWN for finding in findings]
        sums = [found.sums for found in founds]
        return cls(
            groups_of=_whole(-1 if f.found is None else len(f.found.groups) for f in findings),
            units_of=_whole(finding.n_units for finding in findings),
            annotators_of=_whole(finding.n_annotators for finding in findings),
            labels_of=_whole(len(finding.label_codes) for finding in findings),
            draws_of=_whole(len(score.disorders) for score in scores),
            lower_bound=np.array([found.lower_bound for found in founds], np.float64),
            proven=np.array([found.proven for found in founds], np.bool_),
            label_disorder=np.array([each.disorder for each in sums], np.float64),
            label_weight=np.array([each.weight for each in sums], np.float64),
            redrawn=_whole(score.redrawn for score in scores),
            spacing=np.array([finding.spacing for finding in findings], np.float64),
            spacing_was_lowered=np.array([f.spacing_was_lowered for f in findings], np.bool_),
            # A document has no more units than 2³¹: half the memory.
            groups=_flat([found.groups for found in founds], np.int32),
            disorders=_flat([found.disorders for found in founds]),
            label_codes=_flat([finding.label_codes for finding in findings], np.int32),
            label_disorder_of=_flat([each.disorder_of for each in sums]),
            label_weight_of=_flat([each.weight_of for each in sums]),
            draw_disorders=_flat([score.disorders for score in scores]),
            draw_bounds=_flat([score.lower_bounds for score in scores]),
            draw_proven=_flat([score.proven for score in scores], np.bool_),
            draw_label_disorder=_flat([score.label_disorder for score in scores]),
            draw_label_weight=_flat([score.label_weight for score in scores]),
            draw_label_disorder_of=_flat([score.label_disorder_of for score in scores]),
            draw_label_weight_of=_flat([score.label_weight_of for score in scores]),
            failures=_as_bytes([finding.failure for finding in findings]),
        )

    @classmethod
    def joined(cls, parts: Sequence[ChunkFindings]) -> ChunkFindings:
        """Put the findings of successive documents together."""
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
        told = [failure for part in parts for failure in part.failure_texts()]
        return cls._make([*columns[:-1], _as_bytes(told)])

    @staticmethod
    def no_failures(documents: int) -> NDArray[np.uint8]:
        """Give the column of failures of documents that could all be measured."""
        return _as_bytes([""] * documents)

    def failure_texts(self) -> list[str]:
        """Why documents could not be measured, in their order; empty where they could."""
        texts: list[str] = json.loads(self.failures.tobytes())
        return texts

    def has_failures(self) -> bool:
        """Whether some document could not be measured."""
        return any(self.failure_texts())

    def only(self, chosen: NDArray[np.bool_]) -> ChunkFindings:
        """Keep some of the documents."""
        if chosen.all():
            return self
        groups = np.maximum(self.groups_of, 0)
        per_group = np.repeat(chosen, groups)
        per_member = np.repeat(chosen, groups * self.annotators_of)
        per_label = np.repeat(chosen, self.labels_of)
        per_aligned_label = np.repeat(chosen, np.where(self.groups_of < 0, 0, self.labels_of))
        per_draw = np.repeat(chosen, self.draws_of)
        per_draw_label = np.repeat(chosen, self.draws_of * self.labels_of)
        longer = {
            "groups": per_member,
            "disorders": per_group,
            "label_codes": per_label,
            "label_disorder_of": per_aligned_label,
            "label_weight_of": per_aligned_label,
            **dict.fromkeys(_OF_DRAWS, per_draw),
            "draw_label_disorder_of": per_draw_label,
            "draw_label_weight_of": per_draw_label,
        }
        kept = {
            name: column[longer.get(name, chosen)]
            for name, column in self.arrays().items()
            if name != "failures"
        }
        told = [text for text, is_kept in zip(self.failure_texts(), chosen, strict=True) if is_kept]
        return ChunkFindings(**kept, failures=_as_bytes(told))

    def arrays(self) -> Arrays:
        """Give the columns by name."""
        return dict(zip(self._fields, self, strict=True))

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> ChunkFindings:
        """Take columns by name, as `arrays` gave them."""
        return cls._make(arrays[name] for name in cls._fields)

    def opened(self) -> OpenFindings:
        """Say where each document begins in every column."""
        groups = np.maximum(self.groups_of, 0)
        return OpenFindings(
            self,
            _starts(groups),
            _starts(groups * self.annotators_of),
            _starts(self.labels_of),
            _starts(np.where(self.groups_of < 0, 0, self.labels_of)),
            _starts(self.draws_of),
            _starts(self.draws_of * self.labels_of),
            self.failure_texts(),
        )


class OpenFindings(NamedTuple):
    """Findings whose documents can be taken one by one; what is taken are views."""

    columns: ChunkFindings
    group_at: Integers
    member_at: Integers
    label_at: Integers
    sums_at: Integers
    draw_at: Integers
    draw_label_at: Integers
    failures: list[str]

    def label_codes(self, at: int) -> NDArray[np.int32]:
        """Give the codes of the labels of a document."""
        return self.columns.label_codes[self.label_at[at] : self.label_at[at + 1]]

    def found(self, at: int) -> Aligned | None:
        """Give the alignment of a document, where one was asked for."""
        columns = self.columns
        if columns.groups_of[at] < 0:
            return None
        members = columns.groups[self.member_at[at] : self.member_at[at + 1]]
        sums = slice(self.sums_at[at], self.sums_at[at + 1])
        return Aligned(
            groups=members.astype(np.int64).reshape(-1, int(columns.annotators_of[at])),
            disorders=columns.disorders[self.group_at[at] : self.group_at[at + 1]],
            lower_bound=float(columns.lower_bound[at]),
            proven=bool(columns.proven[at]),
            sums=LabelSums(
                float(columns.label_disorder[at]),
                float(columns.label_weight[at]),
                columns.label_disorder_of[sums],
                columns.label_weight_of[sums],
            ),
        )

    def scores(self, at: int) -> DrawScores:
        """Give the draws of a document that are here."""
        columns = self.columns
        draws = slice(self.draw_at[at], self.draw_at[at + 1])
        labels = slice(self.draw_label_at[at], self.draw_label_at[at + 1])
        shape = (int(columns.draws_of[at]), int(columns.labels_of[at]))
        return DrawScores(
            disorders=columns.draw_disorders[draws],
            lower_bounds=columns.draw_bounds[draws],
            proven=columns.draw_proven[draws],
            label_disorder=columns.draw_label_disorder[draws],
            label_weight=columns.draw_label_weight[draws],
            label_disorder_of=columns.draw_label_disorder_of[labels].reshape(shape),
            label_weight_of=columns.draw_label_weight_of[labels].reshape(shape),
            redrawn=int(columns.redrawn[at]),
        )


_OF_DRAWS = (
    "draw_disorders",
    "draw_bounds",
    "draw_proven",
    "draw_label_disorder",
    "draw_label_weight",
)
_NOTHING = np.empty(0)
_UNALIGNED = Aligned(
    groups=np.empty((0, 0), np.int64),
    disorders=_NOTHING,
    lower_bound=0.0,
    proven=True,
    sums=LabelSums(0.0, 0.0, _NOTHING, _NOTHING),
)
_UNDRAWN = DrawScores(
    _NOTHING, _NOTHING, np.empty(0, np.bool_), _NOTHING, _NOTHING, _NOTHING, _NOTHING, 0
)


def _whole(numbers: Iterable[int]) -> Integers:
    return np.fromiter(numbers, np.int64)


def _flat(arrays: list[NDArray[Any]], dtype: type[np.generic] = np.float64) -> NDArray[Any]:
    return np.concatenate([each.ravel() for each in arrays]).astype(dtype, copy=False)


def _starts(counts: Integers) -> Integers:
    return np.concatenate(([0], np.cumsum(counts)))


def _as_bytes(texts: list[str]) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(texts, ensure_ascii=False).encode(), np.uint8)


def pooled_columns(
    chunks: Sequence[tuple[Integers, ChunkFindings]],
    labels: tuple[Label | None, ...],
    rules: ChanceRules,
    empty: float,
) -> Evidence:
    """Pool documents as `pooled` does, to the last bit, without making the evidence of each."""
    weights = [rules.mean_units_of(found.units_of, found.annotators_of) for _, found in chunks]
    is_aligned = [found.groups_of >= 0 for _, found in chunks]
    each = [units[chosen] for units, chosen in zip(weights, is_aligned, strict=True)]
    total = math.fsum(np.concatenate(each).tolist())
    n_draws = max(int((first + found.draws_of).max(initial=0)) for first, found in chunks)
    sums = no_label_sums(n_draws, 1 + len(labels))
    draws, draw_bounds = np.zeros(n_draws), np.zeros(n_draws)
    observed: list[float] = []
    observed_bounds: list[float] = []
    for (first, found), units, aligned in zip(chunks, weights, is_aligned, strict=True):
        weight = units / total
        disorders = np.where(found.proven, found.lower_bound, _disorder_sums(found))
        for column, pool in ((disorders, observed), (found.lower_bound, observed_bounds)):
            pool.extend((weight * (column / units * empty))[aligned].tolist())
        numbers = _successive(first, found.draws_of)
        weight_of_draws = np.repeat(weight, found.draws_of)
        _add_at(draws, numbers, weight_of_draws * found.draw_disorders)
        _add_at(draw_bounds, numbers, weight_of_draws * found.draw_bounds)
        _add_labels(sums, found, aligned, numbers, empty)
    return Evidence(
        labels=labels,
        mean_units=total,
        observed=math.fsum(observed),
        observed_bound=math.fsum(observed_bounds),
        draws=draws,
        draw_bounds=draw_bounds,
        proven=all(bool(found.proven.all()) for _, found in chunks),
        unproven_draws=sum(int((~found.draw_proven).sum()) for _, found in chunks),
        by_label=sums,
        redrawn=sum(int(found.redrawn.sum()) for _, found in chunks),
    )


def _add_labels(
    sums: LabelEvidence,
    found: ChunkFindings,
    aligned: NDArray[np.bool_],
    numbers: Integers,
    empty: float,
) -> None:
    """Add the label sums of a chunk: over all pairs, and for each label of a document."""
    columns = 1 + found.label_codes.astype(np.int64)
    own = columns[np.repeat(aligned, found.labels_of)]
    sums.disorder[0] = _added(sums.disorder[0], found.label_disorder[aligned] * empty)
    sums.weight[0] = _added(sums.weight[0], found.label_weight[aligned])
    _add_at(sums.disorder, own, found.label_disorder_of * empty)
    _add_at(sums.weight, own, found.label_weight_of)
    # The codes of a document stand once, and are needed for each of its draws.
    labels_of = np.repeat(found.labels_of, found.draws_of)
    first_label = np.cumsum(found.labels_of) - found.labels_of
    places = _successive(np.repeat(first_label, found.draws_of), labels_of)
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
    """Add numbers at places; what stands twice is added twice, in the order of the documents."""
    if len(more) < len(sums):
        np.add.at(sums, places, more)
        return
    # The same sums in the same order, many times as quick, if what is there is counted first.
    everywhere = np.concatenate((np.arange(len(sums)), places))
    sums[:] = np.bincount(everywhere, np.concatenate((sums, more)), len(sums))


def _added(so_far: Any, more: Floats) -> Any:  # noqa: ANN401 - a number of numpy
    """Add numbers one after the other."""
    return np.add.accumulate(np.concatenate(([so_far], more)))[-1]


def _successive(first: Integers, counts: Integers) -> Integers:
    """Give numbers that succeed each other from each of the first ones."""
    begin = np.cumsum(counts) - counts
    return np.asarray(np.arange(int(counts.sum())) + np.repeat(first - begin, counts), np.int64)


def _disorder_sums(found: ChunkFindings) -> Floats:
    """Sum the disorders of alignments that are not proven; of the others the bound is the sum."""
    sums = np.zeros(len(found.groups_of))
    ends = np.cumsum(np.maximum(found.groups_of, 0))
    for at in np.flatnonzero(~found.proven).tolist():
        sums[at] = found.disorders[ends[at] - found.groups_of[at] : ends[at]].sum()
    return sums


@dataclass(slots=True, kw_only=True)
class Findings:
    """All that was found, as columns; the evidence of a document is made when it is asked for."""

    fitted: Fitted
    rules: ChanceRules
    obstacles: dict[str, str] = field(default_factory=dict)
    """Documents with nothing to measure, and why."""
    alone: set[str] = field(default_factory=set)
    """Those of them that fewer than two annotators saw."""
    failures: dict[str, str] = field(default_factory=dict)
    """Documents that could not be measured, and why."""
    shared: dict[int, DrawScores] = field(default_factory=dict)
    """Draws for all documents with so many annotators, under corpus chance."""
    _chunks: list[OpenFindings] = field(default_factory=list)
    _names: list[Sequence[str]] = field(default_factory=list)
    _first: list[Integers] = field(default_factory=list)
    _places: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def add(self, names: Sequence[str], first: Integers, findings: ChunkFindings) -> None:
        """Add what a chunk came to; the draws of a document come in their order."""
        opened = findings.opened()
        for at, (name, failure) in enumerate(zip(names, opened.failures, strict=True)):
            self._places.setdefault(name, []).append((len(self._chunks), at))
            if failure:
                self.failures.setdefault(name, failure)
        self._chunks.append(opened)
        self._names.append(names)
        self._first.append(first)

    @property
    def measured(self) -> list[str]:
        """The documents that were measured, in their order."""
        return [name for name in self._places if name not in self.failures]

    def whole(self) -> Evidence:
        """Pool the evidence of all measured documents, of which there is one at least."""
        labels = self.fitted.labels
        if not self.rules.of_one_document:
            mean_units = [self._mean_units(name) for name in self.measured]
            return pooled(self.each(), labels, mean_units)
        return pooled_columns(self._measured_columns(), labels, self.rules, self.fitted.empty)

    def _measured_columns(self) -> list[tuple[Integers, ChunkFindings]]:
        """Give the columns of measured documents, with the numbers of their first draws."""
        found = []
        for opened, names, first in zip(self._chunks, self._names, self._first, strict=True):
            measured = np.ones(len(names), np.bool_)
            if self.failures:
                measured = np.array([name not in self.failures for name in names], np.bool_)
            found.append((first[measured], opened.columns.only(measured)))
        return found

    def annotators_of(self, name: str) -> int:
        """Say how many annotators a document has."""
        chunk, at = self._places[name][0]
        return int(self._chunks[chunk].columns.annotators_of[at])

    def each(self) -> Iterator[Evidence]:
        """Give the evidence of each measured document, one at a time."""
        return map(self.evidence, self.measured)

    def is_measured(self, name: str) -> bool:
        """Whether there is evidence of a document."""
        return name in self._places and name not in self.failures

    def found(self, name: str) -> Aligned:
        """Give the alignment of a measured document."""
        founds = (self._chunks[chunk].found(at) for chunk, at in self._places[name])
        return next(found for found in founds if found is not None)

    def fitted_to(self, name: str) -> Fitted:
        """Give the dissimilarity for the labels of a document."""
        chunk, at = self._places[name][0]
        codes = self._chunks[chunk].label_codes(at)
        return self.fitted.for_labels([self.fitted.labels[code] for code in codes.tolist()])

    def spacing(self, name: str) -> tuple[float, bool]:
        """Give the least distance of shifts, NaN for none, and whether it had to be lowered."""
        chunk, at = self._places[name][0]
        columns = self._chunks[chunk].columns
        return float(columns.spacing[at]), bool(columns.spacing_was_lowered[at])

    def evidence(self, name: str) -> Evidence:
        """Make the evidence of a measured document."""
        fitted = self.fitted_to(name)
        found = self.found(name)
        mean_units = self._mean_units(name)
        scores = self._scores(name)
        sums = found.sums
        return Evidence(
            labels=fitted.labels,
            mean_units=mean_units,
            observed=found.disorder(fitted, mean_units),
            observed_bound=found.disorder_bound(fitted, mean_units),
            draws=scores.disorders,
            draw_bounds=scores.lower_bounds,
            proven=found.proven,
            unproven_draws=int((~scores.proven).sum()),
            by_label=LabelEvidence(
                np.concatenate(([sums.disorder], sums.disorder_of)) * fitted.empty,
                np.concatenate(([sums.weight], sums.weight_of)),
                np.column_stack((scores.label_disorder, scores.label_disorder_of)),
                np.column_stack((scores.label_weight, scores.label_weight_of)),
            ),
            redrawn=scores.redrawn,
        )

    def _mean_units(self, name: str) -> float:
        chunk, at = self._places[name][0]
        columns = self._chunks[chunk].columns
        return self.rules.mean_units(int(columns.units_of[at]), int(columns.annotators_of[at]))

    def _scores(self, name: str) -> DrawScores:
        chunk, at = self._places[name][0]
        if not self.rules.of_one_document:
            opened = self._chunks[chunk]
            scores = self.shared[int(opened.columns.annotators_of[at])]
            codes = opened.label_codes(at)
            return scores._replace(
                label_disorder_of=scores.label_disorder_of[:, codes],
                label_weight_of=scores.label_weight_of[:, codes],
            )
        parts = [self._chunks[chunk].scores(at) for chunk, at in self._places[name]]
        return parts[0] if len(parts) == 1 else DrawScores.joined(parts)
