"""Which units of two sides can be matched at all: those that intersect, or whose bounds are near.

Two units *intersect* when they share more than a border: a stretch, or where one of them is a
point, a point inside the other or the same point. Their bounds are *near* when both the starts and
the ends differ by no more than a tolerance. Positions that differ by rounding are the same: an end
of 0.1 + 0.2 neither misses an end at 0.3 nor reaches into a unit that begins there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.errors import DataError, setting
from unisono.model.rounding import slack_of

if TYPE_CHECKING:
    from unisono.measures.reference.matching import Side
    from unisono.model.arrays import Booleans, Floats, Integers

__all__ = ["Candidates", "candidate_pairs"]

MOST_PAIRS = 10_000_000
# No two positions are farther apart.
_FARTHEST = 1e301


class Candidates(NamedTuple):
    """Pairs of units of the same meeting, each pair once, and how the two are alike."""

    left: Integers
    """Rows of the reference."""
    right: Integers
    """Rows of the hypothesis."""
    common: Floats
    """The length of the stretch that both cover."""
    share: Floats
    """That length as a part of what either covers: 1 for the same place, 0 for nothing shared."""
    intersect: Booleans
    near: Booleans
    same_place: Booleans
    same_label: Booleans

    def only(self, chosen: Booleans) -> Candidates:
        """Keep some of the pairs."""
        return Candidates._make(column[chosen] for column in self)


def candidate_pairs(reference: Side, hypothesis: Side, tolerance: float = 0.0) -> Candidates:
    """List the pairs that can be matched.

    Parameters
    ----------
    reference, hypothesis
        Units of the same meetings.
    tolerance
        By how much near bounds may differ.

    Returns
    -------
    Candidates
        All pairs that intersect or are near.

    Raises
    ------
    DataError
        So many units lie at one place that their pairs cannot be listed.

    Notes
    -----
    Of two units that intersect one begins within the other, so that two searches in sorted starts
    find all: the cost is that of sorting, and of the pairs themselves.
    """
    a, b = reference, hypothesis
    wide = min(tolerance, _FARTHEST)
    reach = wide + 2.0 * slack_of(np.abs(a.starts) + wide)
    lows, highs = a.starts - reach, np.maximum(a.ends, a.starts + reach)
    found = _starting_within(a, b, lows, highs, tolerance)
    # Those that begin near each other were found already.
    other = _starting_within(b, a, b.starts, b.ends, tolerance)
    fresh = b.starts[other[0]] < lows[other[1]]
    pairs = _described(
        a,
        b,
        np.concatenate((found[0], other[1][fresh])),
        np.concatenate((found[1], other[0][fresh])),
        wide,
    )
    return pairs.only(pairs.intersect | pairs.near)


def near(first: Floats, second: Floats, tolerance: float) -> Booleans:
    """Say which positions differ by no more than a tolerance."""
    return np.abs(first - second) <= tolerance + slack_of(first, second)


def _described(a: Side, b: Side, left: Integers, right: Integers, tolerance: float) -> Candidates:
    starts, ends = (a.starts[left], b.starts[right]), (a.ends[left], b.ends[right])
    last_start, first_end = np.maximum(*starts), np.minimum(*ends)
    shared = first_end - last_start
    common = np.maximum(shared, 0.0)
    same_place = near(*starts, 0.0) & near(*ends, 0.0)
    # A point lies inside a unit if it is after its start and before its end.
    slack = slack_of(last_start, first_end)
    inside = last_start - np.minimum(*starts) > slack
    inside &= np.maximum(*ends) - first_end > slack
    is_point = (starts[0] == ends[0]) | (starts[1] == ends[1])
    point_inside = (shared == 0.0) & is_point & inside
    covered = np.maximum(*ends) - np.minimum(*starts)
    share = np.divide(common, covered, out=same_place.astype(np.float64), where=covered > 0.0)
    return Candidates(
        left,
        right,
        common,
        share,
        (shared > slack) | same_place | point_inside,
        near(*starts, tolerance) & near(*ends, tolerance) if tolerance else same_place,
        same_place,
        a.labels[left] == b.labels[right],
    )


def _starting_within(
    a: Side, b: Side, lows: Floats, highs: Floats, tolerance: float
) -> tuple[Integers, Integers]:
    """Pair each unit of `a` with the units of `b` in its meeting that start from low to high."""
    # One whole number for the meeting and the place in it, so that one search serves all meetings.
    positions, ranks = np.unique(np.concatenate((b.starts, lows, highs)), return_inverse=True)
    of_b, of_lows, of_highs = np.split(
        ranks.astype(np.int64), [len(b.starts), len(b.starts) + len(lows)]
    )
    keys = b.meetings * len(positions) + of_b
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    first = np.searchsorted(sorted_keys, a.meetings * len(positions) + of_lows, side="left")
    last = np.searchsorted(sorted_keys, a.meetings * len(positions) + of_highs, side="right")
    sizes = last - first
    total = int(sizes.sum())
    if total > MOST_PAIRS:
        _refuse(total, tolerance)
    ends = np.cumsum(sizes)
    within = np.arange(total) + np.repeat(first - (ends - sizes), sizes)
    return np.repeat(np.arange(len(sizes)), sizes), order[within]


def _refuse(total: int, tolerance: float) -> None:
    cure = f", or {setting('tolerance', tolerance)} is too much" if tolerance else ""
    msg = (
        f"{total:,} pairs of units lie close enough to be matched, more than {MOST_PAIRS:,}: "
        f"too many units lie at one place{cure}"
    )
    raise DataError(msg)
