"""The units of all annotators of one document: `Unit` and `Continuum`."""

from __future__ import annotations

import hashlib
import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, overload

import numpy as np

from unisono.errors import DataError, shortened
from unisono.model.codes import Coded, as_name, is_several, renumbered, with_unlabelled
from unisono.model.columns import (
    FARTHEST,
    Detail,
    UnitColumns,
    as_fragments,
    check_renames,
    counted,
    declared_annotators,
    details_of,
    known_labels,
    known_names,
    renamed_names,
    too_far,
    unit_problem,
)
from unisono.model.dataframes import frame_columns
from unisono.model.labels import as_label, label_bytes, label_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from narwhals.typing import IntoFrame
    from numpy.typing import NDArray

    from unisono.model.arrays import Codes, Floats, Integers
    from unisono.model.columns import Attributes, Details, Fragments
    from unisono.model.labels import Label

__all__ = [
    "AnnotatorsFrom",
    "Continuum",
    "Finished",
    "Unit",
    "assembled",
    "continuum_of",
    "ordered",
    "unit_order",
]

# If runs are shorter than this on average, one sort of all is faster than a sort per run.
_SHORT_RUN = 64
AnnotatorsFrom: TypeAlias = Literal["units", "corpus", "declared"]
"""Who saw a document: annotators with units in it, all of the corpus, or a declared list."""


class Finished(NamedTuple):
    """The columns of a continuum, in the order of its fields."""

    annotators: tuple[str, ...]
    starts: Floats
    ends: Floats
    label_codes: Codes
    offsets: Integers
    labels: tuple[Label | None, ...]
    extent: tuple[float, float]
    annotators_from: AnnotatorsFrom
    digest: str
    details: Details | None = None
    text: str | None = None


def ordered(
    columns: UnitColumns,
    annotators: tuple[str, ...],
    extent: tuple[float, float] | None,
    annotators_from: AnnotatorsFrom,
    text: str | None = None,
) -> Finished:
    """Sort the units of one document; `annotators` must include all annotators with units."""
    order = unit_order(columns, columns.annotator_codes)
    details = columns.details
    counts = np.zeros(len(annotators), dtype=np.int64)
    place = {name: number for number, name in enumerate(annotators)}
    with_units = np.array([place[name] for name in columns.annotators], dtype=np.int64)
    counts[with_units] = np.bincount(columns.annotator_codes, minlength=len(with_units))
    return assembled(
        annotators=annotators,
        counts=counts,
        starts=columns.starts[order],
        ends=columns.ends[order],
        label_codes=columns.label_codes[order],
        labels=columns.labels,
        extent=extent,
        annotators_from=annotators_from,
        details=None if details is None else details.select(order, len(order)),
        text=text,
    )


def unit_order(columns: UnitColumns, owners: Integers) -> Integers:
    """Return the canonical order of units: by owner, start, end, label, then details."""
    order = _order_without_details(columns, owners)
    if columns.details is None:
        return order
    # Details are slow to compare, so only those of units with equal columns are compared.
    equal = np.ones(max(len(order) - 1, 0), dtype=bool)
    for column in (owners, columns.starts, columns.ends, columns.label_codes):
        equal &= column[order[1:]] == column[order[:-1]]
    if equal.any():
        tied, run = _tied(equal)
        rows = order[tied]
        order[tied] = rows[np.lexsort((columns.details.ranks(rows), run))]
    return order


def _order_without_details(columns: UnitColumns, owners: Integers) -> Integers:
    labels, ends, starts = columns.label_codes, columns.ends, columns.starts
    # Three times as fast as a sort by all four keys: ends and labels matter only where starts are
    # equal, and the units of one owner are few, or sorted already.
    fits = owners.max(initial=0) <= np.iinfo(np.uint16).max
    small = owners.astype(np.uint16) if fits else owners
    order = np.argsort(small, kind="stable")
    same_owner = small[order[1:]] == small[order[:-1]]
    ordered_starts = starts[order]
    decreases = same_owner & (ordered_starts[1:] < ordered_starts[:-1])
    if decreases.any():
        order = _with_sorted_starts(order, starts, small, same_owner, decreases)
        ordered_starts = starts[order]
    equal = same_owner & (ordered_starts[1:] == ordered_starts[:-1])
    if equal.any():
        tied, run = _tied(equal)
        rows = order[tied]
        order[tied] = rows[np.lexsort((labels[rows], ends[rows], run))]
    return order


def _tied(equal: NDArray[np.bool_]) -> tuple[Integers, Integers]:
    """Return the positions in runs of equal neighbours, and the number of the run of each."""
    tied = np.flatnonzero(np.append(equal, False) | np.append(False, equal))
    return tied, np.cumsum(~np.append(False, equal))[tied]


def _with_sorted_starts(
    order: Integers,
    starts: Floats,
    owners: NDArray[Any],
    same_owner: NDArray[np.bool_],
    decreases: NDArray[np.bool_],
) -> Integers:
    """Sort the units of each owner by start; `order` is already sorted by owner."""
    firsts = np.flatnonzero(np.append(True, ~same_owner))
    unsorted = np.flatnonzero(np.logical_or.reduceat(np.append(decreases, False), firsts))
    if len(unsorted) * _SHORT_RUN > len(order):
        order = np.argsort(starts)
        return order[np.argsort(owners[order], kind="stable")]
    bounds = np.append(firsts, len(order))
    for low, high in zip(bounds[unsorted].tolist(), bounds[unsorted + 1].tolist(), strict=True):
        run = order[low:high]
        order[low:high] = run[np.argsort(starts[run])]
    return order


def assembled(
    *,
    annotators: tuple[str, ...],
    counts: Integers,
    starts: Floats,
    ends: Floats,
    label_codes: Codes,
    labels: tuple[Label | None, ...],
    extent: tuple[float, float] | None,
    annotators_from: AnnotatorsFrom,
    details: Details | None = None,
    text: str | None = None,
) -> Finished:
    """Compute extent, offsets and digest of sorted columns; unused `labels` are dropped."""
    offsets = np.zeros(len(annotators) + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1:])
    # The time of a bincount grows with the number of labels in the whole corpus.
    is_long = len(label_codes) >= len(labels)
    used = np.flatnonzero(np.bincount(label_codes)) if is_long else np.unique(label_codes)
    if len(used) < len(labels):
        label_codes = np.searchsorted(used, label_codes).astype(np.int32)
        labels = tuple(labels[code] for code in used)
    # Adding zero turns −0.0 into 0.0, so that equal content has equal bytes.
    starts, ends = starts + 0.0, ends + 0.0
    span = _extent(extent, annotators, offsets, starts, ends)
    fragments = b"" if details is None else details.fragment_bytes()
    digest = _digest(annotators, offsets, starts, ends, label_codes, labels, span, fragments)
    columns = (annotators, starts, ends, label_codes, offsets, labels, span)
    return Finished(*columns, annotators_from, digest, details, text)


def _extent(
    extent: tuple[float, float] | None,
    annotators: tuple[str, ...],
    offsets: Integers,
    starts: Floats,
    ends: Floats,
) -> tuple[float, float]:
    if extent is None:
        low, high = (float(starts.min()), float(ends.max())) if len(starts) else (0.0, 0.0)
        return _checked_extent(low, high)
    low, high = _checked_extent(*_pair(extent))
    inside = (starts >= low) & (ends <= high)
    if not inside.all():
        row = int(np.argmin(inside))
        name = annotators[int(np.searchsorted(offsets, row, side="right")) - 1]
        msg = (
            f"all units must lie within the extent [{low}, {high}]; "
            f"{name!r} has [{starts[row]}, {ends[row]}]"
        )
        raise DataError(msg)
    return low, high


def _checked_extent(low: float, high: float) -> tuple[float, float]:
    if max(abs(low), abs(high)) > FARTHEST:
        raise DataError(too_far(low, high, "; the extent of the document is"))
    return low, high


def _pair(extent: tuple[float, float]) -> tuple[float, float]:
    quoted = shortened(repr(extent))
    try:
        low, high = (float(bound) + 0.0 for bound in extent)
    except (TypeError, ValueError):
        msg = f"an extent must be two numbers, start and end of the document; got {quoted}"
        raise TypeError(msg) from None
    except OverflowError:
        low = high = math.inf
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        msg = f"an extent must be two finite numbers with start <= end; got {quoted}"
        raise DataError(msg)
    return low, high


def _digest(
    annotators: tuple[str, ...],
    offsets: Integers,
    starts: Floats,
    ends: Floats,
    label_codes: Codes,
    labels: tuple[Label | None, ...],
    extent: tuple[float, float],
    fragments: bytes,
) -> str:
    content = hashlib.sha256(b"unisono continuum 1\n")
    content.update(b"%d %d %d\n" % (len(annotators), len(labels), len(starts)))
    content.update(b"".join(map(label_bytes, (*annotators, *labels))))
    # Little-endian on every machine, so that the same content has the same digest.
    content.update(offsets.astype("<i8", copy=False).tobytes())
    content.update(label_codes.astype("<i4", copy=False).tobytes())
    for numbers in (starts, ends, np.array(extent)):
        content.update(numbers.astype("<f8", copy=False).tobytes())
    # Empty without fragments, whose digest must not depend on whether fragments are supported.
    content.update(fragments)
    return content.hexdigest()


def selected(
    continuum: Continuum,
    annotators: Iterable[str] | None,
    labels: Iterable[Label | None] | None,
) -> Finished:
    """Select annotators and labels."""
    names, all_labels = continuum.annotators, continuum.labels
    kept = set(names) if annotators is None else known_names(annotators, names, "annotator")
    kept_labels = set(all_labels) if labels is None else known_labels(labels, all_labels)
    keeps_annotator = np.array([name in kept for name in names], dtype=bool)
    keeps_label = np.array([label in kept_labels for label in all_labels], dtype=bool)
    owners = np.repeat(np.arange(len(names)), continuum.counts)
    rows = keeps_annotator[owners] & keeps_label[continuum.label_codes]
    details = continuum.details
    if details is not None:
        details = details.select(np.flatnonzero(rows), len(rows))
    return assembled(
        annotators=tuple(name for name in names if name in kept),
        counts=np.bincount(owners[rows], minlength=len(names))[keeps_annotator],
        starts=continuum.starts[rows],
        ends=continuum.ends[rows],
        label_codes=continuum.label_codes[rows],
        labels=all_labels,
        extent=continuum.extent,
        annotators_from=continuum.annotators_from,
        details=details,
        text=continuum.text,
    )


def renamed(
    continuum: Continuum,
    annotators: Mapping[str, str],
    labels: Mapping[Label | None, Label | None],
) -> Finished:
    """Rename annotators and labels."""
    new_names = renamed_names(continuum.annotators, annotators, "annotator")
    check_renames(labels, "label")
    known_labels(labels, continuum.labels)
    new_label = {as_label(old): as_label(new) for old, new in labels.items()}
    owners = np.repeat(np.arange(len(new_names)), continuum.counts)
    coded_annotators: Coded[str] = renumbered(owners, new_names, str)
    relabelled = [new_label.get(label, label) for label in continuum.labels]
    coded_labels: Coded[Label] = renumbered(continuum.label_codes, relabelled, label_order)
    all_labels, label_codes = with_unlabelled(coded_labels)
    names = tuple(coded_annotators.values)
    columns = UnitColumns(
        names,
        coded_annotators.codes,
        continuum.starts,
        continuum.ends,
        all_labels,
        label_codes,
        continuum.details,
    )
    return ordered(columns, names, continuum.extent, continuum.annotators_from, continuum.text)


@dataclass(frozen=True, slots=True, repr=False)
class Unit:
    """A stretch of the continuum that one annotator marked.

    Parameters
    ----------
    annotator
        The name of the annotator.
    start, end
        Position of the start and the end, in seconds, characters or any other measure. A unit
        with ``start == end`` is a point and is valid.
    label
        A string, a number or a set of them; `None` means no label.
    fragments
        Start and end of each fragment, in order, of a discontinuous unit; ``start`` and ``end``
        are then those of the whole. Measures use the whole, see `split_fragments`.
    attributes
        Additional values from a file. Measures ignore them, and units that differ in
        attributes only are equal.

    Raises
    ------
    DataError
        A bound is not finite, the end comes before the start, or the fragments do not match the
        bounds.

    Examples
    --------
    >>> import unisono as un
    >>> unit = un.Unit("ann", 2, 9, "NP")
    >>> unit
    Unit(annotator='ann', start=2.0, end=9.0, label='NP')
    >>> unit.length
    7.0
    >>> un.Unit("ann", 2, 9, "NP", fragments=((2, 4), (7, 9)))
    Unit(annotator='ann', start=2.0, end=9.0, label='NP', fragments=((2.0, 4.0), (7.0, 9.0)))
    """

    annotator: str
    start: float
    end: float
    label: Label | None = None
    fragments: Fragments = ()
    attributes: Attributes = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        name = as_name(self.annotator, "an annotator")
        for bound in (self.start, self.end):
            if isinstance(bound, str | bytes | bool) or not hasattr(bound, "__float__"):
                msg = f"the bounds of a unit must be numbers; {name!r} has {bound!r}"
                raise TypeError(msg)
        try:
            start, end = float(self.start) + 0.0, float(self.end) + 0.0
        except OverflowError:
            msg = f"the bounds of a unit must be finite numbers; {name!r} has one beyond 1e308"
            raise DataError(msg) from None
        if problem := unit_problem(name, start, end):
            raise DataError(problem)
        object.__setattr__(self, "annotator", name)
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "end", end)
        object.__setattr__(self, "label", as_label(self.label))
        if self.fragments:
            object.__setattr__(self, "fragments", as_fragments(self.fragments, start, end))

    def __repr__(self) -> str:
        fragments = f", fragments={self.fragments}" if self.fragments else ""
        return (
            f"Unit(annotator={self.annotator!r}, start={self.start}, end={self.end}, "
            f"label={self.label!r}{fragments})"
        )

    @property
    def length(self) -> float:
        """End minus start."""
        return self.end - self.start


def four_values(row: Unit | Sequence[object], number: int) -> tuple[object, ...]:
    """Return annotator, start, end and label of a `Unit` or of a tuple."""
    if isinstance(row, Unit):
        return row.annotator, row.start, row.end, row.label
    if not isinstance(row, str) and hasattr(row, "__len__") and len(row) in (3, 4):
        return (*row, None)[:4]
    msg = (
        f"row {number}: a unit must be (annotator, start, end, label) or (annotator, start, end); "
        f"got {row!r}"
    )
    raise DataError(msg)


class UnitView(Sequence[Unit]):
    """The units of a continuum as a sequence."""

    __slots__ = ("_continuum",)

    def __init__(self, continuum: Continuum) -> None:
        self._continuum = continuum

    @overload
    def __getitem__(self, row: int) -> Unit: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[Unit]: ...
    def __getitem__(self, row: int | slice) -> Unit | Sequence[Unit]:
        if isinstance(row, slice):
            return tuple(map(self._continuum.unit, range(len(self))[row]))
        return self._continuum.unit(row + len(self) if -len(self) <= row < 0 else row)

    def __len__(self) -> int:
        return len(self._continuum)

    def __iter__(self) -> Iterator[Unit]:
        return iter(self._continuum)

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'unit')} of {self._continuum!r}>"


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Continuum:
    """The units of all annotators of one document; immutable.

    Build it with `from_units`, `from_frame` or `from_columns`. Units are sorted by annotator,
    start, end and label, whatever their input order; duplicates are kept. Two continua with the
    same content are equal.

    Attributes
    ----------
    annotators
        The annotators who saw the document, sorted by name, including those without units.
    starts, ends
        Bounds of the units, one row per unit; read-only float64.
    label_codes
        Index of each unit's label in `labels`; read-only int32.
    offsets
        The rows of annotator ``i`` are ``offsets[i]`` to ``offsets[i + 1]``; read-only int64.
    labels
        The labels in use, sorted: no label (`None`), numbers, strings, sets.
    extent
        Start and end of the document.
    annotators_from
        The source of `annotators`: the ``"units"``, the whole ``"corpus"``, or ``"declared"``
        by the caller. Not part of the content, so not in the digest.
    digest
        SHA-256 of the content, in hexadecimal.
    details
        Fragments and attributes of the units that have any, as in `Unit`. Attributes are not in
        the digest.
    text
        The text of the document, if the file contains it; not in the digest.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 5, "NP"), ("ann", 7, 9, "VP"), ("bob", 0, 4, "NP")]
    ... )
    >>> text
    Continuum(2 annotators, 3 units, 2 labels, 0–9)
    >>> text.counts
    array([2, 1])
    >>> text.units[2]
    Unit(annotator='bob', start=0.0, end=4.0, label='NP')
    """

    annotators: tuple[str, ...]
    starts: Floats
    ends: Floats
    label_codes: Codes
    offsets: Integers
    labels: tuple[Label | None, ...]
    extent: tuple[float, float]
    annotators_from: AnnotatorsFrom
    digest: str
    details: Details | None
    text: str | None

    def __init__(self) -> None:
        msg = "build a Continuum with Continuum.from_units, from_frame or from_columns"
        raise TypeError(msg)

    @classmethod
    def from_units(
        cls,
        rows: Iterable[Unit | Sequence[object]],
        *,
        annotators: Iterable[str] | None = None,
        extent: tuple[float, float] | None = None,
    ) -> Continuum:
        """Build a continuum from `Unit` objects or tuples.

        Parameters
        ----------
        rows
            `Unit` objects, ``(annotator, start, end, label)`` or ``(annotator, start, end)``.
        annotators
            All annotators who saw the document, including those without units; by default the
            annotators with units.
        extent
            Start and end of the document; by default from the first start to the last end.

        Returns
        -------
        Continuum
            Independent of the order of the rows.

        Raises
        ------
        DataError
            A row does not have three or four values, a unit has invalid bounds or lies outside
            the extent, or an annotator with units is not among `annotators`.

        Examples
        --------
        >>> import unisono as un
        >>> rows = [("ann", 0, 5, "NP"), un.Unit("bob", 1, 5, "NP")]
        >>> un.Continuum.from_units(rows, annotators=("ann", "bob", "eve"), extent=(0, 60))
        Continuum(3 annotators, 2 units, 1 label, 0–60)
        """
        if not is_several(rows):
            msg = f"from_units takes a sequence of units, such as a list of tuples; got {rows!r}"
            raise TypeError(msg)
        values: list[tuple[object, ...]] = []
        details: dict[int, Detail] = {}
        for number, row in enumerate(rows):
            values.append(four_values(row, number))
            if isinstance(row, Unit) and (row.fragments or row.attributes):
                details[number] = Detail(row.fragments, row.attributes)
        annotator, start, end, label = zip(*values, strict=True) if values else ((),) * 4
        checked = UnitColumns.checked(annotator, start, end, label, details_of(details))
        return _built(checked, annotators, extent)

    @classmethod
    def from_frame(
        cls,
        frame: IntoFrame,
        *,
        annotator: str = "annotator",
        start: str = "start",
        end: str = "end",
        label: str | None = "label",
        annotators: Iterable[str] | None = None,
        extent: tuple[float, float] | None = None,
    ) -> Continuum:
        """Build a continuum from a dataframe with one row per unit.

        Parameters
        ----------
        frame
            A dataframe of pandas, Polars, pyarrow or any other library that narwhals supports.
        annotator, start, end, label
            Names of the columns; ``label=None`` if units have no labels. Lists in the label
            column become labels that are sets.
        annotators, extent
            As in `from_units`.

        Returns
        -------
        Continuum
            Independent of the order of the rows.

        Raises
        ------
        DataError
            A column is missing or contains invalid values.
        TypeError
            `frame` is not a dataframe, or a bound is not a number.

        Examples
        --------
        >>> import pandas as pd
        >>> import unisono as un
        >>> frame = pd.DataFrame({"who": ["ann", "bob"], "start": [0, 1], "end": [5, 5]})
        >>> un.Continuum.from_frame(frame, annotator="who", label=None)
        Continuum(2 annotators, 2 units, 0 labels, 0–5)
        """
        names = {"annotator": annotator, "start": start, "end": end, "label": label}
        columns = frame_columns(frame, names)
        return cls.from_columns(**columns, annotators=annotators, extent=extent)  # type: ignore[arg-type]

    @classmethod
    def from_columns(
        cls,
        annotator: Iterable[object],
        start: Iterable[object],
        end: Iterable[object],
        label: Iterable[object] | None = None,
        *,
        annotators: Iterable[str] | None = None,
        extent: tuple[float, float] | None = None,
        text: str | None = None,
    ) -> Continuum:
        """Build a continuum from columns, the fastest way for many units.

        Parameters
        ----------
        annotator, start, end, label
            Equally long lists or arrays, one value per unit; omit `label` if units have no
            labels.
        annotators, extent
            As in `from_units`.
        text
            The text of the document, for formats that can store it.

        Returns
        -------
        Continuum
            Independent of the order of the rows.

        Raises
        ------
        DataError
            The columns differ in length or contain invalid values.
        TypeError
            A bound is not a number, or a label is not a valid label.

        Examples
        --------
        >>> import numpy as np
        >>> import unisono as un
        >>> un.Continuum.from_columns(["ann", "bob"], np.array([0, 1]), np.array([5, 5]))
        Continuum(2 annotators, 2 units, 0 labels, 0–5)
        """
        return _built(UnitColumns.checked(annotator, start, end, label), annotators, extent, text)

    @property
    def counts(self) -> Integers:
        """The number of units of each annotator."""
        return np.diff(self.offsets)

    @property
    def units(self) -> Sequence[Unit]:
        """The units in sorted order; each is created on access."""
        return UnitView(self)

    def unit(self, row: int) -> Unit:
        """Return the unit in one row of the columns.

        Parameters
        ----------
        row
            The index of the row, from 0.

        Returns
        -------
        Unit
            The unit.

        Raises
        ------
        IndexError
            The row does not exist. Negative indices are not accepted, because −1 means "empty"
            in an alignment.

        Examples
        --------
        >>> import unisono as un
        >>> un.Continuum.from_units([("ann", 0, 5, "NP")]).unit(0)
        Unit(annotator='ann', start=0.0, end=5.0, label='NP')
        """
        row = operator.index(row)
        if not 0 <= row < len(self):
            msg = f"no unit in row {row}; there are {counted(len(self), 'unit')}, from row 0"
            raise IndexError(msg)
        annotator = self.annotators[int(np.searchsorted(self.offsets, row, side="right")) - 1]
        label = self.labels[self.label_codes[row]]
        detail = () if self.details is None else self.details.of(row)
        return Unit(annotator, float(self.starts[row]), float(self.ends[row]), label, *detail)

    def only(
        self,
        *,
        annotators: Iterable[str] | None = None,
        labels: Iterable[Label | None] | None = None,
    ) -> Continuum:
        """Select annotators or labels; the extent is unchanged.

        Parameters
        ----------
        annotators
            Annotators to keep, with all their units.
        labels
            Labels to keep; include `None` to keep units without a label. Annotators who lose all
            their units are kept as annotators without units.

        Returns
        -------
        Continuum
            The selected part.

        Raises
        ------
        DataError
            An annotator or a label does not exist.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 1, 9, "VP")])
        >>> text.only(labels=("NP",))
        Continuum(2 annotators, 1 unit, 1 label, 0–9)
        """
        return continuum_of(selected(self, annotators, labels))

    def rename(
        self,
        *,
        annotators: Mapping[str, str] | None = None,
        labels: Mapping[Label | None, Label | None] | None = None,
    ) -> Continuum:
        """Rename annotators or labels; names not mentioned are kept.

        Parameters
        ----------
        annotators
            Old name to new name; annotators cannot be merged.
        labels
            Old label to new label; labels can be merged, and `None` removes a label.

        Returns
        -------
        Continuum
            The renamed continuum.

        Raises
        ------
        DataError
            An annotator or a label does not exist, or two annotators would share a name.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 1, 9, "VP")])
        >>> text.rename(labels={"NP": "phrase", "VP": "phrase"}).labels
        ('phrase',)
        """
        return continuum_of(
            renamed(
                self,
                {} if annotators is None else annotators,
                {} if labels is None else labels,
            )
        )

    def __len__(self) -> int:
        return len(self.starts)

    def __iter__(self) -> Iterator[Unit]:
        owners = np.repeat(np.arange(len(self.annotators)), self.counts).tolist()
        columns = (self.starts.tolist(), self.ends.tolist(), self.label_codes.tolist())
        rows = zip(owners, *columns, strict=True)
        details = {} if self.details is None else dict(zip(*self.details, strict=True))
        for row, (owner, start, end, code) in enumerate(rows):
            yield Unit(self.annotators[owner], start, end, self.labels[code], *details.get(row, ()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Continuum):
            return NotImplemented
        return self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        low, high = (f"{bound:.10g}" for bound in self.extent)
        n_labels = sum(label is not None for label in self.labels)
        parts = (
            counted(len(self.annotators), "annotator"),
            counted(len(self), "unit"),
            counted(n_labels, "label"),
            f"{low}–{high}",
        )
        return f"Continuum({', '.join(parts)})"

    def _repr_html_(self) -> str:
        # Imported here, because the model does not depend on charts.
        drawn: str | None = import_module("unisono.charts.chart").notebook_picture(self)
        return "\n".join(filter(None, (drawn, f"<pre>{escape(repr(self))}</pre>")))

    def __reduce__(self) -> tuple[Callable[[Finished], Continuum], tuple[Finished]]:
        # Through continuum_of, because unpickled arrays are writeable.
        return continuum_of, (Finished(*(getattr(self, name) for name in Finished._fields)),)


def _built(
    columns: UnitColumns,
    annotators: Iterable[str] | None,
    extent: tuple[float, float] | None,
    text: str | None = None,
) -> Continuum:
    if annotators is None:
        return continuum_of(ordered(columns, columns.annotators, extent, "units", text))
    declared = declared_annotators(annotators, columns.annotators)
    return continuum_of(ordered(columns, declared, extent, "declared", text))


def continuum_of(finished: Finished) -> Continuum:
    """Build a continuum from finished columns, which become read-only."""
    continuum = object.__new__(Continuum)
    for name, value in zip(Finished._fields, finished, strict=True):
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
        object.__setattr__(continuum, name, value)
    return continuum
