"""Simulated annotators for a terminal: what was done, and how measures fall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from unisono.cli.terminal.blocks import numbers
from unisono.results.wording import count, printable
from unisono.simulation.error_curves import shown_name
from unisono.simulation.shuffling.errors import DONE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import RenderableType

    from unisono.simulation.error_curves import Scan
    from unisono.simulation.shuffling.shuffle import Shuffled

__all__ = ["curves", "errors_made"]

_COLUMNS = 6


def errors_made(documents: Mapping[str, Shuffled]) -> RenderableType:
    """Show how many units each error was done to, one row a document."""
    first = next(iter(documents.values()))
    headings = ["document", "units", *(DONE[error] for error in first.errors), "now"]
    cells = [
        [
            printable(name),
            f"{len(shuffled.reference):,}",
            *(f"{number:,}" for number in shuffled.counts.values()),
            f"{len(shuffled.continuum):,}",
        ]
        for name, shuffled in documents.items()
    ]
    who = count(len(first.continuum.annotators), "simulated annotator")
    parts: list[RenderableType] = [
        Text(f"{who} at magnitude {first.magnitude:g}"),
        Text(),
        numbers(headings, cells),
        Text(),
        *(Text(str(shuffled.signature)) for shuffled in documents.values()),
    ]
    return Group(*parts)


def curves(scan: Scan, *, title: str) -> RenderableType:
    """Show the means of all curves, and why measures are left out."""
    headings, cells = scan.table()
    parts: list[RenderableType] = [
        Text(f"{title}: {', '.join(scan.errors)}", style="bold"),
        Text(f"means of {count(scan.repeats, 'annotation set')}"),
        Text(),
    ]
    # So many columns fit a terminal; the others follow in a table below.
    for first in range(1, len(headings), _COLUMNS):
        chosen = [0, *range(first, min(first + _COLUMNS, len(headings)))]
        some = [[row[at] for at in chosen] for row in cells]
        parts += [numbers([headings[at] for at in chosen], some), Text()]
    by_reason: dict[str, list[str]] = {}
    for name, reason in scan.left_out.items():
        by_reason.setdefault(reason, []).append(shown_name(name))
    parts += [
        Text(f"left out {', '.join(names)}: {printable(reason)}")
        for reason, names in by_reason.items()
    ]
    if any(curve.undefined.any() for curve in scan.curves):
        parts.append(Text("– or fewer sets: undefined for some; --json counts them"))
    parts += [Text()] if by_reason else []
    return Group(*parts, Text(str(scan.signature)))
