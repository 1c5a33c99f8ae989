"""Where work runs: threads, processes, or a Dask cluster at an address."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import sys
import threading
from concurrent import futures
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from contextvars import copy_context
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from unisono.errors import SettingError, WorkError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import ProcessPoolExecutor

__all__ = ["Followed", "Processes", "Threads", "available_cores", "client_of", "executor_at"]


def available_cores() -> int:
    """Count the cores this process may use, which may be fewer than the machine has.

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

    >>> from unisono.parallel import Processes
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


_SECONDS_TO_ANSWER = 6  # of a scheduler at an address, and to have a worker
_SECONDS_BETWEEN_QUESTIONS = 0.2
_ON_THIS_MACHINE = {
    # A worker that dies is started again, however long ago it was started first.
    "distributed.deploy.lost-worker-timeout": "365 days",
    # We try again ourselves, with less.
    "distributed.scheduler.allowed-failures": 1,
    # Nobody looks at what Dask would find out about our work a hundred times a second.
    "distributed.worker.profile.enabled": False,
    # Nor at how busy the machine is, for which each part of it would wake up fifty times a second.
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
    # Memory that a chunk gave back is wanted for the next one; Dask would return it every time.
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None,
}


@contextmanager
def executor_at(place: str, *, workers: int | None = None) -> Iterator[Executor]:
    """Open an executor for as long as the context lasts.

    Parameters
    ----------
    place
        ``"processes"`` of this machine, ``"local"`` for a Dask cluster on it, or the address of
        a Dask scheduler, such as ``"tcp://10.0.0.1:8786"``.
    workers
        How many processes to start on this machine; by default one a core.

    Yields
    ------
    Executor
        For the argument `executor` of a long computation.

    Raises
    ------
    SettingError
        If this names no place, or Dask is not installed.
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
    unisono.errors.SettingError: unknown place 'moon' for the work; choose 'processes', 'local' ...
    """
    if place == "processes":
        with Processes(workers) as executor:
            yield executor
        return
    if place != "local" and "://" not in place:
        msg = (
            f"unknown place {place!r} for the work; choose 'processes', 'local' or the address "
            "of a Dask scheduler, such as tcp://10.0.0.1:8786"
        )
        raise SettingError(msg)
    with ExitStack() as stack:
        client = _client(place, workers, stack)
        # No two chunks are the same: finding that out would take longer than sending them.
        yield client.get_executor(pure=False)


def _client(place: str, workers: int | None, stack: ExitStack) -> Any:  # noqa: ANN401 - a Client
    try:
        # An extra, and slow to import; most of it has no types.
        distributed: Any = import_module("distributed")
    except ImportError:
        msg = "a cluster needs Dask, which is not installed: pip install 'unisono[cluster]'"
        raise SettingError(msg) from None
    # What becomes of workers is said by us; Dask would tell it at length, and on stderr.
    log = logging.getLogger("distributed")
    stack.callback(log.setLevel, log.level)
    log.setLevel(logging.CRITICAL)
    if place == "local":
        leave_if_not_started()
        _check_processes_begin()
        stack.enter_context(import_module("dask").config.set(_ON_THIS_MACHINE))
        try:
            at = stack.enter_context(
                distributed.LocalCluster(
                    n_workers=workers or available_cores(),
                    threads_per_worker=1,
                    host="127.0.0.1",
                    protocol="tcp://",
                    # Pages that it would serve to everybody, on a port that may be taken.
                    dashboard_address="127.0.0.1:0",
                    worker_dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
            )
        except RuntimeError:
            raise WorkError(NOT_STARTED) from None
    else:
        at = place
        _check_workers_at(place, distributed)
    try:
        client = distributed.Client(
            at,
            timeout=_SECONDS_TO_ANSWER,
            set_as_default=False,
            # Results need not pass through the scheduler where all are on one machine; elsewhere
            # Dask finds out who can reach whom.
            direct_to_workers=True if place == "local" else None,
        )
    except (OSError, ValueError) as error:
        msg = f"no Dask scheduler answers at {place}: {error}"
        raise WorkError(msg) from None
    return stack.enter_context(client)


def _check_processes_begin() -> None:
    """Raise a WorkError if processes end when they import the script that starts them.

    Many versions of Dask start such workers again and again.
    """
    import multiprocessing  # noqa: PLC0415 - slow to import, and few need it

    process = multiprocessing.get_context("spawn").Process(target=int)
    process.start()
    process.join()
    if process.exitcode:
        raise WorkError(NOT_STARTED)


def _check_workers_at(place: str, distributed: Any) -> None:  # noqa: ANN401 - a module
    """Raise a WorkError unless a scheduler that has a worker answers soon.

    A client would wait for ever for the answer of what is no scheduler, and for a first worker.
    """
    import asyncio  # noqa: PLC0415 - slow to import, and few need it

    found: list[str] = []

    def ask() -> None:
        try:
            found.append(asyncio.run(_what_answers_at(place, distributed)))
        except (OSError, TypeError) as error:  # the latter where TLS is not set up
            found.append(f"no Dask scheduler answers at {place}: {str(error) or 'no answer'}")
        except Exception:  # noqa: BLE001 - anything may listen there, and say anything
            found.append(f"no Dask scheduler answers at {place}, but something else does")

    # A thread of its own, because that of a notebook has a loop already; the program need not wait
    # for its end.
    asking = Thread(target=ask, daemon=True)
    asking.start()
    asking.join(_SECONDS_TO_ANSWER + 1.0)
    problem = found[0] if found else f"no Dask scheduler answers at {place}: no answer"
    if problem:
        msg = f"{problem}; give the address of a running scheduler, or leave the cluster out"
        raise WorkError(msg)


async def _what_answers_at(place: str, distributed: Any) -> str:  # noqa: ANN401 - a module
    """Return what is wrong with the cluster at an address; nothing if it can work."""
    import asyncio  # noqa: PLC0415 - the same

    loop = asyncio.get_running_loop()
    end = loop.time() + _SECONDS_TO_ANSWER
    try:
        distributed.comm.resolve_address(place)
    except ValueError as error:
        return f"{place} is no address of a Dask scheduler: {error}"
    security = distributed.Security().get_connection_args("client")
    comm = await distributed.comm.connect(
        place, timeout=_SECONDS_TO_ANSWER, deserialize=False, **security
    )
    try:
        while True:
            asked = distributed.core.send_recv(comm, op="identity")
            answer = await asyncio.wait_for(asked, end - loop.time())
            if answer["type"] != "Scheduler":
                return f"what answers at {place} is a Dask {answer['type']} and no scheduler"
            if answer["workers"]:
                return ""
            if loop.time() + _SECONDS_BETWEEN_QUESTIONS > end:
                return f"the Dask scheduler at {place} has no workers, and none came"
            await asyncio.sleep(_SECONDS_BETWEEN_QUESTIONS)
    finally:
        comm.abort()


def client_of(executor: object) -> Any:  # noqa: ANN401 - a Client of Dask, which may be missing
    """Give the client behind an executor of Dask, or nothing."""
    # No public name leads from the one to the other.
    client = getattr(executor, "_client", None)
    return client if hasattr(client, "get_executor") else None


class Followed(Executor):
    """Does the work of an Dask executor; its futures have a result, an error or are cancelled."""

    def __init__(self, executor: Executor) -> None:
        self._executor: Any = executor
        self._client = client_of(executor)

    def submit(  # noqa: D102 - as every executor
        self, fn: Callable[_Given, _Result], /, *args: _Given.args, **kwargs: _Given.kwargs
    ) -> Future[_Result]:
        if self._executor._shutdown:  # noqa: SLF001 - as in `client_of`
            msg = "no new work after shutdown"
            raise RuntimeError(msg)
        there = self._client.submit(fn, *args, **kwargs, **self._executor._kwargs)  # noqa: SLF001
        # Whoever shuts the executor down waits for this one, or cancels it.
        self._executor._futures.add(there)  # noqa: SLF001
        here: Future[_Result] = Future()

        def take_back(ended: Future[_Result]) -> None:
            if ended.cancelled() and not there.cancelled():
                there.cancel()

        here.add_done_callback(take_back)
        self._client.loop.add_callback(_follow, there, here)
        return here


async def _follow(there: Any, here: Future[Any]) -> None:  # noqa: ANN401 - a Future of Dask
    """Wait for the end of a future of Dask, and tell it."""
    import asyncio  # noqa: PLC0415 - slow, and where Dask is it is loaded

    result, error = None, None
    try:
        result = await there
    except (CancelledError, asyncio.CancelledError):
        here.cancel()
    except BaseException as why:  # noqa: BLE001 - whatever it is, somebody waits for it
        error = why
    # Not if it was taken back meanwhile.
    if not here.set_running_or_notify_cancel():
        return
    if error is None:
        here.set_result(result)
    else:
        here.set_exception(error)


class Threads(ThreadPoolExecutor):
    """Threads that know the words of the door the user came through, and can be stopped."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers, thread_name_prefix="unisono")
        self._busy: set[int] = set()
        self._guard = threading.Lock()

    def submit(  # noqa: D102 - as every executor
        self, fn: Callable[_Given, _Result], /, *args: _Given.args, **kwargs: _Given.kwargs
    ) -> Future[_Result]:
        # A context can be entered by one thread at a time, so each task has a copy.
        context = copy_context()

        def worked() -> _Result:
            with self._guard:
                self._busy.add(threading.get_ident())
            try:
                return context.run(fn, *args, **kwargs)
            finally:
                with self._guard:
                    self._busy.discard(threading.get_ident())

        return super().submit(worked)

    def stop(self) -> None:
        """Stop what is being done, also within the kernel, and wait for it."""
        self.shutdown(wait=False, cancel_futures=True)
        with self._guard:
            for ident in self._busy:
                # The kernel asks every tenth of a second whether somebody wants it to stop.
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(ident), ctypes.py_object(KeyboardInterrupt)
                )
        self.shutdown(wait=True)
