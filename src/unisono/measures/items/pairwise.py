"""Coefficients that compare the values of an item two by two: their settings, read once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.items.metrics import Ranked
from unisono.measures.items.missing import check_missing, pair_weights
from unisono.measures.items.preparing import Found
from unisono.measures.items.scales import (
    RANK_WEIGHTS,
    check_weights,
    checked_order,
    follows_order,
    has_gaps,
    scale_notes,
    scale_text,
    weight_metric,
)
from unisono.measures.items.work import Work
from unisono.measures.settings import check_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.measuring import Settings
    from unisono.measures.items.metrics import Metric
    from unisono.measures.items.missing import MissingPolicy
    from unisono.measures.items.parts import Prepared
    from unisono.measures.items.rows import Rows
    from unisono.measures.items.standard_errors import Kind
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings


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
