"""Public function for Krippendorff's α."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.measures.data import of_ratings
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


@of_ratings
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
    """Krippendorff's α, chance-corrected agreement on labels for any number of annotators.

    1 is perfect agreement, 0 is agreement at chance level, and a value below 0 is worse than
    chance.

    Parameters
    ----------
    ratings
        The ratings.
    distance
        The distance between two labels: ``"nominal"``, ``"ordinal"``, ``"interval"``, ``"ratio"``,
        ``"circular"`` (``"circular:24"`` on a circle of 24), ``"bipolar"`` (``"bipolar:1..7"``),
        ``"edit"``, for sets ``"jaccard"``, ``"dice"`` or ``"masi"``; a `DistanceMatrix`; or a
        function of two labels that returns a number of at least 0.
    missing
        The weight of the pairs of an item when items differ in their number of values:
        ``"values"`` (Krippendorff's choice), ``"items"``, ``"pairs"``, or ``"remove"`` to keep only
        items that all annotators rated [2]_. The observed disagreement depends on it.
    order
        All labels from low to high, for ``"ordinal"`` on labels that are not numbers.
    by_label
        Whether to compute α for each label, all other labels merged, if the distance is nominal;
        by default for up to 1,000 labels.
    by_pair
        Whether to compute it for each pair of annotators; by default for up to 30 annotators.
    clusters
        The cluster of each item, such as the text that a sentence is from: a mapping from items to
        clusters, or a sequence with one cluster per item, in the order of `Ratings.items`. The
        jackknife then leaves out clusters instead of items.
    confidence
        The confidence level of `interval`.

    Returns
    -------
    ItemsAgreement
        α with the observed and expected disagreement, in the units of the published distance; NaN
        with a reason where it is undefined.

    Raises
    ------
    SettingError
        If the distance or the policy is unknown.
    DataError
        If the distance cannot compare a label.

    Notes
    -----
    α = 1 − D_o/D_e [1]_. D_o is the mean distance of two values of the same item. D_e is the mean
    distance of any two of the n pairable values, Σ n_c·n_k·δ_ck / (n(n − 1)). Items with fewer
    than two values are left out entirely.

    Numeric distances take one pass over the values: interval and ordinal use means and variances,
    circular the mean direction, ratio and bipolar a logarithmic scale. For V different labels,
    distances between sets or texts and custom functions need up to V²/2 comparisons for D_e; for
    large V the comparisons are not stored in a table.

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
