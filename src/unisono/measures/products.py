"""Matrix products that are bitwise identical on every processor.

The order of summation in BLAS depends on the processor. Sums of integers below 2⁵³ are exact in any
order: where the left matrix is of integers, such as the number of times that each item was drawn,
the right one is split into two integer matrices, scaled by a power of two per column. Other
products are computed in the kernel, which has a fixed order of summation.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.model.arrays import Floats

__all__ = ["dot", "product"]

# With fewer columns, the splitting takes longer than BLAS saves.
_MANY_COLUMNS = 24
_SMALL = 1 << 12
_DIGITS = 53
_LEAST_BITS = 27  # two of these have the digits of a number
_SMALLEST_EXPONENT = -800


def product(left: NDArray[Any], right: NDArray[Any]) -> Floats:
    """Return Σ_k left[…, k]·right[k, …]."""
    n_rows, n_columns = math.prod(left.shape[:-1]), math.prod(right.shape[1:])
    rows = np.ascontiguousarray(left.reshape(n_rows, left.shape[-1]), np.float64)
    columns = np.ascontiguousarray(right.reshape(len(right), n_columns), np.float64)
    if rows.size * n_columns <= _SMALL:
        # NumPy adds these terms in a fixed order, and the kernel need not be loaded.
        found: Floats = (rows[:, :, None] * columns).sum(axis=1)
    else:
        found = _large_product(rows, columns)
    return found.reshape(left.shape[:-1] + right.shape[1:])


def dot(left: NDArray[Any], right: NDArray[Any]) -> float:
    """Return the dot product of two vectors."""
    return float((left * right).sum())


_ROUNDING = 1e-12
_CORRECTED = 8


def parts_of_sum(parts: Floats, total: float) -> list[float]:
    """Return parts, corrected for rounding so that they sum exactly to a total.

    Sums in another order differ in the last digits. The difference is added to the largest part,
    and what is too small for its precision to the next one. Differences larger than rounding errors
    are not corrected.
    """
    found: list[float] = parts.tolist()
    if abs(parts.sum() - total) <= _ROUNDING * total:
        # Rests too small for the largest parts are far below the precision of the total.
        for place in np.argsort(-parts)[:_CORRECTED].tolist():
            rest = math.fsum((total, *(-part for part in found)))
            if rest == 0.0 or found[place] <= 0.0:
                break
            found[place] += rest
    return found


def _large_product(rows: Floats, columns: Floats) -> Floats:
    from unisono._core import largest_whole_sum, product  # noqa: PLC0415 - for these alone

    reach = largest_whole_sum(rows) if columns.shape[1] >= _MANY_COLUMNS else -1.0
    found = _whole_product(rows, columns, reach)
    return product(rows, columns) if found is None else found


def _whole_product(rows: Floats, columns: Floats, reach: float) -> Floats | None:
    """Return the product for rows of integers, each sum rounded once; None for other rows."""
    if not 0.0 < reach < 2.0 ** (_DIGITS - _LEAST_BITS):
        return None
    largest = np.abs(columns).max(axis=0)
    exponents = np.frexp(largest)[1]
    if not np.isfinite(largest).all() or exponents.min() < _SMALLEST_EXPONENT:
        return None
    bits = _DIGITS - math.ceil(math.log2(reach)) - 1
    high = np.rint(np.ldexp(columns, bits - exponents))
    low = columns - np.ldexp(high, exponents - bits)
    found: Floats = np.ldexp(rows @ high, exponents - bits)
    rest = np.flatnonzero(low.any(axis=0))
    if len(rest):
        places = 2 * bits - exponents[rest]
        whole = np.rint(np.ldexp(low[:, rest], places))
        found[:, rest] += np.ldexp(rows @ whole, -places)
    return found
