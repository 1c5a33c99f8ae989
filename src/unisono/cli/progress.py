"""How far a long run is and how long it will still take, for a person who watches."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from unisono.cli import output


class _TimeColumn(ProgressColumn):
    """The time left where it can be told, the time that has passed where it cannot."""

    # Told again as often as the bar moves; rich's own waits half a second.
    max_refresh = 0.2

    def __init__(self) -> None:
        self._left = TimeRemainingColumn()
        self._passed = TimeElapsedColumn()
        super().__init__()

    def render(self, task: Task) -> Text:
        """Write the time."""
        if task.total is None or task.time_remaining is None:
            return self._passed.render(task) + Text(" so far", style="dim")
        return self._left.render(task) + Text(" left", style="dim")


class Watch:
    """Show progress on stderr once a person has waited for a second; nobody else sees it.

    Parameters
    ----------
    patience
        Seconds before anything is shown.

    Examples
    --------
    >>> from unisono.cli.progress import Watch
    >>> with Watch() as watch:
    ...     watch.phase("reading")
    ...     watch(15, 30)
    """

    def __init__(self, *, patience: float = 1.0) -> None:
        self._lock = threading.Lock()
        self._progress: Progress | None = None
        self._phase, self._done, self._total = "working", 0, 0
        self._closed = False
        self._timer: threading.Timer | None = None
        if sys.stderr is not None and sys.stderr.isatty() and not output.is_quiet():
            self._timer = threading.Timer(patience, self._show)
            self._timer.daemon = True

    def __enter__(self) -> Self:
        if self._timer is not None:
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._closed = True
            if self._progress is not None:
                self._progress.stop()

    @property
    def somebody_watches(self) -> bool:
        """Whether stderr is a terminal and nobody asked for quiet, so that reports may be seen.

        Examples
        --------
        >>> from unisono.cli.progress import Watch
        >>> isinstance(Watch().somebody_watches, bool)
        True
        """
        return self._timer is not None

    def phase(self, name: str) -> None:
        """Say what is being done now.

        Parameters
        ----------
        name
            One word.

        Examples
        --------
        >>> from unisono.cli.progress import Watch
        >>> with Watch() as watch:
        ...     watch.phase("aligning")
        """
        with self._lock:
            self._phase, self._done, self._total = name, 0, 0
            if self._progress is not None:
                self._progress.reset(self._progress.task_ids[0])
            self._update()

    def __call__(self, done: int, total: int) -> None:
        """Say how many draws of how many are done."""
        self._count("drawing", done, total)

    def counting(self, name: str) -> Callable[[int, int], None] | None:
        """Begin something that is counted, and give what takes the numbers.

        Parameters
        ----------
        name
            One word.

        Returns
        -------
        Callable | None
            To be called with how much is done of how much; ``None`` when nobody watches, because
            to tell takes time.

        Examples
        --------
        >>> from unisono.cli.progress import Watch
        >>> with Watch() as watch:
        ...     report = watch.counting("reading")
        """
        self.phase(name)
        if not self.somebody_watches:
            return None
        return lambda done, total: self._count(name, done, total)

    def _count(self, name: str, done: int, total: int) -> None:
        with self._lock:
            # A new count begins at no speed.
            again = name != self._phase or done < self._done
            self._phase, self._done, self._total = name, done, total
            if again and self._progress is not None:
                self._progress.reset(self._progress.task_ids[0])
            self._update()

    def _show(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._progress = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TaskProgressColumn(),
                _TimeColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._progress.add_task(self._phase, total=None)
            self._update()
            self._progress.start()

    def _update(self) -> None:
        if self._progress is not None:
            self._progress.update(
                self._progress.task_ids[0],
                description=self._phase,
                completed=self._done,
                total=self._total or None,
            )
