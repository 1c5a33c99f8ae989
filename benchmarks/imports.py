"""What `import unisono` costs and what it brings along."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from typing import Any

from tables import table

HEAVY = ("pandas", "scipy", "altair", "fastapi", "polars", "pyarrow", "numba", "matplotlib")
_SCRIPT = """
import json, sys, time
before = set(sys.modules)
begun = time.perf_counter()
import {module}
seconds = time.perf_counter() - begun
print(json.dumps([seconds, sorted(set(sys.modules) - before)]))
"""


def run(*, quick: bool) -> dict[str, Any]:
    """Import in fresh processes, print a table, and return everything."""
    found = {
        module: _imported(module, 3 if quick else 10) for module in ("numpy", "narwhals", "unisono")
    }
    rows = [
        [
            f"import {module}",
            f"{one['best']:.3f}",
            f"{one['median']:.3f}",
            str(len(one["modules"])),
            ", ".join(one["heavy"]) or "none",
        ]
        for module, one in found.items()
    ]
    print("\nimports, each in a fresh process")
    print(table(["", "best s", "median s", "modules", "heavy ones"], rows))
    return found


def _imported(module: str, times: int) -> dict[str, Any]:
    command = [sys.executable, "-c", _SCRIPT.format(module=module)]
    seconds, modules = [], []
    for _ in range(times):
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        one, modules = json.loads(done.stdout)
        seconds.append(one)
    return {
        "best": min(seconds),
        "median": statistics.median(seconds),
        "modules": modules,
        "heavy": [name for name in HEAVY if name in modules],
    }
