"""Charts of where disorder comes from: its parts, and labels that are confused."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.charts.framing import field, framed, quantity, tooltip
from unisono.charts.matrices import PALE, matrix_body, matrix_width
from unisono.charts.style import AGREE, WARM, between, ink_on, palette, shown
from unisono.errors import DataError
from unisono.measures.gamma.gamma_result import GammaResult
from unisono.results.wording import count, decimals
from unisono.studies.diagnosis_result import Diagnosis
from unisono.studies.label_confusions import LabelPairs, label_pairs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.charts.altair_door import Chart, Rows
    from unisono.studies.diagnosis_result import Parts

__all__ = ["confusion_chart", "parts_chart"]

_PARTS = {"position": "#0072b2", "labels": "#e69f00", "missing units": "#8c8c8c"}
_WIDE = 420
_MOST_ROWS, _MOST_LABELS = 20, 20


def parts_chart(diagnosis: Diagnosis, *, title: str = "Where the disagreement comes from") -> Chart:
    """Draw what position, labels and missing units take away from γ, and whose they are.

    Parameters
    ----------
    diagnosis
        What `diagnose` gave.
    title
        The line above.

    Returns
    -------
    altair.VConcatChart
        Bars for all, each annotator, each label and each document, the longest first. Those of
        annotators, of labels and of documents add up to that of all.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts.disorder import parts_chart
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> chart = parts_chart(un.diagnose(text, draws=30, rng=1))
    >>> [row["part"] for row in chart.to_dict()["datasets"]["all"]]
    ['position', 'labels', 'missing units']
    """
    if not isinstance(diagnosis, Diagnosis):
        msg = f"parts_chart takes a Diagnosis, got {type(diagnosis).__name__}"
        raise TypeError(msg)
    is_defined = not diagnosis.gamma.undefined
    scale = diagnosis.gamma.expected if is_defined else 1.0
    names = palette(diagnosis.by_label).names
    panels: dict[str, list[tuple[str, Parts]]] = {
        "all": [("all", diagnosis.parts)],
        "annotators": [(shown(name), each.parts) for name, each in diagnosis.by_annotator.items()],
        "labels": [(names[label], each.parts) for label, each in diagnosis.by_label.items()],
        "documents": [
            (shown(name), type(each.parts)(*(each.weight * part for part in each.parts)))
            for name, each in diagnosis.documents.items()
        ],
    }
    told = []
    tables, parts = {}, []
    longest = diagnosis.parts.total / scale or 1.0
    for panel, lines in panels.items():
        if not lines or (panel == "documents" and len(lines) == 1):
            continue
        ranked = sorted(
            (line for line in lines if line[1].total > 0.0 or panel == "all"),
            key=lambda line: (-line[1].total, line[0]),
        )
        if len(ranked) < len(lines):
            told.append(f"{len(lines) - len(ranked)} of {len(lines)} {panel} without disorder")
        if not ranked:
            continue
        if len(ranked) > _MOST_ROWS:
            told.append(f"the {_MOST_ROWS} of {len(ranked)} {panel} with the most disorder")
        drawn = ranked[:_MOST_ROWS]
        tables[panel] = [row for name, each in drawn for row in _part_rows(name, each, scale)]
        tables[f"{panel}_totals"] = [
            {"name": name, "end": each.total / scale, "told": decimals(each.total / scale, 3)}
            for name, each in drawn
        ]
        parts.append(_panel(panel, [name for name, _ in drawn], longest, is_defined=is_defined))
    if is_defined:
        told.insert(
            0, f"γ = {decimals(diagnosis.gamma.value, 3)}; the bars of all parts add up to 1 − γ"
        )
    else:
        told.insert(0, f"γ is undefined ({diagnosis.gamma.undefined}); the bars are disorder")
    body = {"vconcat": parts, "resolve": {"scale": {"color": "shared"}}}
    return framed(body, tables, title=title, told=told, width=_WIDE + 120.0)


def confusion_chart(
    pairs: LabelPairs | Diagnosis | GammaResult, *, title: str = "Which labels are confused"
) -> Chart:
    """Draw which labels annotators give to the same unit, weighed as γcat weighs them.

    Parameters
    ----------
    pairs
        What `label_pairs_of` gave, or a result with the alignment that it counts on.
    title
        The line above.

    Returns
    -------
    altair.LayerChart
        A row tells what stands beside a label: of the weight of pairs with that label, how much
        has the label of the column. The diagonal is agreement.

    Raises
    ------
    DataError
        If no two units are aligned.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts.disorder import confusion_chart
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> chart = confusion_chart(un.gamma(text, draws=30, rng=1))
    >>> chart.to_dict()["datasets"]["pairs"][0]["told"]
    '100 %'
    """
    found = _pairs_of(pairs)
    order, told = _most_confused(found)
    if not order:
        msg = "there is nothing to draw: no two annotators share a unit"
        raise DataError(msg)
    names = palette(found.labels).names
    shares = found.shares
    rows = []
    for a in order:
        for b in order:
            share = float(shares[a, b])
            number = int(found.pairs[a, b])
            fill = PALE
            if number and math.isfinite(share):
                fill = between(PALE, AGREE if a == b else WARM, min(1.0, share))
            rows.append(
                {
                    "row": names[found.labels[a]],
                    "column": names[found.labels[b]],
                    "share": share if math.isfinite(share) else None,
                    "told": _percent(share) if number else "",
                    "fill": fill,
                    "ink": ink_on(fill),
                    "more": f"{_percent(share)}, {count(number, 'pair')} of weight "
                    f"{decimals(float(found.weights[a, b]), 2)}",
                }
            )
    told.append(
        "of the pairs with the row's label, how much has the column's; pairs weigh as in γcat"
    )
    totals = [
        {"row": names[found.labels[a]], "told": count(int(found.pairs[a].sum()), "pair")}
        for a in order
    ]
    listed = [names[found.labels[a]] for a in order]
    body = matrix_body("pairs", listed, listed, "label", "beside", beside="totals")
    tables: dict[str, Rows] = {"pairs": rows, "totals": totals}
    return framed(body, tables, title=title, told=told, width=matrix_width(listed))


def _pairs_of(given: object) -> LabelPairs:
    if isinstance(given, LabelPairs):
        return given
    if isinstance(given, Diagnosis):
        return label_pairs_of(given.gamma)
    if isinstance(given, GammaResult):
        return label_pairs_of(given)
    taken = "LabelPairs, a Diagnosis or a GammaResult"
    msg = f"confusion_chart takes {taken}, got {type(given).__name__}"
    raise TypeError(msg)


def _most_confused(found: LabelPairs) -> tuple[list[int], list[str]]:
    """Choose the labels that are drawn, and say which are not."""
    met = np.flatnonzero(found.pairs.sum(axis=1) > 0)
    told = []
    alone = len(found.labels) - len(met)
    if alone:
        told.append(f"{count(alone, 'label')} without a pair left out")
    if len(met) > _MOST_LABELS:
        unlike = found.weights.sum(axis=1) - np.diag(found.weights)
        told.append(f"the {_MOST_LABELS} of {len(met)} labels that are confused most")
        met = np.sort(met[np.argsort(-unlike[met], kind="stable")[:_MOST_LABELS]])
    return met.tolist(), told


def _percent(share: float) -> str:
    if not math.isfinite(share):
        return "–"
    # A little is not nothing, and nearly all is not all.
    if 0.0 < share < 0.005:
        return "< 1 %"
    return "> 99 %" if 0.995 <= share < 1.0 else f"{100.0 * share:.0f} %"


def _part_rows(name: str, parts: Parts, scale: float) -> list[dict[str, Any]]:
    total = parts.total
    rows = []
    begin = 0.0
    for part, value in zip(_PARTS, parts, strict=True):
        size = value / scale
        share = f"{100.0 * value / total:.1f} %" if total > 0.0 else "–"
        rows.append(
            {
                "name": name,
                "part": part,
                "begin": begin,
                "end": begin + size,
                "told": f"{decimals(size)} ({share})",
            }
        )
        begin += size
    return rows


def _panel(panel: str, names: Sequence[str], most: float, *, is_defined: bool) -> dict[str, Any]:
    heading = "taken away from γ" if is_defined else "disorder"
    x = quantity("begin", heading, 0.0, most, axis={"title": None, "tickCount": 6})
    y = field(
        "name",
        sort=None,
        scale={"domain": list(names)},
        axis={
            "title": None,
            "labelLimit": 220,
            "labelOverlap": False,
            "ticks": False,
        },
    )
    bars = {
        "data": {"name": panel},
        "mark": {"type": "bar", "height": 14},
        "encoding": {
            "x": x,
            "x2": {"field": "end"},
            "y": y,
            "color": field(
                "part",
                scale={"domain": list(_PARTS), "range": list(_PARTS.values())},
                legend={"title": heading, "orient": "top"},
            ),
            "tooltip": tooltip(name=panel, part="part", told=heading),
        },
    }
    totals = {
        "data": {"name": f"{panel}_totals"},
        "mark": {"type": "text", "align": "left", "dx": 5},
        "encoding": {"x": {**x, "field": "end"}, "y": y, "text": field("told")},
    }
    heading_of_panel = {"text": "" if panel == "all" else panel, "fontSize": 12, "offset": 2}
    return {
        "title": {**heading_of_panel, "frame": "group"},
        "width": _WIDE,
        "height": {"step": 20},
        "layer": [bars, totals],
    }
