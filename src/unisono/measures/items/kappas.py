"""Public functions for percent agreement and for the coefficients of the κ family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.measures.data import of_ratings
from unisono.measures.items.coefficients import (
    BennettS,
    CohenKappa,
    CongerKappa,
    FleissKappa,
    GwetAC,
    PercentAgreement,
    ScottPi,
)
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

__all__ = [
    "bennett_s",
    "cohen_kappa",
    "conger_kappa",
    "fleiss_kappa",
    "gwet_ac",
    "percent_agreement",
    "scott_pi",
]


@of_ratings
def percent_agreement(
    ratings: Ratings,
    *,
    missing: MissingPolicy = "values",
    by_label: bool | None = None,
    by_pair: bool | None = None,
    clusters: Clusters | None = None,
    confidence: float = 0.95,
) -> ItemsAgreement:
    """Percent agreement, the observed agreement without a correction for chance.

    Parameters
    ----------
    ratings
        The ratings.
    missing
        The weight of the pairs of an item when items differ in their number of values:
        ``"values"``, ``"items"``, ``"pairs"``, or ``"remove"`` to keep only items
        that all annotators rated [1]_.
    by_label
        Whether to compute the proportion for each label, all other labels merged; by default up to
        1,000 labels.
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
        The proportion of agreeing pairs, from 0 to 1; `expected` is NaN.

    Raises
    ------
    SettingError
        If the policy is unknown.

    Notes
    -----
    The mean over all pairs of values of the same item, weighted by the policy. It is not corrected
    for chance and is high wherever one label is frequent; report a chance-corrected coefficient
    as well.

    References
    ----------
    .. [1] Mathet, Y. (2017). The agreement measure γcat a complement to γ focused on categorization
       of a continuum. Computational Linguistics 43(3), section 3.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix([["a", "b", "b"], ["a", "b", "a"], ["a", None, "a"]])
    >>> un.percent_agreement(ratings).value
    0.75
    >>> un.percent_agreement(ratings, missing="pairs").value
    0.7142857142857143
    """
    coefficient = PercentAgreement(missing=missing)
    check_setting("confidence", confidence)
    work = Work(ratings, clusters)
    return measured(coefficient, work, by_label=by_label, by_pair=by_pair, confidence=confidence)


@of_ratings
def cohen_kappa(
    ratings: Ratings,
    *,
    weights: str | DistanceMatrix | Callable[[Label, Label], float] | None = None,
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    by_label: bool | None = None,
    by_pair: bool | None = None,
    clusters: Clusters | None = None,
    confidence: float = 0.95,
) -> ItemsAgreement:
    """Cohen's κ, chance-corrected agreement of two annotators with separate label distributions.

    For three or more annotators it is Light's κ, the mean over all pairs that share an item.

    Parameters
    ----------
    ratings
        The ratings. Labels may be of any kind, and as many as there are items (Komen's κ for an
        open set of labels): no labels × labels table is ever built.
    weights
        The cost of a disagreement, from 0 to 1; by default each costs 1. ``"linear"`` and
        ``"quadratic"`` use the ranks of the labels; the name of a label distance, a
        `DistanceMatrix` and a function of two labels are accepted too.
    missing
        ``"remove"`` keeps only items that all annotators rated. With every other policy, and for
        two annotators, the items that both annotators of a pair rated are used.
    order
        All labels from low to high, including unused ones; required for rank weights on labels
        that are not numbers.
    by_label
        Whether to compute κ for each label, all other labels merged, if there are no weights: the
        mean over the pairs for which it is defined. By default for up to 1,000 labels.
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
        κ with the observed and expected disagreement; NaN with a reason where it is undefined. For
        three or more annotators all three numbers are means over pairs.

    Raises
    ------
    SettingError
        If the weights or the policy are unknown.
    DataError
        If the weights do not cover a label, or if they need an order that is not given.

    Notes
    -----
    κ = 1 − Σ δ_ck·p_ck / Σ δ_ck·p_c·p_k, with p_ck the proportion of items that the first annotator
    labelled c and the second k, and δ_ck the cost of that [1]_ [2]_; Light (1971) [3]_ takes the
    mean. The ranks in ``"linear"``, |i − j|/(q − 1), and in ``"quadratic"``, its square, are those
    of all labels of the ratings, or of `order`. The set of labels is the union of the labels in
    use, counted in one pass over the items and one over the labels [4]_.

    References
    ----------
    .. [1] Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and
       Psychological Measurement 20(1).
    .. [2] Cohen, J. (1968). Weighted kappa: nominal scale agreement with provision for scaled
       disagreement or partial credit. Psychological Bulletin 70(4).
    .. [3] Light, R. J. (1971). Measures of response agreement for qualitative data: some
       generalizations and alternatives. Psychological Bulletin 76(5).
    .. [4] Komen, E. R. (2009). A fast general purpose procedure to calculate inter-rater agreement
       for coreference annotation. Radboud University Nijmegen. hdl:2066/79408.

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
    coefficient = CohenKappa(weights=weights, missing=missing, order=order)
    check_setting("confidence", confidence)
    work = Work(ratings, clusters)
    return measured(coefficient, work, by_label=by_label, by_pair=by_pair, confidence=confidence)


@of_ratings
def scott_pi(
    ratings: Ratings,
    *,
    missing: MissingPolicy = "values",
    by_label: bool | None = None,
    by_pair: bool | None = None,
    clusters: Clusters | None = None,
    confidence: float = 0.95,
) -> ItemsAgreement:
    """Scott's π, chance-corrected agreement of two annotators with a pooled label distribution.

    Parameters
    ----------
    ratings
        The ratings of two annotators; use `fleiss_kappa` for more than two.
    missing
        How items with a single value are used: ``"values"``, ``"items"``, ``"pairs"`` and
        ``"remove"`` leave them out of the observed disagreement; ``"items"`` includes them in the
        expected disagreement (see `fleiss_kappa`).
    by_label
        Whether to compute π for each label, all other labels merged; by default for up to 1,000
        labels.
    by_pair
        Whether to compute it for the pair of annotators.
    clusters
        The cluster of each item, such as the text that a sentence is from: a mapping from items to
        clusters, or a sequence with one cluster per item, in the order of `Ratings.items`. The
        jackknife then leaves out clusters instead of items.
    confidence
        The confidence level of `interval`.

    Returns
    -------
    ItemsAgreement
        π with the observed and expected disagreement; NaN with a reason where it is undefined.

    Raises
    ------
    SettingError
        If the policy is unknown.

    Notes
    -----
    π = 1 − D_o/D_e with D_e = 1 − Σ p_c², p_c the proportion of label c among the values of
    both [1]_.

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
    coefficient = ScottPi(missing=missing)
    check_setting("confidence", confidence)
    work = Work(ratings, clusters)
    return measured(coefficient, work, by_label=by_label, by_pair=by_pair, confidence=confidence)


@of_ratings
def fleiss_kappa(
    ratings: Ratings,
    *,
    missing: MissingPolicy = "values",
    by_label: bool | None = None,
    by_pair: bool | None = None,
    clusters: Clusters | None = None,
    confidence: float = 0.95,
) -> ItemsAgreement:
    """Fleiss' κ, chance-corrected agreement of annotators with a pooled label distribution.

    Also known as multi-π and as Siegel and Castellan's K; for two annotators it is Scott's π.

    Parameters
    ----------
    ratings
        The ratings, with or without the identity of the annotators.
    missing
        The weight of the pairs of an item when items differ in their number of values:
        ``"values"``, ``"items"`` (Gwet's choice; use it to reproduce his published values),
        ``"pairs"``, or ``"remove"`` to keep only items that all annotators rated.
    by_label
        Whether to compute κ for each label, all other labels merged; by default for up to 1,000
        labels.
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
        κ with the observed and expected disagreement; NaN with a reason where it is undefined.

    Raises
    ------
    SettingError
        If the policy is unknown.

    Notes
    -----
    κ = 1 − D_o/D_e with D_e = 1 − Σ p_c² [1]_ [2]_. p_c is the proportion of label c among the
    values of items with two values or more; under the policy ``"items"`` it is the mean over all
    items of the proportion of c in each, including items with a single value [3]_.

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
    coefficient = FleissKappa(missing=missing)
    check_setting("confidence", confidence)
    work = Work(ratings, clusters)
    return measured(coefficient, work, by_label=by_label, by_pair=by_pair, confidence=confidence)


@of_ratings
def conger_kappa(
    ratings: Ratings,
    *,
    weights: str | DistanceMatrix | Callable[[Label, Label], float] | None = None,
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    by_label: bool | None = None,
    by_pair: bool | None = None,
    clusters: Clusters | None = None,
    confidence: float = 0.95,
) -> ItemsAgreement:
    """Conger's κ, chance-corrected agreement of annotators with separate label distributions.

    Also known as multi-κ; without missing values it is Hubert's κ, and with weights Artstein and
    Poesio's Beta. For two annotators without missing values it is Cohen's κ.

    Parameters
    ----------
    ratings
        The ratings.
    weights
        The cost of a disagreement, from 0 to 1; by default each costs 1. ``"linear"`` and
        ``"quadratic"`` use the ranks of the labels; the name of a label distance, a
        `DistanceMatrix` and a function of two labels are accepted too.
    missing
        The weight of the pairs of an item when items differ in their number of values:
        ``"values"``, ``"items"`` (Gwet's choice; use it to reproduce his published values),
        ``"pairs"``, or ``"remove"`` to keep only items that all annotators rated.
    order
        All labels from low to high, including unused ones; required for rank weights on labels
        that are not numbers.
    by_label
        Whether to compute κ for each label, all other labels merged, if there are no weights; by
        default up to 1,000 labels.
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
        κ with the observed and expected disagreement; NaN with a reason where it is undefined.

    Raises
    ------
    SettingError
        If the weights or the policy are unknown.
    DataError
        If the weights do not cover a label, or if they need an order that is not given.

    Notes
    -----
    κ = 1 − D_o/D_e. D_e is the mean over all pairs of annotators of Σ δ_ck·p_gc·p_hk, with p_gc the
    proportion of label c among the values of annotator g [1]_ [2]_ [3]_: the values of items with
    two values or more, or all values under the policy ``"items"``. All pairs have the same weight,
    whether or not they share an item, as in Gwet's programs; annotators without ratings are
    ignored.

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
    coefficient = CongerKappa(weights=weights, missing=missing, order=order)
    check_setting("confidence", confidence)
    work = Work(ratings, clusters)
    return measured(coefficient, work, by_label=by_label, by_pair=by_pair, confidence=confidence)


@of_ratings
def bennett_s(
    ratings: Ratings,
    *,
    weights: str | DistanceMatrix | Callable[[Label, Label], float] | None = None,
    categories: int | None = None,
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    by_label: bool | None = None,
    by_pair: bool | None = None,
    clusters: Clusters | None = None,
    confidence: float = 0.95,
) -> ItemsAgreement:
    """Bennett's S, chance-corrected agreement with all categories equally likely by chance.

    Also known as the G index, Randolph's free-marginal κ (any number of annotators) and, with
    weights, the coefficient of Brennan and Prediger.

    Parameters
    ----------
    ratings
        The ratings.
    weights
        The cost of a disagreement, from 0 to 1; by default each costs 1. ``"linear"`` and
        ``"quadratic"`` use the ranks of the labels; the name of a label distance, a
        `DistanceMatrix` and a function of two labels are accepted too.
    categories
        The number of categories that annotators could choose from; by default that of the labels
        in use, or of `order`. The value depends on it.
    missing
        The weight of the pairs of an item when items differ in their number of values:
        ``"values"``, ``"items"`` (Gwet's choice), ``"pairs"``, or ``"remove"`` to keep
        only items that all annotators rated.
    order
        All labels from low to high, including unused ones; required for rank weights on labels
        that are not numbers.
    by_label
        Whether to compute S for each label, all other labels merged (two categories), if there are
        no weights; by default for up to 1,000 labels.
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
        S with the observed and expected disagreement; NaN with a reason where it is undefined.

    Raises
    ------
    SettingError
        If the weights or the policy are unknown, or if weights are combined with a number of
        categories instead of a list of labels.
    DataError
        If the weights do not cover a label, or if there are more labels than categories.

    Notes
    -----
    S = 1 − D_o/D_e with D_e = 1 − 1/q for q categories [1]_ [2]_ [3]_, and with weights the mean
    cost of two categories drawn at random, Σ δ_ck/q² [4]_.

    References
    ----------
    .. [1] Bennett, E. M., Alpert, R., & Goldstein, A. C. (1954). Communications through limited
       response questioning. Public Opinion Quarterly 18(3).
    .. [2] Brennan, R. L., & Prediger, D. J. (1981). Coefficient kappa: some uses, misuses, and
       alternatives. Educational and Psychological Measurement 41(3).
    .. [3] Randolph, J. J. (2005). Free-marginal multirater kappa. Joensuu Learning and Instruction
       Symposium.
    .. [4] Gwet, K. L. (2014). Handbook of inter-rater reliability (4th ed.). Advanced Analytics.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix([list("YYYY"), list("YYYY"), list("YNNY")])
    >>> f"{un.bennett_s(ratings):.2f}"
    '0.33'
    >>> f"{un.bennett_s(ratings, categories=4):.2f}"
    '0.56'
    """
    coefficient = BennettS(weights=weights, categories=categories, missing=missing, order=order)
    check_setting("confidence", confidence)
    work = Work(ratings, clusters)
    return measured(coefficient, work, by_label=by_label, by_pair=by_pair, confidence=confidence)


@of_ratings
def gwet_ac(
    ratings: Ratings,
    *,
    weights: str | DistanceMatrix | Callable[[Label, Label], float] | None = None,
    categories: int | None = None,
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    by_label: bool | None = None,
    by_pair: bool | None = None,
    clusters: Clusters | None = None,
    confidence: float = 0.95,
) -> ItemsAgreement:
    """Gwet's AC1, or AC2 with weights, agreement corrected for chance on hard items.

    Parameters
    ----------
    ratings
        The ratings.
    weights
        The cost of a disagreement, from 0 to 1; by default each costs 1 (AC1). ``"linear"`` and
        ``"quadratic"`` use the ranks of the labels; the name of a label distance, a
        `DistanceMatrix` and a function of two labels are accepted too (AC2).
    categories
        The number of categories that annotators could choose from; by default that of the labels
        in use, or of `order`. The value depends on it.
    missing
        The weight of the pairs of an item when items differ in their number of values:
        ``"values"``, ``"items"`` (Gwet's choice; use it to reproduce his published values),
        ``"pairs"``, or ``"remove"`` to keep only items that all annotators rated.
    order
        All labels from low to high, including unused ones; required for rank weights on labels
        that are not numbers.
    by_label
        Whether to compute AC1 for each label, all other labels merged, if there are no weights; by
        default up to 1,000 labels.
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
        AC with the observed and expected disagreement; NaN with a reason where it is undefined.

    Raises
    ------
    SettingError
        If the weights or the policy are unknown, or if weights are combined with a number of
        categories instead of a list of labels.
    DataError
        If the weights do not cover a label, or if there are more labels than categories.

    Notes
    -----
    AC = 1 − D_o/D_e with D_e = 1 − T/(q(q − 1))·Σ p_c(1 − p_c): q categories, p_c the proportion
    of label c, T the sum of 1 − cost over all pairs of categories, which is q without weights [1]_
    [2]_. Under the policy ``"items"`` p_c is the mean over items of the proportion of the label in
    each, including items with a single value, as in Gwet (2014).

    Where one label is frequent AC stays high while κ and α fall: they define chance differently.
    Choose the coefficient before you see the values.

    References
    ----------
    .. [1] Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of
       high agreement. British Journal of Mathematical and Statistical Psychology 61(1).
    .. [2] Gwet, K. L. (2014). Handbook of inter-rater reliability (4th ed.). Advanced Analytics.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix([list("aaaaaaab"), list("aaaaaaba")])
    >>> f"{un.gwet_ac(ratings):.2f}", f"{un.cohen_kappa(ratings):.2f}"
    ('0.68', '-0.14')
    """
    coefficient = GwetAC(weights=weights, categories=categories, missing=missing, order=order)
    check_setting("confidence", confidence)
    work = Work(ratings, clusters)
    return measured(coefficient, work, by_label=by_label, by_pair=by_pair, confidence=confidence)
