"""What came of simulated annotators: their continuum, and what was done to which unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.results.record import plain_label
from unisono.results.written import InJson
from unisono.simulation.shuffling.error_types import DONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unisono.model.arrays import Integers
    from unisono.model.continuum import Continuum
    from unisono.results.signature import Signature
    from unisono.simulation.shuffling.error_types import ErrorType

__all__ = ["Shuffled"]


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
