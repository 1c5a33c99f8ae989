"""A sheet on a terminal: tables that fit the width, facts, notes and signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from unisono.cli.terminal.blocks import grid, sentence, signature_line
from unisono.results.blocks import width_of
from unisono.results.wording import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from unisono.results.sheet import Sheet, Table

__all__ = ["lines_of_table", "sheet_parts"]

_GAPS = (3, 2)


def sheet_parts(
    sheet: Sheet, *, width: int, limit: int | None, rest: str = "--csv or --json has all"
) -> list[RenderableType]:
    """Return the parts of a sheet in their order: title, tables, facts and notes, signatures."""
    parts: list[RenderableType] = []
    if sheet.title:
        parts.append(Text(printable(sheet.title), style="bold"))
    parts += [sentence(finding, style="") for finding in sheet.findings]
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

    Columns that are declared as dispensable go first; what still does not fit is set below, with
    the first column repeated.
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
    for number, some in enumerate(_stacked(widths, places, gap, width)):
        if number:
            yield Text()
        lines = [[line[at] for at in some] for line in (view.headings, *view.cells)]
        left = [view.columns[at].kind.align == "left" for at in some]
        set_ = [_line(line, [widths[at] for at in some], left, gap) for line in lines]
        yield Text(set_[0], style="bold", no_wrap=True)
        yield Text("─" * _total(widths, some, gap), no_wrap=True)
        yield from (Text(line, no_wrap=True) for line in set_[1:])
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


def _line(cells: Sequence[str], widths: Sequence[int], left: Sequence[bool], gap: int) -> str:
    padded = [
        cell + " " * (width - width_of(cell)) if to_left else " " * (width - width_of(cell)) + cell
        for cell, width, to_left in zip(cells, widths, left, strict=True)
    ]
    return (" " * gap).join(padded).rstrip()
