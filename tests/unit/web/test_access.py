"""Access control: tokens, hosts and origins."""

from __future__ import annotations

import asyncio

import pytest
from starlette.responses import PlainTextResponse

from asgi_calls import asked
from unisono.errors import SettingError
from unisono.web.problems import ProblemError
from unisono.web.security import HEADERS, Access, AccessMiddleware, is_loopback, new_token

TOKEN = "correct horse battery"  # noqa: S105


@pytest.mark.parametrize(
    ("host", "alone"),
    [
        ("localhost", True),
        ("LocalHost", True),
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("0.0.0.0", False),  # noqa: S104
        ("::", False),
        ("10.0.0.7", False),
        ("lab.example", False),
        ("localhost.lab.example", False),
        ("", False),
    ],
)
def test_loopback_addresses_are_recognized(host, alone):
    assert is_loopback(host) is alone


@pytest.mark.parametrize("host", ["0.0.0.0", "lab.example"])  # noqa: S104
def test_reachable_addresses_need_a_token(host):
    with pytest.raises(SettingError, match=f"^{host} can be reached from other machines"):
        Access(host=host)

    assert Access(host=host, token=TOKEN).token == TOKEN
    assert Access(host="127.0.0.1").token is None


@pytest.mark.parametrize(
    ("token", "message"),
    [
        ("short", "at least 16 characters without spaces, got 5"),
        ("a b c d e f g h i j k", "without spaces, got 11"),
        (" " * 40, "without spaces, got 0"),
        ("a line break\nin a token", "must not contain line breaks"),
    ],
)
def test_invalid_tokens_are_rejected(token, message):
    with pytest.raises(SettingError, match=message):
        Access(token=token)


def test_new_tokens_are_long_unique_and_not_in_repr():
    first, second = new_token(), new_token()

    assert first != second
    assert len(first) >= 32
    assert Access(token=first).accepts_token(f"Bearer {first}")
    assert first not in repr(Access(token=first))


def test_only_the_token_is_accepted_as_authorization():
    access = Access(token=TOKEN)
    valid = [f"Bearer {TOKEN}", f"bearer {TOKEN}", f"Bearer  {TOKEN} "]
    others = [None, "", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}y", "Bearer guess", "Bearer "]

    assert [access.accepts_token(each) for each in valid] == [True] * 3
    assert [access.accepts_token(each) for each in others] == [False] * 7
    assert [Access().accepts_token(each) for each in (None, "Bearer guess")] == [True, True]


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost:8000", True),
        ("LOCALHOST", True),
        ("127.0.0.1", True),
        ("[::1]:8000", True),
        ("[::1]", True),
        ("localhost.", True),
        ("lab.example:80", True),
        ("LAB.example", True),
        ("evil.example:8000", False),
        ("localhost.evil.example", False),
        ("10.0.0.7:8000", False),
        ("localhost:port", False),
        ("localhost:٣", False),
        ("[::1", False),
        ("[::1]x", False),
        ("", False),
        (":8000", False),
    ],
)
def test_loopback_service_accepts_its_own_host_names_only(host, known):
    assert Access(hosts=("Lab.Example",)).accepts_host(host) is known


def test_reachable_service_accepts_ip_addresses_as_host():
    access = Access(host="0.0.0.0", token=TOKEN)  # noqa: S104

    assert access.accepts_host("10.0.0.7:8000")
    assert access.accepts_host("[fe80::1]:8000")
    assert access.accepts_host("localhost")
    assert not access.accepts_host("evil.example")


def answers(access, method="GET", path="/api/v1/service", **headers):
    """Return the response of the middleware in front of an application without restrictions."""

    async def app(scope, receive, send):
        if scope["path"] == "/api/busy":
            raise ProblemError(kind="busy", detail="try again", headers={"Retry-After": "7"})
        if scope["path"] == "/api/broken":
            msg = "a secret of the data"
            raise ZeroDivisionError(msg)
        await PlainTextResponse("come in")(scope, receive, send)

    return asyncio.run(asked(AccessMiddleware(app, access), method, path, **headers))


OWN = {"x_unisono": "1"}


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("GET", {}, 200),
        ("GET", {"origin": "http://evil.example"}, 200),
        ("GET", {"sec_fetch_site": "cross-site"}, 403),
        ("GET", {"sec_fetch_site": "same-site"}, 403),
        ("GET", {"sec_fetch_site": "cross-site", "origin": "https://lab.example"}, 200),
        ("GET", {"host": "evil.example"}, 403),
        ("POST", OWN, 200),
        ("POST", {}, 403),
        ("DELETE", {}, 403),
        ("POST", {**OWN, "origin": "http://127.0.0.1:8000"}, 200),
        ("POST", {**OWN, "origin": "https://lab.example"}, 200),
        ("POST", {**OWN, "origin": "http://evil.example"}, 403),
        ("POST", {**OWN, "origin": "null"}, 403),
        ("OPTIONS", {"origin": "http://evil.example"}, 200),
    ],
)
def test_other_origins_cannot_change_anything(method, headers, status):
    answer = answers(Access(origins=("https://lab.example",)), method, **headers)

    assert answer.status == status
    assert (answer.body == b"come in") == (status == 200)


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/api/v1/service", {}, 401),
        ("GET", "/api/v1/service", {"authorization": "Bearer guess"}, 401),
        ("GET", "/api/v1/service", {"authorization": f"Bearer {TOKEN}"}, 200),
        ("GET", "/api/v1/docs", {}, 200),
        ("GET", "/", {}, 200),
        ("OPTIONS", "/api/v1/service", {}, 200),
        ("POST", "/api/v1/gamma", OWN, 401),
        ("POST", "/api/v1/gamma", {**OWN, "authorization": f"Bearer {TOKEN}"}, 200),
    ],
)
def test_api_needs_the_token_and_pages_do_not(method, path, headers, status):
    answer = answers(Access(token=TOKEN), method, path, **headers)

    assert answer.status == status
    assert answer.headers.get("www-authenticate") == ("Bearer" if status == 401 else None)


@pytest.mark.parametrize("path", ["/", "/api/v1/service", "/api/busy", "/api/broken"])
def test_all_responses_have_security_headers(path):
    answer = answers(Access(), path=path)

    assert {name: answer.headers[name.lower()] for name in HEADERS} == HEADERS
    assert answer.headers["cache-control"] == ("no-cache" if path == "/" else "no-store")


def test_internal_errors_do_not_reveal_data(caplog):
    busy, broken = (answers(Access(), path=f"/api/{name}") for name in ("busy", "broken"))

    assert (busy.status, busy.headers["retry-after"]) == (429, "7")
    assert busy.record["detail"] == "try again"
    assert broken.status == 500
    assert broken.record["kind"] == "internal"
    assert b"secret" not in broken.body
    assert "secret" not in caplog.text
    assert "ZeroDivisionError at test_access.py:" in caplog.text
