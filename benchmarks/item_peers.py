"""The existing Python tools for agreement on items, in an environment of their own."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import peer

if TYPE_CHECKING:
    from pathlib import Path

VENV = peer.ROOT / "build" / "bench-items"
PEERS = (
    "krippendorff==0.9.0",
    "nltk==3.10.4",
    "irrCAC==0.4.4",
    "scikit-learn==1.9.1",
    "statsmodels==0.15.0",
)


def python() -> Path:
    """Find the Python of the peers' environment, which is made at the first call."""
    folder = VENV / ("Scripts" if os.name == "nt" else "bin")
    interpreter = folder / ("python.exe" if os.name == "nt" else "python")
    done = VENV / "installed.txt"
    wanted = "\n".join(PEERS)
    if done.exists() and done.read_text(encoding="utf-8") == wanted and interpreter.exists():
        return interpreter
    print(f"installing {', '.join(PEERS)} …", file=sys.stderr, flush=True)
    peer.told([sys.executable, "-m", "venv", "--clear", str(VENV)], "no environment for the peers")
    pip = [str(interpreter), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    peer.told([*pip, *PEERS], "the peers cannot be installed")
    done.write_text(wanted, encoding="utf-8")
    return interpreter
