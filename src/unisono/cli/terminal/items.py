"""Results on items as text: coefficients side by side, plans, and policies for missing values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from unisono.cli.terminal.blocks import and_more, grid, numbers, sentence, signature_line
from unisono.measures.items.coefficient import item_facts
from unisono.results.agreement import columns, reasons
from unisono.results.record import label_keys
from unisono.results.wording import count, decimals, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType

    from unisono.measures.items.coefficient import ItemsAgreement, ItemsTable
    from unisono.results.agreement import Row
    from unisono.studies.missing_values import PolicyComparison
    from unisono.studies.planning import Plan


def coefficients(table: ItemsTable, *, title: str | None = None) -> Group:
    """Set coefficients of the same ratings side by side, with a reason for each without a value."""
    rows: list[Row] = list(table.items())
    widest = max(table.values(), key=lambda result: result.n_items)
    about = [fact for fact in item_facts(widest) if fact[0] in ("annotators", "items", "values")]
    parts = _top(title)
    parts.append(numbers(*_columns(rows)))
    parts.extend(sentence(reason) for reason in reasons(rows))
    parts += [Text(), grid([*about, *_p_values(table.values()), *_notes(table)]), Text()]
    parts.extend(signature_line(result.signature) for result in table.values())
    return Group(*parts)


def coefficient(
    result: ItemsAgreement,
    *,
    title: str | None = None,
    limit: int = 10,
    rest: str = "result.by_label and result.by_pair have all",
) -> Group:
    """Show one coefficient, with its labels, its pairs of annotators and its facts."""
    keys = label_keys(result.by_label)
    labels: list[Row] = [(f"label {keys[label]}", of) for label, of in result.by_label.items()]
    pairs: list[Row] = [(" – ".join(pair), of) for pair, of in result.by_pair.items()]
    rows: list[Row] = [(None, result), *_worst(labels, limit), *_worst(pairs, limit)]
    more = 1 + len(labels) + len(pairs) - len(rows)
    parts = _top(title)
    parts.append(numbers(*_columns(rows)))
    parts += and_more(more, rest)
    parts.extend(sentence(reason) for reason in reasons(rows))
    in_columns = ("standard error", "p-value")
    facts = [fact for fact in item_facts(result) if fact[0] not in in_columns]
    facts[3:3] = _p_values([result])
    parts += [Text(), grid(facts), Text(), signature_line(result.signature)]
    return Group(*parts)


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


def _columns(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Give the headings and cells; where there are intervals, there is no room for more."""
    headings, cells = columns(rows)
    if any(result.interval for _, result in rows):
        return headings, cells
    for heading, field in (("standard error", "standard_error"), ("p-value", "p_value")):
        column = [getattr(result, field, None) for _, result in rows]
        if any(value is not None for value in column):
            headings.append(heading)
            for line, value in zip(cells, column, strict=True):
                line.append(decimals(value))
    return headings, cells


def _p_values(results: Iterable[ItemsAgreement]) -> list[tuple[str, str]]:
    """Give the p-values that stand in no column."""
    known = [result for result in results if result.p_value is not None]
    if not any(result.interval for result in known):
        return []
    texts = [decimals(result.p_value) for result in known]
    if len(set(texts)) == 1:
        return [("p-value", texts[0] if len(texts) == 1 else f"{texts[0]} each")]
    named = (f"{one.signature.measure} {text}" for one, text in zip(known, texts, strict=True))
    return [("p-value", ", ".join(named))]


def _worst(rows: Sequence[Row], limit: int) -> list[Row]:
    """Choose the rows with the least agreement; where all are shown, their order stays."""
    if len(rows) <= limit:
        return list(rows)
    return sorted(rows, key=lambda row: (bool(row[1].undefined), row[1].value))[:limit]


def _notes(table: ItemsTable) -> list[tuple[str, str]]:
    """Give each note once, with the coefficients it is about unless it is about all."""
    names: dict[str, list[str]] = {}
    for name, result in table.items():
        for note in result.notes:
            names.setdefault(note, []).append(name)
    return [
        ("note", printable(note if len(about) == len(table) else f"{', '.join(about)}: {note}"))
        for note, about in names.items()
    ]


def _value_and_interval(planned: Plan) -> str:
    pilot = planned.pilot
    if pilot.undefined:
        return "undefined"
    value = decimals(pilot.value)
    if pilot.interval is not None:
        low, high = decimals(pilot.interval.low), decimals(pilot.interval.high)
        value += f", {pilot.interval.level * 100:g} % interval {low} to {high}"
    return f"{value}, on {count(planned.n_pilot, planned.of.removesuffix('s'))}"
