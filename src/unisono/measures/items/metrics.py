"""Distances between label codes, in the two forms coefficients need, never V × V where V is large.

`between` compares two columns of codes. `against` gives for each label the sum of its distances
to all labels, each weighted; for distances that are sums of powers, sines or steps that takes one
pass over the labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from unisono.measures.items.parts import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.model.arrays import Floats

    LabelCodes = NDArray[np.integer]


class Metric(Protocol):
    """A distance between labels, which are known by their codes."""

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Give the distances of pairs."""

    def against(self, weights: Floats) -> Floats:
        """Give Σ_k w_k·δ_ck for each label c; leading axes are kept."""


@dataclass(frozen=True)
class Nominal:
    """0 for the same label, 1 for two different ones."""

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Give the distances of pairs."""
        differ: Floats = (left != right).astype(np.float64)
        return differ

    def against(self, weights: Floats) -> Floats:
        """Give Σ_k w_k·δ_ck for each label c."""
        others: Floats = weights.sum(axis=-1, keepdims=True) - weights
        return others


@dataclass(frozen=True)
class Squares:
    """(x_c − x_k)² of points on a line: interval, and ordinal on middle ranks."""

    points: Floats

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Give the distances of pairs."""
        squares: Floats = (self.points[left] - self.points[right]) ** 2
        return squares

    def against(self, weights: Floats) -> Floats:
        """Give Σ_k w_k·δ_ck for each label c, by the mean and the variance."""
        return square_sums(self.points, weights)


def square_sums(points: Floats, weights: Floats) -> Floats:
    """Give Σ_k w_k·(x_c − x_k)² for each c; points and weights may both have leading axes.

    Exactly 0 where all weight lies on one point.
    """
    points, weights = np.broadcast_arrays(points, weights)
    # From a point that has weight: what is equal to it is then exactly 0.
    heaviest = weights.argmax(axis=-1)[..., None]
    shifted = points - np.take_along_axis(points, heaviest, axis=-1)
    total = weights.sum(axis=-1, keepdims=True)
    mean = ratio((weights * shifted).sum(axis=-1, keepdims=True), total)
    # In place, because points may be millions.
    shifted -= np.nan_to_num(mean)
    shifted *= shifted
    around_mean = (weights * shifted).sum(axis=-1, keepdims=True)
    shifted *= total
    shifted += around_mean
    return shifted


@dataclass(frozen=True)
class Steps:
    """|x_c − x_k| of points on a line: linear weights."""

    points: Floats

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Give the distances of pairs."""
        return np.abs(self.points[left] - self.points[right])

    def against(self, weights: Floats) -> Floats:
        """Give Σ_k w_k·δ_ck for each label c, by running sums."""
        order = np.argsort(self.points, kind="stable")
        points, sorted_weights = self.points[order], weights[..., order]
        below = np.cumsum(sorted_weights, axis=-1)
        moments = np.cumsum(sorted_weights * points, axis=-1)
        sums = points * (2.0 * below - below[..., -1:]) + moments[..., -1:] - 2.0 * moments
        found = np.empty_like(sums)
        found[..., order] = np.maximum(sums, 0.0)
        return found


@dataclass(frozen=True)
class Circle:
    """sin²((θ_c − θ_k)/2) of angles: circular."""

    angles: Floats

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Give the distances of pairs."""
        squares: Floats = np.sin((self.angles[left] - self.angles[right]) / 2.0) ** 2
        return squares

    def against(self, weights: Floats) -> Floats:
        """Give Σ_k w_k·δ_ck for each label c, by the mean direction."""
        # sin²(x/2) = (1 − cos x)/2. From an angle that has weight, and from the mean direction,
        # so that sums of small distances are not differences of large numbers.
        heaviest = weights.argmax(axis=-1)
        shifted = self.angles - self.angles[heaviest][..., None]
        eastward = (weights * np.cos(shifted)).sum(axis=-1, keepdims=True)
        northward = (weights * np.sin(shifted)).sum(axis=-1, keepdims=True)
        mean = np.arctan2(northward, eastward)
        length = np.hypot(northward, eastward)
        apart = np.sin((shifted - mean) / 2.0) ** 2
        sums: Floats = (weights * apart).sum(axis=-1, keepdims=True) + length * apart
        return sums


@dataclass(frozen=True)
class Table:
    """Distances that are written down: a row and a column a label."""

    values: Floats

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Give the distances of pairs."""
        return self.values[left, right]

    def against(self, weights: Floats) -> Floats:
        """Give Σ_k w_k·δ_ck for each label c."""
        sums: Floats = weights @ self.values
        return sums


class Blocks(Protocol):
    """Rows of a table of distances, made when they are asked for."""

    def rows(self, first: int, last: int) -> Floats:
        """Return the distances of labels first to last − 1 to all labels from first on."""

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Give the distances of pairs."""


@dataclass
class ByBlocks:
    """Distances between so many labels that no table of them is ever whole."""

    blocks: Blocks
    n_labels: int
    _last: tuple[Floats, Floats] | None = None

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Give the distances of pairs."""
        return self.blocks.between(left, right)

    def against(self, weights: Floats) -> Floats:
        """Give Σ_k w_k·δ_ck for each label c, some labels at a time."""
        # A value and its standard error ask for the same sums.
        if self._last is None or not np.array_equal(self._last[0], weights):
            step = max(1, _BLOCK // self.n_labels)
            columns = weights.reshape(-1, self.n_labels).T
            sums = np.zeros(columns.shape)
            for first in range(0, self.n_labels, step):
                last = min(first + step, self.n_labels)
                distances = self.blocks.rows(first, last)
                sums[first:last] += distances @ columns[first:]
                # Each two labels are compared once, and count for both.
                sums[last:] += distances[:, last - first :].T @ columns[first:last]
            self._last = weights.copy(), sums.T.reshape(weights.shape)
        return self._last[1]


_BLOCK = 1 << 19  # distances at a time: 4 MB


@dataclass(frozen=True)
class Ranked:
    """Krippendorff's ordinal distance, which the counts of the labels make.

    ``(n_c + … + n_k − (n_c + n_k)/2)²`` is the squared difference of the middle ranks of c and k.
    """

    places: NDArray[np.int64]
    """The place of each label on the scale, from 0; labels of the same place are equal."""

    @cached_property
    def n_places(self) -> int:
        """How many places the scale has."""
        return int(self.places.max()) + 1 if self.places.size else 0

    def on_places(self, counts: Floats) -> Floats:
        """Add up the counts of labels of the same place."""
        sums = np.zeros((*counts.shape[:-1], self.n_places))
        if self.places.size:
            used, firsts = np.unique(np.sort(self.places), return_index=True)
            by_place = counts[..., np.argsort(self.places, kind="stable")]
            sums[..., used] = np.add.reduceat(by_place, firsts, axis=-1)
        return sums

    def middle_ranks(self, counts: Floats) -> Floats:
        """Give the middle rank of each label, for counts of labels."""
        on_places = self.on_places(counts)
        return (np.cumsum(on_places, axis=-1) - on_places / 2.0)[..., self.places]

    def fitted(self, counts: Floats) -> Squares:
        """Give the distances that these counts make."""
        return Squares(self.middle_ranks(counts))
