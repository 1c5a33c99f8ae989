"""Array types of columns, and read-only arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Codes: TypeAlias = NDArray[np.int32]
Booleans: TypeAlias = NDArray[np.bool_]

_Number = TypeVar("_Number", np.int64, np.float64, np.bool_)


def read_only(values: ArrayLike, kind: type[_Number]) -> NDArray[_Number]:
    """Return the values as a contiguous read-only array."""
    if (
        isinstance(values, np.ndarray)
        and values.dtype == kind
        and values.flags.c_contiguous
        and not values.flags.writeable
    ):
        return values
    array: NDArray[_Number] = np.array(values, dtype=kind, order="C")
    array.setflags(write=False)
    return array
