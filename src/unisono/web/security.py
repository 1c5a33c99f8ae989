"""Access control: the middleware that checks every request before the application."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import logging
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse

from unisono.errors import SettingError
from unisono.web.problems import MEDIA_TYPE, ProblemError, problem_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["OWN_HEADER", "Access", "AccessMiddleware", "is_loopback", "new_token"]

CONTENT_POLICY: Final = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""The headers of every response."""
OWN_HEADER: Final = "X-Unisono"
"""A custom header: pages of other origins need a CORS preflight to send it, which fails."""
_API: Final = "/api/"
_PUBLIC: Final = frozenset({"/api/v1/docs", "/api/v1/openapi.json"})
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_SHORTEST_TOKEN: Final = 16
_UPLOADS: Final = "/api/v1/data"  # which has its own limit
_LARGEST_BODY: Final = 8 * 2**20
_MAX_PAUSE: Final = 30.0  # seconds without data until the request times out
_MIN_TIMEOUT: Final = 60.0  # seconds for a body of any size
_MIN_RATE: Final = 4096.0  # bytes per second, on average, for a longer body
_OTHER_ORIGIN: Final = "pages of other origins cannot use this service"
_log = logging.getLogger("unisono.web")


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """The host names, the token and the origins that the service accepts."""

    host: str = "127.0.0.1"
    token: str | None = field(default=None, repr=False)
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.token is None and not is_loopback(self.host):
            msg = f"{self.host} can be reached from other machines, so a token is required"
            raise SettingError(msg)
        if self.token is None:
            return
        # HTTP strips spaces at both ends of a header, and spaces add no security.
        length = len("".join(self.token.split()))
        if length < _SHORTEST_TOKEN:
            msg = (
                f"a token needs at least {_SHORTEST_TOKEN} characters without spaces, got {length}"
            )
            raise SettingError(msg)
        if not self.token.isprintable():
            msg = "a token must not contain line breaks, tabs or other control characters"
            raise SettingError(msg)

    def accepts_host(self, host: str) -> bool:
        """Return whether a Host header names this service (protects against DNS rebinding)."""
        name = _name_in(host)
        if name is None:
            return False
        if name in _LOOPBACK_NAMES or name in {self.host.lower(), *map(str.lower, self.hosts)}:
            return True
        # In an attack by DNS rebinding the header has a host name, never an address.
        return not is_loopback(self.host) and _is_address(name)

    def accepts_token(self, authorization: str | None) -> bool:
        """Return whether an Authorization header has the token, compared in constant time."""
        if self.token is None:
            return True
        scheme, _, value = (authorization or "").partition(" ")
        # Hashed, so that the time does not depend on the length either.
        left, right = (
            hashlib.sha256(text.strip().encode("utf-8", "surrogateescape")).digest()
            for text in (value, self.token)
        )
        return hmac.compare_digest(left, right) and scheme.lower() == "bearer"


class AccessMiddleware:
    """Middleware that rejects forbidden requests and adds security headers to responses."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app = app
        self.access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # web sockets are not supported; the server closes them
        started = complete = False

        async def with_headers(message: Message) -> None:
            nonlocal started, complete
            if message["type"] == "http.response.start":
                started = True
                _add_headers(MutableHeaders(scope=message), scope["path"])
            await send(message)
            complete = message["type"] == "http.response.body" and not message.get("more_body")

        try:
            self._check(scope)
            await self.app(scope, _bounded(scope["path"], receive), with_headers)
        except ClientDisconnect:
            return  # there is no client to respond to
        except ProblemError as problem:
            await _respond(problem, scope, receive, with_headers)
        except Exception as error:  # noqa: BLE001 - the client must get a response
            # The log has the type and the line of the error, but not the message, which may
            # contain data of users.
            _log.error("%s at %s", type(error).__name__, _place(error))
            if complete:
                return
            if started:
                raise ConnectionAbortedError from None
            await _respond(problem_of(error), scope, receive, with_headers)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self.access.accepts_host(hosts[0]):
            detail = "the header Host does not name this service; add the name with --allow-host"
            raise ProblemError("forbidden", detail, status=403)
        allowed = _is_own(headers.get("origin"), hosts[0], self.access.origins)
        if scope["path"].startswith(_API):
            if headers.get("sec-fetch-site") in ("cross-site", "same-site") and not allowed:
                raise ProblemError("forbidden", _OTHER_ORIGIN)
            # Browsers send the CORS preflight, which reveals nothing, without the token.
            public = scope["path"] in _PUBLIC or scope["method"] == "OPTIONS"
            if not public and not self.access.accepts_token(headers.get("authorization")):
                detail = "a token is required, as the header Authorization: Bearer TOKEN"
                raise ProblemError("token", detail, headers={"WWW-Authenticate": "Bearer"})
        if scope["method"] in _SAFE:
            return
        if headers.get("origin") is not None and not allowed:
            raise ProblemError("forbidden", _OTHER_ORIGIN)
        if OWN_HEADER.lower() not in headers:
            detail = f"requests that change something need the header {OWN_HEADER}: 1"
            raise ProblemError("forbidden", detail)


def is_loopback(host: str) -> bool:
    """Return whether a host is a loopback address, which other machines cannot reach."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def new_token() -> str:
    """Return a random token."""
    return secrets.token_urlsafe(32)


def _bounded(
    path: str,
    receive: Receive,
    *,
    max_pause: float = _MAX_PAUSE,
    min_timeout: float = _MIN_TIMEOUT,
    min_rate: float = _MIN_RATE,
) -> Receive:
    """Return a `receive` that raises if a body is too large or arrives too slowly.

    The body may pause for `max_pause` seconds. In total it may take `min_timeout` seconds, plus one
    second per `min_rate` bytes received.
    """
    received = 0
    complete = False
    start: float | None = None

    async def bounded() -> Message:
        nonlocal received, complete, start
        if complete:
            return await receive()
        now = asyncio.get_running_loop().time()
        start = now if start is None else start
        end = start + min_timeout + received / min_rate
        try:
            async with asyncio.timeout_at(min(now + max_pause, end)):
                message = await receive()
        except TimeoutError:
            # Close the connection, because the rest of the body was not read.
            raise HTTPException(408, headers={"Connection": "close"}) from None
        received += len(message.get("body", b""))
        if received > _LARGEST_BODY and path != _UPLOADS:
            raise HTTPException(413)
        complete = not message.get("more_body", False)
        return message

    return bounded


def _name_in(host: str) -> str | None:
    """Return the name or address of a Host header in lower case, without the port."""
    if host.startswith("["):
        name, bracket, port = host[1:].partition("]")
        port = port.removeprefix(":") if port else ""
        if not bracket:
            return None
    else:
        name, _, port = host.partition(":")
    if port and not (port.isascii() and port.isdigit()):
        return None
    return name.lower().removesuffix(".") or None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_own(origin: str | None, host: str, origins: tuple[str, ...]) -> bool:
    if origin is None:
        return False
    return origin in origins or origin.lower() in {f"{s}://{host.lower()}" for s in _SCHEMES}


_SCHEMES: Final = ("http", "https")


def _add_headers(headers: MutableHeaders, path: str) -> None:
    for name, value in HEADERS.items():
        headers[name] = value
    if path.startswith(_API):
        headers.setdefault("Cache-Control", "no-store")
    else:
        headers.setdefault("Cache-Control", "no-cache")


def _place(error: BaseException) -> str:
    frame = error.__traceback__
    place = "?"
    while frame is not None:
        code = frame.tb_frame.f_code
        place = f"{code.co_filename.rpartition('/')[2]}:{frame.tb_lineno}"
        frame = frame.tb_next
    return place


async def _respond(problem: ProblemError, scope: Scope, receive: Receive, send: Send) -> None:
    response = JSONResponse(
        problem.record, problem.status, headers=problem.headers, media_type=MEDIA_TYPE
    )
    await response(scope, receive, send)
