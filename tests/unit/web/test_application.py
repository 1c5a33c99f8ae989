"""The application in this process: what answers at which address, and what the schema tells."""

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
    """The folder in which a service keeps its own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def answers(method, path, body=b"", access=None, **headers):
    """Ask an application that was not started, which has no place for data, and give the answer."""
    app, _ = new_app(access, Limits(processes=1))
    return asyncio.run(asked(app, method, path, body, **headers))


def test_an_application_has_the_limits_and_the_access_that_are_given():
    assert new_app()[1].limits == Limits()
    assert new_app(limits=Limits(units=7))[1].limits.units == 7
    given = answers("GET", f"{API}/service", access=Access(token="x" * 20), authorization="no")

    assert given.status == 401


def test_files_are_sent_measured_and_fetched_and_nothing_is_left(here):
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
            wanted = json.dumps({"data": data, "settings": {"seed": 1, "draws": 30}}).encode()
            job = await asked(app, "POST", f"{API}/gamma?wait=60", wanted, **OWN)
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


def test_the_registry_is_sent_again_only_if_it_changed():
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
def test_pages_of_allowed_origins_are_told_that_they_may_ask(origins):
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
def test_an_address_where_nothing_is_answers_with_a_problem(method, path, status, kind):
    answer = answers(method, path, **OWN)

    assert (answer.status, answer.record["kind"], answer.record["status"]) == (status, kind, status)
    assert answer.headers["content-type"] == MEDIA_TYPE


@pytest.mark.parametrize(
    ("body", "said"),
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
def test_a_request_that_cannot_be_understood_is_told_in_a_sentence(body, said):
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = answers("POST", f"{API}/gamma", content, **OWN)

    assert answer.status == 422
    assert answer.record["kind"] == "usage"
    assert said in answer.record["detail"]


def test_a_problem_is_answered_with_its_status_headers_and_record():
    problem = ProblemError("busy", "256 jobs are waiting", headers={"Retry-After": "7"})
    answer = problem_response(problem)

    assert (answer.status_code, answer.media_type) == (429, MEDIA_TYPE)
    assert answer.headers["retry-after"] == "7"
    assert json.loads(bytes(answer.body)) == problem.record


def test_the_schema_is_the_one_that_is_served_and_has_every_measure():
    schema = openapi_schema()

    assert {f"{API}/{measure}" for measure in TASKS} <= set(schema["paths"])
    assert answers("GET", f"{API}/openapi.json").record == schema


def test_every_address_may_ask_for_the_token_and_refuse():
    assert sorted(problems(404, 422)) == [401, 403, 404, 422]
    assert sorted(problems()) == [401, 403]
    assert set(problems(404)[404]["content"]) == {MEDIA_TYPE}


@pytest.mark.parametrize("missing", [None, "altair", "vl_convert"])
def test_charts_need_both_drawing_libraries_and_no_loading_of_them(monkeypatch, missing):
    asked_for: list[str] = []

    def find(name):
        asked_for.append(name)
        return None if name == missing else object()

    monkeypatch.setattr(routes, "find_spec", find)

    assert can_draw() is (missing is None)
    assert set(asked_for) <= {"altair", "vl_convert"}


def test_without_the_drawing_library_the_script_of_charts_is_not_there(monkeypatch):
    monkeypatch.setattr(routes, "find_spec", lambda _: None)
    with pytest.raises(ProblemError, match=r"pip install 'unisono\[plot\]'") as refused:
        vega_bundle()

    assert (refused.value.record["kind"], refused.value.status) == ("unavailable", 404)


def test_the_script_of_charts_draws_with_vega_and_is_made_in_another_process():
    loaded = "vl_convert" in sys.modules

    assert "vegaEmbed" in vega_bundle()
    assert ("vl_convert" in sys.modules) == loaded
