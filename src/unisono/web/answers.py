"""What the service answers, as its schema tells it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Documents", "Examples", "Health", "Job", "Service", "Uploaded"]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """Why a request or a job came to nothing; `detail` is a sentence for people."""

    type: str
    title: str
    status: int
    detail: str
    kind: str
    file: str | None = None
    line: int | None = None
    errors: list[dict[str, Any]] = Field(default_factory=list)


class Health(_Answer):
    """Whether the service takes on work."""

    state: Literal["ok", "stopping"]


class Service(_Answer):
    """What the service is and how busy."""

    version: str
    token_needed: bool
    charts: bool
    report: bool
    limits: dict[str, float]
    workers: int
    running: int
    queued: int


class Example(_Answer):
    """Data that come with unisono."""

    name: str
    data: str | None
    title: str
    about: str
    measures: list[str]
    request: dict[str, Any]


class Examples(_Answer):
    """All data that come with unisono."""

    examples: list[Example]


class UploadedFile(_Answer):
    """A file as it was kept."""

    name: str
    bytes: int


class Uploaded(_Answer):
    """An upload: jobs name it by `data`."""

    data: str
    files: list[UploadedFile]
    bytes: int
    expires: str


class Progress(_Answer):
    """How far a job is; done and total are 0 where that is not known."""

    phase: str
    done: int
    total: int
    seconds_left: float | None


class File(_Answer):
    """What a finished job has to download."""

    name: str
    type: str
    bytes: int
    title: str


class Job(_Answer):
    """A measurement that was asked for."""

    id: str
    measure: str
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    progress: Progress
    ahead: int
    seconds: float
    created: str
    expires: str
    problem: Problem | None
    warnings: list[str]
    files: list[File]
    links: dict[str, str | None]


class Document(_Answer):
    """A document that can be drawn."""

    number: int
    name: str
    n_units: int
    n_annotators: int
    n_groups: int | None


class Documents(_Answer):
    """The documents of a job."""

    documents: list[Document]
