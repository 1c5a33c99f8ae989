"""Numbers and names as people read them."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence


# What spreadsheets take for a formula, also behind blanks, which some of them leave out.
_FORMULA = re.compile(r"[\t\r\n\0]|\s*[=+@＝＋－＠-]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def without_formula(cell: object) -> object:
    """Return a cell so that a spreadsheet takes a text for a text."""
    if not isinstance(cell, str) or not _FORMULA.match(cell) or _NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}"


_MISSING = "–"
_LARGE = 1e6
_JOINERS = frozenset("\u200c\u200d")


def decimals(value: float | None, places: int = 4) -> str:
    """Write a number with a fixed number of decimals, or if large as many digits; or a dash."""
    if value is None or math.isnan(value):
        return _MISSING
    if _LARGE <= abs(value) < math.inf:
        return f"{value:.{max(places, 1)}g}"
    # Adding zero turns −0.0 into 0.0.
    return f"{round(value, places) + 0.0:.{places}f}" if math.isfinite(value) else str(value)


def position(value: float) -> str:
    """Write a place on the continuum without needless decimals."""
    if value != 0.0 and not 1e-3 <= abs(value) < 1e15:
        return f"{value:.6g}"
    return f"{value:.4f}".rstrip("0").rstrip(".")


def count(number: int, noun: str) -> str:
    """Write a number of things, the noun in the right form."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def printable(text: str) -> str:
    r"""Write a text from a file so that it cannot disturb a terminal or a table."""
    return _without(_unseen(text), text, lambda mark: mark.encode("unicode_escape").decode())


def printable_lines(text: str) -> str:
    r"""Write a text of several lines so that it cannot disturb a terminal."""
    unseen = _unseen(text) - {"\n", "\t"}
    return _without(unseen, text, lambda mark: mark.encode("unicode_escape").decode())


def json_text(
    record: Mapping[str, Any], *, indent: int | None = None, ascii_only: bool = False
) -> str:
    r"""Write plain data as JSON that cannot disturb a terminal."""
    text = json.dumps(record, indent=indent, ensure_ascii=ascii_only, allow_nan=False)
    # A line break can only be one of the indentation: in strings JSON escapes it.
    return _without(_unseen(text) - {"\n"}, text, lambda mark: json.dumps(mark)[1:-1])


def _unseen(text: str) -> set[str]:
    """Return the characters that are control characters or cannot be seen."""
    if text.isprintable():
        return set()
    return {mark for mark in set(text) if not (mark.isprintable() or mark in _JOINERS)}


def _without(marks: set[str], text: str, escape: Callable[[str], str]) -> str:
    return text.translate({ord(mark): escape(mark) for mark in marks}) if marks else text


def documents_told(names: Collection[str]) -> str:
    """Name the only document, or say how many there are."""
    return next(iter(names)) if len(names) == 1 else count(len(names), "document")


def some(names: Sequence[str], shown: int = 5) -> str:
    """Write the first of some names, and how many there are beside them."""
    more = len(names) - shown
    listed = ", ".join(printable(name) for name in names[:shown])
    return f"{listed} and {more:,} more" if more > 0 else listed
