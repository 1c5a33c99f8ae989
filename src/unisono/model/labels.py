"""Labels: their normal form, order, text and bytes; ranks of positions, and rounding errors."""

from __future__ import annotations

import math
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from unisono.errors import DataError

if TYPE_CHECKING:
    from unisono.model.arrays import Floats, Integers

__all__ = [
    "Label",
    "Ranks",
    "as_label",
    "is_too_long",
    "label_bytes",
    "label_order",
    "label_text",
    "ranked",
    "slack_of",
]


def shown(label: Label | None) -> str:
    """Return a label quoted for a message."""
    if label is None:
        return "no label"
    return repr(label) if isinstance(label, str) else label_text(label)


Label: TypeAlias = str | int | float | frozenset[str | int | float]
"""A string, a number, or a set of them; "no label" is `None` and not a label."""
# pandas has its own missing values; comparing type names avoids importing pandas.
_MISSING_TYPES = frozenset({"NAType", "NaTType"})
# Python does not convert whole numbers of more than 4,300 digits to text.
_MOST_BITS = 13_000
# Members of these types are already normalised; the type of True is bool, not int.
_NORMAL_TYPES = frozenset({str, int})


def as_label(value: object) -> Label | None:
    """Return the normal form of a label.

    Equal labels of files and dataframes become equal values: NumPy scalars become Python values,
    whole floats become integers, lists, tuples and sets become frozensets, Booleans become
    ``"true"`` and ``"false"``. `None`, NaN and the empty string become `None`, which means "no
    label".
    """
    # Most strings and sets are already normalised.
    if type(value) is str:
        return value or None
    if type(value) is frozenset and _NORMAL_TYPES.issuperset(map(type, value)) and "" not in value:
        return value
    # A row of a structured array is a record, not a set of labels.
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind != "V":
        value = value.tolist()
    if isinstance(value, AbstractSet | list | tuple):
        return frozenset(_member(member, value) for member in value)
    return _plain_label(value)


def label_order(label: Label | None) -> tuple[int, Any]:
    """Return the sort key of a label: no label, numbers, strings, then sets by their members."""
    if label is None:
        return 0, 0
    if isinstance(label, str):
        return 2, label
    if isinstance(label, frozenset):
        return 3, tuple([(1 + isinstance(member, str), member) for member in _in_order(label)])
    return 1, label


def label_text(label: Label | None) -> str:
    """Return a label as text, for display and for JSON keys."""
    if label is None:
        return ""
    if isinstance(label, frozenset):
        return "{" + ", ".join(map(label_text, _in_order(label))) + "}"
    if isinstance(label, float) and label.is_integer():
        return str(int(label))
    return str(label)


def label_bytes(label: Label | None) -> bytes:
    """Return unique bytes of a label: its kind, its length, its text."""
    if isinstance(label, frozenset):
        return b"{%d:" % len(label) + b"".join(map(_member_bytes, _in_order(label)))
    kind = b"-" if label is None else b"s" if isinstance(label, str) else b"n"
    text = label_text(label).encode("utf-8", "surrogatepass")
    return b"%b%d:%b" % (kind, len(text), text)


# Many sets consist of few distinct members.
_member_bytes = lru_cache(maxsize=1024, typed=True)(label_bytes)


def is_too_long(number: int) -> bool:
    """Return whether a whole number has more digits than Python converts to text."""
    return number.bit_length() > _MOST_BITS


def _in_order(members: frozenset[str | int | float]) -> list[str | int | float]:
    try:
        return sorted(members)
    except TypeError:  # texts beside numbers
        return sorted(members, key=label_order)


def _plain_label(value: object) -> str | int | float | None:
    if value is None:
        return None
    if isinstance(value, str):
        return str.__str__(value) or None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if is_too_long(value):
            msg = "a whole number as a label can have at most 3,900 digits; got more"
            raise DataError(msg)
        return int(value)
    if isinstance(value, float):
        if math.isnan(value):
            return None
        if math.isinf(value):
            msg = f"a numeric label must be finite; got {value}"
            raise DataError(msg)
        return int(value) if value.is_integer() else float(value)
    if type(value).__name__ in _MISSING_TYPES:
        return None
    msg = (
        "a label must be a string, a number or a set of them (None: no label); "
        f"got {value!r} of type {type(value).__name__}"
    )
    raise TypeError(msg)


def _member(value: object, whole: object) -> str | int | float:
    if isinstance(value, np.generic):
        value = value.item()
    member = _plain_label(value)
    if member is None:
        msg = f"every member of a set of labels must be a string or a number; got {whole!r}"
        raise DataError(msg)
    return member


class Ranks(NamedTuple):
    """Starts and ends of intervals as ranks among all positions of the same group."""

    places: Floats
    """The position of each rank."""
    groups: Integers
    """The group of each rank; the ranks of a group are contiguous and sorted by position."""
    starts: Integers
    ends: Integers

    @property
    def steps(self) -> Floats:
        """The distance from each rank to the next of its group; 0 for the last of a group."""
        steps = np.diff(self.places, append=0.0)
        steps[np.diff(self.groups, append=-1) != 0] = 0.0
        return steps

    def between(self, amounts: Floats) -> Floats:
        """Return the sum of the amounts between the ranks of each interval."""
        cumulative = np.concatenate(((0.0,), np.cumsum(amounts)))
        return cumulative[self.ends] - cumulative[self.starts]


def ranked(groups: Integers, starts: Floats, ends: Floats) -> Ranks:
    """Rank starts and ends of intervals within their group."""
    places = np.concatenate((starts, ends))
    owners = np.concatenate((groups, groups))
    # A sort by one key takes half the time of a sort by two.
    one_group = not len(groups) or groups.min() == groups.max()
    order = np.argsort(places, kind="stable") if one_group else np.lexsort((places, owners))
    places, owners = places[order], owners[order]
    new = np.ones(len(places), dtype=np.bool_)
    new[1:] = (places[1:] != places[:-1]) | (owners[1:] != owners[:-1])
    ranks = np.empty(len(places), dtype=np.int64)
    ranks[order] = np.cumsum(new) - 1
    return Ranks(places[new], owners[new], ranks[: len(starts)], ranks[len(starts) :])


# The rounding error of start + duration is at most three units in the last place.
_ROUNDING = 4.0 * np.finfo(np.float64).eps


def slack_of(first: Floats, second: Floats | float = 0.0) -> Floats:
    """Return the maximum difference of equal positions that rounding can cause."""
    slack: Floats = _ROUNDING * np.maximum(np.abs(first), np.abs(second))
    return slack
