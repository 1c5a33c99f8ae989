"""Jobs: what was asked for, how far it is, and what came of it."""

from __future__ import annotations

import asyncio
import secrets
import shutil
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from unisono.web.problems import ProblemError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Job", "happened", "moment"]

State = Literal["queued", "running", "done", "failed", "cancelled"]
_BEFORE_A_GUESS = 0.2  # seconds of work before anyone says how long it will still take


@dataclass(slots=True, eq=False)
class Job:
    """One measurement that was asked for.

    Parameters
    ----------
    measure
        The name of the measure.
    request
        What a worker is told.
    folder
        Where its files go.
    data
        The uploads it reads.

    Examples
    --------
    >>> from pathlib import Path
    >>> from unisono.web.jobs import Job
    >>> job = Job("gamma", {}, Path("/nowhere"))
    >>> job.begin()
    >>> job.finish("done", files=[])
    >>> job.state, job.is_finished
    ('done', True)
    """

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
        """Find one of its files.

        Raises
        ------
        ProblemError
            It is not finished, came to nothing, or has no such file.
        """
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
    """Wait for an event, but no longer than so many seconds, and say whether it came.

    Examples
    --------
    >>> import asyncio
    >>> from unisono.web.jobs import happened
    >>> asyncio.run(happened(asyncio.Event(), 0.01))
    False
    """
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


def moment(seconds: float) -> str:
    """Write a time as RFC 3339 does.

    Examples
    --------
    >>> from unisono.web.jobs import moment
    >>> moment(0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
