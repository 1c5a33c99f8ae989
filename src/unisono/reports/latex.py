r"""A report as LaTeX, to be included in a paper with ``\input``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from unisono.results.blocks import Bullets, Code, Excerpt, Facts, Paragraph, Table, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.results.blocks import Block, Cell, Section


_MARKS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "γ": r"$\gamma$",
    "α": r"$\alpha$",
    "κ": r"$\kappa$",
    "π": r"$\pi$",
    "δ": r"$\delta$",
    "Σ": r"$\Sigma$",
    "−": r"$-$",
    "×": r"$\times$",
    "⟦": "[",
    "⟧": "]",
}
_NAMES = re.compile(r"γ(cat|k)|(\(k\)|[|c])?uα")
_CITED = re.compile("\ue000([a-z0-9]+)\ue001")
_HEADINGS = ("section", "subsection", "subsubsection")


def cite(key: str) -> str:
    r"""Mark a citation, which `tex_text` turns into ``\cite``."""
    return f"\ue000{key}\ue001"


def tex_text(text: str) -> str:
    r"""Write a text so that TeX prints it as it is; Greek letters become mathematics."""
    kept = _CITED.split(plain(text))
    # Odd places hold the keys of citations.
    return "".join(
        rf"\cite{{{part}}}" if place % 2 else _escaped(part) for place, part in enumerate(kept)
    )


def tex_page(
    title: str, about: str, sections: Sequence[Section], *, footer: str, entries: str
) -> str:
    r"""Write sections as LaTeX without a preamble; entries for BibTeX stand after ``\endinput``."""
    comment = [
        f"% {_comment(title)}",
        f"% {_comment(about)}",
        "% Include it with \\input; the entries for BibTeX stand at the end, where TeX stops.",
        "% Compile with LuaLaTeX or XeLaTeX if names hold other letters than Latin ones.",
        f"% {_comment(footer)}",
    ]
    parts = ["\n".join(line for line in comment if line != "% ")]
    for section in sections:
        parts += _section(section, 0)
    return "\n\n".join([*(part for part in parts if part), "\\endinput", entries]).rstrip() + "\n"


def _section(section: Section, level: int) -> list[str]:
    name = _HEADINGS[min(level, len(_HEADINGS) - 1)]
    parts = [rf"\{name}{{{tex_text(section.title)}}}"]
    parts += [text for block in section.blocks if (text := _block(block))]
    for part in section.sections:
        parts += _section(part, level + 1)
    return parts


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return tex_text(block.text)
    if isinstance(block, Bullets | Facts):
        items = (
            block.items
            if isinstance(block, Bullets)
            else [f"{name}: {fact}" for name, fact in block.pairs]
        )
        lines = "\n".join(rf"  \item {{}}{tex_text(item)}" for item in items)
        return f"\\begin{{itemize}}\n{lines}\n\\end{{itemize}}"
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Code):
        # BibTeX stands after the end; a signature is broken at its bars.
        if block.name == "BibTeX":
            return ""
        bar = r"\textbar{}"
        broken = [
            tex_text(line).replace(bar, bar + r"\allowbreak{}") for line in block.text.split("\n")
        ]
        return "\n\n".join(rf"{{\small\ttfamily {line}\par}}" for line in broken)
    return ""


def _table(block: Table) -> str:
    columns = "".join("l" if place in block.words else "r" for place in range(len(block.headings)))
    lines = [" & ".join(map(tex_text, block.headings)) + r" \\ \hline"]
    # Braces first: a bracket or a star after the end of a row would be taken for an argument.
    lines += [
        "{}" + " & ".join(tex_text(_cell(cell)) for cell in row) + r" \\" for row in block.rows
    ]
    body = "\n".join(f"    {line}" for line in lines)
    rest = f"\n  \\\\ {tex_text(block.rest)}" if block.rest else ""
    return (
        f"\\begin{{table}}\n  \\caption{{{tex_text(block.caption)}}}\n  \\centering\n"
        f"  \\begin{{tabular}}{{{columns}}}\n{body}\n  \\end{{tabular}}{rest}\n\\end{{table}}"
    )


def _cell(cell: Cell) -> str:
    return f"{cell.before}⟦{cell.marked}⟧{cell.after}" if isinstance(cell, Excerpt) else cell


def _escaped(text: str) -> str:
    parts = []
    last = 0
    for found in _NAMES.finditer(text):
        parts.append(_plain_escaped(text[last : found.start()]))
        parts.append(_coefficient(found))
        last = found.end()
    return "".join([*parts, _plain_escaped(text[last:])])


def _coefficient(found: re.Match[str]) -> str:
    if found[1]:
        return rf"$\gamma_{{{found[1]}}}$"
    before = {"|": r"\vert ", None: ""}.get(found[2], found[2])
    return rf"${{}}_{{{before}u}}\alpha$"


def _plain_escaped(text: str) -> str:
    return "".join(_MARKS.get(mark, mark) for mark in text)


def _comment(text: str) -> str:
    return " ".join(plain(text).split())
