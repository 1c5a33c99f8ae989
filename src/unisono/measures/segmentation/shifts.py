"""The cheapest way to turn one segmentation into another by inserting, deleting and shifting."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from unisono.model.segmentation import Segmentation

__all__ = ["cheapest_shifts"]


def cheapest_shifts(
    reference: Segmentation,
    hypothesis: Segmentation,
    *,
    insertion: float,
    deletion: float,
    shift: float,
) -> float:
    """Give the least cost of turning the hypothesis into the reference; exact.

    Parameters
    ----------
    reference, hypothesis
        Equally long.
    insertion, deletion
        Cost of a boundary that the hypothesis lacks, or has too much.
    shift
        Cost of moving a boundary by one place.

    Notes
    -----
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
