"""Krippendorff's α, the public function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.measures.items.coefficients import KrippendorffAlpha
from unisono.measures.items.engine import Work, measured
from unisono.registry import check_setting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.coefficients import MissingPolicy
    from unisono.measures.items.interval import Clusters
    from unisono.measures.items.result import ItemsAgreement
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings

__all__ = ["krippendorff_alpha"]


def krippendorff_alpha(
    ratings: Ratings,
    *,
    distance: str | DistanceMatrix | Callable[[Label, Label], float] = "nominal",
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    by_label: bool | None = None,
    by_pair: bool | None = None,
    clusters: Clusters | None = None,
    confidence: float = 0.95,
) -> ItemsAgreement:
    """Say how much annotators agree on labels beyond chance, by Krippendorff's α.

    1 is perfect agreement, 0 what chance would give, and less than 0 is worse than chance.

    Parameters
    ----------
    ratings
        What the annotators said.
    distance
        How far two labels are apart: ``"nominal"``, ``"ordinal"``, ``"interval"``, ``"ratio"``,
        ``"circular"`` (``"circular:24"`` on a circle of 24), ``"bipolar"`` (``"bipolar:1..7"``),
        ``"edit"``, for sets ``"jaccard"``, ``"dice"`` or ``"masi"``; a `DistanceMatrix`; or a
        function of two labels that gives a number of at least 0.
    missing
        How much the pairs of an item weigh when items differ in how many values they have:
        ``"values"`` is Krippendorff's own, ``"items"``, ``"pairs"``, or ``"remove"`` for items all
        annotators rated [2]_. It moves the disagreement observed.
    order
        All labels from low to high, for ``"ordinal"`` on labels that are no numbers.
    by_label
        Whether to give α for each label, all others taken for one, if the distance is nominal;
        by default up to 1,000 labels.
    by_pair
        Whether to give it for each two annotators; by default up to 30 annotators.
    clusters
        Which cluster each item belongs to, such as the text of a sentence: a mapping from items, or
        one for each item, in the order of `Ratings.items`. The interval then leaves out clusters.
    confidence
        The confidence level of `interval`.

    Returns
    -------
    ItemsAgreement
        α with the disagreements observed and expected, in the units of the distance as they are
        published; NaN with a reason where it is undefined.

    Raises
    ------
    SettingError
        If there is no such distance or policy.
    DataError
        If the distance cannot compare a label.

    Notes
    -----
    α = 1 − D_o/D_e [1]_. D_o is the mean distance of two values of the same item. D_e is that of
    any two of the n values that have a partner, Σ n_c·n_k·δ_ck / (n(n − 1)). Items with fewer than
    two values are left out entirely.

    Distances by numbers take one pass over the values, whatever their number: interval and ordinal
    by means and variances, circular by the mean direction, ratio and bipolar on a logarithmic
    scale. The distance of sets, texts, or by a function of V different labels takes up to V²/2
    comparisons for D_e; no table of them is kept when V is large.

    References
    ----------
    .. [1] Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability. Departmental papers
       (ASC), University of Pennsylvania.
    .. [2] Mathet, Y. (2017). The agreement measure γcat a complement to γ focused on categorization
       of a continuum. Computational Linguistics 43(3), section 3.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix(
    ...     [
    ...         [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    ...         [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    ...         [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    ...         [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ...     ]
    ... )
    >>> alpha = un.krippendorff_alpha(ratings)
    >>> f"{alpha:.3f}", f"{alpha.observed:.3f}", f"{alpha.expected:.3f}"
    ('0.743', '0.200', '0.779')
    >>> f"{un.krippendorff_alpha(ratings, distance='ordinal'):.3f}"
    '0.815'
    """
    coefficient = KrippendorffAlpha(distance=distance, missing=missing, order=order)
    check_setting("confidence", confidence)
    work = Work(ratings, clusters)
    return measured(coefficient, work, by_label=by_label, by_pair=by_pair, confidence=confidence)
