"""Who may ask for what: the door every request goes through before the application sees it."""

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

__all__ = ["OWN_HEADER", "Access", "Door", "is_loopback", "new_token"]

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
"""What every answer carries."""
OWN_HEADER: Final = "X-Unisono"
"""A page from elsewhere cannot send it without asking first, and is never allowed to."""
_API: Final = "/api/"
_FOR_EVERYBODY: Final = frozenset({"/api/v1/docs", "/api/v1/openapi.json"})
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_SHORTEST_TOKEN: Final = 16
_UPLOADS: Final = "/api/v1/data"  # which counts for itself
_LARGEST_BODY: Final = 8 * 2**20
_SILENCE: Final = 30.0  # seconds until a client that sends nothing is sent away
_PATIENCE: Final = 60.0  # seconds that a body may take, however small
_SLOWEST: Final = 4096.0  # bytes a second that a longer body must reach on average
_log = logging.getLogger("unisono.web")


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Under which names the service answers, and to whom."""

    host: str = "127.0.0.1"
    token: str | None = field(default=None, repr=False)
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.token is None and not is_loopback(self.host):
            msg = f"others could reach {self.host}, so a token is needed"
            raise SettingError(msg)
        if self.token is None:
            return
        # Blanks at the ends do not arrive in a header, and blanks alone would be no secret.
        length = len("".join(self.token.split()))
        if length < _SHORTEST_TOKEN:
            msg = f"a token has {_SHORTEST_TOKEN} characters or more besides blanks, got {length}"
            raise SettingError(msg)
        if not self.token.isprintable():
            msg = "a token has characters that can be printed only, no line breaks or tabs"
            raise SettingError(msg)

    def knows(self, host: str) -> bool:
        """Say whether a Host header means this service, and no name made to look like it."""
        name = _name_in(host)
        if name is None:
            return False
        if name in _LOOPBACK_NAMES or name in {self.host.lower(), *map(str.lower, self.hosts)}:
            return True
        # Whoever rebinds a name of theirs to this address sends the name, never the address.
        return not is_loopback(self.host) and _is_address(name)

    def admits(self, given: str | None) -> bool:
        """Compare what the caller sent with the token, in a time that tells nothing."""
        if self.token is None:
            return True
        scheme, _, value = (given or "").partition(" ")
        # Hashed, so that not even the length shows.
        left, right = (
            hashlib.sha256(text.strip().encode("utf-8", "surrogateescape")).digest()
            for text in (value, self.token)
        )
        return hmac.compare_digest(left, right) and scheme.lower() == "bearer"


class Door:
    """Lets in what is meant for this service, and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app = app
        self.access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # there are no web sockets here; the server closes them
        begun = complete = False

        async def with_headers(message: Message) -> None:
            nonlocal begun, complete
            if message["type"] == "http.response.start":
                begun = True
                _add_headers(MutableHeaders(scope=message), scope["path"])
            await send(message)
            complete = message["type"] == "http.response.body" and not message.get("more_body")

        try:
            self._check(scope)
            await self.app(scope, _bounded(scope["path"], receive), with_headers)
        except ClientDisconnect:
            return  # nobody is left to answer
        except ProblemError as problem:
            await _answer(problem, scope, receive, with_headers)
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer
            # The kind of error and the line of ours, never the message: it may quote data.
            _log.error("%s at %s", type(error).__name__, _place(error))
            if complete:
                return
            if begun:
                raise ConnectionAbortedError from None
            await _answer(problem_of(error), scope, receive, with_headers)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self.access.knows(hosts[0]):
            detail = "this service does not answer under the name in the header Host"
            raise ProblemError("forbidden", detail, status=403)
        allowed = _is_own(headers.get("origin"), hosts[0], self.access.origins)
        if scope["path"].startswith(_API):
            if headers.get("sec-fetch-site") in ("cross-site", "same-site") and not allowed:
                raise ProblemError("forbidden", "pages from elsewhere cannot use this service")
            # A browser asks with OPTIONS, which gives nothing away, before it sends the token.
            public = scope["path"] in _FOR_EVERYBODY or scope["method"] == "OPTIONS"
            if not public and not self.access.admits(headers.get("authorization")):
                detail = "this service needs its token, as the header Authorization: Bearer TOKEN"
                raise ProblemError("token", detail, headers={"WWW-Authenticate": "Bearer"})
        if scope["method"] in _SAFE:
            return
        if headers.get("origin") is not None and not allowed:
            raise ProblemError("forbidden", "pages from elsewhere cannot use this service")
        if OWN_HEADER.lower() not in headers:
            detail = f"requests that change something carry the header {OWN_HEADER}: 1"
            raise ProblemError("forbidden", detail)


def is_loopback(host: str) -> bool:
    """Say whether only this machine can reach an address."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def new_token() -> str:
    """Draw a token nobody can guess."""
    return secrets.token_urlsafe(32)


def _bounded(
    path: str,
    receive: Receive,
    *,
    silence: float = _SILENCE,
    patience: float = _PATIENCE,
    slowest: float = _SLOWEST,
) -> Receive:
    """Return a `receive` that refuses a body that is too large, pauses or comes too slowly.

    A body may pause for `silence` seconds. All of it may take `patience` seconds, and one more for
    every `slowest` bytes that have arrived.
    """
    received = 0
    complete = False
    begun: float | None = None

    async def bounded() -> Message:
        nonlocal received, complete, begun
        if complete:
            return await receive()
        now = asyncio.get_running_loop().time()
        begun = now if begun is None else begun
        end = begun + patience + received / slowest
        try:
            async with asyncio.timeout_at(min(now + silence, end)):
                message = await receive()
        except TimeoutError:
            # What is left of the body must not keep the connection.
            raise HTTPException(408, headers={"Connection": "close"}) from None
        received += len(message.get("body", b""))
        if received > _LARGEST_BODY and path != _UPLOADS:
            raise HTTPException(413)
        complete = not message.get("more_body", False)
        return message

    return bounded


def _name_in(host: str) -> str | None:
    """Give the name or address of a Host header, in small letters, without the port."""
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
        headers["Cache-Control"] = "no-store"
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


async def _answer(problem: ProblemError, scope: Scope, receive: Receive, send: Send) -> None:
    answer = JSONResponse(
        problem.record, problem.status, headers=problem.headers, media_type=MEDIA_TYPE
    )
    await answer(scope, receive, send)
