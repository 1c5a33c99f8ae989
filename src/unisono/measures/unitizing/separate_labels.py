"""αU of 1995 and 2004: each label as a continuum of its own, then all of them together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unisono.measures.items.rows import ranges, weighted_counts

if TYPE_CHECKING:
    from unisono.measures.unitizing.layout import Layout
    from unisono.model.arrays import Floats, Integers


def label_disagreements(layout: Layout) -> tuple[Floats, Floats]:
    """Give what is found and expected on the units of each label, all else being a gap.

    Parameters
    ----------
    layout
        The units, no two of one annotator and one label at the same place.

    Returns
    -------
    tuple
        D_o and D_e, one number a label; αU of a label is 1 − D_o/D_e, and of all labels
        1 − ΣD_o/ΣD_e.

    Notes
    -----
    D_o = Σ_{i≠j} Σ δ² / (m(m − 1)L²). Two units that meet have δ² = (difference of starts)² +
    (difference of ends)², a unit that lies in a gap of the other annotator has its length squared.
    D_e = (2/L) Σ over units g of [(N − 1)/3·(2l³ − 3l² + l) + l² Σ over gaps of length g ≥ l of
    (g − l + 1)] / (mL(mL − 1) − Σ l(l − 1)), N being the number of units of the label.
    """
    whole, n_labels = layout.annotated_length, len(layout.labels)
    lengths, codes = layout.lengths, layout.codes
    found = _differences(layout) / (whole * layout.length)
    n_units = np.bincount(codes, minlength=n_labels)
    slides = (n_units[codes] - 1.0) / 3.0 * (2.0 * lengths**3 - 3.0 * lengths**2 + lengths)
    slides += lengths**2 * _room(layout)
    below = whole * (whole - 1.0) - weighted_counts(codes, lengths * (lengths - 1.0), n_labels)
    expected: Floats = np.full(n_labels, np.nan)
    sums = 2.0 / layout.length * weighted_counts(codes, slides, n_labels)
    np.divide(sums, below, out=expected, where=below > 0.0)
    return found, expected


def _differences(layout: Layout) -> Floats:
    """Give Σ δ² over ordered pairs of annotators, by m − 1, for each label."""
    ranks, codes = layout.ranks, layout.codes
    documents, seats = layout.documents[layout.runs], layout.seats[layout.runs]
    width = len(ranks.places)
    # A whole number by which units stand by label, then along the documents.
    starts, ends = codes * width + ranks.starts, codes * width + ranks.ends
    places, lengths = ranks.places, layout.lengths
    found = np.zeros(len(layout.labels))
    for seat in range(int(layout.annotators.max(initial=0))):
        mine = np.flatnonzero(seats == seat)
        mine = mine[np.argsort(starts[mine], kind="stable")]
        others = np.flatnonzero((seats != seat) & (layout.annotators[documents] > seat))
        firsts = np.searchsorted(ends[mine], starts[others], side="right")
        sizes = np.searchsorted(starts[mine], ends[others], side="left") - firsts
        weights = layout.shares[documents[others]]
        # Once as a unit in a gap, and once, seen from the other annotator, as a gap around it.
        squares = np.where(sizes == 0, 2.0 * lengths[others] ** 2, 0.0)
        theirs = np.repeat(np.arange(len(others)), sizes)
        own = mine[ranges(firsts, sizes)]
        apart = (places[ranks.starts[own]] - places[ranks.starts[others[theirs]]]) ** 2
        apart += (places[ranks.ends[own]] - places[ranks.ends[others[theirs]]]) ** 2
        squares += weighted_counts(theirs, apart, len(others))
        found += weighted_counts(codes[others], squares * weights, len(found))
    return found


def _room(layout: Layout) -> Floats:
    """Give for each unit Σ (g − l + 1) over the gaps of its label that are as long as it."""
    gap_codes, gaps, times = _gaps(layout)
    own_codes, own = layout.codes, layout.lengths
    by_label = _longer(gap_codes, gaps, times, own_codes, own)
    # Every run without a unit of the label is one gap: all runs, less those that have one.
    runs = np.repeat(layout.document_lengths, layout.annotators)
    nowhere = np.zeros(len(runs), dtype=np.int64)
    everywhere = _longer(nowhere, runs, np.ones(len(runs)), np.zeros_like(own_codes), own)
    room: Floats = by_label + everywhere
    return room


def _gaps(layout: Layout) -> tuple[Integers, Floats, Floats]:
    """Give the gaps of runs that have units of a label, and less the runs as a whole.

    The last array counts: 1 for a gap, −1 for a whole run.
    """
    ranks = layout.ranks
    n_runs = len(layout.documents)
    keys = layout.codes * n_runs + layout.runs
    order = np.lexsort((ranks.starts, keys))
    keys, starts, ends = keys[order], ranks.starts[order], ranks.ends[order]
    firsts = np.flatnonzero(np.diff(keys, prepend=-1))
    bounds = np.append(firsts, len(keys))
    parts = keys[firsts]
    documents = layout.documents[parts % n_runs] if len(parts) else parts
    places = ranks.places
    gaps = (
        places[np.insert(starts, bounds[1:], layout.highs[documents])]
        - places[np.insert(ends, bounds[:-1], layout.lows[documents])]
    )
    codes = np.insert(keys, bounds[:-1], parts) // max(n_runs, 1)
    open_ = gaps > 0.0
    return (
        np.concatenate((codes[open_], parts // max(n_runs, 1))),
        np.concatenate((gaps[open_], layout.document_lengths[documents])),
        np.concatenate((np.ones(np.count_nonzero(open_)), np.full(len(parts), -1.0))),
    )


def _longer(
    gap_codes: Integers, gaps: Floats, times: Floats, codes: Integers, lengths: Floats
) -> Floats:
    """Give Σ times·(g − l + 1) over the gaps g ≥ l of the same code, for each length l."""
    both, places = np.unique(np.concatenate((gaps, lengths)), return_inverse=True)
    gap_keys = gap_codes * len(both) + places[: len(gaps)]
    keys = codes * len(both) + places[len(gaps) :]
    order = np.argsort(gap_keys, kind="stable")
    gap_keys, gaps, times = gap_keys[order], gaps[order], times[order]
    numbers = np.concatenate(((0.0,), np.cumsum(times)))
    sums = np.concatenate(((0.0,), np.cumsum(times * (gaps + 1.0))))
    firsts = np.searchsorted(gap_keys, keys, side="left")
    lasts = np.searchsorted(gap_keys, (codes + 1) * len(both), side="left")
    found: Floats = sums[lasts] - sums[firsts] - lengths * (numbers[lasts] - numbers[firsts])
    return found
