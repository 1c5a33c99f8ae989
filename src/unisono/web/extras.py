"""What draws charts: whether it is installed, and its script for a browser."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec

from unisono.web.problems import ProblemError

__all__ = ["can_draw", "vega_bundle"]

_MAKE_BUNDLE = "import vl_convert; print(vl_convert.javascript_bundle())"


def can_draw() -> bool:
    """Say whether charts can be drawn, without loading the room of charts into the service.

    Examples
    --------
    >>> from unisono.web.extras import can_draw
    >>> can_draw() in (True, False)
    True
    """
    return all(find_spec(name) is not None for name in ("altair", "vl_convert"))


def vega_bundle() -> str:
    """Give Vega, Vega-Lite and vega-embed as one script, from the package that has them.

    Raises
    ------
    ProblemError
        The package is not installed.

    Examples
    --------
    >>> from unisono.web.extras import vega_bundle
    >>> "vegaEmbed" in vega_bundle()
    True
    """
    if find_spec("vl_convert") is None:
        detail = "charts need more packages: pip install 'unisono[plot]'"
        raise ProblemError("unavailable", detail, status=404)
    # In a process of its own: what makes the script never gives its memory back.
    made = subprocess.run(  # noqa: S603 - our own interpreter, no text from outside
        [sys.executable, "-P", "-c", _MAKE_BUNDLE],
        check=True,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    return made.stdout
