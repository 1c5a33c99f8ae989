"""What separates the columns of a text table."""

from __future__ import annotations

import csv
import io
import re
from itertools import islice
from typing import TYPE_CHECKING

from unisono.errors import SettingError
from unisono.formats.headings import Asked, recognised

if TYPE_CHECKING:
    from _csv import Reader
    from collections.abc import Iterable, Sequence


_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space"}
_SAMPLE_CHARACTERS = 65536
_SAMPLE_LINES = 20
_MOST_SHOWN = 120
LONGEST_CELL = 2**24
"""The most characters that a cell of a table may have."""
# What spreadsheets take for a formula, also behind blanks, which some of them leave out.
_FORMULA = re.compile(r"[\t\r\n\0]|\s*[=+@＝＋－＠-]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


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


def without_formula(cell: object) -> object:
    """Return a cell so that a spreadsheet takes a text for a text."""
    if not isinstance(cell, str) or not _FORMULA.match(cell) or _NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}"


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
