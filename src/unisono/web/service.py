"""The service itself, without HTTP: data, jobs, and the cleaning up after both."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from unisono.web.dispatching import Dispatcher
from unisono.web.jobs import Job
from unisono.web.problems import ProblemError
from unisono.web.shipped import example_source, is_example
from unisono.web.uploads import DataStore

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.web.limits import Limits

__all__ = ["Service"]

_PREFIX = "unisono-serve-"
_BETWEEN_SWEEPS = 5.0  # seconds
_GRACE = 3.0  # seconds that running jobs have when the service stops


class Service:
    """Keeps data, queues jobs, and forgets both in time.

    Parameters
    ----------
    limits
        How much it takes on.

    Examples
    --------
    >>> import asyncio
    >>> from unisono.web.limits import Limits
    >>> from unisono.web.service import Service
    >>> async def measured():
    ...     async with Service(Limits()) as service:
    ...         job = service.submit("gamma", {"data": "example:interview"}, {"rng": 1})
    ...         await job.end(60)
    ...         return job.state
    >>> asyncio.run(measured())
    'done'
    """

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
        """Ask for a measurement.

        Parameters
        ----------
        measure
            Its name.
        sources
            For each role the name of data.
        settings
            In the library's keywords.

        Raises
        ------
        ProblemError
            There are no such data, or too many jobs.
        """
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
        """Give a job and keep it longer.

        Raises
        ------
        ProblemError
            There is none of this name, or no longer.
        """
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
