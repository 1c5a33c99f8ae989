"""Cutting work into chunks that cost about the same."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["chunk_seconds", "chunks_by_cost"]

_Item = TypeVar("_Item")
# A chunk that was not finished when everything stopped is done again.
_LONGEST = 0.5
_SHORTEST = 0.02
# To keep a chunk, or to send it to another process, takes some milliseconds beside its work.
_SHORTEST_COSTLY = 0.3
_CHUNKS = 32
# The first and the last chunks are so many times smaller than those between.
_SMALLER = 4


def chunk_seconds(total: float, *, kept: bool = False, travels: bool = False) -> float:
    """Say how long a chunk of work should take, of which there are so many seconds in all.

    Where chunks are kept it depends on the work alone, never on who does it, so that a checkpoint
    fits any executor and any number of workers.

    Parameters
    ----------
    total
        How long all of it takes.
    kept
        Whether each chunk is kept in a checkpoint.
    travels
        Whether each chunk is sent to another process.

    Examples
    --------
    >>> chunk_seconds(12.0), chunk_seconds(3600.0), chunk_seconds(0.0)
    (0.375, 0.5, 0.02)
    >>> chunk_seconds(3.2), chunk_seconds(3.2, travels=True)
    (0.1, 0.3)
    """
    shortest = _SHORTEST_COSTLY if kept or travels else _SHORTEST
    return min(_LONGEST, max(shortest, total / _CHUNKS))


def chunks_by_cost(
    items: Iterable[_Item],
    cost: Callable[[_Item], float],
    most: float,
    total: float = math.inf,
) -> Iterator[list[_Item]]:
    """Put successive items together until they cost enough; only one chunk is held at a time.

    If all is known, the first chunks are small, so that nobody has long to wait until there is
    something to do, and so are the last, so that nobody has long to wait for the others.

    Parameters
    ----------
    items
        What there is to do, in order.
    cost
        What one of them costs.
    most
        What a chunk may cost; an item that costs more is alone.
    total
        About what all items cost together, if that is known.

    Yields
    ------
    list
        The items of a chunk, one at least.

    Examples
    --------
    >>> list(chunks_by_cost([1, 2, 3, 9, 1], cost=float, most=4.0))
    [[1, 2], [3], [9], [1]]
    >>> [len(chunk) for chunk in chunks_by_cost([1] * 60, cost=float, most=16.0, total=60.0)]
    [4, 4, 8, 11, 8, 6, 4, 4, 4, 4, 3]
    """
    chunk: list[_Item] = []
    so_far, before = 0.0, 0.0
    for item in items:
        costs = cost(item)
        if chunk and so_far + costs > _most_now(most, before, total):
            yield chunk
            before += so_far
            chunk, so_far = [], 0.0
        chunk.append(item)
        so_far += costs
    if chunk:
        yield chunk


def _most_now(most: float, before: float, total: float) -> float:
    """Say what the next chunk may cost, when those before it cost so much."""
    if math.isinf(total):
        return most
    return max(most / _SMALLER, min(most, before, (total - before) / _SMALLER))
