"""What all results share: frozen fields, equality, pickling, JSON and notebook pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from html import escape
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np

from unisono.model.labels import label_order, label_text
from unisono.results.wording import json_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from dataclasses import Field

    from unisono.model.labels import Label

__all__ = [
    "Glance",
    "InJson",
    "InMarkdown",
    "OnDemand",
    "Pictured",
    "Record",
    "label_keys",
    "plain_label",
    "plain_number",
]

Value = TypeVar("Value")
# So many are kept once they are made; of more, each is made anew.
_KEPT = 1000


class Glance(NamedTuple):
    """The least that a list of results needs of each."""

    value: float
    undefined: str | None
    proven: bool


class OnDemand(Mapping[str, Value], Generic[Value]):
    """A mapping whose values are made when they are asked for, always the same ones.

    100,000 results of documents would take gigabytes, and most of them nobody looks at.
    """

    def __init__(
        self,
        names: Iterable[str],
        made: Callable[[str], Value],
        glance: Callable[[str], Glance] | None = None,
    ) -> None:
        self._names = dict.fromkeys(names)
        self._made = made
        self.glance = glance
        self._kept: dict[str, Value] = {}

    def __getitem__(self, name: str) -> Value:
        if name in self._kept:
            return self._kept[name]
        if name not in self._names:
            raise KeyError(name)
        value = self._made(name)
        if len(self._names) <= _KEPT:
            self._kept[name] = value
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __repr__(self) -> str:
        return f"OnDemand({len(self)} results)"


# Charts stand in a room above this one, so it is named, and loaded when a notebook asks for one.
_CHARTS = "unisono.charts.chart"


def _picture(result: object) -> str | None:
    picture: str | None = import_module(_CHARTS).notebook_picture(result)
    return picture


class Pictured:
    """A result that notebooks show with its chart."""

    __slots__ = ()

    def _repr_mimebundle_(
        self,
        include: object = None,  # noqa: ARG002 - as IPython calls it
        exclude: object = None,  # noqa: ARG002 - the same
    ) -> dict[str, str]:
        drawn = _picture(self)
        if drawn is None:
            # Nothing of our own: the notebook then takes _repr_markdown_.
            return {}
        numbers: Any = getattr(self, "to_markdown", None)
        told = repr(self) if numbers is None else numbers()
        return {"text/html": f"{drawn}\n<pre>{escape(told)}</pre>", "text/plain": repr(self)}


PlainLabel: TypeAlias = str | int | float | list[str | int | float] | None


def plain_number(value: float | None) -> float | None:
    """Give the number itself, or ``None`` for what JSON has no word for."""
    return None if value is None or not math.isfinite(value) else value


def plain_label(label: Label | None) -> PlainLabel:
    """Give a label as JSON writes it: a set becomes a sorted list."""
    if isinstance(label, frozenset):
        return sorted(label, key=label_order)
    return label


def label_keys(labels: Iterable[Label | None]) -> dict[Label | None, str]:
    """Give each label a text of its own, to be a key in JSON or the name of a column."""
    keys: dict[Label | None, str] = {}
    taken = set()
    for label in labels:
        key = label_text(label)
        while key in taken:
            key = f"{key} ({_kind(label)})"
        keys[label] = key
        taken.add(key)
    return keys


def _kind(label: Label | None) -> str:
    if label is None:
        return "no label"
    if isinstance(label, str):
        return "text"
    return "set" if isinstance(label, frozenset) else "number"


_Kind = TypeVar("_Kind")


class Record:
    """A frozen dataclass, written with ``eq=False``, that compares as a record must.

    NaN is equal to NaN, and arrays are equal when all their numbers are. A class without a
    signature says itself what its hash is.
    """

    __slots__ = ()

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(_same(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))

    def __hash__(self) -> int:
        return hash(getattr(self, "signature", None))

    # Through the constructor, which makes arrays and mappings read-only again.
    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        values = {f.name: _picklable(getattr(self, f.name)) for f in fields(self)}
        return _rebuilt, (type(self), values)


def _rebuilt(kind: type[_Kind], values: dict[str, Any]) -> _Kind:
    return kind(**values)


def _picklable(value: object) -> object:
    # Neither a mappingproxy nor what would make values later can be pickled.
    if isinstance(value, MappingProxyType | OnDemand):
        return {key: _picklable(each) for key, each in value.items()}
    return value


def _same(left: object, right: object) -> bool:
    if isinstance(left, float) and isinstance(right, float):
        return left == right or (math.isnan(left) and math.isnan(right))
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        return np.array_equal(left, right, equal_nan=left.dtype.kind == "f")
    if isinstance(left, MappingProxyType) and isinstance(right, MappingProxyType):
        return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(_same, left, right))
    return left == right


class _Plain(Protocol):
    def to_dict(self) -> dict[str, Any]: ...


class _Told(Protocol):
    def to_markdown(self) -> str: ...


class InJson:
    """A result whose ``to_dict`` gives plain data."""

    __slots__ = ()

    def to_json(self: _Plain, *, indent: int | None = None) -> str:
        """Return ``to_dict()`` as JSON text, control characters escaped."""
        return json_text(self.to_dict(), indent=indent)


class InMarkdown(InJson):
    """A result that notebooks show as its ``to_markdown`` tells it."""

    __slots__ = ()

    def _repr_markdown_(self: _Told) -> str:
        return self.to_markdown()
