"""Charts that are tables of coloured cells: who agrees with whom, what stands beside what."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from unisono.charts.framing import field, framed, tooltip
from unisono.charts.style import AGREE, INK, WARM, between, ink_on, shown
from unisono.errors import DataError
from unisono.results.agreement import ChanceAgreement
from unisono.results.wording import decimals
from unisono.studies.annotator_pairs import PairwiseAgreement

if TYPE_CHECKING:
    from unisono.charts.altair_door import Chart
    from unisono.measures.items.items_result import ItemsAgreement
    from unisono.results.agreement import Agreement

__all__ = ["PALE", "annotator_chart", "matrix_body", "matrix_width"]

_MOST_ANNOTATORS = 25
PALE = "#eef2f5"
"""Of cells with nothing in them."""


def annotator_chart(
    pairs: PairwiseAgreement | ItemsAgreement, *, title: str = "Who agrees with whom"
) -> Chart:
    """Draw the agreement of every two annotators as a table with coloured cells.

    Parameters
    ----------
    pairs
        What `pairwise_agreement` gave, or a coefficient on items with values by pair.
    title
        The line above.

    Returns
    -------
    altair.LayerChart
        Rows and columns are annotators, those who agree most with the others first.

    Raises
    ------
    DataError
        If the result has no pairs.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts.matrices import annotator_chart
    >>> corpus = un.read("examples/corpus")
    >>> chart = annotator_chart(un.pairwise_agreement(corpus, draws=30, rng=1))
    >>> len(chart.to_dict()["datasets"]["pairs"])
    6
    """
    if not pairs.by_pair:
        msg = "this result has no values of pairs of annotators"
        raise DataError(msg)
    means = _means(pairs)
    ordered = sorted(means, key=lambda name: (math.isnan(means[name]), -means[name], name))
    told = []
    if len(ordered) > _MOST_ANNOTATORS:
        told.append(f"the {_MOST_ANNOTATORS} of {len(ordered)} annotators who agree least")
        ordered = ordered[-_MOST_ANNOTATORS:]
    known = set(ordered)
    rows = []
    for (first, second), each in pairs.by_pair.items():
        if first not in known or second not in known:
            continue
        for row, column in ((first, second), (second, first)):
            rows.append(_cell(shown(row), shown(column), each))
    told.append("rows and columns by mean agreement with the others, the highest first")
    names = [shown(name) for name in ordered]
    totals = [{"row": shown(name), "told": f"mean {decimals(means[name], 2)}"} for name in ordered]
    return framed(
        matrix_body("pairs", names, names, "annotator", "annotator", beside="means"),
        {"pairs": rows, "means": totals},
        title=title,
        told=told,
        width=matrix_width(names),
    )


def matrix_width(names: list[str]) -> float:
    """Guess how wide a table of coloured cells is, with what stands beside it."""
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
    beside: str | None = None,
) -> dict[str, Any]:
    """Draw a table of coloured cells; its rows have ``row``, ``column``, ``told``, ``fill``."""
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
    told = tooltip(row=row_title, column=column_title, more="value")
    layers: list[dict[str, Any]] = [
        {
            "data": {"name": table},
            "mark": {"type": "rect", "stroke": INK, "strokeOpacity": 0.25},
            "encoding": {
                "x": x,
                "y": y,
                "color": field("fill", scale=None),
                "tooltip": told,
            },
        },
        {
            "data": {"name": table},
            "mark": {"type": "text", "fontSize": 11 if step > 40 else 9},
            "encoding": {
                "x": x,
                "y": y,
                "text": field("told"),
                "color": field("ink", scale=None),
                "tooltip": told,
            },
        },
    ]
    if beside is not None:
        layers.append(
            {
                "data": {"name": beside},
                "mark": {"type": "text", "align": "left"},
                "encoding": {
                    "x": {"value": step * len(columns) + 8},
                    "y": y,
                    "text": field("told"),
                },
            }
        )
    return {"width": {"step": step}, "height": {"step": min(step, 34)}, "layer": layers}


def _cell(row: str, column: str, each: Agreement) -> dict[str, Any]:
    if each.undefined:
        return {
            "row": row, "column": column, "value": None, "told": "–", "fill": PALE,
            "ink": "#000000", "more": f"undefined: {each.undefined}",
        }  # fmt: skip
    value = each.value
    high = AGREE if value >= 0.0 else WARM
    fill = between(PALE, high, min(1.0, abs(value)))
    return {
        "row": row,
        "column": column,
        "value": value,
        "told": decimals(value, 2),
        "fill": fill,
        "ink": ink_on(fill),
        "more": _with_interval(each),
    }


def _means(pairs: PairwiseAgreement | ItemsAgreement) -> dict[str, float]:
    if isinstance(pairs, PairwiseAgreement):
        return pairs.means
    values: dict[str, list[float]] = {}
    for pair, each in pairs.by_pair.items():
        for name in pair:
            values.setdefault(name, []).extend([] if each.undefined else [each.value])
    return {name: math.fsum(of) / len(of) if of else math.nan for name, of in values.items()}


def _with_interval(each: Agreement) -> str:
    interval = each.interval or (each.monte_carlo if isinstance(each, ChanceAgreement) else None)
    if interval is None:
        return decimals(each.value)
    return f"{decimals(each.value)} ({decimals(interval.low)} to {decimals(interval.high)})"
