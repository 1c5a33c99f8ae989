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
    """Show all measures in one table, and what a reader must know beside them.

    Parameters
    ----------
    result
        What ``side_by_side`` returned.
    title
        What was measured, for the line above.
    limit
        How many labels to show, those with the most weight.
    rest
        Where to find those that are not shown.

    Returns
    -------
    rich.console.Group
        To be printed with ``rich.print``.

    Examples
    --------
    >>> import rich
    >>> import unisono as un
    >>> from unisono.cli.terminal import measure_table as side_by_side_text
    >>> talk = un.Continuum.from_units(
    ...     [("ann", 0, 9, "A"), ("ann", 9, 12, "B"), ("bob", 0, 8, "A"), ("bob", 8, 12, "B")]
    ... )
    >>> rich.print(side_by_side_text.measures(un.side_by_side(talk, rng=1), title="talk"))
    talk
    measure        value   observed   expected   Monte Carlo 95 %
    ───────...
    """
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
