"""The parts of a coefficient, observed and expected, and their influence on its value."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from unisono.model.arrays import Floats
    from unisono.model.ratings import Ratings


def influence_on_value(parts: Parts, observed: Floats, expected: Floats) -> Floats:
    """Turn the influences on both parts into that on 1 − observed / expected."""
    return ((1.0 - parts.value) * expected - observed) / parts.expected


def moved(slopes: Floats, times: Floats) -> Floats:
    """Turn derivatives by the times of rows into what moves when weight moves to one row."""
    influence: Floats = times.sum() * slopes - times @ slopes
    return influence


class Parts(NamedTuple):
    """What came out, for one weighting of the rows or for many: arrays of the same shape."""

    observed: Floats
    """The disagreement found; NaN where nothing can be paired."""
    expected: Floats
    """The same by chance; NaN where there is none."""
    value: Floats
    """The coefficient; NaN where it is undefined."""


class Influence(NamedTuple):
    """How the parts move when weight moves from all items to those of one row: one number a row.

    The derivative of ``parts((1 − t)·times + t·n·e_r)`` at t = 0, n the number of items.
    """

    observed: Floats
    expected: Floats
    value: Floats


class Prepared(Protocol):
    """A coefficient made ready for some ratings; its rows are the rows of these."""

    @property
    def rows(self) -> int:
        """How many rows there are."""

    @property
    def features(self) -> Floats | None:
        """What one item of each row adds to the sums, rows × sums; `None` where that is wide."""

    def finish(self, sums: Floats) -> Parts:
        """Give the parts of sums: ``parts(t)`` is ``finish(t @ features)``, leading axes kept.

        Smooth in the sums, which need not be whole; it never warns.
        """

    def parts(self, times: Floats) -> Parts:
        """Give the parts when row r stands for ``times[..., r]`` items; leading axes are kept."""

    def influence(self, times: Floats) -> Influence:
        """Give the influence of each row, for one weighting."""


class Coefficient(Protocol):
    """A formula with its settings, checked."""

    @property
    def name(self) -> str:
        """The name of its public function."""

    def prepare(self, ratings: Ratings) -> Prepared:
        """Make it ready for ratings; an error says why that cannot be."""


def corrected(observed: Floats, expected: Floats) -> Parts:
    """Correct for chance: 1 − observed / expected, NaN where chance never disagrees."""
    return Parts(observed, expected, 1.0 - ratio(observed, expected))


def ratio(parts: Floats, wholes: Floats) -> Floats:
    """Divide; NaN where there is nothing to divide by."""
    shape = np.broadcast_shapes(np.shape(parts), np.shape(wholes))
    quotients: Floats = np.full(shape, np.nan)
    np.divide(parts, wholes, out=quotients, where=wholes > 0.0)
    return quotients
