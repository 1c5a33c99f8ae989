"""Results do not depend on the executor: threads, processes, a Dask cluster over TCP."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import unisono as un
from dask_cluster import dask_executor
from sample_texts import CORPUS, TEXT
from unisono.errors import DataError, SettingError, WorkError
from unisono.parallel.dispatch import workers_of
from unisono.parallel.executors import Processes, executor_at
from work_samples import FEW, documents

pytestmark = pytest.mark.usefixtures("short_chunks")

SOME = documents(40)
RATINGS = un.Ratings.from_matrix(
    {name: np.random.default_rng(at).integers(0, 3, 400).tolist() for at, name in enumerate("abc")}
)


@pytest.fixture(scope="module")
def processes():
    with Processes(2) as executor:
        yield executor


@pytest.fixture(scope="module")
def cluster():
    with dask_executor(2) as executor:
        yield executor


@pytest.fixture(scope="module", params=["threads", "processes", "pool", "cluster"])
def executor(request, processes, cluster):
    if request.param == "threads":
        with ThreadPoolExecutor(3) as threads:
            yield threads
    elif request.param == "pool":
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(2, mp_context=spawn) as pool:
            yield pool
    else:
        yield {"processes": processes, "cluster": cluster}[request.param]


def test_a_cluster_that_is_closed_is_reported():
    with dask_executor(1) as executor:
        pass
    with pytest.raises(WorkError, match="shut down before the work was done"):
        un.gamma(SOME, executor=executor, **FEW)
    with pytest.raises(WorkError, match="shut down before the work was done"):
        un.gamma(SOME, executor=executor, workers=2, **FEW)


def test_advice_is_the_same_everywhere(executor):
    here = un.advise(CORPUS, draws=10, rng=1)
    there = un.advise(CORPUS, draws=10, rng=1, executor=executor)

    assert there.to_json() == here.to_json()
    assert here.annotator_gains


def test_a_function_that_cannot_be_pickled_is_reported(processes):
    own = un.CustomDissimilarity(cost=lambda first, second: abs(first.starts - second.starts))
    with pytest.raises(WorkError, match=r"cannot be sent to another process \(.*or use threads"):
        un.gamma(SOME, dissimilarity=own, executor=processes, **FEW)


def test_processes_are_of_use_after_a_call_that_failed(processes):
    crowd = un.Continuum.from_units([(f"a{at}", 0, 5, "A") for at in range(151)])
    with pytest.raises(DataError, match="document 'crowd'"):
        un.gamma(SOME.with_continua({"crowd": crowd}), executor=processes, **FEW)

    here = un.gamma(SOME, **FEW)
    assert un.gamma(SOME, executor=processes, **FEW).to_json() == here.to_json()


def test_the_cluster_is_reached_over_tcp(cluster):
    assert cluster._client.scheduler.address.startswith("tcp://")
    assert len(cluster._client.scheduler_info()["workers"]) == 2


@pytest.mark.parametrize("chance", ["shift", "corpus", "statistical", "gamma-software"])
def test_gamma_of_a_corpus_is_the_same_everywhere(executor, chance):
    corpus = CORPUS if chance == "corpus" else SOME
    here = un.gamma(corpus, chance=chance, workers=1, **FEW)
    there = un.gamma(corpus, chance=chance, executor=executor, **FEW)

    assert there.to_json() == here.to_json()


@pytest.mark.parametrize("settings", [{"draws": 800}, {"precision": 0.01, "soft": True}])
def test_gamma_of_one_continuum_is_the_same_everywhere(executor, settings):
    here = un.gamma(TEXT, rng=2, workers=1, **settings)
    there = un.gamma(TEXT, rng=2, executor=executor, **settings)

    assert there.to_json() == here.to_json()
    assert there.alignment is not None
    assert here.alignment is not None
    assert there.alignment.to_dict() == here.alignment.to_dict()


def test_draws_are_made_from_the_named_annotators_everywhere(executor):
    here = un.gamma(SOME, chance_from=("ann",), workers=1, **FEW)
    there = un.gamma(SOME, chance_from=("ann",), executor=executor, **FEW)

    assert there.to_json() == here.to_json()


@pytest.mark.parametrize("measure", ["krippendorff_alpha", "fleiss_kappa", "gwet_ac1", "percent"])
def test_a_bootstrap_is_the_same_everywhere(executor, measure, monkeypatch):
    # Small blocks, so that there are several tasks.
    monkeypatch.setattr("unisono.measures.sampling._BLOCK", 2**12)
    here = un.bootstrap(RATINGS, measure, resamples=300, rng=1, method="bca")
    there = un.bootstrap(RATINGS, measure, resamples=300, rng=1, method="bca", executor=executor)

    assert there.to_json() == here.to_json()


def test_a_scan_is_the_same_everywhere(executor):
    reference = un.generate_reference(10, rng=1)
    settings: dict[str, Any] = {"magnitudes": 2, "repeats": 3, "rng": 1, "overlap": False}
    here = un.error_curves(reference, workers=1, **settings)

    assert un.error_curves(reference, executor=executor, **settings).to_json() == here.to_json()


def test_a_calibration_is_the_same_everywhere(executor):
    settings: dict[str, Any] = {"errors": ("position", "category"), "repeats": 5, "draws": 5}
    settings |= {"magnitudes": (0.2, 0.5), "rng": 3}
    here = un.calibrate(TEXT, workers=1, **settings)

    assert un.calibrate(TEXT, executor=executor, **settings).to_json() == here.to_json()


def test_other_long_computations_take_an_executor(processes):
    assert un.measure_units(TEXT, draws=30, rng=1, executor=processes).to_json() == (
        un.measure_units(TEXT, draws=30, rng=1).to_json()
    )
    assert un.diagnose(TEXT, draws=30, rng=1, executor=processes).to_json() == (
        un.diagnose(TEXT, draws=30, rng=1).to_json()
    )
    sides: dict[str, Any] = {"within": TEXT, "draws": 30, "rng": 1}
    names = TEXT.annotators
    assert un.compare(names[:2], names[2], executor=processes, **sides).to_json() == (
        un.compare(names[:2], names[2], **sides).to_json()
    )


def test_progress_is_reported_from_a_cluster(processes):
    told: list[tuple[int, int]] = []
    un.gamma(SOME, executor=processes, progress=lambda *of: told.append(of), **FEW)

    assert told[-1] == (40 * 12, 40 * 12)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert len(told) > 1


def test_what_is_not_an_executor_is_refused(cluster):
    with pytest.raises(TypeError, match=r"must be a concurrent\.futures\.Executor.*got int"):
        un.gamma(TEXT, executor=2)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"got Client; pass the result of its get_executor\(\)"):
        un.gamma(TEXT, executor=cluster._client)


def test_an_executor_that_was_shut_down_is_refused():
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(WorkError, match="shut down before the work was done"):
        un.gamma(TEXT, draws=30, executor=executor)


def test_an_unknown_place_is_refused():
    with pytest.raises(SettingError, match="unknown executor 'moon'"), executor_at("moon"):
        pass


def test_an_address_without_a_scheduler_is_reported(monkeypatch):
    monkeypatch.setattr("unisono.parallel.executors._SCHEDULER_TIMEOUT", 1)
    address = "tcp://127.0.0.1:9"
    with pytest.raises(WorkError, match=f"no Dask scheduler answers at {address}"):
        executor_at(address).__enter__()


def test_a_cluster_without_dask_states_what_to_install(monkeypatch):
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("unisono.parallel.executors.import_module", missing)
    with pytest.raises(SettingError, match=r"pip install 'unisono\[cluster\]'"):
        executor_at("tcp://127.0.0.1:9").__enter__()


def test_workers_are_counted_where_that_can_be_known(processes, cluster):
    assert workers_of(processes) == 2
    assert workers_of(cluster) == 2


def test_a_script_that_starts_itself_again_gets_an_error_of_one_sentence(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from unisono.parallel.executors import executor_at\n"
        "with executor_at('processes', workers=1) as executor:\n"
        "    print(executor.submit(pow, 2, 5).result())\n"
    )
    command = [sys.executable, str(script)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    assert (ran.returncode, ran.stdout) == (1, "")
    told = ran.stderr.strip().splitlines()
    assert told[-1].endswith('below the line: if __name__ == "__main__":')
    assert ran.stderr.count("Traceback") == 1
