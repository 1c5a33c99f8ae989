"""Jobs of the service, and the worker processes that do them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import os
import secrets
import shutil
import signal
import sys
import tempfile
import time
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from unisono.web.problems import ProblemError, problem_of
from unisono.web.uploads import DataStore, example_source, is_example

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unisono.web.problems import Limits

__all__ = ["Job", "Service", "happened", "moment"]

_LONGEST_LINE = 4 * 2**20
_START_SECONDS = 60.0
_PATIENCE = 0.5  # seconds that an interrupted task has before its process is killed
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # which one system does not have
_TOO_FAT = 1.2  # times the memory it began with, after which a new process is worth its start


class Worker:
    """One process that measures."""

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
        """Start the process, if nobody has yet, and wait until it takes tasks."""
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
        """Give it a task and wait for the end."""
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
        """Put a job at the end of the queue."""
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


State = Literal["queued", "running", "done", "failed", "cancelled"]
_BEFORE_A_GUESS = 0.2  # seconds of work before anyone says how long it will still take


@dataclass(slots=True, eq=False)
class Job:
    """One measurement that was asked for."""

    measure: str
    request: dict[str, Any]
    folder: Path
    data: tuple[str, ...] = ()
    id: str = field(default_factory=lambda: f"j_{secrets.token_urlsafe(18)}")
    state: State = "queued"
    phase: str = "waiting"
    done: int = 0
    total: int = 0
    problem: dict[str, Any] | None = None
    warnings: list[str] = field(default_factory=list)
    files: list[dict[str, Any]] = field(default_factory=list)
    bytes: int = 0
    created: float = field(default_factory=time.time)
    expires: float = 0.0
    _begun: float | None = None
    _measuring: float | None = None
    _ended: float | None = None
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_finished(self) -> bool:
        """Whether nothing will change any more."""
        return self.state in ("done", "failed", "cancelled")

    @property
    def seconds(self) -> float:
        """How long it has run, or ran."""
        if self._begun is None:
            return 0.0
        return (self._ended or time.monotonic()) - self._begun

    @property
    def seconds_left(self) -> float | None:
        """How long it will still take, where the draws that are done tell."""
        if self._measuring is None or not self.done or self.is_finished:
            return None
        spent = time.monotonic() - self._measuring
        return None if spent < _BEFORE_A_GUESS else spent * (self.total - self.done) / self.done

    def begin(self) -> None:
        """Note that a worker has taken it."""
        self.state, self._begun = "running", time.monotonic()
        self.notify()

    def advance(self, event: dict[str, Any]) -> None:
        """Note what a worker tells; what is finished stays as it is."""
        if self.is_finished:
            return
        self.phase, self.done, self.total = event["phase"], event["done"], event["total"]
        if self._measuring is None and self.phase == "measuring":
            self._measuring = time.monotonic()
        self.notify()

    def finish(
        self,
        state: State,
        *,
        problem: dict[str, Any] | None = None,
        files: list[dict[str, Any]] | None = None,
        warnings: list[str] | None = None,
    ) -> None:
        """Note how it ended; what ended before stays as it ended."""
        if self.is_finished:
            return
        self.state, self.problem = state, problem
        self.files, self.warnings = files or [], warnings or []
        self._ended = time.monotonic()
        self.notify()

    def forget(self) -> None:
        """Delete what it made."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def notify(self) -> None:
        """Wake everybody who waits for a change."""
        self._changed.set()
        self._changed = asyncio.Event()

    def next_change(self) -> asyncio.Event:
        """Give what is set when anything changes from now on."""
        return self._changed

    async def end(self, seconds: float) -> None:
        """Wait until it is finished, but no longer than so many seconds."""
        until = time.monotonic() + seconds
        while not self.is_finished and (left := until - time.monotonic()) > 0:
            await happened(self._changed, left)

    def path(self, name: str) -> Path:
        """Find one of its files."""
        if self.state == "cancelled":
            raise ProblemError("cancelled", "the job was cancelled, so it has no result")
        if self.state == "failed" and self.problem is not None:
            known = {"type", "title", "status", "detail", "kind"}
            more = {key: value for key, value in self.problem.items() if key not in known}
            raise ProblemError(self.problem["kind"], self.problem["detail"], **more)
        if not self.is_finished:
            raise ProblemError("unfinished", "the job is not finished; ask for its state first")
        path = self.folder / name
        if not path.is_file():
            raise ProblemError("not-found", "the job has no such file")
        return path


async def happened(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event, but no longer than so many seconds, and say whether it came."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


def moment(seconds: float) -> str:
    """Write a time as RFC 3339 does."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


_PREFIX = "unisono-serve-"
_BETWEEN_SWEEPS = 5.0  # seconds
_GRACE = 3.0  # seconds that running jobs have when the service stops


class Service:
    """Keeps data, queues jobs, and forgets both in time."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        name = f"{_PREFIX}{os.getpid()}-{secrets.token_hex(8)}"
        self._folder = Path(tempfile.gettempdir(), name)
        self._uploads, self._results = self._folder / "data", self._folder / "jobs"
        self.data = DataStore(self._uploads, limits)
        self.dispatcher = Dispatcher(limits, self._ended)
        self._jobs: dict[str, Job] = {}
        self._sweeping: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        _forget_the_dead()
        for folder in (self._folder, self._uploads, self._results):
            folder.mkdir(mode=0o700)
        self.dispatcher.start()
        self._sweeping = asyncio.ensure_future(self._sweep_again_and_again())
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self, grace: float = _GRACE) -> None:
        """Stop: running jobs have a moment to finish, then everything is deleted."""
        if self._sweeping is not None:
            self._sweeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sweeping
            self._sweeping = None
        await self.dispatcher.close(grace)
        shutil.rmtree(self._folder, ignore_errors=True)

    def submit(self, measure: str, sources: Mapping[str, str], settings: Mapping[str, Any]) -> Job:
        """Ask for a measurement."""
        found = {role: self._source(name) for role, name in sources.items()}
        uploads = tuple(name for name in sources.values() if not is_example(name))
        job = Job(measure, {}, self._results, uploads)
        job.folder = self._results / job.id
        job.expires = time.time() + self.limits.expiry_seconds
        job.request = {
            "measure": measure,
            "sources": found,
            "settings": dict(settings),
            "target": str(job.folder),
            "units": self.limits.units,
            "draws": self.limits.draws,
            "threads": self.limits.threads_of_one,
        }
        job.folder.mkdir(mode=0o700)
        try:
            self.dispatcher.submit(job)
        except ProblemError:
            job.forget()
            raise
        self._jobs[job.id] = job
        return job

    def job(self, name: str) -> Job:
        """Give a job and keep it longer."""
        job = self._jobs.get(name)
        if job is None:
            raise ProblemError("not-found", "there is no such job, or no longer")
        job.expires = time.time() + self.limits.expiry_seconds
        return job

    async def cancel(self, name: str) -> None:
        """Stop a job, or forget one that is finished."""
        job = self.job(name)
        if job.is_finished:
            self._forget(job)
        else:
            await self.dispatcher.cancel(job)

    async def forget_data(self, name: str) -> None:
        """Delete an upload, and stop the jobs that read it."""
        self.data.known(name)
        for job in list(self._jobs.values()):
            if name in job.data and not job.is_finished:
                await self.dispatcher.cancel(job)
        self.data.forget(name)

    async def sweep(self) -> None:
        """Forget what has expired, and the oldest results where there is no room for all."""
        now = time.time()
        in_use = {name for job in self._jobs.values() if not job.is_finished for name in job.data}
        for data in self.data:
            if data.expires < now and data.id not in in_use:
                self.data.forget(data.id)
        finished = [job for job in self._jobs.values() if job.is_finished]
        room = self.limits.storage_bytes - sum(job.bytes for job in finished)
        for job in sorted(finished, key=lambda each: each.expires):
            if job.expires < now or room < 0 or len(self._jobs) > self.limits.jobs * 8:
                room += job.bytes
                self._forget(job)
        await self.dispatcher.let_go()

    def _source(self, name: str) -> dict[str, Any]:
        if is_example(name):
            return example_source(name)
        data = self.data.known(name)
        return {"folder": str(data.folder), "entries": data.entries}

    def _ended(self, job: Job) -> None:
        if job.state == "done":
            job.bytes = sum(path.stat().st_size for path in job.folder.rglob("*"))
        else:
            job.forget()

    def _forget(self, job: Job) -> None:
        self._jobs.pop(job.id, None)
        job.forget()

    async def _sweep_again_and_again(self) -> None:
        while True:
            await asyncio.sleep(_BETWEEN_SWEEPS)
            await self.sweep()


def _forget_the_dead() -> None:
    """Delete what a service left behind that was killed before it could clean up."""
    if os.name != "posix":
        return  # nothing tells there who is still running without disturbing them
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        number = folder.name.removeprefix(_PREFIX).partition("-")[0]
        with contextlib.suppress(OSError):
            is_own = not folder.is_symlink() and folder.stat().st_uid == os.getuid()
            if is_own and number.isdigit() and not _is_running(int(number)):
                shutil.rmtree(folder, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
