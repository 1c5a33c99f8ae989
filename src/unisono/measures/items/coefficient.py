"""How every coefficient of given items is computed: prepare, weigh, finish."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np

from unisono.errors import DataError
from unisono.measures.items.disagreement import spreads
from unisono.measures.items.metrics import ByBlocks, Circle, Nominal, Squares
from unisono.measures.items.result import ItemsAgreement
from unisono.measures.items.rows import (
    WIDEST_FEATURES,
    Coefficient,
    Influence,
    Parts,
    Rows,
    RowSums,
    corrected,
    distinct,
    fits,
    influence_on_value,
    joined_features,
    moved,
    numbered,
    pairable,
    ranges,
    ratio,
    weighted_counts,
)
from unisono.model.labels import label_text, shown
from unisono.model.ratings import Ratings
from unisono.results.agreement import Agreement, Signature
from unisono.results.wording import count, some
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from unisono.measures.items.disagreement import Chance
    from unisono.measures.items.metrics import Metric, Ranked
    from unisono.measures.items.rows import MissingPolicy, Prepared
    from unisono.model.arrays import Codes, Floats, Integers
    from unisono.model.labels import Label

__all__ = [
    "Corrected",
    "Found",
    "Kind",
    "MeanOfPairs",
    "Measurable",
    "Met",
    "Percent",
    "Settings",
    "Work",
    "inapplicable",
    "measured",
]


class Found:
    """The disagreement in the data: the weighted mean distance of the pairs of each row."""

    def __init__(self, rows: Rows, metric: Metric, weights: Floats) -> None:
        self.rows = rows
        self.pair_weights = weights
        self.distances: Floats = spreads(rows, metric) * weights
        self.weights: Floats = rows.sizes * (rows.sizes - 1) / 2.0 * weights

    def influence(self, times: Floats) -> Floats:
        """Give the influence of each row on the mean distance."""
        whole = times @ self.weights
        mean = times @ self.distances / whole
        return moved((self.distances - mean * self.weights) / whole, times)

    def by_label(self, times: Floats) -> Floats:
        """Give for each label how often just one of two values has it."""
        cells = self.rows.cells
        weights = (times * self.pair_weights)[cells.rows] * self.rows.splits
        n_labels = len(self.rows.labels)
        return weighted_counts(cells.labels, weights, n_labels) / (times @ self.weights)


@dataclass(frozen=True)
class Percent:
    """Agreement without any chance: 1 − the disagreement found."""

    found: Found

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.found.rows.n_rows

    @cached_property
    def features(self) -> Floats:
        """What one item of each row adds to the sums."""
        return np.column_stack((self.found.distances, self.found.weights))

    def finish(self, sums: Floats) -> Parts:
        """Give the parts of sums."""
        observed = ratio(sums[..., 0], sums[..., 1])
        return Parts(observed, np.full(observed.shape, np.nan), 1.0 - observed)

    def parts(self, times: Floats) -> Parts:
        """Give the parts of weighted rows."""
        return self.finish(times @ self.features)

    def influence(self, times: Floats) -> Influence:
        """Give the influence of each row."""
        observed = self.found.influence(times)
        return Influence(observed, np.full(len(observed), np.nan), -observed)

    def by_label(self, times: Floats) -> Parts:
        """Give the parts of each label when all other labels are one."""
        observed = self.found.by_label(times)
        return Parts(observed, np.full(len(observed), np.nan), 1.0 - observed)


@dataclass
class Corrected:
    """1 − the disagreement found / that by chance."""

    found: Found
    sums: RowSums
    chance: Chance
    _last: tuple[Floats, Parts] | None = None

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.found.rows.n_rows

    @cached_property
    def features(self) -> Floats | None:
        """What one item of each row adds to the sums; `None` where that is large."""
        return joined_features(self.found.distances, self.found.weights, self.sums.features)

    def finish(self, sums: Floats) -> Parts:
        """Give the parts of sums."""
        return corrected(ratio(sums[..., 0], sums[..., 1]), self.chance.expected(sums[..., 2:]))

    def parts(self, times: Floats) -> Parts:
        """Give the parts of weighted rows."""
        # A value and its standard error ask for the same weights.
        if self._last is not None and np.array_equal(self._last[0], times):
            return self._last[1]
        observed = ratio(times @ self.found.distances, times @ self.found.weights)
        parts = corrected(observed, self.chance.expected(self.sums.of(times)))
        if times.ndim == 1:
            self._last = times.copy(), parts
        return parts

    def influence(self, times: Floats) -> Influence:
        """Give the influence of each row."""
        parts = self.parts(times)
        observed = self.found.influence(times)
        slopes = self.sums.spread(self.chance.gradient(self.sums.of(times)))
        expected = moved(slopes, times)
        return Influence(observed, expected, influence_on_value(parts, observed, expected))

    def by_label(self, times: Floats) -> Parts:
        """Give the parts of each label when all other labels are one."""
        observed = self.found.by_label(times)
        return corrected(observed, self.chance.by_label(self.sums.of(times), len(observed)))


_CELLS_AT_A_TIME = 1 << 16
_LARGEST_LOOK_UP = 1 << 24  # pairs of annotators, whether they meet or not
_MOST_KEPT = 1 << 24  # pairs of values that are kept rather than found again
_FEW_MARGINS = 1 << 16  # that are all written out, whether they occur or not
_MOST_MARGINS = 1 << 26


class Meetings(NamedTuple):
    """Some pairs of values of the same item, with the pair of annotators that gave them."""

    rows: Integers
    pairs: Integers
    left: Codes
    right: Codes


class Met:
    """Every two values of an item, in the rows that are chosen."""

    def __init__(
        self,
        rows: Rows,
        chosen: NDArray[np.bool_],
        *,
        cells_at_a_time: int = _CELLS_AT_A_TIME,
        largest_look_up: int = _LARGEST_LOOK_UP,
        most_kept: int = _MOST_KEPT,
    ) -> None:
        self._rows = rows
        self._chosen = chosen
        self._cells_at_a_time = cells_at_a_time
        sizes = rows.sizes[chosen]
        self.n_meetings = int((sizes * (sizes - 1) // 2).sum())
        n = rows.n_annotators
        self._numbers: Integers | None = None
        if n * n <= largest_look_up:
            occurs = np.zeros(n * n, dtype=np.bool_)
            for keys, *_ in self._found():
                occurs[keys] = True
            self._keys = np.flatnonzero(occurs)
            self._numbers = np.cumsum(occurs, dtype=np.int64) - 1
        else:
            found = [distinct(keys) for keys, *_ in self._found()]
            self._keys = distinct(np.concatenate([np.zeros(0, dtype=np.int64), *found]))
        self.annotators: Integers = np.column_stack(np.divmod(self._keys, max(n, 1)))
        self._kept = list(self._numbered()) if self.n_meetings <= most_kept else None

    def blocks(self) -> Iterable[Meetings]:
        """Give all meetings, some at a time."""
        return self._numbered() if self._kept is None else self._kept

    def _numbered(self) -> Iterator[Meetings]:
        for keys, of_rows, left, right in self._found():
            numbers = self._numbers
            pairs = np.searchsorted(self._keys, keys) if numbers is None else numbers[keys]
            codes = self._rows.label_codes
            yield Meetings(of_rows, pairs, codes[left], codes[right])

    def _found(self) -> Iterator[tuple[Integers, Integers, Integers, Integers]]:
        """Find meetings by their first annotator, so that those of a pair lie near each other."""
        rows = self._rows
        values = np.argsort(rows.annotator_codes, kind="stable")
        of_rows = np.repeat(np.arange(rows.n_rows), rows.sizes)[values]
        # The values of a row stand by annotator: each meets those that come after it.
        after = np.where(self._chosen[of_rows], rows.offsets[of_rows + 1] - values - 1, 0)
        ends = np.cumsum(after)
        firsts = np.arange(0, self.n_meetings, self._cells_at_a_time)
        cuts = np.searchsorted(ends, firsts, "right")
        for at, until in pairwise([*cuts.tolist(), len(values)]):
            some, n_after = values[at:until], after[at:until]
            if not n_after.any():
                continue
            left, right = np.repeat(some, n_after), ranges(some + 1, n_after)
            keys = rows.annotator_codes[left].astype(np.int64) * rows.n_annotators
            keys += rows.annotator_codes[right]
            yield keys, np.repeat(of_rows[at:until], n_after), left, right


@dataclass
class MeanOfPairs:
    """Cohen's κ of each pair of annotators, and Light's: their mean.

    The sums are, one after another: for each pair the items they share and the distances in
    them, then for each pair and label how often the first gave it, and how often the second did.
    """

    n_rows: int
    met: Met
    metric: Metric
    n_labels: int
    cells_at_a_time: int = _CELLS_AT_A_TIME
    few_margins: int = _FEW_MARGINS
    widest_features: int = WIDEST_FEATURES
    _last: tuple[Floats, Floats] | None = None

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.n_rows

    @property
    def n_pairs(self) -> int:
        """How many pairs of annotators share an item."""
        return len(self.met.annotators)

    @cached_property
    def _keys(self) -> Integers:
        """The pair and label of each margin, as pair × labels + label."""
        n_margins = self.n_pairs * self.n_labels
        if n_margins <= max(4 * self.met.n_meetings, self.few_margins):
            if n_margins > _MOST_MARGINS:
                msg = (
                    f"κ of {self.n_pairs:,} pairs of annotators over {self.n_labels:,} labels is "
                    "more than fits into memory; choose annotators with Ratings.only, or take "
                    "conger_kappa"
                )
                raise DataError(msg)
            return np.arange(n_margins)
        found = [distinct(np.concatenate(self._both(block))) for block in self.met.blocks()]
        return distinct(np.concatenate([np.zeros(0, dtype=np.int64), *found]))

    @property
    def is_dense(self) -> bool:
        """Whether there is a margin for each pair and each label, also those that never meet."""
        return len(self._keys) == self.n_pairs * self.n_labels

    def _both(self, block: Meetings) -> tuple[Integers, Integers]:
        first = block.pairs * self.n_labels
        return first + block.left, first + block.right

    def _places(self, block: Meetings) -> tuple[Integers, Integers]:
        """Give the margin of each left and of each right value."""
        left, right = self._both(block)
        if self.is_dense:
            return left, right
        return np.searchsorted(self._keys, left), np.searchsorted(self._keys, right)

    @cached_property
    def features(self) -> Floats | None:
        """What one item of each row adds to the sums; `None` where that is large."""
        n_keys = len(self._keys)
        n_sums = 2 * self.n_pairs + 2 * n_keys
        if not fits(self.n_rows, n_sums, widest=self.widest_features):
            return None
        table = np.zeros((self.n_rows, n_sums))
        first = 2 * self.n_pairs
        for block in self.met.blocks():
            left, right = self._places(block)
            # A row meets a pair once, and then each of these columns once.
            table[block.rows, block.pairs] = 1.0
            distances = self.metric.between(block.left, block.right)
            table[block.rows, self.n_pairs + block.pairs] = distances
            table[block.rows, first + left] = 1.0
            table[block.rows, first + n_keys + right] = 1.0
        return table

    def finish(self, sums: Floats) -> Parts:
        """Give the mean over the pairs that share an item; NaN if one of these has no κ."""
        each = self.finish_pairs(sums)
        shared = sums[..., : self.n_pairs] > 0.0
        n = shared.sum(axis=-1).astype(np.float64)
        return Parts(*(ratio(np.where(shared, part, 0.0).sum(axis=-1), n) for part in each))

    def finish_pairs(self, sums: Floats) -> Parts:
        """Give the parts of each pair: Cohen (1960, 1968), κ = 1 − Σ δ_ck·p_ck / Σ δ_ck·p_c·p_k."""
        shared, distances, left, right = self._split(sums)
        expected = ratio(self._crossed(left, right, shared), shared**2)
        return corrected(ratio(distances, shared), expected)

    def _split(self, sums: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        ends = np.cumsum((self.n_pairs, self.n_pairs, len(self._keys)))
        shared, distances, left, right = np.split(sums, ends, axis=-1)
        return shared, distances, left, right

    def parts(self, times: Floats) -> Parts:
        """Give the parts of weighted rows."""
        return self.finish(self.sums(times))

    def sums(self, times: Floats) -> Floats:
        """Give the sums of weighted rows."""
        if times.ndim > 1:
            if self.features is not None:
                return times @ self.features
            flat = times.reshape(-1, times.shape[-1])
            return np.array([self.sums(each) for each in flat]).reshape(*times.shape[:-1], -1)
        # A value, its labels and its standard error ask for the same weights.
        if self._last is None or not np.array_equal(self._last[0], times):
            self._last = times.copy(), self._summed(times)
        return self._last[1]

    def _summed(self, times: Floats) -> Floats:
        sums = np.zeros(2 * self.n_pairs + 2 * len(self._keys))
        shared, distances, left_sums, right_sums = self._split(sums)
        for block in self.met.blocks():
            # Only the pairs of this block are touched.
            first, last = int(block.pairs.min()), int(block.pairs.max()) + 1
            start, end = np.searchsorted(self._keys, (first * self.n_labels, last * self.n_labels))
            weights, pairs = times[block.rows], block.pairs - first
            apart = self.metric.between(block.left, block.right)
            left, right = self._places(block)
            shared[first:last] += weighted_counts(pairs, weights, last - first)
            distances[first:last] += weighted_counts(pairs, weights * apart, last - first)
            left_sums[start:end] += weighted_counts(left - start, weights, end - start)
            right_sums[start:end] += weighted_counts(right - start, weights, end - start)
        return sums

    def influence(self, times: Floats) -> Influence:
        """Give the influence of each row."""
        sums = self.sums(times)
        each = self.finish_pairs(sums)
        shared, _, left_sums, right_sums = self._split(sums)
        against_left, against_right = self._against(left_sums), self._against(right_sums)
        n_shared = np.count_nonzero(shared > 0.0)
        slopes = np.zeros((3, self.n_rows))
        for block in self.met.blocks():
            left, right = self._places(block)
            n, o, e, value = (part[block.pairs] for part in (shared, *each))
            observed = (self.metric.between(block.left, block.right) - o) / n
            expected = ((against_right[left] + against_left[right]) / n - 2.0 * e) / n
            moves = observed, expected, ((1.0 - value) * expected - observed) / e
            slopes += [weighted_counts(block.rows, move, self.n_rows) for move in moves]
        observed, expected, value = (moved(each / n_shared, times) for each in slopes)
        return Influence(observed, expected, value)

    def by_label(self, times: Floats) -> Parts:
        """Give the parts of each label when all others are one: means over pairs that have them."""
        shared, _, left, right = self._split(self.sums(times))
        both = np.zeros(len(self._keys))
        for block in self.met.blocks():
            same = block.left == block.right
            places = self._places(block)[0][same]
            start = int(places.min()) if places.size else 0
            counted = weighted_counts(places - start, times[block.rows[same]], 0)
            both[start : start + len(counted)] += counted
        pairs, labels = np.divmod(self._keys, self.n_labels)
        p, q, r = (np.nan_to_num(ratio(each, shared[pairs])) for each in (left, right, both))
        parts = corrected(p + q - 2.0 * r, p + q - 2.0 * p * q)
        # A pair that never uses the label, or no other, has nothing to say of it.
        defined = parts.expected > 0.0
        n = weighted_counts(labels[defined], np.ones(np.count_nonzero(defined)), self.n_labels)
        observed, expected, value = (
            ratio(weighted_counts(labels[defined], part[defined], self.n_labels), n)
            for part in parts
        )
        return Parts(observed, expected, value)

    def _crossed(self, left: Floats, right: Floats, shared: Floats) -> Floats:
        """Give Σ_ck l_c·r_k·δ_ck of each pair."""
        keys = self._keys
        starts = np.searchsorted(keys, np.arange(self.n_pairs) * self.n_labels)
        if isinstance(self.metric, Nominal):
            return shared**2 - _segments(left * right, starts)
        if not self.n_pairs:
            return shared
        flat = right.reshape(-1, right.shape[-1])
        against = np.array([self._against(each) for each in flat]).reshape(right.shape)
        return _segments(left * against, starts)

    def _against(self, margins: Floats) -> Floats:
        """Give Σ_k m_k·δ_ck for each margin of one weighting, within its pair."""
        keys = self._keys
        step = max(1, self.cells_at_a_time // max(self.n_labels, 1))
        found = []
        for first in range(0, self.n_pairs, step):
            last = min(first + step, self.n_pairs)
            at, until = np.searchsorted(keys, (first * self.n_labels, last * self.n_labels))
            places = keys[at:until] - first * self.n_labels
            table = np.zeros((last - first) * self.n_labels)
            table[places] = margins[at:until]
            against = self.metric.against(table.reshape(last - first, self.n_labels))
            found.append(against.ravel()[places])
        return np.concatenate(found or [np.zeros(0)])


def _segments(values: Floats, starts: Integers) -> Floats:
    if not len(starts):
        return np.zeros((*values.shape[:-1], 0))
    return np.add.reduceat(values, starts, axis=-1)


Kind: TypeAlias = Literal["percent", "pairwise", "alpha"]


def standard_error(
    prepared: Prepared, ratings: Ratings, *, kind: Kind, missing: str
) -> float | None:
    """Estimate the standard deviation of a coefficient over samples of items.

    Notes
    -----
    Items are a sample of many (no finite population), annotators are fixed. To each item belongs
    a linearised value: its influence on the coefficient. The variance is Σ influence² / (n (n − 1))
    over the n items [1]_. With every value present this is Gwet's formula for percent
    agreement, Scott's π, Fleiss' K, Cohen's and Conger's κ, the Brennan–Prediger coefficient and
    AC1/AC2, and under the policy ``items`` his formula for missing values as well: an item with one
    value counts in n, and the number of items with a pair is taken as fixed, which makes the error
    a little larger than resamples show. His formula for α linearises the α without its correction
    for small samples. Other policies have no formula in the literature; there the influence is the
    derivative of the coefficient.

    References
    ----------
    .. [1] Gwet, K. L. (2014). Handbook of inter-rater reliability (4th ed.). Advanced Analytics.
    """
    times = ratings.times.astype(np.float64)
    value = float(prepared.parts(times).value)
    influence = prepared.influence(times)
    sizes = np.diff(ratings.offsets)
    n_items = float(times.sum())
    compared = sizes == ratings.n_annotators if missing == "remove" else sizes >= 2
    n_compared = float(times[compared].sum())
    if n_compared < 2.0:
        return None
    if kind == "alpha" and missing == "values":
        moves = _alpha_moves(prepared, ratings, influence)
        variance = times[compared] @ moves[compared] ** 2 / (n_compared * (n_compared - 1.0))
    elif kind != "alpha" and missing == "items":
        # Gwet's value of an item is 0 without a pair, and n/n′ times its own otherwise.
        moves = influence.value + value * (np.where(compared, n_items / n_compared, 0.0) - 1.0)
        variance = times @ moves**2 / (n_items * (n_items - 1.0))
    else:
        correction = n_compared / (n_compared - 1.0)
        variance = times @ influence.value**2 / n_items**2 * correction
    return math.sqrt(variance) if math.isfinite(variance) else None


def _alpha_moves(prepared: Prepared, ratings: Ratings, influence: Influence) -> Floats:
    """Linearise α for each row with a pair, as irrCAC 1.0 does after Gwet (2014)."""
    times = ratings.times.astype(np.float64)
    sizes = np.diff(ratings.offsets).astype(np.float64)
    compared = sizes >= 2
    n_values = float(times[compared] @ sizes[compared])
    n_compared = float(times[compared].sum())
    parts = prepared.parts(times)
    # Squares of distances that are squares themselves: scaled by a power of two, which is exact.
    scale = 2.0 ** -math.frexp(float(parts.expected))[1]
    observed = float(parts.observed) * scale
    # Without the correction n/(n − 1) that α's expected disagreement has for n values.
    expected = float(parts.expected) * scale * (n_values - 1.0) / n_values
    # Among items with a pair only: they are the sample.
    among = n_compared / float(times.sum())
    more_values = sizes * n_compared / n_values - 1.0
    to_observed = among * (influence.observed * scale)
    to_expected = (
        among * (influence.expected * scale)
        + expected * n_values * more_values / (n_values - 1.0) ** 2
    ) * ((n_values - 1.0) / n_values)
    moves = observed * to_expected / expected**2 - to_observed / expected
    # That release weighs an item's number of values by the agreement with the correction for small
    # samples; later ones of the R package take the agreement without it.
    return moves - observed * more_values / (n_values * expected)


Settings: TypeAlias = "tuple[tuple[str, str], ...]"
_MOST_LABELS = 1000  # that get a value of their own without being asked for
_MOST_ANNOTATORS = 30  # whose pairs do
# Parts of sums that are 1e28 times as small are still exact.
_SMALLEST_EXPECTED = 1e-280
_NOTHING = Parts(*(np.array(math.nan) for _ in Parts._fields))


class Measurable(Coefficient, Protocol):
    """A coefficient that knows what its result must say."""

    @property
    def missing(self) -> MissingPolicy:
        """The policy for missing values."""

    @property
    def kind(self) -> Kind:
        """Which formula its standard error has."""

    def refusal(self, work: Work) -> str | None:
        """Say why it does not apply to these ratings."""

    def metric(self, work: Work) -> Metric | Ranked:
        """Give the metric of its setting on these labels."""

    def on(self, rows: Rows, metric: Metric | Ranked) -> Prepared:
        """Make it ready for rows."""

    def settings(self, work: Work, metric: Metric | Ranked) -> Settings:
        """Give its settings for the signature."""

    def notes(self, work: Work) -> tuple[str, ...]:
        """Tell what a reader must know."""


def measured(
    coefficient: Measurable,
    work: Work,
    *,
    by_label: bool | None = None,
    by_pair: bool | None = None,
) -> ItemsAgreement:
    """Give the result of a coefficient, with the reason where it has no value."""
    rows, times = work.rows, work.times
    metric = coefficient.metric(work)
    settings = (*coefficient.settings(work, metric), ("missing", coefficient.missing))
    notes = coefficient.notes(work)
    if work.silent:
        notes += (f"{some(work.silent)} rated nothing",)
    parts, prepared = _NOTHING, None
    undefined = _why_nothing_pairs(coefficient, work) or coefficient.refusal(work)
    if undefined is None:
        prepared = coefficient.on(rows, metric)
        parts = prepared.parts(times)
        _refuse_tiny(coefficient, work, metric, float(parts.expected))
        if math.isnan(parts.value):
            undefined = _why_chance_agrees(coefficient, work, prepared)
    if isinstance(prepared, MeanOfPairs) and rows.n_annotators > 2:
        notes += _notes_on_pairs(prepared, work)
    chosen = pairable(rows, coefficient.missing)
    each_label = len(rows.labels) <= _MOST_LABELS if by_label is None else by_label
    each_pair = _pairs_are_quick(work, metric) if by_pair is None else by_pair
    told = _Told(coefficient.name, settings, work)
    return ItemsAgreement(
        value=float(parts.value),
        observed=float(parts.observed),
        expected=float(parts.expected),
        undefined=undefined,
        signature=told.signature(),
        standard_error=None if undefined else _standard_error(coefficient, work, prepared),
        by_label=told.by_label(prepared) if each_label and isinstance(metric, Nominal) else {},
        by_pair=told.by_pair(coefficient, prepared, metric) if each_pair else {},
        n_items=int(times @ chosen),
        n_annotators=rows.n_annotators,
        n_ratings=int(times @ (chosen * rows.sizes)),
        left_out=int(times @ ~chosen),
        notes=notes,
    )


def inapplicable(coefficient: Measurable, reason: str, work: Work) -> ItemsAgreement:
    """Give the result of a coefficient that these labels do not allow."""
    chosen = pairable(work.rows, coefficient.missing)
    return ItemsAgreement(
        value=math.nan,
        observed=math.nan,
        expected=math.nan,
        undefined=reason,
        signature=_Told(coefficient.name, (("missing", coefficient.missing),), work).signature(),
        n_items=int(work.times @ chosen),
        n_annotators=work.rows.n_annotators,
        n_ratings=int(work.times @ (chosen * work.rows.sizes)),
        left_out=int(work.times @ ~chosen),
    )


class _Told:
    """What the signatures of a result have in common."""

    def __init__(self, name: str, settings: Settings, work: Work) -> None:
        self._name = name
        self._settings = settings
        self._work = work

    def signature(self, *own: tuple[str, str]) -> Signature:
        """Write down all that can move a value."""
        data = ("data", self._work.digest[:8])
        return Signature(self._name, (*own, *self._settings, data, ("v", __version__)))

    def by_label(self, prepared: Prepared | None) -> dict[Label, Agreement]:
        """Give the results of labels."""
        if not isinstance(prepared, Corrected | Percent | MeanOfPairs):
            return {}
        parts = prepared.by_label(self._work.times)
        return {
            label: _agreement(
                part,
                f"chance never disagrees on whether a value is {shown(label)}",
                self.signature(("label", label_text(label))),
            )
            for label, part in zip(self._work.rows.labels, _each(parts), strict=True)
        }

    def by_pair(
        self, coefficient: Measurable, prepared: Prepared | None, metric: Metric | Ranked
    ) -> dict[tuple[str, str], Agreement]:
        """Give the results of pairs of annotators."""
        work = self._work
        if prepared is None or work.rows.anonymous:
            return {}
        if work.rows.n_annotators == 2:
            first, second = work.ratings.annotators
            parts = prepared.parts(work.times)
            return {(first, second): self._of_pair((first, second), parts)}
        results = {}
        for two in work.pairs(coefficient.missing):
            parts = coefficient.on(two.rows, metric).parts(two.times)
            results[two.names] = self._of_pair(two.names, parts)
        return results

    def _of_pair(self, names: tuple[str, str], parts: Parts) -> Agreement:
        signature = self.signature(("annotators", ",".join(names)))
        return _agreement(parts, "chance never disagrees on the values of the two", signature)


def _pairs_are_quick(work: Work, metric: Metric | Ranked) -> bool:
    # Of very many labels all would be compared with all, for each pair again.
    n = work.rows.n_annotators
    return n <= _MOST_ANNOTATORS and (n == 2 or not isinstance(metric, ByBlocks))


def _agreement(parts: Parts, reason: str, signature: Signature) -> Agreement:
    value, observed, expected = map(float, (parts.value, parts.observed, parts.expected))
    return Agreement(
        value=value,
        observed=observed,
        expected=expected,
        undefined=reason if math.isnan(value) else None,
        signature=signature,
    )


def _each(parts: Parts) -> Iterator[Parts]:
    return (Parts(*three) for three in zip(*parts, strict=True))


def _standard_error(coefficient: Measurable, work: Work, prepared: Prepared | None) -> float | None:
    # No formula in the literature is for Light's mean over pairs.
    if prepared is None or (isinstance(prepared, MeanOfPairs) and prepared.n_pairs > 1):
        return None
    return standard_error(
        prepared, work.ratings, kind=coefficient.kind, missing=coefficient.missing
    )


def _why_nothing_pairs(coefficient: Measurable, work: Work) -> str | None:
    rows = work.rows
    if not rows.n_rows:
        return "there are no ratings"
    if work.n_rating < 2 and not rows.anonymous:
        return f"agreement needs two annotators or more; here only {work.raters[0]!r} rated"
    if not pairable(rows, coefficient.missing).any():
        if coefficient.missing == "remove":
            return f"no item has a value of each of the {rows.n_annotators} annotators"
        return "no item has two values or more"
    return None


def _why_chance_agrees(coefficient: Measurable, work: Work, prepared: Prepared) -> str:
    if isinstance(prepared, MeanOfPairs) and prepared.n_pairs > 1:
        each = prepared.finish_pairs(prepared.sums(work.times))
        number = int(np.flatnonzero(np.isnan(each.value))[0])
        names = [work.ratings.annotators[code] for code in prepared.met.annotators[number]]
        return (
            f"chance never disagrees on the values of {names[0]!r} and {names[1]!r}, "
            "so the mean over pairs has no value; conger_kappa takes all pairs together"
        )
    codes = _compared_labels(coefficient, work)
    if len(codes) == 1:
        label = shown(work.rows.labels[int(codes[0])])
        return f"all values that can be compared are {label}: chance never disagrees"
    return "all values that can be compared are at distance 0: chance never disagrees"


def _refuse_tiny(
    coefficient: Measurable, work: Work, metric: Metric | Ranked, expected: float
) -> None:
    """Refuse distances that are so small that they, or their sums, have lost digits."""
    if 0.0 < expected < _SMALLEST_EXPECTED or (
        expected == 0.0 and _are_apart(_compared_labels(coefficient, work), metric)
    ):
        msg = (
            f"the differences of the labels are too small for {coefficient.name} with this "
            "distance; give the labels in another unit"
        )
        raise DataError(msg)


def _are_apart(codes: NDArray[np.int32], metric: Metric | Ranked) -> bool:
    """Say whether labels lie at different points although no distance is above 0."""
    if not isinstance(metric, Squares | Circle):
        return False
    points = (metric.points if isinstance(metric, Squares) else metric.angles)[codes]
    low, high = codes[[points.argmin()]], codes[[points.argmax()]]
    return bool(points.max() > points.min() and metric.between(low, high)[0] == 0.0)


def _compared_labels(coefficient: Measurable, work: Work) -> NDArray[np.int32]:
    """Return the codes of the labels that stand in an item with a pair."""
    chosen = pairable(work.rows, coefficient.missing)
    codes: NDArray[np.int32] = np.unique(work.rows.label_codes[np.repeat(chosen, work.rows.sizes)])
    return codes


def _notes_on_pairs(prepared: MeanOfPairs, work: Work) -> tuple[str, ...]:
    n = work.rows.n_annotators
    n_apart = n * (n - 1) // 2 - prepared.n_pairs
    mean = f"the mean over {count(prepared.n_pairs, 'pair')} of annotators (Light's κ)"
    apart = f"{count(n_apart, 'pair')} of annotators without a common item left out"
    return (mean, apart) if n_apart else (mean,)


class TwoAnnotators(NamedTuple):
    """The values of two annotators alone: who they are, and rows that stand for equal items."""

    names: tuple[str, str]
    rows: Rows
    times: Floats


class Work:
    """The ratings of one call, and what several coefficients need of them."""

    def __init__(
        self, ratings: Ratings, *, merge: bool = True, cells_at_a_time: int = _CELLS_AT_A_TIME
    ) -> None:
        if not isinstance(ratings, Ratings):
            msg = f"agreement on items is measured on Ratings, not {type(ratings).__name__}"
            raise TypeError(msg)
        self.digest = ratings.digest
        self.ratings = ratings.merged() if merge else ratings
        self.rows = Rows.of(self.ratings)
        self.times: Floats = self.ratings.times.astype(np.float64)
        self._cells_at_a_time = cells_at_a_time
        self._pairs: dict[bool, list[TwoAnnotators]] = {}

    @cached_property
    def silent(self) -> tuple[str, ...]:
        """The annotators who rated nothing."""
        rated = np.bincount(self.rows.annotator_codes, minlength=self.rows.n_annotators)
        return tuple(name for name, n in zip(self.ratings.annotators, rated, strict=True) if not n)

    @cached_property
    def raters(self) -> tuple[str, ...]:
        """The annotators who rated something."""
        return tuple(name for name in self.ratings.annotators if name not in set(self.silent))

    @property
    def n_rating(self) -> int:
        """How many annotators rated something."""
        return self.rows.n_annotators - len(self.silent)

    @cached_property
    def label_counts(self) -> Floats:
        """How often each label was given."""
        weights = self.rows.along(self.times)
        return weighted_counts(self.rows.label_codes, weights, len(self.rows.labels))

    def unequal(self) -> bool:
        """Say whether items differ in how many values they have."""
        return bool(len(np.unique(self.rows.sizes)) > 1)

    def pairs(self, missing: MissingPolicy) -> list[TwoAnnotators]:
        """Give the values of each two annotators who share an item."""
        complete = missing == "remove"
        if complete not in self._pairs:
            chosen = pairable(self.rows, missing) if complete else self.rows.sizes > 0
            self._pairs[complete] = list(self._two_by_two(chosen))
        return self._pairs[complete]

    def _two_by_two(self, chosen: NDArray[np.bool_]) -> Iterator[TwoAnnotators]:
        rows, n_labels = self.rows, len(self.rows.labels)
        met = Met(rows, chosen, cells_at_a_time=self._cells_at_a_time)
        found = [self._cells(block, len(met.annotators)) for block in met.blocks()]
        cells, places = numbered(
            np.concatenate([keys for keys, _ in found] or [np.zeros(0, dtype=np.int64)]),
            len(met.annotators) * n_labels**2,
        )
        shared = weighted_counts(
            places, np.concatenate([weights for _, weights in found] or [np.zeros(0)]), len(cells)
        )
        pairs, labels = np.divmod(cells, max(n_labels, 1) ** 2)
        starts = np.searchsorted(pairs, np.arange(len(met.annotators) + 1))
        values = np.flatnonzero(rows.along(chosen.astype(np.float64)))
        keys = rows.annotator_codes[values].astype(np.int64) * n_labels + rows.label_codes[values]
        given = weighted_counts(
            keys, rows.along(self.times)[values], rows.n_annotators * n_labels
        ).reshape(rows.n_annotators, n_labels)
        for number, codes in enumerate(met.annotators):
            here = slice(starts[number], starts[number + 1])
            left, right = np.divmod(labels[here], n_labels)
            alone = [
                given[code] - weighted_counts(side, shared[here], n_labels)
                for code, side in zip(codes, (left, right), strict=True)
            ]
            yield self._two(codes, left, right, shared[here], alone)

    def _cells(self, block: Meetings, n_pairs: int) -> tuple[NDArray[np.int64], Floats]:
        """Count the items of each pair of annotators and of labels."""
        n_labels = len(self.rows.labels)
        keys = (block.pairs * n_labels + block.left) * n_labels + block.right
        cells, places = numbered(keys, n_pairs * n_labels**2)
        return cells, weighted_counts(places, self.times[block.rows], len(cells))

    def _two(
        self,
        codes: NDArray[np.int64],
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        shared: Floats,
        alone: list[Floats],
    ) -> TwoAnnotators:
        """Make rows of two values, and of one where only one of the two has a value."""
        ones = [np.flatnonzero(each > 0.0) for each in alone]
        n_alone = sum(map(len, ones))
        sizes = np.repeat([2, 1], [len(left), n_alone])
        both = np.column_stack((left, right)).ravel()
        rows = Rows(
            self.rows.labels,
            2,
            self.rows.anonymous,
            np.concatenate(([0], np.cumsum(sizes))),
            np.concatenate(
                (np.tile([0, 1], len(left)), np.repeat([0, 1], list(map(len, ones))))
            ).astype(np.int32),
            np.concatenate((both, *ones)).astype(np.int32),
        )
        times = np.concatenate(
            (shared, *(each[chosen] for each, chosen in zip(alone, ones, strict=True)))
        )
        first, second = (self.ratings.annotators[code] for code in codes)
        return TwoAnnotators((first, second), rows, times)
