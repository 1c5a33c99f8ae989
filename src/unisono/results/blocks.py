"""Tables, paragraphs and facts of a result without a format, and their form in Markdown."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from unisono.model.labels import label_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.model.labels import Label


def width_of(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(mark) else 1 + (unicodedata.east_asian_width(mark) in "WF")
        for mark in text
    )


def padded(headings: Sequence[str], cells: Sequence[Sequence[str]]) -> list[list[str]]:
    """Pad a table to equal widths: the first column to the left, numbers to the right."""
    lines = [list(headings), *(list(line) for line in cells)]
    widths = [max(map(width_of, column)) for column in zip(*lines, strict=True)]
    return [
        [
            cell + " " * (width - width_of(cell))
            if i == 0
            else " " * (width - width_of(cell)) + cell
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        for line in lines
    ]


_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_<[|"})


def markdown_table(headings: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    r"""Write a Markdown table, aligned for those who read it as it stands."""
    lines = padded(headings, [[markdown_text(cell) for cell in line] for line in cells])
    rule = [
        f":{'-' * (len(cell) - 1)}" if i == 0 else f"{'-' * (len(cell) - 1)}:"
        for i, cell in enumerate(lines[0])
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in (lines[0], rule, *lines[1:]))


def markdown_text(text: str) -> str:
    r"""Write a text so that none of it is taken for a mark of Markdown."""
    return text.translate(_MARKS)


def markdown_code(text: str) -> str:
    """Write a text as it stands, between backticks."""
    fence = "`"
    while fence in text:
        fence += "`"
    # Markdown strips one space beside a fence, and needs it beside a backtick.
    space = " " if len(fence) > 1 else ""
    return f"{fence}{space}{text}{space}{fence}"


FIRST, LAST = "\u2068", "\u2069"
"""Unicode's own marks around a text whose direction is its own: a name inside a sentence."""
_KEPT_FORMAT = frozenset("\u200c\u200d")  # joiners, which scripts and emoji need
_LONG = 60


class Excerpt(NamedTuple):
    """What an annotator marked, with the text around it."""

    before: str
    marked: str
    after: str


Cell: TypeAlias = "str | Excerpt"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A sentence or more; names in it stand between `FIRST` and `LAST`."""

    text: str
    tone: Literal["plain", "lead", "note"] = "plain"


@dataclass(frozen=True, slots=True)
class Bullets:
    """Sentences, one below the other."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and what they are."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under headings; the first column names the row."""

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    words: frozenset[int] = frozenset({0})
    """Columns of names and texts; all others are numbers."""
    rest: str = ""
    """What is not shown, and where it is."""


@dataclass(frozen=True, slots=True)
class Code:
    """Lines to be copied as they are."""

    text: str
    name: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture and what it shows in words."""

    title: str
    description: str
    svg: str


Block: TypeAlias = "Paragraph | Bullets | Facts | Table | Code | Figure"


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under a heading, and sections below them."""

    title: str
    key: str
    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()


def shown(text: str) -> str:
    r"""Write a text from a file on one line; nothing is lost but what cannot be seen.

    Joiners stay, which emoji and some scripts need; control characters become escapes.
    """
    return "".join(
        mark
        if mark.isprintable() or mark in _KEPT_FORMAT
        else mark.encode("unicode_escape").decode()
        for mark in text
    )


def named(label: Label | None) -> str:
    """Write a label for the cell of a table."""
    return shown(label_text(label)) or "(no label)"


def quoted(name: str, *, whole: bool = False) -> str:
    """Write a name inside a sentence: with quotes, with a direction of its own, not too long."""
    text = shown(name)
    if len(text) > _LONG and not whole:
        text = f"{text[: _LONG - 1]}…"
    return f"“{FIRST}{text}{LAST}”"


def plain(text: str) -> str:
    """Take the marks of direction out again."""
    return text.replace(FIRST, "").replace(LAST, "")


def listed(words: Sequence[str]) -> str:
    """Join words as a sentence does."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
