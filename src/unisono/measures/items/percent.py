"""Percent agreement: how often two values of the same item are equal, whatever chance would do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from unisono.measures.items.measuring import measured
from unisono.measures.items.metrics import Nominal
from unisono.measures.items.missing import check_missing, pair_weights
from unisono.measures.items.preparing import Found, Percent
from unisono.measures.items.work import Work

if TYPE_CHECKING:
    from unisono.measures.items.items_result import ItemsAgreement
    from unisono.measures.items.measuring import Settings
    from unisono.measures.items.metrics import Metric, Ranked
    from unisono.measures.items.missing import MissingPolicy
    from unisono.measures.items.rows import Rows
    from unisono.measures.items.standard_errors import Kind
    from unisono.model.ratings import Ratings

__all__ = ["PercentAgreement", "percent_agreement"]


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
