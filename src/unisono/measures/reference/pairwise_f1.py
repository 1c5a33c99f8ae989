"""The mean F1 of pairs of annotators, in total and by label."""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from unisono.measures.data import of_units
from unisono.measures.reference.compare import MatchScore
from unisono.measures.reference.matching import (
    DocumentPair,
    best_matching,
    candidate_pairs,
    common_documents,
    no_pair_reason,
    pair_units_of,
    single_annotators,
)
from unisono.model.corpus import Corpus, check_continuum_or_corpus, units_by_label
from unisono.model.labels import label_text
from unisono.registry import check_setting
from unisono.results.agreement import Agreement
from unisono.results.record import part, record
from unisono.results.values import Signature
from unisono.results.wording import count, some
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.measures.reference.matching import Documents
    from unisono.model.arrays import Integers
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label

__all__ = ["PairwiseF1Agreement", "pairwise_f1"]


@record
class PairwiseF1Agreement(Agreement):
    """The mean F1 of the pairs of annotators: 1 if all annotators marked the same units.

    It is not corrected for chance: ``expected`` is NaN and the value is 1 − observed.

    Parameters
    ----------
    by_pair
        The numbers of units of each pair of annotators, and of those that both have, with
        precision, recall and F1; the first annotator of a pair is the reference.
    by_label
        The mean F1 of the pairs for the units of each label. Pairs without units of the label are
        left out.
    units_by_label
        Number of units of each label.
    n_annotators
        Number of annotators.
    n_units
        Number of units.
    notes
        Remarks on the reliability of the value.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 5, "A"), ("ann", 7, 9, "B"), ("bob", 0, 5, "A"), ("bob", 7, 9, "C")]
    ... )
    >>> found = un.pairwise_f1(text)
    >>> found
    PairwiseF1Agreement(0.5000, 2 annotators, 4 units)
    >>> found.by_pair["ann", "bob"].matched, found.by_label["A"].value
    (1, 1.0)
    """

    by_pair: Mapping[tuple[str, str], MatchScore] = field(
        default_factory=dict, metadata=part(keys=("first", "second"))
    )
    by_label: Mapping[Label | None, Agreement] = field(default_factory=dict)
    units_by_label: Mapping[Label | None, int] = field(default_factory=dict)
    n_annotators: int
    n_units: int
    notes: tuple[str, ...] = ()

    summary = ("value", "n_annotators", "n_units")


@of_units
def pairwise_f1(data: Continuum | Corpus, *, tolerance: float = 0.0) -> PairwiseF1Agreement:
    """Compute the mean F1 of pairs of annotators: the share of units that both marked.

    A unit of one annotator is found if the other annotator has a unit with the same bounds and the
    same label. Unlike γk, the value of a label counts the units that one annotator missed.

    Parameters
    ----------
    data
        A continuum, or a corpus; each pair of annotators is pooled over the documents that both
        annotated.
    tolerance
        The maximum difference of equal bounds; rounding errors are always tolerated.

    Returns
    -------
    PairwiseF1Agreement
        The mean over pairs, with the counts of each pair and the mean for each label. Pairs
        without units are left out, with a note.

    Raises
    ------
    SettingError
        If the tolerance is negative.

    Notes
    -----
    F1 of two annotators is 2·m / (n₁ + n₂), where m is the number of pairs in the largest
    one-to-one matching of units with equal bounds and labels, and n₁, n₂ are the numbers of their
    units; it does not matter which annotator is the reference. For the number of true negatives
    going to infinity, κ of the decisions "is this span a unit?" tends to F1 [1]_, which is why it
    is used for spans without being corrected for chance.

    References
    ----------
    .. [1] Hripcsak, G., & Rothschild, A. S. (2005). Agreement, the F-measure, and reliability in
       information retrieval. Journal of the American Medical Informatics Association 12(3),
       296–298.

    Examples
    --------
    >>> import unisono as un
    >>> corpus = un.read("examples/corpus")
    >>> found = un.pairwise_f1(corpus)
    >>> f"{found:.3f}", {label: f"{of:.3f}" for label, of in found.by_label.items()}
    ('0.641', {'organisation': '0.571', 'person': '0.604', 'place': '0.728'})
    """
    check_continuum_or_corpus("pairwise_f1", data)
    check_setting("tolerance", tolerance)
    units = units_by_label(data)
    labels = tuple(units)
    counts = _counts(data, labels, tolerance)
    names = sorted(counts)
    table = np.array([counts[pair] for pair in names], np.int64)
    table = table.reshape(len(names), len(labels), 3)
    by_pair = {
        pair: MatchScore(*row) for pair, row in zip(names, table.sum(axis=1).tolist(), strict=True)
    }
    defined = [score.f1 for score in by_pair.values() if not math.isnan(score.f1)]
    settings = (
        ("tolerance", f"{tolerance:.12g}"),
        ("annotators", data.annotators_from),
        ("data", data.digest[:8]),
        ("v", __version__),
    )
    return PairwiseF1Agreement(
        value=_mean(defined),
        observed=1.0 - _mean(defined),
        expected=math.nan,
        undefined=None if defined else no_pair_reason(data, by_pair),
        by_pair=by_pair,
        by_label={
            label: _of_label(label, rows, settings)
            for label, rows in zip(labels, np.swapaxes(table, 0, 1), strict=True)
        },
        units_by_label=units,
        n_annotators=len(data.annotators),
        n_units=sum(units.values()),
        notes=_notes(by_pair) if defined else (),
        signature=Signature("pairwise_f1", settings),
    )


def _counts(
    data: Continuum | Corpus, labels: tuple[Label | None, ...], tolerance: float
) -> dict[tuple[str, str], Integers]:
    """Return for each pair of annotators, by label: matched units, and units of both sides."""
    single = single_annotators(data)
    place = {label: number for number, label in enumerate(labels)}
    found: dict[tuple[str, str], Integers] = {}
    # The pairs of one annotator at a time, which limits the memory of many annotators.
    for number, first in enumerate(data.annotators):
        pairs = {
            (first, second): common_documents(single[first], single[second], data)
            for second in data.annotators[number + 1 :]
        }
        common = {names: of for names, of in pairs.items() if of.references}
        found |= _counts_of(common, place, tolerance)
    return found


def _counts_of(
    pairs: Mapping[tuple[str, str], Documents],
    place: Mapping[Label | None, int],
    tolerance: float,
) -> dict[tuple[str, str], Integers]:
    sides = pair_units_of(
        DocumentPair(document, reference, of.hypotheses[document])
        for of in pairs.values()
        for document, reference in of.references.items()
    )
    candidates = candidate_pairs(sides.reference, sides.hypothesis, tolerance)
    equal = candidates.only(candidates.near & candidates.same_label)
    chosen = best_matching(
        sides.reference, sides.hypothesis, equal, np.ones(len(equal.left), np.int64)
    )
    matched = equal.left[chosen]
    codes = np.array([place[label] for label in sides.labels], np.int64)
    ends = np.cumsum([0, *(len(of.references) for of in pairs.values())])
    pair_of = np.repeat(np.arange(len(pairs)), np.diff(ends))
    reference, hypothesis = sides.reference, sides.hypothesis
    columns = []
    for document_pairs, own in (
        (reference.document_pairs[matched], reference.labels[matched]),
        (reference.document_pairs, reference.labels),
        (hypothesis.document_pairs, hypothesis.labels),
    ):
        keys = pair_of[document_pairs] * len(place) + codes[own]
        counts = np.bincount(keys, minlength=len(pairs) * len(place))
        columns.append(counts.reshape(len(pairs), len(place)))
    return dict(zip(pairs, np.stack(columns, axis=-1), strict=True))


def _of_label(
    label: Label | None, rows: Integers, settings: tuple[tuple[str, str], ...]
) -> Agreement:
    values = [f1 for row in rows.tolist() if not math.isnan(f1 := MatchScore(*row).f1)]
    return Agreement(
        value=_mean(values),
        observed=1.0 - _mean(values),
        expected=math.nan,
        undefined=None if values else "no pair of annotators has units of this label",
        signature=Signature("pairwise_f1_label", (("label", label_text(label)), *settings)),
    )


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def _notes(by_pair: Mapping[tuple[str, str], MatchScore]) -> tuple[str, ...]:
    left_out = [f"{one}–{other}" for (one, other), of in by_pair.items() if not any(of[1:])]
    if not left_out:
        return ()
    return (f"{count(len(left_out), 'pair')} without units left out: {some(left_out, 3)}",)
