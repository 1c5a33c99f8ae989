"""What was observed and drawn, for one document or pooled over many, and the results it gives."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.measures.estimating import Estimate, estimate, share_at_or_below
from unisono.measures.gamma.gamma_result import GammaResult
from unisono.model.labels import label_text
from unisono.results.agreement import ChanceAgreement
from unisono.results.bounds import Bounds
from unisono.results.signature import Signature
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from unisono.measures.gamma.alignment import Alignment
    from unisono.model.arrays import Floats
    from unisono.model.labels import Label

__all__ = [
    "Evidence",
    "Facts",
    "FamilyValues",
    "LabelEvidence",
    "family_result",
    "family_values",
    "label_draws",
    "no_label_sums",
    "pooled",
    "undefined_result",
]


class LabelEvidence(NamedTuple):
    """Σ weight·d_cat and Σ weight of Mathet (2017), Algorithm 1.

    The observed sums come first; those of the draws have one row a draw. Column 0 is over all pairs
    (γcat), column 1 + k over the pairs with at least one unit of label k (γk).
    """

    disorder: Floats
    weight: Floats
    draws_disorder: Floats
    draws_weight: Floats


class Evidence(NamedTuple):
    """All that a result is computed from, in the user's units."""

    labels: tuple[Label | None, ...]
    mean_units: float
    observed: float
    observed_bound: float
    """No alignment has less disorder; equal to `observed` when that is proven."""
    draws: Floats
    draw_bounds: Floats
    """The same for each draw."""
    proven: bool
    unproven_draws: int
    by_label: LabelEvidence
    redrawn: int


class FamilyValues(NamedTuple):
    """The two numbers of a result, without all that stands beside them."""

    gamma: float
    """NaN where it is undefined."""
    cat: float
    proven: bool
    """Whether all alignments are, those of draws as well."""


class Facts(NamedTuple):
    """What stands beside the numbers of a result."""

    settings: tuple[tuple[str, str], ...]
    """Of the signature, without seed, data and version."""
    seed: int
    digest: str
    n_annotators: int
    n_units: int
    annotators_from: str
    skipped: int = 0
    spacing: float | None = None
    alignment: Alignment | None = None
    notes: tuple[str, ...] = ()
    failed_documents: Mapping[str, str] = MappingProxyType({})

    def signature(self, measure: str, draws: int, *own: tuple[str, str]) -> Signature:
        """Write down all that can move a value."""
        return Signature(
            measure,
            (
                *own,
                *self.settings,
                ("draws", str(draws)),
                ("seed", str(self.seed)),
                ("annotators", self.annotators_from),
                ("data", self.digest[:8]),
                ("v", __version__),
            ),
        )


def pooled(
    parts: Iterable[Evidence],
    labels: tuple[Label | None, ...],
    mean_units: Sequence[float] | None = None,
) -> Evidence:
    """Pool documents: disorders weighted by their mean numbers of units, label sums added up.

    γ of a corpus is 1 − Σ x̄·δ / Σ x̄·δe over documents; γcat and γk are ratios of summed numerators
    and summed weights, observed and for each draw.

    Parameters
    ----------
    parts
        The evidence of the documents, of which there is one at least; taken one by one.
    labels
        All labels of the data.
    mean_units
        That of each document, where it is known before; without it all evidence is held at once.
    """
    if mean_units is None:
        parts = list(parts)
        mean_units = [part.mean_units for part in parts]
    place = {label: 1 + at for at, label in enumerate(labels)}
    total = math.fsum(mean_units)
    observed: list[float] = []
    observed_bounds: list[float] = []
    sums: LabelEvidence | None = None
    draws = draw_bounds = np.zeros(0)
    proven, unproven_draws, redrawn = True, 0, 0
    for part, units in zip(parts, mean_units, strict=True):
        weight = units / total
        observed.append(weight * part.observed)
        observed_bounds.append(weight * part.observed_bound)
        if sums is None:
            sums = no_label_sums(len(part.draws), 1 + len(labels))
            draws, draw_bounds = np.zeros(len(part.draws)), np.zeros(len(part.draws))
        draws += weight * part.draws
        draw_bounds += weight * part.draw_bounds
        columns = [0, *(place[label] for label in part.labels)]
        for summed, addend in zip(sums, part.by_label, strict=True):
            summed[..., columns] += addend
        proven = proven and part.proven
        unproven_draws += part.unproven_draws
        redrawn += part.redrawn
    return Evidence(
        labels=labels,
        mean_units=total,
        observed=math.fsum(observed),
        observed_bound=math.fsum(observed_bounds),
        draws=draws,
        draw_bounds=draw_bounds,
        proven=proven,
        unproven_draws=unproven_draws,
        by_label=no_label_sums(0, 1) if sums is None else sums,
        redrawn=redrawn,
    )


def no_label_sums(draws: int, columns: int) -> LabelEvidence:
    """Give label sums to which nothing was added yet."""
    shapes = (columns, columns, (draws, columns), (draws, columns))
    return LabelEvidence(*(np.zeros(shape) for shape in shapes))


def family_result(
    evidence: Evidence,
    facts: Facts,
    *,
    confidence: float,
    documents: Mapping[str, GammaResult] | None = None,
    left_out_documents: Iterable[str] = (),
) -> GammaResult:
    """Compute γ, γcat and γk from the evidence."""
    whole = estimate(evidence.observed, evidence.draws, confidence=confidence)
    p_value = math.nan if whole.undefined else share_at_or_below(evidence.observed, evidence.draws)
    notes = facts.notes
    if evidence.unproven_draws:
        notes += (
            (
                f"{evidence.unproven_draws} alignments of draws reached a limit and are "
                "not proven to be the best"
            ),
        )
    labelled = [label for label in evidence.labels if label is not None]
    by_label = {
        label: _label_agreement(
            evidence, 1 + at, facts, confidence, "gamma-k", ("label", label_text(label))
        )
        for at, label in enumerate(evidence.labels)
        if labelled
    }
    return GammaResult(
        value=whole.value,
        observed=evidence.observed,
        expected=whole.expected,
        undefined=whole.undefined,
        monte_carlo=whole.monte_carlo,
        draws=len(evidence.draws),
        p_value=p_value,
        cat=_label_agreement(evidence, 0, facts, confidence, "gamma-cat"),
        by_label=by_label,
        alignment=facts.alignment,
        draw_disorders=evidence.draws,
        proven=evidence.proven and not evidence.unproven_draws,
        certified=None if whole.undefined else _certified(evidence, whole),
        redrawn=evidence.redrawn,
        spacing=facts.spacing,
        documents=documents or {},
        n_annotators=facts.n_annotators,
        n_units=facts.n_units,
        annotators_from=facts.annotators_from,
        skipped=facts.skipped,
        left_out_documents=tuple(left_out_documents),
        failed_documents=facts.failed_documents,
        notes=notes,
        signature=facts.signature("gamma", len(evidence.draws)),
    )


def family_values(evidence: Evidence, *, confidence: float) -> FamilyValues:
    """Compute γ and γcat from the evidence, and nothing else."""
    whole = estimate(evidence.observed, evidence.draws, confidence=confidence)
    draws, _ = label_draws(evidence.by_label)
    cat = _label_estimate(evidence, _observed_label(evidence, 0), draws, confidence)
    return FamilyValues(whole.value, cat.value, evidence.proven and not evidence.unproven_draws)


def undefined_result(
    reason: str,
    facts: Facts,
    *,
    documents: Mapping[str, GammaResult] | None = None,
    left_out_documents: Iterable[str] = (),
) -> GammaResult:
    """Give the result of data that have no γ at all: nothing was drawn."""
    nothing = ChanceAgreement(
        value=math.nan,
        observed=math.nan,
        expected=math.nan,
        undefined=reason,
        draws=0,
        signature=facts.signature("gamma-cat", 0),
    )
    return GammaResult(
        value=math.nan,
        observed=math.nan,
        expected=math.nan,
        undefined=reason,
        draws=0,
        p_value=math.nan,
        cat=nothing,
        by_label={},
        alignment=facts.alignment,
        draw_disorders=np.empty(0),
        proven=True,
        documents=documents or {},
        n_annotators=facts.n_annotators,
        n_units=facts.n_units,
        annotators_from=facts.annotators_from,
        skipped=facts.skipped,
        left_out_documents=tuple(left_out_documents),
        failed_documents=facts.failed_documents,
        notes=facts.notes,
        signature=facts.signature("gamma", 0),
    )


def label_draws(evidence: LabelEvidence, column: int = 0) -> tuple[Floats, NDArray[np.bool_]]:
    """Give the label disorder of the draws that have something to compare, and which these are."""
    weight = evidence.draws_weight[:, column]
    comparable = weight > 0.0
    return evidence.draws_disorder[comparable, column] / weight[comparable], comparable


def _certified(evidence: Evidence, whole: Estimate) -> Bounds:
    # The observed disorder may be smaller, which raises γ; those of draws too, which lowers it.
    if evidence.proven and not evidence.unproven_draws:
        return Bounds(whole.value, whole.value)
    least_expected = float(evidence.draw_bounds.mean())
    low = 1.0 - evidence.observed / least_expected if least_expected > 0.0 else -math.inf
    return Bounds(low, 1.0 - evidence.observed_bound / whole.expected)


def _label_agreement(
    evidence: Evidence,
    column: int,
    facts: Facts,
    confidence: float,
    measure: str,
    *own: tuple[str, str],
) -> ChanceAgreement:
    observed = _observed_label(evidence, column)
    draws, comparable = label_draws(evidence.by_label, column)
    corrected = _label_estimate(evidence, observed, draws, confidence)
    return ChanceAgreement(
        value=corrected.value,
        observed=observed,
        expected=corrected.expected,
        undefined=corrected.undefined,
        monte_carlo=corrected.monte_carlo,
        draws=len(evidence.draws),
        left_out=int((~comparable).sum()),
        weight=float(evidence.by_label.weight[column]),
        signature=facts.signature(measure, len(evidence.draws), *own),
    )


def _observed_label(evidence: Evidence, column: int) -> float:
    disorder, weight = (float(sums[column]) for sums in evidence.by_label[:2])
    return disorder / weight if weight > 0.0 else math.nan


def _label_estimate(
    evidence: Evidence, observed: float, draws: Floats, confidence: float
) -> Estimate:
    expected = float(draws.mean()) if len(draws) else math.nan
    if all(label is None for label in evidence.labels):
        return Estimate(math.nan, expected, None, "no unit has a label")
    if math.isnan(observed):
        reason = "no two aligned units lie close enough to compare their labels"
        return Estimate(math.nan, expected, None, reason)
    if not len(draws):
        reason = "no draw has two aligned units close enough to compare their labels"
        return Estimate(math.nan, expected, None, reason)
    return estimate(observed, draws, confidence=confidence)
