"""Errors of position: boundaries that move, freely or without making units overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from unisono.measures.dice import Dice
    from unisono.model.arrays import Floats
    from unisono.simulation.shuffling.marks import Marks

__all__ = ["moved_apart", "moved_freely"]


def moved_freely(
    marks: Marks, reach: float, extent: tuple[float, float], dice: Dice
) -> tuple[Floats, Floats]:
    """Move both boundaries of each unit by up to `reach` times its own length.

    The law is that of two uniform moves, drawn again as long as the boundaries cross or leave the
    document; but it is drawn in one go, whatever the share of pairs that would be refused.

    Parameters
    ----------
    marks
        The units.
    reach
        The longest move, in lengths of the unit.
    extent
        Where the document begins and ends.
    dice
        What is random.

    Returns
    -------
    tuple
        The new starts and ends.
    """
    rolls = dice.roll(2 * len(marks.start)).reshape(2, -1)
    length = marks.end - marks.start
    most = reach * length
    low = np.maximum(-most, extent[0] - marks.start)
    high = np.minimum(most, extent[1] - marks.end)
    # The start moves by x in [low, top], the end by y in [−most, high] with y > x − length: all
    # pairs up to x = corner, fewer and fewer beyond. The area up to x is what a uniform roll hits.
    top = np.minimum(most, high + length)
    corner = np.clip(length - most, low, top)
    full = (corner - low) * (high + most)
    widest, narrowest = high - corner + length, high - top + length
    area = full + (widest**2 - narrowest**2) / 2.0
    hit = rolls[0] * area
    with np.errstate(invalid="ignore", divide="ignore"):
        flat = low + hit / (high + most)
    sloped = high + length - np.sqrt(np.maximum(widest**2 - 2.0 * (hit - full), narrowest**2))
    x = np.where(hit < full, flat, sloped)
    x = np.where(most > 0.0, np.clip(x, low, top), 0.0)
    lowest = np.maximum(-most, x - length)
    y = np.where(most > 0.0, lowest + rolls[1] * (high - lowest), 0.0)
    starts = np.maximum(marks.start + x, extent[0])
    ends = np.minimum(marks.end + y, extent[1])
    return starts, np.maximum(starts, ends)


def moved_apart(
    marks: Marks, reach: float, extent: tuple[float, float], dice: Dice
) -> tuple[Floats, Floats]:
    """Move boundaries so that units of one annotator that did not overlap still do not.

    Each place where a unit begins or ends moves by up to `reach` times the length of the unit, or
    the mean of the two lengths where one unit ends and the next begins. Places that have passed
    each other then change roles, so that units stay in their order; the ends of the document stay
    where they are.

    Parameters
    ----------
    marks
        Units; those of one annotator do not overlap.
    reach
        The longest move, in lengths of the unit.
    extent
        Where the document begins and ends.
    dice
        What is random.

    Returns
    -------
    tuple
        The new starts and ends.
    """
    count = len(marks.start)
    owner = np.concatenate((marks.annotator, marks.annotator))
    place = np.concatenate((marks.start, marks.end))
    lengths = np.tile(marks.end - marks.start, 2)
    order = np.lexsort((place, owner))
    owner, place = owner[order], place[order]
    first = np.ones(2 * count, dtype=bool)
    first[1:] = (owner[1:] != owner[:-1]) | (place[1:] != place[:-1])
    number = np.cumsum(first) - 1
    owners, places = owner[first], place[first]
    mean_length = np.bincount(number, lengths[order]) / np.bincount(number)
    most = reach * mean_length
    most[(places <= extent[0]) | (places >= extent[1])] = 0.0
    low, high = np.maximum(places - most, extent[0]), np.minimum(places + most, extent[1])
    moved = low + dice.roll(len(places)) * (high - low)
    moved = np.where(most > 0.0, moved, places)
    moved = moved[np.lexsort((moved, owners))]
    back = np.empty(2 * count)
    back[order] = moved[number]
    return back[:count], back[count:]
