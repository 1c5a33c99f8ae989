"""Coefficients whose chance follows how often labels were given: κ and π."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unisono.measures.items.coefficient import MeanOfPairs, Met
from unisono.measures.items.disagreement import OfEachAnnotator, WithReplacement
from unisono.measures.items.measuring import measured
from unisono.measures.items.missing import annotator_weights, pairable, value_weights
from unisono.measures.items.pairwise import Pairwise
from unisono.measures.items.preparing import Corrected
from unisono.measures.items.rows import RowSums, numbered
from unisono.measures.items.work import Work
from unisono.results.wording import count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.items_result import ItemsAgreement
    from unisono.measures.items.metrics import Metric
    from unisono.measures.items.missing import MissingPolicy
    from unisono.measures.items.rows import Rows
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings

__all__ = [
    "CohenKappa",
    "CongerKappa",
    "FleissKappa",
    "ScottPi",
    "cohen_kappa",
    "conger_kappa",
    "fleiss_kappa",
    "scott_pi",
]

_ANONYMOUS = "the ratings come from counts, which do not tell who gave which label"


def cohen_kappa(
    ratings: Ratings,
    *,
    weights: str | DistanceMatrix | Callable[[Label, Label], float] | None = None,
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    by_label: bool | None = None,
    by_pair: bool | None = None,
) -> ItemsAgreement:
    """Say how much two annotators agree beyond chance, each with their own habits, by Cohen's κ.

    For three annotators and more it is the mean over all pairs who share an item, Light's κ.

    Parameters
    ----------
    ratings
        What the annotators said. Labels may be anything, and as many as there are items (Komen's
        κ for an open set of labels): no table of labels by labels is ever made.
    weights
        What a disagreement costs, from 0 to 1; by default every one costs 1. ``"linear"`` and
        ``"quadratic"`` go by the ranks of the labels; every name of a label distance, a
        `DistanceMatrix` and a function of two labels are possible too.
    missing
        For two annotators, and for three and more with all policies but one, the items that both
        of a pair rated count. ``"remove"`` keeps those that all annotators rated.
    order
        All labels from low to high, also those nobody used; for weights by rank on labels that
        are no numbers.
    by_label
        Whether to give κ for each label, all others taken for one, if there are no weights; the
        mean over the pairs in which it has a value. By default up to 1,000 labels.
    by_pair
        Whether to give it for each two annotators; by default up to 30 annotators.

    Returns
    -------
    ItemsAgreement
        κ with the disagreements observed and expected; NaN with a reason where it is undefined. Of
        three annotators and more all three are means over pairs.

    Raises
    ------
    SettingError
        If there are no such weights or policy.
    DataError
        If the weights do not cover a label, or need an order.

    Notes
    -----
    κ = 1 − Σ δ_ck·p_ck / Σ δ_ck·p_c·p_k, with p_ck the share of items that the first labelled c and
    the second k, and δ_ck the cost of that [1]_ [2]_; Light (1971) [3]_ takes the mean. The ranks
    for ``"linear"``, |i − j|/(q − 1), and ``"quadratic"``, its square, are those of all labels of
    the ratings, or of `order`. The set of labels is the union of those seen, counted in one pass
    over the items and one over the labels [4]_.

    References
    ----------
    .. [1] Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and
       Psychological Measurement 20(1).
    .. [2] Cohen, J. (1968). Weighted kappa: nominal scale agreement with provision for scaled
       disagreement or partial credit. Psychological Bulletin 70(4).
    .. [3] Light, R. J. (1971). Measures of response agreement for qualitative data: some
       generalizations and alternatives. Psychological Bulletin 76(5).
    .. [4] Komen, E. R. (2009). Measuring annotation agreement with an open category set.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix(
    ...     {"john": [0, 13, 23, 0, 0, 13, 0, 62, 0, 0], "mary": [0, 13, 0, 0, 0, 0, 0, 0, 13, 0]}
    ... )
    >>> f"{un.cohen_kappa(ratings):.4f}"
    '0.1667'
    >>> scores = un.Ratings.from_matrix([[1, 2, 3, 3], [1, 3, 3, 2]])
    >>> f"{un.cohen_kappa(scores, weights='quadratic'):.4f}"
    '0.6364'
    """
    coefficient = Pairwise(formula=CohenKappa(), weights=weights, missing=missing, order=order)
    return measured(coefficient, Work(ratings), by_label=by_label, by_pair=by_pair)


def scott_pi(
    ratings: Ratings,
    *,
    missing: MissingPolicy = "values",
    by_label: bool | None = None,
    by_pair: bool | None = None,
) -> ItemsAgreement:
    """Say how much two annotators agree beyond chance, as if their habits were one, by Scott's π.

    Parameters
    ----------
    ratings
        What the two annotators said; for more than two it is `fleiss_kappa`.
    missing
        Which items count when one of the two has no value; the first three policies leave such
        items out of what is observed, and ``"items"`` counts them by chance (see `fleiss_kappa`).
    by_label
        Whether to give π for each label, all others taken for one; by default up to 1,000 labels.
    by_pair
        Whether to give it for the pair.

    Returns
    -------
    ItemsAgreement
        π with the disagreements observed and expected; NaN with a reason where it is undefined.

    Raises
    ------
    SettingError
        If there is no such policy.

    Notes
    -----
    π = 1 − D_o/D_e with D_e = 1 − Σ p_c², p_c the share of label c among the values of both [1]_.

    References
    ----------
    .. [1] Scott, W. A. (1955). Reliability of content analysis: the case of nominal scale coding.
       Public Opinion Quarterly 19(3).

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix([["a", "b", "b", "b"], ["a", "b", "a", "b"]])
    >>> f"{un.scott_pi(ratings):.4f}"
    '0.4667'
    """
    coefficient = Pairwise(formula=ScottPi(), missing=missing)
    return measured(coefficient, Work(ratings), by_label=by_label, by_pair=by_pair)


def fleiss_kappa(
    ratings: Ratings,
    *,
    missing: MissingPolicy = "values",
    by_label: bool | None = None,
    by_pair: bool | None = None,
) -> ItemsAgreement:
    """Say how much annotators agree beyond chance, as if all had the same habits, by Fleiss' κ.

    Also known as multi-π and as Siegel and Castellan's K; for two annotators it is Scott's π.

    Parameters
    ----------
    ratings
        What the annotators said; counts will do.
    missing
        How much the pairs of an item weigh when items differ in how many values they have:
        ``"values"``, ``"items"`` (Gwet's own, to be taken for his published values), ``"pairs"``,
        or ``"remove"`` for items all annotators rated.
    by_label
        Whether to give κ for each label, all others taken for one; by default up to 1,000 labels.
    by_pair
        Whether to give it for each two annotators; by default up to 30 annotators.

    Returns
    -------
    ItemsAgreement
        κ with the disagreements observed and expected; NaN with a reason where it is undefined.

    Raises
    ------
    SettingError
        If there is no such policy.

    Notes
    -----
    κ = 1 − D_o/D_e with D_e = 1 − Σ p_c² [1]_ [2]_. p_c is the share of label c among the values
    that have a partner; under the policy ``"items"`` it is the mean over all items of the share
    that c has in each, and items with a single value count there [3]_.

    References
    ----------
    .. [1] Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological
       Bulletin 76(5).
    .. [2] Siegel, S., & Castellan, N. J. (1988). Nonparametric statistics for the behavioral
       sciences (2nd ed.). McGraw-Hill.
    .. [3] Gwet, K. L. (2014). Handbook of inter-rater reliability (4th ed.). Advanced Analytics.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_counts([[3, 0], [1, 2], [0, 3]], labels=("yes", "no"))
    >>> f"{un.fleiss_kappa(ratings):.4f}"
    '0.5500'
    """
    coefficient = Pairwise(formula=FleissKappa(), missing=missing)
    return measured(coefficient, Work(ratings), by_label=by_label, by_pair=by_pair)


def conger_kappa(
    ratings: Ratings,
    *,
    weights: str | DistanceMatrix | Callable[[Label, Label], float] | None = None,
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    by_label: bool | None = None,
    by_pair: bool | None = None,
) -> ItemsAgreement:
    """Say how much annotators agree beyond chance, each with their own habits, by Conger's κ.

    Also known as multi-κ; without missing values it is Hubert's κ, and with weights Artstein and
    Poesio's Beta. For two annotators without missing values it is Cohen's κ.

    Parameters
    ----------
    ratings
        What the annotators said.
    weights
        What a disagreement costs, from 0 to 1; by default every one costs 1. ``"linear"`` and
        ``"quadratic"`` go by the ranks of the labels; every name of a label distance, a
        `DistanceMatrix` and a function of two labels are possible too.
    missing
        How much the pairs of an item weigh when items differ in how many values they have:
        ``"values"``, ``"items"`` (Gwet's own, to be taken for his published values), ``"pairs"``,
        or ``"remove"`` for items all annotators rated.
    order
        All labels from low to high, also those nobody used; for weights by rank on labels that
        are no numbers.
    by_label
        Whether to give κ for each label, all others taken for one, if there are no weights; by
        default up to 1,000 labels.
    by_pair
        Whether to give it for each two annotators; by default up to 30 annotators.

    Returns
    -------
    ItemsAgreement
        κ with the disagreements observed and expected; NaN with a reason where it is undefined.

    Raises
    ------
    SettingError
        If there are no such weights or policy.
    DataError
        If the weights do not cover a label, or need an order.

    Notes
    -----
    κ = 1 − D_o/D_e. D_e is the mean over all pairs of annotators of Σ δ_ck·p_gc·p_hk, with p_gc the
    share of label c among the values of annotator g [1]_ [2]_ [3]_: among those that have a
    partner, and under the policy ``"items"`` among all. Every pair counts alike, whether or not the
    two share an item, as in Gwet's programs; annotators who rated nothing do not count.

    References
    ----------
    .. [1] Conger, A. J. (1980). Integration and generalization of kappas for multiple raters.
       Psychological Bulletin 88(2).
    .. [2] Hubert, L. (1977). Kappa revisited. Psychological Bulletin 84(2).
    .. [3] Artstein, R., & Poesio, M. (2008). Inter-coder agreement for computational linguistics.
       Computational Linguistics 34(4).

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix([list("aabb"), list("aabb"), list("abab")])
    >>> f"{un.conger_kappa(ratings):.4f}"
    '0.3333'
    """
    coefficient = Pairwise(formula=CongerKappa(), weights=weights, missing=missing, order=order)
    return measured(coefficient, Work(ratings), by_label=by_label, by_pair=by_pair)


class CohenKappa:
    """Chance of two annotators with their own habits; the mean over pairs."""

    name = "cohen_kappa"
    settings: tuple[str, ...] = ("weights", "missing", "order")

    def refusal(self, coefficient: Pairwise, work: Work) -> str | None:  # noqa: ARG002
        """Say why it does not apply to these ratings."""
        return _ANONYMOUS if work.rows.anonymous else None

    def on(self, coefficient: Pairwise, rows: Rows, metric: Metric) -> MeanOfPairs:
        """Make it ready for rows."""
        met = Met(rows, pairable(rows, coefficient.missing))
        return MeanOfPairs(rows.n_rows, met, metric, len(coefficient.scale(rows.labels)))


class FleissKappa:
    """Chance of annotators with the same habits."""

    name = "fleiss_kappa"
    settings: tuple[str, ...] = ("missing",)

    def refusal(self, coefficient: Pairwise, work: Work) -> str | None:  # noqa: ARG002
        """Say why it does not apply to these ratings."""
        return None

    def on(self, coefficient: Pairwise, rows: Rows, metric: Metric) -> Corrected:
        """Make it ready for rows."""
        weights = value_weights(rows, coefficient.missing)
        sums = RowSums(rows, rows.label_codes, len(rows.labels), weights)
        return Corrected(coefficient.found(rows, metric), sums, WithReplacement(metric))


class ScottPi(FleissKappa):
    """The same for two annotators."""

    name = "scott_pi"

    def refusal(self, coefficient: Pairwise, work: Work) -> str | None:  # noqa: ARG002
        """Say why it does not apply to these ratings."""
        if work.n_rating == 2:
            return None
        told = count(work.n_rating, "annotator")
        return f"Scott's π is for two annotators, and here are {told}; fleiss_kappa is for more"


class CongerKappa:
    """Chance of any number of annotators with their own habits."""

    name = "conger_kappa"
    settings: tuple[str, ...] = ("weights", "missing", "order")

    def refusal(self, coefficient: Pairwise, work: Work) -> str | None:  # noqa: ARG002
        """Say why it does not apply to these ratings."""
        return _ANONYMOUS if work.rows.anonymous else None

    def on(self, coefficient: Pairwise, rows: Rows, metric: Metric) -> Corrected:
        """Make it ready for rows."""
        n_labels = len(coefficient.scale(rows.labels))
        keys = rows.annotator_codes.astype(np.int64) * n_labels + rows.label_codes
        used, columns = numbered(keys, rows.n_annotators * n_labels)
        annotators, labels = np.divmod(used, n_labels)
        weights = annotator_weights(rows, coefficient.missing)
        sums = RowSums(rows, columns, len(used), weights)
        chance = OfEachAnnotator(metric, annotators, labels, rows.n_annotators, n_labels)
        return Corrected(coefficient.found(rows, metric), sums, chance)
