"""Boundary edit distance: which boundaries of two segmentations match, nearly match, or miss."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.model.segmentation import Segmentation

__all__ = ["boundary_edits"]

_PASSES = 8  # over all that is left; each is as long as looking at some boundaries one by one


class Edits(NamedTuple):
    """How many boundaries match, nearly match and miss, and how far apart the near ones are."""

    matches: int
    near_misses: int
    misses: int
    apart: int
    """The distances of near misses, added up."""


def boundary_edits(one: Segmentation, other: Segmentation, *, near: int) -> Edits:
    """Turn one segmentation into the other by moving boundaries a little, or adding them.

    Parameters
    ----------
    one, other
        Equally long.
    near
        How many places a move may span, the two ends among them.

    Notes
    -----
    Moves by one place are found first, then those by two and so on; those of one length from left
    to right, and each boundary moves once, as in the program of Fournier (2013). The two ends of
    the shortest move that is left have no free boundary between them, for that would make a
    shorter one: it is enough to look at neighbours. Neighbours of one distance form chains, of
    which every second link is taken, beginning with the first. So it goes for the first few
    distances, which are most of all; then neighbours wait in a heap. O(b log b) for b boundaries.
    """
    matches = len(np.intersect1d(one.boundaries, other.boundaries, assume_unique=True))
    places = np.setxor1d(one.boundaries, other.boundaries, assume_unique=True)
    of_one = np.isin(places, one.boundaries, assume_unique=True)
    near_misses = apart = 0
    for _ in range(_PASSES):
        gaps = np.diff(places)
        across = of_one[1:] != of_one[:-1]
        distance = int(gaps.min(initial=near, where=across))
        if distance >= near:
            return Edits(matches, near_misses, len(places), apart)
        moved = _moved(across & (gaps == distance))
        pairs = int(np.count_nonzero(moved)) // 2
        near_misses += pairs
        apart += pairs * distance
        places, of_one = places[~moved], of_one[~moved]
    distances = _one_by_one(places.tolist(), of_one.tolist(), near)
    misses = len(places) - 2 * len(distances)
    return Edits(matches, near_misses + len(distances), misses, apart + sum(distances))


def _moved(linked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Take every second link of each chain, and say which boundaries that moves."""
    numbers = np.arange(len(linked))
    begins = np.concatenate(((True,), ~linked[:-1]))
    rank = numbers - np.maximum.accumulate(np.where(begins, numbers, 0))
    taken = linked & (rank % 2 == 0)
    return np.concatenate((taken, (False,))) | np.concatenate(((False,), taken))


def _one_by_one(places: list[int], of_one: list[bool], near: int) -> list[int]:
    """Pair neighbours, the nearest first and of those the first; give how far apart they are."""
    count = len(places)
    before, behind = list(range(-1, count - 1)), list(range(1, count + 1))
    waiting = [
        (places[i + 1] - places[i], i, i + 1)
        for i in range(count - 1)
        if of_one[i] != of_one[i + 1] and places[i + 1] - places[i] < near
    ]
    heapify(waiting)
    gone = [False] * count
    distances = []
    while waiting:
        distance, left, right = heappop(waiting)
        if gone[left] or gone[right]:
            continue
        gone[left] = gone[right] = True
        distances.append(distance)
        left, right = before[left], behind[right]
        # The two beside them are neighbours now.
        if left >= 0:
            behind[left] = right
        if right < count:
            before[right] = left
        if left >= 0 and right < count and of_one[left] != of_one[right]:
            distance = places[right] - places[left]
            if distance < near:
                heappush(waiting, (distance, left, right))
    return distances
