"""Similarities corrected for chance: π and κ of boundaries."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unisono.measures.segmentation.texts import Text

__all__ = ["rates_of"]


@dataclass(frozen=True, slots=True)
class Rates:
    """How often annotators mark a place.

    Attributes
    ----------
    shares
        The share of places with a boundary, one number for each text and annotator.
    marked, places
        By annotator, the boundaries and the places in all texts.
    """

    shares: list[float] = field(default_factory=list)
    marked: dict[str, int] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    met: set[tuple[str, str]] = field(default_factory=set)

    def by_one_rate(self) -> float:
        """Give the agreement that chance would have if all marked places equally often (π)."""
        return float((math.fsum(self.shares) / len(self.shares)) ** 2)

    def by_own_rates(self) -> float:
        """Give the agreement that chance would have if each kept the own rate (κ)."""
        rate = {name: self.marked[name] / self.places[name] for name in self.marked}
        return math.fsum(rate[one] * rate[other] for one, other in self.met) / len(self.met)


def rates_of(texts: Iterable[Text]) -> Rates:
    """Count boundaries and places in texts that two annotators or more have cut."""
    rates = Rates()
    for text in texts:
        n_places = text.length - 1
        if not n_places:
            continue
        for name, cut in text.cuts.items():
            rates.shares.append(len(cut.boundaries) / n_places)
            rates.marked[name] = rates.marked.get(name, 0) + len(cut.boundaries)
            rates.places[name] = rates.places.get(name, 0) + n_places
        rates.met.update(combinations(text.cuts, 2))
    return rates
