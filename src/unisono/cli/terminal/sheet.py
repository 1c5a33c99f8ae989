"""A sheet on a terminal: tables that fit the width, facts, notes and signatures."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.text import Text

from unisono.cli.terminal.blocks import grid, sentence, signature_line
from unisono.results.blocks import width_of
from unisono.results.wording import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from unisono.results.sheet import Sheet, Table, View

__all__ = ["lines_of_table", "sheet_parts"]

_GAPS = (3, 2)


def sheet_parts(sheet: Sheet, *, width: int, limit: int | None, rest: str) -> list[RenderableType]:
    """Return the parts of a sheet: findings, title, tables, facts and notes, signatures."""
    parts: list[RenderableType] = [sentence(finding, style="bold") for finding in sheet.findings]
    if sheet.title:
        parts.append(Text(printable(sheet.title), style="bold"))
    for place, table in enumerate(one for one in sheet.tables if one.people):
        if place:
            parts.append(Text())
        parts += lines_of_table(table, width=width, limit=limit, rest=rest)
    facts = [(fact.column.heading, fact.text) for fact in sheet.facts]
    facts += [("note", printable(note)) for note in sheet.notes]
    if facts:
        parts += [Text(), grid(facts)]
    if sheet.signatures:
        parts.append(Text())
        parts += [signature_line(signature) for signature in sheet.signatures]
    return parts


def lines_of_table(
    table: Table, *, width: int, limit: int | None, rest: str
) -> Iterator[RenderableType]:
    """Yield the lines of a table, no wider than the terminal; no number and no word is cut.

    Words of names wrap; then columns that are declared as dispensable go; what still does not fit
    is set below, with the first column repeated.
    """
    view = table.view(limit)
    if table.title:
        yield Text(table.title, style="bold")
    widths = [
        max(map(width_of, (heading, *(line[at] for line in view.cells))))
        for at, heading in enumerate(view.headings)
    ]
    places = list(range(len(widths)))
    gap = next((gap for gap in _GAPS if _total(widths, places, gap) <= width), _GAPS[-1])
    dropped = []
    for at in reversed(places):
        if _total(widths, places, gap) > width and view.columns[at].show == "room":
            dropped.append(view.headings[at])
            places = [one for one in places if one != at]
    left = [one.kind.align == "left" for one in view.columns]
    for at in places:
        over = _total(widths, places, gap) - width
        if left[at] and over > 0:
            least = min(widths[at], max(_longest_word(view, at), width // 4))
            widths[at] = max(widths[at] - over, min(least, width // 2))
    for number, some in enumerate(_stacked(widths, places, gap, width)):
        if number:
            yield Text()
        lines = [[line[at] for at in some] for line in (view.headings, *view.cells)]
        sizes, to_left = [widths[at] for at in some], [left[at] for at in some]
        headings, *rows = (list(_lines(line, sizes, to_left, gap)) for line in lines)
        yield from (Text(line, style="bold", no_wrap=True) for line in headings)
        yield Text("─" * _total(widths, some, gap), no_wrap=True)
        yield from (Text(line, no_wrap=True) for row in rows for line in row)
    if dropped:
        what = ", ".join(reversed(dropped))
        yield Text(f"too wide to show: {what}; {rest}", style="dim")
    yield from (sentence(each) for each in view.sentences)
    if view.n_more:
        yield Text(view.more(rest), style="dim")


def _total(widths: Sequence[int], places: Sequence[int], gap: int) -> int:
    return sum(widths[at] for at in places) + gap * (len(places) - 1)


def _stacked(
    widths: Sequence[int], places: Sequence[int], gap: int, width: int
) -> Iterator[list[int]]:
    """Yield the columns of each part of a table that is too wide, the first column in each."""
    first, *others = places
    part = [first]
    for at in others:
        if len(part) > 1 and _total(widths, [*part, at], gap) > width:
            yield part
            part = [first]
        part.append(at)
    yield part


def _longest_word(view: View, at: int) -> int:
    texts = [view.headings[at], *(line[at] for line in view.cells)]
    return max((width_of(word) for text in texts for word in text.split()), default=0)


def _lines(
    cells: Sequence[str], widths: Sequence[int], to_left: Sequence[bool], gap: int
) -> Iterator[str]:
    """Yield the lines of a row; texts that are too long for their column are wrapped."""
    parts = [
        _wrapped(cell, width) if left else [cell]
        for cell, width, left in zip(cells, widths, to_left, strict=True)
    ]
    for line in zip_longest(*parts, fillvalue=""):
        padded = [
            cell + " " * (width - width_of(cell)) if left else " " * (width - width_of(cell)) + cell
            for cell, width, left in zip(line, widths, to_left, strict=True)
        ]
        yield (" " * gap).join(padded).rstrip()


def _wrapped(text: str, width: int) -> list[str]:
    """Break a text between words; a word that is too long alone is folded."""
    if width_of(text) <= width:
        return [text]
    lines = [""]
    for word in text.split():
        rest = word
        if lines[-1] and width_of(lines[-1]) + 1 + width_of(word) <= width:
            lines[-1] += f" {word}"
            continue
        if lines[-1]:
            lines.append("")
        while width_of(rest) > width:
            at = next(n for n in range(len(rest), 0, -1) if width_of(rest[:n]) <= width or n == 1)
            lines[-1], rest = rest[:at], rest[at:]
            lines.append("")
        lines[-1] = rest
    return lines
