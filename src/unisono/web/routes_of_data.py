"""Addresses for data: uploads, examples, and what the service is."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request, Response

from unisono.version import __version__
from unisono.web.answers import Examples, Health, Service, Uploaded
from unisono.web.extras import can_draw
from unisono.web.jobs import moment
from unisono.web.multipart import FIELD, receive_files
from unisono.web.problems import MEDIA_TYPE
from unisono.web.security import Access
from unisono.web.shipped import EXAMPLES

if TYPE_CHECKING:
    from unisono.web import service as service_room
    from unisono.web.uploads import Data

__all__ = ["data_routes", "problems"]

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
    """Tell the schema which problems an address may answer with.

    Examples
    --------
    >>> from unisono.web.routes_of_data import problems
    >>> sorted(problems(404))
    [401, 403, 404]
    """
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": "A problem, told in a sentence", "content": content}
        for status in sorted({401, 403, *statuses})
    }


def data_routes(service: service_room.Service, access: Access) -> APIRouter:
    """Give the addresses for data.

    Parameters
    ----------
    service
        Where data are kept.
    access
        Whether a token is needed.
    """
    routes = APIRouter()

    @routes.get("/health", response_model=Health, tags=["service"], responses=problems())
    async def health() -> Health:
        """Tell whether the service takes on work."""
        return Health(state="stopping" if service.dispatcher.is_closing else "ok")

    @routes.get("/api/v1/service", tags=["service"], responses=problems())
    async def about() -> Service:
        """Tell what the service is, its limits, and how busy it is."""
        limits = asdict(service.limits)
        return Service(
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
