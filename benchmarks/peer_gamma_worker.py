"""Runs in the peer's environment: γ, γcat and every γk of one file, as one line of JSON.

python peer_gamma_worker.py FILE DRAWS SEED SAMPLER SOLVER
"""

from __future__ import annotations

import json
import os
import sys
import time


def main() -> None:
    """Measure, and print the result on the standard output that was there at the start."""
    path, draws, seed, sampler_name, solver = sys.argv[1:]
    # GLPK talks on file descriptor 1; what it says must not get between us and the caller.
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    before_import = time.perf_counter()
    import numpy as np  # noqa: PLC0415 - importing is measured, here and below
    import pygamma_agreement as peer  # noqa: PLC0415
    from pyannote.core import Segment  # noqa: PLC0415

    import_seconds = time.perf_counter() - before_import
    if solver == "glpk":
        sys.modules["cylp"] = None  # type: ignore[assignment]
    samplers = {
        "shuffle": lambda: peer.ShuffleContinuumSampler(pivot_type="float_pivot"),
        "statistical": peer.StatisticalContinuumSampler,
    }
    dissimilarity = peer.CombinedCategoricalDissimilarity(alpha=1.0, beta=1.0, delta_empty=1.0)

    # Numba compiles at the first call: that is not counted.
    tiny = peer.Continuum()
    for annotator in ("a", "b", "c"):
        for i in range(3):
            tiny.add(annotator, Segment(10 * i, 10 * i + 5), "xy"[i % 2])
    before_warming_up = time.perf_counter()
    everything(tiny, dissimilarity, samplers[sampler_name](), 2)
    warm_up_seconds = time.perf_counter() - before_warming_up

    continuum = peer.Continuum.from_csv(path)
    np.random.seed(int(seed))  # noqa: NPY002 - the generator that the peer uses
    begun = time.perf_counter()
    result, values = everything(continuum, dissimilarity, samplers[sampler_name](), int(draws))
    seconds = time.perf_counter() - begun
    values |= {
        "seconds": seconds,
        "import_seconds": import_seconds,
        "warm_up_seconds": warm_up_seconds,
        "solver": solver_in_use(),
        "observed": float(result.observed_disorder),
        "expected": float(result.expected_disorder),
        "groups": int(result.alignments_nb),
        "draws": int(result.n_samples),
        "units": int(continuum.num_units),
    }
    print(json.dumps(values), file=answer, flush=True)


def everything(
    continuum: object, dissimilarity: object, sampler: object, draws: int
) -> tuple[object, dict[str, object]]:
    """From a loaded continuum to γ, γcat and each γk, exactly (no fast mode)."""
    result = continuum.compute_gamma(  # type: ignore[attr-defined]
        dissimilarity, n_samples=draws, precision_level=None, sampler=sampler, fast=False
    )
    labels = continuum.categories  # type: ignore[attr-defined]
    values: dict[str, object] = {
        "gamma": float(result.gamma),
        "gamma_cat": float(result.gamma_cat),
        "gamma_k": {label: float(result.gamma_k(label)) for label in labels},
    }
    return result, values


def solver_in_use() -> str:
    """Name the solver as the peer chooses it: whether cylp can be imported."""
    try:
        import cylp  # noqa: F401, PLC0415 - as the peer itself asks
    except ImportError:
        return "glpk"
    return "cbc"


if __name__ == "__main__":
    main()
