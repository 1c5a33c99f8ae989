"""How far a long run is and how long it will still take, for a person who watches."""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn


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
        if sys.stderr is not None and sys.stderr.isatty():
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
        """Whether stderr is a terminal, so that reports may be seen.

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
            self._update()

    def __call__(self, done: int, total: int) -> None:
        """Say how many draws of how many are done."""
        with self._lock:
            self._phase, self._done, self._total = "drawing", done, total
            self._update()

    def _show(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._progress = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TaskProgressColumn(),
                TimeRemainingColumn(),
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
