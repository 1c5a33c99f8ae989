"""Charts of coefficients: each label with its value and its intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from unisono.charts.framing import field, framed, quantity, tooltip
from unisono.charts.style import AGREE, listed, palette
from unisono.errors import DataError
from unisono.measures.gamma.gamma_result import GammaResult
from unisono.measures.unitizing.unitizing_result import UnitizingResult
from unisono.results.agreement import ChanceAgreement
from unisono.results.wording import decimals

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unisono.charts.altair_door import Chart
    from unisono.measures.items.items_result import ItemsAgreement
    from unisono.results.agreement import Agreement

__all__ = ["label_chart"]

_WIDE = 420
_MOST_LABELS = 50
_LOWEST = -1.0


def label_chart(
    result: GammaResult | UnitizingResult | ItemsAgreement,
    *,
    title: str = "Agreement of each label",
) -> Chart:
    """Draw the coefficient of each label with its intervals, the best first.

    Parameters
    ----------
    result
        What `gamma` gave, or another measure with values by label.
    title
        The line above.

    Returns
    -------
    altair.LayerChart
        Thick lines are what the draws leave uncertain (``monte_carlo``), thin lines what the data
        do (``interval``), where these are known. Labels without a value are named.

    Raises
    ------
    DataError
        If the result has no labels.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts.values import label_chart
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> chart = label_chart(un.gamma(text, draws=30, rng=1))
    >>> [row["name"] for row in chart.to_dict()["datasets"]["values"]][:2]
    ['γ (all)', 'γcat (all)']
    """
    by_label = result.by_label
    if not by_label:
        msg = "this result has no values by label"
        raise DataError(msg)
    names = palette(by_label).names
    defined = [(names[label], each) for label, each in by_label.items() if not each.undefined]
    defined.sort(key=lambda each: (-each[1].value, each[0]))
    undefined = [names[label] for label, each in by_label.items() if each.undefined]
    told = [f"without a value: {listed(undefined)}"] if undefined else []
    if len(defined) > _MOST_LABELS:
        told.append(f"the {_MOST_LABELS} labels of {len(defined)} that agree least")
        defined = defined[-_MOST_LABELS:]
    rows = [
        _value_row(_apart(f"{name} (all)", names.values()), each, whole=True)
        for name, each in _wholes(result)
        if not each.undefined
    ]
    rows += [_value_row(name, each, whole=False) for name, each in defined]
    if not rows:
        msg = "there is nothing to draw: no label has a value"
        raise DataError(msg)
    if any("draws_low" in row for row in rows):
        told.append("thick lines: what the draws leave uncertain")
    if any("data_low" in row for row in rows):
        told.append("thin lines: what the data leave uncertain")
    if any(row["value"] < _LOWEST for row in rows):
        told.append(f"values below {_LOWEST:g} are drawn at {_LOWEST:g}")
    body = _values_body(rows)
    return framed(body, {"values": rows}, title=title, told=told, width=_WIDE + 160.0)


def _wholes(
    result: GammaResult | UnitizingResult | ItemsAgreement,
) -> list[tuple[str, Agreement]]:
    """Give the coefficients of all labels together, and how people write them."""
    if isinstance(result, GammaResult):
        return [("γ", result), ("γcat", result.cat)]
    if isinstance(result, UnitizingResult):
        return [("uα", result.u), ("|uα", result.binary), ("cuα", result.coding)]
    return [(result.signature.measure, result)]


def _apart(name: str, taken: Iterable[str]) -> str:
    while name in set(taken):
        name += " "
    return name


def _value_row(name: str, each: Agreement, *, whole: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": name,
        "value": each.value,
        "place": max(each.value, _LOWEST),
        "told": decimals(each.value, 3),
        "colour": "#8c8c8c" if whole else AGREE,
        "draws_told": "–",
        "data_told": "–",
    }
    drawn = each.monte_carlo if isinstance(each, ChanceAgreement) else None
    for kind, interval in (("draws", drawn), ("data", each.interval)):
        if interval is not None:
            # An end may be infinite where chance is hardly known.
            row |= {
                f"{kind}_low": max(interval.low, _LOWEST),
                f"{kind}_high": min(interval.high, 1.0),
                f"{kind}_told": f"{decimals(interval.low, 3)} to {decimals(interval.high, 3)} "
                f"({100 * interval.level:g} %)",
            }
    return row


def _values_body(rows: list[dict[str, Any]]) -> dict[str, Any]:
    ends = [row[name] for row in rows for name in ("place", "draws_low", "data_low") if name in row]
    low = max(_LOWEST, math.floor(min([0.0, *ends]) * 5.0) / 5.0)
    x = quantity("place", None, low, 1.0, axis={"title": "agreement", "tickCount": 6})
    y = field(
        "name",
        sort=None,
        axis={"title": None, "labelLimit": 260, "labelOverlap": False},
        scale={"domain": [row["name"] for row in rows]},
    )
    dots = {
        "data": {"name": "values"},
        "mark": {"type": "point", "filled": True, "size": 40, "opacity": 1},
        "encoding": {
            "x": x,
            "y": y,
            "color": field("colour", scale=None),
            "tooltip": tooltip(name="label", told="value", draws_told="draws", data_told="data"),
        },
    }
    numbers = {
        "data": {"name": "values"},
        "mark": {"type": "text", "align": "left"},
        "encoding": {"x": {"value": _WIDE + 8}, "y": y, "text": field("told")},
    }
    layers = [_interval_layer(x, y, "data", 1.2), _interval_layer(x, y, "draws", 3.5)]
    return {"width": _WIDE, "height": {"step": 20}, "layer": [*layers, dots, numbers]}


def _interval_layer(
    x: dict[str, Any], y: dict[str, Any], kind: str, width: float
) -> dict[str, Any]:
    return {
        "data": {"name": "values"},
        "transform": [{"filter": f"isValid(datum.{kind}_low)"}],
        "mark": {"type": "rule", "strokeWidth": width, "opacity": 0.55, "clip": True},
        "encoding": {
            "x": {**x, "field": f"{kind}_low"},
            "x2": {"field": f"{kind}_high"},
            "y": y,
            "color": field("colour", scale=None),
        },
    }
