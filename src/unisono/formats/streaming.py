"""The lines of a file one after the other, however large it is."""

from __future__ import annotations

import io
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from unisono.errors import ReadError
from unisono.formats.characters import encoding_of, refuse_binary
from unisono.formats.read_progress import read_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


_HEAD = 65_536
_LONGEST_LINE = 64 * 2**20  # characters; what is in memory at once is some times as much


def numbered_lines(path: Path, content: bytes | None = None) -> Iterator[tuple[int, str]]:
    """Give the lines of a text file, with numbers from 1 and without their ends.

    Parameters
    ----------
    path
        The file.
    content
        What it holds, when it is a member of an archive.

    Raises
    ------
    ReadError
        It cannot be opened, or a line is no text in its encoding.
    """
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
    """Open a file as text, in UTF-8 or as its byte order mark says, lines as they are ended.

    Raises
    ------
    ReadError
        It is no text.
    OSError
        It cannot be opened.
    """
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
