"""γ, γcat and γk of a continuum or a corpus: `gamma`, its settings and its run."""

from __future__ import annotations

import hashlib
import json
import math
import warnings
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, get_args

import numpy as np

from unisono.errors import SettingError
from unisono.measures.gamma.alignment import Search, alignment_of, annotators_told
from unisono.measures.gamma.chance import CorpusChance, DrawScores, chance_rules
from unisono.measures.gamma.dissimilarity import Combined, check_dissimilarity, label_counts
from unisono.measures.gamma.documents import (
    Costs,
    DocumentsTask,
    OnError,
    Scoring,
    SharedTask,
    pieces_of,
)
from unisono.measures.gamma.evidence import ChunkFindings, Findings
from unisono.measures.gamma.interval import (
    NEEDS_DOCUMENTS,
    RESAMPLES,
    document_sums,
    with_intervals,
)
from unisono.measures.gamma.result import (
    Facts,
    FamilyValues,
    family_result,
    family_values,
    label_draws,
    undefined_result,
)
from unisono.measures.intervals import FIRST_DRAWS, estimate, needed_draws
from unisono.measures.sampling import seed_of
from unisono.measures.settings import check_count, check_resamples, check_share
from unisono.model.columns import known_names
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.parallel.checkpoint import Checkpoint, Part, digest_of
from unisono.parallel.dispatch import (
    Report,
    check_executor,
    chunk_seconds,
    chunks_by_cost,
    hand_out,
    travels_to,
    workers_of,
)
from unisono.parallel.executors import available_cores
from unisono.results.agreement import certain_range, uncertainty
from unisono.results.record import Glance, OnDemand
from unisono.results.wording import count, some
from unisono.version import __version__

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from unisono.measures.gamma.chance import Chance, ChanceRules
    from unisono.measures.gamma.dissimilarity import Dissimilarity, Fitted
    from unisono.measures.gamma.documents import Piece
    from unisono.measures.gamma.result import GammaResult
    from unisono.parallel.checkpoint import Arrays
    from unisono.parallel.dispatch import Task

__all__ = ["gamma", "gamma_values"]

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
    def _n_documents(self) -> int:
        return len(self.documents)

    @cached_property
    def _costs(self) -> Costs:
        return Costs(own=self.fitted.cost is not None)

    def _chunk_seconds(self, total: float) -> float:
        return chunk_seconds(total, kept=self.kept is not None, travels=travels_to(self.executor))

    def _measure(self, findings: Findings, first: int, draws: int, report: Report) -> None:
        """Align documents, unless that is done, and make the next draws."""
        if self.rules.of_one_document:
            report.total += draws * self._n_documents
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
        total = self._costs.of_all(self._n_documents, n_units, n_annotators, draws + aligns)
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


_MOST_WORKERS = 256
_UNCERTAIN = 0.002  # by how much gaps may move γ before we warn


def gamma(
    data: Continuum | Corpus,
    *,
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    chance_from: Iterable[str] | None = None,
    precision: float = 0.02,
    confidence: float = 0.95,
    draws: int | None = None,
    resamples: int | None = None,
    rng: int | np.random.Generator | None = 0,
    soft: bool = False,
    gap_tolerance: float = 0.0,
    time_limit: float | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    on_error: OnError = "raise",
    checkpoint: str | os.PathLike[str] | Part | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> GammaResult:
    """Say how much annotators agree on where units are and what they are called, beyond chance.

    1 is perfect agreement, 0 what chance would give, and less than 0 is worse than chance. From the
    same alignment come γcat, agreement on the labels alone, and γk, the same for each label.

    Parameters
    ----------
    data
        One `Continuum`, or a `Corpus` of them whose documents are pooled.
    dissimilarity
        What it costs to align two units; `Combined()` by default.
    chance
        Where random continua come from: ``"shift"`` moves the annotators' units against each
        other, ``"corpus"`` mixes annotators of different documents, ``"statistical"`` follows
        distributions fitted to them, ``"gamma-software"`` is the authors' program (with position
        weighing 3 unless a dissimilarity is given).
    chance_from
        The annotators whose units random continua are made of, everyone's by default. To measure a
        system against a reference, name the annotators of the reference: what the system marks
        then moves the observed disorder only.
    precision
        The wished relative error of the expected disorder, for γ and for γcat: 30 draws are made,
        and then as many as it needs.
    confidence
        How sure to be of that error, and the level of all intervals.
    draws
        A fixed number of draws instead.
    resamples
        How often documents are drawn again for `interval`, which says how far γ, γcat and γk could
        lie from their values because the documents are a sample; 1000 for a corpus by default,
        0 for none.
    rng
        A seed, or a generator from which one is drawn; `None` takes one from the system. It is
        shown in the signature. The draws of a document depend on the seed, on its name in the
        corpus, on how many units each annotator has and on the order of its labels. Continua
        without a name that agree in these share their draws, so pass a generator in simulations.
    soft
        Whether a unit may be in more than one group, in the data and in the draws (soft-γ): a unit
        that another annotator split in two then costs less.
    gap_tolerance
        Stop looking for a better alignment once this part of its disorder is all that could be
        won, such as 0.001. What that does to γ is told by `certified`.
    time_limit
        Seconds for each alignment, of the data and of every draw. It makes values depend on the
        machine, so the signature tells it; without it only work is limited.
    workers
        Threads to use, all cores by default. They never move a value.
    executor
        Where to send the work instead: `unisono.parallel.Processes`, a `ProcessPoolExecutor`,
        Dask's ``client.get_executor()`` or any other. It never moves a value.
    on_error
        What to do when a document of a corpus cannot be measured: ``"raise"``, or ``"report"`` it
        in `failed_documents` and measure the others.
    checkpoint
        A folder to keep what is done in: the same call goes on there after it was interrupted. It
        takes its seed from there too if `rng` is `None`.
    progress
        Called with the draws done and the draws known to be needed, over all documents.

    Returns
    -------
    GammaResult
        The value with the disorders, alignment and draws behind it. Where γ is undefined the value
        is NaN and `undefined` says why.

    Raises
    ------
    SettingError
        If a setting cannot be used.
    DataError
        If a label has no distance, or there are too few documents for the chance model.
    WorkError
        If workers die and cannot be replaced, or the checkpoint cannot be written.

    Notes
    -----
    γ = 1 − δ/δe: δ is the disorder of the best alignment, found exactly, and δe the mean disorder
    of the best alignments of random continua [1]_ (§4.5, §5). For a corpus,
    γ = 1 − Σ x̄·δ / Σ x̄·δe over its documents, x̄ the mean number of units of an annotator. γcat and
    γk weigh each pair of units of a group by how well their positions agree [2]_ (Algorithm 1).
    For `interval`, documents are drawn with replacement, the observed and the expected disorders of
    each together.

    `annotators` of a continuum are all who saw it: one who marked nothing counts. This moves the
    value more than any setting, so results say how it was known.

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
    >>> result.observed, result.cat.observed
    (0.3357..., 0.3324...)
    """
    if not isinstance(data, Continuum | Corpus):
        msg = f"gamma takes a Continuum or a Corpus, got {type(data).__name__}"
        raise TypeError(msg)
    _check_numbers(precision, confidence, draws, workers, resamples)
    with _opened(checkpoint) as folder:
        run = _run(
            data,
            dissimilarity=dissimilarity,
            chance=chance,
            chance_from=chance_from,
            confidence=confidence,
            seed=_seed(rng, folder),
            search=Search(soft=soft, gap_tolerance=gap_tolerance, time_limit=time_limit),
            workers=workers,
            executor=executor,
            on_error=on_error,
        )
        wished = ("precision", f"{precision:.12g}") if draws is None else ("draws", str(draws))
        if folder is not None:
            run = replace(run, kept=_kept(folder, run, chance, wished))
        findings = run.findings(draws, precision, progress)
    # Results of documents are made later, and must not hold on to workers and files.
    idle = replace(run, executor=None, kept=None)
    work = GammaWork(run=idle, chance=chance, findings=findings, resamples=resamples)
    result = work.document_result("") if isinstance(data, Continuum) else work.corpus_result()
    if resamples and isinstance(data, Continuum):
        result = replace(result, notes=(*result.notes, NEEDS_DOCUMENTS))
    _warn_if_uncertain(result)
    return result


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
    """Give the values of γ and γcat that `gamma` gives, where only these are asked for.

    A corpus of many documents then takes half the time: nothing is told of single documents and
    labels, and there are no warnings.
    """
    _check_numbers(0.02, confidence, draws, None, None)
    run = _run(
        data,
        dissimilarity=dissimilarity,
        chance=chance,
        confidence=confidence,
        seed=seed_of(rng),
        search=Search(soft=soft, gap_tolerance=gap_tolerance),
        workers=1,
    )
    findings = run.findings(draws, 0.02, None)
    return GammaWork(run=run, chance=chance, findings=findings).values()


def _check_numbers(
    precision: float,
    confidence: float,
    draws: int | None,
    workers: int | None,
    resamples: int | None,
) -> None:
    check_share("precision", precision, "0.02 for 2 %")
    check_share("confidence", confidence, "0.95 for 95 %")
    if draws is not None:
        check_count("draws", draws)
    if workers is not None:
        check_count("workers", workers)
    if resamples is not None:
        check_resamples(resamples)


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
) -> GammaRun:
    """Check the other settings of one call, and say what there is to do."""
    if dissimilarity is not None:
        check_dissimilarity(dissimilarity)
    rules = chance_rules(chance)
    if on_error not in get_args(OnError):
        choices = ", ".join(map(repr, get_args(OnError)))
        msg = f"unknown on_error {on_error!r}; choose one of {choices}"
        raise SettingError(msg)
    if executor is not None:
        check_executor(executor)
        workers = workers or workers_of(executor)
    chosen = Combined(position=rules.position) if dissimilarity is None else dissimilarity
    source = None
    if chance_from is not None:
        source = tuple(sorted(known_names(chance_from, data.annotators, "annotator")))
        if not source:
            msg = "chance_from names no annotator; leave it out to draw from everyone"
            raise SettingError(msg)
    most = _MOST_WORKERS if executor is None else workers
    return GammaRun(
        data=data,
        fitted=chosen.fitted(data.labels, label_counts(data)),
        rules=rules,
        seed=seed,
        confidence=confidence,
        search=search,
        workers=min(workers or available_cores(), most or 1),
        chance_from=source,
        executor=executor,
        on_error=on_error,
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


def _kept(
    folder: Checkpoint | Part, run: GammaRun, chance: Chance, wished: tuple[str, str]
) -> Part:
    """Say where the work of this call is kept, if what is there is of the same call."""
    if isinstance(folder, Part):
        return folder
    if run.fitted.cost is not None:
        msg = (
            "a checkpoint cannot tell whether a dissimilarity of your own is still the same; "
            "do without one of them"
        )
        raise SettingError(msg)
    told = dict(run.search.told)
    folder.open_for(
        {
            "computation": "gamma",
            "dissim": run.fitted.text,
            "distances": digest_of(run.fitted.distances),
            "alignment": ",".join(f"{name}:{value}" for name, value in told.items()),
            "chance": chance,
            "from": "everyone" if run.chance_from is None else ",".join(run.chance_from),
            wished[0]: wished[1],
            "confidence": f"{run.confidence:.12g}",
            "seed": str(run.seed),
            "data": run.data.digest,
            "v": __version__,
        }
    )
    return folder.part("gamma")


def _warn_if_uncertain(result: GammaResult) -> None:
    # Unproven draws matter little: their gaps move γ by (1 − γ) times their mean relative gap.
    certified = result.certified
    if certified is None or (result.gap == 0.0 and result.value - certified.low <= _UNCERTAIN):
        return
    msg = uncertainty(result) or (
        f"γ is certain only {certain_range(certified)}: "
        "some alignments reached a limit and are not proven to be the best"
    )
    warnings.warn(msg, stacklevel=3)
