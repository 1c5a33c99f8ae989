"""Text for LaTeX: special characters escaped, symbols of measures as mathematics."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from unisono.registry import MEASURES

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["tex_row", "tex_text"]

_CHARACTERS: Mapping[str, str] = {
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "γ": r"$\gamma$",
    "δ": r"$\delta$",
    "κ": r"$\kappa$",
    "π": r"$\pi$",
    "Σ": r"$\Sigma$",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "→": r"$\to$",
    "–": "--",
    "⟦": "[",
    "⟧": "]",
}
# ASCII symbols such as S are ambiguous in a sentence, so they are not replaced.
_SYMBOLS = {
    measure.symbol: measure.latex for measure in MEASURES.values() if not measure.symbol.isascii()
}
_WRITTEN = {**_SYMBOLS, **_CHARACTERS}
_SPECIAL = re.compile("|".join(map(re.escape, sorted(_WRITTEN, key=len, reverse=True))))


def tex_text(text: str) -> str:
    """Return a text for LaTeX."""
    return _SPECIAL.sub(lambda found: _WRITTEN[found[0]], text)


def tex_row(cells: list[str]) -> str:
    r"""Return a row of a table from cells that are LaTeX already.

    Without the leading braces, LaTeX would read a bracket or a star in the first cell as an
    argument of the ``\\`` of the previous row.
    """
    return rf"{{}}{' & '.join(cells)} \\"
