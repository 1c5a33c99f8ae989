"""Text tables with one row a unit: CSV and TSV, with or without a header."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal

import numpy as np

from unisono.errors import ReadError, setting
from unisono.formats.decoding import text_of
from unisono.formats.delimiting import (
    better_delimiter,
    csv_reader,
    delimiter_name,
    guessed_delimiter,
    quote_problem,
    row_text,
)
from unisono.formats.gathering import Block, Gathered
from unisono.formats.headings import Layout, layout_of
from unisono.model.columns import unit_problem
from unisono.model.naming import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from unisono.formats.headings import Asked
    from unisono.formats.locating import Source
    from unisono.model.columns import Floats

_NAMED = ("document", "annotator")
# Small enough for the caches: ten times as many rows take half as long again.
_BLOCK_ROWS = 4_000
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What the caller says of tables."""

    asked: Asked
    delimiter: str | None = None
    on_error: Literal["raise", "skip"] = "raise"


def read_csv(source: Source, options: TableOptions, gathered: Gathered) -> int:
    """Read a table separated by commas, semicolons, tabs or bars; count what was skipped."""
    return _read(source, options, gathered, ",;\t|")


def read_tsv(source: Source, options: TableOptions, gathered: Gathered) -> int:
    """Read a table separated by tabs; count what was skipped."""
    return _read(source, options, gathered, "\t")


def _read(source: Source, options: TableOptions, gathered: Gathered, candidates: str) -> int:
    text = text_of(source.path)
    delimiter = options.delimiter or guessed_delimiter(text, candidates, options.asked)
    rows_before, line, first = _first_row(text, delimiter, source.path)
    if len(first) == 1:
        _refuse_one_column(text, delimiter, source.path, line)
    layout = layout_of(first, options.asked, path=source.path, line=line)
    table = _Table(source, layout, delimiter, options.on_error, gathered)
    table.read(text, rows_before + layout.header)
    return table.skipped


def _first_row(text: str, delimiter: str, path: Path) -> tuple[int, int, list[str]]:
    reader = csv_reader(text, delimiter)
    before, line = 0, 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                return before, line, row
            before, line = before + 1, reader.line_num + 1
    except csv.Error as error:
        raise ReadError(quote_problem(error), path=path, line=line) from None
    problem = f"no row but {counted(before, 'empty one')}; expected annotator, start, end, label"
    raise ReadError(problem, path=path)


def _refuse_one_column(text: str, delimiter: str, path: Path, line: int) -> None:
    problem = f"only one column, when columns are separated by {delimiter_name(delimiter)}"
    if better := better_delimiter(text, delimiter):
        cure = setting("delimiter", better)
        problem += f"; with {delimiter_name(better)} there are more: say {cure}"
    else:
        problem += "; expected annotator, start, end, label"
    raise ReadError(problem, path=path, line=line)


class _Table:
    """A table being read, block by block.

    A block is converted column by column; only a block with something wrong in it is looked
    at row by row.
    """

    def __init__(
        self,
        source: Source,
        layout: Layout,
        delimiter: str,
        on_error: Literal["raise", "skip"],
        gathered: Gathered,
    ) -> None:
        self.path = source.path
        self.document = source.document
        self.places = layout.places
        self.width = layout.width
        self.delimiter = delimiter
        self.on_error = on_error
        self.gathered = gathered
        self.skipped = 0

    def read(self, text: str, rows_before: int) -> None:
        """Read all rows after the first few."""
        units = 0
        for line, rows in self._blocks(text, rows_before):
            block = self._converted(rows)
            if block is None:
                kept = [row for at, row in _located(line, rows) if self._is_unit(row, at)]
                block = self._converted(kept)
            if block is not None and len(block.starts):
                self.gathered.blocks.append(block)
                units += len(block.starts)
        if not units:
            self._note_no_units()

    def _blocks(self, text: str, rows_before: int) -> Iterator[tuple[int, list[list[str]]]]:
        reader = csv_reader(text, self.delimiter)
        for _ in range(rows_before):
            next(reader)
        while True:
            line, broken = reader.line_num + 1, None
            rows: list[list[str]] = []
            try:
                # What was read before an error stays in the list.
                rows.extend(islice(reader, _BLOCK_ROWS))
            except csv.Error as error:
                broken = error
            yield line, rows
            if broken is not None:
                at = line + sum(map(_lines, rows))
                self._object(quote_problem(broken), at, fatal=not _is_local(broken))
            elif len(rows) < _BLOCK_ROWS:
                return

    def _converted(self, rows: list[list[str]]) -> Block | None:
        """Convert rows that are all good, or nothing."""
        widths = set(map(len, rows))
        if 0 in widths:
            rows = [row for row in rows if row]
            widths.discard(0)
        if not widths <= {self.width}:
            return None
        columns = list(zip(*rows, strict=True)) if rows else [()] * self.width
        try:
            starts = _floats(columns[self.places["start"]])
            ends = _floats(columns[self.places["end"]])
        except ValueError:
            return None
        if not (np.isfinite(starts) & np.isfinite(ends) & (starts <= ends)).all():
            return None
        named = [columns[self.places[role]] for role in _NAMED if role in self.places]
        if not all(map(str.strip, dict.fromkeys(chain(*named)))):
            return None
        # Only now, that no name of a row to be skipped gets into the codebooks.
        gathered, blank = self.gathered, ("",) * len(rows)
        if "document" in self.places:
            documents = gathered.documents.codes(columns[self.places["document"]])
        else:
            code = gathered.code_of_file(self.document, self.path)
            documents = np.full(len(rows), code, dtype=np.int64)
        people = gathered.annotators.codes(columns[self.places["annotator"]])
        cells = columns[self.places["label"]] if "label" in self.places else blank
        return Block(documents, people, starts, ends, gathered.labels.codes(cells))

    def _is_unit(self, row: list[str], line: int) -> bool:
        if not any(map(str.strip, row)):
            return False  # a blank row says nothing, so nothing is lost
        problem = self._problem(row)
        if problem:
            self._object(f"{problem}; the row is {row_text(row, self.delimiter)!r}", line)
        return not problem

    def _problem(self, row: Sequence[str]) -> str | None:
        if len(row) != self.width:
            return f"expected {counted(self.width, 'column')} as in the first row, got {len(row)}"
        cells = {role: row[place].strip() for role, place in self.places.items()}
        for role in _NAMED:
            if cells.get(role) == "":
                return f"the {role} is empty; every unit has one"
        bounds = []
        for role in ("start", "end"):
            try:
                bounds.append(float(cells[role]))
            except ValueError:
                if not cells[role]:
                    return f"the {role} is empty; every unit has one"
                return f"{role} {cells[role]!r} is not a number{_comma_hint(cells[role])}"
        return unit_problem(cells["annotator"], *bounds)

    def _object(self, problem: str, line: int, *, fatal: bool = False) -> None:
        if fatal or self.on_error == "raise":
            raise ReadError(problem, path=self.path, line=line)
        self.skipped += 1

    def _note_no_units(self) -> None:
        if self.skipped:
            problem = f"no unit in this file, all {counted(self.skipped, 'row')} would be skipped"
            raise ReadError(problem, path=self.path)
        problem = "a header but no rows, so it is not known who saw this document"
        cure = f"leave the file out, or say with {setting('annotators')} who saw it"
        error = ReadError(f"{problem}; {cure}", path=self.path)
        if "document" in self.places:
            raise error
        self.gathered.code_of_file(self.document, self.path)
        self.gathered.files_without_units[self.document] = error


def _floats(cells: Sequence[str]) -> Floats:
    return np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))


def _located(line: int, rows: Sequence[list[str]]) -> Iterator[tuple[int, list[str]]]:
    for row in rows:
        yield line, row
        line += _lines(row)


def _lines(row: Sequence[str]) -> int:
    """Count the lines a row takes; a cell in quotation marks may have several."""
    return 1 + sum(len(_LINE_END.findall(cell)) for cell in row)


def _is_local(error: csv.Error) -> bool:
    """Tell whether the lines after a broken row can still be trusted."""
    return "expected after" in str(error)


def _comma_hint(cell: str) -> str:
    return "; write decimals with a point" if "," in cell else ""
