"""The routes of the service: pages, data and jobs."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi import Path as PathParameter
from fastapi.routing import APIRoute
from pydantic import BaseModel, create_model
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, StreamingResponse

from unisono.version import __version__
from unisono.web import schemas
from unisono.web.problems import DOCUMENTATION, MEDIA_TYPE, ProblemError
from unisono.web.requests import REQUESTS, RequestType, registry_record
from unisono.web.schemas import (
    SETTINGS_OF,
    ComparisonRequest,
    Examples,
    Health,
    JobRequest,
    Registry,
    Uploaded,
)
from unisono.web.schemas import Service as ServiceInfo
from unisono.web.security import Access
from unisono.web.service import Job, format_time, wait_for
from unisono.web.uploads import EXAMPLES, FIELD, receive_files

if TYPE_CHECKING:
    from unisono.web.service import Service
    from unisono.web.uploads import Data

__all__ = ["data_routes", "job_routes", "page_routes"]

_MAKE_BUNDLE = "import vl_convert; print(vl_convert.javascript_bundle())"


def can_draw() -> bool:
    """Return whether charts can be drawn, without importing the plotting libraries."""
    return all(find_spec(name) is not None for name in ("altair", "vl_convert"))


def vega_bundle() -> str:
    """Return Vega, Vega-Lite and vega-embed as one script, from the package vl-convert."""
    if find_spec("vl_convert") is None:
        detail = "charts need additional packages: pip install 'unisono[plot]'"
        raise ProblemError("unavailable", detail, status=404)
    # In a separate process, because vl-convert does not release its memory.
    completed = subprocess.run(  # noqa: S603 - our own interpreter, no external input
        [sys.executable, "-P", "-c", _MAKE_BUNDLE],
        check=True,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    return completed.stdout


_FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": [FIELD],
                    "properties": {
                        FIELD: {
                            "type": "array",
                            "minItems": 1,
                            "items": {"type": "string", "format": "binary"},
                            "description": "Files; a file name may be a relative path.",
                        }
                    },
                }
            }
        },
    }
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the part of the schema that describes the problem responses of an address."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": "A problem, described in a sentence", "content": content}
        for status in sorted({401, 403, *statuses})
    }


def data_routes(service: Service, access: Access) -> APIRouter:
    """Return the routes for data."""
    routes = APIRouter()

    @routes.get("/health", response_model=Health, tags=["service"], responses=problems())
    async def health() -> Health:
        """Return whether the service accepts jobs."""
        return Health(state="stopping" if service.dispatcher.is_closing else "ok")

    @routes.get("/api/v1/service", tags=["service"], responses=problems())
    async def about() -> ServiceInfo:
        """Return the version, the limits and the load of the service."""
        limits = asdict(service.limits)
        return ServiceInfo(
            version=__version__,
            token_needed=access.token is not None,
            charts=can_draw(),
            report=True,
            workers=limits.pop("processes"),
            limits=limits,
            running=service.dispatcher.running,
            queued=service.dispatcher.queued,
        )

    @routes.get("/api/v1/examples", tags=["data"], responses=problems())
    async def examples() -> Examples:
        """List the examples that can be used instead of an upload."""
        return Examples.model_validate({"examples": [one.to_dict() for one in EXAMPLES]})

    @routes.get(
        "/api/v1/registry",
        tags=["service"],
        response_model=Registry,
        responses=problems()
        | {304: {"description": "Unchanged since the response with that ETag"}},
    )
    async def registry(if_none_match: Annotated[str | None, Header()] = None) -> Response:
        """Return the measures, their settings and the requests, from which forms can be built."""
        content, tag = _registry()
        headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
        if tag in (if_none_match or ""):
            return Response(status_code=304, headers=headers)
        return Response(content, media_type="application/json", headers=headers)

    @routes.post(
        "/api/v1/data",
        status_code=201,
        tags=["data"],
        openapi_extra=_FORM,
        responses=problems(408, 413, 415, 422, 507),
    )
    async def upload(request: Request, response: Response) -> Uploaded:
        """Upload files; jobs refer to them by `data` in the response until they expire."""
        data = await receive_files(request, service.data)
        response.headers["Location"] = f"/api/v1/data/{data.id}"
        return _uploaded(data)

    @routes.get("/api/v1/data/{data}", tags=["data"], responses=problems(404, 422))
    async def uploaded(data: str) -> Uploaded:
        """Return the files of an upload, and when it expires."""
        return _uploaded(service.data.known(data))

    @routes.delete(
        "/api/v1/data/{data}", status_code=204, tags=["data"], responses=problems(404, 422)
    )
    async def forget(data: str) -> None:
        """Delete an upload, and cancel the jobs that read it."""
        await service.forget_data(data)

    return routes


@functools.cache
def _registry() -> tuple[bytes, str]:
    """Return the registry as JSON, and its entity tag."""
    content = Registry.model_validate(registry_record()).model_dump_json().encode()
    return content, f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def _uploaded(data: Data) -> Uploaded:
    return Uploaded.model_validate(
        {
            "data": data.id,
            "files": [{"name": name, "bytes": size} for name, size in data.files.items()],
            "bytes": data.bytes,
            "expires": format_time(data.expires),
        }
    )


_API = "/api/v1"
_HEARTBEAT = 15.0
_MOST_KEYS = 100  # of an object, more than any settings have
_Wait = Annotated[
    float,
    Query(ge=0, le=60, allow_inf_nan=False, description="Seconds to wait for the end."),
]
_Number = Annotated[int, PathParameter(ge=0, le=10**9)]


class _StrictRoute(APIRoute):
    """A route that rejects ambiguous JSON."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def strict_handler(request: Request) -> Response:
            if request.method == "POST":
                _check_json(await request.body())
            return await handler(request)

        return strict_handler


def _check_json(body: bytes) -> None:
    """Raise a ProblemError for duplicate keys, too many keys, or too deep nesting."""
    try:
        json.loads(body, object_pairs_hook=_checked_pairs)
    except RecursionError:
        raise ProblemError("usage", "the JSON is nested too deeply") from None
    except ValueError:
        return  # invalid JSON, which FastAPI reports with its position


def _checked_pairs(pairs: list[tuple[str, Any]]) -> None:
    if len(pairs) > _MOST_KEYS:
        detail = f"an object may have at most {_MOST_KEYS} keys, got {len(pairs)}"
        raise ProblemError("usage", detail)
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise ProblemError("usage", f"duplicate key {key[:100]!r}")
        seen.add(key)


def job_routes(service: Service) -> APIRouter:
    """Return the routes for jobs."""
    routes = APIRouter(route_class=_StrictRoute)
    for request_type in REQUESTS.values():
        _add_request(routes, service, request_type)

    @routes.get(f"{_API}/jobs/{{job}}", tags=["jobs"], responses=problems(404, 422))
    async def state(job: str, wait: _Wait = 0.0) -> schemas.Job:
        """Return the state of a job; with `wait`, when it has ended or that time has passed."""
        found = service.job(job)
        await found.wait(wait)
        return job_record(found, service)

    @routes.get(
        f"{_API}/jobs/{{job}}/events",
        tags=["jobs"],
        response_class=StreamingResponse,
        responses=problems(404, 422)
        | {200: {"description": "Events", "content": {"text/event-stream": {}}}},
    )
    async def events(job: str) -> StreamingResponse:
        """Stream an event, `state` or `progress`, for each change until the job has ended."""
        stream = _events(service.job(job), service)
        return StreamingResponse(stream, media_type="text/event-stream")

    @routes.delete(
        f"{_API}/jobs/{{job}}", status_code=204, tags=["jobs"], responses=problems(404, 422)
    )
    async def cancel(job: str) -> None:
        """Cancel a job, or delete a finished one."""
        await service.cancel(job)

    result_problems = problems(404, 409, 413, 422, 500, 501, 504, 507)

    @routes.get(
        f"{_API}/jobs/{{job}}/result",
        tags=["results"],
        response_class=FileResponse,
        responses=result_problems | _json("The result, as returned by to_dict in the library"),
    )
    async def result(job: str) -> FileResponse:
        """Return the complete result."""
        return FileResponse(service.job(job).path("result.json"), media_type="application/json")

    @routes.get(
        f"{_API}/jobs/{{job}}/shown",
        tags=["results"],
        response_class=FileResponse,
        responses=result_problems
        | _json("Main values, tables, facts and notes, each as text and as values"),
    )
    async def shown(job: str) -> FileResponse:
        """Return the result for display: formatted texts with their values."""
        return FileResponse(service.job(job).path("shown.json"), media_type="application/json")

    @routes.get(
        f"{_API}/jobs/{{job}}/documents",
        tags=["results"],
        response_class=FileResponse,
        responses=result_problems
        | {
            200: {
                "description": "Documents that can be drawn",
                "model": schemas.Documents,
            }
        },
    )
    async def documents(job: str) -> FileResponse:
        """List the documents that can be drawn."""
        path = service.job(job).path("documents/list.json")
        return FileResponse(path, media_type="application/json")

    @routes.get(
        f"{_API}/jobs/{{job}}/documents/{{number}}",
        tags=["results"],
        response_class=FileResponse,
        responses=result_problems | _json("Units, and groups or slots"),
    )
    async def drawing(job: str, number: _Number) -> FileResponse:
        """Return one document: its units as columns, and their alignment."""
        path = service.job(job).path(f"documents/{number}.json")
        return FileResponse(path, media_type="application/json")

    @routes.get(
        f"{_API}/jobs/{{job}}/files/{{name}}",
        tags=["results"],
        response_class=FileResponse,
        responses=result_problems | {200: {"description": "The file", "content": {"*/*": {}}}},
    )
    async def download(job: str, name: str) -> FileResponse:
        """Return a file of a job; the state of the job lists their names."""
        found = service.job(job)
        kind = {file["name"]: file["type"] for file in found.files}.get(name)
        # `path` raises if the job has no result; otherwise only the files in the list are served.
        path = found.path("result.json" if kind is None else name)
        if kind is None:
            raise ProblemError("not-found", "the job has no such file")
        return FileResponse(path, media_type=kind, filename=name)

    return routes


def job_record(job: Job, service: Service) -> schemas.Job:
    """Return the state of a job as a response."""
    own = f"{_API}/jobs/{job.id}"
    has_documents = job.state == "done" and (job.folder / "documents" / "list.json").is_file()
    return schemas.Job.model_validate(
        {
            "id": job.id,
            "measure": job.measure,
            "state": job.state,
            "progress": {
                "phase": job.phase,
                "done": job.done,
                "total": job.total,
                "seconds_left": job.seconds_left,
            },
            "ahead": service.dispatcher.ahead(job),
            "seconds": round(job.seconds, 3),
            "created": format_time(job.created),
            "expires": format_time(job.expires),
            "problem": job.problem,
            "warnings": job.warnings,
            "files": job.files,
            "links": {
                "self": own,
                "events": f"{own}/events",
                "result": f"{own}/result",
                "shown": f"{own}/shown",
                "documents": f"{own}/documents" if has_documents else None,
            },
        }
    )


def _add_request(routes: APIRouter, service: Service, request_type: RequestType) -> None:
    async def submit(
        request: Any,  # noqa: ANN401 - a model, see below
        response: Response,
        wait: _Wait = 0.0,
    ) -> schemas.Job:
        record = request.model_dump(exclude_none=True)
        settings = record.pop("settings", {})
        job = service.submit(request_type.name, record, settings)
        await job.wait(wait)
        response.status_code = 200 if job.is_finished else 202
        response.headers["Location"] = f"{_API}/jobs/{job.id}"
        return job_record(job, service)

    submit.__annotations__["request"] = _body(request_type)
    submit.__doc__ = request_type.about
    routes.add_api_route(
        f"{_API}/{request_type.name}",
        submit,
        methods=["POST"],
        name=request_type.name,
        operation_id=request_type.name,
        status_code=202,
        tags=["measures"],
        response_model=schemas.Job,
        responses=problems(400, 404, 408, 413, 422, 429, 503)
        | {200: {"description": "Finished within the waiting time", "model": schemas.Job}},
    )


def _body(request_type: RequestType) -> type[BaseModel]:
    if request_type.name == "compare":
        return ComparisonRequest
    # The settings of a chart are required, because they contain its kind.
    own: Any = SETTINGS_OF[request_type.name]
    settings: Any = (own, ...) if request_type.name == "chart" else (own | None, None)
    name = f"{request_type.name.capitalize()}Request"
    return create_model(name, __base__=JobRequest, __doc__=request_type.about, settings=settings)


def _json(description: str) -> dict[int | str, dict[str, Any]]:
    schema = {"type": "object"}
    return {200: {"description": description, "content": {"application/json": {"schema": schema}}}}


async def _events(job: Job, service: Service) -> AsyncIterator[bytes]:
    last = None
    while True:
        name = "progress" if job.state == last else "state"
        last = job.state
        # Before the state is sent, so that a slow client does not miss changes in between.
        next_change = job.next_change()
        record = job_record(job, service).model_dump(mode="json")
        yield f"event: {name}\ndata: {json.dumps(record, ensure_ascii=False)}\n\n".encode()
        if last in ("done", "failed", "cancelled"):
            return
        while not await wait_for(next_change, _HEARTBEAT):
            yield b": heartbeat\n\n"


STATIC = Path(__file__).parent / "static"
"""The folder of the files of the page."""
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
    """Return the routes for pages."""
    del service
    routes = APIRouter(include_in_schema=False)
    # Files are looked up by name, never by path, so that requests cannot reach other files.
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
        raise ProblemError("not-found", "this address does not exist")
    return FileResponse(path, media_type=_KINDS[path.suffix])
