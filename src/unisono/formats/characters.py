"""Text of files: encodings, offsets in different units, streams, and how far reading has got."""

from __future__ import annotations

import codecs
import io
import re
import stat
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from unisono.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from unisono.model.arrays import Integers

__all__ = [
    "MISMATCH",
    "content_of",
    "converted",
    "decoded",
    "decoded_as_is",
    "from_utf16",
    "lines_of",
    "numbered_lines",
    "opened_text",
    "reported",
    "tallied",
    "text_of",
    "told_by_text",
]

MISMATCH = "text that differs from what stands at the offsets"
LARGEST = 4 * 2**30
"""As many bytes are read of one file at most, where it has to be in memory as a whole."""
LARGEST_PIPE = 2**30
"""As many bytes are read of a pipe at most, which is kept in memory as a whole."""
DEVICE = "a device, which is not read; give a file, or the output of a program through a pipe"
"""What to say of a path that is neither a file nor a folder nor a pipe."""
_PIECE = 2**20
_LINE_END = re.compile(r"\r\n|\n|\r")
# The longer mark first: that of UTF-32 begins with that of UTF-16.
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def text_of(path: Path, expected: str = "one row a unit: annotator, start, end, label") -> str:
    """Read a text file: UTF-8, or what its byte order mark says."""
    return decoded(content_of(path), path, expected)


def content_of(path: Path) -> bytes:
    """Return all bytes of a file or a pipe."""
    try:
        status = path.stat()
        is_pipe = stat.S_ISFIFO(status.st_mode)
        if not (is_pipe or stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            raise ReadError(DEVICE, path=path)
        most = LARGEST_PIPE if is_pipe else LARGEST
        if status.st_size <= most:
            with path.open("rb") as file:
                content = file.read(status.st_size + 1)
                # Pipes, and some files, hold more than they say.
                if len(content) > status.st_size:
                    content += _rest(file, most)
            if len(content) <= most:
                return content
    except OSError as error:
        problem = f"the file cannot be opened: {error.strerror or error}"
        raise ReadError(problem, path=path) from None
    what = "pipe" if is_pipe else "file"
    problem = (
        f"the {what} has more than the {most / 2**30:.0f} GiB that are read at once; "
        "split it, or save it as a file of JSON Lines"
    )
    raise ReadError(problem, path=path)


def _rest(file: BinaryIO, most: int) -> bytes:
    """Return what is left to read of a file, and of more than a limit only a little more."""
    pieces: list[bytes] = []
    while most >= 0 and (piece := file.read(_PIECE)):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def encoding_of(content: bytes) -> str:
    """Tell the encoding by the byte order mark; without one it is UTF-8."""
    return next((name for mark, name in _MARKS.items() if content.startswith(mark)), "utf-8")


def decoded(content: bytes, path: Path, expected: str = "annotations") -> str:
    """Give the text that bytes of a file say; `path` and `expected` are for messages."""
    encoding = encoding_of(content)
    if encoding.startswith("utf-8"):
        refuse_binary(content, path)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        # A line ends alike in all encodings that reach this point but UTF-16 and UTF-32.
        line = content.count(b"\n", 0, error.start) + 1 if encoding.startswith("utf-8") else None
        problem = (
            f"no {encoding.removesuffix('-sig').upper()} text: byte 0x{content[error.start]:02x} "
            "cannot be read; save the file as UTF-8"
        )
        raise ReadError(problem, path=path, line=line) from None
    if not text or text.isspace():
        problem = f"the file is empty; expected {expected}"
        raise ReadError(problem, path=path)
    return text


def decoded_as_is(content: bytes, path: Path) -> str:
    """Give a text whose characters are counted: a mark of UTF-8 at its start is one of them."""
    encoding = encoding_of(content).removesuffix("-sig")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        problem = (
            f"no {encoding.upper()} text: byte 0x{content[error.start]:02x} cannot be read; "
            "save the file as UTF-8"
        )
        raise ReadError(problem, path=path) from None


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, without their ends.

    `str.splitlines` would also cut at characters that a label may hold, such as a form feed.
    """
    return _LINE_END.split(text)


def refuse_binary(content: bytes, path: Path) -> None:
    """Refuse what begins like an archive or has zero bytes."""
    if content.startswith(b"PK\x03\x04"):
        problem = "a spreadsheet or zip archive, no text; save the table as CSV"
    elif b"\0" in content[:65536]:
        problem = "a binary file, no text; save it as CSV in UTF-8"
    else:
        return
    raise ReadError(problem, path=path)


_ASTRAL = 0x10000


def from_utf16(text: str) -> Integers | None:
    """Give the character at each UTF-16 unit of a text, and its end; `None` if they are the same.

    Java and JavaScript count such units: a character beyond the Basic Multilingual Plane, such
    as most emoji, counts two. A position in the middle of one is that of the character.
    """
    if text.isascii() or max(text) < chr(_ASTRAL):
        return None
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return _repeated(1 + (points >= _ASTRAL))


def from_utf8(text: str) -> Integers | None:
    """Give the character at each byte of a text in UTF-8, and its end; `None` if it is ASCII."""
    if text.isascii():
        return None
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return _repeated(1 + (points >= 0x80) + (points >= 0x800) + (points >= _ASTRAL))


def _repeated(sizes: Integers | np.ndarray) -> Integers:
    return np.append(np.repeat(np.arange(len(sizes)), sizes), len(sizes)).astype(np.int64)


def converted(position: float, table: Integers | None) -> float:
    """Give the character of a position; one outside of the text stays outside."""
    if table is None:
        return position
    whole = int(position)
    if 0 <= whole < len(table):
        return int(table[whole])
    return position if whole < 0 else int(table[-1]) + whole - len(table) + 1


def told_by_text(text: str, marks: Iterable[tuple[float, float, str]]) -> Integers | None:
    """Find out how positions are counted, by what is said to stand there."""
    table = from_utf16(text)
    if table is None:
        return None

    def fits(change: Callable[[float], float]) -> int:
        return sum(text[int(change(a)) : int(change(b))] == said for a, b, said in known)

    known = [mark for mark in marks if mark[2]]
    as_units = fits(lambda position: converted(position, table))
    return table if as_units > fits(lambda position: position) else None


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
    """Tell how many bytes of how many are read, as long as the context lasts."""
    token = _wanted.set(progress)
    try:
        yield
    finally:
        _wanted.reset(token)


@contextmanager
def tallied(paths: Iterable[Path]) -> Iterator[Callable[[Path], None]]:
    """Count what is read of these files, and give a function that says that one is done."""
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
    """Open a file to read its bytes one after the other, which are counted if asked for."""
    tally = _tally.get()
    if tally is None:
        return path.open("rb", buffering=_BUFFER)
    return io.BufferedReader(_CountedFile(path, tally), _BUFFER)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # the reader says what is wrong


_HEAD = 65_536
_LONGEST_LINE = 64 * 2**20  # characters; what is in memory at once is some times as much


def numbered_lines(path: Path, content: bytes | None = None) -> Iterator[tuple[int, str]]:
    """Give the lines of a text file, with numbers from 1 and without their ends."""
    number = 0
    try:
        with opened_text(path, content) as lines:
            # Not through the method of ours, which takes twice as long for each line.
            readline = partial(io.TextIOWrapper.readline, lines, _LONGEST_LINE)
            for line in iter(readline, ""):
                number += 1
                _check_length(line, path, number)
                yield number, line.rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise undecodable(error, path, number + 1) from None
    except OSError as error:
        problem = f"the file cannot be opened: {error.strerror or error}"
        raise ReadError(problem, path=path) from None


def opened_text(path: Path, content: bytes | None = None) -> io.TextIOWrapper:
    """Open a file as text, in UTF-8 or as its byte order mark says, lines as they are ended."""
    if content is not None:
        file: BinaryIO = io.BytesIO(content)
        head = content[:_HEAD]
    else:
        file = read_file(path)
        head = file.read(_HEAD)
        file.seek(0)
    encoding = encoding_of(head)
    if encoding.startswith("utf-8"):
        try:
            refuse_binary(head, path)
        except ReadError:
            file.close()
            raise
    return _BoundedText(file, encoding, path)


class _BoundedText(io.TextIOWrapper):
    """A text whose lines are never longer than can be held in memory."""

    def __init__(self, file: BinaryIO, encoding: str, path: Path) -> None:
        super().__init__(file, encoding=encoding, newline="")
        self._path = path

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        line = super().readline(size if size >= 0 else _LONGEST_LINE)
        _check_length(line, self._path, None)
        return line


def _check_length(line: str, path: Path, number: int | None) -> None:
    if len(line) >= _LONGEST_LINE and not line.endswith(("\r", "\n")):
        problem = f"a line of more than {_LONGEST_LINE:,} characters; is it such a file at all?"
        raise ReadError(problem, path=path, line=number)


def undecodable(error: UnicodeDecodeError, path: Path, line: int | None) -> ReadError:
    """Say which byte is no text; the line is about where, because bytes are read in blocks."""
    problem = (
        f"no {error.encoding.upper()} text: byte 0x{error.object[error.start]:02x} "
        "in or after this line cannot be read; save the file as UTF-8"
    )
    return ReadError(problem, path=path, line=line)


# the reader says what is wrong
