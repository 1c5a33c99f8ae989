"""All benchmarks: `python benchmarks/run.py [--quick] [--only speed,scaling] [--json FILE]`.

They print figures and judge nothing; tests never measure time.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gamma_speed
import scaling
import start

PARTS = ("start", "speed", "scaling")


def main() -> None:
    """Run what was asked for, in the order of PARTS."""
    options = _options()
    where = {
        "unisono": version("unisono"),
        "numpy": version("numpy"),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
    }
    print(", ".join(f"{name} {value}" for name, value in where.items()))
    found: dict[str, Any] = {"where": where, "quick": options.quick}
    if "start" in options.only:
        found["start"] = start.run(quick=options.quick)
    if "speed" in options.only:
        found["speed"] = gamma_speed.run(
            quick=options.quick, with_peer=not options.no_peer, solver=options.solver
        )
    if "scaling" in options.only:
        found["scaling"] = scaling.run(quick=options.quick)
    if options.json is not None:
        text = json.dumps(found, indent=2, ensure_ascii=False)
        options.json.write_text(text + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer draws, smaller sizes")
    parser.add_argument("--only", default=",".join(PARTS), help=f"some of {','.join(PARTS)}")
    parser.add_argument("--no-peer", action="store_true", help="do not install or run the peer")
    parser.add_argument(
        "--solver",
        choices=("auto", "glpk"),
        default="auto",
        help="the peer's solver: CBC where it can be had, or the GLPK of a plain installation",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to FILE")
    options = parser.parse_args()
    options.only = options.only.split(",")
    unknown = sorted(set(options.only) - set(PARTS))
    if unknown:
        parser.error(f"unknown part {', '.join(unknown)}; choose from {', '.join(PARTS)}")
    return options


if __name__ == "__main__":
    main()
