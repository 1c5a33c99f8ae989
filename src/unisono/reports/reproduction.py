"""What papers claim and what we get, as one HTML page: no script, nothing loaded from elsewhere."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from unisono import charts
from unisono.errors import UnisonoError
from unisono.reports.sections import NO_CHARTS
from unisono.simulation.error_curves import shown_name

if TYPE_CHECKING:
    from unisono.simulation.error_curves import Scan
    from unisono.simulation.reproduction.claims import Claim, Reproduction

__all__ = ["page"]

_PAPERS = {
    "2015": (
        "Mathet, Widlöcher & Métivier (2015), The unified and holistic method gamma (γ) for "
        "inter-annotator agreement measure and alignment. Computational Linguistics 41(3)"
    ),
    "2017": (
        "Mathet (2017), The agreement measure γcat, a complement to γ focused on categorization of "
        "a continuum. Computational Linguistics 43(3)"
    ),
    "Komen 2009": "Komen (2009), on κ where the set of categories is open",
    "Passonneau 2006": (
        "Passonneau (2006), Measuring agreement on set-valued items (MASI) for semantic and "
        "pragmatic annotation. LREC 2006"
    ),
}
_RULES = (
    "Printed numbers are compared within their rounding. Of curves the shape is compared, heights "
    "within 0.1 and magnitudes within 0.2: the constants and corpora of the authors’ tool are not "
    "public, and nothing is fitted to a figure."
)
_STYLE = """\
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem;
  border-bottom: 1px solid #8885; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.reproduced { color: #00796b; } .differs { color: #c2410c; } .unknown { color: #777; }
figure { margin: 2rem 0; } figcaption, small { color: #777; }
svg { max-width: 100%; height: auto; }
code { overflow-wrap: anywhere; font-size: .85em; }
@media (prefers-color-scheme: dark) { .reproduced { color: #4db6ac; }
  .differs { color: #fb923c; } .unknown, figcaption, small { color: #aaa; } }"""
_CLASSES = {"reproduced": "reproduced", "differs": "differs", "not reproducible": "unknown"}


def page(found: Reproduction) -> str:
    """Write the whole page."""
    counts = ", ".join(f"{number} {verdict}" for verdict, number in found.counts.items())
    size = "few annotation sets (quick)" if found.quick else "40 annotation sets a magnitude"
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>unisono: the papers, computed again</title><style>{_STYLE}</style></head><body>",
        "<h1>The papers, computed again</h1>",
        f"<p><strong>{escape(counts)}.</strong> Curves are means of {size}.</p>",
        f"<p>{_RULES}</p>",
    ]
    pictures, why_none = _pictures(found)
    if why_none:
        parts.append(f"<p>{escape(why_none)}</p>")
    for paper in dict.fromkeys(claim.paper for claim in found.claims):
        parts.append(f"<h2>{escape(_PAPERS.get(paper, paper))}</h2>")
        parts.append(_table([claim for claim in found.claims if claim.paper == paper]))
        parts += [
            _figure(f"{name}: {found.experiments[name].title}", scan, pictures.get(name))
            for name, scan in found.scans.items()
            if found.experiments[name].paper == paper
        ]
    parts += [f"<p><code>{escape(str(found.signature))}</code></p>", "</body></html>"]
    return "\n".join(parts)


def _table(claims: list[Claim]) -> str:
    rows = [
        f"<tr><td>{escape(claim.place)}</td><td>{escape(claim.claim)}</td>"
        f"<td>{escape(claim.ours)}</td>"
        f'<td class="{_CLASSES[claim.verdict]}">{escape(claim.verdict)}</td>'
        f"<td><small>{escape(claim.why)}</small></td></tr>"
        for claim in claims
    ]
    head = "<tr><th>place</th><th>claim</th><th>ours</th><th>verdict</th><th>why</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def _pictures(found: Reproduction) -> tuple[dict[str, str], str]:
    """Draw the curves of each experiment, or say why that cannot be done."""
    if not charts.can_draw():
        return {}, NO_CHARTS
    try:
        return {
            name: charts.chart_svg(
                charts.shuffling_chart(scan, title=f"{name}: {found.experiments[name].title}")
            )
            for name, scan in found.scans.items()
        }, ""
    except UnisonoError as error:
        return {}, f"There are no charts: {error}."


def _figure(title: str, scan: Scan, picture: str | None) -> str:
    headings, cells = scan.table()
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    body = "".join(
        "<tr>" + "".join(f'<td class="number">{escape(cell)}</td>' for cell in row) + "</tr>"
        for row in cells
    )
    left_out = "; ".join(
        f"{shown_name(measure)} left out: {reason}" for measure, reason in scan.left_out.items()
    )
    note = f"<p><small>{escape(left_out)}</small></p>" if left_out else ""
    drawn = f"<strong>{escape(title)}</strong>" if picture is None else picture
    return (
        f"<figure>{drawn}<figcaption><details><summary>numbers</summary>"
        f"<table><tr>{head}</tr>{body}</table>{note}"
        f"<code>{escape(str(scan.signature))}</code></details></figcaption></figure>"
    )
