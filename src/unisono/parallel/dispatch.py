"""Work cut into chunks, given to an executor, and done again where a worker failed."""

from __future__ import annotations

import hashlib
import math
import pickle
import time
from collections import deque
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import closing
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeVar

import numpy as np

from unisono.errors import WorkError
from unisono.parallel.executors import Followed, Processes, Threads, available_cores, client_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from unisono.parallel.checkpoint import Part

__all__ = [
    "Report",
    "Task",
    "called",
    "check_executor",
    "chunk_seconds",
    "chunks_by_cost",
    "hand_out",
    "rows_called",
    "travels_to",
    "workers_of",
]

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


_Result = TypeVar("_Result")
# One worker may be killed by anyone; who loses three while working alone has killed them.
_MOST_LOST = 3
_SECONDS = 0.5
_MOMENT = 0.002
_SHUT_DOWN = "the executor was shut down before the work was done; give one that is open"
_GREEDY = "it needs more memory than there is"
_DIED = "its worker died every time: killed, or out of memory"


class Task(Protocol[_Result]):
    """Work that can be sent to another process: small to pickle, the same result everywhere."""

    def done(self) -> _Result:
        """Do it."""

    def halves(self) -> tuple[Self, Self] | None:
        """Give two tasks that come to the same, or nothing if it cannot be divided."""

    def joined(self, first: _Result, second: _Result) -> _Result:
        """Put the results of the halves together."""

    def lost(self, why: str) -> _Result:
        """Say what becomes of a task that cannot be done and not be divided; it may raise."""


class _Share(Generic[_Result]):
    """A task, or what became of it when it was divided."""

    def __init__(self, task: Task[_Result], number: int, parent: _Share[_Result] | None) -> None:
        self.task = task
        self.number = number
        self.parent = parent
        self.lost = 0
        self.halves: tuple[_Share[_Result], _Share[_Result]] | None = None
        self.result: list[_Result] = []

    def divided(self) -> tuple[_Share[_Result], _Share[_Result]] | None:
        tasks = self.task.halves()
        if tasks is None:
            return None
        self.halves = (_Share(tasks[0], self.number, self), _Share(tasks[1], self.number, self))
        for half in self.halves:
            half.lost = 1  # alone from the start
        return self.halves

    def finished(self, result: _Result) -> tuple[int, _Result] | None:
        """Note a result; give that of the whole once all parts have theirs."""
        self.result.append(result)
        if self.parent is None:
            return self.number, result
        halves = self.parent.halves or ()
        if not all(half.result for half in halves):
            return None
        first, second = (half.result[0] for half in halves)
        return self.parent.finished(self.parent.task.joined(first, second))


def _work(task: Task[_Result], attempt: int) -> _Result:
    # Some executors give the result of an equal call again: no two attempts are equal.
    del attempt
    return task.done()


def _work_and_keep(share: _Share[_Result], keep: Callable[[int, _Result], None]) -> _Result:
    result = share.task.done()
    keep(share.number, result)
    return result


def _done_here(task: Task[_Result]) -> _Result:
    """Do a task in this thread, in parts if there is too little memory for the whole."""
    try:
        return task.done()
    except MemoryError:
        halves = task.halves()
    if halves is None:
        return task.lost(_GREEDY)
    return task.joined(_done_here(halves[0]), _done_here(halves[1]))


def check_executor(executor: object) -> None:
    """Refuse what is no executor."""
    if isinstance(executor, Executor):
        return
    msg = (
        "executor is a concurrent.futures.Executor, such as unisono.parallel.Processes(); "
        f"got {type(executor).__name__}"
    )
    if hasattr(executor, "get_executor"):
        msg += ", which has one: get_executor()"
    raise TypeError(msg)


def workers_of(executor: Executor) -> int:
    """Say how many tasks an executor can do at once, as far as that can be known."""
    # No executor tells it by a public name.
    known = getattr(executor, "_max_workers", None)
    client = client_of(executor)
    if known is None and client is not None:
        if client.status in {"closing", "closed"}:
            raise WorkError(_SHUT_DOWN)
        known = sum(client.ncores().values())
    return max(1, known) if isinstance(known, int) else 2 * available_cores()


def travels_to(executor: Executor | None) -> bool:
    """Say whether tasks leave this process to be done."""
    return executor is not None and not isinstance(executor, ThreadPoolExecutor)


def hand_out(
    tasks: Iterable[tuple[int, Task[_Result]]],
    *,
    executor: Executor | None,
    workers: int,
    keep: Callable[[int, _Result], None] | None = None,
) -> Generator[tuple[int, _Result], None, None]:
    """Have tasks done, and give their results as they come."""
    numbered = iter(tasks)
    # Threads are not worth their start for a single task.
    begin = list(islice(numbered, 2 if workers > 1 and executor is None else 0))
    numbered = chain(begin, numbered)
    if executor is None:
        if len(begin) == 2:
            with Threads(workers) as own:
                yield from hand_out(numbered, executor=own, workers=workers, keep=keep)
            return
        for number, task in numbered:
            result = _done_here(task)
            if keep is not None:
                keep(number, result)
            yield number, result
        return
    desk = _Desk(executor, workers, keep)
    try:
        yield from desk.results(numbered)
    except BaseException:
        # Ctrl-C as well: nobody waits for what is still being done elsewhere.
        desk.stop()
        raise


class _Desk:
    """Where tasks are handed out and results come in."""

    def __init__(
        self, executor: Executor, workers: int, keep: Callable[[int, Any], None] | None
    ) -> None:
        self._executor = executor if client_of(executor) is None else Followed(executor)
        self._keep = keep
        # Threads of our own can keep what they did, and need not wait for us.
        self._keeps_there = isinstance(executor, Threads)
        is_ahead = keep is None or self._keeps_there
        self._most = 2 * workers + 2 if is_ahead else workers
        self._out: dict[Future[Any], _Share[Any]] = {}
        # Those whose worker died: done one at a time, so that it is seen which of them kills.
        self._suspects: deque[_Share[Any]] = deque()
        # A pool of processes does not survive what it cannot send. Dask can send more.
        self._is_picky = isinstance(executor, Processes | ProcessPoolExecutor)

    def results(self, tasks: Iterator[tuple[int, Task[_Result]]]) -> Iterator[tuple[int, _Result]]:
        following = next(tasks, None)
        while True:
            while following and not self._suspects and len(self._out) < self._most:
                self._send(_Share(following[1], following[0], None))
                if len(self._out) == self._most:
                    # Who has just been given work needs the interpreter for a moment to begin.
                    time.sleep(_MOMENT)
                # Made while the others work, so that nobody has to wait for it.
                following = next(tasks, None)
            if self._suspects and not self._out:
                self._send(self._suspects.popleft())
            if not self._out:
                return
            # Waiting for ever would not hear Ctrl-C on every platform.
            done, _ = wait(self._out, _SECONDS, FIRST_COMPLETED)
            if not done and isinstance(self._executor, Processes):
                self._executor.look_after()
            for future in done:
                yield from self._taken(self._out.pop(future), future)

    def stop(self) -> None:
        for future in self._out:
            future.cancel()
        if isinstance(self._executor, Processes | Threads):
            self._executor.stop()

    def _send(self, share: _Share[Any]) -> None:
        try:
            if self._is_picky:
                pickle.dumps(share.task)
                self._is_picky = False  # the other tasks are like the first
            future: Future[Any]
            if self._keep is not None and self._is_kept_there(share):
                future = self._executor.submit(_work_and_keep, share, self._keep)
            else:
                future = self._executor.submit(_work, share.task, share.lost)
        except BrokenExecutor as error:
            raise _broken() from error
        except Exception as error:
            if _cannot_travel(error):
                raise _untravelled(error) from error
            if _is_of_dask(error) or (isinstance(error, RuntimeError) and "shutdown" in str(error)):
                raise WorkError(_SHUT_DOWN) from error
            raise
        self._out[future] = share

    def _taken(self, share: _Share[Any], future: Future[Any]) -> Iterator[tuple[int, Any]]:
        try:
            result = future.result()
        except (BrokenExecutor, MemoryError, CancelledError) as error:
            yield from self._lost(share, error)
        except Exception as error:
            if _cannot_travel(error):
                raise _untravelled(error) from error
            if not _is_of_dask(error):
                raise
            yield from self._lost(share, error)
        else:
            yield from self._finished(share, result, is_kept=self._is_kept_there(share))

    def _is_kept_there(self, share: _Share[Any]) -> bool:
        # What was divided is kept when it is whole again.
        return self._keeps_there and share.parent is None

    def _finished(
        self, share: _Share[Any], result: object, *, is_kept: bool
    ) -> Iterator[tuple[int, Any]]:
        whole = share.finished(result)
        if whole is None:
            return
        if self._keep is not None and not is_kept:
            self._keep(*whole)
        yield whole

    def _lost(self, share: _Share[Any], error: BaseException) -> Iterator[tuple[int, Any]]:
        """Try again what a dead worker left; find the part that kills workers."""
        if isinstance(error, BrokenExecutor) and not isinstance(self._executor, Processes):
            raise _broken() from error
        share.lost += 1
        if isinstance(error, CancelledError) and share.lost == _MOST_LOST:
            msg = "the executor cancelled the work again and again; is it shutting down?"
            raise WorkError(msg) from error
        # A process that dies takes all with it that its pool was doing, so that the first time
        # proves nothing. But a cluster has tried several workers, and memory will not grow: those
        # are divided at once.
        if isinstance(error, BrokenExecutor | CancelledError) and share.lost < _MOST_LOST:
            if share.lost == 1:
                self._send(share)
            else:
                self._suspects.append(share)
            return
        halves = share.divided()
        if halves is not None:
            self._suspects.extend(halves)
            return
        if share.lost == 1 and not isinstance(error, MemoryError):
            # A cluster blames whatever its worker was to do, also next: it may be another's fault.
            self._suspects.append(share)
            return
        why = _GREEDY if isinstance(error, MemoryError) else _DIED
        yield from self._finished(share, share.task.lost(why), is_kept=False)


def _is_of_dask(error: Exception) -> bool:
    # Known by the package that it is from: Dask need not be installed.
    return type(error).__module__.startswith("distributed")


def _cannot_travel(error: Exception) -> bool:
    # Not every version of Python, and not every thing, says it by an error of its own.
    unsaid = isinstance(error, AttributeError | TypeError) and "pickle" in str(error)
    return unsaid or isinstance(error, pickle.PicklingError)


def _untravelled(error: Exception) -> WorkError:
    msg = (
        f"what was given cannot be sent to another process ({error}); define a function of your "
        "own in a module, by its name, or use threads"
    )
    return WorkError(msg)


def _broken() -> WorkError:
    msg = (
        "a worker process died, killed or out of memory, and its pool with it; "
        "unisono.parallel.Processes replaces workers that die"
    )
    return WorkError(msg)


_Shared = TypeVar("_Shared")
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
    """Call a function for every item, and give the results in the order of the items."""
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
    """Call a function that gives numbers for every item: a row an item, kept in a checkpoint."""
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


class Report:
    """Counts what is done and tells it, with how much is known to be needed.

    Parameters
    ----------
    progress
        Called with both numbers; `None` when nobody wants to know.
    total
        How much is needed; it may grow on the way.

    Examples
    --------
    >>> report = Report(lambda done, total: print(done, "of", total), total=60)
    >>> report.add(30)
    30 of 60
    """

    def __init__(self, progress: Callable[[int, int], None] | None, total: int) -> None:
        self.progress = progress
        self.total = total
        self._done = 0

    def add(self, done: int) -> None:
        """Note that so much more is done."""
        self._done += done
        if done and self.progress is not None:
            self.progress(self._done, self.total)
