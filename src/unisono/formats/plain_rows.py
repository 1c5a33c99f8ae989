"""Rows of a table without quotation marks: their bytes, and where each cell begins and ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from unisono.formats.delimiting import LONGEST_CELL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from numpy.typing import NDArray

    from unisono.model.arrays import Integers

    Bytes: TypeAlias = NDArray[np.uint8]

    Words: TypeAlias = NDArray[np.uint64]


# Small enough for the caches, and so many that what a block costs by itself does not matter.
_BLOCK_CHARACTERS = 1 << 18
_NEWLINE = ord("\n")
# Room around the bytes of a block, so that words may reach beyond its first and last cell.
_BEFORE, _AFTER = 16, 64
# Cells of fewer rows are quicker looked at one by one.
_MANY_ROWS = 1_000
# If one in so many cells is needed as text, it is quicker to cut the whole block.
_MANY_OF = 8
LONGEST_BEFORE = _BEFORE
"""So many bytes before the end of a cell can be looked at."""
LONGEST_AFTER = _AFTER
"""So many bytes after the start of a cell can be looked at."""


class PlainRows:
    """Rows that have all their cells, one line each."""

    __slots__ = ("_body", "_cells", "_delimiter", "_edges", "_letters", "_width")

    def __init__(
        self, body: str, delimiter: str, width: int, letters: Bytes, cuts: Integers
    ) -> None:
        self._body = body
        self._delimiter = delimiter
        self._width = width
        self._letters = letters
        self._edges = np.concatenate(([_BEFORE - 1], cuts, [len(letters) - _AFTER]))
        self._cells: list[str] | None = None

    def __len__(self) -> int:
        return (len(self._edges) - 1) // self._width

    def columns(self) -> Sequence[PlainColumn | Sequence[str]]:
        """Give the cells column by column; those of a few rows as text."""
        if len(self) < _MANY_ROWS:
            return [self.texts(place) for place in range(self._width)]
        return [PlainColumn(self, place) for place in range(self._width)]

    def rows(self) -> list[list[str]]:
        """Give the cells row by row."""
        cells, width = self._texts(), self._width
        return [cells[at : at + width] for at in range(0, len(cells), width)]

    def texts(self, place: int) -> list[str]:
        """Give the cells of one column as text."""
        return self._texts()[place :: self._width]

    def edges(self, place: int) -> tuple[Integers, Integers]:
        """Give the places where the cells of one column begin and where they end."""
        starts = self._edges[place : -1 : self._width] + 1
        return starts, self._edges[place + 1 :: self._width].copy()

    @property
    def letters(self) -> Bytes:
        """The bytes of the cells and of what is between and around them."""
        return self._letters

    def _texts(self) -> list[str]:
        if self._cells is None:
            self._cells = self._body.replace("\n", self._delimiter).split(self._delimiter)
        return self._cells


class PlainColumn:
    """The cells of one column of plain rows, as bytes.

    Attributes
    ----------
    starts, ends
        Where each cell begins and where it ends.
    """

    __slots__ = ("_letters", "_place", "_rows", "_words", "ends", "starts")

    def __init__(self, rows: PlainRows, place: int) -> None:
        self._rows = rows
        self._place = place
        self._letters = rows.letters
        # A word of eight bytes at every place, on every machine the first byte as the lowest.
        self._words: Words = np.ndarray(
            (len(rows.letters) - 7,), dtype="<u8", buffer=rows.letters, strides=(1,)
        )
        self.starts, self.ends = rows.edges(place)

    def __len__(self) -> int:
        return len(self.starts)

    def letters(self, places: Integers) -> Bytes:
        """Give the bytes at some places."""
        return self._letters[places]

    def words(self, places: Integers) -> Words:
        """Give the eight bytes from each place on, as numbers."""
        return self._words[places]

    def texts(self) -> list[str]:
        """Give all cells as text."""
        return self._rows.texts(self._place)

    def texts_of(self, rows: Integers) -> list[str]:
        """Give the cells of some rows as text."""
        if _MANY_OF * len(rows) > len(self):
            texts = self.texts()
            return [texts[row] for row in rows.tolist()]
        letters = self._letters.data
        return [
            str(letters[start:end], "utf-8", "surrogatepass")
            for start, end in zip(self.starts[rows].tolist(), self.ends[rows].tolist(), strict=True)
        ]


def plain_blocks(
    file: TextIO, delimiter: str, width: int
) -> Iterator[tuple[str, PlainRows | None]]:
    """Give blocks of rows; where one is not plain, its text, and nothing after it.

    A block is plain if it has no quotation marks and every line has as many cells as the first
    row of the table.
    """
    while True:
        text = file.read(_BLOCK_CHARACTERS)
        if not text:
            return
        if not text.endswith("\n"):
            text += file.readline()
        if "\r" in text:
            text = text.replace("\r\n", "\n")
        rows = None
        if '"' not in text and "\r" not in text and delimiter.isascii():
            rows = _plain_rows(text.removesuffix("\n"), delimiter, width)
        yield text, rows
        if rows is None:
            return


def _plain_rows(body: str, delimiter: str, width: int) -> PlainRows | None:
    """Cut lines into cells, if every line has so many and none is too long for a cell of CSV."""
    encoded = body.encode("utf-8", "surrogatepass")
    letters = np.frombuffer(b"".join((bytes(_BEFORE), encoded, bytes(_AFTER))), dtype=np.uint8)
    # In UTF-8 no part of another character looks like these two; nor does the room around.
    newline = letters == _NEWLINE
    cuts = np.flatnonzero(newline | (letters == ord(delimiter)))
    if (len(cuts) + 1) % width:
        return None
    ends = cuts[width - 1 :: width]
    if len(ends) != np.count_nonzero(newline) or not newline[ends].all():
        return None
    edges = np.concatenate(([_BEFORE - 1], ends, [_BEFORE + len(encoded)]))
    if np.diff(edges).max() > LONGEST_CELL:
        return None
    return PlainRows(body, delimiter, width, letters, cuts)
