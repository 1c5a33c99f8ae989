"""One annotated document: units of several annotators along one axis."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unisono.model.assembling import Finished, ordered
from unisono.model.columns import UnitColumns, is_several
from unisono.model.dataframes import frame_columns
from unisono.model.details import Detail, details_of
from unisono.model.naming import counted, declared_annotators
from unisono.model.selecting import renamed, selected
from unisono.model.unit import Unit, UnitView, four_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from narwhals.typing import IntoFrame

    from unisono.model.arrays import Codes, Floats, Integers
    from unisono.model.assembling import AnnotatorsFrom
    from unisono.model.details import Details
    from unisono.model.labels import Label

__all__ = ["Continuum", "continuum_of"]


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Continuum:
    """What several annotators marked in one document; a value that never changes.

    Build it with `from_units`, `from_frame` or `from_columns`. The units stand in one order
    (annotator, start, end, label) whatever the order they came in, equal units are all
    kept, and two continua with the same content are equal.

    Attributes
    ----------
    annotators
        Who saw the document, sorted by name, with or without units.
    starts, ends
        Bounds of the units, one row a unit; read-only float64.
    label_codes
        Position of each unit's label in `labels`; read-only int32.
    offsets
        The rows of annotator ``i`` are ``offsets[i]`` to ``offsets[i + 1]``; read-only int64.
    labels
        The labels in use: no label (`None`), numbers, strings, sets.
    extent
        Where the document begins and ends.
    annotators_from
        How `annotators` was known: from the ``"units"``, from the whole ``"corpus"``, or
        ``"declared"``. It changes no content, so it is not in the digest.
    digest
        SHA-256 of the content, in hexadecimal.
    details
        Which units are in pieces or have attributes, as `Unit` tells; attributes are not in
        the digest.
    text
        The text of the document, where a file tells it; not in the digest.

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
        """Build a continuum from units, or from tuples that say the same.

        Parameters
        ----------
        rows
            `Unit` objects, ``(annotator, start, end, label)`` or ``(annotator, start, end)``.
        annotators
            Everyone who saw the document, also those who marked nothing; by default those
            who have units.
        extent
            Where the document begins and ends; by default from the first start to the last
            end.

        Returns
        -------
        Continuum
            The same for every order of the rows.

        Raises
        ------
        DataError
            A row has not three or four values, a unit has impossible bounds or lies outside
            the extent, or an annotator with units is not among `annotators`.

        Examples
        --------
        >>> import unisono as un
        >>> rows = [("ann", 0, 5, "NP"), un.Unit("bob", 1, 5, "NP")]
        >>> un.Continuum.from_units(rows, annotators=("ann", "bob", "eve"), extent=(0, 60))
        Continuum(3 annotators, 2 units, 1 label, 0–60)
        """
        if not is_several(rows):
            msg = f"from_units takes several units, such as a list of tuples; got {rows!r}"
            raise TypeError(msg)
        values: list[tuple[object, ...]] = []
        more: dict[int, Detail] = {}
        for number, row in enumerate(rows):
            values.append(four_values(row, number))
            if isinstance(row, Unit) and (row.fragments or row.attributes):
                more[number] = Detail(row.fragments, row.attributes)
        annotator, start, end, label = zip(*values, strict=True) if values else ((),) * 4
        checked = UnitColumns.checked(annotator, start, end, label, details_of(more))
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
        """Build a continuum from a dataframe with one row a unit.

        Parameters
        ----------
        frame
            A frame of pandas, Polars, pyarrow or any other library that narwhals knows.
        annotator, start, end, label
            Names of the columns; ``label=None`` when units have no labels. A column of lists
            makes labels that are sets.
        annotators, extent
            As in `from_units`.

        Returns
        -------
        Continuum
            The same for every order of the rows.

        Raises
        ------
        DataError
            A column is missing, or holds what no unit can have.
        TypeError
            This is no dataframe, or a bound is no number.

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
        """Build a continuum from columns, the quickest way for many units.

        Parameters
        ----------
        annotator, start, end, label
            Equally long lists or arrays, one value a unit; no `label` when units have none.
        annotators, extent, text
            As in `from_units`; the text of the document, for formats that hold it.

        Returns
        -------
        Continuum
            The same for every order of the rows.

        Raises
        ------
        DataError
            The columns differ in length, or hold what no unit can have.
        TypeError
            A bound is no number, or a label no label.

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
        """How many units each annotator has."""
        return np.diff(self.offsets)

    @property
    def units(self) -> Sequence[Unit]:
        """The units in their order, each made when it is asked for."""
        return UnitView(self)

    def unit(self, row: int) -> Unit:
        """Give the unit in one row of the columns.

        Parameters
        ----------
        row
            Its position, from 0.

        Returns
        -------
        Unit
            The unit.

        Raises
        ------
        IndexError
            There is no such row; −1 is none, it means "empty" in an alignment.

        Examples
        --------
        >>> import unisono as un
        >>> un.Continuum.from_units([("ann", 0, 5, "NP")]).unit(0)
        Unit(annotator='ann', start=0.0, end=5.0, label='NP')
        """
        row = operator.index(row)
        if not 0 <= row < len(self):
            msg = f"no unit in row {row}; there are {len(self)}, the first in row 0"
            raise IndexError(msg)
        annotator = self.annotators[int(np.searchsorted(self.offsets, row, side="right")) - 1]
        label = self.labels[self.label_codes[row]]
        more = () if self.details is None else self.details.of(row)
        return Unit(annotator, float(self.starts[row]), float(self.ends[row]), label, *more)

    def only(
        self,
        *,
        annotators: Iterable[str] | None = None,
        labels: Iterable[Label | None] | None = None,
    ) -> Continuum:
        """Keep some annotators, or some labels; the extent stays.

        Parameters
        ----------
        annotators
            Whom to keep, with all their units.
        labels
            Labels to keep; `None` among them keeps units without label. Annotators whose
            units all go stay as annotators without units.

        Returns
        -------
        Continuum
            The smaller continuum.

        Raises
        ------
        DataError
            There is no such annotator or label.

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
        """Call annotators or labels otherwise; whoever is not named keeps the name.

        Parameters
        ----------
        annotators
            Old name to new name; two annotators cannot become one.
        labels
            Old label to new label; several may become one, and `None` takes a label away.

        Returns
        -------
        Continuum
            The renamed continuum.

        Raises
        ------
        DataError
            There is no such annotator or label, or two annotators would share a name.

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
        more = {} if self.details is None else dict(zip(*self.details, strict=True))
        for row, (owner, start, end, code) in enumerate(rows):
            yield Unit(self.annotators[owner], start, end, self.labels[code], *more.get(row, ()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Continuum):
            return NotImplemented
        return self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        low, high = (f"{bound:.10g}" for bound in self.extent)
        n_labels = sum(label is not None for label in self.labels)
        told = (
            counted(len(self.annotators), "annotator"),
            counted(len(self), "unit"),
            counted(n_labels, "label"),
            f"{low}–{high}",
        )
        return f"Continuum({', '.join(told)})"

    def __reduce__(self) -> tuple[Callable[[Finished], Continuum], tuple[Finished]]:
        # By way of continuum_of, because arrays come out of a pickle writeable.
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
    """Make the continuum of finished columns, which become read-only."""
    continuum = object.__new__(Continuum)
    for name, value in zip(Finished._fields, finished, strict=True):
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
        object.__setattr__(continuum, name, value)
    return continuum
