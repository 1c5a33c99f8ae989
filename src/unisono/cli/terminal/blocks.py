"""What every report is built of: tables, facts, sentences and signatures for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from unisono.results.wording import count, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult


class Trimmed:
    """A table or a text without the spaces that rich leaves at the ends of lines."""

    def __init__(self, padded: RenderableType) -> None:
        self.padded = padded

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in console.render_lines(self.padded, options, pad=False):
            while line and not line[-1].text.rstrip(" "):
                line.pop()
            if line:
                text, style, control = line.pop()
                line.append(Segment(text.rstrip(" "), style, control))
            yield from line
            yield Segment.line()

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement.get(console, options, self.padded)


def empty_table() -> Table:
    """Give a table with a line under its headings and none around it."""
    return Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")


def numbers(
    headings: Sequence[str],
    cells: Sequence[Sequence[str]],
    *,
    names: int = 1,
    close: bool = False,
) -> Trimmed:
    """Set numbers in columns, after so many columns of names; `close` saves a space in each."""
    shown = empty_table()
    if close:
        shown.padding = (0, 1, 0, 0)
    for place, heading in enumerate(headings):
        if place < names:
            shown.add_column(heading, overflow="fold")
        else:
            shown.add_column(heading, justify="right", no_wrap=True)
    for line in cells:
        # Text, because a label in brackets is no markup.
        shown.add_row(*map(Text, line))
    return Trimmed(shown)


def grid(pairs: Sequence[tuple[str, str]]) -> Trimmed:
    """Set facts beside their names."""
    lines = Table.grid(padding=(0, 2))
    lines.add_column(style="dim", no_wrap=True)
    lines.add_column(overflow="fold")
    for name, fact in pairs:
        lines.add_row(name, Text(fact))
    return Trimmed(lines)


def sentence(text: str, *, style: str = "yellow") -> Trimmed:
    """Break a sentence between words, also where a console is told to leave lines as they are."""
    return Trimmed(Text(text, style=style, no_wrap=False, overflow="fold"))


def signature_line(signature: object) -> Text:
    """Give a signature to be copied.

    It says nothing about wrapping: a console with soft_wrap keeps it in one piece; any other folds
    it, and none cuts it off.
    """
    return Text(printable(str(signature)), style="dim")


def and_more(number: int, rest: str, noun: str = "") -> list[Text]:
    """Tell how many lines are not shown and where they are; nothing where all are shown."""
    if number <= 0:
        return []
    what = count(number, noun) if noun else f"{number:,}"
    return [Text(f"and {what} more; {rest}", style="dim")]
