"""Numbers as somebody printed them: their digits say how near another value must come."""

from __future__ import annotations

import math
from decimal import Decimal

ROUNDING = 1e-9  # of a last digit: where a value lies exactly between two that could be printed


def tolerance_of(printed: str, *, cut: bool = False) -> float:
    """Half of the last digit, or all of it where digits were cut off instead of rounded."""
    exponent = Decimal(printed).as_tuple().exponent
    assert isinstance(exponent, int)
    return (1.0 if cut else 0.5) * 10.0**exponent


def agrees(value: float | None, printed: str, *, cut: bool = False) -> bool:
    """Whether a value could have been printed like this."""
    if value is None or math.isnan(value):
        return False
    tolerance = tolerance_of(printed, cut=cut)
    return abs(value - float(printed)) <= tolerance * (1.0 + ROUNDING) + 1e-12
