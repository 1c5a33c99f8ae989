"""A file of arrays, one chunk after the other, beside the database that says where each is.

A database copies what it is given several times; a chunk of megabytes is written here once.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.parallel.settling import told_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Arrays", "ChunkFile", "Place", "digest_of"]

Arrays = dict[str, "np.ndarray[Any, np.dtype[Any]]"]


class Place(NamedTuple):
    """Where a chunk is in the file, and how to know that it is whole."""

    start: int
    length: int
    digest: bytes

    @property
    def end(self) -> int:
        """Where the next one can be."""
        return self.start + self.length


class ChunkFile:
    """A file in which chunks stand one after the other.

    Parameters
    ----------
    path
        Of the file; it is made if there is none.

    Raises
    ------
    WorkError
        If it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with told_in(self.path.parent):
            path.touch()
            # Nothing may be left in a buffer when a disk is full.
            self._file = path.open("r+b", buffering=0)

    def write(self, start: int, arrays: Arrays) -> Place:
        """Write a chunk; what stood there is lost."""
        digest = hashlib.sha256()
        length = 0
        with told_in(self.path.parent):
            self._file.seek(start)
            for part in _parts(arrays):
                digest.update(part)
                self._put(part)
                length += len(part)
        return Place(start, length, digest.digest())

    def _put(self, part: memoryview) -> None:
        while part:
            part = part[self._file.write(part) :]

    def read(self, place: Place) -> Arrays | None:
        """Give a chunk just as it was written, or nothing if it is not whole."""
        with told_in(self.path.parent):
            self._file.seek(place.start)
            content = self._file.read(place.length)
        return _arrays(content) if hashlib.sha256(content).digest() == place.digest else None

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _parts(arrays: Arrays) -> Iterator[memoryview]:
    """Give a line that describes arrays and then their bytes, little-endian, without copies."""
    plain = {
        name: np.ascontiguousarray(each, dtype=each.dtype.newbyteorder("<"))
        for name, each in arrays.items()
    }
    about = [[name, each.dtype.str, list(each.shape)] for name, each in plain.items()]
    yield memoryview(json.dumps(about).encode() + b"\n")
    for each in plain.values():
        yield each.reshape(-1).view(np.uint8).data


def _arrays(content: bytes) -> Arrays:
    line, _, rest = content.partition(b"\n")
    found: Arrays = {}
    at = 0
    for name, kind, shape in json.loads(line):
        dtype = np.dtype(kind)
        count = int(np.prod(shape, dtype=np.int64))
        array = np.frombuffer(rest, dtype, count, at)
        found[name] = array.reshape(shape).astype(dtype.newbyteorder("="), copy=False)
        at += count * dtype.itemsize
    return found


def digest_of(array: np.ndarray[Any, np.dtype[Any]]) -> str:
    """Give a short digest of numbers, the same on every machine.

    Examples
    --------
    >>> digest_of(np.array([[0.0, 1.0], [1.0, 0.0]]))
    '24ae71a55091399a'
    """
    digest = hashlib.sha256()
    for part in _parts({"": array}):
        digest.update(part)
    return digest.hexdigest()[:16]
