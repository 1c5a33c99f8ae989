"""Addresses for jobs: ask for a measure, follow it, stop it, fetch what it made."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, create_model
from starlette.responses import FileResponse, StreamingResponse

from unisono.web import answers
from unisono.web.jobs import Job, happened, moment
from unisono.web.problems import ProblemError
from unisono.web.routes_of_data import problems
from unisono.web.schemas import SETTINGS, Comparing, Wanted

if TYPE_CHECKING:
    from unisono.web.service import Service

__all__ = ["job_routes"]

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
_Number = Annotated[int, Path(ge=0, le=10**9)]


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
    """Give the addresses for jobs.

    Parameters
    ----------
    service
        What does them.
    """
    routes = APIRouter(route_class=_StrictRoute)
    for measure in SETTINGS:
        _add_measure(routes, service, measure)

    @routes.get(f"{_API}/jobs/{{job}}", tags=["jobs"], responses=problems(404, 422))
    async def state(job: str, wait: _Wait = 0.0) -> answers.Job:
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
                "model": answers.Documents,
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


def told(job: Job, service: Service) -> answers.Job:
    """Give a job as plain data.

    Parameters
    ----------
    job
        The job.
    service
        Where it waits.
    """
    own = f"{_API}/jobs/{job.id}"
    drawn = job.state == "done" and (job.folder / "documents" / "list.json").is_file()
    return answers.Job.model_validate(
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
    ) -> answers.Job:
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
        response_model=answers.Job,
        responses=problems(400, 404, 408, 413, 422, 429, 503)
        | {200: {"description": "Finished within the wait", "model": answers.Job}},
    )


def _body(measure: str) -> type[BaseModel]:
    if measure == "compare":
        return Comparing
    # A chart is of some kind, so its settings are needed.
    own: Any = SETTINGS[measure]
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
