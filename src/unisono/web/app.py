"""The application: every address, and what answers there."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse

from unisono.version import __version__
from unisono.web.problems import MEDIA_TYPE, Limits, ProblemError, problem_of
from unisono.web.routes import data_routes, job_routes, page_routes
from unisono.web.security import OWN_HEADER, Access, Door
from unisono.web.service import Service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from starlette.requests import Request
    from starlette.types import ASGIApp

__all__ = ["new_app"]

_ABOUT = (
    "Agreement between annotators, over HTTP: the same calls as the library's. Send files, or name "
    "an example; ask for a measure; follow the job; fetch its result. Requests that change "
    f"something carry the header `{OWN_HEADER}: 1`."
)


def new_app(access: Access | None = None, limits: Limits | None = None) -> tuple[ASGIApp, Service]:
    """Build the application and the service behind it."""
    access = Access() if access is None else access
    service = Service(Limits() if limits is None else limits)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with service:
            yield

    app = FastAPI(
        title="unisono",
        version=__version__,
        description=_ABOUT,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        redirect_slashes=False,
    )
    app.include_router(data_routes(service, access))
    app.include_router(job_routes(service))
    app.include_router(page_routes(service))
    app.add_exception_handler(RequestValidationError, _refused)
    app.add_exception_handler(ProblemError, _told)
    app.add_exception_handler(HTTPException, _not_there)
    app.add_exception_handler(Exception, _unexpected)
    if access.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(access.origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=[OWN_HEADER, "Authorization", "Content-Type"],
            expose_headers=["Location", "Retry-After"],
        )
    return Door(app, access), service


def problem_answer(problem: ProblemError) -> JSONResponse:
    """Answer with a problem."""
    return JSONResponse(
        problem.record, problem.status, headers=problem.headers, media_type=MEDIA_TYPE
    )


async def _told(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, ProblemError):
        raise error
    return problem_answer(error)


async def _unexpected(_: Request, error: Exception) -> JSONResponse:
    return problem_answer(problem_of(error))


async def _refused(_: Request, error: Exception) -> JSONResponse:
    """Say in a sentence what the strict models have to object to."""
    if not isinstance(error, RequestValidationError):
        raise error
    faults = [
        {"place": _place(fault["loc"]), "detail": _fault(fault)} for fault in _first(error.errors())
    ]
    first = faults[0]
    sentence = f"{first['place']}: {first['detail']}" if first["place"] else first["detail"]
    if len(faults) > 1:
        sentence += f" (and {len(faults) - 1} more)"
    return problem_answer(ProblemError("usage", sentence, errors=faults))


async def _not_there(request: Request, error: Exception) -> JSONResponse:
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = dict((isinstance(error, HTTPException) and error.headers) or {})
    if status == 404:
        problem = ProblemError("not-found", "there is nothing at this address", headers=headers)
    elif status == 405:
        detail = f"{request.method} cannot be used at this address"
        problem = ProblemError("method", detail, headers=headers)
    elif status == 408:
        problem = ProblemError("timeout", "the request came too slowly", headers=headers)
    elif status == 413:
        problem = ProblemError("limit", "the request is too large", headers=headers)
    else:
        kind = "usage" if status < 500 else "internal"
        detail = "the request cannot be understood"
        problem = ProblemError(kind, detail, status=status, headers=headers)
    return problem_answer(problem)


def _first(faults: Iterable[Any], most: int = 20) -> list[Any]:
    """Give a few faults; of a value that fits none of several kinds the last is told."""
    by_place = {}
    for fault in faults:
        place = [part for part in fault["loc"] if not _is_branch(part)]
        by_place[tuple(place)] = fault | {"loc": tuple(place)}
    return list(by_place.values())[:most]


def _is_branch(part: object) -> bool:
    # How pydantic names one of several kinds, such as constrained-str or list[...].
    return isinstance(part, str) and (
        "constrained" in part or "[" in part or part in {"int", "str", "float", "bool", "Matrix"}
    )


def _place(location: tuple[object, ...]) -> str:
    return ".".join(str(part) for part in location if part != "body")


def _fault(fault: dict[str, Any]) -> str:
    kind = fault["type"]
    if kind == "extra_forbidden":
        return "there is no such setting"
    if kind == "missing":
        return "this is missing"
    if kind == "json_invalid":
        return "this is no JSON"
    if kind == "value_error":
        return str(fault["ctx"]["error"])
    said = str(fault["msg"])
    return said[:1].lower() + said[1:]


def schema_text() -> str:
    """Give the OpenAPI schema as text, as it is served."""
    app, _ = new_app()
    inner = app.app if isinstance(app, Door) else app
    schema = inner.openapi() if isinstance(inner, FastAPI) else {}
    return json.dumps(schema, indent=2, ensure_ascii=False)
