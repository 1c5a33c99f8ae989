"""The errors of simulated annotators: moved, added, deleted, split and relabelled units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from unisono.errors import DataError, SettingError, did_you_mean, setting
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import distance_matrix
from unisono.model.columns import known_labels, listed
from unisono.model.labels import Label, as_label, label_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.measures.sampling import Dice
    from unisono.model.arrays import Codes, Floats, Integers

__all__ = [
    "DONE",
    "ERRORS",
    "Closeness",
    "ErrorType",
    "Marks",
    "Prevalence",
    "check_errors",
    "check_magnitude",
    "closeness_rows",
    "false_positives",
    "label_shares",
    "labels_known",
    "mistaken",
    "moved_apart",
    "moved_freely",
    "picked",
    "remembered",
    "splits",
]

Prevalence: TypeAlias = "str | Mapping[Any, float]"
"""How often labels are chosen by mistake: as in the reference, all alike, or shares."""
Closeness: TypeAlias = (
    "str | DistanceMatrix | Callable[[Label, Label], float] | Iterable[Iterable[float]] | None"
)
"""How easily one label is taken for another: a distance, or a square table."""


def label_shares(
    prevalence: Prevalence, labels: tuple[Label | None, ...], codes: Codes
) -> tuple[tuple[Label | None, ...], Floats]:
    """Give the labels that annotators choose from, in order, and how often each is chosen."""
    if isinstance(prevalence, Mapping):
        given = {as_label(label): share for label, share in prevalence.items()}
        everything = tuple(sorted({*labels, *given}, key=label_order))
        try:
            shares = np.array([given.get(label, 0.0) for label in everything], dtype=np.float64)
        except (TypeError, ValueError):
            msg = f"a prevalence gives each label a number, such as {{'NP': 0.7}}; got {given!r}"
            raise TypeError(msg) from None
        if not (np.isfinite(shares).all() and (shares >= 0.0).all() and shares.sum() > 0.0):
            msg = f"the prevalence of labels is 0 or more, of one at least above 0; got {given!r}"
            raise SettingError(msg)
        return everything, shares / shares.sum()
    if prevalence == "uniform":
        return labels, np.full(len(labels), 1.0 / len(labels))
    if prevalence == "reference":
        return labels, np.bincount(codes, minlength=len(labels)) / len(codes)
    msg = (
        f"unknown prevalence {prevalence!r}; choose 'reference' or 'uniform', "
        "or give a share for each label"
    )
    raise SettingError(msg)


def closeness_rows(
    closeness: Closeness,
    labels: tuple[Label | None, ...],
    counts: Sequence[int] | None = None,
    certain: NDArray[np.bool_] | None = None,
) -> Floats | None:
    """Give, for each label, how its mistakes are shared out over the other labels."""
    if closeness is None:
        return None
    if isinstance(closeness, str | DistanceMatrix) or callable(closeness):
        table = 1.0 - distance_matrix(labels, closeness, counts=counts)
    else:
        table = _square(closeness, labels)
    table = table.copy()
    np.fill_diagonal(table, 0.0)
    if certain is not None:
        table[:, certain] = 0.0
    sums = table.sum(axis=1)
    alone = sums == 0.0
    table[alone, alone] = 1.0
    sums[alone] = 1.0
    return np.asarray(table / sums[:, None])


def labels_known(
    certain: Iterable[Label], labels: tuple[Label | None, ...], shares: Floats
) -> tuple[NDArray[np.bool_], Floats]:
    """Say which labels annotators are certain of, and how mistakes are spread over the others."""
    if isinstance(certain, str):
        msg = f"labels are given as several labels, such as ({certain!r},); got {certain!r}"
        raise TypeError(msg)
    wanted = known_labels(tuple(certain), labels)
    known = np.array([label in wanted for label in labels])
    left = np.where(known, 0.0, shares)
    # Where nothing is left to mistake, nobody asks for the shares.
    return known, left / left.sum() if left.sum() > 0.0 else shares


def _square(closeness: Iterable[Iterable[float]], labels: tuple[Label | None, ...]) -> Floats:
    size = len(labels)
    try:
        rows = closeness if isinstance(closeness, np.ndarray) else [list(row) for row in closeness]
        table = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError):
        table = np.empty(0)
    if table.shape != (size, size):
        shape = " × ".join(map(str, table.shape)) if table.ndim == 2 else "no square table"
        msg = (
            f"a closeness matrix has a row and a column for each of the {size} labels "
            f"{listed(labels)}, in this order; this one is {shape}"
        )
        raise DataError(msg)
    if not (np.isfinite(table).all() and (table >= 0.0).all()):
        row, column = np.argwhere(~(np.isfinite(table) & (table >= 0.0)))[0]
        msg = (
            "closeness is a finite number of 0 or more; "
            f"{labels[row]!r} to {labels[column]!r} is {table[row, column]}"
        )
        raise DataError(msg)
    return table


def mistaken(
    codes: Codes, magnitude: float, shares: Floats, closeness: Floats | None, dice: Dice
) -> Codes:
    """Choose labels again, some by mistake.

    A unit keeps its label or is given another with the probabilities (1 − m²)·I + m²·P, P the
    shares in each row; with closeness O they are (1 − m)·I + m³·P + (m − m³)·O.
    """
    which, new = dice.roll(2 * len(codes)).reshape(2, -1)
    any_label = magnitude**2 if closeness is None else magnitude**3
    close_label = 0.0 if closeness is None else magnitude - magnitude**3
    chosen = np.where(which < any_label, picked(shares, new), codes)
    if closeness is not None:
        # One long row: the cumulated row of label k lies between k and k + 1.
        cumulated = np.minimum(np.cumsum(closeness, axis=1), 1.0)
        cumulated[:, -1] = 1.0
        rows = (np.arange(len(closeness))[:, None] + cumulated).ravel()
        close = np.searchsorted(rows, codes + new, side="right") - codes * len(closeness)
        by_closeness = (which >= any_label) & (which < any_label + close_label)
        chosen = np.where(by_closeness, np.clip(close, 0, len(closeness) - 1), chosen)
    return chosen.astype(np.int32)


def picked(shares: Floats, rolls: Floats) -> Codes:
    """Pick as many labels as there are rolls, each as often as its share says."""
    ends = np.cumsum(shares)
    # What rounding leaves over goes to the last label that has a share.
    last = int(np.flatnonzero(shares)[-1])
    return np.minimum(np.searchsorted(ends, rolls, side="right"), last).astype(np.int32)


class Marks(NamedTuple):
    """Units in no particular order, each with its annotator and where it comes from."""

    annotator: Integers
    start: Floats
    end: Floats
    label: Codes
    origin: Integers
    """Which row of the reference it was; −1, −2, … for units that were added."""
    moved: NDArray[np.bool_]
    piece: NDArray[np.bool_]
    """Whether it is a part of a unit that was split."""

    def chosen(self, rows: NDArray[np.bool_] | Integers) -> Marks:
        """Keep some units."""
        return Marks._make(column[rows] for column in self)

    def with_more(self, more: Marks) -> Marks:
        """Put other units after these."""
        columns: Any = zip(self, more, strict=True)
        return Marks._make(np.concatenate(both) for both in columns)


def how_many(wished: Floats, roll: Floats) -> Integers:
    """Round so many errors to a whole number whose mean is exactly what was wished."""
    return np.floor(wished + roll).astype(np.int64)


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
    """Make units that nobody should have marked, like those of the reference."""
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


ErrorType: TypeAlias = Literal["position", "category", "false_negative", "false_positive", "split"]
ERRORS: tuple[ErrorType, ...] = get_args(ErrorType)
"""In the order in which they are made."""
DONE: Mapping[ErrorType, str] = {
    "position": "moved",
    "category": "relabelled",
    "false_negative": "forgotten",
    "false_positive": "added",
    "split": "splits",
}
"""What units are then, or what was made."""


def check_magnitude(magnitude: float) -> None:
    """Refuse a magnitude that is no number from 0 to 1."""
    if isinstance(magnitude, bool) or not isinstance(
        magnitude, int | float | np.integer | np.floating
    ):
        msg = f"a magnitude is a number from 0 to 1, got {magnitude!r}"
        raise TypeError(msg)
    if not 0.0 <= magnitude <= 1.0:
        msg = f"a magnitude lies from 0, no errors, to 1, the most; got {magnitude}"
        raise SettingError(msg)


def check_errors(errors: ErrorType | Iterable[ErrorType]) -> tuple[ErrorType, ...]:
    """Give error types in the order in which they are made, each once."""
    wanted = {errors} if isinstance(errors, str) else set(errors)
    for error in sorted(wanted, key=str):
        if error not in ERRORS:
            meant = did_you_mean(str(error), ERRORS)
            msg = f"unknown error type {error!r}; choose one of {', '.join(ERRORS)}{meant}"
            raise SettingError(msg)
    if not wanted:
        msg = f"name the errors that annotators make, one or more of {', '.join(ERRORS)}"
        raise SettingError(msg)
    return tuple(error for error in ERRORS if error in wanted)


def moved_freely(
    marks: Marks, reach: float, extent: tuple[float, float], dice: Dice
) -> tuple[Floats, Floats]:
    """Move both boundaries of each unit by up to `reach` times its own length.

    The law is that of two uniform moves, drawn again as long as the boundaries cross or leave the
    document; but it is drawn in one go, whatever the share of pairs that would be refused.
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
