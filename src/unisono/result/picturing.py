"""Results as notebooks show them: a chart where one can be drawn, and always the numbers.

Drawing is the business of the room that shows things, which stands above this one: it says with
`draw_with` how a result is drawn, and nothing is loaded before a notebook asks.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Pictured", "draw_with"]

_drawers: list[Callable[[object], str | None]] = []


def draw_with(draw: Callable[[object], str | None]) -> None:
    """Say how results are drawn from now on.

    Parameters
    ----------
    draw
        Gives a result as an ``<svg>`` element; ``None`` where it cannot be drawn.

    Examples
    --------
    >>> from unisono.result import picturing
    >>> before = list(picturing._drawers)
    >>> picturing.draw_with(lambda result: None)
    >>> picturing._drawers[:] = before
    """
    _drawers[:] = [draw]


class Pictured:
    """A result that notebooks show with its chart.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 0, 4, "NP")])
    >>> sorted(un.best_alignment(text)._repr_mimebundle_())
    ['text/html', 'text/plain']
    """

    __slots__ = ()

    def _repr_mimebundle_(
        self,
        include: object = None,  # noqa: ARG002 - as IPython calls it
        exclude: object = None,  # noqa: ARG002 - the same
    ) -> dict[str, str]:
        drawn = next((picture for draw in _drawers if (picture := draw(self))), None)
        if drawn is None:
            # Nothing of our own: the notebook then takes _repr_markdown_.
            return {}
        numbers: Any = getattr(self, "to_markdown", None)
        told = repr(self) if numbers is None else numbers()
        return {"text/html": f"{drawn}\n<pre>{escape(told)}</pre>", "text/plain": repr(self)}
