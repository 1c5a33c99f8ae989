"""Percent agreement and the κ family: Cohen, Scott, Fleiss, Conger, Bennett and Gwet; functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.coefficients import MissingPolicy
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


def percent_agreement(
    ratings: Ratings,
    *,
    missing: MissingPolicy = "values",
    by_label: bool | None = None,
    by_pair: bool | None = None,
) -> ItemsAgreement:
    """Say how often two annotators give an item the same label, chance included.

    Parameters
    ----------
    ratings
        What the annotators said.
    missing
        How much the pairs of an item weigh when items differ in how many values they have:
        ``"values"``, ``"items"``, ``"pairs"``, or ``"remove"`` for items all annotators rated [1]_.
    by_label
        Whether to give the share for each label, all others taken for one; by default up to
        1,000 labels.
    by_pair
        Whether to give it for each two annotators; by default up to 30 annotators.

    Returns
    -------
    ItemsAgreement
        The share, from 0 to 1. There is nothing expected: `expected` is NaN.

    Raises
    ------
    SettingError
        If there is no such policy.

    Notes
    -----
    The mean over all pairs of values of the same item, weighted by the policy. It is not corrected
    for chance, and high wherever one label is frequent; report a coefficient beside it.

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
    return measured(coefficient, Work(ratings), by_label=by_label, by_pair=by_pair)


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
    coefficient = ScottPi(missing=missing)
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
    coefficient = FleissKappa(missing=missing)
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
    coefficient = CongerKappa(weights=weights, missing=missing, order=order)
    return measured(coefficient, Work(ratings), by_label=by_label, by_pair=by_pair)


def bennett_s(
    ratings: Ratings,
    *,
    weights: str | DistanceMatrix | Callable[[Label, Label], float] | None = None,
    categories: int | None = None,
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    by_label: bool | None = None,
    by_pair: bool | None = None,
) -> ItemsAgreement:
    """Say how much annotators agree beyond guessing among all categories alike, by Bennett's S.

    Also known as the G index, Randolph's free-marginal κ (any number of annotators) and, with
    weights, the coefficient of Brennan and Prediger.

    Parameters
    ----------
    ratings
        What the annotators said.
    weights
        What a disagreement costs, from 0 to 1; by default every one costs 1. ``"linear"`` and
        ``"quadratic"`` go by the ranks of labels; every name of a label distance, a
        `DistanceMatrix` and a function of two labels are possible too.
    categories
        How many categories annotators could choose from; by default the labels in use, or those
        of `order`. It moves the value.
    missing
        How much the pairs of an item weigh when items differ in how many values they have:
        ``"values"``, ``"items"`` (Gwet's own), ``"pairs"``, or ``"remove"`` for items all
        annotators rated.
    order
        All labels from low to high, also those nobody used; for weights by rank on labels that
        are no numbers.
    by_label
        Whether to give S for each label, all others taken for one (two categories), if there are
        no weights; by default up to 1,000 labels.
    by_pair
        Whether to give it for each two annotators; by default up to 30 annotators.

    Returns
    -------
    ItemsAgreement
        S with the disagreements observed and expected; NaN with a reason where it is undefined.

    Raises
    ------
    SettingError
        If there are no such weights or policy, or weights come with a mere number of categories.
    DataError
        If the weights do not cover a label, or there are more labels than categories.

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
    return measured(coefficient, Work(ratings), by_label=by_label, by_pair=by_pair)


def gwet_ac(
    ratings: Ratings,
    *,
    weights: str | DistanceMatrix | Callable[[Label, Label], float] | None = None,
    categories: int | None = None,
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    by_label: bool | None = None,
    by_pair: bool | None = None,
) -> ItemsAgreement:
    """Say how much annotators agree beyond chance on hard items, by Gwet's AC1, or AC2 if weighted.

    Parameters
    ----------
    ratings
        What the annotators said.
    weights
        What a disagreement costs, from 0 to 1; by default every one costs 1 (AC1). ``"linear"`` and
        ``"quadratic"`` go by the ranks of labels; every name of a label distance, a
        `DistanceMatrix` and a function of two labels are possible too (AC2).
    categories
        How many categories annotators could choose from; by default the labels in use, or those
        of `order`. It moves the value.
    missing
        How much the pairs of an item weigh when items differ in how many values they have:
        ``"values"``, ``"items"`` (Gwet's own, to be taken for his published values), ``"pairs"``,
        or ``"remove"`` for items all annotators rated.
    order
        All labels from low to high, also those nobody used; for weights by rank on labels that
        are no numbers.
    by_label
        Whether to give AC1 for each label, all others taken for one, if there are no weights; by
        default up to 1,000 labels.
    by_pair
        Whether to give it for each two annotators; by default up to 30 annotators.

    Returns
    -------
    ItemsAgreement
        AC with the disagreements observed and expected; NaN with a reason where it is undefined.

    Raises
    ------
    SettingError
        If there are no such weights or policy, or weights come with a mere number of categories.
    DataError
        If the weights do not cover a label, or there are more labels than categories.

    Notes
    -----
    AC = 1 − D_o/D_e with D_e = 1 − T/(q(q − 1))·Σ p_c(1 − p_c): q categories, p_c the share of
    label c, T the sum of 1 − cost over all pairs of categories, which is q without weights [1]_
    [2]_. Under the policy ``"items"`` p_c is the mean over items of the label's share in each, and
    items with a single value count there, as Gwet has it.

    Where one label is frequent AC stays high while κ and α fall; it answers another question than
    they do. Do not choose it after the fact.

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
    return measured(coefficient, Work(ratings), by_label=by_label, by_pair=by_pair)
