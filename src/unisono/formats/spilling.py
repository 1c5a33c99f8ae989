"""Columns that grow in a file instead of in memory."""

from __future__ import annotations

import contextlib
import tempfile
import weakref
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from unisono.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import DTypeLike, NDArray

__all__ = ["ColumnFiles"]


class ColumnFiles:
    """Equally long columns in files that nobody else sees, and that go with the last user.

    Parameters
    ----------
    kinds
        What each column holds.

    Examples
    --------
    >>> import numpy as np
    >>> files = ColumnFiles([np.int32, np.float64])
    >>> files.append([np.array([1, 2], np.int32), np.array([0.5, 1.5])])
    >>> files.append([np.array([3], np.int32), np.array([2.5])])
    >>> [column.tolist() for column in files.columns()]
    [[1, 2, 3], [0.5, 1.5, 2.5]]
    """

    def __init__(self, kinds: Sequence[DTypeLike]) -> None:
        self._kinds = [np.dtype(kind) for kind in kinds]
        self._rows = 0
        self._files: list[IO[bytes]] = []
        # Also where reading ends with an error.
        weakref.finalize(self, _close, self._files)
        try:
            for _ in kinds:
                self._files.append(tempfile.TemporaryFile(prefix="unisono-"))  # noqa: SIM115
        except OSError as error:
            raise _no_room(error) from None

    def append(self, columns: Sequence[NDArray[Any]]) -> None:
        """Write more rows to the ends of the columns.

        Raises
        ------
        ReadError
            There is no room for them.
        """
        try:
            for file, kind, column in zip(self._files, self._kinds, columns, strict=True):
                file.write(np.ascontiguousarray(column, dtype=kind).data)
        except OSError as error:
            raise _no_room(error) from None
        self._rows += len(columns[0])

    def columns(self) -> list[NDArray[Any]]:
        """Give the columns as arrays, of which only what is looked at takes memory; once.

        Raises
        ------
        ReadError
            There is no room for them.
        """
        if not self._rows:
            return [np.empty(0, kind) for kind in self._kinds]
        try:
            for file in self._files:
                file.flush()
            columns: list[NDArray[Any]] = [
                np.memmap(file, kind, mode="r", shape=(self._rows,))
                for file, kind in zip(self._files, self._kinds, strict=True)
            ]
        except OSError as error:
            raise _no_room(error) from None
        # The arrays keep the files for themselves.
        _close(self._files)
        return columns


def _close(files: Iterable[IO[bytes]]) -> None:
    for file in files:
        # What could not be written before cannot be written now, and nobody misses it.
        with contextlib.suppress(OSError):
            file.close()


def _no_room(error: OSError) -> ReadError:
    problem = (
        f"the units cannot be kept here while they are looked at: {error.strerror or error}; "
        "the environment variable TMPDIR can name a folder with more room"
    )
    return ReadError(problem, path=tempfile.gettempdir())
