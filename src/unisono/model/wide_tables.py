"""Tables with one row an annotator, and tables of counts, as numbered ratings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import DataError
from unisono.model.codes import Coded, coded_annotators, coded_items, coded_labels
from unisono.model.columns import as_list, is_several
from unisono.model.labels import as_label, label_order
from unisono.model.naming import counted
from unisono.model.number_arrays import numbered_cells
from unisono.model.rating_tables import seated, tabulated, tabulated_cells

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from unisono.model.arrays import Codes, Integers
    from unisono.model.labels import Label
    from unisono.model.rating_tables import Tabulated


_MOST = 2**31 - 1
# Every rating takes some fifty bytes for a while: beyond, a table of counts is no table of counts.
_MOST_RATINGS = 50_000_000


def from_wide(
    rows: object,
    annotators: Iterable[str] | None,
    items: Iterable[Hashable] | None,
) -> Tabulated:
    """Tabulate one row an annotator and one column an item."""
    if isinstance(rows, Mapping):
        if annotators is not None:
            msg = "the names of the annotators are the keys of the table; leave annotators= out"
            raise TypeError(msg)
        annotators, rows = list(rows), list(rows.values())
    cells, n_rows, n_columns = _cells(rows)
    people = _named(coded_annotators, annotators, n_rows, "annotator", "row")
    things = _named(coded_items, items, n_columns, "item", "column")
    labels, flat_codes = _labelled(cells, n_columns)
    codes = flat_codes.reshape(n_rows, n_columns)
    if people is not None:
        codes = codes[np.argsort(people.codes)]
    if things is not None:
        codes = codes[:, np.argsort(things.codes)]
    return tabulated_cells(
        codes,
        annotators=seats(n_rows) if people is None else people.values,
        labels=labels,
        items=range(1, n_columns + 1) if things is None else things.values,
    )


def from_counts_table(
    counts: object, labels: Iterable[object] | None, times: object | None
) -> Tabulated:
    """Tabulate how often each item was given each label."""
    numbers = _counts(counts)
    n_items, n_labels = numbers.shape
    numbers_of_items = np.ones(n_items, np.int64)
    if times is not None:
        numbers_of_items = whole_numbers(times, "times", n_items)
    names = range(1, n_labels + 1) if labels is None else as_list(labels, "labels")
    called = [as_label(name) for name in names]
    if len(called) != n_labels or None in called or len(set(called)) < n_labels:
        msg = (
            "a table of counts has one label a column, all different; "
            f"got {counted(n_labels, 'column')} and the labels {list(names)!r}"
        )
        raise DataError(msg)
    sizes = numbers.sum(axis=1)
    if int(sizes.sum()) > _MOST_RATINGS:
        msg = (
            f"a table of counts holds at most {_MOST_RATINGS:,} ratings; got "
            f"{int(sizes.sum()):,}. Equal items are one row, with their number in times="
        )
        raise DataError(msg)
    in_order = sorted(range(n_labels), key=lambda place: label_order(called[place]))
    numbers = numbers[:, in_order]
    cells = np.repeat(np.arange(numbers.size), numbers.ravel())
    rows, codes = np.divmod(cells, max(n_labels, 1))
    return tabulated(
        seated(rows, codes),
        annotators=seats(int(sizes.max(initial=0))),
        labels=[called[place] for place in in_order],  # type: ignore[misc]
        items=None,
        times=numbers_of_items,
        anonymous=True,
    )


def seats(number: int) -> tuple[str, ...]:
    """Name what has no name: 1, 2, …, with as many digits as keep them in order."""
    width = len(str(number))
    return tuple(f"{seat:0{width}}" for seat in range(1, number + 1))


def whole_numbers(values: object, what: str, length: int) -> Integers:
    """Check numbers that count something: whole, not negative, one a row."""
    array, shape = _array(values)
    if array.shape != (length,):
        msg = f"{what} has one number a row, {length:,} in all; got {shape}"
        raise DataError(msg)
    return _whole(array, what)


def _whole(array: NDArray[Any], what: str) -> Integers:
    if array.dtype.kind not in "iuf" and array.size:
        values = array.ravel().tolist()
        whole = [type(value) is int for value in values]
        if all(whole):  # too large for any array of numbers
            msg = f"{what} are whole numbers from 0 to {_MOST:,}; got one that is larger"
            raise DataError(msg)
        msg = f"{what} are whole numbers; got {values[whole.index(False)]!r}"
        raise TypeError(msg)
    if array.dtype.kind == "f":
        with np.errstate(over="ignore"):  # infinite is refused
            array = array.astype(np.float64)
    bad = ~((array >= 0) & (array == np.floor(array)) & (array <= _MOST))
    if bad.any():
        value = array[bad].ravel()[0]
        msg = f"{what} are whole numbers from 0 on; got {value}"
        raise DataError(msg)
    return array.astype(np.int64)


def _counts(counts: object) -> Integers:
    table, shape = _array(counts)
    if table.ndim != 2:
        msg = f"a table of counts has one row an item and one column a label; got {shape}"
        raise DataError(msg)
    return _whole(table, "counts")


def _array(values: object) -> tuple[NDArray[Any], str]:
    """Return an array, and its shape for a message; without an axis where there is no array."""
    if np.ma.is_masked(values):
        msg = "a count is a whole number, and some are masked; fill them, with 0 say"
        raise DataError(msg)
    try:
        array = np.asarray(values)
    except ValueError:
        return np.empty(()), "rows of different lengths"
    return array, f"the shape {array.shape}"


def _cells(rows: object) -> tuple[Iterable[object], int, int]:
    if hasattr(rows, "columns") or hasattr(rows, "schema"):
        msg = (
            f"from_matrix takes rows of labels; got {type(rows).__name__}. Long tables go to "
            "from_frame; of a wide one give {annotator: column} or its array of values"
        )
        raise TypeError(msg)
    if isinstance(rows, np.ndarray):
        if rows.ndim != 2:
            msg = (
                "from_matrix takes one row an annotator and one column an item; got an array of "
                f"shape {rows.shape}. Labels that are sets are given as lists of rows of sets"
            )
            raise DataError(msg)
        if not np.ma.isMaskedArray(rows):
            return np.asarray(rows).reshape(-1), *rows.shape
        rows = rows.tolist()  # None where it is masked
    each = [_as_row(row) for row in _as_row(rows)]
    widths = [len(row) for row in each]
    if len(set(widths)) > 1:
        other = next(number for number, width in enumerate(widths) if width != widths[0])
        msg = (
            "every annotator has one cell an item, None where the label is missing; "
            f"row 0 has {widths[0]} and row {other} has {widths[other]}"
        )
        raise DataError(msg)
    return list(chain.from_iterable(each)), len(each), widths[0] if widths else 0


def _as_row(row: object) -> list[object]:
    if is_several(row) and not isinstance(row, str | bytes | Mapping | AbstractSet):
        return as_list(row, "of labels")
    msg = f"from_matrix takes one row an annotator, each a list of labels; got {row!r}"
    raise TypeError(msg)


def _labelled(cells: Iterable[object], n_columns: int) -> tuple[Sequence[Label], Codes]:
    """Give the labels in order, and the position of each cell's."""
    if isinstance(cells, np.ndarray) and (quick := numbered_cells(cells)) is not None:
        return quick
    try:
        labels = coded_labels(cells)
    except (DataError, TypeError) as error:
        raise _in_its_cell(error, n_columns) from None
    return labels.values, labels.codes.astype(np.int32)


def _named(
    coded: Any,  # noqa: ANN401 (one of two functions that differ in what they return)
    names: Iterable[object] | None,
    number: int,
    what: str,
    place: str,
) -> Coded[Any] | None:
    """Check names and number them in their order, if there are any."""
    if names is None:
        return None
    given = as_list(names, what)
    if len(given) != number:
        msg = (
            f"every {place} has one {what}; got {counted(number, place)} "
            f"and {counted(len(given), what)}"
        )
        raise DataError(msg)
    named: Coded[Any] = coded(given)
    if len(named.values) < number:
        twice = named.values[int(np.argmax(np.bincount(named.codes)))]
        msg = f"every {place} has an {what} of its own; {twice!r} is there twice"
        raise DataError(msg)
    return named


def _in_its_cell(error: Exception, n_columns: int) -> Exception:
    """Say row and column of a matrix where a message says the place in all its cells."""
    head, _, problem = str(error).partition(": ")
    row, column = divmod(int(head.removeprefix("row ")), n_columns)
    return type(error)(f"row {row}, column {column}: {problem}")
