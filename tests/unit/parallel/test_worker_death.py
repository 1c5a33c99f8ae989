"""Killed workers: no result is lost or changed, and the task that kills workers is found."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import time
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

import unisono as un
from dask_cluster import dask_executor
from dying_workers import (
    DEADLY,
    OnceCutOff,
    OnceDeadly,
    deadly_cost,
    failing_cost,
    greedy_cost,
    plain_cost,
)
from unisono.errors import DataError, SettingError, WorkError
from unisono.parallel.dispatch import run_tasks
from unisono.parallel.executors import Processes
from work_samples import FEW, document, documents

if TYPE_CHECKING:
    from collections.abc import Callable

MANY = documents(200)
DIED = "its worker process was terminated each time (killed, or out of memory)"


def own(cost: Callable[..., Any]) -> un.CustomDissimilarity:
    return un.CustomDissimilarity(cost=cost, name="own")


class Killer:
    """Progress callback of `gamma` that kills a worker after the first results."""

    def __init__(self, pid: Callable[[], int]) -> None:
        self.pid = pid
        self.killed = 0

    def __call__(self, done: int, total: int) -> None:
        if not self.killed and 0 < done < total:
            self.killed = self.pid()
            os.kill(self.killed, signal.SIGKILL)


@pytest.mark.usefixtures("short_chunks")
def test_a_worker_of_a_cluster_that_is_killed_changes_nothing():
    here = un.gamma(MANY, workers=1, **FEW)
    with dask_executor(2) as executor:
        client: Any = executor._client  # type: ignore[attr-defined]
        killer = Killer(lambda: min(client.run(os.getpid).values()))
        there = un.gamma(MANY, executor=executor, progress=killer, **FEW)
        again = un.gamma(MANY, executor=executor, **FEW)

    assert killer.killed
    assert there.to_json() == again.to_json() == here.to_json()


@pytest.mark.usefixtures("short_chunks")
def test_a_process_that_is_killed_changes_nothing():
    here = un.gamma(MANY, workers=1, **FEW)
    with Processes(2) as executor:
        killer = Killer(lambda: min(executor._pool._processes))
        there = un.gamma(MANY, executor=executor, progress=killer, **FEW)
        again = un.gamma(MANY, executor=executor, **FEW)

    assert killer.killed
    assert there.to_json() == again.to_json() == here.to_json()


def test_a_process_that_dies_once_is_replaced(tmp_path):
    corpus = documents(30)
    with Processes(2) as executor:
        there = un.gamma(corpus, dissimilarity=own(OnceDeadly(tmp_path)), executor=executor, **FEW)

    assert (tmp_path / "killed").exists()
    here = un.gamma(corpus, dissimilarity=own(plain_cost), workers=1, **FEW)
    assert there.to_json() == here.to_json()


def test_a_process_that_is_killed_in_the_middle_of_its_answer_is_replaced(tmp_path):
    tasks: list[tuple[int, Any]] = [(0, OnceCutOff(tmp_path))]
    with Processes(2) as executor:
        assert list(run_tasks(tasks, executor=executor, workers=2)) == [(0, "whole")]


def test_a_program_ends_that_is_stopped_in_the_middle_of_an_answer(tmp_path):
    executor = Processes(1)
    executor.submit(OnceCutOff(tmp_path).run)
    while not (tmp_path / "cut off").exists():
        time.sleep(0.01)
    time.sleep(0.2)
    waits: Any = executor._pool._executor_manager_thread
    executor.stop()
    waits.join(20.0)
    assert not waits.is_alive()
    executor.shutdown()


def test_a_broken_pool_of_the_user_is_reported_in_a_sentence(tmp_path):
    spawn = multiprocessing.get_context("spawn")
    with (
        ProcessPoolExecutor(2, mp_context=spawn) as executor,
        pytest.raises(WorkError, match=r"broke its pool.*Processes replaces lost workers"),
    ):
        un.gamma(documents(30), dissimilarity=own(OnceDeadly(tmp_path)), executor=executor, **FEW)


# Documents that fail


@pytest.mark.slow
def test_the_document_that_kills_its_workers_is_found_and_others_are_measured():
    corpus = documents(4, deadly=(2,))
    with Processes(1) as executor:
        result = un.gamma(
            corpus, dissimilarity=own(deadly_cost), executor=executor, on_error="report", **FEW
        )
        with pytest.raises(
            WorkError, match=re.escape(f"document 'text0000' cannot be measured here: {DIED}")
        ):
            un.gamma(
                documents(1, deadly=(0,)),
                dissimilarity=own(deadly_cost),
                executor=executor,
                **FEW,
            )

    assert dict(result.failed_documents) == {"text0002": DIED}
    _without(result, corpus, "text0002")


@pytest.mark.slow
def test_the_document_that_kills_workers_of_a_cluster_is_found():
    assert _failed_on_a_cluster(documents(2, deadly=(1,)), **FEW) == {"text0001": DIED}


@pytest.mark.slow
@pytest.mark.usefixtures("short_chunks")
def test_who_stands_beside_the_document_that_kills_workers_is_not_blamed():
    corpus = documents(6, deadly=(2,))
    assert _failed_on_a_cluster(corpus, **FEW | {"draws": 2}) == {"text0002": DIED}


def _failed_on_a_cluster(corpus: un.Corpus, **settings: Any) -> dict[str, str]:
    killing = own(deadly_cost)
    with dask_executor(1) as executor:
        result = un.gamma(
            corpus, dissimilarity=killing, executor=executor, on_error="report", **settings
        )
    return dict(result.failed_documents)


@pytest.mark.parametrize(
    ("cost", "why"),
    [
        (failing_cost, "ZeroDivisionError: deadly"),
        (greedy_cost, "it needs more memory than is available"),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_document_that_fails_is_reported_by_name(cost, why, workers):
    corpus = documents(12, deadly=(7,))
    result = un.gamma(corpus, dissimilarity=own(cost), workers=workers, on_error="report", **FEW)

    assert dict(result.failed_documents) == {"text0007": why}
    # Notes on intervals, which eleven short documents have not, follow.
    assert result.notes[0] == f"1 of 12 documents failed and is left out: text0007 ({why})"
    _without(result, corpus, "text0007")


def _without(result: un.results.GammaAgreement, corpus: un.Corpus, failed: str) -> None:
    others = corpus.with_continua({n: c for n, c in corpus.items() if n != failed})
    without = un.gamma(others, dissimilarity=own(plain_cost), workers=1, **FEW)
    assert result.value == without.value
    assert result.left_out_documents == (failed,)
    assert result.signature["failed"] == "1"
    assert result.to_dict()["failed_documents"] == dict(result.failed_documents)
    why = result.failed_documents[failed]
    assert result.documents[failed].undefined == f"it failed: {why}"


def test_a_failure_is_raised_by_default_and_names_its_document():
    texts = {"good": document(1), "bad": document(2).rename(labels={"B": DEADLY})}
    crowd = un.Continuum.from_units([(f"annotator {i}", 0, 5) for i in range(151)])
    with pytest.raises(ZeroDivisionError):
        un.gamma(un.Corpus.from_continua(texts), dissimilarity=own(failing_cost), **FEW)
    with pytest.raises(DataError, match="document 'bad': a document can have up to 150 annotators"):
        un.gamma(un.Corpus.from_continua(texts | {"bad": crowd}), **FEW)
    with pytest.raises(DataError, match=r"^a document can have up to 150 annotators"):
        un.gamma(crowd, **FEW)


def test_where_everything_fails_there_is_no_value():
    crowd = un.Continuum.from_units([(f"annotator {i}", 0, 5) for i in range(151)])
    result = un.gamma(un.Corpus.from_continua({"a": crowd, "b": crowd}), on_error="report", **FEW)

    assert result.undefined == "all documents with something to measure failed"
    assert set(result.failed_documents) == {"a", "b"}


def test_an_unknown_way_to_treat_failures_is_refused():
    with pytest.raises(SettingError, match="unknown on_error='skip'; choose one of 'raise'"):
        un.gamma(document(1), on_error="skip")  # type: ignore[arg-type]
