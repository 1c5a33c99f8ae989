"""From units that cover a whole document to the places where segments meet."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.model.atoms import MOST_ATOMS, atom_length
from unisono.model.naming import listed

if TYPE_CHECKING:
    from unisono.model.arrays import Floats, Integers
    from unisono.model.continuum import Continuum

__all__ = ["Gaps", "places_of"]

Gaps: TypeAlias = Literal["raise", "segments"]
"""What to do with a stretch that no unit covers: refuse it, or take it for a segment."""
# What a computer's fractions may leave between an end and the next start, where an atom is 1.
_ROUNDING = 1e-6


class Places(NamedTuple):
    """How many atoms there are, after which of them a segment ends, and how many such ends met."""

    length: int
    boundaries: Integers
    merged: int


def places_of(
    continuum: Continuum, annotator: str | None, *, atom: float | None, gaps: Gaps
) -> Places:
    """Find where the segments of one annotator meet, in atoms from the start of the document."""
    size = atom_length(atom)
    if gaps not in get_args(Gaps):
        choices = ", ".join(map(repr, get_args(Gaps)))
        msg = f"unknown {setting('gaps', gaps)}; choose one of {choices}"
        raise SettingError(msg)
    who = _chosen(continuum, annotator)
    length = _atoms(continuum, atom, size)
    slack = _ROUNDING if atom is None else size / 2.0
    first, last = continuum.offsets[who : who + 2]
    rows = first + np.flatnonzero(continuum.ends[first:last] > continuum.starts[first:last])
    _refuse_overlap(continuum, rows, slack)
    starts, ends = continuum.starts[rows], continuum.ends[rows]
    low, high = continuum.extent
    # What is covered up to each start and at last, and what follows there.
    reached = np.concatenate(((low,), np.maximum.accumulate(ends)))
    following = np.concatenate((starts, (high,)))
    is_gap = following > reached + slack
    if gaps == "raise" and is_gap.any():
        _refuse_gap(continuum, who, reached, following, int(np.argmax(is_gap)))
    # Two segments meet where the second begins; a gap has two ends.
    meeting = np.concatenate((starts[1:], following[is_gap], reached[is_gap]))
    exact = (np.unique(meeting) - low) / size
    exact = exact[(exact > _ROUNDING) & (exact < (high - low) / size - _ROUNDING)]
    if atom is None:
        _refuse_fractions(continuum, who, exact)
    inside = exact[(exact > slack / size) & (exact < (high - low - slack) / size)]
    rounded = np.unique(np.floor(inside + 0.5).astype(np.int64))
    boundaries = rounded[(rounded > 0) & (rounded < length)]
    return Places(length, boundaries, len(exact) - len(boundaries))


def _chosen(continuum: Continuum, annotator: str | None) -> int:
    names = continuum.annotators
    if annotator is None:
        if len(names) == 1:
            return 0
        msg = (
            f"a segmentation is of one annotator; say which: {listed(names)}. "
            "For all of them at once there is segmentations()"
        )
        raise DataError(msg)
    if annotator not in names:
        msg = f"no annotator {annotator!r}; there are {listed(names)}"
        raise DataError(msg)
    return names.index(annotator)


def _atoms(continuum: Continuum, atom: float | None, size: float) -> int:
    low, high = continuum.extent
    whole = (high - low) / size
    if not high > low:
        msg = f"a document of no length cannot be cut into segments; this one is at {low:.10g}"
        raise DataError(msg)
    if whole > MOST_ATOMS:
        msg = f"{whole:.3g} atoms are too many to count; make an atom longer with {_an_atom()}"
        raise DataError(msg)
    if atom is None and abs(whole - round(whole)) > _ROUNDING:
        msg = (
            f"the document from {low:.10g} to {high:.10g} is not a whole number of atoms of "
            f"length 1; say how long an atom is with {_an_atom()}"
        )
        raise DataError(msg)
    length = math.floor(whole + 0.5)
    if not length:
        msg = f"the document, {high - low:.10g} long, is shorter than half an atom of {size:.10g}"
        raise DataError(msg)
    return length


def _an_atom() -> str:
    return setting("atom", ...)


def _refuse_overlap(continuum: Continuum, rows: Integers, slack: float) -> None:
    starts, ends = continuum.starts[rows], continuum.ends[rows]
    reached = np.maximum.accumulate(ends)
    over = np.flatnonzero(starts[1:] < reached[:-1] - slack)
    if len(over):
        second = int(over[0]) + 1
        before = int(np.argmax(ends[:second]))
        one, other = (continuum.unit(int(row)) for row in rows[[before, second]])
        spans = " and ".join(f"{unit.start:.10g}–{unit.end:.10g}" for unit in (one, other))
        msg = (
            f"segments follow one another; of {one.annotator!r} the units {spans} overlap. "
            "Measure units that overlap with gamma"
        )
        raise DataError(msg)


def _refuse_gap(
    continuum: Continuum, who: int, reached: Floats, following: Floats, place: int
) -> None:
    low, high = continuum.extent
    msg = (
        f"segments cover the whole document, here from {low:.10g} to {high:.10g}; "
        f"{continuum.annotators[who]!r} has nothing from {reached[place]:.10g} to "
        f"{following[place]:.10g}. Take what is uncovered for a segment with "
        f"{setting('gaps', 'segments')}, or measure units that leave gaps with gamma"
    )
    raise DataError(msg)


def _refuse_fractions(continuum: Continuum, who: int, exact: Floats) -> None:
    broken = np.flatnonzero(np.abs(exact - np.rint(exact)) > _ROUNDING)
    if len(broken):
        place = continuum.extent[0] + float(exact[broken[0]])
        msg = (
            f"a boundary stands between two atoms; {continuum.annotators[who]!r} has one at "
            f"{place:.10g}, which is inside an atom of length 1. Say how long an atom is with "
            f"{_an_atom()}; boundaries are then rounded to atoms"
        )
        raise DataError(msg)
