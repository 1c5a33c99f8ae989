"""The application in the test process: addresses, responses and schema."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile

import pytest

from asgi_calls import asked, openapi_schema, running
from unisono.web import routes
from unisono.web.app import new_app, problem_response
from unisono.web.problems import MEDIA_TYPE, Limits, ProblemError
from unisono.web.requests import registry_record
from unisono.web.routes import can_draw, problems, vega_bundle
from unisono.web.security import Access
from unisono.web.worker import TASKS

OWN = {"x_unisono": "1", "content_type": "application/json"}
API = "/api/v1"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The folder of temporary files of a service."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def answers(method, path, body=b"", access=None, **headers):
    """Return the response of an application that was not started."""
    app, _ = new_app(access, Limits(processes=1))
    return asyncio.run(asked(app, method, path, body, **headers))


def test_application_uses_its_limits_and_access():
    assert new_app()[1].limits == Limits()
    assert new_app(limits=Limits(units=7))[1].limits.units == 7
    response = answers("GET", f"{API}/service", access=Access(token="x" * 20), authorization="no")

    assert response.status == 401


def test_upload_job_results_and_cleanup(here):
    async def use():
        app, service = new_app(limits=Limits(processes=1))
        async with running(app):
            there = [path.name for path in here.iterdir()]
            form = (
                b"--cut\r\nContent-Disposition: form-data; name=files; filename=talk.csv\r\n\r\n"
                b"annotator,start,end,label\nann,0,2,A\nbob,0,3,A\nbob,5,6,B\n\r\n--cut--\r\n"
            )
            kind = OWN | {"content_type": "multipart/form-data; boundary=cut"}
            sent = await asked(app, "POST", f"{API}/data", form, **kind)
            data = sent.record["data"]
            known = await asked(app, "GET", sent.headers["location"])
            body = json.dumps({"data": data, "settings": {"seed": 1, "draws": 30}}).encode()
            job = await asked(app, "POST", f"{API}/gamma?wait=60", body, **OWN)
            own = f"{API}/jobs/{job.record['id']}"
            parts = [
                await asked(app, "GET", f"{own}/{name}")
                for name in ("result", "shown", "documents", "documents/0", "files/units.csv")
            ]
            none = [
                await asked(app, "GET", f"{own}/{name}") for name in ("documents/9", "files/a.csv")
            ]
            events = await asked(app, "GET", f"{own}/events")
            gone = [
                await asked(app, "DELETE", place, **OWN) for place in (own, f"{API}/data/{data}")
            ]
            after = [await asked(app, "GET", place) for place in (own, f"{API}/data/{data}")]
            return there, known, job, parts, none, events, gone, after, service

    there, known, job, parts, none, events, gone, after, service = asyncio.run(use())
    result, shown, documents, drawing, units = parts

    assert len(there) == 1
    assert known.record["files"] == [{"name": "talk.csv", "bytes": 56}]
    assert (job.status, job.record["state"], job.record["problem"]) == (200, "done", None)
    assert [part.status for part in parts] == [200] * 5
    assert result.record["n_units"] == 3
    assert shown.record
    assert documents.record["documents"][0]["n_units"] == 3
    assert drawing.record["labels"] == ["A", "B"]
    assert units.headers["content-disposition"] == 'attachment; filename="units.csv"'
    assert [answer.status for answer in none] == [404, 404]
    assert b'"state": "done"' in events.body
    assert [answer.status for answer in gone] == [204, 204]
    assert [answer.status for answer in after] == [404, 404]
    assert service.dispatcher.is_closing
    assert list(here.iterdir()) == []


def test_registry_has_an_entity_tag():
    first = answers("GET", f"{API}/registry")
    again = answers("GET", f"{API}/registry", if_none_match=first.headers["etag"])
    other = answers("GET", f"{API}/registry", if_none_match='"another"')

    assert first.record == json.loads(json.dumps(registry_record()))
    assert first.headers["cache-control"] == "private, no-cache"
    assert (again.status, again.body) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert (other.status, other.body) == (200, first.body)


def test_the_schema_describes_the_registry():
    schema = openapi_schema()
    answer = schema["paths"][f"{API}/registry"]["get"]["responses"]
    content = answer["200"]["content"]["application/json"]["schema"]

    assert content == {"$ref": "#/components/schemas/Registry"}
    assert "304" in answer


@pytest.mark.parametrize("origins", [(), ("https://lab.example",)])
def test_allowed_origins_get_cors_headers(origins):
    preflight = {
        "origin": "https://lab.example",
        "access_control_request_method": "POST",
        "access_control_request_headers": "X-Unisono",
    }
    answer = answers("OPTIONS", f"{API}/gamma", access=Access(origins=origins), **preflight)

    assert answer.headers.get("access-control-allow-origin") == next(iter(origins), None)
    assert ("X-Unisono" in answer.headers.get("access-control-allow-headers", "")) == bool(origins)


@pytest.mark.parametrize(
    ("method", "path", "status", "kind"),
    [
        ("GET", "/nowhere", 404, "not-found"),
        ("PUT", f"{API}/gamma", 405, "method"),
        ("GET", f"{API}/jobs/j_none", 404, "not-found"),
        ("GET", f"{API}/jobs/j_none/documents/minus", 422, "usage"),
        ("GET", f"{API}/data/d_none", 404, "not-found"),
    ],
)
def test_unknown_addresses_and_methods_are_problems(method, path, status, kind):
    answer = answers(method, path, **OWN)

    assert (answer.status, answer.record["kind"], answer.record["status"]) == (status, kind, status)
    assert answer.headers["content-type"] == MEDIA_TYPE


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "data: required, but missing"),
        ({"data": "example:interview", "dta": 1}, "dta: unknown setting"),
        ({"data": 1, "dta": 1}, "(and 1 more)"),
        ({"data": "example:interview", "settings": {"draws": "many"}}, "settings.draws: "),
        (b"{", "not valid JSON"),
        (b'{"data": 1, "data": 2}', "duplicate key 'data'"),
        (b"[" * 100_000, "the JSON is nested too deeply"),
        ({f"k{number}": 1 for number in range(101)}, "at most 100 keys, got 101"),
    ],
)
def test_invalid_requests_are_explained(body, message):
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = answers("POST", f"{API}/gamma", content, **OWN)

    assert answer.status == 422
    assert answer.record["kind"] == "usage"
    assert message in answer.record["detail"]


def test_problem_response_has_status_headers_and_record():
    problem = ProblemError("busy", "256 jobs are waiting", headers={"Retry-After": "7"})
    answer = problem_response(problem)

    assert (answer.status_code, answer.media_type) == (429, MEDIA_TYPE)
    assert answer.headers["retry-after"] == "7"
    assert json.loads(bytes(answer.body)) == problem.record


def test_schema_contains_all_measures():
    schema = openapi_schema()

    assert {f"{API}/{measure}" for measure in TASKS} <= set(schema["paths"])
    assert answers("GET", f"{API}/openapi.json").record == schema


def test_schema_of_every_address_has_access_problems():
    assert sorted(problems(404, 422)) == [401, 403, 404, 422]
    assert sorted(problems()) == [401, 403]
    assert set(problems(404)[404]["content"]) == {MEDIA_TYPE}


@pytest.mark.parametrize("missing", [None, "altair", "vl_convert"])
def test_charts_need_both_plotting_libraries(monkeypatch, missing):
    searched: list[str] = []

    def find(name):
        searched.append(name)
        return None if name == missing else object()

    monkeypatch.setattr(routes, "find_spec", find)

    assert can_draw() is (missing is None)
    assert set(searched) <= {"altair", "vl_convert"}


def test_vega_script_needs_the_plotting_library(monkeypatch):
    monkeypatch.setattr(routes, "find_spec", lambda _: None)
    with pytest.raises(ProblemError, match=r"pip install 'unisono\[plot\]'") as refused:
        vega_bundle()

    assert (refused.value.record["kind"], refused.value.status) == ("unavailable", 404)


def test_vega_script_is_bundled_in_a_separate_process():
    loaded = "vl_convert" in sys.modules

    assert "vegaEmbed" in vega_bundle()
    assert ("vl_convert" in sys.modules) == loaded
