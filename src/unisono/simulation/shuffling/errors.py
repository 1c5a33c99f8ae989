"""The errors of simulated annotators: moved, added, deleted, split and relabelled units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from unisono.errors import DataError, SettingError, check_choice, setting
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import distance_matrix
from unisono.model.columns import known_labels, listed
from unisono.model.labels import Label, as_label, label_order
from unisono.registry import Setting, check_setting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.measures.sampling import Dice
    from unisono.model.arrays import Codes, Floats, Integers

__all__ = [
    "DEFAULT_ERRORS",
    "ERRORS",
    "ERROR_RESULTS",
    "Closeness",
    "ErrorType",
    "Habit",
    "Habits",
    "Prevalence",
    "SimulatedUnits",
    "check_errors",
    "check_habits",
    "closeness_rows",
    "join_units",
    "label_shares",
    "make_habit_errors",
    "move_boundaries",
    "move_without_overlap",
    "resolve_certain_labels",
    "sample_false_positives",
    "sample_kept_units",
    "sample_label_errors",
    "sample_labels",
    "split_units",
]

Prevalence: TypeAlias = "str | Mapping[Any, float]"
"""The distribution of mistaken labels: as in the reference, uniform, or a share per label."""
Closeness: TypeAlias = (
    "str | DistanceMatrix | Callable[[Label, Label], float] | Iterable[Iterable[float]] | None"
)
"""How easily one label is mistaken for another: a distance, or a square matrix."""


def label_shares(
    prevalence: Prevalence, labels: tuple[Label | None, ...], codes: Codes
) -> tuple[tuple[Label | None, ...], Floats]:
    """Return the labels that annotators choose from, in order, and their probabilities."""
    if isinstance(prevalence, Mapping):
        by_label = {as_label(label): share for label, share in prevalence.items()}
        all_labels = tuple(sorted({*labels, *by_label}, key=label_order))
        try:
            shares = np.array([by_label.get(label, 0.0) for label in all_labels], dtype=np.float64)
        except (TypeError, ValueError):
            msg = f"prevalence must map labels to numbers, such as {{'NP': 0.7}}; got {by_label!r}"
            raise TypeError(msg) from None
        if not (np.isfinite(shares).all() and (shares >= 0.0).all() and shares.sum() > 0.0):
            msg = (
                f"prevalence needs finite numbers of at least 0, and one above 0; got {by_label!r}"
            )
            raise SettingError(msg)
        return all_labels, shares / shares.sum()
    mapping = "pass a mapping of labels to shares"
    check_choice("prevalence", prevalence, ("reference", "uniform"), mapping)
    if prevalence == "uniform":
        return labels, np.full(len(labels), 1.0 / len(labels))
    return labels, np.bincount(codes, minlength=len(labels)) / len(codes)


def closeness_rows(
    closeness: Closeness,
    labels: tuple[Label | None, ...],
    counts: Sequence[int] | None = None,
    certain: NDArray[np.bool_] | None = None,
) -> Floats | None:
    """Return one row per label: the distribution of its errors over the other labels."""
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


def resolve_certain_labels(
    certain: Iterable[Label], labels: tuple[Label | None, ...], shares: Floats
) -> tuple[NDArray[np.bool_], Floats]:
    """Return which labels are never wrong, and the distribution of errors over the others."""
    if isinstance(certain, str):
        msg = f"certain must be a collection of labels, such as ({certain!r},); got {certain!r}"
        raise TypeError(msg)
    certain_labels = known_labels(tuple(certain), labels)
    is_certain = np.array([label in certain_labels for label in labels])
    remaining = np.where(is_certain, 0.0, shares)
    # If all labels are certain, the distribution is not used.
    return is_certain, remaining / remaining.sum() if remaining.sum() > 0.0 else shares


def _square(closeness: Iterable[Iterable[float]], labels: tuple[Label | None, ...]) -> Floats:
    size = len(labels)
    try:
        rows = closeness if isinstance(closeness, np.ndarray) else [list(row) for row in closeness]
        table = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError):
        table = np.empty(0)
    if table.shape != (size, size):
        shape = (
            " × ".join(map(str, table.shape)) if table.ndim == 2 else "a table that is not square"
        )
        msg = (
            f"a closeness matrix needs one row and one column for each of the {size} labels "
            f"{listed(labels)}, in this order; got {shape}"
        )
        raise DataError(msg)
    if not (np.isfinite(table).all() and (table >= 0.0).all()):
        row, column = np.argwhere(~(np.isfinite(table) & (table >= 0.0)))[0]
        msg = (
            "closeness must be a finite number of at least 0; "
            f"{labels[row]!r} to {labels[column]!r} is {table[row, column]}"
        )
        raise DataError(msg)
    return table


def sample_label_errors(
    codes: Codes, magnitude: float, shares: Floats, closeness: Floats | None, dice: Dice
) -> Codes:
    """Return the labels with some of them replaced by wrong ones.

    The transition matrix of labels is (1 − m²)·I + m²·P, where each row of P is `shares`; with
    closeness O it is (1 − m)·I + m³·P + (m − m³)·O.
    """
    which, new = dice.roll(2 * len(codes)).reshape(2, -1)
    any_label = magnitude**2 if closeness is None else magnitude**3
    close_label = 0.0 if closeness is None else magnitude - magnitude**3
    chosen = np.where(which < any_label, sample_labels(shares, new), codes)
    if closeness is not None:
        # The cumulative distribution of label k, shifted by k, so that one search serves all rows.
        cumulated = np.minimum(np.cumsum(closeness, axis=1), 1.0)
        cumulated[:, -1] = 1.0
        rows = (np.arange(len(closeness))[:, None] + cumulated).ravel()
        close = np.searchsorted(rows, codes + new, side="right") - codes * len(closeness)
        by_closeness = (which >= any_label) & (which < any_label + close_label)
        chosen = np.where(by_closeness, np.clip(close, 0, len(closeness) - 1), chosen)
    return chosen.astype(np.int32)


def sample_labels(shares: Floats, rolls: Floats) -> Codes:
    """Sample labels by inverse transform sampling: one per uniform number in `rolls`."""
    ends = np.cumsum(shares)
    # Rounding may leave the cumulative sum below 1: the rest goes to the last possible label.
    last = int(np.flatnonzero(shares)[-1])
    return np.minimum(np.searchsorted(ends, rolls, side="right"), last).astype(np.int32)


class SimulatedUnits(NamedTuple):
    """Arrays of simulated units in arbitrary order, with annotator and origin."""

    annotator: Integers
    start: Floats
    end: Floats
    label: Codes
    origin: Integers
    """The row of the reference; −1, −2, … for added units."""
    moved: NDArray[np.bool_]
    piece: NDArray[np.bool_]
    """Whether the unit is a piece of a split unit."""

    def select(self, rows: NDArray[np.bool_] | Integers) -> SimulatedUnits:
        """Return a selection of the units."""
        return SimulatedUnits._make(column[rows] for column in self)

    def append(self, more: SimulatedUnits) -> SimulatedUnits:
        """Return these units followed by other units."""
        columns: Any = zip(self, more, strict=True)
        return SimulatedUnits._make(np.concatenate(both) for both in columns)


def stochastic_round(expected: Floats, roll: Floats) -> Integers:
    """Round expected numbers of errors at random to whole numbers with the same expectation."""
    return np.floor(expected + roll).astype(np.int64)


def sample_kept_units(marks: SimulatedUnits, magnitude: float, dice: Dice) -> NDArray[np.bool_]:
    """Return which units are not missed; each is missed with the same probability."""
    return np.asarray(dice.roll(len(marks.start)) >= magnitude)


def sample_false_positives(
    marks: SimulatedUnits,
    expected: Floats,
    like: tuple[Floats, Codes, Floats],
    extent: tuple[float, float],
    dice: Dice,
    *,
    overlap: bool,
) -> SimulatedUnits:
    """Return additional units with lengths and labels like those of the reference."""
    counts = stochastic_round(expected, dice.roll(len(expected)))
    total = int(counts.sum())
    owner = np.repeat(np.arange(len(expected)), counts)
    rolls = dice.roll(3 * total).reshape(3, -1)
    lengths, codes, shares = like
    label = sample_labels(shares, rolls[0])
    length = _length_like(label, lengths, codes, rolls[1])
    if overlap:
        low = extent[0]
        start = low + rolls[2] * np.maximum(extent[1] - low - length, 0.0)
        end = np.minimum(start + length, extent[1])
    else:
        start, end = _in_gaps(marks, owner, length, rolls[2], extent, dice)
    no = np.zeros(total, dtype=bool)
    return SimulatedUnits(owner, start, end, label, -1 - np.arange(total), no, no)


def _length_like(label: Codes, lengths: Floats, codes: Codes, roll: Floats) -> Floats:
    """Sample lengths from the units with the same label, or from all units if there are none."""
    order = np.argsort(codes, kind="stable")
    known = int(max(codes.max(initial=0), label.max(initial=0))) + 1
    count = np.bincount(codes, minlength=known)
    first = np.concatenate(([0], np.cumsum(count)[:-1]))
    first, count = first[label], count[label]
    first, count = np.where(count, first, 0), np.where(count, count, len(codes))
    which = first + np.floor(roll * count).astype(np.int64)
    return np.asarray(lengths[order[which]])


def _in_gaps(
    marks: SimulatedUnits,
    owner: Integers,
    length: Floats,
    roll: Floats,
    extent: tuple[float, float],
    dice: Dice,
) -> tuple[Floats, Floats]:
    """Place units around random points in the gaps, limited by the midpoints between points."""
    start, end = np.empty(len(owner)), np.empty(len(owner))
    for annotator in np.unique(owner).tolist():
        mine = np.flatnonzero(owner == annotator)
        low, high = _gaps(marks, annotator, extent)
        room = np.concatenate(([0.0], np.cumsum(high - low)))
        if room[-1] <= 0.0:
            msg = (
                "false positives without overlap need gaps; the units of one annotator leave none; "
                f"allow overlap with {setting('overlap', True)}, or choose other errors"
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


def _gaps(
    marks: SimulatedUnits, annotator: int, extent: tuple[float, float]
) -> tuple[Floats, Floats]:
    rows = np.flatnonzero(marks.annotator == annotator)
    rows = rows[np.argsort(marks.start[rows], kind="stable")]
    covered = np.maximum.accumulate(np.concatenate(([extent[0]], marks.end[rows])))
    until = np.concatenate((marks.start[rows], [extent[1]]))
    free = until > covered
    return covered[free], until[free]


def split_units(marks: SimulatedUnits, expected: Floats, dice: Dice) -> SimulatedUnits:
    """Cut units in two, one after another; a piece may be cut again.

    Each cut affects one of the current units, chosen uniformly, at a uniform position. Of the k
    cuts in a unit after its first, the number to the left of it is uniform on 0 to k, so the cuts
    are distributed recursively, which allows vectorized computation.
    """
    counts = stochastic_round(expected, dice.roll(len(expected)))
    cuts = np.zeros(len(marks.start), dtype=np.int64)
    long_enough = marks.end > marks.start
    for annotator, count in enumerate(counts.tolist()):
        rows = np.flatnonzero(long_enough & (marks.annotator == annotator))
        if count and len(rows):
            cuts[rows] = _random_composition(count, len(rows), dice)
    done = marks.select(cuts == 0)
    open_marks, open_cuts = marks.select(cuts > 0), cuts[cuts > 0]
    while len(open_cuts):
        place, share = dice.roll(2 * len(open_cuts)).reshape(2, -1)
        length = open_marks.end - open_marks.start
        cut = np.minimum(open_marks.start + place * length, open_marks.end)
        left = np.floor(share * open_cuts).astype(np.int64)
        pieces = open_marks._replace(piece=np.ones(len(open_cuts), dtype=bool))
        both = pieces._replace(end=cut).append(pieces._replace(start=cut))
        open_cuts = np.concatenate((left, open_cuts - 1 - left))
        done = done.append(both.select(open_cuts == 0))
        open_marks, open_cuts = both.select(open_cuts > 0), open_cuts[open_cuts > 0]
    return done


def _random_composition(count: int, units: int, dice: Dice) -> Integers:
    """Distribute cuts over units; all distributions are equally likely (stars and bars)."""
    order = np.argsort(dice.roll(count + units - 1), kind="stable")
    bars = np.sort(order[: units - 1])
    return np.diff(np.concatenate(([-1], bars, [count + units - 1]))) - 1


def join_units(
    marks: SimulatedUnits, magnitude: float, dice: Dice
) -> tuple[SimulatedUnits, Integers]:
    """Remove boundaries of adjacent units of one annotator, each with the same probability.

    The units become one with the label of the first. Return the units, and the annotator and the
    origin of each unit that was joined to the one before it.
    """
    order = np.lexsort((marks.end, marks.start, marks.annotator))
    marks = marks.select(order)
    adjoins = (marks.annotator[1:] == marks.annotator[:-1]) & (marks.start[1:] == marks.end[:-1])
    missed = np.zeros(len(order), dtype=bool)
    missed[1:] = adjoins & (dice.roll(len(order))[1:] < magnitude)
    first = np.flatnonzero(~missed)
    ends = np.maximum.reduceat(marks.end, first) if len(first) else marks.end
    joined = np.column_stack((marks.annotator[missed], marks.origin[missed]))
    return marks.select(first)._replace(end=ends), joined


class Habit(NamedTuple):
    """The systematic errors of one annotator, which do not depend on the magnitude."""

    late: float = 0.0
    """The shift of all units, relative to the mean length of a unit; negative if they are early."""
    split: int = 1
    """The number of equal pieces into which each unit is cut."""
    labels: Mapping[Label, Label] = {}
    """The replacements of labels."""


_HABIT_SETTINGS = (
    Setting("late", "cost", "", least=-1e9, most=1e9),
    Setting("split", "count", "", least=1, most=1000),
)
Habits: TypeAlias = "Mapping[str, Mapping[str, Any]]"
"""The habits of annotators by name."""


def check_habits(
    habits: Habits, annotators: Sequence[str], labels: tuple[Label | None, ...]
) -> dict[int, Habit]:
    """Return the habits by number of the annotator."""
    found = {}
    for name, given in habits.items():
        if name not in annotators:
            msg = f"habits name the annotator {name!r}; the simulated ones are {listed(annotators)}"
            raise SettingError(msg)
        unknown = sorted(set(given) - set(Habit._fields))
        if unknown:
            msg = f"{unknown[0]!r} is not a habit of {name!r}; choose from late, split, labels"
            raise SettingError(msg)
        habit = Habit(**given)
        for each in _HABIT_SETTINGS:
            each.check(getattr(habit, each.name))
        known_labels((*habit.labels, *habit.labels.values()), labels)
        found[annotators.index(name)] = habit
    return found


def make_habit_errors(
    marks: SimulatedUnits,
    number: int,
    habit: Habit,
    labels: tuple[Label | None, ...],
    shift: float,
    extent: tuple[float, float],
) -> SimulatedUnits:
    """Return the units with the systematic errors of one annotator.

    All units move by the same distance, so that no new overlap results; a unit that leaves the
    document is cut at its end, or missed.
    """
    mine = marks.annotator == number
    place = {label: code for code, label in enumerate(labels)}
    written = np.arange(len(labels), dtype=np.int32)
    for label, other in habit.labels.items():
        written[place[label]] = place[other]
    own = marks.select(mine)
    start, end = (np.clip(each + shift, *extent) for each in (own.start, own.end))
    own = own._replace(
        label=written[own.label],
        start=start,
        end=end,
        moved=own.moved | (start != own.start) | (end != own.end),
    )
    own = own.select((end > start) | (marks.start[mine] == marks.end[mine]))
    if habit.split > 1:
        pieces = own.select(np.repeat(np.arange(len(own.start)), habit.split))
        share = np.tile(np.arange(habit.split), len(own.start)) / habit.split
        length = pieces.end - pieces.start
        own = pieces._replace(
            start=pieces.start + share * length,
            end=np.where(
                np.roll(share, -1) > share, pieces.start + np.roll(share, -1) * length, pieces.end
            ),
            piece=np.ones(len(share), dtype=bool),
        )
    return marks.select(~mine).append(own)


ErrorType: TypeAlias = Literal[
    "position", "category", "false_negative", "false_positive", "split", "missing_boundary"
]
ERRORS: tuple[ErrorType, ...] = get_args(ErrorType)
"""All types of errors, in the order in which `shuffle` makes them."""
DEFAULT_ERRORS: tuple[ErrorType, ...] = ERRORS[:5]
"""The types of the γ paper; missing boundaries are for segmentations."""
ERROR_RESULTS: Mapping[ErrorType, str] = {
    "position": "moved",
    "category": "relabelled",
    "false_negative": "forgotten",
    "false_positive": "added",
    "split": "splits",
    "missing_boundary": "joined",
}
"""The word for the result of each type of error."""


def check_errors(errors: ErrorType | Iterable[ErrorType]) -> tuple[ErrorType, ...]:
    """Return the types of errors without duplicates, in the order in which they are made."""
    chosen = {errors} if isinstance(errors, str) else set(errors)
    for error in sorted(chosen, key=str):
        check_setting("errors", error)
    if not chosen:
        msg = f"errors is empty; choose at least one of {', '.join(ERRORS)}"
        raise SettingError(msg)
    return tuple(error for error in ERRORS if error in chosen)


def move_boundaries(
    marks: SimulatedUnits, reach: float, extent: tuple[float, float], dice: Dice
) -> tuple[Floats, Floats]:
    """Move both boundaries of each unit by up to `reach` times its own length.

    The distribution is that of two uniform moves, conditional on boundaries that do not cross and
    stay within the document. It is sampled directly, without rejection.
    """
    rolls = dice.roll(2 * len(marks.start)).reshape(2, -1)
    length = marks.end - marks.start
    most = reach * length
    low = np.maximum(-most, extent[0] - marks.start)
    high = np.minimum(most, extent[1] - marks.end)
    # The start moves by x in [low, top], the end by y in [−most, high] with y > x − length: the
    # range of y is constant up to x = corner, and shrinks linearly beyond. x is sampled by
    # inverting the area up to x.
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


def move_without_overlap(
    marks: SimulatedUnits, reach: float, extent: tuple[float, float], dice: Dice
) -> tuple[Floats, Floats]:
    """Move boundaries so that units of one annotator that did not overlap still do not.

    Each boundary moves by up to `reach` times the length of its unit, or the mean of the two
    lengths if one unit ends where the next begins. The moved boundaries are then sorted, so that
    units keep their order. Boundaries at the ends of the document do not move.
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
