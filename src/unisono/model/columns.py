"""Validated and coded columns of units, with fragments, attributes and checks of names."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from unisono.errors import DataError, did_you_mean, shortened
from unisono.model.codes import (
    MISSING,
    Codebook,
    Coded,
    as_list,
    as_name,
    as_names,
    coded_labels,
    coded_names,
    is_plain_column,
    is_several,
    with_unlabelled,
)
from unisono.model.labels import Label, as_label

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from numpy.typing import NDArray

    from unisono.model.arrays import Codes, Floats, Integers

    Fragments: TypeAlias = tuple[tuple[float, float], ...]

    Attributes: TypeAlias = Mapping[str, Any]


__all__ = [
    "FARTHEST",
    "NO_ATTRIBUTES",
    "Codebook",
    "Detail",
    "Details",
    "UnitColumns",
    "are_units",
    "as_fragments",
    "as_list",
    "as_name",
    "bounds",
    "check_renames",
    "counted",
    "declared_annotators",
    "details_of",
    "known_labels",
    "known_names",
    "listed",
    "renamed_names",
    "too_far",
    "unit_problem",
    "written_number",
]

FARTHEST = 2**53 - 1
"""The largest position; up to this value, distinct whole numbers are distinct floats."""


@dataclass(frozen=True, slots=True)
class UnitColumns:
    """Validated units in input order, with annotators and labels as codes."""

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
        """Validate and code columns from tuples, arrays or dataframes."""
        annotators, annotator_codes = coded_names(annotator)
        starts = bounds(start, "start")
        ends = bounds(end, "end")
        labels, label_codes = with_unlabelled(
            Coded((), np.full(len(starts), MISSING)) if label is None else coded_labels(label)
        )
        sizes = {
            "annotator": len(annotator_codes),
            "start": len(starts),
            "end": len(ends),
            "label": len(label_codes),
        }
        if len(set(sizes.values())) > 1:
            lengths = ", ".join(f"{name} {size}" for name, size in sizes.items())
            msg = f"columns must have the same length; got {lengths}"
            raise DataError(msg)
        names = tuple(annotators)
        columns = cls(names, annotator_codes, starts, ends, labels, label_codes, details)
        columns._check_bounds()
        return columns

    def _check_bounds(self) -> None:
        valid = are_units(self.starts, self.ends)
        if valid.all():
            return
        row = int(np.argmin(valid))
        name = self.annotators[self.annotator_codes[row]]
        problem = unit_problem(name, float(self.starts[row]), float(self.ends[row]))
        msg = f"row {row}: {problem}"
        raise DataError(msg)


def are_units(starts: Floats, ends: Floats) -> NDArray[np.bool_]:
    """Return a mask of the pairs of start and end that are valid bounds of a unit."""
    # A comparison with NaN is false.
    in_range = (np.abs(starts) <= FARTHEST) & (np.abs(ends) <= FARTHEST)
    return np.asarray(in_range & (starts <= ends))


def unit_problem(annotator: str, start: float, end: float) -> str | None:
    """Return the error message for invalid bounds of a unit, or `None` if they are valid."""
    name = shortened(repr(annotator))
    for which, value in (("start", start), ("end", end)):
        if not np.isfinite(value):
            return f"the {which} of a unit must be a finite number; {name} has {value}"
    if max(abs(start), abs(end)) > FARTHEST:
        return too_far(start, end, f"; {name} has")
    if end < start:
        return f"a unit cannot end before it starts; {name} has [{start}, {end}]"
    return None


def too_far(start: float, end: float, what: str = "; got") -> str:
    """Return the error message for positions beyond `FARTHEST`."""
    return (
        f"positions must lie within ±{FARTHEST:,}, where every whole number is exact{what} "
        f"[{start}, {end}]: subtract a common origin from all positions of the document"
    )


def written_number(text: str) -> float:
    """Parse a number written in ASCII without underscores, which `float` would accept."""
    stripped = text.strip()
    if "_" in stripped or not stripped.isascii():
        msg = f"not a number: {shortened(repr(stripped))}"
        raise ValueError(msg)
    return float(stripped)


def bounds(column: Iterable[object], which: str) -> Floats:
    """Return a column of starts or ends as float64, with the rounding of Python's `float`."""
    if is_plain_column(column) and column.dtype.kind in "iuf":
        with np.errstate(over="ignore"):  # infinite bounds are rejected later
            return column.astype(np.float64)
    values = as_list(column, which)
    if set(map(type, values)) == {float}:
        return np.array(values, dtype=np.float64)
    return np.array([_bound(value, which, row) for row, value in enumerate(values)], np.float64)


def _bound(value: object, which: str, row: int) -> float:
    if type(value).__name__ in {"NoneType", "NAType", "NaTType"}:
        msg = f"row {row}: the {which} of a unit must be a finite number; it is missing"
        raise DataError(msg)
    if not isinstance(value, str | bytes | bool | np.bool_):
        try:
            return float(value)  # type: ignore[arg-type]
        except OverflowError:
            msg = f"row {row}: the {which} of a unit must be a finite number; got one beyond 1e308"
            raise DataError(msg) from None
        except (TypeError, ValueError):
            pass
    kind = type(value).__name__
    msg = f"row {row}: the {which} of a unit must be a number; got {value!r} of type {kind}"
    raise TypeError(msg)


NO_ATTRIBUTES: Attributes = {}
_LONGEST_KEY = 1000


class Detail(NamedTuple):
    """Fragments and attributes of one unit."""

    fragments: Fragments = ()
    attributes: Attributes = NO_ATTRIBUTES


class Details(NamedTuple):
    """Fragments and attributes of the rows that have any, which are few."""

    rows: Integers  # sorted
    values: tuple[Detail, ...]

    def of(self, row: int) -> Detail:
        """Return the details of one row."""
        place = int(np.searchsorted(self.rows, row))
        has_detail = place < len(self.rows) and self.rows[place] == row
        return self.values[place] if has_detail else Detail()

    def select(self, rows: Integers, n_rows: int) -> Details | None:
        """Return the details of the rows `rows`, in this order, out of `n_rows` rows."""
        place = np.full(n_rows, -1, dtype=np.int64)
        place[rows] = np.arange(len(rows))
        return _sorted_details(place[self.rows], self.values)

    def between(self, low: int, high: int) -> Details | None:
        """Return the details of rows `low` to `high`, exclusive."""
        first, last = np.searchsorted(self.rows, (low, high)).tolist()
        if first == last:
            return None
        return Details(self.rows[first:last] - low, self.values[first:last])

    def ranks(self, rows: Integers) -> Integers:
        """Return sort keys that order rows with equal columns by their details."""
        places = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        detailed = np.flatnonzero(self.rows[places] == rows)
        keys = [_key(self.values[place]) for place in places[detailed].tolist()]
        rank = {key: number for number, key in enumerate(sorted(set(keys)), start=1)}
        ranks = np.zeros(len(rows), dtype=np.int64)
        ranks[detailed] = [rank[key] for key in keys]
        return ranks

    def fragment_bytes(self) -> bytes:
        """Return the fragments as bytes for the digest; empty if no row has fragments."""
        parts = [
            np.array([row, *np.ravel(value.fragments)], dtype="<f8").tobytes()
            for row, value in zip(self.rows.tolist(), self.values, strict=True)
            if value.fragments
        ]
        return b"".join(b"%d:%b" % (len(part), part) for part in parts)


def details_of(by_row: Mapping[int, Detail]) -> Details | None:
    """Build `Details` from details by row; return `None` if there are none."""
    if not by_row:
        return None
    rows = sorted(by_row)
    return Details(np.array(rows, dtype=np.int64), tuple(by_row[row] for row in rows))


def as_fragments(pieces: Iterable[Sequence[float]], start: float, end: float) -> Fragments:
    """Validate the fragments of a unit: two or more, in order, from its start to its end."""
    try:
        fragments = tuple((float(low) + 0.0, float(high) + 0.0) for low, high in pieces)
    except (TypeError, ValueError, OverflowError):
        msg = f"fragments must be pairs of start and end; got {shortened(repr(pieces))}"
        raise TypeError(msg) from None
    flat = [bound for piece in fragments for bound in piece]
    if not fragments:
        return ()
    if len(fragments) < 2 or flat != sorted(flat) or (flat[0], flat[-1]) != (start, end):
        msg = (
            "a discontinuous unit must have two or more fragments, in order, from its start to its "
            f"end; [{start}, {end}] has {shortened(repr(fragments))}"
        )
        raise DataError(msg)
    return fragments


def _key(value: Detail) -> str:
    """Return a sort key of the details of a row; long details are hashed."""
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
    """Return a number with its noun: "1 unit", "2 units", "41,094 units"."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def listed(values: Iterable[object]) -> str:
    """Return a comma-separated list of values for a message, truncated if it is long."""
    texts = [shortened(repr(value)) for value in values]
    if len(texts) > _MOST_LISTED:
        texts = [*texts[:_MOST_LISTED], f"… ({len(texts):,} in all)"]
    return ", ".join(texts) if texts else "none"


def declared_annotators(declared: Iterable[str], with_units: Iterable[str]) -> tuple[str, ...]:
    """Return the declared annotators; raise if an annotator with units is not among them."""
    names = as_names(declared, "annotator")
    for name in with_units:
        if name not in names:
            msg = (
                f"{name!r} has units but is not among the declared annotators "
                f"{listed(names)}; add the name"
            )
            raise DataError(msg)
    return names


def known_names(names: Iterable[str], available: Collection[str], what: str) -> set[str]:
    """Return the names of annotators or documents; raise if one does not exist."""
    requested = as_names(names, what)
    present = set(available)
    for name in requested:
        if name not in present:
            suggestion = did_you_mean(name, available)
            msg = f"no {what} {name!r}; the {what}s are {listed(available)}{suggestion}"
            raise DataError(msg)
    return set(requested)


def known_labels(
    labels: Iterable[Label | None], available: Collection[Label | None]
) -> set[Label | None]:
    """Return the labels in their normal form; raise if one does not exist."""
    if isinstance(labels, str) or not is_several(labels):
        msg = f"labels must be a sequence of labels, such as ({labels!r},); got {labels!r}"
        raise TypeError(msg)
    requested = [as_label(label) for label in labels]
    present = set(available)
    for label in requested:
        if label not in present:
            msg = f"no label {label!r}; the labels are {listed(available)}"
            raise DataError(msg)
    return set(requested)


def renamed_names(names: Sequence[str], renames: Mapping[str, str], what: str) -> list[str]:
    """Return annotators or documents after renaming; raise if two would share a name."""
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
    """Raise a TypeError unless renames are a mapping."""
    if not isinstance(renames, Mapping):
        msg = f"renaming {what}s needs a mapping from old to new; got {renames!r}"
        raise TypeError(msg)
