"""A file to read, or a member of an archive, and what its path tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unisono.formats.characters import content_of, decoded, decoded_as_is
from unisono.formats.path_roles import owner_problem
from unisono.formats.streaming import numbered_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read, or a member of an archive."""

    path: Path
    format: str
    document: str  # its name as a document, unless documents are named inside
    annotator: str | None = None  # as the path tells, if it does
    member: bytes | None = None  # what a member of an archive holds
    told_document: str | None = None  # of a table: as the path tells, where that was asked for

    def content(self) -> bytes:
        """Give the bytes of the file.

        Raises
        ------
        ReadError
            It cannot be opened, or is larger than can be held in memory at once.
        """
        return content_of(self.path) if self.member is None else self.member

    def text(self, expected: str = "annotations") -> str:
        """Give the text of the file, in UTF-8 or as its byte order mark says."""
        return decoded(self.content(), self.path, expected)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Give line after line with its number, never more than a few in memory."""
        return numbered_lines(self.path, self.member)

    def companion(self, suffix: str) -> str | None:
        """Give the text of the file beside this one that has another suffix, if there is one."""
        beside = self.path.with_suffix(suffix)
        if self.member is not None or not beside.is_file():
            return None
        return decoded_as_is(content_of(beside), beside)

    def owner(self) -> str:
        """Give the annotator the path tells.

        Raises
        ------
        ReadError
            It does not tell; the message says how to.
        """
        if self.annotator is None:
            raise owner_problem(self.path)
        return self.annotator
