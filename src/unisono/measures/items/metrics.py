"""Label distances for the item coefficients, vectorised over many labels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from operator import lt
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import (
    NAMED_DISTANCES,
    SETS,
    Texts,
    angles_of,
    as_set,
    bipolar_squares,
    check_distance,
    digest_of_values,
    distance_matrix,
    distance_signature,
    distances_by_function,
    heights_of,
    name_of,
    near_zero,
    numbers_of,
    positive_numbers,
    ratio_squares,
    split_parameter,
    value_of_function,
)
from unisono.measures.items.rows import ranges, ratio, weighted_counts
from unisono.measures.products import product
from unisono.model.codes import Numbers
from unisono.model.labels import as_label, label_text, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from unisono.model.arrays import Floats
    from unisono.model.labels import Label

    LabelCodes = NDArray[np.integer]

    AnyDistance: TypeAlias = str | DistanceMatrix | Callable[[Label, Label], float]

    """A name, optionally with a parameter after a colon; a matrix; or a function of two labels."""


_NODES = 18
_STEP = 1 << 14  # numbers per block of polynomials
_PLACES = np.pi * (np.arange(_NODES) + 0.5) / _NODES
_CHEBYSHEV = np.cos(_PLACES)
# The Chebyshev polynomials T_0, T_1, … at the nodes, weighted so that the product with values at
# the nodes gives the coefficients of the interpolating polynomial.
_FITTED = np.cos(np.outer(np.arange(_NODES), _PLACES)) * (2.0 / _NODES)
_FITTED[0] /= 2.0


class LogScale:
    """Numbers of at least 0 on a logarithmic scale, cut into intervals."""

    def __init__(self, numbers: Floats) -> None:
        self._order = np.argsort(numbers, kind="stable")
        self._n_zeros = int(np.count_nonzero(numbers == 0.0))
        self._numbers = numbers[self._order][self._n_zeros :]
        logs = _precise_logs(self._numbers)
        reach = float(logs[-1] - logs[0]) if logs.size else 0.0
        n_intervals = max(1, int(np.ceil(reach)))
        length = reach / n_intervals or 1.0
        places = (logs - logs[:1]) / length
        intervals = np.minimum(places.astype(np.int64), n_intervals - 1)
        used, starts = np.unique(intervals, return_index=True)
        ends = np.append(starts, len(logs))[1:].tolist()
        self._slices = [
            (number, slice(at, min(at + _STEP, end)))
            for number, (start, end) in enumerate(zip(starts.tolist(), ends, strict=True))
            for at in range(start, end, _STEP)
        ]
        self._inside = np.clip(2.0 * (places - intervals) - 1.0, -1.0, 1.0)
        self._nodes = ((used[:, None] + (_CHEBYSHEV + 1.0) / 2.0) * length).ravel()

    def against(self, weights: Floats) -> Floats:
        """Return Σ_k w_k·((c − k)/(c + k))² for each number c; leading axes are kept."""
        flat = weights.reshape(-1, weights.shape[-1])[:, self._order]
        own = flat[:, self._n_zeros :]
        # 0 is at distance 1 from every other number, and at 0 from itself.
        zeros = flat[:, : self._n_zeros].sum(axis=1, keepdims=True)
        above = np.tile(own.sum(axis=1, keepdims=True), (1, self._n_zeros))
        sums = np.empty_like(flat)
        sums[:, self._order] = np.concatenate((above, self._smooth(own) + zeros), axis=1)
        return sums.reshape(weights.shape)

    def _smooth(self, weights: Floats) -> Floats:
        moments = np.zeros((len(self._nodes) // _NODES, len(weights), _NODES))
        for number, chosen in self._slices:
            moments[number] += product(weights[:, chosen], _polynomials(self._inside[chosen]).T)
        at_nodes = product(moments, _FITTED).transpose(1, 0, 2).reshape(len(weights), -1)
        potential = self._potential(at_nodes).reshape(len(weights), -1, _NODES)
        coefficients = product(potential, _FITTED.T)
        sums = np.zeros_like(weights)
        for number, chosen in self._slices:
            sums[:, chosen] = product(coefficients[:, number], _polynomials(self._inside[chosen]))
        np.maximum(sums, 0.0, out=sums)
        for row, given in zip(sums, weights, strict=True):
            weighted = self._numbers[given != 0.0]
            if weighted.size and weighted[0] == weighted[-1]:
                row[self._numbers == weighted[0]] = 0.0  # exactly, if all weight is on one number
        return sums

    def _potential(self, at_nodes: Floats) -> Floats:
        # The logarithms of all positive floats span 1,455 intervals: 26,190 nodes at most.
        return np.concatenate(
            [
                product(
                    at_nodes,
                    np.tanh((self._nodes[:, None] - self._nodes[first : first + 512]) / 2.0) ** 2,
                )
                for first in range(0, len(self._nodes), 512)
            ]
            or [at_nodes],
            axis=1,
        )


def _precise_logs(numbers: Floats) -> Floats:
    if not numbers.size:
        return numbers
    # Near the middle number ln(c/m) = log1p((c − m)/m) avoids the rounding of the quotient.
    middle = numbers[len(numbers) // 2]
    near = (numbers > middle / 2.0) & (numbers / 2.0 < middle)
    logs = np.empty_like(numbers)
    logs[near] = np.log1p((numbers[near] - middle) / middle)
    logs[~near] = np.log(numbers[~near]) - np.log(middle)
    return logs


def _polynomials(inside: Floats) -> Floats:
    """Return the Chebyshev polynomials at points between −1 and 1: polynomials × points."""
    found = np.empty((_NODES, len(inside)))
    found[0] = 1.0
    found[1] = inside
    twice = 2.0 * inside
    for degree in range(2, _NODES):
        np.multiply(twice, found[degree - 1], out=found[degree])
        found[degree] -= found[degree - 2]
    return found


@dataclass(frozen=True)
class Ratio:
    """((c − k)/(c + k))² of large sets of numbers."""

    numbers: Floats

    @cached_property
    def _scale(self) -> LogScale:
        return LogScale(self.numbers)

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Return the distances of pairs."""
        return ratio_squares(self.numbers[left], self.numbers[right])

    def against(self, weights: Floats) -> Floats:
        """Return Σ_k w_k·δ_ck for each label c."""
        return self._scale.against(weights)


@dataclass(frozen=True)
class Bipolar:
    """(c − k)²/((c + k)(2 − c − k)) of large sets of positions on a scale from 0 to 1."""

    heights: Floats

    @cached_property
    def _scales(self) -> tuple[tuple[Floats, LogScale], ...]:
        # 1/(s(2 − s)) = (1/s + 1/(2 − s))/2: a part from the lower and one from the upper end,
        # and (c − k)²/(c + k) = (c + k)·((c − k)/(c + k))².
        depths = 1.0 - self.heights
        return (self.heights, LogScale(self.heights)), (depths, LogScale(depths))

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Return the distances of pairs."""
        return bipolar_squares(self.heights[left], self.heights[right], 1.0)

    def against(self, weights: Floats) -> Floats:
        """Return Σ_k w_k·δ_ck for each label c."""
        sums = np.zeros_like(weights)
        for numbers, scale in self._scales:
            sums += numbers * scale.against(weights) + scale.against(weights * numbers)
        halved: Floats = sums / 2.0
        return halved


_FEW_MEMBERS = 1024
_LARGEST_LOOK_UP = 1 << 20  # below 2^24, so that places in it are exact in 32 bits
_CELLS_AT_A_TIME = 1 << 15


class ManySets:
    """Jaccard, Dice or MASI distances of many sets."""

    def __init__(
        self,
        labels: Sequence[Label],
        name: str,
        *,
        few_members: int = _FEW_MEMBERS,
        largest_look_up: int = _LARGEST_LOOK_UP,
    ) -> None:
        sets = list(map(as_set, labels))
        number_of = {member: number for number, member in enumerate(frozenset().union(*sets))}
        self._formula = SETS[name]
        self._n_members = max(len(number_of), 1)
        self._has_few_members = self._n_members <= few_members
        self._sizes = np.array([len(members) for members in sets], dtype=np.int64)
        self._offsets = np.concatenate(([0], np.cumsum(self._sizes)))
        self._members = np.array(
            [number for each in sets for number in sorted(number_of[member] for member in each)],
            dtype=np.int64,
        )
        # Sorted, because members are sorted within sets: a set has a member if the key is present.
        self._keys = np.repeat(np.arange(len(sets)), self._sizes) * self._n_members + self._members
        by_member = np.argsort(self._members, kind="stable")
        self._holders = np.repeat(np.arange(len(sets)), self._sizes)[by_member]
        self._held = np.searchsorted(self._members[by_member], np.arange(self._n_members + 1))
        self._table, self._lines, self._columns = self._looked_up(largest_look_up)

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Return the distances of pairs."""
        sizes = self._sizes[left]
        members = self._members[ranges(self._offsets[left], sizes)]
        keys = np.repeat(right.astype(np.int64), sizes) * self._n_members + members
        at = np.searchsorted(self._keys, keys)
        found = at < len(self._keys)
        found[found] = self._keys[at[found]] == keys[found]
        pairs = np.repeat(np.arange(len(left)), sizes)
        shared = weighted_counts(pairs, found.astype(np.float64), len(left))
        return self._formula(sizes.astype(np.float64), self._sizes[right].astype(float), shared)

    def rows(self, first: int, last: int) -> Floats:
        """Return the distances of sets first to last − 1 to all sets from first on."""
        if self._table is None:
            sizes = self._sizes.astype(np.float64)
            shared = self._shared(first, last).astype(np.float64)
            return self._formula(sizes[first:last, None], sizes[first:], shared)
        # Distances depend on three integers only: they are looked up, not computed.
        if self._has_few_members:
            left, right = self._to_places
            places: NDArray[np.floating] = left[first:last] @ right[:, first:]
        else:
            places = self._shared(first, last)
            places += self._columns[first:]
            places += self._lines[first:last, None]
        return self._table.take(places.astype(np.intp), mode="clip")

    def whole(self, *, cells_at_a_time: int = _CELLS_AT_A_TIME) -> Floats:
        """Return the matrix of all distances, with one row and one column per set."""
        n_sets = len(self._sizes)
        distances = np.empty((n_sets, n_sets))
        # Small blocks, so that the intermediate arrays stay in the cache.
        step = max(1, cells_at_a_time // max(n_sets, 1))
        for first in range(0, n_sets, step):
            last = min(first + step, n_sets)
            distances[first:last, first:] = self.rows(first, last)
            distances[last:, first:last] = distances[first:last, last:].T
        return distances

    @cached_property
    def _held_by(self) -> NDArray[np.float32]:
        # Sums of zeros and ones are exact in 32 bits.
        holds = np.zeros((len(self._sizes), self._n_members), dtype=np.float32)
        holds[np.repeat(np.arange(len(self._sizes)), self._sizes), self._members] = 1.0
        return holds

    @cached_property
    def _to_places(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return two matrices whose product is the index into the table of distances."""
        ones = np.ones(len(self._sizes), dtype=np.float32)
        left = np.column_stack((self._held_by, self._lines, ones))
        right = np.column_stack((self._held_by, ones, self._columns))
        return left, np.ascontiguousarray(right.T)

    def _looked_up(
        self, largest: int
    ) -> tuple[Floats | None, NDArray[np.float32], NDArray[np.float32]]:
        """Return the distances by both sizes and the intersection, and the offsets of each size."""
        used, number = np.unique(self._sizes, return_inverse=True)
        most = int(used.max(initial=0)) + 1
        columns = (number * most).astype(np.float32)
        lines = (number * (len(used) * most)).astype(np.float32)
        if len(used) ** 2 * most > largest:
            return None, lines, columns
        sizes = used.astype(np.float64)
        shared = np.arange(most, dtype=np.float64)
        # The intersection is at most the smaller set; other cells of the table are not used.
        possible = np.minimum(shared, np.minimum(sizes[:, None], sizes)[..., None])
        table = self._formula(
            np.broadcast_to(sizes[:, None, None], possible.shape),
            np.broadcast_to(sizes[:, None], possible.shape),
            possible,
        )
        return table.ravel(), lines, columns

    def _shared(self, first: int, last: int) -> NDArray[np.floating]:
        n_sets = len(self._sizes)
        if self._has_few_members:
            shared: NDArray[np.float32] = self._held_by[first:last] @ self._held_by[first:].T
            return shared
        # With many members each is in few sets, and only those are visited.
        own = self._members[self._offsets[first] : self._offsets[last]]
        rows = np.repeat(np.arange(last - first), self._sizes[first:last])
        n_holders = np.diff(self._held)[own]
        others = self._holders[ranges(self._held[own], n_holders)]
        keys = np.repeat(rows, n_holders) * n_sets + others
        counts = np.bincount(keys, minlength=(last - first) * n_sets)
        return counts.reshape(last - first, n_sets)[:, first:].astype(np.float64)


@dataclass(frozen=True)
class ManyByFunction:
    """Distances of many labels by a custom function."""

    labels: Sequence[Label]
    function: Callable[[Label, Label], float]
    most: float

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Return the distances of pairs; the function is called once per unordered pair."""
        low, high = np.minimum(left, right), np.maximum(left, right)
        keys, places = np.unique(
            low.astype(np.int64) * len(self.labels) + high, return_inverse=True
        )
        ones, others = np.divmod(keys, len(self.labels))
        return self._values(ones, others)[places]

    def rows(self, first: int, last: int) -> Floats:
        """Return the distances of labels first to last − 1 to all labels from first on."""
        n_rows, n_others = last - first, len(self.labels) - first
        distances = np.zeros((n_rows, n_others))
        ones, others = np.triu_indices(n_rows, 1, n_others)
        distances[ones, others] = self._values(ones + first, others + first)
        within = distances[:, :n_rows]
        within += within.T.copy()
        return distances

    def _values(self, ones: LabelCodes, others: LabelCodes) -> Floats:
        return np.array(
            [
                0.0
                if i == j
                else value_of_function(self.function, self.labels[i], self.labels[j], self.most)
                for i, j in zip(ones.tolist(), others.tolist(), strict=True)
            ]
        )


class Metric(Protocol):
    """A distance between labels, which are given by their codes."""

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Return the distances of pairs."""

    def against(self, weights: Floats) -> Floats:
        """Return Σ_k w_k·δ_ck for each label c; leading axes are kept."""


@dataclass(frozen=True)
class Nominal:
    """0 for the same label, 1 for two different ones."""

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Return the distances of pairs."""
        differ: Floats = (left != right).astype(np.float64)
        return differ

    def against(self, weights: Floats) -> Floats:
        """Return Σ_k w_k·δ_ck for each label c."""
        others: Floats = weights.sum(axis=-1, keepdims=True) - weights
        return others


@dataclass(frozen=True)
class Squares:
    """(x_c − x_k)² of points on a line: interval, and ordinal on middle ranks."""

    points: Floats

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Return the distances of pairs."""
        squares: Floats = (self.points[left] - self.points[right]) ** 2
        return squares

    def against(self, weights: Floats) -> Floats:
        """Return Σ_k w_k·δ_ck for each label c, by the mean and the variance."""
        return square_sums(self.points, weights)


def square_sums(points: Floats, weights: Floats) -> Floats:
    """Return Σ_k w_k·(x_c − x_k)² for each c; points and weights may both have leading axes.

    Exactly 0 where all weight lies on one point.
    """
    points, weights = np.broadcast_arrays(points, weights)
    # Relative to a point with weight, so that equal points give exactly 0.
    heaviest = weights.argmax(axis=-1)[..., None]
    shifted = points - np.take_along_axis(points, heaviest, axis=-1)
    total = weights.sum(axis=-1, keepdims=True)
    mean = ratio((weights * shifted).sum(axis=-1, keepdims=True), total)
    # In place, because there may be millions of points.
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
        """Return the distances of pairs."""
        return np.abs(self.points[left] - self.points[right])

    def against(self, weights: Floats) -> Floats:
        """Return Σ_k w_k·δ_ck for each label c, by running sums."""
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
        """Return the distances of pairs."""
        squares: Floats = np.sin((self.angles[left] - self.angles[right]) / 2.0) ** 2
        return squares

    def against(self, weights: Floats) -> Floats:
        """Return Σ_k w_k·δ_ck for each label c, by the mean direction."""
        # sin²(x/2) = (1 − cos x)/2. Relative to an angle with weight, then to the mean direction,
        # to avoid cancellation in sums of small distances.
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
    """A matrix of distances, with one row and one column per label."""

    values: Floats

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Return the distances of pairs."""
        return self.values[left, right]

    def against(self, weights: Floats) -> Floats:
        """Return Σ_k w_k·δ_ck for each label c."""
        sums: Floats = product(weights, self.values)
        return sums


class Blocks(Protocol):
    """Rows of a matrix of distances, computed on demand."""

    def rows(self, first: int, last: int) -> Floats:
        """Return the distances of labels first to last − 1 to all labels from first on."""

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Return the distances of pairs."""


_BLOCK = 1 << 19  # distances at a time: 4 MB


@dataclass
class ByBlocks:
    """Distances between too many labels for a full matrix, computed in blocks."""

    blocks: Blocks
    n_labels: int
    at_a_time: int = _BLOCK
    _last: tuple[Floats, Floats] | None = None

    def between(self, left: LabelCodes, right: LabelCodes) -> Floats:
        """Return the distances of pairs."""
        return self.blocks.between(left, right)

    def against(self, weights: Floats) -> Floats:
        """Return Σ_k w_k·δ_ck for each label c, in blocks of labels."""
        # A value and its standard error use the same sums.
        if self._last is None or not np.array_equal(self._last[0], weights):
            step = max(1, self.at_a_time // self.n_labels)
            columns = weights.reshape(-1, self.n_labels).T
            sums = np.zeros(columns.shape)
            for first in range(0, self.n_labels, step):
                last = min(first + step, self.n_labels)
                distances = self.blocks.rows(first, last)
                sums[first:last] += product(distances, columns[first:])
                # Each pair of labels is compared once and contributes to both.
                sums[last:] += product(distances[:, last - first :].T, columns[first:last])
            self._last = weights.copy(), sums.T.reshape(weights.shape)
        return self._last[1]


@dataclass(frozen=True)
class Ranked:
    """Krippendorff's ordinal distance, which depends on the counts of the labels.

    ``(n_c + … + n_k − (n_c + n_k)/2)²`` is the squared difference of the middle ranks of c and k.
    """

    places: NDArray[np.int64]
    """The place of each label on the scale, from 0; labels of the same place are equal."""

    @cached_property
    def n_places(self) -> int:
        """The number of places on the scale."""
        return int(self.places.max()) + 1 if self.places.size else 0

    def on_places(self, counts: Floats) -> Floats:
        """Return the counts of places: the sums over labels of the same place."""
        sums = np.zeros((*counts.shape[:-1], self.n_places))
        if self.places.size:
            used, firsts = np.unique(np.sort(self.places), return_index=True)
            by_place = counts[..., np.argsort(self.places, kind="stable")]
            sums[..., used] = np.add.reduceat(by_place, firsts, axis=-1)
        return sums

    def middle_ranks(self, counts: Floats) -> Floats:
        """Return the middle rank of each label for counts of labels."""
        on_places = self.on_places(counts)
        return (np.cumsum(on_places, axis=-1) - on_places / 2.0)[..., self.places]

    def fitted(self, counts: Floats) -> Squares:
        """Return the distances for these counts."""
        return Squares(self.middle_ranks(counts))


RANK_WEIGHTS = ("linear", "quadratic")
_WITH_OWN = {"circular": "circular:24", "bipolar": "bipolar:1..7"}
_LARGEST_TABLE = 2048
_SMALLEST, _LARGEST = 1e-100, 1e100


def check_weights(weights: object) -> None:
    """Raise an error unless weights are valid for κ; does not need any data."""
    if weights is None or (isinstance(weights, str) and weights in RANK_WEIGHTS):
        return
    check_distance(weights, "weights", (*RANK_WEIGHTS, *NAMED_DISTANCES))


def checked_order(order: Sequence[Label] | None) -> tuple[Label, ...] | None:
    """Return an order as labels; raise an error if a label is missing or occurs twice."""
    if order is None:
        return None
    if isinstance(order, str):
        msg = f"{setting('order')} is a list of labels, from low to high; got the text {order!r}"
        raise TypeError(msg)
    labels = []
    for each in order:
        label = as_label(each)
        if label is None or label in labels:
            problem = "a missing label" if label is None else f"{shown(label)} twice"
            msg = (
                f"{setting('order')} must list each label once, from low to high; it has {problem}"
            )
            raise SettingError(msg)
        labels.append(label)
    return tuple(labels)


def distance_metric(
    labels: Sequence[Label],
    distance: AnyDistance,
    order: Sequence[Label] | None,
    *,
    largest_table: int = _LARGEST_TABLE,
) -> Metric | Ranked:
    """Return the metric of α: distances as published by Krippendorff, not scaled."""
    if isinstance(distance, str):
        if distance == "ordinal":
            return Ranked(places_of(labels, "ordinal", order))
        if distance == "interval":
            return Squares(_points(labels))
        return _named_metric(labels, distance, largest_table=largest_table)
    if isinstance(distance, DistanceMatrix):
        return Table(distance_matrix(labels, distance))
    return _function_metric(labels, distance, math.inf, largest_table=largest_table)


def weight_metric(
    labels: Sequence[Label],
    weights: AnyDistance | None,
    order: Sequence[Label] | None,
    counts: Floats,
) -> Metric:
    """Return the metric of a weighted κ: the cost of a disagreement, from 0 to 1.

    Labels are all labels of the scale, including unused ones.
    """
    if weights is None:
        return Nominal()
    if isinstance(weights, str):
        if weights in RANK_WEIGHTS:
            places = places_of(labels, weights, order)
            parts = places / max(1, int(places.max(initial=0)))
            return Steps(parts) if weights == "linear" else Squares(parts)
        if weights == "ordinal":
            ranks = Ranked(places_of(labels, weights, order)).middle_ranks(counts)
            return Squares(_within_one(ranks))
        if weights == "interval":
            return Squares(_within_one(_points(labels)))
        return _named_metric(labels, weights)
    if isinstance(weights, DistanceMatrix):
        return Table(distance_matrix(labels, weights))
    return _function_metric(labels, weights, 1.0)


def places_of(
    labels: Sequence[Label], name: str, order: Sequence[Label] | None
) -> NDArray[np.int64]:
    """Return the place of each label on its scale: in a given order, or by number."""
    if order is not None:
        place = {label: at for at, label in enumerate(order)}
        return np.array([_found(place, label) for label in labels], dtype=np.int64)
    if _are_in_order(labels):
        return np.arange(len(labels))
    try:
        numbers = numbers_of(labels, name)
    except DataError:
        label = next(label for label in labels if not _is_number(label))
        msg = (
            f"{name!r} needs labels in an order, and the label {shown(label)} is not a number; "
            f"list all labels from low to high with {setting('order', ...)}"
        )
        raise DataError(msg) from None
    places: NDArray[np.int64] = np.unique(numbers, return_inverse=True)[1].astype(np.int64)
    return places


def follows_order(given: AnyDistance | None) -> bool:
    """Whether a distance or weights use the order of the labels."""
    return isinstance(given, str) and given in {"ordinal", *RANK_WEIGHTS}


def has_gaps(labels: Sequence[Label]) -> bool:
    """Whether the labels are integers with unused integers between them."""
    numbers = [label for label in labels if isinstance(label, int)]
    return len(numbers) == len(labels) > 0 and max(numbers) - min(numbers) + 1 > len(numbers)


def scale_text(
    given: AnyDistance,
    labels: Sequence[Label],
    order: Sequence[Label] | None,
    metric: Metric | Ranked,
) -> str:
    """Return a distance or weights as text for a signature."""
    if not isinstance(given, str):
        values = metric.values if isinstance(metric, Table) else np.zeros(0)
        digest = f"#{digest_of_values(labels, values)}" if values.size else ""
        return (
            f"matrix{digest}"
            if isinstance(given, DistanceMatrix)
            else (f"callable:{name_of(given)}{digest}")
        )
    if order is not None and follows_order(given):
        return f"{given}[{'<'.join(map(label_text, order))}]"
    return (
        distance_signature(given, labels)
        if split_parameter(given)[0] in _WITH_OWN and labels
        else given
    )


def scale_notes(given: AnyDistance | None, labels: Sequence[Label]) -> tuple[str, ...]:
    """Return notes on parameters of the scale that were inferred from the labels."""
    if not labels or not isinstance(given, str) or given not in _WITH_OWN:
        return ()
    if given == "circular":
        _, around = angles_of(labels)
        inferred = f"the circumference {around:g} was"
    else:
        _, low, high = heights_of(labels)
        inferred = f"the ends {low:g} and {high:g} of the scale were"
    return (f"{inferred} inferred from the labels; to override, write {_WITH_OWN[given]!r}",)


def _found(place: dict[Label, int], label: Label) -> int:
    if label not in place:
        listed = ", ".join(map(shown, place))
        msg = f"{setting('order')} does not have the label {shown(label)}; it has {listed}"
        raise DataError(msg)
    return place[label]


def _are_in_order(labels: Sequence[Label]) -> bool:
    """Whether labels are strictly increasing numbers."""
    if isinstance(labels, Numbers):
        return True
    # Compared in Python, because large integers may be equal as floats.
    return {int, float}.issuperset(map(type, labels)) and all(
        map(lt, labels, islice(labels, 1, None))
    )


def _is_number(label: Label) -> bool:
    try:
        numbers_of([label], "ordinal")
    except DataError:
        return False
    return True


def _points(labels: Sequence[Label]) -> Floats:
    points = numbers_of(near_zero(labels), "interval")
    reach = float(points.max() / 2.0 - points.min() / 2.0) if points.size else 0.0
    if reach and not _SMALLEST < reach < _LARGEST:
        msg = (
            "the distance 'interval' squares differences, and those of the labels are too "
            f"{'large' if reach > 1.0 else 'small'} for that; give the labels in another unit"
        )
        raise DataError(msg)
    return points


def _within_one(points: Floats) -> Floats:
    if not points.size:
        return points
    reach = points.max() - points.min()
    parts: Floats = (points - points.min()) / (reach or 1.0)
    return parts


def _named_metric(
    labels: Sequence[Label], distance: str, *, largest_table: int = _LARGEST_TABLE
) -> Metric:
    name, own = split_parameter(distance)
    if name == "nominal":
        return Nominal()
    if name == "circular":
        return Circle(angles_of(labels, own)[0])
    if len(labels) <= largest_table:
        if name in SETS:
            return Table(ManySets(labels, name).whole())
        return Table(distance_matrix(labels, distance))
    if name == "ratio":
        return Ratio(positive_numbers(labels))
    if name == "bipolar":
        heights, low, high = heights_of(labels, own)
        return Bipolar(heights / (high - low or 1.0))
    blocks = ManySets(labels, name) if name in SETS else Texts(labels)
    return ByBlocks(blocks, len(labels))


def _function_metric(
    labels: Sequence[Label],
    function: Callable[[Label, Label], float],
    most: float,
    *,
    largest_table: int = _LARGEST_TABLE,
) -> Metric:
    if len(labels) <= largest_table:
        return Table(distances_by_function(labels, function, most=most))
    return ByBlocks(ManyByFunction(labels, function, most), len(labels))
