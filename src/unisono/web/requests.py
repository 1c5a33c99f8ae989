"""The types of requests that the service accepts, with their measures and settings, as data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from unisono.formats.settings import (
    CASE_SETTINGS,
    CHAIN_SETTINGS,
    PYRAMID_SETTINGS,
    RATING_SETTINGS,
    READ_SETTINGS,
)
from unisono.registry import FAMILIES, MEASURES, SETTINGS, STUDIES, Setting, measures_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unisono.registry import Measure

__all__ = ["MOST", "READINGS", "REQUESTS", "TABS", "RequestType", "registry_record"]

_CASE_COLUMNS = ("agreement", "outcome", "clusters")
READINGS: Mapping[str, Mapping[str, Setting]] = {
    "units": READ_SETTINGS,
    "items": RATING_SETTINGS,
    "chains": CHAIN_SETTINGS,
    "pyramids": PYRAMID_SETTINGS,
    # Their columns are settings of the request.
    "cases": {name: one for name, one in CASE_SETTINGS.items() if name not in _CASE_COLUMNS},
}
"""The settings for reading files, by the type of data."""
MOST: Mapping[str, float] = {"repeats": 1000}
"""Limits of the service on settings that are unlimited in the library."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestType:
    """A type of request: its address, the function of the library, and its settings."""

    name: str
    function: str
    about: str
    title: str = ""
    """The title in a list of choices."""
    reads: str = "units"
    measures: tuple[Measure, ...] = ()
    settings: tuple[Setting, ...] = ()
    charts: tuple[str, ...] = ()
    """The charts that the page offers for its results; they accept the same settings."""
    files: tuple[str, ...] = ()
    """Other requests with the same data and settings, whose files the page offers."""


def _members(family: str) -> tuple[Measure, ...]:
    return tuple(one for one in MEASURES.values() if one.family == family)


def _with_http_key(setting: Setting) -> Setting:
    """Return a setting named by its key over HTTP, such as ``seed`` instead of ``rng``."""
    return replace(setting, name=setting.key)


def _settings(*names: str) -> tuple[Setting, ...]:
    return tuple(_with_http_key(SETTINGS[name]) for name in dict.fromkeys(names))


def _settings_of(*measures: Measure) -> tuple[Setting, ...]:
    return _settings(*(name for one in measures for name in one.settings))


def _settings_in(study: str) -> tuple[Setting, ...]:
    found = STUDIES[study]
    names = (name for name in found.settings if name not in found.of_ratings)
    return tuple(_with_http_key(found.setting(name)) for name in names)


def _symbols(family: str) -> str:
    return FAMILIES[family].title


_GAMMA = _members("gamma")
_KIND = Setting(
    "kind",
    "choice",
    "The kind of chart.",
    meanings={
        "continuum": "Units of a document",
        "alignment": "Alignment of a document",
        "labels": "γk of each label",
        "draws": "Disorder of the draws",
        "annotators": "Pairwise agreement",
        "parts": "Position, label, missing",
        "confusion": "Confusion of labels",
    },
)

REQUESTS: Mapping[str, RequestType] = {
    one.name: one
    for one in (
        RequestType(
            name="describe",
            function="describe",
            about="Describe the contents of files and the measures that apply to them.",
        ),
        RequestType(
            name="gamma",
            function="gamma",
            about="Measure agreement on units and their labels: γ, γcat and γk.",
            title=f"{_symbols('gamma')}: positions and labels",
            measures=_GAMMA,
            settings=_settings_of(*_GAMMA),
            charts=("labels", "draws", "annotators", "parts", "confusion"),
            files=("report", "consensus"),
        ),
        RequestType(
            name="unitizing",
            function="unitizing_alpha",
            about="Measure agreement on units by length: uα, |uα, cuα and (k)uα.",
            title=f"{_symbols('unitizing')}: agreement by length",
            measures=_members("unitizing"),
            settings=_settings_of(*_members("unitizing")),
        ),
        RequestType(
            name="segments",
            function="measure_segments",
            about="Measure agreement on segment boundaries: Pk, WindowDiff, B, S.",
            title=f"{_symbols('segmentation')}: boundaries",
            measures=measures_of("segmentation"),
            settings=_settings_in("measure_segments"),
        ),
        RequestType(
            name="items",
            function="measure_items",
            about="Measure agreement on items: α, κ and related coefficients.",
            title="Coefficients of items",
            reads="items",
            measures=measures_of("items"),
            settings=_settings(*STUDIES["measure_items"].settings, *FAMILIES["items"].settings),
        ),
        RequestType(
            name="compare",
            function="compare",
            about="Score a hypothesis against a reference: F1, slot errors and γ.",
            title="A hypothesis against a reference",
            measures=_members("reference"),
            settings=(
                Setting(
                    "reference",
                    "names",
                    "Annotators of the reference; by default the only one.",
                    title="Reference annotator",
                ),
                Setting(
                    "hypothesis",
                    "name",
                    "The annotator to score; by default the only one.",
                    title="Annotator to score",
                ),
                *_settings_in("compare"),
            ),
        ),
        RequestType(
            name="chains",
            function="measure_chains",
            about="Measure agreement on chains such as coreference: κ, α, MUC, B³ and others.",
            title="Chains, such as coreference",
            reads="chains",
            measures=measures_of("chains"),
            settings=_settings_in("measure_chains"),
        ),
        RequestType(
            name="pyramids",
            function="measure_pyramids",
            about="Measure agreement on pyramids of summaries: α of words.",
            title="Pyramids of summaries",
            reads="pyramids",
            settings=_settings_in("measure_pyramids"),
        ),
        RequestType(
            name="reliability",
            function="reliability_study",
            about="Relate agreement to an outcome of the same cases, with a permutation test.",
            title="Agreement and an outcome",
            reads="cases",
            settings=(
                *(CASE_SETTINGS[name] for name in _CASE_COLUMNS),
                *_settings_in("reliability_study"),
            ),
        ),
        RequestType(
            name="consensus",
            function="consensus",
            about="Compute a consensus annotation by majority.",
            title="Consensus of the annotators",
            settings=_settings_in("consensus"),
            files=("report",),
        ),
        RequestType(
            name="calibrate",
            function="calibrate",
            about="Estimate the type and amount of errors that would explain the observed γ.",
            title="Errors that would explain γ",
            settings=_settings_in("calibrate"),
            files=("report", "consensus"),
        ),
        RequestType(
            name="units",
            function="measure_units",
            about="Compute all measures of units: γ, the alphas, κ_d, slot errors and others.",
            title="All measures in one table",
            measures=tuple(one for one in MEASURES.values() if one.data in ("units", "segments")),
            settings=_settings_in("measure_units"),
            files=("report", "consensus"),
        ),
        RequestType(
            name="report",
            function="report",
            about="Write a report on agreement.",
            settings=_settings_in("report"),
        ),
        RequestType(
            name="chart",
            function="gamma",
            about="Draw a chart, as Vega-Lite.",
            settings=(
                _KIND,
                Setting("document", "name", "The document to draw; by default the first."),
                *_settings_in("chart_spec"),
                *_settings_of(*_GAMMA),
            ),
        ),
    )
}
"""The types of requests, by their address below ``/api/v1``."""

TABS: Mapping[str, tuple[str, ...]] = {
    "units": ("gamma", "unitizing", "segments", "units", "consensus", "calibrate"),
    "items": ("items",),
    "compare": ("compare",),
    "chains": ("chains", "pyramids"),
    "outcome": ("reliability",),
}
"""The requests that each tab of the page offers."""


def registry_record() -> dict[str, Any]:
    """Return the measures, the settings and the requests as plain data."""
    settings = _general_settings()
    return {
        "measures": [_measure(one) for one in MEASURES.values()],
        "settings": [_setting(one) for one in settings.values()],
        "reading": {
            name: [_setting(one) for one in table.values()] for name, table in READINGS.items()
        },
        "requests": [_request(one, settings) for one in REQUESTS.values()],
        "tabs": [{"name": name, "requests": [*names]} for name, names in TABS.items()],
    }


def _general_settings() -> dict[str, Setting]:
    """Return the settings of all requests; those that requests define differently, in general."""
    used = [setting for one in REQUESTS.values() for setting in one.settings]
    used += _settings(*STUDIES["CombinedDissimilarity"].settings)
    general = {one.key: _with_http_key(one) for one in SETTINGS.values()}
    settings: dict[str, Setting] = {}
    for one in used:
        is_same = settings.get(one.name, one) == one
        settings[one.name] = one if is_same else general[one.name]
    return settings


def _measure(measure: Measure) -> dict[str, Any]:
    facts = ("name", "symbol", "title", "meaning", "family", "data", "aliases")
    found = {name: getattr(measure, name) for name in (*facts, "perfect", "by_chance", "low")}
    return found | {"settings": [SETTINGS[name].key for name in measure.settings]}


def _setting(setting: Setting) -> dict[str, Any]:
    names = (
        *("name", "title", "help", "kind", "default", "least", "above", "below"),
        *("needs", "replaced_by", "advanced"),
    )
    nested = STUDIES["CombinedDissimilarity"].settings if setting.kind == "dissimilarity" else ()
    return {name: getattr(setting, name) for name in names} | {
        "most": MOST.get(setting.name, setting.most),
        "choices": [*_choices(setting)],
        "settings": nested,
    }


def _choices(setting: Setting) -> Iterable[dict[str, Any]]:
    """Yield the named values of a setting; titles of choices include their names."""
    for value in setting.meanings or setting.choices:
        meaning = setting.meanings.get(value, value)
        title = (
            meaning if setting.kind == "character" or meaning == value else f"{value}: {meaning}"
        )
        yield {"value": value, "title": title, "argument": setting.arguments.get(value, "")}
    if setting.off:
        yield {"value": False, "title": setting.off, "argument": ""}


def _request(request: RequestType, general: Mapping[str, Setting]) -> dict[str, Any]:
    names = ("name", "title", "about", "reads", "files")
    # Help may differ as well, but a form has one text for each field.
    own = [
        one
        for one in request.settings
        if replace(one, help="") != replace(general[one.name], help="")
    ]
    (kinds,) = (one for one in REQUESTS["chart"].settings if one.name == "kind")
    return {name: getattr(request, name) for name in names} | {
        "measures": [one.name for one in request.measures],
        "settings": [one.name for one in request.settings],
        "own": [_setting(one) for one in own],
        "charts": [{"name": name, "title": kinds.meanings[name]} for name in request.charts],
    }
