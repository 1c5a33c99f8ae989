"""Unusable cluster addresses raise an error within seconds."""

from __future__ import annotations

import re
import socket
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

import unisono as un
from unisono.errors import WorkError
from unisono.parallel import executors
from unisono.parallel.executors import executor_at

if TYPE_CHECKING:
    from collections.abc import Iterator

distributed: Any = pytest.importorskip("distributed")

TEXT = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 0, 4, "A"), ("bob", 6, 9, "B")])
NOTHING_THERE = "no Dask scheduler answers at {}: "
ANOTHER_PROTOCOL = "the server at {} is not a Dask scheduler"


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "_SCHEDULER_TIMEOUT", 1.5)


@contextmanager
def listening(greeting: bytes, *, stays: bool = True) -> Iterator[str]:
    """Accept connections, send each the same bytes and never reply."""
    accepted: list[socket.socket] = []

    def accept() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            connection.sendall(greeting)
            accepted.append(connection)
            if not stays:
                connection.close()

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = Thread(target=accept)
        thread.start()
        try:
            yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()
            for connection in accepted:
                connection.close()


@contextmanager
def nothing() -> Iterator[str]:
    """Return an unused port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    yield f"tcp://127.0.0.1:{port}"


@contextmanager
def scheduler(workers: int) -> Iterator[Any]:
    """Start a scheduler in this process."""
    with distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=False,
        protocol="tcp://",
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address="127.0.0.1:0",
    ) as cluster:
        yield cluster


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        (nothing, NOTHING_THERE),
        (lambda: listening(b""), NOTHING_THERE),
        (lambda: listening(b"", stays=False), NOTHING_THERE),
        (lambda: listening(b"HTTP/1.1 400 Bad Request\r\n\r\n"), ANOTHER_PROTOCOL),
        (lambda: listening(b"\xff" * 64), ANOTHER_PROTOCOL),
    ],
    ids=["a closed port", "a black hole", "one that hangs up", "a web server", "noise"],
)
def test_what_is_not_a_scheduler_is_reported(place, problem):
    with place() as address, pytest.raises(WorkError, match=re.escape(problem.format(address))):
        executor_at(address).__enter__()


def test_a_scheduler_without_workers_is_reported():
    with scheduler(0) as cluster:
        address = cluster.scheduler_address
        said = f"the Dask scheduler at {address} has no workers"
        with pytest.raises(WorkError, match=re.escape(said)):
            executor_at(address).__enter__()


def test_a_scheduler_with_a_worker_works_and_the_address_of_the_worker_does_not():
    with scheduler(1) as cluster:
        here = un.gamma(TEXT, draws=30, rng=1)
        with executor_at(cluster.scheduler_address) as executor:
            assert un.gamma(TEXT, draws=30, rng=1, executor=executor).value == here.value
        worker = cluster.workers[0].address
        with pytest.raises(WorkError, match=f"the server at {worker} is a Dask Worker"):
            executor_at(worker).__enter__()


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("smoke://127.0.0.1:9", "unknown address scheme 'smoke'"),
        ("tcp://127.0.0.1", "missing port number"),
        ("tcp://no-such-host.invalid:8786", "no Dask scheduler answers"),
    ],
)
def test_what_is_not_an_address_is_reported(address, problem):
    with pytest.raises(WorkError, match=f"{address}.*{problem}|{problem}.*{address}"):
        executor_at(address).__enter__()
