"""Long documents in bins: how much of each bin is covered, and with which label most."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.model.continuum import Continuum

__all__ = ["binned"]

N_BINS = 240


class Binned(NamedTuple):
    """What annotators marked in each bin; a row an annotator, a column a bin."""

    edges: NDArray[np.float64]
    codes: NDArray[np.int64]
    """Code of the label that covers most."""
    shares: NDArray[np.float64]
    """The length of units in the bin as a share of its width, 1 at most."""

    @property
    def width(self) -> float:
        """Of a bin."""
        return float(self.edges[1] - self.edges[0])


def binned(continuum: Continuum, window: tuple[float, float], *, bins: int = N_BINS) -> Binned:
    """Count what is covered in each bin of a window.

    Parameters
    ----------
    continuum
        The document.
    window
        From where to where.
    bins
        How many.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts.binning import binned
    >>> text = un.Continuum.from_units([("ann", 0, 6, "A"), ("ann", 6, 10, "B")])
    >>> found = binned(text, (0, 20), bins=4)
    >>> found.codes[0, :2].tolist(), found.shares[0].tolist()
    ([0, 1], [1.0, 1.0, 0.0, 0.0])
    """
    low, high = window
    edges = np.linspace(low, high if high > low else low + 1.0, bins + 1)
    width = float(edges[1] - edges[0])
    n = len(continuum.annotators)
    codes = np.zeros((n, bins), dtype=np.int64)
    shares = np.zeros((n, bins))
    for at in range(n):
        rows = slice(int(continuum.offsets[at]), int(continuum.offsets[at + 1]))
        starts, ends = continuum.starts[rows], continuum.ends[rows]
        # A point covers nothing, but must be seen: it counts as a hundredth of a bin.
        ends = np.maximum(ends, starts + width / 100.0)
        found = continuum.label_codes[rows]
        most = np.zeros(bins)
        for code in np.unique(found).tolist():
            own = found == code
            length = covered(starts[own], ends[own], edges)
            codes[at] = np.where(length > most, code, codes[at])
            most = np.maximum(most, length)
            shares[at] += length / width
    return Binned(edges, codes, np.minimum(shares, 1.0))


def covered(
    starts: NDArray[np.float64], ends: NDArray[np.float64], edges: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Give the length that units cover in each bin; units that overlap count each.

    Parameters
    ----------
    starts, ends
        The units.
    edges
        Of the bins, one more than there are bins.

    Notes
    -----
    The length before a place t is Σ max(t − start, 0) − Σ max(t − end, 0), and each of the sums
    follows from sorted bounds and their running sums.

    Examples
    --------
    >>> import numpy as np
    >>> from unisono.charts.binning import covered
    >>> covered(np.array([1.0, 2.0]), np.array([4.0, 9.0]), np.array([0.0, 5.0, 10.0])).tolist()
    [6.0, 4.0]
    """
    # Differences of large sums may fall a rounding below 0.
    return np.maximum(np.diff(_passed(starts, edges) - _passed(ends, edges)), 0.0)


def _passed(bounds: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.float64]:
    ordered = np.sort(bounds)
    sums = np.concatenate(([0.0], np.cumsum(ordered)))
    n = np.searchsorted(ordered, edges)
    return np.asarray(edges * n - sums[n])
