"""What a notebook shows of a result, where the drawing libraries are installed."""

from __future__ import annotations

from unisono.charts.altair_door import can_draw
from unisono.charts.chart import chart_of
from unisono.charts.save import chart_svg
from unisono.errors import UnisonoError


def notebook_picture(result: object) -> str | None:
    """Give the chart of a result as an ``<svg>`` element, or ``None`` where there is none.

    Parameters
    ----------
    result
        Anything that is shown.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts.notebooks import notebook_picture
    >>> text = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 0, 4, "NP")])
    >>> notebook_picture(un.best_alignment(text))[:4], notebook_picture(1)
    ('<svg', None)
    """
    if not can_draw():
        return None
    try:
        # On a ground of its own: a notebook says nothing of the colour behind it.
        return chart_svg(chart_of(result), theme="light")
    except (UnisonoError, TypeError):
        # The numbers are still shown.
        return None
