"""Race conditions: ends of jobs, cancelling and expiry."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from typing import Any

import pytest

from unisono.web import service as workers
from unisono.web.problems import Limits
from unisono.web.routes import _events
from unisono.web.service import Job, Service, Worker

TALK = {"data": "example:parts_of_speech"}
LONG = {"draws": 100_000, "seed": 1}


def test_slow_event_readers_get_the_final_state(tmp_path):
    async def read():
        job = Job("gamma", {}, tmp_path)
        job.begin()
        events = _events(job, Service(Limits()))
        first = await anext(events)
        # The reader still handles the first event when the job ends.
        job.finish("done")
        async with asyncio.timeout(5):
            return first, [event async for event in events]

    first, rest = asyncio.run(read())
    assert b'"state": "running"' in first
    assert [b'"state": "done"' in event for event in rest] == [True]


def test_killing_a_worker_does_not_poll_its_process(monkeypatch, caplog):
    """If another call collects the exit status first, asyncio warns about an unknown child."""

    async def end():
        worker = Worker(Limits())
        await worker.start()
        looked: list[None] = []
        begun: Any = worker._process
        process = begun._transport.get_extra_info("subprocess")
        monkeypatch.setattr(process, "poll", lambda: looked.append(None))
        os.kill(begun.pid, signal.SIGKILL)
        await worker.kill()
        return worker.is_alive, looked

    with caplog.at_level(logging.WARNING, "asyncio"):
        assert asyncio.run(end()) == (False, [])
    assert caplog.messages == []


def test_task_ending_at_the_timeout_keeps_its_worker(monkeypatch):
    monkeypatch.setattr(workers, "_INTERRUPT_SECONDS", 0.0)

    async def interrupt():
        worker = Worker(Limits())
        await worker.start()
        loop = asyncio.get_running_loop()
        worker._current = loop.create_future()
        loop.call_soon(worker._current.set_result, {})
        await worker.interrupt()
        alive = worker.is_alive
        await worker.kill()
        return alive

    assert asyncio.run(interrupt()) is True


def test_cancelling_never_affects_the_next_job():
    async def race():
        async with Service(Limits(processes=1)) as service:
            warm = service.submit("describe", TALK, {})
            await warm.wait(60)
            states = []
            for step in range(25):
                first, second = (service.submit("describe", TALK, {}) for _ in range(2))
                await asyncio.sleep(2 * warm.seconds * step / 25)
                await service.cancel(first.id)
                await second.wait(60)
                states.append(second.state)
            return states

    assert asyncio.run(race()) == ["done"] * 25


def test_data_in_use_do_not_expire():
    async def expire():
        async with Service(Limits(processes=1)) as service:
            with service.data.incoming() as incoming:
                with incoming.file("talk.csv") as file:
                    rows = "".join(f"{who},{i},{i + 1},A\n" for who in "abc" for i in range(99))
                    incoming.write(file, f"annotator,start,end,label\n{rows}".encode())
                data = service.data.keep(incoming)
            job = service.submit("gamma", {"data": data.id}, LONG)
            data.expires = job.expires = 0.0
            await service.sweep()
            during = data.folder.exists(), job.state
            await service.dispatcher.cancel(job)
            await service.sweep()
            return during, data.folder.exists(), job.folder.exists()

    during, *after = asyncio.run(expire())
    assert during[0]
    assert during[1] in ("queued", "running")
    assert after == [False, False]


@pytest.mark.parametrize("measure", ["describe", "gamma"])
def test_deleting_data_in_use_cancels_the_job(measure):
    async def delete():
        async with Service(Limits(processes=1)) as service:
            with service.data.incoming() as incoming:
                with incoming.file("talk.csv") as file:
                    incoming.write(file, b"annotator,start,end\na,0,1\nb,0,1\n")
                data = service.data.keep(incoming)
            job = service.submit(measure, {"data": data.id}, {})
            await service.forget_data(data.id)
            after = service.submit("describe", TALK, {})
            await after.wait(60)
            return job.state, data.folder.exists(), after.state

    assert asyncio.run(delete()) == ("cancelled", False, "done")
