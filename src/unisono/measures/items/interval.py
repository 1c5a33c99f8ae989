"""Confidence intervals of coefficients over items or clusters of items.

The jackknife computes the coefficient without each item, or without each cluster of items.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from unisono.errors import DataError, setting
from unisono.measures.items.coefficients import KrippendorffAlpha, PercentAgreement, pairable
from unisono.measures.items.metrics import Nominal, Ranked, Squares
from unisono.measures.items.rows import Rows, weighted_counts
from unisono.measures.jackknife import CLUSTERS, ITEMS, Jackknife
from unisono.model.columns import counted, listed
from unisono.model.ratings import labels_of
from unisono.registry import MEASURES

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from unisono.measures.items.coefficients import Formula, Prepared
    from unisono.measures.items.metrics import Metric
    from unisono.measures.items.rows import Parts
    from unisono.model.arrays import Floats, Integers
    from unisono.model.ratings import Ratings
    from unisono.results.values import Interval

__all__ = ["INDEPENDENT", "Clusters", "Sample", "item_interval"]

Clusters: TypeAlias = "Mapping[Any, Hashable] | Sequence[Hashable]"
INDEPENDENT = "the interval takes items as independent"
# Above this number the influence on the value approximates the leave-one-out values well.
_MOST_ANEW = 100
_MOST_AT_ONCE = 1000
_MOST_NUMBERS = 1 << 21
_MOST_COMPARED = 1000  # labels, to find the largest distance


class Sample(NamedTuple):
    """The sampling units that the jackknife leaves out: items, or clusters of items."""

    ratings: Ratings
    rows: Rows
    cluster_of: Integers | None = None
    """The cluster of each row; `None` where items are left out."""
    digest: str = ""

    @classmethod
    def of(cls, ratings: Ratings, clusters: Clusters) -> Sample:
        """Return the sample of clusters, which are checked."""
        names = ratings.items
        if names is None:
            msg = (
                f"{setting('clusters')} needs items with names; these ratings are counts of equal "
                "items"
            )
            raise DataError(msg)
        if isinstance(clusters, Mapping):
            missing = [name for name in names if name not in clusters]
            if missing:
                msg = (
                    f"{setting('clusters')} has no cluster for {len(missing):,} of "
                    f"{len(names):,} items: {listed(missing)}"
                )
                raise DataError(msg)
            chosen = [clusters[name] for name in names]
        elif isinstance(clusters, str) or not hasattr(clusters, "__len__"):
            msg = (
                f"{setting('clusters')} must map items to clusters, or be a sequence with a "
                f"cluster for each item; got {clusters!r}"
            )
            raise TypeError(msg)
        else:
            chosen = list(clusters)
            if len(chosen) != len(names):
                msg = (
                    f"{setting('clusters')} has {counted(len(chosen), 'cluster')} for "
                    f"{counted(len(names), 'item')}; pass one per item, in the order of the ratings"
                )
                raise DataError(msg)
        number = {each: at for at, each in enumerate(dict.fromkeys(chosen))}
        codes = np.array([number[each] for each in chosen], np.int64)
        pairs = sorted(f"{name}\t{each}" for name, each in zip(names, chosen, strict=True))
        digest = hashlib.sha256("\n".join(pairs).encode("utf-8", "surrogatepass")).hexdigest()
        return cls(ratings, Rows.of(ratings), codes, digest[:8])


def item_interval(
    coefficient: Formula,
    metric: Metric | Ranked,
    prepared: Prepared,
    parts: Parts,
    sample: Sample,
    level: float,
) -> tuple[Interval | None, tuple[str, ...]]:
    """Return the interval of a coefficient over items or clusters, and notes on it."""
    ratings, by_cluster = sample.ratings, sample.cluster_of is not None
    rows, times = sample.rows, ratings.times.astype(np.float64)
    sizes = (rows.sizes * pairable(rows, coefficient.missing)).astype(np.float64)
    kinds: Integers = np.arange(len(times))
    counts = times
    if sample.cluster_of is not None:
        prepared = coefficient.on(rows, metric)
        kinds = sample.cluster_of
        sizes = weighted_counts(kinds, sizes * times, 0)
        counts = np.ones(len(sizes))
    chosen = np.flatnonzero(sizes > 0.0)
    chance, bound = _chance(coefficient, metric, parts, sample)
    n_values = math.fsum((counts * sizes).tolist())
    jackknife = Jackknife(
        1.0 - float(parts.value),
        1.0 - _without(prepared, float(parts.value), times, kinds, chosen, by_cluster=by_cluster),
        counts[chosen],
        sizes[chosen],
        n_values / 2.0 * chance,
        n_values / 2.0 * bound,
    )
    interval, why = jackknife.interval(level, CLUSTERS if by_cluster else ITEMS)
    notes: tuple[str, ...] = () if why is None else (why.text,)
    if interval is not None:
        least = MEASURES[coefficient.name].low
        if least is not None:
            interval = replace(interval, low=max(least, interval.low))
        if not by_cluster:
            notes += (INDEPENDENT,)
    return interval, notes


def _chance(
    coefficient: Formula, metric: Metric | Ranked, parts: Parts, sample: Sample
) -> tuple[float, float]:
    """Return the probability that chance disagrees on two values, and the same for the bound.

    For distances that are not nominal, the first is that of nominal α, which counts every
    difference, and the second is the expected distance divided by the largest distance.
    """
    if isinstance(coefficient, PercentAgreement):
        return 1.0, 1.0
    if isinstance(metric, Nominal):
        return float(parts.expected), float(parts.expected)
    ratings, rows = sample.ratings, sample.rows
    nominal = KrippendorffAlpha(missing=coefficient.missing).prepare(ratings)
    times = ratings.times.astype(np.float64)
    if isinstance(metric, Ranked):
        counted = times * pairable(rows, coefficient.missing)
        codes, weights = rows.label_codes, rows.along(counted)
        metric = metric.fitted(weighted_counts(codes, weights, len(rows.labels)))
    largest = _largest_distance(metric, len(labels_of(ratings)))
    bound = float(parts.expected) / largest if largest > 0.0 else 0.0
    return float(nominal.parts(times).expected), bound


def _largest_distance(metric: Metric, n_labels: int) -> float:
    """Return the largest distance of two labels, infinite if there are too many to compare."""
    if isinstance(metric, Squares):
        return float(np.ptp(metric.points)) ** 2
    if n_labels > _MOST_COMPARED:
        return math.inf
    left, right = np.triu_indices(n_labels)
    return float(metric.between(left, right).max(initial=0.0))


def _without(
    prepared: Prepared,
    value: float,
    times: Floats,
    kinds: Integers,
    chosen: Integers,
    *,
    by_cluster: bool,
) -> Floats:
    """Return the value without one member of each of the chosen groups."""
    step = max(1, _MOST_NUMBERS // len(times))
    few = _MOST_ANEW if len(chosen) <= _MOST_ANEW or prepared.features is None else _MOST_AT_ONCE
    if len(chosen) <= few:
        found = [np.empty(0)]
        for first in range(0, len(chosen), step):
            some = chosen[first : first + step]
            left: Floats = np.tile(times, (len(some), 1))
            if by_cluster:
                left[kinds == some[:, None]] = 0.0
            else:
                left[np.arange(len(some)), some] -= 1.0
            found.append(prepared.parts(left).value)
        return np.concatenate(found)
    # With so many members the influence is accurate, and takes one pass.
    moved = prepared.influence(times).value
    if by_cluster:
        moved = weighted_counts(kinds, moved * times, 0)
    n = math.fsum(times.tolist())
    without: Floats = value - moved[chosen] / (n - 1.0)
    return without
