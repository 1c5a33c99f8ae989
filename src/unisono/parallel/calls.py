"""Many calls of one function, handed out in chunks."""

from __future__ import annotations

import hashlib
from contextlib import closing
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

from unisono.errors import WorkError
from unisono.parallel.chunks import chunk_seconds, chunks_by_cost
from unisono.parallel.dispatch import hand_out, travels_to

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor

    from unisono.parallel.checkpoint import Part
    from unisono.parallel.progress import Report

__all__ = ["called", "rows_called"]

_Shared = TypeVar("_Shared")
_Item = TypeVar("_Item")
_Found = TypeVar("_Found")


class Calls(NamedTuple, Generic[_Shared, _Item, _Found]):
    """Calls of a function with something that all of them share, and an item each."""

    function: Callable[[_Shared, _Item], _Found]
    shared: _Shared
    items: Sequence[_Item]

    def done(self) -> list[_Found]:
        """Call it."""
        return [self.function(self.shared, item) for item in self.items]

    def halves(self) -> tuple[Calls[_Shared, _Item, _Found], Calls[_Shared, _Item, _Found]] | None:
        """Divide the items."""
        if len(self.items) < 2:
            return None
        middle = len(self.items) // 2
        return self._replace(items=self.items[:middle]), self._replace(items=self.items[middle:])

    def joined(self, first: list[_Found], second: list[_Found]) -> list[_Found]:
        """Put the results together."""
        return first + second

    def lost(self, why: str) -> list[_Found]:
        """Raise: each call is needed."""
        msg = f"a part of the work, {self.items[0]!r}, cannot be done here: {why}"
        raise WorkError(msg)


def called(
    function: Callable[[_Shared, _Item], _Found],
    shared: _Shared,
    items: Sequence[_Item],
    *,
    seconds: float,
    executor: Executor | None,
    workers: int,
    report: Report,
) -> list[_Found]:
    """Call a function for every item, and give the results in the order of the items.

    Parameters
    ----------
    function
        Of what all calls share and of an item. For other processes it stands in a module.
    shared, items
        What it is called with.
    seconds
        About how long a call takes.
    executor
        Who calls it; threads by default.
    workers
        How many calls can be made at once.
    report
        Told of each call that is done.

    Examples
    --------
    >>> from unisono.parallel.progress import Report
    >>> called(pow, 2, [3, 5], seconds=1.0, executor=None, workers=1, report=Report(None, 2))
    [8, 32]
    """
    cut = _cut(items, seconds, executor, kept=False)
    tasks = ((number, Calls(function, shared, some)) for number, some in enumerate(cut))
    found: dict[int, list[_Found]] = {}
    with closing(hand_out(tasks, executor=executor, workers=workers)) as handed:
        for number, results in handed:
            found[number] = results
            report.add(len(results))
    return [result for number in sorted(found) for result in found[number]]


def rows_called(
    function: Callable[[_Shared, _Item], Sequence[float]],
    shared: _Shared,
    items: Sequence[_Item],
    *,
    seconds: float,
    executor: Executor | None,
    workers: int,
    report: Report,
    kept: Part | None,
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Call a function that gives numbers for every item: a row an item, kept in a checkpoint.

    Parameters
    ----------
    function, shared, items, seconds, executor, workers, report
        As in `called`.
    kept
        Where finished rows are kept, and taken from.

    Examples
    --------
    >>> from unisono.parallel.progress import Report
    >>> rows_called(
    ...     lambda shared, item: (shared * item, item), 10.0, [1, 2],
    ...     seconds=1.0, executor=None, workers=1, report=Report(None, 2), kept=None,
    ... )  # fmt: skip
    array([[10.,  1.],
           [20.,  2.]])
    """
    found: dict[int, np.ndarray[Any, np.dtype[np.float64]]] = {}

    def tasks() -> Iterator[tuple[int, Calls[_Shared, _Item, Sequence[float]]]]:
        for number, some in enumerate(_cut(items, seconds, executor, kept=kept is not None)):
            if kept is not None and number in kept.numbers:
                stored = kept.taken(number)
                if stored and np.array_equal(stored["plan"], _plan(some)):
                    found[number] = stored["rows"]
                    report.add(len(some))
                    continue
            plans[number] = _plan(some)
            yield number, Calls(function, shared, some)

    def keep(number: int, results: list[Sequence[float]]) -> None:
        if kept is not None:
            found[number] = np.array(results, np.float64)
            kept.store({number: {"rows": found[number], "plan": plans[number]}})

    plans: dict[int, np.ndarray[Any, np.dtype[np.uint8]]] = {}
    handed = hand_out(
        tasks(), executor=executor, workers=workers, keep=None if kept is None else keep
    )
    with closing(handed):
        for number, results in handed:
            if kept is None:
                found[number] = np.array(results, np.float64)
            report.add(len(results))
    return np.concatenate([found[number] for number in sorted(found)])


def _cut(
    items: Sequence[_Item], seconds: float, executor: Executor | None, *, kept: bool
) -> Iterator[list[_Item]]:
    most = chunk_seconds(seconds * len(items), kept=kept, travels=travels_to(executor))
    return chunks_by_cost(items, lambda _: seconds, most)


def _plan(items: Sequence[object]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.frombuffer(hashlib.sha256(repr(list(items)).encode()).digest(), np.uint8)
