"""The jobs of the service, and the worker processes that run them."""

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

from unisono.results.wording import count
from unisono.web.problems import ProblemError, problem_of
from unisono.web.uploads import DataStore, example_source, is_example

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unisono.web.problems import Limits

__all__ = ["Job", "Service", "format_time", "wait_for"]

_LONGEST_LINE = 4 * 2**20
_START_SECONDS = 60.0
_INTERRUPT_SECONDS = 0.5  # until the process of an interrupted task is killed
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # Windows has no SIGKILL
_MAX_GROWTH = 1.2  # of memory since the start; above it, an idle process is replaced


class Worker:
    """A process that runs tasks."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._process: asyncio.subprocess.Process | None = None
        self._starting: asyncio.Future[None] | None = None
        self._current: asyncio.Future[dict[str, Any]] | None = None
        self._initial_bytes = 0
        self.bytes = 0

    @property
    def is_alive(self) -> bool:
        """Whether the process is running or starting."""
        return self._starting is not None and not self.is_over

    @property
    def is_over(self) -> bool:
        """Whether the process ended, or could not be started."""
        if self._process is None:
            return self._starting is not None and self._starting.done()
        return self._process.returncode is not None

    @property
    def exceeds_memory(self) -> bool:
        """Whether the process uses considerably more memory than a new one would."""
        return self.bytes > _MAX_GROWTH * self._initial_bytes

    @property
    def pid(self) -> int | None:
        """The id of the process."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start the process unless it was started before, and wait until it accepts tasks."""
        if self._starting is None:
            self._starting = asyncio.ensure_future(self._start())
        await asyncio.shield(self._starting)

    async def _start(self) -> None:
        environment = os.environ | {
            # A job must not use more threads than were assigned to it.
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            # Each arena of the allocator counts towards the memory limit.
            "MALLOC_ARENA_MAX": "2",
        }
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "unisono.web.worker", str(self._limits.memory_of_one)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # Output on stderr could contain data of users.
            stderr=None if os.environ.get("UNISONO_TRACEBACK") else asyncio.subprocess.DEVNULL,
            env=environment,
            limit=_LONGEST_LINE,
            # Ctrl-C must reach the service only, which stops its workers.
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(_START_SECONDS):
                event = await self._event()
        except TimeoutError:
            await self.kill()
            raise ProblemError("worker", "the worker process could not be started") from None
        self.bytes = self._initial_bytes = event["bytes"]

    async def perform(
        self, request: Mapping[str, Any], on_progress: Callable[[dict[str, Any]], None]
    ) -> dict[str, Any]:
        """Send a task to the process, and return the event of its end."""
        process = self._process
        if process is None or process.stdin is None:
            raise _worker_lost()
        self._current = asyncio.get_running_loop().create_future()
        try:
            process.stdin.write(json.dumps(dict(request)).encode() + b"\n")
            await process.stdin.drain()
            while (event := await self._event())["event"] == "progress":
                on_progress(event)
        except (ConnectionError, OSError):
            raise _worker_lost() from None
        finally:
            if not self._current.done():
                self._current.set_result({})
        self.bytes = event["bytes"]
        return event

    async def interrupt(self) -> None:
        """Interrupt the task; kill the process if the task does not stop in time."""
        current = self._current
        if current is None or current.done() or not self.is_alive:
            return
        self._send(signal.SIGINT)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_INTERRUPT_SECONDS):
                await asyncio.shield(current)
        # If the task has ended meanwhile, the process may already run another one.
        if not current.done():
            await self.kill()

    async def kill(self) -> None:
        """Kill the process, and wait for its end."""
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
            # Windows does not have these signals; the process can only be killed.
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            return
        # Not process.kill(), which polls the process and would make the child watcher of asyncio
        # warn that the exit status is already known.
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, number)

    async def _event(self) -> dict[str, Any]:
        process = self._process
        line = b"" if process is None or process.stdout is None else await process.stdout.readline()
        if not line.endswith(b"\n"):
            raise _worker_lost()
        event: dict[str, Any] = json.loads(line)
        return event


def _worker_lost() -> ProblemError:
    detail = "the worker process was terminated, perhaps because the data need too much memory"
    return ProblemError("worker", detail)


_LONGEST_RETRY = 60
_IDLE_SECONDS = 30.0  # until idle workers except one are stopped, to free memory


@dataclass(slots=True, eq=False)
class _Slot:
    """A slot for one worker."""

    worker: Worker
    job: Job | None = None
    idle_since: float = field(default_factory=time.monotonic)


class Dispatcher:
    """Assigns jobs to workers, first come, first served.

    One worker is always running; others are started when needed, and stopped when idle.
    """

    def __init__(self, limits: Limits, on_end: Callable[[Job], None]) -> None:
        self._limits = limits
        self._on_end = on_end
        self._waiting: deque[Job] = deque()
        self._slots = [_Slot(Worker(limits)) for _ in range(limits.processes)]
        self._tasks: set[asyncio.Task[None]] = set()
        self._mean_seconds = 1.0
        self.is_closing = False

    @property
    def queued(self) -> int:
        """The number of waiting jobs."""
        return len(self._waiting)

    @property
    def running(self) -> int:
        """The number of running jobs."""
        return sum(slot.job is not None for slot in self._slots)

    @property
    def workers(self) -> list[int]:
        """The ids of the worker processes."""
        return [slot.worker.pid for slot in self._slots if slot.worker.is_alive and slot.worker.pid]

    def ahead(self, job: Job) -> int:
        """Return the number of jobs ahead of this one in the queue."""
        return self._waiting.index(job) if job.state == "queued" and job in self._waiting else 0

    def start(self) -> None:
        """Start the permanent worker, so that the first job does not have to wait for it."""
        self._in_background(self._try_start(self._slots[0].worker))

    def submit(self, job: Job) -> None:
        """Add a job to the queue."""
        if self.is_closing:
            raise ProblemError("closing", "the service is stopping and does not accept jobs")
        n_jobs = self.queued + self.running
        if n_jobs >= self._limits.jobs:
            wait = self._mean_seconds * n_jobs / len(self._slots)
            retry = str(min(_LONGEST_RETRY, max(1, math.ceil(wait / 4))))
            waiting = f"{count(n_jobs, 'job')} {'is' if n_jobs == 1 else 'are'} already waiting"
            detail = f"{waiting}; try again in {retry} s"
            raise ProblemError("busy", detail, headers={"Retry-After": retry})
        self._waiting.append(job)
        self._dispatch()

    async def cancel(self, job: Job) -> None:
        """Cancel a waiting or running job."""
        if job in self._waiting:
            self._waiting.remove(job)
        was_running = job.state == "running"
        job.finish("cancelled")
        if was_running:
            slot = next((slot for slot in self._slots if slot.job is job), None)
            if slot is not None:
                await slot.worker.interrupt()

    async def close(self, grace: float) -> None:
        """Cancel waiting jobs, give running jobs `grace` seconds, then kill all processes."""
        self.is_closing = True
        while self._waiting:
            self._waiting.popleft().finish("cancelled")
        running = [slot.job for slot in self._slots if slot.job is not None]
        if running:
            await asyncio.wait([asyncio.ensure_future(job.wait(grace)) for job in running])
        for job in running:
            job.finish("cancelled")
        await asyncio.gather(*(slot.worker.kill() for slot in self._slots))
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=grace)

    async def stop_idle_workers(self) -> None:
        """Stop idle workers except one; replace that one if its memory use has grown."""
        now = time.monotonic()
        idle = [
            slot
            for slot in self._slots
            if slot.job is None and now - slot.idle_since > _IDLE_SECONDS and slot.worker.is_alive
        ]
        for slot in idle:
            if sum(other.worker.is_alive for other in self._slots) > 1:
                await slot.worker.kill()
            elif slot.worker.exceeds_memory:
                self._in_background(self._replace_worker(slot))
        if not self.workers and not self.running:
            self._in_background(self._replace_worker(self._slots[0]))

    def _dispatch(self) -> None:
        while self._waiting and not self.is_closing:
            free = [slot for slot in self._slots if slot.job is None]
            if not free:
                return
            slot = min(free, key=lambda each: not each.worker.is_alive)
            slot.job = self._waiting.popleft()
            self._in_background(self._run_job(slot, slot.job))

    def _in_background(self, work: Any) -> None:  # noqa: ANN401 - a coroutine
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run_job(self, slot: _Slot, job: Job) -> None:
        try:
            await self._ensure_worker(slot)
            if not job.is_finished:
                job.begin()
                await self._finish_job(slot, job)
        except ProblemError as problem:
            # The state of the worker is unknown; a new one takes the next job.
            await slot.worker.kill()
            job.finish("failed", problem=problem.record)
        except Exception as error:  # noqa: BLE001 - no error may stop the service
            await slot.worker.kill()
            job.finish("failed", problem=problem_of(error).record)
        finally:
            self._on_end(job)
            slot.job, slot.idle_since = None, time.monotonic()
            self._dispatch()
        if not self.workers and not self.running and not self.is_closing:
            await self._replace_worker(slot)

    async def _finish_job(self, slot: _Slot, job: Job) -> None:
        limit = self._limits.job_seconds
        try:
            async with asyncio.timeout(limit):
                last = await self._perform(slot, job)
        except TimeoutError:
            detail = f"the job took longer than {limit:.0f} s, the time limit of this service"
            job.finish("failed", problem=ProblemError("time", detail).record)
            await slot.worker.kill()
            return
        if last["event"] == "done":
            job.finish("done", files=last["files"], warnings=last["warnings"])
            self._mean_seconds += 0.2 * (job.seconds - self._mean_seconds)
        elif last["event"] == "failed":
            job.finish("failed", problem=last["problem"])
            if last["problem"]["kind"] == "memory":
                await slot.worker.kill()
        else:
            job.finish("cancelled")

    async def _perform(self, slot: _Slot, job: Job) -> dict[str, Any]:
        try:
            return await slot.worker.perform(job.request, job.advance)
        except ProblemError:
            if job.phase != "waiting" or job.is_finished:
                raise
        # The worker was lost while it was idle, so the job is not the cause.
        await slot.worker.kill()
        await self._ensure_worker(slot)
        return await slot.worker.perform(job.request, job.advance)

    async def _ensure_worker(self, slot: _Slot) -> None:
        if slot.worker.is_over:
            slot.worker = Worker(self._limits)
        await slot.worker.start()

    async def _try_start(self, worker: Worker) -> None:
        with contextlib.suppress(ProblemError):  # the first job will report it
            await worker.start()

    async def _replace_worker(self, slot: _Slot) -> None:
        """Start a new worker for an idle slot, and stop the old one once the new one is ready."""
        worker = Worker(self._limits)
        try:
            await worker.start()
        except ProblemError:
            return  # the next job will report it
        if slot.job is not None or self.is_closing:
            await worker.kill()
            return
        slot.worker, old = worker, slot.worker
        await old.kill()
        self._dispatch()


State = Literal["queued", "running", "done", "failed", "cancelled"]
_MIN_SECONDS_FOR_ESTIMATE = 0.2  # of work before the remaining time is estimated


@dataclass(slots=True, eq=False)
class Job:
    """A requested measurement, with its state and its files."""

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
        """Whether the job has ended."""
        return self.state in ("done", "failed", "cancelled")

    @property
    def seconds(self) -> float:
        """The running time so far, or in total if the job has ended."""
        if self._begun is None:
            return 0.0
        return (self._ended or time.monotonic()) - self._begun

    @property
    def seconds_left(self) -> float | None:
        """An estimate of the remaining time, if enough draws are done."""
        if self._measuring is None or not self.done or self.is_finished:
            return None
        spent = time.monotonic() - self._measuring
        if spent < _MIN_SECONDS_FOR_ESTIMATE:
            return None
        return spent * (self.total - self.done) / self.done

    def begin(self) -> None:
        """Record that a worker has started the job."""
        self.state, self._begun = "running", time.monotonic()
        self.notify()

    def advance(self, event: dict[str, Any]) -> None:
        """Record the progress that a worker reports, unless the job has ended."""
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
        """Record the end of the job, unless it has ended before."""
        if self.is_finished:
            return
        self.state, self.problem = state, problem
        self.files, self.warnings = files or [], warnings or []
        self._ended = time.monotonic()
        self.notify()

    def forget(self) -> None:
        """Delete the files of the job."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def notify(self) -> None:
        """Wake all tasks that wait for a change."""
        self._changed.set()
        self._changed = asyncio.Event()

    def next_change(self) -> asyncio.Event:
        """Return an event that is set at the next change."""
        return self._changed

    async def wait(self, seconds: float) -> None:
        """Wait for the end of the job for at most `seconds`."""
        until = time.monotonic() + seconds
        while not self.is_finished and (left := until - time.monotonic()) > 0:
            await wait_for(self._changed, left)

    def path(self, name: str) -> Path:
        """Return the path of a file of the job; raise a ProblemError if it does not exist."""
        if self.state == "cancelled":
            raise ProblemError("cancelled", "the job was cancelled, so it has no result")
        if self.state == "failed" and self.problem is not None:
            known = {"type", "title", "status", "detail", "kind"}
            more = {key: value for key, value in self.problem.items() if key not in known}
            raise ProblemError(self.problem["kind"], self.problem["detail"], **more)
        if not self.is_finished:
            raise ProblemError("unfinished", "the job is not finished; query its state first")
        path = self.folder / name
        if not path.is_file():
            raise ProblemError("not-found", "the job has no such file")
        return path


async def wait_for(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event for at most `seconds`, and return whether it occurred."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


def format_time(seconds: float) -> str:
    """Return a time in the format of RFC 3339."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


_PREFIX = "unisono-serve-"
_SWEEP_SECONDS = 5.0  # between two sweeps
_GRACE = 3.0  # seconds for running jobs to finish when the service stops


class Service:
    """Stores data, queues jobs, and deletes both when they expire."""

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
        _remove_stale_folders()
        for folder in (self._folder, self._uploads, self._results):
            folder.mkdir(mode=0o700)
        self.dispatcher.start()
        self._sweeping = asyncio.ensure_future(self._sweep_loop())
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self, grace: float = _GRACE) -> None:
        """Stop the service: give running jobs `grace` seconds, then delete all files."""
        if self._sweeping is not None:
            self._sweeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sweeping
            self._sweeping = None
        await self.dispatcher.close(grace)
        shutil.rmtree(self._folder, ignore_errors=True)

    def submit(self, measure: str, sources: Mapping[str, str], settings: Mapping[str, Any]) -> Job:
        """Create a job and add it to the queue."""
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
        """Return a job, and postpone its expiry."""
        job = self._jobs.get(name)
        if job is None:
            raise ProblemError("not-found", "the job does not exist or has expired")
        job.expires = time.time() + self.limits.expiry_seconds
        return job

    async def cancel(self, name: str) -> None:
        """Cancel a job, or delete a finished one."""
        job = self.job(name)
        if job.is_finished:
            self._forget(job)
        else:
            await self.dispatcher.cancel(job)

    async def forget_data(self, name: str) -> None:
        """Delete an upload, and cancel the jobs that read it."""
        self.data.known(name)
        for job in list(self._jobs.values()):
            if name in job.data and not job.is_finished:
                await self.dispatcher.cancel(job)
        self.data.forget(name)

    async def sweep(self) -> None:
        """Delete expired data and jobs, and the oldest results if the storage is full."""
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
        await self.dispatcher.stop_idle_workers()

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

    async def _sweep_loop(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            await self.sweep()


def _remove_stale_folders() -> None:
    """Delete the folders of services that were killed before they could clean up."""
    if os.name != "posix":
        return  # there is no signal 0 to find out whether a process is running
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
