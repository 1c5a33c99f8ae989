"""What requests and answers may hold."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator

from unisono.measures.gamma.chance import Chance
from unisono.measures.items.resampling import Method
from unisono.model.overlap import Overlap
from unisono.model.rating_tables import Duplicates
from unisono.model.segmentation import Gaps
from unisono.registry import MEASURES, SETTINGS, Setting, measures_of
from unisono.simulation.shuffling.errors import ErrorType

__all__ = [
    "REQUESTS",
    "Comparing",
    "Documents",
    "Examples",
    "Health",
    "Job",
    "Service",
    "Uploaded",
    "Wanted",
]


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


_Name = Annotated[str, Field(min_length=1, max_length=1000)]
_Names = Annotated[list[_Name], Field(min_length=1, max_length=1000, fail_fast=True)]
_Column = _Name | Annotated[int, Field(ge=0, le=100_000)]
_Columns = Annotated[list[_Column], Field(min_length=1, max_length=1000, fail_fast=True)]
_Number = Annotated[float, Field(ge=-1e300, le=1e300)]
_Share = Annotated[float, Field(ge=0, le=1)]
_Cost = Annotated[float, Field(ge=0, le=1e300)]
_Count = Annotated[int, Field(ge=1, le=2**31)]
_Seed = (
    Annotated[int, Field(ge=0, le=2**63 - 1, description="Gives the same values again.")]
    | Literal["random"]
)
_Label = Annotated[str, Field(max_length=1000)] | int | _Number
_DataName = Annotated[
    str,
    Field(
        pattern=r"^(d_[A-Za-z0-9_-]{1,64}|example:[a-z_]{1,40})$",
        description="What POST /api/v1/data answered, or example:NAME.",
        examples=["example:interview"],
    ),
]


class _Strict(BaseModel):
    model_config = ConfigDict(
        strict=True, extra="forbid", allow_inf_nan=False, protected_namespaces=()
    )


class Matrix(_Strict):
    """Distances between labels, written down: symmetric, 0 on the diagonal, all within 0 and 1."""

    labels: Annotated[list[_Label], Field(min_length=1, max_length=1000, fail_fast=True)]
    # The first fault is enough: describing a million of them would take minutes.
    values: Annotated[
        list[Annotated[list[_Share], Field(max_length=1000, fail_fast=True)]],
        Field(min_length=1, max_length=1000, fail_fast=True),
    ]


_Distance = Annotated[
    str, Field(max_length=100, description="nominal, ordinal, interval, … or a matrix")
]


class Reading(_Strict):
    """How files become documents: the settings of `unisono.read`."""

    format: _Name | None = None
    document: _Column | Literal[False] | None = None
    annotator: _Column | None = None
    start: _Column | None = None
    end: _Column | None = None
    label: _Column | Literal[False] | None = None
    layer: _Name | _Names | None = None
    header: bool | None = None
    delimiter: Annotated[str, Field(min_length=1, max_length=10)] | None = None
    tags: Literal["auto", "iob1", "iob2", "iobes", "bilou"] | None = None
    fragments: Literal["whole", "split"] | None = None
    # Not a path, which the library would take too.
    annotators: Literal["auto", "units", "corpus"] | None = None
    extent: Annotated[list[_Number], Field(min_length=2, max_length=2)] | None = None
    on_error: Literal["raise", "skip"] | None = None


class RatingReading(_Strict):
    """How a file becomes ratings: the settings of `unisono.read_ratings`."""

    format: Literal["auto", "table", "labelstudio", "prodigy", "jsonl", "doccano"] | None = None
    annotator: _Column | None = None
    item: _Column | None = None
    label: _Column | None = None
    layer: _Name | None = None
    annotators: _Columns | None = None
    wide: bool | None = None
    header: bool | None = None
    delimiter: Annotated[str, Field(min_length=1, max_length=10)] | None = None
    separator: Annotated[str, Field(min_length=1, max_length=10)] | None = None
    missing: (
        Annotated[list[Annotated[str, Field(max_length=1000)]], Field(max_length=100)] | None
    ) = None
    duplicates: Duplicates | None = None


class Dissimilarity(_Strict):
    """What it costs to align two units: the settings of `unisono.Combined`."""

    position: _Cost | None = None
    label: _Cost | None = None
    empty: _Cost | None = None
    distance: _Distance | Matrix | None = None
    power: _Cost | None = None
    steep: bool | None = None


class Settings(_Strict):
    """What every measure of units has."""

    reading: Reading | None = None


class _Aligning(Settings):
    dissimilarity: Dissimilarity | None = None


class _Drawing(_Aligning):
    chance: Chance | None = None
    precision: _Share | None = None
    draws: _Count | None = None
    rng: _Seed | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> _Drawing:
        if self.draws is not None and self.precision is not None:
            msg = "give draws or precision, not both: a fixed number of draws has its own precision"
            raise ValueError(msg)
        return self


class Describe(Settings):
    """Settings of `unisono.describe`."""


class Gamma(_Drawing):
    """Settings of `unisono.gamma`."""

    chance_from: _Names | None = None
    confidence: _Share | None = None
    resamples: Annotated[int, Field(ge=0, le=2**31)] | None = None
    soft: bool | None = None
    gap_tolerance: _Cost | None = None
    time_limit: _Cost | None = None


def _type_of(setting: Setting) -> Any:  # noqa: ANN401 - a type
    """Return the type of a setting in a request, with its limits and its sentence."""
    kinds: dict[str, Any] = {
        "count": _Count,
        "cost": _Cost,
        "choice": Literal[setting.choices] if setting.choices else None,
        "distance": _Distance | Matrix,
        "labels": Annotated[list[_Label], Field(max_length=1000, fail_fast=True)],
    }
    return Annotated[kinds[setting.kind] | None, Field(description=setting.help)]


def _measures_in(family: str) -> Any:  # noqa: ANN401 - a type
    """Return the type of the names of some measures of a family."""
    names = tuple(measure.name for measure in measures_of(family))
    some = Annotated[list[Literal[names]], Field(min_length=1, max_length=len(names))]  # type: ignore[valid-type]
    return Annotated[some | None, Field(description="Names of measures; all without it.")]


def _settings_in(family: str) -> dict[str, Any]:
    """Return the fields of all settings that measures of a family have."""
    measures = [one for one in MEASURES.values() if one.family == family]
    names = dict.fromkeys(name for one in measures for name in one.settings)
    return {name: (_type_of(SETTINGS[name]), None) for name in names}


Unitizing = create_model(
    "Unitizing",
    __base__=Settings,
    __doc__="Settings of `unisono.unitizing_alpha`.",
    **_settings_in("unitizing"),
)


Segments = create_model(
    "Segments",
    __base__=Settings,
    __doc__="Settings of `unisono.measure_segments`.",
    measures=(_measures_in("segmentation"), None),
    atom=(_Cost | None, None),
    gaps=(Gaps | None, None),
    **_settings_in("segmentation"),
)


# Any of the names of a measure, which are more than the registry's identifiers.
_SomeNames: Any = Annotated[list[_Name], Field(min_length=1, max_length=20)]
Items = create_model(
    "Items",
    __base__=_Strict,
    __doc__="Settings of `unisono.items`, `unisono.bootstrap` and `unisono.permutation_test`.",
    reading=(RatingReading | None, None),
    measures=(_SomeNames | None, None),
    **_settings_in("items"),
    bootstrap=(_Count | None, None),
    method=(Method | None, None),
    confidence=(_Share | None, None),
    permutations=(_Count | None, None),
    rng=(_Seed | None, None),
)


class Compare(_Aligning):
    """Settings of `unisono.compare`; reference and hypothesis are names of annotators."""

    reference: _Names | None = None
    hypothesis: _Name | None = None
    tolerance: _Cost | None = None
    mapping: (
        Literal["best", "by-document"]
        | Annotated[dict[str, Annotated[str, Field(max_length=1000)]], Field(max_length=1000)]
        | None
    ) = None
    with_gamma: bool | None = None
    chance: Chance | None = None
    chance_precision: _Share | None = None
    draws: _Count | None = None
    rng: _Seed | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> Compare:
        if self.draws is not None and self.chance_precision is not None:
            msg = (
                "give draws or chance_precision, not both: so many draws are as precise as they are"
            )
            raise ValueError(msg)
        return self


class Consensus(_Aligning):
    """Settings of `unisono.consensus`."""

    support: _Share | None = None
    atom: _Cost | None = None
    soft: bool | None = None
    gap_tolerance: _Cost | None = None
    time_limit: _Cost | None = None


class Calibrate(_Aligning):
    """Settings of `unisono.calibrate`."""

    errors: Annotated[list[ErrorType], Field(min_length=1, max_length=5)] | None = None
    magnitudes: Annotated[list[_Share], Field(min_length=1, max_length=50)] | None = None
    repeats: Annotated[int, Field(ge=1, le=1000)] | None = None
    support: _Share | None = None
    chance: Chance | None = None
    precision: _Share | None = None
    confidence: _Share | None = None
    draws: _Count | None = None
    soft: bool | None = None
    gap_tolerance: _Cost | None = None
    rng: _Seed | None = None


class All(_Drawing):
    """Settings of `unisono.side_by_side`."""

    distance: _Distance | Matrix | None = None
    overlap: Overlap | None = None
    atom: _Cost | None = None
    tolerance: _Cost | None = None


class Report(_Drawing):
    """Settings of `unisono.report`."""

    title: Annotated[str, Field(max_length=300)] | None = None
    distance: _Distance | Matrix | None = None
    overlap: Overlap | None = None
    atom: _Cost | None = None
    gains: bool | None = None
    charts: bool | None = None


class Chart(Gamma):
    """Which chart, and the settings of `unisono.gamma` behind it."""

    kind: Literal["continuum", "alignment", "labels", "draws", "annotators", "parts", "confusion"]
    document: _Name | None = None
    theme: Literal["light", "dark"] | None = None


REQUESTS: dict[str, type[_Strict]] = {
    "describe": Describe,
    "gamma": Gamma,
    "unitizing": Unitizing,
    "segments": Segments,
    "items": Items,
    "compare": Compare,
    "consensus": Consensus,
    "calibrate": Calibrate,
    "all": All,
    "report": Report,
    "chart": Chart,
}
"""Measure to its settings."""


class Wanted(_Strict):
    """What every request for a job names."""

    data: _DataName


class Comparing(_Strict):
    """A reference and a hypothesis, each data of its own; or both within the same data."""

    reference: _DataName | None = None
    hypothesis: _DataName | None = None
    within: _DataName | None = None
    settings: Compare | None = None

    @model_validator(mode="after")
    def _who_is_who(self) -> Comparing:
        two = self.reference is not None and self.hypothesis is not None
        neither = self.reference is None and self.hypothesis is None
        if not (two and self.within is None) and not (neither and self.within is not None):
            msg = "name reference and hypothesis, or else within, as data"
            raise ValueError(msg)
        settings = self.settings or Compare()
        if self.within is not None and None in (settings.reference, settings.hypothesis):
            msg = "within the same data, say who is who: settings.reference, settings.hypothesis"
            raise ValueError(msg)
        return self
