"""A chance model with all that is needed to make, look at and score its draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import unisono as un
from unisono.measures.gamma.alignment import EFFORT_DRAW, USUAL_SEARCH
from unisono.measures.gamma.chance import CorpusChance, ShiftChance, chance_rules
from unisono.measures.gamma.dissimilarity import label_counts
from unisono.measures.gamma.documents import Settings, score_draws

if TYPE_CHECKING:
    from unisono.measures.gamma.chance import ChanceRules, DrawScores, Recipe, Tracks
    from unisono.measures.gamma.dissimilarity import Dissimilarity, Fitted


class Source(NamedTuple):
    model: Any
    fitted: Fitted
    rules: ChanceRules

    @property
    def tracks(self) -> Tracks:
        """All tracks that draws may pick."""
        tracks: Tracks = self.model._tracks
        return tracks

    def recipe(self, first: int, count: int) -> Recipe:
        if isinstance(self.model, CorpusChance):
            return self.model.recipe(first, count)
        recipe: Recipe = self.model.drawn(first, count)[1]
        return recipe

    def score(self, first: int, count: int, effort: float = EFFORT_DRAW) -> DrawScores:
        settings = Settings(self.fitted, self.rules, 0, USUAL_SEARCH, effort_of_draws=effort)
        return score_draws(settings, *self.model.drawn(first, count))


def fitted_to(data: un.Continuum | un.Corpus, dissimilarity: Dissimilarity | None = None) -> Fitted:
    return (dissimilarity or un.CombinedDissimilarity()).fitted(data.labels, label_counts(data))


def shift_source(
    continuum: un.Continuum,
    model: str = "shift",
    dissimilarity: Dissimilarity | None = None,
    seed: int = 42,
    name: str = "",
) -> Source:
    fitted, rules = fitted_to(continuum, dissimilarity), chance_rules(model)
    return Source(ShiftChance(continuum, fitted, rules, seed, name=name), fitted, rules)


def corpus_source(
    corpus: un.Corpus, n: int, dissimilarity: Dissimilarity | None = None, seed: int = 42
) -> Source:
    fitted = fitted_to(corpus, dissimilarity)
    return Source(CorpusChance(corpus, n, fitted, seed), fitted, chance_rules("corpus"))
