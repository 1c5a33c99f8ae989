"""Percent agreement and the κ family: Cohen, Light, Fleiss, Conger, Scott, Bennett and Gwet."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.items.coefficient import (
    Corrected,
    Found,
    MeanOfPairs,
    Met,
    Percent,
    Work,
    measured,
)
from unisono.measures.items.disagreement import (
    OfEachAnnotator,
    OfHardItems,
    Uniform,
    WithReplacement,
)
from unisono.measures.items.metrics import (
    RANK_WEIGHTS,
    Nominal,
    Ranked,
    check_weights,
    checked_order,
    follows_order,
    has_gaps,
    scale_notes,
    scale_text,
    weight_metric,
)
from unisono.measures.items.rows import (
    RowSums,
    annotator_weights,
    check_missing,
    numbered,
    pair_weights,
    pairable,
    value_weights,
)
from unisono.measures.settings import check_count
from unisono.results.wording import count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.coefficient import Kind, Settings
    from unisono.measures.items.metrics import Metric
    from unisono.measures.items.result import ItemsAgreement
    from unisono.measures.items.rows import MissingPolicy, Prepared, Rows
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings

__all__ = [
    "BennettS",
    "CohenKappa",
    "CongerKappa",
    "FleissKappa",
    "GwetAC",
    "Pairwise",
    "PercentAgreement",
    "ScottPi",
    "bennett_s",
    "cohen_kappa",
    "conger_kappa",
    "fleiss_kappa",
    "gwet_ac",
    "percent_agreement",
    "scott_pi",
]


class Formula(Protocol):
    """What tells one coefficient from another: its chance, and whom it is for."""

    name: str
    settings: tuple[str, ...]
    """The settings it has."""

    def refusal(self, coefficient: Pairwise, work: Work) -> str | None:
        """Say why it does not apply to these ratings."""

    def on(self, coefficient: Pairwise, rows: Rows, metric: Metric) -> Prepared:
        """Make it ready for rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairwise:
    """A formula with its settings."""

    formula: Formula
    weights: str | DistanceMatrix | Callable[[Label, Label], float] | None = None
    categories: int | None = None
    missing: MissingPolicy = "values"
    order: Sequence[Label] | None = None

    kind: ClassVar[Kind] = "pairwise"

    def __post_init__(self) -> None:
        check_weights(self.weights)
        check_missing(self.missing)
        object.__setattr__(self, "order", checked_order(self.order))
        if (
            self.order is not None
            and "categories" not in self.formula.settings
            and not follows_order(self.weights)
        ):
            msg = f"{setting('order')} is for weights by rank: linear, quadratic, ordinal"
            raise SettingError(msg)
        if self.categories is None:
            return
        check_count("categories", self.categories)
        if self.weights is not None:
            msg = (
                f"with {setting('weights')} the categories must be known by name; list them with "
                f"{setting('order', ...)} instead of {setting('categories', self.categories)}"
            )
            raise SettingError(msg)

    @property
    def name(self) -> str:
        """The name of its public function."""
        return self.formula.name

    def prepare(self, ratings: Ratings) -> Prepared:
        """Make it ready for ratings."""
        work = Work(ratings, merge=False)
        return self.on(work.rows, self.metric(work))

    def refusal(self, work: Work) -> str | None:
        """Say why it does not apply to these ratings."""
        return self.formula.refusal(self, work)

    def scale(self, labels: Sequence[Label]) -> Sequence[Label]:
        """Give the labels in use, and if there are weights those of the order that are not."""
        if self.weights is None or self.order is None:
            return labels
        used = set(labels)
        return (*labels, *(label for label in self.order if label not in used))

    def n_categories(self, labels: Sequence[Label]) -> int:
        """Give how many categories annotators could choose from."""
        n_labels = len(labels) if self.order is None else len({*labels, *self.order})
        if self.categories is None:
            return n_labels
        if self.categories < n_labels:
            msg = (
                f"{setting('categories', self.categories)} is fewer than the {n_labels} labels "
                "that were used; count all that annotators could choose from"
            )
            raise DataError(msg)
        return self.categories

    def metric(self, work: Work) -> Metric:
        """Give the metric of its setting on these labels."""
        scale = self.scale(work.rows.labels)
        counts = np.zeros(len(scale))
        counts[: len(work.label_counts)] = work.label_counts
        return weight_metric(scale, self.weights, self._order, counts)

    def on(self, rows: Rows, metric: Metric | Ranked) -> Prepared:
        """Make it ready for rows."""
        if isinstance(metric, Ranked):
            msg = "the ranks of labels must be fitted before they weigh"
            raise TypeError(msg)
        return self.formula.on(self, rows, metric)

    def found(self, rows: Rows, metric: Metric) -> Found:
        """Give the disagreement in the data."""
        return Found(rows, metric, pair_weights(rows, self.missing))

    def settings(self, work: Work, metric: Metric | Ranked) -> Settings:
        """Give its settings for the signature."""
        found = []
        if "weights" in self.formula.settings:
            scale = self.scale(work.rows.labels)
            text = (
                "none"
                if self.weights is None
                else scale_text(self.weights, scale, self._order, metric)
            )
            found.append(("weights", text))
        if "categories" in self.formula.settings:
            found.append(("categories", str(self.n_categories(work.rows.labels))))
        return tuple(found)

    def notes(self, work: Work) -> tuple[str, ...]:
        """Tell what a reader must know."""
        notes = scale_notes(self.weights, work.rows.labels)
        if self.weights in RANK_WEIGHTS and self.order is None and has_gaps(work.rows.labels):
            whole = setting("order", ...)
            notes += (f"ranks are those of the labels in use, which have gaps; see {whole}",)
        if self.name == "gwet_ac" and self.missing in {"values", "pairs"} and work.unequal():
            own = setting("missing", "items")
            notes += (f"items differ in how many values they have; Gwet's own AC takes {own}",)
        return notes

    @property
    def _order(self) -> tuple[Label, ...] | None:
        return None if self.order is None else tuple(self.order)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PercentAgreement:
    """Percent agreement with its settings."""

    missing: MissingPolicy = "values"

    name: ClassVar[str] = "percent_agreement"
    kind: ClassVar[Kind] = "percent"

    def __post_init__(self) -> None:
        check_missing(self.missing)

    def prepare(self, ratings: Ratings) -> Percent:
        """Make it ready for ratings."""
        work = Work(ratings, merge=False)
        return self.on(work.rows, self.metric(work))

    def refusal(self, work: Work) -> str | None:  # noqa: ARG002 - it always applies
        """Say why it does not apply to these ratings."""
        return None

    def metric(self, work: Work) -> Nominal:  # noqa: ARG002 - always the same
        """Give the metric of its setting on these labels."""
        return Nominal()

    def on(self, rows: Rows, metric: Metric | Ranked) -> Percent:  # noqa: ARG002 - nominal
        """Make it ready for rows."""
        return Percent(Found(rows, Nominal(), pair_weights(rows, self.missing)))

    def settings(self, work: Work, metric: Metric | Ranked) -> Settings:  # noqa: ARG002 - none
        """Give its settings for the signature."""
        return ()

    def notes(self, work: Work) -> tuple[str, ...]:  # noqa: ARG002 - none
        """Tell what a reader must know."""
        return ()
