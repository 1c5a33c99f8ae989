"""The server: its socket, its signals and its shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import socket
import threading
from typing import TYPE_CHECKING

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
_IDLE_SECONDS = 30
_GRACEFUL_SECONDS = 3.0


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a bound socket; a port in use raises an error before the service starts."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        bound = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError, OverflowError):
        msg = f"cannot listen on {host}:{port}: no such local address"
        raise SettingError(msg) from None
    if os.name != "nt":
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(address)
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE:
            msg = f"port {port} is in use; choose another with --port, or 0 for any free port"
        else:
            msg = f"cannot listen on {host}:{port}: {error.strerror}"
        raise SettingError(msg) from None
    return bound


def address_of(bound: socket.socket, *, host: str | None = None) -> str:
    """Return the URL to open in a browser."""
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
    """Handle requests until a stop signal arrives.

    Then running jobs get a few seconds to finish, waiting jobs are cancelled, and all files are
    deleted.
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
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=int(2 * _GRACEFUL_SECONDS),
    )
    server = _Server(config, service, on_start)
    asyncio.run(server.serve(sockets=[bound]))


class _Server(uvicorn.Server):
    """A server that ends jobs before connections, and returns after a stop signal."""

    def __init__(
        self, config: uvicorn.Config, service: Service, on_start: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._service = service
        self._on_start = on_start
        self._closing: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Clients that follow a job get a response when the job ends, so the jobs must end first.
        self._closing = asyncio.ensure_future(self._service.dispatcher.close(_GRACEFUL_SECONDS))
        await super().shutdown(sockets)
        await self._closing

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at the first signal, without raising it again after the shutdown."""
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
