"""The one door to the drawing libraries, which are loaded when the first chart is made."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeAlias

from unisono.errors import UnisonoError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Chart", "Rows", "can_draw", "chart_from", "library"]

Chart: TypeAlias = Any
"""A chart of altair: an ``altair.Chart``, ``LayerChart``, ``VConcatChart`` or ``HConcatChart``."""
Rows: TypeAlias = "Sequence[Mapping[str, Any]]"
"""Rows of a chart's data."""
_KINDS = {"layer": "LayerChart", "vconcat": "VConcatChart", "hconcat": "HConcatChart"}


def can_draw() -> bool:
    """Say whether the drawing libraries are installed, without loading them.

    Examples
    --------
    >>> from unisono.charts.altair_door import can_draw
    >>> can_draw()
    True
    """
    return find_spec("altair") is not None and find_spec("vl_convert") is not None


def library(name: str) -> Any:  # noqa: ANN401 - a module
    """Load ``altair`` or ``vl_convert``, or say how to install them.

    Parameters
    ----------
    name
        Which of the two.

    Raises
    ------
    UnisonoError
        If it is not installed.

    Examples
    --------
    >>> from unisono.charts.altair_door import library
    >>> library("altair").__name__
    'altair'
    """
    try:
        return import_module(name)
    except ImportError as error:
        msg = (
            f"charts need {name.replace('_', '-')}, which is not installed or cannot be loaded "
            f"({error}); pip install 'unisono[plot]'"
        )
        raise UnisonoError(msg) from None


def chart_from(spec: Mapping[str, Any], data: Mapping[str, Rows]) -> Chart:
    """Make a chart of altair from a specification of Vega-Lite and its tables.

    Parameters
    ----------
    spec
        What to draw; its data are named.
    data
        The rows for each name.

    Returns
    -------
    altair.TopLevelMixin
        The chart, with its data inside.

    Examples
    --------
    >>> from unisono.charts.altair_door import chart_from
    >>> spec = {"data": {"name": "a"}, "mark": "point", "encoding": {"x": {"field": "x"}}}
    >>> chart = chart_from(spec, {"a": [{"x": 1}]})
    >>> chart.to_dict()["datasets"]
    {'a': [{'x': 1}]}
    """
    altair = library("altair")
    kind = next((name for key, name in _KINDS.items() if key in spec), "Chart")
    # Checked by tests against the schema, so that a user does not wait for it at each drawing.
    chart = getattr(altair, kind).from_dict(dict(spec), validate=False)
    # After the rest, because altair would look through every row.
    chart.datasets = {name: list(rows) for name, rows in data.items()}
    return chart
