"""`Source`: a file to read, with what its path says about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unisono.formats.characters import content_of, decoded, decoded_as_is, numbered_lines
from unisono.formats.roles import FILE_NAME, Place, owner_problem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Source"]


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read, or a member of an archive."""

    path: Path
    format: str
    document: str  # used unless documents are named in the file
    annotator: str | None = None  # from the path; None: unknown
    member: bytes | None = None  # the content, if it is not read from the path
    path_document: str | None = None  # of a table, if document= refers to the path
    document_place: Place = FILE_NAME
    annotator_place: Place = FILE_NAME

    def content(self) -> bytes:
        """Return the bytes of the file."""
        return content_of(self.path) if self.member is None else self.member

    def text(self, expected: str = "annotations") -> str:
        """Return the text of the file, in UTF-8 or the encoding of its byte order mark."""
        return decoded(self.content(), self.path, expected)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield the number and the text of each line; the file is not held in memory."""
        return numbered_lines(self.path, self.member)

    def companion(self, suffix: str) -> str | None:
        """Return the text of the file with the same stem and this suffix, `None` if missing."""
        beside = self.path.with_suffix(suffix)
        if self.member is not None or not beside.is_file():
            return None
        return decoded_as_is(content_of(beside), beside)

    def owner(self) -> str:
        """Return the annotator from the path; raise if the path does not name one."""
        if self.annotator is None:
            raise owner_problem(self.path)
        return self.annotator
