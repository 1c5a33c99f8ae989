"""Ratings with a row for every item, as experiments need that change items one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unisono.model.rating_tables import Tabulated
from unisono.model.ratings import ratings_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.model.ratings import Ratings

__all__ = ["each_item", "thinned"]


def each_item(ratings: Ratings) -> Ratings:
    """Give every item a row of its own, in an order that depends on the content only.

    Parameters
    ----------
    ratings
        Any ratings.

    Examples
    --------
    >>> import unisono as un
    >>> each_item(un.Ratings.from_matrix([["b", "a", "b"], ["b", "a", "b"]]).merged()).matrix()
    array([[0, 0],
           [1, 1],
           [1, 1]], dtype=int32)
    """
    merged = ratings.merged()
    rows = np.repeat(np.arange(len(merged.times)), merged.times)
    sizes = np.diff(merged.offsets)[rows]
    ends = np.cumsum(sizes)
    # Where each rating stands in the merged table: its row's first, and on from there.
    taken = np.arange(int(sizes.sum())) + np.repeat(merged.offsets[rows] - (ends - sizes), sizes)
    return _with_rows(merged, sizes, merged.annotator_codes[taken], merged.label_codes[taken])


def thinned(items: Ratings, kept: NDArray[np.bool_]) -> Ratings:
    """Leave out some ratings; items without any go, labels stay.

    Parameters
    ----------
    items
        Ratings with a row for every item.
    kept
        For each rating whether it stays.

    Examples
    --------
    >>> import numpy as np
    >>> import unisono as un
    >>> items = un.Ratings.from_matrix([["b", "a"], ["b", "a"]])
    >>> thinned(items, np.array([True, False, True, True])).matrix().tolist()
    [[1, -1], [0, 0]]
    """
    sizes = np.bincount(items.row_numbers[kept], minlength=len(items.times))
    return _with_rows(items, sizes[sizes > 0], items.annotator_codes[kept], items.label_codes[kept])


def _with_rows(
    like: Ratings,
    sizes: NDArray[np.int64],
    annotator_codes: NDArray[np.int32],
    label_codes: NDArray[np.int32],
) -> Ratings:
    offsets = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return ratings_of(
        Tabulated(
            annotators=like.annotators,
            labels=like.labels,
            items=None,
            offsets=offsets,
            annotator_codes=annotator_codes,
            label_codes=label_codes,
            times=np.ones(len(sizes), dtype=np.int64),
            anonymous=like.anonymous,
        )
    )
