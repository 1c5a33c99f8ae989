"""What aligning and drawing came to, for many documents at once: columns instead of objects.

The same columns come back from a worker, are kept in a checkpoint, and stay in memory until
results are made of them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.measures.gamma.aligning import Aligned, LabelSums
from unisono.measures.gamma.draw_scores import DrawScores

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from unisono.model.arrays import Floats, Integers
    from unisono.parallel.chunk_files import Arrays

__all__ = ["ChunkFindings", "Finding", "OpenFindings"]


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
