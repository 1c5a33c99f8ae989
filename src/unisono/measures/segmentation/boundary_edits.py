"""Boundary similarity (B) and segmentation similarity (S): by moving and adding boundaries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from unisono.measures.segmentation.comparison import Compared, measured
from unisono.measures.segmentation.edits import boundary_edits
from unisono.measures.segmentation.segmentation_result import BoundaryEdits
from unisono.measures.segmentation.texts import texts_of
from unisono.measures.settings import check_count

if TYPE_CHECKING:
    from unisono.measures.segmentation.comparison import Settings
    from unisono.measures.segmentation.segmentation_result import Reading, SegmentationAgreement
    from unisono.measures.segmentation.texts import Cut
    from unisono.model.segmentation import Segmentation

__all__ = ["boundary_similarity", "segmentation_similarity"]


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
