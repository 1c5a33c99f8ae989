"""Columns of units, checked and numbered, with the names and details that belong to them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeGuard, TypeVar

import numpy as np

from unisono.errors import DataError, did_you_mean, shortened
from unisono.model.labels import Label, as_label, label_order

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from unisono.model.arrays import Codes, Floats, Integers

    Fragments: TypeAlias = tuple[tuple[float, float], ...]

    Attributes: TypeAlias = Mapping[str, Any]


_T = TypeVar("_T")
FARTHEST = 2**53 - 1
"""The largest position: up to here, every whole number is a float of its own."""
# Equal values of these types are equal labels; of others they need not be (True == 1).
_PLAIN_TYPES = frozenset({str, int, float, type(None)})


class Codebook:
    """Numbers the distinct values of a column in order of appearance, block after block.

    The work is done by `dict` and `map`, so that a million rows take no loop of ours.
    """

    __slots__ = ("_index",)

    def __init__(self) -> None:
        self._index: dict[Hashable, int] = {}

    def codes(self, block: Collection[Hashable]) -> Integers:
        """Give the numbers of a block of values."""
        known = self.known_codes(block)
        if known is not None:
            return known
        index = self._index
        for value in dict.fromkeys(block):
            index.setdefault(value, len(index))
        return np.fromiter(map(index.__getitem__, block), dtype=np.int64, count=len(block))

    def __contains__(self, value: Hashable) -> bool:
        return value in self._index

    def known_codes(self, block: Collection[Hashable]) -> Integers | None:
        """Give the numbers of a block of values that all have one already."""
        try:
            # Sorted tables have long runs; comparing is quicker than looking up.
            if _is_one_run(block):
                return np.full(len(block), self._index[block[0]], dtype=np.int64)
            codes = map(self._index.__getitem__, block)
            return np.fromiter(codes, dtype=np.int64, count=len(block))
        except KeyError:
            return None

    @property
    def values(self) -> list[Hashable]:
        """The distinct values, each at its number."""
        return list(self._index)


def _is_one_run(block: Collection[Hashable]) -> TypeGuard[list[Hashable]]:
    if not isinstance(block, list) or not block:
        return False
    return bool(block[0] == block[-1]) and block.count(block[0]) == len(block)


@dataclass(frozen=True, slots=True)
class UnitColumns:
    """Units in the order they came, checked, with annotators and labels as numbers."""

    annotators: tuple[str, ...]  # sorted
    annotator_codes: Integers
    starts: Floats
    ends: Floats
    labels: tuple[Label | None, ...]  # in label order
    label_codes: Codes
    details: Details | None = None

    @classmethod
    def checked(
        cls,
        annotator: Iterable[object],
        start: Iterable[object],
        end: Iterable[object],
        label: Iterable[object] | None,
        details: Details | None = None,
    ) -> UnitColumns:
        """Check columns as they come from tuples, arrays or frames."""
        annotators, annotator_codes = coded_names(as_list(annotator, "annotator"), "an annotator")
        starts = bounds(start, "start")
        ends = bounds(end, "end")
        labels, label_codes = coded_labels(label, len(starts))
        sizes = {
            "annotator": len(annotator_codes),
            "start": len(starts),
            "end": len(ends),
            "label": len(label_codes),
        }
        if len(set(sizes.values())) > 1:
            told = ", ".join(f"{name} {size}" for name, size in sizes.items())
            msg = f"columns must be equally long; got {told}"
            raise DataError(msg)
        columns = cls(annotators, annotator_codes, starts, ends, labels, label_codes, details)
        columns._check_bounds()
        return columns

    def _check_bounds(self) -> None:
        good = are_units(self.starts, self.ends)
        if good.all():
            return
        row = int(np.argmin(good))
        name = self.annotators[self.annotator_codes[row]]
        problem = unit_problem(name, float(self.starts[row]), float(self.ends[row]))
        msg = f"row {row}: {problem}"
        raise DataError(msg)


def are_units(starts: Floats, ends: Floats) -> NDArray[np.bool_]:
    """Return which pairs of start and end can be the bounds of a unit."""
    # A comparison with NaN is false.
    near = (np.abs(starts) <= FARTHEST) & (np.abs(ends) <= FARTHEST)
    return np.asarray(near & (starts <= ends))


def unit_problem(annotator: str, start: float, end: float) -> str | None:
    """Return what is wrong with the bounds of a unit, or `None` if nothing is."""
    who = shortened(repr(annotator))
    for which, value in (("start", start), ("end", end)):
        if not np.isfinite(value):
            return f"the {which} of a unit is a finite number; {who} has {value}"
    if max(abs(start), abs(end)) > FARTHEST:
        return too_far(start, end, f"; {who} has")
    if end < start:
        return f"a unit cannot end before it starts; {who} has [{start}, {end}]"
    return None


def too_far(start: float, end: float, what: str = "; got") -> str:
    """Return why positions beyond the largest one are refused, and what to do."""
    return (
        f"positions lie within ±{FARTHEST:,}, where every whole number is exact{what} "
        f"[{start}, {end}]: subtract a common origin from all positions of the document"
    )


def written_number(text: str) -> float:
    """Return the number that a text says in the digits 0 to 9."""
    bare = text.strip()
    if "_" in bare or not bare.isascii():
        msg = f"not a number: {shortened(repr(bare))}"
        raise ValueError(msg)
    return float(bare)


def as_name(value: object, what: str) -> str:
    """Give the name of an annotator or a document: text, or a whole number written out."""
    try:
        name = as_label(value)
    except (TypeError, DataError):
        if isinstance(value, int):  # too long to be quoted
            raise
        name = frozenset()
    if isinstance(name, int):
        return str(name)
    if isinstance(name, str) and name.strip():
        return name
    if name is None or isinstance(name, str):
        msg = f"{what} needs a name; got {value!r}"
        raise DataError(msg)
    msg = f"{what} is named by text or a whole number; got {value!r} of type {type(value).__name__}"
    raise TypeError(msg)


def as_names(values: Iterable[object], what: str) -> tuple[str, ...]:
    """Give names, each once and sorted."""
    if isinstance(values, str) or not is_several(values):
        msg = f"{what}s are given as several names, such as a tuple; got {values!r}"
        raise TypeError(msg)
    return tuple(sorted({as_name(value, what) for value in values}))


def is_several(values: object) -> TypeGuard[Iterable[object]]:
    """Say whether there are values to go through; an array without an axis only looks so."""
    return hasattr(values, "__iter__") and not (isinstance(values, np.ndarray) and not values.ndim)


def is_plain_column(column: object) -> TypeGuard[NDArray[Any]]:
    """Say whether a column is an array of values of which none is masked."""
    return isinstance(column, np.ndarray) and column.ndim == 1 and not np.ma.isMaskedArray(column)


def as_list(column: Iterable[object], what: str) -> list[object]:
    """Give a column as a list of Python values."""
    if isinstance(column, str | bytes) or not is_several(column):
        msg = f"the column {what} is a sequence of values; got {column!r}"
        raise TypeError(msg)
    if not isinstance(column, np.ndarray):
        return list(column)
    if column.ndim != 1:
        msg = f"the column {what} has one value a row; got an array of shape {column.shape}"
        raise DataError(msg)
    # The rows of a structured array stay what they are, so that they are not taken for sets.
    return list(column) if column.dtype.names else column.tolist()


def coded_names(column: Sequence[object], what: str) -> tuple[tuple[str, ...], Integers]:
    """Give a column of names as numbers; the names come sorted."""
    return _coded(column, lambda value: as_name(value, what), str)


def coded_labels(
    column: Iterable[object] | None, n_rows: int
) -> tuple[tuple[Label | None, ...], Codes]:
    """Give a column of labels as numbers; the labels come in label order."""
    if column is None:
        return (None,) if n_rows else (), np.zeros(n_rows, dtype=np.int32)
    labels, codes = _coded(as_list(column, "label"), as_label, label_order)
    return labels, codes.astype(np.int32)


def merged(
    codes: Integers,
    normals: Sequence[_T],
    order: Callable[[_T], object],
) -> tuple[tuple[_T, ...], Integers]:
    """Renumber values by their order, values that are equal as one."""
    distinct = tuple(sorted(set(normals), key=order))  # type: ignore[arg-type]
    position = {value: code for code, value in enumerate(distinct)}
    places = np.fromiter(map(position.__getitem__, normals), np.int64, count=len(normals))
    return distinct, places[codes]


def bounds(column: Iterable[object], which: str) -> Floats:
    """Give a column of starts or ends as float64, rounded as Python's `float` rounds."""
    if is_plain_column(column) and column.dtype.kind in "iuf":
        with np.errstate(over="ignore"):  # infinite is refused
            return column.astype(np.float64)
    values = as_list(column, which)
    if set(map(type, values)) == {float}:
        return np.array(values, dtype=np.float64)
    return np.array([_bound(value, which, row) for row, value in enumerate(values)], np.float64)


def _bound(value: object, which: str, row: int) -> float:
    if type(value).__name__ in {"NoneType", "NAType", "NaTType"}:
        msg = f"row {row}: the {which} of a unit is a finite number; it is missing"
        raise DataError(msg)
    if not isinstance(value, str | bytes | bool | np.bool_):
        try:
            return float(value)  # type: ignore[arg-type]
        except OverflowError:
            msg = f"row {row}: the {which} of a unit is a finite number; got one beyond 1e308"
            raise DataError(msg) from None
        except (TypeError, ValueError):
            pass
    kind = type(value).__name__
    msg = f"row {row}: the {which} of a unit is a number; got {value!r} of type {kind}"
    raise TypeError(msg)


def _coded(
    column: Sequence[object], normal: Callable[[object], _T], order: Callable[[_T], object]
) -> tuple[tuple[_T, ...], Integers]:
    book = Codebook()
    if set(map(type, column)) <= _PLAIN_TYPES:
        codes = book.codes(column)
        normals = _normals(book.values, normal, lambda code: int(np.argmax(codes == code)))
        return merged(codes, normals, order)
    # Lists cannot be looked up, and True would be taken for 1: bring each to its form first.
    normals = _normals(column, normal, int)
    codes = book.codes(normals)
    return merged(codes, book.values, order)  # type: ignore[arg-type]


def _normals(
    values: Sequence[object], normal: Callable[[object], _T], row_of: Callable[[int], int]
) -> list[_T]:
    normals = []
    for number, value in enumerate(values):
        try:
            normals.append(normal(value))
        except (DataError, TypeError) as error:
            msg = f"row {row_of(number)}: {error}"
            raise type(error)(msg) from None
    return normals


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
    """Check the pieces of a unit: two or more, in order, apart, and as long as it together."""
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


_MOST_LISTED = 20


def counted(number: int, thing: str) -> str:
    """Write "1 unit", "2 units", "41,094 units"."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def listed(values: Iterable[object]) -> str:
    """Write values for a message, not too many."""
    texts = [shortened(repr(value)) for value in values]
    if len(texts) > _MOST_LISTED:
        texts = [*texts[:_MOST_LISTED], f"… ({len(texts):,} in all)"]
    return ", ".join(texts) if texts else "none"


def declared_annotators(declared: Iterable[str], with_units: Iterable[str]) -> tuple[str, ...]:
    """Check that everyone who has units was declared."""
    names = as_names(declared, "annotator")
    for name in with_units:
        if name not in names:
            msg = (
                f"{name!r} has units but is not among the declared annotators "
                f"{listed(names)}; add the name"
            )
            raise DataError(msg)
    return names


def known_names(names: Iterable[str], there: Collection[str], what: str) -> set[str]:
    """Check that every named annotator or document is there."""
    wanted = as_names(names, what)
    present = set(there)
    for name in wanted:
        if name not in present:
            meant = did_you_mean(name, there)
            msg = f"no {what} {name!r}; there are {listed(there)}{meant}"
            raise DataError(msg)
    return set(wanted)


def known_labels(
    labels: Iterable[Label | None], there: Collection[Label | None]
) -> set[Label | None]:
    """Check that every named label is there."""
    if isinstance(labels, str) or not is_several(labels):
        msg = f"labels are given as several labels, such as ({labels!r},); got {labels!r}"
        raise TypeError(msg)
    wanted = [as_label(label) for label in labels]
    present = set(there)
    for label in wanted:
        if label not in present:
            msg = f"no label {label!r}; there are {listed(there)}"
            raise DataError(msg)
    return set(wanted)


def renamed_names(names: Sequence[str], renames: Mapping[str, str], what: str) -> list[str]:
    """Rename annotators or documents, of which no two may become one."""
    check_renames(renames, what)
    known_names(renames, names, what)
    new_name = {as_name(old, what): as_name(new, what) for old, new in renames.items()}
    old_name: dict[str, str] = {}
    for old in names:
        new = new_name.get(old, old)
        if new in old_name:
            msg = f"two {what}s cannot share a name; {old_name[new]!r} and {old!r} would be {new!r}"
            raise DataError(msg)
        old_name[new] = old
    return list(old_name)


def check_renames(renames: object, what: str) -> None:
    """Refuse what does not say, for each old name, the new one."""
    if not isinstance(renames, Mapping):
        msg = f"{what}s are renamed by a mapping, old to new; got {renames!r}"
        raise TypeError(msg)
