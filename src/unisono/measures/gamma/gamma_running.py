"""Doing the work of γ: documents and draws are handed out in chunks, and findings come back."""

from __future__ import annotations

import hashlib
import json
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from unisono.measures.estimating import FIRST_DRAWS, needed_draws
from unisono.measures.gamma.aligning import annotators_told
from unisono.measures.gamma.chance import CorpusChance
from unisono.measures.gamma.draw_scores import DrawScores
from unisono.measures.gamma.evidence import ChunkFindings
from unisono.measures.gamma.gamma_evidence import Findings
from unisono.measures.gamma.gamma_packing import OnError, Scoring
from unisono.measures.gamma.gamma_planning import Costs, pieces_of
from unisono.measures.gamma.gamma_tasks import DocumentsTask, SharedTask
from unisono.measures.gamma.result import label_draws
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.parallel.chunks import chunk_seconds, chunks_by_cost
from unisono.parallel.dispatch import hand_out, travels_to
from unisono.parallel.progress import Report

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from unisono.measures.gamma.chance import ChanceRules
    from unisono.measures.gamma.fitted import Fitted
    from unisono.measures.gamma.gamma_packing import Piece
    from unisono.measures.gamma.searching import Search
    from unisono.parallel.checkpoint import Part
    from unisono.parallel.chunk_files import Arrays
    from unisono.parallel.dispatch import Task

__all__ = ["NO_SOURCE", "NO_UNITS", "GammaRun"]

NO_UNITS = "there are no units"
NO_SOURCE = "the annotators from whom chance is drawn marked nothing"
_Result = TypeVar("_Result")


@dataclass(frozen=True, kw_only=True)
class GammaRun:
    """What is to be aligned and drawn from, and who does it."""

    data: Continuum | Corpus
    fitted: Fitted
    rules: ChanceRules
    seed: int
    confidence: float
    search: Search
    workers: int
    chance_from: tuple[str, ...] | None = None
    """Whose units are drawn; `None` for everyone's."""
    executor: Executor | None = None
    on_error: OnError = "raise"
    kept: Part | None = None
    """Where finished chunks are kept."""

    @property
    def documents(self) -> Mapping[str, Continuum]:
        """The documents by name; one continuum has none."""
        return {"": self.data} if isinstance(self.data, Continuum) else self.data

    @cached_property
    def corpus(self) -> Corpus:
        """The documents, also of a single continuum."""
        if isinstance(self.data, Continuum):
            return Corpus.from_continua({"continuum": self.data})
        return self.data

    def findings(
        self, draws: int | None, precision: float, progress: Callable[[int, int], None] | None
    ) -> Findings:
        """Align, and draw until the expected disorder, pooled over documents, is precise enough."""
        findings = Findings(fitted=self.fitted, rules=self.rules)
        report = Report(progress, 0)
        first = FIRST_DRAWS if draws is None else draws
        self._measure(findings, 0, first, report)
        if draws is not None or not findings.measured:
            return findings
        whole = findings.whole()
        labels, _ = label_draws(whole.by_label)
        needed = max(
            needed_draws(each, precision=precision, confidence=self.confidence)
            for each in (whole.draws, labels)
            if len(each) > 1
        )
        if needed > first:
            self._measure(findings, first, needed - first, report)
        return findings

    def obstacle(self, continuum: Continuum) -> str | None:
        """Say why a document has nothing to measure, or chance nothing to draw from."""
        if len(continuum.annotators) < 2:
            return f"agreement needs two annotators or more; here {annotators_told(continuum)}"
        if not len(continuum):
            return NO_UNITS
        if self.chance_from is None:
            return None
        if not self.rules.of_one_document:
            return None if self._drawn_corpus.n_units else NO_SOURCE
        counts = zip(continuum.annotators, continuum.counts.tolist(), strict=True)
        has_source = any(count for name, count in counts if name in self.chance_from)
        return None if has_source else NO_SOURCE

    @cached_property
    def _drawn_corpus(self) -> Corpus:
        if self.chance_from is None:
            return self.corpus
        return self.corpus.only(annotators=self.chance_from)

    @cached_property
    def _scoring(self) -> Scoring:
        return Scoring(self.fitted, self.rules, self.seed, self.search, self.on_error)

    @cached_property
    def _costs(self) -> Costs:
        return Costs(own=self.fitted.cost is not None)

    def _chunk_seconds(self, total: float) -> float:
        return chunk_seconds(total, kept=self.kept is not None, travels=travels_to(self.executor))

    def _measure(self, findings: Findings, first: int, draws: int, report: Report) -> None:
        """Align documents, unless that is done, and make the next draws."""
        if self.rules.of_one_document:
            report.total += draws * len(self.documents)
            self._documents(findings, first, draws, report)
            return
        if not first:
            self._documents(findings, 0, 0, report)
        sizes = {findings.annotators_of(name) for name in findings.measured}
        report.total += draws * len(sizes)
        for places in sorted(sizes):
            scores = self._shared(places, first, draws, report)
            before = findings.shared.get(places)
            findings.shared[places] = (
                scores if before is None else DrawScores.joined((before, scores))
            )

    def _documents(self, findings: Findings, first: int, draws: int, report: Report) -> None:
        part = None if self.kept is None else self.kept.inside(f"documents {first}")
        place = {label: code for code, label in enumerate(self.fitted.labels)}
        cut: list[tuple[tuple[str, ...], NDArray[np.int64]]] = []
        found: dict[int, ChunkFindings] = {}

        def tasks() -> Iterator[tuple[int, DocumentsTask]]:
            for number, pieces in enumerate(self._chunks(findings, first, draws, report)):
                names = tuple(piece.name for piece in pieces)
                cut.append((names, np.array([piece.first for piece in pieces], np.int64)))
                if part is not None:
                    plans[number] = _plan_of(pieces)
                stored = _stored(part, number, plans)
                kept = None if stored is None else ChunkFindings.from_arrays(stored)
                # A failure that was reported is raised now, if that is asked for.
                if kept is not None and (self.on_error == "report" or not kept.has_failures()):
                    found[number] = kept
                    report.add(sum(piece.draws for piece in pieces))
                    continue
                yield number, DocumentsTask.packed(self._scoring, pieces, place, self.chance_from)

        def arrays_of(number: int, result: ChunkFindings) -> Arrays:
            return result.arrays() | plans[number]

        plans: dict[int, Arrays] = {}
        with self._handed_out(tasks(), part, arrays_of) as handed:
            for number, result in handed:
                found[number] = result
                report.add(int(result.draws_of.sum()))
        for number, (names, begin) in enumerate(cut):
            findings.add(names, begin, found.pop(number))

    def _chunks(
        self, findings: Findings, first: int, draws: int, report: Report
    ) -> Iterator[list[Piece]]:
        """Cut the work on all documents; which draws, and the data, alone say where."""
        aligns = first == 0
        n_annotators = len(self.data.annotators)
        n_units = len(self.data) if isinstance(self.data, Continuum) else self.data.n_units
        total = self._costs.of_all(len(self.documents), n_units, n_annotators, draws + aligns)
        most = self._chunk_seconds(total)

        def documents() -> Iterator[tuple[str, Continuum]]:
            for name in self.documents:
                if name in findings.failures or name in findings.obstacles:
                    report.total -= draws
                    continue
                continuum = self.documents[name]
                obstacle = self.obstacle(continuum) if aligns else None
                if obstacle is None:
                    yield name, continuum
                    continue
                report.total -= draws
                findings.obstacles[name] = obstacle
                if len(continuum.annotators) < 2:
                    findings.alone.add(name)

        pieces = pieces_of(
            documents(), aligns=aligns, first=first, draws=draws, costs=self._costs, most=most
        )
        return chunks_by_cost(pieces, self._costs.of_piece, most, total)

    def _shared(self, places: int, first: int, draws: int, report: Report) -> DrawScores:
        """Make draws for all documents with so many annotators."""
        part = None if self.kept is None else self.kept.inside(f"draws {places} {first}")
        source = CorpusChance(self._drawn_corpus, places, self.fitted, self.rules, self.seed)
        units = places * source.mean_voice
        total = self._costs.of_all(1, round(units), places, draws)
        most = self._chunk_seconds(total)
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
                yield done, SharedTask(self._scoring, *source.picked(first + done, count))

        def arrays_of(done: int, scores: DrawScores) -> Arrays:
            return scores.arrays() | plan_of(done)

        with self._handed_out(tasks(), part, arrays_of) as handed:
            for done, scores in handed:
                found[done] = scores
                report.add(len(scores.disorders))
        return DrawScores.joined([found[done] for done in sorted(found)])

    def _handed_out(
        self,
        tasks: Iterator[tuple[int, Task[_Result]]],
        part: Part | None,
        arrays_of: Callable[[int, _Result], Arrays],
    ) -> closing[Generator[tuple[int, _Result], None, None]]:
        def keep(number: int, result: _Result) -> None:
            if part is not None:
                part.store({number: arrays_of(number, result)})

        return closing(
            hand_out(
                tasks,
                executor=self.executor,
                workers=self.workers,
                keep=None if part is None else keep,
            )
        )


def _plan_of(pieces: list[Piece]) -> Arrays:
    """Say in a few bytes what a chunk was to do."""
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
    """Give a chunk that was kept, unless it was cut otherwise or is not whole."""
    if part is None or number not in part.numbers:
        return None
    stored = part.taken(number)
    if stored is None:
        return None
    same = np.array_equal(stored.pop("plan", np.empty(0)), plans[number]["plan"])
    return stored if same else None
