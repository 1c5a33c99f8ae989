"""Text of files: encodings, UTF-16 and character offsets, lines, and progress of reading."""

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
    "character_offset",
    "content_of",
    "decoded",
    "decoded_as_is",
    "from_utf16",
    "lines_of",
    "long_line_problem",
    "matching_offsets",
    "numbered_lines",
    "opened_text",
    "reported",
    "text_of",
    "track_bytes_read",
    "utf8_blocks",
]

MISMATCH = "quoted texts that differ from the document's text at their offsets"
LARGEST = 4 * 2**30
"""Largest size in bytes of a file that has to be in memory as a whole."""
LARGEST_PIPE = 2**30
"""Largest number of bytes read from a pipe, which is kept in memory as a whole."""
DEVICE = "a device, which cannot be read; use a file, or pipe in the output of a program"
"""Error message for a path that is neither a file nor a folder nor a pipe."""
_PIECE = 2**20
_LINE_END = re.compile(r"\r\n|\n|\r")
# UTF-32 before UTF-16: the mark of UTF-32 begins with that of UTF-16.
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def text_of(path: Path, expected: str = "one row per unit: annotator, start, end, label") -> str:
    """Return the text of a file in UTF-8 or the encoding of its byte order mark."""
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
                # Pipes, and some files, hold more than their reported size.
                if len(content) > status.st_size:
                    content += _rest(file, most)
            if len(content) <= most:
                return content
    except OSError as error:
        problem = f"the file cannot be opened: {error.strerror or error}"
        raise ReadError(problem, path=path) from None
    what = "pipe" if is_pipe else "file"
    problem = (
        f"the {what} is larger than {most / 2**30:.0f} GiB, the limit for data read into memory; "
        "split it, or save it as a file of JSON Lines"
    )
    raise ReadError(problem, path=path)


def _rest(file: BinaryIO, most: int) -> bytes:
    """Return the remaining bytes of a file; stop soon after the limit is exceeded."""
    pieces: list[bytes] = []
    while most >= 0 and (piece := file.read(_PIECE)):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def encoding_of(content: bytes) -> str:
    """Return the encoding of the byte order mark; UTF-8 without one."""
    return next((name for mark, name in _MARKS.items() if content.startswith(mark)), "utf-8")


def decoded(content: bytes, path: Path, expected: str = "annotations") -> str:
    """Return the decoded text of a file; `path` and `expected` are used in error messages."""
    encoding = encoding_of(content)
    if encoding.startswith("utf-8"):
        refuse_binary(content, path)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        # Line feeds can be counted in bytes in UTF-8, but not in UTF-16 and UTF-32.
        line = content.count(b"\n", 0, error.start) + 1 if encoding.startswith("utf-8") else None
        problem = (
            f"not valid {encoding.removesuffix('-sig').upper()}: "
            f"byte 0x{content[error.start]:02x} cannot be decoded; save the file as UTF-8"
        )
        raise ReadError(problem, path=path, line=line) from None
    if not text or text.isspace():
        problem = f"the file is empty; expected {expected}"
        raise ReadError(problem, path=path)
    return text


def decoded_as_is(content: bytes, path: Path) -> str:
    """Return a text to which offsets refer: a UTF-8 byte order mark counts as a character."""
    encoding = encoding_of(content).removesuffix("-sig")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        problem = (
            f"not valid {encoding.upper()}: byte 0x{content[error.start]:02x} cannot be decoded; "
            "save the file as UTF-8"
        )
        raise ReadError(problem, path=path) from None


def lines_of(text: str) -> list[str]:
    """Return the lines of a text without line ends.

    `str.splitlines` would also split at characters that may occur in a label, such as a form feed.
    """
    return _LINE_END.split(text)


def refuse_binary(content: bytes, path: Path) -> None:
    """Raise if the content begins like a zip archive or has zero bytes."""
    if content.startswith(b"PK\x03\x04"):
        problem = "a spreadsheet or zip archive, not a text file; save the table as CSV"
    elif b"\0" in content[:65536]:
        problem = "a binary file, not a text file; save it as CSV in UTF-8"
    else:
        return
    raise ReadError(problem, path=path)


_ASTRAL = 0x10000


def from_utf16(text: str) -> Integers | None:
    """Return the character index of each UTF-16 code unit and of the end; `None` if identical.

    Java and JavaScript count code units: a character beyond the Basic Multilingual Plane, such
    as most emoji, counts as two. An offset inside such a character maps to the character.
    """
    if text.isascii() or max(text) < chr(_ASTRAL):
        return None
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return _repeated(1 + (points >= _ASTRAL))


def _repeated(sizes: Integers | np.ndarray) -> Integers:
    return np.append(np.repeat(np.arange(len(sizes)), sizes), len(sizes)).astype(np.int64)


def character_offset(position: float, table: Integers | None) -> float:
    """Return the character offset of a UTF-16 offset; one outside of the text stays outside."""
    if table is None:
        return position
    whole = int(position)
    if 0 <= whole < len(table):
        return int(table[whole])
    return position if whole < 0 else int(table[-1]) + whole - len(table) + 1


def matching_offsets(text: str, quotes: Iterable[tuple[float, float, str]]) -> Integers | None:
    """Return the table of UTF-16 offsets if the quoted texts match it better, else `None`."""
    table = from_utf16(text)
    if table is None:
        return None

    def fits(change: Callable[[float], float]) -> int:
        return sum(text[int(change(a)) : int(change(b))] == quote for a, b, quote in known)

    known = [quote for quote in quotes if quote[2]]
    as_units = fits(lambda position: character_offset(position, table))
    return table if as_units > fits(lambda position: position) else None


_BUFFER = 1 << 20


class _ByteCounter:
    """Number of bytes read so far, out of the total size of all files."""

    def __init__(self, progress: Callable[[int, int], None], sizes: dict[Path, int]) -> None:
        self.progress = progress
        self.sizes = sizes
        self.total = sum(sizes.values())
        self._places: dict[Path, int] = {}
        self._done = 0

    def reached(self, path: Path, place: int) -> None:
        """Update the position in a file, whose beginning may be read more than once."""
        before = self._places.get(path, 0)
        place = min(place, self.sizes.get(path, 0))
        if place > before:
            self._places[path] = place
            self._done += place - before
            self.progress(self._done, self.total)


class _CountedFile(io.FileIO):
    def __init__(self, path: Path, counter: _ByteCounter) -> None:
        super().__init__(path, "rb")
        self._path = path
        self._counter = counter

    def readinto(self, buffer: bytearray | memoryview, /) -> int | None:  # type: ignore[override]
        read = super().readinto(buffer)
        self._counter.reached(self._path, self.tell())
        return read


_progress: ContextVar[Callable[[int, int], None] | None] = ContextVar("progress", default=None)
_counter: ContextVar[_ByteCounter | None] = ContextVar("counter", default=None)


@contextmanager
def reported(progress: Callable[[int, int], None] | None) -> Iterator[None]:
    """Call `progress` with the bytes read and the total bytes while the context is active."""
    token = _progress.set(progress)
    try:
        yield
    finally:
        _progress.reset(token)


@contextmanager
def track_bytes_read(paths: Iterable[Path]) -> Iterator[Callable[[Path], None]]:
    """Count the bytes read from these files; yield a function that marks a file as done."""
    progress = _progress.get()
    if progress is None:
        yield lambda _: None
        return
    counter = _ByteCounter(progress, {path: _size(path) for path in paths})
    token = _counter.set(counter)
    try:
        yield lambda path: counter.reached(path, counter.sizes[path])
    finally:
        _counter.reset(token)


def read_file(path: Path) -> BinaryIO:
    """Open a file in binary mode; bytes read are counted if progress is reported."""
    counter = _counter.get()
    if counter is None:
        return path.open("rb", buffering=_BUFFER)
    return io.BufferedReader(_CountedFile(path, counter), _BUFFER)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # reading the file reports the error


_HEAD = 65_536
_BLOCK = 2**20
LONGEST_LINE = 64 * 2**20
"""Largest number of characters in a line; peak memory is a small multiple of that."""


def numbered_lines(path: Path, content: bytes | None = None) -> Iterator[tuple[int, str]]:
    """Yield the number (from 1) and the text of each line of a file, without its line end."""
    number = 0
    try:
        with opened_text(path, content) as lines:
            # Bypasses the overridden method, which takes twice as long per line.
            readline = partial(io.TextIOWrapper.readline, lines, LONGEST_LINE)
            for line in iter(readline, ""):
                number += 1
                _check_length(line, path, number)
                yield number, line.rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise undecodable(error, path, number + 1) from None
    except OSError as error:
        problem = f"the file cannot be opened: {error.strerror or error}"
        raise ReadError(problem, path=path) from None


def utf8_blocks(path: Path, content: bytes | None = None) -> Iterator[tuple[bytes, bool]]:
    """Yield the text of a file in UTF-8, block by block, and whether the block is the last one.

    Text of another encoding, which its byte order mark names, is converted; a byte order mark is
    left out.
    """
    try:
        with read_file(path) if content is None else io.BytesIO(content) as file:
            block = file.read(_BLOCK)
            encoding = encoding_of(block)
            if encoding.startswith("utf-8"):
                refuse_binary(block, path)
                decoder = None
                block = block.removeprefix(codecs.BOM_UTF8)
            else:
                decoder = codecs.getincrementaldecoder(encoding)()
            is_last = False
            while not is_last:
                following = file.read(_BLOCK)
                is_last = not following
                yield block if decoder is None else decoder.decode(block, is_last).encode(), is_last
                block = following
    except UnicodeDecodeError:
        # Decoding the file as a whole raises an error with the line number.
        decoded(content_of(path) if content is None else content, path)
        raise
    except OSError as error:
        problem = f"the file cannot be opened: {error.strerror or error}"
        raise ReadError(problem, path=path) from None


def opened_text(path: Path, content: bytes | None = None) -> io.TextIOWrapper:
    """Open a file as text in UTF-8 or the encoding of its byte order mark; keep line ends."""
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
    """Text stream that rejects lines too long to be held in memory."""

    def __init__(self, file: BinaryIO, encoding: str, path: Path) -> None:
        super().__init__(file, encoding=encoding, newline="")
        self._path = path

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        line = super().readline(size if size >= 0 else LONGEST_LINE)
        _check_length(line, self._path, None)
        return line


def _check_length(line: str, path: Path, number: int | None) -> None:
    if len(line) >= LONGEST_LINE and not line.endswith(("\r", "\n")):
        raise ReadError(long_line_problem(LONGEST_LINE), path=path, line=number)


def long_line_problem(limit: int) -> str:
    """Return the error message for a line that is too long to be held in memory."""
    return (
        f"a line is longer than {limit:,} characters; check that the file has the expected format"
    )


def undecodable(error: UnicodeDecodeError, path: Path, line: int | None) -> ReadError:
    """Return the error for an undecodable byte; its line is approximate, as blocks are decoded."""
    problem = (
        f"not valid {error.encoding.upper()}: byte 0x{error.object[error.start]:02x} "
        "in or after this line cannot be decoded; save the file as UTF-8"
    )
    return ReadError(problem, path=path, line=line)
