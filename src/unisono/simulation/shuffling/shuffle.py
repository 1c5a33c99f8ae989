"""Simulated annotators: a reference, the errors they make, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.dice import Dice, fingerprint
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import digest_of_values, distance_signature
from unisono.measures.settings import check_number
from unisono.model.assembling import assembled
from unisono.model.columns import as_names
from unisono.model.continuum import Continuum, continuum_of
from unisono.model.labels import label_text
from unisono.model.overlap import overlapping_units
from unisono.results.signature import Signature
from unisono.simulation.shuffling.adding import false_positives, remembered, splits
from unisono.simulation.shuffling.error_types import ERRORS, check_errors
from unisono.simulation.shuffling.errors import closeness_rows, label_shares, labels_known, mistaken
from unisono.simulation.shuffling.marks import Marks
from unisono.simulation.shuffling.moving import moved_apart, moved_freely
from unisono.simulation.shuffling.shuffled import Shuffled
from unisono.version import __version__

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.model.arrays import Floats, Integers
    from unisono.model.labels import Label
    from unisono.simulation.shuffling.error_types import ErrorType
    from unisono.simulation.shuffling.errors import Closeness, Prevalence

__all__ = ["Shuffler"]

_STREAM = 7
_USUAL_ANNOTATORS = 3
_MOST_ANNOTATORS = 10_000
_MOST_UNITS = 20_000_000


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

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.simulation.shuffling.shuffle import Shuffler
    >>> reference = un.generate_reference(units=20, rng=1)
    >>> shuffler = Shuffler(reference, errors="false_negative", annotators=2)
    >>> shuffler.continuum(0.5, 7)
    Continuum(2 annotators, 22 units, 4 labels, 0–317.2007154)
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
        """Shuffle once, and give only what the annotators marked.

        Parameters
        ----------
        magnitude
            From 0 to 1.
        seed, *stream
            What the dice are made from; other streams are other shufflings.
        """
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
            dice = Dice(seed, _STREAM, self._stream, *stream, ERRORS.index(error))
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
