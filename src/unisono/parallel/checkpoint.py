"""Results of chunks kept in a file, so that an interrupted run can be resumed."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import sqlite3
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from unisono.errors import ReadError, SettingError, WorkError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from concurrent.futures import Future
    from types import TracebackType
    from typing import Self

__all__ = ["Arrays", "Checkpoint", "Part", "digest_of"]

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Settling:
    """Has what was written to some files put on the disk, by a thread of its own."""

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
    """A file in which chunks stand one after the other."""

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
    """Give a short digest of numbers, the same on every machine."""
    digest = hashlib.sha256()
    for part in _parts({"": array}):
        digest.update(part)
    return digest.hexdigest()[:16]


_FILE = "checkpoint.sqlite"
_CHUNKS = "checkpoint.chunks"
# Of the tables below, of the arrays in them, and of the random streams behind these.
_LAYOUT = 3
# Letters of a setting, in a sentence.
_SHOWN, _SHOWN_OF_LONG = 60, 12
_APPLICATION = 0x756E6973
_TABLES = """
CREATE TABLE about (key TEXT NOT NULL);
CREATE TABLE chunk (
    part TEXT NOT NULL, number INTEGER NOT NULL,
    start INTEGER NOT NULL, length INTEGER NOT NULL, digest BLOB NOT NULL,
    PRIMARY KEY (part, number)
) WITHOUT ROWID;
"""


class Checkpoint:
    """A folder in which finished chunks of one computation are kept."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        name = os.fspath(folder)
        if not name or "\0" in str(name):
            msg = f"a checkpoint needs the name of a folder; got {name!r}"
            raise SettingError(msg)
        self.path = Path(folder) / _FILE
        self.stored_key: dict[str, str] = {}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            msg = f"{folder}: no folder for a checkpoint can be made here: {error.strerror}"
            raise WorkError(msg) from None
        # Workers store what they did themselves, one at a time.
        self._turn = threading.Lock()
        with self._told():
            self._base = sqlite3.connect(
                self.path, timeout=0.0, isolation_level=None, check_same_thread=False
            )
        try:
            with self._told():
                is_logged = self._prepare()
            self._chunks = ChunkFile(self.path.with_name(_CHUNKS))
            log = [self.path.with_name(f"{_FILE}-wal")] if is_logged else []
            self._settling = Settling([self._chunks.path, *log])
        except BaseException:
            self._base.close()
            raise

    def _prepare(self) -> bool:
        """Make the database ready; say whether it keeps a log, which is settled as chunks are."""
        # Nobody else may write as long as it is open; a process that is killed lets go of it.
        self._base.execute("PRAGMA locking_mode = EXCLUSIVE")
        (journal,) = self._base.execute("PRAGMA journal_mode = WAL").fetchone()
        is_logged: bool = journal == "wal"
        self._base.execute(f"PRAGMA synchronous = {'NORMAL' if is_logged else 'FULL'}")
        self._base.execute("BEGIN EXCLUSIVE")
        (application,) = self._base.execute("PRAGMA application_id").fetchone()
        (layout,) = self._base.execute("PRAGMA user_version").fetchone()
        (tables,) = self._base.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if not tables:
            for statement in filter(str.strip, _TABLES.split(";")):
                self._base.execute(statement)
            self._base.execute(f"PRAGMA application_id = {_APPLICATION}")
            self._base.execute(f"PRAGMA user_version = {_LAYOUT}")
        elif application != _APPLICATION:
            self._refuse("this is a database, but no checkpoint of unisono")
        elif layout != _LAYOUT:
            self._refuse("written by another version of unisono; give another folder")
        self._base.execute("COMMIT")
        keys = self._base.execute("SELECT key FROM about").fetchall()
        if keys:
            self.stored_key = _key(keys[0][0])
        return is_logged

    def open_for(self, key: Mapping[str, str]) -> None:
        """Say what is computed; a checkpoint of something else is refused."""
        if not self.stored_key:
            with self._told(), self._transaction():
                self._base.execute("INSERT INTO about VALUES (?)", (json.dumps(dict(key)),))
            self.stored_key = dict(key)
            return
        unlike = [
            f"{name} {_difference(self.stored_key.get(name), key.get(name))}"
            for name in dict.fromkeys((*key, *self.stored_key))
            if self.stored_key.get(name) != key.get(name)
        ]
        if unlike:
            msg = (
                f"{self.path.parent} is the checkpoint of another computation ({'; '.join(unlike)})"
                "; give the same data and settings, or another folder"
            )
            raise SettingError(msg)

    def part(self, name: str) -> Part:
        """Give the chunks of one part of the computation."""
        return Part(self, name)

    def close(self) -> None:
        """Let others use the folder."""
        try:
            self._settling.close()
        finally:
            self._chunks.close()
            self._base.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def numbers(self, part: str) -> set[int]:
        """Say which chunks of a part are there."""
        with self._turn, self._told():
            rows = self._base.execute("SELECT number FROM chunk WHERE part = ?", (part,)).fetchall()
        return {number for (number,) in rows}

    def taken(self, part: str, number: int) -> Arrays | None:
        """Give the arrays of a chunk just as they were stored, if it is there and whole."""
        with self._turn, self._told():
            row = self._base.execute(
                "SELECT start, length, digest FROM chunk WHERE part = ? AND number = ?",
                (part, number),
            ).fetchone()
            return None if row is None else self._chunks.read(Place(*row))

    def add(self, part: str, chunks: Mapping[int, Arrays]) -> None:
        """Store chunks, all of them or, when it goes wrong, none."""
        with self._turn:
            self._add(part, chunks)

    def _add(self, part: str, chunks: Mapping[int, Arrays]) -> None:
        with self._told():
            (last,) = self._base.execute("SELECT max(start + length) FROM chunk").fetchone()
        end = last or 0
        rows = []
        for number, arrays in chunks.items():
            place = self._chunks.write(end, arrays)
            rows.append((part, number, *place))
            end = place.end
        with self._told(), self._transaction():
            self._base.executemany("INSERT OR REPLACE INTO chunk VALUES (?, ?, ?, ?, ?)", rows)
        self._settling.begin()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._base.execute("COMMIT")
        except BaseException:
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")
            raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in a sentence what the database objects to."""
        try:
            yield
        except ReadError:
            raise
        except sqlite3.OperationalError as error:
            said = str(error)
            if any(word in said for word in ("no such", "decode")):
                raise self._damaged(said) from None
            if "locked" in said:
                msg = f"{self.path.parent} is in use: another run keeps its work there"
            elif "full" in said:
                msg = f"{self.path.parent}: no room on the disk to keep what is done"
            elif any(word in said for word in ("readonly", "unable to open", "I/O")):
                msg = f"{self.path.parent}: the checkpoint cannot be written here"
            else:
                msg = f"{self.path.parent}: the checkpoint cannot be used: {said}"
            raise WorkError(msg) from None
        except (sqlite3.DatabaseError, ValueError) as error:
            raise self._damaged(error) from None

    def _damaged(self, why: object) -> ReadError:
        msg = f"this is no checkpoint, or a damaged one ({why}); remove it and begin again"
        return ReadError(msg, path=self.path)

    def _refuse(self, problem: str) -> NoReturn:
        raise ReadError(problem, path=self.path)


class Part:
    """The finished chunks of one part of a computation, each a few arrays."""

    def __init__(self, checkpoint: Checkpoint, name: str) -> None:
        self._checkpoint = checkpoint
        self._name = name
        self.numbers = checkpoint.numbers(name)
        """Which chunks are there."""

    def taken(self, number: int) -> Arrays | None:
        """Give the arrays of a chunk just as they were stored, if it is there and whole."""
        return self._checkpoint.taken(self._name, number)

    def store(self, chunks: Mapping[int, Arrays]) -> None:
        """Store finished chunks; they outlive this process when this returns."""
        self._checkpoint.add(self._name, chunks)
        self.numbers.update(chunks)

    def inside(self, name: str) -> Part:
        """Give a part of this part."""
        return Part(self._checkpoint, f"{self._name}/{name}")


def _key(text: str) -> dict[str, str]:
    key = json.loads(text)
    if not isinstance(key, dict) or not all(isinstance(value, str) for value in key.values()):
        msg = "it does not tell what it is of"
        raise ValueError(msg)
    if "seed" in key:
        int(key["seed"])
    return key


def _difference(stored: str | None, wanted: str | None) -> str:
    """Say what is stored and what is wanted; of long texts from where they differ."""
    pairs = zip(stored or "", wanted or "", strict=False)
    alike = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    return f"{_shown(stored, alike)}, not {_shown(wanted, alike)}"


def _shown(value: str | None, alike: int) -> str:
    if not value:
        return "not told"
    if len(value) <= _SHOWN:
        return value
    first = min(alike, len(value) - _SHOWN_OF_LONG)
    return f"{'…' * (first > 0)}{value[first : first + _SHOWN_OF_LONG]}…"
