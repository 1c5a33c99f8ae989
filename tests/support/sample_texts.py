"""Texts and a corpus of them, for tests that measure agreement from end to end."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import unisono as un
from draw_source import shift_source
from families import family

if TYPE_CHECKING:
    from unisono.measures.gamma.chance import DrawScores

DRAWS = 12


def text(*rows: tuple[Any, ...], **settings: Any) -> un.Continuum:
    return un.Continuum.from_units(rows, **settings)


def made(name: str, n: int, each: int, seed: int, labels: int = 3) -> un.Continuum:
    return family(name, n, each, np.random.default_rng(seed), labels)


TEXT = made("jittered", 3, 6, 1)
# One document was seen by one annotator only, and in one nobody marked anything.
CORPUS = un.Corpus.from_continua(
    {
        "alone": text(("a", 0, 5, "A"), ("a", 6, 9, "Z")),
        "many": made("jittered", 3, 4, 4, labels=4),
        "none": text(annotators=["a", "b"], extent=(0.0, 9.0)),
        "one": made("spread", 2, 4, 3),
        "two": made("overlapping", 2, 5, 4, labels=2).rename(labels={"A": "D"}),
    }
)
MEASURED = ("many", "one", "two")


def reason_of(agreement: un.results.Agreement) -> str:
    """Why there is no value."""
    assert math.isnan(agreement.value)
    return agreement.undefined or ""


def scores_of(
    continuum: un.Continuum, seed: int, count: int = DRAWS, *, name: str = ""
) -> DrawScores:
    """The first draws of a continuum under the default settings."""
    return shift_source(continuum, seed=seed, name=name).score(0, count)
