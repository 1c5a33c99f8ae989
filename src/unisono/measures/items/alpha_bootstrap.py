"""Krippendorff's own bootstrap of α: not items are drawn again, but pairs of values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unisono.measures.item_draws import ItemDraws, blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.measures.items.alpha import ObservedPairs
    from unisono.model.ratings import Ratings

__all__ = ["krippendorff_resamples"]


def krippendorff_resamples(
    pairs: ObservedPairs, ratings: Ratings, expected: float, *, n: int, seed: int, stream: int
) -> NDArray[np.float64]:
    """Draw α from the deviations of observed pairs of values.

    Parameters
    ----------
    pairs
        The pairs of labels that meet in items, with their distances and numbers.
    ratings
        The ratings they are from.
    expected
        The expected disagreement, which stays as it is.
    n
        How many resamples.
    seed, stream
        What the dice are made from.

    Returns
    -------
    NDArray
        One α for each resample, none below −1.

    Notes
    -----
    An item with m values has m(m − 1)/2 pairs; as many pairs are drawn for it with replacement
    from the pairs of all items, and each lowers α from 1 by 2δ² / (n·De·(m − 1)), n the number of
    pairable values [1]_, as the R package icr carries it out, whose published figures come out
    again. Equal numbers of values are drawn for together, as counts.

    References
    ----------
    .. [1] Krippendorff, K. (2016). Bootstrapping distributions for Krippendorff's alpha.
       University of Pennsylvania.
    """
    distances, place = np.unique(pairs.distances, return_inverse=True)
    numbers = np.zeros(len(distances))
    np.add.at(numbers, place, pairs.counts)
    drawn_from = np.rint(numbers).astype(np.int64)
    sizes = np.diff(ratings.offsets)
    items_of_size = np.bincount(sizes, weights=ratings.times).astype(np.int64)
    n_values = float(sum(m * int(items) for m, items in enumerate(items_of_size) if m >= 2))
    lowered = np.zeros(n)
    for m in np.flatnonzero(items_of_size).tolist():
        if m < 2:
            continue
        size = int(items_of_size[m]) * m * (m - 1) // 2
        draws = ItemDraws(drawn_from, seed, stream, m, size=size)
        for first, count in blocks(n, len(distances)):
            deviations = draws.counts(first, count) @ distances
            lowered[first : first + count] += 2.0 * deviations / (m - 1)
    return np.maximum(1.0 - lowered / (n_values * expected), -1.0)
