"""Jobs, worker processes and the service."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile

import pytest

from unisono.web.problems import Limits, ProblemError
from unisono.web.service import Job, Service, Worker, format_time, wait_for
from unisono.web.uploads import example_source

TALK = {"data": "example:interview"}
ONE = Limits(processes=1, jobs=1)


@pytest.fixture
def job(tmp_path):
    folder = tmp_path / "job"
    folder.mkdir()
    return Job("gamma", {}, folder)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The folder of temporary files of a service."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def problem(call, *arguments):
    """Return the kind and the message of a problem."""
    with pytest.raises(ProblemError) as refused:
        call(*arguments)
    return refused.value.record["kind"], str(refused.value)


def test_worker_runs_tasks_until_it_is_killed():
    async def live():
        worker = Worker(ONE)
        before = worker.is_alive, worker.pid
        await worker.start()
        await worker.start()  # has no effect
        during = worker.is_alive, worker.pid is not None, worker.bytes > 0, worker.exceeds_memory
        worker.bytes *= 2
        grown = worker.exceeds_memory
        await worker.kill()
        await worker.kill()
        return before, during, grown, (worker.is_alive, worker.is_over)

    before, during, grown, after = asyncio.run(live())

    assert before == (False, None)
    assert during == (True, True, True, False)
    assert grown
    assert after == (False, True)


def test_worker_without_a_process_rejects_tasks():
    async def ask():
        worker = Worker(ONE)
        await worker.interrupt()
        await worker.kill()
        with pytest.raises(ProblemError, match="the worker process was terminated") as never:
            await worker.perform({}, lambda _: None)
        await worker.start()
        await worker.kill()
        with pytest.raises(ProblemError, match="the worker process was terminated") as ended:
            await worker.perform({}, lambda _: None)
        return never.value.record["kind"], ended.value.record["kind"]

    assert asyncio.run(ask()) == ("worker", "worker")


@pytest.mark.skipif(os.name == "nt", reason="no process can be killed by a signal there")
def test_worker_death_fails_its_task(tmp_path):
    request = {
        "measure": "gamma",
        "sources": {"data": example_source("example:interview")},
        "settings": {"draws": 100_000, "seed": 1},
        "target": str(tmp_path),
        "units": 1000,
        "draws": 100_000,
        "threads": 1,
    }

    async def die():
        worker = Worker(ONE)
        await worker.start()

        def kill(event):
            if worker.pid is not None:
                os.kill(worker.pid, signal.SIGKILL)

        with pytest.raises(ProblemError, match="the worker process was terminated") as died:
            await worker.perform(request, kill)
        await worker.kill()
        return died.value.record["kind"], worker.is_over

    assert asyncio.run(die()) == ("worker", True)


def test_worker_that_does_not_start_in_time_is_killed(monkeypatch):
    monkeypatch.setattr("unisono.web.service._START_SECONDS", 0.0)

    async def start():
        worker = Worker(ONE)
        with pytest.raises(ProblemError, match="the worker process could not be started"):
            await worker.start()
        return worker.is_alive, worker.is_over

    assert asyncio.run(start()) == (False, True)


def test_job_measures_its_running_time(job):
    assert job.seconds == 0.0
    job.begin()
    assert job.state == "running"
    assert job.seconds >= 0.0
    job.finish("done")
    ended = job.seconds

    assert (job.seconds, job.is_finished) == (ended, True)


def test_files_of_a_finished_job_are_available(job):
    (job.folder / "result.json").write_bytes(b"{}")
    unfinished = ("unfinished", "the job is not finished; query its state first")
    assert problem(job.path, "result.json") == unfinished
    job.begin()
    assert problem(job.path, "result.json") == unfinished
    job.finish("done")

    assert job.path("result.json") == job.folder / "result.json"
    assert problem(job.path, "none.csv") == ("not-found", "the job has no such file")
    assert problem(job.path, ".") == ("not-found", "the job has no such file")


def test_job_without_a_result_raises_a_problem(job):
    (job.folder / "result.json").write_bytes(b"{}")
    failed = Job("gamma", {}, job.folder)
    read_error = ProblemError("reading", "no number", file="a.csv", line=2)
    failed.finish("failed", problem=read_error.record)
    job.finish("cancelled")

    assert problem(job.path, "result.json")[0] == "cancelled"
    with pytest.raises(ProblemError, match=r"^no number$") as refused:
        failed.path("result.json")
    assert refused.value.record == read_error.record


def test_waiting_ends_with_the_job_or_the_timeout(job):
    async def wait():
        await job.wait(0.01)
        early = job.is_finished
        change = job.next_change()
        waiting = asyncio.ensure_future(job.wait(60))
        await asyncio.sleep(0)
        job.finish("done")
        await asyncio.wait_for(waiting, 5)
        return (
            early,
            change.is_set(),
            await wait_for(change, 60),
            await wait_for(job.next_change(), 0.01),
        )

    assert asyncio.run(wait()) == (False, True, True, False)


def test_times_have_the_format_of_rfc_3339():
    assert format_time(0) == "1970-01-01T00:00:00Z"
    assert format_time(1_700_000_000.9) == "2023-11-14T22:13:20Z"


def test_service_runs_jobs_and_deletes_its_files(here):
    async def measure():
        async with Service(ONE) as service:
            job = service.submit("gamma", TALK, {"seed": 1, "draws": 30})
            await job.wait(60)
            names = {file["name"] for file in job.files}
            there = [job.path(name).is_file() for name in names]
            size = job.bytes
            await service.cancel(job.id)  # deletes a finished job
            with pytest.raises(ProblemError, match="the job does not exist or has expired") as gone:
                service.job(job.id)
            return job.state, there, size, job.folder.exists(), gone.value.record["kind"]

    state, there, size, kept, kind = asyncio.run(measure())

    assert (state, set(there), kept, kind) == ("done", {True}, False, "not-found")
    assert size > 0
    assert list(here.iterdir()) == []


def test_too_many_jobs_are_rejected_without_a_folder(here):
    async def crowd():
        async with Service(ONE) as service:
            first = service.submit("gamma", TALK, {"seed": 1, "draws": 100_000})
            with pytest.raises(ProblemError, match="1 job is already waiting") as refused:
                service.submit("gamma", TALK, {})
            folders = [path.name for path in first.folder.parent.iterdir()]
            await service.cancel(first.id)
            return first, folders, refused.value

    first, folders, refused = asyncio.run(crowd())

    assert first.state == "cancelled"
    assert folders == [first.id]
    assert refused.record["kind"] == "busy"
    assert 1 <= int(refused.headers["Retry-After"]) <= 60


@pytest.mark.parametrize("data", ["example:none", "d_none"])
def test_job_on_unknown_data_is_rejected(here, data):
    service = Service(ONE)

    assert problem(service.submit, "gamma", {"data": data}, {})[0] == "not-found"
    assert list(here.iterdir()) == []


def test_deleting_an_upload_keeps_jobs_on_other_uploads(here):
    async def delete():
        async with Service(Limits(processes=1)) as service:
            with service.data.incoming() as incoming:
                incoming.file("talk.csv").close()
                data = service.data.keep(incoming)
            job = service.submit("describe", TALK, {})
            await service.forget_data(data.id)
            await job.wait(60)
            return job.state, data.folder.exists(), list(service.data)

    assert asyncio.run(delete()) == ("done", False, [])


def test_stopped_service_rejects_jobs(here, job):
    async def stop():
        service = Service(ONE)
        await service.close(grace=0.1)
        return problem(service.dispatcher.submit, job)

    assert asyncio.run(stop()) == ("closing", "the service is stopping and does not accept jobs")
    assert job.state == "queued"
