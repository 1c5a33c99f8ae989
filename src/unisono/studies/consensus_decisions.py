"""What a group of aligned units comes to: where, called what, and whether that is decided."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.measures.gamma.alignment import Alignment
    from unisono.model.arrays import Floats

__all__ = ["Decisions", "decide"]

_LEAST_ANNOTATORS = 2


class Decisions(NamedTuple):
    """One entry a group of an alignment."""

    annotators: NDArray[np.int64]
    """How many annotators have a unit in the group."""
    is_supported: NDArray[np.bool_]
    starts: Floats
    ends: Floats
    start_spreads: Floats
    end_spreads: Floats
    label_codes: NDArray[np.int64]
    """The label that most of them chose; of equals the first."""
    votes: NDArray[np.int64]
    """How many chose it."""
    is_tied: NDArray[np.bool_]
    """Whether as many chose another."""

    @property
    def is_decided(self) -> NDArray[np.bool_]:
        """Whether the group has enough support and one label."""
        return self.is_supported & ~self.is_tied


def decide(alignment: Alignment, *, support: float, atom: float | None) -> Decisions:
    """Find the middle and the majority of every group.

    Parameters
    ----------
    alignment
        Which units belong together.
    support
        The share of annotators who must have a unit in a group; two are always needed.
    atom
        What places are whole numbers of; `None` leaves medians as they are.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 1, 2, "A"), ("cy", 1, 3, "B")])
    >>> found = decide(un.best_alignment(text), support=0.5, atom=None)
    >>> found.starts, found.ends, found.votes
    (array([1.]), array([2.]), array([2]))
    """
    continuum, indices = alignment.continuum, alignment.indices
    there = indices >= 0
    annotators = there.sum(axis=1)
    # 0.6 of 5 annotators is 3, however floats multiply.
    needed = max(_LEAST_ANNOTATORS, math.ceil(support * len(continuum.annotators) - 1e-9))
    starts, start_spreads = _middles(continuum.starts, indices, there)
    ends, end_spreads = _middles(continuum.ends, indices, there)
    if atom is not None:
        # Halves go outwards, so that nothing that half of them marked is lost.
        starts, ends = _rounded(starts, atom), -_rounded(-ends, atom)
    codes, votes, tied = _majorities(alignment, there)
    return Decisions(
        annotators=annotators,
        is_supported=annotators >= needed,
        starts=starts,
        ends=np.maximum(starts, ends),
        start_spreads=start_spreads,
        end_spreads=end_spreads,
        label_codes=codes,
        votes=votes,
        is_tied=tied,
    )


def _middles(
    bounds: Floats, indices: NDArray[np.int64], there: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Give the median of the bounds of each group, and how far apart the outermost lie."""
    if not len(indices):
        return np.empty(0), np.empty(0)
    # Empty places go to the end of the sorted line.
    sorted_bounds = np.sort(np.where(there, bounds[indices], np.inf), axis=1)
    count = there.sum(axis=1)
    line = np.arange(len(indices))
    low, high = sorted_bounds[line, (count - 1) // 2], sorted_bounds[line, count // 2]
    spreads = sorted_bounds[line, count - 1] - sorted_bounds[line, 0]
    # Not their sum halved, which could be too large for a float.
    return low + (high - low) / 2.0, spreads


def _rounded(places: Floats, atom: float) -> Floats:
    """Round to whole atoms, halves down."""
    return np.ceil(places / atom - 0.5) * atom + 0.0


def _majorities(
    alignment: Alignment, there: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Give each group's most frequent label, its number, and whether another has as many."""
    n_groups, n_labels = len(alignment), max(1, len(alignment.continuum.labels))
    if not n_groups:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, bool)
    group = np.nonzero(there)[0]
    code = alignment.continuum.label_codes[alignment.indices[there]].astype(np.int64)
    pairs, votes = np.unique(group * n_labels + code, return_counts=True)
    group, code = np.divmod(pairs, n_labels)
    # The most votes first, then the first label; the first line of each group is its winner.
    order = np.lexsort((code, -votes, group))
    group, code, votes = group[order], code[order], votes[order]
    first = np.flatnonzero(np.diff(group, prepend=-1))
    following = np.minimum(first + 1, len(group) - 1)
    is_tied = (following > first) & (group[following] == group[first])
    is_tied &= votes[following] == votes[first]
    return code[first], votes[first], is_tied
