"""One unit: who marked what, from where to where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

from unisono.errors import DataError
from unisono.model.columns import as_name, unit_problem
from unisono.model.details import as_fragments
from unisono.model.labels import as_label
from unisono.model.naming import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unisono.model.continuum import Continuum
    from unisono.model.details import Attributes, Fragments
    from unisono.model.labels import Label

__all__ = ["Unit", "UnitView", "four_values"]


@dataclass(frozen=True, slots=True, repr=False)
class Unit:
    """A stretch of the continuum that one annotator marked.

    Parameters
    ----------
    annotator
        Who marked it.
    start, end
        Where it begins and ends, in seconds, characters or any other measure; a unit
        whose end is its start is a point, and legal.
    label
        What it was called: a string, a number or a set of them; `None` is no label.
    fragments
        Start and end of each piece, in order, of a unit that is in several pieces; start and
        end are then those of the whole. Measures use the whole, see `split_fragments`.
    attributes
        What a file says of it besides. No measure looks at them, and units that differ in
        them only are equal.

    Raises
    ------
    DataError
        A bound is not finite, the end comes before the start, or fragments do not fit.

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
                msg = f"the bounds of a unit are numbers; {name!r} has {bound!r}"
                raise TypeError(msg)
        try:
            start, end = float(self.start) + 0.0, float(self.end) + 0.0
        except OverflowError:
            msg = f"the bounds of a unit are finite numbers; {name!r} has one beyond 1e308"
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
        pieces = f", fragments={self.fragments}" if self.fragments else ""
        return (
            f"Unit(annotator={self.annotator!r}, start={self.start}, end={self.end}, "
            f"label={self.label!r}{pieces})"
        )

    @property
    def length(self) -> float:
        """The end minus the start."""
        return self.end - self.start


def four_values(row: Unit | Sequence[object], number: int) -> tuple[object, ...]:
    """Give annotator, start, end and label of a unit or of a tuple that says the same."""
    if isinstance(row, Unit):
        return row.annotator, row.start, row.end, row.label
    if not isinstance(row, str) and hasattr(row, "__len__") and len(row) in (3, 4):
        return (*row, None)[:4]
    msg = (
        f"row {number}: a unit is (annotator, start, end, label) or (annotator, start, end); "
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
