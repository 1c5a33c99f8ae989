"""Which units the annotators share: a partition of all units into groups, with its proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np

from unisono.errors import DataError
from unisono.results.picturing import Pictured
from unisono.results.record import plain_label, plain_number
from unisono.results.records import Record
from unisono.results.wording import count, decimals

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label
    from unisono.model.unit import Unit
    from unisono.results.signature import Signature


_Number = TypeVar("_Number", np.int64, np.float64)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Alignment(Record, Pictured):
    """The best account of who meant the same: each group holds at most one unit an annotator.

    Parameters
    ----------
    continuum
        What was annotated.
    indices
        Rows of the continuum, one line a group and one column an annotator; −1 is an empty place.
    group_disorders
        The disorder of each group.
    disorder
        The disorder of the alignment: the sum over groups divided by the mean number of units.
    lower_bound
        No alignment of these units has less disorder than this.
    proven
        Whether this alignment is proven to be the best.
    signature
        Every setting that can move the alignment.

    Raises
    ------
    DataError
        If the arrays do not fit the continuum.

    Examples
    --------
    >>> import numpy as np
    >>> import unisono as un
    >>> from unisono.measures.gamma.alignment import Alignment
    >>> from unisono.results.signature import Signature
    >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A"), ("bob", 3, 4, "B")])
    >>> alignment = Alignment(
    ...     continuum=text,
    ...     indices=np.array([[0, 1], [-1, 2]]),
    ...     group_disorders=np.array([0.0, 1.0]),
    ...     disorder=1 / 1.5,
    ...     lower_bound=1 / 1.5,
    ...     proven=True,
    ...     signature=Signature("alignment"),
    ... )
    >>> alignment
    Alignment(2 groups, disorder 0.6667, proven)
    >>> alignment.groups[1]
    (None, Unit(annotator='bob', start=3.0, end=4.0, label='B'))
    """

    continuum: Continuum
    indices: npt.NDArray[np.int64]
    group_disorders: npt.NDArray[np.float64]
    disorder: float
    lower_bound: float
    proven: bool
    signature: Signature

    def __post_init__(self) -> None:
        indices = read_only(self.indices, np.int64)
        disorders = read_only(self.group_disorders, np.float64)
        n_annotators, n_units = len(self.continuum.annotators), len(self.continuum)
        if indices.ndim != 2 or indices.shape[1] != n_annotators:
            msg = (
                f"an alignment of {count(n_annotators, 'annotator')} has as many columns of "
                f"indices, got an array of shape {indices.shape}"
            )
            raise DataError(msg)
        if disorders.shape != indices.shape[:1]:
            msg = f"{len(indices)} groups have as many disorders, got shape {disorders.shape}"
            raise DataError(msg)
        if indices.size and not -1 <= int(indices.min()) <= int(indices.max()) < n_units:
            msg = f"indices of an alignment lie between −1 and {n_units - 1}, the last unit's row"
            raise DataError(msg)
        object.__setattr__(self, "indices", indices)
        object.__setattr__(self, "group_disorders", disorders)
        for name, kind in (("disorder", float), ("lower_bound", float), ("proven", bool)):
            object.__setattr__(self, name, kind(getattr(self, name)))

    @property
    def groups(self) -> Sequence[tuple[Unit | None, ...]]:
        """The groups: a unit or ``None`` for each annotator, in the annotators' order.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> [unit.annotator for unit in un.best_alignment(text).groups[0]]
        ['ann', 'bob']
        """
        return _Groups(self.continuum, self.indices)

    @property
    def gap(self) -> float:
        """How far above the best this alignment may be; 0 when it is proven to be the best.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> un.best_alignment(text).gap
        0.0
        """
        return 0.0 if self.proven else max(0.0, self.disorder - self.lower_bound)

    def __len__(self) -> int:
        return len(self.indices)

    def __repr__(self) -> str:
        proof = "proven" if self.proven else f"not proven, gap {self.gap:.2g}"
        return (
            f"Alignment({count(len(self), 'group')}, disorder {decimals(self.disorder)}, {proof})"
        )

    def rows(self) -> Iterator[tuple[int, float, str, float, float, Label | None]]:
        """Give one flat row a unit: group, disorder of the group, annotator, start, end, label.

        Groups are counted from 1; an empty place has no row.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
        >>> for row in un.best_alignment(text).rows():
        ...     print(row)
        (1, 0.0, 'ann', 0.0, 2.0, 'A')
        (1, 0.0, 'bob', 0.0, 2.0, 'A')
        """
        starts, ends, labels = self._unit_columns()
        disorders = self.group_disorders.tolist()
        for i, places in enumerate(self.indices.tolist()):
            for annotator, row in zip(self.continuum.annotators, places, strict=True):
                if row >= 0:
                    yield i + 1, disorders[i], annotator, starts[row], ends[row], labels[row]

    def to_dict(self) -> dict[str, Any]:
        """Give the whole alignment as plain data: each group with its units and its disorder.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A")], annotators=["ann", "bob"])
        >>> un.best_alignment(text).to_dict()["groups"][0]["units"]
        [{'annotator': 'ann', 'start': 0.0, 'end': 2.0, 'label': 'A'}, None]
        """
        starts, ends, labels = self._unit_columns()
        plain_labels = [plain_label(label) for label in labels]
        annotators = self.continuum.annotators
        groups = [
            {
                "disorder": disorder,
                "units": [
                    None
                    if row < 0
                    else {
                        "annotator": annotator,
                        "start": starts[row],
                        "end": ends[row],
                        "label": plain_labels[row],
                    }
                    for annotator, row in zip(annotators, places, strict=True)
                ],
            }
            for disorder, places in zip(
                self.group_disorders.tolist(), self.indices.tolist(), strict=True
            )
        ]
        return self.in_short() | {"groups": groups, "signature": str(self.signature)}

    def in_short(self) -> dict[str, Any]:
        """Give the number of groups, the disorder and its proof as plain data.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 2, "A")], annotators=["ann", "bob"])
        >>> un.best_alignment(text).in_short()
        {'groups': 1, 'disorder': 2.0, 'lower_bound': 2.0, 'gap': 0.0, 'proven': True}
        """
        return {
            "groups": len(self),
            "disorder": plain_number(self.disorder),
            "lower_bound": plain_number(self.lower_bound),
            "gap": plain_number(self.gap),
            "proven": self.proven,
        }

    # Lists, because reading a million numbers one by one out of an array takes seconds.
    def _unit_columns(self) -> tuple[list[float], list[float], list[Label | None]]:
        continuum = self.continuum
        labels = [continuum.labels[code] for code in continuum.label_codes.tolist()]
        return continuum.starts.tolist(), continuum.ends.tolist(), labels


class _Groups(Sequence["tuple[Unit | None, ...]"]):
    """The groups of an alignment, made when they are looked at."""

    __slots__ = ("_continuum", "_indices")

    def __init__(self, continuum: Continuum, indices: npt.NDArray[np.int64]) -> None:
        self._continuum = continuum
        self._indices = indices

    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, index: int) -> tuple[Unit | None, ...]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[Unit | None, ...]]: ...

    def __getitem__(
        self, index: int | slice
    ) -> tuple[Unit | None, ...] | Sequence[tuple[Unit | None, ...]]:
        if isinstance(index, slice):
            return _Groups(self._continuum, self._indices[index])
        places = self._indices[index].tolist()
        return tuple(None if row < 0 else self._continuum.unit(row) for row in places)

    def __repr__(self) -> str:
        return f"<{count(len(self), 'group')}>"


def read_only(values: npt.ArrayLike, kind: type[_Number]) -> npt.NDArray[_Number]:
    """Give the values as a contiguous array that nobody can write to.

    Parameters
    ----------
    values
        Numbers; an array that is already read-only is taken as it is, any other is copied.
    kind
        The type of the numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from unisono.measures.gamma.alignment import read_only
    >>> read_only([1, 2], np.float64).flags.writeable
    False
    """
    if (
        isinstance(values, np.ndarray)
        and values.dtype == kind
        and values.flags.c_contiguous
        and not values.flags.writeable
    ):
        return values
    array: npt.NDArray[_Number] = np.array(values, dtype=kind, order="C")
    array.setflags(write=False)
    return array
