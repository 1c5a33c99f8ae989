"""Chance by a statistical model: draws whose units follow distributions fitted to a document.

The model ``statistical``: each annotator of a draw has a number of units, each unit a label, a
length that depends on the label, and a gap before it, all independent. Numbers of units, lengths
and gaps are normal with the mean and the deviation of the data; a gap may be below 0, so units may
overlap. It forgets which labels go together and which lie over each other; ``shift`` and
``corpus`` keep that (Mathet, Widlöcher & Métivier 2015, §4.8.1). Offered for comparison with
programs that draw so by default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.errors import DataError
from unisono.measures.dice import Dice, fingerprint
from unisono.measures.gamma.aligning import Columns
from unisono.measures.gamma.chance import ChanceRules, Recipe, scored
from unisono.measures.gamma.searching import USUAL_SEARCH, Search
from unisono.measures.gamma.voices import Voices

if TYPE_CHECKING:
    from unisono.measures.gamma.draw_scores import DrawScores
    from unisono.measures.gamma.fitted import Fitted
    from unisono.model.arrays import Codes, Floats, Integers
    from unisono.model.continuum import Continuum

__all__ = ["StatisticalChance"]

# First part of a draw's stream, so that no two models share random numbers.
_STREAM = 11
_MOST_IN_VAIN = 10_000


class Spreads(NamedTuple):
    """What is fitted to a document: means and deviations, and the shares of labels."""

    units: tuple[float, float]
    """Of the number of units of an annotator."""
    gap: tuple[float, float]
    """Of the way from the end of a unit, or of the beginning of the document, to the next unit."""
    length_mean: Floats
    length_deviation: Floats
    """Of the length of units, for each label."""
    shares: Floats
    """How often each label occurs."""


def spreads_of(continuum: Continuum) -> Spreads:
    """Fit the model to a document with one unit at least.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.measures.gamma.statistical import spreads_of
    >>> text = un.Continuum.from_units([("ann", 0, 4, "A"), ("ann", 6, 7, "B"), ("bob", 2, 8, "A")])
    >>> spreads = spreads_of(text)
    >>> spreads.units, spreads.length_mean
    ((1.5, 0.5), array([5., 1.]))
    >>> print("%.4f %.4f" % spreads.gap)
    1.3333 0.9428
    """
    starts, ends, codes = continuum.starts, continuum.ends, continuum.label_codes
    before = np.concatenate(([0.0], ends[:-1]))
    has_units = continuum.counts > 0
    before[continuum.offsets[:-1][has_units]] = continuum.extent[0]
    n_labels = len(continuum.labels)
    lengths = [_mean_and_deviation((ends - starts)[codes == code]) for code in range(n_labels)]
    means, deviations = (np.array(column) for column in zip(*lengths, strict=True))
    return Spreads(
        units=_mean_and_deviation(continuum.counts.astype(np.float64)),
        gap=_mean_and_deviation(starts - before),
        length_mean=means,
        length_deviation=deviations,
        shares=np.bincount(codes, minlength=n_labels) / len(codes),
    )


def _mean_and_deviation(values: Floats) -> tuple[float, float]:
    # In one order, so that no name of an annotator can change the last bit of a sum.
    ordered = np.sort(values)
    return float(ordered.mean()), float(ordered.std())


def normals(rolls: Floats) -> Floats:
    """Turn two rows of uniform numbers into normal ones, by Box and Muller's formula."""
    return np.asarray(np.sqrt(-2.0 * np.log1p(-rolls[0])) * np.cos(2.0 * np.pi * rolls[1]))


class StatisticalChance:
    """Draws from distributions fitted to one continuum.

    Parameters
    ----------
    continuum
        Two annotators or more, one unit or more.
    fitted
        The dissimilarity for exactly the labels of the continuum.
    rules
        The chance model.
    seed
        With `name`, the continuum's numbers of units, its labels' codes and the number of a draw,
        it fixes the dice.
    source
        The same document with only those annotators to whose units the model is fitted, at least
        one of whom has a unit; everyone by default.
    name
        Of the document in its corpus; empty for a continuum by itself.
    """

    def __init__(
        self,
        continuum: Continuum,
        fitted: Fitted,
        rules: ChanceRules,
        seed: int,
        source: Continuum | None = None,
        *,
        name: str = "",
    ) -> None:
        self.fitted = fitted
        self._rules = rules
        self._seed = seed
        self._places = len(continuum.annotators)
        drawn = continuum if source is None else source
        self._stream = (_STREAM, fingerprint(drawn.counts, drawn.label_codes, name=name))
        self._spreads = spreads_of(drawn)
        place = {label: code for code, label in enumerate(fitted.labels)}
        self._codes = np.array([place[label] for label in drawn.labels], np.int32)

    def drawn(self, first: int, count: int) -> tuple[Voices, Recipe]:
        """Roll the dice of some draws: a voice of its own for each place of each draw."""
        redrawn = 0
        counts: list[Integers] = []
        starts: list[Floats] = []
        ends: list[Floats] = []
        codes: list[Codes] = []
        for at in range(count):
            dice = Dice(self._seed, *self._stream, first + at)
            units = self._numbers_of_units(dice)
            in_vain = 0
            while not units.any():
                in_vain += 1
                if in_vain > _MOST_IN_VAIN:
                    msg = (
                        f"chance as fitted to {self._places} annotators who have "
                        f"{self._spreads.units[0]:.2g} units in the mean hardly ever makes one; "
                        "choose another chance model, such as shift"
                    )
                    raise DataError(msg)
                units = self._numbers_of_units(dice)
            redrawn += in_vain
            columns = self._units(units, dice)
            counts.append(units)
            starts.append(columns[0])
            ends.append(columns[1])
            codes.append(columns[2])
        offsets = np.concatenate(([0], np.cumsum(np.concatenate(counts)))).astype(np.int64)
        n_voices = count * self._places
        # Each draw begins at its own first unit, and nothing comes to the end of the circle.
        low = np.array([column.min() for column in starts])
        high = np.array([column.max() for column in ends])
        voices = Voices(
            Columns(np.concatenate(starts), np.concatenate(ends), np.concatenate(codes), offsets),
            np.repeat(low, self._places),
            np.repeat(2.0 * (high - low) + 1.0, self._places),
        )
        picks = np.arange(n_voices, dtype=np.int32).reshape(count, self._places)
        return voices, Recipe(picks, np.zeros((count, self._places)), np.empty(0), redrawn)

    def score(
        self, first: int, count: int, *, workers: int, search: Search = USUAL_SEARCH
    ) -> DrawScores:
        """Make, align and score some draws."""
        voices, recipe = self.drawn(first, count)
        return scored(voices, recipe, self.fitted, self._rules, search, workers)

    def _numbers_of_units(self, dice: Dice) -> Integers:
        mean, deviation = self._spreads.units
        wished = mean + deviation * normals(dice.roll(2 * self._places).reshape(2, -1))
        return np.maximum(np.rint(wished), 0.0).astype(np.int64)

    def _units(self, units: Integers, dice: Dice) -> tuple[Floats, Floats, Codes]:
        spreads = self._spreads
        total = int(units.sum())
        rolls = dice.roll(5 * total).reshape(5, -1)
        shares = np.cumsum(spreads.shares)
        labels = np.minimum(np.searchsorted(shares, rolls[0], side="right"), len(shares) - 1)
        mean, deviation = spreads.length_mean[labels], spreads.length_deviation[labels]
        lengths = np.abs(mean + deviation * normals(rolls[1:3]))
        gaps = spreads.gap[0] + spreads.gap[1] * normals(rolls[3:5])
        ends = np.cumsum(gaps + lengths)
        owner = np.repeat(np.arange(len(units)), units)
        so_far = np.concatenate(([0.0], ends))[np.cumsum(units) - units]
        ends -= so_far[owner]
        starts = ends - lengths
        order = np.lexsort((labels, ends, starts, owner))
        return starts[order], ends[order], self._codes[labels[order]]
