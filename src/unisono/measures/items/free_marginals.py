"""Coefficients whose chance does not follow how often each label was given: S and AC."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from unisono.errors import setting
from unisono.measures.items.disagreement import OfHardItems, Uniform
from unisono.measures.items.measuring import measured
from unisono.measures.items.missing import value_weights
from unisono.measures.items.pairwise import Pairwise
from unisono.measures.items.preparing import Corrected
from unisono.measures.items.rows import RowSums
from unisono.measures.items.work import Work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.items_result import ItemsAgreement
    from unisono.measures.items.metrics import Metric
    from unisono.measures.items.missing import MissingPolicy
    from unisono.measures.items.rows import Rows
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings

__all__ = ["BennettS", "GwetAC", "bennett_s", "gwet_ac"]


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
    coefficient = Pairwise(
        formula=BennettS(), weights=weights, categories=categories, missing=missing, order=order
    )
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
    coefficient = Pairwise(
        formula=GwetAC(), weights=weights, categories=categories, missing=missing, order=order
    )
    return measured(coefficient, Work(ratings), by_label=by_label, by_pair=by_pair)


class BennettS:
    """Chance that knows no label from another."""

    name = "bennett_s"
    settings: tuple[str, ...] = ("weights", "categories", "missing", "order")

    def refusal(self, coefficient: Pairwise, work: Work) -> str | None:
        """Say why it does not apply to these ratings."""
        return _why_one_category(coefficient, work)

    def on(self, coefficient: Pairwise, rows: Rows, metric: Metric) -> Corrected:
        """Make it ready for rows."""
        q = coefficient.n_categories(rows.labels)
        # Bennett, Alpert & Goldstein (1954); with weights Gwet (2014).
        chance = Uniform(
            _mean_cost(coefficient, rows, metric) if coefficient.weights else 1 - 1 / q
        )
        nothing = RowSums(rows, rows.label_codes, 0, np.zeros(rows.n_rows))
        return Corrected(coefficient.found(rows, metric), nothing, chance)


class GwetAC:
    """Chance on items that are hard to label."""

    name = "gwet_ac"
    settings: tuple[str, ...] = ("weights", "categories", "missing", "order")

    def refusal(self, coefficient: Pairwise, work: Work) -> str | None:
        """Say why it does not apply to these ratings."""
        return _why_one_category(coefficient, work)

    def on(self, coefficient: Pairwise, rows: Rows, metric: Metric) -> Corrected:
        """Make it ready for rows."""
        q = coefficient.n_categories(rows.labels)
        # T_w/(q(q − 1)): all agreement weights are q² less all costs; without weights T_w = q.
        costs = _mean_cost(coefficient, rows, metric) if coefficient.weights else 1.0 - 1.0 / q
        chance = OfHardItems(q * (1.0 - costs) / (q - 1.0) if q > 1 else math.nan)
        weights = value_weights(rows, coefficient.missing)
        sums = RowSums(rows, rows.label_codes, len(coefficient.scale(rows.labels)), weights)
        return Corrected(coefficient.found(rows, metric), sums, chance)


def _mean_cost(coefficient: Pairwise, rows: Rows, metric: Metric) -> float:
    q = len(coefficient.scale(rows.labels))
    return float(metric.against(np.ones(q)).sum()) / q**2


def _why_one_category(coefficient: Pairwise, work: Work) -> str | None:
    if coefficient.n_categories(work.rows.labels) > 1:
        return None
    how_many = setting("categories", ...)
    return f"there is one category only; say how many annotators could choose from, {how_many}"
