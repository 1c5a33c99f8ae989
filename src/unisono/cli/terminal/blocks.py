"""Facts, sentences and signatures for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from unisono.results.wording import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult


class Trimmed:
    """A renderable without the trailing spaces that rich adds to lines."""

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


def grid(pairs: Sequence[tuple[str, str]]) -> Trimmed:
    """Return a grid of names and facts."""
    lines = Table.grid(padding=(0, 2))
    lines.add_column(style="dim", no_wrap=True)
    lines.add_column(overflow="fold")
    for name, fact in pairs:
        lines.add_row(name, Text(fact))
    return Trimmed(lines)


def sentence(text: str, *, style: str = "yellow") -> Trimmed:
    """Return a sentence that wraps between words, even if the console has `soft_wrap`."""
    return Trimmed(Text(text, style=style, no_wrap=False, overflow="fold"))


def signature_line(signature: object) -> Text:
    """Return a signature as a line for copying.

    Wrapping is left to the console: with `soft_wrap` the signature is one line, otherwise it is
    folded; it is never truncated.
    """
    return Text(printable(str(signature)), style="dim")
