"""Keeping what is done on disk, so that work that was interrupted goes on where it was.

A checkpoint is a folder with one SQLite database. What is stored is stored whole or not at all,
and is on the disk before the next thing is begun.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
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

_FILE = "checkpoint.sqlite"
# Of the tables below and of the arrays in them.
_LAYOUT = 1
# Letters of a setting, in a sentence.
_SHOWN, _SHOWN_OF_LONG = 60, 12
_APPLICATION = 0x756E6973
_TABLES = """
CREATE TABLE about (key TEXT NOT NULL);
CREATE TABLE chunk (
    part TEXT NOT NULL, number INTEGER NOT NULL, digest BLOB NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (part, number)
) WITHOUT ROWID;
"""


class Checkpoint:
    """A folder in which finished chunks of one computation are kept.

    Parameters
    ----------
    folder
        Where; it is made if there is none.

    Raises
    ------
    ReadError
        If there is a file that is no checkpoint, or a damaged one.
    WorkError
        If the folder cannot be written, or is in use.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> folder = tempfile.mkdtemp()
    >>> with Checkpoint(folder) as checkpoint:
    ...     checkpoint.open_for({"measure": "gamma", "seed": "1"})
    ...     checkpoint.part("draws").store({0: {"disorders": np.array([0.5, 0.25])}})
    >>> with Checkpoint(folder) as checkpoint:
    ...     checkpoint.stored_key["seed"]
    ...     checkpoint.part("draws").taken(0)["disorders"]
    '1'
    array([0.5 , 0.25])
    """

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
        with self._told():
            # Chunks are stored by the thread that began, whoever computed them.
            self._base = sqlite3.connect(self.path, timeout=0.0, isolation_level=None)
        try:
            with self._told():
                self._prepare()
        except BaseException:
            self._base.close()
            raise

    def _prepare(self) -> None:
        # Nobody else may write as long as it is open; a process that is killed lets go of it.
        self._base.execute("PRAGMA locking_mode = EXCLUSIVE")
        # Chunks are megabytes, and written once: large pages, and no second copy of them in a log.
        self._base.execute("PRAGMA page_size = 65536")
        self._base.execute("PRAGMA journal_mode = DELETE")
        self._base.execute("PRAGMA synchronous = FULL")
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
            self._refuse("this checkpoint was written by another version of unisono")
        self._base.execute("COMMIT")
        keys = self._base.execute("SELECT key FROM about").fetchall()
        if keys:
            self.stored_key = _key(keys[0][0])

    def open_for(self, key: Mapping[str, str]) -> None:
        """Say what is computed; a checkpoint of something else is refused.

        Parameters
        ----------
        key
            All that the values depend on: settings, seed, data, version.

        Raises
        ------
        SettingError
            If the folder holds the work of another computation; the sentence says where they
            differ.
        """
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
        with self._told():
            rows = self._base.execute("SELECT number FROM chunk WHERE part = ?", (part,)).fetchall()
        return {number for (number,) in rows}

    def content(self, part: str, number: int) -> bytes:
        """Give a chunk as it was stored."""
        with self._told():
            row = self._base.execute(
                "SELECT digest, content FROM chunk WHERE part = ? AND number = ?", (part, number)
            ).fetchone()
        if row is None or hashlib.sha256(row[1]).digest() != row[0]:
            self._refuse("the checkpoint is damaged; remove the folder and begin again")
        content: bytes = row[1]
        return content

    def add(self, part: str, contents: Mapping[int, bytes]) -> None:
        """Store chunks, all of them or, when it goes wrong, none."""
        rows = [
            (part, number, hashlib.sha256(content).digest(), content)
            for number, content in contents.items()
        ]
        with self._told(), self._transaction():
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
    def _told(self) -> Iterator[None]:
        """Say in a sentence what the database objects to."""
        try:
            yield
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
    """The finished chunks of one part of a computation, each a few arrays.

    Parameters
    ----------
    checkpoint
        Where they are kept.
    name
        Of the part.
    """

    def __init__(self, checkpoint: Checkpoint, name: str) -> None:
        self._checkpoint = checkpoint
        self._name = name
        self.numbers = checkpoint.numbers(name)
        """Which chunks are there."""

    def taken(self, number: int) -> Arrays:
        """Give the arrays of a chunk that is there, just as they were stored."""
        return _arrays(self._checkpoint.content(self._name, number))

    def store(self, chunks: Mapping[int, Arrays]) -> None:
        """Store finished chunks; they are on the disk when this returns."""
        self._checkpoint.add(self._name, {at: _content(each) for at, each in chunks.items()})
        self.numbers.update(chunks)

    def inside(self, name: str) -> Part:
        """Give a part of this part."""
        return Part(self._checkpoint, f"{self._name}/{name}")


def _content(arrays: Arrays) -> bytes:
    """Write arrays as a line that describes them and their bytes, little-endian."""
    plain = {
        name: np.ascontiguousarray(each, dtype=each.dtype.newbyteorder("<"))
        for name, each in arrays.items()
    }
    about = [[name, each.dtype.str, list(each.shape)] for name, each in plain.items()]
    # Without a copy of each: nothing is done meanwhile.
    flat = [each.reshape(-1).view(np.uint8).data for each in plain.values()]
    return b"".join([json.dumps(about).encode(), b"\n", *flat])


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


def digest_of(array: np.ndarray[Any, np.dtype[Any]]) -> str:
    """Give a short digest of numbers, the same on every machine.

    Examples
    --------
    >>> digest_of(np.array([[0.0, 1.0], [1.0, 0.0]]))
    '24ae71a55091399a'
    """
    return hashlib.sha256(_content({"": array})).hexdigest()[:16]
