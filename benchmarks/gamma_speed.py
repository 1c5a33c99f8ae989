"""The same γ family from us and from the peer, on the same data, in one run."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import made_data
import peer
from tables import table

import unisono as un


@dataclass(frozen=True)
class Case:
    """One set of data that both tools get."""

    name: str
    columns: made_data.Columns


CASES = (
    Case("3 × 124", made_data.jittered(3, 124, spread=0.22, relabelled=0.03, seed=124)),
    Case(
        "2 × 1000",
        made_data.jittered(2, 1000, spread=0.22, relabelled=0.38, seed=1000, evenness=6.0),
    ),
)
SEED = 4772


def ours(path: Path, *, draws: int, repetitions: int, workers: int | None) -> dict[str, Any]:
    """From a loaded continuum to γ, γcat and each γk; the best of several times."""
    times = []
    for _ in range(repetitions):
        (continuum,) = un.read(path).values()
        begun = time.perf_counter()
        result = un.gamma(
            continuum,
            dissimilarity=un.CombinedDissimilarity(position=1, label=1, empty=1),
            draws=draws,
            rng=SEED,
            workers=workers,
        )
        times.append(time.perf_counter() - begun)
    return {
        "seconds": min(times),
        "observed": result.observed,
        "expected": result.expected,
        "gamma": result.value,
        "gamma_cat": result.gamma_cat.value,
        "gamma_k": {str(label): agreement.value for label, agreement in result.gamma_k.items()},
        "groups": len(result.alignment or ()),
        "draws": result.draws,
        "proven": result.proven,
        "monte_carlo": [result.monte_carlo.low, result.monte_carlo.high],
    }


def run(*, quick: bool, with_peer: bool, solver: str) -> dict[str, Any]:
    """Measure both, print a table for each case, and return everything."""
    draws, repetitions = (5, 3) if quick else (30, 15)
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            path = Path(folder) / "units.csv"
            made_data.write_csv(case.columns, path)
            mine = ours(path, draws=draws, repetitions=repetitions, workers=None)
            alone = ours(path, draws=draws, repetitions=repetitions, workers=1)
            theirs = _theirs(path, draws, solver) if with_peer else {"missing": "not asked for"}
            found[case.name] = {"unisono": mine, "unisono, one worker": alone, "peer": theirs}
            _show(case.name, draws, mine, alone, theirs)
    return found


def _theirs(path: Path, draws: int, solver: str) -> dict[str, Any]:
    try:
        return peer.measure(path, draws=draws, seed=SEED, sampler="shuffle", solver=solver)
    except peer.PeerError as error:
        return {"missing": str(error)}


def _show(
    name: str, draws: int, mine: dict[str, Any], alone: dict[str, Any], theirs: dict[str, Any]
) -> None:
    print(f"\n{name} units, {draws} draws, exact, weights 1, 1, 1")
    labels = list(mine["gamma_k"])
    head = ["", "seconds", "γ", "observed", "expected", "γcat", *(f"γk {k}" for k in labels)]
    rows = [_row("unisono", mine, labels), _row("unisono, one worker", alone, labels)]
    if "missing" in theirs:
        print(table(head, rows))
        print(f"no comparison: {theirs['missing']}")
        return
    rows.append(_row(f"{peer.PEER} ({theirs['solver'].upper()})", theirs, labels))
    print(table(head, rows))
    gap = abs(mine["observed"] - theirs["observed"])
    print(
        f"ratio {theirs['seconds'] / mine['seconds']:,.0f}; "
        f"with one worker {theirs['seconds'] / alone['seconds']:,.0f}; "
        f"the peer's import ({theirs['import_seconds']:.1f} s) and compilation "
        f"({theirs['warm_up_seconds']:.1f} s) are not counted\n"
        f"observed disorders differ by {gap:.1e} (the peer computes in float32); γ differs by its "
        "own random continua;\nγcat and γk differ by definition too: the peer also counts each "
        "unit beside an empty place as a full disagreement"
    )


def _row(name: str, values: dict[str, Any], labels: list[str]) -> list[str]:
    return [
        name,
        f"{values['seconds']:.4f}" if values["seconds"] < 1 else f"{values['seconds']:.1f}",
        f"{values['gamma']:.4f}",
        f"{values['observed']:.7f}",
        f"{values['expected']:.4f}",
        f"{values['gamma_cat']:.4f}",
        *(f"{values['gamma_k'][label]:.4f}" for label in labels),
    ]
