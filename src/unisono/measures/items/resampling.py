"""Resampling of items: bootstrap, permutation tests and relabelling."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.measures.data import of_ratings
from unisono.measures.intervals import acceleration, bca_interval, percentile_interval
from unisono.measures.items.annotator_pairs import Met
from unisono.measures.items.coefficients import (
    Corrected,
    KrippendorffAlpha,
    MeanOfPairs,
    OfEachAnnotator,
    Percent,
    pair_weights,
    pairable,
)
from unisono.measures.items.disagreement import Ordinal, ordinal_parts, pairs_of_cells
from unisono.measures.items.metrics import Nominal, Ranked, Squares
from unisono.measures.items.result import ItemsTable
from unisono.measures.items.rows import Rows, weighted_counts
from unisono.measures.items.table import coefficient_of, value_alone
from unisono.measures.products import dot, product
from unisono.measures.sampling import Dice, ItemDraws, blocks, seed_of
from unisono.model.rating_tables import Tabulated
from unisono.model.ratings import Ratings, ratings_of
from unisono.parallel.dispatch import Report, check_executor, map_items, workers_of
from unisono.parallel.executors import available_cores
from unisono.registry import check_setting
from unisono.results.agreement import signed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Executor
    from typing import Unpack

    from numpy.typing import NDArray

    from unisono.measures.items.coefficients import Formula, MissingPolicy, Prepared
    from unisono.measures.items.keywords import ItemSettings
    from unisono.measures.items.metrics import Metric
    from unisono.measures.items.result import ItemsAgreement
    from unisono.measures.items.rows import Influence, Parts
    from unisono.model.arrays import Codes, Floats, Integers
    from unisono.results.values import Interval

    _Measure: TypeAlias = Callable[[Codes], Parts]

__all__ = [
    "Method",
    "Resampling",
    "Weighable",
    "bootstrap",
    "each_item",
    "permutation_test",
    "resampled_values",
    "thinned",
]

# Rows of more values are not compared pair by pair; their labels are counted per row.
_MOST_VALUES = 16
_MOST_MEETINGS = 1 << 24


class Relabelled:
    """A coefficient on items whose labels change while annotators, rows and all labels stay."""

    def __init__(
        self, coefficient: Formula, items: Ratings, *, most_meetings: int = _MOST_MEETINGS
    ) -> None:
        self._coefficient = coefficient
        self._rows, self._times = Rows.of(items), items.times.astype(np.float64)
        self._metric = coefficient.metric(self._rows, self._times)
        prepared = coefficient.on(self._rows, self._metric)
        self._measure: _Measure = (
            _quick(prepared, self._rows, self._metric, coefficient.missing, most_meetings)
            or self._anew
        )

    def value(self, codes: Codes) -> float:
        """Return the coefficient of the ratings with these labels; NaN if undefined."""
        return float(self._measure(codes).value)

    def _anew(self, codes: Codes) -> Parts:
        rows = replace(self._rows, label_codes=codes)
        return self._coefficient.on(rows, self._metric).parts(self._times)


def _quick(
    prepared: Prepared,
    rows: Rows,
    metric: Metric | Ranked,
    missing: MissingPolicy,
    most_meetings: int,
) -> _Measure | None:
    """Return a fast formula for changed labels, or None if it needs too much memory."""
    if isinstance(prepared, MeanOfPairs):
        met = Met(replace(rows, label_codes=_places(rows)), pairable(rows, missing))
        if met.n_meetings > most_meetings or not prepared.is_dense:
            return None
        return _OfPairs(prepared, met)
    has_few = int(rows.sizes.max(initial=0)) <= _MOST_VALUES
    if has_few and isinstance(prepared, Ordinal):
        return _OfRanks(prepared, rows)
    if has_few and isinstance(prepared, Corrected | Percent):
        return _OfSums(prepared, rows, metric)  # type: ignore[arg-type]  # only Ordinal takes ranks
    return None


def _places(rows: Rows) -> Codes:
    return np.arange(len(rows.label_codes), dtype=np.int32)


class _EqualRows(NamedTuple):
    """Rows of equal size: indices of their values, values × rows, and the weight of a pair."""

    places: Integers
    weight: float


class _Distances:
    """The weighted sum of the distances of all pairs of values."""

    def __init__(self, rows: Rows, weights: Floats) -> None:
        self._by_size = []
        # The weight of a pair depends only on the number of values.
        for size in np.unique(rows.sizes[weights > 0.0]).tolist():
            chosen = np.flatnonzero((rows.sizes == size) & (weights > 0.0))
            places = rows.offsets[chosen] + np.arange(size)[:, None]
            self._by_size.append(_EqualRows(places, float(weights[chosen[0]])))

    def total(self, codes: Codes, metric: Metric) -> float:
        """Return the sum for these labels."""
        return sum(each.weight * _pair_sum(codes[each.places], metric) for each in self._by_size)


def _pair_sum(columns: Codes, metric: Metric) -> float:
    if isinstance(metric, Nominal):
        return sum(float(np.count_nonzero(a != b)) for a, b in combinations(columns, 2))
    if isinstance(metric, Squares):
        apart = (a - b for a, b in combinations(metric.points[columns], 2))
        return sum(dot(each, each) for each in apart)
    return sum(float(metric.between(a, b).sum()) for a, b in combinations(columns, 2))


class _OfSums:
    """Coefficients computed from the sum of distances and the sums of the expected part."""

    def __init__(self, prepared: Corrected | Percent, rows: Rows, metric: Metric) -> None:
        found = prepared.observed
        self._finish = prepared.finish
        self._metric = metric
        self._distances = _Distances(rows, found.pair_weights)
        self._whole = float(found.weights.sum())
        self._weights: Floats | None = None
        self._own: tuple[Integers, Integers] | None = None
        self._margins = np.zeros(0)
        if isinstance(prepared, Corrected) and prepared.sums.n_columns:
            weights = prepared.sums.weights
            self._margins = prepared.sums.of(np.ones(rows.n_rows))
            # With equal weights, permuted labels have the same margins.
            if (weights != weights[0]).any():
                self._weights = rows.along(weights)
            if isinstance(prepared.chance, OfEachAnnotator):
                self._own = _own_columns(prepared.chance, rows)

    def __call__(self, codes: Codes) -> Parts:
        margins = self._margins
        if self._weights is not None:
            columns = codes if self._own is None else self._own[0][self._own[1] + codes]
            margins = weighted_counts(columns, self._weights, len(margins))
        first = self._distances.total(codes, self._metric), self._whole
        both = np.concatenate((first, margins))
        return self._finish(both)


def _own_columns(chance: OfEachAnnotator, rows: Rows) -> tuple[Integers, Integers]:
    """Return the column per annotator and label, and the offset of the annotator of each value."""
    columns = np.zeros(chance.n_annotators * chance.n_labels, dtype=np.int64)
    columns[chance.annotators * chance.n_labels + chance.labels] = np.arange(len(chance.labels))
    return columns, rows.annotator_codes.astype(np.int64) * chance.n_labels


class _OfRanks:
    """α with the ordinal distance."""

    def __init__(self, prepared: Ordinal, rows: Rows) -> None:
        self._scale = prepared.scale
        self._distances = _Distances(rows, prepared.weights)
        self._whole = dot(rows.sizes * (rows.sizes - 1) / 2.0, prepared.weights)
        self._weights = rows.along(prepared.counted)

    def __call__(self, codes: Codes) -> Parts:
        places = self._scale.places.astype(np.int32)[codes]
        counts = weighted_counts(places, self._weights, self._scale.n_places)
        return ordinal_parts(
            counts, lambda squares: self._distances.total(places, squares), self._whole
        )


class _OfPairs:
    """The mean of Cohen's κ over pairs of annotators."""

    def __init__(self, prepared: MeanOfPairs, met: Met) -> None:
        self._prepared = prepared
        blocks = list(met.blocks())
        # The labels of this table are the indices of its values.
        self._pairs, self._left, self._right = (
            np.concatenate([np.zeros(0, dtype=np.int64), *(block[part] for block in blocks)])
            for part in (1, 2, 3)
        )
        self._shared = np.bincount(self._pairs, minlength=prepared.n_pairs).astype(np.float64)

    def __call__(self, codes: Codes) -> Parts:
        prepared, pairs = self._prepared, self._pairs
        left, right = codes[self._left], codes[self._right]
        apart = prepared.metric.between(left, right)
        first = pairs * prepared.n_labels
        n_margins = prepared.n_pairs * prepared.n_labels
        sums = (
            self._shared,
            weighted_counts(pairs, apart, prepared.n_pairs),
            *(np.bincount(first + side, minlength=n_margins) for side in (left, right)),
        )
        return prepared.finish(np.concatenate(sums))


def each_item(ratings: Ratings) -> Ratings:
    """Return the ratings with one row per item, in an order that depends on the content only."""
    merged = ratings.merged()
    rows = np.repeat(np.arange(len(merged.times)), merged.times)
    sizes = np.diff(merged.offsets)[rows]
    ends = np.cumsum(sizes)
    # The index of each rating in the merged table, from the offset of its row on.
    taken = np.arange(int(sizes.sum())) + np.repeat(merged.offsets[rows] - (ends - sizes), sizes)
    return _with_rows(merged, sizes, merged.annotator_codes[taken], merged.label_codes[taken])


def thinned(items: Ratings, kept: NDArray[np.bool_]) -> Ratings:
    """Return the ratings without those not kept; empty items are dropped, labels are kept."""
    sizes = np.bincount(items.row_numbers[kept], minlength=len(items.times))
    return _with_rows(items, sizes[sizes > 0], items.annotator_codes[kept], items.label_codes[kept])


def _with_rows(
    like: Ratings,
    sizes: NDArray[np.int64],
    annotator_codes: NDArray[np.int32],
    label_codes: NDArray[np.int32],
) -> Ratings:
    offsets = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return ratings_of(
        Tabulated(
            annotators=like.annotators,
            labels=like.labels,
            items=None,
            offsets=offsets,
            annotator_codes=annotator_codes,
            label_codes=label_codes,
            times=np.ones(len(sizes), dtype=np.int64),
            anonymous=like.anonymous,
        )
    )


_STREAM = 3
# Shuffling needs about 40 bytes per rating.
_MOST_RATINGS = 50_000_000
_ROUNDING = 1e-12
# Enough random bits to make ties between millions of ratings unlikely.
_FINE = 40


@of_ratings
def permutation_test(
    ratings: Ratings,
    measure: str | Callable[..., ItemsAgreement],
    *,
    permutations: int = 1000,
    rng: int | np.random.Generator | None = 0,
    **settings: Unpack[ItemSettings],
) -> ItemsAgreement:
    """Permutation test of a coefficient against labels in random order.

    Parameters
    ----------
    ratings
        The ratings.
    measure
        A coefficient on items, or its name.
    permutations
        Number of permutations.
    rng
        A seed, or a generator from which a seed is drawn; with `None`, the system provides one. The
        seed is part of the signature.
    **settings
        The settings of the measure.

    Returns
    -------
    ItemsAgreement
        The result of the measure with its `p_value`: (1 + permutations with at least this
        agreement) / (1 + permutations). Permutations without a value are left out; `notes` has
        their number.

    Raises
    ------
    SettingError
        If a setting is invalid.
    DataError
        If the measure does not apply to these ratings, or there are too many to shuffle.

    Notes
    -----
    The labels of each annotator are shuffled over the items that the annotator rated: if labels did
    not depend on the items, every order would be equally likely [1]_. For ratings without the
    identity of the annotators, all labels are shuffled together. A small p-value means that
    agreement is not due to chance, not that it is good: with many items, a small agreement above
    chance suffices.

    References
    ----------
    .. [1] Efron, B., & Tibshirani, R. J. (1993). An introduction to the bootstrap. Chapman & Hall.

    Examples
    --------
    >>> import unisono as un
    >>> table = {"ann": "aabbcabcba", "bob": "aabbcabcbb", "eve": "abbbcabaca"}
    >>> ratings = un.Ratings.from_matrix({name: list(row) for name, row in table.items()})
    >>> un.permutation_test(ratings, "fleiss_kappa", permutations=999, rng=1).p_value
    0.001
    """
    if not isinstance(ratings, Ratings):
        msg = f"permutation_test takes Ratings, got {type(ratings).__name__}"
        raise TypeError(msg)
    check_setting("permutations", permutations)
    coefficient = coefficient_of(measure, settings)
    if ratings.n_ratings > _MOST_RATINGS:
        msg = (
            f"a permutation test shuffles every rating, and {ratings.n_ratings:,} are more than "
            f"{_MOST_RATINGS:,}; use a sample of the items"
        )
        raise DataError(msg)
    seed = seed_of(rng)
    result = value_alone(measure, ratings, settings)
    outcome = signed(result, permutations=str(permutations), seed=str(seed))
    if result.undefined:
        return outcome
    items = each_item(ratings)
    shuffles, relabelled = _Shuffles(items), Relabelled(coefficient, items)
    values = np.array(
        [relabelled.value(shuffles.labels(Dice(seed, _STREAM, i))) for i in range(permutations)]
    )
    defined = values[~np.isnan(values)]
    # Equal values may differ by rounding, because the order of summation differs.
    found = relabelled.value(items.label_codes)
    hits = np.count_nonzero(defined >= found - _ROUNDING)
    notes = result.notes
    if ratings.anonymous:
        notes += ("it is not known who gave which label, so all labels were shuffled together",)
    if len(defined) < permutations:
        without = permutations - len(defined)
        notes += (f"{without} of {permutations} shuffles have no value and are left out",)
    return replace(outcome, p_value=(1 + int(hits)) / (1 + len(defined)), notes=notes)


class _Shuffles:
    """Random permutations of the labels of each annotator over the items rated."""

    def __init__(self, items: Ratings, *, fine: int = _FINE) -> None:
        # Ratings without the identity of the annotators are shuffled together.
        self._codes = np.zeros_like(items.annotator_codes)
        if not items.anonymous:
            self._codes = items.annotator_codes
        self._labels = items.label_codes
        self._places = np.argsort(self._codes, kind="stable")
        label_bits = len(items.labels).bit_length()
        annotator_bits = items.n_annotators.bit_length()
        random_bits = 64 - label_bits - annotator_bits
        self._label = np.uint64((1 << label_bits) - 1)
        self._random = np.uint64(((1 << random_bits) - 1) << label_bits)
        # Keys: the annotator in the high bits, the label in the low bits, random bits between.
        self._known = self._codes[self._places].astype(np.uint64)
        self._known <<= np.uint64(64 - annotator_bits)
        self._known |= self._labels[self._places].astype(np.uint64)
        self._is_fine = random_bits >= fine

    def labels(self, dice: Dice) -> NDArray[np.int32]:
        """Return the new label of each rating."""
        shuffled = np.empty_like(self._labels)
        if self._is_fine:
            # Sorting values is several times faster than sorting indices.
            keys = dice.bits(len(self._codes))
            keys &= self._random
            keys |= self._known
            keys.sort()
            keys &= self._label
            shuffled[self._places] = keys
            return shuffled
        # The integer part of the key is the annotator, the fraction is random.
        order = np.argsort(self._codes + dice.roll(len(self._codes)))
        shuffled[self._places] = self._labels[order]
        return shuffled


Method: TypeAlias = Literal["percentile", "bca", "krippendorff"]
_FEW_DEFINED = 2
_SECONDS_A_BLOCK = 0.1
_ITEMS, _PAIRS = 1, 2  # streams of dice
_ANY_LEVEL = 0.95


@of_ratings
def bootstrap(
    ratings: Ratings,
    measure: str | Callable[..., ItemsAgreement],
    *,
    resamples: int = 1000,
    rng: int | np.random.Generator | None = 0,
    confidence: float = 0.95,
    method: Method = "percentile",
    executor: Executor | None = None,
    **settings: Unpack[ItemSettings],
) -> ItemsAgreement:
    """Bootstrap confidence interval of a coefficient over items.

    Parameters
    ----------
    ratings
        The ratings.
    measure
        A coefficient on items, or its name, such as ``un.krippendorff_alpha`` or
        ``"fleiss"``.
    resamples
        Number of resamples.
    rng
        A seed, or a generator from which a seed is drawn; with `None`, the system provides one. The
        seed is part of the signature.
    confidence
        The confidence level of the interval.
    method
        ``"percentile"`` and ``"bca"`` resample items: the first uses the quantiles of the
        resamples, the second corrects them for bias and skewness. ``"krippendorff"`` is
        Krippendorff's bootstrap of α, which resamples pairs of values.
    executor
        The executor for ``"percentile"`` and ``"bca"``, as in `gamma`; threads by default. It does
        not affect any value.
    **settings
        The settings of the measure, such as ``distance="ordinal"``.

    Returns
    -------
    ItemsAgreement
        The result of the measure with its `interval`. Resamples without a value are left out, and
        `notes` has their number; if there is no interval, `interval` is `None` and `notes` has the
        reason.

    Raises
    ------
    SettingError
        If a setting is invalid.
    DataError
        If the measure does not apply to these ratings.

    Notes
    -----
    A resample of n items is drawn with replacement from the n items; an item keeps all its ratings,
    because annotators are fixed and the ratings of one item depend on each other [1]_. Labels that
    do not occur in a resample still count as categories (Bennett's S, Gwet's AC). The resamples
    depend on the seed and the content of the ratings only, not on their order.

    Krippendorff's bootstrap assumes that the pairs of values of an item are independent and that
    the expected disagreement is known. Its intervals are too narrow: in simulations the coverage of
    95 % intervals was far below 95 % [2]_. When items differ in their number of values, it is also
    not centred on α. It is provided for comparison with published results.

    References
    ----------
    .. [1] Efron, B., & Tibshirani, R. J. (1993). An introduction to the bootstrap. Chapman & Hall.
    .. [2] Zapf, A., Castell, S., Morawietz, L., & Karch, A. (2016). Measuring inter-rater
       reliability for nominal data – which coefficients and confidence intervals are appropriate?
       BMC Medical Research Methodology 16, 93.

    Examples
    --------
    >>> import unisono as un
    >>> table = {"ann": "aabbcabcba", "bob": "aabbcabcbb", "eve": "abbbcabaca"}
    >>> ratings = un.Ratings.from_matrix({name: list(row) for name, row in table.items()})
    >>> result = un.bootstrap(ratings, un.krippendorff_alpha, resamples=2000, rng=1)
    >>> f"{result:.3f}", f"{result.interval.low:.3f}", f"{result.interval.high:.3f}"
    ('0.596', '0.228', '0.887')
    """
    _check(ratings, resamples, confidence, method)
    if executor is not None:
        check_executor(executor)
    coefficient = coefficient_of(measure, settings)
    own = _own_alpha(coefficient, method)
    seed = seed_of(rng)
    # Sorted, so that the order depends on the content only.
    merged = ratings.merged()
    result = value_alone(measure, ratings, settings)
    outcome = signed(
        result,
        bootstrap=method,
        confidence=f"{confidence:g}",
        resamples=str(resamples),
        seed=str(seed),
    )
    if result.undefined:
        return outcome
    prepared = coefficient.prepare(merged)
    values = _resamples(prepared, own, merged, result.expected, resamples, seed, executor)
    interval, notes = _interval(values, result.value, prepared, merged, confidence, method)
    return replace(outcome, interval=interval, notes=(*result.notes, *notes))


@of_ratings
def bootstrap_values(
    ratings: Ratings,
    measure: str | Callable[..., ItemsAgreement],
    *,
    resamples: int = 1000,
    rng: int | np.random.Generator | None = 0,
    method: Method = "percentile",
    **settings: Unpack[ItemSettings],
) -> NDArray[np.float64]:
    """Return the values of the resamples that the interval of `bootstrap` is based on.

    Parameters
    ----------
    ratings, measure, resamples, rng, method, **settings
        As in `bootstrap`.

    Returns
    -------
    ndarray
        One value per resample, NaN where it is undefined; empty if the coefficient itself is
        undefined.

    Examples
    --------
    >>> import numpy as np
    >>> import unisono as un
    >>> ratings = un.Ratings.from_matrix([list("aabbcabcba"), list("aabbcabcbb")])
    >>> values = un.bootstrap_values(ratings, "scott", resamples=200, rng=1)
    >>> low = un.bootstrap(ratings, "scott", resamples=200, rng=1).interval.low
    >>> len(values), bool(np.isclose(np.nanquantile(values, 0.025), low, atol=0.05))
    (200, True)
    """
    _check(ratings, resamples, _ANY_LEVEL, method)
    coefficient = coefficient_of(measure, settings)
    own = _own_alpha(coefficient, method)
    merged = ratings.merged()
    result = value_alone(measure, ratings, settings)
    if result.undefined:
        return np.empty(0)
    prepared = coefficient.prepare(merged)
    return _resamples(prepared, own, merged, result.expected, resamples, seed_of(rng))


def _own_alpha(coefficient: Formula, method: Method) -> KrippendorffAlpha | None:
    """Return the α to resample by pairs for Krippendorff's bootstrap, otherwise None."""
    if method != "krippendorff":
        return None
    if isinstance(coefficient, KrippendorffAlpha):
        return coefficient
    msg = (
        f"method 'krippendorff' is a bootstrap of krippendorff_alpha, not of "
        f"{coefficient.name}; choose 'percentile' or 'bca'"
    )
    raise SettingError(msg)


def _resamples(
    prepared: Weighable,
    own: KrippendorffAlpha | None,
    merged: Ratings,
    expected: float,
    n: int,
    seed: int,
    executor: Executor | None = None,
) -> NDArray[np.float64]:
    if own is not None:
        pairs = observed_pairs(merged, own)
        return krippendorff_resamples(pairs, merged, expected, n=n, seed=seed, stream=_PAIRS)
    return resampled_values(prepared, ItemDraws(merged.times, seed, _ITEMS), n, executor)


@dataclass(frozen=True, slots=True)
class Resampling:
    """Settings of the bootstrap and of the permutation test for several coefficients."""

    n_bootstrap: int | None
    method: Method
    confidence: float
    permutations: int | None

    def of(
        self,
        table: ItemsTable,
        ratings: Ratings,
        settings: Mapping[str, Mapping[str, Any]],
        seed: int,
        report: Report | None = None,
    ) -> ItemsTable:
        """Return the coefficients with intervals and p-values; undefined ones are unchanged."""
        found = {}
        for name, result in table.items():
            found[name] = result
            if not result.undefined:
                found[name] = self._one(name, result, ratings, settings[name], seed)
            if report is not None:
                report.add(1)
        return ItemsTable(found)

    def _one(
        self,
        name: str,
        result: ItemsAgreement,
        ratings: Ratings,
        settings: Mapping[str, Any],
        seed: int,
    ) -> ItemsAgreement:
        if self.n_bootstrap is not None:
            result = bootstrap(
                ratings,
                name,
                resamples=self.n_bootstrap,
                rng=seed,
                confidence=self.confidence,
                method=self.method,
                **settings,
            )
        if self.permutations is None:
            return result
        tested = permutation_test(
            ratings, name, permutations=self.permutations, rng=seed, **settings
        )
        notes = tuple(dict.fromkeys((*result.notes, *tested.notes)))
        both = replace(result, p_value=tested.p_value, notes=notes)
        seeded = {} if "seed" in both.signature else {"seed": str(seed)}
        return signed(both, permutations=str(self.permutations), **seeded)


class ObservedPairs(NamedTuple):
    """All pairs of labels that occur together in an item."""

    distances: Floats
    weights: Floats
    """Coincidences, both orders counted; their sum is the number of pairable values."""
    counts: Floats
    """The numbers of unordered pairs of values."""


def observed_pairs(ratings: Ratings, coefficient: KrippendorffAlpha) -> ObservedPairs:
    """Count the pairs of labels that occur together, with their distances."""
    rows, times = Rows.of(ratings), ratings.times.astype(np.float64)
    cells, metric = rows.cells, coefficient.metric(rows, times)
    weights = pair_weights(rows, coefficient.missing)
    if isinstance(metric, Ranked):
        counted = np.repeat(times * (weights > 0.0), rows.sizes)
        metric = metric.fitted(weighted_counts(rows.label_codes, counted, len(rows.labels)))
    numbers = cells.counts.astype(np.float64)
    pairs = [(cells.rows, cells.labels, cells.labels, numbers * (numbers - 1.0) / 2.0)]
    pairs += [
        (of_rows, cells.labels[left], cells.labels[right], numbers[left] * numbers[right])
        for of_rows, left, right in pairs_of_cells(rows, most_labels=None)
    ]
    met = np.concatenate([block[0] for block in pairs])
    keys = np.concatenate([block[1] * len(rows.labels) + block[2] for block in pairs])
    counts = np.concatenate([block[3] for block in pairs]) * times[met]
    counts[weights[met] == 0.0] = 0.0
    found, places = np.unique(keys[counts > 0.0], return_inverse=True)
    chosen = met[counts > 0.0]
    counts = counts[counts > 0.0]
    left, right = np.divmod(found, max(len(rows.labels), 1))
    return ObservedPairs(
        metric.between(left, right),
        weighted_counts(places, 2.0 * counts * weights[chosen], len(found)),
        weighted_counts(places, counts, len(found)),
    )


def krippendorff_resamples(
    pairs: ObservedPairs,
    ratings: Ratings,
    expected: float,
    *,
    n: int,
    seed: int,
    stream: int,
    at_once: int | None = None,
) -> NDArray[np.float64]:
    """Return resamples of α from the deviations of observed pairs of values.

    Notes
    -----
    An item with m values has m(m − 1)/2 pairs; as many pairs are drawn for it with replacement
    from the pairs of all items, and each lowers α from 1 by 2δ² / (n·De·(m − 1)), n the number of
    pairable values [1]_, as implemented in the R package icr, whose published figures are
    reproduced. Items with equal numbers of values are drawn together, as counts.

    References
    ----------
    .. [1] Krippendorff, K. (2016). Bootstrapping distributions for Krippendorff's alpha.
       University of Pennsylvania.
    """
    distances, place = np.unique(pairs.distances, return_inverse=True)
    numbers = np.zeros(len(distances))
    np.add.at(numbers, place, pairs.counts)
    drawn_from = np.rint(numbers).astype(np.int64)
    sizes = np.diff(ratings.offsets)
    items_of_size = np.bincount(sizes, weights=ratings.times).astype(np.int64)
    n_values = float(sum(m * int(items) for m, items in enumerate(items_of_size) if m >= 2))
    lowered = np.zeros(n)
    for m in np.flatnonzero(items_of_size).tolist():
        if m < 2:
            continue
        size = int(items_of_size[m]) * m * (m - 1) // 2
        draws = ItemDraws(drawn_from, seed, stream, m, size=size)
        for first, count in blocks(n, len(distances), at_once=at_once):
            deviations = product(draws.counts(first, count), distances)
            lowered[first : first + count] += 2.0 * deviations / (m - 1)
    return np.maximum(1.0 - lowered / (n_values * expected), -1.0)


class Weighable(Protocol):
    """A statistic with a value for every weighting of its rows."""

    def parts(self, times: Floats) -> Parts:
        """Return the parts when row r represents ``times[..., r]`` items."""

    def influence(self, times: Floats) -> Influence:
        """Return the influence of each row, for one weighting."""


def resampled_values(
    prepared: Weighable,
    draws: ItemDraws,
    n: int,
    executor: Executor | None = None,
    *,
    at_once: int | None = None,
) -> NDArray[np.float64]:
    """Return the coefficient of each resample, NaN where undefined, in bounded memory."""
    # The last bit of a value may depend on its block: the blocks are the same for any number of
    # workers.
    found = map_items(
        _values_of_block,
        (prepared, draws),
        list(blocks(n, draws.rows, at_once=at_once)),
        seconds=_SECONDS_A_BLOCK,
        executor=executor,
        workers=available_cores() if executor is None else workers_of(executor),
        report=Report(None, n),
    )
    return np.concatenate(found)


def _values_of_block(
    shared: tuple[Weighable, ItemDraws], block: tuple[int, int]
) -> NDArray[np.float64]:
    prepared, draws = shared
    values: NDArray[np.float64] = prepared.parts(draws.counts(*block)).value
    return values


def _interval(
    values: NDArray[np.float64],
    value: float,
    prepared: Weighable,
    ratings: Ratings,
    confidence: float,
    method: Method,
) -> tuple[Interval | None, tuple[str, ...]]:
    defined = values[~np.isnan(values)]
    notes: tuple[str, ...] = ()
    if len(defined) < len(values):
        left_out = len(values) - len(defined)
        notes = (f"{left_out} of {len(values)} resamples have no value and are left out",)
    if len(defined) < _FEW_DEFINED:
        return None, (*notes, "no interval: too few resamples have a value")
    if method != "bca":
        return percentile_interval(defined, confidence, f"bootstrap {method}"), notes
    influence = prepared.influence(ratings.times.astype(np.float64)).value
    found = bca_interval(defined, value, acceleration(influence, ratings.times), confidence)
    if found is None:
        reason = (
            "no interval: nearly all resamples lie on one side of the value, which bca cannot "
            "correct; choose the method percentile"
        )
        return None, (*notes, reason)
    return found, notes


def _check(ratings: object, resamples: int, confidence: float, method: str) -> None:
    if not isinstance(ratings, Ratings):
        msg = f"bootstrap takes Ratings, got {type(ratings).__name__}"
        raise TypeError(msg)
    check_setting("resamples", resamples, of="bootstrap")
    check_setting("confidence", confidence)
    check_setting("method", method)
