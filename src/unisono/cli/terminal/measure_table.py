"""Many measures of the same units as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from unisono.cli.terminal.blocks import grid, numbers, sentence, signature_line, warned_title
from unisono.results.agreement import columns, reasons
from unisono.results.wording import count
from unisono.studies.measure_table import side_by_side_facts, side_by_side_rows, signatures

if TYPE_CHECKING:
    from rich.console import RenderableType

    from unisono.studies.measure_table import SideBySide


def measures(
    result: SideBySide,
    *,
    title: str | None = None,
    limit: int = 10,
    rest: str = "result.by_label has all",
) -> Group:
    """Show all measures in one table, and what a reader must know beside them."""
    rows = side_by_side_rows(result, most_labels=limit)
    parts: list[RenderableType] = warned_title(title, result.measures["gamma"])
    headings, cells = columns(rows)
    parts.append(numbers(headings, cells, close=len(headings) > 5))
    more = len(result.by_label) - limit
    if more > 0:
        parts.append(Text(f"and {count(more, 'label')} more; {rest}", style="dim"))
    parts.extend(sentence(reason) for reason in reasons(rows))
    parts += [Text(), grid(side_by_side_facts(result)), Text()]
    parts.extend(map(signature_line, signatures(result)))
    return Group(*parts)
