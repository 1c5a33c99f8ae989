"""The best matching of two sides: each unit in one pair at most, and all pairs worth the most.

What a pair is worth has three parts, of which the first always comes first: its gain, a small whole
number; whether it is perfect; and how alike its units are, half by label and half by place. The
kernel maximises one sum of whole numbers, so the parts become digits of one number. How long the
digits must be depends on how many pairs can be chosen together, which is few almost everywhere.

Equal units, of the same bounds and label, are paired before that wherever it cannot be wrong. In a
neighbourhood where every unit meets every unit of the other side, let two equal units have other
partners: the partners meet too, and then the equal units together and the partners together gain as
much, with one perfect pair more. So of a thousand units at one place only those that differ are
left. Elsewhere it can be wrong: the partners may have nothing in common.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.measures.gamma.aligning import Columns, cheapest_pairs

if TYPE_CHECKING:
    from unisono.measures.reference.candidates import Candidates
    from unisono.measures.reference.matching import Side
    from unisono.model.arrays import Booleans, Integers

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
        What each of them gains: the same for all, or 4 for a perfect pair and 2 or 3 for others.

    Returns
    -------
    ndarray
        The chosen candidates, by number. Of several best matchings it is the one with the most
        perfect pairs (near bounds, same label), then the one whose pairs are most alike in sum,
        then the first in a fixed order of units.
    """
    if not len(candidates.left):
        return np.empty(0, np.int64)
    blocks = _blocks(reference, hypothesis, candidates)
    worth = _worth(candidates, gains, blocks.most_together())
    equal = np.flatnonzero(_equal_pairs(reference, hypothesis, candidates, blocks))
    left, right = candidates.left, candidates.right
    free = ~(_is_in(left, left[equal]) | _is_in(right, right[equal]))
    rest = np.flatnonzero(free)
    chosen = _cheapest(reference, hypothesis, left[rest], right[rest], worth[rest])
    return np.concatenate((equal, rest[chosen]))


def _cheapest(
    reference: Side, hypothesis: Side, left: Integers, right: Integers, worth: Integers
) -> Integers:
    """Choose the pairs that are worth the most, by the kernel; gives their numbers."""
    if not len(left):
        return left
    n_left = len(reference.starts)
    units = n_left + len(hypothesis.starts)
    columns = Columns(
        np.concatenate((reference.starts, hypothesis.starts)),
        np.concatenate((reference.ends, hypothesis.ends)),
        np.zeros(units, np.int32),
        np.array([0, n_left, units]),
    )
    right = right + n_left
    chosen = cheapest_pairs(columns, (left, right, 2.0 - worth / _ONE))
    # A pair is one number, so that chosen pairs can be looked up among the candidates.
    numbers = left * units + right
    order = np.argsort(numbers)
    wanted = np.sort(chosen[:, 0] * units + chosen[:, 1])
    return order[np.searchsorted(numbers[order], wanted)]


class _Blocks(NamedTuple):
    """Neighbourhoods: units of which no pair reaches into another one."""

    of_pairs: Integers
    left_sizes: Integers
    right_sizes: Integers
    """How many units of either side each of them has."""

    def most_together(self) -> Integers:
        """Say for each pair how many pairs of its neighbourhood can be chosen together at most."""
        sizes: Integers = np.minimum(self.left_sizes, self.right_sizes)
        return sizes[self.of_pairs]

    def full(self, bent: Booleans) -> Booleans:
        """Say for each pair whether all units of its neighbourhood meet, and no pair is bent."""
        counts = np.bincount(self.of_pairs, minlength=len(self.left_sizes))
        full: Booleans = counts == self.left_sizes * self.right_sizes
        full[self.of_pairs[bent]] = False
        return full[self.of_pairs]


def _worth(candidates: Candidates, gains: Integers, together: Integers) -> Integers:
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


def _blocks(reference: Side, hypothesis: Side, candidates: Candidates) -> _Blocks:
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
    block = np.concatenate(([0], np.cumsum(ends_here)[:-1]))[place]
    left_sizes = np.bincount(block[:n_left], minlength=len(starts))
    right_sizes = np.bincount(block[n_left:], minlength=len(starts))
    return _Blocks(block[candidates.left], left_sizes, right_sizes)


def _equal_pairs(
    reference: Side, hypothesis: Side, candidates: Candidates, blocks: _Blocks
) -> Booleans:
    """Say which pairs of equal units can be taken at once: the first with the first, and so on."""
    left, right = candidates.left, candidates.right
    equal: Booleans = candidates.same_place & candidates.same_label
    for name in ("starts", "ends"):
        equal &= getattr(reference, name)[left] == getattr(hypothesis, name)[right]
    # Bounds that are near but not the same tell nothing about partners.
    bent = candidates.near & candidates.same_label & ~equal
    equal &= blocks.full(bent)
    equal &= _ranks_among_equals(reference)[left] == _ranks_among_equals(hypothesis)[right]
    return equal


def _ranks_among_equals(side: Side) -> Integers:
    """Give each unit its number among those of its meeting with the same bounds and label."""
    columns = (side.labels, side.ends, side.starts, side.meetings)
    order = np.lexsort(columns)
    new = np.ones(len(order), np.bool_)
    new[1:] = np.any([column[order][1:] != column[order][:-1] for column in columns], axis=0)
    numbers = np.arange(len(order))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = numbers - np.maximum.accumulate(np.where(new, numbers, 0))
    return ranks


def _is_in(rows: Integers, chosen: Integers) -> Booleans:
    mask = np.zeros(int(rows.max(initial=-1)) + 1, np.bool_)
    mask[chosen] = True
    return mask[rows]
