"""Unitizing alphas as text: the family of all documents, and each document on a line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from unisono.cli.terminal.blocks import and_more, grid, numbers, sentence, signature_line
from unisono.measures.unitizing.alphas import unitizing_facts, unitizing_rows
from unisono.results.agreement import columns, outcome, reasons
from unisono.results.wording import count, position, printable, some

if TYPE_CHECKING:
    from rich.console import RenderableType

    from unisono.measures.unitizing.alphas import UnitizingResult


_LABELS_SHOWN = 40


def summary(
    result: UnitizingResult, *, title: str | None = None, rest: str = "result.by_label has all"
) -> Group:
    """Show the alphas, and all that a reader must know beside them.

    Of more than 40 labels the 40 whose units are longest together are shown.
    """
    rows = unitizing_rows(result)
    first = len(unitizing_rows(result, labels=False))
    more = len(rows) - first - _LABELS_SHOWN
    if more > 0:
        lengths = [result.label_lengths[label] for label in result.by_label]
        longest = sorted(range(len(lengths)), key=lambda i: -lengths[i])[:_LABELS_SHOWN]
        rows = [*rows[:first], *(rows[first + i] for i in sorted(longest))]
    parts: list[RenderableType] = [] if title is None else [Text(printable(title), style="bold")]
    parts.append(numbers(*columns(rows)))
    parts += and_more(more, rest, "label")
    parts.extend(sentence(reason) for reason in reasons(rows))
    parts += [Text(), grid(unitizing_facts(result)), Text(), signature_line(result.signature)]
    if result.generation != "1995":
        # The distance between labels stands in this one only.
        parts.append(signature_line(result.coding.signature))
    return Group(*parts)


def documents(
    result: UnitizingResult, *, limit: int = 10, rest: str = "result.documents has all"
) -> Group:
    """Show the documents of a corpus, those with the least agreement first."""
    worst_first = sorted(
        result.documents.items(),
        key=lambda pair: (math.inf if pair[1].u.undefined else pair[1].u.value, pair[0]),
    )
    names = [name for name, _ in unitizing_rows(result, labels=False)]
    cells = [
        [
            printable(name),
            *(outcome(of) for _, of in unitizing_rows(document, labels=False)),
            f"{document.n_annotators:,}",
            f"{document.n_units:,}",
            position(document.length),
        ]
        for name, document in worst_first[:limit]
    ]
    headings = ["document", *map(str, names), "annotators", "units", "length"]
    parts: list[RenderableType] = [numbers(headings, cells)]
    more = len(worst_first) - limit
    parts += and_more(more, rest)
    parts.extend(
        sentence(
            f"{names[0]} of {count(len(without), 'document')} is undefined: {reason} "
            f"({some(without, 3)})"
        )
        for reason, without in _undefined(result).items()
    )
    return Group(*parts)


def _undefined(result: UnitizingResult) -> dict[str, list[str]]:
    names_by_reason: dict[str, list[str]] = {}
    for name, document in result.documents.items():
        if document.u.undefined:
            names_by_reason.setdefault(printable(document.u.undefined), []).append(name)
    return names_by_reason
