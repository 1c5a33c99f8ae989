"""The reproduction of published results as one self-contained HTML page without scripts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from unisono import charts
from unisono.errors import UnisonoError
from unisono.reports.methods import PAPERS
from unisono.reports.sections import NO_CHARTS
from unisono.results.html import html_frame
from unisono.simulation.error_curves import shown_name

if TYPE_CHECKING:
    from unisono.simulation.error_curves import ErrorCurves
    from unisono.simulation.reproduction.claims import Claim, Reproduction

__all__ = ["TITLE", "page"]

TITLE = "Reproduction of published results"
# The keys of the papers in the bibliography.
_PAPERS = {
    "2015": "mathet2015unified",
    "2017": "mathet2017agreement",
    "Komen 2009": "komen2009measuring",
    "Passonneau 2006": "passonneau2006measuring",
}
_RULES = (
    "Printed numbers are compared within their rounding. Curves are compared by shape: values "
    "within 0.1, magnitudes within 0.2. The constants and corpora of the authors’ tool are not "
    "public, and no parameter was fitted to a figure."
)
_CLASSES = {"reproduced": "reproduced", "differs": "differs", "not reproducible": "unknown"}


def page(found: Reproduction) -> str:
    """Return the whole page."""
    counts = ", ".join(f"{number} {verdict}" for verdict, number in found.counts.items())
    size = "few annotation sets (quick)" if found.quick else "40 annotation sets per magnitude"
    parts = [
        f"<p><strong>{escape(counts)}.</strong> Curves are means of {size}.</p>",
        f"<p>{_RULES}</p>",
    ]
    pictures, why_none = _pictures(found)
    if why_none:
        parts.append(f"<p>{escape(why_none)}</p>")
    for paper in dict.fromkeys(claim.paper for claim in found.claims):
        parts.append(f"<h2>{escape(PAPERS[_PAPERS[paper]].whole)}</h2>")
        parts.append(_table([claim for claim in found.claims if claim.paper == paper]))
        parts += [
            _figure(f"{name}: {found.experiments[name].title}", scan, pictures.get(name))
            for name, scan in found.scans.items()
            if found.experiments[name].paper == paper
        ]
    parts.append(f"<p><code>{escape(str(found.signature))}</code></p>")
    return html_frame(TITLE, "\n".join(parts), description=counts)


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
    """Return the charts of the experiments, and why there are none if that is so."""
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
        return {}, f"The charts could not be drawn: {error}."


def _figure(title: str, scan: ErrorCurves, picture: str | None) -> str:
    means = scan.sheet().tables[0].view()
    head = "".join(f"<th>{escape(heading)}</th>" for heading in means.headings)
    body = "".join(
        "<tr>" + "".join(f'<td class="number">{escape(cell)}</td>' for cell in row) + "</tr>"
        for row in means.cells
    )
    left_out = "; ".join(
        f"{shown_name(measure)} left out: {reason}"
        for measure, reason in scan.left_out_measures.items()
    )
    note = f"<p><small>{escape(left_out)}</small></p>" if left_out else ""
    drawn = f"<strong>{escape(title)}</strong>" if picture is None else picture
    return (
        f"<figure>{drawn}<figcaption><details><summary>numbers</summary>"
        f"<table><tr>{head}</tr>{body}</table>{note}"
        f"<code>{escape(str(scan.signature))}</code></details></figcaption></figure>"
    )
