"""Numbers, counts and names as text."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence


# What spreadsheets interpret as a formula, also after spaces, which some of them strip.
_FORMULA = re.compile(r"[\t\r\n\0]|\s*[=+@＝＋－＠-]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def without_formula(cell: object) -> object:
    """Return a cell that a spreadsheet does not interpret as a formula."""
    if not isinstance(cell, str) or not _FORMULA.match(cell) or _NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}"


WHO_COUNTS = {
    "units": "those with units in the document",
    "corpus": "all annotators of the corpus",
    "declared": "as declared",
}
"""Which annotators count in a document, by the setting `annotators_from`."""
_MISSING = "–"
_LARGE = 1e6
_JOINERS = frozenset("\u200c\u200d")


def decimals(value: float | None, places: int = 4) -> str:
    """Format a number with fixed decimals, a large one with significant digits, NaN as a dash."""
    if value is None or math.isnan(value):
        return _MISSING
    if _LARGE <= abs(value) < math.inf:
        return f"{value:.{max(places, 1)}g}"
    # Adding zero turns −0.0 into 0.0.
    return f"{round(value, places) + 0.0:.{places}f}" if math.isfinite(value) else str(value)


def position(value: float) -> str:
    """Format a position on the continuum without trailing zeros."""
    if value != 0.0 and not 1e-3 <= abs(value) < 1e15:
        return f"{value:.6g}"
    return f"{value:.4f}".rstrip("0").rstrip(".")


def count(number: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def printable(text: str) -> str:
    r"""Escape invisible characters, which could disturb a terminal or a table."""
    return _escaped(_invisible(text), text, lambda mark: mark.encode("unicode_escape").decode())


def printable_lines(text: str) -> str:
    r"""Escape invisible characters except line breaks and tabs."""
    invisible = _invisible(text) - {"\n", "\t"}
    return _escaped(invisible, text, lambda mark: mark.encode("unicode_escape").decode())


def json_text(
    record: Mapping[str, Any], *, indent: int | None = None, ascii_only: bool = False
) -> str:
    r"""Return plain data as JSON with invisible characters escaped."""
    text = json.dumps(record, indent=indent, ensure_ascii=ascii_only, allow_nan=False)
    # Line breaks belong to the indentation: within strings JSON escapes them.
    return _escaped(_invisible(text) - {"\n"}, text, lambda mark: json.dumps(mark)[1:-1])


def _invisible(text: str) -> set[str]:
    """Return the control characters and other invisible characters of a text."""
    if text.isprintable():
        return set()
    return {mark for mark in set(text) if not (mark.isprintable() or mark in _JOINERS)}


def _escaped(marks: set[str], text: str, escape: Callable[[str], str]) -> str:
    return text.translate({ord(mark): escape(mark) for mark in marks}) if marks else text


def describe_documents(names: Collection[str]) -> str:
    """Return the name of the only document, or the number of documents."""
    return next(iter(names)) if len(names) == 1 else count(len(names), "document")


def some(names: Sequence[str], shown: int = 5) -> str:
    """Return the first names, comma-separated, and the number of the others."""
    more = len(names) - shown
    listed = ", ".join(printable(name) for name in names[:shown])
    return f"{listed} and {more:,} more" if more > 0 else listed
