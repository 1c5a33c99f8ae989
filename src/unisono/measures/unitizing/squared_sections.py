"""The 2013 form: squared lengths of sections that meet, against sections that slide past others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unisono.measures.items.rows import ranges
from unisono.measures.unitizing.coincidences import Disagreement

if TYPE_CHECKING:
    from unisono.measures.unitizing.layout import Layout, Sections
    from unisono.model.arrays import Floats, Integers


def u_by_squares(layout: Layout) -> Disagreement:
    """Give what is found and expected by the uα of 2013, reconstructed.

    Parameters
    ----------
    layout
        The units, no two of one annotator at the same place.

    Returns
    -------
    Disagreement
        Exactly 0 is expected where all sections have the same value.

    Notes
    -----
    D_o = Σ_{i≠j} Σ [c ≠ k]·|g∩h|² / (L·m(m − 1)). D_e = Σ over ordered pairs of sections, of any
    annotators, with c ≠ k, of S2(a, b) / ((m·L)² − Σ length²), where a ≤ b are their lengths and
    S2 = a(a − 1)(2a − 1)/3 + (b − a + 1)a² = a²b − (a³ − a)/3 the sum of their squared
    intersections at all whole places where they meet.
    """
    sections = layout.sections()
    places = layout.ranks.places
    lengths = places[sections.ends] - places[sections.starts]
    whole = layout.annotated_length
    observed = _squares_that_meet(layout, sections) / whole
    if not len(sections.codes) or (sections.codes == sections.codes[0]).all():
        return Disagreement(observed, 0.0)
    alike = _slides(lengths, sections.codes)
    apart = _slides(lengths, np.zeros_like(sections.codes)) - alike
    return Disagreement(observed, max(apart, 0.0) / (whole**2 - float(lengths @ lengths)))


def _squares_that_meet(layout: Layout, sections: Sections) -> float:
    """Give Σ over ordered pairs of annotators of the squares where values differ, by m − 1."""
    documents, seats = layout.documents[sections.runs], layout.seats[sections.runs]
    lows, highs = layout.ranks.places[sections.starts], layout.ranks.places[sections.ends]
    weights = layout.shares[documents]
    total = 0.0
    for seat in range(1, int(layout.annotators.max(initial=0))):
        mine = np.flatnonzero(seats == seat)
        # Each two annotators once: who sits before.
        others = np.flatnonzero((seats < seat) & (layout.annotators[documents] > seat))
        own_starts = sections.starts[mine]
        # Sections cover each document without a gap, so all that begin before the end meet.
        firsts = np.searchsorted(own_starts, sections.starts[others], side="right") - 1
        sizes = np.searchsorted(own_starts, sections.ends[others], side="left") - firsts
        own = mine[ranges(firsts, sizes)]
        theirs = np.repeat(others, sizes)
        apart = np.flatnonzero(sections.codes[own] != sections.codes[theirs])
        own, theirs = own[apart], theirs[apart]
        shared = np.minimum(highs[own], highs[theirs]) - np.maximum(lows[own], lows[theirs])
        total += float((shared * shared) @ weights[theirs])
    return 2.0 * total


def _slides(lengths: Floats, groups: Integers) -> float:
    """Give Σ S2 over ordered pairs of sections of the same group."""
    order = np.lexsort((lengths, groups))
    lengths, groups = lengths[order], groups[order]
    squares = np.cumsum(lengths**2) - lengths**2
    new = np.flatnonzero(np.diff(groups, prepend=-1))
    sizes = np.diff(new, append=len(groups))
    shorter = squares - np.repeat(squares[new], sizes)
    # How many of the group stand behind, and are therefore as long or longer.
    behind = np.repeat(new + sizes, sizes) - 1 - np.arange(len(groups))
    return 2.0 * float((lengths * shorter - behind * (lengths**3 - lengths) / 3.0).sum())
