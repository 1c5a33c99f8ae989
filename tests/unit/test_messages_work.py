"""Error messages of computations, workers and the service that no other test provokes."""

from __future__ import annotations

import socket
from concurrent.futures import Executor
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import unisono as un
from unisono.cli.main import main
from unisono.errors import DataError, SettingError, WorkError
from unisono.parallel.dispatch import Calls
from unisono.parallel.executors import DaskExecutorAdapter, executor_at
from unisono.web import routes
from unisono.web.problems import ProblemError
from unisono.web.server import bound_socket
from unisono.web.uploads import safe_name

CORPUS = un.read("examples/corpus")
REFERENCE = un.Continuum.from_units([("ref", 10 * at, 10 * at + 5, "A") for at in range(20)])

SHUFFLE = ["shuffle", "--magnitude", "0.5", "--units", "5", "-o", "a.csv"]


class DaskExecutor(Executor):
    """The parts of Dask's executor that the adapter uses."""

    _shutdown = True
    _client = SimpleNamespace(get_executor=None)


def add(one: str, other: str) -> str:
    return one + other


def without_memory(*_: object) -> Any:
    raise MemoryError


CASES = {
    "a setting of another type for the task": (
        lambda: un.describe(CORPUS, task=3),  # type: ignore[call-overload]
        TypeError,
        "task must map properties to True or False; got int",
    ),
    "an unknown property of the task": (
        lambda: un.describe(CORPUS, task={"order": True}),
        SettingError,
        "unknown property 'order'; choose from ",
    ),
    "an answer that is not a truth value": (
        lambda: un.describe(CORPUS, task={"ordered": 1}),  # type: ignore[dict-item]
        TypeError,
        "the answer to 'ordered' must be True or False; got 1",
    ),
    "two names of an annotator of chains": (
        lambda: un.Chains.from_groups({"1": [[1, 2]], 1: [[1, 2]]}),  # type: ignore[dict-item]
        DataError,
        "annotators must have different names; '1' is repeated",
    ),
    "a task on a dead executor of Dask": (
        lambda: DaskExecutorAdapter(DaskExecutor()).submit(int),
        RuntimeError,
        "cannot submit a task after shutdown",
    ),
    "a task that is lost": (
        lambda: Calls(add, "", ("one", "two")).on_lost("its worker died"),
        WorkError,
        "the work on 'one' failed: its worker died",
    ),
    "too many simulated units": (
        lambda: un.shuffle(REFERENCE, magnitude=0.5, split_cap=1e7, rng=1),
        DataError,
        "simulated annotators are too many",
    ),
    "an unknown host": (
        lambda: bound_socket("no such host", 0),
        SettingError,
        "cannot listen on no such host:0: no such local address",
    ),
    "a host of another machine": (
        lambda: bound_socket("192.0.2.1", 0),
        SettingError,
        "cannot listen on 192.0.2.1:0: ",
    ),
    "a path in too many folders": (
        lambda: safe_name("/".join("abcdefghijklmnopqrstuvwxyz") + ".csv"),
        ProblemError,
        "a path may have at most ",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_an_error_names_the_value_and_the_remedy(case):
    call, kind, message = CASES[case]
    with pytest.raises(kind) as raised:
        call()
    assert message in str(raised.value)


def test_a_port_in_use_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SettingError, match=f"port {port} is in use; choose another"):
            bound_socket("127.0.0.1", port)


def test_shared_draws_that_need_too_much_memory_are_an_error(monkeypatch):
    monkeypatch.setattr("unisono.measures.gamma.documents.score_draws", without_memory)
    with pytest.raises(WorkError, match="the chance model 'corpus' cannot be made here: it needs"):
        un.gamma(CORPUS, chance="corpus", draws=30, rng=1, workers=1)


def test_a_diagnosis_without_alignments_gives_no_advice_on_groups():
    found = un.diagnose(CORPUS, draws=30, rng=1)
    bare = {
        name: replace(each, gamma=replace(each.gamma, alignment=None))
        for name, each in found.documents.items()
    }
    with pytest.raises(DataError, match="has no alignment; compute it anew with diagnose"):
        un.advise(CORPUS, diagnosis=replace(found, documents=bare), most_merges=0)


def test_a_scheduler_that_stops_answering_is_named(monkeypatch):
    distributed = pytest.importorskip("distributed")

    def gone(*_: object, **__: object) -> Any:
        raise TimeoutError

    monkeypatch.setattr("unisono.parallel.executors._check_workers_at", lambda *_: None)
    monkeypatch.setattr(distributed, "Client", gone)
    with (
        pytest.raises(WorkError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"),
        executor_at("tcp://127.0.0.1:9"),
    ):
        pass


def test_charts_of_the_page_need_the_plotting_packages(monkeypatch):
    monkeypatch.setattr(routes, "find_spec", lambda _: None)
    with pytest.raises(ProblemError, match="charts need additional packages: pip install"):
        routes.vega_bundle()


def test_a_data_frame_needs_its_library(monkeypatch):
    monkeypatch.setattr("unisono.results.render.find_spec", lambda _: None)
    result = un.krippendorff_alpha(un.Ratings.from_matrix([list("ab"), list("ab")]))
    with pytest.raises(SettingError, match="library='polars' is not installed; install it"):
        result.to_frame(library="polars")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["pyramids"], "no input; name at least one file or folder to read"),
        ([*SHUFFLE, "--lengths", "x"], "--lengths must be a number or a range"),
        ([*SHUFFLE, "--documents", "0"], "--documents must be "),
    ],
)
def test_a_command_names_the_option(words, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = main(words)
    assert code == 2
    assert message in " ".join(capsys.readouterr().err.split())
