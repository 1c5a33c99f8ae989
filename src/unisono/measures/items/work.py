"""The ratings of one call, and what several coefficients need of them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.measures.items.coefficient import Met
from unisono.measures.items.missing import pairable
from unisono.measures.items.rows import Rows, numbered, weighted_counts
from unisono.model.ratings import Ratings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unisono.measures.items.coefficient import Meetings
    from unisono.measures.items.missing import MissingPolicy
    from unisono.model.arrays import Floats


class TwoAnnotators(NamedTuple):
    """The values of two annotators alone: who they are, and rows that stand for equal items."""

    names: tuple[str, str]
    rows: Rows
    times: Floats


class Work:
    """The ratings of one call, and what several coefficients need of them.

    Parameters
    ----------
    ratings
        The ratings.
    merge
        Whether equal items are counted together, in an order that does not depend on that of
        the data.
    """

    def __init__(self, ratings: Ratings, *, merge: bool = True) -> None:
        if not isinstance(ratings, Ratings):
            msg = f"agreement on items is measured on Ratings, not {type(ratings).__name__}"
            raise TypeError(msg)
        self._given = ratings
        self.ratings = ratings.merged() if merge else ratings
        self.rows = Rows.of(self.ratings)
        self.times: Floats = self.ratings.times.astype(np.float64)
        self._pairs: dict[bool, list[TwoAnnotators]] = {}

    @property
    def digest(self) -> str:
        """The digest of the ratings."""
        return self._given.digest

    @cached_property
    def silent(self) -> tuple[str, ...]:
        """The annotators who rated nothing."""
        rated = np.bincount(self.rows.annotator_codes, minlength=self.rows.n_annotators)
        return tuple(name for name, n in zip(self.ratings.annotators, rated, strict=True) if not n)

    @cached_property
    def raters(self) -> tuple[str, ...]:
        """The annotators who rated something."""
        return tuple(name for name in self.ratings.annotators if name not in set(self.silent))

    @property
    def n_rating(self) -> int:
        """How many annotators rated something."""
        return self.rows.n_annotators - len(self.silent)

    @cached_property
    def label_counts(self) -> Floats:
        """How often each label was given."""
        weights = self.rows.along(self.times)
        return weighted_counts(self.rows.label_codes, weights, len(self.rows.labels))

    def unequal(self) -> bool:
        """Say whether items differ in how many values they have."""
        return bool(len(np.unique(self.rows.sizes)) > 1)

    def pairs(self, missing: MissingPolicy) -> list[TwoAnnotators]:
        """Give the values of each two annotators who share an item."""
        complete = missing == "remove"
        if complete not in self._pairs:
            chosen = pairable(self.rows, missing) if complete else self.rows.sizes > 0
            self._pairs[complete] = list(self._two_by_two(chosen))
        return self._pairs[complete]

    def _two_by_two(self, chosen: NDArray[np.bool_]) -> Iterator[TwoAnnotators]:
        rows, n_labels = self.rows, len(self.rows.labels)
        met = Met(rows, chosen)
        found = [self._cells(block, len(met.annotators)) for block in met.blocks()]
        cells, places = numbered(
            np.concatenate([keys for keys, _ in found] or [np.zeros(0, dtype=np.int64)]),
            len(met.annotators) * n_labels**2,
        )
        shared = weighted_counts(
            places, np.concatenate([weights for _, weights in found] or [np.zeros(0)]), len(cells)
        )
        pairs, labels = np.divmod(cells, max(n_labels, 1) ** 2)
        starts = np.searchsorted(pairs, np.arange(len(met.annotators) + 1))
        values = np.flatnonzero(rows.along(chosen.astype(np.float64)))
        keys = rows.annotator_codes[values].astype(np.int64) * n_labels + rows.label_codes[values]
        given = weighted_counts(
            keys, rows.along(self.times)[values], rows.n_annotators * n_labels
        ).reshape(rows.n_annotators, n_labels)
        for number, codes in enumerate(met.annotators):
            here = slice(starts[number], starts[number + 1])
            left, right = np.divmod(labels[here], n_labels)
            alone = [
                given[code] - weighted_counts(side, shared[here], n_labels)
                for code, side in zip(codes, (left, right), strict=True)
            ]
            yield self._two(codes, left, right, shared[here], alone)

    def _cells(self, block: Meetings, n_pairs: int) -> tuple[NDArray[np.int64], Floats]:
        """Count the items of each pair of annotators and of labels."""
        n_labels = len(self.rows.labels)
        keys = (block.pairs * n_labels + block.left) * n_labels + block.right
        cells, places = numbered(keys, n_pairs * n_labels**2)
        return cells, weighted_counts(places, self.times[block.rows], len(cells))

    def _two(
        self,
        codes: NDArray[np.int64],
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        shared: Floats,
        alone: list[Floats],
    ) -> TwoAnnotators:
        """Make rows of two values, and of one where only one of the two has a value."""
        ones = [np.flatnonzero(each > 0.0) for each in alone]
        n_alone = sum(map(len, ones))
        sizes = np.repeat([2, 1], [len(left), n_alone])
        both = np.column_stack((left, right)).ravel()
        rows = Rows(
            self.rows.labels,
            2,
            self.rows.anonymous,
            np.concatenate(([0], np.cumsum(sizes))),
            np.concatenate(
                (np.tile([0, 1], len(left)), np.repeat([0, 1], list(map(len, ones))))
            ).astype(np.int32),
            np.concatenate((both, *ones)).astype(np.int32),
        )
        times = np.concatenate(
            (shared, *(each[chosen] for each, chosen in zip(alone, ones, strict=True)))
        )
        first, second = (self.ratings.annotators[code] for code in codes)
        return TwoAnnotators((first, second), rows, times)
