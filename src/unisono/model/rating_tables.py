"""Tables of ratings: from long, wide and matrix form to one row of label codes per item."""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain, compress, pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.model.codes import (
    Coded,
    Numbers,
    coded_annotators,
    coded_items,
    coded_labels,
    numbered_cells,
)
from unisono.model.columns import as_list, as_names, counted, is_several, listed
from unisono.model.labels import as_label, label_bytes, label_order

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from unisono.model.arrays import Codes, Floats, Integers
    from unisono.model.codes import Column
    from unisono.model.labels import Label


# So many cells at a time stay in the processor's cache.
_ROW_BLOCK = 2**16


class Tabulated(NamedTuple):
    """The columns of `Ratings`, in the order of its fields."""

    annotators: tuple[str, ...]
    # Of very many numbers, as labels or of items, no tuple is made until one is asked for.
    labels: Sequence[Label]
    items: tuple[Hashable, ...] | range | Integers | None
    offsets: Integers
    annotator_codes: Codes
    label_codes: Codes
    times: Integers
    anonymous: bool


class Triples(NamedTuple):
    """Ratings in any order, none of them missing: the row, the annotator and the label of each."""

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
    """Finish ratings of which no two are by one annotator on one row."""
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
    """Finish a whole table."""
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
    """Give labels and annotators of all ratings, item after item."""
    n, n_items = cells.shape
    seats = np.arange(n, dtype=np.int32)
    if n_ratings == cells.size:
        return np.ascontiguousarray(cells.T).reshape(-1), np.tile(seats, n_items)
    label_codes = np.empty(n_ratings, dtype=np.int32)
    annotator_codes = np.empty(n_ratings, dtype=np.int32)
    step, end = max(1, _ROW_BLOCK // n), 0
    for low in range(0, n_items, step):
        some = np.ascontiguousarray(cells[:, low : low + step].T)
        present = some >= 0
        labels = some[present]
        begin, end = end, end + len(labels)
        label_codes[begin:end] = labels
        annotator_codes[begin:end] = np.broadcast_to(seats, some.shape)[present]
    return label_codes, annotator_codes


def without_repeats(
    annotators: Coded[str],
    items: Coded[Hashable],
    labels: Coded[Label],
    duplicates: Literal["raise", "first"],
    repeated: Callable[[int, int], DataError],
) -> Triples:
    """Leave out what is missing, and find who rated an item twice."""
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
    again = np.flatnonzero(in_order[1:] == in_order[:-1]) + 1
    if duplicates == "raise":
        at = again[np.argmin(order[again])]
        raise repeated(int(present[order[at - 1]]), int(present[order[at]]))
    keep = np.ones(len(keys), dtype=bool)
    keep[order[again]] = False
    return Triples(*(column[keep] for column in triples))


def seated(rows: Integers, labels: Integers) -> Triples:
    """Give ratings of unknown annotators seats: in each row from 0, by label."""
    order = np.lexsort((labels, rows))
    rows, labels = rows[order], labels[order]
    begins = np.flatnonzero(np.diff(rows, prepend=-1))
    seats = np.arange(len(rows)) - np.repeat(begins, np.diff(begins, append=len(rows)))
    return Triples(rows, seats, labels)


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
        # A table that is mostly full is filled, not sorted: three times as quick.
        cells = np.full(n_cells, -1, dtype=np.int64)
        cells[keys] = triples.labels
        filled = np.flatnonzero(cells >= 0)
        rows, annotators = np.divmod(filled, n_annotators)
        return Triples(rows, annotators, cells[filled])
    order = np.argsort(keys)
    return Triples(*(column[order] for column in triples))


Duplicates: TypeAlias = Literal["raise", "first"]
_DUPLICATES = ("raise", "first")


def from_rating_columns(
    annotator: Column,
    item: Column,
    label: Column,
    *,
    annotators: Iterable[str] | None,
    duplicates: Duplicates,
    separator: str | None,
) -> Tabulated:
    """Tabulate columns as they come from lists, arrays or frames."""
    check_settings(duplicates, separator)
    people = coded_annotators(annotator)
    things = coded_items(item)
    labels = coded_labels(label, separator)
    sizes = {
        "annotator": len(people.codes),
        "item": len(things.codes),
        "label": len(labels.codes),
    }
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"{name} {size}" for name, size in sizes.items())
        msg = f"columns must be equally long; got {told}"
        raise DataError(msg)

    def repeated(first: int, second: int) -> DataError:
        problem = repeat_problem(people, things, labels, (first, second), "row")
        return DataError(f"row {second}: {problem}")

    return collated(people, things, labels, annotators, duplicates, repeated)


def collated(
    people: Coded[str],
    things: Coded[Hashable],
    labels: Coded[Label],
    annotators: Iterable[str] | None,
    duplicates: Duplicates,
    repeated: Callable[[int, int], DataError],
) -> Tabulated:
    """Tabulate numbered columns."""
    if annotators is not None:
        people = declared(people, annotators)
    triples = without_repeats(people, things, labels, duplicates, repeated)
    return tabulated(triples, annotators=people.values, labels=labels.values, items=things.values)


def check_settings(duplicates: object, separator: object) -> None:
    """Refuse settings that no ratings could be read with."""
    if duplicates not in _DUPLICATES:
        msg = f"unknown duplicates {duplicates!r}; choose one of {listed(_DUPLICATES)}"
        raise SettingError(msg)
    if separator is not None and not isinstance(separator, str):
        msg = f"a separator is the text between the members of a set; got {separator!r}"
        raise TypeError(msg)
    if separator is not None and not separator:
        msg = "a separator is the text between the members of a set; got an empty one"
        raise SettingError(msg)


def repeat_problem(
    people: Coded[str],
    things: Coded[Hashable],
    labels: Coded[Label],
    places: tuple[int, int],
    called: str,
    numbers: tuple[int, int] | None = None,
) -> str:
    """Say who rated which item twice, where and how."""
    name = people.values[people.codes[places[0]]]
    item = things.values[things.codes[places[0]]]
    said = " and ".join(
        f"{labels.values[labels.codes[place]]!r} in {called} {number}"
        for place, number in zip(places, numbers or places, strict=True)
    )
    cure = setting("duplicates", "first")
    return f"{name!r} rated the item {item!r} twice, {said}; keep one, or say {cure}"


def declared(people: Coded[str], annotators: Iterable[str]) -> Coded[str]:
    """Renumber annotators among those declared, of whom everyone with ratings is one."""
    names = as_names(annotators, "annotator")
    place = {name: number for number, name in enumerate(names)}
    for name in people.values:
        if name not in place:
            msg = (
                f"{name!r} has ratings but is not among the declared annotators "
                f"{listed(names)}; add the name"
            )
            raise DataError(msg)
    places = np.array([place[name] for name in people.values], dtype=np.int64)
    return Coded(names, places[people.codes])


# A whole number below is one float, and no other whole number is the same.
_EXACT = 2.0**53
_MOST_BITS = 62
_NUMBER, _TEXT, _SET = range(3)
# So many rows at a time stay in the processor's cache.
_PATTERN_BLOCK = 2**14
# So many patterns are counted, be there ever so few rows.
_FEW = 1024


def merged_rows(table: Tabulated) -> Tabulated:
    """Make equal rows one.

    Rows stand by their number of ratings, then as the rows of the whole table would, what is
    missing before the labels: an order that does not depend on the one they came in.
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
    """Hash what a table of merged rows says."""
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
    """Give where the ratings of some rows stand, row after row."""
    sizes = np.diff(offsets)[rows]
    if len(sizes) and (sizes == sizes[0]).all():
        alike: Integers = offsets[rows][:, np.newaxis] + np.arange(sizes[0])
        return alike.reshape(-1)
    ends = np.cumsum(sizes)
    within: Integers = np.arange(ends[-1] if len(ends) else 0, dtype=np.int64)
    before: Integers = np.repeat(offsets[rows] - ends + sizes, sizes)
    return within + before


def _all_distinct(table: Tabulated) -> Integers | None:
    """Put rows in order that all differ in the label of the first annotator.

    That is so among measurements without gaps, which then need no sorting. `None` otherwise.
    """
    n, n_rows, n_labels = len(table.annotators), len(table.times), len(table.labels)
    if not 0 < n_rows <= n_labels or len(table.label_codes) < n * n_rows:
        return None
    row_of = np.full(n_labels, -1, dtype=np.int32)
    row_of[table.label_codes[::n]] = np.arange(n_rows, dtype=np.int32)
    in_order: Integers = row_of[row_of >= 0].astype(np.int64)
    return in_order if len(in_order) == n_rows else None


def _distinct_rows(table: Tabulated) -> tuple[Integers, Integers]:
    """Find one row of each pattern, in order, and how many items have it."""
    sizes = np.diff(table.offsets)
    n, base = len(table.annotators), len(table.labels) + 1
    if not len(sizes) or n * math.log2(base) + math.log2(n + 1) > _MOST_BITS:
        return _by_size(table, sizes)
    n_words = (n + 1) * base**n
    words = _whole_rows(table, sizes, base)
    if n_words > 4 * len(words) + _FEW:
        return _sorted_apart(words[np.newaxis], np.arange(len(words)), table.times)
    # Where few patterns are possible they are counted, not sorted: ten times as quick.
    weights = None if (table.times == 1).all() else table.times
    times = np.bincount(words, weights=weights, minlength=n_words).astype(np.int64, copy=False)
    seen = np.flatnonzero(times)
    row_of = np.empty(n_words, dtype=np.int64)
    row_of[words] = np.arange(len(words))
    return row_of[seen], times[seen]


def _whole_rows(table: Tabulated, sizes: Integers, base: int) -> Integers:
    """Give each row of the whole table as one number, after its number of ratings.

    Its cells are the digits, 0 where one is missing.
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
    """Find distinct rows among equally long ones, one length after the other."""
    n, n_labels = len(table.annotators), len(table.labels)
    bits = max((n * n_labels - 1).bit_length(), 1)
    # Where two rows first differ, who has a rating for an earlier annotator stands later.
    ratings = (n - 1 - table.annotator_codes.astype(np.int64)) * n_labels + table.label_codes
    by_size = np.argsort(sizes, kind="stable")
    cuts = np.flatnonzero(np.diff(sizes[by_size], prepend=-1, append=-1))
    found = [(by_size[:0], table.times[:0])]
    for low, high in pairwise(cuts.tolist()):
        rows = by_size[low:high]
        words = _words(ratings, table.offsets[rows], int(sizes[rows[0]]), bits)
        found.append(_sorted_apart(words, rows, table.times))
    rows, times = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return rows, times


def _sorted_apart(words: Integers, rows: Integers, times: Integers) -> tuple[Integers, Integers]:
    """Sort rows by their words, the first first, and count the equal ones."""
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
    """Pack the ratings of equally long rows into as few whole numbers as hold them."""
    packed = max(63 // bits, 1)
    words = np.zeros((-(-size // packed), len(starts)), dtype=np.int64)
    for place in range(size):
        word = words[place // packed]
        word <<= bits
        word |= ratings[starts + place]
    return words


def _label_parts(given: Sequence[Label]) -> Iterator[bytes]:
    """Write labels as bytes; a million numbers or texts must not take a loop."""
    if isinstance(given, Numbers) and (floats := given.exact()) is not None:
        yield b"%d 0 0\n" % len(floats)
        yield floats.astype("<f8", copy=False).tobytes()
        return
    labels = tuple(given)
    # In label order numbers stand before texts, and texts before sets.
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
    """Give numbers as little-endian floats, if every one of them is one."""
    try:
        floats = np.fromiter(numbers, dtype="<f8", count=len(numbers))
    except OverflowError:
        return None
    return floats if (np.abs(floats) < _EXACT).all() else None


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
