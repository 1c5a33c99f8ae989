"""Results as notebooks show them: a chart where one can be drawn, and always the numbers."""

from __future__ import annotations

from html import escape
from importlib import import_module
from typing import Any

__all__ = ["Pictured"]

# Charts stand in a room above this one, so it is named, and loaded when a notebook asks for one.
_CHARTS = "unisono.charts.notebooks"


def _picture(result: object) -> str | None:
    picture: str | None = import_module(_CHARTS).notebook_picture(result)
    return picture


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
        drawn = _picture(self)
        if drawn is None:
            # Nothing of our own: the notebook then takes _repr_markdown_.
            return {}
        numbers: Any = getattr(self, "to_markdown", None)
        told = repr(self) if numbers is None else numbers()
        return {"text/html": f"{drawn}\n<pre>{escape(told)}</pre>", "text/plain": repr(self)}
