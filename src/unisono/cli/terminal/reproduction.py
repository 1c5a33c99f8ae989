"""The claims of papers with their verdicts, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from unisono.cli.terminal.blocks import numbers

if TYPE_CHECKING:
    from rich.console import RenderableType

    from unisono.simulation.reproduction.claims import Reproduction

__all__ = ["summary"]

_HEADINGS = ["place", "claim", "ours", "verdict"]


def summary(found: Reproduction) -> RenderableType:
    """Show the claims with their verdicts on a terminal."""
    parts: list[RenderableType] = []
    for paper in dict.fromkeys(claim.paper for claim in found.claims):
        cells = [list(claim[1:5]) for claim in found.claims if claim.paper == paper]
        parts += [Text(paper, style="bold"), numbers(_HEADINGS, cells, names=4), Text()]
    counts = ", ".join(f"{number} {verdict}" for verdict, number in found.counts.items())
    return Group(*parts, Text(counts, style="bold"), Text(), Text(str(found.signature)))
