"""Running the service: sockets, signals, and connections nobody uses."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import socket
import threading
import time
from typing import TYPE_CHECKING, Any

import uvicorn

from unisono.errors import SettingError
from unisono.web.app import new_app

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unisono.web.problems import Limits
    from unisono.web.security import Access
    from unisono.web.service import Service

__all__ = ["address_of", "bound_socket", "serve"]

_MOST_CONNECTIONS = 1000
_IDLE_SECONDS = 30.0
_STUCK_SECONDS = 60.0
_GRACEFUL_SECONDS = 3.0


def bound_socket(host: str, port: int) -> socket.socket:
    """Take the address, so that a port in use is told before anything starts."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        bound = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError, OverflowError):
        msg = f"there is no address {host} port {port} here to listen at"
        raise SettingError(msg) from None
    if os.name != "nt":
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(address)
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE:
            msg = f"port {port} is in use; choose another with --port, or 0 for any that is free"
        else:
            msg = f"cannot listen at {host} port {port}: {error.strerror}"
        raise SettingError(msg) from None
    return bound


def address_of(bound: socket.socket, *, host: str | None = None) -> str:
    """Give the address to open in a browser."""
    name, port = bound.getsockname()[:2]
    shown = host if host is not None and host not in ("0.0.0.0", "::") else name  # noqa: S104
    if shown in ("0.0.0.0", "::"):  # noqa: S104
        shown = socket.gethostname()
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def serve(
    bound: socket.socket,
    *,
    access: Access,
    limits: Limits,
    on_start: Callable[[], None] = lambda: None,
) -> None:
    """Answer requests until a signal to stop comes.

    Running jobs then have a moment to finish; what waits is cancelled; all files are deleted.
    """
    app, service = new_app(access, limits)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        ws="none",
        lifespan="on",
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_keep_alive=int(_IDLE_SECONDS),
        timeout_graceful_shutdown=int(2 * _GRACEFUL_SECONDS),
    )
    server = _Server(config, service, on_start)
    asyncio.run(server.serve(sockets=[bound]))


class _Server(uvicorn.Server):
    """Ends with jobs that are told, and does not keep connections that nobody uses."""

    def __init__(
        self, config: uvicorn.Config, service: Service, on_start: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._service = service
        self._on_start = on_start
        self._closing: asyncio.Task[None] | None = None
        self._seen: dict[Any, tuple[float, Any]] = {}

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Whoever follows a job or waits for one is answered when the jobs end, so they end first.
        self._closing = asyncio.ensure_future(self._service.dispatcher.close(_GRACEFUL_SECONDS))
        await super().shutdown(sockets)
        await self._closing

    async def on_tick(self, counter: int) -> bool:
        if counter % 50 == 0:
            self._drop_unused()
        return await super().on_tick(counter)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at the first signal and end well, instead of dying of it in the end."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        caught = (signal.SIGINT, signal.SIGTERM)
        before = {each: signal.signal(each, self.handle_exit) for each in caught}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def _drop_unused(self) -> None:
        """Close connections that ask for nothing, and those that take nothing of an answer."""
        now = time.monotonic()
        seen: dict[Any, tuple[float, Any]] = {}
        for connection in list(self.server_state.connections):
            transport = getattr(connection, "transport", None)
            if transport is None:
                continue
            cycle = getattr(connection, "cycle", None)
            waits = cycle is None or cycle.response_complete
            unsent = transport.get_write_buffer_size()
            look = (waits, id(cycle), unsent)
            since, before = self._seen.get(connection, (now, look))
            if before != look:
                since = now
            seen[connection] = (since, look)
            if waits and now - since > _IDLE_SECONDS:
                transport.close()
            elif unsent and now - since > _STUCK_SECONDS:
                transport.abort()
        self._seen = seen
