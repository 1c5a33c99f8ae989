"""What draws came to, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from unisono.model.arrays import Floats

__all__ = ["DrawScores"]


class DrawScores(NamedTuple):
    """What the draws came to, one entry a draw, in the user's units."""

    disorders: Floats
    lower_bounds: Floats
    proven: NDArray[np.bool_]
    label_disorder: Floats
    label_weight: Floats
    label_disorder_of: Floats
    label_weight_of: Floats
    redrawn: int

    @classmethod
    def joined(cls, parts: Iterable[DrawScores]) -> DrawScores:
        """Put the scores of successive draws together."""
        *columns, redrawn = (list(column) for column in zip(*parts, strict=True))
        joined: list[Any] = [np.concatenate(column) for column in columns]
        return cls._make([*joined, sum(redrawn)])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give everything as arrays by name."""
        return self._asdict() | {"redrawn": np.array([self.redrawn])}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> DrawScores:
        """Take arrays by name, as `arrays` gave them."""
        scores = cls._make(arrays[name] for name in cls._fields)
        return scores._replace(redrawn=int(arrays["redrawn"][0]))
