"""Discretisation of a continuum into atoms, such as characters, words or seconds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.model.columns import listed
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus, check_continuum_or_corpus, documents_of
from unisono.model.labels import as_label, label_order, ranked
from unisono.model.overlap import check_overlap, without_overlap
from unisono.model.rating_tables import Tabulated, Triples, tabulated
from unisono.model.segmentation import MOST_ATOMS, atom_length

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from unisono.model.arrays import Floats, Integers
    from unisono.model.labels import Label
    from unisono.model.overlap import Overlap

__all__ = ["discretized"]

# The largest fraction of an atom that is attributed to rounding.
_ROUNDING = 1e-6
_UNLABELLED = "unit"


class _Grid(NamedTuple):
    """Starts and ends of units in atoms from the start of the document."""

    n_atoms: int
    starts: Floats
    ends: Floats
    last: float
    """The length of the last atom, as a fraction of a whole one."""


class _Intervals(NamedTuple):
    """Intervals of atoms with the same label; ends are exclusive."""

    runs: Integers
    starts: Integers
    ends: Integers
    codes: Integers


def discretized(
    data: Continuum | Corpus,
    *,
    atom: float | None,
    boundaries: ArrayLike | Mapping[str, ArrayLike] | None,
    blank: Label,
    overlap: Overlap,
) -> Tabulated:
    """Return the rows of `Ratings.from_continuum`."""
    check_continuum_or_corpus("Ratings.from_continuum", data)
    check_overlap(overlap)
    if atom is not None and boundaries is not None:
        msg = "atom= and boundaries= cannot be combined; pass one of them"
        raise SettingError(msg)
    size = atom_length(atom)
    documents = documents_of(data)
    cuts = _checked_boundaries(boundaries, data)
    continua: list[Continuum] = []
    grids: list[_Grid] = []
    for name, document in documents.items():
        try:
            continuum = without_overlap(document, overlap)
            continua.append(continuum)
            grids.append(
                _regular_grid(continuum, size)
                if cuts is None
                else _grid_of_boundaries(continuum, cuts[name])
            )
        except DataError as error:
            if not isinstance(data, Corpus) or len(data) == 1:
                raise
            msg = f"document {name!r}: {error}"
            raise DataError(msg) from None
    labels, blank_code = _labels(continua, blank)
    return _rows(data.annotators, continua, grids, labels, blank_code)


def _checked_boundaries(
    boundaries: ArrayLike | Mapping[str, ArrayLike] | None, data: Continuum | Corpus
) -> dict[str, Floats] | None:
    if boundaries is None:
        return None
    if isinstance(data, Continuum):
        if isinstance(boundaries, Mapping):
            msg = "boundaries of one document must be a list of positions; got a mapping"
            raise TypeError(msg)
        return {"": _increasing(boundaries)}
    if not isinstance(boundaries, Mapping):
        msg = (
            "boundaries of a corpus must be a mapping from document to positions; "
            f"got {type(boundaries).__name__}"
        )
        raise TypeError(msg)
    missing = [name for name in data if name not in boundaries]
    if missing:
        msg = f"every document needs boundaries; they are missing for {listed(missing)}"
        raise DataError(msg)
    return {name: _increasing(boundaries[name]) for name in data}


def _increasing(boundaries: ArrayLike) -> Floats:
    try:
        cuts = np.asarray(boundaries, dtype=np.float64)
    except (TypeError, ValueError):
        msg = f"boundaries must be a list of positions; got {boundaries!r}"
        raise TypeError(msg) from None
    if cuts.ndim != 1 or len(cuts) < 2 or not np.isfinite(cuts).all():
        msg = (
            "boundaries must be two or more finite positions, from the first start to the last end"
        )
        raise SettingError(msg)
    decreases = np.flatnonzero(np.diff(cuts) <= 0.0)
    if len(decreases):
        here, next_ = cuts[decreases[0]], cuts[decreases[0] + 1]
        msg = f"boundaries must increase; {next_:.10g} comes after {here:.10g}"
        raise SettingError(msg)
    return cuts


def _regular_grid(continuum: Continuum, size: float) -> _Grid:
    low, high = continuum.extent
    whole = float(_snapped(np.array([(high - low) / size]))[0])
    if whole > MOST_ATOMS:
        msg = f"{whole:.3g} atoms of length {size:.10g} are too many; increase atom="
        raise DataError(msg)
    n_atoms = math.ceil(whole)
    starts, ends = (
        _snapped((positions - low) / size) for positions in (continuum.starts, continuum.ends)
    )
    return _Grid(n_atoms, starts, np.minimum(ends, whole), whole - n_atoms + 1.0)


def _grid_of_boundaries(continuum: Continuum, cuts: Floats) -> _Grid:
    outside = np.flatnonzero((continuum.starts < cuts[0]) | (continuum.ends > cuts[-1]))
    if len(outside):
        unit = continuum.unit(int(outside[0]))
        msg = (
            f"all units must lie within the boundaries, from {cuts[0]:.10g} to {cuts[-1]:.10g}; "
            f"{unit.annotator!r} has [{unit.start:.10g}, {unit.end:.10g}]"
        )
        raise DataError(msg)
    numbers = np.arange(len(cuts), dtype=np.float64)
    starts, ends = (
        _snapped(np.interp(positions, cuts, numbers))
        for positions in (continuum.starts, continuum.ends)
    )
    return _Grid(len(cuts) - 1, starts, ends, 1.0)


def _snapped(numbers: Floats) -> Floats:
    """Round numbers that differ from a whole number by rounding only."""
    whole = np.rint(numbers)
    slack = np.maximum(_ROUNDING, 4.0 * np.spacing(np.abs(numbers)))
    return np.where(np.abs(numbers - whole) <= slack, whole, numbers)


def _labels(continua: Sequence[Continuum], blank: Label) -> tuple[list[Label], int]:
    """Return all labels in order, and the code of the label of gaps."""
    used = {label for each in continua for label in each.labels}
    empty = as_label(blank)
    gap: Label = "" if empty is None else empty
    if gap in used or (None in used and gap == _UNLABELLED):
        msg = f"{gap!r} is the label of units; choose another one for blank="
        raise DataError(msg)
    if None in used and _UNLABELLED in used:
        msg = (
            f"units without a label get the label {_UNLABELLED!r}, which other units already have; "
            "rename that label first"
        )
        raise DataError(msg)
    all_labels = {_UNLABELLED if label is None else label for label in used} | {gap}
    labels = sorted(all_labels, key=label_order)
    return labels, labels.index(gap)


def _rows(
    annotators: tuple[str, ...],
    continua: Sequence[Continuum],
    grids: Sequence[_Grid],
    labels: list[Label],
    blank: int,
) -> Tabulated:
    """Build the rows by a sweep: a row starts wherever the label of an annotator changes."""
    # A run is one annotator in one document.
    n_annotators = np.array([len(each.annotators) for each in continua], dtype=np.int64)
    first_runs = np.cumsum(n_annotators) - n_annotators
    place = {label: code for code, label in enumerate(labels)}
    parts = [
        _labelled_intervals(each, grid, int(first), place)
        for each, grid, first in zip(continua, grids, first_runs, strict=True)
    ]
    runs, starts, ends, codes = (
        np.concatenate([getattr(part, name) for part in parts] or [np.zeros(0, dtype=np.int64)])
        for name in _Intervals._fields
    )
    documents = np.repeat(np.arange(len(continua)), n_annotators)
    numbers = np.arange(len(continua))
    sizes = np.array([grid.n_atoms for grid in grids], dtype=np.int64)
    ranks = ranked(
        np.concatenate((documents[runs], numbers)),
        np.concatenate((starts, np.zeros_like(sizes))).astype(np.float64),
        np.concatenate((ends, sizes)).astype(np.float64),
    )
    times = ranks.steps.astype(np.int64)
    rows = np.flatnonzero(times)
    per_row = n_annotators[ranks.groups[rows]]
    offsets = np.cumsum(per_row) - per_row
    label_codes = np.full(int(per_row.sum()), blank, dtype=np.int64)
    annotator_codes = np.zeros(len(label_codes), dtype=np.int64)
    code_of = {name: code for code, name in enumerate(annotators)}
    run_annotators = np.array(
        [code_of[name] for each in continua for name in each.annotators] or [0]
    )
    run_numbers = np.arange(len(documents)) - first_runs[documents]
    for number in range(int(n_annotators.max(initial=0))):
        own = np.flatnonzero(run_numbers[runs] == number)
        changes = np.zeros(len(times), dtype=np.int64)
        np.add.at(changes, ranks.starts[own], codes[own] - blank)
        np.subtract.at(changes, ranks.ends[own], codes[own] - blank)
        rated = np.flatnonzero(per_row > number)
        label_codes[offsets[rated] + number] += np.cumsum(changes)[rows[rated]]
        first = first_runs[ranks.groups[rows[rated]]]
        annotator_codes[offsets[rated] + number] = run_annotators[first + number]
    triples = Triples(np.repeat(np.arange(len(rows)), per_row), annotator_codes, label_codes)
    return tabulated(triples, annotators=annotators, labels=labels, items=None, times=times[rows])


def _labelled_intervals(
    continuum: Continuum, grid: _Grid, first_run: int, place: dict[Label, int]
) -> _Intervals:
    """Return the atoms with a label of each annotator: covered wholly, or for the most part."""
    unit_codes = [place[_UNLABELLED if label is None else label] for label in continuum.labels]
    codes = np.array(unit_codes, dtype=np.int64)[continuum.label_codes]
    runs = np.repeat(first_run + np.arange(len(continuum.annotators)), continuum.counts)
    starts, ends = grid.starts, grid.ends
    firsts, lasts = np.ceil(starts), np.floor(ends)
    whole = np.flatnonzero(lasts > firsts)
    # The partly covered atoms: the one in which a unit starts, and the one in which it ends.
    begun = np.flatnonzero((starts < firsts) & (ends > starts))
    ended = np.flatnonzero((ends > lasts) & (lasts >= firsts))
    units = np.concatenate((begun, ended))
    atoms = np.concatenate((np.floor(starts[begun]), lasts[ended])).astype(np.int64)
    covers = np.concatenate(
        (np.minimum(ends[begun], firsts[begun]) - starts[begun], ends[ended] - lasts[ended])
    )
    chosen, labels = _majority(runs[units], atoms, codes[units], covers, units, grid)
    shared_runs, shared_atoms = runs[units][chosen], atoms[chosen]
    return _Intervals(
        np.concatenate((runs[whole], shared_runs)),
        np.concatenate((firsts[whole].astype(np.int64), shared_atoms)),
        np.concatenate((lasts[whole].astype(np.int64), shared_atoms + 1)),
        np.concatenate((codes[whole], labels)),
    )


def _majority(
    runs: Integers, atoms: Integers, codes: Integers, covers: Floats, units: Integers, grid: _Grid
) -> tuple[Integers, Integers]:
    """Choose the label that covers most of each partly covered atom, unless a gap covers more.

    Return the index of one part of each atom with a label, and the label.
    """
    order = np.lexsort((units, codes, atoms, runs))
    runs, atoms, codes, covers = runs[order], atoms[order], codes[order], covers[order]
    new_atom = np.ones(len(order), dtype=np.bool_)
    new_atom[1:] = (runs[1:] != runs[:-1]) | (atoms[1:] != atoms[:-1])
    new_label = new_atom.copy()
    new_label[1:] |= codes[1:] != codes[:-1]
    firsts = np.flatnonzero(new_label)
    if not len(firsts):
        return firsts, firsts
    by_label = np.add.reduceat(covers, firsts)
    atom_numbers = (np.cumsum(new_atom) - 1)[firsts]
    # Rounded, so that ties are exact; the first unit breaks them.
    best = np.lexsort((units[order][firsts], -np.round(by_label / _ROUNDING), atom_numbers))
    best = best[np.diff(atom_numbers[best], prepend=-1) != 0]
    sizes = np.where(atoms[firsts[best]] == grid.n_atoms - 1, grid.last, 1.0)
    gaps = sizes - np.bincount(atom_numbers, by_label)
    chosen = best[by_label[best] >= gaps - _ROUNDING]
    return order[firsts[chosen]], codes[firsts[chosen]]
