"""Jobs: progress, cancelling, limits, expiry and shutdown."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from service_client import Client
from unisono.web.problems import ProblemError
from web.conftest import LONG, wait_for

TALK = "example:parts_of_speech"
SHORT = {"draws": 30, "seed": 1}


@pytest.fixture(scope="module")
def single(start):
    """A service with one worker."""
    service = start("--processes", "1")
    yield service
    service.stop()


@pytest.fixture(scope="module")
def bounded(start):
    """A service with low limits."""
    service = start(
        *("--processes", "1", "--max-units", "100", "--max-draws", "50"),
        *("--max-upload", "0.1", "--max-files", "3", "--max-storage", "0.2"),
    )
    yield service
    service.stop()


def is_running(pid):
    """Return whether a process is running and not a zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ticks(pid):
    """Return the processor time of a process."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123
        fields = file.read().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def running(client, **request):
    """Submit a long job and wait until it computes draws."""
    job = client.submit("gamma", TALK, settings=LONG, **request)
    return wait_for(lambda: (now := client.job(job)).done and now)


def test_job_can_be_followed_to_its_end(client):
    job = client.submit("gamma", TALK, settings={"draws": 3000, "seed": 1})
    seen = list(client.events(job))

    assert not job.is_finished
    assert seen[-1].state == "done"
    assert {event.phase for event in seen} >= {"measuring", "writing"}
    counts = [event.done for event in seen if event.total == 3000]
    assert counts == sorted(counts)
    assert any(event.seconds_left is not None for event in seen)
    assert client.result(job)["draws"] == 3000


def test_unfinished_jobs_have_no_result(client):
    job = running(client)
    with pytest.raises(ProblemError) as error:
        client.result(job)
    client.cancel(job)

    assert error.value.status == 409


def test_cancelling_interrupts_the_task_and_keeps_the_worker(single):
    client = single.client
    job = running(client)
    (worker,) = single.workers
    begun = time.monotonic()
    client.cancel(job)
    took = time.monotonic() - begun
    before = ticks(worker)
    time.sleep(0.5)

    assert took < 1.5
    assert client.job(job).state == "cancelled"
    assert single.workers == [worker]
    assert ticks(worker) - before <= 5
    with pytest.raises(ProblemError, match="cancelled"):
        client.result(job)
    assert client.measure("gamma", TALK, settings=SHORT)["draws"] == 30


def test_cancelling_ends_the_event_stream(client):
    job = running(client)
    seen = []
    follower = threading.Thread(target=lambda: seen.extend(client.events(job)))
    follower.start()
    wait_for(lambda: seen)
    client.cancel(job)
    follower.join(10)

    assert seen[-1].state == "cancelled"


def test_waiting_jobs_can_be_cancelled(single):
    client = single.client
    first, second = running(client), client.submit("gamma", TALK, settings=SHORT)
    third = client.submit("gamma", TALK, settings=SHORT)

    assert (second.state, second.ahead, third.ahead) == ("queued", 0, 1)
    client.cancel(second)
    assert client.job(third).ahead == 0
    client.cancel(first)
    assert client.job(third, wait=20).state == "done"
    assert client.job(second).state == "cancelled"


def test_killed_worker_fails_only_its_job(single):
    client = single.client
    job = running(client)
    (worker,) = single.workers
    os.kill(worker, signal.SIGKILL)
    failed = client.job(job, wait=20)

    assert failed.state == "failed"
    assert failed.problem.record["kind"] == "worker"
    assert "was terminated" in failed.problem.record["detail"]
    assert client.measure("gamma", TALK, settings=SHORT)["draws"] == 30
    assert worker not in single.workers


def test_idle_worker_that_dies_is_replaced(single):
    client = single.client
    client.measure("gamma", TALK, settings=SHORT)
    (worker,) = single.workers
    os.kill(worker, signal.SIGKILL)

    assert client.measure("gamma", TALK, settings=SHORT)["draws"] == 30


def test_too_many_jobs_get_retry_after(start):
    service = start("--processes", "1", "--max-jobs", "2")
    client = service.client
    first = running(client)
    client.submit("gamma", TALK, settings=SHORT)
    with pytest.raises(ProblemError) as refused:
        client.submit("gamma", TALK, settings=SHORT)
    client.cancel(first)

    assert refused.value.status == 429
    assert 1 <= int(refused.value.headers["retry-after"]) <= 60
    wait_for(lambda: client.about()["queued"] + client.about()["running"] == 0)
    assert client.measure("gamma", TALK, settings=SHORT)["draws"] == 30
    service.stop()


def test_job_exceeding_the_time_limit_fails(start):
    service = start("--processes", "1", "--max-seconds", "1")
    job = service.client.submit("gamma", TALK, settings=LONG, wait=30)

    assert job.problem.record["kind"] == "time"
    assert "longer than 1 s" in job.problem.record["detail"]
    assert service.client.measure("gamma", TALK, settings=SHORT)["draws"] == 30
    service.stop()


def test_job_exceeding_the_memory_limit_fails(start):
    service = start("--processes", "1", "--max-memory", "256", "--max-units", "100000000")
    rows = "".join(f"a,{i},{i + 1},{i}{'x' * 800}\n" for i in range(110_000))
    data = service.client.upload_contents(
        {"large.csv": ("annotator,start,end,label\n" + rows).encode()}
    )
    job = service.client.submit("describe", data, wait=60)

    assert job.state == "failed"
    assert job.problem.record["kind"] in ("memory", "worker")
    assert "memory" in job.problem.record["detail"]
    assert service.client.measure("gamma", TALK, settings=SHORT)["draws"] == 30
    service.stop()


def test_sizes_of_requests_are_limited(bounded):
    client = bounded.client
    large = client.submit("gamma", TALK, settings=SHORT, wait=20)
    many = client.submit("gamma", "example:interview", settings={"draws": 51}, wait=20)
    precise = client.submit("gamma", "example:interview", settings={"precision": 0.001}, wait=20)
    resampled = {"resamples": 51, "seed": 1}
    often = client.submit("items", "example:politeness", settings=resampled, wait=20)

    assert "372 units" in large.problem.record["detail"]
    assert "the maximum is 50" in many.problem.record["detail"]
    assert "the maximum is 50" in often.problem.record["detail"]
    assert "choose a larger relative error" in precise.problem.record["detail"]
    with pytest.raises(ProblemError, match=r"at most 0\.1 MB") as refused:
        client.upload_contents({"large.csv": b"x" * 200_000})
    assert refused.value.status == 413


def test_upload_limit_applies_to_chunked_requests(bounded):
    head = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n'
    sent = {"x_unisono": "1", "content_type": "multipart/form-data; boundary=x"}
    chunk = b"10000\r\n" + b"y" * 0x10000 + b"\r\n"
    body = b"%x\r\n%b\r\n" % (len(head), head) + chunk * 4 + b"0\r\n\r\n"
    status, _, _ = bounded.ask("POST", "/api/v1/data", body, transfer_encoding="chunked", **sent)
    promised, _, _ = bounded.ask("POST", "/api/v1/data", None, content_length=str(10**12), **sent)
    with pytest.raises(ProblemError, match="at most 3 files"):
        bounded.client.upload_contents({f"{i}.csv": b"" for i in range(4)})

    assert (status, promised) == (413, 413)
    assert list(bounded.folder.glob("unisono-serve-*/data/*")) == []


def test_storage_of_uploads_is_limited(bounded):
    content = {"a.csv": b"x" * 90_000}
    first = bounded.client.upload_contents(content)
    second = bounded.client.upload_contents(content)
    with pytest.raises(ProblemError, match="is full"):
        bounded.client.upload_contents(content)
    bounded.client.forget_data(first)

    again = bounded.client.upload_contents(content)
    bounded.client.forget_data(again)
    bounded.client.forget_data(second)


def test_too_large_requests_are_not_read(service):
    body = b'{"data": "' + b"x" * (9 * 2**20) + b'"}'
    sent = {"x_unisono": "1", "content_type": "application/json"}
    status, _, answer = service.ask("POST", "/api/v1/gamma", body, **sent)

    assert (status, json.loads(answer)["kind"]) == (413, "limit")


def test_data_and_results_expire(start):
    service = start("--keep", "1")
    client = service.client
    data = client.upload_contents({"a.csv": b"annotator,start,end\na,0,1\nb,0,1\n"})
    job = client.submit("gamma", data, settings=SHORT, wait=20)

    assert job.state == "done"
    wait_for(lambda: not list(service.folder.glob("unisono-serve-*/*/*")), 20)
    for gone in (lambda: client.job(job), lambda: client.submit("gamma", data)):
        with pytest.raises(ProblemError, match="expired"):
            gone()
    service.stop()


def test_finished_jobs_can_be_deleted(service, client):
    job = client.submit("gamma", TALK, settings=SHORT, wait=20)
    client.cancel(job)

    with pytest.raises(ProblemError, match="does not exist"):
        client.job(job)
    assert list(service.folder.glob(f"unisono-serve-*/jobs/{job.id}")) == []


def test_deleting_data_cancels_its_jobs(client):
    rows = "".join(f"{who},{9 * i},{9 * i + 5},x\n" for who in "ab" for i in range(200))
    data = client.upload_contents({"a.csv": ("annotator,start,end,label\n" + rows).encode()})
    job = client.submit("gamma", data, settings=LONG)
    wait_for(lambda: client.job(job).state == "running")
    client.forget_data(data)

    assert client.job(job).state == "cancelled"


def test_stop_signal_ends_the_service_cleanly(start):
    service = start("--processes", "1")
    client = service.client
    client.upload_contents({"a.csv": b"annotator,start,end\na,0,1\n"})
    job, waiting = running(client), client.submit("gamma", TALK, settings=SHORT)
    seen: list[str] = []
    followers = [
        threading.Thread(target=lambda each=each: seen.append([*client.events(each)][-1].state))
        for each in (job, waiting)
    ]
    for follower in followers:
        follower.start()
    time.sleep(0.3)
    workers = service.workers
    code, complaints = service.stop()
    for follower in followers:
        follower.join(10)

    assert (code, complaints) == (0, "unisono: stopped\n")
    assert seen == ["cancelled", "cancelled"]
    assert not any(is_running(worker) for worker in workers)
    assert list(service.folder.glob("unisono-serve-*")) == []


def test_running_jobs_may_finish_at_shutdown(start):
    service = start("--processes", "1")
    job = service.client.submit("gamma", TALK, settings={"draws": 1500, "seed": 1})
    wait_for(lambda: service.client.job(job).done)
    ends = []
    follower = threading.Thread(target=lambda: ends.append([*service.client.events(job)][-1]))
    follower.start()
    time.sleep(0.1)
    code, _ = service.stop(signal.SIGINT)
    follower.join(10)

    assert code == 0
    assert ends[0].state == "done"


def test_stale_folders_of_killed_services_are_deleted(start):
    service = start("--processes", "1")
    running(service.client)
    (worker,) = service.workers
    service.stop(signal.SIGKILL)

    wait_for(lambda: not is_running(worker))
    assert list(service.folder.glob("unisono-serve-*")) != []
    after = start(TMPDIR=str(service.folder))
    assert len(list(service.folder.glob("unisono-serve-*"))) == 1
    after.stop()


def test_many_concurrent_jobs(start):
    service = start("--max-jobs", "10")
    refused: list[int] = []

    def one(number):
        client = Client(service.address)
        while True:
            try:
                found = client.measure("gamma", TALK, settings={"draws": 30, "seed": number})
            except ProblemError as problem:
                refused.append(problem.status)
                time.sleep(0.1)
            else:
                return found["value"]

    with ThreadPoolExecutor(20) as pool:
        values = list(pool.map(one, range(24)))
    alone = [service.client.measure("gamma", TALK, settings={"draws": 30, "seed": 7})["value"]]

    assert len(values) == 24
    assert set(refused) <= {429}
    assert values[7] == alone[0]
    service.stop()


def test_slow_clients_do_not_block_others(service, client):
    slow = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(50)]
    try:
        for i, connection in enumerate(slow):
            connection.sendall(b"POST /api/v1/data HTTP/1.1\r\nHost: localhost\r\n"[: 10 + i])
        begun = time.monotonic()
        value = client.measure("gamma", TALK, settings=SHORT)["value"]
        took = time.monotonic() - begun
    finally:
        for connection in slow:
            connection.close()

    assert value > 0.9
    assert took < 5


def test_interrupted_uploads_are_deleted(service):
    there = set(service.folder.glob("unisono-serve-*/data/*"))
    with socket.create_connection(("127.0.0.1", service.port)) as connection:
        connection.sendall(
            b"POST /api/v1/data HTTP/1.1\r\nHost: localhost\r\nX-Unisono: 1\r\n"
            b"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n"
            b'--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\nabc'
        )
        wait_for(lambda: set(service.folder.glob("unisono-serve-*/data/*")) > there)

    wait_for(lambda: set(service.folder.glob("unisono-serve-*/data/*")) == there)
