"""Which unit of a hypothesis answers to which unit of a reference, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from unisono.errors import DataError
from unisono.measures.gamma.alignment import read_only
from unisono.results.record import plain_label
from unisono.results.records import Record
from unisono.results.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label
    from unisono.model.unit import Unit


KINDS = ("correct", "type", "boundary", "both", "insertion", "deletion")
"""What can become of a slot."""


class Slot(NamedTuple):
    """One line of a matching: what became of a unit, and the units themselves.

    Examples
    --------
    >>> import unisono as un
    >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
    >>> system = un.Continuum.from_units([("system", 0, 5, "B")])
    >>> slot = un.slot_error_rate(gold, system).matching.slots[0]
    >>> slot.kind, slot.reference.label, slot.hypothesis.label
    ('type', 'A', 'B')
    """

    kind: str
    reference: Unit | None
    hypothesis: Unit | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SlotMatching(Record):
    """Every unit of both sides once, in pairs or alone, along the document.

    Parameters
    ----------
    reference, hypothesis
        The same document as either side has it, one annotator each.
    indices
        Rows of the reference and of the hypothesis, one line a slot; −1 where there is none.
    kinds
        What became of each slot, as a place in `KINDS`.

    Raises
    ------
    DataError
        If the arrays do not fit each other or the data.

    Examples
    --------
    >>> import unisono as un
    >>> gold = un.Continuum.from_units([("gold", 0, 5, "A"), ("gold", 7, 9, "B")])
    >>> system = un.Continuum.from_units([("system", 0, 4, "A")])
    >>> matching = un.slot_error_rate(gold, system).matching
    >>> matching
    SlotMatching(2 slots)
    >>> [slot.kind for slot in matching.slots]
    ['boundary', 'deletion']
    """

    reference: Continuum
    hypothesis: Continuum
    indices: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int64]

    def __post_init__(self) -> None:
        indices = read_only(self.indices, np.int64)
        kinds = read_only(self.kinds, np.int64)
        if indices.shape != (len(kinds), 2):
            msg = f"{len(kinds)} slots have as many lines of two indices, got {indices.shape}"
            raise DataError(msg)
        for column, side in enumerate((self.reference, self.hypothesis)):
            there = np.sort(indices[:, column][indices[:, column] >= 0])
            if not np.array_equal(there, np.arange(len(side))):
                msg = f"a matching has every unit of both sides once; of {side!r} it does not"
                raise DataError(msg)
        object.__setattr__(self, "indices", indices)
        object.__setattr__(self, "kinds", kinds)

    @property
    def slots(self) -> Sequence[Slot]:
        """The lines, each made when it is asked for.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> un.slot_error_rate(gold, gold).matching.slots[0].kind
        'correct'
        """
        return _Slots(self)

    def __len__(self) -> int:
        return len(self.kinds)

    def __repr__(self) -> str:
        return f"SlotMatching({count(len(self), 'slot')})"

    def __hash__(self) -> int:
        return hash((self.reference, self.hypothesis))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Give one flat row a slot: kind, then start, end and label on either side.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A"), ("gold", 7, 9, "B")])
        >>> system = un.Continuum.from_units([("system", 0, 4, "A")])
        >>> for row in un.slot_error_rate(gold, system).matching.rows():
        ...     print(row)
        ('boundary', 0.0, 5.0, 'A', 0.0, 4.0, 'A')
        ('deletion', 7.0, 9.0, 'B', None, None, None)
        """
        left, right = (_unit_columns(side) for side in (self.reference, self.hypothesis))
        for kind, (i, j) in zip(self.kinds.tolist(), self.indices.tolist(), strict=True):
            yield (KINDS[kind], *left[i], *right[j])

    def to_dict(self) -> dict[str, Any]:
        """Give all slots as plain data.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> nothing = un.Continuum.from_units([], annotators=["system"])
        >>> un.slot_error_rate(gold, nothing).matching.to_dict()["slots"]
        [{'kind': 'deletion', 'reference': {'start': 0.0, ...}, 'hypothesis': None}]
        """
        return {
            "slots": [
                {
                    "kind": kind,
                    "reference": _plain_unit(*values[:3]),
                    "hypothesis": _plain_unit(*values[3:]),
                }
                for kind, *values in self.rows()
            ]
        }


class _Slots(Sequence[Slot]):
    """The slots of a matching, made when they are looked at."""

    __slots__ = ("_matching",)

    def __init__(self, matching: SlotMatching) -> None:
        self._matching = matching

    def __len__(self) -> int:
        return len(self._matching)

    @overload
    def __getitem__(self, index: int) -> Slot: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Slot]: ...

    def __getitem__(self, index: int | slice) -> Slot | Sequence[Slot]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        matching = self._matching
        i, j = matching.indices[index].tolist()
        return Slot(
            KINDS[int(matching.kinds[index])],
            None if i < 0 else matching.reference.unit(i),
            None if j < 0 else matching.hypothesis.unit(j),
        )

    def __repr__(self) -> str:
        return f"<{count(len(self), 'slot')}>"


# The last entry stands for no unit: −1 finds it.
def _unit_columns(side: Continuum) -> list[tuple[float | Label | None, ...]]:
    labels = [side.labels[code] for code in side.label_codes.tolist()]
    found: list[tuple[float | Label | None, ...]] = list(
        zip(side.starts.tolist(), side.ends.tolist(), labels, strict=True)
    )
    found.append((None, None, None))
    return found


def _plain_unit(start: Any, end: Any, label: Any) -> dict[str, Any] | None:  # noqa: ANN401
    if start is None:
        return None
    return {"start": start, "end": end, "label": plain_label(label)}
