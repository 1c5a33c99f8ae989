"""Columns of ratings as they come, checked and numbered without a loop over the rows."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from decimal import Decimal
from itertools import islice
from operator import lt
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeGuard, TypeVar

import numpy as np

from unisono.errors import DataError
from unisono.model.columns import as_list, as_name, is_plain_column
from unisono.model.labels import Label, as_label, is_too_long, label_order

if TYPE_CHECKING:
    from collections.abc import Callable

    import narwhals as nw
    from numpy.typing import NDArray

    from unisono.model.arrays import Integers

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
    """Give numbers to a column of labels; what is missing stays missing.

    Parameters
    ----------
    column
        Labels, or lists of them, or texts.
    separator
        What splits a text into the members of a set; `None` when texts are labels themselves.
    """
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


def _plain(values: Sequence[object], codes: Integers) -> Coded[Any] | None:
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
    if own_forms and (plain := _plain(values, codes)) is not None:
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
