"""How many threads can work at once."""

from __future__ import annotations

import os

__all__ = ["available_cores"]


def available_cores() -> int:
    """Count the cores this process may use, which may be fewer than the machine has.

    Examples
    --------
    >>> available_cores() >= 1
    True
    """
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every platform
        return os.cpu_count() or 1
