r"""A report as LaTeX, to be included in a paper with ``\input``."""

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
    without_isolates,
)
from unisono.results.tex import tex_row, tex_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.results.blocks import Block, Cell, Section

# User texts contain no private characters: they are escaped like control characters.
_CITE, _CITED = "\ue000", "\ue001"
_HEADINGS = ("section", "subsection", "subsubsection")


def cite(key: str) -> str:
    r"""Return a placeholder for a citation, which becomes ``\cite`` in a sentence."""
    return f"{_CITE}{key}{_CITED}"


def tex_sentence(text: str) -> str:
    r"""Return a text with names and citations for LaTeX."""
    return tex_text(without_isolates(text)).replace(_CITE, r"\cite{").replace(_CITED, "}")


def tex_page(
    title: str, about: str, sections: Sequence[Section], *, footer: str, entries: str
) -> str:
    r"""Return sections as LaTeX without a preamble; BibTeX entries follow after ``\endinput``."""
    comment = [
        f"% {_comment(title)}",
        f"% {_comment(about)}",
        "% Include this file with \\input. TeX stops before the BibTeX entries at the end.",
        "% Compile with LuaLaTeX or XeLaTeX if names contain characters other than Latin letters.",
        f"% {_comment(footer)}",
    ]
    parts = ["\n".join(line for line in comment if line != "% ")]
    for section in sections:
        parts += _section(section, 0)
    return "\n\n".join([*(part for part in parts if part), "\\endinput", entries]).rstrip() + "\n"


def _section(section: Section, level: int) -> list[str]:
    name = _HEADINGS[min(level, len(_HEADINGS) - 1)]
    parts = [rf"\{name}{{{tex_sentence(section.title)}}}"]
    parts += [text for block in section.blocks if (text := _block(block))]
    for part in section.sections:
        parts += _section(part, level + 1)
    return parts


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return tex_sentence(block.text)
    if isinstance(block, Bullets | Facts):
        items = (
            block.items
            if isinstance(block, Bullets)
            else [f"{name}: {fact}" for name, fact in block.pairs]
        )
        lines = "\n".join(rf"  \item {{}}{tex_sentence(item)}" for item in items)
        return f"\\begin{{itemize}}\n{lines}\n\\end{{itemize}}"
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Code):
        # BibTeX entries follow after \endinput; signatures may be broken after each bar.
        if block.name == "BibTeX":
            return ""
        bar = r"\textbar{}"
        broken = [
            tex_sentence(line).replace(bar, bar + r"\allowbreak{}")
            for line in block.text.split("\n")
        ]
        return "\n\n".join(rf"{{\small\ttfamily {line}\par}}" for line in broken)
    return ""


def _table(block: Table) -> str:
    columns = "".join("l" if place in block.words else "r" for place in range(len(block.headings)))
    lines = [tex_row([tex_sentence(heading) for heading in block.headings]) + r" \hline"]
    lines += [tex_row([_cell(cell) for cell in row]) for row in block.rows]
    body = "\n".join(f"    {line}" for line in lines)
    rest = f"\n  \\\\ {tex_sentence(block.rest)}" if block.rest else ""
    return (
        f"\\begin{{table}}\n  \\caption{{{tex_sentence(block.caption)}}}\n  \\centering\n"
        f"  \\begin{{tabular}}{{{columns}}}\n{body}\n  \\end{{tabular}}{rest}\n\\end{{table}}"
    )


def _cell(cell: Cell) -> str:
    if isinstance(cell, Name):
        return cell.latex
    if isinstance(cell, Excerpt):
        return tex_sentence(f"{cell.before}⟦{cell.marked}⟧{cell.after}")
    return tex_sentence(cell)


def _comment(text: str) -> str:
    return " ".join(without_isolates(text).split())
