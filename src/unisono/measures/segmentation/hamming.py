"""Generalized Hamming distance, from the cheapest way to move boundaries."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from unisono.measures.segmentation.comparison import Compared, measured, texts_of
from unisono.measures.settings import check_number

if TYPE_CHECKING:
    from unisono.measures.segmentation.comparison import (
        Cut,
        Reading,
        SegmentationAgreement,
        Settings,
    )
    from unisono.model.segmentation import Segmentation

__all__ = ["generalized_hamming"]


def cheapest_shifts(
    reference: Segmentation,
    hypothesis: Segmentation,
    *,
    insertion: float,
    deletion: float,
    shift: float,
) -> float:
    """Give the least cost of turning the hypothesis into the reference; exact.

    Walk along the text and carry boundaries of the hypothesis that wait for one of the reference,
    or owe it one. With c(n) the least cost so far of carrying n (negative: owing), a step of
    length x adds ``shift·x·|n|``; a boundary of the hypothesis gives c'(n) = min(c(n − 1),
    c(n) + deletion), one of the reference c'(n) = min(c(n + 1), c(n) + insertion). All of these
    keep c convex, so its slopes are two heaps, those below n = 0 and those above, and each
    boundary costs a few operations on heaps: O(b log b), not the product of a full table.

    A slope not below the cost of an insertion, or not above minus that of a deletion, is never
    used again: heaps stay as small as what lies within reach.
    """
    # A boundary that both have stays where it is; nothing can be won by moving it.
    places = np.setxor1d(reference.boundaries, hypothesis.boundaries, assume_unique=True)
    wanted = np.isin(places, reference.boundaries, assume_unique=True)
    cost = 0.0  # c(0)
    # Walking adds to every slope above n = 0 and takes from every slope below, so they are kept
    # as they would be at the start of the text; those below negated, for the highest first.
    above: list[float] = []
    below: list[float] = []
    walked_to = (shift * places).tolist()
    for walked, is_wanted in zip(walked_to, wanted.tolist(), strict=True):
        if is_wanted:
            slope = insertion
            if above and above[0] + walked < insertion:
                slope = heappop(above) + walked
            elif above:
                above.clear()
            cost += slope
            heappush(below, -slope - walked)
        else:
            slope = -deletion
            if below and -below[0] - walked > -deletion:
                slope = -heappop(below) - walked
            elif below:
                below.clear()
            cost -= slope
            heappush(above, slope - walked)
    return cost


def generalized_hamming(
    reference: Cut,
    hypothesis: Segmentation | None = None,
    *,
    insertion: float = 2.0,
    deletion: float = 2.0,
    shift: float = 1.0,
) -> SegmentationAgreement:
    """Give the least cost of turning the hypothesis into the reference, boundary by boundary.

    A distance: 0 is perfect, and there is no upper end.

    Parameters
    ----------
    reference
        A segmentation; or instead of two of them a table of several, annotator to segmentation or
        document to such a table; or a continuum or a corpus whose units cover the whole texts.
    hypothesis
        Another segmentation of the same text.
    insertion
        Cost of a boundary that the hypothesis lacks.
    deletion
        Cost of a boundary that it has too much.
    shift
        Cost of moving a boundary by one place.

    Returns
    -------
    SegmentationAgreement
        The cost; of several annotators the mean over ordered pairs, each in turn the reference, of
        several documents the mean over documents of a pair.

    Raises
    ------
    DataError
        The segmentations differ in length, or units are no segmentation.
    SettingError
        A cost is no finite number of 0 or more.

    Notes
    -----
    The distance of [1]_, exact. A boundary is moved by d places where ``shift·d`` is less than
    ``insertion + deletion``. The cost grows with the text and with what is said to cost how much:
    compare values of the same text and the same costs only. To bring it between 0 and 1, divide it
    by what it costs to delete all boundaries of one and insert all of the other.

    Cost: O(b log b) for b boundaries; the full table of the usual program is quadratic.

    References
    ----------
    .. [1] Bookstein, A., Kulyukin, V. A. & Raita, T. (2002). Generalized Hamming distance.
       Information Retrieval 5, 353–375.

    Examples
    --------
    Confirmed by NLTK's ``ghd("1100100000", "1100010000", 1, 1, 0.5)``:

    >>> import unisono as un
    >>> reference = un.Segmentation.from_positions([1, 2, 5], length=11)
    >>> hypothesis = un.Segmentation.from_positions([1, 2, 6], length=11)
    >>> un.generalized_hamming(reference, hypothesis, insertion=1, deletion=1, shift=0.5).value
    0.5
    """
    measure = Moving(insertion, deletion, shift)
    return measured(measure, texts_of(reference, hypothesis))


@dataclass(frozen=True, slots=True)
class Moving:
    """Generalized Hamming distance with its costs."""

    insertion: float
    deletion: float
    shift: float

    name: ClassVar[str] = "generalized_hamming"
    reading: ClassVar[Reading] = "distance"
    corrected: ClassVar[bool] = False
    nothing: ClassVar[str] = "there is no text"

    def __post_init__(self) -> None:
        for cost in ("insertion", "deletion", "shift"):
            check_number(cost, getattr(self, cost), may_be_zero=True)
            object.__setattr__(self, cost, float(getattr(self, cost)))

    @property
    def symmetric(self) -> bool:
        """Whether it is the same in both directions."""
        return self.insertion == self.deletion

    @property
    def settings(self) -> Settings:
        """Its settings, for the signature."""
        costs = ("insertion", "deletion", "shift")
        return tuple((cost, repr(getattr(self, cost)).removesuffix(".0")) for cost in costs)

    def compare(self, reference: Segmentation, hypothesis: Segmentation) -> Compared:
        """Give the cost; the whole is one text."""
        cost = cheapest_shifts(
            reference,
            hypothesis,
            insertion=self.insertion,
            deletion=self.deletion,
            shift=self.shift,
        )
        return Compared(cost, 1)
