"""Boundary similarity B and segmentation similarity S, from edits of boundaries."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from unisono.measures.segmentation.comparison import BoundaryEdits, Compared, measured, texts_of
from unisono.measures.settings import check_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.measures.segmentation.comparison import (
        Cut,
        Reading,
        SegmentationAgreement,
        Settings,
    )
    from unisono.model.segmentation import Segmentation

__all__ = ["boundary_similarity", "segmentation_similarity"]

_PASSES = 8  # over all that is left; each is as long as looking at some boundaries one by one


class Edits(NamedTuple):
    """How many boundaries match, nearly match and miss, and how far apart the near ones are."""

    matches: int
    near_misses: int
    misses: int
    apart: int
    """The distances of near misses, added up."""


def boundary_edits(
    one: Segmentation, other: Segmentation, *, near: int, passes: int = _PASSES
) -> Edits:
    """Turn one segmentation into the other by moving boundaries a little, or adding them.

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
    for _ in range(passes):
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


def boundary_similarity(
    reference: Cut, hypothesis: Segmentation | None = None, *, near: int = 2
) -> SegmentationAgreement:
    """Say which share of boundaries two annotators have in common, near misses counted in part.

    A similarity: 1 is perfect, and 0 is no boundary in common.

    Parameters
    ----------
    reference
        A segmentation; or instead of two of them a table of several, annotator to segmentation or
        document to such a table; or a continuum or a corpus whose units cover the whole texts.
    hypothesis
        Another segmentation of the same text; the order of the two does not matter.
    near
        How many places a near miss may span (n_t in the papers): 2 is one place off, 1 allows
        none.

    Returns
    -------
    SegmentationAgreement
        Of several annotators the mean over pairs; the boundaries of several documents are put
        together for each pair. `pi` and `kappa` are corrected for chance, `edits` counts.

    Raises
    ------
    DataError
        The segmentations differ in length, or units are no segmentation.
    SettingError
        `near` is not 1 or more.

    Notes
    -----
    B = 1 − (misses + Σ d/near) / (matches + near misses + misses), with d how many places a near
    miss is off [1]_. Near misses are found by boundary edit distance: the shortest moves first,
    from left to right, each boundary moving once.

    Two segmentations without any boundary have nothing to compare: undefined. (segeval fails on
    them.)

    For `pi` and `kappa` the observed agreement is B with all pairs and documents put together.
    Chance agrees with the probability that two annotators mark the same place, the square of the
    mean rate of boundaries over annotators and documents (π), or the mean over pairs of the
    product of their own rates (κ) [2]_. Chance has no near misses, so both stay close to B where
    boundaries are rare. Confirmed by the values that segeval, the authors' program, has for the
    chapters of *The Moonstone*.

    References
    ----------
    .. [1] Fournier, C. (2013). Evaluating text segmentation using boundary edit distance.
       Proceedings of ACL 2013, 1702–1712.
    .. [2] Fournier, C. & Inkpen, D. (2012). Segmentation similarity and agreement. Proceedings of
       NAACL-HLT 2012, 152–161.

    Examples
    --------
    Confirmed by segeval's 0.57142857:

    >>> import unisono as un
    >>> annotator = un.Segmentation.from_masses([2, 3, 3, 1, 3, 6, 3])
    >>> hypothesis = un.Segmentation.from_masses([2, 6, 4, 2, 4, 3])
    >>> result = un.boundary_similarity(annotator, hypothesis)
    >>> round(result.value, 8), result.edits
    (0.57142857, BoundaryEdits(matches=4, near_misses=0, misses=3))
    """
    measure = Similarity("boundary_similarity", of_boundaries=True, near=near)
    return measured(measure, texts_of(reference, hypothesis))


def segmentation_similarity(
    reference: Cut, hypothesis: Segmentation | None = None, *, near: int = 2
) -> SegmentationAgreement:
    """Say which share of places for a boundary two annotators treat alike.

    A similarity: 1 is perfect. It is high wherever boundaries are rare, because most places then
    have none; `boundary_similarity` was made to mend this.

    Parameters
    ----------
    reference, hypothesis, near
        As in `boundary_similarity`.

    Returns
    -------
    SegmentationAgreement
        Of several annotators and documents as in `boundary_similarity`.

    Raises
    ------
    DataError
        The segmentations differ in length, or units are no segmentation.
    SettingError
        `near` is not 1 or more.

    Notes
    -----
    S = 1 − (misses + Σ d/near) / (N − 1) for N atoms [1]_, with near misses weighed by how far
    they are off, as the authors' program does by default. `pi` and `kappa` as in
    `boundary_similarity`, with S in the place of B.

    References
    ----------
    .. [1] Fournier, C. & Inkpen, D. (2012). Segmentation similarity and agreement. Proceedings of
       NAACL-HLT 2012, 152–161.

    Examples
    --------
    Confirmed by segeval's 0.85:

    >>> import unisono as un
    >>> annotator = un.Segmentation.from_masses([2, 3, 3, 1, 3, 6, 3])
    >>> hypothesis = un.Segmentation.from_masses([2, 6, 4, 2, 4, 3])
    >>> un.segmentation_similarity(annotator, hypothesis).value
    0.85
    """
    measure = Similarity("segmentation_similarity", of_boundaries=False, near=near)
    return measured(measure, texts_of(reference, hypothesis))


@dataclass(frozen=True, slots=True)
class Similarity:
    """A measure by boundary edit distance, with its settings."""

    name: str
    of_boundaries: bool
    near: int

    reading: ClassVar[Reading] = "similarity"
    symmetric: ClassVar[bool] = True
    corrected: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_count("near", self.near)

    @property
    def nothing(self) -> str:
        """Why two segmentations may have no value."""
        if self.of_boundaries:
            return "neither of the two has a boundary"
        return "a text of one atom has no place for a boundary"

    @property
    def settings(self) -> Settings:
        """Its settings, for the signature."""
        return (("near", str(self.near)),)

    def compare(self, reference: Segmentation, hypothesis: Segmentation) -> Compared:
        """Count what has to be edited, in parts of `near`, so that the numbers are whole."""
        edits = boundary_edits(reference, hypothesis, near=self.near)
        wrong = edits.misses * self.near + edits.apart
        whole = edits.matches + edits.near_misses + edits.misses
        if not self.of_boundaries:
            whole = reference.length - 1
        counts = BoundaryEdits(edits.matches, edits.near_misses, edits.misses)
        return Compared(wrong, whole * self.near, counts)
