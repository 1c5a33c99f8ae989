"""Tables of delimited text: detection of the delimiter, reading by column, and writing."""

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
from unisono.formats.roles import CLOCK_TIME, NUMBER, recognised, title_rows
from unisono.model.codes import MISSING
from unisono.model.columns import counted, written_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from unisono.formats.roles import ColumnRoles
    from unisono.model.arrays import Booleans, Codes, Floats

__all__ = [
    "FEWEST_VALUES",
    "LONGEST_CELL",
    "MOST_VALUES",
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
"""Largest number of characters in a cell of a table."""
_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space"}
_SAMPLE_CHARACTERS = 65536
_SAMPLE_LINES = 20
_MOST_SHOWN = 120
_LINE_END = re.compile(r"\r\n|\r|\n")
# The first line of some exports, which sets the delimiter for spreadsheets.
_DECLARED = re.compile('\ufeff?"?sep=([^\r\n"])"?[ \t]*(?:\r\n|\r|\n)', re.IGNORECASE)
# Values of columns without a role are coded up to half the number of rows, within these limits.
FEWEST_VALUES = 1000
MOST_VALUES = 30_000
"""Smallest and largest limit of the distinct values of a column without a role that are coded."""
# How the kernel treats a column without a codebook.
_IGNORED, _NUMBERS, _POSITIONS = -1, -2, -3


def check_delimiter(delimiter: object) -> None:
    """Raise unless a delimiter is a single suitable character, or `None`."""
    if delimiter is None:
        return
    if not isinstance(delimiter, str):
        msg = f"a delimiter must be a character; got {delimiter!r}"
        raise TypeError(msg)
    if len(delimiter) != 1 or delimiter in '"\r\n':
        msg = (
            "a delimiter must be a single character other than a quotation mark or a line end; "
            f"got {delimiter!r}"
        )
        raise SettingError(msg)


class FlawedRow(NamedTuple):
    """A row that cannot be split into cells, or whose cell in a number column is not a number."""

    line: int
    text: str  # as written in the file
    flaw: str
    column: int  # from 0


class RowBlock(NamedTuple):
    """Consecutive rows of a table; columns are counted from 0."""

    before: int  # number of rows in the blocks before
    numbers: Mapping[int, Floats]
    codes: Mapping[int, Codes]  # `MISSING` for blank cells
    flawed: Sequence[FlawedRow]  # not included in the columns


class Texts(NamedTuple):
    """A column of texts: the distinct texts, sorted, and the index of each row's text."""

    values: list[str]
    codes: Codes  # `MISSING` for blank cells


class Columns(NamedTuple):
    """Columns of a whole table by number, from 0; all have the same length."""

    numbers: dict[int, Floats]
    texts: dict[int, Texts]
    # The other columns, if they were asked for; `None` if a column has too many distinct values.
    unused: dict[int, Texts | None]


class Table:
    """A table of delimited text; its first row is parsed at once, its rows can be read once.

    White space around a cell is ignored, and rows of blank cells are skipped. A line ``sep=;``
    above the table sets the delimiter, and rows above the header, such as a title, are skipped.

    Parameters
    ----------
    path, content
        The file, and its content if it is not read from the path.
    expected
        Description of the expected rows, for error messages.
    delimiter, candidates
        The delimiter, and the candidates from which it is detected if it is `None`.
    roles
        Roles assigned to columns by the caller; column names help to detect the delimiter.
    """

    def __init__(
        self,
        path: Path,
        expected: str,
        *,
        content: bytes | None = None,
        delimiter: str | None = None,
        candidates: str = ",;\t|",
        roles: ColumnRoles | None = None,
    ) -> None:
        self.path = path
        self.first: list[str] = []
        self._content = _pipe_content(path) if content is None else content
        self._text = utf8_blocks(path, self._content)
        block, is_last = next(self._text)
        sample = self._sample(block)
        if is_last and not sample.strip():
            problem = f"the file is empty; expected {expected}"
            raise ReadError(problem, path=path)
        declared = _DECLARED.match(sample)
        if declared:
            sample = sample[declared.end() :]
        detected = declared[1] if declared else _detect_delimiter(sample, candidates, roles)
        self.delimiter = delimiter or detected
        self.title_rows: list[int] = []  # the lines of rows above the header
        lines = _first_lines(sample, _SAMPLE_LINES)
        n_lines = max(len(_LINE_END.findall(lines)), 1)
        self._row_bytes = len(_encoded(lines)) / n_lines
        self._reader = TableReader(
            _encoded(self.delimiter), longest_cell=LONGEST_CELL, longest_row=LONGEST_LINE
        )
        self._reader.feed(block, is_last=is_last)
        is_last = self._find_first(expected, is_last=is_last)
        if declared:
            self._reader.skip_first()
            is_last = self._find_first(expected, is_last=is_last)
        if roles is not None:
            rows = _rows(lines, self.delimiter)
            for _ in range(title_rows([row for row in rows if any(row)], roles)):
                self.title_rows.append(self._reader.first_line)
                self._reader.skip_first()
                is_last = self._find_first(expected, is_last=is_last)
        self.line = self._reader.first_line
        if len(self.first) == 1:
            self._refuse_one_column(sample, expected)

    def _find_first(self, expected: str, *, is_last: bool) -> bool:
        """Read until the first row that is not blank; return whether all of the file was read."""
        while (first := self._reader.first) is None:
            for row in self._flawed():
                raise ReadError(self.problem(row), path=self.path, line=row.line)
            if is_last:
                empty = counted(self._reader.lines, "row")
                problem = f"no data in {empty}; expected {expected}"
                raise ReadError(problem, path=self.path)
            block, is_last = next(self._text)
            self._reader.feed(block, is_last=is_last)
        self.first = first
        return is_last

    def columns(
        self,
        *,
        header: bool,
        texts: Mapping[int, int],
        numbers: Sequence[int] = (),
        clocks: bool = False,
        keeps_blank: bool = False,
        unused: bool = False,
        check: Callable[[RowBlock], Booleans] | None = None,
    ) -> Columns:
        """Read all rows.

        Parameters
        ----------
        header
            Whether the first row has column names.
        texts
            Columns of texts, each with the number of its codebook, from 0; columns can share one.
        numbers
            Columns of numbers.
        clocks
            Whether numbers may be written as clock times, which are read as seconds.
        keeps_blank
            Whether rows of blank cells are kept.
        unused
            Whether the texts of the other columns are read as well.
        check
            Function that returns which rows of a block to keep; by default all rows are kept, and
            a flawed row raises.
        """
        n_books = max(texts.values(), default=-1) + 1
        others: dict[int, int] = {}
        if unused:
            free = sorted(set(range(len(self.first))).difference(texts, numbers))
            others = {place: book for book, place in enumerate(free, start=n_books)}
        chosen_others = [*others]
        parts: dict[int, list[Any]] = {column: [] for column in (*numbers, *texts, *others)}
        is_whole = True
        chosen = np.full(len(self.first), _IGNORED, dtype=np.int32)
        chosen[[*texts, *others]] = [*texts.values(), *others.values()]
        chosen[list(numbers)] = _POSITIONS if clocks else _NUMBERS
        limit = self._most_values() if others else 0
        self._reader.choose(
            chosen,
            takes_first=not header,
            keeps_blank=keeps_blank,
            limited=n_books,
            most_texts=limit,
        )
        for block in self._blocks(chosen):
            good = (check or self._refuse_flawed)(block)
            # A text with a stray quotation mark is in its codebook, but in no row.
            has_stray = any(row.flaw == "stray quote" for row in block.flawed)
            is_whole = is_whole and bool(good.all()) and not has_stray
            for column in [place for place, book in others.items() if self._is_full(book, limit)]:
                del others[column], parts[column]
            for columns in (block.numbers, block.codes):
                for column, values in columns.items():
                    if column in parts:
                        parts[column].append(values if is_whole else values[good])
        whole = {column: np.concatenate(parts.pop(column)) for column in (*numbers, *texts)}
        rest: dict[int, Texts | None] = dict.fromkeys(chosen_others)
        for column, book in others.items():
            codes = np.concatenate(parts.pop(column))
            names, places = self._book(book, None if is_whole else [codes])
            rest[column] = Texts(names, places[codes])
        books: dict[int, tuple[list[str], Codes]] = {}
        for book in set(texts.values()):
            own = [whole[column] for column in texts if texts[column] == book]
            books[book] = self._book(book, None if is_whole else own)
        found: dict[int, Texts] = {}
        for column, book in texts.items():
            names, places = books[book]
            found[column] = Texts(names, places[whole.pop(column)])
        return Columns(whole, found, rest)

    def _most_values(self) -> int:
        """Return about half the number of rows, up to which values of other columns are coded."""
        try:
            size = self.path.stat().st_size if self._content is None else len(self._content)
        except OSError:
            size = 0
        half = int(size / max(self._row_bytes, 1.0)) // 2 + 1
        return min(max(half, FEWEST_VALUES), MOST_VALUES)

    def _is_full(self, book: int, limit: int) -> bool:
        return self._reader.size_of(book) > limit

    def _blocks(self, chosen: Codes) -> Iterator[RowBlock]:
        reader, before = self._reader, 0
        while True:
            flawed = self._flawed()
            numbers = {at: reader.numbers(at) for at in np.flatnonzero(chosen <= _NUMBERS).tolist()}
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
        """Return the sorted texts of a codebook, and the index of each code; `MISSING` is last."""
        texts, order = self._reader.texts(book)
        places = np.append(order, np.int32(MISSING))
        if columns is None:
            return texts, places
        # Texts that occur only in rejected rows are removed.
        used = np.zeros(len(places), dtype=bool)
        for codes in columns:
            used[places[codes]] = True
        kept = [text for text, is_used in zip(texts, used[:-1].tolist(), strict=True) if is_used]
        used[-1] = False
        fewer = np.cumsum(used, dtype=np.int32) - np.int32(1)
        return kept, np.where(places < 0, np.int32(MISSING), fewer[places])

    def is_clock(self, column: int) -> bool:
        """Return whether the numbers of a column are written as clock times."""
        return self._reader.is_clock(column)

    def line_of(self, row: int) -> int:
        """Return the line number of a row; rows are counted from 0."""
        return self._reader.line_of(row)

    def text_of(self, row: int) -> str:
        """Return the text of a row of the last block as written in the file."""
        return self._reader.row_text(row)

    def cells_of(self, text: str) -> list[str]:
        """Split the text of a row into cells."""
        return _rows(text, self.delimiter)[0]

    def problem(self, row: FlawedRow) -> str:
        """Return the error message for a flawed row."""
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
                    f"text after a closing quotation mark in {place}; a quotation mark in a quoted "
                    'cell must be doubled, as in "say ""no"""'
                )
            case "stray quote":
                cell = self.cells_of(row.text)[row.column]
                return (
                    f"a single quotation mark in {place}: {shortened(cell)}; remove it, or "
                    "quote the cell and double the mark, "
                    f"as in {shortened(csv_text([[cell]]).strip())}"
                )
            case "open quote":
                return f"a quotation mark opened in {place} of this row is never closed"
            case "long cell":
                limit = f"{LONGEST_CELL:,}"
                return (
                    f"a cell in {place} has more than {limit} characters; "
                    "check for an unclosed quotation mark"
                )
            case _:
                return long_line_problem(LONGEST_LINE)

    def number(self, cell: str) -> float | None:
        """Return the number in a cell of an invalid row, `None` if it is not a number.

        Unlike the kernel, this also parses ``inf`` and ``nan``.
        """
        if CLOCK_TIME.fullmatch(cell):
            seconds = 0.0
            for part in cell.replace(",", ".").split(":"):
                seconds = 60 * seconds + float(part)
            return seconds
        try:
            if not self._reader.has_decimal_comma:
                return written_number(cell)
            is_number = NUMBER.fullmatch(cell) and "." not in cell
            return float(cell.replace(",", ".")) if is_number else None
        except ValueError:
            return None

    def decimal_hint(self, cell: str) -> str:
        """Return an addition to the error message for a cell that is not a number."""
        if self._reader.has_decimal_comma and "." in cell:
            return "; the decimal mark of this table is a comma"
        return "; use a point as the decimal mark" if "," in cell else ""

    def _refuse_flawed(self, block: RowBlock) -> Booleans:
        for row in block.flawed:
            raise ReadError(self.problem(row), path=self.path, line=row.line)
        return np.ones(self._reader.rows - block.before, dtype=bool)

    def _refuse_encoding(self) -> NoReturn:
        # Decoding the file as a whole raises an error with the line number.
        decoded(content_of(self.path) if self._content is None else self._content, self.path)
        problem = "the file was changed while it was read; read it again"
        raise ReadError(problem, path=self.path)

    def _refuse_one_column(self, sample: str, expected: str) -> NoReturn:
        problem = f"only one column with {delimiter_name(self.delimiter)} as the delimiter"
        if better := _better_delimiter(sample, self.delimiter):
            remedy = setting("delimiter", better)
            problem += f", but several with {delimiter_name(better)}; set {remedy}"
        else:
            problem += f"; expected {expected}"
        raise ReadError(problem, path=self.path, line=self.line)

    def _sample(self, block: bytes) -> str:
        try:
            return codecs.getincrementaldecoder("utf-8")().decode(block)[:_SAMPLE_CHARACTERS]
        except UnicodeDecodeError:
            self._refuse_encoding()


def row_text(text: str) -> str:
    """Return the text of a row, quoted and shortened, for a message."""
    return repr(text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…")


def _pipe_content(path: Path) -> bytes | None:
    """Return the content if it can be read only once, as that of a pipe; `None` for a file."""
    try:
        is_file = stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return None  # opening it reports the error
    return None if is_file else content_of(path)


def _detect_delimiter(text: str, candidates: str, roles: ColumnRoles | None) -> str:
    """Return the candidate with most known column names, then with rows of equal length."""
    if len(candidates) == 1:
        return candidates[0]
    lines = _first_lines(text, _SAMPLE_LINES)
    tables = [_filled(_rows(lines, delimiter)) for delimiter in candidates]
    if roles is not None:
        tables = [_without_title(rows, roles) for rows in tables]
    firsts = [next((row for row in rows if any(row)), []) for rows in tables]
    widths = [[len(row) for row in rows] for rows in tables]
    n_known = [0] * len(candidates) if roles is None else recognised(firsts, roles)
    scores = [
        (known, set(each) == {max(each, default=0)} != {1}, max(each, default=0))
        for known, each in zip(n_known, widths, strict=True)
    ]
    return candidates[scores.index(max(scores))]


def _without_title(rows: list[list[str]], roles: ColumnRoles) -> list[list[str]]:
    filled = [row for row in rows if any(row)]
    number = title_rows(filled, roles)
    return rows if not number else filled[number:]


def _better_delimiter(text: str, used: str) -> str | None:
    """Return the delimiter with most columns for a table that has one column, or `None`."""
    line = _first_lines(text.lstrip(), 1)
    others = (other for other in _NAMES if other != used)
    widths = {other: max(map(len, _rows(line, other)), default=0) for other in others}
    best = max(widths, key=lambda other: widths[other])
    return best if widths[best] > 2 else None


def delimiter_name(delimiter: str) -> str:
    """Return the name of a delimiter, for messages."""
    return _NAMES.get(delimiter, repr(delimiter))


def _first_lines(text: str, number: int) -> str:
    sample = text[:_SAMPLE_CHARACTERS]
    ends = [match.end() for match in islice(_LINE_END.finditer(sample), number)]
    if len(ends) == number:
        return sample[: ends[-1]]
    # The last line of the sample may be incomplete.
    is_cut = len(sample) == _SAMPLE_CHARACTERS and ends
    return sample[: ends[-1]] if is_cut else sample


def _rows(text: str, delimiter: str) -> list[list[str]]:
    return split_rows(_encoded(text), _encoded(delimiter))


def _filled(rows: Iterable[list[str]]) -> list[list[str]]:
    return [row for row in rows if len(row) > 1 or any(row)]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


class _Lines:
    """Collects the rows of the csv module, with a line feed as the line end."""

    def __init__(self) -> None:
        self.rows: list[str] = []

    def write(self, row: str) -> None:
        self.rows.append(row.removesuffix("\r\n") + "\n")


def csv_text(rows: Iterable[Iterable[object]], delimiter: str = ",") -> str:
    """Return rows as delimited text that is read back unchanged."""
    lines = _Lines()
    # The csv module quotes cells that contain characters of the line terminator: \r or \n.
    csv.writer(lines, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return "".join(lines.rows)
