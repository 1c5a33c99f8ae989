"""Addresses of the page, its files, and the documentation of the interface."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import APIRouter, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse

from unisono.web.extras import vega_bundle
from unisono.web.problems import DOCUMENTATION, ProblemError

if TYPE_CHECKING:
    from unisono.web.service import Service

__all__ = ["page_routes"]

STATIC = Path(__file__).parent / "static"
"""Where the page's files are."""
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
}


def page_routes(service: Service) -> APIRouter:
    """Give the addresses of pages.

    Parameters
    ----------
    service
        The service the pages are of.
    """
    del service
    routes = APIRouter(include_in_schema=False)
    # What there is when the service starts is what there is: no name from outside is a path.
    files = {path.name: path for path in STATIC.iterdir() if path.suffix in _KINDS}

    @routes.api_route("/", methods=["GET", "HEAD"])
    async def page() -> FileResponse:
        return _file(files, "index.html")

    @routes.api_route(DOCUMENTATION, methods=["GET", "HEAD"])
    async def documentation() -> FileResponse:
        return _file(files, "documentation.html")

    @routes.api_route("/favicon.ico", methods=["GET", "HEAD"])
    async def icon() -> FileResponse:
        return _file(files, "icon.svg")

    @routes.api_route("/static/vega.js", methods=["GET", "HEAD"])
    async def vega() -> Response:
        script = await run_in_threadpool(_bundle)
        headers = {"Cache-Control": "private, max-age=86400"}
        return Response(script, media_type=_KINDS[".js"], headers=headers)

    @routes.api_route("/static/{name}", methods=["GET", "HEAD"])
    async def file(name: str) -> FileResponse:
        return _file(files, name)

    return routes


@functools.cache
def _bundle() -> bytes:
    return vega_bundle().encode()


def _file(files: dict[str, Path], name: str) -> FileResponse:
    path = files.get(name)
    if path is None:
        raise ProblemError("not-found", "there is nothing at this address")
    return FileResponse(path, media_type=_KINDS[path.suffix])
