"""Scheduling of tasks: submission, cancellation, and division after lost workers."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any, NamedTuple
from unittest.mock import MagicMock

import pytest
from distributed import KilledWorker

from dask_cluster import dask_executor
from unisono.errors import WorkError
from unisono.parallel.dispatch import Report, map_items, map_rows, run_tasks
from unisono.parallel.executors import DaskExecutorAdapter, Processes, Threads


class Wait(NamedTuple):
    """A task that takes some time, or fails."""

    seconds: float = 0.0
    error: Exception | None = None

    def run(self) -> int:
        time.sleep(self.seconds)
        if self.error is not None:
            raise self.error
        return threading.get_ident()

    def split(self) -> None:
        """Return None: the task cannot be divided."""

    def merge(self, first: int, second: int) -> int:
        raise NotImplementedError

    def on_lost(self, why: str) -> int:
        raise WorkError(why)


def test_a_single_task_is_done_without_threads():
    assert list(run_tasks([(0, Wait())], executor=None, workers=4)) == [(0, threading.get_ident())]


def test_several_tasks_are_done_by_threads():
    found = dict(run_tasks(enumerate([Wait(0.01)] * 5), executor=None, workers=2))
    assert sorted(found) == [0, 1, 2, 3, 4]
    assert threading.get_ident() not in found.values()


@pytest.mark.parametrize(("keeps", "most"), [(False, 7), (True, 3)])
def test_no_more_tasks_are_taken_than_can_be_done_soon(keeps, most):
    taken: list[int] = []
    kept: list[tuple[int, int]] = []
    keep = (lambda *done: kept.append(done)) if keeps else None

    def tasks() -> Any:
        for number in range(20):
            taken.append(number)
            yield number, Wait(0.001)

    with ThreadPoolExecutor(2) as executor:
        for results, _ in enumerate(run_tasks(tasks(), executor=executor, workers=2, keep=keep)):
            assert len(taken) <= results + most
    assert len(taken) == 20
    assert len(kept) == (20 if keeps else 0)


@pytest.mark.parametrize("workers", [1, 2])
def test_threads_keep_what_they_did_before_they_begin_another_task(workers):
    happened: dict[int, list[str]] = {}
    lock = threading.Lock()

    def note(what: str) -> None:
        with lock:
            happened.setdefault(threading.get_ident(), []).append(what)

    class Noted(Wait):
        def run(self) -> int:
            note("done")
            return super().run()

    tasks = enumerate([Noted(0.002) for _ in range(12)])
    found = list(run_tasks(tasks, executor=None, workers=workers, keep=lambda *_: note("kept")))
    assert len(found) == 12
    assert sum(map(len, happened.values())) == 24
    for each in happened.values():
        assert each == ["done", "kept"] * (len(each) // 2)


def test_what_was_divided_is_kept_once_and_whole():
    class Greedy:
        def __init__(self, items: list[int]) -> None:
            self.items = items

        def run(self) -> list[int]:
            if len(self.items) > 2:
                raise MemoryError
            return [item * 10 for item in self.items]

        def split(self) -> Any:
            middle = len(self.items) // 2
            return Greedy(self.items[:middle]), Greedy(self.items[middle:])

        def merge(self, first: list[int], second: list[int]) -> list[int]:
            return first + second

        def on_lost(self, why: str) -> list[int]:
            raise WorkError(why)

    kept: dict[int, list[list[int]]] = {}
    tasks = [(0, Greedy([1, 2, 3, 4, 5])), (1, Greedy([6]))]

    def keep(number: int, result: list[int]) -> None:
        kept.setdefault(number, []).append(result)

    found = dict(run_tasks(tasks, executor=None, workers=2, keep=keep))
    assert found == {0: [10, 20, 30, 40, 50], 1: [60]}
    assert kept == {0: [found[0]], 1: [found[1]]}


def test_the_error_of_a_task_is_raised_as_it_is():
    tasks = [Wait(), Wait(error=LookupError("lost")), Wait()]
    with pytest.raises(LookupError, match="lost"):
        list(run_tasks(enumerate(tasks), executor=None, workers=2))


def test_who_stops_listening_leaves_no_work_behind():
    began = time.perf_counter()
    handed = run_tasks(enumerate([Wait(), *[Wait(0.05)] * 200]), executor=None, workers=2)
    next(handed)
    handed.close()
    assert time.perf_counter() - began < 3.0
    assert not [each for each in threading.enumerate() if each.name.startswith("unisono")]


class Cancelling(Executor):
    """Executor that cancels every task."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        del fn, args, kwargs
        future: Future[Any] = Future()
        future.cancel()
        future.set_running_or_notify_cancel()
        return future


def test_an_executor_that_cancels_everything_is_reported():
    with pytest.raises(WorkError, match="cancelled the same task several times"):
        list(run_tasks([(0, Wait())], executor=Cancelling(), workers=1))


def test_stopped_threads_do_not_finish_their_work():
    finished: list[bool] = []

    def work() -> None:
        for _ in range(10_000):
            time.sleep(0.001)
        finished.append(True)

    threads = Threads(1)
    future = threads.submit(work)
    time.sleep(0.05)
    threads.stop()
    assert isinstance(future.exception(), KeyboardInterrupt)
    assert not finished


def test_stopped_processes_are_gone():
    executor = Processes(1)
    pid = executor.submit(os.getpid).result()
    executor.submit(time.sleep, 60)
    executor.stop()
    executor.shutdown()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_work_on_a_cluster_is_taken_back():
    with dask_executor(1) as executor:
        client: Any = executor._client  # type: ignore[attr-defined]
        handed = run_tasks(enumerate([Wait(), *[Wait(0.3)] * 50]), executor=executor, workers=5)
        next(handed)
        began = time.perf_counter()
        handed.close()
        while client.run_on_scheduler(_tasks) and time.perf_counter() - began < 8.0:
            time.sleep(0.1)
        assert client.run_on_scheduler(_tasks) == 0


def test_a_result_that_was_lost_with_its_worker_is_an_error_and_not_waited_for(monkeypatch):
    with dask_executor(1) as executor:
        client: Any = executor._client  # type: ignore[attr-defined]
        gather = client._gather
        key, left = "a task", [2]

        async def lost_at_first(*args: Any, **settings: Any) -> Any:
            # Raised by Dask if a lost result is computed again and terminates its worker.
            left[0] -= 1
            if left[0] >= 0:
                raise KilledWorker(key, MagicMock(), 1)
            return await gather(*args, **settings)

        monkeypatch.setattr(client, "_gather", lost_at_first)
        with pytest.raises(KilledWorker):
            DaskExecutorAdapter(executor).submit(pow, 2, 5).result(timeout=20.0)
        # A single loss does not prove that the task terminates workers.
        assert len(list(run_tasks([(0, Wait())], executor=executor, workers=1))) == 1
        assert left == [-1]


def _tasks(dask_scheduler: Any) -> int:
    return len(dask_scheduler.tasks)


def test_calls_are_restored_in_order():
    told: list[tuple[int, int]] = []
    report = Report(lambda *of: told.append(of), 50)
    found = map_items(
        pow, 2, list(range(50)), seconds=0.01, executor=None, workers=3, report=report
    )
    assert found == [2**at for at in range(50)]
    assert told[-1] == (50, 50)


def test_rows_are_restored_in_order():
    rows = map_rows(
        _twice,
        2.0,
        [1, 5],
        seconds=1.0,
        executor=None,
        workers=2,
        report=Report(None, 2),
        kept=None,
    )
    assert rows.tolist() == [[2.0, 1.0], [10.0, 5.0]]


def _twice(factor: float, item: int) -> tuple[float, float]:
    return factor * item, item
