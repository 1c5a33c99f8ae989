"""Errors of number: units forgotten, added and split."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unisono.errors import DataError, setting
from unisono.simulation.shuffling.errors import picked
from unisono.simulation.shuffling.marks import Marks, how_many

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.measures.dice import Dice
    from unisono.model.arrays import Codes, Floats, Integers

__all__ = ["false_positives", "remembered", "splits"]


def remembered(marks: Marks, magnitude: float, dice: Dice) -> NDArray[np.bool_]:
    """Say which units are not forgotten; each is forgotten with the same probability."""
    return np.asarray(dice.roll(len(marks.start)) >= magnitude)


def false_positives(
    marks: Marks,
    wished: Floats,
    like: tuple[Floats, Codes, Floats],
    extent: tuple[float, float],
    dice: Dice,
    *,
    overlap: bool,
) -> Marks:
    """Make units that nobody should have marked, like those of the reference.

    Parameters
    ----------
    marks
        What the annotators have.
    wished
        How many each annotator should add, in the mean.
    like
        Lengths and labels of the units of the reference, and the shares of all labels.
    extent
        Where the document begins and ends.
    dice
        What is random.
    overlap
        Whether new units may overlap what is there. Otherwise each lies in a gap, shorter where
        there is less room.

    Returns
    -------
    Marks
        Only the new units.

    Raises
    ------
    DataError
        If they may not overlap and an annotator's units leave no gap.
    """
    counts = how_many(wished, dice.roll(len(wished)))
    total = int(counts.sum())
    owner = np.repeat(np.arange(len(wished)), counts)
    rolls = dice.roll(3 * total).reshape(3, -1)
    lengths, codes, shares = like
    label = picked(shares, rolls[0])
    length = _length_like(label, lengths, codes, rolls[1])
    if overlap:
        low = extent[0]
        start = low + rolls[2] * np.maximum(extent[1] - low - length, 0.0)
        end = np.minimum(start + length, extent[1])
    else:
        start, end = _in_gaps(marks, owner, length, rolls[2], extent, dice)
    no = np.zeros(total, dtype=bool)
    return Marks(owner, start, end, label, -1 - np.arange(total), no, no)


def _length_like(label: Codes, lengths: Floats, codes: Codes, roll: Floats) -> Floats:
    """Take the length of a unit of the same label, or of any where no unit has that label."""
    order = np.argsort(codes, kind="stable")
    known = int(max(codes.max(initial=0), label.max(initial=0))) + 1
    count = np.bincount(codes, minlength=known)
    first = np.concatenate(([0], np.cumsum(count)[:-1]))
    first, count = first[label], count[label]
    first, count = np.where(count, first, 0), np.where(count, count, len(codes))
    which = first + np.floor(roll * count).astype(np.int64)
    return np.asarray(lengths[order[which]])


def _in_gaps(
    marks: Marks,
    owner: Integers,
    length: Floats,
    roll: Floats,
    extent: tuple[float, float],
    dice: Dice,
) -> tuple[Floats, Floats]:
    """Put units around random points of the gaps, each no farther than halfway to the next."""
    start, end = np.empty(len(owner)), np.empty(len(owner))
    for annotator in np.unique(owner).tolist():
        mine = np.flatnonzero(owner == annotator)
        low, high = _gaps(marks, annotator, extent)
        room = np.concatenate(([0.0], np.cumsum(high - low)))
        if room[-1] <= 0.0:
            msg = (
                "an annotator's units leave no gap in which a false positive could lie without "
                f"overlap; let units overlap with {setting('overlap', True)}, or split them"
            )
            raise DataError(msg)
        hit = np.sort(roll[mine]) * room[-1]
        gap = np.minimum(np.searchsorted(room, hit, side="right"), len(low)) - 1
        point = np.clip(low[gap] + hit - room[gap], low[gap], high[gap])
        middle = (point[1:] + point[:-1]) / 2.0
        alone = gap[1:] != gap[:-1]
        left = np.concatenate(([low[gap[0]]], np.where(alone, low[gap[1:]], middle)))
        right = np.concatenate((np.where(alone, high[gap[:-1]], middle), [high[gap[-1]]]))
        size = np.minimum(length[mine], right - left)
        start[mine] = left + dice.roll(len(mine)) * (right - left - size)
        end[mine] = np.minimum(start[mine] + size, right)
    return start, end


def _gaps(marks: Marks, annotator: int, extent: tuple[float, float]) -> tuple[Floats, Floats]:
    rows = np.flatnonzero(marks.annotator == annotator)
    rows = rows[np.argsort(marks.start[rows], kind="stable")]
    covered = np.maximum.accumulate(np.concatenate(([extent[0]], marks.end[rows])))
    until = np.concatenate((marks.start[rows], [extent[1]]))
    free = until > covered
    return covered[free], until[free]


def splits(marks: Marks, wished: Floats, dice: Dice) -> Marks:
    """Cut units in two, one cut after another; a piece may be cut again.

    Every cut goes to one of the units there are by then, all alike, at a uniform place. Of k cuts
    in a unit after its first, any number from none to all is as likely to fall to the left of it,
    so the cuts are shared out from the whole to the parts and made many at a time.

    Parameters
    ----------
    marks
        What the annotators have.
    wished
        How many cuts each annotator makes, in the mean.
    dice
        What is random.

    Returns
    -------
    Marks
        All units, the pieces instead of the units that were cut.
    """
    counts = how_many(wished, dice.roll(len(wished)))
    cuts = np.zeros(len(marks.start), dtype=np.int64)
    long_enough = marks.end > marks.start
    for annotator, count in enumerate(counts.tolist()):
        rows = np.flatnonzero(long_enough & (marks.annotator == annotator))
        if count and len(rows):
            cuts[rows] = _shared_out(count, len(rows), dice)
    done = marks.chosen(cuts == 0)
    open_marks, open_cuts = marks.chosen(cuts > 0), cuts[cuts > 0]
    while len(open_cuts):
        place, share = dice.roll(2 * len(open_cuts)).reshape(2, -1)
        length = open_marks.end - open_marks.start
        cut = np.minimum(open_marks.start + place * length, open_marks.end)
        left = np.floor(share * open_cuts).astype(np.int64)
        pieces = open_marks._replace(piece=np.ones(len(open_cuts), dtype=bool))
        both = pieces._replace(end=cut).with_more(pieces._replace(start=cut))
        open_cuts = np.concatenate((left, open_cuts - 1 - left))
        done = done.with_more(both.chosen(open_cuts == 0))
        open_marks, open_cuts = both.chosen(open_cuts > 0), open_cuts[open_cuts > 0]
    return done


def _shared_out(count: int, units: int, dice: Dice) -> Integers:
    """Share cuts out over units, every way of doing so as likely as any other."""
    order = np.argsort(dice.roll(count + units - 1), kind="stable")
    bars = np.sort(order[: units - 1])
    return np.diff(np.concatenate(([-1], bars, [count + units - 1]))) - 1
