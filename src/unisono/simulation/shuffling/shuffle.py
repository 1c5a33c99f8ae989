"""The Corpus Shuffling Tool: references, and simulated annotators who make errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import digest_of_values, distance_signature
from unisono.measures.sampling import Dice, fingerprint, seed_of
from unisono.model.codes import (
    as_names,
)
from unisono.model.continuum import Continuum, assembled, continuum_of
from unisono.model.labels import Label, as_label, label_text
from unisono.model.overlap import overlapping_units
from unisono.registry import Setting, check_setting, check_settings
from unisono.results.record import Record, record
from unisono.results.render import Sheeted
from unisono.results.sheet import KINDS, Column, Row, Sheet, Table, column, columns
from unisono.results.values import Signature
from unisono.results.wording import count
from unisono.simulation.shuffling.errors import (
    DEFAULT_ERRORS,
    ERROR_RESULTS,
    ERRORS,
    SimulatedUnits,
    check_errors,
    check_habits,
    closeness_rows,
    join_units,
    label_shares,
    make_habit_errors,
    move_boundaries,
    move_without_overlap,
    resolve_certain_labels,
    sample_false_positives,
    sample_kept_units,
    sample_label_errors,
    sample_labels,
    split_units,
)
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unisono.model.arrays import Booleans, Floats, Integers
    from unisono.model.continuum import Unit
    from unisono.simulation.shuffling.errors import Closeness, ErrorType, Habit, Habits, Prevalence

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
    """Generate a random reference annotation, as input of `shuffle`.

    Parameters
    ----------
    units
        Number of units.
    labels
        Labels, chosen uniformly, or a mapping of labels to prevalences, which need not sum to 1.
    lengths
        Minimum and maximum length of units, or such a range per label; lengths are uniform.
    gaps
        Minimum and maximum gap before each unit and after the last one; gaps are uniform.
    overlap
        Whether units may overlap. Their positions are then uniform in the extent, whose default is
        the same as without overlap; `gaps` only affects this default.
    extent
        Length of the document, or its start and end; all gaps are then scaled by the same factor.
        By default the sum of units and gaps, from 0.
    annotator
        Name of the annotator.
    rng
        A seed, or a generator from which a seed is drawn; with `None`, the system provides one.

    Returns
    -------
    Continuum
        The reference, with one annotator.

    Raises
    ------
    SettingError
        If a setting is invalid, or the units do not fit the extent.

    Examples
    --------
    >>> import unisono as un
    >>> un.generate_reference(30, labels={"A": 3, "B": 1}, lengths=(10, 10), gaps=(5, 5), rng=1)
    Continuum(1 annotator, 30 units, 2 labels, 0–455)
    >>> un.generate_reference(10, lengths={"A": (1, 2), "D": (20, 20)}, labels="AD", rng=1)
    Continuum(1 annotator, 10 units, 2 labels, 0–185.2794972)
    """
    Setting("units", "count", "", least=1, most=_MOST_UNITS).check(units)
    names, shares = _labels(labels)
    dice = Dice(seed_of(rng), _REFERENCE_STREAM)
    codes = sample_labels(shares, dice.roll(units))
    shortest, longest = _length_ranges(lengths, names)[:, codes]
    sizes = shortest + dice.roll(units) * (longest - shortest)
    least, most = _range(gaps, "gaps")
    spaces = least + dice.roll(units + 1) * (most - least)
    low, high = _extent(extent, sizes, spaces)
    if overlap:
        longest_unit = float(sizes.max())
        if longest_unit > high - low:
            msg = (
                f"a unit of length {longest_unit:g} does not fit the extent {low:g}–{high:g}; "
                "increase the extent or reduce lengths"
            )
            raise SettingError(msg)
        starts = low + dice.roll(units) * (high - low - sizes)
    else:
        starts = low + _starts_in_sequence(sizes, spaces, high - low)
    ends = np.minimum(starts + sizes, high)
    return Continuum.from_columns(
        [annotator] * units, starts, ends, [names[code] for code in codes], extent=(low, high)
    )


def _starts_in_sequence(sizes: Floats, spaces: Floats, extent: float) -> Floats:
    """Return the starts of consecutive units with gaps scaled to the extent."""
    room = extent - float(sizes.sum())
    # Tolerance for rounding errors if the units fill the extent.
    if room < -1e-9 * extent:
        msg = (
            f"units of total length {sizes.sum():g} do not fit an extent of {extent:g} without "
            "overlap; reduce their number or lengths, or allow overlap"
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
        msg = "labels is empty; a reference needs at least one label"
        raise SettingError(msg)
    return label_shares(shares, (), np.empty(0, np.int32))


def _length_ranges(
    lengths: tuple[float, float] | Mapping[Any, tuple[float, float]],
    labels: tuple[Label | None, ...],
) -> Floats:
    if not isinstance(lengths, Mapping):
        return np.repeat([_range(lengths, "lengths")], len(labels), axis=0).T
    ranges = {as_label(label): bounds for label, bounds in lengths.items()}
    for label in labels:
        if label not in ranges:
            msg = f"lengths has no range for the label {label!r}; every label needs one"
            raise SettingError(msg)
    return np.array([_range(ranges[label], f"lengths of {label!r}") for label in labels]).T


def _range(bounds: tuple[float, float], name: str) -> tuple[float, float]:
    try:
        low, high = (float(bound) for bound in bounds)
    except (TypeError, ValueError):
        msg = f"{name} must be two numbers, minimum and maximum; got {bounds!r}"
        raise TypeError(msg) from None
    if not 0.0 <= low <= high < np.inf:
        msg = f"{name} must be finite, with 0 <= minimum <= maximum; got {bounds!r}"
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
        msg = f"extent must be a length, or a start and an end; got {extent!r}"
        raise TypeError(msg) from None
    if not -np.inf < low < high < np.inf:
        msg = f"extent must be a length above 0, or a start before an end; got {extent!r}"
        raise SettingError(msg)
    return float(low), float(high)


class ShuffledUnit(NamedTuple):
    """A unit of a simulated annotator, or a missed unit, with the errors made."""

    annotator: str
    start: float
    end: float
    label: Label | None
    done: str
    """The errors, such as ``"kept"``, ``"moved+relabelled"`` or ``"forgotten"``."""
    origin: int | None
    """The row of the reference; `None` for an added unit."""


@record
class Shuffled(Record, Sheeted):
    """The annotations of simulated annotators, with the errors made.

    Attributes
    ----------
    continuum
        The annotations of the simulated annotators.
    reference
        The correct annotation.
    origins
        For each unit of `continuum`, in its order, the row of the reference; −1, −2, and so on for
        added units.
    moved, pieces
        For each unit, whether it was moved, and whether it is a piece of a split unit.
    forgotten
        One row per missed unit: the number of the annotator, and the row of the reference.
    joined
        One row per unit that became part of the one before it, because the boundary between them
        was missed, as for `forgotten`.
    magnitude, errors
        The settings; the errors in the order in which they were made.
    signature
        All settings that affect a unit.

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
    moved: Booleans
    pieces: Booleans
    forgotten: Integers
    joined: Integers
    magnitude: float
    errors: tuple[ErrorType, ...]
    signature: Signature

    computed = ("counts", "units")
    apart = ("continuum", "reference", "origins", "moved", "pieces", "forgotten", "joined")

    @property
    def relabelled(self) -> Booleans:
        """For each unit, whether its label differs from the reference."""
        place = {label: at for at, label in enumerate(self.continuum.labels)}
        codes = np.array([place.get(label, -1) for label in self.reference.labels])
        kept = self.origins >= 0
        relabelled = np.zeros(len(self.continuum), dtype=bool)
        original = codes[self.reference.label_codes[self.origins[kept]]]
        relabelled[kept] = self.continuum.label_codes[kept] != original
        return relabelled

    @property
    def counts(self) -> dict[ErrorType, int]:
        """Number of affected units per type of error; for ``split``, number of cuts."""
        owner = np.repeat(np.arange(len(self.continuum.annotators)), self.continuum.counts)
        lowest = int(self.origins.min(initial=0))
        whole = owner * (len(self.reference) - lowest) + self.origins - lowest
        counted: dict[ErrorType, int] = {
            "position": _count_distinct(whole[self.moved]),
            "category": _count_distinct(whole[self.relabelled]),
            "false_negative": len(self.forgotten),
            "false_positive": _count_distinct(whole[self.origins < 0]),
            "split": int(self.pieces.sum()) - _count_distinct(whole[self.pieces]),
            "missing_boundary": len(self.joined),
        }
        return {error: counted[error] for error in self.errors}

    @property
    def units(self) -> tuple[ShuffledUnit, ...]:
        """All units with the errors made, including missed units.

        Examples
        --------
        >>> import unisono as un
        >>> reference = un.generate_reference(units=2, rng=1)
        >>> shuffled = un.shuffle(reference, magnitude=1, errors="false_negative", rng=3)
        >>> [unit.done for unit in shuffled.units]
        ['forgotten', 'forgotten', 'forgotten', 'forgotten', 'forgotten', 'forgotten']
        """
        moved, relabelled = self.moved.tolist(), self.relabelled.tolist()
        pieces, origins = self.pieces.tolist(), self.origins.tolist()
        found = []
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
            origin = None if origins[at] < 0 else origins[at]
            found.append(_shuffled_unit(unit.annotator, unit, "+".join(done) or "kept", origin))
        for word, missed in (("forgotten", self.forgotten), ("joined", self.joined)):
            for number, row in missed.tolist():
                annotator = self.continuum.annotators[number]
                unit = self.reference.unit(max(row, 0))
                found.append(_shuffled_unit(annotator, unit, word, None if row < 0 else row))
        return tuple(found)

    def __repr__(self) -> str:
        return f"Shuffled({self._sentence()})"

    def _sentence(self) -> str:
        done = ", ".join(
            f"{number} {ERROR_RESULTS[error]}" for error, number in self.counts.items()
        )
        annotators = count(len(self.continuum.annotators), "annotator")
        return (
            f"{annotators} at magnitude {self.magnitude:g} of {len(self.reference)} units: {done}"
        )

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the shuffling, from which all outputs are rendered.

        Output for programs has one row per unit, including missed units.

        Examples
        --------
        >>> import unisono as un
        >>> reference = un.generate_reference(units=5, rng=1)
        >>> shuffled = un.shuffle(reference, magnitude=0, rng=3)
        >>> print(shuffled.to_csv().splitlines()[0])
        annotator,start,end,label,done,origin
        """
        return Sheet(
            name="shuffled",
            title=title,
            findings=(self._sentence(),),
            tables=(Table(name="unit", columns=columns(_UNIT), rows=self.units, people=False),),
            signatures=(self.signature,),
        )


_UNIT = "annotator start end label done origin"


def _shuffled_unit(annotator: str, unit: Unit, done: str, origin: int | None) -> ShuffledUnit:
    return ShuffledUnit(annotator, unit.start, unit.end, unit.label, done, origin)


@record
class ShuffledCorpus(Record, Sheeted):
    """Several documents shuffled with the same settings, by name."""

    documents: Mapping[str, Shuffled]

    summary = ("documents",)

    def __hash__(self) -> int:
        return hash(tuple(self.documents.values()))

    def rows(self) -> Iterator[Row]:
        """Yield one row per unit: document, unit and errors made."""
        for name, each in self.documents.items():
            for unit in each.units:
                yield (name, *unit)

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the documents: the number of affected units per type of error."""
        errors = next(iter(self.documents.values())).errors
        return Sheet(
            name="shuffled",
            title=title,
            tables=(
                Table(
                    name="document",
                    columns=(
                        *columns("document n_units"),
                        *(
                            Column(name=e, heading=ERROR_RESULTS[e], kind=KINDS["count"])
                            for e in errors
                        ),
                        column("n_units_now"),
                    ),
                    rows=[
                        (name, len(each.reference), *each.counts.values(), len(each.continuum))
                        for name, each in self.documents.items()
                    ],
                    programs=False,
                ),
                Table(
                    name="unit",
                    columns=columns(f"document {_UNIT}"),
                    rows=list(self.rows()),
                    people=False,
                ),
            ),
            signatures=tuple(each.signature for each in self.documents.values()),
        )


def _count_distinct(numbers: Integers) -> int:
    return len(np.unique(numbers))


_ERROR_STREAM = 7
_DEFAULT_ANNOTATORS = 3
_MOST_ANNOTATORS = 10_000


def _names(annotators: int | Iterable[str] | None, reference: Continuum) -> tuple[str, ...]:
    if annotators is None:
        if len(reference.annotators) > 1:
            return reference.annotators
        annotators = _DEFAULT_ANNOTATORS
    if isinstance(annotators, bool) or not isinstance(annotators, int | np.integer | Iterable):
        msg = f"annotators must be a number of annotators or their names, got {annotators!r}"
        raise TypeError(msg)
    if isinstance(annotators, int | np.integer):
        if not 1 <= annotators <= _MOST_ANNOTATORS:
            msg = f"annotators must be between 1 and {_MOST_ANNOTATORS:,}, got {annotators}"
            raise SettingError(msg)
        width = len(str(annotators))
        return tuple(f"sim{number:0{width}}" for number in range(1, int(annotators) + 1))
    names = as_names(annotators, "annotator")
    if not names:
        msg = "annotators is empty; pass a number of annotators or their names"
        raise SettingError(msg)
    return names


@dataclass(frozen=True, slots=True, init=False)
class Shuffler:
    """Simulates annotators who make errors in a reference, with validated settings of `shuffle`.

    One `Shuffler` serves many shufflings of a reference.
    """

    reference: Continuum
    errors: tuple[ErrorType, ...]
    annotators: tuple[str, ...]
    overlap: bool
    position_factor: float
    false_positive_factor: float
    split_cap: float
    labels: tuple[Label | None, ...]
    _start: SimulatedUnits
    _shares: Floats
    _mistakes: Floats
    _certain: NDArray[np.bool_]
    _closeness: Floats | None
    _counts: Floats
    _habits: Mapping[int, Habit]
    _stream: int
    _signature_items: tuple[tuple[str, str], ...]

    def __init__(
        self,
        reference: Continuum,
        *,
        errors: ErrorType | Iterable[ErrorType] = DEFAULT_ERRORS,
        annotators: int | Iterable[str] | None = None,
        overlap: bool = True,
        position_factor: float = 2.0,
        false_positive_factor: float = 1.0,
        split_cap: float = 5.0,
        prevalence: Prevalence = "reference",
        closeness: Closeness = None,
        certain: Iterable[Label] = (),
        habits: Habits | None = None,
    ) -> None:
        if not isinstance(reference, Continuum):
            msg = f"the reference must be a Continuum, got {type(reference).__name__}"
            raise TypeError(msg)
        if not len(reference):
            msg = "the reference has no units; shuffling needs at least one"
            raise DataError(msg)
        # A string would be split into letters; `resolve_certain_labels` rejects it.
        certain = certain if isinstance(certain, str) else tuple(certain)
        check_settings(
            {
                "position_factor": position_factor,
                "false_positive_factor": false_positive_factor,
                "split_cap": split_cap,
            }
        )
        chosen = check_errors(errors)
        names = _names(annotators, reference)
        has_several = len(reference.annotators) > 1
        if has_several and annotators is not None:
            msg = (
                f"a reference needs a single annotator, but this one has "
                f"{len(reference.annotators)}; select one, or omit {setting('annotators')} to "
                "degrade each of them"
            )
            raise DataError(msg)
        if not overlap and "position" in chosen and (pair := overlapping_units(reference)):
            one, other = pair
            msg = (
                "overlap cannot be prevented if units of the reference overlap: "
                f"[{one.start:g}, {one.end:g}] and [{other.start:g}, {other.end:g}]; "
                f"allow overlap with {setting('overlap', True)}"
            )
            raise DataError(msg)
        if "missing_boundary" in chosen and not _adjoin(reference):
            msg = (
                "missing boundaries need units that adjoin, where one ends and the next begins, "
                "such as segments; this reference has none; choose false_negative instead"
            )
            raise DataError(msg)
        labels, shares = label_shares(prevalence, reference.labels, reference.label_codes)
        place = {label: at for at, label in enumerate(labels)}
        codes = np.array([place[label] for label in reference.labels])[reference.label_codes]
        is_certain, mistakes = resolve_certain_labels(certain, labels, shares)
        counts = np.bincount(codes, minlength=len(labels)).tolist()
        close = closeness_rows(closeness, labels, counts, is_certain)
        rows = np.arange(len(reference))
        owner = np.repeat(np.arange(len(reference.annotators)), reference.counts)
        if not has_several:
            owner = np.repeat(np.arange(len(names)), len(rows))
            rows = np.tile(rows, len(names))
        own_habits = check_habits(habits or {}, names, labels)
        pieces = max((habit.split for habit in own_habits.values()), default=1)
        most = len(rows) * (1.0 + split_cap + false_positive_factor) * pieces
        if most > _MOST_UNITS + len(rows):
            msg = (
                f"{len(rows):,} units of simulated annotators are too many; the limit, splits and "
                f"false positives included, is {_MOST_UNITS:,}; reduce the annotators, split_cap "
                "or false_positive_factor"
            )
            raise DataError(msg)
        start = SimulatedUnits(
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
            "false_positive_factor": float(false_positive_factor),
            "split_cap": float(split_cap),
            "labels": labels,
            "_start": start,
            "_shares": shares,
            "_mistakes": mistakes,
            "_certain": is_certain,
            "_closeness": close,
            "_counts": np.bincount(owner, minlength=len(names)).astype(np.float64),
            "_habits": own_habits,
            "_stream": stream,
            "_signature_items": _error_items(
                chosen, len(names), overlap, position_factor, false_positive_factor, split_cap
            )
            + _habit_items(habits or {})
            + _label_items(
                chosen,
                prevalence if isinstance(prevalence, str) else _digest(labels, shares),
                _closeness_text(closeness, labels, counts, close),
                certain,
            ),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def settings(self, magnitude: str, seed: int) -> tuple[tuple[str, str], ...]:
        """Return all settings that affect a shuffling, as items of a signature."""
        return (
            self._signature_items[0],
            ("magnitude", magnitude),
            *self._signature_items[1:],
            ("seed", str(seed)),
            ("data", self.reference.digest[:8]),
            ("v", __version__),
        )

    def continuum(self, magnitude: float, seed: int, *stream: int) -> Continuum:
        """Shuffle once, and return only the annotations."""
        return self._assemble(self._apply_errors(magnitude, seed, *stream)[0])[0]

    def shuffle(self, magnitude: float, seed: int, *stream: int) -> Shuffled:
        """Shuffle once, and return the annotations with the errors made."""
        marks, forgotten, joined = self._apply_errors(magnitude, seed, *stream)
        continuum, order = self._assemble(marks)
        signature = Signature("shuffle", self.settings(f"{magnitude:.12g}", seed))
        return Shuffled(
            continuum=continuum,
            reference=self.reference,
            origins=marks.origin[order],
            moved=marks.moved[order],
            pieces=marks.piece[order],
            forgotten=forgotten,
            joined=joined,
            magnitude=float(magnitude),
            errors=self.errors,
            signature=signature,
        )

    def _apply_errors(
        self, magnitude: float, seed: int, *stream: int
    ) -> tuple[SimulatedUnits, Integers, Integers]:
        marks = self._start
        forgotten = joined = np.empty((0, 2), dtype=np.int64)
        extent = self.reference.extent
        for error in self.errors:
            # Each type has its own random numbers, so its errors do not depend on the other types.
            dice = Dice(seed, _ERROR_STREAM, self._stream, *stream, ERRORS.index(error))
            if error == "position":
                move = move_boundaries if self.overlap else move_without_overlap
                reach = magnitude * self.position_factor
                start, end = move(marks, reach, extent, dice)
                moved = (start != marks.start) | (end != marks.end)
                marks = marks._replace(start=start, end=end, moved=moved)
            elif error == "category":
                codes = sample_label_errors(
                    marks.label, magnitude, self._mistakes, self._closeness, dice
                )
                codes = np.where(self._certain[marks.label], marks.label, codes)
                marks = marks._replace(label=codes)
            elif error == "false_negative":
                kept = sample_kept_units(marks, magnitude, dice)
                forgotten = np.column_stack((marks.annotator[~kept], marks.origin[~kept]))
                marks = marks.select(kept)
            elif error == "false_positive":
                like = (
                    self.reference.ends - self.reference.starts,
                    self._start.label[: len(self.reference)],
                    self._shares,
                )
                expected = magnitude * self.false_positive_factor * self._counts
                added = sample_false_positives(
                    marks, expected, like, extent, dice, overlap=self.overlap
                )
                marks = marks.append(added)
            elif error == "split":
                marks = split_units(marks, magnitude * self.split_cap * self._counts, dice)
            else:
                marks, joined = join_units(marks, magnitude, dice)
        mean = float((self.reference.ends - self.reference.starts).mean())
        for number, habit in self._habits.items():
            before = marks
            shift = habit.late * mean
            marks = make_habit_errors(marks, number, habit, self.labels, shift, extent)
            gone = np.setdiff1d(
                before.origin[before.annotator == number], marks.origin[marks.annotator == number]
            )
            gone = gone[gone >= 0]
            forgotten = np.concatenate(
                (forgotten, np.column_stack((np.full(len(gone), number), gone)))
            )
        return marks, forgotten, joined

    def _assemble(self, marks: SimulatedUnits) -> tuple[Continuum, Integers]:
        order = np.lexsort((marks.label, marks.end, marks.start, marks.annotator))
        continuum = assembled(
            annotators=self.annotators,
            counts=np.bincount(marks.annotator, minlength=len(self.annotators)),
            starts=marks.start[order],
            ends=marks.end[order],
            label_codes=marks.label[order],
            labels=self.labels,
            extent=self.reference.extent,
            annotators_from="declared",
        )
        return continuum_of(continuum), order


def _error_items(
    errors: tuple[ErrorType, ...],
    annotators: int,
    overlap: bool,  # noqa: FBT001 - a setting of the signature
    position_factor: float,
    false_positive_factor: float,
    split_cap: float,
) -> tuple[tuple[str, str], ...]:
    items = [("errors", ",".join(errors)), ("annotators", str(annotators))]
    if "position" in errors:
        items.append(("factor", f"{position_factor:.12g}"))
    if "false_positive" in errors and false_positive_factor != 1.0:
        items.append(("added", f"{false_positive_factor:.12g}"))
    if "split" in errors:
        items.append(("cap", f"{split_cap:.12g}"))
    if {"position", "false_positive"}.intersection(errors):
        items.append(("overlap", "yes" if overlap else "no"))
    return tuple(items)


def _habit_items(habits: Habits) -> tuple[tuple[str, str], ...]:
    def text(given: Mapping[str, Any]) -> str:
        labels = given.get("labels", {})
        parts = [f"{name}={given[name]:.12g}" for name in ("late", "split") if name in given]
        parts += [f"{label_text(each)}>{label_text(labels[each])}" for each in labels]
        return ",".join(parts)

    found = ";".join(f"{name}:{text(habits[name])}" for name in sorted(habits))
    return (("habits", found),) if found else ()


def _adjoin(reference: Continuum) -> bool:
    """Return whether a unit ends where the next one of the same annotator begins."""
    owner = np.repeat(np.arange(len(reference.annotators)), reference.counts)
    same = owner[1:] == owner[:-1]
    return bool((same & (reference.starts[1:] == reference.ends[:-1])).any())


def _label_items(
    errors: tuple[ErrorType, ...],
    prevalence: str,
    closeness: str | None,
    certain: Iterable[Label],
) -> tuple[tuple[str, str], ...]:
    items = []
    if {"category", "false_positive"}.intersection(errors):
        items.append(("prevalence", prevalence))
    if "category" in errors and closeness is not None:
        items.append(("closeness", closeness))
    if "category" in errors and certain:
        items.append(("certain", ",".join(map(label_text, certain))))
    return tuple(items)


def _closeness_text(
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
    errors: ErrorType | Iterable[ErrorType] = DEFAULT_ERRORS,
    annotators: int | Iterable[str] | None = None,
    rng: int | np.random.Generator | None = 0,
    overlap: bool = True,
    position_factor: float = 2.0,
    false_positive_factor: float = 1.0,
    split_cap: float = 5.0,
    prevalence: Prevalence = "reference",
    closeness: Closeness = None,
    certain: Iterable[Label] = (),
    habits: Habits | None = None,
) -> Shuffled:
    """Simulate annotators who reproduce a reference with errors of chosen types.

    Parameters
    ----------
    reference
        The correct annotation: the units of one annotator, such as a result of
        `generate_reference`, or ``text.only(annotators=("ann",))``. If there are several
        annotators, each of them is degraded.
    magnitude
        The amount of errors, from 0 (none) to 1 (maximum).
    errors
        The types of errors: ``"position"``, ``"category"``, ``"false_negative"``,
        ``"false_positive"``, ``"split"``, which are the default, and ``"missing_boundary"`` for
        segmentations. They are always made in this order.
    annotators
        Number of annotators, or their names; by default three, or those of the reference if it has
        several. The reference itself is not among them.
    rng
        A seed, or a generator from which a seed is drawn; with `None`, the system provides one.
        The signature contains it.
    overlap
        Whether moved and added units of an annotator may overlap.
    position_factor
        Maximum shift of a boundary at magnitude 1, relative to the length of its unit.
    false_positive_factor
        Number of units that an annotator adds at magnitude 1, for each unit of the reference.
    split_cap
        Number of cuts per annotator at magnitude 1, for each unit of the reference.
    prevalence
        The distribution of mistaken labels and of labels of added units: as in the
        ``"reference"``, ``"uniform"``, or a mapping of labels to shares.
    closeness
        How easily one label is mistaken for another: a label distance by its name, as a
        `DistanceMatrix` or as a function (labels at distance 1 are never confused), or a square
        matrix in the order of the labels. By default any label can be mistaken for any other.
    certain
        Labels that are never mistaken: units keep them, and no other unit gets one by mistake.
    habits
        Systematic errors, by name of an annotator (``"sim1"`` is the first): ``{"late": 0.5}``
        moves all units by half of the mean unit, ``{"split": 2}`` cuts each unit in two equal
        pieces, ``{"labels": {"A": "B"}}`` writes B for A. They are made after all other errors and
        do not depend on the magnitude.

    Returns
    -------
    Shuffled
        The annotations of the simulated annotators, with the errors made in each unit.

    Raises
    ------
    SettingError
        If the magnitude is not between 0 and 1, an error type is unknown, or a setting is invalid.
    DataError
        If the reference is empty, the closeness does not fit the labels, or overlap cannot be
        prevented.

    Notes
    -----
    After the Corpus Shuffling Tool of [1]_, as described in [2]_ (§6.3) and [3]_. With magnitude m:

    - position: each boundary moves by a uniform value within ± m · `position_factor` · length,
      drawn again if boundaries cross or leave the document;
    - category: the transition matrix of labels is (1 − m²)·I + m²·P, where each row of P is the
      prevalence, or with closeness O: (1 − m)·I + m³·P + (m − m³)·O;
    - false negatives: each unit is missed with probability m;
    - false positives: m · `false_positive_factor` units are added per unit of the reference;
    - splits: m · `split_cap` cuts are made per unit, one after another, each in one of the current
      units;
    - missing boundaries: where a unit ends and the next begins, the boundary is missed with
      probability m, and both become one unit.

    [2]_ describes the tool as open source; it was not at hand, and neither text has its constants.
    These are ours. Habits are the systematic disagreement that the tool of [2]_ does not simulate.

    References
    ----------
    .. [1] Mathet, Y., Widlöcher, A., Fort, K., François, C., Galibert, O., Grouin, C., Kahn, J.,
       Rosset, S., & Zweigenbaum, P. (2012). Manual corpus annotation: giving meaning to the
       evaluation metrics. COLING 2012, 809–818.
    .. [2] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479.
    .. [3] Mathet, Y. (2017). The agreement measure γcat a complement to γ focused on categorization
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
    check_setting("magnitude", magnitude)
    shuffler = Shuffler(
        reference,
        errors=errors,
        annotators=annotators,
        overlap=overlap,
        position_factor=position_factor,
        false_positive_factor=false_positive_factor,
        split_cap=split_cap,
        prevalence=prevalence,
        closeness=closeness,
        certain=certain,
        habits=habits,
    )
    return shuffler.shuffle(float(magnitude), seed_of(rng))
