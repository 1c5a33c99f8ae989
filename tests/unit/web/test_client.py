"""The client against a service of this test, which answers what it is told to."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from unisono.errors import ReadError, SettingError
from unisono.web.client import Client, JobState
from unisono.web.problems import ProblemError


@contextmanager
def answering(*answers):
    """Answer requests in this order, and give the client and what it asked for."""
    coming = iter(answers)
    asked: list[tuple[str, str, dict[str, str], bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            asked.append((self.command, self.path, dict(self.headers), body))
            status, content, *more = next(coming)
            text = content if isinstance(content, bytes) else json.dumps(content).encode()
            self.send_response(status)
            for name, value in dict(*more).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_POST = do_DELETE = do_GET  # noqa: N815 - names of the library

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            address = f"http://127.0.0.1:{server.server_address[1]}/#token=a%20secret"
            yield Client(address, timeout=5), asked
        finally:
            server.shutdown()
            thread.join()


def state(name, **more):
    return {
        "id": "j_1",
        "measure": "gamma",
        "state": name,
        "progress": {
            "phase": "measuring",
            "done": 5,
            "total": 30,
            "seconds_left": None,
        },
        "ahead": 0,
        "files": [],
        "warnings": [],
        "problem": None,
    } | more


@pytest.mark.parametrize("address", ["ftp://example.org", "127.0.0.1:8000", "http://", ""])
def test_an_address_of_no_service_is_refused(address):
    with pytest.raises(SettingError, match="the address of a service is such as http") as refused:
        Client(address)

    assert repr(address) in str(refused.value)


@pytest.mark.parametrize(
    ("name", "finished"),
    [
        *(("queued", False), ("running", False)),
        *(("done", True), ("failed", True), ("cancelled", True)),
    ],
)
def test_a_job_is_finished_when_nothing_will_change_any_more(name, finished):
    assert JobState(id="j_1", measure="gamma", state=name).is_finished is finished


def test_every_request_says_that_no_page_sent_it_and_brings_the_token():
    with answering((200, {"examples": [{"name": "interview"}]})) as (client, asked):
        assert client.examples() == [{"name": "interview"}]

    ((method, path, headers, _),) = asked
    assert (method, path) == ("GET", "/api/v1/examples")
    assert headers["X-Unisono"] == "1"
    assert headers["Authorization"] == "Bearer a secret"


def test_files_and_folders_are_sent_under_the_names_they_have_here(tmp_path):
    folder = tmp_path / "talks"
    (folder / "ann").mkdir(parents=True)
    (folder / "ann" / "one.csv").write_bytes(b"annotator\r\n")
    (tmp_path / 'a"b.csv').write_bytes(b"\x00\xff")
    with answering((201, {"data": "d_1"})) as (client, asked):
        assert client.upload(folder, tmp_path / 'a"b.csv') == "d_1"

    ((method, path, headers, body),) = asked
    boundary = headers["Content-Type"].removeprefix("multipart/form-data; boundary=").encode()
    first, *parts, last = body.split(b"--" + boundary)
    assert (method, path, first, last) == ("POST", "/api/v1/data", b"", b"--\r\n")
    assert [part.partition(b"\r\n\r\n")[2] for part in parts] == [
        *(b"annotator\r\n\r\n", b"\x00\xff\r\n")
    ]
    assert b'name="files"; filename="talks/ann/one.csv"' in parts[0]
    assert b'filename="a%22b.csv"' in parts[1]


def test_a_file_that_is_not_there_is_told_before_anything_is_sent(tmp_path):
    with answering() as (client, asked):
        with pytest.raises(ReadError, match="no such file or folder") as missing:
            client.upload(tmp_path / "none.csv")

        assert missing.value.path == tmp_path / "none.csv"
        assert asked == []


def test_a_measurement_is_waited_for_and_its_numbers_given():
    answers = [(202, state("queued")), (200, state("running")), (200, state("done"))]
    with answering(*answers, (200, {"value": 0.5})) as (client, asked):
        found = client.measure("gamma", "d_1", settings={"rng": 1})

    assert found == {"value": 0.5}
    assert [(method, path.partition("?")[0]) for method, path, *_ in asked] == [
        ("POST", "/api/v1/gamma"),
        *[("GET", "/api/v1/jobs/j_1")] * 2,
        ("GET", "/api/v1/jobs/j_1/result"),
    ]
    assert json.loads(asked[0][3]) == {"data": "d_1", "settings": {"rng": 1}}
    waits = [float(path.partition("?wait=")[2]) for _, path, *_ in asked[:3]]
    assert all(0 < wait <= 30 for wait in waits)


def test_a_measurement_that_takes_too_long_is_stopped():
    with (
        answering((202, state("running")), (204, b"")) as (client, asked),
        pytest.raises(ProblemError, match="the job took longer than 0 s") as late,
    ):
        client.measure("gamma", "d_1", seconds=0.0)

    assert late.value.record["kind"] == "time"
    assert [(method, path) for method, path, *_ in asked] == [
        ("POST", "/api/v1/gamma?wait=0"),
        ("DELETE", "/api/v1/jobs/j_1"),
    ]


def test_a_problem_is_raised_as_the_service_tells_it():
    record = ProblemError("reading", "no", file="a.csv", line=2).record
    with (
        answering((422, record, {"Retry-After": "7"})) as (client, _),
        pytest.raises(ProblemError, match=r"^no$") as told,
    ):
        client.about()

    assert told.value.record == record
    assert told.value.headers["Retry-After"] == "7"


def test_a_kind_of_problem_that_is_not_known_keeps_its_status_and_words():
    record = {"kind": "tea", "detail": "short and stout", "status": 418}
    with (
        answering((418, record)) as (client, _),
        pytest.raises(ProblemError, match="short and stout") as told,
    ):
        client.about()

    assert (told.value.record["kind"], told.value.status) == ("internal", 418)


@pytest.mark.parametrize("content", [b"<html>", {"error": "no"}, [1]])
def test_an_error_without_a_problem_tells_its_status(content):
    with (
        answering((502, content)) as (client, _),
        pytest.raises(ProblemError, match="the service answered 502 without a reason"),
    ):
        client.about()


def test_where_no_service_is_there_is_an_error_and_no_connection_left():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    # pytest would complain of a socket that is still open.
    with pytest.raises(ConnectionRefusedError):
        Client(f"http://127.0.0.1:{port}/").about()
