"""Worker processes that are replaced when one of them dies."""

from __future__ import annotations

import os
import signal
import sys
import threading
from concurrent import futures
from concurrent.futures import BrokenExecutor, Executor
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from unisono.errors import WorkError
from unisono.parallel.cores import available_cores

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future, ProcessPoolExecutor

__all__ = ["NOT_STARTED", "Processes", "leave_if_not_started"]

NOT_STARTED = (
    "worker processes end before they begin; each imports the script that starts them, so put what "
    'the script does below the line: if __name__ == "__main__":'
)
_SECONDS_TO_DIE = 5.0
_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


class Processes(Executor):
    """An executor of worker processes that survives the death of a worker.

    The pool of the standard library is of no more use once a process of it was killed. This one
    starts another, and whoever handed out the work hands the lost part out again.

    Parameters
    ----------
    workers
        How many processes; by default one a core.

    Examples
    --------
    A script that uses it keeps its own work below ``if __name__ == "__main__":``, because every
    process imports the script.

    >>> from unisono.parallel.processes import Processes
    >>> with Processes(2) as executor:
    ...     executor.submit(pow, 2, 5).result()
    32
    """

    def __init__(self, workers: int | None = None) -> None:
        leave_if_not_started()
        self._max_workers = workers or available_cores()
        self._lock = threading.Lock()
        self._pool = self._fresh()
        self._is_shut_down = False
        self._has_begun = False
        self._with_a_dead_one: ProcessPoolExecutor | None = None

    def _fresh(self) -> ProcessPoolExecutor:
        import multiprocessing  # noqa: PLC0415 - slow, and seldom wanted

        # Not forked: a fork of a process with threads may never wake up.
        return futures.ProcessPoolExecutor(
            self._max_workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_leave_interrupts_to_the_parent,
        )

    def submit(  # noqa: D102 - as every executor
        self, fn: Callable[_Given, _Result], /, *args: _Given.args, **kwargs: _Given.kwargs
    ) -> Future[_Result]:
        with self._lock:
            self._begin()
            try:
                return self._pool.submit(fn, *args, **kwargs)
            except BrokenExecutor:
                if self._is_shut_down:
                    raise
                self._pool.shutdown(wait=False)
                self._pool = self._fresh()
                return self._pool.submit(fn, *args, **kwargs)

    def _begin(self) -> None:
        """Wait for the first process: that none can begin is not the fault of any work."""
        if self._has_begun:
            return
        try:
            self._pool.submit(os.getpid).result()
        except BrokenExecutor:
            raise WorkError(NOT_STARTED) from None
        self._has_begun = True

    def stop(self) -> None:
        """End all processes at once, whatever they are doing; others begin when work comes."""
        with self._lock:
            # First, because the pool forgets them.
            running, answers = _parts_of(self._pool)
            self._pool.shutdown(wait=False, cancel_futures=True)
            _end(running, answers)
            for process in running:
                process.join(_SECONDS_TO_DIE)
            if not self._is_shut_down:
                self._pool = self._fresh()

    def look_after(self) -> None:
        """End a pool that has not seen that a process of it died; called while nothing comes.

        A process that is killed in the middle of an answer leaves a pool that waits for the rest of
        it. Whoever finds a dead process twice in the same pool is sure of that: the pool itself
        sees it at once otherwise.
        """
        with self._lock:
            running, answers = _parts_of(self._pool)
            if not any(_has_died(process) for process in running):
                self._with_a_dead_one = None
            elif self._with_a_dead_one is self._pool:
                _end(running, answers)
            else:
                self._with_a_dead_one = self._pool

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: D102, FBT001, FBT002 - as every executor
        with self._lock:
            self._is_shut_down = True
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)


def _parts_of(pool: ProcessPoolExecutor) -> tuple[list[Any], Any]:
    """Give the processes of a pool, and the queue of their answers."""
    # There is no public way to end a process that is busy before Python 3.14.
    processes: dict[int, Any] | None = getattr(pool, "_processes", None)
    return list((processes or {}).values()), getattr(pool, "_result_queue", None)


def _has_died(process: Any) -> bool:  # noqa: ANN401 - a Process of any way to start one
    from multiprocessing.connection import wait  # noqa: PLC0415 - slow, and seldom wanted

    return bool(wait([process.sentinel], 0.0))


def _end(running: list[Any], answers: Any) -> None:  # noqa: ANN401 - a queue of any kind
    """Kill the processes of a pool, and let it know that no answer comes any more."""
    for process in running:
        process.kill()
    if answers is not None:
        # Ours is the last end into which answers could be written.
        answers._writer.close()  # noqa: SLF001 - as in `_parts_of`


def leave_if_not_started() -> None:
    """End a worker process that was about to start workers itself, without a word.

    It imports the script that started it, and the script does everything again if nothing keeps
    it from that. The process that started it says what is wrong.
    """
    process = sys.modules.get("multiprocessing.process")
    if process is not None and getattr(process.current_process(), "_inheriting", False):
        raise SystemExit(1)


def _leave_interrupts_to_the_parent() -> None:
    # Ctrl-C reaches every process of a terminal; the parent alone says what becomes of the work.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
