"""Data that are hard to show: labels that look like code, run the other way, or never end."""

from __future__ import annotations

import html5lib

import unisono as un

HOSTILE = (
    "<script>alert('γ')</script>",
    "\"quotes\" & 'more' </td>",
    "👩‍🔬 🏳️‍🌈",
    "שלום עולם",
    "نص عربي (123)",
    "back\\slash_under$dollar%percent#hash{brace}~^",
    "dots.and[brackets]['x']",
    "x" * 300,
    "a | b `code` *star*",
    "[first",
)


def hostile_corpus() -> un.Corpus:
    """Three annotators who disagree on labels that are hard to show, in two documents."""
    rows = []
    for place, label in enumerate(HOSTILE):
        other = HOSTILE[(place + 1) % len(HOSTILE)]
        start = 20.0 * place
        rows.append(("<b>ann</b>", start, start + 9, label))
        rows.append(("بوب", start, start + 8, label if place % 3 else other))
        if place % 4:
            rows.append(("cy & co", start + 1, start + 9, label))
    first = un.Continuum.from_units(rows)
    second = un.Continuum.from_units(rows[:12])
    return un.Corpus.from_continua({"</title><i>doc</i>": first, "second": second})


def parsed(page: str) -> html5lib.HTMLParser:
    """Parse a page as browsers do; fails where they would have to mend it."""
    parser = html5lib.HTMLParser(
        strict=True, tree=html5lib.getTreeBuilder("etree"), namespaceHTMLElements=False
    )
    return parser.parse(page)
