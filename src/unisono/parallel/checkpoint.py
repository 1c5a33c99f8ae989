"""A database of finished chunks, from which an interrupted run is resumed."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from unisono.errors import ReadError, SettingError, WorkError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import TracebackType
    from typing import Self

__all__ = ["Arrays", "Checkpoint", "Part", "digest_of"]

Arrays = dict[str, "np.ndarray[Any, np.dtype[Any]]"]


def _parts(arrays: Arrays) -> Iterator[memoryview]:
    """Return a header line that describes the arrays, then their little-endian bytes."""
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
    """Return a short digest of an array, the same on every machine."""
    digest = hashlib.sha256()
    for part in _parts({"": array}):
        digest.update(part)
    return digest.hexdigest()[:16]


_FILE = "checkpoint.sqlite"
# Increase this when the tables below, the stored arrays or the random streams behind them change.
_LAYOUT = 4
# The number of characters of a setting that an error message quotes.
_MAX_QUOTED, _MAX_QUOTED_OF_LONG = 60, 12
_APPLICATION = 0x756E6973
_TABLES = """
CREATE TABLE about (key TEXT NOT NULL);
CREATE TABLE chunk (
    part TEXT NOT NULL, number INTEGER NOT NULL, digest BLOB NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (part, number)
);
"""


class Checkpoint:
    """A folder that stores the finished chunks of one computation."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        name = os.fspath(folder)
        if not name or "\0" in str(name):
            msg = f"a checkpoint needs the path of a folder; got {name!r}"
            raise SettingError(msg)
        self.path = Path(folder) / _FILE
        self.stored_key: dict[str, str] = {}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            msg = f"{folder}: cannot create the checkpoint folder: {error.strerror}"
            raise WorkError(msg) from None
        # Worker threads store their own results.
        self._lock = threading.Lock()
        with self._readable_errors():
            self._base = sqlite3.connect(
                self.path, timeout=0.0, isolation_level=None, check_same_thread=False
            )
        try:
            with self._readable_errors():
                self._prepare()
        except BaseException:
            self._base.close()
            raise

    def _prepare(self) -> None:
        """Create or check the tables, and read the key of the stored computation."""
        # No other process may write while it is open; the lock ends with the process.
        self._base.execute("PRAGMA locking_mode = EXCLUSIVE")
        # Chunks take megabytes, and storing them in small pages takes four times as long.
        self._base.execute("PRAGMA page_size = 65536")
        (journal,) = self._base.execute("PRAGMA journal_mode = WAL").fetchone()
        # NORMAL protects the database against a crash only if there is a write-ahead log.
        self._base.execute(f"PRAGMA synchronous = {'NORMAL' if journal == 'wal' else 'FULL'}")
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
            self._reject("this SQLite database is not a checkpoint of unisono; use another folder")
        elif layout != _LAYOUT:
            self._reject("written by another version of unisono; use another folder")
        self._base.execute("COMMIT")
        keys = self._base.execute("SELECT key FROM about").fetchall()
        if keys:
            self.stored_key = _key(keys[0][0])

    def open_for(self, key: Mapping[str, str]) -> None:
        """Record what is computed; raise a SettingError if something else is stored here."""
        if not self.stored_key:
            with self._readable_errors(), self._transaction():
                self._base.execute("INSERT INTO about VALUES (?)", (json.dumps(dict(key)),))
            self.stored_key = dict(key)
            return
        differences = [
            f"{name} {_difference(self.stored_key.get(name), key.get(name))}"
            for name in dict.fromkeys((*key, *self.stored_key))
            if self.stored_key.get(name) != key.get(name)
        ]
        if differences:
            msg = (
                f"{self.path.parent} is the checkpoint of another computation "
                f"({'; '.join(differences)}); use the same data and settings, or another folder"
            )
            raise SettingError(msg)

    def part(self, name: str) -> Part:
        """Return the chunks of one part of the computation."""
        return Part(self, name)

    def close(self) -> None:
        """Close the database, so that other processes can use the folder."""
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
        """Return the numbers of the chunks of a part that are stored."""
        with self._lock, self._readable_errors():
            rows = self._base.execute("SELECT number FROM chunk WHERE part = ?", (part,)).fetchall()
        return {number for (number,) in rows}

    def taken(self, part: str, number: int) -> Arrays | None:
        """Return the arrays of a chunk as they were stored; None if missing or damaged."""
        with self._lock, self._readable_errors():
            row = self._base.execute(
                "SELECT digest, content FROM chunk WHERE part = ? AND number = ?", (part, number)
            ).fetchone()
        if row is None or hashlib.sha256(row[1]).digest() != row[0]:
            return None
        return _arrays(row[1])

    def add(self, part: str, chunks: Mapping[int, Arrays]) -> None:
        """Store all chunks or, if that fails, none of them."""
        contents = {number: b"".join(_parts(arrays)) for number, arrays in chunks.items()}
        rows = [(part, at, hashlib.sha256(each).digest(), each) for at, each in contents.items()]
        with self._lock, self._readable_errors(), self._transaction():
            self._base.executemany("INSERT OR REPLACE INTO chunk VALUES (?, ?, ?, ?)", rows)

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
    def _readable_errors(self) -> Iterator[None]:
        """Raise errors of the database as a WorkError or ReadError that names the folder."""
        try:
            yield
        except ReadError:
            raise
        except sqlite3.OperationalError as error:
            problem = str(error)
            if any(word in problem for word in ("no such", "decode")):
                raise self._damaged(problem) from None
            if "locked" in problem:
                msg = f"{self.path.parent} is in use: another run stores its checkpoint there"
            elif "full" in problem:
                msg = f"{self.path.parent}: the disk is full; the checkpoint cannot be stored"
            elif any(word in problem for word in ("readonly", "unable to open", "I/O")):
                msg = f"{self.path.parent}: the checkpoint cannot be written here"
            else:
                msg = f"{self.path.parent}: the checkpoint cannot be used: {problem}"
            raise WorkError(msg) from None
        except (sqlite3.DatabaseError, ValueError) as error:
            raise self._damaged(error) from None

    def _damaged(self, why: object) -> ReadError:
        msg = f"not a checkpoint, or a damaged one ({why}); remove it and start again"
        return ReadError(msg, path=self.path)

    def _reject(self, problem: str) -> NoReturn:
        raise ReadError(problem, path=self.path)


class Part:
    """The finished chunks of one part of a computation; each chunk is a few arrays."""

    def __init__(self, checkpoint: Checkpoint, name: str) -> None:
        self._checkpoint = checkpoint
        self._name = name
        self.numbers = checkpoint.numbers(name)
        """The numbers of the chunks that are stored."""

    def taken(self, number: int) -> Arrays | None:
        """Return the arrays of a chunk as they were stored; None if missing or damaged."""
        return self._checkpoint.taken(self._name, number)

    def store(self, chunks: Mapping[int, Arrays]) -> None:
        """Store finished chunks; after a crash of the machine the last ones may be done again."""
        self._checkpoint.add(self._name, chunks)
        self.numbers.update(chunks)

    def inside(self, name: str) -> Part:
        """Return a part of this part."""
        return Part(self._checkpoint, f"{self._name}/{name}")


def _key(text: str) -> dict[str, str]:
    key = json.loads(text)
    if not isinstance(key, dict) or not all(isinstance(value, str) for value in key.values()):
        msg = "it does not record what it was computed from"
        raise ValueError(msg)
    if "seed" in key:
        int(key["seed"])
    return key


def _difference(stored: str | None, current: str | None) -> str:
    """Quote the stored and the current value; long values from where they differ."""
    pairs = zip(stored or "", current or "", strict=False)
    n_equal = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    return f"{_quote(stored, n_equal)}, not {_quote(current, n_equal)}"


def _quote(value: str | None, n_equal: int) -> str:
    if not value:
        return "not recorded"
    if len(value) <= _MAX_QUOTED:
        return value
    first = min(n_equal, len(value) - _MAX_QUOTED_OF_LONG)
    return f"{'…' * (first > 0)}{value[first : first + _MAX_QUOTED_OF_LONG]}…"
