"""Text tables with one row a unit: CSV and TSV, with or without a header."""

from __future__ import annotations

import csv
import io
import re
from itertools import chain, islice
from typing import TYPE_CHECKING

import numpy as np

from unisono.errors import ReadError, setting, shortened
from unisono.formats.cell_codes import CellBook
from unisono.formats.characters import decoded
from unisono.formats.delimiting import (
    better_delimiter,
    csv_lines,
    delimiter_name,
    guessed_delimiter,
    quote_problem,
    row_text,
)
from unisono.formats.fast_csv import Decimals
from unisono.formats.gathering import Block, Gathered
from unisono.formats.headings import Asked, Layout, bare, layout_of
from unisono.formats.path_roles import is_about_paths
from unisono.formats.plain_rows import PlainRows, plain_blocks
from unisono.formats.streaming import opened_text
from unisono.model.columns import Codebook, are_units, unit_problem
from unisono.model.naming import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from typing import TextIO

    from unisono.formats.cell_codes import Sought
    from unisono.formats.contents import ReadOptions
    from unisono.formats.sources import Source
    from unisono.model.arrays import Codes


_NAMED = ("document", "annotator")
# Small enough for the caches: ten times as many rows take half as long again.
_BLOCK_ROWS = 4_000
_HEAD = 65_537  # characters; one more than a guess looks at
_EXPECTED = "one row a unit: annotator, start, end, label"
_LINE_END = re.compile(r"\r\n|\r|\n")


def read_csv(source: Source, options: ReadOptions, gathered: Gathered) -> None:
    """Read a table separated by commas, semicolons, tabs or bars."""
    _read(source, options, gathered, ",;\t|")


def read_tsv(source: Source, options: ReadOptions, gathered: Gathered) -> None:
    """Read a table separated by tabs."""
    _read(source, options, gathered, "\t")


def _read(source: Source, options: ReadOptions, gathered: Gathered, candidates: str) -> None:
    path = source.path
    try:
        with opened_text(path, source.member) as file:
            head = file.read(_HEAD)
        if (not head or head.isspace()) and len(head) < _HEAD:
            decoded(head.encode(), path, _EXPECTED)
        delimiter = options.delimiter or guessed_delimiter(head, candidates, options.asked)
        with opened_text(path, source.member) as file:
            rows_before, line, first = _first_row(file, delimiter, path)
        if len(first) == 1:
            _refuse_one_column(head, delimiter, path, line)
        asked = asked_in(first, source, options)
        layout = layout_of(first, asked, path=path, line=line)
        table = _Table(source, layout, delimiter, options, gathered)
        with opened_text(path, source.member) as file:
            table.read(file, rows_before + layout.header)
    except UnicodeDecodeError:
        # Read as a whole, the file tells the line.
        decoded(source.content(), path)
        raise
    except OSError as error:
        problem = f"the file cannot be opened: {error.strerror or error}"
        raise ReadError(problem, path=path) from None


def asked_in(first: Sequence[str], source: Source, options: ReadOptions) -> Asked:
    """Give what is asked of the columns; a word for paths is none, unless a column is called so."""
    there = {bare(cell) for cell in first}
    columns = {
        role: column
        for role, column in options.asked.columns.items()
        if not (is_about_paths(column) and bare(str(column)) not in there)
    }
    by_path = "annotator" not in columns and source.annotator is not None
    if by_path:
        columns["annotator"] = False
    return Asked(columns, options.asked.header, by_path=by_path)


def document_of(source: Source, layout: Layout) -> str:
    """Give the document that a table without a column of documents is."""
    is_told = "annotator" not in layout.places or source.annotator is None
    return (source.told_document if is_told else None) or source.document


def _first_row(lines: Iterable[str], delimiter: str, path: Path) -> tuple[int, int, list[str]]:
    reader = csv_lines(lines, delimiter)
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
        options: ReadOptions,
        gathered: Gathered,
    ) -> None:
        self.source = source
        self.path = source.path
        self.document = document_of(source, layout)
        self.places = layout.places
        self.width = layout.width
        self.delimiter = delimiter
        self.on_error = options.on_error
        self.layers = options.layer
        self.gathered = gathered
        self.decimals = Decimals(delimiter)
        self.layer_names = Codebook()
        self.books = {
            "document": CellBook(gathered.documents),
            "annotator": CellBook(gathered.annotators),
            "label": CellBook(gathered.labels),
            "layer": CellBook(self.layer_names),
        }
        self.skipped = 0

    def read(self, file: TextIO, rows_before: int) -> None:
        """Read all rows after the first few."""
        units = 0
        for line, rows in self._blocks(file, rows_before):
            block = self._converted(rows)
            if block is None:
                cells = rows.rows() if isinstance(rows, PlainRows) else rows
                kept = [row for at, row in _located(line, cells) if self._is_unit(row, at)]
                block = self._converted(kept)
            if block is not None and len(block.starts):
                units += len(block.starts)
                self.gathered.add_block(block, self.layers)
        if not units:
            self._note_no_units()

    def _blocks(
        self, file: TextIO, rows_before: int
    ) -> Iterator[tuple[int, list[list[str]] | PlainRows]]:
        reader = csv_lines(iter(file.readline, ""), self.delimiter)
        for _ in range(rows_before):
            next(reader)
        line = reader.line_num + 1
        # Most tables have no quotation marks, and then cutting at the delimiter is enough.
        lines: Iterable[str] = ()
        for text, plain in plain_blocks(file, self.delimiter, self.width):
            if plain is None:
                lines = chain(io.StringIO(text, newline=""), iter(file.readline, ""))
                break
            yield line, plain
            line += len(plain)
        yield from self._quoted_blocks(lines, line - 1)

    def _quoted_blocks(
        self, lines: Iterable[str], before: int
    ) -> Iterator[tuple[int, list[list[str]]]]:
        reader = csv_lines(lines, self.delimiter)
        while True:
            line, broken = before + reader.line_num + 1, None
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

    def _converted(self, rows: list[list[str]] | PlainRows) -> Block | None:
        """Convert rows that are all good, or nothing."""
        columns = rows.columns() if isinstance(rows, PlainRows) else self._columns(rows)
        if columns is None:
            return None
        try:
            starts = self.decimals.floats(columns[self.places["start"]])
            ends = self.decimals.floats(columns[self.places["end"]])
        except ValueError:
            return None
        if not are_units(starts, ends).all():
            return None
        gathered, size = self.gathered, len(starts)
        sought: dict[str, Sought] = {}
        for role in _NAMED:
            if role in self.places:
                sought[role] = self.books[role].sought(columns[self.places[role]])
                # Names that were met before are no blanks.
                if not all(map(str.strip, set(sought[role].texts))):
                    return None
        # Only now, that no name of a row to be skipped gets into the codebooks.
        codes = {role: self.books[role].codes(found) for role, found in sought.items()}
        if "document" not in codes:
            code = gathered.code_of_file(self.document, self.path)
            codes["document"] = np.full(size, code, dtype=np.int32)
        if "annotator" not in codes:
            codes["annotator"] = self._same("annotator", self.source.owner(), size)
        if "label" in self.places:
            found = self.books["label"].sought(columns[self.places["label"]])
            codes["label"] = self.books["label"].codes(found)
        else:
            codes["label"] = self._same("label", "", size)
        layers = None
        if "layer" in self.places:
            found = self.books["layer"].sought(columns[self.places["layer"]])
            in_layers = self.books["layer"].codes(found).tolist()
            names = [str(name).strip() for name in self.layer_names.values]
            layers = [names[code] for code in in_layers]
        return Block(codes["document"], codes["annotator"], starts, ends, codes["label"], layers)

    def _same(self, role: str, text: str, size: int) -> Codes:
        code = self.books[role].codes(self.books[role].sought([text]))[0]
        return np.full(size, code, dtype=np.int32)

    def _columns(self, rows: list[list[str]]) -> Sequence[Sequence[str]] | None:
        widths = set(map(len, rows))
        if 0 in widths:
            rows = [row for row in rows if row]
            widths.discard(0)
        if not widths <= {self.width}:
            return None
        return list(zip(*rows, strict=True)) if rows else [()] * self.width

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
                bounds.append(float(self.decimals.floats((cells[role],))[0]))
            except ValueError:
                if not cells[role]:
                    return f"the {role} is empty; every unit has one"
                hint = self.decimals.hint(cells[role])
                return f"{role} {shortened(repr(cells[role]))} is not a number{hint}"
        return unit_problem(cells.get("annotator", ""), *bounds)

    def _object(self, problem: str, line: int, *, fatal: bool = False) -> None:
        if fatal or self.on_error == "raise":
            raise ReadError(problem, path=self.path, line=line)
        self.skipped += 1
        self.gathered.skips.add(shortened(problem.partition(";")[0]), f"{self.path}:{line}")

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
