"""Costs and tasks that kill the process which does them, or fail; importable by workers."""

from __future__ import annotations

import os
import signal
import struct
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from unisono.measures.gamma.dissimilarity import UnitColumns
    from unisono.model.arrays import Floats

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


class OnceCutOff:
    """A task whose process is killed in the middle of its answer, the first time."""

    def __init__(self, folder: Path) -> None:
        self.mark = folder / "cut off"

    def run(self) -> str:
        """Answer, or begin to."""
        try:
            self.mark.touch(exist_ok=False)
        except FileExistsError:
            return "whole"
        Connection._send_bytes = _half_sent  # type: ignore[attr-defined]
        return "cut off"


def _half_sent(connection: Any, content: bytes) -> None:
    connection._send(struct.pack("!i", len(content)) + bytes(content)[: len(content) // 2])
    os.kill(os.getpid(), signal.SIGKILL)


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
