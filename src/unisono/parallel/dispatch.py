"""Tasks: division into chunks, submission to an executor, retries after a worker failed."""

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
    ThreadPoolExecutor,
    wait,
)
from contextlib import closing
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeVar

import numpy as np

from unisono.errors import WorkError
from unisono.parallel.executors import (
    DaskExecutorAdapter,
    Processes,
    Threads,
    available_cores,
    client_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from unisono.parallel.checkpoint import Part

__all__ = [
    "Report",
    "Task",
    "check_executor",
    "chunk_seconds",
    "chunks_by_cost",
    "is_remote",
    "map_items",
    "map_rows",
    "run_tasks",
    "workers_of",
]

_Item = TypeVar("_Item")
# Seconds. An interrupted run has to repeat its unfinished chunks, so chunks are not longer.
_LONGEST = 0.5
_SHORTEST = 0.02
# Storing a chunk, or sending it to another process, costs some milliseconds by itself.
_SHORTEST_COSTLY = 0.3
_CHUNKS = 32
# The first and the last chunks are smaller than the others by this factor.
_SMALLER = 4


def chunk_seconds(total: float, *, kept: bool = False, travels: bool = False) -> float:
    """Return how many seconds a chunk should take if all the work takes `total` seconds.

    If chunks are stored in a checkpoint, the result does not depend on the executor, so that a
    checkpoint can be resumed with any executor and any number of workers.
    """
    shortest = _SHORTEST_COSTLY if kept or travels else _SHORTEST
    return min(_LONGEST, max(shortest, total / _CHUNKS))


def chunks_by_cost(
    items: Iterable[_Item],
    cost: Callable[[_Item], float],
    most: float,
    total: float = math.inf,
) -> Iterator[list[_Item]]:
    """Group successive items into chunks that cost `most`; hold only one chunk at a time.

    If `total` is known, the first chunks are small, so that all workers start early, and so are the
    last chunks, so that all workers finish at about the same time.
    """
    chunk: list[_Item] = []
    chunk_cost, before = 0.0, 0.0
    for item in items:
        item_cost = cost(item)
        if chunk and chunk_cost + item_cost > _next_limit(most, before, total):
            yield chunk
            before += chunk_cost
            chunk, chunk_cost = [], 0.0
        chunk.append(item)
        chunk_cost += item_cost
    if chunk:
        yield chunk


def _next_limit(most: float, before: float, total: float) -> float:
    """Return what the next chunk may cost when the chunks before it cost `before`."""
    if math.isinf(total):
        return most
    return max(most / _SMALLER, min(most, before, (total - before) / _SMALLER))


_Result = TypeVar("_Result")
# A single lost worker proves nothing; a task that loses three while it runs alone is the cause.
_MAX_LOSSES = 3
_WAIT_SECONDS = 0.5
_START_SECONDS = 0.002
_SHUT_DOWN = "the executor was shut down before the work was done; pass one that is still open"
_OUT_OF_MEMORY = "it needs more memory than is available"
_WORKER_DIED = "its worker process was terminated each time (killed, or out of memory)"


class Task(Protocol[_Result]):
    """A piece of work for any process: small to pickle, the same result everywhere."""

    def run(self) -> _Result:
        """Return the result of the task."""

    def split(self) -> tuple[Self, Self] | None:
        """Return two tasks that do the same work, or None if the task cannot be divided."""

    def merge(self, first: _Result, second: _Result) -> _Result:
        """Return the result of the task from the results of its halves."""

    def on_lost(self, why: str) -> _Result:
        """Return a result for a task that can neither be run nor be divided, or raise."""


class _Submission(Generic[_Result]):
    """A task, or one half of a divided task, with its losses and its result."""

    def __init__(
        self, task: Task[_Result], number: int, parent: _Submission[_Result] | None
    ) -> None:
        self.task = task
        self.number = number
        self.parent = parent
        self.losses = 0
        self.halves: tuple[_Submission[_Result], _Submission[_Result]] | None = None
        self.result: list[_Result] = []

    def split(self) -> tuple[_Submission[_Result], _Submission[_Result]] | None:
        tasks = self.task.split()
        if tasks is None:
            return None
        first, second = (_Submission(task, self.number, self) for task in tasks)
        self.halves = (first, second)
        for half in self.halves:
            half.losses = 1  # halves run alone from the start
        return self.halves

    def finish(self, result: _Result) -> tuple[int, _Result] | None:
        """Store a result; return the result of the whole task once all parts have one."""
        self.result.append(result)
        if self.parent is None:
            return self.number, result
        halves = self.parent.halves or ()
        if not all(half.result for half in halves):
            return None
        first, second = (half.result[0] for half in halves)
        return self.parent.finish(self.parent.task.merge(first, second))


def _run(task: Task[_Result], attempt: int) -> _Result:
    # Dask returns the old result for an equal call; the attempt makes calls differ.
    del attempt
    return task.run()


def _run_and_keep(
    submission: _Submission[_Result], keep: Callable[[int, _Result], None]
) -> _Result:
    result = submission.task.run()
    keep(submission.number, result)
    return result


def _run_here(task: Task[_Result]) -> _Result:
    """Run a task in this thread, in parts if there is too little memory for the whole."""
    try:
        return task.run()
    except MemoryError:
        halves = task.split()
    if halves is None:
        return task.on_lost(_OUT_OF_MEMORY)
    return task.merge(_run_here(halves[0]), _run_here(halves[1]))


def check_executor(executor: object) -> None:
    """Raise a TypeError unless the argument is an executor."""
    if isinstance(executor, Executor):
        return
    msg = (
        "executor must be a concurrent.futures.Executor, such as unisono.parallel.Processes(); "
        f"got {type(executor).__name__}"
    )
    if hasattr(executor, "get_executor"):
        msg += "; pass the result of its get_executor()"
    raise TypeError(msg)


def workers_of(executor: Executor) -> int:
    """Return how many tasks an executor can run at once, or an estimate if that is unknown."""
    # No executor has a public attribute for it.
    known = getattr(executor, "_max_workers", None)
    client = client_of(executor)
    if known is None and client is not None:
        if client.status in {"closing", "closed"}:
            raise WorkError(_SHUT_DOWN)
        known = sum(client.ncores().values())
    return max(1, known) if isinstance(known, int) else 2 * available_cores()


def is_remote(executor: Executor | None) -> bool:
    """Return whether tasks run in other processes."""
    return executor is not None and not isinstance(executor, ThreadPoolExecutor)


def _has_processes(executor: Executor) -> bool:
    """Return whether an executor pickles tasks for worker processes of this machine."""
    # Imported here, because it loads multiprocessing, which threads do not need.
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

    return isinstance(executor, Processes | ProcessPoolExecutor)


def run_tasks(
    tasks: Iterable[tuple[int, Task[_Result]]],
    *,
    executor: Executor | None,
    workers: int,
    keep: Callable[[int, _Result], None] | None = None,
) -> Generator[tuple[int, _Result], None, None]:
    """Run tasks, and yield their numbers and results as they are finished."""
    numbered = iter(tasks)
    # Starting threads for a single task would not pay.
    begin = list(islice(numbered, 2 if workers > 1 and executor is None else 0))
    numbered = chain(begin, numbered)
    if executor is None:
        if len(begin) == 2:
            with Threads(workers) as own:
                yield from run_tasks(numbered, executor=own, workers=workers, keep=keep)
            return
        for number, task in numbered:
            result = _run_here(task)
            if keep is not None:
                keep(number, result)
            yield number, result
        return
    scheduler = _Scheduler(executor, workers, keep)
    try:
        yield from scheduler.results(numbered)
    except BaseException:
        # Includes Ctrl-C: the results of tasks that still run are not needed.
        scheduler.stop()
        raise


class _Scheduler:
    """Submits tasks to an executor, collects their results, and retries lost tasks."""

    def __init__(
        self, executor: Executor, workers: int, keep: Callable[[int, Any], None] | None
    ) -> None:
        is_dask = client_of(executor) is not None
        self._executor = DaskExecutorAdapter(executor) if is_dask else executor
        self._keep = keep
        # Our own threads store their results themselves, without waiting for this thread.
        self._keeps_in_worker = isinstance(executor, Threads)
        may_queue = keep is None or self._keeps_in_worker
        self._max_running = 2 * workers + 2 if may_queue else workers
        self._running: dict[Future[Any], _Submission[Any]] = {}
        # Tasks whose worker died are run one at a time, which shows which of them is the cause.
        self._retry_in_isolation: deque[_Submission[Any]] = deque()
        # A pool of processes breaks if a task cannot be pickled. Dask can send more than pickle.
        self._must_pickle = not self._keeps_in_worker and _has_processes(executor)

    def results(self, tasks: Iterator[tuple[int, Task[_Result]]]) -> Iterator[tuple[int, _Result]]:
        following = next(tasks, None)
        while True:
            while (
                following
                and not self._retry_in_isolation
                and len(self._running) < self._max_running
            ):
                self._submit(_Submission(following[1], following[0], None))
                if len(self._running) == self._max_running:
                    # A worker thread needs the interpreter for a moment to start its task.
                    time.sleep(_START_SECONDS)
                # Prepared while the workers are busy, so that none of them waits for it.
                following = next(tasks, None)
            if self._retry_in_isolation and not self._running:
                self._submit(self._retry_in_isolation.popleft())
            if not self._running:
                return
            # Without a timeout, Ctrl-C would not interrupt the wait on every platform.
            done, _ = wait(self._running, _WAIT_SECONDS, FIRST_COMPLETED)
            if not done and isinstance(self._executor, Processes):
                self._executor.check_processes()
            for future in done:
                yield from self._collect(self._running.pop(future), future)

    def stop(self) -> None:
        for future in self._running:
            future.cancel()
        if isinstance(self._executor, Processes | Threads):
            self._executor.stop()

    def _submit(self, submission: _Submission[Any]) -> None:
        try:
            if self._must_pickle:
                pickle.dumps(submission.task)
                self._must_pickle = False  # the other tasks have the same content as the first
            future: Future[Any]
            if self._keep is not None and self._is_kept_by_worker(submission):
                future = self._executor.submit(_run_and_keep, submission, self._keep)
            else:
                future = self._executor.submit(_run, submission.task, submission.losses)
        except BrokenExecutor as error:
            raise _broken_pool() from error
        except Exception as error:
            if _is_pickling_error(error):
                raise _unpicklable(error) from error
            if _is_of_dask(error) or (isinstance(error, RuntimeError) and "shutdown" in str(error)):
                raise WorkError(_SHUT_DOWN) from error
            raise
        self._running[future] = submission

    def _collect(
        self, submission: _Submission[Any], future: Future[Any]
    ) -> Iterator[tuple[int, Any]]:
        try:
            result = future.result()
        except (BrokenExecutor, MemoryError, CancelledError) as error:
            yield from self._retry(submission, error)
        except Exception as error:
            if _is_pickling_error(error):
                raise _unpicklable(error) from error
            if not _is_of_dask(error):
                raise
            yield from self._retry(submission, error)
        else:
            is_kept = self._is_kept_by_worker(submission)
            yield from self._finish(submission, result, is_kept=is_kept)

    def _is_kept_by_worker(self, submission: _Submission[Any]) -> bool:
        # The results of halves are stored after they are merged.
        return self._keeps_in_worker and submission.parent is None

    def _finish(
        self, submission: _Submission[Any], result: object, *, is_kept: bool
    ) -> Iterator[tuple[int, Any]]:
        whole = submission.finish(result)
        if whole is None:
            return
        if self._keep is not None and not is_kept:
            self._keep(*whole)
        yield whole

    def _retry(
        self, submission: _Submission[Any], error: BaseException
    ) -> Iterator[tuple[int, Any]]:
        """Run a lost task again, or divide it to find the part that terminates workers."""
        if isinstance(error, BrokenExecutor) and not isinstance(self._executor, Processes):
            raise _broken_pool() from error
        submission.losses += 1
        if isinstance(error, CancelledError) and submission.losses == _MAX_LOSSES:
            msg = "the executor cancelled the same task several times; it may be shutting down"
            raise WorkError(msg) from error
        # When one process of a pool dies, all tasks of the pool are lost, so the first loss proves
        # nothing. A cluster, however, has already tried several workers, and memory will not
        # grow: such tasks are divided at once.
        if isinstance(error, BrokenExecutor | CancelledError) and submission.losses < _MAX_LOSSES:
            if submission.losses == 1:
                self._submit(submission)
            else:
                self._retry_in_isolation.append(submission)
            return
        halves = submission.split()
        if halves is not None:
            self._retry_in_isolation.extend(halves)
            return
        if submission.losses == 1 and not isinstance(error, MemoryError):
            # A cluster reports every task that the lost worker had, including those that had not
            # started: another task may have been the cause.
            self._retry_in_isolation.append(submission)
            return
        why = _OUT_OF_MEMORY if isinstance(error, MemoryError) else _WORKER_DIED
        yield from self._finish(submission, submission.task.on_lost(why), is_kept=False)


def _is_of_dask(error: Exception) -> bool:
    # Checked by the name of the package, because Dask need not be installed.
    return type(error).__module__.startswith("distributed")


def _is_pickling_error(error: Exception) -> bool:
    # Depending on the version of Python and the object, pickle raises other types of errors.
    is_other_type = isinstance(error, AttributeError | TypeError) and "pickle" in str(error)
    return is_other_type or isinstance(error, pickle.PicklingError)


def _unpicklable(error: Exception) -> WorkError:
    msg = (
        f"an argument cannot be sent to another process ({error}); define custom functions at the "
        "top level of a module, or use threads"
    )
    return WorkError(msg)


def _broken_pool() -> WorkError:
    msg = (
        "a worker process was terminated (killed, or out of memory), which broke its pool; "
        "unisono.parallel.Processes replaces lost workers"
    )
    return WorkError(msg)


_Shared = TypeVar("_Shared")
_Found = TypeVar("_Found")


class Calls(NamedTuple, Generic[_Shared, _Item, _Found]):
    """A task that calls a function with a shared argument and one item after the other."""

    function: Callable[[_Shared, _Item], _Found]
    shared: _Shared
    items: Sequence[_Item]

    def run(self) -> list[_Found]:
        """Return the results of the calls."""
        return [self.function(self.shared, item) for item in self.items]

    def split(self) -> tuple[Calls[_Shared, _Item, _Found], Calls[_Shared, _Item, _Found]] | None:
        """Divide the items into two tasks, if there are several."""
        if len(self.items) < 2:
            return None
        middle = len(self.items) // 2
        return self._replace(items=self.items[:middle]), self._replace(items=self.items[middle:])

    def merge(self, first: list[_Found], second: list[_Found]) -> list[_Found]:
        """Return the results of both tasks, in order."""
        return first + second

    def on_lost(self, why: str) -> list[_Found]:
        """Raise a WorkError, because every result is needed."""
        msg = f"the work on {self.items[0]!r} failed: {why}"
        raise WorkError(msg)


def map_items(
    function: Callable[[_Shared, _Item], _Found],
    shared: _Shared,
    items: Sequence[_Item],
    *,
    seconds: float,
    executor: Executor | None,
    workers: int,
    report: Report,
) -> list[_Found]:
    """Call a function for every item, and return the results in the order of the items."""
    chunks = _chunks(items, seconds, executor, kept=False)
    tasks = ((number, Calls(function, shared, chunk)) for number, chunk in enumerate(chunks))
    found: dict[int, list[_Found]] = {}
    with closing(run_tasks(tasks, executor=executor, workers=workers)) as numbered:
        for number, results in numbered:
            found[number] = results
            report.add(len(results))
    return [result for number in sorted(found) for result in found[number]]


def map_rows(
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
    """Call a function for every item; return an array with one row per item.

    The rows are stored in, and taken from, the checkpoint if there is one.
    """
    found: dict[int, np.ndarray[Any, np.dtype[np.float64]]] = {}

    def tasks() -> Iterator[tuple[int, Calls[_Shared, _Item, Sequence[float]]]]:
        for number, chunk in enumerate(_chunks(items, seconds, executor, kept=kept is not None)):
            if kept is not None and number in kept.numbers:
                stored = kept.taken(number)
                if stored and np.array_equal(stored["plan"], _digest_of_items(chunk)):
                    found[number] = stored["rows"]
                    report.add(len(chunk))
                    continue
            digests[number] = _digest_of_items(chunk)
            yield number, Calls(function, shared, chunk)

    def keep(number: int, results: list[Sequence[float]]) -> None:
        if kept is not None:
            found[number] = np.array(results, np.float64)
            kept.store({number: {"rows": found[number], "plan": digests[number]}})

    digests: dict[int, np.ndarray[Any, np.dtype[np.uint8]]] = {}
    numbered = run_tasks(
        tasks(), executor=executor, workers=workers, keep=None if kept is None else keep
    )
    with closing(numbered):
        for number, results in numbered:
            if kept is None:
                found[number] = np.array(results, np.float64)
            report.add(len(results))
    return np.concatenate([found[number] for number in sorted(found)])


def _chunks(
    items: Sequence[_Item], seconds: float, executor: Executor | None, *, kept: bool
) -> Iterator[list[_Item]]:
    most = chunk_seconds(seconds * len(items), kept=kept, travels=is_remote(executor))
    return chunks_by_cost(items, lambda _: seconds, most)


def _digest_of_items(items: Sequence[object]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.frombuffer(hashlib.sha256(repr(list(items)).encode()).digest(), np.uint8)


class Report:
    """A counter of finished work that calls back with its progress.

    Parameters
    ----------
    progress
        Called with the finished and the total amount of work; `None` for no callback.
    total
        The total amount of work; it may be increased later.

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
        """Add an amount of finished work, and call back."""
        self._done += done
        if done and self.progress is not None:
            self.progress(self._done, self.total)
