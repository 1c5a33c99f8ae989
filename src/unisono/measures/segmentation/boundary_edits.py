"""Boundary similarity B and segmentation similarity S, by boundary edit distance."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from unisono.measures.data import of_data
from unisono.measures.segmentation.comparison import (
    BoundaryEdits,
    PairComparison,
    as_texts,
    compute_measure,
)
from unisono.registry import check_setting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.measures.segmentation.comparison import Cut, SegmentationAgreement, Settings
    from unisono.model.segmentation import Segmentation

__all__ = ["boundary_similarity", "segmentation_similarity"]

_PASSES = 8  # vectorized passes before the heap; a few are faster than single boundaries


class Edits(NamedTuple):
    """Counts of matches, near misses and misses, and the total distance of near misses."""

    matches: int
    near_misses: int
    misses: int
    distance: int
    """The sum of the distances of near misses."""


def boundary_edits(
    one: Segmentation, other: Segmentation, *, near: int, passes: int = _PASSES
) -> Edits:
    """Compute the edits that turn one segmentation into the other.

    Moves by one position are found first, then moves by two and so on; moves of the same distance
    are found from left to right, and each boundary moves once, as in the program of Fournier
    (2013). There is no unmatched boundary between the ends of the shortest remaining move, because
    it would allow a shorter one, so only neighbours need to be considered. Neighbours at the same
    distance form chains, of which every second link is taken, starting with the first. The first
    few distances are processed in vectorized passes, the others with a heap. O(b log b) for b
    boundaries.
    """
    matches = len(np.intersect1d(one.boundaries, other.boundaries, assume_unique=True))
    places = np.setxor1d(one.boundaries, other.boundaries, assume_unique=True)
    of_one = np.isin(places, one.boundaries, assume_unique=True)
    near_misses = total_distance = 0
    for _ in range(passes):
        gaps = np.diff(places)
        across = of_one[1:] != of_one[:-1]
        distance = int(gaps.min(initial=near, where=across))
        if distance >= near:
            return Edits(matches, near_misses, len(places), total_distance)
        moved = _moved(across & (gaps == distance))
        pairs = int(np.count_nonzero(moved)) // 2
        near_misses += pairs
        total_distance += pairs * distance
        places, of_one = places[~moved], of_one[~moved]
    distances = _one_by_one(places.tolist(), of_one.tolist(), near)
    misses = len(places) - 2 * len(distances)
    total_distance += sum(distances)
    return Edits(matches, near_misses + len(distances), misses, total_distance)


def _moved(linked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the boundaries that are moved by taking every second link of each chain."""
    numbers = np.arange(len(linked))
    begins = np.concatenate(((True,), ~linked[:-1]))
    rank = numbers - np.maximum.accumulate(np.where(begins, numbers, 0))
    taken = linked & (rank % 2 == 0)
    return np.concatenate((taken, (False,))) | np.concatenate(((False,), taken))


def _one_by_one(places: list[int], of_one: list[bool], near: int) -> list[int]:
    """Pair neighbours by increasing distance, then from left to right; return the distances."""
    count = len(places)
    previous, following = list(range(-1, count - 1)), list(range(1, count + 1))
    heap = [
        (places[i + 1] - places[i], i, i + 1)
        for i in range(count - 1)
        if of_one[i] != of_one[i + 1] and places[i + 1] - places[i] < near
    ]
    heapify(heap)
    removed = [False] * count
    distances = []
    while heap:
        distance, left, right = heappop(heap)
        if removed[left] or removed[right]:
            continue
        removed[left] = removed[right] = True
        distances.append(distance)
        left, right = previous[left], following[right]
        # The boundaries on both sides become neighbours.
        if left >= 0:
            following[left] = right
        if right < count:
            previous[right] = left
        if left >= 0 and right < count and of_one[left] != of_one[right]:
            distance = places[right] - places[left]
            if distance < near:
                heappush(heap, (distance, left, right))
    return distances


@of_data
def boundary_similarity(
    reference: Cut, hypothesis: Segmentation | None = None, *, near: int = 2
) -> SegmentationAgreement:
    """Compute boundary similarity B: the share of common boundaries, with partial near misses.

    A similarity: 1 is perfect, and 0 means that there are no common boundaries.

    Parameters
    ----------
    reference
        A segmentation; or, instead of two segmentations, a mapping of annotators to segmentations,
        or of documents to such mappings; or a continuum or a corpus whose units cover the texts.
    hypothesis
        Another segmentation of the same text; the order of the two is irrelevant.
    near
        Number of positions that a near miss may span (n_t in the papers): 2 allows a distance of
        one, 1 allows no near misses.

    Returns
    -------
    SegmentationAgreement
        For several annotators the mean over pairs; for several documents the boundaries of each
        pair are pooled. `pi` and `kappa` are corrected for chance, `edits` has the counts.

    Raises
    ------
    DataError
        If the segmentations differ in length, or units are not a segmentation.
    SettingError
        If `near` is less than 1.

    Notes
    -----
    B = 1 − (misses + Σ d/near) / (matches + near misses + misses), where d is the distance of a
    near miss [1]_. Near misses are found by boundary edit distance: the shortest moves first, from
    left to right, each boundary moving once.

    B of two segmentations without boundaries is undefined. (segeval fails in this case.)

    For `pi` and `kappa` the observed agreement is B of all pairs and documents pooled. The expected
    agreement is the probability that two annotators mark the same position: the square of the mean
    rate of boundaries over annotators and documents (π), or the mean over pairs of the product of
    their rates (κ) [2]_. It does not include near misses, so both are close to B if boundaries are
    rare. Confirmed by the values of segeval, the authors' program, for the chapters of *The
    Moonstone*.

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
    return compute_measure(measure, as_texts(reference, hypothesis))


@of_data
def segmentation_similarity(
    reference: Cut, hypothesis: Segmentation | None = None, *, near: int = 2
) -> SegmentationAgreement:
    """Compute segmentation similarity S: the share of positions with the same decision.

    A similarity: 1 is perfect. It is high if boundaries are rare, because most positions then have
    none; `boundary_similarity` was designed to solve this problem.

    Parameters
    ----------
    reference, hypothesis, near
        As in `boundary_similarity`.

    Returns
    -------
    SegmentationAgreement
        For several annotators and documents as in `boundary_similarity`.

    Raises
    ------
    DataError
        If the segmentations differ in length, or units are not a segmentation.
    SettingError
        If `near` is less than 1.

    Notes
    -----
    S = 1 − (misses + Σ d/near) / (N − 1) for N atoms [1]_, with near misses weighted by distance,
    which is the default of the authors' program. `pi` and `kappa` are as in `boundary_similarity`,
    with S instead of B.

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
    return compute_measure(measure, as_texts(reference, hypothesis))


@dataclass(frozen=True, slots=True)
class Similarity:
    """A measure by boundary edit distance, with its settings."""

    name: str
    of_boundaries: bool
    near: int

    symmetric: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_setting("near", self.near)

    @property
    def undefined_reason(self) -> str:
        """The reason why the value of two segmentations may be undefined."""
        if self.of_boundaries:
            return "neither segmentation has a boundary"
        return "a text of one atom has no position for a boundary"

    @property
    def settings(self) -> Settings:
        """The settings for the signature."""
        return (("near", str(self.near)),)

    def compare(self, reference: Segmentation, hypothesis: Segmentation) -> PairComparison:
        """Return the disagreement in multiples of 1/`near`, so that the numbers are integers."""
        edits = boundary_edits(reference, hypothesis, near=self.near)
        wrong = edits.misses * self.near + edits.distance
        whole = edits.matches + edits.near_misses + edits.misses
        if not self.of_boundaries:
            whole = reference.length - 1
        counts = BoundaryEdits(edits.matches, edits.near_misses, edits.misses)
        return PairComparison(wrong, whole * self.near, counts)
