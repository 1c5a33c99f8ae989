"""The most useful chart of a result, also for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.charts.alignment import alignment_chart, consensus_chart, continuum_chart
from unisono.charts.curves import calibration_chart, shuffling_chart
from unisono.charts.disorder import annotator_chart, confusion_chart, parts_chart
from unisono.charts.reliability import reliability_chart
from unisono.charts.save import chart_svg
from unisono.charts.style import can_draw
from unisono.charts.values import draws_chart, label_chart
from unisono.errors import DataError, UnisonoError
from unisono.model.continuum import Continuum
from unisono.results.render import Sheeted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unisono.charts.style import Chart

__all__ = ["CHARTS", "chart_of"]


def chart_of(result: object) -> Chart:
    """Draw the most useful chart of a result.

    Parameters
    ----------
    result
        A `Continuum`, an `Alignment` or another result: for γ of one document the alignment is
        drawn, for γ of a corpus the values of labels.

    Raises
    ------
    DataError
        If there is nothing to draw.
    TypeError
        If the argument is neither a continuum nor a result with a chart.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import chart_of
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> type(chart_of(un.best_alignment(text))).__name__
    'LayerChart'
    """
    if isinstance(result, Continuum):
        return continuum_chart(result)
    if not isinstance(result, Sheeted):
        msg = f"there is no chart for {type(result).__name__}"
        raise TypeError(msg)
    for found in result.sheet().figures:
        return CHARTS[found.chart](found.subject)
    msg = f"this {type(result).__name__} contains nothing to draw"
    raise DataError(msg)


CHARTS: Mapping[str, Callable[..., Chart]] = {
    "continuum": continuum_chart,
    "alignment": alignment_chart,
    "consensus": consensus_chart,
    "labels": label_chart,
    "draws": draws_chart,
    "annotators": annotator_chart,
    "parts": parts_chart,
    "confusion": confusion_chart,
    "curves": shuffling_chart,
    "calibration": calibration_chart,
    "reliability": reliability_chart,
}
"""The functions that draw the figures of sheets, by the names of the figures."""


def notebook_picture(result: object) -> str | None:
    """Return the chart of a result as an ``<svg>`` element, or ``None`` if it has none."""
    if not can_draw():
        return None
    try:
        # With an opaque background, because the background of the notebook is unknown.
        return chart_svg(chart_of(result), theme="light")
    except (UnisonoError, TypeError):
        # The notebook still displays the numbers.
        return None
