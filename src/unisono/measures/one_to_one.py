"""The best matching of two sides: each unit in one pair at most, and all pairs worth the most.

What a pair is worth has three parts, of which the first always comes first: its gain, a small whole
number; whether it is perfect; and how alike its units are, half by label and half by place. The
kernel maximises one sum of whole numbers, so the parts become digits of one number. How long the
digits must be depends on how many pairs can be chosen together, which is few almost everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unisono.measures.aligning import Columns, cheapest_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.measures.candidates import Candidates
    from unisono.measures.sides import Integers, Side

__all__ = ["best_matching"]

LARGEST_GAIN = 4
# The kernel counts costs in 2⁻⁴⁰, and a pair may save the cost of two units alone: 2.
_ONE = 2.0**40
_MOST_WORTH = 2**41
_FINEST = 2**20  # steps of likeness


def best_matching(
    reference: Side, hypothesis: Side, candidates: Candidates, gains: Integers
) -> Integers:
    """Choose pairs so that the sum of their gains is the largest.

    Parameters
    ----------
    reference, hypothesis
        The units.
    candidates
        The pairs there are.
    gains
        What each of them gains: a whole number from 1 to 4.

    Returns
    -------
    ndarray
        The chosen candidates, by number. Of several best matchings it is the one with the most
        perfect pairs (near bounds, same label), then the one whose pairs are most alike in sum,
        then the first in a fixed order of units.
    """
    if not len(candidates.left):
        return np.empty(0, np.int64)
    n_left = len(reference.starts)
    units = n_left + len(hypothesis.starts)
    columns = Columns(
        np.concatenate((reference.starts, hypothesis.starts)),
        np.concatenate((reference.ends, hypothesis.ends)),
        np.zeros(units, np.int32),
        np.array([0, n_left, units]),
    )
    worth = _worth(reference, hypothesis, candidates, gains)
    costs = 2.0 - worth / _ONE
    right = candidates.right + n_left
    chosen = cheapest_pairs(columns, (np.ascontiguousarray(candidates.left), right, costs))
    # A pair is one number, so that chosen pairs can be looked up among the candidates.
    numbers = candidates.left * units + right
    order = np.argsort(numbers)
    wanted = np.sort(chosen[:, 0] * units + chosen[:, 1])
    return order[np.searchsorted(numbers[order], wanted)]


def _worth(reference: Side, hypothesis: Side, candidates: Candidates, gains: Integers) -> Integers:
    together = _most_together(reference, hypothesis, candidates)
    # With n pairs at most, a perfect pair outweighs n likenesses, and a gain outweighs n of both.
    # One gain more than the largest leaves room for the parts that come after it.
    room = (_MOST_WORTH // (LARGEST_GAIN + 1) - 1) // together - 1
    steps = np.clip(room // (together + 1), 0, _FINEST)
    perfect = together * steps + 1
    gain = together * (perfect + steps) + 1
    alike = (candidates.share + candidates.same_label) / 2.0
    is_perfect = candidates.near & candidates.same_label
    worth: Integers = gains * gain + is_perfect * perfect + np.rint(alike * steps).astype(np.int64)
    return worth


def _most_together(reference: Side, hypothesis: Side, candidates: Candidates) -> Integers:
    """Say for each pair how many pairs of its neighbourhood can be chosen together at most."""
    meetings = np.concatenate((reference.meetings, hypothesis.meetings))
    starts = np.concatenate((reference.starts, hypothesis.starts))
    n_left = len(reference.starts)
    place = np.empty(len(starts), np.int64)
    place[np.lexsort((starts, meetings))] = np.arange(len(starts))
    ends = place[candidates.left], place[n_left + candidates.right]
    # Pairs as stretches of that order: where none reaches across, a neighbourhood ends.
    begin = np.bincount(np.minimum(*ends), minlength=len(starts))
    end = np.bincount(np.maximum(*ends), minlength=len(starts))
    ends_here = np.cumsum(begin - end) == 0
    block_at = np.concatenate(([0], np.cumsum(ends_here)[:-1]))
    block = block_at[place]
    sizes: NDArray[np.int64] = np.minimum(
        np.bincount(block[:n_left], minlength=len(starts)),
        np.bincount(block[n_left:], minlength=len(starts)),
    )
    return sizes[block[candidates.left]]
