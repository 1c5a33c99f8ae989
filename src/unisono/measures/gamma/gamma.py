"""γ, γcat and γk of a continuum or a corpus: `gamma`.

`Run` cuts the work into tasks and collects their evidence; `Measured` computes results from it.
"""

from __future__ import annotations

import hashlib
import json
import math
import warnings
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar, get_args

import numpy as np

from unisono.errors import SettingError, check_choice, setting
from unisono.measures.data import of_units
from unisono.measures.gamma.alignment import (
    EFFORT_DRAW,
    EFFORT_FIRST_DRAW,
    Search,
    alignment_of,
    describe_annotators,
)
from unisono.measures.gamma.chance import CorpusChance, DrawScores, chance_rules
from unisono.measures.gamma.chance_test import (
    failed_conditions,
    why_no_test,
    why_no_test_of_draws,
)
from unisono.measures.gamma.dissimilarity import (
    CombinedDissimilarity,
    check_dissimilarity,
    label_counts,
    refuse_checkpoint,
)
from unisono.measures.gamma.documents import (
    Costs,
    DocumentsTask,
    OnError,
    Settings,
    SharedTask,
    pieces_of,
)
from unisono.measures.gamma.evidence import CorpusEvidence, Evidence
from unisono.measures.gamma.interval import with_intervals
from unisono.measures.gamma.monte_carlo import wanted_draws
from unisono.measures.gamma.result import (
    DocumentColumns,
    Facts,
    FamilyValues,
    GammaByLabelTable,
    family_result,
    family_values,
    measured_columns,
    precision_notes,
    undefined_result,
)
from unisono.measures.intervals import FIRST_DRAWS, why_undefined
from unisono.measures.sampling import fingerprint, seed_of
from unisono.model.columns import known_names
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus, check_continuum_or_corpus, documents_of, units_by_label
from unisono.model.labels import label_order, label_text
from unisono.parallel.checkpoint import Checkpoint, Part, digest_of
from unisono.parallel.dispatch import (
    Report,
    check_executor,
    chunk_seconds,
    chunks_by_cost,
    is_remote,
    run_tasks,
    workers_of,
)
from unisono.parallel.executors import available_cores
from unisono.registry import check_settings
from unisono.results.agreement import certain_range, uncertainty
from unisono.results.record import OnDemand
from unisono.results.values import Signature
from unisono.results.wording import count, some
from unisono.version import __version__

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
    from concurrent.futures import Executor

    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.measures.gamma.documents import Piece
    from unisono.measures.gamma.result import GammaAgreement
    from unisono.model.arrays import Floats
    from unisono.model.labels import Label
    from unisono.parallel.checkpoint import Arrays
    from unisono.parallel.dispatch import Task

__all__ = ["gamma", "gamma_by_label", "gamma_values"]

NO_UNITS = "there are no units"
NO_SOURCE = "the annotators in chance_from have no units"
_Result = TypeVar("_Result")


@dataclass(frozen=True, kw_only=True)
class Run:
    """The work of one call: data, settings and workers."""

    data: Continuum | Corpus
    settings: Settings
    workers: int
    executor: Executor | None = None
    kept: Part | None = None
    """The part of a checkpoint that stores finished chunks."""

    def evidence(
        self,
        draws: int | None,
        precision: float | None,
        progress: Callable[[int, int], None] | None,
    ) -> CorpusEvidence:
        """Align, and make draws until the pooled values are precise enough."""
        evidence = CorpusEvidence(fitted=self.settings.fitted, rules=self.settings.rules)
        report = Report(progress, 0)
        self._make_draws(evidence, draws, precision, report)
        if self._returns_to_open_draws and evidence.measured:
            self._return_to_open_draws(evidence, report)
        return evidence

    def _make_draws(
        self,
        evidence: CorpusEvidence,
        draws: int | None,
        precision: float | None,
        report: Report,
    ) -> None:
        first = FIRST_DRAWS if draws is None else draws
        self._measure(evidence, 0, first, report)
        if draws is not None or not evidence.measured:
            return
        done, wanted = 0, first
        while done < wanted:
            done = wanted
            wanted = wanted_draws(
                evidence.pooled(),
                evidence.work,
                precision=precision,
                confidence=self.settings.confidence,
            )
            if wanted > done:
                self._measure(evidence, done, wanted - done, report)

    @property
    def _returns_to_open_draws(self) -> bool:
        """Whether draws are first aligned with little work; not if the user limits their time."""
        return self.settings.rules.of_one_document and self.settings.search.time_limit is None

    def _return_to_open_draws(self, evidence: CorpusEvidence, report: Report) -> None:
        """Align open draws again with more work, until their gaps matter little.

        Those with the largest share in the bounds of γ come first. Each is aligned again at most
        once, and none if the gaps are small against the Monte Carlo error of the mean.
        """
        settings = self.settings._replace(effort_of_draws=EFFORT_DRAW)
        place = {label: code for code, label in enumerate(settings.fitted.labels)}
        draws = evidence.pooled().draws
        error = float(draws.std(ddof=1)) / math.sqrt(len(draws)) if len(draws) > 1 else 0.0
        most = _OF_MONTE_CARLO_ERROR * error
        chosen = evidence.open_draws(settings.search.gap_tolerance, most)
        report.total += len(chosen)
        part = None if self.kept is None else self.kept.inside(f"open draws {len(draws)}")
        found: dict[int, Evidence] = {}
        plans: dict[int, Arrays] = {}

        def tasks() -> Iterator[tuple[int, DocumentsTask]]:
            for number, (name, draw) in enumerate(chosen):
                document = [(name, self._documents[name])]
                (piece,) = pieces_of(
                    document, aligns=False, first=draw, draws=1, costs=self._costs, most=1.0
                )
                if part is not None:
                    plans[number] = _plan_of([piece])
                stored = _stored(part, number, plans)
                if stored is not None:
                    found[number] = Evidence.from_arrays(stored)
                    report.add(1)
                    continue
                yield number, DocumentsTask.packed(settings, [piece], place)

        def arrays_of(number: int, result: Evidence) -> Arrays:
            return result.arrays() | plans[number]

        with self._results(tasks(), part, arrays_of) as results:
            for number, result in results:
                found[number] = result
                report.add(1)
        for number, (name, draw) in enumerate(chosen):
            if not any(found[number].failure_texts):
                evidence.improve(name, draw, found[number])

    def _obstacle(self, continuum: Continuum) -> str | None:
        """Return why a document cannot be measured, or has no source of draws; `None` if it can."""
        if len(continuum.annotators) < 2:
            return f"agreement needs two annotators or more; here {describe_annotators(continuum)}"
        if not len(continuum):
            return NO_UNITS
        chance_from = self.settings.chance_from
        if chance_from is None:
            return None
        if not self.settings.rules.of_one_document:
            return None if self._drawn_corpus.n_units else NO_SOURCE
        counts = zip(continuum.annotators, continuum.counts.tolist(), strict=True)
        has_source = any(count for name, count in counts if name in chance_from)
        return None if has_source else NO_SOURCE

    @cached_property
    def _drawn_corpus(self) -> Corpus:
        corpus, chance_from = _corpus_of(self.data), self.settings.chance_from
        return corpus if chance_from is None else corpus.only(annotators=chance_from)

    @cached_property
    def _documents(self) -> Mapping[str, Continuum]:
        return documents_of(self.data)

    @cached_property
    def _costs(self) -> Costs:
        return Costs(is_custom=self.settings.fitted.cost is not None)

    def _chunk_seconds(self, total: float) -> float:
        return chunk_seconds(total, kept=self.kept is not None, travels=is_remote(self.executor))

    def _measure(self, evidence: CorpusEvidence, first: int, draws: int, report: Report) -> None:
        """Align the documents that are not aligned yet, and make the next draws."""
        if self.settings.rules.of_one_document:
            report.total += draws * len(self._documents)
            self._measure_documents(evidence, first, draws, report)
            return
        if not first:
            self._measure_documents(evidence, 0, 0, report)
        sizes = {evidence.annotators_of(name) for name in evidence.measured}
        report.total += draws * len(sizes)
        for places in sorted(sizes):
            scores = self._shared_draws(places, first, draws, report)
            before = evidence.shared.get(places)
            evidence.shared[places] = (
                scores if before is None else DrawScores.joined((before, scores))
            )

    def _measure_documents(
        self, evidence: CorpusEvidence, first: int, draws: int, report: Report
    ) -> None:
        settings = self.settings
        part = None if self.kept is None else self.kept.inside(f"documents {first}")
        place = {label: code for code, label in enumerate(settings.fitted.labels)}
        names_of: list[tuple[str, ...]] = []
        found: dict[int, Evidence] = {}
        plans: dict[int, Arrays] = {}

        def tasks() -> Iterator[tuple[int, DocumentsTask]]:
            chunks = self._chunks(evidence, first, draws, report)
            begin = list(islice(chunks, 2))
            # A single chunk is not distributed; its draws are shared out by the kernel.
            threads = self.workers if len(begin) == 1 and self.executor is None else 1
            for number, pieces in enumerate(chain(begin, chunks)):
                names_of.append(tuple(piece.name for piece in pieces))
                if part is not None:
                    plans[number] = _plan_of(pieces)
                stored = _stored(part, number, plans)
                kept = None if stored is None else Evidence.from_arrays(stored)
                # A failure that was reported is raised now, if that is asked for.
                if kept is not None and (
                    settings.on_error == "report" or not any(kept.failure_texts)
                ):
                    found[number] = kept
                    report.add(sum(piece.draws for piece in pieces))
                    continue
                yield number, DocumentsTask.packed(settings, pieces, place, threads)

        def arrays_of(number: int, result: Evidence) -> Arrays:
            return result.arrays() | plans[number]

        with self._results(tasks(), part, arrays_of) as results:
            for number, result in results:
                found[number] = result
                report.add(int(result.draws_of.sum()))
        for number, names in enumerate(names_of):
            evidence.add(names, found.pop(number))

    def _chunks(
        self, evidence: CorpusEvidence, first: int, draws: int, report: Report
    ) -> Iterator[list[Piece]]:
        """Divide the work on all documents into tasks, which depend on data and draws alone."""
        aligns = first == 0
        n_annotators, n_documents = len(self.data.annotators), len(self._documents)
        n_units = len(self.data) if isinstance(self.data, Continuum) else self.data.n_units
        total = self._costs.of_all(n_documents, n_units, n_annotators, draws + aligns)
        most = self._chunk_seconds(total)

        def documents() -> Iterator[tuple[str, Continuum]]:
            for name, continuum in self._documents.items():
                if name in evidence.failures or name in evidence.obstacles:
                    report.total -= draws
                    continue
                obstacle = self._obstacle(continuum) if aligns else None
                if obstacle is None:
                    yield name, continuum
                    continue
                report.total -= draws
                evidence.obstacles[name] = obstacle
                if len(continuum.annotators) < 2:
                    evidence.alone.add(name)

        pieces = pieces_of(
            documents(), aligns=aligns, first=first, draws=draws, costs=self._costs, most=most
        )
        return chunks_by_cost(pieces, attrgetter("seconds"), most, total)

    def _shared_draws(self, places: int, first: int, draws: int, report: Report) -> DrawScores:
        """Make draws for all documents with a number of annotators."""
        settings = self.settings
        part = None if self.kept is None else self.kept.inside(f"draws {places} {first}")
        model = CorpusChance(self._drawn_corpus, places, settings.fitted, settings.seed)
        units = places * model.mean_track
        most = self._chunk_seconds(self._costs.of_all(1, round(units), places, draws))
        at_once = max(1, int(most / self._costs.seconds(units, places, 1)))
        found: dict[int, DrawScores] = {}

        def plan_of(number: int) -> Arrays:
            return {"plan": np.array([first + number, min(at_once, draws - number)])}

        def tasks() -> Iterator[tuple[int, SharedTask]]:
            for done in range(0, draws, at_once):
                stored = _stored(part, done, {done: plan_of(done)})
                count = min(at_once, draws - done)
                if stored is not None:
                    found[done] = DrawScores.from_arrays(stored)
                    report.add(count)
                    continue
                yield done, SharedTask(settings, *model.drawn(first + done, count))

        def arrays_of(done: int, scores: DrawScores) -> Arrays:
            return scores.arrays() | plan_of(done)

        with self._results(tasks(), part, arrays_of) as results:
            for done, scores in results:
                found[done] = scores
                report.add(len(scores.disorders))
        return DrawScores.joined([found[done] for done in sorted(found)])

    def _results(
        self,
        tasks: Iterator[tuple[int, Task[_Result]]],
        part: Part | None,
        arrays_of: Callable[[int, _Result], Arrays],
    ) -> closing[Generator[tuple[int, _Result], None, None]]:
        def keep(number: int, result: _Result) -> None:
            if part is not None:
                part.store({number: arrays_of(number, result)})

        return closing(
            run_tasks(
                tasks,
                executor=self.executor,
                workers=self.workers,
                keep=None if part is None else keep,
            )
        )


def _corpus_of(data: Continuum | Corpus) -> Corpus:
    if isinstance(data, Continuum):
        return Corpus.from_continua({"continuum": data})
    return data


def _plan_of(pieces: list[Piece]) -> Arrays:
    """Return the hash of the work of a chunk."""
    columns = (
        [piece.name for piece in pieces],
        [piece.continuum.digest for piece in pieces],
        [piece.aligns for piece in pieces],
        [piece.first for piece in pieces],
        [piece.draws for piece in pieces],
    )
    digest = hashlib.sha256(json.dumps(columns).encode()).digest()
    return {"plan": np.frombuffer(digest, np.uint8)}


def _stored(part: Part | None, number: int, plans: Mapping[int, Arrays]) -> Arrays | None:
    """Return a stored chunk, or `None` if its work differs or it is incomplete."""
    if part is None or number not in part.numbers:
        return None
    stored = part.taken(number)
    if stored is None:
        return None
    same = np.array_equal(stored.pop("plan", np.empty(0)), plans[number]["plan"])
    return stored if same else None


_SPACING_NOTE = "the extent is too short for shifts a mean unit length apart"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Data with their evidence, from which results are computed."""

    data: Continuum | Corpus
    settings: Settings
    evidence: CorpusEvidence

    def document_result(self, name: str) -> GammaAgreement:
        """Return the result of one document, measured or not."""
        evidence, settings = self.evidence, self.settings
        continuum = documents_of(self.data)[name]
        facts = Facts(
            settings=self._signature(),
            dissimilarity=settings.fitted.parameters,
            seed=settings.seed,
            digest=continuum.digest,
            n_annotators=len(continuum.annotators),
            n_units=len(continuum),
            units_by_label=units_by_label(continuum),
            annotators_from=continuum.annotators_from,
        )
        if name not in evidence.rows:
            return undefined_result(self._why_not(name), facts)
        alignment = alignment_of(
            continuum,
            evidence.alignment_of(name),
            evidence.fitted_to(name),
            settings.rules.mean_units(len(continuum), len(continuum.annotators)),
            settings.search,
        )
        spacing, notes = self._spacing(name)
        facts = facts._replace(
            alignment=alignment,
            spacing=spacing,
            notes=notes,
            p_value_note=self._why_no_test([name]),
        )
        return family_result(evidence.totals(name), facts, confidence=settings.confidence)

    def _spacing(self, name: str) -> tuple[float | None, tuple[str, ...]]:
        """Return the spacing of the shifts of a document, and a note if it is reduced."""
        spacing, was_lowered = self.evidence.spacing(name)
        note = f"{_SPACING_NOTE}; they are {spacing:.6g} apart at least"
        return None if math.isnan(spacing) else spacing, (note,) if was_lowered else ()

    def _why_no_test(self, names: Iterable[str]) -> str | None:
        """Return why documents, pooled, have no p-value."""
        evidence, rules = self.evidence, self.settings.rules
        reason = why_no_test_of_draws(rules, evidence.n_draws)
        if reason is not None:
            return reason
        continua = documents_of(self.data)
        return why_no_test(
            (
                continua[name],
                evidence.spacing(name)[0],
                rules.mean_units(len(continua[name]), len(continua[name].annotators)),
            )
            for name in names
        )

    def document_columns(self) -> DocumentColumns:
        """Return the values of all documents as columns, without a result per document."""
        found = self.evidence
        continua = documents_of(self.data)
        rows = np.array([found.rows.get(name, -1) for name in continua], np.int64)
        is_measured = rows >= 0
        numbers = measured_columns(found, confidence=self.settings.confidence)
        draws = int(found.n_draws)
        is_tested = np.full(len(numbers.p_values), fill_value=False)
        if why_no_test_of_draws(self.settings.rules, draws) is None:
            measured = [continua[name] for name in found.rows]
            is_tested[:] = ~failed_conditions(measured, found.columns.spacing).any(axis=1)

        def column(values: Floats) -> Floats:
            everywhere = np.full(len(rows), math.nan)
            everywhere[is_measured] = values[rows[is_measured]]
            return everywhere

        draws_of = np.where(is_measured, draws, 0).tolist()
        return DocumentColumns(
            value=column(numbers.values),
            observed=column(numbers.observed),
            expected=column(numbers.expected),
            gamma_cat=column(numbers.gamma_cat),
            monte_carlo_low=column(numbers.low),
            monte_carlo_high=column(numbers.high),
            monte_carlo_se=column(numbers.errors),
            p_value=column(np.where(is_tested, numbers.p_values, math.nan)),
            undefined=[
                why_undefined(numbers.values[at], numbers.expected[at])
                if at >= 0
                else self._why_not(name)
                for name, at in zip(continua, rows.tolist(), strict=True)
            ],
            n_annotators=[len(each.annotators) for each in continua.values()],
            n_units=[len(each) for each in continua.values()],
            draws=draws_of,
            proven=column(numbers.proven.astype(np.float64)) != 0.0,
            gamma_k={
                label: column(values)
                for label, values in zip(found.fitted.labels, numbers.gamma_k, strict=True)
            },
            signature=self._signatures(draws_of),
        )

    def _why_not(self, name: str) -> str:
        """Return why a document was not measured."""
        if name in self.evidence.failures:
            return f"it failed: {self.evidence.failures[name]}"
        return self.evidence.obstacles.get(name, NO_UNITS)

    def _signatures(self, draws_of: list[int]) -> list[str]:
        """Return the signatures of all documents, which differ in a few settings only."""
        leads = {
            draws: str(Signature("gamma", (*self._signature(), ("draws", str(draws)))))
            for draws in set(draws_of)
        }
        return [
            f"{leads[draws]}|seed:{self.settings.seed}|annotators:{each.annotators_from}"
            f"|data:{each.digest[:8]}|v:{__version__}"
            for draws, each in zip(draws_of, documents_of(self.data).values(), strict=True)
        ]

    def values(self) -> FamilyValues:
        """Return γ and γcat of all documents, pooled."""
        if not self.evidence.measured:
            return FamilyValues(math.nan, math.nan, proven=True)
        return family_values(self.evidence.pooled(), confidence=self.settings.confidence)

    def corpus_result(self) -> GammaAgreement:
        """Return the pooled result; documents without effect are left out and listed."""
        evidence, corpus = self.evidence, _corpus_of(self.data)
        names, measured = list(corpus), evidence.measured
        results = OnDemand(names, self.document_result, self.document_columns)
        sourceless = {name for name, why in evidence.obstacles.items() if why == NO_SOURCE}
        out = {*evidence.alone, *sourceless, *evidence.failures}
        left_out = [name for name in names if name in out]
        only = names[0] if len(names) == 1 else None
        spacing, notes = None, self._notes() if only is None else ()
        if only in measured:
            spacing, notes = self._spacing(only)
        if evidence.failures:
            failures = [f"{name} ({why})" for name, why in evidence.failures.items()]
            failed = f"{len(failures):,} of {count(len(names), 'document')} failed"
            are = "is" if len(failures) == 1 else "are"
            notes += (f"{failed} and {are} left out: {some(failures, 3)}",)
        facts = Facts(
            settings=self._signature(failed=len(evidence.failures)),
            dissimilarity=self.settings.fitted.parameters,
            seed=self.settings.seed,
            digest=corpus.digest,
            n_annotators=len(corpus.annotators),
            n_units=corpus.n_units,
            units_by_label=units_by_label(corpus),
            annotators_from=corpus.annotators_from,
            skipped=corpus.skipped,
            spacing=spacing,
            notes=notes,
            p_value_note=self._why_no_test(measured),
            failed_documents=evidence.failures,
        )
        if not measured:
            reason = "no document has units and was seen by two annotators or more"
            if evidence.failures:
                reason = "all documents with something to measure failed"
            if only is not None:
                reason = self._why_not(only)
            return undefined_result(reason, facts, documents=results, left_out_documents=left_out)
        totals = evidence.pooled()
        result = family_result(
            totals,
            facts,
            confidence=self.settings.confidence,
            documents=results,
            left_out_documents=left_out,
        )
        if len(measured) < 2:
            return result
        return with_intervals(result, evidence, totals, confidence=self.settings.confidence)

    def _signature(self, *, failed: int = 0) -> tuple[tuple[str, str], ...]:
        """Return the settings as items of a signature."""
        fitted, rules, _, search, _, chance_from, *_ = self.settings
        return (
            ("dissim", fitted.text),
            *search.signature_items,
            ("chance", rules.name),
            *(() if chance_from is None else (("from", ",".join(chance_from)),)),
            *((("failed", str(failed)),) if failed else ()),
        )

    def _notes(self) -> tuple[str, ...]:
        evidence, names = self.evidence, list(documents_of(self.data))
        notes: tuple[str, ...] = ()
        if evidence.rows and (lowered := int(evidence.columns.spacing_was_lowered.sum())):
            notes += (f"in {lowered:,} of {count(len(names), 'document')} {_SPACING_NOTE}",)
        alone = [name for name in names if name in evidence.alone]
        if alone:
            notes += (_left_out(alone, len(names), "fewer than two annotators saw them"),)
        sourceless = [name for name in names if evidence.obstacles.get(name) == NO_SOURCE]
        if sourceless:
            notes += (_left_out(sourceless, len(names), NO_SOURCE),)
        return notes


def _left_out(names: list[str], of: int, why: str) -> str:
    listed = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
    return f"{len(names):,} of {count(of, 'document')} left out, because {why}: {listed}"


_MOST_WORKERS = 256
_OF_MONTE_CARLO_ERROR = 0.1  # unproven draws may leave this part of it open
_UNCERTAIN = 0.002  # by how much gaps may move γ before we warn


@of_units
def gamma(
    data: Continuum | Corpus,
    *,
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    chance_from: Iterable[str] | None = None,
    precision: float | None = None,
    confidence: float = 0.95,
    draws: int | None = None,
    rng: int | np.random.Generator | None = 0,
    soft: bool = False,
    gap_tolerance: float = 0.0,
    time_limit: float | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    on_error: OnError = "raise",
    checkpoint: str | os.PathLike[str] | Part | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> GammaAgreement:
    """Compute γ: agreement on the positions and labels of units, corrected for chance.

    1 means perfect agreement, 0 agreement expected by chance, and a negative value less than that.
    The same alignments give γcat, the agreement on labels alone, and γk, the same for each label.

    Parameters
    ----------
    data
        A `Continuum`, or a `Corpus`, whose documents are pooled.
    dissimilarity
        The dissimilarity of two units; by default `CombinedDissimilarity()`.
    chance
        The model of random continua: ``"shift"`` shifts the units of each annotator, ``"corpus"``
        combines annotators of different documents, ``"statistical"`` draws from distributions
        fitted to the document, ``"gamma-software"`` works as the authors' program (with a position
        weight of 3 unless a dissimilarity is given), and ``"gamma-2017"`` has the settings that
        give the printed numbers of the γcat paper (position 3, label 2, shifts by integers).
    chance_from
        The annotators from whose units random continua are made; by default all. To measure a
        system against a reference, pass the annotators of the reference: the units of the system
        then affect the observed disorder only.
    precision
        The relative error of the expected disorder of γ: 30 draws are made, and then as many as
        the paper's rule requires. By default draws are made until the standard error of γ is 0.001
        and that of γcat 0.0025, or until a budget of work is used, about 0.2 seconds on one core;
        never fewer than the paper's rule requires for 0.02.
    confidence
        The confidence level of that relative error and of all intervals.
    draws
        A fixed number of draws instead.
    rng
        A seed, or a generator from which a seed is drawn; with `None`, the system provides one.
        The signature contains it. The draws of a document depend on the seed, on its name in the
        corpus, on the number of units of each annotator, and on the order of its labels. Continua
        without a name that agree in these share their draws, so pass a generator in simulations.
    soft
        Whether a unit may be in more than one group, in the data and in the draws (soft-γ): a unit
        that another annotator split in two then has a smaller disorder.
    gap_tolerance
        Stop the search for a better alignment when the disorder is proven to be within this
        relative gap of the optimum, such as 0.001. `certified` gives the resulting bounds of γ.
    time_limit
        Seconds per alignment, of the data and of each draw. Values then depend on the machine, and
        the signature contains the limit; by default only the work is limited.
    workers
        Number of threads, by default all cores; does not affect any value.
    executor
        An executor that runs the work instead: `unisono.parallel.Processes`, a
        `ProcessPoolExecutor`, Dask's ``client.get_executor()`` or any other. It does not affect
        any value.
    on_error
        What to do if a document of a corpus cannot be measured: ``"raise"``, or ``"report"`` it in
        `failed_documents` and measure the others.
    checkpoint
        A folder for intermediate results: after an interruption, the same call resumes from it. It
        also provides the seed if `rng` is `None`.
    progress
        Called with the number of finished draws and of draws known to be needed, over all
        documents.

    Returns
    -------
    GammaAgreement
        The value with the disorders, alignment and draws from which it was computed. If γ is
        undefined, the value is NaN and `undefined` gives the reason.

    Raises
    ------
    SettingError
        If a setting is invalid.
    DataError
        If a label has no distance, or there are too few documents for the chance model.
    WorkError
        If workers die and cannot be replaced, or the checkpoint cannot be written.

    Notes
    -----
    γ = 1 − δ/δe: δ is the disorder of the best alignment, which is exact, and δe the mean disorder
    of the best alignments of random continua [1]_ (§4.5, §5). For a corpus,
    γ = 1 − Σ x̄·δ / Σ x̄·δe over its documents, where x̄ is the mean number of units per annotator.
    γcat and γk weight each pair of units of a group by the agreement of their positions [2]_
    (Algorithm 1). The `interval` of a corpus is for the population of documents: the jackknife over
    documents with Student's t for the effective number of documents. `notes` give the reason if
    there is none because of too few documents, or too few disagreements expected by chance.

    The `annotators` of a continuum are all who saw it, including annotators without units. This
    affects the value more than any setting, so results state how the annotators were determined.

    References
    ----------
    .. [1] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479.
    .. [2] Mathet, Y. (2017). The agreement measure γcat a complement to γ focused on categorization
       of a continuum. Computational Linguistics 43(3), 661–681.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [
    ...         ("ann", 0, 10, "A"), ("ann", 15, 20, "B"), ("ann", 30, 45, "A"),
    ...         ("bob", 0, 11, "A"), ("bob", 15, 20, "B"), ("bob", 32, 45, "B"),
    ...     ]
    ... )  # fmt: skip
    >>> result = un.gamma(text, rng=42)
    >>> f"{result:.2f}", result.proven
    ('0.66', True)
    >>> result.observed, result.gamma_cat.observed
    (0.3357..., 0.3324...)
    """
    check_continuum_or_corpus("gamma", data)
    search = Search(soft=soft, gap_tolerance=gap_tolerance, time_limit=time_limit)
    check_settings(
        {"confidence": confidence},
        {"precision": precision, "draws": draws, "workers": workers},
    )
    with _opened(checkpoint) as folder:
        run = _run(
            data,
            dissimilarity=dissimilarity,
            chance=chance,
            chance_from=chance_from,
            confidence=confidence,
            seed=_seed(rng, folder),
            search=search,
            workers=workers,
            executor=executor,
            on_error=on_error,
        )
        rule = "default" if precision is None else f"{precision:.12g}"
        size = ("precision", rule) if draws is None else ("draws", str(draws))
        if folder is not None:
            run = replace(run, kept=_kept(folder, run, size))
        evidence = run.evidence(draws, precision, progress)
    measured = Measured(data=data, settings=run.settings, evidence=evidence)
    is_alone = isinstance(data, Continuum)
    result = measured.document_result("") if is_alone else measured.corpus_result()
    if notes := precision_notes(result):
        result = replace(result, notes=(*result.notes, *notes))
    _warn_if_uncertain(result)
    return result


@of_units
def gamma_by_label(
    data: Continuum | Corpus,
    *,
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    chance_from: Iterable[str] | None = None,
    precision: float | None = None,
    confidence: float = 0.95,
    draws: int | None = None,
    rng: int | np.random.Generator | None = 0,
    soft: bool = False,
    gap_tolerance: float = 0.0,
    time_limit: float | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
) -> GammaByLabelTable:
    """Compute γ of each label alone: agreement on where the units of one label are.

    γ of a label counts the units that only some annotators marked or gave this label. γk does not:
    it compares the labels of units that were aligned, so a label can have γk = 1 although most of
    its units were missed.

    Parameters
    ----------
    data
        A `Continuum`, or a `Corpus`, whose documents are pooled.
    dissimilarity, chance, chance_from, precision, confidence, draws, rng
        As in `gamma`.
    soft, gap_tolerance, time_limit, workers, executor
        As in `gamma`.

    Returns
    -------
    GammaByLabelTable
        The γ of the units with each label, with the same annotators and documents as the data.

    Raises
    ------
    SettingError
        If a setting is invalid.
    DataError
        If there are too few documents for the chance model.

    Notes
    -----
    Each value is `gamma` of ``data.only(labels=[label])``: annotators without a unit of the label
    remain annotators, and the extents of documents stay the same. The run time grows with the
    number of labels.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> found = un.gamma_by_label(text)
    >>> {label: f"{of:.2f}" for label, of in found.by_label.items()}
    {'answer': '0.59', 'aside': '0.64', 'question': '0.82'}
    >>> {label: f"{of:.2f}" for label, of in un.gamma(text).gamma_k.items()}
    {'answer': '1.00', 'aside': '0.49', 'question': '0.65'}
    """
    check_continuum_or_corpus("gamma_by_label", data)
    seed = seed_of(rng)
    labels = {label for each in documents_of(data).values() for label in each.labels}
    by_label: dict[Label | None, GammaAgreement] = {}
    for label in sorted(labels, key=label_order):
        found = gamma(
            data.only(labels=[label]),
            dissimilarity=dissimilarity,
            chance=chance,
            chance_from=chance_from,
            precision=precision,
            confidence=confidence,
            draws=draws,
            rng=seed,
            soft=soft,
            gap_tolerance=gap_tolerance,
            time_limit=time_limit,
            workers=workers,
            executor=executor,
        )
        own = (("label", label_text(label)), *found.signature.settings)
        by_label[label] = replace(found, signature=Signature("gamma_label", own))
    return GammaByLabelTable(
        by_label=by_label,
        n_annotators=len(data.annotators),
        n_units=sum(map(len, documents_of(data).values())),
    )


def gamma_with_draws_of(
    original: Continuum | Corpus,
    data: Continuum | Corpus,
    *,
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    confidence: float = 0.95,
    draws: int,
    rng: int,
    soft: bool = False,
    gap_tolerance: float = 0.0,
    time_limit: float | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    on_error: OnError = "raise",
) -> GammaAgreement:
    """Return γ of data whose labels differ from those of the original, with the same shifts."""
    streams = {
        name: fingerprint(each.counts, each.label_codes, name=name)
        for name, each in documents_of(original).items()
    }
    run = _run(
        data,
        dissimilarity=dissimilarity,
        chance=chance,
        confidence=confidence,
        seed=rng,
        search=Search(soft=soft, gap_tolerance=gap_tolerance, time_limit=time_limit),
        workers=workers,
        executor=executor,
        on_error=on_error,
    )
    run = replace(run, settings=run.settings._replace(streams=streams))
    evidence = run.evidence(draws, None, None)
    measured = Measured(data=data, settings=run.settings, evidence=evidence)
    is_alone = isinstance(data, Continuum)
    return measured.document_result("") if is_alone else measured.corpus_result()


def gamma_values(
    data: Continuum | Corpus,
    *,
    draws: int,
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    confidence: float = 0.95,
    rng: int | np.random.Generator | None = 0,
    soft: bool = False,
    gap_tolerance: float = 0.0,
) -> FamilyValues:
    """Return the values of γ and γcat of `gamma` alone, without warnings.

    A corpus of many documents then takes half the time.
    """
    check_settings({"confidence": confidence}, {"draws": draws})
    run = _run(
        data,
        dissimilarity=dissimilarity,
        chance=chance,
        confidence=confidence,
        seed=seed_of(rng),
        search=Search(soft=soft, gap_tolerance=gap_tolerance),
        workers=1,
    )
    evidence = run.evidence(draws, None, None)
    return Measured(data=data, settings=run.settings, evidence=evidence).values()


def _run(
    data: Continuum | Corpus,
    *,
    dissimilarity: Dissimilarity | None,
    chance: Chance,
    chance_from: Iterable[str] | None = None,
    confidence: float,
    seed: int,
    search: Search,
    workers: int | None,
    executor: Executor | None = None,
    on_error: OnError = "raise",
) -> Run:
    """Check the remaining settings of a call, and return its work."""
    if dissimilarity is not None:
        check_dissimilarity(dissimilarity)
    rules = chance_rules(chance)
    check_choice("on_error", on_error, get_args(OnError))
    if executor is not None:
        check_executor(executor)
        workers = workers or workers_of(executor)
    chosen = CombinedDissimilarity(**rules.weights) if dissimilarity is None else dissimilarity
    source = None
    if chance_from is not None:
        source = tuple(sorted(known_names(chance_from, data.annotators, "annotator")))
        if not source:
            msg = f"{setting('chance_from')} is empty; omit it to draw from all annotators"
            raise SettingError(msg)
    most = _MOST_WORKERS if executor is None else workers
    return Run(
        data=data,
        settings=Settings(
            fitted=chosen.fitted(data.labels, label_counts(data)),
            rules=rules,
            seed=seed,
            search=search,
            confidence=confidence,
            chance_from=source,
            on_error=on_error,
            effort_of_draws=(
                EFFORT_FIRST_DRAW
                if rules.of_one_document and search.time_limit is None
                else EFFORT_DRAW
            ),
        ),
        workers=min(workers or available_cores(), most or 1),
        executor=executor,
    )


@contextmanager
def _opened(
    checkpoint: str | os.PathLike[str] | Part | None,
) -> Iterator[Checkpoint | Part | None]:
    if checkpoint is None or isinstance(checkpoint, Part):
        yield checkpoint
        return
    with Checkpoint(checkpoint) as folder:
        yield folder


def _seed(rng: int | np.random.Generator | None, folder: Checkpoint | Part | None) -> int:
    if rng is None and isinstance(folder, Checkpoint) and "seed" in folder.stored_key:
        return int(folder.stored_key["seed"])
    return seed_of(rng)


def _kept(folder: Checkpoint | Part, run: Run, size: tuple[str, str]) -> Part:
    """Return the part of the checkpoint for this call; raise if it belongs to another call."""
    if isinstance(folder, Part):
        return folder
    settings = run.settings
    refuse_checkpoint(settings.fitted)
    folder.open_for(
        {
            "computation": "gamma",
            "dissim": settings.fitted.text,
            "distances": digest_of(settings.fitted.distances),
            "alignment": ",".join(
                f"{name}:{value}" for name, value in settings.search.signature_items
            ),
            "chance": settings.rules.name,
            "from": "everyone" if settings.chance_from is None else ",".join(settings.chance_from),
            size[0]: size[1],
            "confidence": f"{settings.confidence:.12g}",
            "seed": str(settings.seed),
            "data": run.data.digest,
            "v": __version__,
        }
    )
    return folder.part("gamma")


def _warn_if_uncertain(result: GammaAgreement) -> None:
    # Unproven draws matter little: their gaps move γ by (1 − γ) times their mean relative gap.
    certified = result.certified
    if certified is None or (result.gap == 0.0 and result.value - certified.low <= _UNCERTAIN):
        return
    msg = uncertainty(result) or (
        f"γ is certain only {certain_range(certified)}: "
        "some alignments reached a limit and are not proven to be the best"
    )
    warnings.warn(msg, stacklevel=3)
