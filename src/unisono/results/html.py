"""Self-contained HTML pages: reports and results, with their style sheet."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from unisono.results.blocks import (
    FIRST,
    LAST,
    Bullets,
    Code,
    Excerpt,
    Facts,
    Figure,
    Name,
    Paragraph,
    Table,
)
from unisono.results.render import html_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.results.blocks import Block, Cell, Section


STYLE = """\
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --wash: #f6f8fa;
  --link: #0550ae; --mark: #fff3bf; --mark-ink: #1b1f24; --edge: #0072b2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181d; --ink: #e6edf3; --soft: #9da7b1; --line: #3d444d; --wash: #1d232a;
    --link: #7cc0ff; --mark: #5c4a00; --mark-ink: #fff8db; --edge: #56b4e9;
  }
  .reproduced { color: #4db6ac; } .differs { color: #fb923c; }
}
* { box-sizing: border-box; }
html { scroll-behavior: auto; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
}
header, nav, main, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2rem; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.35rem; line-height: 1.25; margin: 2.6rem 0 .8rem; padding-top: .6rem;
  border-top: 1px solid var(--line); }
h3 { font-size: 1.08rem; margin: 1.8rem 0 .5rem; }
p { margin: .6rem 0; overflow-wrap: anywhere; }
a { color: var(--link); }
a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--edge); outline-offset: 2px; }
.skip { position: absolute; left: -999px; }
.skip:focus { position: static; display: inline-block; padding: .5rem; }
.about, .note, figcaption, .rest { color: var(--soft); font-size: .9em; }
.lead { font-size: 1.2rem; line-height: 1.45; border-left: 4px solid var(--edge);
  padding: .1rem 0 .1rem .9rem; margin: .8rem 0 1.1rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; padding: 0;
  margin: 1rem 0 0; }
ul { padding-left: 1.2rem; } li { margin: .3rem 0; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: .8rem 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
dl.values { display: flex; flex-wrap: wrap; gap: .6rem; }
dl.values div { border: 1px solid var(--line); border-radius: 6px; background: var(--wash);
  padding: .4rem .8rem; min-width: 6rem; }
dl.values dt { font-size: .85rem; }
dl.values dd { font-size: 1.35rem; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .92rem; min-width: 50%; }
caption { text-align: left; font-weight: 600; padding: .2rem 0 .4rem; overflow-wrap: anywhere; }
th, td { text-align: left; vertical-align: top; padding: .28rem .7rem .28rem 0;
  border-bottom: 1px solid var(--line); }
thead th { border-bottom: 2px solid var(--soft); vertical-align: bottom; }
tbody th { font-weight: 400; max-width: 22rem; overflow-wrap: anywhere; }
td.words { max-width: 30rem; overflow-wrap: anywhere; min-width: 5rem; }
td.text { min-width: 16rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.reproduced { color: #00796b; } .differs { color: #c2410c; } .unknown { color: var(--soft); }
mark { background: var(--mark); color: var(--mark-ink); border-radius: 2px; padding: 0 .1em; }
.around { color: var(--soft); }
pre { background: var(--wash); border: 1px solid var(--line); border-radius: 6px; padding: .8rem;
  font: .82rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap;
  overflow-wrap: anywhere; }
p code { font: .82rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
figure { margin: 1.4rem 0; break-inside: avoid; }
figure .plate { border: 1px solid var(--line); border-radius: 6px; padding: .6rem;
  width: fit-content; max-width: 100%; box-sizing: border-box; }
figure svg { display: block; height: auto; max-width: 100%; }
figure svg text { font-family: Arial, "Liberation Sans", Helvetica, "DejaVu Sans Condensed",
  sans-serif; }
figcaption { margin-top: .4rem; }
footer { margin-top: 3rem; padding-top: 1rem; padding-bottom: 3rem; color: var(--soft);
  font-size: .9rem; border-top: 1px solid var(--line); }
@media (max-width: 40rem) {
  h1 { font-size: 1.45rem; } header { padding-top: 1.2rem; }
  header, nav, main, footer { padding-left: .9rem; padding-right: .9rem; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .4rem; }
  figure .plate { padding: .2rem; } td.words { min-width: 0; }
  td.text { min-width: 8rem; } th, td { padding-right: .5rem; }
}
@media print {
  :root { --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --wash: #fff; --link: #000;
    --mark: #eee; --mark-ink: #000; --edge: #000; }
  body { font-size: 10pt; } nav, .skip { display: none; }
  header, main, footer { max-width: none; padding: 0; }
  h2, h3, caption { break-after: avoid; } tr { break-inside: avoid; }
  .scroll { overflow: visible; } thead { display: table-header-group; }
  table { font-size: 8.5pt; } pre { font-size: 7.5pt; } .lead { font-size: 12pt; }
  figure .plate { border: 0; padding: 0; }
  mark { text-decoration: underline; font-weight: 600; }
}
@page { margin: 18mm 16mm; }
"""
# The page has no scripts and loads nothing: style and images are inline.
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
# The number of characters that fit on the narrowest screens.
_NARROW = 36
# Spaces at which a line must not end.
_UNBROKEN = {" %": "&nbsp;%", " = ": "&nbsp;=&nbsp;"}


def html_page(
    title: str, about: str, sections: Sequence[Section], *, description: str, footer: str
) -> str:
    """Return sections as one HTML page."""
    links = "\n".join(
        f'<li><a href="#{section.key}">{escape(section.title)}</a></li>' for section in sections
    )
    return html_frame(
        title,
        "\n".join(_section(section, 2) for section in sections),
        about=about,
        description=description,
        contents=f'<nav aria-label="Contents">\n<ul>\n{links}\n</ul>\n</nav>\n',
        footer=f"<footer>\n<p>{inline(footer)}</p>\n</footer>\n",
    )


def html_frame(
    title: str,
    content: str,
    *,
    about: str = "",
    description: str = "",
    contents: str = "",
    footer: str = "",
) -> str:
    """Return HTML as a complete page without scripts, which loads nothing."""
    lead = f'<p class="about">{inline(about)}</p>\n' if about else ""
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{escape(description or title)}">
<meta name="referrer" content="no-referrer">
<title>{escape(title)}</title>
<style>
{STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<h1><bdi>{escape(title)}</bdi></h1>
{lead}</header>
{contents}<main id="content">
{content}
</main>
{footer}</body>
</html>
"""


def inline(text: str) -> str:
    """Return a sentence as HTML, with its names isolated in direction."""
    html = escape(text)
    for plain, unbroken in _UNBROKEN.items():
        html = html.replace(plain, unbroken)
    return html.replace(FIRST, "<bdi>").replace(LAST, "</bdi>")


def _section(section: Section, level: int) -> str:
    heading = f"<h{level}>{escape(section.title)}</h{level}>"
    blocks = [_block(block, first=section.key == "summary") for block in section.blocks]
    inner = [_section(part, level + 1) for part in section.sections]
    content = "\n".join([heading, *blocks, *inner])
    return f'<section id="{section.key}">\n{content}\n</section>'


def _block(block: Block, *, first: bool) -> str:
    if isinstance(block, Paragraph):
        attribute = "" if block.tone == "plain" else f' class="{block.tone}"'
        return f"<p{attribute}>{inline(block.text)}</p>"
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
    return html_figure(block)


def _facts(block: Facts, *, first: bool) -> str:
    pairs = "\n".join(
        f"<div><dt>{escape(name)}</dt><dd>{inline(fact)}</dd></div>"
        if first
        else f"<dt>{escape(name)}</dt><dd>{inline(fact)}</dd>"
        for name, fact in block.pairs
    )
    attribute = ' class="values"' if first else ""
    return f"<dl{attribute}>\n{pairs}\n</dl>"


def _table(block: Table) -> str:
    headings = "".join(
        f'<th scope="col"{_class_attribute(block, place)}>{escape(heading)}</th>'
        for place, heading in enumerate(block.headings)
    )
    rows = "\n".join(_row(block, row) for row in block.rows)
    rest = f'\n<p class="rest">{inline(block.rest)}</p>' if block.rest else ""
    # Wide tables scroll, so they must be reachable with the keyboard.
    has_text = any(isinstance(cell, Excerpt) for row in block.rows for cell in row)
    columns = zip(block.headings, *block.rows, strict=True)
    width = sum(3 + max(map(_length, column)) for column in columns)
    focus = ' tabindex="0"' if has_text or width > _NARROW else ""
    return (
        f'<div class="scroll" role="group" aria-label="{escape(block.caption)}"{focus}>\n'
        f"<table>\n<caption><bdi>{escape(block.caption)}</bdi></caption>\n"
        f"<thead><tr>{headings}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>\n</div>{rest}"
    )


def _row(block: Table, row: tuple[Cell, ...]) -> str:
    first, *others = row
    name = f'<th scope="row"{_class_attribute(block, 0)}>{_cell(first, name=True)}</th>'
    cells = "".join(
        f"<td{_class_attribute(block, place, cell)}>{_cell(cell, name=place in block.words)}</td>"
        for place, cell in enumerate(others, start=1)
    )
    return f"<tr>{name}{cells}</tr>"


def _class_attribute(block: Table, place: int, cell: Cell = "") -> str:
    if isinstance(cell, Excerpt):
        return ' class="words text"'
    return ' class="words"' if place in block.words else ' class="number"'


def _length(cell: Cell) -> int:
    return len(cell.text) if isinstance(cell, Name) else sum(map(len, cell))


def _cell(cell: Cell, *, name: bool) -> str:
    if isinstance(cell, Name):
        return html_name(cell.parts)
    if isinstance(cell, Excerpt):
        before, marked, after = map(escape, cell)
        return (
            f'<span dir="auto"><span class="around">{before}</span><mark>{marked}</mark>'
            f'<span class="around">{after}</span></span>'
        )
    return f"<bdi>{escape(cell)}</bdi>" if name else escape(cell)


def html_figure(block: Figure) -> str:
    """Return a figure with its description."""
    return (
        f'<figure>\n<div class="plate">{block.svg}</div>\n'
        f"<figcaption>{inline(block.description)}</figcaption>\n</figure>"
    )
