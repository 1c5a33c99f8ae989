"""Results as text: tables for a terminal, for a plain file and for Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from rich.console import Group
from rich.text import Text

from unisono.cli.terminal.blocks import (
    Trimmed,
    and_more,
    empty_table,
    grid,
    signature_line,
)
from unisono.errors import SettingError
from unisono.measures.gamma.result import WHO_COUNTS
from unisono.model.labels import label_text
from unisono.results.agreement import columns, proof, reasons
from unisono.results.blocks import markdown_code, markdown_table, markdown_text, padded
from unisono.results.wording import decimals, position, printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType

    from unisono.measures.gamma.alignment import Alignment
    from unisono.model.continuum import Unit
    from unisono.results.agreement import Agreement, Row


Style = Literal["plain", "markdown"]
_WIDE_TABLE_ANNOTATORS = 4


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
