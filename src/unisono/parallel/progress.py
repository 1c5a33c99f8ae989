"""Telling how far long work has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Report"]


class Report:
    """Counts what is done and tells it, with how much is known to be needed.

    Parameters
    ----------
    progress
        Called with both numbers; `None` when nobody wants to know.
    total
        How much is needed; it may grow on the way.

    Examples
    --------
    >>> report = Report(lambda done, total: print(done, "of", total), total=60)
    >>> report.add(30)
    30 of 60
    """

    def __init__(self, progress: Callable[[int, int], None] | None, total: int) -> None:
        self.progress = progress
        self.total = total
        self._done = 0

    def add(self, done: int) -> None:
        """Note that so much more is done."""
        self._done += done
        if done and self.progress is not None:
            self.progress(self._done, self.total)
