"""Segmentations of texts, built from boundaries, masses or units: `Segmentation`."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, TypeAlias, overload

import numpy as np

from unisono.errors import DataError, setting
from unisono.model.codes import (
    is_several,
)
from unisono.model.columns import counted, listed
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus, check_continuum_or_corpus
from unisono.registry import check_setting, check_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from unisono.model.arrays import Floats, Integers

__all__ = ["MOST_ATOMS", "Gaps", "Segmentation", "atom_length", "segmentations"]

MOST_ATOMS = 2.0**53
"""Above this, numbers of atoms are not exact as floats."""


def atom_length(atom: float | None) -> float:
    """Validate the length of an atom, 1 by default."""
    check_settings({}, {"atom": atom})
    return 1.0 if atom is None else float(atom)


Gaps: TypeAlias = Literal["raise", "segments"]
"""The treatment of gaps between units: raise an error, or make each a segment."""
# The largest rounding error between an end and the next start, in atoms.
_ROUNDING = 1e-6


class Places(NamedTuple):
    """Number of atoms, boundaries between segments, and number of boundaries that were merged."""

    length: int
    boundaries: Integers
    merged: int


def places_of(
    continuum: Continuum, annotator: str | None, *, atom: float | None, gaps: Gaps
) -> Places:
    """Find the boundaries of the segments of one annotator, in atoms from the document's start."""
    size = atom_length(atom)
    check_setting("gaps", gaps)
    number = _annotator_number(continuum, annotator)
    length = _n_atoms(continuum, atom, size)
    slack = _ROUNDING if atom is None else size / 2.0
    first, last = continuum.offsets[number : number + 2]
    rows = first + np.flatnonzero(continuum.ends[first:last] > continuum.starts[first:last])
    _check_overlap(continuum, rows, slack)
    starts, ends = continuum.starts[rows], continuum.ends[rows]
    low, high = continuum.extent
    # The end of the covered part before each start and before the end, and the position after it.
    covered = np.concatenate(((low,), np.maximum.accumulate(ends)))
    following = np.concatenate((starts, (high,)))
    is_gap = following > covered + slack
    if gaps == "raise" and is_gap.any():
        _raise_gap(continuum, number, covered, following, int(np.argmax(is_gap)))
    # The boundary of adjacent segments is the start of the second; a gap has two boundaries.
    positions = np.concatenate((starts[1:], following[is_gap], covered[is_gap]))
    exact = (np.unique(positions) - low) / size
    exact = exact[(exact > _ROUNDING) & (exact < (high - low) / size - _ROUNDING)]
    if atom is None:
        _check_whole(continuum, number, exact)
    inside = exact[(exact > slack / size) & (exact < (high - low - slack) / size)]
    rounded = np.unique(np.floor(inside + 0.5).astype(np.int64))
    boundaries = rounded[(rounded > 0) & (rounded < length)]
    return Places(length, boundaries, len(exact) - len(boundaries))


def _annotator_number(continuum: Continuum, annotator: str | None) -> int:
    names = continuum.annotators
    if annotator is None:
        if len(names) == 1:
            return 0
        msg = (
            f"a segmentation has one annotator; choose one of {listed(names)}, "
            "or use segmentations() for all"
        )
        raise DataError(msg)
    if annotator not in names:
        msg = f"no annotator {annotator!r}; the annotators are {listed(names)}"
        raise DataError(msg)
    return names.index(annotator)


def _n_atoms(continuum: Continuum, atom: float | None, size: float) -> int:
    low, high = continuum.extent
    whole = (high - low) / size
    if not high > low:
        msg = f"a document of length 0 cannot be segmented; this one is at {low:.10g}"
        raise DataError(msg)
    if whole > MOST_ATOMS:
        msg = f"{whole:.3g} atoms are too many; increase their length with {setting('atom', ...)}"
        raise DataError(msg)
    if atom is None and abs(whole - round(whole)) > _ROUNDING:
        msg = (
            f"the document from {low:.10g} to {high:.10g} is not a whole number of atoms of "
            f"length 1; set the length of an atom with {setting('atom', ...)}"
        )
        raise DataError(msg)
    length = math.floor(whole + 0.5)
    if not length:
        msg = (
            f"the document, of length {high - low:.10g}, is shorter than half an atom of length "
            f"{size:.10g}; reduce it with {setting('atom', ...)}"
        )
        raise DataError(msg)
    return length


def _check_overlap(continuum: Continuum, rows: Integers, slack: float) -> None:
    starts, ends = continuum.starts[rows], continuum.ends[rows]
    covered = np.maximum.accumulate(ends)
    over = np.flatnonzero(starts[1:] < covered[:-1] - slack)
    if len(over):
        second = int(over[0]) + 1
        before = int(np.argmax(ends[:second]))
        one, other = (continuum.unit(int(row)) for row in rows[[before, second]])
        spans = " and ".join(f"{unit.start:.10g}–{unit.end:.10g}" for unit in (one, other))
        msg = f"segments must not overlap; the units {spans} of {one.annotator!r} do"
        raise DataError(msg, remedy="Measure overlapping units with gamma")


def _raise_gap(
    continuum: Continuum, number: int, covered: Floats, following: Floats, place: int
) -> NoReturn:
    low, high = continuum.extent
    msg = (
        f"segments must cover the whole document, from {low:.10g} to {high:.10g}; "
        f"{continuum.annotators[number]!r} has a gap from {covered[place]:.10g} to "
        f"{following[place]:.10g}"
    )
    remedy = f"Count gaps as segments with {setting('gaps', 'segments')}"
    raise DataError(msg, remedy=f"{remedy}, or measure units with gaps by gamma")


def _check_whole(continuum: Continuum, number: int, exact: Floats) -> None:
    fractional = np.flatnonzero(np.abs(exact - np.rint(exact)) > _ROUNDING)
    if len(fractional):
        place = continuum.extent[0] + float(exact[fractional[0]])
        msg = (
            f"a boundary must lie between two atoms; {continuum.annotators[number]!r} has one at "
            f"{place:.10g}, inside an atom of length 1"
        )
        remedy = f"Set the length of an atom with {setting('atom', ...)}"
        raise DataError(msg, remedy=f"{remedy}; boundaries are then rounded to atoms")


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Segmentation:
    """The segments of one text by one annotator; immutable.

    A text is a sequence of atoms: paragraphs, sentences, words, seconds. Boundaries lie between
    atoms; segments lie between boundaries and cover the text. Build it with `from_masses`,
    `from_positions` or `from_continuum`.

    Attributes
    ----------
    length
        The number of atoms.
    boundaries
        The number of atoms before each boundary, in order; read-only int64.
    merged
        The number of boundaries that coincided with another one, or with an end of the text, when
        rounded to atoms. Not part of the content, so not in the digest.
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
        """Build a segmentation from the number of atoms of each segment.

        Parameters
        ----------
        masses
            Whole numbers from 1, in the order of the text.

        Returns
        -------
        Segmentation
            Its length is the sum of the masses.

        Raises
        ------
        DataError
            There are no segments, or a segment has no atoms.
        TypeError
            A mass is not a whole number.

        Examples
        --------
        >>> import unisono as un
        >>> un.Segmentation.from_masses([2, 3, 6]).masses
        array([2, 3, 6])
        """
        sizes = _whole_numbers(masses, "the mass of a segment")
        if not len(sizes):
            msg = "a text needs at least one segment; masses are empty"
            raise DataError(msg)
        empty = np.flatnonzero(sizes < 1)
        if len(empty):
            place = int(empty[0])
            msg = f"a segment needs at least 1 atom; segment {place + 1} has {sizes[place]}"
            raise DataError(msg)
        if float(sizes.sum(dtype=np.float64)) > MOST_ATOMS:
            msg = f"a text has at most {MOST_ATOMS:,.0f} atoms; the sum of the masses is larger"
            raise DataError(msg)
        ends = np.cumsum(sizes)
        return _segmentation(int(ends[-1]), ends[:-1])

    @classmethod
    def from_positions(cls, positions: Iterable[int], *, length: int) -> Segmentation:
        """Build a segmentation from the positions of its boundaries.

        Parameters
        ----------
        positions
            The number of atoms before each boundary: distinct whole numbers from 1 to
            ``length − 1``, in any order. In a boundary string with one character per atom, such
            as ``"00100"``, these are the positions of the ones, counted from 1.
        length
            The number of atoms.

        Returns
        -------
        Segmentation
            With one more segment than positions.

        Raises
        ------
        DataError
            A position lies outside the text or is repeated, or there are no atoms.
        TypeError
            A position or the length is not a whole number.

        Examples
        --------
        >>> import unisono as un
        >>> un.Segmentation.from_positions([5, 2], length=11).masses
        array([2, 3, 6])
        >>> un.Segmentation.from_positions([], length=11)
        Segmentation(1 segment, 11 atoms)
        """
        if isinstance(length, bool) or not isinstance(length, int | np.integer):
            msg = f"the length of a text must be a whole number of atoms; got {length!r}"
            raise TypeError(msg)
        if not 1 <= length <= MOST_ATOMS:
            msg = f"the length of a text must be from 1 to {MOST_ATOMS:,.0f} atoms; got {length:,}"
            raise DataError(msg)
        places = np.sort(_whole_numbers(positions, "the position of a boundary"))
        outside = places[(places < 1) | (places >= length)]
        if len(outside):
            text = f"a text of {counted(length, 'atom')}"
            msg = (
                f"a boundary in {text} must be from 1 to {length - 1}; got {outside[0]}"
                if length > 1
                else f"{text} cannot have a boundary; got {outside[0]}"
            )
            raise DataError(msg)
        duplicates = places[1:][places[1:] == places[:-1]]
        if len(duplicates):
            msg = f"boundaries must be distinct; {duplicates[0]} is repeated"
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
        """Build a segmentation from adjacent units that cover the whole extent.

        Labels do not matter: adjacent units with the same label are two segments. Units of length
        0 are ignored.

        Parameters
        ----------
        continuum
            The annotated document. Atoms are counted from the start of its extent.
        annotator
            The annotator; optional if there is only one.
        atom
            The length of an atom, such as 0.5 seconds. Boundaries are rounded to the nearest
            position between atoms, halves up; those that then coincide with another one or with
            an end of the text are merged, and `merged` is their number. Gaps and overlaps of at
            most half an atom are ignored. By default an atom has length 1 and nothing is rounded.
        gaps
            The treatment of gaps between units: ``"raise"`` an error, or make each gap a segment,
            ``"segments"``.

        Returns
        -------
        Segmentation
            Its length is that of the extent, in atoms.

        Raises
        ------
        DataError
            Units overlap or leave a gap, a boundary lies inside an atom, or the annotator does not
            exist.
        SettingError
            The length of an atom is not positive, or `gaps` is unknown.

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
        """The number of atoms of each segment."""
        return np.diff(self.boundaries, prepend=0, append=self.length)

    @property
    def n_segments(self) -> int:
        """The number of segments."""
        return len(self.boundaries) + 1

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Segmentation):
            return NotImplemented
        return self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        parts = (counted(self.n_segments, "segment"), counted(self.length, "atom"))
        return f"Segmentation({', '.join(parts)})"

    def __reduce__(
        self,
    ) -> tuple[Callable[[int, Integers, int], Segmentation], tuple[int, Integers, int]]:
        # Through _segmentation, because unpickled arrays are writeable.
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
    """Build the segmentation of every annotator, for `pk` and related measures.

    Parameters
    ----------
    data
        A continuum or a corpus.
    atom, gaps
        As in `Segmentation.from_continuum`.

    Returns
    -------
    dict
        Annotator to segmentation; for a corpus, document to such a mapping.

    Raises
    ------
    DataError
        The units of an annotator are not a segmentation; for a corpus the message names the
        document.

    Examples
    --------
    >>> import unisono as un
    >>> talk = un.Continuum.from_units([("ann", 0, 9), ("bob", 0, 4), ("bob", 4, 9)])
    >>> un.segmentations(talk)
    {'ann': Segmentation(1 segment, 9 atoms), 'bob': Segmentation(2 segments, 9 atoms)}
    """
    check_continuum_or_corpus("segmentations", data)
    if isinstance(data, Continuum):
        return {
            name: Segmentation.from_continuum(data, name, atom=atom, gaps=gaps)
            for name in data.annotators
        }
    found = {}
    for document, continuum in data.items():
        try:
            found[document] = segmentations(continuum, atom=atom, gaps=gaps)
        except DataError as error:
            msg = f"document {document!r}: {error.problem}"
            raise DataError(msg, remedy=error.remedy) from None
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
        msg = f"{what} must be in a sequence of whole numbers, such as [2, 3]; got {values!r}"
        raise TypeError(msg)
    sequence = values if isinstance(values, np.ndarray) else list(values)
    try:
        numbers = np.asarray(sequence)
    except ValueError:  # a list of lists of different lengths
        numbers = np.asarray(sequence, dtype=object)
    if numbers.ndim != 1:
        msg = (
            f"{what} must be in a one-dimensional sequence of whole numbers; "
            f"got {numbers.ndim} dimensions"
        )
        raise TypeError(msg)
    if len(numbers) and numbers.dtype.kind not in "iu":
        wrong = next((value for value in sequence if not _is_whole(value)), sequence[0])
        msg = f"{what} must be a whole number; got {wrong!r}"
        raise TypeError(msg)
    # Numbers beyond int64 are clipped to one that is longer than any text.
    if numbers.dtype == np.uint64:
        numbers = np.minimum(numbers, np.uint64(2**62))
    return numbers.astype(np.int64)


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
