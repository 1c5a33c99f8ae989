"""The text of a file, whatever byte order mark it starts with; or why it is no text."""

from __future__ import annotations

import codecs
import re
import stat
from typing import TYPE_CHECKING, BinaryIO

from unisono.errors import ReadError

if TYPE_CHECKING:
    from pathlib import Path


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
    """Read a text file: UTF-8, or what its byte order mark says.

    Parameters
    ----------
    path
        The file.
    expected
        What it should hold, for the message when it holds nothing.

    Raises
    ------
    ReadError
        It cannot be opened, is empty, or is no text in these encodings.
    """
    return decoded(content_of(path), path, expected)


def content_of(path: Path) -> bytes:
    """Return all bytes of a file or a pipe.

    Raises
    ------
    ReadError
        It cannot be opened, is a device, or holds more than a program should take at once.
    """
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
    """Give the text that bytes of a file say; `path` and `expected` are for messages.

    Raises
    ------
    ReadError
        They are none, or no text in these encodings.
    """
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
    """Give a text whose characters are counted: a mark of UTF-8 at its start is one of them.

    Raises
    ------
    ReadError
        It is no text.
    """
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
    """Refuse what begins like an archive or has zero bytes.

    Raises
    ------
    ReadError
        It does.
    """
    if content.startswith(b"PK\x03\x04"):
        problem = "a spreadsheet or zip archive, no text; save the table as CSV"
    elif b"\0" in content[:65536]:
        problem = "a binary file, no text; save it as CSV in UTF-8"
    else:
        return
    raise ReadError(problem, path=path)
