"""Plans and policies for missing values as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from unisono.cli.terminal.blocks import grid, numbers, sentence, signature_line
from unisono.results.wording import count, decimals, printable

if TYPE_CHECKING:
    from rich.console import RenderableType

    from unisono.studies.missing_values import PolicyComparison
    from unisono.studies.planning import Plan


def plan(planned: Plan, *, title: str | None = None) -> Group:
    """Show how many items or documents are needed, and the sizes that were tried."""
    parts = _top(title)
    parts.append(sentence(str(planned), style="bold"))
    if planned.trials:
        cells = [[f"{trial.size:,}", decimals(trial.width)] for trial in planned.trials]
        parts += [Text(), numbers([planned.of, "width"], cells, names=0)]
    pilot = planned.pilot
    about = [("pilot", f"{pilot.signature.measure} {_value_and_interval(planned)}")]
    about += [("note", printable(note)) for note in planned.notes]
    parts += [Text(), grid(about), Text(), signature_line(planned.signature)]
    return Group(*parts)


def policies(comparison: PolicyComparison, *, title: str | None = None) -> Group:
    """Show how far a coefficient strays under each policy for missing values."""
    headings = ["missing", "policy", "complete", "mean", "deviation", "undefined"]
    cells = [
        [
            f"{spread.share * 100:g} %",
            spread.policy,
            *map(decimals, (spread.complete, spread.mean, spread.deviation)),
            f"{spread.undefined:,}",
        ]
        for spread in comparison.spreads
    ]
    about = [("measure", comparison.measure), ("deletions", f"{comparison.n:,} for each share")]
    parts = _top(title)
    parts += [numbers(headings, cells, names=2), Text(), grid(about), Text()]
    return Group(*parts, signature_line(comparison.signature))


def _top(title: str | None) -> list[RenderableType]:
    return [] if title is None else [Text(printable(title), style="bold")]


def _value_and_interval(planned: Plan) -> str:
    pilot = planned.pilot
    if pilot.undefined:
        return "undefined"
    value = decimals(pilot.value)
    if pilot.interval is not None:
        low, high = decimals(pilot.interval.low), decimals(pilot.interval.high)
        value += f", {pilot.interval.level * 100:g} % interval {low} to {high}"
    return f"{value}, on {count(planned.n_pilot, planned.of.removesuffix('s'))}"
