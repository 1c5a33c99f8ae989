"""Which worker does which job, when: a bounded queue before a few processes."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from unisono.web.problems import ProblemError, problem_of
from unisono.web.workers import Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from unisono.web.jobs import Job
    from unisono.web.limits import Limits

__all__ = ["Dispatcher"]

_LONGEST_RETRY = 60
_IDLE_SECONDS = 30.0  # after which all workers but one are let go, to give their memory back


@dataclass(slots=True, eq=False)
class _Slot:
    """A place for one worker."""

    worker: Worker
    job: Job | None = None
    idle_since: float = field(default_factory=time.monotonic)


class Dispatcher:
    """Gives jobs to workers in the order they came.

    One worker is always warm; others are started when there is work for them and let go when
    there has been none for a while.

    Parameters
    ----------
    limits
        How many jobs and processes, and how long a job may take.
    on_end
        Called with each job that has run.
    """

    def __init__(self, limits: Limits, on_end: Callable[[Job], None]) -> None:
        self._limits = limits
        self._on_end = on_end
        self._waiting: deque[Job] = deque()
        self._slots = [_Slot(Worker(limits)) for _ in range(limits.processes)]
        self._tasks: set[asyncio.Task[None]] = set()
        self._usual_seconds = 1.0
        self.is_closing = False

    @property
    def queued(self) -> int:
        """How many jobs wait."""
        return len(self._waiting)

    @property
    def running(self) -> int:
        """How many jobs run."""
        return sum(slot.job is not None for slot in self._slots)

    @property
    def workers(self) -> list[int]:
        """The numbers of the processes there are now."""
        return [slot.worker.pid for slot in self._slots if slot.worker.is_alive and slot.worker.pid]

    def ahead(self, job: Job) -> int:
        """Count the jobs that wait before this one."""
        return self._waiting.index(job) if job.state == "queued" and job in self._waiting else 0

    def start(self) -> None:
        """Start the worker that is always there; whoever comes first need not wait for it."""
        self._in_background(self._begun(self._slots[0].worker))

    def submit(self, job: Job) -> None:
        """Put a job at the end of the queue.

        Raises
        ------
        ProblemError
            The queue is full, or the service is about to stop.
        """
        if self.is_closing:
            raise ProblemError("closing", "the service is stopping and takes no more jobs")
        there = self.queued + self.running
        if there >= self._limits.jobs:
            wait = self._usual_seconds * there / len(self._slots)
            retry = str(min(_LONGEST_RETRY, max(1, math.ceil(wait / 4))))
            detail = f"{there} jobs are waiting already; try again in {retry} s"
            raise ProblemError("busy", detail, headers={"Retry-After": retry})
        self._waiting.append(job)
        self._dispatch()

    async def cancel(self, job: Job) -> None:
        """Stop a job, whether it waits or runs."""
        if job in self._waiting:
            self._waiting.remove(job)
        was_running = job.state == "running"
        job.finish("cancelled")
        if was_running:
            slot = next((slot for slot in self._slots if slot.job is job), None)
            if slot is not None:
                await slot.worker.interrupt()

    async def close(self, grace: float) -> None:
        """Cancel what waits, let what runs finish for so many seconds, then end all processes."""
        self.is_closing = True
        while self._waiting:
            self._waiting.popleft().finish("cancelled")
        running = [slot.job for slot in self._slots if slot.job is not None]
        if running:
            await asyncio.wait([asyncio.ensure_future(job.end(grace)) for job in running])
        for job in running:
            job.finish("cancelled")
        await asyncio.gather(*(slot.worker.kill() for slot in self._slots))
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=grace)

    async def let_go(self) -> None:
        """End workers that had nothing to do for a while, but one; renew that if it grew fat."""
        now = time.monotonic()
        idle = [
            slot
            for slot in self._slots
            if slot.job is None and now - slot.idle_since > _IDLE_SECONDS and slot.worker.is_alive
        ]
        for slot in idle:
            if sum(other.worker.is_alive for other in self._slots) > 1:
                await slot.worker.kill()
            elif slot.worker.is_fat:
                self._in_background(self._warmed(slot))
        if not self.workers and not self.running:
            self._in_background(self._warmed(self._slots[0]))

    def _dispatch(self) -> None:
        while self._waiting and not self.is_closing:
            free = [slot for slot in self._slots if slot.job is None]
            if not free:
                return
            slot = min(free, key=lambda each: not each.worker.is_alive)
            slot.job = self._waiting.popleft()
            self._in_background(self._work(slot, slot.job))

    def _in_background(self, work: Any) -> None:  # noqa: ANN401 - a coroutine
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work(self, slot: _Slot, job: Job) -> None:
        try:
            await self._ready(slot)
            if not job.is_finished:
                job.begin()
                await self._performed(slot, job)
        except ProblemError as problem:
            # It died, so nobody knows what it was at; a new one takes the next job.
            await slot.worker.kill()
            job.finish("failed", problem=problem.record)
        except Exception as error:  # noqa: BLE001 - whatever it is, the service goes on
            await slot.worker.kill()
            job.finish("failed", problem=problem_of(error).record)
        finally:
            self._on_end(job)
            slot.job, slot.idle_since = None, time.monotonic()
            self._dispatch()
        if not self.workers and not self.running and not self.is_closing:
            await self._warmed(slot)

    async def _performed(self, slot: _Slot, job: Job) -> None:
        limit = self._limits.job_seconds
        try:
            async with asyncio.timeout(limit):
                last = await self._answered(slot, job)
        except TimeoutError:
            detail = f"the job took longer than {limit:.0f} s, which is the most this service gives"
            job.finish("failed", problem=ProblemError("time", detail).record)
            await slot.worker.kill()
            return
        if last["event"] == "done":
            job.finish("done", files=last["files"], warnings=last["warnings"])
            self._usual_seconds += 0.2 * (job.seconds - self._usual_seconds)
        elif last["event"] == "failed":
            job.finish("failed", problem=last["problem"])
            if last["problem"]["kind"] == "memory":
                await slot.worker.kill()
        else:
            job.finish("cancelled")

    async def _answered(self, slot: _Slot, job: Job) -> dict[str, Any]:
        try:
            return await slot.worker.perform(job.request, job.advance)
        except ProblemError:
            if job.phase != "waiting" or job.is_finished:
                raise
        # It had died while it was idle, so the job is not to blame.
        await slot.worker.kill()
        await self._ready(slot)
        return await slot.worker.perform(job.request, job.advance)

    async def _ready(self, slot: _Slot) -> None:
        if slot.worker.is_over:
            slot.worker = Worker(self._limits)
        await slot.worker.start()

    async def _begun(self, worker: Worker) -> None:
        with contextlib.suppress(ProblemError):  # the first job will tell
            await worker.start()

    async def _warmed(self, slot: _Slot) -> None:
        """Put a new worker into a place that has no job, before the old one goes."""
        worker = Worker(self._limits)
        try:
            await worker.start()
        except ProblemError:
            return  # the next job will tell
        if slot.job is not None or self.is_closing:
            await worker.kill()
            return
        slot.worker, old = worker, slot.worker
        await old.kill()
        self._dispatch()
