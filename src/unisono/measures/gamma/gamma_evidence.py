"""Findings of a whole corpus: which documents were measured, and the evidence of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from unisono.measures.gamma.draw_scores import DrawScores
from unisono.measures.gamma.gamma_pooling import pooled_columns
from unisono.measures.gamma.result import Evidence, LabelEvidence, pooled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unisono.measures.gamma.aligning import Aligned
    from unisono.measures.gamma.chance import ChanceRules
    from unisono.measures.gamma.evidence import ChunkFindings, OpenFindings
    from unisono.measures.gamma.fitted import Fitted
    from unisono.model.arrays import Integers

__all__ = ["Findings"]


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
        """Add what a chunk came to; the draws of a document come in their order.

        Parameters
        ----------
        names
            The documents of the chunk.
        first
            The number of the first draw that was made of each.
        findings
            What was found.
        """
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
