"""Rows of ratings that are equal, as one row; and what a table says, as a digest."""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from unisono.model.labels import label_bytes
from unisono.model.number_arrays import Numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unisono.model.arrays import Floats, Integers
    from unisono.model.labels import Label
    from unisono.model.rating_tables import Tabulated


# A whole number below is one float, and no other whole number is the same.
_EXACT = 2.0**53
_MOST_BITS = 62
_NUMBER, _TEXT, _SET = range(3)
# So many rows at a time stay in the processor's cache.
_BLOCK = 2**14
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
    for low in range(0, len(words), _BLOCK):
        high = min(low + _BLOCK, len(words))
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
