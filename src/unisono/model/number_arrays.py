"""Arrays of numbers as labels: distinct ones in order, and the place of each, block by block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unisono.model.arrays import Codes, Floats


_MISSING = -1
# Beyond, two whole numbers may be the same float.
_EXACT = 2.0**53
# So many numbers at a time stay in the processor's cache: twice as quick as all at once.
_BLOCK = 2**15


class Numbers(Sequence[int | float]):
    """Distinct finite numbers in their order, each Python's own only when it is asked for.

    Millions of measurements as objects take longer to make than to measure.

    Parameters
    ----------
    floats
        The numbers.

    Examples
    --------
    >>> import numpy as np
    >>> tuple(Numbers(np.array([-0.5, 2.0])))
    (-0.5, 2)
    """

    __slots__ = ("floats",)

    def __init__(self, floats: Floats) -> None:
        self.floats = floats + 0.0  # of two zeros one
        self.floats.flags.writeable = False

    def __len__(self) -> int:
        return len(self.floats)

    @overload
    def __getitem__(self, place: int) -> int | float: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[int | float, ...]: ...
    def __getitem__(self, place: int | slice) -> int | float | tuple[int | float, ...]:
        chosen = _plain(np.atleast_1d(self.floats[place]))
        return tuple(chosen) if isinstance(place, slice) else chosen[0]

    def __iter__(self) -> Iterator[int | float]:
        return iter(_plain(self.floats))

    def __reduce__(self) -> tuple[type[Numbers], tuple[Floats]]:
        # By way of __init__, because arrays come out of a pickle writeable.
        return Numbers, (self.floats,)

    def exact(self) -> Floats | None:
        """Give the numbers as floats, if no other whole number has the same float."""
        ends = np.abs(self.floats[[0, -1]]) if len(self.floats) else self.floats
        return self.floats if (ends < _EXACT).all() else None


class Numbered(NamedTuple):
    """The distinct numbers in their order, and the place of each cell's, −1 where it is missing."""

    values: tuple[int | float, ...] | Numbers
    codes: Codes


def numbered_cells(cells: NDArray[Any]) -> Numbered | None:
    """Give codes to an array of numbers, NaN being missing.

    Parameters
    ----------
    cells
        One axis, of any type.

    Returns
    -------
    Numbered
        Whole floats are integers among its values. `None` where cells are no numbers, or some
        are infinite and no labels.
    """
    # Numbers of 80 bits, which may be infinite as floats, and of 64 without a sign: one by one.
    if cells.dtype.kind not in "iuf" or cells.dtype == np.uint64 or cells.itemsize > 8:
        return None
    if not len(cells):
        return None
    span = _whole_span(cells)
    if span is not None and span[1] - span[0] <= 4 * len(cells) + 1024:
        return _counted(cells, *span)
    return _in_order(cells)


def _blocks(cells: NDArray[Any]) -> Iterator[tuple[slice, NDArray[Any]]]:
    kind = np.float64 if cells.dtype.kind == "f" else np.int64
    for start in range(0, len(cells), _BLOCK):
        here = slice(start, start + _BLOCK)
        yield here, cells[here].astype(kind, copy=False)


def _whole_span(cells: NDArray[Any]) -> tuple[int, int] | None:
    """Give the lowest and the highest number; nothing if one is not whole or not exact."""
    low, high = np.inf, -np.inf
    if cells.dtype.kind != "f":
        low, high = int(cells.min()), int(cells.max())
    else:
        for _, block in _blocks(cells):
            whole = np.floor(block) == block
            if not whole.all() and not (whole | np.isnan(block)).all():
                return None
            low = min(low, float(np.fmin.reduce(block, initial=np.inf)))
            high = max(high, float(np.fmax.reduce(block, initial=-np.inf)))
    return (int(low), int(high)) if -_EXACT <= low <= high <= _EXACT else None


def _counted(cells: NDArray[Any], low: int, high: int) -> Numbered:
    """Give codes to whole numbers that lie close together, which need no sorting."""
    codes = np.empty(len(cells), dtype=np.int32)
    seen = np.zeros(high - low + 2, dtype=bool)  # the first for what is missing
    for here, block in _blocks(cells):
        shifted = block - (low - 1)
        if cells.dtype.kind == "f":
            shifted[np.isnan(block)] = 0
        codes[here] = shifted
        seen[codes[here]] = True
    seen[0] = False
    place = np.cumsum(seen, dtype=np.int32) - np.int32(1)
    for here, block in _blocks(codes):
        codes[here] = place[block]
    return Numbered(tuple((np.flatnonzero(seen) + (low - 1)).tolist()), codes)


def _in_order(cells: NDArray[Any]) -> Numbered | None:
    """Give codes to numbers that have to be sorted."""
    numbers = cells.astype(np.float64, copy=False) if cells.dtype.kind == "f" else cells
    order = np.argsort(numbers)
    in_order = numbers[order]
    if cells.dtype.kind == "f":
        # What is NaN stands last.
        n_present = int(np.searchsorted(in_order, np.nan))
        order, in_order = order[:n_present], in_order[:n_present]
        if not np.isfinite(in_order[[0, -1]] if n_present else in_order).all():
            return None
    new = np.ones(len(in_order), dtype=bool)
    np.not_equal(in_order[1:], in_order[:-1], out=new[1:])
    if new.all():
        distinct, places = in_order, np.arange(len(in_order), dtype=np.int32)
    else:
        distinct, places = in_order[new], np.cumsum(new, dtype=np.int32) - np.int32(1)
    codes = np.full(len(cells), _MISSING, dtype=np.int32)
    codes[order] = places
    if cells.dtype.kind == "f":
        return Numbered(Numbers(distinct), codes)
    return Numbered(tuple(distinct.tolist()), codes)


def _plain(floats: Floats) -> list[int | float]:
    """Give Python's own numbers, whole ones as integers."""
    values: list[int | float] = floats.tolist()
    for place in np.flatnonzero(np.floor(floats) == floats).tolist():
        values[place] = int(values[place])
    return values
