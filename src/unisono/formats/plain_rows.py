"""Rows of a table without quotation marks: cut in blocks, many cells at once."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from unisono.model.columns import Floats

# Small enough for the caches: with ten times as many, reading takes half as long again.
_BLOCK_CHARACTERS = 1 << 17
_NEWLINE = ord("\n")
_COMMA_NUMBER = re.compile(r"\s*[+-]?(\d+(,\d*)?|,\d+)([eE][+-]?\d+)?\s*")


class PlainRows:
    """Rows that have all their cells, one line each."""

    __slots__ = ("_cells", "_width")

    def __init__(self, cells: Sequence[str], width: int) -> None:
        self._cells = cells
        self._width = width

    def __len__(self) -> int:
        return len(self._cells) // self._width

    def columns(self) -> list[Sequence[str]]:
        """Give the cells column by column."""
        return [self._cells[place :: self._width] for place in range(self._width)]

    def rows(self) -> list[list[str]]:
        """Give the cells row by row."""
        width = self._width
        return [list(self._cells[at : at + width]) for at in range(0, len(self._cells), width)]


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
        body = text.removesuffix("\n")
        if '"' in text or "\r" in text or not _is_even(body, delimiter, width):
            yield text, None
            return
        yield text, PlainRows(body.replace("\n", delimiter).split(delimiter), width)


def _is_even(body: str, delimiter: str, width: int) -> bool:
    """Tell whether every line has so many cells, and none is too long for a cell of CSV."""
    if not delimiter.isascii():
        return False
    # In UTF-8 no part of another character looks like these two.
    letters = np.frombuffer(body.encode("utf-8", "surrogatepass"), dtype=np.uint8)
    newline = letters == _NEWLINE
    cuts = np.flatnonzero(newline | (letters == ord(delimiter)))
    if (len(cuts) + 1) % width:
        return False
    ends = cuts[width - 1 :: width]
    if len(ends) != np.count_nonzero(newline) or not newline[ends].all():
        return False
    edges = np.concatenate(([-1], ends, [len(letters)]))
    return bool(np.diff(edges).max() <= csv.field_size_limit())


class Decimals:
    """Numbers of one table: with a decimal point, or all with a decimal comma."""

    def __init__(self, delimiter: str) -> None:
        self._may_be_comma = delimiter != ","
        self._has_comma = False
        self._has_point = False

    def floats(self, cells: Sequence[str]) -> Floats:
        """Give the numbers of cells.

        Raises
        ------
        ValueError
            A cell is no number, or some decimals have a point and others a comma.
        """
        if not self._has_comma:
            try:
                numbers = np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))
            except ValueError:
                if not self._may_be_comma or self._has_point:
                    raise
            else:
                if self._may_be_comma and not self._has_point:
                    self._has_point = any("." in cell for cell in cells)
                return numbers
        for cell in cells:
            if not _COMMA_NUMBER.fullmatch(cell):
                msg = f"no number with a decimal comma: {cell!r}"
                raise ValueError(msg)
        self._has_comma = True
        changed = [cell.replace(",", ".") for cell in cells]
        return np.fromiter(map(float, changed), dtype=np.float64, count=len(cells))

    def hint(self, cell: str) -> str:
        """Say what is wrong with the decimals of a cell, if that is what is wrong."""
        if self._has_comma and "." in cell:
            return "; decimals of this table have a comma"
        return "; write decimals with a point" if "," in cell else ""
