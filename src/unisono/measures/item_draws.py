"""Resamples of items: how often each kind of item is drawn, out of as many as there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unisono.measures.dice import Dice
from unisono.measures.sampling import binomials

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["ItemDraws", "blocks"]

# Numbers that stand in memory at once: 16 MB as floats.
_BLOCK = 2**21
# Up to so many draws of a row it is quicker to draw items one by one.
_ONE_BY_ONE = 32.0
# Up to so many items a list of the row of each is kept; otherwise rows are searched for.
_LISTED = 2**24
# Items that are drawn in one go: few enough that they stay close to the processor.
_AT_ONCE = 2**14


class ItemDraws:
    """Draws of items with replacement, as counts of the rows they look like.

    Parameters
    ----------
    times
        How many items each row stands for.
    seed
        What the dice are made from.
    stream
        What the draws are for, so that different uses of a seed have different dice.
    size
        How many items a resample has; as many as there are by default.

    Notes
    -----
    Resample i uses dice of its own, so it is the same whichever others are made with it. Rows that
    are drawn often get their count from binomial numbers, halving the rows again and again; the
    items of the other rows are drawn one by one.

    Examples
    --------
    >>> import numpy as np
    >>> draws = ItemDraws(np.array([2, 1, 3]), seed=7)
    >>> draws.counts(0, 2)
    array([[2., 0., 4.],
           [4., 2., 0.]])
    >>> draws.counts(1, 1)
    array([[4., 2., 0.]])
    """

    def __init__(
        self, times: NDArray[np.int64], seed: int, *stream: int, size: int | None = None
    ) -> None:
        self.rows = len(times)
        self.size = int(times.sum()) if size is None else size
        self._seed, self._stream = seed, stream
        often = times * (self.size / max(int(times.sum()), 1)) >= _ONE_BY_ONE
        self._often = np.nonzero(often)[0]
        self._seldom = np.nonzero(~often & (times > 0))[0]
        self._ends = np.cumsum(times[self._seldom])
        self._items: NDArray[np.int64] | None = None
        items = int(self._ends[-1]) if len(self._ends) else 0
        if items <= _LISTED and items > len(self._seldom):
            self._items = np.repeat(self._seldom, times[self._seldom])
        # A binary tree: the rows drawn often, and one leaf for all the others together.
        leaves = np.append(times[self._often], items)
        width = 1 << (len(leaves) - 1).bit_length()
        level = np.zeros(width)
        level[: len(leaves)] = leaves
        self._shares: list[NDArray[np.float64]] = []
        while len(level) > 1:
            pairs = level.reshape(-1, 2)
            level = pairs.sum(axis=1)
            left = np.divide(pairs[:, 0], level, out=np.zeros(len(level)), where=level > 0)
            self._shares.insert(0, left)

    def counts(self, first: int, count: int) -> NDArray[np.float64]:
        """Give resamples × rows, of the resamples from `first` on."""
        dice = [Dice(self._seed, *self._stream, first + i) for i in range(count)]
        drawn = np.zeros((count, self.rows))
        nodes = np.full((count, 1), self.size, dtype=np.int64)
        for share in self._shares:
            left = binomials(nodes, share, dice)
            nodes = np.stack([left, nodes - left], axis=2).reshape(count, -1)
        often = len(self._often)
        drawn[:, self._often] = nodes[:, :often]
        for i, left in enumerate(nodes[:, often].tolist()):
            for done in range(0, left, _AT_ONCE):
                np.add.at(drawn[i], self._some_rows(dice[i], min(_AT_ONCE, left - done)), 1.0)
        return drawn

    def _some_rows(self, dice: Dice, count: int) -> NDArray[np.int64]:
        items = int(self._ends[-1])
        if items > _LISTED:
            places = np.minimum((dice.roll(count) * items).astype(np.int64), items - 1)
            return self._seldom[np.searchsorted(self._ends, places, side="right")]
        places = dice.below(items, count)
        return self._seldom[places] if self._items is None else self._items[places]


def blocks(count: int, rows: int) -> Iterator[tuple[int, int]]:
    """Cut resamples into blocks (first, how many) that stay small in memory.

    Examples
    --------
    >>> list(blocks(1000, 5000))
    [(0, 419), (419, 419), (838, 162)]
    """
    step = max(1, min(count, _BLOCK // max(rows, 1)))
    for first in range(0, count, step):
        yield first, min(step, count - first)
