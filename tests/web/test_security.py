"""Security of the service: hosts, origins, tokens, paths and logs."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from starlette.exceptions import HTTPException

from service_client import Client
from unisono.errors import SettingError
from unisono.web.problems import ProblemError
from unisono.web.security import Access, _bounded
from unisono.web.uploads import safe_name

OWN = {"x_unisono": "1", "content_type": "application/json"}
WANTED = json.dumps({"data": "example:interview", "settings": {"draws": 30, "seed": 1}})
TOKEN = "a token that nobody guesses"  # noqa: S105


@pytest.fixture(scope="module")
def guarded(start):
    return start("--token", TOKEN, "--allow-host", "lab.example")


@pytest.mark.parametrize("path", ["/", "/health", "/api/v1/service", "/nowhere", "/static/none"])
def test_responses_have_security_headers(service, path):
    _, headers, _ = service.ask("GET", path)

    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-eval" not in policy
    assert "script-src" not in policy  # only the own origin
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert "access-control-allow-origin" not in headers
    assert "server" not in headers
    if path.startswith("/api/"):
        assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "10.0.0.1", "", "[::1"],
)
def test_unknown_host_names_are_rejected(service, host):
    for path in ("/", "/api/v1/service", "/health"):
        status, headers, body = service.ask("GET", path, host=host)

        assert status == 403
        assert headers["content-type"] == "application/problem+json"
        assert json.loads(body)["kind"] == "forbidden"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:9", "127.0.0.1", "[::1]:8000"])
def test_loopback_names_are_accepted(service, host):
    assert service.ask("GET", "/health", host=host)[0] == 200


def test_forms_of_other_origins_are_rejected(service):
    status, _, body = service.ask("POST", "/api/v1/gamma", WANTED, content_type="text/plain")

    assert status == 403
    assert "X-Unisono" in json.loads(body)["detail"]


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_other_origins_are_rejected_despite_the_header(service, origin):
    status, headers, _ = service.ask("POST", "/api/v1/gamma", WANTED, origin=origin, **OWN)

    assert status == 403
    assert "access-control-allow-origin" not in headers


def test_own_origin_is_accepted(service):
    origin = f"http://127.0.0.1:{service.port}"
    assert service.ask("POST", "/api/v1/gamma", WANTED, origin=origin, **OWN)[0] == 202


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_origins_cannot_read(service, site):
    assert service.ask("GET", "/api/v1/service", sec_fetch_site=site)[0] == 403
    assert service.ask("GET", "/api/v1/service", sec_fetch_site="same-origin")[0] == 200


def test_other_origins_get_no_cors_headers(service):
    status, headers, _ = service.ask(
        "OPTIONS",
        "/api/v1/gamma",
        origin="http://evil.example",
        access_control_request_method="POST",
        access_control_request_headers="x-unisono",
    )

    assert status == 405
    assert not [name for name in headers if name.startswith("access-control")]


def test_allowed_origins_are_accepted(start):
    service = start("--allow-origin", "https://lab.example")
    _, headers, _ = service.ask(
        "OPTIONS",
        "/api/v1/gamma",
        origin="https://lab.example",
        access_control_request_method="POST",
        access_control_request_headers="x-unisono",
    )
    status, answered, _ = service.ask(
        "POST", "/api/v1/gamma", WANTED, origin="https://lab.example", **OWN
    )
    refused, _, _ = service.ask(
        "POST", "/api/v1/gamma", WANTED, origin="https://evil.example", **OWN
    )
    service.stop()

    assert headers["access-control-allow-origin"] == "https://lab.example"
    assert (status, answered["access-control-allow-origin"]) == (202, "https://lab.example")
    assert refused == 403


@pytest.mark.parametrize(
    "sent",
    [None, "", "Bearer", "Bearer ", f"Basic {TOKEN}", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}"],
)
def test_requests_without_the_token_are_rejected(guarded, sent):
    headers = {} if sent is None else {"authorization": sent}
    for path in ("/api/v1/service", "/api/v1/jobs/j_x", "/api/v1/examples", "/api/v1/nowhere"):
        status, found, body = guarded.ask("GET", path, **headers)

        assert (status, found["www-authenticate"]) == (401, "Bearer")
        assert TOKEN not in body.decode()


def test_requests_with_the_token_are_accepted(guarded):
    client = Client(guarded.address, token=TOKEN)

    assert client.about()["token_needed"] is True
    assert client.measure("gamma", "example:interview", settings={"seed": 1})["value"]


def test_the_page_and_the_documentation_need_no_token(guarded):
    for path in ("/", "/api/v1/docs", "/api/v1/openapi.json", "/health"):
        assert guarded.ask("GET", path)[0] == 200


def test_additional_host_names_are_accepted(guarded):
    assert guarded.ask("GET", "/health", host="lab.example")[0] == 200
    assert guarded.ask("GET", "/health", host="evil.example")[0] == 403


def test_generated_token_is_not_logged(start):
    service = start("--host", "0.0.0.0")  # noqa: S104
    status, _, _ = service.ask("GET", "/api/v1/service")
    (path,) = service.folder.glob("unisono-link-*")
    link, mode = path.read_text().strip(), path.stat().st_mode & 0o777
    address, _, token = link.partition("#token=")
    admitted, _, _ = service.ask("GET", "/api/v1/service", authorization=f"Bearer {token}")
    _, complaints = service.stop()

    assert (status, admitted, mode) == (401, 200, 0o600)
    assert address == service.address
    assert len(token) >= 32
    assert str(path) in complaints
    assert token not in complaints + service.address
    assert not path.exists()


def test_given_token_is_not_printed(start):
    service = start(UNISONO_TOKEN=TOKEN)
    status, _, _ = service.ask("GET", "/api/v1/service")
    _, complaints = service.stop()

    assert status == 401
    assert complaints == "unisono: stopped\n"
    assert "token" not in service.address


@pytest.mark.parametrize(
    "token",
    ["", "short", " " * 16, " " * 40, "\t" * 20, "\u00a0" * 20, "x" + " " * 30 + "y", "x" * 15],
)
def test_short_tokens_are_rejected(token):
    with pytest.raises(SettingError, match="at least 16 characters without spaces"):
        Access(token=token)


@pytest.mark.parametrize("token", ["a" * 20 + "\n", "a" * 20 + "\x00", "a\tb" * 10])
def test_tokens_with_control_characters_are_rejected(token):
    with pytest.raises(SettingError, match="must not contain line breaks"):
        Access(token=token)


@given(st.text(min_size=16, max_size=24), st.text(max_size=24))
@example(" " * 16, "")
@example(TOKEN, "")
def test_only_the_exact_token_is_accepted(token, sent):
    try:
        access = Access(token=token)
    except SettingError:
        return

    assert access.accepts_token(f"Bearer {token}")
    assert access.accepts_token(f"Bearer {sent}") == (sent.strip() == token.strip())
    assert not access.accepts_token(sent)
    assert not access.accepts_token(None)


async def _trickle(*messages, silence=30.0, patience=60.0, slowest=4096.0, pause=0.01):
    """Receive a body in parts, with a pause before each."""
    left = list(messages)

    async def receive():
        await asyncio.sleep(pause)
        return left.pop(0)

    bounded = _bounded(
        "/api/v1/data", receive, max_pause=silence, min_timeout=patience, min_rate=slowest
    )
    received: list[Any] = []
    while not received or received[-1]["more_body"]:
        received.append(await bounded())
    return received


def part(content, *, more=True):
    return {"type": "http.request", "body": content, "more_body": more}


def test_body_with_a_long_pause_times_out():
    with pytest.raises(HTTPException) as refused:
        asyncio.run(_trickle(part(b"a"), part(b"b", more=False), silence=0.2, pause=2.0))

    assert refused.value.status_code == 408
    assert refused.value.headers == {"Connection": "close"}


def test_slow_body_times_out():
    bytes_ = [part(b"a") for _ in range(1000)]
    with pytest.raises(HTTPException) as refused:
        asyncio.run(_trickle(*bytes_, patience=0.2, pause=0.05))

    assert refused.value.status_code == 408


def test_large_steady_body_does_not_time_out():
    parts = [part(b"a" * 1000) for _ in range(10)]
    received = asyncio.run(
        _trickle(*parts, part(b"", more=False), patience=0.5, slowest=100.0, pause=0.1)
    )

    assert len(received) == 11


def test_timeout_closes_the_connection():
    code = (
        "import sys; from unisono.web import security; "
        "security._bounded.__kwdefaults__['min_timeout'] = 1.0; "
        "from unisono.cli.main import main; sys.exit(main(['serve', '--port', '0']))"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as found:
        try:
            assert found.stdout is not None
            port = int(found.stdout.readline().split()[2].rstrip("/").rpartition(":")[2])
            with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
                connection.sendall(
                    b"POST /api/v1/gamma HTTP/1.1\r\nHost: localhost\r\nX-Unisono: 1\r\n"
                    b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
                )
                answer = b""
                while received := connection.recv(65536):
                    answer += received
        finally:
            found.terminate()

    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"the request arrived too slowly" in answer


def test_ip_addresses_are_accepted_and_unknown_names_rejected():
    access = Access(host="0.0.0.0", token=TOKEN)  # noqa: S104

    assert access.accepts_host("192.168.1.7:8000")
    assert not access.accepts_host("rebound.evil.example:8000")
    assert not Access().accepts_host("192.168.1.7:8000")


def test_tokens_are_compared_in_constant_time():
    access = Access(token="x" * 64)
    tries = {"first": "Bearer y" + "x" * 63, "last": "Bearer " + "x" * 63 + "y"}
    times = {}
    for name, sent in tries.items():
        begun = time.perf_counter()
        for _ in range(2000):
            access.accepts_token(sent)
        times[name] = time.perf_counter() - begun

    assert 0.2 < times["first"] / times["last"] < 5


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static//etc/passwd",
        "/static/..%5capp.py",
        "/../../etc/passwd",
        "/static/examples",
        "/static/documentation.html/",
        "/api/v1/docs/../jobs",
    ],
)
def test_addresses_cannot_reach_other_files(service, path):
    status, _, body = service.ask("GET", path)

    assert status == 404
    assert b"root:" not in body
    assert b"import" not in body


@pytest.mark.parametrize("name", ["../result.json", "..%2f..%2fdata", "shown.json", "documents"])
def test_file_names_cannot_leave_the_job_folder(service, client, name):
    job = client.submit("gamma", "example:interview", settings={"draws": 30}, wait=30)

    assert service.ask("GET", f"/api/v1/jobs/{job.id}/files/{name}")[0] == 404


HOSTILE = (
    "../../../../tmp/evil.csv",
    "/etc/cron.d/evil.csv",
    "..\\..\\evil.csv",
    "C:\\Windows\\evil.csv",
    "a/../../b.csv",
    "./././a.csv",
    "a\x00b.csv",
    "a\nb.csv",
    "~/evil.csv",
    "a" * 3000 + ".csv",
    "\u202egnp.csv",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_file_names_stay_in_the_upload_folder(service, client, name):
    data = client.upload_contents({name: b"annotator,start,end,label\na,0,1,x\nb,0,1,x\n"})
    (folder,) = service.folder.glob("unisono-serve-*/data/" + data)
    inside = [path for path in folder.rglob("*") if path.is_file()]

    assert len(inside) == 1
    assert inside[0].resolve().is_relative_to(folder.resolve())
    assert (folder.stat().st_mode & 0o777, inside[0].stat().st_mode & 0o777) == (0o700, 0o600)
    assert client.measure("describe", data)["n_units"] in (0, 2)


@given(st.text())
@example("..")
@example("a/..")
@example("\ud800/\udfff.csv")
def test_safe_names_are_relative(name):
    try:
        kept = safe_name(name)
    except ProblemError:
        return
    parts = kept.split("/")

    assert all(part and part not in (".", "..") and len(part.encode()) <= 150 for part in parts)
    assert not kept.startswith("/")
    assert "\\" not in kept
    assert "\x00" not in kept
    assert safe_name(kept) == kept


def test_modules_are_not_imported_from_uploads(client):
    evil = b"raise SystemExit('evil')"
    names = ("numpy", "json", "altair", "praatio", "pympi", "cassis", "encodings", "unisono")
    files = {f"{name}.py": evil for name in names}
    rows = b"annotator,start,end,label\na,0,1,x\nb,0,1,x\n"
    data = client.upload_contents(files | {"turns.csv": rows})
    job = client.submit("gamma", data, settings={"seed": 1}, wait=30)

    assert job.state in ("done", "failed")
    assert job.problem is None or job.problem.record["kind"] == "reading"


def test_distance_cannot_name_a_file(client):
    settings = {"dissimilarity": {"distance": "/etc/passwd"}}
    job = client.submit("gamma", "example:interview", settings=settings, wait=30)

    assert 'unknown "distance": "/etc/passwd"' in job.problem.record["detail"]


def test_seen_by_cannot_name_a_file(client):
    with pytest.raises(ProblemError) as refused:
        client.submit(
            "gamma", "example:interview", settings={"reading": {"annotators": "/etc/passwd"}}
        )

    assert refused.value.record["kind"] == "usage"


def test_messages_do_not_reveal_paths(service, client):
    contents = {"a/one.csv": b"annotator,start\nx,1\n", "broken.eaf": b"<", "x.TextGrid": b"?"}
    for name, content in contents.items():
        job = client.submit("gamma", client.upload_contents({name: content}), wait=30)

        assert job.state == "failed"
        assert name in job.problem.record["detail"]
        assert str(service.folder) not in job.problem.record["detail"]
        assert "unisono-serve" not in job.problem.record["detail"]


def test_data_are_not_logged(start):
    service = start()
    label = "Rumpelstilzchen"
    rows = f"annotator,start,end,label\n{label},x,1,{label}\n".encode()
    job = service.client.submit("gamma", service.client.upload_contents({f"{label}.csv": rows}))
    service.client.job(job, wait=30)
    service.ask("GET", f"/{label}")
    service.ask("POST", "/api/v1/gamma", f'{{"data": "{label}"}}', **OWN)
    broken = f"--{label}\r\n{label}\r\n"
    kind = f"multipart/form-data; boundary={label}"
    assert service.ask("POST", "/api/v1/data", broken, x_unisono="1", content_type=kind)[0] == 422
    code, complaints = service.stop()

    assert code == 0
    assert label not in complaints
    assert complaints == "unisono: stopped\n"
