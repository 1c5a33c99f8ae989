"""What the start of a command costs: `python benchmarks/start.py [--quick]`.

CPU seconds of whole processes, user and system, because shell scripts start many of them side by
side. The commands take turns, so that a busy machine affects all of them alike.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from tables import table

ROOT = Path(__file__).resolve().parents[1]
HEAVY = ("numpy", "pandas", "scipy", "altair", "fastapi", "polars", "pyarrow", "numba")
_RUN = "import sys; from unisono.cli.main import main; sys.argv[1:] = {}; main()"
_CODE = {
    "python -c pass": "",
    "python -c 'import numpy'": "import numpy",
    "python -c 'import unisono'": "import unisono",
    "unisono --help": _RUN.format(["--help"]),
    "unisono gamma --help": _RUN.format(["gamma", "--help"]),
    "unisono items FILE": _RUN.format(["items", "examples/politeness.csv"]),
    "unisono gamma FILE --draws 2": _RUN.format(
        ["gamma", "examples/interview.csv", "--draws", "2"]
    ),
    "unisono gamma FILE": _RUN.format(["gamma", "examples/interview.csv"]),
}


def run(*, quick: bool) -> dict[str, Any]:
    """Start each command in new processes, print a table, and return everything."""
    seconds: dict[str, list[float]] = {name: [] for name in _CODE}
    for _ in range(3 if quick else 11):
        for name, code in _CODE.items():
            seconds[name].append(_cpu_seconds(code))
    found = {
        name: {
            "median": statistics.median(seconds[name]),
            "least": min(seconds[name]),
            "modules": _modules(code),
        }
        for name, code in _CODE.items()
    }
    rows = [
        [
            name,
            f"{one['median']:.3f}",
            f"{one['least']:.3f}",
            str(len(one["modules"])),
            ", ".join(each for each in HEAVY if each in one["modules"]) or "none",
        ]
        for name, one in found.items()
    ]
    print("\nstarts, each in a new process")
    print(table(["", "median CPU s", "least CPU s", "modules", "heavy ones"], rows))
    return found


def _cpu_seconds(code: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _python(code)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def _modules(code: str) -> list[str]:
    """Return the modules that are loaded in the end."""
    lines = _python(f"{code}\nimport sys; print(); print(*sys.modules)").splitlines()
    return lines[-1].split()


def _python(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    run(quick=parser.parse_args().quick)
