"""The chart that fits a result, also for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.charts.alignment import alignment_chart, consensus_chart, continuum_chart
from unisono.charts.curves import calibration_chart, shuffling_chart
from unisono.charts.disorder import annotator_chart, confusion_chart, parts_chart
from unisono.charts.save import chart_svg
from unisono.charts.style import can_draw
from unisono.charts.values import draws_chart, label_chart
from unisono.errors import DataError, UnisonoError
from unisono.measures.gamma.alignment import Alignment
from unisono.measures.gamma.result import GammaResult
from unisono.measures.items.result import ItemsAgreement
from unisono.measures.unitizing.alphas import UnitizingResult
from unisono.model.continuum import Continuum
from unisono.simulation.calibration.calibrate import Calibration
from unisono.simulation.error_curves import Scan
from unisono.studies.annotator_pairs import PairwiseAgreement
from unisono.studies.consensus import Consensus
from unisono.studies.diagnosis import Diagnosis
from unisono.studies.label_confusions import LabelPairs

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from unisono.charts.style import Chart

__all__ = ["chart_of"]


def chart_of(result: object) -> Chart:
    """Draw the chart that shows a result best.

    Parameters
    ----------
    result
        A `Continuum`, an `Alignment`, or a result: γ of one document is drawn as its alignment, γ
        of a corpus as the values of labels.

    Raises
    ------
    DataError
        If there is nothing to draw.
    TypeError
        If there is no chart for it.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import chart_of
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> type(chart_of(un.best_alignment(text))).__name__
    'LayerChart'
    """
    for kind, draw in _CHARTS:
        if isinstance(result, kind):
            return draw(result)
    msg = f"there is no chart for {type(result).__name__}"
    raise TypeError(msg)


def _of_gamma(result: GammaResult) -> Chart:
    if result.alignment is not None and len(result.alignment):
        return alignment_chart(result)
    if len(result.documents) == 1:
        return _of_gamma(next(iter(result.documents.values())))
    return label_chart(result) if result.by_label else draws_chart(result)


def _of_items(result: ItemsAgreement) -> Chart:
    if result.by_pair:
        return annotator_chart(result)
    if result.by_label:
        return label_chart(result)
    msg = "this result has neither labels nor pairs of annotators to draw"
    raise DataError(msg)


_CHARTS: tuple[tuple[type, Callable[[Any], Chart]], ...] = (
    (Continuum, continuum_chart),
    (Alignment, alignment_chart),
    (GammaResult, _of_gamma),
    (ItemsAgreement, _of_items),
    (UnitizingResult, label_chart),
    (Diagnosis, parts_chart),
    (Consensus, consensus_chart),
    (LabelPairs, confusion_chart),
    (PairwiseAgreement, annotator_chart),
    (Scan, shuffling_chart),
    (Calibration, calibration_chart),
)


def notebook_picture(result: object) -> str | None:
    """Give the chart of a result as an ``<svg>`` element, or ``None`` where there is none."""
    if not can_draw():
        return None
    try:
        # On a ground of its own: a notebook says nothing of the colour behind it.
        return chart_svg(chart_of(result), theme="light")
    except (UnisonoError, TypeError):
        # The numbers are still shown.
        return None
