"""`compare`: one hypothesis against a reference, by all that such a comparison is asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from unisono.errors import setting
from unisono.measures.gamma.gamma import gamma
from unisono.measures.reference.candidates import candidate_pairs
from unisono.measures.reference.comparison_result import Comparison
from unisono.measures.reference.joining import joined
from unisono.measures.reference.label_mapping import check_mapping, mapped, mapping_told
from unisono.measures.reference.matching import documents_that_meet, refuse_nobody, sides_of
from unisono.measures.reference.scoring import scores_of, tallies_of
from unisono.measures.reference.slot_counting import counted_slots, slot_rate
from unisono.measures.settings import check_number
from unisono.model.labels import label_text
from unisono.results.signature import Signature
from unisono.results.wording import count, some
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from concurrent.futures import Executor

    import numpy as np

    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.measures.gamma.gamma_result import GammaResult
    from unisono.measures.reference.label_mapping import LabelMapping, MappedDocuments, Pairs
    from unisono.measures.reference.matching import Documents
    from unisono.measures.reference.scoring import Tallies
    from unisono.measures.reference.slot_errors import SlotErrorRate
    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus

__all__ = ["compare"]


def compare(
    reference: Continuum | Corpus | str | Iterable[str],
    hypothesis: Continuum | Corpus | str,
    *,
    within: Continuum | Corpus | None = None,
    tolerance: float = 0.0,
    mapping: LabelMapping = None,
    with_gamma: bool = True,
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    chance_precision: float = 0.02,
    draws: int | None = None,
    rng: int | np.random.Generator | None = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Say how well a hypothesis, such as the output of a system, finds what the reference has.

    Precision, recall and F1 under three rules of what counts as found, the slot error rate, and γ
    with chance from the reference alone.

    Parameters
    ----------
    reference
        A continuum or a corpus of one or more annotators, or with `within` their names. With
        several, the hypothesis is scored against each of them and the counts are summed.
    hypothesis
        The same kind of data, of one annotator. Documents of corpora are paired by name; a document
        that only the reference has counts as one where the hypothesis marked nothing, and one that
        only the hypothesis has is left out.
    within
        The data where these annotators are.
    tolerance
        A collar: by how much either bound may differ for a unit to be `tolerant`-ly found, and for
        its boundary to be no slot error.
    mapping
        For labels that are only names, such as those of speakers: ``"best"`` takes labels of the
        hypothesis for labels of the reference, one to one, so that units of paired labels overlap
        the longest; ``"by-document"`` does so in each document anew; a table says it, label of the
        hypothesis to label of the reference. Without it, labels mean the same on both sides.
    with_gamma
        Whether to compute γ, which takes the longest.
    dissimilarity, chance, draws, rng, workers, executor, progress
        Settings of γ, as in `gamma`.
    chance_precision
        The wished relative error of the expected disorder of γ: what `gamma` calls precision.

    Returns
    -------
    Comparison
        All scores with their counts, overall, by label and by document. What has no value is NaN,
        and says why.

    Raises
    ------
    DataError
        The hypothesis has several annotators, the sides have no document in common, or a table of
        labels names one that is not there.
    SettingError
        A setting cannot be used.

    Notes
    -----
    Under each rule units are paired one to one so that as many as possible are found; the pairing
    is exact, so it cannot depend on an order. Precision is found / units of the hypothesis, recall
    found / units of the reference, F1 = 2·found / all units [1]_.

    γ takes the annotators of the reference and the hypothesis together, with random continua made
    of the units of the reference only: a hypothesis that marks everywhere, or in a strange way,
    does not change what it is measured against.

    References
    ----------
    .. [1] van Rijsbergen, C. J. (1979). Information Retrieval (2nd ed.). Butterworths, chapter 7.

    Examples
    --------
    >>> import unisono as un
    >>> gold = un.Continuum.from_units(
    ...     [("gold", 0, 5, "ann"), ("gold", 5, 9, "bob"), ("gold", 9, 12, "ann")]
    ... )
    >>> system = un.Continuum.from_units(
    ...     [("system", 0, 5.1, "s1"), ("system", 5.1, 9, "s2"), ("system", 9, 14, "s1")]
    ... )
    >>> result = un.compare(gold, system, tolerance=0.2, mapping="best", rng=42)
    >>> dict(result.mapping)
    {'s1': 'ann', 's2': 'bob'}
    >>> for level, scores in result.levels.items():
    ...     print(f"{level:8} {scores.precision:.2f} {scores.recall:.2f} {scores.f1:.2f}")
    exact    0.00 0.00 0.00
    tolerant 0.67 0.67 0.67
    overlap  1.00 1.00 1.00
    >>> result.slots.value
    0.16666666666666666
    >>> result.gamma.signature["from"]
    'gold'
    """
    check_number("tolerance", tolerance, may_be_zero=True)
    check_mapping(mapping)
    met = refuse_nobody(documents_that_meet(reference, hypothesis, within))
    understood = mapped(met, mapping)
    documents = understood.documents
    sides = sides_of(documents)
    candidates = candidate_pairs(sides.reference, sides.hypothesis, tolerance)
    family = None
    if with_gamma:
        together = joined(documents)
        family = gamma(
            together.data,
            dissimilarity=dissimilarity,
            chance=chance,
            chance_from=together.reference,
            precision=chance_precision,
            draws=draws,
            rng=rng,
            workers=workers,
            executor=executor,
            progress=progress,
        )
    parts = _Parts(
        documents,
        understood.used,
        tallies_of(sides, candidates, tuple(documents.references), tolerance),
        slot_rate(documents, sides, counted_slots(sides, candidates), tolerance),
        family,
        float(tolerance),
        (("tolerance", f"{tolerance:.12g}"), ("mapping", mapping_told(mapping))),
    )
    return parts.whole(met.digests, _notes(met, understood, mapping))


class _Parts(NamedTuple):
    """All that was measured, to be put together for the whole and for each document."""

    documents: Documents
    used: dict[str, Pairs]
    tallies: Tallies
    slots: SlotErrorRate
    family: GammaResult | None
    tolerance: float
    settings: tuple[tuple[str, str], ...]

    def whole(self, digests: tuple[str, str], notes: tuple[str, ...]) -> Comparison:
        """Put everything together."""
        one_continuum = self.documents.one_continuum
        of_documents = {
            name: self._comparison(
                number,
                self.slots if one_continuum else self.slots.documents[name],
                self.family if one_continuum or not self.family else self.family.documents[name],
                self.used[name],
                [name],
            )
            for number, name in enumerate(self.documents.references)
        }
        if one_continuum:
            (whole,) = of_documents.values()
        else:
            whole = self._comparison(
                slice(None), self.slots, self.family, self._shared(), list(of_documents)
            )
            whole = replace(whole, documents=of_documents)
        return replace(whole, notes=notes, signature=self._signature(digests))

    def _comparison(
        self,
        document: int | slice,
        slots: SlotErrorRate,
        family: GammaResult | None,
        mapping: Pairs,
        names: list[str],
    ) -> Comparison:
        references = [self.documents.references[name] for name in names]
        hypotheses = [self.documents.hypotheses[name] for name in names]
        return Comparison(
            exact=scores_of(self.tallies, "exact", document),
            tolerant=scores_of(self.tallies, "tolerant", document),
            overlap=scores_of(self.tallies, "overlap", document),
            slots=slots,
            gamma=family,
            tolerance=self.tolerance,
            mapping=mapping,
            reference=tuple(sorted({who for side in references for who in side.annotators})),
            hypothesis=hypotheses[0].annotators[0],
            signature=self._signature((references[0].digest[:8], hypotheses[0].digest[:8])),
        )

    def _shared(self) -> Pairs:
        """Give the labels that all documents map alike; nothing where each has its own."""
        tables = list(self.used.values())
        return tables[0] if all(table == tables[0] for table in tables) else {}

    def _signature(self, digests: tuple[str, str]) -> Signature:
        reference, hypothesis = digests
        data = (("reference", reference), ("hypothesis", hypothesis), ("v", __version__))
        return Signature("compare", (*self.settings, *data))


def _notes(
    documents: Documents, understood: MappedDocuments, mapping: LabelMapping
) -> tuple[str, ...]:
    notes = list(documents.notes)
    if understood.unmapped:
        names = [label_text(label) or "(no label)" for label in understood.unmapped]
        where = " in some documents" if mapping == "by-document" else ""
        notes.append(
            f"{count(len(names), 'label')} of the hypothesis without a counterpart{where}: "
            f"{some(names)}"
        )
    sides = (documents.references.values(), documents.hypotheses.values())
    reference, hypothesis = (
        {label for continuum in side for label in continuum.labels} for side in sides
    )
    if mapping is None and reference and hypothesis and not reference & hypothesis:
        cure = setting("mapping", "best")
        notes.append(
            "no label of the hypothesis is one of the reference; if they are mere names, such as "
            f"those of speakers, say {cure}"
        )
    return tuple(notes)
