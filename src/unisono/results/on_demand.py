"""Results that are made when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from unisono.measures.gamma.gamma_result import GammaResult

__all__ = ["Glance", "OnDemand", "glances"]

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

    Parameters
    ----------
    names
        The keys, in their order.
    made
        Gives the value of a key.
    glance
        Gives the least of it, where that takes less time.

    Examples
    --------
    >>> from unisono.results.on_demand import OnDemand
    >>> lengths = OnDemand(["ab", "abc"], len)
    >>> lengths["abc"], list(lengths), "b" in lengths
    (3, ['ab', 'abc'], False)
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


def glances(results: Mapping[str, GammaResult]) -> Iterator[tuple[str, Glance]]:
    """Give the name and the least of each result.

    Parameters
    ----------
    results
        Results of documents, made or not.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.results.on_demand import glances
    >>> result = un.gamma(un.read("examples/corpus", annotators="corpus"), draws=30, rng=1)
    >>> [name for name, glance in glances(result.documents) if glance.value < 0.5]
    ['weather']
    """
    if isinstance(results, OnDemand) and results.glance is not None:
        for name in results:
            yield name, results.glance(name)
        return
    for name, result in results.items():
        yield name, Glance(result.value, result.undefined, result.proven)
