"""Tables, paragraphs and facts of a report in no particular format, and Markdown helpers."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from unisono.model.labels import label_text

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from unisono.model.labels import Label
    from unisono.results.sheet import NamePart


def width_of(text: str) -> int:
    """Return the width of a text in terminal columns."""
    return sum(
        0 if unicodedata.combining(mark) else 1 + (unicodedata.east_asian_width(mark) in "WF")
        for mark in text
    )


_FIRST = frozenset({0})


def pad_table(
    headings: Sequence[str], cells: Sequence[Sequence[str]], words: Collection[int] = _FIRST
) -> list[list[str]]:
    """Pad the cells of a table: columns of words left-aligned, columns of numbers right-aligned."""
    lines = [list(headings), *(list(line) for line in cells)]
    widths = [max(map(width_of, column)) for column in zip(*lines, strict=True)]
    return [
        [
            cell + " " * (width - width_of(cell))
            if i in words
            else " " * (width - width_of(cell)) + cell
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        for line in lines
    ]


_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_<[|"})


def markdown_table(
    headings: Sequence[str], cells: Sequence[Sequence[str]], words: Collection[int] = _FIRST
) -> str:
    r"""Return a Markdown table whose source is aligned, too."""
    lines = pad_table(headings, [[markdown_text(cell) for cell in line] for line in cells], words)
    rule = [
        f":{'-' * (len(cell) - 1)}" if i in words else f"{'-' * (len(cell) - 1)}:"
        for i, cell in enumerate(lines[0])
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in (lines[0], rule, *lines[1:]))


def markdown_text(text: str) -> str:
    r"""Escape the special characters of Markdown in a text."""
    return text.translate(_MARKS)


def markdown_code(text: str) -> str:
    """Return a text as Markdown code, between as many backticks as needed."""
    fence = "`"
    while fence in text:
        fence += "`"
    # A backtick next to the fence must be separated by a space, which Markdown strips.
    space = " " if len(fence) > 1 else ""
    return f"{fence}{space}{text}{space}{fence}"


FIRST, LAST = "\u2068", "\u2069"
"""Unicode isolates around a name inside a sentence, whose writing direction may differ."""
_KEPT_FORMAT = frozenset("\u200c\u200d")  # joiners, which some scripts and emoji need
_LONG = 60


class Excerpt(NamedTuple):
    """The text of a unit with its context."""

    before: str
    marked: str
    after: str


class Name(NamedTuple):
    """The name of a measure as text, in parts for HTML, and as LaTeX."""

    text: str
    parts: tuple[NamePart, ...]
    latex: str


Cell: TypeAlias = "str | Excerpt | Name"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One or more sentences; names are enclosed in `FIRST` and `LAST`."""

    text: str
    tone: Literal["plain", "lead", "note"] = "plain"


@dataclass(frozen=True, slots=True)
class Bullets:
    """A bullet list of sentences."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """A list of names with their descriptions."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose first column names the rows."""

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    words: frozenset[int] = frozenset({0})
    """The indices of the text columns; the other columns are numbers."""
    rest: str = ""
    """A sentence on the rows that are not shown, and where to find them."""


@dataclass(frozen=True, slots=True)
class Code:
    """Lines of code to be copied."""

    text: str
    name: str


@dataclass(frozen=True, slots=True)
class Figure:
    """An image with a description."""

    title: str
    description: str
    svg: str


Block: TypeAlias = "Paragraph | Bullets | Facts | Table | Code | Figure"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with blocks and subsections."""

    title: str
    key: str
    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()


def one_line(text: str) -> str:
    r"""Return a text on one line, with invisible characters escaped.

    Joiners are kept, because emoji and some scripts need them.
    """
    return "".join(
        mark
        if mark.isprintable() or mark in _KEPT_FORMAT
        else mark.encode("unicode_escape").decode()
        for mark in text
    )


def label_cell(label: Label | None) -> str:
    """Return a label as the text of a table cell."""
    return one_line(label_text(label)) or "(no label)"


def quote_name(name: str, *, whole: bool = False) -> str:
    """Return a name for use in a sentence: quoted, isolated in direction, shortened if long."""
    text = one_line(name)
    if len(text) > _LONG and not whole:
        text = f"{text[: _LONG - 1]}…"
    return f"“{FIRST}{text}{LAST}”"


def without_isolates(text: str) -> str:
    """Return a text without directional isolates."""
    return text.replace(FIRST, "").replace(LAST, "")


def join_words(words: Sequence[str]) -> str:
    """Join words with commas and a final "and"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
