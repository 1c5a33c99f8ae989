"""Rendering of a sheet for a terminal: tables that fit the width, facts, notes and signatures."""

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
    parts: list[RenderableType] = []
    for finding in sheet.findings:
        parts += [sentence(printable(finding), style="bold"), Text()]
    if sheet.title:
        parts.append(sentence(printable(sheet.title), style="bold"))
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
    """Yield the lines of a table that fits the terminal, without truncated numbers or words.

    First optional columns are dropped and texts are wrapped. If the table would still be too wide,
    all columns are shown in parts, one below the other, with the first column repeated.
    """
    view = table.view(limit)
    if table.title:
        yield sentence(printable(table.title), style="bold")
    widths = [
        max(map(width_of, (heading, *(line[at] for line in view.cells))))
        for at, heading in enumerate(view.headings)
    ]
    left = [one.kind.align == "left" for one in view.columns]
    places = list(range(len(widths)))
    gap = next((gap for gap in _GAPS if _total(widths, places, gap) <= width), _GAPS[-1])
    least = _least_widths(view, widths, width // 3)
    needed = [at for at in places if view.columns[at].show != "room"]
    if _total(least, needed, gap) <= width:
        while _total(widths, places, gap) > width and places != needed:
            places.remove(max(set(places).difference(needed)))
    if _total(least, places, gap) > width:  # at least two columns must fit side by side
        least = _least_widths(view, widths, (width - gap) // 2)
    _shrink(widths, least, [at for at in places if left[at]], places, width, gap)
    for number, columns in enumerate(_column_groups(widths, places, gap, width)):
        if number:
            yield Text()
        lines = [[line[at] for at in columns] for line in (view.headings, *view.cells)]
        sizes, to_left = [widths[at] for at in columns], [left[at] for at in columns]
        headings, *rows = (list(_lines(line, sizes, to_left, gap)) for line in lines)
        yield from (Text(line, style="bold", no_wrap=True) for line in headings)
        yield Text("─" * _total(widths, columns, gap), no_wrap=True)
        yield from (Text(line, no_wrap=True) for row in rows for line in row)
    hidden = [heading for at, heading in enumerate(view.headings) if at not in places]
    if hidden:
        yield sentence(f"columns not shown: {', '.join(hidden)}; {rest}", style="dim")
    yield from (sentence(each) for each in view.sentences)
    if view.n_more:
        yield sentence(view.more(rest), style="dim")


def _least_widths(view: View, widths: Sequence[int], most: int) -> list[int]:
    """Return the widths of columns whose texts are wrapped, and folded if longer than `most`."""
    return [
        min(_longest_word(view, at), most) if one.kind.align == "left" else widths[at]
        for at, one in enumerate(view.columns)
    ]


def _shrink(
    widths: list[int],
    least: Sequence[int],
    texts: Sequence[int],
    places: Sequence[int],
    width: int,
    gap: int,
) -> None:
    """Make columns of text as narrow as the table needs to fit, or as narrow as possible.

    They keep a quarter of the width, unless narrower ones make the table fit.
    """
    fits = _total(least, places, gap) <= width
    for floor in (width // 4, 0) if fits else (width // 4,):
        for at in texts:
            over = max(0, _total(widths, places, gap) - width)
            widths[at] = max(widths[at] - over, min(widths[at], max(least[at], floor)))
    if not fits and 0 in texts:
        widest = max((widths[at] for at in places if at), default=0)
        widths[0] = min(widths[0], width - gap - widest)


def _total(widths: Sequence[int], places: Sequence[int], gap: int) -> int:
    return sum(widths[at] for at in places) + gap * (len(places) - 1)


def _column_groups(
    widths: Sequence[int], places: Sequence[int], gap: int, width: int
) -> Iterator[list[int]]:
    """Yield the columns of each part of a too wide table; the first column starts each part."""
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
    """Yield the lines of a row; texts longer than their column are wrapped."""
    parts = [
        _wrap(cell, width) if left else [cell]
        for cell, width, left in zip(cells, widths, to_left, strict=True)
    ]
    for line in zip_longest(*parts, fillvalue=""):
        padded = [
            cell + " " * (width - width_of(cell)) if left else " " * (width - width_of(cell)) + cell
            for cell, width, left in zip(line, widths, to_left, strict=True)
        ]
        yield (" " * gap).join(padded).rstrip()


def _wrap(text: str, width: int) -> list[str]:
    """Break a text between words; a single word that is too long is folded."""
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
