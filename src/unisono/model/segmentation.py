"""Where texts are cut: segmentations, made from boundaries, masses or units."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args, overload

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.model.columns import counted, is_several, listed
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from unisono.model.arrays import Floats, Integers

__all__ = ["MOST_ATOMS", "Gaps", "Segmentation", "atom_length", "segmentations"]

MOST_ATOMS = 2.0**53
"""Beyond, atoms cannot be counted one by one."""


def atom_length(atom: object) -> float:
    """Check what was said about the length of an atom."""
    if atom is None:
        return 1.0
    if isinstance(atom, bool) or not isinstance(atom, int | float | np.integer | np.floating):
        msg = f"an atom has a length, such as 0.5; got {atom!r} of type {type(atom).__name__}"
        raise TypeError(msg)
    if not (math.isfinite(atom) and atom > 0):
        msg = f"an atom has a length above 0, such as 0.5; got {atom}"
        raise SettingError(msg)
    return float(atom)


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


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Segmentation:
    """How one annotator cut one text into segments; a value that never changes.

    A text is a row of atoms: paragraphs, sentences, words, seconds. Between two atoms there is a
    place for a boundary; segments are what lies between boundaries, and they cover the text.
    Build it with `from_masses`, `from_positions` or `from_continuum`.

    Attributes
    ----------
    length
        The number of atoms.
    boundaries
        After how many atoms each segment but the last ends, in order; read-only int64.
    merged
        Boundaries that met another one, or an end of the text, when they were rounded to atoms.
        It is no part of the content: it is not in the digest.
    digest
        SHA-256 of the content, in hexadecimal.

    Examples
    --------
    >>> import unisono as un
    >>> segments = un.Segmentation.from_masses([2, 3, 6])
    >>> segments
    Segmentation(3 segments, 11 atoms)
    >>> segments.boundaries
    array([2, 5])
    >>> segments == un.Segmentation.from_positions([2, 5], length=11)
    True
    """

    length: int
    boundaries: Integers
    merged: int
    digest: str

    def __init__(self) -> None:
        msg = "build a Segmentation with from_masses, from_positions or from_continuum"
        raise TypeError(msg)

    @classmethod
    def from_masses(cls, masses: Iterable[int]) -> Segmentation:
        """Build a segmentation from how many atoms each segment has.

        Parameters
        ----------
        masses
            Whole numbers from 1, in the order of the text.

        Returns
        -------
        Segmentation
            As long as the masses together.

        Raises
        ------
        DataError
            There is no segment, or one without atoms.
        TypeError
            A mass is no whole number.

        Examples
        --------
        >>> import unisono as un
        >>> un.Segmentation.from_masses([2, 3, 6]).masses
        array([2, 3, 6])
        """
        sizes = _whole_numbers(masses, "the mass of a segment")
        if not len(sizes):
            msg = "a text has at least one segment; there are no masses"
            raise DataError(msg)
        empty = np.flatnonzero(sizes < 1)
        if len(empty):
            place = int(empty[0])
            msg = f"a segment has 1 atom or more; segment {place + 1} has {sizes[place]}"
            raise DataError(msg)
        if float(sizes.sum(dtype=np.float64)) > MOST_ATOMS:
            msg = f"a text has at most {MOST_ATOMS:.0f} atoms; these masses have more together"
            raise DataError(msg)
        ends = np.cumsum(sizes)
        return _segmentation(int(ends[-1]), ends[:-1])

    @classmethod
    def from_positions(cls, positions: Iterable[int], *, length: int) -> Segmentation:
        """Build a segmentation from the places of its boundaries.

        Parameters
        ----------
        positions
            After how many atoms there is a boundary: whole numbers from 1 to ``length − 1``, each
            once, in any order. Of a string of marks with one mark an atom, such as ``"00100"``,
            these are the places of the ones, counted from 1.
        length
            The number of atoms.

        Returns
        -------
        Segmentation
            With one segment more than there are positions.

        Raises
        ------
        DataError
            A position lies outside the text or is given twice, or there are no atoms.
        TypeError
            A position or the length is no whole number.

        Examples
        --------
        >>> import unisono as un
        >>> un.Segmentation.from_positions([5, 2], length=11).masses
        array([2, 3, 6])
        >>> un.Segmentation.from_positions([], length=11)
        Segmentation(1 segment, 11 atoms)
        """
        if isinstance(length, bool) or not isinstance(length, int | np.integer):
            msg = f"the length of a text is a whole number of atoms; got {length!r}"
            raise TypeError(msg)
        if not 1 <= length <= MOST_ATOMS:
            msg = f"a text has from 1 to {MOST_ATOMS:.0f} atoms; got length {length}"
            raise DataError(msg)
        places = np.sort(_whole_numbers(positions, "the position of a boundary"))
        outside = places[(places < 1) | (places >= length)]
        if len(outside):
            within = f"from 1 to {length - 1}" if length > 1 else "nowhere: it has no place for one"
            msg = (
                f"a boundary stands between two atoms, in a text of {counted(length, 'atom')} "
                f"{within}; got {outside[0]}"
            )
            raise DataError(msg)
        twice = places[1:][places[1:] == places[:-1]]
        if len(twice):
            msg = f"each boundary is given once; {twice[0]} is given twice"
            raise DataError(msg)
        return _segmentation(int(length), places)

    @classmethod
    def from_continuum(
        cls,
        continuum: Continuum,
        annotator: str | None = None,
        *,
        atom: float | None = None,
        gaps: Gaps = "raise",
    ) -> Segmentation:
        """Build a segmentation from units that cover the whole extent, one after another.

        Labels do not matter: two neighbours with the same label are two segments. A unit without
        length is no segment and changes nothing.

        Parameters
        ----------
        continuum
            What was annotated. Atoms are counted from the start of its extent.
        annotator
            Whose segmentation; need not be said when there is one only.
        atom
            How long an atom is, such as 0.5 seconds. Boundaries are rounded to the nearest place
            between atoms, halves up; those that then meet another one or an end of the text are
            no boundaries of their own, and `merged` counts them. Gaps and overlaps of half an atom
            or less are then none. By default an atom has length 1 and nothing is rounded.
        gaps
            What to do with a stretch that no unit covers: ``"raise"``, or take it for a segment
            like the others, ``"segments"``.

        Returns
        -------
        Segmentation
            As many atoms long as the extent.

        Raises
        ------
        DataError
            Units overlap or leave a gap, a boundary lies inside an atom, or there is no such
            annotator.
        SettingError
            The atom has no length, or gaps are to be treated in an unknown way.

        Examples
        --------
        >>> import unisono as un
        >>> talk = un.Continuum.from_units([("ann", 0, 2.4, "intro"), ("ann", 2.4, 9, "main")])
        >>> un.Segmentation.from_continuum(talk, atom=0.5).masses
        array([ 5, 13])
        """
        if not isinstance(continuum, Continuum):
            msg = f"from_continuum takes a Continuum, got {type(continuum).__name__}"
            raise TypeError(msg)
        places = places_of(continuum, annotator, atom=atom, gaps=gaps)
        return _segmentation(*places)

    @property
    def masses(self) -> Integers:
        """How many atoms each segment has."""
        return np.diff(self.boundaries, prepend=0, append=self.length)

    @property
    def n_segments(self) -> int:
        """One more than there are boundaries."""
        return len(self.boundaries) + 1

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Segmentation):
            return NotImplemented
        return self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        told = (counted(self.n_segments, "segment"), counted(self.length, "atom"))
        return f"Segmentation({', '.join(told)})"

    def __reduce__(
        self,
    ) -> tuple[Callable[[int, Integers, int], Segmentation], tuple[int, Integers, int]]:
        # By way of _segmentation, because arrays come out of a pickle writeable.
        return _segmentation, (self.length, self.boundaries, self.merged)


@overload
def segmentations(
    data: Continuum, *, atom: float | None = None, gaps: Gaps = "raise"
) -> dict[str, Segmentation]: ...


@overload
def segmentations(
    data: Corpus, *, atom: float | None = None, gaps: Gaps = "raise"
) -> dict[str, dict[str, Segmentation]]: ...


def segmentations(
    data: Continuum | Corpus, *, atom: float | None = None, gaps: Gaps = "raise"
) -> dict[str, Segmentation] | dict[str, dict[str, Segmentation]]:
    """Give the segmentation of every annotator, ready for `pk` and its relatives.

    Parameters
    ----------
    data
        A continuum, or a corpus of several.
    atom, gaps
        As in `Segmentation.from_continuum`.

    Returns
    -------
    dict
        Annotator to segmentation; of a corpus, document to such a table.

    Raises
    ------
    DataError
        Somebody's units are no segmentation; of a corpus the document is named.

    Examples
    --------
    >>> import unisono as un
    >>> talk = un.Continuum.from_units([("ann", 0, 9), ("bob", 0, 4), ("bob", 4, 9)])
    >>> un.segmentations(talk)
    {'ann': Segmentation(1 segment, 9 atoms), 'bob': Segmentation(2 segments, 9 atoms)}
    """
    if isinstance(data, Continuum):
        return {
            name: Segmentation.from_continuum(data, name, atom=atom, gaps=gaps)
            for name in data.annotators
        }
    if not isinstance(data, Corpus):
        msg = f"segmentations are made of a Continuum or a Corpus; got {type(data).__name__}"
        raise TypeError(msg)
    found = {}
    for document, continuum in data.items():
        try:
            found[document] = segmentations(continuum, atom=atom, gaps=gaps)
        except DataError as error:
            msg = f"document {document!r}: {error}"
            raise DataError(msg) from None
    return found


def _segmentation(length: int, boundaries: Integers, merged: int = 0) -> Segmentation:
    segmentation = object.__new__(Segmentation)
    places = np.array(boundaries, dtype=np.int64)
    places.flags.writeable = False
    content = hashlib.sha256(b"unisono segmentation 1\n" + str(length).encode() + b"\n")
    content.update(places.astype("<i8", copy=False).tobytes())
    values: dict[str, Any] = {
        "length": length,
        "boundaries": places,
        "merged": merged,
        "digest": content.hexdigest(),
    }
    for name, value in values.items():
        object.__setattr__(segmentation, name, value)
    return segmentation


def _whole_numbers(values: Iterable[int], what: str) -> Integers:
    if isinstance(values, str | bytes) or not is_several(values):
        msg = f"{what} is one of several whole numbers, such as [2, 3]; got {values!r}"
        raise TypeError(msg)
    given = values if isinstance(values, np.ndarray) else list(values)
    try:
        numbers = np.asarray(given)
    except ValueError:  # a list of lists of different lengths
        numbers = np.asarray(given, dtype=object)
    if numbers.ndim != 1:
        msg = f"{what} is one of a row of whole numbers; got {numbers.ndim} dimensions"
        raise TypeError(msg)
    if len(numbers) and numbers.dtype.kind not in "iu":
        wrong = next((value for value in given if not _is_whole(value)), given[0])
        msg = f"{what} is a whole number; got {wrong!r}"
        raise TypeError(msg)
    # A number that int64 cannot hold is beyond every text, and stays so.
    if numbers.dtype == np.uint64:
        numbers = np.minimum(numbers, np.uint64(2**62))
    return numbers.astype(np.int64)


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
