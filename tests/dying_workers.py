"""Costs of units that kill the process which asks for them, or fail; importable by workers."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from unisono.measures.fitted import Floats, UnitColumns

DEADLY = "deadly"
"""The label of a unit that nobody survives."""


def plain_cost(u: UnitColumns, v: UnitColumns) -> Floats:
    """Say how far units are apart."""
    return np.asarray(np.abs(u.starts - v.starts) / 10.0)


def deadly_cost(u: UnitColumns, v: UnitColumns) -> Floats:
    """Kill the process, if there is a deadly unit."""
    if DEADLY in u.labels:
        os.kill(os.getpid(), signal.SIGKILL)
    return plain_cost(u, v)


def failing_cost(u: UnitColumns, v: UnitColumns) -> Floats:
    """Fail, if there is a deadly unit."""
    if DEADLY in u.labels:
        raise ZeroDivisionError(DEADLY)
    return plain_cost(u, v)


def greedy_cost(u: UnitColumns, v: UnitColumns) -> Floats:
    """Want too much memory, if there is a deadly unit."""
    if DEADLY in u.labels:
        raise MemoryError
    return plain_cost(u, v)


class OnceDeadly:
    """Kills the first process that asks, and no other."""

    def __init__(self, folder: Path) -> None:
        self.mark = folder / "killed"

    def __call__(self, u: UnitColumns, v: UnitColumns) -> Floats:
        try:
            self.mark.touch(exist_ok=False)
        except FileExistsError:
            return plain_cost(u, v)
        os.kill(os.getpid(), signal.SIGKILL)
        return plain_cost(u, v)
