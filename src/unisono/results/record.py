"""The base class of all results: immutable records that compare, pickle and convert to JSON.

A class of results is declared with `record`. Comparison, pickling, plain data and JSON are derived
from its fields and their types; `part` is the metadata of fields whose type is not enough.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sized
from dataclasses import dataclass, field, fields
from functools import cache, partial
from importlib.resources import files
from types import MappingProxyType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    TypeAlias,
    TypeVar,
    dataclass_transform,
)

import numpy as np

from unisono.model.arrays import read_only
from unisono.model.labels import label_order, label_text
from unisono.results.wording import count, decimals, json_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from dataclasses import Field

    from unisono.model.labels import Label

__all__ = [
    "SCHEMA",
    "OnDemand",
    "PlainLabel",
    "Record",
    "json_pieces",
    "json_schema",
    "label_keys",
    "part",
    "plain",
    "plain_data",
    "plain_label",
    "plain_number",
    "record",
    "without_data",
    "without_documents",
]

SCHEMA = 1
"""The version of the JSON of all results, increased when a key changes its name or meaning."""

Key = TypeVar("Key")
Value = TypeVar("Value")
_Class = TypeVar("_Class", bound="type[Record]")
# Larger mappings do not cache their values.
_MAX_CACHED = 1000


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
def record(kind: _Class) -> _Class:
    """Declare a class of results: a frozen dataclass with keyword-only arguments."""
    return dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)(kind)  # type: ignore[return-value]


def part(
    *,
    json: Callable[[Any], Any] | None = None,
    keys: tuple[str, str] = ("annotators", ""),
    in_documents: bool = True,
) -> dict[str, Any]:
    """Return the metadata of a field whose JSON does not follow from its type.

    ``json`` converts its value to plain data. A mapping with pairs as keys becomes a list of
    objects, which store the pair under the two names in ``keys``, or as a list under the first
    name if the second is empty. ``in_documents=False`` omits the field from the records of
    documents.
    """
    return {"json": json, "keys": keys, "in_documents": in_documents}


class OnDemand(Mapping[Key, Value], Generic[Key, Value]):
    """A mapping that computes its values on access, deterministically.

    The results of 100,000 documents would take gigabytes, and few of them are ever read.
    """

    def __init__(
        self,
        names: Iterable[Key],
        made: Callable[[Key], Value],
        columns: Callable[[], Any] | None = None,
    ) -> None:
        self._names = dict.fromkeys(names)
        self._made = made
        self._columns = columns
        self._made_columns: Any = None
        self._kept: dict[Key, Value] = {}

    @property
    def columns(self) -> Any:  # noqa: ANN401 - depends on the kind of result
        """The numbers of all values as columns, computed without the values; or `None`."""
        if self._made_columns is None and self._columns is not None:
            self._made_columns = self._columns()
        return self._made_columns

    def __getitem__(self, name: Key) -> Value:
        if name in self._kept:
            return self._kept[name]
        if name not in self._names:
            raise KeyError(name)
        value = self._made(name)
        if len(self._names) <= _MAX_CACHED:
            self._kept[name] = value
        return value

    def __iter__(self) -> Iterator[Key]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __repr__(self) -> str:
        return f"OnDemand({len(self)} results)"


PlainLabel: TypeAlias = str | int | float | list[str | int | float] | None


def plain_number(value: float | None) -> float | None:
    """Return a number for JSON: ``None`` for NaN and infinities."""
    return None if value is None or not math.isfinite(value) else value


def plain_label(label: Label | None) -> PlainLabel:
    """Return a label for JSON: a set becomes a sorted list."""
    if isinstance(label, frozenset):
        return sorted(label, key=label_order)
    return label


def label_keys(labels: Iterable[Label | None]) -> dict[Label | None, str]:
    """Return a unique text for each label, for keys in JSON and names of columns."""
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


def plain(value: object) -> Any:  # noqa: ANN401 - any JSON value
    """Return a value as plain data: numbers, texts, lists and mappings with text keys."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return plain_number(value)
    if isinstance(value, Record):
        return without_data(value.to_dict())
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, frozenset):
        return plain_label(value)
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: plain(each) for name, each in value._asdict().items()}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if isinstance(value, Mapping):
        keys = label_keys(value)
        return {keys[key]: plain(each) for key, each in value.items()}
    return plain(value.item()) if isinstance(value, np.generic) else str(value)


def _listed(value: Mapping[tuple[Any, Any], Any], names: tuple[str, str]) -> list[dict[str, Any]]:
    """Return a mapping with pairs as keys as a list of objects."""
    listed = []
    for pair, of in value.items():
        both = [plain(each) for each in pair]
        lead = dict(zip(names, both, strict=True)) if names[1] else {names[0]: both}
        each = plain(of)
        listed.append(lead | (each if isinstance(each, dict) else {"count": each}))
    return listed


def _frozen_mapping(value: Any) -> Any:  # noqa: ANN401 - the same type
    if isinstance(value, OnDemand | MappingProxyType):
        return value
    return MappingProxyType(
        {key: _frozen_mapping(of) if type(of) is dict else of for key, of in value.items()}
    )


# Conversions of fields by their declared type; fields of other types are stored unchanged.
_FREEZING: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("Mapping[", _frozen_mapping),
    ("tuple[", tuple),
    ("float", float),
    ("bool", bool),
    ("Floats", lambda values: read_only(values, np.float64)),
    ("Integers", lambda values: read_only(values, np.int64)),
    ("Booleans", lambda values: read_only(values, np.bool_)),
)


def _class_of(result: object) -> Any:  # noqa: ANN401 - mypy considers classes with a __hash__ unhashable
    return type(result)


@cache
def _freezing(kind: type[Any]) -> list[tuple[str, Callable[[Any], Any]]]:
    # Types are compared as strings, because their names are only imported for type checking.
    return [
        (each.name, freeze)
        for each in fields(kind)
        for start, freeze in _FREEZING
        if str(each.type).startswith(start)
    ]


def _made(own: Callable[[Any], Any], value: object) -> Any:  # noqa: ANN401 - as plain
    return plain(own(value))


@cache
def _written(kind: type[Any]) -> list[tuple[str, bool, Callable[[Any], Any]]]:
    """Return the fields of the JSON: name, whether documents have it, conversion function.

    The data, the interpretation and the signature come last; `documents` are not included.
    """
    found: list[tuple[str, bool, Callable[[Any], Any]]] = []
    for each in fields(kind):
        if each.name in kind.excluded or _is_of_documents(kind, each):
            continue
        own = each.metadata.get("json")
        if own is None and str(each.type).startswith("Mapping[tuple["):
            keys = each.metadata.get("keys", ("annotators", ""))
            found.append((each.name, True, partial(_listed, names=keys)))
            continue
        write = plain if own is None else partial(_made, own)
        found.append((each.name, each.metadata.get("in_documents", True), write))
    found += [(name, True, plain) for name in kind.computed]
    return sorted(found, key=lambda each: _LAST.index(each[0]) if each[0] in _LAST else -1)


_OF_DATA = ("data", "interpretation")
"""The fields of results that state who was compared; only results of data have them in JSON."""
_LAST = (*_OF_DATA, "signature")


def _is_of_documents(kind: type[Any], each: Field[Any]) -> bool:
    return each.name == "documents" and str(each.type) == f"Mapping[str, {kind.__name__}]"


@cache
def _has_documents(kind: type[Any]) -> bool:
    """Return whether the class has a field with one result of the same class per document."""
    return any(_is_of_documents(kind, each) for each in fields(kind))


class Record:
    """Base class of the results that are declared with `record`.

    In comparisons, NaN is equal to NaN, and arrays are equal if all their elements are. A class
    without a signature must define its own hash.
    """

    __slots__ = ()

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    summary: ClassVar[tuple[str, ...]] = ()
    """The attributes in `repr`: numbers as they are, collections by their size."""
    computed: ClassVar[tuple[str, ...]] = ()
    """The properties that are included in the plain data."""
    excluded: ClassVar[tuple[str, ...]] = ()
    """The fields that are not included in the plain data."""

    def __post_init__(self) -> None:
        for name, freeze in _freezing(_class_of(self)):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, freeze(value))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(
            _same(getattr(self, f.name), getattr(other, f.name)) for f in fields(self) if f.compare
        )

    def __hash__(self) -> int:
        return hash(getattr(self, "signature", None))

    # Pickled by constructor call, which makes arrays and mappings read-only again.
    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        values = {f.name: _picklable(getattr(self, f.name)) for f in fields(self)}
        return _rebuilt, (type(self), values)

    def __repr__(self) -> str:
        items = (_summary_item(self, name) for name in self.summary)
        return f"{type(self).__name__}({', '.join(each for each in items if each)})"

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as plain data, by name; NaN becomes ``None``."""
        found = _plain_fields(self, inner=False)
        if _has_documents(_class_of(self)):
            found["documents"] = dict(_plain_documents(self))
        return found


def _summary_item(result: Record, name: str) -> str:
    """Return an attribute as text for `repr`."""
    value = getattr(result, name)
    if isinstance(value, float):
        reason = getattr(result, "undefined", None)
        if name != "value":
            return f"{name}={decimals(value)}"
        return f"undefined: {reason}" if reason else decimals(value)
    if isinstance(value, Mapping) and not value:
        return ""
    number = len(value) if isinstance(value, Sized) else value
    return count(number, name.removeprefix("n_").removesuffix("s"))


def _plain_fields(result: Record, *, inner: bool) -> dict[str, Any]:
    no_data = getattr(result, "data", None) is None
    return {
        name: write(getattr(result, name))
        for name, in_documents, write in _written(_class_of(result))
        if (in_documents or not inner) and not (no_data and name in _OF_DATA)
    }


def plain_data(result: Any) -> dict[str, Any]:  # noqa: ANN401 - any result of data
    """Return who was compared, and how the files were read, as plain data."""
    if result.data is None:
        return {}
    return {name: plain(getattr(result, name)) for name in _OF_DATA}


def without_data(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the plain data of a result without its data, to be part of another result."""
    return {name: value for name, value in result.items() if name not in _OF_DATA}


def without_documents(result: Record | None) -> dict[str, Any] | None:
    """Return a result as plain data without its documents, to be part of another result."""
    return None if result is None else without_data(_plain_fields(result, inner=False))


def _plain_documents(result: Any) -> Iterator[tuple[str, dict[str, Any]]]:  # noqa: ANN401
    """Yield the names of the documents with the plain data of their results."""
    for name, each in result.documents.items():
        yield name, _plain_fields(each, inner=True) | {"documents": {}}


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of all results: what `to_json`, ``--json`` and the service write.

    Returns
    -------
    dict
        The schema, in draft 2020-12.

    Examples
    --------
    >>> from unisono.results import json_schema
    >>> json_schema()["$defs"]["Interval"]["required"]
    ['low', 'high', 'confidence', 'method']
    """
    found: dict[str, Any] = json.loads(files(__package__).joinpath("schema.json").read_bytes())
    return found


def json_pieces(
    result: Any,  # noqa: ANN401 - anything with a to_dict method
    *,
    indent: int | None = None,
    ascii_only: bool = False,
) -> Iterator[str]:
    """Yield the JSON of a result in pieces, one per document, to save memory."""

    def written(value: Mapping[str, Any]) -> str:
        return json_text(value, indent=indent, ascii_only=ascii_only)

    if not (isinstance(result, Record) and _has_documents(_class_of(result)) and result.documents):  # type: ignore[attr-defined]
        yield written({"schema": SCHEMA} | result.to_dict())
        return
    line, comma = ("", ", ") if indent is None else ("\n", ",\n")
    margin = " " * (indent or 0)
    whole = written({"schema": SCHEMA} | _plain_fields(result, inner=False))
    yield f'{whole[: -1 - len(line)]}{comma}{margin}"documents": {{'
    for place, (name, of) in enumerate(_plain_documents(result)):
        # Line breaks belong to the indentation: within strings JSON escapes them.
        entry = written({name: of})[1 + len(line) : -1 - len(line)]
        yield (comma if place else line) + (
            margin + entry.replace("\n", f"\n{margin}") if indent else entry
        )
    yield f"{line}{margin}}}{line}}}"


def _rebuilt(kind: type[Value], values: dict[str, Any]) -> Value:
    return kind(**values)


def _picklable(value: object) -> object:
    # Neither a mappingproxy nor an OnDemand, which holds functions, can be pickled.
    if isinstance(value, MappingProxyType | OnDemand):
        return {key: _picklable(each) for key, each in value.items()}
    return value


def _same(left: object, right: object) -> bool:
    if isinstance(left, float) and isinstance(right, float):
        return left == right or (math.isnan(left) and math.isnan(right))
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        return np.array_equal(left, right, equal_nan=left.dtype.kind == "f")
    # Some results are mappings too, but of their main values only.
    if isinstance(left, Mapping) and isinstance(right, Mapping) and not isinstance(left, Record):
        return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(_same, left, right))
    return left == right
