"""The work behind one call of `gamma`: documents are aligned, draws made, results pooled."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.measures.aligning import (
    aligned,
    alignment_of,
    annotators_told,
    check_annotators,
    columns_of,
)
from unisono.measures.chance import CorpusChance, DrawScores, ShiftChance
from unisono.measures.estimating import FIRST_DRAWS, needed_draws
from unisono.measures.pooling import (
    Evidence,
    Facts,
    FamilyValues,
    LabelEvidence,
    family_result,
    family_values,
    label_draws,
    pooled,
    undefined_result,
)
from unisono.measures.statistical import StatisticalChance
from unisono.model.corpus import Corpus
from unisono.running import Report

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unisono.measures.aligning import Aligned
    from unisono.measures.chance import Chance, ChanceRules, DrawSource
    from unisono.measures.fitted import Fitted
    from unisono.measures.searching import Search
    from unisono.model.continuum import Continuum
    from unisono.result import GammaResult

__all__ = ["GammaWork"]

_SECONDS_BETWEEN_REPORTS = 0.25
_NO_UNITS = "there are no units"
_NO_SOURCE = "the annotators from whom chance is drawn marked nothing"
_SPACING_NOTE = "the extent is too short for shifts a mean unit length apart"


class MeasuredDocument(NamedTuple):
    """A document with two annotators or more and units, aligned, and where its draws come from."""

    continuum: Continuum
    fitted: Fitted
    found: Aligned
    mean_units: float
    source: DrawSource


@dataclass(frozen=True, slots=True, kw_only=True)
class GammaWork:
    """One call of `gamma`: the data, and the settings as they are used."""

    data: Continuum | Corpus
    fitted: Fitted
    chance: Chance
    rules: ChanceRules
    seed: int
    confidence: float
    search: Search
    workers: int
    chance_from: tuple[str, ...] | None = None
    """Whose units are drawn; `None` for everyone's."""
    shared: dict[int, CorpusChance] = field(default_factory=dict)
    """Under corpus chance documents with as many annotators share their draws."""

    def measured(self) -> dict[str, MeasuredDocument]:
        """Align each document that has something to align, and chance something to draw from."""
        # Before anything is aligned, which may take long.
        for name, continuum in self.documents.items():
            check_annotators(continuum, name)
        return {
            name: self._observed(continuum)
            for name, continuum in self.documents.items()
            if self._obstacle(continuum) is None
        }

    @property
    def documents(self) -> Mapping[str, Continuum]:
        """The documents by name; one continuum has none."""
        return self.data if isinstance(self.data, Corpus) else {"": self.data}

    def _observed(self, continuum: Continuum) -> MeasuredDocument:
        """Align a document as it was annotated."""
        n = len(continuum.annotators)
        fitted = self.fitted.for_labels(continuum.labels)
        source: DrawSource
        if self.rules.by_shifting:
            drawn = self._drawn(continuum)
            source = ShiftChance(continuum, fitted, self.rules, self.seed, drawn)
        elif self.rules.by_fitting:
            drawn = self._drawn(continuum)
            source = StatisticalChance(continuum, fitted, self.rules, self.seed, drawn)
        else:
            if n not in self.shared:
                corpus = self._corpus_drawn()
                self.shared[n] = CorpusChance(corpus, n, self.fitted, self.rules, self.seed)
            source = self.shared[n]
        factor = self.rules.confidence_factor(fitted)
        found = aligned(columns_of(continuum), fitted, search=self.search, confidence_factor=factor)
        mean_units = self.rules.mean_units(len(continuum), n)
        return MeasuredDocument(continuum, fitted, found, mean_units, source)

    def sample(
        self,
        documents: Mapping[str, MeasuredDocument],
        draws: int | None,
        precision: float,
        progress: Callable[[int, int], None] | None,
    ) -> dict[str, Evidence]:
        """Make draws until the expected disorder, pooled over documents, is precise enough."""
        sources = {id(document.source): document.source for document in documents.values()}
        first = FIRST_DRAWS if draws is None else draws
        report = Report(progress, len(sources) * first)
        scores = {key: self._scores(sources[key], 0, first, report) for key in sources}
        evidence = self._evidence(documents, scores)
        if draws is not None:
            return evidence
        whole = pooled(list(evidence.values()), self.fitted.labels)
        labels, _ = label_draws(whole.by_label)
        needed = max(
            needed_draws(each, precision=precision, confidence=self.confidence)
            for each in (whole.draws, labels)
            if len(each) > 1
        )
        if needed <= first:
            return evidence
        report.total = len(sources) * needed
        for key, source in sources.items():
            more = self._scores(source, first, needed - first, report)
            scores[key] = DrawScores.joined((scores[key], more))
        return self._evidence(documents, scores)

    def document_result(
        self, continuum: Continuum, document: MeasuredDocument | None, evidence: Evidence | None
    ) -> GammaResult:
        """Give the result of one document, measured or not."""
        facts = Facts(
            settings=self._settings(),
            seed=self.seed,
            digest=continuum.digest,
            n_annotators=len(continuum.annotators),
            n_units=len(continuum),
            annotators_from=continuum.annotators_from,
        )
        if document is None or evidence is None:
            return undefined_result(self._obstacle(continuum) or _NO_UNITS, facts)
        source = document.source
        notes: tuple[str, ...] = ()
        if isinstance(source, ShiftChance):
            facts = facts._replace(spacing=source.spacing)
            if source.spacing_was_lowered:
                notes = ((f"{_SPACING_NOTE}; they are {source.spacing:.6g} apart at least"),)
        alignment = alignment_of(
            continuum, document.found, document.fitted, document.mean_units, self.search
        )
        facts = facts._replace(alignment=alignment, notes=notes)
        return family_result(evidence, facts, confidence=self.confidence)

    def values(self, evidence: Mapping[str, Evidence]) -> FamilyValues:
        """Give γ and γcat of all documents together, and nothing beside them."""
        if not evidence:
            return FamilyValues(math.nan, math.nan, proven=True)
        whole = pooled(list(evidence.values()), self.fitted.labels)
        return family_values(whole, confidence=self.confidence)

    def corpus_result(
        self, results: dict[str, GammaResult], evidence: Mapping[str, Evidence]
    ) -> GammaResult:
        """Pool the documents; those with fewer than two annotators are left out, and named."""
        corpus = self._corpus()
        alone = [name for name, result in results.items() if result.n_annotators < 2]
        sourceless = [name for name, result in results.items() if result.undefined == _NO_SOURCE]
        left_out = [name for name in results if name in {*alone, *sourceless}]
        only = next(iter(results.values())) if len(results) == 1 else None
        notes = _notes_on_spacing(results)
        if alone and not only:
            notes += (_left_out(alone, results, "fewer than two annotators saw them"),)
        if sourceless and not only:
            notes += (_left_out(sourceless, results, _NO_SOURCE),)
        facts = Facts(
            settings=self._settings(),
            seed=self.seed,
            digest=corpus.digest,
            n_annotators=len(corpus.annotators),
            n_units=corpus.n_units,
            annotators_from=corpus.annotators_from,
            skipped=corpus.skipped,
            spacing=only.spacing if only else None,
            notes=notes,
        )
        if not evidence:
            reason = "no document has units and was seen by two annotators or more"
            if only and only.undefined:
                reason = only.undefined
            return undefined_result(reason, facts, documents=results, left_out_documents=left_out)
        return family_result(
            pooled(list(evidence.values()), self.fitted.labels),
            facts,
            confidence=self.confidence,
            documents=results,
            left_out_documents=left_out,
        )

    def _corpus(self) -> Corpus:
        if isinstance(self.data, Corpus):
            return self.data
        return Corpus.from_continua({"continuum": self.data})

    def _settings(self) -> tuple[tuple[str, str], ...]:
        source = () if self.chance_from is None else (("from", ",".join(self.chance_from)),)
        return ("dissim", self.fitted.text), *self.search.told, ("chance", self.chance), *source

    def _obstacle(self, continuum: Continuum) -> str | None:
        if len(continuum.annotators) < 2:
            return f"agreement needs two annotators or more; here {annotators_told(continuum)}"
        if not len(continuum):
            return _NO_UNITS
        if self.chance_from is None:
            return None
        drawn = self._drawn(continuum) if self.rules.of_one_document else None
        has_source = self._corpus_drawn().n_units if drawn is None else len(drawn)
        return None if has_source else _NO_SOURCE

    def _drawn(self, continuum: Continuum) -> Continuum | None:
        if self.chance_from is None:
            return None
        present = set(self.chance_from).intersection(continuum.annotators)
        return continuum.only(annotators=present)

    def _corpus_drawn(self) -> Corpus:
        corpus = self._corpus()
        return corpus if self.chance_from is None else corpus.only(annotators=self.chance_from)

    def _scores(self, source: DrawSource, first: int, count: int, report: Report) -> DrawScores:
        # In steps that grow with the speed, so that progress can be told; values do not depend on
        # the steps. Without anyone to tell, in one.
        parts = []
        done = 0
        step = count if report.progress is None else self.workers
        while done < count:
            step = min(step, count - done)
            began = time.perf_counter()
            parts.append(source.score(first + done, step, workers=self.workers, search=self.search))
            done += step
            report.add(step)
            if time.perf_counter() - began < _SECONDS_BETWEEN_REPORTS:
                step *= 2
        return parts[0] if len(parts) == 1 else DrawScores.joined(parts)

    def _evidence(
        self, documents: Mapping[str, MeasuredDocument], scores: Mapping[int, DrawScores]
    ) -> dict[str, Evidence]:
        return {
            name: _document_evidence(document, scores[id(document.source)])
            for name, document in documents.items()
        }


def _left_out(names: list[str], results: Mapping[str, GammaResult], why: str) -> str:
    some = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
    return f"{len(names)} of {len(results)} documents left out, because {why}: {some}"


def _notes_on_spacing(results: Mapping[str, GammaResult]) -> tuple[str, ...]:
    notes = [n for result in results.values() for n in result.notes if n.startswith(_SPACING_NOTE)]
    if len(results) == 1 or not notes:
        return tuple(notes)
    return (f"in {len(notes)} of {len(results)} documents {_SPACING_NOTE}",)


def _document_evidence(document: MeasuredDocument, scores: DrawScores) -> Evidence:
    fitted, found = document.fitted, document.found
    drawn_labels = document.source.fitted.labels
    disorder_of, weight_of = scores.label_disorder_of, scores.label_weight_of
    if drawn_labels != fitted.labels:
        place = {label: at for at, label in enumerate(drawn_labels)}
        columns = [place[label] for label in fitted.labels]
        disorder_of, weight_of = disorder_of[:, columns], weight_of[:, columns]
    sums = found.sums
    return Evidence(
        labels=fitted.labels,
        mean_units=document.mean_units,
        observed=found.disorder(fitted, document.mean_units),
        observed_bound=found.disorder_bound(fitted, document.mean_units),
        draws=scores.disorders,
        draw_bounds=scores.lower_bounds,
        proven=found.proven,
        unproven_draws=int((~scores.proven).sum()),
        by_label=LabelEvidence(
            np.concatenate(([sums.disorder], sums.disorder_of)) * fitted.empty,
            np.concatenate(([sums.weight], sums.weight_of)),
            np.column_stack((scores.label_disorder, disorder_of)),
            np.column_stack((scores.label_weight, weight_of)),
        ),
        redrawn=scores.redrawn,
    )
