"""Files that are written through to the disk while the work goes on.

What a process has written outlives it at once: the system keeps it. Only a machine that stops can
lose it, until the system has put it on the disk, and for that the next worker need not wait.
"""

from __future__ import annotations

import errno
import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from unisono.errors import WorkError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Future
    from pathlib import Path

__all__ = ["Settling", "told_in"]

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Settling:
    """Has what was written to some files put on the disk, by a thread of its own.

    Parameters
    ----------
    paths
        Of files in one folder, in the order in which they are put on the disk.

    Raises
    ------
    WorkError
        If they cannot be opened.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._folder = paths[0].parent
        with told_in(self._folder):
            self._descriptors = [os.open(path, os.O_RDWR) for path in paths]
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="unisono")
        self._going: deque[Future[None]] = deque()

    def begin(self) -> None:
        """Begin with what was written until now; say it if the disk refused what was before."""
        while self._going and self._going[0].done():
            self._end_first()
        self._going.append(self._thread.submit(self._settled))

    def wait(self) -> None:
        """Wait until what was begun is done; say it if the disk refuses."""
        while self._going:
            self._end_first()

    def _end_first(self) -> None:
        with told_in(self._folder):
            self._going.popleft().result()

    def close(self) -> None:
        """Wait, and let go of the files."""
        try:
            self.wait()
        finally:
            self._thread.shutdown()
            for descriptor in self._descriptors:
                os.close(descriptor)

    def _settled(self) -> None:
        for descriptor in self._descriptors:
            os.fsync(descriptor)


@contextmanager
def told_in(folder: Path) -> Iterator[None]:
    """Say in a sentence why the files of a checkpoint cannot be written."""
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            msg = f"{folder}: no room on the disk to keep what is done"
        else:
            msg = f"{folder}: the checkpoint cannot be written here"
        raise WorkError(msg) from None
