"""A report as one HTML file: nothing is loaded from elsewhere, and there is no script."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from unisono.results.page_style import STYLE
from unisono.results.sheet import (
    FIRST,
    LAST,
    Bullets,
    Code,
    Excerpt,
    Facts,
    Figure,
    Paragraph,
    Table,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.results.sheet import Block, Cell, Section


# No script, no request: style and pictures stand in the page.
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
_WIDE = 5
# A number stays on the line of its sign.
_APART = re.compile(r"(\d|[γκ=]|γcat|γk) (?=[%=]|−?\d+\.)")


def html_page(
    title: str, about: str, sections: Sequence[Section], *, description: str, footer: str
) -> str:
    """Write sections as one page.

    Parameters
    ----------
    title
        The heading of the page.
    about
        A line below it.
    sections
        What to write.
    description
        One sentence for those who list pages.
    footer
        The last line.

    Examples
    --------
    >>> from unisono.results.sheet import Paragraph, Section
    >>> from unisono.results.html import html_page
    >>> sections = [Section("Summary", "summary", (Paragraph("<All> is well."),))]
    >>> page = html_page("Talk", "", sections, description="", footer="")
    >>> "<p>&lt;All&gt; is well.</p>" in page
    True
    """
    links = "\n".join(
        f'<li><a href="#{section.key}">{escape(section.title)}</a></li>' for section in sections
    )
    body = "\n".join(_section(section, 2) for section in sections)
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{escape(description)}">
<meta name="referrer" content="no-referrer">
<title>{escape(title)}</title>
<style>
{STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<h1><bdi>{escape(title)}</bdi></h1>
<p class="about">{inline(about)}</p>
</header>
<nav aria-label="Contents">
<ul>
{links}
</ul>
</nav>
<main id="content">
{body}
</main>
<footer>
<p>{inline(footer)}</p>
</footer>
</body>
</html>
"""


def inline(text: str) -> str:
    """Write a sentence, in which names have a direction of their own.

    Examples
    --------
    >>> from unisono.results.sheet import quoted
    >>> from unisono.results.html import inline
    >>> inline(quoted("<b>"))
    '“<bdi>&lt;b&gt;</bdi>”'
    """
    joined = _APART.sub("\\1&nbsp;", escape(text))
    return joined.replace(FIRST, "<bdi>").replace(LAST, "</bdi>")


def _section(section: Section, level: int) -> str:
    heading = f"<h{level}>{escape(section.title)}</h{level}>"
    blocks = [_block(block, first=section.key == "summary") for block in section.blocks]
    inner = [_section(part, level + 1) for part in section.sections]
    content = "\n".join([heading, *blocks, *inner])
    return f'<section id="{section.key}">\n{content}\n</section>'


def _block(block: Block, *, first: bool) -> str:
    if isinstance(block, Paragraph):
        look = "" if block.tone == "plain" else f' class="{block.tone}"'
        return f"<p{look}>{inline(block.text)}</p>"
    if isinstance(block, Bullets):
        items = "\n".join(f"<li>{inline(item)}</li>" for item in block.items)
        return f"<ul>\n{items}\n</ul>"
    if isinstance(block, Facts):
        return _facts(block, first=first)
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Code):
        name, text = escape(block.name), escape(block.text)
        return f'<pre role="group" aria-label="{name}"><code>{text}</code></pre>'
    return _figure(block)


def _facts(block: Facts, *, first: bool) -> str:
    pairs = "\n".join(
        f"<div><dt>{escape(name)}</dt><dd>{inline(fact)}</dd></div>"
        if first
        else f"<dt>{escape(name)}</dt><dd>{inline(fact)}</dd>"
        for name, fact in block.pairs
    )
    look = ' class="values"' if first else ""
    return f"<dl{look}>\n{pairs}\n</dl>"


def _table(block: Table) -> str:
    headings = "".join(
        f'<th scope="col"{_look(block, place)}>{escape(heading)}</th>'
        for place, heading in enumerate(block.headings)
    )
    rows = "\n".join(_row(block, row) for row in block.rows)
    rest = f'\n<p class="rest">{inline(block.rest)}</p>' if block.rest else ""
    # Wide tables scroll by themselves, and then the keyboard must reach them.
    has_text = any(isinstance(cell, Excerpt) for row in block.rows for cell in row)
    reach = ' tabindex="0"' if has_text or len(block.headings) >= _WIDE else ""
    return (
        f'<div class="scroll" role="group" aria-label="{escape(block.caption)}"{reach}>\n'
        f"<table>\n<caption><bdi>{escape(block.caption)}</bdi></caption>\n"
        f"<thead><tr>{headings}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>\n</div>{rest}"
    )


def _row(block: Table, row: tuple[Cell, ...]) -> str:
    first, *others = row
    name = f'<th scope="row"{_look(block, 0)}>{_cell(first, name=True)}</th>'
    cells = "".join(
        f"<td{_look(block, place, cell)}>{_cell(cell, name=place in block.words)}</td>"
        for place, cell in enumerate(others, start=1)
    )
    return f"<tr>{name}{cells}</tr>"


def _look(block: Table, place: int, cell: Cell = "") -> str:
    if isinstance(cell, Excerpt):
        return ' class="words text"'
    return ' class="words"' if place in block.words else ' class="number"'


def _cell(cell: Cell, *, name: bool) -> str:
    if isinstance(cell, Excerpt):
        before, marked, after = map(escape, cell)
        return (
            f'<span dir="auto"><span class="around">{before}</span><mark>{marked}</mark>'
            f'<span class="around">{after}</span></span>'
        )
    return f"<bdi>{escape(cell)}</bdi>" if name else escape(cell)


def _figure(block: Figure) -> str:
    return (
        f'<figure>\n<div class="plate">{block.svg}</div>\n'
        f"<figcaption>{inline(block.description)}</figcaption>\n</figure>"
    )
