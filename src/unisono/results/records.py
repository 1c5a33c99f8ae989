"""Results as records: equal when all fields are, and pickled through their constructor."""

from __future__ import annotations

import math
from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from unisono.results.on_demand import OnDemand

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import Field

__all__ = ["Record"]

_Kind = TypeVar("_Kind")


class Record:
    """A frozen dataclass, written with ``eq=False``, that compares as a record must.

    NaN is equal to NaN, and arrays are equal when all their numbers are. A class without a
    signature says itself what its hash is.

    Examples
    --------
    >>> import pickle
    >>> from unisono.results.agreement import Agreement
    >>> from unisono.results.signature import Signature
    >>> one, two = (
    ...     Agreement(
    ...         value=float("nan"),
    ...         observed=0,
    ...         expected=0,
    ...         undefined="there are no units",
    ...         signature=Signature("gamma"),
    ...     )
    ...     for _ in range(2)
    ... )
    >>> one == two, one == pickle.loads(pickle.dumps(one)), len({one, two})
    (True, True, 1)
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
