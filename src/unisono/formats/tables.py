"""Tables of delimited text: what separates columns, reading rows by column, and writing."""

from __future__ import annotations

import codecs
import csv
import re
import stat
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from unisono._core import TableReader, split_rows
from unisono.errors import ReadError, SettingError, setting, shortened
from unisono.formats.characters import (
    LONGEST_LINE,
    content_of,
    decoded,
    long_line_problem,
    utf8_blocks,
)
from unisono.formats.roles import NUMBER, recognised
from unisono.model.codes import MISSING
from unisono.model.columns import counted, written_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from unisono.formats.roles import Asked
    from unisono.model.arrays import Booleans, Codes, Floats

__all__ = [
    "LONGEST_CELL",
    "Columns",
    "FlawedRow",
    "RowBlock",
    "Table",
    "Texts",
    "check_delimiter",
    "csv_text",
    "delimiter_name",
    "row_text",
]

LONGEST_CELL = 2**24
"""The most characters that a cell of a table may have."""
_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space"}
_SAMPLE_CHARACTERS = 65536
_SAMPLE_LINES = 20
_MOST_SHOWN = 120
_LINE_END = re.compile(r"\r\n|\r|\n")
# What the kernel does with a column that has no codebook for its texts.
_IGNORED, _NUMBERS = -1, -2


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


class FlawedRow(NamedTuple):
    """A row that cannot be split into its cells, or has a cell that should be a number."""

    line: int
    text: str  # as it stands in the file
    flaw: str
    column: int  # from 0


class RowBlock(NamedTuple):
    """Rows that were read together, their columns by place, from 0."""

    before: int  # the number of rows before
    numbers: Mapping[int, Floats]
    codes: Mapping[int, Codes]  # `MISSING` for blank cells
    flawed: Sequence[FlawedRow]  # which are not among the rows


class Texts(NamedTuple):
    """A column of texts: the distinct texts, sorted, and the place of each row's text."""

    values: list[str]
    codes: Codes  # `MISSING` for blank cells


class Columns(NamedTuple):
    """Columns of a whole table by place, from 0; each row has a value in each of them."""

    numbers: dict[int, Floats]
    texts: dict[int, Texts]


class Table:
    """A table of delimited text whose first row is known; the rows can be read once.

    White space around a cell does not count, and rows of blank cells are left out.

    Parameters
    ----------
    path, content
        The file; its content if it is not read from the path.
    expected
        What should stand in the file, for messages.
    delimiter, candidates
        What separates columns, or the characters of which one does.
    asked
        What the caller says of the columns.
    """

    def __init__(
        self,
        path: Path,
        expected: str,
        *,
        content: bytes | None = None,
        delimiter: str | None = None,
        candidates: str = ",;\t|",
        asked: Asked | None = None,
    ) -> None:
        self.path = path
        self.first: list[str] = []
        self._content = _held(path) if content is None else content
        self._text = utf8_blocks(path, self._content)
        block, is_last = next(self._text)
        sample = self._sample(block)
        if is_last and not sample.strip():
            problem = f"the file is empty; expected {expected}"
            raise ReadError(problem, path=path)
        self.delimiter = delimiter or _guessed_delimiter(sample, candidates, asked)
        self._reader = TableReader(
            _encoded(self.delimiter), longest_cell=LONGEST_CELL, longest_row=LONGEST_LINE
        )
        self._reader.feed(block, is_last=is_last)
        while (first := self._reader.first) is None:
            for row in self._flawed():
                raise ReadError(self.problem(row), path=path, line=row.line)
            if is_last:
                empty = counted(self._reader.lines, "empty one")
                problem = f"no row but {empty}; expected {expected}"
                raise ReadError(problem, path=path)
            block, is_last = next(self._text)
            self._reader.feed(block, is_last=is_last)
        self.first = first
        self.line = self._reader.first_line
        if len(first) == 1:
            self._refuse_one_column(sample, expected)

    def columns(
        self,
        *,
        header: bool,
        texts: Mapping[int, int],
        numbers: Sequence[int] = (),
        keeps_blank: bool = False,
        check: Callable[[RowBlock], Booleans] | None = None,
    ) -> Columns:
        """Read all rows.

        Parameters
        ----------
        header
            Whether the first row has the names of the columns.
        texts
            The codebook, numbered from 0, of a column of texts; columns can share one.
        numbers
            Columns of numbers.
        keeps_blank
            Whether rows of blank cells count.
        check
            Returns which rows of a block to keep; by default all, and rows with flaws are refused.
        """
        parts: dict[int, list[Any]] = {column: [] for column in (*numbers, *texts)}
        is_whole = True
        chosen = np.full(len(self.first), _IGNORED, dtype=np.int32)
        chosen[list(texts)] = list(texts.values())
        chosen[list(numbers)] = _NUMBERS
        for block in self._blocks(chosen, header=header, keeps_blank=keeps_blank):
            good = (check or self._refuse_flawed)(block)
            is_whole = is_whole and bool(good.all())
            for columns in (block.numbers, block.codes):
                for column, values in columns.items():
                    parts[column].append(values if is_whole else values[good])
        whole = {column: np.concatenate(parts.pop(column)) for column in (*numbers, *texts)}
        books: dict[int, tuple[list[str], Codes]] = {}
        for book in set(texts.values()):
            own = [whole[column] for column in texts if texts[column] == book]
            books[book] = self._book(book, None if is_whole else own)
        found: dict[int, Texts] = {}
        for column, book in texts.items():
            names, places = books[book]
            found[column] = Texts(names, places[whole.pop(column)])
        return Columns(whole, found)

    def _blocks(self, chosen: Codes, *, header: bool, keeps_blank: bool) -> Iterator[RowBlock]:
        reader, before = self._reader, 0
        reader.choose(chosen, takes_first=not header, keeps_blank=keeps_blank)
        while True:
            flawed = self._flawed()
            numbers = {at: reader.numbers(at) for at in np.flatnonzero(chosen == _NUMBERS).tolist()}
            codes = {at: reader.codes(at) for at in np.flatnonzero(chosen >= 0).tolist()}
            yield RowBlock(before, numbers, codes, flawed)
            before = reader.rows
            block, is_last = next(self._text, (b"", None))
            if is_last is None:
                return
            reader.feed(block, is_last=is_last)

    def _flawed(self) -> list[FlawedRow]:
        rows = [FlawedRow(*row) for row in self._reader.flawed()]
        if any(row.flaw == "encoding" for row in rows):
            self._refuse_encoding()
        return rows

    def _book(self, book: int, columns: Sequence[Codes] | None) -> tuple[list[str], Codes]:
        """Return the texts of a codebook, sorted, and the place of each code, `MISSING` last."""
        texts, order = self._reader.texts(book)
        places = np.append(order, np.int32(MISSING))
        if columns is None:
            return texts, places
        # Texts that only rows that were not kept have are left out.
        used = np.zeros(len(places), dtype=bool)
        for codes in columns:
            used[places[codes]] = True
        kept = [text for text, is_used in zip(texts, used[:-1].tolist(), strict=True) if is_used]
        used[-1] = False
        fewer = np.cumsum(used, dtype=np.int32) - np.int32(1)
        return kept, np.where(places < 0, np.int32(MISSING), fewer[places])

    def line_of(self, row: int) -> int:
        """Return the line where a row begins; rows are counted from 0."""
        return self._reader.line_of(row)

    def text_of(self, row: int) -> str:
        """Return a row of the block that was read last as it stands in the file."""
        return self._reader.row_text(row)

    def cells_of(self, text: str) -> list[str]:
        """Split the text of a row into cells."""
        return _rows(text, self.delimiter)[0]

    # What is wrong

    def problem(self, row: FlawedRow) -> str:
        """Return the error message for a row that has a flaw."""
        place = f"column {row.column + 1}"
        if row.column < len(self.first):
            place += f" ({shortened(repr(self.first[row.column]))})"
        match row.flaw:
            case "width":
                width, found = counted(len(self.first), "column"), len(self.cells_of(row.text))
                return (
                    f"expected {width} as in the first row, got {found}; "
                    f"the row is {row_text(row.text)}"
                )
            case "number":
                cell = self.cells_of(row.text)[row.column]
                problem = f"{shortened(repr(cell))} in {place} is not a number"
                return f"{problem}{self.decimal_hint(cell)}; the row is {row_text(row.text)}"
            case "after quote":
                return (
                    f"text goes on after a closing quotation mark in {place}; "
                    'inside quotation marks a quotation mark is written twice, as in "say ""no"""'
                )
            case "open quote":
                return f"a quotation mark that opens in this row is never closed, in {place}"
            case "long cell":
                limit = f"{LONGEST_CELL:,}"
                return (
                    f"a cell has more than {limit} characters, in {place}; is a quote not closed?"
                )
            case _:
                return long_line_problem(LONGEST_LINE)

    def number(self, cell: str) -> float | None:
        """Return a cell of a row with something wrong as a number, `None` if it is not one.

        Unlike the kernel, this reads ``inf`` and ``nan`` too.
        """
        try:
            if not self._reader.has_decimal_comma:
                return written_number(cell)
            is_number = NUMBER.fullmatch(cell) and "." not in cell
            return float(cell.replace(",", ".")) if is_number else None
        except ValueError:
            return None

    def decimal_hint(self, cell: str) -> str:
        """Return what to add to the message for a cell that is not a number."""
        if self._reader.has_decimal_comma and "." in cell:
            return "; decimals of this table have a comma"
        return "; write decimals with a point" if "," in cell else ""

    def _refuse_flawed(self, block: RowBlock) -> Booleans:
        for row in block.flawed:
            raise ReadError(self.problem(row), path=self.path, line=row.line)
        return np.ones(self._reader.rows - block.before, dtype=bool)

    def _refuse_encoding(self) -> NoReturn:
        # Read as a whole, the file tells the line.
        decoded(content_of(self.path) if self._content is None else self._content, self.path)
        problem = "the file changed while it was read; read it again"
        raise ReadError(problem, path=self.path)

    def _refuse_one_column(self, sample: str, expected: str) -> NoReturn:
        problem = f"only one column, when columns are separated by {delimiter_name(self.delimiter)}"
        if better := _better_delimiter(sample, self.delimiter):
            cure = setting("delimiter", better)
            problem += f"; with {delimiter_name(better)} there are more: say {cure}"
        else:
            problem += f"; expected {expected}"
        raise ReadError(problem, path=self.path, line=self.line)

    def _sample(self, block: bytes) -> str:
        try:
            return codecs.getincrementaldecoder("utf-8")().decode(block)[:_SAMPLE_CHARACTERS]
        except UnicodeDecodeError:
            self._refuse_encoding()


def row_text(text: str) -> str:
    """Quote a row for a message."""
    return repr(text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…")


def _held(path: Path) -> bytes | None:
    """Return the content of what can be read only once, such as a pipe."""
    try:
        is_file = stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return None  # opening it reports the error
    return None if is_file else content_of(path)


# Delimiters


def _guessed_delimiter(text: str, candidates: str, asked: Asked | None) -> str:
    """Guess what separates columns: what shows known names, then equally many columns."""
    if len(candidates) == 1:
        return candidates[0]
    lines = _first_lines(text, _SAMPLE_LINES)
    tables = [_filled(_rows(lines, delimiter)) for delimiter in candidates]
    firsts = [next((row for row in rows if any(row)), []) for rows in tables]
    widths = [[len(row) for row in rows] for rows in tables]
    named = [0] * len(candidates) if asked is None else recognised(firsts, asked)
    merits = [
        (names, set(each) == {max(each, default=0)} != {1}, max(each, default=0))
        for names, each in zip(named, widths, strict=True)
    ]
    return candidates[merits.index(max(merits))]


def _better_delimiter(text: str, used: str) -> str | None:
    """Find what would separate a table that is one column with the delimiter used."""
    line = _first_lines(text.lstrip(), 1)
    others = (other for other in _NAMES if other != used)
    widths = {other: max(map(len, _rows(line, other)), default=0) for other in others}
    best = max(widths, key=lambda other: widths[other])
    return best if widths[best] > 2 else None


def delimiter_name(delimiter: str) -> str:
    """Name a delimiter for people."""
    return _NAMES.get(delimiter, repr(delimiter))


def _first_lines(text: str, number: int) -> str:
    sample = text[:_SAMPLE_CHARACTERS]
    ends = [match.end() for match in islice(_LINE_END.finditer(sample), number)]
    if len(ends) == number:
        return sample[: ends[-1]]
    # A line that is cut off in the middle is left out.
    is_cut = len(sample) == _SAMPLE_CHARACTERS and ends
    return sample[: ends[-1]] if is_cut else sample


def _rows(text: str, delimiter: str) -> list[list[str]]:
    return split_rows(_encoded(text), _encoded(delimiter))


def _filled(rows: Iterable[list[str]]) -> list[list[str]]:
    return [row for row in rows if len(row) > 1 or any(row)]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


# Writing


class _Lines:
    """Takes the rows that the csv module writes, with line ends of our own."""

    def __init__(self) -> None:
        self.rows: list[str] = []

    def write(self, row: str) -> None:
        self.rows.append(row.removesuffix("\r\n") + "\n")


def csv_text(rows: Iterable[Iterable[object]], delimiter: str = ",") -> str:
    """Write rows as a table that is read back as it was."""
    lines = _Lines()
    # Only a character of the line end is sure to be quoted in a cell, and both of these end lines.
    csv.writer(lines, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return "".join(lines.rows)
