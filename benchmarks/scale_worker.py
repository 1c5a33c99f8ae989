"""One measurement of `scale.py`, in its own process: `python scale_worker.py NAME SETTINGS`."""

from __future__ import annotations

import json
import os
import pickle
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Executor, Future
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from made_data import jittered
from readers import peak

import unisono as un
from unisono.measures.gamma import documents as gamma_tasks
from unisono.parallel.executors import executor_at

if TYPE_CHECKING:
    from collections.abc import Callable

DRAWS = 30
WORKERS = 2
REPETITIONS = 3
TURNS = 15  # of two ways beside each other
CHUNKS_BEFORE_KILL = 5


def corpus_of(documents: int, annotators: int, units: int) -> un.Corpus:
    """Make documents of annotators who mark the same things, each a little differently."""
    continua = {}
    for number in range(documents):
        made = jittered(annotators, units, spread=0.15, relabelled=0.1, seed=number)
        continua[f"text{number:06}"] = un.Continuum.from_columns(*made)
    return un.Corpus.from_continua(continua)


def seconds(call: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Time a call."""
    began = clock()
    call()
    return clock() - began


# What one core does is counted in its own time, so that others who use the machine count less.
own_time = time.process_time


def ratio_of_both(first: Callable[[], object], second: Callable[[], object]) -> float:
    """Time two calls in turns and say how much longer the second takes: the median of the ratios.

    The machine itself is quicker and slower by turns, so only neighbours are compared.
    """
    ratios = []
    for turn in range(TURNS):
        if turn % 2:
            one, two = seconds(first), seconds(second)
        else:
            two, one = seconds(second), seconds(first)
        ratios.append(two / one)
    return statistics.median(ratios)


def gamma_of(corpus: un.Corpus, **settings: Any) -> un.results.GammaAgreement:  # noqa: ANN401
    """Compute what is measured, the same everywhere."""
    return un.gamma(corpus, rng=1, draws=DRAWS, **settings)


def gamma(documents: int, annotators: int, units: int) -> dict[str, float]:
    """Measure one core."""
    corpus = corpus_of(documents, annotators, units)
    best = min(seconds(lambda: gamma_of(corpus, workers=1), own_time) for _ in range(REPETITIONS))
    return {"seconds": best, "draws": DRAWS + 1}


def threads(documents: int, annotators: int, units: int) -> dict[str, float]:
    """Measure one thread and two."""
    corpus = corpus_of(documents, annotators, units)
    ratio = ratio_of_both(
        lambda: gamma_of(corpus, workers=WORKERS), lambda: gamma_of(corpus, workers=1)
    )
    return {"ratio": ratio}


def processes(documents: int, annotators: int, units: int) -> dict[str, float]:
    """Measure two processes of this machine, once they are there, and two threads."""
    with executor_at("processes", workers=WORKERS) as executor:
        return {"ratio": ratio_to_threads(executor, documents, annotators, units)}


def dask(documents: int, annotators: int, units: int) -> dict[str, float]:
    """Measure a cluster of two workers on this machine, once it is there, and two threads."""
    from distributed import LocalCluster  # noqa: PLC0415 - slow, and only here

    with (
        LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=":0") as cluster,  # type: ignore[no-untyped-call]
        executor_at(cluster.scheduler_address) as executor,
    ):
        return {"ratio": ratio_to_threads(executor, documents, annotators, units)}


def ratio_to_threads(executor: Executor, documents: int, annotators: int, units: int) -> float:
    """Return the time that an executor takes, divided by that of as many threads."""
    corpus = corpus_of(documents, annotators, units)
    # The first task makes each worker import what it needs.
    gamma_of(corpus_of(50, annotators, units), executor=executor)
    return ratio_of_both(
        lambda: gamma_of(corpus, workers=WORKERS), lambda: gamma_of(corpus, executor=executor)
    )


def checkpoint(documents: int, annotators: int, units: int) -> dict[str, float]:
    """Measure with and without a checkpoint."""
    corpus = corpus_of(documents, annotators, units)
    with tempfile.TemporaryDirectory() as folder:
        new = count()

        def kept() -> None:
            gamma_of(corpus, workers=WORKERS, checkpoint=Path(folder, str(next(new))))

        return {"ratio": ratio_of_both(lambda: gamma_of(corpus, workers=WORKERS), kept)}


def resume(documents: int, annotators: int, units: int) -> dict[str, float]:
    """Kill a run in the middle, resume it, and count the chunks that were begun twice."""
    shape = {"documents": documents, "annotators": annotators, "units": units}
    with tempfile.TemporaryDirectory() as folder:
        begun = Path(folder, "begun")
        settings = json.dumps({**shape, "folder": folder})
        command = [sys.executable, __file__, "kept", settings]
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while running.poll() is None and lines_of(begun) < CHUNKS_BEFORE_KILL:
            time.sleep(0.01)
        running.send_signal(signal.SIGKILL)
        running.wait()
        subprocess.check_call(command, stdout=subprocess.DEVNULL)
        chunks = begun.read_text().splitlines()
    return {"again": (len(chunks) - len(set(chunks))) / WORKERS}


def lines_of(path: Path) -> int:
    """Count the lines of a file that may not be there yet."""
    return path.read_text().count("\n") if path.exists() else 0


def kept(documents: int, annotators: int, units: int, folder: str) -> dict[str, float]:
    """Run with a checkpoint, and write down each chunk that is begun."""
    done = gamma_tasks.DocumentsTask.run
    begun = Path(folder, "begun").open("a", buffering=1)  # noqa: SIM115 - until the end

    def told(task: gamma_tasks.DocumentsTask) -> object:
        begun.write(f"{task.names[0]}\n")
        return done(task)

    gamma_tasks.DocumentsTask.run = told  # type: ignore[method-assign, assignment]
    gamma_of(corpus_of(documents, annotators, units), workers=WORKERS, checkpoint=folder)
    return {}


class Counting(Executor):
    """Does everything at once, and counts bytes and the time that is the workers' own."""

    def __init__(self) -> None:
        self.bytes, self.busy = 0, 0.0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ANN401
        """Do it."""
        sent = pickle.dumps((fn, args, kwargs))
        began = own_time()
        function, given, named = pickle.loads(sent)  # noqa: S301 - our own
        answer = pickle.dumps(function(*given, **named))
        self.busy += own_time() - began
        self.bytes += len(sent) + len(answer)
        future: Future[Any] = Future()
        future.set_result(pickle.loads(answer))  # noqa: S301 - our own
        return future


def serial(documents: int, annotators: int, units: int) -> dict[str, float]:
    """Measure what the process that hands work out does itself."""
    corpus = corpus_of(documents, annotators, units)
    executor = Counting()
    whole = seconds(lambda: gamma_of(corpus, executor=executor), own_time)
    return {"serial": (whole - executor.busy) / documents, "bytes": executor.bytes / documents}


def write(path: str, documents: int, annotators: int, units: int) -> dict[str, float]:
    """Write a table of many documents."""
    with Path(path).open("w", encoding="utf-8") as file:
        file.write("document,annotator,start,end,label\n")
        for number in range(documents):
            made = jittered(annotators, units, spread=0.15, relabelled=0.1, seed=number)
            rows = zip(*(column.tolist() for column in made), strict=True)
            file.writelines(f"text{number:06},{a},{s},{e},{k}\n" for a, s, e, k in rows)
    return {}


def large(path: str) -> dict[str, float]:
    """Measure reading a large corpus, and γ of it, in the time of the cores."""
    began = own_time()
    corpus = un.read(path)
    read_at, read_peak = own_time(), peak()
    result = un.gamma(corpus, rng=1, draws=DRAWS)
    measured, gamma_peak = own_time(), peak()
    result.sheet().tables[1].view(10)
    return {
        "read": read_at - began,
        "read_peak": read_peak,
        "gamma": measured - read_at,
        "gamma_peak": gamma_peak,
        "worst": own_time() - measured,
        "peak": peak(),
    }


MEASUREMENTS = (gamma, threads, processes, dask, checkpoint, resume, kept, serial, write, large)


if __name__ == "__main__":
    name, settings = sys.argv[1:]
    chosen = {function.__name__: function for function in MEASUREMENTS}[name]
    answer = chosen(**json.loads(settings))
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
    # Threads of a cluster that is gone may still wait for it.
    os._exit(0)
