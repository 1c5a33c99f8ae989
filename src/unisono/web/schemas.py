"""The models of requests and responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator

from unisono.registry import SETTINGS, STUDIES, Setting
from unisono.web.requests import MOST, READINGS, REQUESTS, RequestType

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "SETTINGS_OF",
    "ComparisonRequest",
    "Documents",
    "Examples",
    "Health",
    "Job",
    "JobRequest",
    "Registry",
    "Service",
    "Uploaded",
]


class _Response(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Reading(BaseModel):
    """One way to read the files; `settings` select it as settings of `reading`, if any do."""

    text: str
    counts: dict[str, int]
    consequence: str
    settings: dict[str, Any] | None


class Question(BaseModel):
    """A question about how to read the files, with its readings; the first is the default."""

    code: str
    text: str
    readings: list[Reading]


class Problem(BaseModel):
    """Why a request or a job failed; `detail` is a sentence for users."""

    type: str
    title: str
    status: int
    detail: str
    kind: str
    file: str | None = None
    line: int | None = None
    question: Question | None = None
    errors: list[dict[str, Any]] = Field(default_factory=list)


class Health(_Response):
    """Whether the service accepts jobs."""

    state: Literal["ok", "stopping"]


class Service(_Response):
    """The version, limits and load of the service."""

    version: str
    token_needed: bool
    charts: bool
    report: bool
    limits: dict[str, float]
    workers: int
    running: int
    queued: int


class Example(_Response):
    """An example that is shipped with unisono."""

    name: str
    data: str | None
    title: str
    about: str
    measures: list[str]
    request: dict[str, Any]


class Examples(_Response):
    """All examples that are shipped with unisono."""

    examples: list[Example]


class UploadedFile(_Response):
    """A file as it was stored."""

    name: str
    bytes: int


class Uploaded(_Response):
    """An upload; jobs refer to it by `data`."""

    data: str
    files: list[UploadedFile]
    bytes: int
    expires: str


class Progress(_Response):
    """The progress of a job; done and total are 0 if unknown."""

    phase: str
    done: int
    total: int
    seconds_left: float | None


class File(_Response):
    """A file of a finished job."""

    name: str
    type: str
    bytes: int
    title: str


class Job(_Response):
    """A requested measurement."""

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


class Document(_Response):
    """A document that can be drawn."""

    number: int
    name: str
    n_units: int
    n_annotators: int
    n_groups: int | None


class Documents(_Response):
    """The documents of a job."""

    documents: list[Document]


class Choice(_Response):
    """A named value of a setting; if it accepts an argument, the argument follows a colon."""

    value: str | bool
    title: str
    argument: str


class SettingRecord(_Response):
    """A setting with its limits and choices, for forms.

    If the request has any of the settings in `needs`, one of them must be set: to a listed value,
    or, if none is listed, to any value except false. The setting must not be set together with
    `replaced_by`. If its value is an object, `settings` lists the keys.
    """

    name: str
    title: str
    help: str
    kind: str
    default: str | float | bool | None
    least: float | None
    most: float | None
    above: float | None
    below: float | None
    choices: list[Choice]
    settings: list[str]
    needs: dict[str, list[str]]
    replaced_by: str
    advanced: bool


class MeasureRecord(_Response):
    """A measure and the names of its settings."""

    name: str
    symbol: str
    title: str
    meaning: str
    family: str
    data: str
    settings: list[str]
    aliases: list[str]
    perfect: float
    by_chance: float | None
    low: float | None


class ChartRecord(_Response):
    """A kind of chart."""

    name: str
    title: str


class RequestRecord(_Response):
    """A type of request, with the address `/api/v1/{name}` and the names of its settings.

    `own` has those of its settings whose default or limits differ from those in `settings` of the
    registry. `reads` is the key of its settings in `reading` of the registry. Its charts, and the
    requests in `files`, accept those of its settings that they have.
    """

    name: str
    title: str
    about: str
    reads: Literal["units", "items", "chains", "pyramids", "cases"]
    measures: list[str]
    settings: list[str]
    own: list[SettingRecord]
    charts: list[ChartRecord]
    files: list[str]


class Tab(_Response):
    """A part of the page, and the requests that it offers."""

    name: str
    requests: list[str]


class Registry(_Response):
    """The measures, their settings and the requests, from which forms can be built."""

    measures: list[MeasureRecord]
    settings: list[SettingRecord]
    reading: dict[str, list[SettingRecord]]
    requests: list[RequestRecord]
    tabs: list[Tab]


_Name = Annotated[str, Field(min_length=1, max_length=1000)]
_Names = Annotated[list[_Name], Field(min_length=1, max_length=1000, fail_fast=True)]
_Column = _Name | Annotated[int, Field(ge=0, le=100_000)]
_Columns = Annotated[list[_Column], Field(min_length=1, max_length=1000, fail_fast=True)]
_Number = Annotated[float, Field(ge=-1e300, le=1e300)]
_Share = Annotated[float, Field(ge=0, le=1)]
_Seed = (
    Annotated[int, Field(ge=0, le=2**63 - 1, description="The same seed gives the same values.")]
    | Literal["random"]
)
_Label = Annotated[str, Field(max_length=1000)] | int | _Number
_DataName = Annotated[
    str,
    Field(
        pattern=r"^(d_[A-Za-z0-9_-]{1,64}|example:[a-z_]{1,40})$",
        description="The id from the response of POST /api/v1/data, or example:NAME.",
        examples=["example:interview"],
    ),
]


class _Strict(BaseModel):
    model_config = ConfigDict(
        strict=True, extra="forbid", allow_inf_nan=False, protected_namespaces=()
    )


class Matrix(_Strict):
    """A distance matrix of labels: symmetric, 0 on the diagonal, all values between 0 and 1."""

    labels: Annotated[list[_Label], Field(min_length=1, max_length=1000, fail_fast=True)]
    # Only the first error is reported, because a million of them would take minutes.
    values: Annotated[
        list[Annotated[list[_Share], Field(max_length=1000, fail_fast=True)]],
        Field(min_length=1, max_length=1000, fail_fast=True),
    ]


_Distance = Annotated[
    str, Field(max_length=100, description="nominal, ordinal, interval, … or a matrix")
]


def _type_of(setting: Setting) -> Any:  # noqa: ANN401 - a type
    """Return the type of a setting in a request, with its limits and its description."""
    most = MOST.get(setting.name, setting.most)
    if most is None and setting.below is None:
        most = _LARGEST.get(setting.kind)
    limits = Field(ge=setting.least, le=most, gt=setting.above, lt=setting.below)
    choice = Literal[setting.choices] if setting.choices else None
    kinds: dict[str, Any] = {
        "count": Annotated[int, limits],
        "cost": Annotated[float, limits],
        "share": Annotated[float, limits],
        "shares": _list_of(Annotated[float, limits], 50),
        "seed": _Seed,
        "flag": bool,
        "choice": choice,
        "choices": _list_of(choice, len(setting.choices)),
        "distance": _Distance | Matrix,
        "labels": Annotated[list[_Label], Field(max_length=1000, fail_fast=True)],
        # Includes the alternative names of measures, not only the identifiers of the registry.
        "measures": _list_of(_Name, 20),
        "name": _Name,
        "names": _Names,
        "mapping": Literal["best", "by-document"]
        | Annotated[dict[str, Annotated[str, Field(max_length=1000)]], Field(max_length=1000)],
        "text": Annotated[str, Field(max_length=300)],
        "column": _Column,
        "columns": _Columns,
        "character": Annotated[str, Field(min_length=1, max_length=10)],
        "range": Annotated[list[_Number], Field(min_length=2, max_length=2)],
    }
    kind = Dissimilarity if setting.kind == "dissimilarity" else kinds[setting.kind]
    kind = kind | Literal[False] if setting.off else kind
    return Annotated[kind | None, Field(description=setting.help)]


_LARGEST = {"count": 2**31, "cost": 1e300}


def _list_of(kind: Any, most: int) -> Any:  # noqa: ANN401 - types
    return Annotated[list[kind], Field(min_length=1, max_length=most)]


def _model(name: str, about: str, settings: Iterable[Setting], **fields: Any) -> Any:  # noqa: ANN401
    """Return the model of some settings, and of other fields."""
    fields |= {one.name: (_type_of(one), None) for one in settings if one.name not in fields}
    return create_model(name, __base__=Settings, __doc__=about, **fields)


class Settings(_Strict):
    """Settings, some of which exclude each other."""

    @model_validator(mode="after")
    def _check_alternatives(self) -> Settings:
        fields_set = self.model_fields_set
        for name in sorted(fields_set):
            other = SETTINGS[name].replaced_by if name in SETTINGS else ""
            if other in fields_set and None not in (getattr(self, name), getattr(self, other)):
                msg = (
                    f"{other} and {name} cannot be combined: the number of draws sets the precision"
                )
                raise ValueError(msg)
        return self


Dissimilarity = _model(
    "Dissimilarity",
    "The dissimilarity of two units: the settings of `unisono.CombinedDissimilarity`.",
    [SETTINGS[name] for name in STUDIES["CombinedDissimilarity"].settings],
)
_READINGS = {
    "units": _model(
        "Reading",
        "Settings for reading documents, those of `unisono.read`.",
        READINGS["units"].values(),
        layer=(_Name | _Names | None, None),
    ),
    "items": _model(
        "RatingReading",
        "Settings for reading ratings, those of `unisono.read_ratings`.",
        READINGS["items"].values(),
    ),
    "chains": _model(
        "ChainReading",
        "Settings for reading chains, those of `unisono.read_chains`.",
        READINGS["chains"].values(),
        layer=(_Name | _Names | None, None),
    ),
    "pyramids": _model(
        "PyramidReading",
        "Settings for reading pyramids, those of `unisono.read_pyramids`.",
        READINGS["pyramids"].values(),
    ),
    "cases": _model(
        "CaseReading", "Settings for reading a table of cases.", READINGS["cases"].values()
    ),
}


def _settings(request: RequestType) -> type[_Strict]:
    fields: dict[str, Any] = {"reading": (_READINGS[request.reads] | None, None)}
    if request.name == "chart":
        (kind,) = (one for one in request.settings if one.name == "kind")
        fields["kind"] = (Annotated[Literal[kind.choices], Field(description=kind.help)], ...)
    about = f"Settings of `unisono.{request.function}`."
    model: type[_Strict] = _model(request.name.capitalize(), about, request.settings, **fields)
    return model


SETTINGS_OF: dict[str, type[_Strict]] = {one.name: _settings(one) for one in REQUESTS.values()}
"""The models of the settings, by request."""
_Compare: Any = SETTINGS_OF["compare"]


class JobRequest(_Strict):
    """The data of a job."""

    data: _DataName


class ComparisonRequest(_Strict):
    """A reference and a hypothesis as separate data, or both within the same data."""

    reference: _DataName | None = None
    hypothesis: _DataName | None = None
    within: _DataName | None = None
    settings: _Compare | None = None

    @model_validator(mode="after")
    def _check_roles(self) -> ComparisonRequest:
        has_both = self.reference is not None and self.hypothesis is not None
        has_neither = self.reference is None and self.hypothesis is None
        if not (has_both and self.within is None) and not (has_neither and self.within is not None):
            msg = "either reference and hypothesis or within must be set"
            raise ValueError(msg)
        settings: Any = self.settings or _Compare()
        if self.within is not None and None in (settings.reference, settings.hypothesis):
            msg = "within needs settings.reference and settings.hypothesis (names of annotators)"
            raise ValueError(msg)
        return self
