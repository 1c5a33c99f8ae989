"""Unitizing alphas and atoms at every size: `python benchmarks/unitizing.py [--quick]`.

No other tool has the family of 2016 for such sizes; the figures stand beside the goals. Making the
continuum is not counted. Nothing is judged, and tests never measure time.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

import numpy as np
from tables import table

import unisono as un

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = 2016
REPEATS = 3


def units(n_annotators: int, n_units: int) -> un.Continuum:
    """Make annotators who mark the same things, each a little differently, without overlap."""
    rng = np.random.default_rng(SEED)
    rooms = rng.integers(6, 20, n_units)
    starts = np.cumsum(rooms) - rooms
    shape = (n_annotators, n_units)
    truth = rng.integers(0, 6, n_units)
    labels = np.where(rng.random(shape) < 0.8, truth, rng.integers(0, 6, shape))
    lows = starts + rng.integers(0, 3, shape)
    highs = starts + rooms - rng.integers(0, 3, shape)
    names = np.repeat([f"annotator {i:02}" for i in range(n_annotators)], n_units)
    return un.Continuum.from_columns(names, lows.ravel(), highs.ravel(), labels.ravel())


def hour(n_units: int) -> un.Continuum:
    """Make three annotators of an hour of speech, in seconds with three decimals."""
    rng = np.random.default_rng(SEED)
    cuts = np.sort(np.round(rng.uniform(0, 3600, (3, 2 * n_units)), 3), axis=1)
    names = np.repeat(["a", "b", "c"], n_units)
    labels = rng.integers(0, 4, 3 * n_units)
    starts, ends = cuts[:, ::2].ravel(), cuts[:, 1::2].ravel()
    return un.Continuum.from_columns(names, starts, ends, labels, extent=(0, 3600))


def main() -> None:
    """Measure every row and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the units")
    # `make bench-segmentation` gives the options of its other script too.
    options, _ = parser.parse_known_args()
    part = 10 if options.quick else 1
    three, fifty, speech = units(3, 100_000 // part), units(50, 6_000 // part), hour(1_000)
    jobs: list[tuple[str, str, Callable[[], float]]] = [
        (_named("2016", three), "< 2 s", lambda: un.unitizing_alpha(three).u_alpha.value),
        (
            _named("2016, interval", three),
            "< 2 s",
            lambda: un.unitizing_alpha(three, distance="interval").u_alpha_coding.value,
        ),
        *(
            (
                _named(generation, three),
                "< 2 s",
                lambda given=generation: un.unitizing_alpha(three, generation=given).u_alpha.value,
            )
            for generation in ("2013", "1995")
        ),
        (_named("2016", fifty), "", lambda: un.unitizing_alpha(fifty).u_alpha.value),
        (
            _named("2013", fifty),
            "",
            lambda: un.unitizing_alpha(fifty, generation="2013").u_alpha.value,
        ),
        (
            "an hour in 1 ms atoms, 3 × 1,000 units",
            "milliseconds",
            lambda: float(un.Ratings.from_continuum(speech, atom=0.001).n_items),
        ),
        (
            "the same, and Fleiss' κ of it",
            "milliseconds",
            lambda: un.fleiss_kappa(un.Ratings.from_continuum(speech, atom=0.001)).value,
        ),
    ]
    rows = []
    for name, goal, job in jobs:
        seconds, value = _timed(job)
        rows.append([name, f"{seconds:.3f} s", goal, f"{value:,.6g}"])
    print(table(["unitizing", "time", "goal", "value"], rows))


def _named(what: str, continuum: un.Continuum) -> str:
    n = len(continuum.annotators)
    return f"alphas of {what}, {n} × {len(continuum) // n:,} units"


def _timed(job: Callable[[], float]) -> tuple[float, float]:
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        value = job()
        best = min(best, time.perf_counter() - start)
    return best, value


if __name__ == "__main__":
    main()
