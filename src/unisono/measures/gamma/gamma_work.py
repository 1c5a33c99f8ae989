"""The results of one call of `gamma`: of each document, and pooled over them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unisono.measures.estimating import estimate
from unisono.measures.gamma.aligning import alignment_of
from unisono.measures.gamma.gamma_running import NO_SOURCE, NO_UNITS
from unisono.measures.gamma.interval import RESAMPLES, document_sums, with_intervals
from unisono.measures.gamma.result import (
    Facts,
    FamilyValues,
    family_result,
    family_values,
    undefined_result,
)
from unisono.results.on_demand import Glance, OnDemand
from unisono.results.wording import count, some

if TYPE_CHECKING:
    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.gamma_evidence import Findings
    from unisono.measures.gamma.gamma_result import GammaResult
    from unisono.measures.gamma.gamma_running import GammaRun

__all__ = ["GammaWork"]

_SPACING_NOTE = "the extent is too short for shifts a mean unit length apart"


@dataclass(frozen=True, slots=True, kw_only=True)
class GammaWork:
    """What was found, and all that stands in signatures."""

    run: GammaRun
    chance: Chance
    findings: Findings
    resamples: int | None = None

    def document_result(self, name: str) -> GammaResult:
        """Give the result of one document, measured or not."""
        findings, run = self.findings, self.run
        continuum = run.documents[name]
        facts = Facts(
            settings=self._settings(),
            seed=run.seed,
            digest=continuum.digest,
            n_annotators=len(continuum.annotators),
            n_units=len(continuum),
            annotators_from=continuum.annotators_from,
        )
        if name in findings.failures:
            return undefined_result(f"it failed: {findings.failures[name]}", facts)
        if not findings.is_measured(name):
            return undefined_result(findings.obstacles.get(name, NO_UNITS), facts)
        spacing, was_lowered = findings.spacing(name)
        if not math.isnan(spacing):
            facts = facts._replace(spacing=spacing)
        notes: tuple[str, ...] = ()
        if was_lowered:
            notes = ((f"{_SPACING_NOTE}; they are {spacing:.6g} apart at least"),)
        alignment = alignment_of(
            continuum,
            findings.found(name),
            findings.fitted_to(name),
            run.rules.mean_units(len(continuum), len(continuum.annotators)),
            run.search,
        )
        facts = facts._replace(alignment=alignment, notes=notes)
        return family_result(findings.evidence(name), facts, confidence=run.confidence)

    def glance(self, name: str) -> Glance:
        """Give γ of one document and nothing beside it, which takes a tenth of the time."""
        findings = self.findings
        if name in findings.failures:
            return Glance(math.nan, f"it failed: {findings.failures[name]}", proven=True)
        if not findings.is_measured(name):
            return Glance(math.nan, findings.obstacles.get(name, NO_UNITS), proven=True)
        evidence = findings.evidence(name)
        found = estimate(evidence.observed, evidence.draws, confidence=self.run.confidence)
        proven = evidence.proven and not evidence.unproven_draws
        return Glance(found.value, found.undefined, proven)

    def values(self) -> FamilyValues:
        """Give γ and γcat of all documents together, and nothing beside them."""
        if not self.findings.measured:
            return FamilyValues(math.nan, math.nan, proven=True)
        return family_values(self.findings.whole(), confidence=self.run.confidence)

    def corpus_result(self) -> GammaResult:
        """Pool the documents; those that add nothing are left out, and named."""
        findings, corpus = self.findings, self.run.corpus
        results = OnDemand(corpus, self.document_result, self.glance)
        sourceless = {name for name, why in findings.obstacles.items() if why == NO_SOURCE}
        out = {*findings.alone, *sourceless, *findings.failures}
        left_out = [name for name in corpus if name in out]
        only = next(iter(results.values())) if len(corpus) == 1 else None
        notes = self._notes() if only is None else _spacing_notes(only)
        if findings.failures:
            told = [f"{name} ({why})" for name, why in findings.failures.items()]
            failed = f"{len(told):,} of {count(len(corpus), 'document')} failed"
            are = "is" if len(told) == 1 else "are"
            notes += (f"{failed} and {are} left out: {some(told, 3)}",)
        facts = Facts(
            settings=self._settings(failed=len(findings.failures)),
            seed=self.run.seed,
            digest=corpus.digest,
            n_annotators=len(corpus.annotators),
            n_units=corpus.n_units,
            annotators_from=corpus.annotators_from,
            skipped=corpus.skipped,
            spacing=only.spacing if only else None,
            notes=notes,
            failed_documents=findings.failures,
        )
        if not findings.measured:
            reason = "no document has units and was seen by two annotators or more"
            if findings.failures:
                reason = "all documents with something to measure failed"
            if only and only.undefined:
                reason = only.undefined
            return undefined_result(reason, facts, documents=results, left_out_documents=left_out)
        result = family_result(
            findings.whole(),
            facts,
            confidence=self.run.confidence,
            documents=results,
            left_out_documents=left_out,
        )
        return self._with_intervals(result)

    def _with_intervals(self, result: GammaResult) -> GammaResult:
        n = RESAMPLES if self.resamples is None else self.resamples
        nobody_asked = self.resamples is None and len(self.findings.measured) < 2
        if not n or nobody_asked:
            return result
        sums = document_sums(self.findings.each(), self.run.fitted.labels)
        run = self.run
        return with_intervals(result, sums, level=run.confidence, n=n, seed=run.seed)

    def _settings(self, *, failed: int = 0) -> tuple[tuple[str, str], ...]:
        run = self.run
        source = () if run.chance_from is None else (("from", ",".join(run.chance_from)),)
        told = (("failed", str(failed)),) if failed else ()
        settings = ("dissim", run.fitted.text), *run.search.told, ("chance", self.chance)
        return *settings, *source, *told

    def _notes(self) -> tuple[str, ...]:
        findings, names = self.findings, list(self.run.corpus)
        notes: tuple[str, ...] = ()
        lowered = sum(findings.spacing(name)[1] for name in findings.measured)
        if lowered:
            notes += (f"in {lowered:,} of {count(len(names), 'document')} {_SPACING_NOTE}",)
        alone = [name for name in names if name in findings.alone]
        if alone:
            notes += (_left_out(alone, len(names), "fewer than two annotators saw them"),)
        sourceless = [name for name in names if findings.obstacles.get(name) == NO_SOURCE]
        if sourceless:
            notes += (_left_out(sourceless, len(names), NO_SOURCE),)
        return notes


def _left_out(names: list[str], of: int, why: str) -> str:
    listed = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
    return f"{len(names):,} of {count(of, 'document')} left out, because {why}: {listed}"


def _spacing_notes(result: GammaResult) -> tuple[str, ...]:
    return tuple(note for note in result.notes if note.startswith(_SPACING_NOTE))
