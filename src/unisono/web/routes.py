"""The routes of the service: pages, data and jobs."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathParameter
from fastapi.routing import APIRoute
from pydantic import BaseModel, create_model
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, StreamingResponse

from unisono.version import __version__
from unisono.web import schemas
from unisono.web.problems import DOCUMENTATION, MEDIA_TYPE, ProblemError
from unisono.web.schemas import REQUESTS, Comparing, Examples, Health, Uploaded, Wanted
from unisono.web.schemas import Service as ServiceAnswer
from unisono.web.security import Access
from unisono.web.service import Job, happened, moment
from unisono.web.uploads import EXAMPLES, FIELD, receive_files

if TYPE_CHECKING:
    from unisono.web import service as service_room
    from unisono.web.service import Service
    from unisono.web.uploads import Data

__all__ = ["data_routes", "job_routes", "page_routes"]

_MAKE_BUNDLE = "import vl_convert; print(vl_convert.javascript_bundle())"


def can_draw() -> bool:
    """Say whether charts can be drawn, without loading the room of charts into the service."""
    return all(find_spec(name) is not None for name in ("altair", "vl_convert"))


def vega_bundle() -> str:
    """Give Vega, Vega-Lite and vega-embed as one script, from the package that has them."""
    if find_spec("vl_convert") is None:
        detail = "charts need more packages: pip install 'unisono[plot]'"
        raise ProblemError("unavailable", detail, status=404)
    # In a process of its own: what makes the script never gives its memory back.
    made = subprocess.run(  # noqa: S603 - our own interpreter, no text from outside
        [sys.executable, "-P", "-c", _MAKE_BUNDLE],
        check=True,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    return made.stdout


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
    """Tell the schema which problems an address may answer with."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": "A problem, told in a sentence", "content": content}
        for status in sorted({401, 403, *statuses})
    }


def data_routes(service: service_room.Service, access: Access) -> APIRouter:
    """Give the addresses for data."""
    routes = APIRouter()

    @routes.get("/health", response_model=Health, tags=["service"], responses=problems())
    async def health() -> Health:
        """Tell whether the service takes on work."""
        return Health(state="stopping" if service.dispatcher.is_closing else "ok")

    @routes.get("/api/v1/service", tags=["service"], responses=problems())
    async def about() -> ServiceAnswer:
        """Tell what the service is, its limits, and how busy it is."""
        limits = asdict(service.limits)
        return ServiceAnswer(
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
        """List data that come with unisono, to be named instead of an upload."""
        return Examples.model_validate({"examples": [one.to_dict() for one in EXAMPLES]})

    @routes.post(
        "/api/v1/data",
        status_code=201,
        tags=["data"],
        openapi_extra=_FORM,
        responses=problems(408, 413, 415, 422, 507),
    )
    async def upload(request: Request, response: Response) -> Uploaded:
        """Send files; jobs name them by the answer's `data` until they expire."""
        data = await receive_files(request, service.data)
        response.headers["Location"] = f"/api/v1/data/{data.id}"
        return _uploaded(data)

    @routes.get("/api/v1/data/{data}", tags=["data"], responses=problems(404, 422))
    async def uploaded(data: str) -> Uploaded:
        """Tell what was sent, and until when it is kept."""
        return _uploaded(service.data.known(data))

    @routes.delete(
        "/api/v1/data/{data}", status_code=204, tags=["data"], responses=problems(404, 422)
    )
    async def forget(data: str) -> None:
        """Delete files, and stop the jobs that read them."""
        await service.forget_data(data)

    return routes


def _uploaded(data: Data) -> Uploaded:
    return Uploaded.model_validate(
        {
            "data": data.id,
            "files": [{"name": name, "bytes": size} for name, size in data.files.items()],
            "bytes": data.bytes,
            "expires": moment(data.expires),
        }
    )


_API = "/api/v1"
_ABOUT = {
    "describe": "Say what files hold and which measures fit.",
    "gamma": "Measure agreement on units and their labels: γ, γcat and γk.",
    "unitizing": "Measure agreement on units by length: uα, |uα, cuα and (k)uα.",
    "segments": "Measure agreement on where texts are cut: Pk, WindowDiff, B, S.",
    "items": "Measure agreement on given items: α, κ and their relatives.",
    "compare": "Score a hypothesis against a reference: F1, slot errors and γ.",
    "consensus": "Make one annotation of what most annotators share.",
    "calibrate": "Say which errors, and how many, would give the same γ.",
    "all": "Put γ, the alphas, κ_d, slot errors and others side by side.",
    "report": "Write a report of everything that fits.",
    "chart": "Make a chart, as Vega-Lite.",
}
_HEARTBEAT = 15.0
_MOST_KEYS = 100  # of one object; no settings have as many
_Wait = Annotated[
    float, Query(ge=0, le=60, allow_inf_nan=False, description="Seconds to wait for the end.")
]
_Number = Annotated[int, PathParameter(ge=0, le=10**9)]


class _StrictRoute(APIRoute):
    """Refuses JSON that can be read, but does not say one thing."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()

        async def strict_answer(request: Request) -> Response:
            if request.method == "POST":
                _check_json(await request.body())
            return await answer(request)

        return strict_answer


def _check_json(body: bytes) -> None:
    """Refuse a key that is there twice, an object of too many keys, and too deep nesting."""
    try:
        json.loads(body, object_pairs_hook=_checked_pairs)
    except RecursionError:
        raise ProblemError("usage", "the JSON has too many lists or objects in others") from None
    except ValueError:
        return  # no JSON at all, which is told with its place later


def _checked_pairs(pairs: list[tuple[str, Any]]) -> None:
    if len(pairs) > _MOST_KEYS:
        detail = f"an object has {_MOST_KEYS} keys at most, got {len(pairs)}"
        raise ProblemError("usage", detail)
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise ProblemError("usage", f"{key[:100]!r} is there twice; give it once")
        seen.add(key)


def job_routes(service: Service) -> APIRouter:
    """Give the addresses for jobs."""
    routes = APIRouter(route_class=_StrictRoute)
    for measure in REQUESTS:
        _add_measure(routes, service, measure)

    @routes.get(f"{_API}/jobs/{{job}}", tags=["jobs"], responses=problems(404, 422))
    async def state(job: str, wait: _Wait = 0.0) -> schemas.Job:
        """Tell how far a job is; with `wait`, when it is finished or that time is over."""
        found = service.job(job)
        await found.end(wait)
        return told(found, service)

    @routes.get(
        f"{_API}/jobs/{{job}}/events",
        tags=["jobs"],
        response_class=StreamingResponse,
        responses=problems(404, 422)
        | {200: {"description": "Events", "content": {"text/event-stream": {}}}},
    )
    async def events(job: str) -> StreamingResponse:
        """Follow a job: an event `state` or `progress` for each change, until it is finished."""
        stream = _events(service.job(job), service)
        return StreamingResponse(stream, media_type="text/event-stream")

    @routes.delete(
        f"{_API}/jobs/{{job}}", status_code=204, tags=["jobs"], responses=problems(404, 422)
    )
    async def cancel(job: str) -> None:
        """Stop a job at once, or forget a finished one."""
        await service.cancel(job)

    answered = problems(404, 409, 413, 422, 500, 501, 504, 507)

    @routes.get(
        f"{_API}/jobs/{{job}}/result",
        tags=["results"],
        response_class=FileResponse,
        responses=answered | _json("The result, as the library's to_dict gives it"),
    )
    async def result(job: str) -> FileResponse:
        """Give the numbers, with everything."""
        return FileResponse(service.job(job).path("result.json"), media_type="application/json")

    @routes.get(
        f"{_API}/jobs/{{job}}/shown",
        tags=["results"],
        response_class=FileResponse,
        responses=answered | _json("Blocks of text and tables"),
    )
    async def shown(job: str) -> FileResponse:
        """Give the result in the words and with the rounding of the command line."""
        return FileResponse(service.job(job).path("shown.json"), media_type="application/json")

    @routes.get(
        f"{_API}/jobs/{{job}}/documents",
        tags=["results"],
        response_class=FileResponse,
        responses=answered
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
        responses=answered | _json("Units, and groups or slots"),
    )
    async def drawing(job: str, number: _Number) -> FileResponse:
        """Give one document: its units as columns, and how they are aligned."""
        path = service.job(job).path(f"documents/{number}.json")
        return FileResponse(path, media_type="application/json")

    @routes.get(
        f"{_API}/jobs/{{job}}/files/{{name}}",
        tags=["results"],
        response_class=FileResponse,
        responses=answered | {200: {"description": "The file", "content": {"*/*": {}}}},
    )
    async def download(job: str, name: str) -> FileResponse:
        """Give a file to keep; the job's state names them."""
        found = service.job(job)
        kind = {file["name"]: file["type"] for file in found.files}.get(name)
        # Of a job without files the reason is told; otherwise only what it made is handed out.
        path = found.path("result.json" if kind is None else name)
        if kind is None:
            raise ProblemError("not-found", "the job has no such file")
        return FileResponse(path, media_type=kind, filename=name)

    return routes


def told(job: Job, service: Service) -> schemas.Job:
    """Give a job as plain data."""
    own = f"{_API}/jobs/{job.id}"
    drawn = job.state == "done" and (job.folder / "documents" / "list.json").is_file()
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
            "created": moment(job.created),
            "expires": moment(job.expires),
            "problem": job.problem,
            "warnings": job.warnings,
            "files": job.files,
            "links": {
                "self": own,
                "events": f"{own}/events",
                "result": f"{own}/result",
                "shown": f"{own}/shown",
                "documents": f"{own}/documents" if drawn else None,
            },
        }
    )


def _add_measure(routes: APIRouter, service: Service, measure: str) -> None:
    body = _body(measure)

    async def submit(
        wanted: Any,  # noqa: ANN401 - a model, see below
        response: Response,
        wait: _Wait = 0.0,
    ) -> schemas.Job:
        record = wanted.model_dump(exclude_none=True)
        settings = record.pop("settings", {})
        job = service.submit(measure, record, settings)
        await job.end(wait)
        response.status_code = 200 if job.is_finished else 202
        response.headers["Location"] = f"{_API}/jobs/{job.id}"
        return told(job, service)

    submit.__annotations__["wanted"] = body
    submit.__doc__ = _ABOUT[measure]
    routes.add_api_route(
        f"{_API}/{measure}",
        submit,
        methods=["POST"],
        name=measure,
        operation_id=measure,
        status_code=202,
        tags=["measures"],
        response_model=schemas.Job,
        responses=problems(400, 404, 408, 413, 422, 429, 503)
        | {200: {"description": "Finished within the wait", "model": schemas.Job}},
    )


def _body(measure: str) -> type[BaseModel]:
    if measure == "compare":
        return Comparing
    # A chart is of some kind, so its settings are needed.
    own: Any = REQUESTS[measure]
    settings: Any = (own, ...) if measure == "chart" else (own | None, None)
    name = f"{measure.capitalize()}Wanted"
    return create_model(name, __base__=Wanted, __doc__=_ABOUT[measure], settings=settings)


def _json(description: str) -> dict[int | str, dict[str, Any]]:
    schema = {"type": "object"}
    return {200: {"description": description, "content": {"application/json": {"schema": schema}}}}


async def _events(job: Job, service: Service) -> AsyncIterator[bytes]:
    last = None
    while True:
        name = "progress" if job.state == last else "state"
        last = job.state
        # Whoever reads slowly must not miss what happens while this is sent.
        next_change = job.next_change()
        record = told(job, service).model_dump(mode="json")
        yield f"event: {name}\ndata: {json.dumps(record, ensure_ascii=False)}\n\n".encode()
        if last in ("done", "failed", "cancelled"):
            return
        while not await happened(next_change, _HEARTBEAT):
            yield b": still there\n\n"


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
    """Give the addresses of pages."""
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
