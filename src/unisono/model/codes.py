"""Columns of labels and other values as codes: distinct values, and a number for each row."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from decimal import Decimal
from itertools import islice
from operator import lt
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeGuard, TypeVar, overload

import numpy as np

from unisono.errors import DataError
from unisono.model.columns import as_list, as_name, is_plain_column
from unisono.model.labels import Label, as_label, is_too_long, label_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import narwhals as nw
    from numpy.typing import NDArray

    from unisono.model.arrays import Codes, Floats, Integers

    Column = Iterable[object] | nw.Series[Any]


_T = TypeVar("_T", bound=Hashable)
# Equal values of these types are equal labels; of others they need not be (True == 1).
_PLAIN_TYPES = frozenset({str, int, float, type(None)})
# Beyond, two whole numbers may be the same float.
_EXACT = 2.0**53
MISSING = -1


class Coded(NamedTuple, Generic[_T]):
    """A column as numbers: the distinct values in their order, and the place of each row's."""

    values: tuple[_T, ...]
    codes: Integers  # MISSING where a row has none


def coded_labels(column: Column, separator: str | None = None) -> Coded[Label]:
    """Give numbers to a column of labels; what is missing stays missing."""
    if separator is None:
        return _coded(column, "label", as_label, label_order, own_forms=True)
    return _coded(column, "label", lambda value: _members(value, separator), label_order)


def coded_annotators(column: Column) -> Coded[str]:
    """Give numbers to a column of annotators; everyone has a name."""
    return _coded(column, "annotator", lambda value: as_name(value, "an annotator"), str)


def coded_items(column: Column) -> Coded[Hashable]:
    """Give numbers to a column of items; every item has a name, any value that can be looked up."""
    return _coded(column, "item", as_item, item_order, own_forms=True)


def as_item(value: object) -> Hashable:
    """Give the name of an item one form: numpy scalars and whole floats as Python's integers."""
    if isinstance(value, np.generic):
        value = value.item()
    name: Hashable
    if value is None or isinstance(value, str | int | float):
        name = as_label(value)
    elif type(value).__name__ in {"NAType", "NaTType"}:
        name = None
    elif _has_hash(value):
        name = value
    else:
        kind = type(value).__name__
        msg = f"an item is named by text, a number or a tuple of them; got {value!r} of type {kind}"
        raise TypeError(msg)
    if name is None:
        msg = f"an item needs a name; got {value!r}"
        raise DataError(msg)
    return name


def item_order(item: Hashable) -> tuple[int, Any]:
    """Sort items of any kind: numbers, strings, then others by how they are written."""
    if isinstance(item, str):
        return 2, item
    if isinstance(item, int | float):
        return 1, item
    return 3, f"{type(item).__name__} {item!r}"


def renumbered(
    codes: Integers, normals: Sequence[_T | None], order: Callable[[_T], Any]
) -> Coded[_T]:
    """Renumber values by their order, equal ones as one and `None` as missing."""
    distinct = {value for value in normals if value is not None}
    kinds = set(map(type, distinct))
    plain = kinds <= {int, float} or kinds == {str}
    values: list[_T] = sorted(distinct) if plain else sorted(distinct, key=order)  # type: ignore[type-var]
    place: dict[_T | None, int] = {value: code for code, value in enumerate(values)}
    place[None] = MISSING
    places = np.fromiter(map(place.__getitem__, normals), np.int64, count=len(normals))
    return Coded(tuple(values), _replaced(codes, places))


def _plain_codes(values: Sequence[object], codes: Integers) -> Coded[Any] | None:
    """Renumber distinct values that are their own normal form; nothing if some are not.

    A million values are then sorted without a look at each.
    """
    kinds = set(map(type, values))
    if float in kinds:
        if not kinds <= {int, float} or not _all_finite(values):
            return None
        values = [int(each) if each == int(each) else each for each in values]  # type: ignore[call-overload]
    elif kinds == {str}:
        if "" in values:
            return None
    elif kinds != {int} or is_too_long(min(values)) or is_too_long(max(values)):  # type: ignore[type-var,arg-type]
        return None
    if all(map(lt, values, islice(values, 1, None))):  # type: ignore[arg-type]
        return Coded(tuple(values), codes)
    in_order = sorted(range(len(values)), key=values.__getitem__)  # type: ignore[arg-type]
    places = np.empty(len(values), dtype=np.int64)
    places[in_order] = np.arange(len(values))
    return Coded(tuple(map(values.__getitem__, in_order)), _replaced(codes, places))


def _replaced(codes: Integers, places: Integers) -> Integers:
    # What is missing has the code −1, which means the last place.
    replaced: Integers = np.append(places, MISSING)[codes]
    return replaced


def _all_finite(values: Sequence[object]) -> bool:
    try:
        return bool(np.isfinite(np.array(values, dtype=np.float64)).all())
    except OverflowError:
        return False


def _coded(
    column: Column,
    what: str,
    normal: Callable[[object], _T | None],
    order: Callable[[_T], Any],
    *,
    own_forms: bool = False,  # whether most texts and numbers are their own normal form
) -> Coded[_T]:
    values, codes = _distinct(column, what)
    if codes is None:
        # Lists cannot be looked up, and True would be taken for 1: bring each to its form first.
        normals = _normals(values, normal, int)
        distinct, codes = _looked_up(normals)
        return renumbered(codes, distinct, order)  # type: ignore[arg-type]
    if (codes == MISSING).any():
        # Names object to a missing value; labels do not.
        _normals([None], normal, lambda _: int(np.argmax(codes == MISSING)))
    if own_forms and (plain := _plain_codes(values, codes)) is not None:
        return plain
    normals = _normals(values, normal, lambda code: int(np.argmax(codes == code)))
    return renumbered(codes, normals, order)


def _normals(
    values: Sequence[object],
    normal: Callable[[object], _T | None],
    row_of: Callable[[int], int],
) -> list[_T | None]:
    normals = []
    for number, value in enumerate(values):
        try:
            normals.append(normal(value))
        except (DataError, TypeError) as error:
            msg = f"row {row_of(number)}: {error}"
            raise type(error)(msg) from None
    return normals


def _members(value: object, separator: str) -> Label | None:
    if not isinstance(value, str):
        label = as_label(value)
        return label if label is None or isinstance(label, frozenset) else frozenset({label})
    if not value.strip():
        return None
    return frozenset(filter(None, map(str.strip, value.split(separator))))


def _has_hash(value: object) -> TypeGuard[Hashable]:
    # A tuple is hashable by its type, but not one that holds a list.
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _distinct(column: Column, what: str) -> tuple[Sequence[object], Integers | None]:
    """Give the distinct values and each row's; no codes when values must be normalised first."""
    if hasattr(column, "to_native") and hasattr(column, "dtype"):
        return _distinct_of_series(column)
    if is_plain_column(column) and (quick := _distinct_of_array(column)) is not None:
        return quick
    return _distinct_of_list(as_list(column, what))


def _distinct_of_list(values: list[object]) -> tuple[Sequence[object], Integers | None]:
    if set(map(type, values)) <= _PLAIN_TYPES:
        return _looked_up(values)
    return values, None


def _looked_up(values: list[Any]) -> tuple[Sequence[object], Integers]:
    distinct = list(dict.fromkeys(values))
    place = dict(zip(distinct, range(len(distinct)), strict=True))
    return distinct, np.fromiter(map(place.__getitem__, values), np.int64, count=len(values))


def _distinct_of_series(series: Any) -> tuple[Sequence[object], Integers | None]:  # noqa: ANN401 (narwhals is not imported here)
    import narwhals as nw  # noqa: PLC0415 (slow to import, and only who has frames needs it)

    kind = series.dtype
    if kind.is_decimal():
        return _distinct_of_list([without_decimals(value) for value in series.to_list()])
    if not (
        kind.is_numeric() or isinstance(kind, nw.String | nw.Boolean | nw.Categorical | nw.Enum)
    ):
        return _distinct_of_list(series.to_list())
    missing = series.is_null()
    if not missing.any():
        return _distinct_present(series)
    codes = np.full(len(series), MISSING, dtype=np.int64)
    values, codes[~missing.to_numpy()] = _distinct_present(series.filter(~missing))
    return values, codes


def _distinct_present(series: Any) -> tuple[Sequence[object], Integers]:  # noqa: ANN401 (the same)
    import narwhals as nw  # noqa: PLC0415 (the same)

    kind = series.dtype
    # Of nothing some engines cannot look up anything, and of 128 bits numpy has no numbers.
    if len(series) == 0 or isinstance(kind, nw.Int128 | nw.UInt128):
        return _looked_up(series.to_list())
    if kind.is_numeric() or isinstance(kind, nw.Boolean):
        return _distinct_of_array(np.asarray(series.to_numpy())) or _looked_up(series.to_list())
    texts = series.cast(nw.String())
    # The engine of the frame sorts text and looks it up ten times quicker than Python does.
    values = texts.unique().sort().to_list()
    codes = texts.replace_strict(values, list(range(len(values))), return_dtype=nw.Int64())
    return values, np.asarray(codes.to_numpy(), dtype=np.int64)


def without_decimals(value: object) -> object:
    """Give a decimal number as an integer, or where it is none as a float."""
    if not isinstance(value, Decimal):
        return value
    return int(value) if value == value.to_integral_value() else float(value)


def _distinct_of_array(array: NDArray[Any]) -> tuple[Sequence[object], Integers] | None:
    """Give numbers to an array of numbers; nothing for arrays of other things."""
    if array.dtype.kind == "b":
        numbers, codes = _distinct_whole(array.astype(np.int64))
        return [bool(number) for number in numbers], codes
    if array.dtype.kind in "iu":
        return _distinct_whole(array)
    if array.dtype.kind != "f":
        return None
    missing = np.isnan(array)
    codes = np.full(len(array), MISSING, dtype=np.int64)
    with np.errstate(over="ignore"):  # infinite, as a number of 80 bits may become, is refused
        present = array[~missing].astype(np.float64, copy=False)
    if (np.abs(present) <= _EXACT).all() and (np.floor(present) == present).all():
        values, codes[~missing] = _distinct_whole(present.astype(np.int64))
        return values, codes
    distinct, codes[~missing] = np.unique(present, return_inverse=True)
    return distinct.tolist(), codes


def _distinct_whole(array: NDArray[Any]) -> tuple[Sequence[object], Integers]:
    if len(array) == 0:
        return [], np.empty(0, dtype=np.int64)
    low, high = int(array.min()), int(array.max())
    if array.dtype == np.uint64 or high - low > 4 * len(array) + 1024:
        distinct, codes = np.unique(array, return_inverse=True)
        return distinct.tolist(), codes.astype(np.int64)
    # Numbers that lie close together are counted, not sorted: five times as quick.
    shifted = array.astype(np.int64) - low
    seen = np.zeros(high - low + 1, dtype=bool)
    seen[shifted] = True
    place = np.cumsum(seen, dtype=np.int64) - 1
    return (np.flatnonzero(seen) + low).tolist(), place[shifted]


_MISSING = -1
# So many numbers at a time stay in the processor's cache: twice as quick as all at once.
_BLOCK = 2**15


class Numbers(Sequence[int | float]):
    """Distinct finite numbers in their order, each Python's own only when it is asked for.

    Millions of measurements as objects take longer to make than to measure.
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
    """Give codes to an array of numbers, NaN being missing."""
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
