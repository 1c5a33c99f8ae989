"""The types of requests agree with the library and the models."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import unisono as un
from unisono.formats.cases import read_cases
from unisono.registry import MEASURES, STUDIES
from unisono.registry import SETTINGS as SETTINGS_BY_NAME
from unisono.web.requests import READINGS, REQUESTS, TABS, registry_record
from unisono.web.schemas import SETTINGS_OF, Registry
from unisono.web.uploads import EXAMPLES
from unisono.web.worker import TASKS

RECORD = registry_record()
SETTINGS = {one["name"]: one for one in RECORD["settings"]}
KEYWORDS = {one.key: name for name, one in SETTINGS_BY_NAME.items()}


def test_registry_record_fits_its_model():
    Registry.model_validate(RECORD)


def test_every_request_has_a_task_and_a_model():
    assert list(REQUESTS) == [one["name"] for one in RECORD["requests"]]
    assert set(REQUESTS) == set(TASKS) == set(SETTINGS_OF)
    assert {name for names in TABS.values() for name in names} <= set(REQUESTS)


@pytest.mark.parametrize("request_", RECORD["requests"], ids=lambda one: one["name"])
def test_the_settings_of_a_request_are_those_that_it_accepts(request_):
    accepted = set(SETTINGS_OF[request_["name"]].model_fields)

    assert accepted == {"reading", *request_["settings"]}
    assert set(request_["settings"]) <= set(SETTINGS)
    assert set(request_["measures"]) <= set(MEASURES)
    assert set(request_["files"]) <= set(REQUESTS)
    assert request_["reads"] in RECORD["reading"]


@pytest.mark.parametrize("name", [name for names in TABS.values() for name in names])
def test_all_settings_of_its_measures_can_be_requested(name):
    request = REQUESTS[name]
    function = getattr(un, request.function)
    own = {one.name for one in request.settings}
    of_measures = {SETTINGS_BY_NAME[each].key for one in request.measures for each in one.settings}
    parameters = set(inspect.signature(function).parameters)

    assert request.title
    # A table of all measures does not have every setting of each of them.
    if name not in ("units", "chains"):
        assert of_measures <= own
    if name == "reliability":
        own -= {"agreement", "outcome", "clusters"}  # columns of the table that is read
    if name == "items":  # the bootstrap and p-values are computed by other functions
        own -= {"resamples", "method", "permutations", "seed"}
    assert {KEYWORDS.get(each, each) for each in own} <= parameters


def test_seed_of_gamma_does_not_depend_on_other_settings():
    items, gamma = (
        {one.name: one for one in REQUESTS[name].settings} for name in ("items", "gamma")
    )

    assert items["confidence"].needs == gamma["confidence"].needs == {}
    assert {"resamples", "permutations"} <= items["seed"].needs.keys() & items.keys()
    # A need applies only to requests that have the setting.
    assert gamma["seed"].needs.keys().isdisjoint(gamma)


def check_defaults(function: Any, settings: Any) -> None:
    """Check that the defaults of parameters are those of settings, where both have a single one."""
    parameters = inspect.signature(function).parameters
    for setting in settings:
        name = KEYWORDS.get(setting.name, setting.name)
        default = parameters[name].default if name in parameters else None
        assert default in (None, setting.default) or isinstance(default, tuple), setting.name


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=lambda one: one.name)
def test_defaults_of_a_request_are_those_of_its_functions(request_):
    for function in {getattr(un, request_.function), *(one.load() for one in request_.measures)}:
        data = {"reference", "hypothesis", "agreement", "outcome", "clusters"}
        check_defaults(function, [one for one in request_.settings if one.name not in data])


@pytest.mark.parametrize(("name", "settings"), READINGS.items())
def test_settings_of_reading_are_those_of_its_function(name, settings):
    function: Any = {
        "units": un.read,
        "items": un.read_ratings,
        "chains": un.read_chains,
        "pyramids": un.read_pyramids,
        "cases": read_cases,
    }[name]
    parameters = inspect.signature(function).parameters
    # The columns of cases are settings of their request, not of reading.
    columns = {one.name for one in REQUESTS["reliability"].settings} if name == "cases" else set()

    # A service asks open questions; it never keeps them.
    assert set(settings) == set(parameters) - {"paths", "path", "questions"} - columns
    check_defaults(function, settings.values())


def test_defaults_of_the_dissimilarity_are_those_of_its_class():
    names = SETTINGS["dissimilarity"]["settings"]
    parameters = inspect.signature(un.CombinedDissimilarity).parameters

    assert {name: SETTINGS[name]["default"] for name in names} == {
        name: parameters[name].default for name in STUDIES["CombinedDissimilarity"].settings
    }


def test_examples_use_available_requests_and_settings():
    for example in EXAMPLES:
        assert any(example.measures[0] in names for names in TABS.values())
        for name in example.measures:
            own = {one.name for one in REQUESTS[name].settings}
            value = {*example.request.get("settings", {})} - {"reading"}
            assert value <= own


def test_files_and_charts_of_a_result_need_settings_that_it_has():
    for one in REQUESTS.values():
        for name in one.files:
            assert "dissimilarity" in {each.name for each in REQUESTS[name].settings}
        if one.charts:
            chart = {each.name for each in REQUESTS["chart"].settings}
            assert {each.name for each in one.settings} <= chart


def test_a_request_has_settings_of_its_own_where_their_defaults_differ():
    """Otherwise the page would show the default of another request."""
    for name, request in REQUESTS.items():
        (record,) = (one for one in RECORD["requests"] if one["name"] == name)
        shown = SETTINGS | {one["name"]: one for one in record["own"]}
        for setting in request.settings:
            assert shown[setting.name]["default"] == setting.default, (name, setting.name)
    assert {one["name"]: one["default"] for one in _own("pyramids")} == {"unshared": "singletons"}


def _own(name: str) -> Any:
    return next(one["own"] for one in RECORD["requests"] if one["name"] == name)
