"""The disorder of an alignment taken apart: position, label and missing units, and whose."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.measures.gamma.dissimilarity import positional

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.measures.gamma.alignment import Alignment
    from unisono.measures.gamma.fitted import Fitted
    from unisono.model.arrays import Floats

__all__ = ["disorder_parts"]

POSITION, LABEL, MISSING = range(3)


class DisorderParts(NamedTuple):
    """Sums over groups, in the user's units and before they are divided by x̄.

    Each array has three columns: position, label, missing units. The sum over the rows of each of
    the three views is the same.
    """

    of_groups: Floats
    of_annotators: Floats
    of_labels: Floats
    """One row a label of the continuum."""
    confused: NDArray[np.int64]
    """Codes of two labels that stand side by side in a group, the smaller first; a row a pair."""
    confused_pairs: NDArray[np.int64]
    """In how many pairs of units."""
    confused_disorder: Floats


def disorder_parts(alignment: Alignment, fitted: Fitted) -> DisorderParts:
    """Take the disorder of every group apart.

    Parameters
    ----------
    alignment
        Which units belong together.
    fitted
        The dissimilarity they were aligned by, for the labels of the continuum.

    Returns
    -------
    DisorderParts
        A pair of units gives half to each of its annotators and labels. An empty place beside a
        unit gives half to the annotator who left it and half to the one who marked the unit, and
        all to the unit's label. Two empty places are there because others marked something: they
        are shared by the units of the group.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 10, "A"), ("bob", 0, 5, "B"), ("bob", 20, 30)])
    >>> fitted = un.Combined().fitted(text.labels, [1, 1, 1])
    >>> disorder_parts(un.best_alignment(text), fitted).of_groups.round(3)
    array([[0.111, 1.   , 0.   ],
           [0.   , 0.   , 1.   ]])
    """
    continuum, indices = alignment.continuum, alignment.indices
    n, n_labels = len(continuum.annotators), len(continuum.labels)
    # Eq. 6 of Mathet et al. (2015): the mean over unordered pairs, empty places included.
    unit_cost = fitted.empty / (n * (n - 1) / 2)
    of_groups = np.zeros((len(indices), 3))
    of_annotators, of_labels = np.zeros((n, 3)), np.zeros((n_labels, 3))
    codes = continuum.label_codes.astype(np.int64)
    table = None if fitted.label == 0.0 else fitted.table
    met: list[tuple[NDArray[np.int64], Floats]] = []
    for a, b in combinations(range(n), 2):
        group = np.flatnonzero((indices[:, a] >= 0) & (indices[:, b] >= 0))
        if not group.size:
            continue
        u, v = indices[group, a], indices[group, b]
        costs = np.zeros((len(group), 2))
        if fitted.position:
            starts, ends = continuum.starts, continuum.ends
            apart = positional(starts[u], ends[u], starts[v], ends[v], fitted.power)
            costs[:, POSITION] = fitted.position * apart * unit_cost
        if table is not None:
            costs[:, LABEL] = fitted.label * table[codes[u], codes[v]] * unit_cost
        # A group has one pair of these two annotators, so nothing is added twice to a row.
        of_groups[group, :2] += costs
        of_annotators[[a, b], :2] += costs.sum(axis=0) / 2.0
        for part in (POSITION, LABEL):
            for unit in (u, v):
                halves = np.bincount(codes[unit], costs[:, part] / 2.0, minlength=n_labels)
                of_labels[:, part] += halves
        keys = np.minimum(codes[u], codes[v]) * n_labels + np.maximum(codes[u], codes[v])
        unlike = codes[u] != codes[v]
        met.append((keys[unlike], costs[unlike, LABEL]))
    _add_missing(alignment, unit_cost, of_groups, of_annotators, of_labels)
    confused, pairs, disorder = _confusions(met, n_labels)
    return DisorderParts(of_groups, of_annotators, of_labels, confused, pairs, disorder)


def _add_missing(
    alignment: Alignment,
    unit_cost: float,
    of_groups: Floats,
    of_annotators: Floats,
    of_labels: Floats,
) -> None:
    there = alignment.indices >= 0
    if not there.size:
        return
    real = there.sum(axis=1)
    empty = there.shape[1] - real
    both_empty = empty * (empty - 1) / 2.0
    of_groups[:, MISSING] = (real * empty + both_empty) * unit_cost
    shared = both_empty / real
    of_place = np.where(there, (empty / 2.0 + shared)[:, None], (real / 2.0)[:, None])
    of_annotators[:, MISSING] = of_place.sum(axis=0) * unit_cost
    of_unit = np.broadcast_to((empty + shared)[:, None], there.shape)[there]
    codes = alignment.continuum.label_codes[alignment.indices[there]]
    of_labels[:, MISSING] = np.bincount(codes, of_unit, minlength=len(of_labels)) * unit_cost


def _confusions(
    met: list[tuple[NDArray[np.int64], Floats]], n_labels: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    keys = np.concatenate([each for each, _ in met]) if met else np.empty(0, np.int64)
    costs = np.concatenate([each for _, each in met]) if met else np.empty(0)
    found, place, pairs = np.unique(keys, return_inverse=True, return_counts=True)
    labels = np.column_stack(np.divmod(found, max(1, n_labels)))
    disorder: Floats = np.bincount(place, costs, minlength=len(found)).astype(np.float64)
    return labels, pairs, disorder
