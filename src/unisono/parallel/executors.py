"""Executors: threads, processes that survive a crash, and a Dask cluster at an address."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import sys
import threading
from concurrent import futures
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from unisono.errors import SettingError, WorkError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import ProcessPoolExecutor

__all__ = [
    "DaskExecutorAdapter",
    "Processes",
    "Threads",
    "available_cores",
    "client_of",
    "executor_at",
]


def available_cores() -> int:
    """Return the number of cores available to this process.

    Examples
    --------
    >>> available_cores() >= 1
    True
    """
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every platform
        return os.cpu_count() or 1


NOT_STARTED = (
    "worker processes exit before they start to work; each of them imports the main script, so put "
    'the code of the script below the line: if __name__ == "__main__":'
)
_SECONDS_TO_EXIT = 5.0
_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class Processes(Executor):
    """An executor with worker processes that keeps working when a worker is terminated.

    The process pool of the standard library is broken once one of its processes was killed. This
    executor starts a new pool instead, and the lost tasks are submitted again.

    Parameters
    ----------
    workers
        The number of processes; by default one per core.

    Examples
    --------
    A script that uses it needs its code below ``if __name__ == "__main__":``, because every process
    imports the script.

    >>> from unisono.parallel import Processes
    >>> with Processes(2) as executor:
    ...     executor.submit(pow, 2, 5).result()
    32
    """

    def __init__(self, workers: int | None = None) -> None:
        exit_if_importing_main()
        self._max_workers = workers or available_cores()
        self._lock = threading.Lock()
        self._pool = self._new_pool()
        self._is_shut_down = False
        self._has_started = False
        self._pool_with_dead_process: ProcessPoolExecutor | None = None

    def _new_pool(self) -> ProcessPoolExecutor:
        import multiprocessing  # noqa: PLC0415 - slow, and rarely needed

        # Spawned, because a forked copy of a process with threads may deadlock.
        return futures.ProcessPoolExecutor(
            self._max_workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_ignore_interrupts,
        )

    def submit(  # noqa: D102 - as every executor
        self,
        fn: Callable[_Parameters, _Result],
        /,
        *args: _Parameters.args,
        **kwargs: _Parameters.kwargs,
    ) -> Future[_Result]:
        with self._lock:
            self._wait_for_start()
            try:
                return self._pool.submit(fn, *args, **kwargs)
            except BrokenExecutor:
                if self._is_shut_down:
                    raise
                self._pool.shutdown(wait=False)
                self._pool = self._new_pool()
                return self._pool.submit(fn, *args, **kwargs)

    def _wait_for_start(self) -> None:
        """Raise a WorkError if no process can start, which no retry of a task would change."""
        if self._has_started:
            return
        try:
            self._pool.submit(os.getpid).result()
        except BrokenExecutor:
            raise WorkError(NOT_STARTED) from None
        self._has_started = True

    def stop(self) -> None:
        """Terminate all processes, also busy ones; new ones start with the next task."""
        with self._lock:
            # Before the shutdown, which removes them from the pool.
            processes, results = _internals_of(self._pool)
            self._pool.shutdown(wait=False, cancel_futures=True)
            _kill(processes, results)
            for process in processes:
                process.join(_SECONDS_TO_EXIT)
            if not self._is_shut_down:
                self._pool = self._new_pool()

    def check_processes(self) -> None:
        """Terminate a pool that did not notice the death of a process; call it while waiting.

        If a process is killed while it sends a result, the pool waits for the rest of that result
        forever. In all other cases the pool itself notices the death at once, so a process that is
        found dead by two successive checks of the same pool shows that the pool is stuck.
        """
        with self._lock:
            processes, results = _internals_of(self._pool)
            if not any(_has_died(process) for process in processes):
                self._pool_with_dead_process = None
            elif self._pool_with_dead_process is self._pool:
                _kill(processes, results)
            else:
                self._pool_with_dead_process = self._pool

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: D102, FBT001, FBT002 - as every executor
        with self._lock:
            self._is_shut_down = True
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)


def _internals_of(pool: ProcessPoolExecutor) -> tuple[list[Any], Any]:
    """Return the processes of a pool and the queue of their results."""
    # Before Python 3.14 there is no public way to terminate a busy process.
    processes: dict[int, Any] | None = getattr(pool, "_processes", None)
    return list((processes or {}).values()), getattr(pool, "_result_queue", None)


def _has_died(process: Any) -> bool:  # noqa: ANN401 - a Process of any way to start one
    from multiprocessing.connection import wait  # noqa: PLC0415 - slow, and rarely needed

    return bool(wait([process.sentinel], 0.0))


def _kill(processes: list[Any], results: Any) -> None:  # noqa: ANN401 - a queue of any kind
    """Kill the processes of a pool, and close its queue of results."""
    for process in processes:
        process.kill()
    if results is not None:
        # With the last writer closed, the pool sees the end of the queue and stops waiting.
        results._writer.close()  # noqa: SLF001 - as in `_internals_of`


def exit_if_importing_main() -> None:
    """Exit silently if this is a worker process that is still importing the main script.

    A worker imports the script that started it; a script without a guard would then start workers
    from within the worker. The parent process reports the error.
    """
    process = sys.modules.get("multiprocessing.process")
    if process is not None and getattr(process.current_process(), "_inheriting", False):
        raise SystemExit(1)


def _ignore_interrupts() -> None:
    # Ctrl-C reaches every process of a terminal; the parent decides and stops its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


_SCHEDULER_TIMEOUT = 6  # seconds to answer, and to have a worker
_POLL_SECONDS = 0.2


@contextmanager
def executor_at(place: str, *, workers: int | None = None) -> Iterator[Executor]:
    """Open an executor that is closed at the end of the context.

    Parameters
    ----------
    place
        ``"processes"`` of this machine, or the address of a Dask scheduler, such as
        ``"tcp://10.0.0.1:8786"``.
    workers
        The number of processes to start on this machine; by default one per core.

    Yields
    ------
    Executor
        The executor, for the `executor` argument of other functions.

    Raises
    ------
    SettingError
        If `place` is neither ``"processes"`` nor an address, or Dask is not installed.
    WorkError
        If within 6 seconds no Dask scheduler answers at the address, or it has no worker; or if
        no worker can be started.

    Examples
    --------
    >>> from unisono.parallel import executor_at
    >>> with executor_at("processes", workers=2) as executor:
    ...     executor.submit(pow, 2, 5).result()
    32
    >>> with executor_at("moon"):
    ...     pass
    Traceback (most recent call last):
    unisono.errors.SettingError: unknown executor 'moon'; choose 'processes' or the address of a...
    """
    if place == "processes":
        with Processes(workers) as executor:
            yield executor
        return
    if "://" not in place:
        msg = (
            f"unknown executor {place!r}; choose 'processes' or the address of a Dask scheduler, "
            "such as tcp://10.0.0.1:8786"
        )
        raise SettingError(msg)
    with _client(place) as client:
        # No two chunks are equal, so hashing them to find equal calls would be wasted time.
        yield client.get_executor(pure=False)


@contextmanager
def _client(place: str) -> Iterator[Any]:
    try:
        # Imported late because it is optional and slow; Any because it is mostly untyped.
        distributed: Any = import_module("distributed")
    except ImportError:
        msg = "a cluster requires Dask, which is not installed: pip install 'unisono[cluster]'"
        raise SettingError(msg) from None
    # unisono reports lost workers; Dask would also log each of them at length on stderr.
    log = logging.getLogger("distributed")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        _check_workers_at(place, distributed)
        try:
            client = distributed.Client(place, timeout=_SCHEDULER_TIMEOUT, set_as_default=False)
        except (OSError, ValueError) as error:
            msg = f"no Dask scheduler answers at {place}: {error}"
            raise WorkError(msg) from None
        with client:
            yield client
    finally:
        log.setLevel(level)


def _check_workers_at(place: str, distributed: Any) -> None:  # noqa: ANN401 - a module
    """Raise a WorkError unless a scheduler that has a worker answers soon.

    A Dask client would wait forever for a server that is not a scheduler, and for a first worker.
    """
    import asyncio  # noqa: PLC0415 - slow to import, and rarely needed

    found: list[str] = []

    def ask() -> None:
        try:
            found.append(asyncio.run(_problem_at(place, distributed)))
        except (OSError, TypeError) as error:  # the latter where TLS is not set up
            found.append(f"no Dask scheduler answers at {place}: {str(error) or 'no answer'}")
        except Exception:  # noqa: BLE001 - any server may listen there, and send anything
            found.append(f"the server at {place} is not a Dask scheduler")

    # In a separate thread, because a notebook runs an event loop in the main thread; as a daemon,
    # because the program must not wait for it.
    thread = Thread(target=ask, daemon=True)
    thread.start()
    thread.join(_SCHEDULER_TIMEOUT + 1.0)
    problem = found[0] if found else f"no Dask scheduler answers at {place}: no answer"
    if problem:
        msg = f"{problem}; pass the address of a running scheduler, or use local processes"
        raise WorkError(msg)


async def _problem_at(place: str, distributed: Any) -> str:  # noqa: ANN401 - a module
    """Return what is wrong with the cluster at an address, or ``""`` if it is ready."""
    import asyncio  # noqa: PLC0415 - the same

    loop = asyncio.get_running_loop()
    end = loop.time() + _SCHEDULER_TIMEOUT
    try:
        distributed.comm.resolve_address(place)
    except ValueError as error:
        return f"{place} is not an address of a Dask scheduler: {error}"
    security = distributed.Security().get_connection_args("client")
    comm = await distributed.comm.connect(
        place, timeout=_SCHEDULER_TIMEOUT, deserialize=False, **security
    )
    try:
        while True:
            reply = distributed.core.send_recv(comm, op="identity")
            answer = await asyncio.wait_for(reply, end - loop.time())
            if answer["type"] != "Scheduler":
                return f"the server at {place} is a Dask {answer['type']}, not a scheduler"
            if answer["workers"]:
                return ""
            if loop.time() + _POLL_SECONDS > end:
                return f"the Dask scheduler at {place} has no workers"
            await asyncio.sleep(_POLL_SECONDS)
    finally:
        comm.abort()


def client_of(executor: object) -> Any:  # noqa: ANN401 - a Client of Dask, which may be missing
    """Return the Dask client of an executor, or None if it is not an executor of Dask."""
    # There is no public attribute for it.
    client = getattr(executor, "_client", None)
    return client if hasattr(client, "get_executor") else None


class DaskExecutorAdapter(Executor):
    """A wrapper of a Dask executor whose futures behave like those of the standard library."""

    def __init__(self, executor: Executor) -> None:
        self._executor: Any = executor
        self._client = client_of(executor)

    def submit(  # noqa: D102 - as every executor
        self,
        fn: Callable[_Parameters, _Result],
        /,
        *args: _Parameters.args,
        **kwargs: _Parameters.kwargs,
    ) -> Future[_Result]:
        if self._executor._shutdown:  # noqa: SLF001 - as in `client_of`
            msg = "cannot submit a task after shutdown"
            raise RuntimeError(msg)
        remote = self._client.submit(fn, *args, **kwargs, **self._executor._kwargs)  # noqa: SLF001
        # So that a shutdown of the Dask executor waits for this future, or cancels it.
        self._executor._futures.add(remote)  # noqa: SLF001
        local: Future[_Result] = Future()

        def cancel_remote(ended: Future[_Result]) -> None:
            if ended.cancelled() and not remote.cancelled():
                remote.cancel()

        local.add_done_callback(cancel_remote)
        self._client.loop.add_callback(_copy_outcome, remote, local)
        return local


async def _copy_outcome(remote: Any, local: Future[Any]) -> None:  # noqa: ANN401 - a Future of Dask
    """Wait for a future of Dask, and copy its result or error to a standard one."""
    import asyncio  # noqa: PLC0415 - slow, and already loaded where Dask is used

    result, error = None, None
    try:
        result = await remote
    except (CancelledError, asyncio.CancelledError):
        local.cancel()
    except BaseException as caught:  # noqa: BLE001 - the caller waits for any outcome
        error = caught
    # False if the future was cancelled in the meantime.
    if not local.set_running_or_notify_cancel():
        return
    if error is None:
        local.set_result(result)
    else:
        local.set_exception(error)


class Threads(ThreadPoolExecutor):
    """A pool of threads that inherit context variables and can be stopped while busy."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers, thread_name_prefix="unisono")
        self._busy: set[int] = set()
        self._lock = threading.Lock()

    def submit(  # noqa: D102 - as every executor
        self,
        fn: Callable[_Parameters, _Result],
        /,
        *args: _Parameters.args,
        **kwargs: _Parameters.kwargs,
    ) -> Future[_Result]:
        # Messages name settings by a context variable. Only one thread at a time can enter a
        # context, so each task gets a copy.
        context = copy_context()

        def run() -> _Result:
            with self._lock:
                self._busy.add(threading.get_ident())
            try:
                return context.run(fn, *args, **kwargs)
            finally:
                with self._lock:
                    self._busy.discard(threading.get_ident())

        return super().submit(run)

    def stop(self) -> None:
        """Interrupt all running tasks, also within the kernel, and wait for their end."""
        self.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            for ident in self._busy:
                # The kernel checks for a pending exception ten times per second.
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(ident), ctypes.py_object(KeyboardInterrupt)
                )
        self.shutdown(wait=True)
