"""Results as text: tables for a terminal, for a plain file and for Markdown."""

from __future__ import annotations

import heapq
import math
from typing import TYPE_CHECKING, Literal, get_args

from rich.console import Group
from rich.text import Text

from unisono.cli.terminal.blocks import (
    Trimmed,
    and_more,
    empty_table,
    grid,
    numbers,
    sentence,
    signature_line,
    warned_title,
)
from unisono.errors import SettingError
from unisono.measures.gamma.result import WHO_COUNTS, facts, family, glances
from unisono.model.labels import label_text
from unisono.results.agreement import columns, outcome, proof, reasons
from unisono.results.blocks import markdown_code, markdown_table, markdown_text, padded
from unisono.results.wording import count, decimals, position, printable, some

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType

    from unisono.measures.gamma.alignment import Alignment
    from unisono.measures.gamma.result import GammaResult
    from unisono.model.continuum import Unit
    from unisono.results.agreement import Agreement, Row


Style = Literal["plain", "markdown"]
_WIDE_TABLE_ANNOTATORS = 4
_LABELS_SHOWN = 40


def table(results: Iterable[Agreement], *, style: Style = "plain") -> str:
    """Set results side by side, one a line, with their signatures below."""
    if style not in get_args(Style):
        msg = f"unknown style {style!r}; choose one of {', '.join(map(repr, get_args(Style)))}"
        raise SettingError(msg)
    rows: list[Row] = [(None, result) for result in results]
    why = reasons(rows)
    signatures = dict.fromkeys(printable(str(result.signature)) for _, result in rows)
    if style == "markdown":
        listed = [*map(markdown_text, why), *map(markdown_code, signatures)]
        lines = [markdown_table(*columns(rows)), "", *(f"- {line}" for line in listed)]
    else:
        lines = ["  ".join(line).rstrip() for line in padded(*columns(rows))]
        lines += ["", *why, *signatures]
    return "\n".join(lines)


def summary(
    result: GammaResult, *, title: str | None = None, rest: str = "result.by_label has all"
) -> Group:
    """Show γ, γcat and γk, and all that a reader must know beside them.

    Of more than 40 labels the 40 with the most weight are shown.
    """
    rows = family(result)
    more = len(rows) - 2 - _LABELS_SHOWN
    if more > 0:
        of_labels = range(2, len(rows))
        heaviest = sorted(of_labels, key=lambda i: _weight(rows[i]), reverse=True)[:_LABELS_SHOWN]
        rows = [rows[i] for i in (0, 1, *sorted(heaviest))]
    headings, cells = columns(rows)
    parts: list[RenderableType] = warned_title(title, result)
    # Two columns of intervals leave no room to spare on a line of 80.
    parts.append(numbers(headings, cells, close=len(headings) > 5))
    parts += and_more(more, rest, "label")
    parts.extend(sentence(reason) for reason in reasons(rows))
    parts += [Text(), grid(facts(result)), Text(), signature_line(result.signature)]
    return Group(*parts)


def documents(
    result: GammaResult, *, limit: int = 10, rest: str = "result.documents has all"
) -> Group:
    """Show the documents of a corpus, those with the least agreement first."""
    undefined: dict[str, list[str]] = {}
    ranked: list[tuple[float, str]] = []
    all_proven = True
    for name, glance in glances(result.documents):
        ranked.append((math.inf if glance.undefined else glance.value, name))
        all_proven = all_proven and glance.proven
        if glance.undefined:
            undefined.setdefault(printable(glance.undefined), []).append(name)
    headings = ["document", "value", "observed", "expected", "γcat", "annotators", "units"]
    cells = [
        [
            printable(name),
            outcome(document),
            decimals(document.observed),
            decimals(document.expected),
            outcome(document.cat),
            f"{document.n_annotators:,}",
            f"{document.n_units:,}",
            *([] if all_proven else ["yes" if document.proven else "no"]),
        ]
        for _, name in heapq.nsmallest(limit, ranked)
        for document in [result.documents[name]]
    ]
    parts: list[RenderableType] = [
        numbers(headings if all_proven else [*headings, "proven"], cells)
    ]
    parts += and_more(len(ranked) - limit, rest)
    parts.extend(
        sentence(f"{count(len(names), 'document')} undefined: {reason} ({some(names, 3)})")
        for reason, names in undefined.items()
    )
    return Group(*parts)


def groups(
    alignment: Alignment,
    *,
    title: str | None = None,
    limit: int = 40,
    rest: str = "alignment.groups has all",
) -> Group:
    """Show an alignment, group by group along the continuum."""
    wide = len(alignment.continuum.annotators) <= _WIDE_TABLE_ANNOTATORS
    shown = _one_line_a_group(alignment, limit) if wide else _one_line_a_unit(alignment, limit)
    parts: list[RenderableType] = [] if title is None else [Text(printable(title), style="bold")]
    parts.append(shown)
    more = len(alignment) - limit
    parts += and_more(more, rest)
    continuum = alignment.continuum
    who = WHO_COUNTS.get(continuum.annotators_from, continuum.annotators_from)
    about = [
        ("annotators", f"{len(continuum.annotators):,} (counted: {who})"),
        ("units", f"{len(continuum):,}"),
        ("groups", f"{len(alignment):,}"),
        ("disorder", decimals(alignment.disorder)),
        ("alignment", proof(proven=alignment.proven, gap=alignment.gap)),
    ]
    return Group(*parts, Text(), grid(about), Text(), signature_line(alignment.signature))


def _one_line_a_group(alignment: Alignment, limit: int) -> Trimmed:
    shown = empty_table()
    for heading in ("group", "disorder"):
        shown.add_column(heading, justify="right", no_wrap=True)
    for annotator in alignment.continuum.annotators:
        shown.add_column(Text(printable(annotator)), overflow="fold")
    disorders = alignment.group_disorders[:limit].tolist()
    for i, group in enumerate(alignment.groups[:limit]):
        shown.add_row(str(i + 1), decimals(disorders[i]), *(_place(unit) for unit in group))
    return Trimmed(shown)


def _one_line_a_unit(alignment: Alignment, limit: int) -> Trimmed:
    shown = empty_table()
    for heading in ("group", "disorder"):
        shown.add_column(heading, justify="right", no_wrap=True)
    shown.add_column("annotator", overflow="fold")
    for heading in ("start", "end"):
        shown.add_column(heading, justify="right", no_wrap=True)
    shown.add_column("label", overflow="fold")
    disorders = alignment.group_disorders[:limit].tolist()
    for i, group in enumerate(alignment.groups[:limit]):
        lead = (str(i + 1), decimals(disorders[i]))
        for unit in group:
            if unit is not None:
                shown.add_row(
                    *lead,
                    Text(printable(unit.annotator)),
                    position(unit.start),
                    position(unit.end),
                    Text(printable(label_text(unit.label))),
                )
                lead = ("", "")
    return Trimmed(shown)


def _place(unit: Unit | None) -> Text:
    if unit is None:
        return Text("·", style="dim")
    span = f"{position(unit.start)}–{position(unit.end)}"
    return Text(f"{span} {printable(label_text(unit.label))}".rstrip())


def _weight(row: Row) -> float:
    return getattr(row[1], "weight", None) or 0.0
