"""Files that callers send: kept in private folders under names that cannot lead elsewhere."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import time
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Self

from unisono.results.wording import count
from unisono.web.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unisono.web.limits import Limits

__all__ = ["Data", "DataStore", "Incoming", "too_large"]

_DEEPEST = 20
_BLOCK = 4096  # bytes
_LONGEST_PART = 150  # bytes; file systems take 255
_DRIVE = re.compile(r"^[A-Za-z]:$")
_NOT_ON_WINDOWS = re.compile(r'[<>:"|?*]')


@dataclass(slots=True)
class Data:
    """An upload: where it is kept, what it holds, and until when.

    Parameters
    ----------
    id
        What callers name it by; nobody can guess it.
    folder
        The private folder.
    files
        Names, as they were kept, and sizes.
    bytes
        The size of all files.
    expires
        Seconds since 1970.
    """

    id: str
    folder: Path
    files: dict[str, int]
    bytes: int
    expires: float

    @property
    def entries(self) -> list[str]:
        """What lies at the top: what one would name on the command line."""
        return sorted({name.partition("/")[0] for name in self.files})


def safe_name(name: str) -> str:
    r"""Keep what a client's file name tells and nothing that could lead out of a folder.

    Folders are kept, because they tell whose annotations a file has, and of which document.

    Parameters
    ----------
    name
        A relative path with either slash.

    Returns
    -------
    str
        A relative path with forward slashes, without ``..``, drives or control characters.

    Raises
    ------
    ProblemError
        Nothing of the name is left, or the folders are too deep.

    Examples
    --------
    >>> from unisono.web.uploads import safe_name
    >>> safe_name("ann/doc1.csv"), safe_name("../../etc/passwd"), safe_name("C:\\data\\a.csv")
    ('ann/doc1.csv', 'etc/passwd', 'data/a.csv')
    """
    parts = [_safe_part(part) for part in name.replace("\\", "/").split("/")]
    kept = [part for part in parts if part]
    if not kept or name.endswith(("/", "\\")):
        raise ProblemError("usage", "every file needs a name, such as turns.csv")
    if len(kept) > _DEEPEST:
        detail = f"folders are at most {_DEEPEST} deep, and {'/'.join(kept[:3])}/… has {len(kept)}"
        raise ProblemError("usage", detail)
    return "/".join(kept)


class DataStore:
    """All uploads of one service.

    Parameters
    ----------
    folder
        A private folder that exists.
    limits
        How much is taken on, and for how long.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from unisono.web.limits import Limits
    >>> from unisono.web.uploads import DataStore
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = DataStore(Path(folder), Limits())
    ...     with store.incoming() as incoming:
    ...         with incoming.file("ann/talk.csv") as file:
    ...             incoming.write(file, b"annotator,start,end")
    ...         data = store.keep(incoming)
    ...     data.files, data.entries
    ({'ann/talk.csv': 19}, ['ann'])
    """

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder = folder
        self.limits = limits
        self._data: dict[str, Data] = {}
        self._arriving: set[Incoming] = set()

    def __iter__(self) -> Iterator[Data]:
        return iter(list(self._data.values()))

    @property
    def bytes(self) -> int:
        """What all uploads take on disk, also those that still arrive."""
        each: list[Incoming | Data] = [*self._arriving, *self._data.values()]
        # An empty file takes room, too.
        return sum(one.bytes + _BLOCK * len(one.files) for one in each)

    def incoming(self) -> Incoming:
        """Begin an upload; what is not kept in the end is deleted."""
        name = f"d_{secrets.token_urlsafe(18)}"
        return Incoming(name, self._folder / name, self)

    def begin(self, incoming: Incoming) -> None:
        """Count what arrives."""
        self._arriving.add(incoming)

    def end(self, incoming: Incoming) -> None:
        """Count it no longer, or as an upload that is kept."""
        self._arriving.discard(incoming)

    def check(self, incoming: Incoming) -> None:
        """Refuse more than is taken on.

        Raises
        ------
        ProblemError
            The upload, or all of them together, are too large.
        """
        if incoming.bytes > self.limits.upload_bytes:
            raise too_large(self.limits)
        if self.bytes > self.limits.storage_bytes:
            detail = "the service has no room for more files; try again later"
            raise ProblemError("limit", detail, status=507)

    def keep(self, incoming: Incoming) -> Data:
        """Take over a finished upload."""
        if not incoming.files:
            raise ProblemError("usage", 'send at least one file, as a part called "files"')
        until = self._until()
        data = Data(incoming.id, incoming.folder, incoming.files, incoming.bytes, until)
        self._data[data.id] = data
        incoming.kept = True
        return data

    def known(self, name: str) -> Data:
        """Give an upload and keep it longer.

        Raises
        ------
        ProblemError
            There is none of this name, or no longer.
        """
        data = self._data.get(name)
        if data is None or data.expires < time.time():
            detail = "there are no such data, or no longer; send the files again"
            raise ProblemError("not-found", detail)
        data.expires = self._until()
        return data

    def forget(self, name: str) -> None:
        """Delete an upload."""
        data = self._data.pop(name, None)
        if data is not None:
            shutil.rmtree(data.folder, ignore_errors=True)

    def _until(self) -> float:
        return time.time() + self.limits.expiry_seconds


class Incoming:
    """An upload while it arrives.

    Parameters
    ----------
    id
        What it will be called.
    folder
        Its folder, which is made here.
    store
        Where it will be kept.
    """

    def __init__(self, id: str, folder: Path, store: DataStore) -> None:  # noqa: A002
        self.id = id
        self.folder = folder
        self.files: dict[str, int] = {}
        self.bytes = 0
        self.kept = False
        self._store = store
        self._name = ""

    def __enter__(self) -> Self:
        self.folder.mkdir(mode=0o700)
        self._store.begin(self)
        return self

    def __exit__(self, *error: object) -> None:
        self._store.end(self)
        if not self.kept:
            shutil.rmtree(self.folder, ignore_errors=True)

    def file(self, name: str) -> BinaryIO:
        """Open a new file under the safe part of its name."""
        most = self._store.limits.files
        if len(self.files) == most:
            detail = f"an upload has at most {count(most, 'file')}"
            raise ProblemError("limit", detail)
        kept = safe_name(name)
        if kept in self.files:
            raise ProblemError("usage", f"two files are called {kept}")
        path = self.folder.joinpath(*kept.split("/"))
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
            descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0), 0o600)
        except OSError:
            # On some systems A.csv and a.csv are one file.
            raise ProblemError("usage", f"{kept} is in the way of another file") from None
        self._name, self.files[kept] = kept, 0
        return os.fdopen(descriptor, "wb")

    def write(self, file: BinaryIO, content: bytes) -> None:
        """Add to the file that was opened last."""
        self.bytes += len(content)
        self._store.check(self)
        file.write(content)
        self.files[self._name] += len(content)


def too_large(limits: Limits) -> ProblemError:
    """Say how large an upload may be.

    Examples
    --------
    >>> from unisono.web.limits import Limits
    >>> from unisono.web.uploads import too_large
    >>> str(too_large(Limits()))
    'an upload has at most 104.9 MB'
    """
    return ProblemError("limit", f"an upload has at most {limits.upload_bytes / 1e6:.1f} MB")


def _safe_part(part: str) -> str:
    text = part.encode("utf-8", "replace").decode("utf-8")
    text = "".join(mark for mark in text if unicodedata.category(mark) not in {"Cc", "Cs"})
    if os.name == "nt":
        text = _NOT_ON_WINDOWS.sub("_", text)
    text = text.strip()
    if text in {"", ".", ".."} or _DRIVE.match(text):
        return ""
    content = text.encode()
    if len(content) <= _LONGEST_PART:
        return text
    # The suffix tells the format, so it is the middle that goes.
    stem, dot, suffix = text.rpartition(".")
    if not dot or len(suffix) > 20:
        stem, suffix = text, ""
    room = _LONGEST_PART - len(suffix.encode()) - 1
    return stem.encode()[:room].decode("utf-8", "ignore") + dot * bool(suffix) + suffix
