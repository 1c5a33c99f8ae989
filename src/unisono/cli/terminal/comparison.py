"""A hypothesis against a reference as text: scores, slot errors, γ, labels and documents."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from unisono.cli.terminal.blocks import (
    and_more,
    grid,
    numbers,
    sentence,
    signature_line,
    warned_title,
)
from unisono.measures.reference.compare import (
    level_columns,
    score_cells,
    undefined_scores,
    who_is_compared,
)
from unisono.model.labels import label_text
from unisono.results.agreement import columns, outcome, reasons
from unisono.results.record import label_keys
from unisono.results.wording import decimals, printable

if TYPE_CHECKING:
    from rich.console import RenderableType

    from unisono.measures.reference.compare import Comparison
    from unisono.model.labels import Label
    from unisono.results.agreement import Row


_LABELS_SHOWN = 40
_CONFUSIONS_SHOWN = 3


def comparison(
    result: Comparison,
    *,
    title: str | None = None,
    level: str = "exact",
    rest: str = "result.exact.by_label has all",
) -> Group:
    """Show how well a hypothesis finds what the reference has."""
    parts: list[RenderableType] = warned_title(title, result.gamma)
    parts.append(numbers(*level_columns(result)))
    parts.extend(sentence(line) for line in undefined_scores(result))
    if len(result.exact.by_label) > 1:
        parts += [Text(), *_labels(result, level, rest)]
    signatures = [signature_line(result.signature), signature_line(result.slots.signature)]
    if result.gamma is not None:
        rows: list[Row] = [("γ", result.gamma), ("γcat", result.gamma.cat)]
        headings, cells = columns(rows)
        parts += [Text(), numbers(headings, cells, close=len(headings) > 5)]
        parts.extend(sentence(reason) for reason in reasons(rows))
        signatures.append(signature_line(result.gamma.signature))
    return Group(*parts, Text(), grid(_facts(result)), Text(), *signatures)


def documents(
    result: Comparison,
    *,
    level: str = "exact",
    limit: int = 10,
    rest: str = "result.documents has all",
) -> Group:
    """Show the documents of a corpus, those with the lowest F1 first."""
    scored = {name: getattr(of, level).overall for name, of in result.documents.items()}
    worst_first = sorted(
        scored,
        key=lambda name: (math.inf if math.isnan(scored[name].f1) else scored[name].f1, name),
    )
    headings = ["document", "precision", "recall", "F1", "slot errors"]
    headings += ["units"] if result.gamma is None else ["γ", "units"]
    cells = []
    for name in worst_first[:limit]:
        of = result.documents[name]
        gamma = [] if of.gamma is None else [outcome(of.gamma)]
        units = f"{scored[name].n_reference:,}/{scored[name].n_hypothesis:,}"
        shown = score_cells(name, scored[name])[:4]
        cells.append([*shown, decimals(of.slots.value), *gamma, units])
    parts: list[RenderableType] = [numbers(headings, cells)]
    more = len(worst_first) - limit
    parts += and_more(more, rest)
    return Group(*parts)


def _labels(result: Comparison, level: str, rest: str) -> list[RenderableType]:
    of_labels = getattr(result, level).by_label
    keys = label_keys(of_labels)
    largest = sorted(of_labels, key=lambda label: -max(of_labels[label][1:]))[:_LABELS_SHOWN]
    headings = [f"label ({level})", "precision", "recall", "F1", "found", "reference", "hypothesis"]
    shown: list[RenderableType] = [
        numbers(
            headings,
            [
                score_cells(keys[label] or "(no label)", score)
                for label, score in of_labels.items()
                if label in largest
            ],
        )
    ]
    more = len(of_labels) - _LABELS_SHOWN
    shown += and_more(more, rest, "label")
    return shown


def _facts(result: Comparison) -> list[tuple[str, str]]:
    slots = result.slots
    rate = f"undefined: {slots.undefined}" if slots.undefined else decimals(slots.value)
    found = [
        *who_is_compared(result),
        ("slot error rate", rate),
        ("slots", slots.counts.told()),
    ]
    if len(result.documents) > 1:
        found.insert(0, ("documents", f"{len(result.documents):,}"))
    if slots.confusions:
        most = list(slots.confusions.items())
        told = "; ".join(
            f"{_said(first)} → {_said(second)} {number:,}"
            for (first, second), number in most[:_CONFUSIONS_SHOWN]
        )
        more = len(most) - _CONFUSIONS_SHOWN
        found.append(("confusions", f"{told} and {more:,} more" if more > 0 else told))
    if result.mapping:
        pairs = "; ".join(f"{_said(old)} → {_said(new)}" for old, new in result.mapping.items())
        found.append(("mapping", pairs))
    if result.gamma is not None and result.gamma.draws:
        who = "the reference alone"
        found.append(("draws", f"{result.gamma.draws:,}, from the units of {who}"))
    family_notes = () if result.gamma is None else result.gamma.notes
    found.extend(("note", printable(note)) for note in (*result.notes, *family_notes))
    return found


def _said(label: Label | None) -> str:
    return printable(label_text(label)) or "(no label)"
