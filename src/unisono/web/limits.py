"""How much the service takes on: one value with everything that is bounded."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from unisono.errors import SettingError
from unisono.parallel.cores import available_cores

__all__ = ["Limits"]

_MEGABYTE = 2**20
_MOST_PROCESSES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one service accepts, and for how long it keeps it.

    Parameters
    ----------
    upload_bytes
        The largest upload, all its files together.
    files
        The most files of one upload.
    storage_bytes
        What all uploads and results together may take on disk.
    units
        The most units, or ratings, that one job measures.
    draws
        The most draws, resamples or permutations of one job.
    jobs
        The most jobs that wait or run at once.
    job_seconds
        How long one job may run.
    memory_bytes
        Memory of all worker processes together; each gets an equal share.
    expiry_seconds
        How long data and results are kept after they were last used.
    processes
        The most worker processes; 0 for as many as there are cores, four at most.

    Raises
    ------
    SettingError
        A limit is no positive number.

    Examples
    --------
    >>> from unisono.web.limits import Limits
    >>> Limits(units=1000).units
    1000
    >>> Limits(files=0)
    Traceback (most recent call last):
    unisono.errors.SettingError: the limit files is a number of 1 or more, got 0
    """

    upload_bytes: int = 100 * _MEGABYTE
    files: int = 2000
    storage_bytes: int = 1024 * _MEGABYTE
    units: int = 200_000
    draws: int = 100_000
    jobs: int = 256
    job_seconds: float = 600.0
    memory_bytes: int = 4096 * _MEGABYTE
    expiry_seconds: float = 3600.0
    processes: int = 0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            least = 0 if field.name == "processes" else 1
            if not math.isfinite(value) or value < least:
                msg = f"the limit {field.name} is a number of {least} or more, got {value}"
                raise SettingError(msg)
        if self.processes == 0:
            object.__setattr__(self, "processes", min(available_cores(), _MOST_PROCESSES))
        if self.memory_of_one < 256 * _MEGABYTE:
            msg = (
                f"{self.processes} worker processes need {self.processes * 256} MB at least, "
                f"and the limit memory_bytes is {self.memory_bytes // _MEGABYTE} MB"
            )
            raise SettingError(msg)

    @property
    def memory_of_one(self) -> int:
        """The memory of one worker process.

        Examples
        --------
        >>> from unisono.web.limits import Limits
        >>> Limits(memory_bytes=2**30, processes=2).memory_of_one
        536870912
        """
        return self.memory_bytes // self.processes

    @property
    def threads_of_one(self) -> int:
        """How many threads one job computes with; never moves a value.

        Examples
        --------
        >>> from unisono.web.limits import Limits
        >>> Limits(processes=1024, memory_bytes=2**40).threads_of_one
        1
        """
        return max(1, available_cores() // self.processes)
