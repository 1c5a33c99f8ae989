"""How far a coefficient would move with other items: standard errors by formula."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from unisono.measures.items.parts import Influence, Prepared
    from unisono.model.arrays import Floats
    from unisono.model.ratings import Ratings

__all__ = ["Kind", "standard_error"]

Kind: TypeAlias = Literal["percent", "pairwise", "alpha"]


def standard_error(
    prepared: Prepared, ratings: Ratings, *, kind: Kind, missing: str
) -> float | None:
    """Estimate the standard deviation of a coefficient over samples of items.

    Parameters
    ----------
    prepared
        The coefficient, ready for these ratings.
    ratings
        The ratings it was made ready for.
    kind
        ``"percent"`` for agreement without chance, ``"alpha"`` for Krippendorff's α, and
        ``"pairwise"`` for the other coefficients.
    missing
        The policy for missing values.

    Returns
    -------
    float or None
        None where there is no value, or there are fewer than two items to compare.

    Notes
    -----
    Items are a sample of many (no finite population), annotators are fixed. To each item belongs
    a linearised value: its influence on the coefficient. The variance is Σ influence² / (n (n − 1))
    over the n items [1]_. With every value present this is Gwet's formula for percent
    agreement, Scott's π, Fleiss' K, Cohen's and Conger's κ, the Brennan–Prediger coefficient and
    AC1/AC2, and under the policy ``items`` his formula for missing values as well: an item with one
    value counts in n, and the number of items with a pair is taken as fixed, which makes the error
    a little larger than resamples show. His formula for α linearises the α without its correction
    for small samples. Other policies have no formula in the literature; there the influence is the
    derivative of the coefficient.

    References
    ----------
    .. [1] Gwet, K. L. (2014). Handbook of inter-rater reliability (4th ed.). Advanced Analytics.

    Examples
    --------
    >>> import unisono as un
    >>> table = [[1, 2, 3, 3, 2, 1, 4, 1, 2], [1, 2, 3, 3, 2, 2, 4, 1, 2]]
    >>> un.gwet_ac(un.Ratings.from_matrix(table)).standard_error
    0.1449...
    """
    times = ratings.times.astype(np.float64)
    value = float(prepared.parts(times).value)
    influence = prepared.influence(times)
    sizes = np.diff(ratings.offsets)
    n_items = float(times.sum())
    compared = sizes == ratings.n_annotators if missing == "remove" else sizes >= 2
    n_compared = float(times[compared].sum())
    if n_compared < 2.0:
        return None
    if kind == "alpha" and missing == "values":
        moves = _alpha_moves(prepared, ratings, influence)
        variance = times[compared] @ moves[compared] ** 2 / (n_compared * (n_compared - 1.0))
    elif kind != "alpha" and missing == "items":
        # Gwet's value of an item is 0 without a pair, and n/n′ times its own otherwise.
        moves = influence.value + value * (np.where(compared, n_items / n_compared, 0.0) - 1.0)
        variance = times @ moves**2 / (n_items * (n_items - 1.0))
    else:
        correction = n_compared / (n_compared - 1.0)
        variance = times @ influence.value**2 / n_items**2 * correction
    return math.sqrt(variance) if math.isfinite(variance) else None


def _alpha_moves(prepared: Prepared, ratings: Ratings, influence: Influence) -> Floats:
    """Linearise α for each row with a pair, as irrCAC 1.0 does after Gwet (2014)."""
    times = ratings.times.astype(np.float64)
    sizes = np.diff(ratings.offsets).astype(np.float64)
    compared = sizes >= 2
    n_values = float(times[compared] @ sizes[compared])
    n_compared = float(times[compared].sum())
    parts = prepared.parts(times)
    # Squares of distances that are squares themselves: scaled by a power of two, which is exact.
    scale = 2.0 ** -math.frexp(float(parts.expected))[1]
    observed = float(parts.observed) * scale
    # Without the correction n/(n − 1) that α's expected disagreement has for n values.
    expected = float(parts.expected) * scale * (n_values - 1.0) / n_values
    # Among items with a pair only: they are the sample.
    among = n_compared / float(times.sum())
    more_values = sizes * n_compared / n_values - 1.0
    to_observed = among * (influence.observed * scale)
    to_expected = (
        among * (influence.expected * scale)
        + expected * n_values * more_values / (n_values - 1.0) ** 2
    ) * ((n_values - 1.0) / n_values)
    moves = observed * to_expected / expected**2 - to_observed / expected
    # That release weighs an item's number of values by the agreement with the correction for small
    # samples; later ones of the R package take the agreement without it.
    return moves - observed * more_values / (n_values * expected)
