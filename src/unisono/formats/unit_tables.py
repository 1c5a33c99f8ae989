"""Units in delimited text and Parquet: reader and writer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import DataError, ReadError, setting, shortened
from unisono.formats.contents import Block, Gathered
from unisono.formats.output import warn_of_losses
from unisono.formats.parquet import check_mark, parquet_table, unused_texts
from unisono.formats.roles import layout_of
from unisono.formats.tables import LONGEST_CELL, FlawedRow, Table, Texts, csv_text, row_text
from unisono.model.codes import Codebook, Coded
from unisono.model.columns import (
    UnitColumns,
    are_units,
    as_name,
    counted,
    unit_problem,
)
from unisono.model.dataframes import frame_columns
from unisono.model.interpretation import Question
from unisono.model.labels import label_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    import narwhals as nw

    from unisono.formats.contents import ReadOptions
    from unisono.formats.roles import Layout
    from unisono.formats.source import Source
    from unisono.formats.tables import RowBlock
    from unisono.model.arrays import Booleans, Floats, Integers
    from unisono.model.corpus import Corpus
    from unisono.model.labels import Label


_EXPECTED = "one row per unit: annotator, start, end, label"
_NEEDED_TEXTS = ("document", "annotator")
_TEXTS = (*_NEEDED_TEXTS, "label", "layer")


def read_csv(source: Source, options: ReadOptions, gathered: Gathered) -> None:
    """Read a table separated by commas, semicolons, tabs or bars."""
    _read(source, options, gathered, ",;\t|")


def read_tsv(source: Source, options: ReadOptions, gathered: Gathered) -> None:
    """Read a table separated by tabs."""
    _read(source, options, gathered, "\t")


def _read(source: Source, options: ReadOptions, gathered: Gathered, candidates: str) -> None:
    table = Table(
        source.path,
        _EXPECTED,
        content=source.member,
        delimiter=options.delimiter,
        candidates=candidates,
        roles=options.column_roles,
    )
    roles = options.column_roles.in_table(table.first, has_owner=source.annotator is not None)
    layout = layout_of(table.first, roles, path=source.path, line=table.line)
    _Reading(table, source, layout, options, gathered).read()


def document_of(source: Source, places: Mapping[str, int]) -> str:
    """Return the document of a table without a document column."""
    is_named = "annotator" not in places or source.annotator is None
    return (source.path_document if is_named else None) or source.document


class _Reading:
    """State of reading a table of units; columns are checked as a whole, bad rows one by one."""

    def __init__(
        self,
        table: Table,
        source: Source,
        layout: Layout,
        options: ReadOptions,
        gathered: Gathered,
    ) -> None:
        self.table = table
        self.source = source
        self.layout = layout
        self.places = places = layout.places
        # A duration stands for the end.
        self.last = "end" if "end" in places else "duration"
        self.bounds = places["start"], places[self.last]
        self.texts = [role for role in _TEXTS if role in places]
        self.options = options
        self.gathered = gathered
        self.skipped = 0

    def read(self) -> None:
        """Read all rows."""
        books = {self.places[role]: book for book, role in enumerate(self.texts)}
        columns = self.table.columns(
            header=bool(self.layout.header),
            texts=books,
            numbers=self.bounds,
            clocks=True,
            unused=True,
            check=self._good,
        )
        starts, ends = (columns.numbers[place] for place in self.bounds)
        if self.last == "duration":
            ends = ends_of(starts, ends)
        if not len(starts):
            self._note_no_units()
            return
        texts = {role: columns.texts.pop(self.places[role]) for role in self.texts}
        gathered, same = self.gathered, np.zeros(len(starts), dtype=np.int32)
        if "document" in texts:
            documents = gathered.documents.recoded(*texts["document"])
        else:
            document = document_of(self.source, self.places)
            documents = same + np.int32(gathered.code_of_file(document, self.source.path))
        names, codes = texts.get("annotator") or Texts([self.source.owner()], same)
        annotators = gathered.annotators.recoded(names, codes)
        # The code `MISSING`, −1, selects the last text: empty for a missing label or layer.
        names, codes = texts.get("label") or Texts([], same)
        labels = gathered.labels.recoded([*names, ""], codes)
        layers = None
        if "layer" in texts:
            names, codes = texts["layer"]
            layers = Coded([*names, ""], codes % np.int64(len(names) + 1))
        block = Block(documents, annotators, starts, ends, labels, layers)
        self._record(columns.unused, texts, block)
        gathered.add_block(block, self.options.layer)

    def _record(
        self,
        unused: Mapping[int, Texts | None],
        texts: Mapping[str, Texts],
        block: Block,
    ) -> None:
        """Record where the roles came from, and which columns were not used."""
        table, layout = self.table, self.layout
        unit = layout.unit
        are_clocks = [table.is_clock(place) for place in self.bounds]
        if are_clocks[0] != are_clocks[1] and (self.last == "end" or are_clocks[1]):
            clock, number = ("start", self.last) if are_clocks[0] else (self.last, "start")
            problem = (
                f"the {clock} is a clock time and the {number} a number; both must be clock "
                "times, or numbers in the same unit"
            )
            raise ReadError(problem, path=table.path, line=table.line_of(0))
        if are_clocks[0]:
            unit = "seconds"
        record, options = self.gathered.tables, self.options
        values: dict[str, Sequence[str]] = {role: texts[role].values for role in self.texts}
        for role, column in (("start", block.starts), (self.last, block.ends)):
            values[role] = [f"{each:g}" for each in column[:5].tolist()]
        record.add_roles(layout, values, self.source, options.column_roles.columns, unit)
        record.add_title_rows(table.title_rows, table.path)
        if not layout.header and options.column_roles.header is None and "annotator" in texts:
            record.add_numbered_header(layout.cells, texts["annotator"])
        names = layout.cells if layout.header else ()
        record.add_unused(names, unused, self.gathered.n_units, _kept(block, options))

    def _good(self, block: RowBlock) -> Booleans:
        """Return which rows are valid units; report the others."""
        starts, ends = (block.numbers[place] for place in self.bounds)
        good = are_units(starts, starts + ends if self.last == "duration" else ends)
        for role in _NEEDED_TEXTS:
            if role in self.places:
                good &= block.codes[self.places[role]] >= 0
        if block.flawed or not good.all():
            self._report_rows(block, np.flatnonzero(~good))
        return good

    def _report_rows(self, block: RowBlock, bad: Integers) -> None:
        table = self.table
        rows = (block.before + bad).tolist()
        others = [FlawedRow(table.line_of(row), table.text_of(row), "", 0) for row in rows]
        for row in sorted([*block.flawed, *others]):
            self._report(row)

    def _report(self, row: FlawedRow) -> None:
        """Raise for an invalid row, or skip it if the rows after it can still be read."""
        is_split = row.flaw in ("", "number")
        problem = self._problem(row) if is_split else self.table.problem(row)
        is_fatal = not is_split and row.flaw not in ("width", "after quote", "stray quote")
        if is_fatal or self.options.on_error == "raise":
            raise ReadError(problem, path=self.table.path, line=row.line)
        self.skipped += 1
        reason = shortened(problem.partition(";")[0])
        self.gathered.skips.add(reason, f"{self.table.path}:{row.line}")

    def _problem(self, row: FlawedRow) -> str:
        table = self.table
        texts = table.cells_of(row.text)
        cells = {role: texts[place] for role, place in self.places.items()}
        empty = [role for role in (*_NEEDED_TEXTS, "start", self.last) if cells.get(role) == ""]
        start, end = table.number(cells["start"]), table.number(cells[self.last])
        problem: str | None
        if empty:
            problem = f"the {empty[0]} is empty; every unit needs one"
        elif start is None or end is None:
            role = "start" if start is None else self.last
            hint = table.decimal_hint(cells[role])
            problem = f"{role} {shortened(repr(cells[role]))} is not a number{hint}"
        elif self.last == "duration" and end < 0:
            problem = f"the duration {cells[self.last]} is negative"
        else:
            end = start + end if self.last == "duration" else end
            problem = unit_problem(cells.get("annotator", ""), start, end)
        if problem is None:
            # The kernel rejects a cell that is a number by itself.
            wrong = f"{shortened(repr(texts[row.column]))} in column {row.column + 1}"
            problem = (
                f"{wrong} is written differently from the numbers above; a column must have either "
                "numbers or clock times"
            )
        return f"{problem}; the row is {row_text(row.text)}"

    def _note_no_units(self) -> None:
        path = self.table.path
        if self.skipped:
            problem = (
                f"no valid unit in this file: all {counted(self.skipped, 'row')} would be skipped"
            )
            raise ReadError(problem, path=path)
        problem = "a header but no rows, so the annotators of this document are unknown"
        remedy = f"remove the file, or declare its annotators with {setting('seen_by')}"
        error = ReadError(f"{problem}; {remedy}", path=path)
        if "document" in self.places:
            raise error
        document = document_of(self.source, self.places)
        self.gathered.code_of_file(document, path)
        self.gathered.files_without_units[document] = error


_DIGITS = 15  # of a decimal number that a float represents


def ends_of(starts: Floats, durations: Floats) -> Floats:
    """Return starts plus durations, as decimals: 0.1 + 0.2 is 0.3."""
    ends = starts + durations
    largest = float(np.max(np.abs(ends), initial=1.0))
    decimals = _DIGITS - 1 - int(np.floor(np.log10(max(largest, 1.0))))
    rounded: Floats = np.round(ends, min(decimals, 9))
    return rounded


def judge_tables(gathered: Gathered, *, asked: frozenset[str]) -> None:
    """Add what is known about the tables to the record: origins, unused columns, questions."""
    record = gathered.tables
    gathered.origins += record.origins()
    gathered.ignored += record.ignored()
    gathered.warnings += record.warnings()
    parts = [
        (block.documents, block.annotators, block.starts, block.ends, block.labels)
        for block in gathered.blocks
    ]
    for finding in record.findings(parts, asked=asked):
        if isinstance(finding, Question):
            gathered.questions.append(finding)
        else:
            gathered.warnings.append(finding)


# Rows with data take about a byte each; many more rows than bytes could exhaust the memory.
_FREE_ROWS, _ROWS_PER_BYTE = 1_000_000, 100


def _parquet_columns(
    source: Source, options: ReadOptions
) -> tuple[Layout, list[str], dict[str, Any], dict[int, Texts | None]]:
    """Return the layout, the names of columns, the columns by role, and those without a role."""
    path = source.path
    check_mark(path)
    table = parquet_table(path)
    try:
        _check_rows(table, path)
        names = table.collect_schema().names()
        roles = options.column_roles.in_table(names, has_owner=source.annotator is not None)
        layout = layout_of(names, roles, path=path, line=1)
        by_role: dict[str, str | None] = {"label": None}
        by_role.update({role: names[place] for role, place in layout.places.items()})
        columns = frame_columns(table.to_native(), by_role)
        unused = unused_texts(table, names, layout.places.values())
        if "duration" in columns:
            starts, durations = (
                np.asarray(columns[role], dtype=np.float64) for role in ("start", "duration")
            )
            columns["end"] = ends_of(starts, durations)
            del columns["duration"]
    except ReadError:
        raise
    except (DataError, TypeError) as error:
        raise ReadError(str(error), path=path) from None
    except Exception as error:  # noqa: BLE001 (each engine raises errors of its own)
        problem = f"the Parquet file cannot be read: {' '.join(str(error).split())[:200]}"
        raise ReadError(problem, path=path) from None
    return layout, names, dict(columns), unused


def read_parquet(source: Source, options: ReadOptions, gathered: Gathered) -> None:
    """Read a table of units from a Parquet file; columns are found as in text tables."""
    path = source.path
    if source.member is not None:
        problem = "Parquet cannot be read from a pipe; save it to a file first"
        raise ReadError(problem, path=path)
    layout, names, columns, unused = _parquet_columns(source, options)
    in_documents, layers = columns.pop("document", None), columns.pop("layer", None)
    try:
        if "annotator" not in columns:
            columns["annotator"] = [source.owner()] * len(list(columns["start"]))
        units = UnitColumns.checked(**columns)
        documents = None
        if in_documents is not None:
            documents = [as_name(value, "a document") for value in in_documents]
    except (DataError, TypeError) as error:
        raise ReadError(str(error), path=path) from None
    if documents is None:
        code = gathered.code_of_file(document_of(source, layout.places), path)
        document_codes = np.full(len(units.starts), code, dtype=np.int64)
    else:
        document_codes = gathered.documents.codes(documents)
    annotator_codes = gathered.annotators.codes(units.annotators)
    labels = gathered.labels.codes([(label,) for label in units.labels])
    block = Block(
        document_codes,
        annotator_codes[units.annotator_codes],
        units.starts,
        units.ends,
        labels[units.label_codes],
        None if layers is None else _coded_layers(layers),
    )
    values = {
        "document": sorted(set(documents or ())),
        "annotator": units.annotators,
        "label": [label_text(label) for label in units.labels if label is not None],
    }
    asked = options.column_roles.columns
    gathered.tables.add_roles(layout, values, source, asked, layout.unit)
    gathered.tables.add_unused(names, unused, gathered.n_units, _kept(block, options))
    gathered.add_block(block, options.layer)


def _kept(block: Block, options: ReadOptions) -> Booleans | None:
    """Return which units belong to chosen layers, `None` if all do."""
    if options.layer is None or block.layers is None:
        return None
    names, codes = block.layers
    kept: Booleans = np.array([name in options.layer for name in names], dtype=bool)[codes]
    return kept


def _coded_layers(column: Iterable[object]) -> Coded[str]:
    book = Codebook()
    codes = book.codes(["" if each is None else str(each) for each in column])
    return Coded([str(name) for name in book.values], codes)


def _check_rows(table: nw.LazyFrame[Any], path: Path) -> None:
    """Raise if a small file has so many rows that they could exhaust the memory."""
    import narwhals as nw  # noqa: PLC0415 (slow to import)

    rows = int(table.select(nw.len()).collect().item())
    most = _FREE_ROWS + _ROWS_PER_BYTE * path.stat().st_size
    if rows > most:
        problem = f"{rows:,} rows; at most {most:,} are supported in a file of this size"
        raise ReadError(problem, path=path)


_HEADINGS = ("document", "annotator", "start", "end", "label")
_KEEPS = frozenset({"layers", "labels that are numbers"})


def write_csv(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return a table with one row per unit, separated by commas."""
    return _table(corpus, path, ",")


def write_tsv(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return a table with one row per unit, separated by tabs."""
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
                msg = (
                    f"a table cannot hold {cell!r}: white space around a cell is ignored when it "
                    "is read, and zero bytes are not supported; use .jsonl"
                )
                raise DataError(msg)
            if len(cell) > LONGEST_CELL:
                msg = (
                    f"a cell of a table can have at most {LONGEST_CELL:,} characters; "
                    f"{cell[:20]!r}… has {len(cell):,}; use .jsonl"
                )
                raise DataError(msg)
        rows.append(row)
    return {path: csv_text(rows, delimiter)}


def number_text(number: float) -> str:
    """Return a number as text with full precision; whole numbers have no decimal point."""
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)


def _label_cell(label: Label | None) -> str:
    if isinstance(label, frozenset):
        msg = f"a table cannot hold labels that are sets, such as {label_text(label)}; use .jsonl"
        raise DataError(msg)
    return label_text(label)
