"""The cells of a text table, column by column, as numbers."""

from __future__ import annotations

import csv
from itertools import islice
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from unisono.errors import ReadError, setting
from unisono.formats.delimiting import (
    better_delimiter,
    csv_reader,
    delimiter_name,
    quote_problem,
    row_text,
)
from unisono.model.naming import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from unisono.model.arrays import Integers
    from unisono.model.columns import Codebook


# Small enough for the caches: ten times as many rows take half as long again.
_BLOCK_ROWS = 4_000


class TextTable:
    """A text table whose rows are read twice: all at once, and again where one is to be named.

    Rows are counted from 0, empty lines left out.
    """

    def __init__(self, path: Path, text: str, delimiter: str) -> None:
        self.path = path
        self.text = text
        self.delimiter = delimiter
        self.line, self.first = self._first_row()
        self.width = len(self.first)
        if self.width == 1:
            self._refuse_one_column()

    def coded(self, books: Mapping[int, Codebook]) -> dict[int, Integers]:
        """Give numbers to the cells of some columns, each by its codebook."""
        blocks: dict[int, list[Integers]] = {place: [] for place in books}
        done = 0
        for rows in self._blocks():
            if set(map(len, rows)) - {self.width}:
                self._refuse_width(rows, done)
            columns = list(zip(*rows, strict=True))
            for place, book in books.items():
                blocks[place].append(book.codes(columns[place]))
            done += len(rows)
        return {place: np.concatenate(parts) for place, parts in blocks.items()}

    def line_of(self, row: int) -> int:
        """Find the line where a row begins."""
        reader = csv_reader(self.text, self.delimiter)
        start = line = 1
        seen = -1
        try:
            while seen < row:
                cells = next(reader)
                start, line = line, reader.line_num + 1
                seen += bool(any(map(str.strip, cells)) or (cells and seen >= 0))
        except csv.Error:
            return line  # the row is the broken one
        return start

    def _first_row(self) -> tuple[int, list[str]]:
        reader = csv_reader(self.text, self.delimiter)
        line = 1
        try:
            for row in reader:
                if any(map(str.strip, row)):
                    return line, row
                line = reader.line_num + 1
        except csv.Error as error:
            raise ReadError(quote_problem(error), path=self.path, line=line) from None
        problem = "no row but empty ones; expected ratings"
        raise ReadError(problem, path=self.path)

    def _blocks(self) -> Iterator[list[list[str]]]:
        reader = csv_reader(self.text, self.delimiter)
        # The first row that holds something begins the table.
        rows = [next(row for row in reader if any(map(str.strip, row)))]
        filled = filter(None, reader)
        done = 0
        while rows:
            yield rows
            done += len(rows)
            rows = []
            try:
                # What was read before an error stays in the list.
                rows.extend(islice(filled, _BLOCK_ROWS))
            except csv.Error as error:
                line = self.line_of(done + len(rows))
                raise ReadError(quote_problem(error), path=self.path, line=line) from None

    def _refuse_width(self, rows: list[list[str]], done: int) -> NoReturn:
        at, row = next((at, row) for at, row in enumerate(rows) if len(row) != self.width)
        problem = (
            f"expected {counted(self.width, 'column')} as in the first row, got {len(row)}; "
            f"the row is {row_text(row, self.delimiter)!r}"
        )
        raise ReadError(problem, path=self.path, line=self.line_of(done + at))

    def _refuse_one_column(self) -> NoReturn:
        name = delimiter_name(self.delimiter)
        problem = f"only one column, when columns are separated by {name}"
        if better := better_delimiter(self.text, self.delimiter):
            cure = setting("delimiter", better)
            problem += f"; with {delimiter_name(better)} there are more: say {cure}"
        raise ReadError(problem, path=self.path, line=self.line)
