"""Labels: what is one, their order, their texts, and numbers that are equal but for rounding."""

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
    """Quote a label for a message."""
    if label is None:
        return "no label"
    return repr(label) if isinstance(label, str) else label_text(label)


Label: TypeAlias = str | int | float | frozenset[str | int | float]
"""A string, a number, or a set of them; "no label" is `None` and not a label."""
# pandas says "missing" with objects of its own; naming their types spares importing pandas.
_MISSING_TYPES = frozenset({"NAType", "NaTType"})
# Python writes no whole number of more than 4,300 digits.
_MOST_BITS = 13_000
# What such a member says does not depend on how it is written; True is no int here.
_OWN_FORMS = frozenset({str, int})


def as_label(value: object) -> Label | None:
    """Give a value the one form that stands for its label.

    Equal labels come out equal, however a file or a dataframe spelt them: numpy scalars
    become Python values, whole floats become integers, lists, tuples and sets become
    frozensets, truth values become ``"true"`` and ``"false"``. `None`, NaN and the empty
    string become `None`, which means "no label".
    """
    # Most texts and sets already have their form.
    if type(value) is str:
        return value or None
    if type(value) is frozenset and _OWN_FORMS.issuperset(map(type, value)) and "" not in value:
        return value
    # A row of a structured array is several values, and no set of them.
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind != "V":
        value = value.tolist()
    if isinstance(value, AbstractSet | list | tuple):
        return frozenset(_member(member, value) for member in value)
    return _plain_label(value)


def label_order(label: Label | None) -> tuple[int, Any]:
    """Sort labels of any kind: no label, numbers, strings, then sets by their members."""
    if label is None:
        return 0, 0
    if isinstance(label, str):
        return 2, label
    if isinstance(label, frozenset):
        return 3, tuple([(1 + isinstance(member, str), member) for member in _in_order(label)])
    return 1, label


def label_text(label: Label | None) -> str:
    """Write a label for people, and for the keys of JSON."""
    if label is None:
        return ""
    if isinstance(label, frozenset):
        return "{" + ", ".join(map(label_text, _in_order(label))) + "}"
    if isinstance(label, float) and label.is_integer():
        return str(int(label))
    return str(label)


def label_bytes(label: Label | None) -> bytes:
    """Write a label so that no other label is written alike: the kind, the length, the text."""
    if isinstance(label, frozenset):
        return b"{%d:" % len(label) + b"".join(map(_member_bytes, _in_order(label)))
    kind = b"-" if label is None else b"s" if isinstance(label, str) else b"n"
    text = label_text(label).encode("utf-8", "surrogatepass")
    return b"%b%d:%b" % (kind, len(text), text)


# Many sets are made of few members.
_member_bytes = lru_cache(maxsize=1024, typed=True)(label_bytes)


def is_too_long(number: int) -> bool:
    """Say whether a whole number has more digits than can be written."""
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
            msg = "a whole number has at most 3,900 digits here; got one that has more"
            raise DataError(msg)
        return int(value)
    if isinstance(value, float):
        if math.isnan(value):
            return None
        if math.isinf(value):
            msg = f"a label that is a number is finite; got {value}"
            raise DataError(msg)
        return int(value) if value.is_integer() else float(value)
    if type(value).__name__ in _MISSING_TYPES:
        return None
    msg = (
        "a label is a string, a number or a set of them (None: no label); "
        f"got {value!r} of type {type(value).__name__}"
    )
    raise TypeError(msg)


def _member(value: object, whole: object) -> str | int | float:
    if isinstance(value, np.generic):
        value = value.item()
    member = _plain_label(value)
    if member is None:
        msg = f"every member of a set of labels is a string or a number; got {whole!r}"
        raise DataError(msg)
    return member


class Ranks(NamedTuple):
    """Where stretches begin and end, as ranks among all places of their kind."""

    places: Floats
    """The position of each rank."""
    groups: Integers
    """The group of each rank; those of a group stand together, in order of position."""
    starts: Integers
    ends: Integers

    @property
    def steps(self) -> Floats:
        """How far it is from each rank to the next of its group; 0 for the last of a group."""
        steps = np.diff(self.places, append=0.0)
        steps[np.diff(self.groups, append=-1) != 0] = 0.0
        return steps

    def between(self, amounts: Floats) -> Floats:
        """Add up for each stretch what stands between its ranks."""
        so_far = np.concatenate(((0.0,), np.cumsum(amounts)))
        return so_far[self.ends] - so_far[self.starts]


def ranked(groups: Integers, starts: Floats, ends: Floats) -> Ranks:
    """Rank the ends of stretches, those of one group together."""
    places = np.concatenate((starts, ends))
    owners = np.concatenate((groups, groups))
    # One key sorts in half the time of two.
    alone = not len(groups) or groups.min() == groups.max()
    order = np.argsort(places, kind="stable") if alone else np.lexsort((places, owners))
    places, owners = places[order], owners[order]
    new = np.ones(len(places), dtype=np.bool_)
    new[1:] = (places[1:] != places[:-1]) | (owners[1:] != owners[:-1])
    ranks = np.empty(len(places), dtype=np.int64)
    ranks[order] = np.cumsum(new) - 1
    return Ranks(places[new], owners[new], ranks[: len(starts)], ranks[len(starts) :])


# Sums of a start and a duration are off by three units of the last place at most.
_ROUNDING = 4.0 * np.finfo(np.float64).eps


def slack_of(first: Floats, second: Floats | float = 0.0) -> Floats:
    """Give how far positions can be apart by rounding alone."""
    slack: Floats = _ROUNDING * np.maximum(np.abs(first), np.abs(second))
    return slack
