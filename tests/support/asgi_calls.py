"""Requests to an application in this process, without a socket."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.web.app import new_app

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import ASGIApp, Message, Scope


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def record(self) -> dict[str, Any]:
        """The body as JSON."""
        return dict(json.loads(self.body))


async def asked(
    app: ASGIApp, method: str, path: str, body: bytes = b"", /, **headers: str
) -> Answer:
    """Send a request; an underscore in the name of a header is a hyphen."""
    sent = {"host": "127.0.0.1:8000"} | headers
    address, _, query = path.partition("?")
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": address,
        "raw_path": address.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [
            (name.replace("_", "-").lower().encode(), value.encode())
            for name, value in sent.items()
        ],
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 40000),
        "state": {},
    }
    coming: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    came: list[Message] = []

    async def receive() -> Message:
        if not coming:
            await asyncio.Event().wait()
        return coming.pop(0)

    async def send(message: Message) -> None:
        came.append(message)

    await app(scope, receive, send)
    start, *parts = came
    found = {name.decode().lower(): value.decode() for name, value in start["headers"]}
    return Answer(start["status"], found, b"".join(part.get("body", b"") for part in parts))


@asynccontextmanager
async def running(app: ASGIApp) -> AsyncIterator[None]:
    """Start the application, and stop it in the end."""
    coming: asyncio.Queue[Message] = asyncio.Queue()
    came: asyncio.Queue[Message] = asyncio.Queue()
    task = asyncio.ensure_future(_lifespan(app, coming, came))
    coming.put_nowait({"type": "lifespan.startup"})
    started = await came.get()
    if started["type"] != "lifespan.startup.complete":
        raise RuntimeError(started["message"])
    try:
        yield
    finally:
        coming.put_nowait({"type": "lifespan.shutdown"})
        await task


async def _lifespan(
    app: ASGIApp, coming: asyncio.Queue[Message], came: asyncio.Queue[Message]
) -> None:
    await app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, coming.get, came.put)


def openapi_schema() -> dict[str, Any]:
    """Return the OpenAPI schema, as it is served."""
    app, _ = new_app()
    schema: dict[str, Any] = app.app.openapi()  # type: ignore[attr-defined]
    return schema
