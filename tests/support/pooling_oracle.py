"""Pooling of documents as it is defined: one document after the other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from unisono.measures.gamma.evidence import LabelTotals, Totals
from unisono.measures.gamma.interval import DocumentSums

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unisono.model.arrays import Floats
    from unisono.model.labels import Label


def pooled(
    parts: Iterable[Totals],
    labels: tuple[Label | None, ...],
    mean_units: Sequence[float] | None = None,
) -> Totals:
    """Pool documents: disorders weighted by their mean numbers of units, label sums added up.

    γ of a corpus is 1 − Σ x̄·δ / Σ x̄·δe over documents; γcat and γk are ratios of summed numerators
    and summed weights, observed and for each draw.
    """
    if mean_units is None:
        parts = list(parts)
        mean_units = [part.mean_units for part in parts]
    place = {label: 1 + at for at, label in enumerate(labels)}
    total = math.fsum(mean_units)
    observed: list[float] = []
    observed_bounds: list[float] = []
    sums: LabelTotals | None = None
    draws = draw_bounds = np.zeros(0)
    proven, unproven_draws, redrawn = True, 0, 0
    for part, units in zip(parts, mean_units, strict=True):
        weight = units / total
        observed.append(weight * part.observed)
        observed_bounds.append(weight * part.observed_bound)
        if sums is None:
            sums = LabelTotals.zeros(len(part.draws), 1 + len(labels))
            draws, draw_bounds = np.zeros(len(part.draws)), np.zeros(len(part.draws))
        draws += weight * part.draws
        draw_bounds += weight * part.draw_bounds
        columns = [0, *(place[label] for label in part.labels)]
        for summed, addend in zip(sums, part.by_label, strict=True):
            summed[..., columns] += addend
        proven = proven and part.proven
        unproven_draws += part.unproven_draws
        redrawn += part.redrawn
    return Totals(
        labels=labels,
        mean_units=total,
        observed=math.fsum(observed),
        observed_bound=math.fsum(observed_bounds),
        draws=draws,
        draw_bounds=draw_bounds,
        proven=proven,
        unproven_draws=unproven_draws,
        by_label=LabelTotals.zeros(0, 1) if sums is None else sums,
        redrawn=redrawn,
    )


def document_sums(
    parts: Iterable[Totals],
    labels: tuple[Label | None, ...],
    *,
    draw_by_draw: int = 1000,
) -> DocumentSums:
    """Take from the evidence of each document what it adds to the corpus.

    Where documents × labels are too many to keep, γk are left out.
    """
    found: list[tuple[tuple[Label | None, ...], Floats]] = []
    few: list[Totals] = []
    for part in parts:
        found.append((part.labels, _sums_of(part)))
        if len(found) <= draw_by_draw:
            few.append(part)
        else:
            few.clear()
    kept = labels if len(found) * (2 + len(labels)) * 4 <= 2**25 else ()
    place = {label: 2 + at for at, label in enumerate(kept)}
    sums = np.zeros((len(found), 2 + len(kept), 4))
    for row, (own_labels, own) in zip(sums, found, strict=True):
        row[:2] = own[:2]
        if kept:
            row[[place[label] for label in own_labels]] = own[2:]
    order = np.lexsort(sums.reshape(len(found), -1).T[::-1])
    ordered = [few[at] for at in order.tolist()] if few else None
    return DocumentSums(kept, sums[order], ordered)


def _sums_of(part: Totals) -> Floats:
    labelled = part.by_label
    of_labels = (
        labelled.disorder,
        labelled.weight,
        np.ascontiguousarray(labelled.draws_disorder).mean(axis=0),
        np.ascontiguousarray(labelled.draws_weight).mean(axis=0),
    )
    weight = part.mean_units
    whole = (weight * part.observed, weight, weight * float(part.draws.mean()), weight)
    return np.vstack((np.array([whole]), np.column_stack(of_labels)))
