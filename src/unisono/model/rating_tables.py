"""Tables of ratings: conversion of long, wide and count tables to label codes by item."""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain, compress, pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from unisono.errors import DataError, SettingError, check_choice, setting
from unisono.model.codes import (
    Coded,
    Numbers,
    as_list,
    as_names,
    coded_items,
    coded_labels,
    coded_names,
    is_several,
)
from unisono.model.columns import counted, listed
from unisono.model.labels import as_label, label_bytes, label_order

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from unisono.model.arrays import Codes, Floats, Integers
    from unisono.model.codes import Column
    from unisono.model.labels import Label


# Blocks of this many cells fit in the processor's cache.
_ROW_BLOCK = 2**16


class Tabulated(NamedTuple):
    """The columns of `Ratings`, in the order of its fields."""

    annotators: tuple[str, ...]
    # Tuples of very many numbers, as labels or as items, are built on first access.
    labels: Sequence[Label]
    items: tuple[Hashable, ...] | range | Integers | None
    offsets: Integers
    annotator_codes: Codes
    label_codes: Codes
    times: Integers
    anonymous: bool


class Triples(NamedTuple):
    """Row, annotator and label of each rating, in any order, without missing ratings."""

    rows: Integers
    annotators: Integers
    labels: Integers


def tabulated(
    triples: Triples,
    *,
    annotators: Sequence[str],
    labels: Sequence[Label],
    items: Sequence[Hashable] | None,
    times: Integers | None = None,
    anonymous: bool = False,
) -> Tabulated:
    """Build the table of ratings, at most one per row and annotator."""
    if times is None:
        times = np.ones(len(items or ()), dtype=np.int64)
    n_rows = len(times)
    rows, annotator_codes, label_codes = _sorted(triples, n_rows, len(annotators))
    sizes = np.bincount(rows, minlength=n_rows)
    rated = (sizes > 0) & (times > 0)
    if not rated.all():
        keep = rated[rows]
        annotator_codes, label_codes = annotator_codes[keep], label_codes[keep]
        sizes, times = sizes[rated], times[rated]
        if items is not None:
            items = [items[row] for row in np.flatnonzero(rated).tolist()]
    offsets = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=offsets[1:])
    labels, label_codes = _used(labels, label_codes)
    return Tabulated(
        annotators=tuple(annotators),
        labels=labels,
        items=None if items is None else tuple(items),
        offsets=offsets,
        annotator_codes=annotator_codes.astype(np.int32),
        label_codes=label_codes.astype(np.int32),
        times=times.astype(np.int64),
        anonymous=anonymous,
    )


def tabulated_cells(
    cells: Codes,
    *,
    annotators: tuple[str, ...],
    labels: Sequence[Label],
    items: tuple[Hashable, ...] | range,
) -> Tabulated:
    """Build the table of a full matrix of label codes, one row per annotator."""
    sizes = np.add.reduce(cells >= 0, axis=0, dtype=np.int64)
    label_codes, annotator_codes = _by_item(cells, int(sizes.sum()))
    rated = sizes > 0
    kept: tuple[Hashable, ...] | range | Integers = items
    if not rated.all():
        sizes = sizes[rated]
        if isinstance(items, range):
            kept = np.arange(items.start, items.stop, dtype=np.int64)[rated]
        else:
            kept = tuple(compress(items, rated.tolist()))
    offsets = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return Tabulated(
        annotators=annotators,
        labels=labels,
        items=kept,
        offsets=offsets,
        annotator_codes=annotator_codes,
        label_codes=label_codes,
        times=np.ones(len(sizes), dtype=np.int64),
        anonymous=False,
    )


def _by_item(cells: Codes, n_ratings: int) -> tuple[Codes, Codes]:
    """Return label codes and annotator codes of all ratings, item by item."""
    n, n_items = cells.shape
    annotators = np.arange(n, dtype=np.int32)
    if n_ratings == cells.size:
        return np.ascontiguousarray(cells.T).reshape(-1), np.tile(annotators, n_items)
    label_codes = np.empty(n_ratings, dtype=np.int32)
    annotator_codes = np.empty(n_ratings, dtype=np.int32)
    step, end = max(1, _ROW_BLOCK // n), 0
    for low in range(0, n_items, step):
        block = np.ascontiguousarray(cells[:, low : low + step].T)
        present = block >= 0
        labels = block[present]
        begin, end = end, end + len(labels)
        label_codes[begin:end] = labels
        annotator_codes[begin:end] = np.broadcast_to(annotators, block.shape)[present]
    return label_codes, annotator_codes


def without_repeats(
    annotators: Coded[str],
    items: Coded[Hashable],
    labels: Coded[Label],
    duplicates: Literal["raise", "first"],
    repeated: Callable[[int, int], DataError],
) -> Triples:
    """Drop missing ratings, and drop or reject repeated ratings of an item by an annotator."""
    present = np.flatnonzero(labels.codes >= 0)
    if len(present) == len(labels.codes):
        triples = Triples(items.codes, annotators.codes, labels.codes)
    else:
        triples = Triples(items.codes[present], annotators.codes[present], labels.codes[present])
    n = len(annotators.values)
    keys = triples.rows * n + triples.annotators
    if not _has_repeats(keys, len(items.values) * n):
        return triples
    order = np.argsort(keys, kind="stable")
    in_order = keys[order]
    repeats = np.flatnonzero(in_order[1:] == in_order[:-1]) + 1
    if duplicates == "raise":
        first = repeats[np.argmin(order[repeats])]
        raise repeated(int(present[order[first - 1]]), int(present[order[first]]))
    keep = np.ones(len(keys), dtype=bool)
    keep[order[repeats]] = False
    return Triples(*(column[keep] for column in triples))


def with_anonymous_annotators(rows: Integers, labels: Integers) -> Triples:
    """Return ratings whose annotators are numbered from 0 in each row, by label."""
    order = np.lexsort((labels, rows))
    rows, labels = rows[order], labels[order]
    begins = np.flatnonzero(np.diff(rows, prepend=-1))
    annotators = np.arange(len(rows)) - np.repeat(begins, np.diff(begins, append=len(rows)))
    return Triples(rows, annotators, labels)


def _used(labels: Sequence[Label], codes: Integers) -> tuple[tuple[Label, ...], Integers]:
    used = np.bincount(codes, minlength=len(labels)) > 0
    if used.all():
        return tuple(labels), codes
    kept = tuple(labels[code] for code in np.flatnonzero(used).tolist())
    place: Integers = np.cumsum(used, dtype=np.int64) - 1
    return kept, place[codes]


def _has_repeats(keys: Integers, n_cells: int) -> bool:
    if (keys[1:] > keys[:-1]).all():
        return False
    if n_cells <= 4 * len(keys):
        seen = np.zeros(n_cells, dtype=bool)
        seen[keys] = True
        return int(np.count_nonzero(seen)) < len(keys)
    in_order = np.sort(keys)
    return bool((in_order[1:] == in_order[:-1]).any())


def _sorted(triples: Triples, n_rows: int, n_annotators: int) -> Triples:
    """Sort ratings by row and annotator."""
    keys = triples.rows * n_annotators + triples.annotators
    if (keys[1:] > keys[:-1]).all():
        return triples
    n_cells = n_rows * n_annotators
    if n_cells <= 4 * len(keys):
        # For a mostly full table, filling a matrix is three times as fast as sorting.
        cells = np.full(n_cells, -1, dtype=np.int64)
        cells[keys] = triples.labels
        filled = np.flatnonzero(cells >= 0)
        rows, annotators = np.divmod(filled, n_annotators)
        return Triples(rows, annotators, cells[filled])
    order = np.argsort(keys)
    return Triples(*(column[order] for column in triples))


Duplicates: TypeAlias = Literal["raise", "first"]


def from_rating_columns(
    annotator: Column,
    item: Column,
    label: Column,
    *,
    annotators: Iterable[str] | None,
    duplicates: Duplicates,
    separator: str | None,
) -> Tabulated:
    """Tabulate columns from lists, arrays or dataframes."""
    check_settings(duplicates, separator)
    names = coded_names(annotator)
    items = coded_items(item)
    labels = coded_labels(label, separator)
    sizes = {
        "annotator": len(names.codes),
        "item": len(items.codes),
        "label": len(labels.codes),
    }
    if len(set(sizes.values())) > 1:
        lengths = ", ".join(f"{name} {size}" for name, size in sizes.items())
        msg = f"columns must have the same length; got {lengths}"
        raise DataError(msg)

    def repeated(first: int, second: int) -> DataError:
        problem = repeat_problem(names, items, labels, (first, second), "row")
        return DataError(f"row {second}: {problem}")

    return collated(names, items, labels, annotators, duplicates, repeated)


def collated(
    names: Coded[str],
    items: Coded[Hashable],
    labels: Coded[Label],
    annotators: Iterable[str] | None,
    duplicates: Duplicates,
    repeated: Callable[[int, int], DataError],
) -> Tabulated:
    """Tabulate coded columns."""
    if annotators is not None:
        names = declared(names, annotators)
    triples = without_repeats(names, items, labels, duplicates, repeated)
    return tabulated(triples, annotators=names.values, labels=labels.values, items=items.values)


def check_settings(duplicates: object, separator: object) -> None:
    """Raise if `duplicates` or `separator` is invalid."""
    check_choice("duplicates", duplicates, get_args(Duplicates))
    if separator is not None and not isinstance(separator, str):
        msg = f"separator must be the text between members of a set; got {separator!r}"
        raise TypeError(msg)
    if separator is not None and not separator:
        msg = "separator must be the text between members of a set, such as '|'; got ''"
        raise SettingError(msg)


def repeat_problem(
    names: Coded[str],
    items: Coded[Hashable],
    labels: Coded[Label],
    places: tuple[int, int],
    noun: str,
    numbers: tuple[int, int] | None = None,
) -> str:
    """Return the error message for two ratings of one item by one annotator."""
    name = names.values[names.codes[places[0]]]
    item = items.values[items.codes[places[0]]]
    ratings = " and ".join(
        f"{labels.values[labels.codes[place]]!r} in {noun} {number}"
        for place, number in zip(places, numbers or places, strict=True)
    )
    remedy = setting("duplicates", "first")
    return f"{name!r} rated the item {item!r} twice, {ratings}; keep one, or use {remedy}"


def declared(coded: Coded[str], annotators: Iterable[str]) -> Coded[str]:
    """Renumber annotators by the declared ones; raise if one with ratings is not among them."""
    names = as_names(annotators, "annotator")
    place = {name: number for number, name in enumerate(names)}
    for name in coded.values:
        if name not in place:
            msg = (
                f"{name!r} has ratings but is not among the declared annotators "
                f"{listed(names)}; add the name"
            )
            raise DataError(msg)
    places = np.array([place[name] for name in coded.values], dtype=np.int64)
    return Coded(names, places[coded.codes])


# Below this, distinct whole numbers are distinct floats.
_EXACT = 2.0**53
_MOST_BITS = 62
_NUMBER, _TEXT, _SET = range(3)
# Blocks of this many rows fit in the processor's cache.
_PATTERN_BLOCK = 2**14
# Up to this many patterns are counted, not sorted, however few rows there are.
_FEW = 1024


def merged_rows(table: Tabulated) -> Tabulated:
    """Merge equal rows.

    Rows are sorted by their number of ratings, then lexicographically as rows of the full matrix
    with missing values first, so that the result does not depend on the input order.
    """
    if (in_order := _all_distinct(table)) is not None:
        by_row = table.label_codes.reshape(len(in_order), -1)
        return table._replace(
            items=None,
            label_codes=by_row.take(in_order, axis=0).reshape(-1),
            times=table.times[in_order],
        )
    rows, times = _distinct_rows(table)
    taken = _positions(table.offsets, rows)
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(np.diff(table.offsets)[rows], out=offsets[1:])
    return table._replace(
        items=None,
        offsets=offsets,
        annotator_codes=table.annotator_codes[taken],
        label_codes=table.label_codes[taken],
        times=times,
    )


def digest_of(table: Tabulated) -> str:
    """Return the SHA-256 digest of a table of merged rows."""
    content = hashlib.sha256(b"unisono ratings 1\n")
    sizes = (len(table.annotators), len(table.labels), len(table.times), len(table.label_codes))
    content.update(b"%d %d %d %d %d\n" % (*sizes, table.anonymous))
    content.update(b"".join(map(label_bytes, table.annotators)))
    for part in _label_parts(table.labels):
        content.update(part)
    # Little-endian on every machine, so that the same content has the same digest.
    for longs in (table.offsets, table.times):
        content.update(longs.astype("<i8", copy=False).tobytes())
    for codes in (table.annotator_codes, table.label_codes):
        content.update(codes.astype("<i4", copy=False).tobytes())
    return content.hexdigest()


def _positions(offsets: Integers, rows: Integers) -> Integers:
    """Return the indices of the ratings of some rows, row by row."""
    sizes = np.diff(offsets)[rows]
    if len(sizes) and (sizes == sizes[0]).all():
        by_row: Integers = offsets[rows][:, np.newaxis] + np.arange(sizes[0])
        return by_row.reshape(-1)
    ends = np.cumsum(sizes)
    within: Integers = np.arange(ends[-1] if len(ends) else 0, dtype=np.int64)
    before: Integers = np.repeat(offsets[rows] - ends + sizes, sizes)
    return within + before


def _all_distinct(table: Tabulated) -> Integers | None:
    """Return the sorted order of rows that all differ in the label of the first annotator.

    This is common among complete measurements, which then need no sort. `None` otherwise.
    """
    n, n_rows, n_labels = len(table.annotators), len(table.times), len(table.labels)
    if not 0 < n_rows <= n_labels or len(table.label_codes) < n * n_rows:
        return None
    row_of = np.full(n_labels, -1, dtype=np.int32)
    row_of[table.label_codes[::n]] = np.arange(n_rows, dtype=np.int32)
    in_order: Integers = row_of[row_of >= 0].astype(np.int64)
    return in_order if len(in_order) == n_rows else None


def _distinct_rows(table: Tabulated) -> tuple[Integers, Integers]:
    """Return one row of each distinct pattern, sorted, and its number of items."""
    sizes = np.diff(table.offsets)
    n, base = len(table.annotators), len(table.labels) + 1
    if not len(sizes) or n * math.log2(base) + math.log2(n + 1) > _MOST_BITS:
        return _by_size(table, sizes)
    n_words = (n + 1) * base**n
    words = _whole_rows(table, sizes, base)
    if n_words > 4 * len(words) + _FEW:
        return _sort_and_count(words[np.newaxis], np.arange(len(words)), table.times)
    # If few patterns are possible, counting is ten times as fast as sorting.
    weights = None if (table.times == 1).all() else table.times
    times = np.bincount(words, weights=weights, minlength=n_words).astype(np.int64, copy=False)
    seen = np.flatnonzero(times)
    row_of = np.empty(n_words, dtype=np.int64)
    row_of[words] = np.arange(len(words))
    return row_of[seen], times[seen]


def _whole_rows(table: Tabulated, sizes: Integers, base: int) -> Integers:
    """Encode each row of the full matrix as one number, whose first digit is its rating count.

    The other digits are the cells, 0 if missing.
    """
    n = len(table.annotators)
    powers = base ** np.arange(n - 1, -1, -1, dtype=np.int64)
    words: Integers = sizes * base**n
    for low in range(0, len(words), _PATTERN_BLOCK):
        high = min(low + _PATTERN_BLOCK, len(words))
        begin, end = table.offsets[[low, high]].tolist()
        digits = powers[table.annotator_codes[begin:end]]
        digits *= table.label_codes[begin:end] + np.int64(1)
        words[low:high] += np.add.reduceat(digits, table.offsets[low:high] - begin)
    return words


def _by_size(table: Tabulated, sizes: Integers) -> tuple[Integers, Integers]:
    """Return the distinct rows and their numbers of items, by number of ratings."""
    n, n_labels = len(table.annotators), len(table.labels)
    bits = max((n * n_labels - 1).bit_length(), 1)
    # Missing values sort first, so a row with a rating of an earlier annotator sorts later.
    ratings = (n - 1 - table.annotator_codes.astype(np.int64)) * n_labels + table.label_codes
    by_size = np.argsort(sizes, kind="stable")
    cuts = np.flatnonzero(np.diff(sizes[by_size], prepend=-1, append=-1))
    found = [(by_size[:0], table.times[:0])]
    for low, high in pairwise(cuts.tolist()):
        rows = by_size[low:high]
        words = _words(ratings, table.offsets[rows], int(sizes[rows[0]]), bits)
        found.append(_sort_and_count(words, rows, table.times))
    rows, times = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return rows, times


def _sort_and_count(words: Integers, rows: Integers, times: Integers) -> tuple[Integers, Integers]:
    """Sort rows lexicographically by their words, and count equal rows."""
    order = np.argsort(words[0]) if len(words) == 1 else np.lexsort(words[::-1])
    words = words[:, order]
    new = np.ones(len(rows), dtype=bool)
    np.any(words[:, 1:] != words[:, :-1], axis=0, out=new[1:])
    in_order = rows[order]
    if new.all():
        return in_order, times[in_order]
    firsts = np.flatnonzero(new)
    return in_order[firsts], np.add.reduceat(times[in_order], firsts)


def _words(ratings: Integers, starts: Integers, size: int, bits: int) -> Integers:
    """Pack the ratings of equally long rows into as few 64-bit words as possible."""
    packed = max(63 // bits, 1)
    words = np.zeros((-(-size // packed), len(starts)), dtype=np.int64)
    for place in range(size):
        word = words[place // packed]
        word <<= bits
        word |= ratings[starts + place]
    return words


def _label_parts(values: Sequence[Label]) -> Iterator[bytes]:
    """Yield labels as bytes, without a loop over millions of numbers or strings."""
    if isinstance(values, Numbers) and (floats := values.exact()) is not None:
        yield b"%d 0 0\n" % len(floats)
        yield floats.astype("<f8", copy=False).tobytes()
        return
    labels = tuple(values)
    # Label order is numbers, strings, sets.
    first_text = bisect_left(labels, _TEXT, key=_kind)
    first_set = bisect_left(labels, _SET, key=_kind)
    numbers, texts, sets = labels[:first_text], labels[first_text:first_set], labels[first_set:]
    yield b"%d %d %d\n" % (len(numbers), len(texts), len(sets))
    exact = _exact(numbers)
    yield b"".join(map(label_bytes, numbers)) if exact is None else exact.tobytes()
    yield np.fromiter(map(len, texts), dtype="<i8", count=len(texts)).tobytes()  # type: ignore[arg-type]
    yield "".join(texts).encode("utf-8", "surrogatepass")  # type: ignore[arg-type]
    yield b"".join(map(label_bytes, sets))


def _kind(label: Label) -> int:
    if isinstance(label, frozenset):
        return _SET
    return _TEXT if isinstance(label, str) else _NUMBER


def _exact(numbers: tuple[Label, ...]) -> Floats | None:
    """Return numbers as little-endian floats, or `None` if one of them is not exact."""
    try:
        floats = np.fromiter(numbers, dtype="<f8", count=len(numbers))
    except OverflowError:
        return None
    return floats if (np.abs(floats) < _EXACT).all() else None


_MOST = 2**31 - 1
# Every rating takes about fifty bytes of temporary memory.
_MOST_RATINGS = 50_000_000


def from_wide(
    rows: object,
    annotators: Iterable[str] | None,
    items: Iterable[Hashable] | None,
) -> Tabulated:
    """Tabulate a matrix with one row per annotator and one column per item."""
    if isinstance(rows, Mapping):
        if annotators is not None:
            msg = "the annotators are the keys of the mapping; omit annotators="
            raise TypeError(msg)
        annotators, rows = list(rows), list(rows.values())
    cells, n_rows, n_columns = _cells(rows)
    row_names = _coded_names(coded_names, annotators, n_rows, "annotator", "row")
    column_names = _coded_names(coded_items, items, n_columns, "item", "column")
    labels, flat_codes = _coded_cells(cells, n_columns)
    codes = flat_codes.reshape(n_rows, n_columns)
    if row_names is not None:
        codes = codes[np.argsort(row_names.codes)]
    if column_names is not None:
        codes = codes[:, np.argsort(column_names.codes)]
    return tabulated_cells(
        codes,
        annotators=numbered_names(n_rows) if row_names is None else tuple(row_names.values),
        labels=labels,
        items=range(1, n_columns + 1) if column_names is None else tuple(column_names.values),
    )


def from_counts_table(
    counts: object, labels: Iterable[object] | None, times: object | None
) -> Tabulated:
    """Tabulate the number of ratings of each item with each label."""
    numbers = _counts(counts)
    n_items, n_labels = numbers.shape
    numbers_of_items = np.ones(n_items, np.int64)
    if times is not None:
        numbers_of_items = whole_numbers(times, "times", n_items)
    column_labels = range(1, n_labels + 1) if labels is None else as_list(labels, "labels")
    normals = [as_label(label) for label in column_labels]
    if len(normals) != n_labels or None in normals or len(set(normals)) < n_labels:
        msg = (
            "a table of counts needs a different label per column; "
            f"got {counted(n_labels, 'column')} and the labels {list(column_labels)!r}"
        )
        raise DataError(msg)
    sizes = numbers.sum(axis=1)
    if int(sizes.sum()) > _MOST_RATINGS:
        msg = (
            f"a table of counts holds at most {_MOST_RATINGS:,} ratings; got "
            f"{int(sizes.sum()):,}. Merge equal items into one row and pass their number in times="
        )
        raise DataError(msg)
    in_order = sorted(range(n_labels), key=lambda place: label_order(normals[place]))
    numbers = numbers[:, in_order]
    cells = np.repeat(np.arange(numbers.size), numbers.ravel())
    rows, codes = np.divmod(cells, max(n_labels, 1))
    return tabulated(
        with_anonymous_annotators(rows, codes),
        annotators=numbered_names(int(sizes.max(initial=0))),
        labels=[normals[place] for place in in_order],  # type: ignore[misc]
        items=None,
        times=numbers_of_items,
        anonymous=True,
    )


def numbered_names(number: int) -> tuple[str, ...]:
    """Return the names 1, 2, …, zero-padded so that they sort in this order."""
    width = len(str(number))
    return tuple(f"{name:0{width}}" for name in range(1, number + 1))


def whole_numbers(values: object, what: str, length: int) -> Integers:
    """Validate counts: whole, not negative, one per row."""
    array, shape = _array(values)
    if array.shape != (length,):
        msg = f"{what} must have one number per row, {length:,} in all; got {shape}"
        raise DataError(msg)
    return _whole(array, what)


def _whole(array: NDArray[Any], what: str) -> Integers:
    if array.dtype.kind not in "iuf" and array.size:
        values = array.ravel().tolist()
        whole = [type(value) is int for value in values]
        if all(whole):  # too large for any array of numbers
            msg = f"{what} must be whole numbers from 0 to {_MOST:,}; got a larger one"
            raise DataError(msg)
        msg = f"{what} must be whole numbers; got {values[whole.index(False)]!r}"
        raise TypeError(msg)
    if array.dtype.kind == "f":
        with np.errstate(over="ignore"):  # infinite values are rejected below
            array = array.astype(np.float64)
    bad = ~((array >= 0) & (array == np.floor(array)) & (array <= _MOST))
    if bad.any():
        value = array[bad].ravel()[0]
        msg = f"{what} must be whole numbers, 0 or more; got {value}"
        raise DataError(msg)
    return array.astype(np.int64)


def _counts(counts: object) -> Integers:
    table, shape = _array(counts)
    if table.ndim != 2:
        msg = f"a table of counts must have one row per item and one column per label; got {shape}"
        raise DataError(msg)
    return _whole(table, "counts")


def _array(values: object) -> tuple[NDArray[Any], str]:
    """Return an array, and its shape for a message; zero-dimensional for rows of unequal length."""
    if np.ma.is_masked(values):
        msg = "counts must be whole numbers, but some are masked; fill them, for example with 0"
        raise DataError(msg)
    try:
        array = np.asarray(values)
    except ValueError:
        return np.empty(()), "rows of different lengths"
    return array, f"the shape {array.shape}"


def _cells(rows: object) -> tuple[Iterable[object], int, int]:
    if hasattr(rows, "columns") or hasattr(rows, "schema"):
        msg = (
            f"from_matrix takes rows of labels; got {type(rows).__name__}. For a long table use "
            "from_frame; for a wide one pass {annotator: column} or its array of values"
        )
        raise TypeError(msg)
    if isinstance(rows, np.ndarray):
        if rows.ndim != 2:
            msg = (
                "from_matrix takes one row per annotator and one column per item; got an array of "
                f"shape {rows.shape}. Pass labels that are sets as lists of rows of sets"
            )
            raise DataError(msg)
        if not np.ma.isMaskedArray(rows):
            return np.asarray(rows).reshape(-1), *rows.shape
        rows = rows.tolist()  # masked values become None
    each = [_as_row(row) for row in _as_row(rows)]
    widths = [len(row) for row in each]
    if len(set(widths)) > 1:
        other = next(number for number, width in enumerate(widths) if width != widths[0])
        msg = (
            "every annotator needs one cell per item, None if the label is missing; "
            f"row 0 has {widths[0]} and row {other} has {widths[other]}"
        )
        raise DataError(msg)
    return list(chain.from_iterable(each)), len(each), widths[0] if widths else 0


def _as_row(row: object) -> list[object]:
    if is_several(row) and not isinstance(row, str | bytes | Mapping | AbstractSet):
        return as_list(row, "of labels")
    msg = f"from_matrix takes one row per annotator, each a list of labels; got {row!r}"
    raise TypeError(msg)


def _coded_cells(cells: Iterable[object], n_columns: int) -> tuple[Sequence[Label], Codes]:
    """Return the labels in order, and the code of each cell."""
    try:
        labels = coded_labels(cells)
    except (DataError, TypeError) as error:
        raise _with_cell(error, n_columns) from None
    return labels.values, labels.codes.astype(np.int32)


def _coded_names(
    coded: Any,  # noqa: ANN401 (one of two functions with different return types)
    names: Iterable[object] | None,
    number: int,
    what: str,
    place: str,
) -> Coded[Any] | None:
    """Validate and code the names of rows or columns; return `None` if there are none."""
    if names is None:
        return None
    values = as_list(names, what)
    if len(values) != number:
        msg = (
            f"every {place} needs one {what}; got {counted(number, place)} "
            f"and {counted(len(values), what)}"
        )
        raise DataError(msg)
    codes: Coded[Any] = coded(values)
    if len(codes.values) < number:
        duplicate = codes.values[int(np.argmax(np.bincount(codes.codes)))]
        msg = f"every {place} needs a different {what}; {duplicate!r} is repeated"
        raise DataError(msg)
    return codes


def _with_cell(error: Exception, n_columns: int) -> Exception:
    """Return an error with row and column of a matrix, not the index of the flattened cell."""
    head, _, problem = str(error).partition(": ")
    row, column = divmod(int(head.removeprefix("row ")), n_columns)
    return type(error)(f"row {row}, column {column}: {problem}")
