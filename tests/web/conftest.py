"""A running service on loopback, and its clients."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from service_client import Client

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

LONG = {"draws": 100_000, "seed": 1}
"""Settings of a γ that takes much longer than a test."""
OPENED = re.compile(r"open (http://\S+)")


@dataclass
class Running:
    """A running service and its address."""

    process: subprocess.Popen[str]
    address: str
    folder: Path
    client: Client = field(init=False)

    def __post_init__(self) -> None:
        self.client = Client(self.address)

    @property
    def port(self) -> int:
        return int(self.address.rstrip("/").rpartition(":")[2])

    @property
    def workers(self) -> list[int]:
        """The current worker processes."""
        return children_of(self.process.pid)

    def ask(
        self, method: str, path: str, body: bytes | str | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Send a request with exactly these headers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            sent = {"host": f"127.0.0.1:{self.port}"}
            sent |= {name.replace("_", "-"): value for name, value in headers.items()}
            content = body.encode() if isinstance(body, str) else body
            if content is not None and "transfer-encoding" not in sent:
                sent.setdefault("content-length", str(len(content)))
            for name, value in sent.items():
                connection.putheader(name, value)
            connection.endheaders(content)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, found, answer.read()
        finally:
            connection.close()

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Stop the service and return its exit code and stderr."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        _, complaints = self.process.communicate(timeout=30)
        return self.process.returncode, complaints


def children_of(pid: int) -> list[int]:
    """Return the child processes of a process."""
    path = f"/proc/{pid}/task/{pid}/children"
    with contextlib.suppress(OSError), open(path, encoding="ascii") as file:  # noqa: PTH123
        return [int(number) for number in file.read().split()]
    return []


def wait_for(condition: Callable[[], Any], seconds: float = 20.0) -> Any:
    """Wait until a condition is true, and return its value."""
    until = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > until:
            pytest.fail("timeout: the condition was never true")
        time.sleep(0.02)
    return found


@pytest.fixture(scope="session")
def start(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[..., Running]]:
    """Start a service with these options; it is stopped after the tests."""
    there: list[Running] = []

    def start(*options: str, **environment: str) -> Running:
        folder = tmp_path_factory.mktemp("service")
        process = subprocess.Popen(
            [sys.executable, "-m", "unisono", "serve", "--port", "0", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env=os.environ | {"TMPDIR": str(folder), "UNISONO_TRACEBACK": ""} | environment,
        )
        line = process.stdout.readline() if process.stdout is not None else ""
        opened = OPENED.search(line)
        if opened is None:
            pytest.fail(f"the service did not start: {line} {process.communicate()[1]}")
        running = Running(process, opened[1], folder)
        there.append(running)
        return running

    yield start
    for running in there:
        running.stop(signal.SIGKILL)
        for stream in (running.process.stdout, running.process.stderr):
            if stream is not None:
                stream.close()


@pytest.fixture(scope="session")
def service(start: Callable[..., Running]) -> Running:
    """A service without options."""
    return start()


@pytest.fixture
def client(service: Running) -> Client:
    """A client of that service."""
    return service.client
