"""The conditions under which the share of draws as orderly as the data is a p-value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unisono.measures.gamma.chance import ChanceRules
    from unisono.model.arrays import Booleans, Floats
    from unisono.model.continuum import Continuum

__all__ = ["failed_conditions", "why_no_test", "why_no_test_of_draws"]

_FEWEST_DRAWS = 199
_MOST_SPACING = 0.15  # the spacing of all annotators together, relative to the extent
_MOST_COVERAGE = 0.8  # the part of the extent that the units of an annotator cover
_LEAST_VARIATION = 0.4  # the coefficient of variation of the distances between starts
_FEWEST_UNITS = 5  # of an annotator whose distances are considered
_MOST_WEIGHT = 0.1  # of documents that fail a condition

_NO_MODEL = "this chance model gives no test"
_TOO_FEW = "a test needs 199 draws or more"
_REASONS = (
    "units are long for this document: random ones cannot coincide as they may by chance",
    "the units cover the document: its ends agree whatever the annotators do",
    "the units follow each other regularly",
)


def why_no_test_of_draws(rules: ChanceRules, n_draws: int) -> str | None:
    """Return why no document has a p-value with this chance model and number of draws."""
    if not rules.by_shifting:
        return _NO_MODEL
    return _TOO_FEW if n_draws < _FEWEST_DRAWS else None


def why_no_test(documents: Iterable[tuple[Continuum, float, float]]) -> str | None:
    """Return why documents have no p-value, each given with its spacing and its weight.

    Each condition must hold for documents with 90 % of the weight.
    """
    continua, spacing, weights = zip(*documents, strict=True)
    weight = np.array(weights)
    failed = (weight[:, None] * failed_conditions(continua, np.array(spacing))).sum(axis=0)
    too_many = np.flatnonzero(failed > _MOST_WEIGHT * weight.sum())
    return _REASONS[too_many[0]] if too_many.size else None


def failed_conditions(documents: Sequence[Continuum], spacing: Floats) -> Booleans:
    """Return which documents fail which condition for a p-value: documents × conditions."""
    low, high = np.array([continuum.extent for continuum in documents]).T
    n_annotators = np.array([len(continuum.annotators) for continuum in documents])
    counts = np.concatenate([continuum.counts for continuum in documents])
    starts = np.concatenate([continuum.starts for continuum in documents])
    ends = np.concatenate([continuum.ends for continuum in documents])
    begin = np.cumsum(counts) - counts
    document = np.repeat(np.arange(len(documents)), n_annotators)
    coverage, variation = np.zeros(len(counts)), np.full(len(counts), np.nan)
    # Annotators with the same number of units form a table.
    for count in np.unique(counts[counts > 0]).tolist():
        chosen = np.flatnonzero(counts == count)
        units = begin[chosen][:, None] + np.arange(count)
        first, last = starts[units], ends[units]
        # Parts that earlier units cover count once.
        before = np.column_stack((low[document[chosen]], last[:, :-1]))
        before = np.maximum.accumulate(before, axis=1)
        coverage[chosen] = np.maximum(last - np.maximum(first, before), 0.0).sum(axis=1)
        if count >= _FEWEST_UNITS:
            gaps = np.diff(first, axis=1)
            mean, deviation = gaps.mean(axis=1), gaps.std(axis=1, ddof=1)
            variation[chosen] = np.where(mean > 0.0, deviation / np.where(mean > 0.0, mean, 1.0), 0)
    has_variation = ~np.isnan(variation)
    of_variation = document[has_variation]
    n_with = np.bincount(of_variation, minlength=len(documents))
    total = np.bincount(of_variation, variation[has_variation], len(documents))
    mean_coverage = np.bincount(document, coverage, len(documents)) / n_annotators
    return np.column_stack(
        (
            n_annotators * spacing > _MOST_SPACING * (high - low),
            mean_coverage > _MOST_COVERAGE * (high - low),
            (n_with > 0) & (total < _LEAST_VARIATION * n_with),
        )
    )
