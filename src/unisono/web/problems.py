"""What goes wrong, as ``application/problem+json`` (RFC 9457) with one sentence for people."""

from __future__ import annotations

import os
from typing import Any, Final

from unisono.errors import DataError, ReadError, SettingError, UnisonoError
from unisono.results.wording import printable

__all__ = ["DOCUMENTATION", "KINDS", "MEDIA_TYPE", "ProblemError", "problem_of"]

DOCUMENTATION: Final = "/api/v1/docs"
MEDIA_TYPE: Final = "application/problem+json"
_LONGEST = 2000
KINDS: Final[dict[str, tuple[int, str]]] = {
    "usage": (422, "The request cannot be understood"),
    "setting": (422, "A setting cannot be used"),
    "data": (422, "The data cannot be used"),
    "reading": (422, "A file cannot be read"),
    "limit": (413, "This is more than the service takes on"),
    "token": (401, "A token is needed"),
    "forbidden": (403, "The request is refused"),
    "not-found": (404, "There is no such thing"),
    "method": (405, "This cannot be done here"),
    "timeout": (408, "The request came too slowly"),
    "unfinished": (409, "The job is not finished"),
    "cancelled": (409, "The job was cancelled"),
    "busy": (429, "Too much is waiting"),
    "internal": (500, "Something went wrong here"),
    "worker": (500, "The process that did the work died"),
    "unavailable": (501, "Something is not installed"),
    "closing": (503, "The service is stopping"),
    "time": (504, "The job took too long"),
    "memory": (507, "The job needs too much memory"),
}
"""Kind to status and title."""


class ProblemError(UnisonoError):
    """A request, or a job, that comes to nothing, and why.

    Parameters
    ----------
    kind
        One of `KINDS`.
    detail
        One sentence: what is wrong, where, what would be right.
    status
        The status of the answer, where it is not that of the kind.
    headers
        Headers of the answer.
    **more
        Further members of the problem.

    Examples
    --------
    >>> from unisono.web.problems import ProblemError
    >>> ProblemError("busy", "256 jobs are waiting").record["status"]
    429
    """

    def __init__(
        self,
        kind: str,
        detail: str,
        *,
        status: int | None = None,
        headers: dict[str, str] | None = None,
        **more: Any,  # noqa: ANN401 - what JSON can carry
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
    """Tell what a worker stumbled over, in the words of the command line.

    Parameters
    ----------
    error
        What was raised.

    Examples
    --------
    >>> from unisono.errors import ReadError
    >>> from unisono.web.problems import problem_of
    >>> record = problem_of(ReadError("start 'x' is not a number", path="a.csv", line=2)).record
    >>> record["detail"], record["file"], record["line"]
    ("a.csv:2: start 'x' is not a number", 'a.csv', 2)
    """
    if isinstance(error, ProblemError):
        return error
    if isinstance(error, ReadError):
        name = printable(os.fspath(error.path))
        return ProblemError("reading", str(error), file=name, line=error.line)
    if isinstance(error, SettingError):
        return ProblemError("setting", str(error))
    if isinstance(error, DataError | UnisonoError):
        return ProblemError("data", str(error))
    if isinstance(error, MemoryError):
        return ProblemError("memory", "there is not enough memory for these data")
    if isinstance(error, OSError):
        reason = error.strerror or type(error).__name__
        if error.filename is None:
            return ProblemError("reading", reason, file=None, line=None)
        # Never the whole path: it would tell where this machine keeps its files.
        name = printable(os.path.basename(os.fsdecode(error.filename)))  # noqa: PTH119
        return ProblemError("reading", f"{name}: {reason}", file=name, line=None)
    return ProblemError(
        "internal", f"this should not have happened, please report it: {type(error).__name__}"
    )


def _sentence(text: str) -> str:
    clean = printable(" ".join(text.split()))
    return clean if len(clean) <= _LONGEST else clean[: _LONGEST - 1] + "…"
