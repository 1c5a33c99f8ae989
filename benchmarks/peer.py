"""The existing Python tool, pygamma-agreement, in an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".bench-venv"
PEER = "pygamma-agreement==0.5.9"
# The peer takes CBC where cylp can be imported and GLPK (which cvxopt brings) elsewhere. CBC is
# the faster of the two, so the comparison is with CBC wherever there is a wheel for it.
FASTER_SOLVER = "cylp"
PATIENCE = 1800.0  # seconds for one measurement


class PeerError(Exception):
    """The peer could not be installed or did not answer."""


def python() -> Path:
    """Find the Python of the peer's environment, which is made at the first call."""
    folder = VENV / ("Scripts" if os.name == "nt" else "bin")
    interpreter = folder / ("python.exe" if os.name == "nt" else "python")
    done = VENV / "installed.txt"
    if done.exists() and done.read_text(encoding="utf-8") == PEER and interpreter.exists():
        return interpreter
    print(f"installing {PEER} in {VENV.name} …", file=sys.stderr, flush=True)
    told([sys.executable, "-m", "venv", "--clear", str(VENV)], "no environment for the peer")
    pip = [str(interpreter), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    told([*pip, PEER], f"{PEER} cannot be installed")
    # Without a wheel it would have to be compiled against an installed CBC: then GLPK must do.
    subprocess.run(
        [*pip, "--only-binary", ":all:", FASTER_SOLVER], check=False, capture_output=True
    )
    done.write_text(PEER, encoding="utf-8")
    return interpreter


def measure(path: Path, *, draws: int, seed: int, sampler: str, solver: str) -> dict[str, Any]:
    """Let the peer compute γ, γcat and every γk of a file, and say how long it took.

    Parameters
    ----------
    path
        Rows of annotator,label,start,end without a header.
    draws, seed
        Random continua, and the seed of numpy's global generator, which the peer uses.
    sampler
        "shuffle" (the paper's, as `chance="shift"` here) or "statistical" (the peer's default).
    solver
        "cbc" or "glpk"; "auto" takes the peer's own choice.
    """
    worker = Path(__file__).with_name("peer_gamma_worker.py")
    command = [str(python()), "-W", "ignore", str(worker), str(path), str(draws), str(seed)]
    answer = told([*command, sampler, solver], "the peer failed")
    result: dict[str, Any] = json.loads(answer.splitlines()[-1])
    return result


def told(command: list[str], complaint: str, patience: float = PATIENCE) -> str:
    """Run a program and give what it printed; what went wrong becomes a PeerError."""
    try:
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, timeout=patience, cwd=ROOT
        )
    except subprocess.CalledProcessError as error:
        last = "\n".join((error.stderr or error.stdout).strip().splitlines()[-4:])
        msg = f"{complaint}: {last}"
        raise PeerError(msg) from None
    except subprocess.TimeoutExpired:
        msg = f"{complaint}: no answer in {patience:.0f} s"
        raise PeerError(msg) from None
    return done.stdout
