"""Invalid requests get problem responses, never internal errors."""

from __future__ import annotations

import asyncio
import json
import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unisono.web.app import new_app

FORM = b"multipart/form-data; boundary="
ROWS = b"annotator,start,end,label\na,0,1,x\n"


def form(disposition, *, boundary=b"x", content=ROWS):
    head = b"--" + boundary + b"\r\nContent-Disposition: " + disposition
    return head + b"\r\n\r\n" + content + b"\r\n--" + boundary + b"--\r\n"


GOOD = form(b'form-data; name="files"; filename="a.csv"')


def ask(service, path, body, kind=b"application/json"):
    headers = {"x_unisono": "1", "content_type": kind.decode("latin-1")}
    return service.ask("POST", path, body, **headers)


def refused(answer, *statuses):
    status, headers, body = answer
    problem = json.loads(body)

    assert status in (statuses or (400, 404, 413, 415, 422))
    assert headers["content-type"] == "application/problem+json"
    assert problem["status"] == status
    assert problem["detail"]
    return problem["detail"]


def body_with(setting):
    return b'{"data": "example:interview", "settings": {' + setting + b"}}"


@pytest.mark.parametrize(
    ("body", "expected_message"),
    [
        (b"[" * 100_000, "nested too deeply"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
        (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, "nested too deeply"),
        (b'{"data": "d_a", "data": "example:interview"}', "duplicate key 'data'"),
        (body_with(b'"seed": 1, "seed": 2'), "duplicate key 'seed'"),
        (body_with(b'"precision": NaN'), "settings.precision"),
        (body_with(b'"precision": -Infinity'), "settings.precision"),
        (b"NaN", ""),
        (
            b"{" + b",".join(b'"k%d":1' % i for i in range(5000)) + b"}",
            "at most 100 keys, got 5000",
        ),
        (body_with(b'"precision": 1e999'), "precision"),
        (body_with(b'"seed": ' + b"9" * 5000), ""),
        (body_with(b'"seed": ' + b"9" * 400), "settings.seed"),
        (body_with(b'"\\ud800": 1'), "settings"),
        (body_with(b'"reading": {"format": "\\ud800"}'), "settings.reading.format"),
        (b'{"data": "\\ud800"}', "data"),
        (b'{"data": "\xff\xfe"}', ""),
        ('{"data": "x"}'.encode("utf-16"), ""),
        (b'{"data": "exa', "not valid JSON"),
        (b"", ""),
        (b"null", ""),
        (b"\x00" * 10, ""),
        (b'{"' + b"a" * 100_000 + b'": 1}', ""),
    ],
)
def test_invalid_json_is_explained(service, body, expected_message):
    assert expected_message in refused(ask(service, "/api/v1/gamma", body))


def test_the_data_of_a_comparison_are_checked(service):
    body = b'{"reference": "example:interview"}'
    message = "either reference and hypothesis or within must be set"

    assert message in refused(ask(service, "/api/v1/compare", body))


def test_first_error_of_a_matrix_is_reported(service):
    row = b"[" + b",".join([b"null"] * 1000) + b"]"
    matrix = b'{"labels": ["a"], "values": [' + b",".join([row] * 100) + b"]}"
    status, _, body = ask(
        service, "/api/v1/gamma", body_with(b'"dissimilarity": {"distance": ' + matrix + b"}")
    )

    assert status == 422
    assert len(json.loads(body)["errors"]) <= 2


@pytest.mark.parametrize(
    ("kind", "body", "expected_message"),
    [
        (FORM + b"a" * 5000, b"x", "at most 70 characters, got 5000"),
        (FORM + b"a" * 71, b"x", "at most 70 characters, got 71"),
        (FORM + b'"' + b"a" * 100_000 + b'"', b"x", "at most 70 characters, got 100000"),
        (FORM, b"x", "send files as multipart/form-data"),
        (FORM + b'""', b"x", "send files as multipart/form-data"),
        (b"multipart/form-data; boundary*=utf-8''%ff%fe", b"x", ""),
        (b"multipart/form-data; boundary*=", b"x", ""),
        (b"multipart/form-data; ;;;=;boundary", b"x", ""),
        (b"", b"x", "send files as multipart/form-data"),
        (FORM + b"\xff\xfe", b"--\xff\xfe\r\n", ""),
        (FORM + b"x", b"", "the multipart form is incomplete"),
        (FORM + b"x", b"\x00" * 3000, "not valid multipart/form-data"),
        (FORM + b"x", GOOD[:-6], "the multipart form is incomplete"),
        (
            FORM + b"x",
            form(b"form-data" + b"".join(b"\r\nX: " + b"a" * 3000 for _ in range(4))),
            "the headers of a part are too long",
        ),
        (FORM + b"x", form(b'form-data; filename="a.csv"'), 'must be a file named "files"'),
        (FORM + b"x", form(b'form-data; name="\xff"; filename="a.csv"'), 'a file named "files"'),
        (FORM + b"x", form(b'form-data; name="files"; filename=".."'), ""),
        (FORM + b"x", form(b'form-data; name="files"; filename="' + b"a" * 9000 + b'"'), ""),
        (FORM + b"x", b"--x\r\n" + b"A: b\r\n" * 9000 + b"\r\n\r\n--x--\r\n", ""),
        (FORM + b"x", b"--x\r\n\xff\xff: b\r\n\r\nabc\r\n--x--\r\n", ""),
    ],
)
def test_invalid_forms_are_explained(service, kind, body, expected_message):
    assert expected_message in refused(ask(service, "/api/v1/data", body, kind))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_damaged_requests_get_a_response(service, data):
    path, good, kind = data.draw(
        st.sampled_from(
            [
                ("/api/v1/data", GOOD, FORM + b"x"),
                (
                    "/api/v1/compare",
                    b'{"within": "d_a", "settings": {"seed": 1}}',
                    b"application/json",
                ),
            ]
        )
    )
    body = bytearray(good)
    odd = st.sampled_from(
        [b"\r\n", b"--x", b"\x00", b"\xff", b'"', b";", b"{", b"[", b"1e999", b"NaN"]
    )
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(body)))
        body[place : place + data.draw(st.integers(0, 4))] = data.draw(odd)
    answer = ask(service, path, bytes(body), kind)

    assert answer[0] == 201 or refused(answer)


def test_internal_errors_are_problems(monkeypatch, caplog):
    app, service = new_app()
    monkeypatch.setattr(service, "job", lambda *_: 1 / 0)
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "path": "/api/v1/jobs/j_x",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
    }

    async def ask_once():
        await app(scope, receive, send)

    with caplog.at_level(logging.ERROR, "unisono.web"):
        asyncio.run(ask_once())
    start, body = sent
    headers = {name.decode(): value.decode() for name, value in start["headers"]}

    assert "report it: ZeroDivisionError" in refused((start["status"], headers, body["body"]), 500)
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith("ZeroDivisionError at ")
