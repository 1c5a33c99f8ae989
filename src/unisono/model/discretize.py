"""A continuum cut into atoms: what each annotator says of every character, word or second."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.model.columns import listed
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.labels import as_label, label_order, ranked
from unisono.model.overlap import check_overlap, without_overlap
from unisono.model.rating_tables import Triples, tabulated
from unisono.model.ratings import Ratings, ratings_of
from unisono.model.segmentation import MOST_ATOMS, atom_length

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from unisono.model.arrays import Floats, Integers
    from unisono.model.labels import Label
    from unisono.model.overlap import Overlap

__all__ = ["discretize"]

# A part of an atom that is no more than rounding.
_ROUNDING = 1e-6
_UNLABELLED = "unit"


class _Grid(NamedTuple):
    """Where atoms are: positions are turned into numbers of atoms from the first one on."""

    n_atoms: int
    starts: Floats
    ends: Floats
    last: float
    """How long the last atom is, as a part of a whole one."""


class _Stretches(NamedTuple):
    """Atoms that have the same label: from which to before which."""

    runs: Integers
    starts: Integers
    ends: Integers
    codes: Integers


def discretize(
    data: Continuum | Corpus,
    *,
    atom: float | None = None,
    boundaries: ArrayLike | Mapping[str, ArrayLike] | None = None,
    blank: Label = "",
    overlap: Overlap = "raise",
) -> Ratings:
    """Cut a continuum into atoms, so that every coefficient on items can be computed: κ_d.

    An atom is an item. What an annotator says of it is the label that covers most of it, or
    `blank` where most of it is a gap.

    Parameters
    ----------
    data
        A document, or a corpus, all of whose atoms are items.
    atom
        How long an atom is, such as 1 for a character or a second; by default 1. The first begins
        where the document's extent does; the last may be shorter.
    boundaries
        Where atoms meet instead, such as where words begin, with the start of the first and the
        end of the last; for a corpus a mapping from document to boundaries.
    blank
        The label of gaps; by default the empty text. Units without a label get the label "unit".
    overlap
        What to do with units of one annotator that overlap: ``"raise"``, ``"merge"`` or
        ``"split"``, as in `unitizing_alpha`.

    Returns
    -------
    Ratings
        One row for each stretch of atoms that are alike, whose `times` counts them; items have no
        names.

    Raises
    ------
    DataError
        If units of one annotator overlap, a unit lies outside the boundaries, or `blank` is the
        label of a unit.
    SettingError
        If an atom has no length, or boundaries do not rise.

    Notes
    -----
    If labels cover an atom equally long, the one whose unit begins first is taken, and a unit
    before a gap. The work grows with the number of units, not with that of atoms.

    References
    ----------
    .. [1] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479; κ_d is the discretised κ of section 6.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [
    ...         ("ann", 0, 40, "NP"),
    ...         ("ann", 60, 90, "VP"),
    ...         ("bob", 0, 30, "NP"),
    ...         ("bob", 60, 90, "VP"),
    ...     ]
    ... )
    >>> atoms = un.discretize(text)
    >>> atoms
    Ratings(2 annotators, 90 items, 180 ratings, 3 labels)
    >>> atoms.times
    array([30, 10, 20, 30])
    >>> f"{un.cohen_kappa(atoms):.3f}"
    '0.833'
    >>> un.discretize(text, boundaries=[0, 25, 45, 60, 90]).matrix()
    array([[1, 1],
           [1, 0],
           [0, 0],
           [2, 2]], dtype=int32)
    """
    if not isinstance(data, Continuum | Corpus):
        msg = f"a Continuum or a Corpus is cut into atoms, not {type(data).__name__}"
        raise TypeError(msg)
    check_overlap(overlap)
    if atom is not None and boundaries is not None:
        msg = "give the size of an atom or boundaries, not both"
        raise SettingError(msg)
    size = atom_length(atom)
    named = dict(data) if isinstance(data, Corpus) else {"": data}
    cuts = _checked_boundaries(boundaries, data)
    settled: list[Continuum] = []
    grids: list[_Grid] = []
    for name, continuum in named.items():
        try:
            one = without_overlap(continuum, overlap)
            settled.append(one)
            grids.append(_grid(one, size) if cuts is None else _given_grid(one, cuts[name]))
        except DataError as error:
            if not isinstance(data, Corpus) or len(data) == 1:
                raise
            msg = f"document {name!r}: {error}"
            raise DataError(msg) from None
    labels, blank_code = _labels(settled, blank)
    return _ratings(data.annotators, settled, grids, labels, blank_code)


def _checked_boundaries(
    boundaries: ArrayLike | Mapping[str, ArrayLike] | None, data: Continuum | Corpus
) -> dict[str, Floats] | None:
    if boundaries is None:
        return None
    if isinstance(data, Continuum):
        if isinstance(boundaries, Mapping):
            msg = "boundaries of one document are a list of positions; got a mapping"
            raise TypeError(msg)
        return {"": _rising(boundaries)}
    if not isinstance(boundaries, Mapping):
        msg = "boundaries of a corpus are a mapping from document to positions; got something else"
        raise TypeError(msg)
    missing = [name for name in data if name not in boundaries]
    if missing:
        msg = f"every document needs boundaries; there are none for {listed(missing)}"
        raise DataError(msg)
    return {name: _rising(boundaries[name]) for name in data}


def _rising(given: ArrayLike) -> Floats:
    try:
        cuts = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        msg = f"boundaries are a list of positions; got {given!r}"
        raise TypeError(msg) from None
    if cuts.ndim != 1 or len(cuts) < 2 or not np.isfinite(cuts).all():
        msg = "boundaries are two positions or more, where atoms begin and end"
        raise SettingError(msg)
    falls = np.flatnonzero(np.diff(cuts) <= 0.0)
    if len(falls):
        here, next_ = cuts[falls[0]], cuts[falls[0] + 1]
        msg = f"boundaries rise from one to the next; {next_:.10g} comes after {here:.10g}"
        raise SettingError(msg)
    return cuts


def _grid(continuum: Continuum, size: float) -> _Grid:
    low, high = continuum.extent
    whole = float(_snapped(np.array([(high - low) / size]))[0])
    if whole > MOST_ATOMS:
        msg = f"{whole:.3g} atoms of {size:.10g} are too many to count; make an atom longer"
        raise DataError(msg)
    n_atoms = math.ceil(whole)
    starts, ends = (
        _snapped((positions - low) / size) for positions in (continuum.starts, continuum.ends)
    )
    return _Grid(n_atoms, starts, np.minimum(ends, whole), whole - n_atoms + 1.0)


def _given_grid(continuum: Continuum, cuts: Floats) -> _Grid:
    outside = np.flatnonzero((continuum.starts < cuts[0]) | (continuum.ends > cuts[-1]))
    if len(outside):
        unit = continuum.unit(int(outside[0]))
        msg = (
            f"all units lie within the boundaries, from {cuts[0]:.10g} to {cuts[-1]:.10g}; "
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
    """Take for whole what is whole but for rounding."""
    whole = np.rint(numbers)
    slack = np.maximum(_ROUNDING, 4.0 * np.spacing(np.abs(numbers)))
    return np.where(np.abs(numbers - whole) <= slack, whole, numbers)


def _labels(continua: Sequence[Continuum], blank: Label) -> tuple[list[Label], int]:
    """Give all labels in order, and which of them is that of gaps."""
    used = {label for each in continua for label in each.labels}
    empty = as_label(blank)
    gap: Label = "" if empty is None else empty
    if gap in used or (None in used and gap == _UNLABELLED):
        msg = f"{gap!r} is the label of units, so the blank between units must be another one"
        raise DataError(msg)
    if None in used and _UNLABELLED in used:
        msg = (
            f"units without a label get the label {_UNLABELLED!r}, which other units have; "
            "rename that label first"
        )
        raise DataError(msg)
    all_labels = {_UNLABELLED if label is None else label for label in used} | {gap}
    labels = sorted(all_labels, key=label_order)
    return labels, labels.index(gap)


def _ratings(
    annotators: tuple[str, ...],
    continua: Sequence[Continuum],
    grids: Sequence[_Grid],
    labels: list[Label],
    blank: int,
) -> Ratings:
    """Sweep over all documents: a row from each place where some annotator's label changes."""
    seats = np.array([len(each.annotators) for each in continua], dtype=np.int64)
    first_runs = np.cumsum(seats) - seats
    place = {label: code for code, label in enumerate(labels)}
    parts = [
        _stretches(each, grid, int(first), place)
        for each, grid, first in zip(continua, grids, first_runs, strict=True)
    ]
    runs, starts, ends, codes = (
        np.concatenate([getattr(part, name) for part in parts] or [np.zeros(0, dtype=np.int64)])
        for name in _Stretches._fields
    )
    documents = np.repeat(np.arange(len(continua)), seats)
    numbers = np.arange(len(continua))
    sizes = np.array([grid.n_atoms for grid in grids], dtype=np.int64)
    ranks = ranked(
        np.concatenate((documents[runs], numbers)),
        np.concatenate((starts, np.zeros_like(sizes))).astype(np.float64),
        np.concatenate((ends, sizes)).astype(np.float64),
    )
    times = ranks.steps.astype(np.int64)
    rows = np.flatnonzero(times)
    per_row = seats[ranks.groups[rows]]
    offsets = np.cumsum(per_row) - per_row
    said = np.full(int(per_row.sum()), blank, dtype=np.int64)
    who = np.zeros(len(said), dtype=np.int64)
    name_of = {name: code for code, name in enumerate(annotators)}
    people = np.array([name_of[name] for each in continua for name in each.annotators] or [0])
    run_seats = np.arange(len(documents)) - first_runs[documents]
    for seat in range(int(seats.max(initial=0))):
        mine = np.flatnonzero(run_seats[runs] == seat)
        changes = np.zeros(len(times), dtype=np.int64)
        np.add.at(changes, ranks.starts[mine], codes[mine] - blank)
        np.subtract.at(changes, ranks.ends[mine], codes[mine] - blank)
        there = np.flatnonzero(per_row > seat)
        said[offsets[there] + seat] += np.cumsum(changes)[rows[there]]
        who[offsets[there] + seat] = people[first_runs[ranks.groups[rows[there]]] + seat]
    triples = Triples(np.repeat(np.arange(len(rows)), per_row), who, said)
    return ratings_of(
        tabulated(triples, annotators=annotators, labels=labels, items=None, times=times[rows])
    )


def _stretches(
    continuum: Continuum, grid: _Grid, first_run: int, place: dict[Label, int]
) -> _Stretches:
    """Give each annotator's atoms that have a label: whole ones, and the winners of shared ones."""
    own = [place[_UNLABELLED if label is None else label] for label in continuum.labels]
    codes = np.array(own, dtype=np.int64)[continuum.label_codes]
    runs = np.repeat(first_run + np.arange(len(continuum.annotators)), continuum.counts)
    starts, ends = grid.starts, grid.ends
    firsts, lasts = np.ceil(starts), np.floor(ends)
    whole = np.flatnonzero(lasts > firsts)
    # The atom in which a unit begins, if not with it, and that in which it ends.
    begun = np.flatnonzero((starts < firsts) & (ends > starts))
    ended = np.flatnonzero((ends > lasts) & (lasts >= firsts))
    units = np.concatenate((begun, ended))
    atoms = np.concatenate((np.floor(starts[begun]), lasts[ended])).astype(np.int64)
    covers = np.concatenate(
        (np.minimum(ends[begun], firsts[begun]) - starts[begun], ends[ended] - lasts[ended])
    )
    won, winners = _won(runs[units], atoms, codes[units], covers, units, grid)
    shared_runs, shared_atoms = runs[units][won], atoms[won]
    return _Stretches(
        np.concatenate((runs[whole], shared_runs)),
        np.concatenate((firsts[whole].astype(np.int64), shared_atoms)),
        np.concatenate((lasts[whole].astype(np.int64), shared_atoms + 1)),
        np.concatenate((codes[whole], winners)),
    )


def _won(
    runs: Integers, atoms: Integers, codes: Integers, covers: Floats, units: Integers, grid: _Grid
) -> tuple[Integers, Integers]:
    """Choose for each atom that a run covers in part the label with most of it, if a gap has less.

    Gives the place of one part for each atom that has a label, and the label.
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
    # Rounded, so that equal parts are equal; then the unit that comes first.
    best = np.lexsort((units[order][firsts], -np.round(by_label / _ROUNDING), atom_numbers))
    best = best[np.diff(atom_numbers[best], prepend=-1) != 0]
    sizes = np.where(atoms[firsts[best]] == grid.n_atoms - 1, grid.last, 1.0)
    gaps = sizes - np.bincount(atom_numbers, by_label)
    chosen = best[by_label[best] >= gaps - _ROUNDING]
    return order[firsts[chosen]], codes[firsts[chosen]]
