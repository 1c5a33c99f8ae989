"""Executors by name: processes of this machine, a Dask cluster on it, or one at an address."""

from __future__ import annotations

import logging
from contextlib import ExitStack, contextmanager
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, Any

from unisono.errors import SettingError, WorkError
from unisono.parallel.cores import available_cores
from unisono.parallel.processes import NOT_STARTED, Processes, leave_if_not_started

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

__all__ = ["executor_at"]

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
    >>> from unisono.parallel.executors import executor_at
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
