"""A client of the service, for its tests and benchmarks."""

from __future__ import annotations

import http.client
import json
import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from unisono.web.problems import KINDS, ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from os import PathLike


_API = "/api/v1"
_FINISHED = ("done", "failed", "cancelled")
_LONGEST_WAIT = 30.0
_TIMEOUT = 90.0  # longer than the service may wait before it answers


@dataclass(frozen=True, slots=True, kw_only=True)
class JobState:
    """How far a job was when the service was asked."""

    id: str
    measure: str
    state: str
    phase: str = "waiting"
    done: int = 0
    total: int = 0
    seconds_left: float | None = None
    ahead: int = 0
    files: Mapping[str, str] | None = None
    warnings: tuple[str, ...] = ()
    problem: ProblemError | None = None

    @property
    def is_finished(self) -> bool:
        """Whether nothing will change any more."""
        return self.state in _FINISHED


class Client:
    """Asks a running service."""

    def __init__(self, address: str, *, token: str | None = None) -> None:
        parts = urlsplit(address)
        self._host, self._port = parts.hostname or "", parts.port
        self._token = token

    def about(self) -> dict[str, Any]:
        """Ask what the service is, what its limits are, and how busy it is."""
        return self._json("GET", f"{_API}/service")

    def examples(self) -> list[dict[str, Any]]:
        """Ask for the examples."""
        found: list[dict[str, Any]] = self._json("GET", f"{_API}/examples")["examples"]
        return found

    def upload(self, *paths: str | PathLike[str]) -> str:
        """Send files, or folders with all that is in them."""
        contents: dict[str, bytes] = {}
        for given in map(Path, paths):
            for path in sorted(given.rglob("*")) if given.is_dir() else [given]:
                if path.is_file():
                    contents[path.relative_to(given.parent).as_posix()] = path.read_bytes()
        return self.upload_contents(contents)

    def upload_contents(self, contents: Mapping[str, bytes]) -> str:
        """Send files that are in memory, by their names."""
        boundary = secrets.token_hex(16)
        body = bytearray()
        for name, content in contents.items():
            safe = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
            head = f'Content-Disposition: form-data; name="files"; filename="{safe}"\r\n'
            body += f"--{boundary}\r\n{head}".encode("utf-8", "surrogatepass")
            body += b"Content-Type: application/octet-stream\r\n\r\n" + content + b"\r\n"
        body += f"--{boundary}--\r\n".encode()
        kind = f"multipart/form-data; boundary={boundary}"
        found: str = self._json("POST", f"{_API}/data", bytes(body), kind)["data"]
        return found

    def forget_data(self, data: str) -> None:
        """Delete an upload."""
        self._answer("DELETE", f"{_API}/data/{quote(data, safe='')}")

    def submit(
        self,
        measure: str,
        data: str | None = None,
        *,
        reference: str | None = None,
        hypothesis: str | None = None,
        within: str | None = None,
        settings: Mapping[str, Any] | None = None,
        wait: float = 0.0,
    ) -> JobState:
        """Ask for a measurement."""
        given = {
            "data": data,
            "reference": reference,
            "hypothesis": hypothesis,
            "within": within,
            "settings": settings,
        }
        body = {name: value for name, value in given.items() if value is not None}
        content = json.dumps(body).encode()
        address = f"{_API}/{quote(measure, safe='')}?wait={wait:g}"
        return _state(self._json("POST", address, content, "application/json"))

    def job(self, job: JobState | str, *, wait: float = 0.0) -> JobState:
        """Ask how far a job is; with `wait`, when it is finished or that time is over."""
        return _state(self._json("GET", f"{_job(job)}?wait={wait:g}"))

    def events(self, job: JobState | str) -> Iterator[JobState]:
        """Follow a job until it is finished."""
        connection, answer = self._open("GET", f"{_job(job)}/events")
        try:
            for line in answer:
                if line.startswith(b"data: "):
                    yield _state(json.loads(line.removeprefix(b"data: ")))
        finally:
            connection.close()

    def cancel(self, job: JobState | str) -> None:
        """Stop a job, or forget a finished one."""
        self._answer("DELETE", _job(job))

    def result(self, job: JobState | str) -> dict[str, Any]:
        """Fetch the numbers, as ``to_dict`` of the library gives them."""
        return self._json("GET", f"{_job(job)}/result")

    def shown(self, job: JobState | str) -> dict[str, Any]:
        """Fetch the result as people read it: the command line's texts, and the values."""
        return self._json("GET", f"{_job(job)}/shown")

    def documents(self, job: JobState | str) -> list[dict[str, Any]]:
        """Ask which documents can be drawn."""
        found: list[dict[str, Any]] = self._json("GET", f"{_job(job)}/documents")["documents"]
        return found

    def document(self, job: JobState | str, number: int) -> dict[str, Any]:
        """Fetch the units of a document, and how they are aligned."""
        return self._json("GET", f"{_job(job)}/documents/{number}")

    def file(self, job: JobState | str, name: str) -> bytes:
        """Fetch a file."""
        return self._answer("GET", f"{_job(job)}/files/{quote(name, safe='')}")

    def measure(
        self,
        measure: str,
        data: str | None = None,
        *,
        seconds: float = 600.0,
        **request: Any,
    ) -> dict[str, Any]:
        """Ask for a measurement, wait for it, and give the numbers."""
        until = time.monotonic() + seconds
        job = self.submit(measure, data, wait=_LONGEST_WAIT, **request)
        while not job.is_finished:
            if time.monotonic() > until:
                msg = f"the job took longer than {seconds:g} s"
                raise TimeoutError(msg)
            job = self.job(job, wait=_LONGEST_WAIT)
        return self.result(job)

    def _json(
        self, method: str, address: str, body: bytes | None = None, kind: str | None = None
    ) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._answer(method, address, body, kind))
        return found

    def _answer(
        self, method: str, address: str, body: bytes | None = None, kind: str | None = None
    ) -> bytes:
        connection, answer = self._open(method, address, body, kind)
        try:
            return answer.read()
        finally:
            connection.close()

    def _open(
        self, method: str, address: str, body: bytes | None = None, kind: str | None = None
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        connection = http.client.HTTPConnection(self._host, self._port, timeout=_TIMEOUT)
        headers = {"X-Unisono": "1", "Accept": "*/*"}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        if kind is not None:
            headers["Content-Type"] = kind
        try:
            connection.request(method, address, body, headers)
            answer = connection.getresponse()
            problem = _problem(answer) if answer.status >= 400 else None
        except BaseException:
            connection.close()
            raise
        if problem is not None:
            connection.close()
            raise problem
        return connection, answer


def _job(job: JobState | str) -> str:
    return f"{_API}/jobs/{quote(job if isinstance(job, str) else job.id, safe='')}"


def _state(record: Mapping[str, Any]) -> JobState:
    problem = record["problem"]
    progress = record["progress"]
    return JobState(
        id=record["id"],
        measure=record["measure"],
        state=record["state"],
        phase=progress["phase"],
        done=progress["done"],
        total=progress["total"],
        seconds_left=progress["seconds_left"],
        ahead=record["ahead"],
        files={file["name"]: file["type"] for file in record["files"]},
        warnings=tuple(record["warnings"]),
        problem=None if problem is None else _told(problem),
    )


def _problem(answer: http.client.HTTPResponse) -> ProblemError:
    content = answer.read()
    try:
        record = json.loads(content)
        problem = _told(record)
    except (ValueError, KeyError, TypeError):
        detail = f"the service answered {answer.status} without a reason"
        problem = ProblemError("internal", detail, status=answer.status)
    problem.headers = dict(answer.getheaders())
    return problem


def _told(record: Mapping[str, Any]) -> ProblemError:
    kind = record["kind"] if record["kind"] in KINDS else "internal"
    known = ("type", "title", "status", "detail", "kind")
    more = {name: value for name, value in record.items() if name not in known}
    return ProblemError(kind, record["detail"], status=record["status"], **more)
