"""Units of simulated annotators while errors are made, as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.model.arrays import Codes, Floats, Integers

__all__ = ["Marks", "how_many"]


class Marks(NamedTuple):
    """Units in no particular order, each with its annotator and where it comes from."""

    annotator: Integers
    start: Floats
    end: Floats
    label: Codes
    origin: Integers
    """Which row of the reference it was; −1, −2, … for units that were added."""
    moved: NDArray[np.bool_]
    piece: NDArray[np.bool_]
    """Whether it is a part of a unit that was split."""

    def chosen(self, rows: NDArray[np.bool_] | Integers) -> Marks:
        """Keep some units."""
        return Marks._make(column[rows] for column in self)

    def with_more(self, more: Marks) -> Marks:
        """Put other units after these."""
        columns: Any = zip(self, more, strict=True)
        return Marks._make(np.concatenate(both) for both in columns)


def how_many(wished: Floats, roll: Floats) -> Integers:
    """Round so many errors to a whole number whose mean is exactly what was wished."""
    return np.floor(wished + roll).astype(np.int64)
