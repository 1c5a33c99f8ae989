"""A sheet as Markdown, HTML, LaTeX, CSV and plain text."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from html import escape
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TextIO

from unisono.errors import SettingError, check_choice
from unisono.results.blocks import markdown_code, markdown_table, markdown_text, pad_table
from unisono.results.record import json_pieces
from unisono.results.sheet import as_it_is, symbol_parts
from unisono.results.tex import tex_row, tex_text
from unisono.results.wording import printable, without_formula

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unisono.results.sheet import Column, Kind, NamePart, Row, Sheet, Table, View

__all__ = [
    "Sheeted",
    "csv_records",
    "csv_text",
    "frame",
    "html",
    "html_name",
    "latex",
    "markdown",
    "text",
]

# The nullable types of pandas, where the types of NumPy have no missing values.
_PANDAS = {"number": "float64", "count": "Int64", "flag": "boolean", "text": "string"}
_REST = "to_csv() and to_dict() contain all"
_ROWS = 20


def _people(sheet: Sheet) -> list[Table]:
    return [table for table in sheet.tables if table.people]


def _words(view: View) -> set[int]:
    return {at for at, one in enumerate(view.columns) if one.kind.align == "left"}


def markdown(sheet: Sheet, *, limit: int | None = _ROWS, rest: str = _REST) -> str:
    """Return a sheet as Markdown."""
    parts = [f"### {markdown_text(printable(sheet.title))}"] if sheet.title else []
    parts += [markdown_text(finding) for finding in sheet.findings]
    listed: list[str] = []
    for table in _people(sheet):
        view = table.view(limit)
        if table.title:
            parts.append(f"**{markdown_text(table.title)}**")
        parts.append(markdown_table(view.headings, view.cells, _words(view)))
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
    lines = [*sheet.findings]
    for table in _people(sheet)[:1]:
        view = table.view(limit)
        lines += [
            "  ".join(line).rstrip() for line in pad_table(view.headings, view.cells, _words(view))
        ]
        lines += view.sentences
    return "\n".join(lines)


def html(sheet: Sheet, *, limit: int | None = _ROWS, rest: str = _REST) -> str:
    """Return a sheet as HTML without scripts, element ids or external resources."""
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
    # Wide tables scroll, so they must be reachable with the keyboard.
    name = escape(table.title or table.name)
    opening = f'<div class="scroll" role="group" aria-label="{name}" tabindex="0"'
    opening += ' style="overflow-x: auto">'
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    heads = "".join(
        f'<th scope="col" style="text-align: {one.kind.align}">{_html_heading(one, text)}</th>'
        for one, text in zip(view.columns, view.headings, strict=True)
    )
    kinds = [column.kind for column in view.columns]
    lines = []
    for row, texts in zip(view.values, view.cells, strict=True):
        first, *others = map(_html_cell, kinds, row, texts)
        tagged = "".join(
            f'<td class="{kind.name}" style="text-align: {kind.align}">{cell}</td>'
            for kind, cell in zip(kinds[1:], others, strict=True)
        )
        lines.append(f'<tr><th scope="row">{first}</th>{tagged}</tr>')
    inner = f"{caption}<thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody>"
    return f"{opening}<table>{inner}</table></div>"


def _html_cell(kind: Kind, value: Any, text: str) -> str:  # noqa: ANN401 - any value of a cell
    if kind.name_parts is not None:
        return html_name(kind.name_parts(value))
    # Texts may be written from right to left, unlike numbers.
    return f"<bdi>{escape(text)}</bdi>" if kind.align == "left" else escape(_padded(text))


def _padded(text: str) -> str:
    """Return a text whose trailing spaces are as wide as digits and are not removed."""
    bare = text.rstrip(" ")
    return bare + (len(text) - len(bare)) * "\N{FIGURE SPACE}"


def _html_heading(column: Column, text: str) -> str:
    return escape(text) if column.measure is None else html_name(symbol_parts(column.name))


_TAGS = {"": "{}", "low": "<sub>{}</sub>", "name": "<bdi>{}</bdi>"}


def html_name(parts: Iterable[NamePart]) -> str:
    """Return the name of a measure as HTML."""
    return "".join(_TAGS[part.style].format(escape(part.text)) for part in parts)


def latex(sheet: Sheet, *, limit: int | None = _ROWS, rest: str = _REST) -> str:
    """Return a sheet as LaTeX; its tables need the package booktabs."""
    about = (printable(sheet.title), *(printable(str(one)) for one in sheet.signatures))
    parts = ["\n".join(f"% {line}" for line in about if line)]
    parts += [tex_text(printable(finding)) for finding in sheet.findings]
    for table in _people(sheet):
        view = table.view(limit)
        parts.append(_latex_table(table, view))
        if view.n_more:
            parts.append(f"% {view.more(rest)}")
        parts += [tex_text(sentence) for sentence in view.sentences]
    parts += [f"{tex_text(fact.column.heading)}: {tex_text(fact.text)}" for fact in sheet.facts]
    parts += [tex_text(printable(note)) for note in sheet.notes]
    return "\n\n".join(part for part in parts if part)


def _latex_table(table: Table, view: View) -> str:
    aligned = "".join("r" if one.kind.align == "right" else "l" for one in view.columns)
    headings = [
        tex_text(text) if column.measure is None else column.measure.latex
        for column, text in zip(view.columns, view.headings, strict=True)
    ]
    rows = [
        [
            _latex_cell(column.kind, value, text)
            for column, value, text in zip(view.columns, row, cells, strict=True)
        ]
        for row, cells in zip(view.values, view.cells, strict=True)
    ]
    title = [rf"\textbf{{{tex_text(printable(table.title))}}}\\"] if table.title else []
    lines = [
        *title,
        rf"\begin{{tabular}}{{{aligned}}}",
        r"\toprule",
        tex_row(headings),
        r"\midrule",
        *map(tex_row, rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines)


def _latex_cell(kind: Kind, value: Any, text: str) -> str:  # noqa: ANN401 - any value of a cell
    if kind.latex is not None:
        return kind.latex(value)
    # In numbers, a hyphen is a minus sign.
    bare = text.rstrip(" ")
    padding = r"\phantom{0}" * (len(text) - len(bare))
    return tex_text(bare if kind.align == "left" else bare.replace("-", "−")) + padding


def csv_records(sheet: Sheet) -> tuple[list[str], Iterator[list[Any]]]:
    """Return the headings and the rows of all tables for programs, concatenated."""
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
            # A fast path for the common case, in which the table has all columns in order.
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
    """Return all tables of a sheet as CSV, concatenated."""
    headings, rows = csv_records(sheet)
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(map(without_formula, row) for row in rows)
    return file.getvalue()


def frame(sheet: Sheet, table: str | None = None, *, library: str = "pandas") -> Any:  # noqa: ANN401
    """Return one table of a sheet, or all tables concatenated, as a data frame."""
    import narwhals as nw  # noqa: PLC0415 - slow to import

    if find_spec(library) is None:
        msg = f"library={library!r} is not installed; install it, or choose another library"
        raise SettingError(msg)
    found = [each for each in sheet.tables if each.programs]
    if table is not None:
        names = [each.name for each in found]
        check_choice("table", table, names)
        found = [each for each in found if each.name == table]
    kinds: dict[str, str] = {"scope": "text"} if len(found) > 1 else {}
    for column in (column for each in found for column in each.columns):
        kinds.update(dict.fromkeys(column.kind.parts or (column.name,), column.kind.dtype))
    headings, rows = csv_records(replace(sheet, tables=tuple(found)))
    values = list(zip(*rows, strict=True)) or [()] * len(headings)
    columns = {
        name: [_for_frame(value, kinds[name]) for value in of]
        for name, of in zip(headings, values, strict=True)
    }
    types: dict[str, Any] = {
        "number": nw.Float64,
        "count": nw.Int64,
        "flag": nw.Boolean,
        "text": nw.String,
    }
    made: Any = nw.from_dict(
        columns,
        # Narwhals does not have the nullable types of pandas, which are set below.
        None if library == "pandas" else {name: types[kinds[name]] for name in columns},
        backend=library,  # type: ignore[arg-type]
    ).to_native()
    return (
        made.astype({name: _PANDAS[kinds[name]] for name in columns})
        if library == "pandas"
        else made
    )


def _for_frame(value: Any, kind: str) -> Any:  # noqa: ANN401 - the value of a cell
    if value is None or kind in ("number", "count"):
        return value
    if kind == "flag":
        return value == "true"
    return str(value)


# Imported by name, because charts depend on results, and only when a notebook displays a result.
_CHARTS = "unisono.charts.chart"
# A notebook has no style sheet of ours: names and texts of facts share a line.
_NOTEBOOK_TAGS = {
    "<dl>": '<dl style="display: grid; grid-template-columns: max-content 1fr; gap: 0 1em">',
    "<dd>": '<dd style="margin: 0">',
}


class Sheeted:
    """A result with a sheet, and the renderings of that sheet."""

    __slots__ = ()

    if TYPE_CHECKING:  # defined by each class

        def sheet(self, *, title: str = "") -> Sheet:
            """Return the sheet of the result."""

        def to_dict(self) -> dict[str, Any]:
            """Return everything as plain data."""

    def problems(self) -> list[str]:
        """Return sentences on problems that a script must detect; by default none."""
        return []

    def __str__(self) -> str:
        return text(self.sheet())

    def to_json(self, *, indent: int | None = None) -> str:
        """Return everything as JSON, with control characters escaped."""
        return "".join(json_pieces(self, indent=indent))

    def write_json(self, file: TextIO, *, indent: int | None = None) -> None:
        """Write everything as JSON to an open file, document by document."""
        file.writelines(json_pieces(self, indent=indent))

    def to_markdown(self) -> str:
        """Return the tables, reasons, facts, notes and signatures as Markdown."""
        return markdown(self.sheet())

    def to_csv(self) -> str:
        """Return all tables as CSV, concatenated, with full precision."""
        return csv_text(self.sheet())

    def to_frame(self, table: str | None = None, *, library: str = "pandas") -> Any:  # noqa: ANN401
        """Return one table, or all tables concatenated as in CSV, as a data frame.

        Parameters
        ----------
        table
            The name of a table, such as ``"document"``; by default all tables, with their names in
            the column ``scope``.
        library
            ``"pandas"``, ``"polars"``, ``"pyarrow"`` or another library that narwhals supports.

        Raises
        ------
        SettingError
            If the table is unknown, or the library is not installed.
        """
        return frame(self.sheet(), table, library=library)

    def _repr_html_(self) -> str:
        page = html(self.sheet())
        for tag, styled in _NOTEBOOK_TAGS.items():
            page = page.replace(tag, styled)
        drawn: str | None = import_module(_CHARTS).notebook_picture(self)
        return page if drawn is None else f"{drawn}\n{page}"

    def _repr_markdown_(self) -> str:
        return self.to_markdown()
