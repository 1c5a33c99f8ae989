"""Worker processes, as the service sees them: started, given a task, interrupted, killed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

from unisono.web.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unisono.web.limits import Limits

__all__ = ["Worker"]

_LONGEST_LINE = 4 * 2**20
_START_SECONDS = 60.0
_PATIENCE = 0.5  # seconds that an interrupted task has before its process is killed
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # which one system does not have
_TOO_FAT = 1.2  # times the memory it began with, after which a new process is worth its start


class Worker:
    """One process that measures.

    Parameters
    ----------
    limits
        How much memory it may take.

    Examples
    --------
    >>> import asyncio
    >>> from unisono.web.limits import Limits
    >>> from unisono.web.workers import Worker
    >>> async def start_and_stop():
    ...     worker = Worker(Limits())
    ...     await worker.start()
    ...     alive = worker.is_alive
    ...     await worker.kill()
    ...     return alive, worker.is_alive
    >>> asyncio.run(start_and_stop())
    (True, False)
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._process: asyncio.subprocess.Process | None = None
        self._starting: asyncio.Future[None] | None = None
        self._doing: asyncio.Future[dict[str, Any]] | None = None
        self._bytes_at_first = 0
        self.bytes = 0

    @property
    def is_alive(self) -> bool:
        """Whether there is a process, or about to be."""
        return self._starting is not None and not self.is_over

    @property
    def is_over(self) -> bool:
        """Whether the process ended, or could not be started."""
        if self._process is None:
            return self._starting is not None and self._starting.done()
        return self._process.returncode is not None

    @property
    def is_fat(self) -> bool:
        """Whether it holds on to more memory than a new one would."""
        return self.bytes > _TOO_FAT * self._bytes_at_first

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start the process, if nobody has yet, and wait until it takes tasks.

        Raises
        ------
        ProblemError
            It does not start.
        """
        if self._starting is None:
            self._starting = asyncio.ensure_future(self._start())
        await asyncio.shield(self._starting)

    async def _start(self) -> None:
        environment = os.environ | {
            # One job computes with the threads it is given and no others.
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            # Each arena takes memory, which is limited.
            "MALLOC_ARENA_MAX": "2",
        }
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "unisono.web.worker", str(self._limits.memory_of_one)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # What it would write there may quote data.
            stderr=None if os.environ.get("UNISONO_TRACEBACK") else asyncio.subprocess.DEVNULL,
            env=environment,
            limit=_LONGEST_LINE,
            # Ctrl-C is for the service, which tells its workers.
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(_START_SECONDS):
                event = await self._event()
        except TimeoutError:
            await self.kill()
            raise ProblemError("worker", "no process could be started for the work") from None
        self.bytes = self._bytes_at_first = event["bytes"]

    async def perform(
        self, request: Mapping[str, Any], on_progress: Callable[[dict[str, Any]], None]
    ) -> dict[str, Any]:
        """Give it a task and wait for the end.

        Parameters
        ----------
        request
            The task, as `unisono.web.worker.performed` takes it.
        on_progress
            Called with the events before the last.

        Raises
        ------
        ProblemError
            The process died.
        """
        process = self._process
        if process is None or process.stdin is None:
            raise _died()
        self._doing = asyncio.get_running_loop().create_future()
        try:
            process.stdin.write(json.dumps(dict(request)).encode() + b"\n")
            await process.stdin.drain()
            while (event := await self._event())["event"] == "progress":
                on_progress(event)
        except (ConnectionError, OSError):
            raise _died() from None
        finally:
            if not self._doing.done():
                self._doing.set_result({})
        self.bytes = event["bytes"]
        return event

    async def interrupt(self) -> None:
        """Stop the task: kindly, and if that takes too long by killing the process."""
        doing = self._doing
        if doing is None or doing.done() or not self.is_alive:
            return
        self._send(signal.SIGINT)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                await asyncio.shield(doing)
        # It may have ended in the same moment, and the process be at another task by now.
        if not doing.done():
            await self.kill()

    async def kill(self) -> None:
        """End the process at once, whatever it does."""
        process = self._process
        if process is None:
            return
        self._send(_KILL)
        await process.wait()

    def _send(self, number: int) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        if os.name == "nt":
            # There are no such signals, so killing is all there is.
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            return
        # Not process.kill(), which would look whether it has ended, and then asyncio, which looks
        # too, would complain that somebody else knew first.
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, number)

    async def _event(self) -> dict[str, Any]:
        process = self._process
        line = b"" if process is None or process.stdout is None else await process.stdout.readline()
        if not line.endswith(b"\n"):
            raise _died()
        event: dict[str, Any] = json.loads(line)
        return event


def _died() -> ProblemError:
    detail = "the process that did the work died, perhaps because the data need too much memory"
    return ProblemError("worker", detail)
