"""The chart of a reliability study: agreement against the outcome, one point per case."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unisono.charts.style import AGREE, WARM, quantity, titled_chart
from unisono.errors import DataError
from unisono.results.wording import decimals

if TYPE_CHECKING:
    from unisono.charts.style import Chart
    from unisono.studies.reliability import ReliabilityStudy

__all__ = ["reliability_chart"]

_WIDTH, _HEIGHT = 420, 300
_MOST_POINTS = 5_000


def reliability_chart(study: ReliabilityStudy, *, title: str = "Agreement and outcome") -> Chart:
    """Draw agreement against the outcome, with the line of least squares.

    Parameters
    ----------
    study
        The result of `reliability_study`.
    title
        The title of the chart.

    Returns
    -------
    altair.LayerChart
        The chart: a point per case, per cluster (between), or per deviation from the mean of the
        cluster (within).

    Raises
    ------
    DataError
        If the effect is undefined.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import reliability_chart
    >>> study = un.reliability_study([0.2, 0.4, 0.5, 0.7, 0.8], [1, 3, 2, 4, 6], rng=1)
    >>> len(reliability_chart(study).to_dict()["datasets"]["points"])
    5
    """
    if study.undefined:
        msg = f"there is nothing to draw: {study.undefined}"
        raise DataError(msg)
    x, y = study.agreement_values, study.outcome_values
    slope = float((x - x.mean()) @ (y - y.mean())) / float((x - x.mean()) @ (x - x.mean()))
    ends = np.array([x.min(), x.max()])
    line = [
        {"agreement": float(at), "outcome": float(y.mean() + slope * (at - x.mean()))}
        for at in ends
    ]
    kept = np.linspace(0, len(x) - 1, min(len(x), _MOST_POINTS)).astype(np.int64)
    points = [{"agreement": float(x[at]), "outcome": float(y[at])} for at in kept]
    what = {None: "a point per case", "between": "a point per cluster"}
    notes = [what.get(study.scope, "deviations from the mean of the cluster")]
    name = "rank correlation" if study.relation == "rank" else "slope"
    notes.append(f"{name} {decimals(study.effect)}, p {decimals(study.p_value)}")
    if len(kept) < len(x):
        notes.append(f"{len(kept):,} of {len(x):,} points")
    axes = {}
    for what_of, values in (("agreement", x), ("outcome", y)):
        # Points at the ends are not cut by the frame.
        margin = 0.04 * float(np.ptp(values))
        low, high = float(values.min()) - margin, float(values.max()) + margin
        axes[what_of] = quantity(what_of, what_of, low, high)
    encoding = {"x": axes["agreement"], "y": axes["outcome"]}
    body = {
        "width": _WIDTH,
        "height": _HEIGHT,
        "layer": [
            {
                "data": {"name": "points"},
                "mark": {
                    "type": "point",
                    "filled": True,
                    "size": 40,
                    "color": AGREE,
                    "opacity": 0.6,
                },
                "encoding": encoding,
            },
            {
                "data": {"name": "line"},
                "mark": {"type": "line", "color": WARM, "clip": True},
                "encoding": encoding,
            },
        ],
    }
    return titled_chart(
        body, {"points": points, "line": line}, title=title, notes=notes, width=_WIDTH
    )
