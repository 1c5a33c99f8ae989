"""Pooling the findings of a corpus column by column, where no document is asked for by itself."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.measures.gamma.result import Evidence, no_label_sums

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from unisono.measures.gamma.chance import ChanceRules
    from unisono.measures.gamma.evidence import ChunkFindings
    from unisono.measures.gamma.result import LabelEvidence
    from unisono.model.arrays import Floats, Integers
    from unisono.model.labels import Label

__all__ = ["pooled_columns"]


def pooled_columns(
    chunks: Sequence[tuple[Integers, ChunkFindings]],
    labels: tuple[Label | None, ...],
    rules: ChanceRules,
    empty: float,
) -> Evidence:
    """Pool documents as `pooled` does, to the last bit, without making the evidence of each.

    Parameters
    ----------
    chunks
        The numbers of the first draws of documents, and what was found: once the alignment of each
        document, and all its draws.
    labels
        All labels of the data.
    rules
        The chance model.
    empty
        What an empty unit costs.
    """
    weights = [rules.mean_units_of(found.units_of, found.annotators_of) for _, found in chunks]
    is_aligned = [found.groups_of >= 0 for _, found in chunks]
    each = [units[chosen] for units, chosen in zip(weights, is_aligned, strict=True)]
    total = math.fsum(np.concatenate(each).tolist())
    n_draws = max(int((first + found.draws_of).max(initial=0)) for first, found in chunks)
    sums = no_label_sums(n_draws, 1 + len(labels))
    draws, draw_bounds = np.zeros(n_draws), np.zeros(n_draws)
    observed: list[float] = []
    observed_bounds: list[float] = []
    for (first, found), units, aligned in zip(chunks, weights, is_aligned, strict=True):
        weight = units / total
        disorders = np.where(found.proven, found.lower_bound, _disorder_sums(found))
        for column, pool in ((disorders, observed), (found.lower_bound, observed_bounds)):
            pool.extend((weight * (column / units * empty))[aligned].tolist())
        numbers = _successive(first, found.draws_of)
        weight_of_draws = np.repeat(weight, found.draws_of)
        _add_at(draws, numbers, weight_of_draws * found.draw_disorders)
        _add_at(draw_bounds, numbers, weight_of_draws * found.draw_bounds)
        _add_labels(sums, found, aligned, numbers, empty)
    return Evidence(
        labels=labels,
        mean_units=total,
        observed=math.fsum(observed),
        observed_bound=math.fsum(observed_bounds),
        draws=draws,
        draw_bounds=draw_bounds,
        proven=all(bool(found.proven.all()) for _, found in chunks),
        unproven_draws=sum(int((~found.draw_proven).sum()) for _, found in chunks),
        by_label=sums,
        redrawn=sum(int(found.redrawn.sum()) for _, found in chunks),
    )


def _add_labels(
    sums: LabelEvidence,
    found: ChunkFindings,
    aligned: NDArray[np.bool_],
    numbers: Integers,
    empty: float,
) -> None:
    """Add the label sums of a chunk: over all pairs, and for each label of a document."""
    columns = 1 + found.label_codes.astype(np.int64)
    own = columns[np.repeat(aligned, found.labels_of)]
    sums.disorder[0] = _added(sums.disorder[0], found.label_disorder[aligned] * empty)
    sums.weight[0] = _added(sums.weight[0], found.label_weight[aligned])
    _add_at(sums.disorder, own, found.label_disorder_of * empty)
    _add_at(sums.weight, own, found.label_weight_of)
    # The codes of a document stand once, and are needed for each of its draws.
    labels_of = np.repeat(found.labels_of, found.draws_of)
    first_label = np.cumsum(found.labels_of) - found.labels_of
    places = _successive(np.repeat(first_label, found.draws_of), labels_of)
    width = sums.draws_disorder.shape[1]
    cells = np.repeat(numbers * width, labels_of) + columns[places]
    for drawn, whole, of_labels in (
        (sums.draws_disorder, found.draw_label_disorder, found.draw_label_disorder_of),
        (sums.draws_weight, found.draw_label_weight, found.draw_label_weight_of),
    ):
        flat = drawn.reshape(-1)
        _add_at(flat, numbers * width, whole)
        _add_at(flat, cells, of_labels)


def _add_at(sums: Floats, places: Integers, more: Floats) -> None:
    """Add numbers at places; what stands twice is added twice, in the order of the documents."""
    if len(more) < len(sums):
        np.add.at(sums, places, more)
        return
    # The same sums in the same order, many times as quick, if what is there is counted first.
    everywhere = np.concatenate((np.arange(len(sums)), places))
    sums[:] = np.bincount(everywhere, np.concatenate((sums, more)), len(sums))


def _added(so_far: Any, more: Floats) -> Any:  # noqa: ANN401 - a number of numpy
    """Add numbers one after the other."""
    return np.add.accumulate(np.concatenate(([so_far], more)))[-1]


def _successive(first: Integers, counts: Integers) -> Integers:
    """Give numbers that succeed each other from each of the first ones."""
    begin = np.cumsum(counts) - counts
    return np.asarray(np.arange(int(counts.sum())) + np.repeat(first - begin, counts), np.int64)


def _disorder_sums(found: ChunkFindings) -> Floats:
    """Sum the disorders of alignments that are not proven; of the others the bound is the sum."""
    sums = np.zeros(len(found.groups_of))
    ends = np.cumsum(np.maximum(found.groups_of, 0))
    for at in np.flatnonzero(~found.proven).tolist():
        sums[at] = found.disorders[ends[at] - found.groups_of[at] : ends[at]].sum()
    return sums
