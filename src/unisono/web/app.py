"""The ASGI application: its routes, error handlers and middleware."""

from __future__ import annotations

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
from unisono.web.security import OWN_HEADER, Access, AccessMiddleware
from unisono.web.service import Service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from starlette.requests import Request
    from starlette.types import ASGIApp

__all__ = ["new_app"]

_ABOUT = (
    "Agreement between annotators over HTTP, with the same functions as the library. Upload files, "
    "or use an example; request a measure; follow the job; fetch its result. Requests that change "
    f"something need the header `{OWN_HEADER}: 1`."
)


def new_app(access: Access | None = None, limits: Limits | None = None) -> tuple[ASGIApp, Service]:
    """Return the application and its service."""
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
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(ProblemError, _problem)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _unexpected_error)
    if access.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(access.origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=[OWN_HEADER, "Authorization", "Content-Type"],
            expose_headers=["Location", "Retry-After"],
        )
    return AccessMiddleware(app, access), service


def problem_response(problem: ProblemError) -> JSONResponse:
    """Return the response for a problem."""
    return JSONResponse(
        problem.record, problem.status, headers=problem.headers, media_type=MEDIA_TYPE
    )


async def _problem(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, ProblemError):
        raise error
    return problem_response(error)


async def _unexpected_error(_: Request, error: Exception) -> JSONResponse:
    return problem_response(problem_of(error))


async def _invalid_request(_: Request, error: Exception) -> JSONResponse:
    """Return the errors of the models, with a sentence on the first of them."""
    if not isinstance(error, RequestValidationError):
        raise error
    faults = [
        {"place": _place(fault["loc"]), "detail": _fault(fault)} for fault in _first(error.errors())
    ]
    first = faults[0]
    sentence = f"{first['place']}: {first['detail']}" if first["place"] else first["detail"]
    if len(faults) > 1:
        sentence += f" (and {len(faults) - 1} more)"
    return problem_response(ProblemError("usage", sentence, errors=faults))


async def _http_error(request: Request, error: Exception) -> JSONResponse:
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = dict((isinstance(error, HTTPException) and error.headers) or {})
    if status == 404:
        problem = ProblemError("not-found", "this address does not exist", headers=headers)
    elif status == 405:
        detail = f"this address does not support the method {request.method}"
        problem = ProblemError("method", detail, headers=headers)
    elif status == 408:
        problem = ProblemError("timeout", "the request arrived too slowly", headers=headers)
    elif status == 413:
        problem = ProblemError("limit", "the request is too large", headers=headers)
    else:
        kind = "usage" if status < 500 else "internal"
        detail = "the request is invalid"
        problem = ProblemError(kind, detail, status=status, headers=headers)
    return problem_response(problem)


def _first(faults: Iterable[Any], most: int = 20) -> list[Any]:
    """Return the first errors, and of each value only the last (one per type of a union)."""
    by_place = {}
    for fault in faults:
        place = [part for part in fault["loc"] if not _is_branch(part)]
        by_place[tuple(place)] = fault | {"loc": tuple(place)}
    return list(by_place.values())[:most]


def _is_branch(part: object) -> bool:
    # Pydantic adds the types of a union to the location, such as constrained-str or list[...].
    return isinstance(part, str) and (
        "constrained" in part or "[" in part or part in {"int", "str", "float", "bool", "Matrix"}
    )


def _place(location: tuple[object, ...]) -> str:
    return ".".join(str(part) for part in location if part != "body")


def _fault(fault: dict[str, Any]) -> str:
    kind = fault["type"]
    if kind == "extra_forbidden":
        return "unknown setting"
    if kind == "missing":
        return "required, but missing"
    if kind == "json_invalid":
        return "not valid JSON"
    if kind == "value_error":
        return str(fault["ctx"]["error"])
    message = str(fault["msg"])
    return message[:1].lower() + message[1:]
