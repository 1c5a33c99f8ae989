"""From numbered ratings to the finished columns of a table: order and repeats."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from typing import Literal

    from unisono.errors import DataError
    from unisono.model.arrays import Codes, Integers
    from unisono.model.codes import Coded
    from unisono.model.labels import Label


# So many cells at a time stay in the processor's cache.
_BLOCK = 2**16


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
    """Finish ratings of which no two are by one annotator on one row.

    Parameters
    ----------
    triples
        The ratings.
    annotators, labels
        What their numbers mean, in order; labels that nobody gave are left out.
    items
        Names of the rows; rows without ratings are left out.
    times
        How many items each row stands for; by default one. Rows that have no names need it.
    anonymous
        Whether annotators are only seats.
    """
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
    """Finish a whole table.

    Parameters
    ----------
    cells
        One row an annotator and one column an item: positions in `labels`, all of which are
        there, and −1 where a rating is missing.
    annotators, labels, items
        What rows, positions and columns mean, in order; items without ratings are left out.
    """
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
    step, end = max(1, _BLOCK // n), 0
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
    """Leave out what is missing, and find who rated an item twice.

    Parameters
    ----------
    annotators, items, labels
        Columns of equal length.
    duplicates
        Whether to object or to keep the first.
    repeated
        What to raise, for the places of two ratings in the columns.
    """
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
