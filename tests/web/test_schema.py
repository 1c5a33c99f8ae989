"""Responses fit the schema for generated requests."""

from __future__ import annotations

import json

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from asgi_calls import openapi_schema
from unisono.web.app import new_app
from unisono.web.problems import KINDS

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)


schema = schemathesis.openapi.from_dict(openapi_schema())


@pytest.fixture(scope="module")
def hurried(start):
    """A service with a short time limit, for many generated jobs."""
    return start("--max-seconds", "1", "--max-draws", "50")


@schema.parametrize()
@settings(max_examples=5, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_responses_fit_the_schema(case, hurried):
    case.query = {**(case.query or {}), **({"wait": 0} if "wait" in (case.query or {}) else {})}
    answer = case.call(hurried.address.rstrip("/"), headers={"X-Unisono": "1"}, timeout=30)
    # Jobs that fail because of their data report it when the result is requested.
    if answer.status_code in (501, 504, 507):
        return
    case.validate_response(answer, checks=CHECKS)
    if answer.status_code >= 400:
        problem = answer.json()
        assert answer.headers["content-type"][0] == "application/problem+json"
        assert problem["status"] == answer.status_code
        assert problem["detail"]
        assert problem["kind"] in KINDS


def test_schema_has_measures_but_no_pages():
    paths = openapi_schema()["paths"]

    assert {f"/api/v1/{name}" for name in ("describe", "gamma", "report", "calibrate")} <= set(
        paths
    )
    assert {"/", "/static/{name}", "/api/v1/docs"} & set(paths) == set()


def test_settings_are_validated_strictly():
    record = openapi_schema()["components"]["schemas"]
    loose = [
        name
        for name, one in record.items()
        if name
        in {"Gamma", "Items", "Reading", "GammaRequest", "ComparisonRequest", "Dissimilarity"}
        and one.get("additionalProperties") is not False
    ]

    assert loose == []


def test_application_can_be_created_twice():
    first, second = new_app(), new_app()

    assert first[1] is not second[1]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('{"data": "example:interview", "settings": {"precision": true}}', "settings.precision"),
        ('{"data": "example:interview", "settings": {"precison": 0.1}}', "unknown setting"),
        ('{"data": "example:interview", "settings": {"draws": 1.5}}', "settings.draws"),
        ('{"data": "example:interview", "settings": {"draws": "9"}}', "settings.draws"),
        ('{"data": "example:interview", "settings": {"precision": NaN}}', "settings.precision"),
        ('{"data": "example:interview", "settings": {"precision": 1e999}}', "settings.precision"),
        ('{"data": "example:interview", "settings": {"chance": "mix"}}', "settings.chance"),
        ('{"data": "example:interview", "settings": {"seed": -1}}', "settings.seed"),
        (
            '{"data": "example:interview", "settings": {"draws": 9, "precision": 0.1}}',
            "draws and precision cannot be combined",
        ),
        ('{"data": "../etc"}', "data"),
        ('{"settings": {}}', "data: required, but missing"),
        ("{", "not valid JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"data": ' + "9" * 10_000 + "}", "the request is invalid"),
        ("", "required, but missing"),
        ("\x00", "not valid JSON"),
    ],
)
def test_errors_in_requests_are_explained(service, body, message):
    sent = {"x_unisono": "1", "content_type": "application/json"}
    status, headers, answer = service.ask("POST", "/api/v1/gamma", body, **sent)
    problem = json.loads(answer)

    assert status in (400, 422)
    assert headers["content-type"] == "application/problem+json"
    assert message in problem["detail"]
    assert "\n" not in problem["detail"]


def test_unknown_data_are_not_found(service, client):
    sent = {"x_unisono": "1", "content_type": "application/json"}
    for name in ("example:nothing", "d_nothing"):
        body = json.dumps({"data": name})
        status, _, answer = service.ask("POST", "/api/v1/gamma", body, **sent)

        assert (status, json.loads(answer)["kind"]) == (404, "not-found")


def test_unsupported_methods_are_reported(service):
    status, headers, answer = service.ask("PUT", "/api/v1/gamma", "", x_unisono="1")

    assert (status, headers["allow"]) == (405, "POST")
    assert json.loads(answer)["kind"] == "method"


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/json", "{}", 415),
        ("multipart/form-data", "", 415),
        ("multipart/form-data; boundary=x", "", 422),
        ("multipart/form-data; boundary=x", "nonsense", 422),
        ("multipart/form-data; boundary=x", "--x--\r\n", 422),
        (
            "multipart/form-data; boundary=x",
            '--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n--x--\r\n',
            422,
        ),
        (
            "multipart/form-data; boundary=x",
            '--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\nabc',
            422,
        ),
    ],
)
def test_invalid_forms_are_rejected(service, kind, body, status):
    answered, _, answer = service.ask(
        "POST", "/api/v1/data", body, content_type=kind, x_unisono="1"
    )

    assert (answered, json.loads(answer)["kind"]) == (status, "usage")
