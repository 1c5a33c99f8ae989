"""The text of a file, whatever byte order mark it starts with; or why it is no text."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from unisono.errors import ReadError

if TYPE_CHECKING:
    from pathlib import Path

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
    try:
        content = path.read_bytes()
    except OSError as error:
        problem = f"the file cannot be opened: {error.strerror or error}"
        raise ReadError(problem, path=path) from None
    encoding = next((name for mark, name in _MARKS.items() if content.startswith(mark)), "utf-8")
    if encoding.startswith("utf-8"):
        _refuse_binary(content, path)
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


def _refuse_binary(content: bytes, path: Path) -> None:
    if content.startswith(b"PK\x03\x04"):
        problem = "a spreadsheet or zip archive, no text; save the table as CSV"
    elif b"\0" in content[:65536]:
        problem = "a binary file, no text; save it as CSV in UTF-8"
    else:
        return
    raise ReadError(problem, path=path)
