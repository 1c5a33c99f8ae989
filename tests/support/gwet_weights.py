"""The weights of Gwet (2014) for partial agreement, written down from their definitions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = ("linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar")


def _raw(name: str, values: Sequence[float], c: float, k: float) -> float:
    """Disagreement of two categories, not yet divided by the largest."""
    low, high = min(values), max(values)
    match name:
        case "linear":
            return abs(c - k)
        case "quadratic":
            return (c - k) ** 2
        case "radical":
            return math.sqrt(abs(c - k))
        case "ratio":
            return ((c - k) / (c + k)) ** 2
        case "circular":
            return math.sin(math.pi * (c - k) / (high - low + 1)) ** 2
        case "bipolar":
            return 0.0 if c == k else (c - k) ** 2 / ((c + k - 2 * low) * (2 * high - c - k))
        case "ordinal":
            # Pairs of categories among those from c to k.
            return float(math.comb(sum(min(c, k) <= v <= max(c, k) for v in values), 2))
    raise ValueError(name)


def distances(name: str, values: Sequence[float]) -> list[list[float]]:
    """Return 1 − weight for each two of some categories that are numbers."""
    table = [[_raw(name, values, c, k) for k in values] for c in values]
    most = max(max(row) for row in table)
    return [[cell / most for cell in row] for row in table]
