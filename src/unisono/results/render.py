"""A sheet as Markdown, HTML, LaTeX, CSV and plain text."""

from __future__ import annotations

import csv
import io
from html import escape
from typing import TYPE_CHECKING, Any, Protocol

from unisono.results.blocks import markdown_code, markdown_table, markdown_text, padded
from unisono.results.record import InMarkdown
from unisono.results.sheet import as_it_is
from unisono.results.wording import printable, without_formula

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unisono.results.sheet import Column, Row, Sheet, Table, View

__all__ = ["Sheeted", "csv_records", "csv_text", "html", "latex", "markdown", "text"]

_REST = "to_csv() and to_dict() have all"
_ROWS = 20
_TEX = str.maketrans(
    {
        **{mark: f"\\{mark}" for mark in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "→": r"$\to$",
        "−": "$-$",
        "κ": r"$\kappa$",
        "π": r"$\pi$",
        "α": r"$\alpha$",
        "γ": r"$\gamma$",
    }
)


def _people(sheet: Sheet) -> list[Table]:
    return [table for table in sheet.tables if table.people]


def markdown(sheet: Sheet, *, limit: int | None = _ROWS, rest: str = _REST) -> str:
    """Return a sheet as Markdown."""
    parts = [f"### {markdown_text(printable(sheet.title))}"] if sheet.title else []
    parts += [markdown_text(finding) for finding in sheet.findings]
    listed: list[str] = []
    for table in _people(sheet):
        view = table.view(limit)
        if table.title:
            parts.append(f"**{markdown_text(table.title)}**")
        parts.append(markdown_table(view.headings, view.cells))
        if view.n_more:
            parts.append(markdown_text(view.more(rest)))
        listed += [markdown_text(sentence) for sentence in view.sentences]
    listed += [f"{fact.column.heading}: {markdown_text(fact.text)}" for fact in sheet.facts]
    listed += [f"note: {markdown_text(printable(note))}" for note in sheet.notes]
    if listed:
        parts.append("\n".join(f"- {line}" for line in listed))
    parts += [markdown_code(printable(str(signature))) for signature in sheet.signatures]
    return "\n\n".join(parts)


def text(sheet: Sheet, *, limit: int | None = None) -> str:
    """Return the findings, the first table and its reasons as plain text."""
    table = _people(sheet)[0]
    view = table.view(limit)
    lines = ["  ".join(line).rstrip() for line in padded(view.headings, view.cells)]
    return "\n".join([*sheet.findings, *lines, *view.sentences])


def html(sheet: Sheet, *, limit: int | None = _ROWS, rest: str = _REST) -> str:
    """Return a sheet as HTML, without scripts, identifiers or anything from elsewhere."""
    parts = [f"<h3>{escape(printable(sheet.title))}</h3>"] if sheet.title else []
    parts += [f"<p>{escape(finding)}</p>" for finding in sheet.findings]
    for table in _people(sheet):
        view = table.view(limit)
        parts.append(_html_table(table, view))
        if view.n_more:
            parts.append(f"<p>{escape(view.more(rest))}</p>")
        parts += [f"<p>{escape(sentence)}</p>" for sentence in view.sentences]
    facts = [
        f"<dt>{escape(fact.column.heading)}</dt><dd>{escape(fact.text)}</dd>"
        for fact in sheet.facts
    ]
    facts += [f"<dt>note</dt><dd>{escape(printable(note))}</dd>" for note in sheet.notes]
    if facts:
        parts.append(f"<dl>{''.join(facts)}</dl>")
    parts += [f"<p><code>{escape(printable(str(one)))}</code></p>" for one in sheet.signatures]
    return "\n".join(parts)


def _html_table(table: Table, view: View) -> str:
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    heads = "".join(
        f'<th scope="col" style="text-align: {column.kind.align}">{escape(heading)}</th>'
        for column, heading in zip(view.columns, view.headings, strict=True)
    )
    lines = []
    for cells in view.cells:
        first, *others = (f"<bdi>{escape(cell)}</bdi>" for cell in cells)
        kinds = [column.kind for column in view.columns[1:]]
        tagged = "".join(
            f'<td class="{kind.name}" style="text-align: {kind.align}">{cell}</td>'
            for kind, cell in zip(kinds, others, strict=True)
        )
        lines.append(f'<tr><th scope="row">{first}</th>{tagged}</tr>')
    return f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def latex(sheet: Sheet, *, limit: int | None = _ROWS, rest: str = _REST) -> str:
    """Return the tables of a sheet as LaTeX, for the package booktabs."""
    parts = [f"% {line}" for line in (printable(sheet.title), *map(str, sheet.signatures)) if line]
    parts += [_tex(finding) for finding in sheet.findings]
    for table in _people(sheet):
        view = table.view(limit)
        aligned = "".join("r" if one.kind.align == "right" else "l" for one in view.columns)
        rows = [" & ".join(_tex(cell) for cell in cells) for cells in view.cells]
        lines = [
            rf"\begin{{tabular}}{{{aligned}}}",
            r"\toprule",
            " & ".join(map(_tex, view.headings)) + r" \\",
            r"\midrule",
            *(f"{row} \\\\" for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
        ]
        if table.title:
            lines.insert(0, rf"\textbf{{{_tex(table.title)}}}\\")
        if view.n_more:
            lines.append(f"% {view.more(rest)}")
        parts.append("\n".join(lines))
        parts += [_tex(sentence) for sentence in view.sentences]
    parts += [rf"{_tex(fact.column.heading)}: {_tex(fact.text)}\\" for fact in sheet.facts]
    parts += [rf"{_tex(printable(note))}\\" for note in sheet.notes]
    return "\n\n".join(parts)


def _tex(cell: str) -> str:
    return cell.translate(_TEX)


def csv_records(sheet: Sheet) -> tuple[list[str], Iterator[list[Any]]]:
    """Return the headings and the rows of all tables for programs, one below the other."""
    tables = [table for table in sheet.tables if table.programs]
    names: dict[str, None] = {}
    for table in tables:
        for column in table.columns:
            names.update(dict.fromkeys(column.kind.parts or (column.name,)))
    scoped = len(tables) > 1
    headings = [*(["scope"] if scoped else []), *names]

    def rows() -> Iterator[list[Any]]:
        for table in tables:
            lead = [table.name] if scoped else []
            if [column.name for column in table.columns] != list(names):
                for row in table.rows:
                    plain = _plain(table.columns, row)
                    yield [*lead, *(plain.get(name) for name in names)]
                continue
            # The usual case, and the one that must be quick: every column is in its place.
            written = [column.kind.plain for column in table.columns]
            for row in table.rows:
                yield [
                    *lead,
                    *[
                        None if value is None else value if plain is as_it_is else plain(value)
                        for plain, value in zip(written, row, strict=True)
                    ],
                ]

    return headings, rows()


def _plain(columns: tuple[Column, ...], row: Row) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for column, value in zip(columns, row, strict=True):
        if column.kind.parts:
            plain.update(zip(column.kind.parts, column.kind.plain(value), strict=True))
        else:
            plain[column.name] = None if value is None else column.kind.plain(value)
    return plain


def csv_text(sheet: Sheet) -> str:
    """Return all tables of a sheet as one CSV table."""
    headings, rows = csv_records(sheet)
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(map(without_formula, row) for row in rows)
    return file.getvalue()


class _HasSheet(Protocol):
    def sheet(self, *, title: str = "") -> Sheet: ...


class Sheeted(InMarkdown):
    """A result with a sheet: its Markdown, HTML and CSV are renderings of that one view."""

    __slots__ = ()

    def to_markdown(self: _HasSheet) -> str:
        """Return the tables, reasons, facts, notes and signatures as Markdown."""
        return markdown(self.sheet())

    def to_csv(self: _HasSheet) -> str:
        """Return all tables as CSV, one below the other, with full precision."""
        return csv_text(self.sheet())

    def _repr_html_(self: _HasSheet) -> str:
        return html(self.sheet())
