"""The Corpus Shuffling Tool: a reference, and simulated annotators who make errors in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import digest_of_values, distance_signature
from unisono.measures.sampling import Dice, fingerprint, seed_of
from unisono.measures.settings import check_count, check_number
from unisono.model.columns import as_names
from unisono.model.continuum import Continuum, assembled, continuum_of
from unisono.model.labels import Label, as_label, label_text
from unisono.model.overlap import overlapping_units
from unisono.results.agreement import Signature
from unisono.results.record import InJson, plain_label
from unisono.simulation.shuffling.errors import (
    DONE,
    ERRORS,
    Marks,
    check_errors,
    check_magnitude,
    closeness_rows,
    false_positives,
    label_shares,
    labels_known,
    mistaken,
    moved_apart,
    moved_freely,
    picked,
    remembered,
    splits,
)
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unisono.model.arrays import Floats, Integers
    from unisono.simulation.shuffling.errors import Closeness, ErrorType, Prevalence

__all__ = ["Shuffled", "Shuffler", "generate_reference", "shuffle"]

_REFERENCE_STREAM = 8
_MOST_UNITS = 20_000_000


def generate_reference(
    units: int = 30,
    *,
    labels: Mapping[Any, float] | Iterable[Label] = ("A", "B", "C", "D"),
    lengths: tuple[float, float] | Mapping[Any, tuple[float, float]] = (5.0, 15.0),
    gaps: tuple[float, float] = (0.0, 10.0),
    overlap: bool = False,
    extent: float | tuple[float, float] | None = None,
    annotator: str = "reference",
    rng: int | np.random.Generator | None = 0,
) -> Continuum:
    """Make up what perfect annotators would mark, to `shuffle` it.

    Parameters
    ----------
    units
        How many units.
    labels
        Labels to choose from, all alike, or labels with their prevalences, which need not sum to 1.
    lengths
        The shortest and the longest unit, or such a range for each label; lengths are uniform.
    gaps
        The shortest and the longest gap before each unit and after the last; gaps are uniform.
    overlap
        Whether units may lie anywhere, over each other. They then begin at uniform places of the
        extent, which is by default as long as it would be without overlap; `gaps` only say so much.
    extent
        How long the document is, or where it begins and ends; gaps are then all stretched or
        shrunk by the same factor. By default it follows from units and gaps, and begins at 0.
    annotator
        A name for whose units these are.
    rng
        A seed, or a generator from which one is drawn; `None` takes one from the system.

    Returns
    -------
    Continuum
        With one annotator.

    Raises
    ------
    SettingError
        If a setting is impossible, or the units do not fit the extent.

    Examples
    --------
    >>> import unisono as un
    >>> un.generate_reference(30, labels={"A": 3, "B": 1}, lengths=(10, 10), gaps=(5, 5), rng=1)
    Continuum(1 annotator, 30 units, 2 labels, 0–455)
    >>> un.generate_reference(10, lengths={"A": (1, 2), "D": (20, 20)}, labels="AD", rng=1)
    Continuum(1 annotator, 10 units, 2 labels, 0–185.2794972)
    """
    check_count("units", units)
    if units > _MOST_UNITS:
        msg = f"a reference of {units:,} units is too large; up to {_MOST_UNITS:,} can be made"
        raise SettingError(msg)
    names, shares = _labels(labels)
    dice = Dice(seed_of(rng), _REFERENCE_STREAM)
    codes = picked(shares, dice.roll(units))
    shortest, longest = _length_ranges(lengths, names)[:, codes]
    sizes = shortest + dice.roll(units) * (longest - shortest)
    least, most = _range(gaps, "gaps")
    spaces = least + dice.roll(units + 1) * (most - least)
    low, high = _extent(extent, sizes, spaces)
    if overlap:
        longest_unit = float(sizes.max())
        if longest_unit > high - low:
            msg = f"a unit of length {longest_unit:g} does not fit the extent {low:g}–{high:g}"
            raise SettingError(msg)
        starts = low + dice.roll(units) * (high - low - sizes)
    else:
        starts = low + _laid_out(sizes, spaces, high - low)
    ends = np.minimum(starts + sizes, high)
    return Continuum.from_columns(
        [annotator] * units, starts, ends, [names[code] for code in codes], extent=(low, high)
    )


def _laid_out(sizes: Floats, spaces: Floats, extent: float) -> Floats:
    """Give where units begin, one after another, in gaps fitted to the extent."""
    room = extent - float(sizes.sum())
    # A sum of lengths that is the extent but for rounding fills it.
    if room < -1e-9 * extent:
        msg = (
            f"units of length {sizes.sum():g} in all do not fit an extent of {extent:g} without "
            "overlap; make them fewer or shorter, or let them overlap"
        )
        raise SettingError(msg)
    total = float(spaces.sum())
    if total > 0.0:
        spaces = spaces * (max(room, 0.0) / total)
    else:
        spaces = np.zeros(len(spaces))
        spaces[-1] = max(room, 0.0)
    ends = np.cumsum(spaces[:-1] + sizes)
    return np.asarray(np.minimum(np.concatenate(([0.0], ends[:-1])) + spaces[:-1], extent))


def _labels(
    labels: Mapping[Any, float] | Iterable[Label],
) -> tuple[tuple[Label | None, ...], Floats]:
    shares = labels if isinstance(labels, Mapping) else dict.fromkeys(labels, 1.0)
    if not shares:
        msg = "a reference needs one label at least; give labels, or labels with prevalences"
        raise SettingError(msg)
    return label_shares(shares, (), np.empty(0, np.int32))


def _length_ranges(
    lengths: tuple[float, float] | Mapping[Any, tuple[float, float]],
    labels: tuple[Label | None, ...],
) -> Floats:
    if not isinstance(lengths, Mapping):
        return np.repeat([_range(lengths, "lengths")], len(labels), axis=0).T
    given = {as_label(label): bounds for label, bounds in lengths.items()}
    for label in labels:
        if label not in given:
            msg = f"lengths has no range for the label {label!r}; give one for each label"
            raise SettingError(msg)
    return np.array([_range(given[label], f"lengths of {label!r}") for label in labels]).T


def _range(bounds: tuple[float, float], what: str) -> tuple[float, float]:
    try:
        low, high = (float(bound) for bound in bounds)
    except (TypeError, ValueError):
        msg = f"{what} are two numbers, the least and the most; got {bounds!r}"
        raise TypeError(msg) from None
    if not 0.0 <= low <= high < np.inf:
        msg = f"{what} go from a number of 0 or more to one as large or larger; got {bounds!r}"
        raise SettingError(msg)
    return low, high


def _extent(
    extent: float | tuple[float, float] | None, sizes: Floats, spaces: Floats
) -> tuple[float, float]:
    if extent is None:
        return 0.0, float(sizes.sum() + spaces.sum())
    try:
        low, high = (0.0, extent) if isinstance(extent, int | float) else extent
    except ValueError:
        msg = f"an extent is a length, or where it begins and ends; got {extent!r}"
        raise TypeError(msg) from None
    if not -np.inf < low < high < np.inf:
        msg = f"an extent is a length above 0, or where it begins and ends; got {extent!r}"
        raise SettingError(msg)
    return float(low), float(high)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shuffled(InJson):
    """A degraded continuum with the record of what was done.

    Attributes
    ----------
    continuum
        What the simulated annotators marked.
    reference
        What they should have marked.
    origins
        For each unit of `continuum`, in its order, the row of the reference it was; units that
        were added have −1, −2, and so on.
    moved, pieces
        For each unit whether it was moved, and whether it is a piece of one that was split.
    forgotten
        A row for each forgotten unit: the annotator's number, and the row of the reference.
    magnitude, errors
        As they were chosen; the errors in the order in which they were made.
    signature
        Every setting that can move a unit.

    Examples
    --------
    >>> import unisono as un
    >>> reference = un.generate_reference(units=5, rng=1)
    >>> print(un.shuffle(reference, magnitude=0.5, annotators=2, rng=3))
    2 annotators at magnitude 0.5 of 5 units: 7 moved, 0 relabelled, 3 forgotten, 5 added, 25 splits
    """

    continuum: Continuum
    reference: Continuum
    origins: Integers
    moved: np.ndarray[Any, np.dtype[np.bool_]]
    pieces: np.ndarray[Any, np.dtype[np.bool_]]
    forgotten: Integers
    magnitude: float
    errors: tuple[ErrorType, ...]
    signature: Signature

    @property
    def relabelled(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """For each unit whether it has another label than its origin."""
        place = {label: at for at, label in enumerate(self.continuum.labels)}
        codes = np.array([place.get(label, -1) for label in self.reference.labels])
        kept = self.origins >= 0
        relabelled = np.zeros(len(self.continuum), dtype=bool)
        was = codes[self.reference.label_codes[self.origins[kept]]]
        relabelled[kept] = self.continuum.label_codes[kept] != was
        return relabelled

    @property
    def counts(self) -> dict[ErrorType, int]:
        """How many units each type of error was done to; under ``split`` stand the cuts."""
        owner = np.repeat(np.arange(len(self.continuum.annotators)), self.continuum.counts)
        lowest = int(self.origins.min(initial=0))
        whole = owner * (len(self.reference) - lowest) + self.origins - lowest
        counted: dict[ErrorType, int] = {
            "position": _different(whole[self.moved]),
            "category": _different(whole[self.relabelled]),
            "false_negative": len(self.forgotten),
            "false_positive": _different(whole[self.origins < 0]),
            "split": int(self.pieces.sum()) - _different(whole[self.pieces]),
        }
        return {error: counted[error] for error in self.errors}

    def rows(self) -> Iterator[dict[str, Any]]:
        """Give what was done to each unit, one row a unit, forgotten ones included.

        Examples
        --------
        >>> import unisono as un
        >>> reference = un.generate_reference(units=2, rng=1)
        >>> shuffled = un.shuffle(reference, magnitude=1, errors="false_negative", rng=3)
        >>> [row["done"] for row in shuffled.rows()]
        ['forgotten', 'forgotten', 'forgotten', 'forgotten', 'forgotten', 'forgotten']
        """
        moved, relabelled = self.moved.tolist(), self.relabelled.tolist()
        pieces, origins = self.pieces.tolist(), self.origins.tolist()
        for at, unit in enumerate(self.continuum):
            done = [
                word
                for word, was_done in (
                    ("added", origins[at] < 0),
                    ("moved", moved[at]),
                    ("relabelled", relabelled[at]),
                    ("piece", pieces[at]),
                )
                if was_done
            ]
            yield {
                "annotator": unit.annotator,
                "start": unit.start,
                "end": unit.end,
                "label": unit.label,
                "done": "+".join(done) or "kept",
                "origin": None if origins[at] < 0 else origins[at],
            }
        for annotator, row in self.forgotten.tolist():
            unit = self.reference.unit(row)
            yield {
                "annotator": self.continuum.annotators[annotator],
                "start": unit.start,
                "end": unit.end,
                "label": unit.label,
                "done": "forgotten",
                "origin": row,
            }

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain data.

        Examples
        --------
        >>> import unisono as un
        >>> reference = un.generate_reference(units=5, rng=1)
        >>> shuffled = un.shuffle(reference, magnitude=0, rng=3)
        >>> shuffled.to_dict()["counts"]["false_negative"]
        0
        """
        return {
            "magnitude": self.magnitude,
            "errors": list(self.errors),
            "counts": dict(self.counts),
            "units": [{**row, "label": plain_label(row["label"])} for row in self.rows()],
            "signature": str(self.signature),
        }

    def __str__(self) -> str:
        done = ", ".join(f"{count} {DONE[error]}" for error, count in self.counts.items())
        n_annotators = len(self.continuum.annotators)
        return (
            f"{n_annotators} annotator{'s' * (n_annotators != 1)} at magnitude "
            f"{self.magnitude:g} of {len(self.reference)} units: {done}"
        )


def _different(numbers: Integers) -> int:
    return len(np.unique(numbers))


_ERROR_STREAM = 7
_USUAL_ANNOTATORS = 3
_MOST_ANNOTATORS = 10_000


def _names(annotators: int | Iterable[str] | None, reference: Continuum) -> tuple[str, ...]:
    if annotators is None:
        if len(reference.annotators) > 1:
            return reference.annotators
        annotators = _USUAL_ANNOTATORS
    if isinstance(annotators, bool) or not isinstance(annotators, int | np.integer | Iterable):
        msg = f"annotators is a number of annotators or their names, got {annotators!r}"
        raise TypeError(msg)
    if isinstance(annotators, int | np.integer):
        if not 1 <= annotators <= _MOST_ANNOTATORS:
            msg = f"from 1 to {_MOST_ANNOTATORS:,} annotators can be simulated, got {annotators}"
            raise SettingError(msg)
        width = len(str(annotators))
        return tuple(f"sim{number:0{width}}" for number in range(1, int(annotators) + 1))
    names = as_names(annotators, "annotator")
    if not names:
        msg = "annotators names nobody; give a number of annotators or their names"
        raise SettingError(msg)
    return names


@dataclass(frozen=True, slots=True, init=False)
class Shuffler:
    """Annotators who all know the reference and make errors; the settings of `shuffle`, checked.

    Many shufflings of one reference share one `Shuffler`.
    """

    reference: Continuum
    errors: tuple[ErrorType, ...]
    annotators: tuple[str, ...]
    overlap: bool
    position_factor: float
    split_cap: float
    labels: tuple[Label | None, ...]
    _start: Marks
    _shares: Floats
    _mistakes: Floats
    _certain: NDArray[np.bool_]
    _closeness: Floats | None
    _counts: Floats
    _stream: int
    _told: tuple[tuple[str, str], ...]

    def __init__(
        self,
        reference: Continuum,
        *,
        errors: ErrorType | Iterable[ErrorType] = ERRORS,
        annotators: int | Iterable[str] | None = None,
        overlap: bool = True,
        position_factor: float = 2.0,
        split_cap: float = 5.0,
        prevalence: Prevalence = "reference",
        closeness: Closeness = None,
        certain: Iterable[Label] = (),
    ) -> None:
        if not isinstance(reference, Continuum):
            msg = f"the reference is a Continuum, got {type(reference).__name__}"
            raise TypeError(msg)
        if not len(reference):
            msg = "the reference has no units; there is nothing to make errors in"
            raise DataError(msg)
        # A text is several letters to Python, and surely not meant so; it is refused below.
        certain = certain if isinstance(certain, str) else tuple(certain)
        check_number("position_factor", position_factor, may_be_zero=True)
        check_number("split_cap", split_cap, may_be_zero=True)
        chosen = check_errors(errors)
        names = _names(annotators, reference)
        several = len(reference.annotators) > 1
        if several and annotators is not None:
            msg = (
                f"a reference is what one annotator marked, and here are "
                f"{len(reference.annotators)}; keep one, or leave out {setting('annotators')} to "
                "make each of them worse"
            )
            raise DataError(msg)
        if not overlap and "position" in chosen and (pair := overlapping_units(reference)):
            one, other = pair
            msg = (
                "units that overlap in the reference cannot be kept apart: "
                f"[{one.start:g}, {one.end:g}] and [{other.start:g}, {other.end:g}]; "
                f"let units overlap with {setting('overlap', True)}"
            )
            raise DataError(msg)
        labels, shares = label_shares(prevalence, reference.labels, reference.label_codes)
        place = {label: at for at, label in enumerate(labels)}
        codes = np.array([place[label] for label in reference.labels])[reference.label_codes]
        known, mistakes = labels_known(certain, labels, shares)
        counts = np.bincount(codes, minlength=len(labels)).tolist()
        close = closeness_rows(closeness, labels, counts, known)
        rows = np.arange(len(reference))
        owner = np.repeat(np.arange(len(reference.annotators)), reference.counts)
        if not several:
            owner = np.repeat(np.arange(len(names)), len(rows))
            rows = np.tile(rows, len(names))
        if len(rows) * (1.0 + split_cap) > _MOST_UNITS:
            msg = f"{len(rows):,} units of simulated annotators are too many to shuffle"
            raise DataError(msg)
        start = Marks(
            owner,
            reference.starts[rows],
            reference.ends[rows],
            codes.astype(np.int32)[rows],
            rows,
            np.zeros(len(rows), dtype=bool),
            np.zeros(len(rows), dtype=bool),
        )
        stream = fingerprint(reference.counts, reference.label_codes)
        values = {
            "reference": reference,
            "errors": chosen,
            "annotators": names,
            "overlap": bool(overlap),
            "position_factor": float(position_factor),
            "split_cap": float(split_cap),
            "labels": labels,
            "_start": start,
            "_shares": shares,
            "_mistakes": mistakes,
            "_certain": known,
            "_closeness": close,
            "_counts": np.bincount(owner, minlength=len(names)).astype(np.float64),
            "_stream": stream,
            "_told": _told(chosen, len(names), overlap, position_factor, split_cap)
            + _told_labels(
                chosen,
                prevalence if isinstance(prevalence, str) else _digest(labels, shares),
                _closeness_told(closeness, labels, counts, close),
                certain,
            ),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def settings(self, magnitude: str, seed: int) -> tuple[tuple[str, str], ...]:
        """Write down everything that can move a shuffling."""
        return (
            self._told[0],
            ("magnitude", magnitude),
            *self._told[1:],
            ("seed", str(seed)),
            ("data", self.reference.digest[:8]),
            ("v", __version__),
        )

    def continuum(self, magnitude: float, seed: int, *stream: int) -> Continuum:
        """Shuffle once, and give only what the annotators marked."""
        marks, _ = self._made(magnitude, seed, *stream)
        return self._finished(marks)[0]

    def shuffled(self, magnitude: float, seed: int, *stream: int) -> Shuffled:
        """Shuffle once, and give the record of it as well."""
        marks, forgotten = self._made(magnitude, seed, *stream)
        continuum, order = self._finished(marks)
        signature = Signature("shuffle", self.settings(f"{magnitude:.12g}", seed))
        return Shuffled(
            continuum=continuum,
            reference=self.reference,
            origins=marks.origin[order],
            moved=marks.moved[order],
            pieces=marks.piece[order],
            forgotten=forgotten,
            magnitude=float(magnitude),
            errors=self.errors,
            signature=signature,
        )

    def _made(self, magnitude: float, seed: int, *stream: int) -> tuple[Marks, Integers]:
        marks = self._start
        forgotten = np.empty((0, 2), dtype=np.int64)
        extent = self.reference.extent
        for error in self.errors:
            # Each has dice of its own, so the errors of one type are the same with and without
            # those of another.
            dice = Dice(seed, _ERROR_STREAM, self._stream, *stream, ERRORS.index(error))
            if error == "position":
                move = moved_freely if self.overlap else moved_apart
                reach = magnitude * self.position_factor
                start, end = move(marks, reach, extent, dice)
                moved = (start != marks.start) | (end != marks.end)
                marks = marks._replace(start=start, end=end, moved=moved)
            elif error == "category":
                codes = mistaken(marks.label, magnitude, self._mistakes, self._closeness, dice)
                codes = np.where(self._certain[marks.label], marks.label, codes)
                marks = marks._replace(label=codes)
            elif error == "false_negative":
                kept = remembered(marks, magnitude, dice)
                forgotten = np.column_stack((marks.annotator[~kept], marks.origin[~kept]))
                marks = marks.chosen(kept)
            elif error == "false_positive":
                like = (
                    self.reference.ends - self.reference.starts,
                    self._start.label[: len(self.reference)],
                    self._shares,
                )
                wished = magnitude * self._counts
                added = false_positives(marks, wished, like, extent, dice, overlap=self.overlap)
                marks = marks.with_more(added)
            else:
                marks = splits(marks, magnitude * self.split_cap * self._counts, dice)
        return marks, forgotten

    def _finished(self, marks: Marks) -> tuple[Continuum, Integers]:
        order = np.lexsort((marks.label, marks.end, marks.start, marks.annotator))
        finished = assembled(
            annotators=self.annotators,
            counts=np.bincount(marks.annotator, minlength=len(self.annotators)),
            starts=marks.start[order],
            ends=marks.end[order],
            label_codes=marks.label[order],
            labels=self.labels,
            extent=self.reference.extent,
            annotators_from="declared",
        )
        return continuum_of(finished), order


def _told(
    errors: tuple[ErrorType, ...],
    annotators: int,
    overlap: bool,  # noqa: FBT001 - a setting that is written down
    position_factor: float,
    split_cap: float,
) -> tuple[tuple[str, str], ...]:
    told = [("errors", ",".join(errors)), ("annotators", str(annotators))]
    if "position" in errors:
        told.append(("factor", f"{position_factor:.12g}"))
    if "split" in errors:
        told.append(("cap", f"{split_cap:.12g}"))
    if {"position", "false_positive"}.intersection(errors):
        told.append(("overlap", "yes" if overlap else "no"))
    return tuple(told)


def _told_labels(
    errors: tuple[ErrorType, ...],
    prevalence: str,
    closeness: str | None,
    certain: Iterable[Label],
) -> tuple[tuple[str, str], ...]:
    told = []
    if {"category", "false_positive"}.intersection(errors):
        told.append(("prevalence", prevalence))
    if "category" in errors and closeness is not None:
        told.append(("closeness", closeness))
    if "category" in errors and certain:
        told.append(("certain", ",".join(map(label_text, certain))))
    return tuple(told)


def _closeness_told(
    closeness: Closeness, labels: tuple[Label | None, ...], counts: list[int], rows: Floats | None
) -> str | None:
    if rows is None:
        return None
    if isinstance(closeness, str | DistanceMatrix) or callable(closeness):
        return distance_signature(closeness, labels, counts)
    return _digest(labels, rows)


def _digest(labels: tuple[Label | None, ...], values: Floats) -> str:
    return f"own#{digest_of_values(labels, values)}"


def shuffle(
    reference: Continuum,
    *,
    magnitude: float,
    errors: ErrorType | Iterable[ErrorType] = ERRORS,
    annotators: int | Iterable[str] | None = None,
    rng: int | np.random.Generator | None = 0,
    overlap: bool = True,
    position_factor: float = 2.0,
    split_cap: float = 5.0,
    prevalence: Prevalence = "reference",
    closeness: Closeness = None,
    certain: Iterable[Label] = (),
) -> Shuffled:
    """Simulate annotators who know the right answer and make errors of chosen types.

    Parameters
    ----------
    reference
        What is right: the units of one annotator, such as `generate_reference` makes, or
        ``text.only(annotators=("ann",))``. With several annotators each of them gets worse.
    magnitude
        How many errors, from 0 (none) to 1 (as many as there can be).
    errors
        Which: ``"position"``, ``"category"``, ``"false_negative"``, ``"false_positive"``,
        ``"split"``. They are made in this order, whatever the order here.
    annotators
        How many annotators, or their names; by default three, or those of the reference if it has
        several. The reference itself is not among them.
    rng
        A seed, or a generator from which one is drawn; `None` takes one from the system. It is
        shown in the signature.
    overlap
        Whether moved and added units of an annotator may overlap.
    position_factor
        The longest move of a boundary at magnitude 1, in lengths of its unit.
    split_cap
        How many cuts an annotator makes at magnitude 1, for each unit of the reference.
    prevalence
        How often a label is chosen by mistake, or for an added unit: as often as in the
        ``"reference"``, all alike (``"uniform"``), or shares you give.
    closeness
        How easily one label is taken for another: a label distance by its name, as a
        `DistanceMatrix` or as a function (labels at distance 1 are never taken for each other), or
        a square table in the order of the labels. By default mistakes go to any label.
    certain
        Labels that annotators never mistake: units keep them, and no unit is given one by mistake.

    Returns
    -------
    Shuffled
        The degraded continuum, and what was done to which unit.

    Raises
    ------
    SettingError
        If the magnitude is not from 0 to 1, an error type is unknown, or a setting is impossible.
    DataError
        If the reference is empty, the closeness does not fit the labels, or units cannot be kept
        from overlapping.

    Notes
    -----
    The Corpus Shuffling Tool of [1]_ (§6.2) and [2]_. With magnitude m:

    - position: each boundary moves by a uniform value within ± m · `position_factor` · length,
      drawn again where boundaries cross or leave the document;
    - category: labels change with the probabilities (1 − m²)·I + m²·P, P the prevalence in each
      row, or with closeness O: (1 − m)·I + m³·P + (m − m³)·O;
    - false negatives: each unit is forgotten with probability m;
    - false positives: m times as many units are added as the reference has;
    - splits: m · `split_cap` · units cuts are made, one after another, each in one of the units
      there are by then.

    The constants of the authors' tool are not public; these are ours.

    References
    ----------
    .. [1] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479.
    .. [2] Mathet, Y. (2017). The agreement measure γcat a complement to γ focused on categorization
       of a continuum. Computational Linguistics 43(3), 661–681.

    Examples
    --------
    >>> import unisono as un
    >>> reference = un.generate_reference(units=20, rng=1)
    >>> worse = un.shuffle(reference, magnitude=0.3, errors=("position", "false_negative"), rng=7)
    >>> worse.continuum
    Continuum(3 annotators, 42 units, 4 labels, 0–317.2007154)
    >>> worse.counts["false_negative"]
    18
    """
    check_magnitude(magnitude)
    shuffler = Shuffler(
        reference,
        errors=errors,
        annotators=annotators,
        overlap=overlap,
        position_factor=position_factor,
        split_cap=split_cap,
        prevalence=prevalence,
        closeness=closeness,
        certain=certain,
    )
    return shuffler.shuffled(float(magnitude), seed_of(rng))
