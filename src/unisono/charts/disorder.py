"""Charts of disagreement: its sources, confusions of labels, and pairs of annotators."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.charts.style import (
    AGREE,
    INK,
    WARM,
    escape_controls,
    field,
    ink_on,
    mix_colours,
    palette,
    quantity,
    titled_chart,
    tooltip,
)
from unisono.errors import DataError
from unisono.measures.gamma.result import GammaAgreement
from unisono.results.agreement import value_in_words
from unisono.results.wording import count, decimals
from unisono.studies.annotator_pairs import PairwiseTable
from unisono.studies.diagnosis import Diagnosis
from unisono.studies.label_confusions import ITEM_PAIRS, LabelConfusions, label_confusions
from unisono.studies.rating_diagnosis import RatingDiagnosis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.charts.style import Chart, Rows
    from unisono.measures.items.result import ItemsAgreement
    from unisono.results.agreement import Agreement
    from unisono.studies.diagnosis import DisorderParts

__all__ = ["annotator_chart", "confusion_chart", "parts_chart"]

_MOST_ANNOTATORS = 25
PALE = "#eef2f5"
"""The colour of empty cells."""


def annotator_chart(
    pairs: PairwiseTable | ItemsAgreement, *, title: str = "Pairwise agreement of annotators"
) -> Chart:
    """Draw the agreement of each pair of annotators as a heat map.

    Parameters
    ----------
    pairs
        The result of `pairwise_agreement`, or a coefficient on items with values by pair.
    title
        The title of the chart.

    Returns
    -------
    altair.LayerChart
        The chart. Rows and columns are annotators, in descending order of their mean agreement with
        the others.

    Raises
    ------
    DataError
        If the result has no pairs.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import annotator_chart
    >>> corpus = un.read("examples/corpus")
    >>> chart = annotator_chart(un.pairwise_agreement(corpus, draws=30, rng=1))
    >>> len(chart.to_dict()["datasets"]["pairs"])
    6
    """
    if not pairs.by_pair:
        msg = "the result has no values for pairs of annotators"
        raise DataError(msg)
    means = _means(pairs)
    ordered = sorted(means, key=lambda name: (math.isnan(means[name]), -means[name], name))
    notes = []
    if len(ordered) > _MOST_ANNOTATORS:
        notes.append(
            f"the {_MOST_ANNOTATORS} of {len(ordered)} annotators with the least agreement"
        )
        ordered = ordered[-_MOST_ANNOTATORS:]
    known = set(ordered)
    rows = []
    for (first, second), each in pairs.by_pair.items():
        if first not in known or second not in known:
            continue
        for row, column in ((first, second), (second, first)):
            rows.append(_cell(escape_controls(row), escape_controls(column), each))
    notes.append("rows and columns by mean agreement with the others, the highest first")
    names = [escape_controls(name) for name in ordered]
    totals = [
        {"row": escape_controls(name), "text": f"mean {decimals(means[name], 2)}"}
        for name in ordered
    ]
    return titled_chart(
        matrix_body("pairs", names, names, "annotator", "annotator", totals_table="means"),
        {"pairs": rows, "means": totals},
        title=title,
        notes=notes,
        width=matrix_width(names),
    )


def matrix_width(names: list[str]) -> float:
    """Return an estimate of the width of a heat map with its labels."""
    return min(180.0, 6.2 * max(map(len, names))) + len(names) * _step(len(names)) + 80.0


def _step(n: int) -> int:
    return 46 if n <= 12 else 30


def matrix_body(
    table: str,
    rows: list[str],
    columns: list[str],
    row_title: str,
    column_title: str,
    *,
    totals_table: str | None = None,
) -> dict[str, Any]:
    """Return the layers of a heat map; its rows have ``row``, ``column``, ``text``, ``fill``."""
    step = _step(len(columns))
    x = field(
        "column",
        sort=None,
        scale={"domain": columns},
        axis={
            "title": column_title,
            "orient": "top",
            "labelAngle": -35,
            "labelLimit": 140,
            "grid": False,
            "labelOverlap": False,
        },
    )
    y = field(
        "row",
        sort=None,
        scale={"domain": rows},
        axis={"title": row_title, "grid": False, "labelOverlap": False},
    )
    tips = tooltip(row=row_title, column=column_title, more="value")
    layers: list[dict[str, Any]] = [
        {
            "data": {"name": table},
            "mark": {"type": "rect", "stroke": INK, "strokeOpacity": 0.25},
            "encoding": {
                "x": x,
                "y": y,
                "color": field("fill", scale=None),
                "tooltip": tips,
            },
        },
        {
            "data": {"name": table},
            "mark": {"type": "text", "fontSize": 11 if step > 40 else 9},
            "encoding": {
                "x": x,
                "y": y,
                "text": field("text"),
                "color": field("ink", scale=None),
                "tooltip": tips,
            },
        },
    ]
    if totals_table is not None:
        layers.append(
            {
                "data": {"name": totals_table},
                "mark": {"type": "text", "align": "left"},
                "encoding": {
                    "x": {"value": step * len(columns) + 8},
                    "y": y,
                    "text": field("text"),
                },
            }
        )
    return {"width": {"step": step}, "height": {"step": min(step, 34)}, "layer": layers}


def _cell(row: str, column: str, each: Agreement) -> dict[str, Any]:
    if each.undefined:
        return {
            "row": row, "column": column, "value": None, "text": "–", "fill": PALE,
            "ink": "#000000", "more": f"undefined: {each.undefined}",
        }  # fmt: skip
    value = each.value
    high = AGREE if value >= 0.0 else WARM
    fill = mix_colours(PALE, high, min(1.0, abs(value)))
    return {
        "row": row,
        "column": column,
        "value": value,
        "text": decimals(value, 2),
        "fill": fill,
        "ink": ink_on(fill),
        "more": _with_interval(each),
    }


def _means(pairs: PairwiseTable | ItemsAgreement) -> dict[str, float]:
    if isinstance(pairs, PairwiseTable):
        return pairs.means
    values: dict[str, list[float]] = {}
    for pair, each in pairs.by_pair.items():
        for name in pair:
            values.setdefault(name, []).extend([] if each.undefined else [each.value])
    return {name: math.fsum(of) / len(of) if of else math.nan for name, of in values.items()}


def _with_interval(each: Agreement) -> str:
    interval = each.interval
    if interval is None:
        return value_in_words(each)
    low, high = decimals(interval.low, 2), decimals(interval.high, 2)
    return f"{value_in_words(each)} ({low} to {high})"


_PARTS = {"position": "#0072b2", "labels": "#e69f00", "missing units": "#8c8c8c"}
_WIDE = 420
_MOST_ROWS, _MOST_LABELS = 20, 20


def parts_chart(diagnosis: Diagnosis, *, title: str = "Sources of disagreement") -> Chart:
    """Draw how much position, labels and missing units reduce γ, in total and by source.

    Parameters
    ----------
    diagnosis
        The result of `diagnose`.
    title
        The title of the chart.

    Returns
    -------
    altair.VConcatChart
        Bars for the total, each annotator, each label and each document, the longest first. The
        bars of annotators, those of labels and those of documents each add up to the total.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import parts_chart
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> chart = parts_chart(un.diagnose(text, draws=30, rng=1))
    >>> [row["part"] for row in chart.to_dict()["datasets"]["all"]]
    ['position', 'labels', 'missing units']
    """
    if not isinstance(diagnosis, Diagnosis):
        msg = f"parts_chart expects a Diagnosis, got {type(diagnosis).__name__}"
        raise TypeError(msg)
    is_defined = not diagnosis.gamma.undefined
    scale = diagnosis.gamma.expected if is_defined else 1.0
    names = palette(diagnosis.by_label).names
    panels: dict[str, list[tuple[str, DisorderParts]]] = {
        "all": [("all", diagnosis.parts)],
        "annotators": [
            (escape_controls(name), each.parts) for name, each in diagnosis.by_annotator.items()
        ],
        "labels": [(names[label], each.parts) for label, each in diagnosis.by_label.items()],
        "documents": [
            (escape_controls(name), type(each.parts)(*(each.weight * part for part in each.parts)))
            for name, each in diagnosis.documents.items()
        ],
    }
    notes = []
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
            notes.append(f"{len(lines) - len(ranked)} of {len(lines)} {panel} without disorder")
        if not ranked:
            continue
        if len(ranked) > _MOST_ROWS:
            notes.append(f"the {_MOST_ROWS} of {len(ranked)} {panel} with the most disorder")
        drawn = ranked[:_MOST_ROWS]
        tables[panel] = [row for name, each in drawn for row in _part_rows(name, each, scale)]
        tables[f"{panel}_totals"] = [
            {"name": name, "end": each.total / scale, "text": decimals(each.total / scale, 3)}
            for name, each in drawn
        ]
        parts.append(_panel(panel, [name for name, _ in drawn], longest, is_defined=is_defined))
    if is_defined:
        notes.insert(
            0, f"γ = {value_in_words(diagnosis.gamma)}; the bars of all parts add up to 1 − γ"
        )
    else:
        notes.insert(0, f"γ is undefined ({diagnosis.gamma.undefined}); the bars are disorder")
    body = {"vconcat": parts, "resolve": {"scale": {"color": "shared"}}}
    return titled_chart(body, tables, title=title, notes=notes, width=_WIDE + 120.0)


def confusion_chart(
    pairs: LabelConfusions | Diagnosis | GammaAgreement | RatingDiagnosis,
    *,
    title: str = "Confusion of labels",
) -> Chart:
    """Draw a confusion matrix of the labels of aligned units, weighted as in γcat, or of items.

    Parameters
    ----------
    pairs
        The result of `label_confusions`, a result with an alignment to compute it from, or the
        diagnosis of ratings.
    title
        The title of the chart.

    Returns
    -------
    altair.LayerChart
        The chart. Each cell shows which weighted share of the pairs with the label of its row has
        the label of its column. The diagonal is agreement.

    Raises
    ------
    DataError
        If no two units are aligned.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import confusion_chart
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> chart = confusion_chart(un.gamma(text, draws=30, rng=1))
    >>> chart.to_dict()["datasets"]["pairs"][0]["text"]
    '100 %'
    """
    found = _pairs_of(pairs)
    order, notes = _most_confused(found)
    if not order:
        what = (
            "item has two ratings" if found.signature.measure == ITEM_PAIRS else "units are aligned"
        )
        msg = f"there is nothing to draw: no {what}"
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
                fill = mix_colours(PALE, AGREE if a == b else WARM, min(1.0, share))
            rows.append(
                {
                    "row": names[found.labels[a]],
                    "column": names[found.labels[b]],
                    "share": share if math.isfinite(share) else None,
                    "text": _percent(share) if number else "",
                    "fill": fill,
                    "ink": ink_on(fill),
                    "more": f"{_percent(share)}, {count(number, 'pair')} of weight "
                    f"{decimals(float(found.weights[a, b]), 2)}",
                }
            )
    is_rated = found.signature.measure == ITEM_PAIRS
    notes.append(
        "share of the pairs with the row's label that have the column's; weighted as in "
        f"{'α' if is_rated else 'γcat'}"
    )
    totals = [
        {"row": names[found.labels[a]], "text": count(int(found.pairs[a].sum()), "pair")}
        for a in order
    ]
    listed = [names[found.labels[a]] for a in order]
    body = matrix_body(
        "pairs",
        listed,
        listed,
        "label",
        "other label" if is_rated else "matched label",
        totals_table="totals",
    )
    tables: dict[str, Rows] = {"pairs": rows, "totals": totals}
    return titled_chart(body, tables, title=title, notes=notes, width=matrix_width(listed))


def _pairs_of(value: object) -> LabelConfusions:
    if isinstance(value, LabelConfusions):
        return value
    if isinstance(value, Diagnosis):
        return label_confusions(value.gamma)
    if isinstance(value, GammaAgreement):
        return label_confusions(value)
    if isinstance(value, RatingDiagnosis):
        if value.label_pairs is None:
            msg = "there are too many labels for a chart; draw fewer with label_confusions(ratings)"
            raise DataError(msg)
        return value.label_pairs
    types = "LabelConfusions, a Diagnosis, a RatingDiagnosis or a GammaAgreement"
    msg = f"confusion_chart expects {types}, got {type(value).__name__}"
    raise TypeError(msg)


def _most_confused(found: LabelConfusions) -> tuple[list[int], list[str]]:
    """Return the indices of the labels to draw, and notes on the others."""
    paired = np.flatnonzero(found.pairs.sum(axis=1) > 0)
    notes = []
    n_unpaired = len(found.labels) - len(paired)
    if n_unpaired:
        notes.append(f"{count(n_unpaired, 'label')} without a pair left out")
    if len(paired) > _MOST_LABELS:
        confusions = found.weights.sum(axis=1) - np.diag(found.weights)
        notes.append(f"the {_MOST_LABELS} of {len(paired)} labels that are confused most")
        ranked = paired[np.argsort(-confusions[paired], kind="stable")]
        paired = np.sort(ranked[:_MOST_LABELS])
    return paired.tolist(), notes


def _percent(share: float) -> str:
    if not math.isfinite(share):
        return "–"
    # Rounding must not turn a small share into 0 %, or a large one into 100 %.
    if 0.0 < share < 0.005:
        return "< 1 %"
    return "> 99 %" if 0.995 <= share < 1.0 else f"{100.0 * share:.0f} %"


def _part_rows(name: str, parts: DisorderParts, scale: float) -> list[dict[str, Any]]:
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
                "text": f"{decimals(size)} ({share})",
            }
        )
        begin += size
    return rows


def _panel(panel: str, names: Sequence[str], most: float, *, is_defined: bool) -> dict[str, Any]:
    heading = "reduction of γ" if is_defined else "disorder"
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
            "tooltip": tooltip(name=panel, part="part", text=heading),
        },
    }
    totals = {
        "data": {"name": f"{panel}_totals"},
        "mark": {"type": "text", "align": "left", "dx": 5},
        "encoding": {"x": {**x, "field": "end"}, "y": y, "text": field("text")},
    }
    heading_of_panel = {"text": "" if panel == "all" else panel, "fontSize": 12, "offset": 2}
    return {
        "title": {**heading_of_panel, "frame": "group"},
        "width": _WIDE,
        "height": {"step": 20},
        "layer": [bars, totals],
    }
