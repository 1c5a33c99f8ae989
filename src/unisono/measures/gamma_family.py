"""γ, γcat and γk of a continuum or a corpus, all from the same alignments and the same draws."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.measures.aligning import aligned, alignment_of, annotators_told, columns_of
from unisono.measures.chance import (
    CorpusChance,
    DrawScores,
    ShiftChance,
    chance_rules,
)
from unisono.measures.dice import seed_of
from unisono.measures.dissimilarity import Combined, check_dissimilarity
from unisono.measures.estimating import FIRST_DRAWS, needed_draws
from unisono.measures.fitted import label_counts
from unisono.measures.pooling import (
    Evidence,
    Facts,
    LabelEvidence,
    family_result,
    label_draws,
    pooled,
    undefined_result,
)
from unisono.measures.settings import check_count, check_share
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.running import Report, available_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unisono.measures.aligning import Aligned
    from unisono.measures.chance import Chance, ChanceRules, DrawSource
    from unisono.measures.dissimilarity import Dissimilarity
    from unisono.measures.fitted import Fitted
    from unisono.result import GammaResult

__all__ = ["gamma"]

_SECONDS_BETWEEN_REPORTS = 0.25
_MOST_WORKERS = 256
_UNCERTAIN = 0.002  # by how much gaps may move γ before we warn
_SPACING_NOTE = "the extent is too short for shifts a mean unit length apart"


def gamma(
    data: Continuum | Corpus,
    *,
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    precision: float = 0.02,
    confidence: float = 0.95,
    draws: int | None = None,
    rng: int | np.random.Generator | None = None,
    workers: int | None = None,
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
        other, ``"corpus"`` mixes annotators of different documents, ``"gamma-software"`` is the
        authors' program (with position weighing 3 unless a dissimilarity is given).
    precision
        The wished relative error of the expected disorder, for γ and for γcat: 30 draws are made,
        and then as many as it needs.
    confidence
        How sure to be of that error, and the level of the Monte Carlo intervals.
    draws
        A fixed number of draws instead.
    rng
        A seed, or a generator from which one is drawn; `None` takes one from the system. It stands
        in the signature.
    workers
        Threads to use, all cores by default. They never move a value.
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

    Notes
    -----
    γ = 1 − δ/δe: δ is the disorder of the best alignment, found exactly, and δe the mean disorder
    of the best alignments of random continua [1]_ (§4.5, §5). For a corpus,
    γ = 1 − Σ x̄·δ / Σ x̄·δe over its documents, x̄ the mean number of units of an annotator. γcat and
    γk weigh each pair of units of a group by how well their positions agree [2]_ (Algorithm 1).

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
    if dissimilarity is not None:
        check_dissimilarity(dissimilarity)
    rules = chance_rules(chance)
    check_share("precision", precision, "0.02 for 2 %")
    check_share("confidence", confidence, "0.95 for 95 %")
    if draws is not None:
        check_count("draws", draws)
    if workers is not None:
        check_count("workers", workers)
    chosen = Combined(position=rules.position) if dissimilarity is None else dissimilarity
    work = _Work(
        data=data,
        fitted=chosen.fitted(data.labels, label_counts(data)),
        chance=chance,
        rules=rules,
        seed=seed_of(rng),
        confidence=confidence,
        workers=min(workers or available_cores(), _MOST_WORKERS),
    )
    documents: Mapping[str, Continuum] = {"": data} if isinstance(data, Continuum) else data
    measured = {
        name: work.observe(continuum)
        for name, continuum in documents.items()
        if len(continuum.annotators) >= 2 and len(continuum)
    }
    sampled = work.sample(measured, draws, precision, progress) if measured else {}
    results = {
        name: work.document_result(continuum, measured.get(name), sampled.get(name))
        for name, continuum in documents.items()
    }
    result = results[""] if isinstance(data, Continuum) else work.corpus_result(results, sampled)
    _warn_if_uncertain(result)
    return result


class _Document(NamedTuple):
    """A document with two annotators or more and units, aligned, and where its draws come from."""

    continuum: Continuum
    fitted: Fitted
    found: Aligned
    mean_units: float
    source: DrawSource


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """One call of `gamma`: the data, and the settings as they are used."""

    data: Continuum | Corpus
    fitted: Fitted
    chance: Chance
    rules: ChanceRules
    seed: int
    confidence: float
    workers: int
    shared: dict[int, CorpusChance] = field(default_factory=dict)
    """Under corpus chance documents with as many annotators share their draws."""

    def observe(self, continuum: Continuum) -> _Document:
        """Align a document as it was annotated."""
        n = len(continuum.annotators)
        fitted = self.fitted.for_labels(continuum.labels)
        source: DrawSource
        if self.rules.by_shifting:
            source = ShiftChance(continuum, fitted, self.rules, self.seed)
        else:
            if n not in self.shared:
                self.shared[n] = CorpusChance(self._corpus(), n, self.fitted, self.rules, self.seed)
            source = self.shared[n]
        factor = self.rules.confidence_factor(fitted)
        found = aligned(columns_of(continuum), fitted, confidence_factor=factor)
        mean_units = self.rules.mean_units(len(continuum), n)
        return _Document(continuum, fitted, found, mean_units, source)

    def sample(
        self,
        documents: Mapping[str, _Document],
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
        self, continuum: Continuum, document: _Document | None, evidence: Evidence | None
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
            if len(continuum.annotators) < 2:
                reason = (
                    f"agreement needs two annotators or more; here {annotators_told(continuum)}"
                )
            else:
                reason = "there are no units"
            return undefined_result(reason, facts)
        source = document.source
        notes: tuple[str, ...] = ()
        if isinstance(source, ShiftChance):
            facts = facts._replace(spacing=source.spacing)
            if source.spacing_was_lowered:
                notes = ((f"{_SPACING_NOTE}; they are {source.spacing:.6g} apart at least"),)
        alignment = alignment_of(continuum, document.found, document.fitted, document.mean_units)
        facts = facts._replace(alignment=alignment, notes=notes)
        return family_result(evidence, facts, confidence=self.confidence)

    def corpus_result(
        self, results: dict[str, GammaResult], evidence: Mapping[str, Evidence]
    ) -> GammaResult:
        """Pool the documents; those with fewer than two annotators are left out, and named."""
        corpus = self._corpus()
        alone = [name for name, result in results.items() if result.n_annotators < 2]
        only = next(iter(results.values())) if len(results) == 1 else None
        notes = _notes_on_spacing(results)
        if alone and not only:
            some = ", ".join(alone[:3]) + (", …" if len(alone) > 3 else "")
            notes += (
                (
                    f"{len(alone)} of {len(results)} documents left out, "
                    f"because fewer than two annotators saw them: {some}"
                ),
            )
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
            return undefined_result(reason, facts, documents=results, left_out_documents=alone)
        return family_result(
            pooled(list(evidence.values()), self.fitted.labels),
            facts,
            confidence=self.confidence,
            documents=results,
            left_out_documents=alone,
        )

    def _corpus(self) -> Corpus:
        if isinstance(self.data, Corpus):
            return self.data
        return Corpus.from_continua({"continuum": self.data})

    def _settings(self) -> tuple[tuple[str, str], ...]:
        return ("dissim", self.fitted.text), ("chance", self.chance)

    def _scores(self, source: DrawSource, first: int, count: int, report: Report) -> DrawScores:
        # In steps that grow with the speed, so that progress can be told; values do not depend on
        # the steps. Without anyone to tell, in one.
        parts = []
        done = 0
        step = count if report.progress is None else self.workers
        while done < count:
            step = min(step, count - done)
            began = time.perf_counter()
            parts.append(source.score(first + done, step, workers=self.workers))
            done += step
            report.add(step)
            if time.perf_counter() - began < _SECONDS_BETWEEN_REPORTS:
                step *= 2
        return parts[0] if len(parts) == 1 else DrawScores.joined(parts)

    def _evidence(
        self, documents: Mapping[str, _Document], scores: Mapping[int, DrawScores]
    ) -> dict[str, Evidence]:
        return {
            name: _document_evidence(document, scores[id(document.source)])
            for name, document in documents.items()
        }


def _warn_if_uncertain(result: GammaResult) -> None:
    # Unproven draws matter little: their gaps move γ by (1 − γ) times their mean relative gap.
    certified = result.certified
    if certified is None or (result.gap == 0.0 and result.value - certified.low <= _UNCERTAIN):
        return
    msg = (
        f"γ is certain only between {certified.low:.4f} and {certified.high:.4f}: "
        "some alignments reached a limit of work and are not proven to be the best"
    )
    warnings.warn(msg, stacklevel=3)


def _notes_on_spacing(results: Mapping[str, GammaResult]) -> tuple[str, ...]:
    notes = [n for result in results.values() for n in result.notes if n.startswith(_SPACING_NOTE)]
    if len(results) == 1 or not notes:
        return tuple(notes)
    return (f"in {len(notes)} of {len(results)} documents {_SPACING_NOTE}",)


def _document_evidence(document: _Document, scores: DrawScores) -> Evidence:
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
