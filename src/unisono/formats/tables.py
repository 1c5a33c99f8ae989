"""Units in delimited text and Parquet: reader and writer."""

from __future__ import annotations

import csv
import io
import re
from importlib.util import find_spec
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from unisono.errors import DataError, ReadError, SettingError, setting, shortened
from unisono.formats.characters import decoded, opened_text
from unisono.formats.contents import Block, Gathered
from unisono.formats.fast_csv import LONGEST_CELL, CellBook, Decimals, PlainRows, plain_blocks
from unisono.formats.output import warn_of_losses
from unisono.formats.roles import Asked, Layout, bare, is_about_paths, layout_of, recognised
from unisono.model.columns import (
    Codebook,
    UnitColumns,
    are_units,
    as_name,
    counted,
    listed,
    unit_problem,
)
from unisono.model.dataframes import frame_columns
from unisono.model.labels import label_text

if TYPE_CHECKING:
    from _csv import Reader
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from typing import TextIO

    import narwhals as nw

    from unisono.formats.contents import ReadOptions, Source
    from unisono.formats.fast_csv import Sought
    from unisono.model.arrays import Codes
    from unisono.model.corpus import Corpus
    from unisono.model.labels import Label


_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space"}
_SAMPLE_CHARACTERS = 65536
_SAMPLE_LINES = 20
_MOST_SHOWN = 120


def check_delimiter(delimiter: object) -> None:
    """Refuse what cannot separate columns; `None` is to be guessed."""
    if delimiter is None:
        return
    if not isinstance(delimiter, str):
        msg = f"a delimiter is a character; got {delimiter!r}"
        raise TypeError(msg)
    if len(delimiter) != 1 or delimiter in '"\r\n':
        msg = f"a delimiter is one character, no quotation mark and no line end; got {delimiter!r}"
        raise SettingError(msg)


def delimiter_name(delimiter: str) -> str:
    """Name a delimiter for people."""
    return _NAMES.get(delimiter, repr(delimiter))


def guessed_delimiter(text: str, candidates: Sequence[str], asked: Asked) -> str:
    """Guess what separates columns: what shows known names, then equally many columns."""
    if len(candidates) == 1:
        return candidates[0]
    lines = _first_lines(text, _SAMPLE_LINES)

    def merit(delimiter: str) -> tuple[int, bool, int]:
        rows = _rows(lines, delimiter)
        first = next((row for row in rows if any(map(str.strip, row))), [])
        width = max(map(len, rows), default=0)
        return recognised(first, asked), {len(row) for row in rows} == {width} != {1}, width

    return max(candidates, key=merit)


def better_delimiter(text: str, used: str) -> str | None:
    """Find what would separate a table that is one column with the delimiter used."""
    lines = _first_lines(text.lstrip(), 1)
    widths = {
        other: max(map(len, _rows(lines, other)), default=0) for other in _NAMES if other != used
    }
    best = max(widths, key=lambda other: widths[other])
    return best if widths[best] > 2 else None


def csv_reader(text: str, delimiter: str) -> Reader:
    """Split text into rows of cells."""
    return csv_lines(io.StringIO(text, newline=""), delimiter)


def csv_lines(lines: Iterable[str], delimiter: str) -> Reader:
    """Split lines, each with its end, into rows of cells."""
    # The limit is one of the whole process: it is raised where it is too low, and never lowered.
    if csv.field_size_limit() < LONGEST_CELL:
        csv.field_size_limit(LONGEST_CELL)
    # Strict: otherwise a quotation mark that is never closed swallows the rest of the file.
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)


class _Lines:
    """Takes the rows that the csv module writes, with line ends of our own."""

    def __init__(self) -> None:
        self.rows: list[str] = []

    def write(self, row: str) -> None:
        self.rows.append(row.removesuffix("\r\n") + "\n")


def csv_text(rows: Iterable[Iterable[object]], delimiter: str = ",") -> str:
    """Write rows as a table that `csv_reader` reads back."""
    lines = _Lines()
    # Only a character of the line end is sure to be quoted in a cell, and both of these end lines.
    csv.writer(lines, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return "".join(lines.rows)


def row_text(row: Sequence[str], delimiter: str) -> str:
    """Write a row as it stands in a file, with quotation marks where a cell needs them."""
    line = io.StringIO()
    csv.writer(line, delimiter=delimiter, lineterminator="").writerow(row)
    text = line.getvalue()
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…"


def quote_problem(error: csv.Error) -> str:
    """Say what the csv module objects to."""
    if "unexpected end" in str(error):
        return "a quotation mark that opens in this row is never closed"
    if "field larger" in str(error):
        return f"a cell has more than {csv.field_size_limit():,} characters; is a quote not closed?"
    return (
        "text goes on after a closing quotation mark; "
        'inside quotation marks a quotation mark is written twice, as in "say ""no"""'
    )


def _first_lines(text: str, number: int) -> list[str]:
    sample = text[:_SAMPLE_CHARACTERS]
    lines = list(islice(io.StringIO(sample, newline=""), number))
    if len(lines) > 1 and sum(map(len, lines)) == _SAMPLE_CHARACTERS < len(text):
        lines.pop()  # cut off in the middle
    return lines


def _rows(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    rows = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    return [row for row in rows if len(row) > 1 or any(map(str.strip, row))]


# The first that is there: it needs no more memory than it is given.
_ENGINES: tuple[Literal["duckdb", "polars", "pyarrow"], ...] = ("duckdb", "polars", "pyarrow")
_MARK = b"PAR1"


def parquet_table(path: Path) -> nw.LazyFrame[Any]:
    """Open a Parquet file with the first engine that is there."""
    import narwhals as nw  # noqa: PLC0415 (slow to import)

    engine = next((engine for engine in _ENGINES if find_spec(engine)), None)
    if engine is None:
        problem = f"to read Parquet one of {listed(_ENGINES)} must be installed"
        raise ReadError(problem, path=path)
    try:
        return nw.scan_parquet(str(path), backend=engine)
    except Exception as error:  # noqa: BLE001 (every engine has errors of its own)
        problem = f"this Parquet file cannot be read: {' '.join(str(error).split())[:200]}"
        raise ReadError(problem, path=path) from None


def check_mark(path: Path) -> None:
    """Refuse a file that does not begin and end as Parquet does."""
    try:
        with path.open("rb") as file:
            marks = {file.read(len(_MARK))}
            file.seek(-min(len(_MARK), path.stat().st_size), 2)
            marks.add(file.read())
    except OSError as error:
        problem = f"the file cannot be opened: {error.strerror or error}"
        raise ReadError(problem, path=path) from None
    if marks != {_MARK}:
        problem = "this is no Parquet file, or only a part of one"
        raise ReadError(problem, path=path)


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


# A row that says anything takes a byte or so; far more rows than that are there to fill memory.
_FREE_ROWS, _ROWS_A_BYTE = 1_000_000, 100


def read_parquet(source: Source, options: ReadOptions, gathered: Gathered) -> None:
    """Read a table of units; columns are found as those of text tables are."""
    path = source.path
    if source.member is not None:
        problem = "Parquet is not read from a pipe; save it to a file first"
        raise ReadError(problem, path=path)
    check_mark(path)
    table = parquet_table(path)
    try:
        _check_rows(table, path)
        names = table.collect_schema().names()
        layout = layout_of(names, asked_in(names, source, options), path=path, line=1)
        wanted: dict[str, str | None] = {"label": None}
        wanted.update({role: names[place] for role, place in layout.places.items()})
        columns = frame_columns(table.to_native(), wanted)
    except ReadError:
        raise
    except (DataError, TypeError) as error:
        raise ReadError(str(error), path=path) from None
    except Exception as error:  # noqa: BLE001 (every engine has errors of its own)
        problem = f"this Parquet file cannot be read: {' '.join(str(error).split())[:200]}"
        raise ReadError(problem, path=path) from None
    in_documents, layers = columns.pop("document", None), columns.pop("layer", None)
    try:
        if "annotator" not in columns:
            columns["annotator"] = [source.owner()] * len(list(columns["start"]))  # type: ignore[arg-type]
        units = UnitColumns.checked(**columns)  # type: ignore[arg-type]
        documents = None
        if in_documents is not None:
            documents = [as_name(value, "a document") for value in in_documents]
    except (DataError, TypeError) as error:
        raise ReadError(str(error), path=path) from None
    if documents is None:
        code = gathered.code_of_file(document_of(source, layout), path)
        document_codes = np.full(len(units.starts), code, dtype=np.int64)
    else:
        document_codes = gathered.documents.codes(documents)
    people = gathered.annotators.codes(units.annotators)
    labels = gathered.labels.codes([(label,) for label in units.labels])
    block = Block(
        document_codes,
        people[units.annotator_codes],
        units.starts,
        units.ends,
        labels[units.label_codes],
        None if layers is None else ["" if each is None else str(each) for each in layers],
    )
    gathered.add_block(block, options.layer)


def _check_rows(table: nw.LazyFrame[Any], path: Path) -> None:
    """Refuse a file whose rows would be far larger in memory than they are packed."""
    import narwhals as nw  # noqa: PLC0415 (slow to import)

    rows = int(table.select(nw.len()).collect().item())
    most = _FREE_ROWS + _ROWS_A_BYTE * path.stat().st_size
    if rows > most:
        problem = f"{rows:,} rows in so small a file; at most {most:,} are read of one of its size"
        raise ReadError(problem, path=path)


_HEADINGS = ("document", "annotator", "start", "end", "label")
_KEEPS = frozenset({"layers", "labels that are numbers"})


def write_csv(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return a table with one row a unit, separated by commas."""
    return _table(corpus, path, ",")


def write_tsv(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return a table with one row a unit, separated by tabs."""
    return _table(corpus, path, "\t")


def _table(corpus: Corpus, path: Path, delimiter: str) -> dict[Path, str]:
    warn_of_losses(corpus, "a table", _KEEPS)
    units = [(name, unit) for name, continuum in corpus.items() for unit in continuum]
    has_layers = any("layer" in unit.attributes for _, unit in units)
    rows: list[list[str]] = [[*_HEADINGS, "layer"] if has_layers else [*_HEADINGS]]
    for name, unit in units:
        row = [name, unit.annotator, number_text(unit.start), number_text(unit.end)]
        row.append(_label_cell(unit.label))
        if has_layers:
            row.append(str(unit.attributes.get("layer", "")))
        for cell in row:
            if cell != cell.strip() or "\0" in cell:
                msg = f"spaces around a cell of a table do not count; {cell!r} would be another"
                raise DataError(msg)
            if len(cell) > LONGEST_CELL:
                msg = (
                    f"a cell of a table has at most {LONGEST_CELL:,} characters; this one has "
                    f"{len(cell):,}: {cell[:20]!r}…; use .jsonl"
                )
                raise DataError(msg)
        rows.append(row)
    return {path: csv_text(rows, delimiter)}


def number_text(number: float) -> str:
    """Write a number in full, whole ones without a point."""
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)


def _label_cell(label: Label | None) -> str:
    if isinstance(label, frozenset):
        msg = f"a table cannot hold labels that are sets, such as {label_text(label)}; use .jsonl"
        raise DataError(msg)
    return label_text(label)
