"""How far reading has come, in bytes, for whoever wants to be told."""

from __future__ import annotations

import io
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

__all__ = ["read_file", "reported", "tallied"]

_BUFFER = 1 << 20


class _Tally:
    """Bytes that are read, of those that are to be read."""

    def __init__(self, progress: Callable[[int, int], None], sizes: dict[Path, int]) -> None:
        self.progress = progress
        self.sizes = sizes
        self.total = sum(sizes.values())
        self._places: dict[Path, int] = {}
        self._done = 0

    def reached(self, path: Path, place: int) -> None:
        """Note how far a file is read; its beginning may be read more than once."""
        before = self._places.get(path, 0)
        place = min(place, self.sizes.get(path, 0))
        if place > before:
            self._places[path] = place
            self._done += place - before
            self.progress(self._done, self.total)


class _CountedFile(io.FileIO):
    def __init__(self, path: Path, tally: _Tally) -> None:
        super().__init__(path, "rb")
        self._path = path
        self._tally = tally

    def readinto(self, buffer: bytearray | memoryview, /) -> int | None:  # type: ignore[override]
        read = super().readinto(buffer)
        self._tally.reached(self._path, self.tell())
        return read


_wanted: ContextVar[Callable[[int, int], None] | None] = ContextVar("wanted", default=None)
_tally: ContextVar[_Tally | None] = ContextVar("tally", default=None)


@contextmanager
def reported(progress: Callable[[int, int], None] | None) -> Iterator[None]:
    """Tell how many bytes of how many are read, as long as the context lasts.

    Parameters
    ----------
    progress
        Called with both numbers; ``None`` when nobody wants to know.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.formats.read_progress import reported
    >>> seen = []
    >>> with reported(lambda done, total: seen.append(done / total)):
    ...     _ = un.read("examples/corpus")
    >>> len(seen), seen[-1]
    (4, 1.0)
    """
    token = _wanted.set(progress)
    try:
        yield
    finally:
        _wanted.reset(token)


@contextmanager
def tallied(paths: Iterable[Path]) -> Iterator[Callable[[Path], None]]:
    """Count what is read of these files, and give a function that says that one is done.

    Examples
    --------
    >>> from unisono.formats.read_progress import tallied
    >>> with tallied([]) as done_with:
    ...     pass
    """
    progress = _wanted.get()
    if progress is None:
        yield lambda _: None
        return
    tally = _Tally(progress, {path: _size(path) for path in paths})
    token = _tally.set(tally)
    try:
        yield lambda path: tally.reached(path, tally.sizes[path])
    finally:
        _tally.reset(token)


def read_file(path: Path) -> BinaryIO:
    """Open a file to read its bytes one after the other, which are counted if asked for.

    Raises
    ------
    OSError
        It cannot be opened.
    """
    tally = _tally.get()
    if tally is None:
        return path.open("rb", buffering=_BUFFER)
    return io.BufferedReader(_CountedFile(path, tally), _BUFFER)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # the reader says what is wrong


# the reader says what is wrong
