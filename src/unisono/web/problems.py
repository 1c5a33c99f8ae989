"""Problem responses according to RFC 9457, and the limits of the service."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from unisono.errors import (
    AmbiguousInputError,
    DataError,
    ReadError,
    SettingError,
    UnisonoError,
)
from unisono.formats.settings import RATING_SETTINGS, READ_SETTINGS
from unisono.model.interpretation import Interpretation
from unisono.parallel.executors import available_cores
from unisono.results.record import plain
from unisono.results.wording import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.model.interpretation import Question

__all__ = ["DOCUMENTATION", "KINDS", "MEDIA_TYPE", "Limits", "ProblemError", "problem_of"]

_MEGABYTE = 2**20
_MOST_PROCESSES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of a service on data, jobs, memory and time."""

    upload_bytes: int = 100 * _MEGABYTE
    files: int = 2000
    storage_bytes: int = 1024 * _MEGABYTE
    units: int = 200_000
    draws: int = 100_000
    jobs: int = 256
    job_seconds: float = 600.0
    memory_bytes: int = 4096 * _MEGABYTE
    expiry_seconds: float = 3600.0
    processes: int = 0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            least = 0 if field.name == "processes" else 1
            if not math.isfinite(value) or value < least:
                msg = f"the limit {field.name} must be at least {least}, got {value}"
                raise SettingError(msg)
        if self.processes == 0:
            object.__setattr__(self, "processes", min(available_cores(), _MOST_PROCESSES))
        if self.memory_of_one < 256 * _MEGABYTE:
            msg = (
                f"{self.processes} worker processes need at least {self.processes * 256} MB, "
                f"but the limit memory_bytes is {self.memory_bytes // _MEGABYTE} MB"
            )
            raise SettingError(msg)

    @property
    def memory_of_one(self) -> int:
        """The memory limit of one worker process."""
        return self.memory_bytes // self.processes

    @property
    def threads_of_one(self) -> int:
        """The number of threads per job, which does not affect any value."""
        return max(1, available_cores() // self.processes)


DOCUMENTATION: Final = "/api/v1/docs"
MEDIA_TYPE: Final = "application/problem+json"
_LONGEST = 2000
KINDS: Final[dict[str, tuple[int, str]]] = {
    "usage": (422, "Invalid request"),
    "setting": (422, "Invalid setting"),
    "data": (422, "Invalid data"),
    "reading": (422, "File cannot be read"),
    "question": (422, "Files can be read in several ways"),
    "limit": (413, "Limit exceeded"),
    "token": (401, "Token required"),
    "forbidden": (403, "Forbidden"),
    "not-found": (404, "Not found"),
    "method": (405, "Method not allowed"),
    "timeout": (408, "Request timeout"),
    "unfinished": (409, "The job is not finished"),
    "cancelled": (409, "The job was cancelled"),
    "busy": (429, "Too many jobs"),
    "internal": (500, "Internal error"),
    "worker": (500, "The worker process was terminated"),
    "unavailable": (501, "Missing packages"),
    "closing": (503, "The service is stopping"),
    "time": (504, "The job took too long"),
    "memory": (507, "The job needs too much memory"),
}
"""The status and title of each kind of problem."""


class ProblemError(UnisonoError):
    """The reason why a request or a job failed."""

    def __init__(
        self,
        kind: str,
        detail: str,
        *,
        status: int | None = None,
        headers: dict[str, str] | None = None,
        **more: Any,  # noqa: ANN401 - any JSON value
    ) -> None:
        super().__init__(detail)
        usual, title = KINDS[kind]
        self.headers = headers or {}
        self.status = usual if status is None else status
        self.record: dict[str, Any] = {
            "type": f"{DOCUMENTATION}#problem-{kind}",
            "title": title,
            "status": self.status,
            "detail": _sentence(detail),
            "kind": kind,
            **more,
        }


def problem_of(error: BaseException) -> ProblemError:
    """Return the problem for an error in a job or a request."""
    if isinstance(error, ProblemError):
        return error
    if isinstance(error, AmbiguousInputError) and isinstance(error.interpretation, Interpretation):
        (first, *_) = error.interpretation.open_questions
        return ProblemError(
            "question",
            str(error),
            file=printable(os.fspath(error.path)),
            line=error.line,
            question=_question(first),
        )
    if isinstance(error, ReadError):
        name = printable(os.fspath(error.path))
        return ProblemError("reading", str(error), file=name, line=error.line)
    if isinstance(error, SettingError):
        return ProblemError("setting", str(error))
    if isinstance(error, DataError | UnisonoError):
        return ProblemError("data", str(error))
    if isinstance(error, MemoryError):
        return ProblemError("memory", "the data need more memory than is available")
    if isinstance(error, OSError):
        reason = error.strerror or type(error).__name__
        if error.filename is None:
            return ProblemError("reading", reason, file=None, line=None)
        # Only the name, because the path would reveal folders of the server.
        name = printable(os.path.basename(os.fsdecode(error.filename)))  # noqa: PTH119
        return ProblemError("reading", f"{name}: {reason}", file=name, line=None)
    return ProblemError("internal", f"unexpected error; please report it: {type(error).__name__}")


def _question(question: Question) -> dict[str, Any]:
    """Return a question as plain data, with the settings that select each of its readings."""
    return {
        "code": question.code,
        "text": printable(question.text),
        "readings": [
            {
                "text": printable(each.text),
                "counts": dict(each.counts),
                "consequence": each.consequence,
                "settings": _in_json(question.settings_of(number)) or None,
            }
            for number, each in enumerate(question.readings)
        ],
    }


def _in_json(settings: Mapping[str, object]) -> dict[str, Any]:
    """Return settings of reading as a request has them: names are a list."""
    kinds = {name: one.kind for name, one in (*RATING_SETTINGS.items(), *READ_SETTINGS.items())}
    return {
        name: [value] if kinds.get(name) == "names" and isinstance(value, str) else plain(value)
        for name, value in settings.items()
    }


def _sentence(text: str) -> str:
    clean = printable(" ".join(text.split()))
    return clean if len(clean) <= _LONGEST else clean[: _LONGEST - 1] + "…"
