"""A report as Markdown, for repositories, wikis and notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.results.blocks import (
    Bullets,
    Code,
    Excerpt,
    Facts,
    Name,
    Paragraph,
    Table,
    markdown_code,
    markdown_table,
    markdown_text,
    without_isolates,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.results.blocks import Block, Cell, Section


def markdown_page(title: str, about: str, sections: Sequence[Section], *, footer: str) -> str:
    """Return sections as Markdown."""
    parts = [f"# {_text(title)}", _text(about)]
    for section in sections:
        parts += _section(section, 2)
    return "\n\n".join([*(part for part in parts if part), _text(footer)]) + "\n"


def _section(section: Section, level: int) -> list[str]:
    parts = [f"{'#' * level} {_text(section.title)}"]
    parts += [text for block in section.blocks if (text := _block(block))]
    for part in section.sections:
        parts += _section(part, level + 1)
    return parts


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return f"**{_text(block.text)}**" if block.tone == "lead" else _text(block.text)
    if isinstance(block, Bullets):
        return "\n".join(f"- {_text(item)}" for item in block.items)
    if isinstance(block, Facts):
        return "\n".join(f"- {_text(name)}: {_text(fact)}" for name, fact in block.pairs)
    if isinstance(block, Table):
        cells = [[_cell(cell) for cell in row] for row in block.rows]
        rest = f"\n\n{_text(block.rest)}" if block.rest else ""
        return f"{_text(block.caption)}:\n\n{markdown_table(block.headings, cells)}{rest}"
    if isinstance(block, Code):
        if "\n" not in block.text:
            return markdown_code(block.text)
        fence = "```"
        while fence in block.text:
            fence += "`"
        return f"{fence}\n{block.text}\n{fence}"
    return ""


def _cell(cell: Cell) -> str:
    if isinstance(cell, Name):
        return cell.text
    # The table escapes Markdown, so the marked text is emphasised by brackets.
    return f"{cell.before}⟦{cell.marked}⟧{cell.after}" if isinstance(cell, Excerpt) else cell


def _text(text: str) -> str:
    return markdown_text(without_isolates(text))
