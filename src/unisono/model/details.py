"""What some units have besides bounds and label: the pieces they are in, and attributes."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from unisono.errors import DataError, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from unisono.model.arrays import Integers

    Fragments: TypeAlias = tuple[tuple[float, float], ...]

    Attributes: TypeAlias = Mapping[str, Any]


NO_ATTRIBUTES: Attributes = {}
_LONGEST_KEY = 1000


class Detail(NamedTuple):
    """What one unit has besides."""

    fragments: Fragments = ()
    attributes: Attributes = NO_ATTRIBUTES


class Details(NamedTuple):
    """What some rows have besides; most have nothing, so only these are kept."""

    rows: Integers  # sorted
    values: tuple[Detail, ...]

    def of(self, row: int) -> Detail:
        """Give what one row has besides."""
        place = int(np.searchsorted(self.rows, row))
        there = place < len(self.rows) and self.rows[place] == row
        return self.values[place] if there else Detail()

    def taken(self, rows: Integers, n_rows: int) -> Details | None:
        """Give the details of some of `n_rows` rows, in the order these are given in."""
        place = np.full(n_rows, -1, dtype=np.int64)
        place[rows] = np.arange(len(rows))
        return _sorted_details(place[self.rows], self.values)

    def between(self, low: int, high: int) -> Details | None:
        """Give the details of the rows from `low` to before `high`."""
        first, last = np.searchsorted(self.rows, (low, high)).tolist()
        if first == last:
            return None
        return Details(self.rows[first:last] - low, self.values[first:last])

    def ranks(self, rows: Integers) -> Integers:
        """Give numbers by which rows that are alike otherwise stand in one order."""
        places = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        there = np.flatnonzero(self.rows[places] == rows)
        keys = [_key(self.values[place]) for place in places[there].tolist()]
        rank = {key: number for number, key in enumerate(sorted(set(keys)), start=1)}
        ranks = np.zeros(len(rows), dtype=np.int64)
        ranks[there] = [rank[key] for key in keys]
        return ranks

    def fragment_bytes(self) -> bytes:
        """Write which rows are in pieces, and in which, for the digest; nothing if none is."""
        parts = [
            np.array([row, *np.ravel(value.fragments)], dtype="<f8").tobytes()
            for row, value in zip(self.rows.tolist(), self.values, strict=True)
            if value.fragments
        ]
        return b"".join(b"%d:%b" % (len(part), part) for part in parts)


def details_of(by_row: Mapping[int, Detail]) -> Details | None:
    """Put together what is known of rows; `None` when nothing is."""
    if not by_row:
        return None
    rows = sorted(by_row)
    return Details(np.array(rows, dtype=np.int64), tuple(by_row[row] for row in rows))


def as_fragments(pieces: Iterable[Sequence[float]], start: float, end: float) -> Fragments:
    """Check the pieces of a unit: two or more, in order, apart, and as long as it together.

    Raises
    ------
    DataError
        They are not.
    """
    try:
        given = tuple((float(low) + 0.0, float(high) + 0.0) for low, high in pieces)
    except (TypeError, ValueError, OverflowError):
        msg = f"fragments are pairs of start and end; got {shortened(repr(pieces))}"
        raise TypeError(msg) from None
    flat = [bound for piece in given for bound in piece]
    if not given:
        return ()
    if len(given) < 2 or flat != sorted(flat) or (flat[0], flat[-1]) != (start, end):
        msg = (
            "fragments are two or more, in order, and go from the start of the unit to its end; "
            f"[{start}, {end}] has {shortened(repr(given))}"
        )
        raise DataError(msg)
    return given


def _key(value: Detail) -> str:
    """Write what a row has besides; what is long, such as the members of a chain, in short."""
    key = json.dumps(value, default=repr, sort_keys=True, ensure_ascii=True)
    if len(key) <= _LONGEST_KEY:
        return key
    return key[:_LONGEST_KEY] + hashlib.sha256(key.encode()).hexdigest()


def _sorted_details(rows: Integers, values: Sequence[Detail]) -> Details | None:
    kept = np.flatnonzero(rows >= 0)
    if not len(kept):
        return None
    order = kept[np.argsort(rows[kept], kind="stable")]
    return Details(rows[order], tuple(values[place] for place in order.tolist()))
