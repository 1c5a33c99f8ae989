"""Between which values a number lies for certain."""

from __future__ import annotations

from typing import Any, NamedTuple

from unisono.results.record import plain_number

__all__ = ["Bounds"]


class Bounds(NamedTuple):
    """The least and the largest that a value can be, by proof and not by probability.

    Examples
    --------
    >>> from unisono.results.bounds import Bounds
    >>> Bounds(0.71, 0.74)
    Bounds(low=0.71, high=0.74)
    """

    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """Give the bounds as plain data; an infinite one is ``None``.

        Examples
        --------
        >>> from unisono.results.bounds import Bounds
        >>> Bounds(0.25, 0.5).to_dict()
        {'low': 0.25, 'high': 0.5}
        """
        return {"low": plain_number(self.low), "high": plain_number(self.high)}
