"""Pooling of documents as it is defined: one document after the other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from unisono.measures.gamma.evidence import LabelTotals, Totals

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
