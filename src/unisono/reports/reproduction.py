"""The reproduction of published results as one self-contained HTML page without scripts."""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from unisono import charts
from unisono.errors import UnisonoError
from unisono.reports.methods import PAPERS
from unisono.reports.sections import NO_CHARTS
from unisono.results.html import html_frame
from unisono.results.wording import decimals
from unisono.simulation.error_curves import shown_name
from unisono.simulation.reproduction.claims import desiderata_of
from unisono.simulation.reproduction.curves import FIGURES
from unisono.simulation.reproduction.experiments import Size

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unisono.simulation.error_curves import Scan
    from unisono.simulation.reproduction.claims import Claim, Reproduction, Verdict

__all__ = ["TITLE", "page"]

TITLE = "Reproduction of published results"
# The keys of the papers in the bibliography.
_PAPERS = {
    "2015": "mathet2015unified",
    "2017": "mathet2017agreement",
    "komen": "komen2009fast",
    "passonneau": "passonneau2006measuring",
}
_RULES = (
    "What each paper states, our set-up and the tolerance were written down before our values were "
    "computed, but for four entries that the documentation names; reasons came afterwards. "
    "A printed number is reproduced within its last digit, a curve within a tenth of the "
    "range unless the paper says more, and an inequality only if it is met. The authors’ shuffling "
    "tool, its constants and the corpora behind the curves were not at hand; no parameter was "
    "fitted to a figure. The authors ask two things of a curve: that it falls from 1 to 0 and not "
    "below, and that it falls strictly; the table under each picture has both."
)
_CLASSES: Mapping[Verdict, str] = {
    "reproduced": "reproduced",
    "differs": "differs",
    "not reproducible": "unknown",
}
_FIXED = "width: 100%; min-width: 44rem; table-layout: fixed"
_WIDTHS = "".join(f"<col style='width: {width}%'>" for width in (38, 11, 17, 34))
_MARKS: Mapping[Verdict, str] = {"reproduced": "✓", "differs": "≠", "not reproducible": "–"}


def page(found: Reproduction) -> str:
    """Return the whole page."""
    counts = ", ".join(f"{number} {verdict}" for verdict, number in found.counts.items())
    size = Size.of(quick=found.quick)
    sets = f"means of {size.repeats} annotation sets per magnitude, or of as many documents"
    parts = [
        f"<p class='lead'><strong>{escape(counts)}.</strong></p>",
        f"<p>{_RULES}</p>",
        f"<p>Curves are {sets}{' (quick)' if found.quick else ''}.</p>",
    ]
    pictures, why_none = _pictures(found)
    if why_none:
        parts.append(f"<p>{escape(why_none)}</p>")
    papers = [(paper, list(of)) for paper, of in groupby(found.claims, lambda each: each.paper)]
    parts.append(_overview(papers))
    shown: set[str] = set()
    for paper, claims in papers:
        parts.append(f"<h2 id='{paper}'>{escape(PAPERS[_PAPERS[paper]].whole)}</h2>")
        for place, of_place in groupby(claims, lambda each: each.place):
            parts.append(_place(place, list(of_place)))
            names = FIGURES[paper, place][0] if (paper, place) in FIGURES else ()
            for name in names:
                if name in found.scans and name not in shown:
                    shown.add(name)
                    parts.append(_figure(name, found, pictures.get(name)))
                elif name in shown:
                    parts.append(f"<p class='note'>The curves of {escape(name)} are above.</p>")
    parts.append(f"<p><code>{escape(str(found.signature))}</code></p>")
    return html_frame(TITLE, "\n".join(parts), description=counts)


def _overview(papers: list[tuple[str, list[Claim]]]) -> str:
    rows = []
    for paper, claims in papers:
        verdicts = [claim.verdict for claim in claims]
        cells = "".join(f"<td class='number'>{verdicts.count(each)}</td>" for each in _MARKS)
        title = escape(PAPERS[_PAPERS[paper]].short)
        rows.append(f"<tr><td><a href='#{paper}'>{title}</a></td>{cells}</tr>")
    head = "".join(f"<th class='number'>{each}</th>" for each in _MARKS)
    return f"<table><thead><tr><th>paper</th>{head}</tr></thead>{''.join(rows)}</table>"


def _place(place: str, claims: list[Claim]) -> str:
    rows = [
        "<tr>"
        f"<td>{escape(claim.claim)}</td>"
        f"<td class='number'>{escape(claim.ours).replace(', ', '<br>')}</td>"
        f"<td class='{_CLASSES[claim.verdict]}'>{_MARKS[claim.verdict]} "
        f"{escape(claim.verdict)}</td>"
        f"<td><small>{escape(claim.margin)}; {escape(claim.why)}</small></td></tr>"
        for claim in claims
    ]
    setups = "; ".join(dict.fromkeys(claim.setup for claim in claims if claim.setup != "–"))
    setup = f"<p class='note'>Our set-up: {escape(setups)}.</p>" if setups else ""
    head = "<tr><th>the paper states</th><th class='number'>ours</th><th>verdict</th>"
    return (
        f"<h3>{escape(place)}</h3>{setup}<div class='scroll'><table style='{_FIXED}'>{_WIDTHS}"
        f"<thead>{head}<th>tolerance and reason</th></tr></thead>{''.join(rows)}</table></div>"
        f"<p class='note'><code>{escape(claims[0].command)}</code></p>"
    )


def _pictures(found: Reproduction) -> tuple[dict[str, str], str]:
    """Return the charts of the experiments, and why there are none if that is so."""
    if not charts.can_draw():
        return {}, NO_CHARTS
    try:
        return {
            name: charts.chart_svg(charts.shuffling_chart(scan, title=_title(name, found)))
            for name, scan in found.scans.items()
        }, ""
    except UnisonoError as error:
        return {}, f"The charts could not be drawn: {error}."


def _title(name: str, found: Reproduction) -> str:
    return f"{name}: {found.experiments[name].title}"


def _figure(name: str, found: Reproduction, picture: str | None) -> str:
    scan, experiment = found.scans[name], found.experiments[name]
    means = scan.sheet().tables[0].view()
    numbers = _table(means.headings, means.cells)
    left_out = "; ".join(
        f"{shown_name(measure)} left out: {reason}"
        for measure, reason in scan.left_out_measures.items()
    )
    note = f"<p><small>{escape(left_out)}</small></p>" if left_out else ""
    drawn = f"<strong>{escape(_title(name, found))}</strong>" if picture is None else picture
    seed = int(found.signature["seed"])
    command = experiment.command(Size.of(quick=found.quick), seed)
    return (
        f"<figure>{drawn}<figcaption>{_desiderata(scan)}"
        f"<p><code>{escape(command)}</code></p><details><summary>numbers</summary>"
        f"{numbers}{note}<code>{escape(str(scan.signature))}</code></details></figcaption></figure>"
    )


def _desiderata(scan: Scan) -> str:
    """Return for each measure where its curve begins and ends, and whether it falls strictly."""
    rows = []
    for curve in scan.curves.values():
        found = desiderata_of(curve)
        numbers = [decimals(each, 2) for each in (found.first, found.last, found.lowest)]
        falls = "yes" if found.largest_rise < 0.0 else f"no, rises by {found.largest_rise:.3f}"
        rows.append([shown_name(curve.measure), *numbers, falls])
    return _table(["curve", "first", "last", "lowest", "strictly falling"], rows)


def _table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    body = "".join(
        "<tr>" + "".join(f"<td class='number'>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<div class='scroll'><table><tr>{head}</tr>{body}</table></div>"
