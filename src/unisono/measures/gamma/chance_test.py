"""The conditions under which the share of draws as orderly as the data is a p-value."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unisono.measures.gamma.chance import ChanceRules
    from unisono.model.continuum import Continuum

__all__ = ["why_no_test", "why_no_test_of_draws"]

_FEWEST_DRAWS = 199
_MOST_SPACING = 0.15  # of the extent, the spacing of all annotators together
_MOST_COVERAGE = 0.8  # of the extent, an annotator's units together
_LEAST_VARIATION = 0.4  # of the distances between starts
_FEWEST_UNITS = 5  # of an annotator whose distances are looked at
_MOST_WEIGHT = 0.1  # of documents that fail a condition

_NO_MODEL = "this chance model gives no test"
_TOO_FEW = "a test needs 199 draws or more"
_LONG = "units are long for this document: random ones cannot coincide as they may by chance"
_COVERED = "the units cover the document: its ends agree without anybody's doing"
_REGULAR = "the units follow each other regularly"


def why_no_test_of_draws(rules: ChanceRules, n_draws: int) -> str | None:
    """Return why no document has a p-value with this chance model and number of draws."""
    if not rules.by_shifting:
        return _NO_MODEL
    return _TOO_FEW if n_draws < _FEWEST_DRAWS else None


def why_no_test(documents: Iterable[tuple[Continuum, float, float]]) -> str | None:
    """Return why documents have no p-value, each given with its spacing and its weight.

    Each condition must hold for documents with 90 % of the weight.
    """
    total = 0.0
    failed = dict.fromkeys((_LONG, _COVERED, _REGULAR), 0.0)
    for continuum, spacing, weight in documents:
        total += weight
        for reason in _failures(continuum, spacing):
            failed[reason] += weight
    return next((why for why, weight in failed.items() if weight > _MOST_WEIGHT * total), None)


def _failures(continuum: Continuum, spacing: float) -> Iterator[str]:
    """Yield the reasons against a p-value of one document."""
    low, high = continuum.extent
    length = high - low
    if len(continuum.annotators) * spacing > _MOST_SPACING * length:
        yield _LONG
    coverage, variation = [], []
    bounds = continuum.offsets.tolist()
    for begin, end in pairwise(bounds):
        starts, ends = continuum.starts[begin:end], continuum.ends[begin:end]
        # The end of what the units before cover, which start earlier.
        before = np.maximum.accumulate(np.concatenate(([low], ends)))[:-1]
        coverage.append(float(np.maximum(ends - np.maximum(starts, before), 0.0).sum()))
        gaps = np.diff(starts)
        if len(starts) >= _FEWEST_UNITS:
            mean = float(gaps.mean())
            variation.append(float(gaps.std(ddof=1)) / mean if mean > 0.0 else 0.0)
    if np.mean(coverage) > _MOST_COVERAGE * length:
        yield _COVERED
    if variation and np.mean(variation) < _LEAST_VARIATION:
        yield _REGULAR
