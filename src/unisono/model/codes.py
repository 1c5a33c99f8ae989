"""Columns of labels, names and items as integer codes: the distinct values, and a code per row."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from decimal import Decimal
from itertools import islice
from operator import lt
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeGuard, TypeVar, overload

import numpy as np

from unisono.errors import DataError
from unisono.model.labels import Label, as_label, is_too_long, label_order

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    import narwhals as nw
    from numpy.typing import NDArray

    from unisono.model.arrays import Codes, Floats, Integers

    Column = Iterable[object] | nw.Series[Any]


_T = TypeVar("_T", bound=Hashable)
# Equal values of these types are equal labels; of others they need not be (True == 1).
_PLAIN_TYPES = frozenset({str, int, float, type(None)})
# Above this, distinct whole numbers may be the same float.
_EXACT = 2.0**53
MISSING = -1


def as_name(value: object, what: str) -> str:
    """Return the name of an annotator or a document; whole numbers are converted to text."""
    try:
        name = as_label(value)
    except (TypeError, DataError):
        if isinstance(value, int):  # too long for an error message
            raise
        name = frozenset()
    if isinstance(name, int):
        return str(name)
    if isinstance(name, str) and name.strip():
        return name
    if name is None or isinstance(name, str):
        msg = f"{what} needs a name; got {value!r}"
        raise DataError(msg)
    kind = type(value).__name__
    msg = f"the name of {what} must be text or a whole number; got {value!r} of type {kind}"
    raise TypeError(msg)


def as_names(values: Iterable[object], what: str) -> tuple[str, ...]:
    """Return the distinct names, sorted."""
    if isinstance(values, str) or not is_several(values):
        msg = f"{what}s must be a sequence of names, such as a tuple; got {values!r}"
        raise TypeError(msg)
    return tuple(sorted({as_name(value, what) for value in values}))


def is_several(values: object) -> TypeGuard[Iterable[object]]:
    """Return whether a value can be iterated; a zero-dimensional array cannot."""
    return hasattr(values, "__iter__") and not (isinstance(values, np.ndarray) and not values.ndim)


def is_plain_column(column: object) -> TypeGuard[NDArray[Any]]:
    """Return whether a column is a one-dimensional array without masked values."""
    return isinstance(column, np.ndarray) and column.ndim == 1 and not np.ma.isMaskedArray(column)


def as_list(column: Iterable[object], what: str) -> list[object]:
    """Return a column as a list of Python values."""
    if isinstance(column, str | bytes) or not is_several(column):
        msg = f"the column {what} must be a sequence of values; got {column!r}"
        raise TypeError(msg)
    if not isinstance(column, np.ndarray):
        return list(column)
    if column.ndim != 1:
        msg = f"the column {what} must have one value per row; got an array of shape {column.shape}"
        raise DataError(msg)
    # As tuples, the rows of a structured array would be taken for sets.
    return list(column) if column.dtype.names else column.tolist()


class Codebook:
    """Codes of the distinct values of a column, in order of appearance, computed block by block.

    `dict` and `map` do the work, so that there is no Python loop over the rows.
    """

    __slots__ = ("_index",)

    def __init__(self) -> None:
        self._index: dict[Hashable, int] = {}

    def codes(self, block: Collection[Hashable]) -> Integers:
        """Return the codes of a block of values."""
        index = self._index
        with suppress(KeyError):  # unless a value has no code yet
            # Sorted tables have long runs, for which a comparison is faster than a lookup.
            if _is_one_run(block):
                return np.full(len(block), index[block[0]], dtype=np.int64)
            return np.fromiter(map(index.__getitem__, block), dtype=np.int64, count=len(block))
        new = [value for value in dict.fromkeys(block) if value not in index]
        index.update(zip(new, range(len(index), len(index) + len(new)), strict=True))
        return np.fromiter(map(index.__getitem__, block), dtype=np.int64, count=len(block))

    def recoded(self, values: Collection[Hashable], codes: Integers | Codes) -> Codes:
        """Return the codes of a column whose codes number `values` so far."""
        return self.codes(values).astype(np.int32)[codes]

    @property
    def values(self) -> list[Hashable]:
        """The distinct values, indexed by code."""
        return list(self._index)


def _is_one_run(block: Collection[Hashable]) -> TypeGuard[list[Hashable]]:
    if not isinstance(block, list) or not block:
        return False
    return bool(block[0] == block[-1]) and block.count(block[0]) == len(block)


class Coded(NamedTuple, Generic[_T]):
    """A column as codes: the distinct values in order, and the position of each row's value."""

    values: Sequence[_T]  # a tuple, or `Numbers`
    codes: Integers  # MISSING where a row has no value


def coded_labels(column: Column, separator: str | None = None) -> Coded[Label]:
    """Return the codes of a column of labels; missing labels have the code `MISSING`."""
    if separator is None:
        return _coded(column, "label", as_label, label_order, mostly_normal=True)
    return _coded(column, "label", lambda value: _members(value, separator), label_order)


def with_unlabelled(labels: Coded[Label]) -> tuple[tuple[Label | None, ...], Codes]:
    """Return labels and codes in which `None`, the first label, stands for missing labels."""
    codes = labels.codes.astype(np.int32)
    if (codes >= 0).all():
        return tuple(labels.values), codes
    return (None, *labels.values), codes + np.int32(1)


def coded_names(column: Column, what: str = "annotator") -> Coded[str]:
    """Return the names of annotators or documents, sorted, and the code of each row."""
    noun = f"an {what}" if what == "annotator" else f"a {what}"
    return _coded(column, what, lambda value: as_name(value, noun), str)


def coded_items(column: Column) -> Coded[Hashable]:
    """Return the codes of a column of items; any hashable value can name an item."""
    coded = _coded(column, "item", as_item, item_order, mostly_normal=True)
    return Coded(tuple(coded.values), coded.codes)


def as_item(value: object) -> Hashable:
    """Return the normalised name of an item: NumPy scalars and whole floats as Python integers."""
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
        msg = (
            "the name of an item must be text, a number or a tuple of them; "
            f"got {value!r} of type {kind}"
        )
        raise TypeError(msg)
    if name is None:
        msg = f"an item needs a name; got {value!r}"
        raise DataError(msg)
    return name


def item_order(item: Hashable) -> tuple[int, Any]:
    """Return the sort key of an item: numbers, strings, then other values by type and repr."""
    if isinstance(item, str):
        return 2, item
    if isinstance(item, int | float):
        return 1, item
    return 3, f"{type(item).__name__} {item!r}"


def renumbered(
    codes: Integers | Codes, normals: Sequence[_T | None], order: Callable[[_T], Any]
) -> Coded[_T]:
    """Renumber values in sorted order; equal values share a code, and `None` is missing."""
    distinct = {value for value in normals if value is not None}
    kinds = set(map(type, distinct))
    plain = kinds <= {int, float} or kinds == {str}
    values: list[_T] = sorted(distinct) if plain else sorted(distinct, key=order)  # type: ignore[type-var]
    place: dict[_T | None, int] = {value: code for code, value in enumerate(values)}
    place[None] = MISSING
    places = np.fromiter(map(place.__getitem__, normals), np.int64, count=len(normals))
    return Coded(tuple(values), _replaced(codes, places))


def _plain_codes(values: Sequence[object], codes: Integers) -> Coded[Any] | None:
    """Renumber distinct values that need no normalisation; return `None` if some do.

    No function is called per value, which matters for a million values.
    """
    if isinstance(values, Numbers):
        return Coded(values, codes)
    kinds = set(map(type, values))
    if kinds == {str}:
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


def _replaced(codes: Integers | Codes, places: Integers) -> Integers:
    # The code of missing values, −1, selects the last element.
    replaced: Integers = np.append(places, MISSING)[codes]
    return replaced


def _coded(
    column: Column,
    what: str,
    normal: Callable[[object], _T | None],
    order: Callable[[_T], Any],
    *,
    mostly_normal: bool = False,  # whether most strings and numbers are already normalised
) -> Coded[_T]:
    values, codes = _distinct(column, what)
    if codes is None:
        # Lists are not hashable, and True would be taken for 1: normalise every value first.
        distinct, codes = _looked_up(_normals(values, normal, int))
        return renumbered(codes, distinct, order)  # type: ignore[arg-type]
    if (codes == MISSING).any():
        # Raises for names, which must not be missing; labels may be.
        _normals([None], normal, lambda _: int(np.argmax(codes == MISSING)))
    if mostly_normal and (plain := _plain_codes(values, codes)) is not None:
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
    # isinstance(value, Hashable) is true for a tuple that holds a list.
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _distinct(column: Column, what: str) -> tuple[Sequence[object], Integers | None]:
    """Return the distinct values and the codes; no codes if values must be normalised first."""
    if hasattr(column, "to_native") and hasattr(column, "dtype"):
        return _distinct_of_series(column)
    if is_plain_column(column) and (quick := _distinct_of_array(column)) is not None:
        return quick
    return _distinct_of_list(as_list(column, what))


def _distinct_of_list(values: list[object]) -> tuple[Sequence[object], Integers | None]:
    kinds = set(map(type, values))
    if kinds & {int, float} and kinds <= {int, float, type(None)}:
        try:
            numbers = np.array(values, dtype=np.float64)  # NaN for None
        except OverflowError:
            return _looked_up(values)
        if not (np.abs(numbers) >= _EXACT).any():
            return _distinct_numbers(numbers)
    return _looked_up(values) if kinds <= _PLAIN_TYPES else (values, None)


def _looked_up(values: list[Any]) -> tuple[Sequence[object], Integers]:
    book = Codebook()
    codes = book.codes(values)
    return book.values, codes


def _distinct_of_series(series: Any) -> tuple[Sequence[object], Integers | None]:  # noqa: ANN401 (narwhals is not imported here)
    import narwhals as nw  # noqa: PLC0415 (slow to import, and needed for dataframes only)

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
    # Some engines cannot look up values in an empty column; NumPy has no 128-bit integers.
    if len(series) == 0 or isinstance(kind, nw.Int128 | nw.UInt128):
        return _looked_up(series.to_list())
    if kind.is_numeric() or isinstance(kind, nw.Boolean):
        return _distinct_of_array(np.asarray(series.to_numpy())) or _looked_up(series.to_list())
    texts = series.cast(nw.String())
    # The engine of the frame sorts and looks up text ten times faster than Python.
    values = texts.unique().sort().to_list()
    codes = texts.replace_strict(values, list(range(len(values))), return_dtype=nw.Int64())
    return values, np.asarray(codes.to_numpy(), dtype=np.int64)


def without_decimals(value: object) -> object:
    """Return a decimal number as an integer if it is one, otherwise as a float."""
    if not isinstance(value, Decimal):
        return value
    return int(value) if value == value.to_integral_value() else float(value)


# Blocks of this size fit in the processor's cache, which halves the time.
_BLOCK = 2**15


def _distinct_of_array(array: NDArray[Any]) -> tuple[Sequence[object], Integers] | None:
    """Return the codes of an array of numbers, NaN as missing; `None` for other arrays."""
    if array.dtype.kind == "b":
        numbers, codes = _distinct_numbers(array.astype(np.int64))
        return [bool(number) for number in numbers], codes
    if array.dtype.kind in "iu":
        return _distinct_numbers(array)
    if array.dtype.kind != "f":
        return None
    with np.errstate(over="ignore"):  # an overflow gives an infinite label, which is rejected later
        return _distinct_numbers(array.astype(np.float64, copy=False))


def _distinct_numbers(array: NDArray[Any]) -> tuple[Sequence[int | float], Integers]:
    span = _whole_span(array)
    if span is not None and span[1] - span[0] <= 4 * len(array) + 1024:
        return _counted(array, *span)
    distinct, codes = np.unique(array, return_inverse=True)
    if array.dtype.kind != "f":
        return distinct.tolist(), codes
    n_present = int(np.searchsorted(distinct, np.nan))
    if n_present < len(distinct):
        codes[codes == n_present] = MISSING
        distinct = distinct[:n_present]
    is_finite = np.isfinite(distinct[:: max(n_present - 1, 1)]).all()
    return Numbers(distinct) if is_finite else distinct.tolist(), codes


def _blocks(cells: NDArray[Any]) -> Iterator[tuple[slice, NDArray[Any]]]:
    kind = np.float64 if cells.dtype.kind == "f" else np.int64
    for start in range(0, len(cells), _BLOCK):
        here = slice(start, start + _BLOCK)
        yield here, cells[here].astype(kind, copy=False)


def _whole_span(cells: NDArray[Any]) -> tuple[int, int] | None:
    """Return the minimum and the maximum; `None` if a number is not whole or not exact."""
    low, high = np.inf, -np.inf
    if len(cells) and cells.dtype.kind != "f":
        low, high = int(cells.min()), int(cells.max())
    else:
        for _, block in _blocks(cells):
            whole = np.floor(block) == block
            if not whole.all() and not (whole | np.isnan(block)).all():
                return None
            low = min(low, float(np.fmin.reduce(block, initial=np.inf)))
            high = max(high, float(np.fmax.reduce(block, initial=-np.inf)))
    return (int(low), int(high)) if -_EXACT <= low <= high <= _EXACT else None


def _counted(cells: NDArray[Any], low: int, high: int) -> tuple[list[int], Integers]:
    """Return the codes of whole numbers in a narrow range, without sorting."""
    codes = np.empty(len(cells), dtype=np.int64)
    seen = np.zeros(high - low + 2, dtype=bool)  # the first element for missing values
    for here, block in _blocks(cells):
        shifted = block - (low - 1)
        if cells.dtype.kind == "f":
            shifted[np.isnan(block)] = 0
        codes[here] = shifted
        seen[codes[here]] = True
    seen[0] = False
    place = np.cumsum(seen, dtype=np.int64) - 1
    for here, block in _blocks(codes):
        codes[here] = place[block]
    return (np.flatnonzero(seen) + (low - 1)).tolist(), codes


class Numbers(Sequence[int | float]):
    """Distinct finite numbers in order, converted to Python numbers on access.

    Creating millions of Python numbers takes longer than measuring them.
    """

    __slots__ = ("floats",)

    def __init__(self, floats: Floats) -> None:
        self.floats = floats + 0.0  # −0.0 becomes 0.0
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
        # Through __init__, because unpickled arrays are writeable.
        return Numbers, (self.floats,)

    def exact(self) -> Floats | None:
        """Return the numbers as floats; `None` if another whole number has the same float."""
        ends = np.abs(self.floats[[0, -1]]) if len(self.floats) else self.floats
        return self.floats if (ends < _EXACT).all() else None


def _plain(floats: Floats) -> list[int | float]:
    """Return Python numbers, whole ones as integers."""
    values: list[int | float] = floats.tolist()
    for place in np.flatnonzero(np.floor(floats) == floats).tolist():
        values[place] = int(values[place])
    return values
