"""Populations of made-up documents, for how often intervals hold the value of all documents.

A document is made of uniform numbers of `Dice`, so that it is the same with every NumPy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import unisono as un
from unisono.measures.gamma.alignment import Search
from unisono.measures.gamma.gamma import _run
from unisono.measures.jackknife import Jackknife, ratio_jackknife
from unisono.measures.sampling import Dice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class Care(NamedTuple):
    """How annotators of a document err."""

    wrong: float
    """The share of units with a random label."""
    missing: float
    jitter: float
    """How far ends move, in mean lengths of units."""


@dataclass(frozen=True)
class Population:
    """What documents are like."""

    about: str
    annotators: int
    units: Callable[[float], int]
    """From a uniform number."""
    care: Callable[[float, int], Care]
    """From a uniform number and the number of units."""
    labels: tuple[float, ...] = (0.5, 0.3, 0.2)
    """Their shares; the last is the rarest."""


def _between(low: int, high: int) -> Callable[[float], int]:
    return lambda u: low + int(u * (high - low + 1))


def _constant(care: Care) -> Callable[[float, int], Care]:
    return lambda _u, _n: care


def _normal(u: float) -> float:
    # Logistic, which is near enough to be called so, and has a quantile in one line.
    return math.log(u / (1.0 - u)) / 1.7 if 0.0 < u < 1.0 else 0.0


POPULATIONS = {
    "careless": Population(
        "2 annotators, 4-24 units, some documents annotated with care and some without",
        2,
        _between(4, 24),
        lambda u, _n: Care(0.5 * u**1.6, 0.4 * u**1.6, 0.4 * u**1.6),
        (0.34, 0.33, 0.33),
    ),
    "rare": Population(
        "2 annotators, 2-7 units, 4 % wrong labels",
        2,
        _between(2, 7),
        _constant(Care(0.06, 0.02, 0.1)),
    ),
    "lumpy": Population(
        "2 annotators, 2 labels, nearly all confusions in one document of six",
        2,
        _between(4, 12),
        lambda u, _n: Care(0.6 if u < 1 / 6 else 0.004, 0.02, 0.1),
        (0.7, 0.3),
    ),
    "heavy": Population(
        "3 annotators, 3-60 units log-normally, as careless as it comes",
        3,
        lambda u: min(60, max(3, round(10 * math.exp(0.8 * _normal(u))))),
        lambda u, _n: Care(0.4 * u, 0.3 * u, 0.5 * u),
    ),
    "dialogue": Population(
        "own: 4 annotators, 8-20 turns, 5 labels of unequal frequency; labels differ, not places",
        4,
        _between(8, 20),
        lambda u, _n: Care(0.1 + 0.4 * u * u, 0.01, 0.02),
        (0.45, 0.25, 0.15, 0.1, 0.05),
    ),
    "misread": Population(
        "own: 2 annotators, 5-15 units; in one document of five the guidelines were misread",
        2,
        _between(5, 15),
        lambda u, _n: Care(0.5, 0.4, 0.6) if u < 0.2 else Care(0.05, 0.03, 0.1),
    ),
    "skewed": Population(
        "2 annotators, Pareto lengths of 3-150 units, long documents harder: known to fail",
        2,
        lambda u: min(150, int(3 / (1.0 - u) ** (1 / 1.1))),
        lambda _u, n: Care(min(0.6, 0.02 * n), min(0.5, 0.015 * n), min(0.8, 0.02 * n)),
    ),
}


def document(population: Population, dice: Dice) -> un.Continuum:
    """Make one document, and what its annotators mark."""
    how_many, how_careful = dice.roll(2).tolist()
    n = population.units(how_many)
    care = population.care(how_careful, n)
    places = dice.roll(3 * n).reshape(n, 3)
    ends = np.cumsum(population.labels)
    true_labels = np.searchsorted(ends, places[:, 2] * ends[-1], "right")
    starts = np.cumsum(4.0 + 12.0 * places[:, 0]) + np.cumsum(2.0 + 8.0 * places[:, 1])
    lengths = 2.0 + 8.0 * np.roll(places[:, 1], -1)
    rows = []
    names = [f"annotator {number}" for number in range(population.annotators)]
    for name in names:
        rolls = dice.roll(5 * n).reshape(n, 5)
        for at, (is_missing, first, last, is_wrong, which) in enumerate(rolls.tolist()):
            if is_missing < care.missing:
                continue
            low = starts[at] + 12.0 * care.jitter * (first - 0.5)
            high = starts[at] + lengths[at] + 12.0 * care.jitter * (last - 0.5)
            code = true_labels[at]
            if is_wrong < care.wrong:
                code = np.searchsorted(ends, which * ends[-1], "right")
            rows.append((name, low, max(high, low + 0.5), "ABCDEFG"[code]))
    return un.Continuum.from_units(rows, annotators=names)


def made_up_corpus(kind: str, count: int, seed: int = 1) -> un.Corpus:
    """Make documents of a population."""
    population = POPULATIONS[kind]
    return un.Corpus.from_continua(
        {f"text{i}": document(population, Dice(seed, i)) for i in range(count)}
    )


class Sums(NamedTuple):
    """What each document of a population adds: to γ, or to γcat and the γk of the rarest label."""

    sizes: Floats
    observed: Floats
    drawn: Floats
    """Documents × draws."""
    drawn_sizes: Floats

    def taken(self, rows: NDArray[np.int64]) -> Sums:
        """Return a corpus of some of the documents."""
        return Sums(*(column[rows] for column in self))

    def value(self) -> float:
        """Return the coefficient of all documents together, as the corpus is pooled."""
        with np.errstate(all="ignore"):
            ratios = self.drawn.sum(axis=0) / self.drawn_sizes.sum(axis=0)
            expected = np.nanmean(ratios)
            return float(1.0 - self.observed.sum() / self.sizes.sum() / expected)

    def jackknife(self) -> Jackknife:
        """Return the coefficient without each of the documents, written out plainly."""
        n_draws = self.drawn.shape[1]
        if np.array_equal(self.drawn_sizes, np.tile(self.sizes[:, None], (1, n_draws))):
            return ratio_jackknife(self.observed, self.drawn.mean(axis=1), self.sizes)
        here = (self.sizes > 0.0) | (self.drawn_sizes > 0.0).any(axis=1)
        few = self.taken(np.flatnonzero(here))
        whole = [column.sum(axis=0) for column in few]
        size, observed, drawn, drawn_size = (
            np.where(total - part > 1e-12 * total, total - part, 0.0)
            for total, part in zip(whole, few, strict=True)
        )
        with np.errstate(all="ignore"):
            comparable = drawn_size > 0.0
            ratios = np.where(comparable, drawn / drawn_size, 0.0)
            expected = ratios.sum(axis=1) / comparable.sum(axis=1)
            without = observed / size / expected
            by_chance = float(np.nanmean(whole[2] / whole[3]))
            ratio = float(whole[1] / whole[0] / by_chance)
        m = float(whole[0]) * by_chance
        return Jackknife(ratio, without, np.ones(len(without)), few.sizes, m, m)


def population_sums(kind: str, count: int, draws: int, seed: int = 1) -> dict[str, Sums]:
    """Measure documents of a population, each by itself, and keep what they add."""
    population = POPULATIONS[kind]
    run = _run(
        made_up_corpus(kind, count, seed),
        dissimilarity=None,
        chance="shift",
        confidence=0.95,
        seed=seed,
        search=Search(),
        workers=None,
    )
    parts = list(run.evidence(draws, 1.0, None).each())
    sizes = np.array([part.mean_units for part in parts])
    drawn = np.stack([part.draws for part in parts]) * sizes[:, None]
    observed = sizes * np.array([part.observed for part in parts])
    rarest = "ABCDEFG"[len(population.labels) - 1]
    return {
        "γ": Sums(sizes, observed, drawn, np.tile(sizes[:, None], (1, draws))),
        "γcat": Sums(*_label_sums(parts, None)),
        "γk": Sums(*_label_sums(parts, rarest)),
    }


def _label_sums(parts: list[Any], label: str | None) -> Iterator[Floats]:
    columns = [
        0 if label is None else 1 + part.labels.index(label) if label in part.labels else -1
        for part in parts
    ]
    for name in ("weight", "disorder", "draws_disorder", "draws_weight"):
        yield np.stack(
            [
                getattr(part.by_label, name)[..., column]
                if column >= 0
                else np.zeros_like(getattr(part.by_label, name)[..., 0])
                for part, column in zip(parts, columns, strict=True)
            ]
        )
