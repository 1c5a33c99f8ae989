"""Precision, recall and F1 of a hypothesis, from how many units were found."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.results.record import label_keys, plain_number
from unisono.results.records import Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.model.labels import Label


NO_HYPOTHESIS = "the hypothesis has no units"
NO_REFERENCE = "the reference has no units"
NO_UNITS = "neither side has units"


class Score(NamedTuple):
    """How many units were found, of how many there are and of how many were said to be there.

    Examples
    --------
    >>> import unisono as un
    >>> score = un.Score(matched=3, n_reference=4, n_hypothesis=6)
    >>> score.precision, score.recall, score.f1
    (0.5, 0.75, 0.6)
    >>> un.Score(matched=0, n_reference=4, n_hypothesis=0).undefined
    {'precision': 'the hypothesis has no units'}
    """

    matched: int
    n_reference: int
    n_hypothesis: int

    @property
    def precision(self) -> float:
        """Of the units of the hypothesis, the part that is right; NaN if there are none."""
        return self.matched / self.n_hypothesis if self.n_hypothesis else math.nan

    @property
    def recall(self) -> float:
        """Of the units of the reference, the part that was found; NaN if there are none."""
        return self.matched / self.n_reference if self.n_reference else math.nan

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall: 2·matched / all units; NaN without units."""
        units = self.n_reference + self.n_hypothesis
        return 2 * self.matched / units if units else math.nan

    @property
    def undefined(self) -> dict[str, str]:
        """Which of the three have no value, and why."""
        reasons = {}
        if not self.n_hypothesis:
            reasons["precision"] = NO_HYPOTHESIS
        if not self.n_reference:
            reasons["recall"] = NO_REFERENCE
        if not self.n_reference + self.n_hypothesis:
            reasons["f1"] = NO_UNITS
        return reasons

    def to_dict(self) -> dict[str, Any]:
        """Give the counts and the scores as plain data; NaN becomes ``None``.

        Examples
        --------
        >>> import unisono as un
        >>> un.Score(matched=1, n_reference=1, n_hypothesis=2).to_dict()["precision"]
        0.5
        """
        return {
            **self._asdict(),
            "precision": plain_number(self.precision),
            "recall": plain_number(self.recall),
            "f1": plain_number(self.f1),
            "undefined": self.undefined,
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MatchScores(Record):
    """Scores under one rule of what counts as found, in all and by label.

    Parameters
    ----------
    overall
        Over all units; labels must be the same.
    by_label
        For the units of each label.
    any_label
        Over all units, whatever their labels.

    Examples
    --------
    >>> import unisono as un
    >>> gold = un.Continuum.from_units([("gold", 0, 5, "A"), ("gold", 7, 9, "B")])
    >>> system = un.Continuum.from_units([("system", 0, 5, "A"), ("system", 7, 9, "A")])
    >>> exact = un.compare(gold, system, with_gamma=False).exact
    >>> exact.f1, exact.any_label.f1, exact.by_label["A"].precision
    (0.5, 1.0, 0.5)
    """

    overall: Score
    by_label: Mapping[Label | None, Score]
    any_label: Score

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_label", MappingProxyType(dict(self.by_label)))

    @property
    def precision(self) -> float:
        """The precision over all units."""
        return self.overall.precision

    @property
    def recall(self) -> float:
        """The recall over all units."""
        return self.overall.recall

    @property
    def f1(self) -> float:
        """F1 over all units, often called micro F1."""
        return self.overall.f1

    @property
    def macro_f1(self) -> float:
        """The mean F1 of the labels, each counting as much as any other; NaN without labels."""
        each = [score.f1 for score in self.by_label.values()]
        return math.fsum(each) / len(each) if each else math.nan

    def __hash__(self) -> int:
        return hash((self.overall, self.any_label))

    def to_dict(self) -> dict[str, Any]:
        """Give all scores as plain data.

        Examples
        --------
        >>> import unisono as un
        >>> gold = un.Continuum.from_units([("gold", 0, 5, "A")])
        >>> record = un.compare(gold, gold, with_gamma=False).exact.to_dict()
        >>> record["overall"]["f1"], record["by_label"]["A"]["matched"], record["macro_f1"]
        (1.0, 1, 1.0)
        """
        keys = label_keys(self.by_label)
        return {
            "overall": self.overall.to_dict(),
            "macro_f1": plain_number(self.macro_f1),
            "any_label": self.any_label.to_dict(),
            "by_label": {keys[label]: score.to_dict() for label, score in self.by_label.items()},
        }
