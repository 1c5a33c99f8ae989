"""How one alignment grows with the number of units: time and memory, a process for each size."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import made_data
from tables import table

import unisono as un

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

KINDS = ("jittered", "unrelated")
SIZES = {2: (10**2, 10**3, 10**4, 10**5, 10**6), 3: (10**2, 10**3, 10**4, 10**5)}
LARGEST_QUICK = 10**4


def run(*, quick: bool) -> list[dict[str, Any]]:
    """Measure every size, print a table, and return everything."""
    print("\none alignment of n × units; jittered: annotators mark the same things,")
    print("unrelated: as in a random continuum; memory: highest, and what the alignment added")
    found = []
    for n, sizes in SIZES.items():
        for units in sizes:
            if quick and units > LARGEST_QUICK:
                continue
            found.extend(_in_a_process(n, units, kind) for kind in KINDS)
    head = [
        "n × units",
        "kind",
        "seconds",
        "µs/unit",
        "memory MB",
        "added MB",
        "disorder",
        "proven",
    ]
    print(table(head, [_row(one) for one in found]))
    return found


def _row(one: dict[str, Any]) -> list[str]:
    return [
        f"{one['n']} × {one['units']:,}",
        one["kind"],
        f"{one['seconds']:.4f}",
        f"{1e6 * one['seconds'] / (one['n'] * one['units']):.2f}",
        f"{one['memory']:.0f}",
        f"{one['added']:.0f}",
        f"{one['disorder']:.6f}",
        "yes" if one["proven"] else f"gap {one['gap']:.1e}",
    ]


def _in_a_process(n: int, units: int, kind: str) -> dict[str, Any]:
    command = [sys.executable, str(Path(__file__)), str(n), str(units), kind]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    one: dict[str, Any] = json.loads(done.stdout)
    return one


def measure_one(n: int, units: int, kind: str) -> dict[str, Any]:
    """Align once in this process; small sizes several times, the best counts."""
    columns = (
        made_data.jittered(n, units, spread=0.25, relabelled=0.2, seed=units)
        if kind == "jittered"
        else made_data.unrelated(n, units, seed=units)
    )
    continuum = un.Continuum.from_columns(*columns)
    before = highest_memory()
    times = []
    for _ in range(max(1, min(20, 20_000 // units))):
        begun = time.perf_counter()
        alignment = un.best_alignment(continuum)
        times.append(time.perf_counter() - begun)
    return {
        "n": n,
        "units": units,
        "kind": kind,
        "seconds": min(times),
        "memory": highest_memory(),
        "added": highest_memory() - before,
        "disorder": alignment.disorder,
        "groups": len(alignment),
        "proven": alignment.proven,
        "gap": alignment.gap,
    }


def highest_memory() -> float:
    """In megabytes, since the process began; not a number where the system does not say."""
    if resource is None:
        return float("nan")
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return highest / (1024 * 1024 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    print(json.dumps(measure_one(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])))
